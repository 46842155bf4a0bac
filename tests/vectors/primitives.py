"""Test vectors of the cryptography, good and bad: signatures, points, proofs and openings (SPEC.md, "Test vectors").

What is expected stands beside each one and comes from SPEC.md: nothing here asks the code under test whether a vector
is good.  Those of whole logs are :mod:`vectors.logs`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any

from helpers_proofs import PROOFS, VECTORS, L, changes
from helpers_wire import NONCE, entropy

from protocol.core.wire import encode
from protocol.crypto import group
from protocol.crypto.commitments import statements
from protocol.crypto.commitments.interface import Context, Maker
from protocol.crypto.commitments.proved import ProvedScheme
from protocol.crypto.hashing import hash_parts
from protocol.crypto.proofs import Statement

Case = dict[str, Any]
P = 2**255 - 19
ORDER_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
"""A point of order 8."""


def case(comment: str, reason: str | None, **given: Any) -> Case:
    """Return a test; without a reason it is valid."""
    return {"comment": comment, **given, "result": "valid" if reason is None else "invalid", "reason": reason}


def little(number: int) -> bytes:
    """Return 32 bytes, little-endian."""
    return number.to_bytes(32, "little")


def number_of(data: bytes) -> int:
    """Return the number that bytes are, little-endian."""
    return int.from_bytes(data, "little")


def torsion(times: int) -> bytes:
    """Return a multiple of the point of order 8."""
    point = group.NEUTRAL
    for _ in range(times):
        point = group.add(point, ORDER_8)
    return point


def times_base(number: int) -> bytes:
    """Return a multiple of the base point, the neutral one included."""
    return group.times_base(little(number % L)) if number % L else group.NEUTRAL


# --- signatures ----------------------------------------------------------------------------------------------------


def challenge(nonce: bytes, public: bytes, digest: bytes) -> int:
    """Return the challenge of RFC 8032, not reduced."""
    return number_of(hashlib.sha512(nonce + public + digest).digest())


def signed(secret: int, public: bytes, digest: bytes, nonce: int, sent: bytes | None = None) -> bytes:
    """Sign with a chosen nonce, whose point may be sent as other bytes than its own."""
    point = times_base(nonce) if sent is None else sent
    answer = (nonce + challenge(point, public, digest) * secret) % L
    return point + little(answer)


def divisible(secret: int, public: bytes, digest: bytes) -> bytes:
    """Sign so that the challenge is a multiple of 8, reduced or not: whatever is of small order in the key is lost."""
    for nonce in count(1000):
        found = challenge(times_base(nonce), public, digest)
        if found % 8 == 0 and found % L % 8 == 0:
            return signed(secret, public, digest, nonce)
    raise AssertionError("unreachable")


def signatures() -> list[Case]:
    """Return signatures by match keys over H(label, data)."""
    secret = number_of(hashlib.sha512(b"a secret key").digest()) % L
    public, data = times_base(secret), b"an envelope"
    digest, nonce = hash_parts("env", data), number_of(entropy("a nonce")) % L
    good = signed(secret, public, digest, nonce)
    first, last = good[:32], number_of(good[32:])
    neutral = group.NEUTRAL

    def one(comment: str, reason: str | None, signature: bytes, key: bytes = public, label: str = "env") -> Case:
        return case(comment, reason, public=key.hex(), label=label, data=data.hex(), signature=signature.hex())

    def bad(comment: str, signature: bytes, key: bytes = public, label: str = "env") -> Case:
        return one(comment, "bad_signature", signature, key, label)

    bare = hashlib.sha256(data).digest()
    other = times_base(secret + 1)
    found = [
        one("a good signature", None, good),
        one("another good one, with another nonce", None, signed(secret, public, digest, nonce + 1)),
        one("under another label", None, signed(secret, public, hash_parts("side", data), nonce), label="side"),
        one("R is neutral and has its one encoding", None, signed(secret, public, digest, 0)),
        bad("the label of another use", good, label="side"),
        bad("over the data and not over H", signed(secret, public, data, nonce)),
        bad("over the SHA-256 of the data without T and label", signed(secret, public, bare, nonce)),
        bad("over other data", signed(secret, public, hash_parts("env", data + b"\0"), nonce)),
        bad("by another key", good, other),
        bad("R and s change places", good[32:] + first),
        bad("the sign of R is turned", first[:31] + bytes([first[31] ^ 128]) + good[32:]),
        bad("s is negated", first + little(L - last)),
        bad("s is 0", first + bytes(32)),
        bad("s is L", first + little(L)),
        bad("s is 2^256 - 1", first + b"\xff" * 32),
        bad("no bytes", b""),
        bad("32 bytes", first),
        bad("63 bytes", good[:63]),
        bad("65 bytes", good + b"\0"),
        bad("all bytes are 0", bytes(64)),
        bad("all bytes are 255", b"\xff" * 64),
        bad("R is neutral, written as y = p + 1", signed(secret, public, digest, 0, little(P + 1))),
        bad("R is neutral, with the sign", signed(secret, public, digest, 0, little(1 + 2**255))),
        bad(
            "R is neutral, written as y = p + 1 and the sign", signed(secret, public, digest, 0, little(P + 1 + 2**255))
        ),
        bad("R is no point, y = 2", little(2) + good[32:]),
    ]
    found += [bad(f"s + {times} L", first + little(last + times * L)) for times in (1, 2, 8, 14)]
    for bit in (0, 100, 255, 256, 400, 507):
        changed = number_of(good) ^ 1 << bit
        found.append(bad(f"bit {bit} is turned", changed.to_bytes(64, "little")))
    for times in (1, 2, 4):
        order = 8 // times
        mixed = group.add(times_base(nonce), torsion(times))
        small = torsion(times)
        found += [
            bad(
                f"R with a part of order {order}: valid with the cofactor", signed(secret, public, digest, nonce, mixed)
            ),
            bad(f"R of order {order}: valid with the cofactor", signed(secret, public, digest, 0, small)),
            one(f"a key of order {order}: the equation holds", "key_point", divisible(0, small, digest), small),
        ]
        key = group.add(public, small)
        found += [
            one(
                f"a key with a part of order {order}: the equation holds",
                "key_point",
                divisible(secret, key, digest),
                key,
            ),
            one(
                f"a key with a part of order {order}: valid with the cofactor",
                "key_point",
                signed(secret, key, digest, nonce),
                key,
            ),
        ]
    five = times_base(5) + little(5)
    found += [
        one("the neutral key, under which every message verifies", "key_point", five, neutral),
        one("the neutral key, written as y = p + 1", "key_point", five, little(P + 1)),
        one("the neutral key, with the sign", "key_point", five, little(1 + 2**255)),
        one("a key that is no point, y = 2", "key_point", good, little(2)),
        one("a key of 31 bytes", "key_point", good, public[:31]),
        one("a key of 33 bytes", "key_point", good, public + b"\0"),
        one("no key", "key_point", good, b""),
    ]
    return found


# --- points --------------------------------------------------------------------------------------------------------


def points() -> list[Case]:
    """Return encodings of points, of which only those of prime order may be keys and tokens."""
    good = {
        "the base point": times_base(1),
        "its negative, with the sign": times_base(L - 1),
        "the generator of value 0": group.generator(0),
        "the generator of value 65535": group.generator(65535),
        "a multiple of the base point": times_base(number_of(entropy("a point"))),
    }
    bad = {name: bytes.fromhex(data) for name, data in VECTORS["bad points"].items()}
    bad |= {f"{length} bytes": (times_base(1) * 2)[:length] for length in (0, 31, 33, 64)}
    for above in range(19):
        for sign in (0, 1):
            bad[f"y = p + {above}{' and the sign' * sign}, which is below 2^255"] = little(P + above + sign * 2**255)
    known: dict[bytes, str] = {}
    for name, data in bad.items():
        known.setdefault(data, name)
    found = [case(name, None, point=data.hex()) for name, data in good.items()]
    return found + [case(name, "key_point", point=data.hex()) for data, name in known.items()]


# --- proofs --------------------------------------------------------------------------------------------------------

FIELDS = ("what", "context", "tokens", "old", "parts", "values", "within", "barred", "value", "proof")


def proof_case(comment: str, reason: str | None, statement: Case) -> Case:
    """Return a test of a statement in the form of ``proofs.json``."""
    return case(comment, reason, **{name: statement[name] for name in FIELDS if name in statement})


def proofs() -> list[Case]:
    """Return proofs of the scheme ``proved``: those that hold, changed ones, and ones made to break one rule each."""
    found = [proof_case(name, None, one) for name, one in PROOFS.items()]
    for name in ("two values", "a group of two, one goes", "one of four"):
        for what, changed in distinct(changes(PROOFS[name])):
            found.append(proof_case(f"{name}: {what}", "bad_proof", changed))
    within = "three values, one of them within two places"
    for what, changed in distinct(changes(PROOFS[within])):
        if what.startswith("within"):
            found.append(proof_case(f"{within}: {what}", "bad_proof", changed))
    barred = "a group of four, two go and one that everybody knows stays"
    found.append(proof_case(f"{barred}: nobody barred", "bad_proof", {**PROOFS[barred], "barred": []}))
    for name, clauses in (("two values", (2, 2, 1)), ("one of four", (4,))):
        for what, proof in altered(bytes.fromhex(PROOFS[name]["proof"]), clauses):
            found.append(proof_case(f"{name}: {what}", "bad_proof", {**PROOFS[name], "proof": proof.hex()}))
    for name in (
        "small order, 0 times the point of order 8",
        "mixed order, B + 4 times it",
        "not canonical, y = p + 1",
        "not on the curve, y = 2",
    ):
        point = VECTORS["bad points"][name]
        two, divided = PROOFS["two values"], PROOFS["a group of two, one goes"]
        tokens, parts = [two["tokens"][0], point], [divided["parts"][0], [point]]
        found += [
            proof_case(f"a token of a Cover: {name}", "bad_point", {**two, "tokens": tokens}),
            proof_case(f"a token of a Shuffle: {name}", "bad_point", {**divided, "parts": parts}),
        ]
    long = {**PROOFS["two values"], "tokens": [VECTORS["bad points"]["all ones"], "00"], "proof": ""}
    return [*found, proof_case("the points are checked before the length of the proof", "bad_point", long), *forged()]


def distinct(pairs: Iterator[tuple[str, Case]]) -> Iterator[tuple[str, Case]]:
    """Yield the first change of each name."""
    seen = set()
    for what, changed in pairs:
        if what not in seen:
            seen.add(what)
            yield what, changed


def altered(proof: bytes, clauses: Sequence[int]) -> Iterator[tuple[str, bytes]]:
    """Yield a proof with each of its numbers changed, and with other lengths."""
    places = [("c", 0, 16)]
    at = 16
    for clause, branches in enumerate(clauses, 1):
        for length, name, amount in ((16, "c", branches - 1), (32, "z", branches)):
            for number in range(1, amount + 1):
                places.append((f"{name}({clause},{number})", at, length))
                at += length
    for name, start, length in places:
        end = start + length
        value = number_of(proof[start:end])

        def instead(other: int, start: int = start, end: int = end) -> bytes:
            return proof[:start] + other.to_bytes(end - start, "little") + proof[end:]

        yield f"a bit of {name} is turned", instead(value ^ 1 << 77)
        yield f"{name} is 0", instead(0)
        if length == 32:
            yield f"{name} is L", instead(L)
            yield f"L is added to {name}", instead(value + L)
            yield f"{name} is negated", instead(L - value)
    yield "no proof", b""
    yield "one byte less", proof[:-1]
    yield "one byte more", proof + b"\0"
    yield "all bytes are 0", bytes(len(proof))
    yield "all bytes are 255", b"\xff" * len(proof)
    yield "twice", proof * 2


Draws = list[list[tuple[int, int]]]
"""For each clause the challenge and the answer of each branch, before the true ones are put right."""


def made(statement: Statement, draws: Draws, witnesses: Sequence[tuple[int, int]]) -> bytes:
    """Make a proof with chosen numbers (SPEC.md, "Proofs", Making)."""

    def nonce(point: bytes, number: int, answer: int) -> bytes:
        product = group.NEUTRAL
        if number % L and point != group.NEUTRAL:
            product = group.times(little(number % L), point)
        return group.subtract(times_base(answer), product)

    nonces = [
        nonce(point, *drawn)
        for clause, branch in zip(statement.clauses, draws, strict=True)
        for point, drawn in zip(clause, branch, strict=True)
    ]
    whole = hash_parts("proof", *statement.parts(), b"".join(nonces))[:16]
    proof = [whole]
    for branch, (true, logarithm) in zip(draws, witnesses, strict=True):
        branch = list(branch)
        before, answer = branch[true]
        right = (number_of(whole) - sum(one for one, _ in branch) + before) % 2**128
        branch[true] = right, (answer + (right - before) * logarithm) % L
        proof += [one.to_bytes(16, "little") for one, _ in branch[:-1]] + [little(one) for _, one in branch]
    return b"".join(proof)


def forged() -> list[Case]:
    """Return proofs in which all adds up but for one rule of SPEC.md, "Proofs", Checking."""
    match_id = entropy("match")
    context = Context(match_id, 0, entropy("head"), 300)
    maker = Maker(match_id, 0, entropy("seed"), nonce=NONCE)
    held = ProvedScheme().commit(maker, 0, (7, 7, 3))
    tokens = [one.commitment for one in held]
    logarithm = number_of(held[0].opening)
    plain = {
        "what": "locate",
        "value": 7,
        "context": {"match_id": match_id.hex(), "seat": 0, "head": context.head.hex(), "serial": 300},
    }
    found = []

    def locate(comment: str, reason: str | None, points: Sequence[bytes], draws: Draws, known: int = logarithm) -> None:
        proof = made(statements.locate(context, points, 7), draws, [(0, known)])
        tokens_of = {"tokens": [one.hex() for one in points], "proof": proof.hex()}
        found.append(proof_case(comment, reason, {**plain, **tokens_of}))

    c, d, z = (number_of(entropy(word)) for word in ("c", "d", "z"))
    c, d, z = c % 2**128, d % 2**128, z % L
    locate("made with numbers of one's own choice", None, tokens, [[(c, z), (d, z), (c, z)]])
    locate(
        "the other token that holds the value proves it as well",
        None,
        [tokens[1], tokens[0]],
        [[(c, z), (d, z)]],
        number_of(held[1].opening),
    )
    locate("a challenge that is not true is 0", "bad_proof", tokens, [[(c, z), (0, z), (d, z)]])
    locate("the computed challenge is 0", "bad_proof", tokens, [[(c, z), (d, z), (0, z)]])
    locate("an answer is 0", "bad_proof", tokens, [[(c, z), (d, 0), (c, z)]])
    locate("a nonce is neutral", "bad_proof", tokens, [[(c, c * logarithm % L), (d, z), (c, z)]])
    locate(
        "the opening is 0, so the branch is neutral",
        "bad_proof",
        [group.generator(7), tokens[2]],
        [[(c, z), (d, z)]],
        0,
    )
    locate("a branch that is not true is neutral", "bad_proof", [tokens[0], group.generator(7)], [[(c, z), (d, z)]])
    locate("none of the tokens holds the value", "bad_proof", [tokens[2]], [[(c, z)]])
    nothing = {**plain, "tokens": [], "proof": ""}
    found.append(
        proof_case("a clause without a branch, and a proof of the length that it asks for", "bad_proof", nothing)
    )
    return found


# --- openings ------------------------------------------------------------------------------------------------------


def openings() -> list[Case]:
    """Return commitments and what is said to open them."""
    match_id, seat, serial, said = entropy("a match"), 1, 5, (0, (12, 7), None)
    salt = entropy("a salt")
    seal = hash_parts("sealed", match_id, seat, serial, salt, encode(said))

    def sealed(comment: str, reason: str | None = "wrong_opening", **instead: Any) -> Case:
        given = {"match_id": match_id, "seat": seat, "serial": serial, "salt": salt, "said": said, "commitment": seal}
        return opening(comment, reason, "seal", {**given, **instead})

    bare = hashlib.sha256(salt + encode(said)).digest()
    found = [
        sealed("a seal", None),
        sealed(
            "a seal of nothing", None, said=None, commitment=hash_parts("sealed", match_id, 1, 5, salt, encode(None))
        ),
        sealed("another salt", salt=entropy("another salt")),
        sealed("another decision", said=(0, (12, 7), 0)),
        sealed("the decision in another array", said=((0, (12, 7), None),)),
        sealed("another seat", seat=0),
        sealed("another serial", serial=6),
        sealed("another match", match_id=entropy("another match")),
        sealed("a bit of the commitment is turned", commitment=turned(seal)),
        sealed("no frame around the parts", commitment=bare),
        sealed("the label of a token", commitment=hash_parts("token", match_id, seat, serial, salt, encode(said))),
        sealed(
            "the number packed in more bytes than need be",
            said=7,
            commitment=hash_parts("sealed", match_id, seat, serial, salt, b"\xcc\x07"),
        ),
    ]
    share = entropy("a share")
    toss = hash_parts("toss", match_id, seat, serial, share)

    def tossed(comment: str, reason: str | None = "wrong_opening", **instead: Any) -> Case:
        given = {"match_id": match_id, "seat": seat, "serial": serial, "share": share, "commitment": toss}
        return opening(comment, reason, "toss", {**given, **instead})

    found += [
        tossed("a share of a toss", None),
        tossed("another share", share=entropy("another share")),
        tossed("a toss of another seat", seat=0),
        tossed("a toss of another serial", serial=4),
        tossed("a toss of another match", match_id=entropy("another match")),
    ]
    found += tokens("hash", lambda value, salt: hash_parts("token", match_id, seat, 12, salt, value), salt)
    scalar = little(number_of(entropy("a scalar")) % L)
    proved = tokens("proved", lambda value, r: group.add(group.generator(value), times_base(number_of(r))), scalar)
    token, least = proved[0]["commitment"], group.add(group.generator(7), times_base(1)).hex()

    def scalars(comment: str, reason: str | None, number: int, commitment: str) -> Case:
        changed = {"opening": number.to_bytes(32, "little").hex(), "commitment": commitment}
        return {**proved[0], **case(f"proved: {comment}", reason), **changed}

    return [
        *found,
        *proved,
        scalars("the opening is 1", None, 1, least),
        scalars("the opening is 0", "wrong_opening", 0, group.generator(7).hex()),
        scalars("the opening is L + 1", "wrong_opening", L + 1, least),
        scalars("L is added to the opening", "wrong_opening", number_of(scalar) + L, token),
        scalars("the opening is negated", "wrong_opening", L - number_of(scalar), token),
    ]


def tokens(scheme: str, commit: Callable[[int, bytes], bytes], opening_of_7: bytes) -> list[Case]:
    """Return tokens of a scheme; those of ``proved`` are bound to seat, batch and match by their proofs alone."""
    given = {
        "scheme": scheme,
        "match_id": entropy("a match"),
        "seat": 1,
        "batch": 12,
        "value": 7,
        "opening": opening_of_7,
        "commitment": commit(7, opening_of_7),
    }

    def one(comment: str, reason: str | None = "wrong_opening", **instead: Any) -> Case:
        return opening(f"{scheme}: {comment}", reason, "token", {**given, **instead})

    found = [
        one("a token", None),
        one("the largest value", None, value=65535, commitment=commit(65535, opening_of_7)),
        one("another value", value=8),
        one("another opening", opening=turned(opening_of_7)),
        one("a bit of the token is turned", commitment=turned(commit(7, opening_of_7))),
    ]
    if scheme == "hash":
        found += [one("another seat", seat=0), one("another batch", batch=13), one("another match", match_id=bytes(32))]
    return found


def opening(comment: str, reason: str | None, what: str, given: dict[str, Any]) -> Case:
    """Return a test of an opening."""
    shown = {name: value.hex() if isinstance(value, bytes) else value for name, value in given.items()}
    return case(comment, reason, what=what, **shown)


def turned(data: bytes) -> bytes:
    """Return bytes of which one bit is turned."""
    return bytes([data[0] ^ 1]) + data[1:]
