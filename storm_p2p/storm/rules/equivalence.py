"""Which steps are alike: what a view knows of those who go, and what else decides (docs/rules.md, "Movement").

For most steps most units are alike.  So what a step does is asked of the members of a group after all that does not
matter about them has been left out, and of the surroundings (own stock, what can be drained, ferries), and the answers
can be kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from storm_p2p.storm import units as traits
from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import ADJACENT, BANK, CROSSES, NEIGHBOURS, OTHER, PALACE, UNDERWORLD, Faction, Region
from storm_p2p.storm.rules.honor import SNEAK_ENERGY, STYX_ENERGY
from storm_p2p.storm.state import Token
from storm_p2p.storm.units import CARDS, UNITS, Unit, units_in

Member: TypeAlias = int
"""What a view knows of a token: ``unit << 1 | known``, or ``~can`` where it does not know the unit."""

PLAIN: Final[Member] = ~0
"""A member about which nothing matters for the steps in question."""


def member(token: Token) -> Member:
    """Return what a view knows of a token."""
    return ~token.can if token.unit is None else token.unit << 1 | token.known


def members(group: Sequence[Token]) -> tuple[Member, ...]:
    """Return what a view knows of the tokens of a group: :func:`member` of each."""
    return tuple([~can if unit is None else unit << 1 | known for _, _, unit, known, can in group])


def units_of(code: Member) -> int:
    """Return the units that a member can be."""
    return ~code if code < 0 else 1 << (code >> 1)


def _apart(origin: Region, target: Region, *, enemies: bool, known: bool) -> int:
    """Return the units that may not be taken for any other one in a step.

    Args:
        origin: where it begins.
        target: where it ends.
        enemies: whether enemies stand there.
        known: it is about known units.
    """
    bits = 0
    if enemies:
        bits |= traits.DOUBLERS | traits.SPARERS | traits.SNEAKS
    if target == PALACE:
        bits |= traits.LEADERS
    if origin in BANK and target in BANK:
        bits |= traits.RIVER_FED
    if target in UNDERWORLD:
        bits |= traits.DRAINERS
    if known:
        bits |= traits.SPARERS
        # Where they cannot walk, and over the Styx, they fly (FLY-1).
        if CROSSES[origin][target] or not ADJACENT[origin][target]:
            bits |= traits.FLIERS
    return bits


Codes: TypeAlias = Mapping[int | None, tuple[Member, Member]]
"""By unit, hidden and known: the unit as a member, as far as it matters; nothing matters about an unknown one."""


@lru_cache(maxsize=25 * 25 * 2)
def codes_toward(origin: Region, target: Region, enemies: bool) -> Codes:
    """Return who must be told apart in a step."""
    return _codes((target,), origin, (enemies,))


def codes_near(origin: Region) -> Codes:
    """Return who must be told apart in all steps from a region."""
    return _codes(NEIGHBOURS[origin], origin, (False, True))


def _codes(targets: tuple[Region, ...], origin: Region, cases: tuple[bool, ...]) -> Codes:
    hidden = known = 0
    for target in targets:
        for enemies in cases:
            hidden |= _apart(origin, target, enemies=enemies, known=False)
            known |= _apart(origin, target, enemies=enemies, known=True)
    codes: dict[int | None, tuple[Member, Member]] = {None: (PLAIN, PLAIN)}
    for unit in UNITS:
        codes[unit] = (unit << 1 if hidden >> unit & 1 else PLAIN, unit << 1 | 1 if known >> unit & 1 else PLAIN)
    return codes


MOST_DRAINED: Final = max(card.drains for card in CARDS)
"""DEM-1."""
MOST_NEEDED: Final = max(STYX_ENERGY, SNEAK_ENERGY)
"""No step needs more Energy."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """The facts beside group and goal that decide what a step does.

    They are made in one place, which keeps them, and compared by identity: they are part of the keys of everything
    that is kept about moves.
    """

    faction: Faction
    stock: int
    """Own Energy, as far as a step can need it."""
    prey: int
    """Energy of the enemy, as far as it can be drained."""
    ferries: frozenset[Region]
    """Where known ferries stand on a bank (CHN-3)."""
    open_combat: bool


def surroundings(board: Bitboard) -> Surroundings:
    """Return what decides about the moves of the side whose turn it is."""
    faction = board.turn
    stock, prey = board.energy[faction], board.energy[OTHER[faction]]
    return _surroundings(
        faction,
        stock if stock < MOST_NEEDED else MOST_NEEDED,  # noqa: FURB136
        prey if prey < MOST_DRAINED and traits.ALL_OF[faction] & traits.DRAINERS else MOST_DRAINED,
        ferry_regions(board, faction),
        board.open_combat,
    )


@lru_cache(maxsize=1 << 9)
def _surroundings(
    faction: Faction, stock: int, prey: int, ferries: frozenset[Region], open_combat: bool
) -> Surroundings:
    return Surroundings(faction, stock, prey, ferries, open_combat)


@lru_cache(maxsize=4)
def inland(faction: Faction, open_combat: bool) -> Surroundings:
    """Return surroundings for steps that neither cross the Styx nor claim anything: all of them are alike."""
    return _surroundings(faction, MOST_NEEDED, MOST_DRAINED, frozenset(), open_combat)


def ferry_regions(board: Bitboard, faction: Faction) -> frozenset[Region]:
    """Return where known ferries stand on a bank of the Styx (CHN-3)."""
    ferries = board.known & traits.FERRIES & traits.ALL_OF[faction]
    # Nearly always there is none; a set is made for those who have one.
    if not ferries:
        return _NOWHERE
    side = board.at[faction]
    return frozenset([region for region in _BANK if side[region] & ferries])


_BANK: Final = tuple(sorted(BANK))
_NOWHERE: Final[frozenset[Region]] = frozenset()


def nearest_ferry(board: Bitboard, faction: Faction, origin: Region, target: Region) -> Unit:
    """Return a known ferry by which a side crosses free (CHN-1, CHN-3)."""
    near = [region for region in ferry_regions(board, faction) if is_ferried(origin, target, frozenset((region,)))]
    return units_in(board.at[faction][min(near)] & board.known & traits.FERRIES)[0]


@lru_cache(maxsize=4096)
def is_ferried(origin: Region, target: Region, ferries: frozenset[Region]) -> bool:
    """Return whether a ferry is near enough for a free crossing (CHN-3, A-47)."""
    return any(here in (origin, target) or ADJACENT[here][origin] or ADJACENT[here][target] for here in ferries)
