"""The vectors with a judgement: each implementation says to every one of them what SPEC.md says."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest
from helpers_proofs import checked
from helpers_wire import only
from toys import Bluff, RockPaperScissors

from protocol.core.referee import Referee
from protocol.crypto import keys
from protocol.crypto.commitments import proved
from protocol.crypto.commitments.interface import SlotToken
from protocol.crypto.commitments.schemes import find_scheme
from protocol.crypto.hashing import hash_parts
from protocol.errors import BadCommitment, BadKey, BadSignature
from protocol.game import Decision, Games
from protocol.independent import commitments, hashes, packing, proofs, signatures
from protocol.independent.faults import Refused
from protocol.independent.judging import judge
from protocol.record import judging

FOLDER = Path(__file__).resolve().parent.parent / "vectors"
NAMES = ("signature", "point", "proof", "seal", "envelope", "handshake", "log")
FILES: dict[str, dict[str, Any]] = {
    name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in NAMES
}
GAMES = only(RockPaperScissors(), Bluff())
Test = dict[str, Any]


class Judge(Protocol):
    """Says what is wrong with a signature, a point, a proof or an opening, by raising it, or returns nothing."""

    def signature(self, public: bytes, digest: bytes, signature: bytes) -> None: ...

    def point(self, point: bytes) -> None: ...

    def proof(self, test: Test) -> None: ...

    def opening(self, test: Test) -> None: ...


class Libraries:
    """The implementation that sessions use."""

    def signature(self, public: bytes, digest: bytes, signature: bytes) -> None:
        keys.verify_digest(public, digest, signature)

    def point(self, point: bytes) -> None:
        keys.check_public(point)

    def proof(self, test: Test) -> None:
        checked(test, proved)

    def opening(self, test: Test) -> None:
        match_id, commitment = (bytes.fromhex(test[name]) for name in ("match_id", "commitment"))
        if test["what"] == "token":
            token = SlotToken(match_id, test["seat"], test["batch"], commitment)
            find_scheme(test["scheme"]).check_open(token, test["value"], bytes.fromhex(test["opening"]))
            return
        referee = Referee(RockPaperScissors(), find_scheme("hash"), match_id)
        if test["what"] == "seal":
            salt, said = bytes.fromhex(test["salt"]), said_of(test["said"])
            found = referee.seal(test["seat"], test["serial"], salt, said)
        else:
            found = referee.commit_share(test["seat"], test["serial"], bytes.fromhex(test["share"]))
        assert_opens(found, commitment)


class Independent:
    """The second one."""

    def signature(self, public: bytes, digest: bytes, signature: bytes) -> None:
        self.point(public)
        if not signatures.verify(public, digest, signature):
            raise Refused("bad_signature")

    def point(self, point: bytes) -> None:
        if not signatures.is_key(point):
            raise Refused("key_point")

    def proof(self, test: Test) -> None:
        checked(test, proofs)

    def opening(self, test: Test) -> None:
        names = "match_id", "commitment", "opening", "salt", "share"
        match_id, commitment, opening, salt, share = (bytes.fromhex(test.get(name, "")) for name in names)
        seat = test["seat"]
        match test["what"]:
            case "token":
                scheme = commitments.find_scheme(test["scheme"])
                assert scheme is not None
                batch = commitments.Batch(match_id, seat, test["batch"])
                found = scheme.commit(batch, test["value"], opening)
            case "seal":
                found = hashes.hash_parts("sealed", match_id, seat, test["serial"], salt, packing.pack(test["said"]))
            case _:
                found = hashes.hash_parts("toss", match_id, seat, test["serial"], share)
        assert_opens(found, commitment)


def said_of(value: Any) -> Decision:
    """Return a decision as it was before it stood in a file."""
    return tuple(map(said_of, value)) if isinstance(value, list) else value


def assert_opens(found: bytes, commitment: bytes) -> None:
    if found != commitment:
        raise BadCommitment("wrong_opening", commitment.hex(), found.hex())


def assert_judged(name: str, judge: Callable[[Test], None]) -> None:
    """Check that every test of a file ends with its reason, or without one."""
    wrong = {}
    for test in FILES[name]["tests"]:
        assert (test["result"] == "valid") == (test["reason"] is None)
        found = None
        try:
            judge(test)
        except (BadKey, BadSignature, BadCommitment, Refused) as error:
            found = error.code
        if found != test["reason"]:
            wrong[test["id"], test["comment"]] = found, test["reason"]
    assert wrong == {}


BOTH = pytest.mark.parametrize("judge", [Libraries(), Independent()], ids=["libraries", "independent"])


@BOTH
def test_signatures(judge: Judge) -> None:
    def judged(test: Test) -> None:
        public, data, signature = (bytes.fromhex(test[name]) for name in ("public", "data", "signature"))
        judge.signature(public, hash_parts(test["label"], data), signature)

    assert_judged("signature", judged)


@BOTH
def test_points(judge: Judge) -> None:
    assert_judged("point", lambda test: judge.point(bytes.fromhex(test["point"])))


@BOTH
def test_proofs(judge: Judge) -> None:
    assert_judged("proof", judge.proof)


@BOTH
def test_openings(judge: Judge) -> None:
    assert_judged("seal", judge.opening)


# --- logs ----------------------------------------------------------------------------------------------------------

Facts = dict[str, Any]


JUDGES: tuple[Callable[[Sequence[bytes], Games], list[Facts]], ...] = (judging.judge, judge)
"""What says something to log files; the seats of both games are called by their numbers."""


@pytest.mark.parametrize("judge", JUDGES, ids=["libraries", "independent"])
@pytest.mark.parametrize("name", ["envelope", "handshake", "log"])
def test_logs(name: str, judge: Callable[[Sequence[bytes], Games], list[Facts]]) -> None:
    wrong = {}
    for test in FILES[name]["tests"]:
        start = FILES[name]["starts"][test["start"]] if "start" in test else ""
        (facts,) = judge([bytes.fromhex(start + test["file"])], GAMES)
        found: Facts = {
            "problems": [(one["code"], one["seat"]) for one in facts["problems"]],
            "remarks": [one["code"] for one in facts["remarks"]],
        }
        convicted = None if test["seat"] is None else str(test["seat"])
        wanted: Facts = {
            "problems": [] if test["result"] == "valid" else [(test["reason"], convicted)],
            "remarks": test.get("remarks", []),
        }
        if "owes" in test:
            found["owes"], wanted["owes"] = facts["owes"], str(test["owes"])
        if found != wanted:
            wrong[test["id"], test["comment"]] = found, wanted
    assert wrong == {}


def test_the_files_are_what_the_script_makes_and_no_two_tests_of_a_file_are_one() -> None:
    script = runpy.run_path(str(FOLDER / "make_judged.py"))
    made = script["made"]()
    assert set(made) == set(NAMES)
    for name, file in made.items():
        assert script["text"](file) == (FOLDER / f"{name}.json").read_text(encoding="utf-8"), name
        comments = [test["comment"] for test in file["tests"]]
        assert len(set(comments)) == len(comments), name
