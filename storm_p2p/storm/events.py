"""What happened: a union of frozen values, the same for owner, opponent and stranger (docs/rules.md, "What is told").

An event names a unit only when everybody knows it; an unknown mover is None.  Events are NamedTuples because every
action makes some; tell them apart by their type, for as tuples two of different types can be equal.
"""

from typing import NamedTuple, TypeAlias

from storm_p2p.storm.actions import Serial
from storm_p2p.storm.board import Faction, Region
from storm_p2p.storm.state import Outcome
from storm_p2p.storm.units import Maneuver, Unit


class Placed(NamedTuple):
    """A side has set up."""

    faction: Faction


class TurnBegan(NamedTuple):
    """A side's turn begins."""

    faction: Faction
    number: int


class HonorChanged(NamedTuple):
    """Honor of a side went up or down; ``reason`` is one of a closed list of words."""

    faction: Faction
    change: int
    now: int
    reason: str


class EnergyChanged(NamedTuple):
    """Energy of a side went up or down."""

    faction: Faction
    change: int
    now: int
    reason: str


class Revealed(NamedTuple):
    """A token was opened to everybody; ``cause`` is one of the closed list of docs/rules.md, "What is told"."""

    faction: Faction
    serial: Serial
    unit: Unit
    region: Region
    cause: str


class Rehidden(NamedTuple):
    """The tokens of a divided group got fresh serials (REV-4)."""

    faction: Faction
    taken: tuple[Serial, ...]
    """The old serials, ascending."""
    moved: tuple[Serial, ...]
    """The fresh serials of those who moved."""
    stayed: tuple[Serial, ...]
    """The fresh serials of those who stayed."""


class Moved(NamedTuple):
    """Tokens moved without a fight, or into one."""

    faction: Faction
    path: tuple[Region, ...]
    units: tuple[Unit | None, ...]
    """One entry for each mover, None where it is not known."""
    attack: bool
    flight: bool


class Used(NamedTuple):
    """A power acted; ``power`` is the name of the trait in :class:`storm_p2p.storm.units.Card`."""

    unit: Unit
    power: str


class Prayed(NamedTuple):
    """A liturgy was held."""

    faction: Faction


class Passed(NamedTuple):
    """A side did nothing."""

    faction: Faction


class Struck(NamedTuple):
    """A thunderbolt hit a region."""

    thrower: Unit
    region: Region


class Sneaked(NamedTuple):
    """A sneak attack on a region."""

    unit: Unit
    path: tuple[Region, ...]


class CombatBegan(NamedTuple):
    """Both sides are in a region and all there are known."""

    region: Region
    attacker: Faction


class RoundBegan(NamedTuple):
    """A round of combat begins."""

    region: Region
    round: int


class Chose(NamedTuple):
    """A side's choice is open."""

    faction: Faction
    maneuver: Maneuver
    energy: int


class Modifier(NamedTuple):
    """One line of the strength account: who, how much, by which trait (A-44)."""

    unit: Unit
    change: int
    power: str


class RoundFought(NamedTuple):
    """A round in which power counted."""

    base: tuple[int, int]
    power: tuple[int, int]
    winner: Faction | None
    """The side with the higher power; None when both played the same all-out maneuver."""
    maneuvers: tuple[Maneuver, Maneuver]
    """As they acted: a Retreat without a way out counts as Standard (RET-5)."""
    modifiers: tuple[Modifier, ...]


class Eliminated(NamedTuple):
    """A unit was eliminated; ``cause`` is one of the closed list of docs/rules.md, "What is told"."""

    unit: Unit
    region: Region
    for_good: bool
    cause: str


class Returned(NamedTuple):
    """An eliminated unit came back."""

    unit: Unit
    region: Region


class Retreated(NamedTuple):
    """A side left a combat."""

    faction: Faction
    region: Region
    target: Region
    units: tuple[Unit, ...]


class Stayed(NamedTuple):
    """A side that wanted to retreat cannot or does not (RET-5, RET-7, CHA-4)."""

    faction: Faction


class CombatEnded(NamedTuple):
    """A combat is over."""

    region: Region


class GameOver(NamedTuple):
    """The game has ended."""

    outcome: Outcome


Event: TypeAlias = (
    Placed | TurnBegan | HonorChanged | EnergyChanged | Revealed | Rehidden | Moved | Used | Prayed | Passed
    | Struck | Sneaked | CombatBegan | RoundBegan | Chose | RoundFought | Eliminated | Returned | Retreated
    | Stayed | CombatEnded | GameOver
)  # fmt: skip
