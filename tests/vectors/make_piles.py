"""Make ``piles.json``: good and bad keys, stirs and unlocked cards (SPEC.md, "Piles").

Run ``python tests/vectors/make_piles.py`` from the top of the repository.  ``tests/wire/test_pile_vectors.py``
compares, and asks both implementations.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
COUNT = 5
MATCH, HEAD = bytes(range(32)), bytes(range(32, 64))


def cases() -> Iterator[dict[str, Any]]:
    """Yield all cases."""
    from protocol.crypto import group, piles
    from protocol.crypto.commitments.interface import Card, Context, Maker
    from protocol.crypto.scalars import ORDER

    makers = [Maker(MATCH, seat, bytes([seat]) * 32, b"vectors") for seat in (0, 1)]

    def at(seat: int, serial: int) -> Context:
        return Context(MATCH, seat, HEAD, serial)

    def case(what: str, comment: str, reason: str | None, seat: int, serial: int, **values: Any) -> dict[str, Any]:
        where = {"match": MATCH.hex(), "seat": seat, "head": HEAD.hex(), "serial": serial}
        return {
            "what": what,
            "comment": comment,
            "result": "invalid" if reason else "valid",
            "reason": reason,
            "context": where,
            **values,
        }

    def flipped(data: bytes, place: int) -> bytes:
        return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]

    def plus_order(data: bytes, place: int) -> bytes:
        number = int.from_bytes(data[place : place + 32], "little") + ORDER
        return data[:place] + number.to_bytes(32, "little") + data[place + 32 :]

    points = {"neutral": group.NEUTRAL, "mixed order": group._MIXED, "order 2": bytes.fromhex("ec" + "ff" * 30 + "7f")}
    keys = [piles.make_key(maker, at(seat, 0)) for seat, maker in enumerate(makers)]
    point, proof = keys[1]
    yield case("key", "a key", None, 1, 0, key=point.hex(), proof=proof.hex())
    yield case("key", "of the other seat", "bad_proof", 0, 0, key=point.hex(), proof=proof.hex())
    yield case("key", "at another serial", "bad_proof", 1, 1, key=point.hex(), proof=proof.hex())
    yield case("key", "with another proof", "bad_proof", 1, 0, key=point.hex(), proof=keys[0][1].hex())
    yield case("key", "with a challenge of 0", "bad_proof", 1, 0, key=point.hex(), proof=(bytes(16) + proof[16:]).hex())
    yield case("key", "with an answer of 0", "bad_proof", 1, 0, key=point.hex(), proof=(proof[:16] + bytes(32)).hex())
    yield case("key", "an answer + L", "bad_proof", 1, 0, key=point.hex(), proof=plus_order(proof, 16).hex())
    for name, bad in points.items():
        yield case("key", f"a point of {name}", "bad_point", 1, 0, key=bad.hex(), proof=proof.hex())
    joint = piles.join_keys(one for one, _ in keys)
    deck = piles.open_deck(range(COUNT), joint)
    new, stirred = piles.stir(makers[1], at(1, 1), deck, joint)

    def stir(comment: str, reason: str | None, *, seat: int = 1, **changes: Any) -> dict[str, Any]:
        values = {"old": deck, "new": new, "joint": joint, "proof": stirred} | changes
        flat = {name: b"".join(half for pair in values[name] for half in pair).hex() for name in ("old", "new")}
        return case("stir", comment, reason, seat, 1, **flat, joint=values["joint"].hex(), proof=values["proof"].hex())

    yield stir("a stir", None)
    yield stir("of the other seat", "bad_proof", seat=0)
    yield stir("two new pairs exchanged", "bad_proof", new=[new[1], new[0], *new[2:]])
    yield stir("two old pairs exchanged", "bad_proof", old=[deck[1], deck[0], *deck[2:]])
    crossed = [(new[0][0], new[1][1]), (new[1][0], new[0][1]), *new[2:]]
    yield stir("the halves of two pairs exchanged", "bad_proof", new=crossed)
    yield stir("another sum of keys", "bad_proof", joint=point)
    yield stir("a pair too few", "bad_proof", new=new[:-1])
    yield stir("a proof too short", "bad_proof", proof=stirred[:-32])
    yield stir("a proof too long", "bad_proof", proof=stirred + bytes(32))
    yield stir("a challenge of 0", "bad_proof", proof=stirred[:96] + bytes(16) + stirred[112:])
    yield stir("an answer of 0", "bad_proof", proof=stirred[:112] + bytes(32) + stirred[144:])
    for place in range(112, len(stirred), 32):
        yield stir(f"the answer at {place} + L", "bad_proof", proof=plus_order(stirred, place))
        yield stir(f"the answer at {place} changed", "bad_proof", proof=flipped(stirred, place))
    yield stir("the challenge changed", "bad_proof", proof=flipped(stirred, 96))
    for name, bad in points.items():
        yield stir(f"a first half of {name}", "bad_point", new=[(bad, new[0][1]), *new[1:]])
        yield stir(f"a second half of {name}", "bad_point", new=[*new[:-1], (new[-1][0], bad)])
        for start in (0, 32, 64):
            changed = stirred[:start] + bad + stirred[start + 32 :]
            yield stir(f"a commitment of {name} at {start}", "bad_point", proof=changed)
    # One player who has both keys: what the formulas of the prover then give holds for whoever multiplies anything.
    unlocked_deck, strict = piles.open_deck(range(COUNT), group.NEUTRAL), group.times
    group.times = lambda scalar, point: group.NEUTRAL if point == group.NEUTRAL else strict(scalar, point)
    try:
        bare, unmasked = piles.stir(makers[1], at(1, 1), unlocked_deck, group.NEUTRAL)
    finally:
        group.times = strict
    cancelled: dict[str, Any] = {"old": unlocked_deck, "new": bare, "joint": group.NEUTRAL, "proof": unmasked}
    yield stir("keys that cancel each other", "bad_proof", **cancelled)
    cards = [Card(*pair, (0, 1)) for pair in new[:2]]
    shares, unlocked = piles.unlock(makers[0], at(0, 2), cards)

    def unlock(comment: str, reason: str | None, *, seat: int = 0, **changes: Any) -> dict[str, Any]:
        values = {"key": keys[0][0], "cards": new[:2], "shares": shares, "proof": unlocked} | changes
        flat = b"".join(half for pair in values["cards"] for half in pair).hex()
        return case(
            "unlock",
            comment,
            reason,
            seat,
            2,
            key=values["key"].hex(),
            cards=flat,
            shares=b"".join(values["shares"]).hex(),
            proof=values["proof"].hex(),
        )

    yield unlock("two cards", None)
    yield unlock("of the other seat", "bad_proof", seat=1)
    yield unlock("with another key", "bad_proof", key=keys[1][0])
    yield unlock("other cards", "bad_proof", cards=new[1:3])
    yield unlock("two shares exchanged", "bad_proof", shares=shares[::-1])
    yield unlock("a proof too short", "bad_proof", proof=unlocked[:-1])
    yield unlock("an answer + L", "bad_proof", proof=plus_order(unlocked, 16))
    yield unlock("the challenge changed", "bad_proof", proof=flipped(unlocked, 0))
    for name, bad in points.items():
        yield unlock(f"a share of {name}", "bad_point", shares=[shares[0], bad])


def text() -> str:
    """Return the file."""
    return json.dumps(list(cases()), indent=1) + "\n"


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent.parent)]
    (HERE / "piles.json").write_text(text(), encoding="utf-8")
