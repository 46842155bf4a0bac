"""A log is judged by what it holds and by nothing else."""

from __future__ import annotations

import pytest
from helpers import daily_first
from helpers_wire import Pair, flipped, only
from hypothesis import given
from hypothesis import strategies as st
from toys import Bluff, RockPaperScissors

from protocol.core.audit import PROBLEM_LIMIT, Verdict, verify
from protocol.core.frames import Record
from protocol.record import logfile
from protocol.record.logfile import LogError


class OtherRules(RockPaperScissors):
    version = "2"


def finished() -> Pair:
    pair = Pair(RockPaperScissors(), 1)
    pair.play_out(1)
    return pair


def exported(pair: Pair, seat: int = 0) -> bytes:
    session = pair.sessions[seat]
    return logfile.dump(session.records, session.seat, session.sign_log)


def judged(data: bytes) -> Verdict:
    log = logfile.load(data)
    return verify(log.records, only(RockPaperScissors()), log.trailer)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_exported_log_verifies(seat: int) -> None:
    verdict = judged(exported(finished(), seat))
    assert verdict.ok
    assert verdict.audited
    assert verdict.agreement is not None
    assert [player.name for player in verdict.agreement.players] == ["Hanna", "Gustav"]


@pytest.mark.parametrize("step", daily_first([7, 1]))
def test_every_changed_byte_of_a_log_is_noticed(step: int) -> None:
    data = exported(finished())
    for number in range(0, len(data), step):
        try:
            verdict = judged(flipped(data, 8 * number + number % 8))
        except LogError:
            continue
        assert not verdict.ok, number
        assert verdict.problems


def test_every_cut_of_a_log_is_noticed() -> None:
    data = exported(finished())
    for end in range(len(data)):
        with pytest.raises(LogError):
            logfile.load(data[:end])


def test_a_log_signed_again_by_a_stranger_or_for_the_other_seat_does_not_verify() -> None:
    pair = finished()
    data = logfile.dump(pair.host.records[:-1], 1, pair.host.sign_log)
    assert [problem.code for problem in judged(data).problems] == ["bad_trailer"]
    data = logfile.dump(pair.host.records, 9, pair.host.sign_log)
    assert [problem.code for problem in judged(data).problems] == ["bad_trailer"]


def test_an_unfinished_match_is_fine_and_has_no_result() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.play_out(1, limit=6)
    verdict = pair.verify()
    assert (verdict.ok, verdict.result, verdict.audited) == (True, None, False)
    assert verdict.messages == pair.host.transcript.length


def test_a_log_without_its_audit_is_fine_and_says_so() -> None:
    pair = finished()
    records = [record for record in pair.host.records if record.kind <= 5]
    verdict = verify(records, only(pair.game))
    assert (verdict.ok, verdict.audited, verdict.signed) == (True, False, (0, 1))
    assert verdict.result == pair.host.result


def test_an_unknown_game_or_other_rules_are_named() -> None:
    pair = finished()
    for games, here in ((only(), "none of this"), (only(Bluff()), "none of this"), (only(OtherRules()), "(2)")):
        verdict = verify(pair.host.records, games)
        assert [problem.code for problem in verdict.problems] == ["rules_version"]
        assert here in verdict.problems[0].text
        assert verdict.agreement is not None


def test_of_two_versions_side_by_side_the_one_that_the_log_names_judges() -> None:
    for game in (RockPaperScissors(), OtherRules()):
        pair = Pair(game, 1)
        pair.play_out(1)
        for games in (only(RockPaperScissors(), OtherRules()), only(OtherRules(), RockPaperScissors())):
            assert verify(pair.host.records, games).audited


def test_behind_the_first_record_that_does_not_hold_nothing_is_looked_at() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.play_out(1)
    records = list(pair.host.records)
    for number in (5, 7):
        records[number] = Record(records[number].kind, flipped(records[number].frame, 8 * 60))
    verdict = verify(records, only(pair.game))
    assert [(problem.code, problem.seq) for problem in verdict.problems] == [("bad_signature", 2)]
    assert not verdict.ok


def test_of_very_many_problems_only_the_first_are_listed() -> None:
    pair = Pair(RockPaperScissors(), 2)
    pair.play_out(1)
    records = list(pair.host.records)
    verdict = verify([*records, *[records[4]] * 5000], only(pair.game))
    assert len(verdict.problems) == PROBLEM_LIMIT
    assert {problem.code for problem in verdict.problems} == {"repeated"}


@given(st.lists(st.tuples(st.integers(0, 9), st.binary(max_size=100)), max_size=6), st.integers(0, 12))
def test_a_hostile_log_ends_in_a_verdict(frames: list[tuple[int, bytes]], at: int) -> None:
    records = list(HOSTILE.host.records)
    records[at:at] = [Record(kind, frame) for kind, frame in frames]
    verdict = verify(records, only(HOSTILE.game))
    assert verdict.ok == (not frames)


HOSTILE = finished()
