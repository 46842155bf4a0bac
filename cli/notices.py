"""What happens beside the game and a player is told of, as facts: the line, the clocks, offers, the router, errors.

A match hands on many events of its session as they are.  ``cli.text.matches`` says all of it in words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from protocol.core import events

if TYPE_CHECKING:
    from protocol.core.handshake import HandshakeFailed
    from protocol.core.messages import Ground
    from protocol.errors import LocalProtocolError
    from protocol.reach import ReachError
    from protocol.reach.formats.outcome import Mapped
    from protocol.record.journal import JournalError
    from protocol.record.logfile import LogError
    from protocol.transport import TransportError


class Quiet:
    """Asks for nothing: it stands in the log, and nobody is called to it."""

    __slots__ = ()

    @property
    def spoken(self) -> bool:
        """Whether somebody who hears each sentence hears it."""
        return True

    @property
    def follows(self) -> bool:
        """Whether it follows from each message, so that whoever hears the log need not hear it again."""
        return False


class Passing:
    """Gives way to the next of its kind: it is no line of the log, and nobody is called to it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LineLost:
    """The line has ended in the middle of the match."""

    calls: bool
    """Whether the other player is called again."""


@dataclass(frozen=True, slots=True)
class LineTried(Passing):
    """The other player was called in vain."""

    count: int
    """How often by now."""
    pause: float
    """Seconds until the next call."""


@dataclass(frozen=True, slots=True)
class LineBack:
    """There is a line again."""


@dataclass(frozen=True, slots=True)
class OtherRules:
    """The other player's program cannot go on with the match: it plays by another version of the rules."""

    version: str


@dataclass(frozen=True, slots=True)
class Claimable:
    """The player may claim the match."""

    ground: Ground
    seconds: int
    """How long the other player has taken or been silent, by the own clock."""


TIME_WARNINGS: Final = (60, 20, 0)
"""How many seconds are left when a player is warned."""


@dataclass(frozen=True, slots=True)
class TimeShort:
    """The player's own time runs out."""

    left: int
    """Seconds."""


@dataclass(frozen=True, slots=True)
class RematchFailed:
    """Both wanted another match, and it has not begun."""

    why: HandshakeFailed | None
    """None when the line broke."""


@dataclass(frozen=True, slots=True)
class NextGame:
    """The two have another game of their tournament to play, which both may begin over the same line."""

    place: str
    """As it is written, such as ``2.1.2``."""


@dataclass(frozen=True, slots=True)
class WitnessSilent:
    """The witness does not answer."""


@dataclass(frozen=True, slots=True)
class PublishingFailed:
    """What others may watch cannot be written; it is tried again with the next record."""

    why: str


@dataclass(frozen=True, slots=True)
class FeedTaken:
    """Somebody else has written what others may watch under this name, so that nothing is published there."""

    path: str


@dataclass(frozen=True, slots=True)
class FeedPutAside:
    """A feed of another course of the match was in the way; it is kept under this name."""

    path: str


@dataclass(frozen=True, slots=True)
class Failed:
    """Something could not be done."""

    error: TransportError | JournalError | LogError | LocalProtocolError


@dataclass(frozen=True, slots=True)
class PortAsked(Quiet):
    """The router is asked to open a port."""

    port: int


@dataclass(frozen=True, slots=True)
class PortChanged(Quiet):
    """The router has closed the port, or opened it at another place."""

    news: Mapped | ReachError


@dataclass(frozen=True, slots=True)
class NetworkChanged(Quiet):
    """This machine has come into another network."""


ReachNotice: TypeAlias = PortAsked | PortChanged | NetworkChanged

DrawNotice: TypeAlias = events.DrawEvent
WordOfOther: TypeAlias = DrawNotice | events.Resigned | events.RematchEvent
"""What a player is told of the other one alone: of the own word there is an answer already."""
BreakNotice: TypeAlias = events.BreakEvent
ClaimNotice: TypeAlias = events.Claimed | events.ClaimDenied | events.ClaimLapsed
Notice: TypeAlias = (
    RematchFailed | NextGame | LineLost | LineTried | LineBack | OtherRules | Claimable | TimeShort | WitnessSilent
    | PublishingFailed | FeedTaken | FeedPutAside
    | Failed | ReachNotice | WordOfOther | BreakNotice | ClaimNotice | events.TimesDiffer | events.Damaged
    | events.Disagreement | events.RecordsDiffer | events.PeerMisbehaved
)  # fmt: skip

OnNotice: TypeAlias = Callable[[Notice], None]
