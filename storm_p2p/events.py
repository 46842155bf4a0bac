"""What happened: a union of frozen values, the same for owner, opponent and stranger (SPEC.md 2.4).

An event names a unit only when everybody knows it; an unknown mover is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from storm_p2p.board import Faction, Region
from storm_p2p.state import Outcome, Serial
from storm_p2p.units import Maneuver, Unit


@dataclass(frozen=True, slots=True)
class Placed:
    """A side has set up."""

    faction: Faction


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A side's turn begins."""

    faction: Faction
    number: int


@dataclass(frozen=True, slots=True)
class HonorChanged:
    """Honor of a side went up or down; ``reason`` is one of a closed list of words."""

    faction: Faction
    change: int
    now: int
    reason: str


@dataclass(frozen=True, slots=True)
class EnergyChanged:
    """Energy of a side went up or down."""

    faction: Faction
    change: int
    now: int
    reason: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """A token was opened to everybody."""

    faction: Faction
    serial: Serial
    unit: Unit
    region: Region


@dataclass(frozen=True, slots=True)
class Rehidden:
    """The tokens of a divided group got fresh serials (REV-4)."""

    faction: Faction
    taken: tuple[Serial, ...]
    """The old serials, ascending."""
    moved: tuple[Serial, ...]
    """The fresh serials of those who moved."""
    stayed: tuple[Serial, ...]
    """The fresh serials of those who stayed."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Tokens moved without a fight, or into one."""

    faction: Faction
    path: tuple[Region, ...]
    units: tuple[Unit | None, ...]
    """One entry for each mover, None where it is not known."""
    attack: bool
    flight: bool


@dataclass(frozen=True, slots=True)
class Used:
    """A power acted; ``power`` is the name of the trait in :class:`storm_p2p.units.Card`."""

    unit: Unit
    power: str


@dataclass(frozen=True, slots=True)
class Prayed:
    """A liturgy was held."""

    faction: Faction


@dataclass(frozen=True, slots=True)
class Passed:
    """A side did nothing."""

    faction: Faction


@dataclass(frozen=True, slots=True)
class Struck:
    """A thunderbolt hit a region."""

    thrower: Unit
    region: Region


@dataclass(frozen=True, slots=True)
class Sneaked:
    """A sneak attack on a region."""

    unit: Unit
    path: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class CombatBegan:
    """Both sides are in a region and all there are known."""

    region: Region
    attacker: Faction


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round of combat begins."""

    region: Region
    round: int


@dataclass(frozen=True, slots=True)
class Chose:
    """A side's choice is open."""

    faction: Faction
    maneuver: Maneuver
    energy: int


@dataclass(frozen=True, slots=True)
class Modifier:
    """One line of the strength account: who, how much, by which trait (A-44)."""

    unit: Unit
    change: int
    power: str


@dataclass(frozen=True, slots=True)
class RoundFought:
    """A round in which power counted."""

    base: tuple[int, int]
    power: tuple[int, int]
    winner: Faction | None
    """The side with the higher power; None when both played the same all-out maneuver."""
    maneuvers: tuple[Maneuver, Maneuver]
    """As they acted: a Retreat without a way out counts as Standard (RET-5)."""
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A unit was eliminated."""

    unit: Unit
    region: Region
    for_good: bool


@dataclass(frozen=True, slots=True)
class Returned:
    """An eliminated unit came back."""

    unit: Unit
    region: Region


@dataclass(frozen=True, slots=True)
class Retreated:
    """A side left a combat."""

    faction: Faction
    region: Region
    target: Region
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Stayed:
    """A side that wanted to retreat cannot or does not (RET-5, RET-7, CHA-4)."""

    faction: Faction


@dataclass(frozen=True, slots=True)
class CombatEnded:
    """A combat is over."""

    region: Region


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended."""

    outcome: Outcome


Event: TypeAlias = (
    Placed | TurnBegan | HonorChanged | EnergyChanged | Revealed | Rehidden | Moved | Used | Prayed | Passed
    | Struck | Sneaked | CombatBegan | RoundBegan | Chose | RoundFought | Eliminated | Returned | Retreated
    | Stayed | CombatEnded | GameOver
)  # fmt: skip
