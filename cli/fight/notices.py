"""What a player of Fight for Olympus is told beside the events on the board."""

from dataclasses import dataclass
from typing import TypeAlias

from cli.notices import Notice, Passing, Quiet
from storm_p2p.fight.errors import IllegalDecision


@dataclass(frozen=True, slots=True)
class Shuffling(Quiet, Passing):
    """Both programs shuffle the pile and prove it."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """The player's decision was refused; nothing has changed."""

    error: IllegalDecision


FightNotice: TypeAlias = Notice | Shuffling | Illegal
