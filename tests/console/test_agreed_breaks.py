"""Breaks of a match with clocks: pauses and adjournments that are proposed, crossed and agreed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from helpers_memory import MemoryTransport, pair
from helpers_storm import check

from cli.match.match import Match
from cli.meeting.lines import Lines
from cli.storm.players import StormParticipant
from cli.text import clocks
from console.clocked import BLITZ, Patient, Table, Told, heard, taken_up, until
from protocol.core.events import BreakAgreed, BreakProposed, GoneOn
from protocol.core.messages import Break
from protocol.core.wire import FRAME_LIMIT
from protocol.errors import LocalProtocolError


def test_both_are_told_that_a_pause_has_begun_whoever_proposed_it(tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    table.players[1].agreeable = True

    async def pausing() -> None:
        await table.mover()
        table.matches[0].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        await until(lambda: all(heard(player, BreakAgreed) for player in table.players))
        for match in table.matches:
            match.leave()

    asyncio.run(asyncio.wait_for(table.run(pausing()), 60))
    table.close()


@pytest.mark.parametrize("first", [0, 1])
def test_two_pauses_that_are_proposed_at_once_are_one_agreement(first: int, tmp_path: Path, clock: list[float]) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))

    async def pausing() -> None:
        await table.mover()
        # Neither has seen the other's proposal when he makes his own.
        assert not table.matches[first].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        assert not table.matches[1 - first].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        await until(lambda: all(len(table.events(seat, "break")) == 4 for seat in (0, 1)))
        assert [session.side_channel.agreed_break for session in table.sessions] == [Break.PAUSE, Break.PAUSE]
        assert [heard(player, BreakAgreed) for player in table.players] == [1, 1]
        assert not any(heard(player, BreakProposed) for player in table.players)
        # The other would never hear of a third proposal, so it is refused here.
        with pytest.raises(LocalProtocolError) as refused:
            table.matches[first].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        assert "agreed already" in clocks.refused(refused.value.code, "")
        table.matches[first].session.side_channel.go_on(now=clock[0])
        await until(lambda: all(heard(player, GoneOn) for player in table.players))
        # Nothing of the two proposals is left over for later.
        assert not table.matches[1 - first].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
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
            cheat.session.side_channel.propose(Break.PAUSE, now=clock[0])
            cheat._wake.set()

        # The cheat's program agrees to nothing: the honest proposal stays open, whatever is proposed against it.
        cheat.clock.follow = lambda event: None  # type: ignore[method-assign]
        assert not honest.session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        for _ in range(5):
            proposes()
        await until(lambda: len(table.events(0, "break")) >= 7)
        assert agreements() == 1
        # Nor can he begin and end it as he likes.
        cheat.session.side_channel.go_on(now=clock[0])
        await until(lambda: heard(table.players[0], GoneOn))
        proposes()
        await until(lambda: heard(table.players[0], BreakProposed))
        assert (agreements(), honest.session.side_channel.agreed_break) == (1, None)
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
        assert not table.matches[first].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        await until(lambda: heard(table.players[1 - first], BreakProposed))
        assert table.matches[1 - first].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        await until(lambda: all(heard(player, BreakAgreed) for player in table.players))
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(pausing()))
    assert [session.side_channel.agreed_break for session in table.sessions] == [Break.PAUSE, Break.PAUSE]
    table.close()


def test_a_pause_and_an_adjournment_that_cross_are_two_proposals_and_each_can_be_accepted(
    tmp_path: Path, clock: list[float]
) -> None:
    table = Table(tmp_path, BLITZ, Patient("a"), Patient("b"))
    for player in table.players:
        player.answers = False

    async def pausing() -> None:
        await table.mover()
        table.matches[0].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        table.matches[1].session.side_channel.propose_or_agree(Break.ADJOURNMENT, now=clock[0])
        await until(lambda: all(heard(player, BreakProposed) for player in table.players))
        assert [session.side_channel.agreed_break for session in table.sessions] == [None, None]
        table.matches[1].session.side_channel.agree(now=clock[0])
        await until(lambda: all(heard(player, BreakAgreed) for player in table.players))
        assert [session.side_channel.agreed_break for session in table.sessions] == [Break.PAUSE, Break.PAUSE]
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
        table.matches[first].session.side_channel.propose_or_agree(Break.ADJOURNMENT, now=clock[0])
        table.matches[1 - first].session.side_channel.propose_or_agree(Break.ADJOURNMENT, now=clock[0])

    asyncio.run(table.run(adjourning()))
    assert [session.side_channel.agreed_break for session in table.sessions] == [Break.ADJOURNMENT, Break.ADJOURNMENT]
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
            await until(lambda: all(match.session.side_channel.agreed_break is None for match in back))
            assert not any(match.clock.leaving for match in back)
            for match in back:
                match.leave()

        await asyncio.gather(*(match.play(line) for match, line in zip(back, lines, strict=True)), leaving())
        for line in lines:
            await line.close()

    asyncio.run(returning())
    for what in Break:
        assert not any(
            match.session.side_channel.same_proposal(what) or match.session.side_channel.own_proposal(what)
            for match in back
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
        table.matches[0].session.side_channel.propose_or_agree(Break.PAUSE, now=clock[0])
        if own:
            table.sessions[1].side_channel.propose(Break.PAUSE, now=clock[0])
            table.matches[1]._wake.set()
        await until(lambda: table.sessions[1].side_channel.proposal is not None)
        for match in table.matches:
            match.leave()

    asyncio.run(table.run(proposing()))
    back, player = taken_up(table, 1, tmp_path)
    assert heard(player, BreakProposed) == (0 if own else 1)
    assert back.session.side_channel.agreed_break is (Break.PAUSE if own else None)
    table.close()
