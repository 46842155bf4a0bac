"""Where the greedy player sets up: fighters to the front, who leads or throws to the rear, a little by chance."""

from __future__ import annotations

from random import Random
from typing import Final

from storm_p2p.storm.board import ALTITUDE, BASE, REALM, Faction, Region
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.bots.worth import UNIT
from storm_p2p.storm.rules.setup import SELECTED, check_units
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import LEADERS, REQUIRED, ROSTER, STRENGTH, THROWERS, Unit

FRONT: Final = 0.5
"""How strongly strength draws to the front."""
WHIM: Final = 2.5


def _depth(faction: Faction, region: Region) -> int:
    """Return how far a region lies in front of the base."""
    return abs(ALTITUDE[region] - ALTITUDE[BASE[faction]])


def set_up(faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
    """Return nine units for the regions of the realm in ascending order, then the three left out."""
    wanted = sorted(
        ROSTER[faction],
        key=lambda unit: (not 1 << unit & (REQUIRED | LEADERS), -UNIT[unit] - WHIM * rng.random()),
    )
    chosen, rest = wanted[:SELECTED], sorted(wanted[SELECTED:])

    def forward(unit: Unit) -> float:
        rear = 10.0 if 1 << unit & (LEADERS | THROWERS) else 0.0
        return FRONT * STRENGTH[unit] - rear + WHIM * rng.random()

    order = sorted(chosen, key=forward)
    regions = sorted(REALM[faction], key=lambda region: (_depth(faction, region), rng.random()))
    by_region = dict(zip(regions, order, strict=True))
    units = (*(by_region[region] for region in REALM[faction]), *rest)
    if check_units(faction, units, random=terms.random_setup) is None:
        return units
    return draw_setup(faction, terms, rng)
