"""Whole matches with a clock, over a line in memory: flags, breaks, claims, and what holds after a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers_storm import check

from cli.match import timekeeping
from cli.notices import TimeShort
from cli.text import clocks
from console.clocked import BLITZ, Patient, Table, Told, heard, taken_up, until
from protocol.core.clock import ABSENT_SECONDS
from protocol.core.events import Claimed
from protocol.core.messages import Break


def test_two_computer_players_play_with_a_clock_and_the_log_says_so(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Told("a"), Told("b"))
    asyncio.run(table.run())
    assert all(session.audited for session in table.sessions)
    shown = table.events(0, "clock")
    assert len(shown) == table.sessions[0].transcript.length
    assert shown[0]["left"].keys() == {"chthonians", "olympians"}
    (log,) = (tmp_path / "logs0").glob("*.storm")
    answer = check(log)
    assert answer["ok"]
    assert answer["clock"]["text"] == clocks.terms(BLITZ)
    assert answer["clock"]["differences"] == []
    assert all(one["left"] >= 1200 for one in answer["clock"]["seats"])
    table.close()


def test_a_flag_is_offered_claimed_and_conceded_and_nothing_is_automatic(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def claiming() -> None:
        mover = await table.mover()
        other = 1 - mover
        clock[0] += 5000
        await until(lambda: table.events(other, "claimable"))
        assert not table.sessions[other].over
        table.matches[other].session.side_channel.claim(now=clock[0])
        await until(lambda: table.events(mover, "claim"))
        assert not table.sessions[mover].over
        table.matches[mover].session.side_channel.concede(now=clock[0])

    asyncio.run(table.run(claiming()))
    mover = table.events(0, "claim")[0]["seat"] != "chthonians"
    assert all(session.result is not None and session.result["reason"] == "time" for session in table.sessions)
    assert heard(table.players[1 - int(mover)], Claimed)
    (log,) = (tmp_path / "logs0").glob("*.storm")
    answer = check(log)
    assert answer["ok"]
    assert answer["result"]["reason"] == "time"
    assert [(one["ground"], one["state"]) for one in answer["claims"]] == [("time", "conceded")]
    table.close()


def test_an_adjournment_is_signed_by_both_leaves_a_log_and_ends_when_both_are_back(
    tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def adjourning() -> None:
        await table.mover()
        table.matches[0].session.side_channel.propose_or_agree(Break.ADJOURNMENT, now=clock[0])
        # The computer player has declined the first one; this one is agreed to.
        await until(lambda: "rejected" in [line["state"] for line in table.events(0, "break")])
        table.players[1].agreeable = True
        table.matches[0].session.side_channel.propose_or_agree(Break.ADJOURNMENT, now=clock[0])

    first, second, _ = asyncio.run(table.run(adjourning()))
    assert first.adjourned
    assert second.adjourned
    for seat in (0, 1):
        (log,) = (tmp_path / f"logs{seat}").glob("*.storm")
        answer = check(log)
        assert answer["ok"]
        assert (answer["break"], answer["result"]["reason"]) == ("adjournment", "unfinished")
    clock[0] += 10**6
    for session in table.sessions:
        session.part(clock[0])
        session.clock.tick(clock[0])
    assert [session.side_channel.claimable(clock[0]) for session in table.sessions] == [None, None]
    for seat, session in enumerate(table.sessions):
        session.resume(bytes([seat + 1]) * 32)
    for _ in range(4):
        for seat, session in enumerate(table.sessions):
            for frame in session.data_to_send():
                table.sessions[1 - seat].receive_data(frame, clock[0])
    for match in table.matches:
        match.clock.go_on_after_adjournment()
    for frame in table.sessions[0].data_to_send():
        table.sessions[1].receive_data(frame, clock[0])
    assert [session.side_channel.agreed_break for session in table.sessions] == [None, None]
    face = table.sessions[0].clock.face(clock[0])
    assert face is not None
    assert min(face.left) >= 1199
    table.close()


def test_a_claim_that_is_open_when_a_match_is_taken_up_again_is_told(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    claimed: list[int] = []

    async def claiming() -> None:
        owes = await table.mover()
        clock[0] += 5000
        table.matches[1 - owes].session.side_channel.claim(now=clock[0])
        await until(lambda: table.sessions[owes].side_channel.claim_against_us is not None)
        claimed.append(owes)
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(claiming()))
    _, player = taken_up(table, claimed[0], tmp_path)
    assert heard(player, Claimed) == 1
    table.close()


def test_the_measurement_is_kept_in_the_journal_and_taken_up_again(
    tmp_path: Path, clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def leaving() -> None:
        await table.mover()
        clock[0] += 100
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(leaving()))
    before = [session.clock.face(clock[0]) for session in table.sessions]
    clock[0] += 200
    for seat in (0, 1):
        fresh = table.restored(seat)
        timekeeping.recall(fresh, table.journals[seat])
        # The hundred seconds are kept; the two hundred are a lost line, which these terms forgive.
        assert fresh.clock.face(clock[0]) == before[seat]
    clock[0] -= 10**6
    for seat in (0, 1):
        fresh = table.restored(seat)
        timekeeping.recall(fresh, table.journals[seat])
    assert capsys.readouterr().err.count(str(clocks.CLOCK_CHANGED)) == 2
    # A clock that was wrong by decades, then or now, takes nobody's time.
    clock[0] += 30 * 366 * 86_400
    for seat in (0, 1):
        fresh = table.restored(seat)
        timekeeping.recall(fresh, table.journals[seat])
        assert fresh.clock.face(clock[0]) == before[seat]
    assert capsys.readouterr().err.count(str(clocks.CLOCK_CHANGED)) == 2
    assert before[0] is not None
    assert before[0].left in ((1100, 1200), (1200, 1100))
    table.close()


def test_without_a_clock_only_a_silence_of_days_can_be_claimed(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, None, Patient("a"), Patient("b"))

    async def waiting() -> None:
        await table.mover()
        clock[0] += ABSENT_SECONDS
        await until(lambda: table.events(0, "claimable") or table.events(1, "claimable"))
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(waiting()))
    assert table.events(0, "clock") == []
    found = [line["ground"] for seat in (0, 1) for line in table.events(seat, "claimable")]
    assert found == ["absence"]
    table.close()


def test_the_player_whose_time_runs_out_is_warned_at_each_threshold_and_the_other_is_not(
    tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    start = clock[0]

    def warnings(seat: int) -> list[int]:
        return [one.left for one in table.players[seat].heard_of if isinstance(one, TimeShort)]

    async def running_out() -> None:
        mover = await table.mover()
        for passed in (0, 1100, 1140, 1141, 1185, 1199, 1200, 1300):
            clock[0] = start + passed
            table.matches[mover].clock.look()
            table.matches[1 - mover].clock.look()
        assert warnings(1 - mover) == []
        assert warnings(mover) == [60, 15, 0]
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(running_out()))
    table.close()
