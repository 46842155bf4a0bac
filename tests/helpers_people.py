"""Two people who meet."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

from helpers_memory import pair

from cli.app.main import main
from cli.meeting import meeting
from cli.meeting.meeting import Met, PendingInvite, Proposal, SeatDraw, Wishes
from cli.storage.home import Home
from cli.storage.people import Book, People
from protocol.core.agreement import host_takes
from protocol.core.handshake import Offered
from protocol.crypto.keys import PrivateKey
from protocol.game import Seat
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

BOB, OTHER = bytes([1]) * 32, bytes([2]) * 32


DAY = "2026-11-21"


def met(*names: tuple[str, bytes]) -> People:
    people = People()
    for name, key in names:
        people = people.learn(name, key, DAY)
    return people


SECRETS = count(1)


async def _agree(offer: Offered) -> tuple[bool, Seat | None]:
    return True, None


def meet(
    tmp_path: Path, host_book: Book | None, guest_book: Book | None, keys: str = "hg", *, name: str = "gustav"
) -> list[Met | BaseException]:
    """Let a host called hanna and a guest, called gustav, agree, each with a key made from a letter."""
    host_key, guest_key = (PrivateKey(letter.encode() * 32) for letter in keys)
    # Each match has an invite of its own: of one and the same, the guest takes no second coin of the host.
    secret = next(SECRETS).to_bytes(16, "big")
    lot, call = SeatDraw(), PendingInvite(tmp_path / "b", secret, 2**32 - 1)

    async def both() -> list[Met | BaseException]:
        near, far = pair()
        host = Wishes("hanna", host_key, tmp_path / "a", secret, book=host_book)
        guest = Wishes(name, guest_key, tmp_path / "b", secret, book=guest_book)
        return list(
            await asyncio.gather(
                meeting.host(near, host, Proposal(encode_terms(Terms()), "hash", seating=host_takes(0)), lot),
                meeting.guest(far, guest, call, _agree),
                return_exceptions=True,
            )
        )

    found = asyncio.run(both())
    for one in found:
        if isinstance(one, Met):
            one.journal.close()
    return found


def run(home: Home, *words: str) -> int:
    return main([*words, "--home", str(home.folder)])
