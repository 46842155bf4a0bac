"""What a view knows of a token, and which units a step need not tell apart (docs/rules.md, "Movement").

For most steps most units are alike.  So what a step does is asked of the members of a group after all that does not
matter about them has been left out, and the answers can be kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from storm_p2p.storm.board import ADJACENT, BANK, CROSSES, NEIGHBOURS, PALACE, UNDERWORLD, Region
from storm_p2p.storm.state import Token
from storm_p2p.storm.units import DOUBLERS, DRAINERS, FLIERS, LEADERS, RIVER_FED, SNEAKS, SPARERS, UNITS

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
        bits |= DOUBLERS | SPARERS | SNEAKS
    if target == PALACE:
        bits |= LEADERS
    if origin in BANK and target in BANK:
        bits |= RIVER_FED
    if target in UNDERWORLD:
        bits |= DRAINERS
    if known:
        bits |= SPARERS
        # Where they cannot walk, and over the Styx, they fly (FLY-1).
        if CROSSES[origin][target] or not ADJACENT[origin][target]:
            bits |= FLIERS
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
