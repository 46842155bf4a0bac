"""Somebody between two players cannot bring them to read the same words, however much he computes.

He has the invite's secret and plays host to the guest and guest to the host, with keys of his own.  Both programs are
the real ones.  What he would need is a hello that gives the guest the words that the host has read already.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from helpers_memory import pair

from cli.meeting import meeting
from cli.meeting.meeting import Met, NoMatch, PendingInvite, Proposal, SeatDraw, Wishes
from protocol.core.agreement import LOT, Hello, Role, match_id_of
from protocol.core.frames import FrameKind, pack_frame, unpack_frame
from protocol.core.handshake import Config, Handshake, Offered
from protocol.core.words import comparison_words
from protocol.crypto import hashing
from protocol.crypto.keys import PrivateKey
from protocol.game import Seat
from protocol.transport import Transport
from storm_p2p import games
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

SECRET = bytes(range(16))
Words = tuple[str, ...]
Choose = Callable[[bytes], bytes | None]


async def yes(offer: Offered) -> tuple[bool, Seat | None]:
    return True, None


def wishes(folder: Path, key: int) -> Wishes:
    return Wishes("abcdefghij"[key], PrivateKey(bytes([key]) * 32), folder / str(key), SECRET)


def between(role: Role, number: int) -> Handshake:
    """Return the cheat's own side of a handshake; another number is another nonce."""
    entropy = hashing.hash_parts("between", number)
    config = Config(
        role,
        games.find_newest(),
        PrivateKey(bytes([7]) * 32),
        "x",
        entropy,
        SECRET,
        blind=entropy,
        terms=encode_terms(Terms()),
        scheme="hash",
        seating=LOT,
        accept_any=False,
    )
    return Handshake(config)


async def words_of_the_host(folder: Path) -> Words:
    """Let the host meet the cheat, and return the words that he reads."""
    left, right = pair()

    async def cheating() -> None:
        side = between(Role.GUEST, 0)
        while side.agreement is None:
            for frame in side.data_to_send():
                await right.send(frame)
            heard = await right.receive()
            assert heard is not None
            side.receive_data(heard)

    met, _ = await asyncio.gather(
        meeting.host(left, wishes(folder, 1), Proposal(encode_terms(Terms()), "hash"), SeatDraw(bytes(32))), cheating()
    )
    met.journal.close()
    return met.session.agreement.words


class Between:
    """The cheat as the guest's host."""

    def __init__(self, goal: Words, tries: int) -> None:
        self.goal = goal
        self.tries = tries
        self.first = 0
        """The number of the first nonce that is tried."""
        self.opened: tuple[bytes, bytes, Seat | None] | None = None
        """What the guest has opened in an earlier call."""

    def grind(self, hello: bytes, opened: tuple[bytes, bytes, Seat | None], wanted: int) -> bytes:
        """Return a hello by which so many words would be those of the host, if the guest opened this; else the last."""
        side = between(Role.HOST, 1)
        side.receive_data(pack_frame(FrameKind.HELLO, hello, hashing.derive(SECRET, "invite", hello)))
        template: bytes = unpack_frame(side.data_to_send()[0])[1][0]
        nonce = Hello.unpack(template).nonce
        at = template.index(nonce)
        data = template
        for number in range(self.first, self.first + self.tries):
            data = template[:at] + hashing.hash_parts("nonce", number) + template[at + len(nonce) :]
            if comparison_words(match_id_of(hello, data, opened))[:wanted] == self.goal[:wanted]:
                break
        return data

    async def answer(self, link: Transport, choose: Choose) -> Words | None:
        """Play host to a guest; return the words that he then reads, or None where he did not sign."""
        heard = await link.receive()
        assert heard is not None
        hello: bytes = unpack_frame(heard)[1][0]
        data = choose(hello)
        if data is None:
            return None
        await link.send(pack_frame(FrameKind.HELLO, data, hashing.derive(SECRET, "invite", hello, data)))
        heard = await link.receive()
        if heard is None:
            return None
        kind, values = unpack_frame(heard)
        if kind is not FrameKind.SIGN:
            return None
        self.opened = (values[0], values[1], values[2])
        return comparison_words(match_id_of(hello, data, self.opened))


async def called(folder: Path, kept: PendingInvite, cheat: Between, choose: Choose) -> Words | None:
    """Let the guest call once, and the line break after what the cheat wants to hear."""
    left, right = pair()

    async def guest() -> Met | None:
        with suppress(NoMatch):
            return await meeting.guest(right, wishes(folder, 2), kept, yes)
        return None

    async def cheating() -> Words | None:
        try:
            return await cheat.answer(left, choose)
        finally:
            await left.close()

    _, found = await asyncio.gather(guest(), cheating())
    await right.close()
    return found


def attack(folder: Path, tries: int) -> None:
    async def whole() -> None:
        goal = await words_of_the_host(folder)
        cheat, kept = Between(goal, tries), PendingInvite(folder, SECRET, 2**32 - 1)
        seen: list[bytes] = []
        # What the guest will open is not known before he has the hello of his host, and never the same twice.
        for _ in range(8):
            await called(folder, kept, cheat, seen.append)
        assert len(set(seen)) == 8
        read = await called(folder, kept, cheat, lambda hello: cheat.grind(hello, (bytes(32), bytes(32), None), 4))
        assert read is not None
        assert read != goal
        # Now it is known, and he says the same hello again: but he takes no other answer to it than the one he signed.
        opened = cheat.opened
        assert opened is not None
        cheat.first = tries
        for wanted in (4, 1):
            assert await called(folder, kept, cheat, partial(cheat.grind, opened=opened, wanted=wanted)) is None

    asyncio.run(whole())


def test_grinding_finds_no_hello_that_gives_both_the_same_words(tmp_path: Path) -> None:
    attack(tmp_path, 2**10)


@pytest.mark.long
def test_a_million_tries_find_none_either(tmp_path: Path) -> None:
    attack(tmp_path, 2**20)


def test_the_test_could_find_one_if_the_guest_signed_once_more(tmp_path: Path) -> None:
    """One word of four is found within a few hundred tries: the attack is the real one."""
    cheat = Between(("acorn", "acorn", "acorn", "acorn"), 2**12)
    hello = unpack_frame(between(Role.GUEST, 5).data_to_send()[0])[1][0]
    opened = (bytes(32), bytes(32), None)
    found = cheat.grind(hello, opened, 1)
    assert comparison_words(match_id_of(hello, found, opened))[0] == "acorn"
