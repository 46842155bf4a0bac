"""Make ``proofs.json``: values for whoever writes the scheme ``proved`` a second time.

Run ``python tests/vectors/make_proofs.py`` from the top of the repository.  What stands in GIVEN comes from the
documents that it names; everything else was made by this program and by nothing else.  It fixes what the bytes are,
and SPEC.md says why.  ``tests/wire/test_proofs.py`` compares.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from protocol.crypto.commitments.interface import Context
    from protocol.crypto.proofs import Statement

HERE = Path(__file__).resolve().parent

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493

GIVEN: dict[str, Any] = {
    "RFC 9380, appendix J.5.1: the suite edwards25519_XMD:SHA-512_ELL2_RO_": {
        "tag": "QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_RO_",
        "points": [
            {
                "message": "",
                "x": "3c3da6925a3c3c268448dcabb47ccde5439559d9599646a8260e47b1e4822fc6",
                "y": "09a6c8561a0b22bef63124c588ce4c62ea83a3c899763af26d795302e115dc21",
            },
            {
                "message": "abc",
                "x": "608040b42285cc0d72cbb3985c6b04c935370c7361f4b7fbdb1ae7f8c1a8ecad",
                "y": "1a8395b88338f22e435bbd301183e7f20a5f9de643f11882fb237f88268a5531",
            },
        ],
    },
    "RFC 8032, section 5.1: the base point": {
        "x": "15112221349535400772501151409588531511454012693041857206046113283949847762202",
        "y": "46316835694926478169428394003475163141307993866256225615783033603165251855960",
        "order": str(L),
    },
    "RFC 8032, section 7.1: signatures": [
        {
            "name": "TEST 1",
            "public": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "message": "",
            "signature": "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        },
        {
            "name": "TEST 2",
            "public": "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "message": "72",
            "signature": "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        },
        {
            "name": "TEST 3",
            "public": "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "message": "af82",
            "signature": "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        },
    ],
}


def little(number: int) -> bytes:
    """Return 32 bytes, little-endian."""
    return number.to_bytes(32, "little")


def bad_points() -> dict[str, str]:
    """Return encodings that are no point of prime order."""
    from protocol.crypto import group

    def plus(point: bytes, torsion: bytes) -> str:
        return group.add(point, torsion).hex()

    order_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
    small = [group.NEUTRAL]
    for _ in range(7):
        small.append(group.add(small[-1], order_8))
    base = group.times_base(little(1))
    found = {f"small order, {number} times the point of order 8": one.hex() for number, one in enumerate(small)}
    found |= {f"mixed order, B + {number} times it": plus(base, small[number]) for number in range(1, 8)}
    found |= {
        f"mixed order, generator 7 + {number} times it": plus(group.generator(7), small[number]) for number in (1, 4)
    }
    found["not canonical, y = p"] = little(P).hex()
    found["not canonical, y = p + 1"] = little(P + 1).hex()
    found["not canonical, y = p + 3"] = little(P + 3).hex()
    found["not canonical, y = 2^255 - 1"] = little(2**255 - 1).hex()
    found["not canonical, y = p + 1 and the sign"] = little(P + 1 + 2**255).hex()
    found["not canonical, x = 0 with the sign"] = little(1 + 2**255).hex()
    found["not canonical, x = 0 with the sign, y = -1"] = little(P - 1 + 2**255).hex()
    found["not on the curve, y = 2"] = little(2).hex()
    found["not on the curve, y = 7 and the sign"] = little(7 + 2**255).hex()
    found["all ones"] = (b"\xff" * 32).hex()
    return found


def told(statement: Statement, proof: bytes) -> dict[str, Any]:
    """Return the inside of a proof: what is hashed and what comes out."""
    from protocol.crypto import hashing, proofs

    branches = list(proofs._branches(statement.clauses, proof))
    nonces = [proofs._nonce(*one) for one in branches]
    parts = [*statement.parts(), b"".join(nonces)]
    return {
        "hashed": [part if isinstance(part, int) else part.hex() for part in parts],
        "digest": hashing.hash_parts("proof", *parts).hex(),
        "branches": [
            {"point": point.hex(), "challenge": challenge, "answer": answer.hex(), "nonce": nonce.hex()}
            for (point, challenge, answer), nonce in zip(branches, nonces, strict=True)
        ],
    }


def plain(context: Context) -> dict[str, Any]:
    """Return a context as plain data."""
    return {name: one.hex() if isinstance(one, bytes) else one for name, one in context._asdict().items()}


def made() -> dict[str, Any]:
    """Return all vectors."""
    from helpers_wire import entropy

    from protocol.crypto import group
    from protocol.crypto.commitments import proved, statements
    from protocol.crypto.commitments.interface import Context, Maker, Regrouping, SlotToken
    from protocol.crypto.commitments.proved import ProvedScheme, opening_of

    scheme = ProvedScheme()
    match_id, seed, aux_rand = entropy("match"), entropy("seed"), entropy("hedge")
    maker = Maker(match_id, 0, seed, aux_rand)
    first = Context(match_id, 0, match_id, 0)
    later = Context(match_id, 0, entropy("head"), 300)
    cases: list[dict[str, Any]] = []

    def hide(
        name: str, context: Context, batch: int, values: list[int], within: list[Any], inside: bool = False
    ) -> Any:
        secrets, proof = scheme.hide(maker, context, batch, values, within)
        tokens = [one.commitment for one in secrets]
        case = {
            "name": name,
            "what": "hide",
            "context": plain(context),
            "tokens": [one.hex() for one in tokens],
            "values": sorted(values),
            "within": [[value, list(places)] for value, places in within],
            "proof": proof.hex(),
        }
        if inside:
            case["inside"] = told(statements.hide(context, tokens, sorted(values), within), proof)
        cases.append(case)
        return secrets

    def mix(name: str, context: Context, old: list[int], parts: list[list[int]], barred: list[list[int]]) -> None:
        held = tuple(setup[number] for number in old)
        tokens = tuple(SlotToken(match_id, 0, 0, one.commitment) for one in held)
        out = tuple(tuple(one) for one in barred)
        move = Regrouping(tokens, held, tuple(tuple(part) for part in parts), out)
        fresh, proof = scheme.mix(maker, context, 24, move)
        cases.append(
            {
                "name": name,
                "what": "mix",
                "context": plain(context),
                "old": [one.commitment.hex() for one in tokens],
                "parts": [[one.commitment.hex() for one in part] for part in fresh],
                "barred": barred,
                "proof": proof.hex(),
            }
        )

    def locate(name: str, context: Context, numbers: list[int], value: int) -> None:
        held = tuple(setup[number] for number in numbers)
        tokens = tuple(SlotToken(match_id, 0, 0, one.commitment) for one in held)
        proof = scheme.locate(maker, context, tokens, held, value)
        cases.append(
            {
                "name": name,
                "what": "locate",
                "context": plain(context),
                "tokens": [one.commitment.hex() for one in tokens],
                "value": value,
                "proof": proof.hex(),
            }
        )

    hide("two values", first, 0, [8, 5], [], inside=True)
    hide("three values, one of them within two places", first, 0, [2, 0, 1], [(0, (0, 1))])
    setup = hide("a setup", first, 0, [3, 8, 1, 0, 11, 5, 6, 7, 2, 9, 10, 4], [(1, tuple(range(9)))])
    hide("equal values", first, 0, [4, 4, 9], [])
    mix("a group of two, one goes", later, [0, 1], [[1], [0]], [])
    mix("a group of three, two go", later, [0, 4, 8], [[2, 0], [1]], [])
    mix("a group of four, two go and one that everybody knows stays", later, [2, 3, 4, 5], [[0, 3], [2, 1]], [[1], []])
    mix("a whole group of four", later, [2, 3, 4, 5], [[3, 2, 1, 0]], [])
    locate("one of four", later, [1, 2, 3, 4], 0)
    locate("one of eight", later, [0, 1, 5, 6, 7, 8, 9, 10], 8)
    nonce = bytes(range(16))
    opening = opening_of(replace(maker, nonce=nonce), 0, 8, 0)
    return {
        "given": GIVEN,
        "generators": [group.generator(value).hex() for value in range(24)],
        "generator 65535": group.generator(65535).hex(),
        "opening": {
            "seed": seed.hex(),
            "match_id": match_id.hex(),
            "seat": 0,
            "batch": 0,
            "nonce": nonce.hex(),
            "value": 8,
            "copy": 0,
            "opening": opening.hex(),
            "token": proved.commit(8, opening).hex(),
        },
        "bad points": bad_points(),
        "proofs": cases,
    }


def text() -> str:
    """Return the file."""
    return json.dumps(made(), indent=1) + "\n"


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]
    (HERE / "proofs.json").write_text(text(), encoding="utf-8")
