"""Hanging up after the lot for the seats gains nothing: whoever calls again with the same invite has the same lot."""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from pathlib import Path

import pytest
from helpers_memory import MemoryTransport, pair

from cli.app import host
from cli.app.launch.inviting import Wanted
from cli.meeting import meeting
from cli.meeting.meeting import Met, NoMatch, PendingInvite, Proposal, SeatDraw, Wishes
from cli.meeting.reachability import Reachability
from cli.text import joining
from protocol.core import agreement
from protocol.core.frames import FrameKind, pack_frame
from protocol.core.handshake import Config, Handshake, Offered
from protocol.core.wire import encode
from protocol.crypto.keys import PrivateKey
from protocol.game import Seat
from protocol.record import JournalError, box
from protocol.record.files import LOCK
from protocol.transport import Transport
from storm_p2p import games
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

SECRET = bytes(16)
CALL = (SECRET, int(time.time()) + 1000)


OWN = PrivateKey(bytes([1]) * 32)
"""The identity of the first guest."""


def wishes(folder: Path, who: int) -> Wishes:
    return Wishes(f"player {who}", PrivateKey(bytes([who]) * 32), folder / str(who), SECRET)


async def yes(offer: Offered) -> tuple[bool, Seat | None]:
    return True, None


class Hangs(Exception):
    """The guest has gone."""


async def hangs_up(offer: Offered) -> tuple[bool, Seat | None]:
    raise Hangs


End = Met | BaseException


async def call(
    folder: Path,
    lot: SeatDraw,
    guest: int,
    kept: PendingInvite,
    consent: meeting.Consent,
    *,
    cut: bytes | None = None,
    seating: tuple[int, ...] = agreement.LOT,
) -> tuple[End, End]:
    """Let a guest call the host, who keeps the lot, and return what each of the two has in the end.

    Args:
        folder: where both keep what they keep.
        lot: the host's.
        guest: which guest.
        kept: what the guest keeps.
        consent: the guest's.
        cut: the host says this, if it is anything, and hangs up when the guest's coin is open.
        seating: how seats are given.
    """
    left, right = pair()
    if cut is not None:
        receive, heard = left.receive, itertools.count(1)

        async def until_the_coin() -> bytes | None:
            frame = await receive()
            if next(heard) < 2:
                return frame
            if cut:
                await left.send(cut)
            return None

        left.receive = until_the_coin  # type: ignore[method-assign]

    async def ended(link: Transport, side: str) -> Met:
        try:
            if side == "host":
                proposal = Proposal(encode_terms(Terms()), "hash", seating=seating)
                return await meeting.host(link, wishes(folder, 9), proposal, lot)
            return await meeting.guest(link, wishes(folder, guest), kept, consent)
        finally:
            await link.close()

    return await asyncio.gather(ended(left, "host"), ended(right, "guest"), return_exceptions=True)


def seat(met: object) -> int:
    assert isinstance(met, Met), met
    met.journal.close()
    return met.session.seat


@pytest.mark.parametrize("attempt", range(6))
def test_whoever_hangs_up_and_calls_again_has_the_same_lot(attempt: int, tmp_path: Path) -> None:
    async def whole() -> None:
        lot = SeatDraw(bytes([attempt]) * 32)
        kept = PendingInvite(tmp_path / "call", *CALL)
        entropy = kept.begin("one", OWN)[0]
        blinds = set()
        for _ in range(3):
            await call(tmp_path, lot, 1, kept, hangs_up)
            again, _, blind, signed, _ = kept.begin("one", OWN)
            assert (again, signed) == (entropy, None)
            blinds.add(blind)
        assert len(blinds) == 3
        assert lot.guest is not None
        host, guest = await call(tmp_path, lot, 1, kept, yes)
        assert {seat(host), seat(guest)} == {0, 1}
        # The lot is that of the first call: both coins were fixed there.
        other = PendingInvite(tmp_path / "other", *CALL)
        (tmp_path / "other").mkdir()
        other._path.write_bytes(encode((box.lock(entropy, OWN), "one", None, None)))
        once_more = await call(tmp_path / "fresh", SeatDraw(bytes([attempt]) * 32), 1, other, yes)
        assert [seat(one) for one in once_more] == [host.session.seat, guest.session.seat]  # type: ignore[union-attr]

    asyncio.run(whole())


@pytest.mark.parametrize("guest", [1, 2], ids=["another coin", "another identity"])
def test_a_guest_with_another_coin_or_identity_is_turned_away_and_the_first_may_still_come(
    guest: int, tmp_path: Path
) -> None:
    async def whole() -> None:
        lot = SeatDraw()
        kept = PendingInvite(tmp_path / "call", *CALL)
        await call(tmp_path, lot, 1, kept, hangs_up)
        host, other = await call(tmp_path, lot, guest, PendingInvite(tmp_path / "another", *CALL), yes)
        for side, code in ((host, "lot"), (other, "peer_lot")):
            assert isinstance(side, NoMatch)
            assert side.event is not None
            assert side.event.code == code
        ends = await call(tmp_path, lot, 1, kept, yes)
        assert {seat(end) for end in ends} == {0, 1}

    asyncio.run(whole())


@pytest.mark.parametrize("attempt", range(3))
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (b"", None),
        (pack_frame(FrameKind.REFUSAL, "busy", "-"), "peer_refused"),
        (pack_frame(FrameKind.REFUSAL, "changed_key", "-"), "peer_changed_key"),
        (pack_frame(FrameKind.SIGN, None, None, None, bytes(64), bytes(64)), "bad_signature"),
        (pack_frame(FrameKind.HELLO, b"?", bytes(32)), "out_of_order"),
        (b"no frame", "bad_frame"),
    ],
    ids=["nothing", "busy", "changed key", "bad sign", "hello", "no frame"],
)
def test_whatever_a_host_says_after_the_lot_he_cannot_draw_another_coin(
    said: bytes, heard: str | None, attempt: int, tmp_path: Path
) -> None:
    async def whole() -> None:
        first = SeatDraw(bytes([attempt]) * 32)
        kept = PendingInvite(tmp_path / "call", *CALL)
        host, guest = await call(tmp_path, first, 1, kept, yes, cut=said)
        assert isinstance(host, NoMatch)
        assert isinstance(guest, NoMatch)
        assert (guest.event and guest.event.code) == heard
        signed = kept.begin("player 1", OWN)
        assert signed[3] is not None
        # He knows the guest's coin now and takes one for himself that brings the side that he likes.
        second = SeatDraw(bytes([100 + attempt]) * 32, first.guest)
        host, guest = await call(tmp_path, second, 1, kept, yes)
        for side, code in ((host, "peer_redrawn"), (guest, "redrawn")):
            assert isinstance(side, NoMatch)
            assert side.event is not None
            assert side.event.code == code
        assert kept.begin("player 1", OWN) == signed
        ends = await call(tmp_path, first, 1, kept, yes)
        assert {seat(end) for end in ends} == {0, 1}

    asyncio.run(whole())


def test_whoever_has_signed_with_a_seat_calls_again_with_the_same_and_is_not_asked(tmp_path: Path) -> None:
    """Another seat would be a second match that one key has signed (found by the model of the handshake)."""

    async def takes_1(offer: Offered) -> tuple[bool, int | None]:
        return True, 1

    async def is_not_asked(offer: Offered) -> tuple[bool, int | None]:
        raise AssertionError(offer)

    async def whole() -> None:
        lot, choice = SeatDraw(bytes(32)), agreement.GUEST_CHOOSES
        # The host hears the guest's signature and is silent; then the guest's program starts again.
        await call(tmp_path, lot, 1, PendingInvite(tmp_path / "call", *CALL), takes_1, cut=b"", seating=choice)
        met = await call(tmp_path, lot, 1, PendingInvite(tmp_path / "call", *CALL), is_not_asked, seating=choice)
        assert [seat(one) for one in met] == [0, 1]

    asyncio.run(whole())


def test_a_call_leads_to_its_match_until_the_invite_has_expired(tmp_path: Path) -> None:
    old = PendingInvite(tmp_path, bytes([1]) * 16, 1000)
    old.begin("a", OWN)
    kept = PendingInvite(tmp_path, *CALL)
    first, _, blind, _, _ = kept.begin("a", OWN)
    assert kept.match() is None
    assert len(list(tmp_path.glob("*.call"))) == 2
    # A program was killed while it wrote another one.
    (tmp_path / ".0123456789abcdef.part").write_bytes(first)
    os.utime(tmp_path / ".0123456789abcdef.part", (1000, 1000))
    # What nobody has made here keeps no match away.
    (tmp_path / "folder.call").mkdir()
    os.utime(tmp_path / "folder.call", (1000, 1000))
    # What another program is writing now is listed, and has its own name a moment later.
    (tmp_path / ".fedcba9876543210.part").symlink_to("nothing")
    kept.signs("a", blind, bytes(32), 1)
    assert kept.begin("b", OWN) == (first, "a", blind, bytes(32), 1)
    # A second program that has begun before may not answer another hello, or name another seat.
    for hello, pick in ((bytes([1]) * 32, 1), (bytes(32), 0)):
        with pytest.raises(JournalError, match="another program"):
            PendingInvite(tmp_path, *CALL).signs("a", blind, hello, pick)
    kept.begun(bytes(range(32)))
    (tmp_path / ".fedcba9876543210.part").unlink()
    (tmp_path / "folder.call").rmdir()
    assert PendingInvite(tmp_path, *CALL).match() == bytes(range(32))
    assert kept.begin("a", OWN)[0] == first
    assert [path.suffix for path in tmp_path.iterdir() if path.name != LOCK] == [".call"]


async def no(offer: Offered) -> tuple[bool, Seat | None]:
    return False, None


def test_a_guest_who_has_refused_the_terms_may_change_his_mind_and_has_the_same_lot(tmp_path: Path) -> None:
    async def whole() -> None:
        lot = SeatDraw()
        kept = PendingInvite(tmp_path / "call", *CALL)
        entropy = kept.begin("one", OWN)[0]
        host, guest = await call(tmp_path, lot, 1, kept, no)
        for side, code in ((host, "peer_terms_refused"), (guest, "terms_refused")):
            assert isinstance(side, NoMatch)
            assert side.event is not None
            assert side.event.code == code
        assert kept.begin("one", OWN)[0] == entropy
        assert {seat(end) for end in await call(tmp_path, lot, 1, kept, yes)} == {0, 1}

    asyncio.run(whole())


def test_an_invite_whose_sides_are_not_drawn_is_open_to_the_next_guest(tmp_path: Path) -> None:
    async def whole() -> None:
        lot = SeatDraw()
        await call(tmp_path, lot, 1, PendingInvite(tmp_path / "call", *CALL), no, seating=agreement.host_takes(1))
        ends = await call(
            tmp_path, lot, 2, PendingInvite(tmp_path / "another", *CALL), yes, seating=agreement.host_takes(1)
        )
        assert [seat(end) for end in ends] == [1, 0]

    asyncio.run(whole())


class Arrivals:
    """A port at which guests call one after the other."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[MemoryTransport] = asyncio.Queue()

    async def accept(self) -> MemoryTransport:
        return await self.queue.get()

    def call(self) -> MemoryTransport:
        ours, theirs = pair()
        self.queue.put_nowait(ours)
        return theirs


async def waiting(folder: Path, port: Arrivals, fresh: asyncio.Event) -> object:
    """Wait for a guest at a terminal."""
    proposal = Proposal(encode_terms(Terms()), "hash")
    wanted, ways = Wanted(fresh), Reachability()
    return await host._first_guest(port, wishes(folder, 9), proposal, wanted, ways, keys=True, json=False)  # type: ignore[arg-type]


def first_words() -> bytes:
    """Return the hello of a guest."""
    config = Config(
        agreement.Role.GUEST,
        games.find_newest(),
        PrivateKey(bytes([1]) * 32),
        "one",
        bytes(32),
        SECRET,
        blind=bytes(32),
        accept_any=True,
    )
    return Handshake(config).data_to_send()[0]


def test_a_guest_who_thinks_about_the_terms_does_not_keep_the_host_from_a_fresh_invite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def whole() -> None:
        port, fresh = Arrivals(), asyncio.Event()
        host = asyncio.create_task(waiting(tmp_path, port, fresh))
        guest = port.call()
        await guest.send(first_words())
        assert await guest.receive() is not None
        # The next one is at the door already.
        port.call()
        fresh.set()
        assert await asyncio.wait_for(host, 60) is None
        assert await guest.receive() is None

    asyncio.run(whole())
    assert capsys.readouterr().err == f"{joining.SENT_AWAY}\n"
    assert list((tmp_path / "9").glob("*")) == []


def test_a_host_says_so_when_a_guest_has_seen_the_lot_and_then_says_nothing_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def whole() -> None:
        port, fresh = Arrivals(), asyncio.Event()
        host = asyncio.create_task(waiting(tmp_path, port, fresh))
        guest = port.call()
        await guest.send(first_words())
        assert await guest.receive() is not None
        await guest.send(b"no frame")
        assert await guest.receive() is None
        fresh.set()
        assert await asyncio.wait_for(host, 60) is None

    asyncio.run(whole())
    assert joining.still_waiting(1, bound=True, keys=True) in capsys.readouterr().err


def test_of_callers_without_end_the_host_hears_each_time_their_number_has_doubled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def whole() -> None:
        port, fresh = Arrivals(), asyncio.Event()
        host = asyncio.create_task(waiting(tmp_path, port, fresh))
        for number in range(40):
            guest = port.call()
            await guest.send(first_words())
            assert await guest.receive() is not None
            if number % 2:
                await guest.send(b"no frame")
            await guest.close()
        fresh.set()
        assert await asyncio.wait_for(host, 60) is None

    asyncio.run(whole())
    said = capsys.readouterr().err
    told = [*range(1, 8), 8, 16, 32]
    assert [number for number in range(1, 41) if host._is_told(number)] == told
    assert said.count(joining.still_waiting(1, bound=True, keys=True)) == len(told)
    assert said.count("32 calls have come to nothing so far") == 1
