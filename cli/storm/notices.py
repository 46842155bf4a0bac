"""What a player of Storm is told beside the events on the board: the notices of any match, and those of this game."""

from dataclasses import dataclass
from typing import TypeAlias

from cli.notices import Notice, Passing, Quiet
from protocol.game import Answer, Hide, Locate, Mix, Request
from storm_p2p.storm.board import Faction
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.units import Unit

SPOKEN = (3, 6, 12, 24)
"""Which failed deals of a side are told to somebody who hears each sentence."""


@dataclass(frozen=True, slots=True)
class DealingBegun(Quiet, Passing):
    """The units are being dealt at random (VAR-7)."""


@dataclass(frozen=True, slots=True)
class DealtAgain(Quiet, Passing):
    """A deal did not count, and the side is dealt again."""

    faction: Faction
    leader: Unit
    """Whose place was not in or next to the base."""
    number: int
    """How many deals of the side did not count so far."""

    @property
    def spoken(self) -> bool:
        """Whether somebody who hears each sentence hears it; a screen shows every one."""
        return self.number in SPOKEN


@dataclass(frozen=True, slots=True)
class Dealt(Quiet):
    """A side is dealt."""

    faction: Faction
    deals: int


@dataclass(frozen=True, slots=True)
class Proved(Quiet):
    """A message has proved something about what is hidden."""

    request: Hide | Mix | Locate
    answer: Answer

    @property
    def follows(self) -> bool:
        """Whether it follows from each message."""
        return True


@dataclass(frozen=True, slots=True)
class Illegal:
    """The player's action was refused; nothing has changed."""

    error: RulesError


StormNotice: TypeAlias = Notice | DealingBegun | DealtAgain | Dealt | Proved | Illegal


def proved(scheme: str, request: Request, answer: Answer) -> Proved | None:
    """Return what a completed answer has proved, or None when it has proved nothing."""
    # A lesson has notices, and no scheme.
    from protocol.crypto.commitments.schemes import SCHEMES

    return Proved(request, answer) if scheme == SCHEMES[0] and isinstance(request, Hide | Mix | Locate) else None
