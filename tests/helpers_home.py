"""A player's home with matches in it."""

from __future__ import annotations

from cli.storage.home import Home
from protocol.core.agreement import Role
from protocol.record.journal import Journal

NUMBER = bytes.fromhex("fa9aaaac") + bytes(28)


def begin(home: Home, number: bytes = NUMBER, opponent: str = "bob") -> Journal:
    """Return the open journal of a new match."""
    book = Journal.create(
        home.matches, started_at=1_790_000_000, role=Role.GUEST, name="alice", seed=bytes(32), key=bytes(32)
    )
    book.meet(number, opponent)
    return book
