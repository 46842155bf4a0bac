"""Whole matches with a clock, over a line in memory: flags, breaks, claims, and what holds after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers_memory import MemoryTransport, pair
from helpers_storm import check

from cli.match import timekeeping
from cli.match.match import Match
from cli.meeting.lines import Lines
from cli.storm.notices import StormNotice
from cli.storm.participant import StormParticipant
from cli.storm.players.robot import RobotPlayer
from cli.text import clocks
from protocol.core.agreement import Role, host_takes
from protocol.core.clock.terms import ABSENT_SECONDS, ClockKind, ClockTerms
from protocol.core.conditions import Conditions
from protocol.core.events import BreakAgreed, BreakProposed, Claimed, GoneOn
from protocol.core.handshake import Config, Handshake
from protocol.core.messages import Break
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto.keys import PrivateKey
from protocol.errors import LocalProtocolError
from protocol.game import Decision
from protocol.record.journal import Journal
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.game import Storm, encode_terms
from storm_p2p.storm.state import Terms

BLITZ = ClockTerms(ClockKind.BASE, 1200, 10, 5, 300, 600)


class Told(RobotPlayer):
    """A computer player that notes what it is told."""

    agreeable = False
    """Whether it agrees to breaks, which computer players do not."""
    answers = True
    """Whether it answers proposals by itself."""

    def __init__(self, name: str) -> None:
        super().__init__(name, BOTS["random"], 1)
        self.heard_of: list[StormNotice] = []

    def on_notice(self, notice: StormNotice) -> None:
        """Note it, and do what the bot does."""
        self.heard_of.append(notice)
        if self.agreeable and isinstance(notice, BreakProposed):
            assert self._controls is not None
            self._controls.agree()
        elif self.answers:
            super().on_notice(notice)


class Patient(Told):
    """One that never decides."""

    thinks = False

    async def decide(self, state: Any) -> Any:
        """Wait for ever."""
        self.thinks = True
        await asyncio.Event().wait()


def shaken(clock: ClockTerms | None) -> list[Handshake]:
    """Return both sides of a handshake with a clock."""
    terms: Decision = encode_terms(Terms(random_setup=True))
    both = [
        Handshake(
            Config(role, Storm(), PrivateKey(bytes([9, role]) * 16), role.name, bytes([7, role]) * 16, bytes(16),
                   terms=terms, scheme="hash", seating=host_takes(0), conditions=Conditions(clock),
                   blind=bytes(32))
        )
        for role in (Role.HOST, Role.GUEST)
    ]  # fmt: skip
    for _ in range(4):
        for one, other in (both, both[::-1]):
            for frame in one.data_to_send():
                other.receive_data(frame)
    return both


class Table:
    """Two matches on one line in memory, and what each reports."""

    def __init__(self, folder: Path, clock: ClockTerms | None, *players: Told) -> None:
        self.players = players
        sides = shaken(clock)
        self.sessions = Session.begin(sides[0]), Session.begin(sides[1])
        self.entropies = [side.entropy for side in sides]
        self.lines: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
        self.journals = [
            Journal.create(
                folder / str(seat), started_at=0, role=Role.HOST, name="a", seed=bytes(32), key=bytes(32)
            )
            for seat in (0, 1)
        ]
        self.matches = [
            Match(session, journal, StormParticipant(players[seat]), folder / f"logs{seat}", self.lines[seat].append, 0)
            for seat, (session, journal) in enumerate(zip(self.sessions, self.journals, strict=True))
        ]

    def restored(self, seat: int) -> Session:
        """Return the session of a seat as it is after a restart."""
        key = PrivateKey(bytes([9, seat]) * 16)
        return Session.restore(self.sessions[seat].records, Storm(), key, self.entropies[seat])

    async def run(self, *more: Any) -> None:
        """Play both seats, and whatever else is to be done meanwhile."""
        ends: tuple[MemoryTransport, MemoryTransport] = pair()
        for end in ends:
            end.limit = FRAME_LIMIT
        lines = [Lines(session, bytes(16), None, None) for session in self.sessions]
        for line, end in zip(lines, ends, strict=True):
            line.greet(end)
        await asyncio.gather(*(match.play(line) for match, line in zip(self.matches, lines, strict=True)), *more)
        for line in lines:
            await line.close()

    async def mover(self) -> int:
        """Return whose decision is awaited, as soon as both are at the table."""
        async with asyncio.timeout(10):
            while True:
                await asyncio.sleep(0)
                for seat, player in enumerate(self.players):
                    if isinstance(player, Patient) and player.thinks:
                        return seat

    def close(self) -> None:
        """Close the journals."""
        for journal in self.journals:
            journal.close()

    def events(self, seat: int, kind: str) -> list[dict[str, Any]]:
        """Return the lines of ``--json`` of a kind."""
        return [line for line in self.lines[seat] if line["event"] == kind]


async def until(happened: Callable[[], object]) -> None:
    """Wait for something that the other tasks do."""
    async with asyncio.timeout(10):
        while not happened():
            await asyncio.sleep(0.001)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let the tests move the clock."""
    time = [1_000_000.0]
    for module in ("connection", "controls", "decision_loop", "timekeeping"):
        monkeypatch.setattr(f"cli.match.{module}.now", lambda: time[0])
    monkeypatch.setattr("cli.storm.participant.now", lambda: time[0])
    monkeypatch.setattr(timekeeping, "TICK_SECONDS", 0.001)
    return time


def test_two_computer_players_play_with_a_clock_and_the_log_says_so(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Told("a"), Told("b"))
    asyncio.run(table.run())
    assert all(session.audited for session in table.sessions)
    shown = table.events(0, "clock")
    assert len(shown) == table.sessions[0].seq
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
        table.matches[other].controls.claim()
        await until(lambda: table.events(mover, "claim"))
        assert not table.sessions[mover].over
        table.matches[mover].controls.concede()

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
        table.matches[0].controls.propose(Break.ADJOURNMENT)
        # The computer player has declined the first one; this one is agreed to.
        await until(lambda: "rejected" in [line["state"] for line in table.events(0, "break")])
        table.players[1].agreeable = True
        table.matches[0].controls.propose(Break.ADJOURNMENT)

    asyncio.run(table.run(adjourning()))
    for seat in (0, 1):
        (log,) = (tmp_path / f"logs{seat}").glob("*.storm")
        answer = check(log)
        assert answer["ok"]
        assert (answer["break"], answer["result"]["reason"]) == ("adjournment", "unfinished")
    clock[0] += 10**6
    for session in table.sessions:
        session.part(clock[0])
        session.clock.tick(clock[0])
    assert [session.side.claimable(clock[0]) for session in table.sessions] == [None, None]
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
    assert [session.side.agreed_break for session in table.sessions] == [None, None]
    face = table.sessions[0].clock.face(clock[0])
    assert face is not None
    assert min(face.left) >= 1199
    table.close()


def test_both_are_told_that_a_pause_has_begun_whoever_proposed_it(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    table.players[1].agreeable = True

    async def pausing() -> None:
        await table.mover()
        table.matches[0].controls.propose(Break.PAUSE)
        await until(lambda: all(heard(player, BreakAgreed) for player in table.players))
        for match in table.matches:
            match.leave()

    asyncio.run(asyncio.wait_for(table.run(pausing()), 20))
    table.close()


def heard(player: Told, kind: type) -> int:
    """Return how often a player was told something."""
    return sum(isinstance(notice, kind) for notice in player.heard_of)


@pytest.mark.parametrize("first", [0, 1])
def test_two_pauses_that_are_proposed_at_once_are_one_agreement(first: int, tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def pausing() -> None:
        await table.mover()
        # Neither has seen the other's proposal when he makes his own.
        assert not table.matches[first].controls.propose(Break.PAUSE)
        assert not table.matches[1 - first].controls.propose(Break.PAUSE)
        await until(lambda: all(len(table.events(seat, "break")) == 4 for seat in (0, 1)))
        assert [session.side.agreed_break for session in table.sessions] == [Break.PAUSE, Break.PAUSE]
        assert [heard(player, BreakAgreed) for player in table.players] == [1, 1]
        assert not any(heard(player, BreakProposed) for player in table.players)
        # The other would never hear of a third proposal, so it is refused here.
        with pytest.raises(LocalProtocolError) as refused:
            table.matches[first].controls.propose(Break.PAUSE)
        assert "agreed already" in clocks.refused(refused.value.code, "")
        table.matches[first].controls.go_on()
        await until(lambda: all(heard(player, GoneOn) for player in table.players))
        # Nothing of the two proposals is left over for later.
        assert not table.matches[1 - first].controls.propose(Break.PAUSE)
        await until(lambda: heard(table.players[first], BreakProposed))
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(pausing()))
    table.close()


def test_a_proposal_is_an_agreement_once_and_not_as_often_as_he_likes(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def cheating() -> None:
        await table.mover()
        honest, cheat = table.matches

        def agreements() -> int:
            made = table.events(0, "break")
            return sum((one["state"], one["seat"]) == ("agreed", "chthonians") for one in made)

        def proposes() -> None:
            cheat.session.side.propose(Break.PAUSE, now=clock[0])
            cheat._wake.set()

        # The cheat's program agrees to nothing: the honest proposal stays open, whatever is proposed against it.
        cheat.clock.follow = lambda event: None  # type: ignore[method-assign]
        assert not honest.controls.propose(Break.PAUSE)
        for _ in range(5):
            proposes()
        await until(lambda: len(table.events(0, "break")) >= 7)
        assert agreements() == 1
        # Nor can he begin and end it as he likes.
        cheat.controls.go_on()
        await until(lambda: heard(table.players[0], GoneOn))
        proposes()
        await until(lambda: heard(table.players[0], BreakProposed))
        assert (agreements(), honest.session.side.agreed_break) == (1, None)
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(cheating()))
    table.close()


@pytest.mark.parametrize("order", [(Break.PAUSE, Break.ADJOURNMENT), (Break.ADJOURNMENT, Break.PAUSE)])
def test_of_two_breaks_that_are_agreed_to_at_once_the_longer_one_is_told_last(
    order: tuple[Break, Break], tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Told("a"), Told("b"))
    keeper = table.matches[0].clock
    for seat, what in enumerate(order):
        keeper.follow(BreakAgreed(seat, 1, what))
    assert keeper.leaving
    last = table.players[0].heard_of[-1]
    assert isinstance(last, BreakAgreed)
    assert last.what is Break.ADJOURNMENT
    table.close()


@pytest.mark.parametrize("first", [0, 1])
def test_whoever_proposes_what_the_other_has_proposed_agrees_to_it(
    first: int, tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    table.players[1 - first].answers = False

    async def pausing() -> None:
        await table.mover()
        assert not table.matches[first].controls.propose(Break.PAUSE)
        await until(lambda: heard(table.players[1 - first], BreakProposed))
        assert table.matches[1 - first].controls.propose(Break.PAUSE)
        await until(lambda: all(heard(player, BreakAgreed) for player in table.players))
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(pausing()))
    assert [session.side.agreed_break for session in table.sessions] == [Break.PAUSE, Break.PAUSE]
    table.close()


def test_a_pause_and_an_adjournment_that_cross_are_two_proposals_and_each_can_be_accepted(
    tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    for player in table.players:
        player.answers = False

    async def pausing() -> None:
        await table.mover()
        table.matches[0].controls.propose(Break.PAUSE)
        table.matches[1].controls.propose(Break.ADJOURNMENT)
        await until(lambda: all(heard(player, BreakProposed) for player in table.players))
        assert [session.side.agreed_break for session in table.sessions] == [None, None]
        table.matches[1].controls.agree()
        await until(lambda: all(heard(player, BreakAgreed) for player in table.players))
        assert [session.side.agreed_break for session in table.sessions] == [Break.PAUSE, Break.PAUSE]
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(pausing()))
    table.close()


@pytest.mark.parametrize("first", [0, 1])
def test_two_adjournments_that_are_proposed_at_once_leave_and_end_when_both_are_back(
    first: int, tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def adjourning() -> None:
        await table.mover()
        table.matches[first].controls.propose(Break.ADJOURNMENT)
        table.matches[1 - first].controls.propose(Break.ADJOURNMENT)

    asyncio.run(table.run(adjourning()))
    assert [session.side.agreed_break for session in table.sessions] == [Break.ADJOURNMENT, Break.ADJOURNMENT]
    for seat in (0, 1):
        (log,) = (tmp_path / f"logs{seat}").glob("*.storm")
        answer = check(log)
        assert (answer["ok"], answer["break"]) == (True, "adjournment")
    back = []
    for seat in (0, 1):
        player, logs = StormParticipant(Patient("ab"[seat])), tmp_path / "back"
        back.append(Match(table.restored(seat), table.journals[seat], player, logs, lambda line: None, 0))

    async def returning() -> None:
        ends: tuple[MemoryTransport, MemoryTransport] = pair()
        for end in ends:
            end.limit = FRAME_LIMIT
        lines = [Lines(match.session, bytes(16), None, None) for match in back]
        for line, end in zip(lines, ends, strict=True):
            line.greet(end)

        async def leaving() -> None:
            await until(lambda: all(match.session.side.agreed_break is None for match in back))
            assert not any(match.clock.leaving for match in back)
            for match in back:
                match.leave()

        await asyncio.gather(*(match.play(line) for match, line in zip(back, lines, strict=True)), leaving())
        for line in lines:
            await line.close()

    asyncio.run(returning())
    for what in Break:
        assert not any(
            match.session.side.same_proposal(what) or match.session.side.own_proposal(what) for match in back
        )
    table.close()


@pytest.mark.parametrize("own", [False, True])
def test_a_proposal_that_is_open_when_a_match_is_taken_up_again_is_told_or_agreed_to(
    own: bool, tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def proposing() -> None:
        await table.mover()
        # Both programs end before either could answer.
        for match in table.matches:
            match.clock.follow = lambda event: None  # type: ignore[method-assign]
        table.matches[0].controls.propose(Break.PAUSE)
        if own:
            table.sessions[1].side.propose(Break.PAUSE, now=clock[0])
            table.matches[1]._wake.set()
        await until(lambda: table.sessions[1].side.proposal is not None)
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(proposing()))
    back, player = taken_up(table, 1, tmp_path)
    assert heard(player, BreakProposed) == (0 if own else 1)
    assert back.session.side.agreed_break is (Break.PAUSE if own else None)
    table.close()


def test_a_claim_that_is_open_when_a_match_is_taken_up_again_is_told(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    claimed: list[int] = []

    async def claiming() -> None:
        owes = await table.mover()
        clock[0] += 5000
        table.matches[1 - owes].controls.claim()
        await until(lambda: table.sessions[owes].side.claim_against_us is not None)
        claimed.append(owes)
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(claiming()))
    _, player = taken_up(table, claimed[0], tmp_path)
    assert heard(player, Claimed) == 1
    table.close()


def taken_up(table: Table, seat: int, folder: Path) -> tuple[Match, Told]:
    """Return the match of one seat as it is after a restart, and its player, who was told what there is to tell."""
    session = table.restored(seat)
    player = Patient("back")
    player.answers = False
    match = Match(session, table.journals[seat], StormParticipant(player), folder / "back", lambda line: None, 0)
    match._forwarder.begin(match.controls)
    return match, player


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
    assert capsys.readouterr().err.count(str(clocks.SET_BACK)) == 2
    # A clock that was wrong by decades, then or now, takes nobody's time.
    clock[0] += 30 * 366 * 86_400
    for seat in (0, 1):
        fresh = table.restored(seat)
        timekeeping.recall(fresh, table.journals[seat])
        assert fresh.clock.face(clock[0]) == before[seat]
    assert capsys.readouterr().err.count(str(clocks.SET_AHEAD)) == 2
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
