"""The data that a match is played with beside its terms, as records of its log (SPEC.md, section "Data of a game").

They stand directly behind the handshake and are never sent: each player has them from elsewhere.  Nobody signs them;
the terms, which both have signed, bind them, for the game refuses all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.core.frames import PART_LENGTH, FrameKind, Record, pack_frame, unpack_frame
from protocol.errors import WireError
from protocol.game import Game

HANDSHAKE_LENGTH = 4
"""How many records the handshake has."""


def data_records(data: bytes) -> list[Record]:
    """Return the records of data; none where there are no data.

    Raises:
        WireError: they are too long.
    """
    parts = [data[at : at + PART_LENGTH] for at in range(0, len(data), PART_LENGTH)]
    return [Record(FrameKind.DATA, pack_frame(FrameKind.DATA, *part)) for part in enumerate(parts)]


def read_data(records: Sequence[Record]) -> tuple[bytes, int]:
    """Return the data in the records of a match, and how many records stand before its first message.

    The first record that is not the next part ends them; the match says what is wrong with one that comes later.
    """
    parts: list[bytes] = []
    for record in records[HANDSHAKE_LENGTH:]:
        if record.kind != FrameKind.DATA:
            break
        try:
            kind, values = unpack_frame(record.frame)
        except WireError:
            break
        if kind is not FrameKind.DATA or values[0] != len(parts):
            break
        parts.append(values[1])
    return b"".join(parts), HANDSHAKE_LENGTH + len(parts)


def supply(game: Game[Any], data: bytes) -> Game[Any]:
    """Return a game with its data; the game itself where there are none.

    Raises:
        ValueError: the game takes no data, or not these.
    """
    return game.supply(data) if data else game
