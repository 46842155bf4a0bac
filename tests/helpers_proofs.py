"""The vectors of the scheme ``proved``, and all that can be done to them, for each implementation of the checks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from helpers_wire import entropy

from protocol.crypto import group
from protocol.crypto.commitments import proved
from protocol.crypto.commitments.interface import Context, Maker, Regrouping, Secret, SlotToken
from protocol.crypto.scalars import scalar_bytes
from protocol.errors import BadCommitment

FOLDER = Path(__file__).resolve().parent / "vectors"
VECTORS: dict[str, Any] = json.loads((FOLDER / "proofs.json").read_text(encoding="utf-8"))
L = 2**252 + 27742317777372353535851937790883648493
MATCH = entropy("a match")
CONTEXT = Context(MATCH, 0, entropy("a head"), 7)
MAKER = Maker(MATCH, 0, entropy("a seed"), entropy("a hedge"))


def checked(case: dict[str, Any], by: Any = proved) -> None:
    """Check a proof of the vectors."""
    context = Context(
        bytes.fromhex(case["context"]["match_id"]),
        case["context"]["seat"],
        bytes.fromhex(case["context"]["head"]),
        case["context"]["serial"],
    )
    proof = bytes.fromhex(case["proof"])

    def read(name: str) -> list[bytes]:
        return [bytes.fromhex(one) for one in case[name]]

    match case["what"]:
        case "hide":
            within = [(value, tuple(places)) for value, places in case["within"]]
            by.check_hide(context, read("tokens"), case["values"], within, proof)
        case "mix":
            parts = [[bytes.fromhex(one) for one in part] for part in case["parts"]]
            by.check_mix(context, read("old"), parts, case["barred"], proof)
        case _:
            by.check_locate(context, read("tokens"), case["value"], proof)


PROOFS = {case["name"]: case for case in VECTORS["proofs"]}


def changes(case: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a proof of the vectors with each field of its statement changed in each way."""
    context = case["context"]
    for name in ("match_id", "head"):
        for bit in (0, 100, 255):
            yield f"{name} bit {bit}", {**case, "context": {**context, name: turned(context[name], bit)}}
    for name in ("seat", "serial"):
        yield name, {**case, "context": {**context, name: context[name] + 1}}
        yield name, {**case, "context": {**context, name: 2**31 - 1}}
    swapped = {**context, "head": context["match_id"], "match_id": entropy("x").hex()}
    yield "head for match", {**case, "context": swapped}
    others = [group.generator(5).hex(), group.times_base(scalar_bytes(9)).hex()]
    for name in ("tokens", "old"):
        for number in range(len(case.get(name, ()))):
            for other in others:
                yield f"{name} {number}", {**case, name: put(case[name], number, other)}
        if len(case.get(name, ())) > 1:
            yield f"{name} swapped", {**case, name: [case[name][1], case[name][0], *case[name][2:]]}
            yield f"{name} one less", {**case, name: case[name][1:]}
        if name in case:
            yield f"{name} one more", {**case, name: [*case[name], others[0]]}
    for number, part in enumerate(case.get("parts", ())):
        for place_in in range(len(part)):
            for other in others:
                changed = put(part, place_in, other)
                yield f"part {number}, {place_in}", {**case, "parts": put(case["parts"], number, changed)}
    if "parts" in case:
        flat = [one for part in case["parts"] for one in part]
        yield "order", {**case, "parts": [flat[1:], flat[:1]]}
        yield "barred", {**case, "barred": [[0], *[[] for _ in case["parts"][1:]]] if not case["barred"] else []}
    for number, value in enumerate(case.get("values", ())):
        yield f"value {number}", {**case, "values": put(case["values"], number, 23 - value)}
    if "values" in case:
        yield "values one less", {**case, "values": case["values"][1:]}
        within = case["within"]
        yield "within more", {**case, "within": [*within, [case["values"][0], [0, 1]]]}
        if within:
            value, places = within[0]
            yield "within nothing", {**case, "within": []}
            yield "within fewer", {**case, "within": [[value, places[1:]]]}
            yield "within nowhere", {**case, "within": [[value, []]]}
            yield "within another", {**case, "within": [[value + 1, places]]}
    if "value" in case:
        yield "value", {**case, "value": case["value"] + 1}
        yield "no tokens", {**case, "tokens": []}


def turned(text: str, bit: int) -> str:
    data = bytearray.fromhex(text)
    data[bit // 8] ^= 1 << bit % 8
    return data.hex()


def put(items: Sequence[Any], number: int, item: Any) -> list[Any]:
    return [*items[:number], item, *items[number + 1 :]]


def mutations(proof: bytes, clauses: Sequence[int]) -> Iterator[bytes]:
    """Yield a proof with every byte turned, every scalar out of its bounds, and bytes added and removed."""
    for place in range(len(proof)):
        yield proof[:place] + bytes([proof[place] ^ 1 << place % 8]) + proof[place + 1 :]
    at = 16
    for count in clauses:
        for number in range(count - 1):
            here = at + 16 * number
            yield proof[:here] + bytes(16) + proof[here + 16 :]
        at += 16 * (count - 1)
        for number in range(count):
            here = at + 32 * number
            scalar = int.from_bytes(proof[here : here + 32], "little")
            for other in (scalar + L, scalar + 2 * L, L - scalar, L, 0, 2**256 - 1, 1):
                if other < 2**256:
                    yield proof[:here] + other.to_bytes(32, "little") + proof[here + 32 :]
        at += 32 * count
    yield b""
    yield proof[:-1]
    yield proof + b"\0"
    yield proof[:-32]
    yield proof * 2
    yield bytes(len(proof))
    yield b"\xff" * len(proof)
    yield proof[::-1]


def points(secrets: Sequence[Secret]) -> list[bytes]:
    """Return the commitments of secrets."""
    return [one.commitment for one in secrets]


def tokens(secrets: Sequence[Secret]) -> tuple[SlotToken, ...]:
    """Return the public side of secrets."""
    return tuple(SlotToken(MATCH, 0, 0, one.commitment) for one in secrets)


def refused(code: str, call: Callable[..., object], *args: object) -> None:
    """Fail unless a check refuses with a code."""
    with pytest.raises(BadCommitment) as caught:
        call(*args)
    assert caught.value.code == code


def number(secret: Secret) -> int:
    """Return the opening of a secret as a number."""
    return int.from_bytes(secret.opening, "little")


def regrouping(old: Sequence[Secret], parts: Any, barred: Any = ()) -> Regrouping:
    """Return what a mix begins with."""
    return Regrouping(tokens(old), tuple(old), parts, barred)
