"""The files of a tournament come before the handshake of a match, and never in its way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from helpers_memory import pair

from cli.meeting import meeting
from cli.meeting.exchange import Exchange
from cli.meeting.meeting import Found, Met, NoMatch, PendingInvite, Proposal, SeatDraw, Wishes
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import failures
from protocol.core.agreement import host_takes
from protocol.core.frames import FILES, FrameKind
from protocol.core.game_data import Conditions, EventTerms
from protocol.crypto.keys import identity_hash
from protocol.tournament.exchange import name_held
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

SECRET, EVENT = bytes(16), bytes(32)


class Recording:
    """One end of a line that notes the kinds of the frames that it sends, and may change one of them."""

    def __init__(self, link: Any, swap: dict[int, bytes] | None = None) -> None:
        self._link, self._swap = link, dict(swap or {})
        self.sent: list[int] = []
        self.channel, self.way = link.channel, link.way
        self.limit, self.allowance = link.limit, link.allowance

    async def send(self, frame: bytes) -> None:
        self.sent.append(frame[1])
        await self._link.send(self._swap.pop(frame[1], frame))

    async def receive(self) -> bytes | None:
        self._link.limit = self.limit
        found: bytes | None = await self._link.receive()
        return found

    async def close(self) -> None:
        await self._link.close()


class Table:
    """A host with a tournament and their guest, who may meet several times with one invite."""

    def __init__(self, root: Path) -> None:
        self.homes = Home(root / "host"), Home(root / "guest")
        self.told: tuple[list[str], list[str]] = ([], [])
        self.files = (
            Exchange(lambda event: None, self.told[0].append, EVENT),
            Exchange(lambda event: None, self.told[1].append),
        )
        self.lot = SeatDraw()
        self.call = PendingInvite(self.homes[1].matches, SECRET, 2**32 - 1)
        self.rounds = iter(range(1, 9))
        """Each time that the host looks there is a newer round."""
        self.ends: tuple[Recording, Recording]

    def find(self, guest: bytes) -> Found | None:
        number = next(self.rounds, 0)
        if not number:
            return None
        place = Conditions(event=EventTerms(EVENT, number, 1, 1, EVENT))
        return Proposal(encode_terms(Terms()), "hash", place, host_takes(0)), identity_hash(guest)

    async def meet(self, swaps: tuple[dict[int, bytes], dict[int, bytes]] = ({}, {})) -> list[Any]:
        """Return what each gets, or why not."""
        near, far = pair()
        self.ends = Recording(near, swaps[0]), Recording(far, swaps[1])

        async def yes(offer: object) -> tuple[bool, None]:
            return True, None

        async def closing(talking: Awaitable[Met], end: Recording) -> Met:
            try:
                return await talking
            except NoMatch:
                await end.close()
                raise

        who = [unlock.identity(home) for home in self.homes]
        ours = Wishes(
            "hanna", who[0], self.homes[0].matches, SECRET, exchange=self.files[0], find_game=self.find, kept={}
        )
        theirs = Wishes("gustav", who[1], self.homes[1].matches, SECRET, exchange=self.files[1], kept={})
        proposal = Proposal(encode_terms(Terms()), "hash", seating=host_takes(0))
        found: list[Any] = await asyncio.gather(  # type: ignore[assignment]  # of the two
            closing(meeting.host(self.ends[0], ours, proposal, self.lot), self.ends[0]),
            closing(meeting.guest(self.ends[1], theirs, self.call, yes), self.ends[1]),
            return_exceptions=True,
        )
        for one in found:
            if isinstance(one, Met):
                one.journal.close()
        return found


def round_of(met: Any) -> int:
    assert isinstance(met, Met), met
    place = met.session.agreement.conditions.event
    assert place is not None
    return place.round


HANDSHAKE = [FrameKind.HELLO, FrameKind.SIGN]


def test_the_game_is_found_after_the_files_have_come(tmp_path: Path) -> None:
    table = Table(tmp_path)
    host, guest = asyncio.run(table.meet())
    assert round_of(host) == round_of(guest) == 1
    assert table.ends[0].sent == [FILES, FILES, FILES, *HANDSHAKE]
    assert table.ends[1].sent == [FrameKind.HELLO, FILES, FrameKind.SIGN]


def test_a_guest_whose_program_knows_nothing_of_files_sees_none_of_their_frames(tmp_path: Path) -> None:
    table = Table(tmp_path)
    # Then the program names the capabilities of an older one.
    table.files[1].failed = True
    host, guest = asyncio.run(table.meet())
    assert round_of(host) == round_of(guest) == 1
    assert [end.sent for end in table.ends] == [HANDSHAKE, HANDSHAKE]


@pytest.mark.parametrize("hostile", [0, 1])
def test_after_files_that_are_none_the_match_begins_with_the_next_call(tmp_path: Path, hostile: int) -> None:
    table = Table(tmp_path)
    swaps: tuple[dict[int, bytes], dict[int, bytes]] = ({}, {})
    swaps[hostile][FILES] = b"\x94\x12\xff"
    first = asyncio.run(table.meet(swaps))
    assert all(isinstance(one, NoMatch) for one in first), first
    assert any("stopped exchanging" in sentence for sentence in table.told[1 - hostile])
    host, guest = asyncio.run(table.meet())
    assert round_of(host) == round_of(guest) == 1
    assert [end.sent for end in table.ends] == [HANDSHAKE, HANDSHAKE]


def test_a_guest_who_has_signed_hears_the_same_offer_again_whatever_has_come_since(tmp_path: Path) -> None:
    table = Table(tmp_path)
    # The host's signature is lost in the first call.
    first = asyncio.run(table.meet(({FrameKind.SIGN: b"\x93\x02\x03"}, {FrameKind.SIGN: b"\x93\x02\x03"})))
    assert not any(isinstance(one, Met) for one in first)
    host, guest = asyncio.run(table.meet())
    assert round_of(host) == round_of(guest) == 1
    assert [end.sent for end in table.ends] == [HANDSHAKE, HANDSHAKE]


def test_a_host_without_a_game_says_so(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.rounds = iter(())
    _, guest = asyncio.run(table.meet())
    assert isinstance(guest, NoMatch)
    assert guest.event is not None
    assert "There is no game to play" in failures.handshake(guest.event)


def test_who_does_not_prove_the_secret_gets_no_files_and_no_answer(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def call() -> None:
        near, far = pair()
        ends = Recording(near)
        wishes = Wishes(
            "hanna",
            unlock.identity(table.homes[0]),
            table.homes[0].matches,
            SECRET,
            exchange=table.files[0],
            find_game=table.find,
        )
        await far.send(next(iter(name_held(EVENT, []))))
        with pytest.raises(NoMatch):
            await meeting.host(ends, wishes, Proposal(encode_terms(Terms()), "hash"), table.lot)
        assert ends.sent == []

    asyncio.run(call())
