"""What may be asked of the engine: a union of frozen values (docs/rules.md, "Actions").

An action names regions and tokens, never a unit, so that the same value can be applied to the public state by
somebody who does not know the units.  The own action of a turn names a token by its region and its place in the
group there, counted from 0 in the order of serials; so equal actions are equal values whatever the serials are.
A partial friendly move that identifies nobody has two forms: its owner names the movers, everybody else sees only
their number (``movers`` empty, ``count`` set; see :func:`storm_p2p.storm.views.publish`).
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from storm_p2p.storm.board import Faction, Region
from storm_p2p.storm.units import Maneuver, Unit

Serial: TypeAlias = int
"""The number of a token; never used twice in a game.  On the wire it is the number of a hidden slot."""


@dataclass(frozen=True, slots=True)
class Place:
    """Set up the twelve tokens of a faction (SET-3).

    ``serials`` are the tokens for the regions of the realm in ascending order, then the three left out.
    ``units`` are their units in the same order, or None in the public form.
    """

    faction: Faction
    serials: tuple[Serial, ...]
    units: tuple[Unit, ...] | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Move tokens along ``path``: origin, goal; more regions for a wanderer (HRM-1)."""

    path: tuple[Region, ...]
    movers: tuple[int, ...]
    """Places in the group, ascending; empty when a partial move does not say which."""
    count: int
    """How many move."""
    claim: int | None = None
    """The place of the mover whose power or goal the move claims (docs/rules.md, "Hidden powers are claimed")."""
    units: tuple[Unit, ...] = field(default=(), compare=False)
    """The movers' units for the notation, where the maker of the action knows them; no rule reads it."""


@dataclass(frozen=True, slots=True)
class Sneak:
    """The sneak attack (ERI-1)."""

    path: tuple[Region, Region]
    mover: int
    """Place in the group."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Open an own token of free will (TRN-5)."""

    region: Region
    place: int
    """Place in the group."""
    unit: Unit | None = field(default=None, compare=False)
    """For the notation only."""


@dataclass(frozen=True, slots=True)
class Bolt:
    """Throw a thunderbolt (ZEU-1)."""

    target: Region
    thrower: Serial


@dataclass(frozen=True, slots=True)
class Recall:
    """Bring an eliminated unit back (HAD-1)."""

    unit: Unit
    caller: Serial


@dataclass(frozen=True, slots=True)
class Liturgy:
    """Pray for Energy (LIT-1)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing (TRN-3)."""


@dataclass(frozen=True, slots=True)
class Aid:
    """Help from next door, or not (APH-2)."""

    helper: Serial | None
    unit: Unit | None = field(default=None, compare=False)
    """For the notation only."""


@dataclass(frozen=True, slots=True)
class Fight:
    """Choose maneuver and Energy (CBT-3)."""

    faction: Faction
    maneuver: Maneuver
    energy: int


@dataclass(frozen=True, slots=True)
class Lose:
    """Name the unit that is eliminated; ``claim`` is the token that is fed by the thunderbolt (ZEU-3)."""

    token: Serial
    claim: Serial | None = None
    unit: Unit | None = field(default=None, compare=False)
    """For the notation only."""


@dataclass(frozen=True, slots=True)
class Immune:
    """All units in the target of a thunderbolt are proof against it, as this one is (ZEU-2)."""

    token: Serial
    unit: Unit | None = field(default=None, compare=False)
    """For the notation only."""


@dataclass(frozen=True, slots=True)
class Block:
    """Prevent the elimination by a sneak attack (HEP-2)."""

    token: Serial


@dataclass(frozen=True, slots=True)
class Retreat:
    """Leave the combat for a region (RET-1)."""

    target: Region


@dataclass(frozen=True, slots=True)
class Stay:
    """Stay after a chased retreat was won (CHA-4)."""


@dataclass(frozen=True, slots=True)
class Succeed:
    """Open the second leader, or None when there is none to open (PER-3)."""

    token: Serial | None
    unit: Unit | None = field(default=None, compare=False)
    """For the notation only."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The units of ``State.due``, checked against their commitments before they come here."""

    units: tuple[Unit, ...]


TurnAction: TypeAlias = Move | Sneak | Reveal | Bolt | Recall | Liturgy | Pass
Reply: TypeAlias = Aid | Fight | Lose | Immune | Block | Retreat | Stay | Succeed
Action: TypeAlias = Place | TurnAction | Reply | Opening
