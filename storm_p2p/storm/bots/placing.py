"""Where computer players set up.

``greedy``: fighters to the front, who leads or throws to the rear, a little by chance.  ``oracle``: what promises most.
"""

from random import Random
from typing import Final

from storm_p2p.storm import arena
from storm_p2p.storm.board import ALTITUDE, BASE, OTHER, REALM, Faction, Region
from storm_p2p.storm.bots.lookahead import estimate
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.bots.value import Value
from storm_p2p.storm.bots.worth import UNIT
from storm_p2p.storm.rules.setup import SELECTED, check_units
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import LEADERS, REQUIRED, ROSTER, STRENGTH, THROWERS, Unit

FRONT: Final = 0.5
"""How strongly strength draws to the front."""
WHIM: Final = 2.5
ENEMIES: Final = 12
"""Against how many setups of the enemy one is judged."""
DRAWN: Final = 60
"""How many are drawn to choose from."""
GOOD: Final = 8
"""How many of the best may be chosen."""
SWAPS: Final = 150
"""How often two units are swapped to see whether that is better."""
SENSIBLE: Final = 0.5
"""How often a sensible setup is drawn; otherwise it is any legal one."""


def _depth(faction: Faction, region: Region) -> int:
    """Return how far a region lies in front of the base."""
    return abs(ALTITUDE[region] - ALTITUDE[BASE[faction]])


def set_up(faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
    """Return nine units for the regions of the realm in ascending order, then the three left out."""
    wanted = sorted(
        ROSTER[faction], key=lambda unit: (not 1 << unit & (REQUIRED | LEADERS), -UNIT[unit] - WHIM * rng.random())
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


def choose_setup(faction: Faction, terms: Terms, rng: Random, value: Value) -> tuple[Unit, ...]:
    """Return a setup that promises much against many of the enemy: one of the best of some drawn, made a little better.

    Chance decides which one it is, so that nobody who has the program knows it.
    """
    enemies = [_draw(OTHER[faction], terms, rng) for _ in range(ENEMIES)]

    def promise(units: tuple[Unit, ...]) -> float:
        pairs = [(units, other) if faction == Faction.CHTHONIANS else (other, units) for other in enemies]
        return sum(estimate(arena.begin(terms, pair), faction, value) for pair in pairs)

    drawn = sorted((_draw(faction, terms, rng) for _ in range(DRAWN)), key=promise, reverse=True)
    best = rng.choice(drawn[:GOOD])
    most = promise(best)
    for _ in range(SWAPS):
        one, other = rng.sample(range(len(best)), 2)
        units = list(best)
        units[one], units[other] = best[other], best[one]
        changed = (*units[:SELECTED], *sorted(units[SELECTED:]))
        if check_units(faction, changed, random=terms.random_setup) is None and (points := promise(changed)) > most:
            best, most = changed, points
    return best


def _draw(faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
    return (set_up if rng.random() < SENSIBLE else draw_setup)(faction, terms, rng)
