"""What a game with all cards is worth in the points of ``greedy``, quickly: for searches on the arena.

It is the sum of :mod:`storm_p2p.storm.bots.position`, whose weights it takes, with exact units in place of averages.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from storm_p2p.storm.arena import Arena
from storm_p2p.storm.board import ALTITUDE, BASE, NEIGHBOURS, PALACE, Region
from storm_p2p.storm.bots import position, worth
from storm_p2p.storm.bots.worth import SECRET, SECRET_LEADER, STEPS_TO_PALACE, THREAT, WIN, estimate_chance
from storm_p2p.storm.rules.powers import BOLT_ENERGY
from storm_p2p.storm.units import LEADERS, STRENGTH, THROWERS, units_in

SCALE: Final = 60.0
"""How many points make a chance of 73 %."""


class _Group(NamedTuple):
    """What a group is worth wherever it stands."""

    strength: int
    lives: float
    size: int
    leaders: int


@lru_cache(maxsize=1 << 15)
def _weigh_group(mask: int, hidden: int) -> _Group:
    units = units_in(mask)
    lives = sum(worth.UNIT[unit] for unit in units) + SECRET * hidden.bit_count()
    lives += SECRET_LEADER * (hidden & LEADERS).bit_count()
    return _Group(sum(STRENGTH[unit] for unit in units), lives, len(units), (mask & LEADERS).bit_count())


def value_game(game: Arena, mover: int) -> float:
    """Return what a game between two turns is worth to the Chthonians when ``mover`` has the next turn."""
    if game.outcome is not None:
        winner = game.outcome.winner
        return -WIN / 4 if winner == "draw" else WIN if winner == "chthonians" else -WIN
    honor, energy, hidden = game.honor, game.energy, ~game.known
    total = worth.value_honor(honor[0]) - worth.value_honor(honor[1])
    total += worth.value_energy(energy[0]) - worth.value_energy(energy[1])
    groups: tuple[list[tuple[Region, _Group]], list[tuple[Region, _Group]]] = ([], [])
    strengths = ([0] * 25, [0] * 25)
    for faction in (0, 1):
        found, strength = groups[faction], strengths[faction]
        for region, mask in enumerate(game.at[faction]):
            if mask:
                group = _weigh_group(mask, mask & hidden)
                found.append((region, group))
                strength[region] = group[0]
    total += _value_chthonians(game, groups[0], strengths[1], theirs_next=mover == 1)
    return total - _value_olympians(groups[1], strengths, theirs_next=mover == 1)


def _value_chthonians(
    game: Arena, groups: Sequence[tuple[Region, _Group]], enemies: Sequence[int], *, theirs_next: bool
) -> float:
    calm = 1.0 if theirs_next else position.CALM
    total = 0.0
    for region, (strength, lives, count, leaders) in groups:
        near = max([enemies[there] for there in NEIGHBOURS[region]])
        # The attacker wins ties.
        safe = estimate_chance(strength - near - 0.5) if near else 1.0
        total += lives + position.CLIMB * ALTITUDE[region] * count
        if near:
            total -= position.PERIL * calm * (1.0 - safe)
        if leaders:
            steps = STEPS_TO_PALACE[region]
            if steps > 1:
                total += leaders * position.WAY[steps]
            elif not theirs_next:
                total += leaders * THREAT * 0.97
            else:
                through = 0.95 if not near else 0.3 + 0.4 * safe
                throwers = any(game.at[1][there] & THROWERS for there in NEIGHBOURS[region])
                if throwers and game.energy[1] >= BOLT_ENERGY:
                    through *= 1.0 - 0.9 / count
                total += leaders * (position.WAY[1] + (THREAT - position.WAY[1]) * through)
            if near:
                total -= leaders * position.LEADER_PERIL * (1.0 - safe) * calm
        if region == BASE[1]:
            total += position.SIEGE * count
    return total


def _value_olympians(
    groups: Sequence[tuple[Region, _Group]], strengths: tuple[Sequence[int], Sequence[int]], *, theirs_next: bool
) -> float:
    enemies, ours = strengths
    guard = ours[PALACE] + sum([ours[there] for there in NEIGHBOURS[PALACE]])
    total = position.GUARD * min(guard, position.GUARD_ENOUGH)
    calm = position.CALM if theirs_next else 1.0
    for region, (strength, lives, count, _) in groups:
        near = max([enemies[there] for there in NEIGHBOURS[region]])
        total += lives
        if near:
            total -= position.PERIL * calm * (1.0 - estimate_chance(strength - near - 0.5))
        if region == BASE[0]:
            total += position.SIEGE * count
    return total


def weigh(game: Arena, mover: int) -> float:
    """Return the points in units of :data:`SCALE`."""
    return value_game(game, mover) / SCALE


def convert_odds(weight: float) -> float:
    """Return the chance that the logarithm of odds stands for."""
    return 1.0 / (1.0 + exp(-weight))
