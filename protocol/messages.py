"""The messages: kinds of frames, their fields and their schemas (SPEC.md, section "Messages").

Values and their bytes only.  What is *not* here: whether a message may come now and whether its
signatures hold; that is :mod:`protocol.transcript`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Kind(IntEnum):
    """The first number of every frame."""

    HELLO = 1
    """Who I am, what I speak, what I offer; the guest's first, then the host's."""
    SIGN = 2
    """Signatures over both hellos; the guest's first, then the host's."""
    ENVELOPE = 3
    """One seat's steps in the game: a link of the common chain."""
    SIDE = 4
    """What may be said at any time: chat, draw, resignation; a link of the sender's own chain."""
    RESULT = 5
    """The result, signed with match and identity key."""
    SEED = 6
    """The seed of the sender's secrets, opened after the result."""
    VERDICT = 7
    """What the sender's audit has found."""
    RESUME = 8
    """How much of the receiver's frames the sender holds; never part of a log."""
    REFUSAL = 9
    """Why a handshake ends; never part of a log."""


@dataclass(frozen=True, slots=True)
class Record:
    """One frame of a match's log, in the order of acceptance."""

    kind: int
    """A :class:`Kind`."""
    frame: bytes
    """The frame exactly as it was sent."""
