"""The good and bad values of ``tests/vectors/piles.json``, judged by both implementations."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from protocol.crypto import piles
from protocol.crypto.commitments import interface
from protocol.errors import BadCommitment
from protocol.independent import curve
from protocol.independent import piles as second
from protocol.independent.faults import Refused
from protocol.independent.proofs import Context

FOLDER = Path(__file__).parent.parent / "vectors"
CASES: list[dict[str, Any]] = json.loads((FOLDER / "piles.json").read_text(encoding="utf-8"))


def test_the_file_is_what_the_script_makes() -> None:
    made = runpy.run_path(str(FOLDER / "make_piles.py"))["text"]()
    assert made == (FOLDER / "piles.json").read_text(encoding="utf-8")


def halves(data: str) -> list[bytes]:
    raw = bytes.fromhex(data)
    return [raw[at : at + 32] for at in range(0, len(raw), 32)]


def pairs(data: str) -> list[tuple[bytes, bytes]]:
    found = halves(data)
    return list(zip(found[::2], found[1::2], strict=True))


def points(several: Sequence[tuple[bytes, bytes]]) -> list[tuple[curve.Point, curve.Point]]:
    return [(curve.decode_checked(one), curve.decode_checked(two)) for one, two in several]


def where(case: dict[str, Any]) -> tuple[bytes, int, bytes, int]:
    found = case["context"]
    return bytes.fromhex(found["match"]), found["seat"], bytes.fromhex(found["head"]), found["serial"]


def first(case: dict[str, Any]) -> str | None:
    context = interface.Context(*where(case))
    proof = bytes.fromhex(case["proof"])
    try:
        match case["what"]:
            case "key":
                piles.check_key(context, bytes.fromhex(case["key"]), proof)
            case "stir":
                piles.check_stir(context, pairs(case["old"]), pairs(case["new"]), bytes.fromhex(case["joint"]), proof)
            case _:
                cards = [interface.Card(*pair, (0, 1)) for pair in pairs(case["cards"])]
                piles.check_unlock(context, bytes.fromhex(case["key"]), cards, halves(case["shares"]), proof)
    except BadCommitment as error:
        return error.code
    return None


def other(case: dict[str, Any]) -> str | None:
    context = Context(*where(case))
    proof = bytes.fromhex(case["proof"])
    try:
        match case["what"]:
            case "key":
                second.check_key(context, bytes.fromhex(case["key"]), proof)
            case "stir":
                # A sum of keys: each of them was checked, the sum may be neutral.
                joint = curve.decode(bytes.fromhex(case["joint"]))
                second.check_stir(context, points(pairs(case["old"])), halves(case["new"]), joint, proof)
            case _:
                cards = [second.Card(*pair, (0, 1)) for pair in points(pairs(case["cards"]))]
                second.check_unlock(context, bytes.fromhex(case["key"]), cards, halves(case["shares"]), proof)
    except Refused as refused:
        return refused.code
    return None


@pytest.mark.parametrize("judge", [first, other], ids=["first", "second"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['what']}: {case['comment']}")
def test_a_case_is_judged_as_it_stands_there(
    case: dict[str, Any], judge: Callable[[dict[str, Any]], str | None]
) -> None:
    assert judge(case) == case["reason"]
