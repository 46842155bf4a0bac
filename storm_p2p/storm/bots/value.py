"""How likely the Chthonians win, quickly: a sum of fitted weights, one for each feature that a game has.

A feature is a number: a kind begins where ``MOVER``, ``HONOR`` and so on say, and what is told of the game counts on
from there.  The weights were fitted to matches that computer players played against themselves
(``benchmarks/fit.py``), in which nobody saw what was hidden; so what a secret is worth is in them.
"""

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import exp
from typing import Final, NamedTuple

from storm_p2p.storm.arena import Arena
from storm_p2p.storm.bitboard import WINNERS
from storm_p2p.storm.board import NEIGHBOURS, OTHER, PALACE, STEPS_TO_PALACE, Region
from storm_p2p.storm.rules.combat import account
from storm_p2p.storm.state import FIGHT
from storm_p2p.storm.units import FIRST_LEADER, LEADERS, SECOND_LEADER, STRENGTH, UNITS, units_in

_REGIONS: Final = 25
_CROWDS: Final = 5
_HONORS: Final = 25
_ENERGIES: Final = 21
_STEPS: Final = 8
_GAPS: Final = 9
_LEADS: Final = 17
_STOCKS: Final = 11

MOVER: Final = 0
"""Whose turn comes next."""
HONOR: Final = MOVER + 2
"""The Honor of each side."""
ENERGY: Final = HONOR + 2 * _HONORS
"""The Energy of each side, in steps of two."""
HONORS: Final = ENERGY + 2 * _ENERGIES
"""The Honor of both together, roughly."""
STANDS: Final = HONORS + 36
"""A unit stands in a region, and everybody knows it or not."""
LOST: Final = STANDS + len(UNITS) * _REGIONS * 2
"""A unit is eliminated, and may come back or not."""
CROWD: Final = LOST + len(UNITS) * 2
"""So many of a side stand in a region."""
FACES: Final = CROWD + 2 * _REGIONS * _CROWDS
"""Two groups next to each other: who moves, how many more there are, and how much stronger they are."""
WAY: Final = FACES + 2 * 7 * _GAPS
"""A leader's steps to the Palace, who moves, and how strong those are who stand in its way."""
PERIL: Final = WAY + 2 * 2 * _STEPS * 5
"""A leader's steps to the Palace, who moves, whether it is known, and how strong an enemy next to it is."""
FIGHT_BASE: Final = PERIL + 2 * 2 * 2 * _STEPS * 6
"""In a combat: who attacks, and the difference of the base strengths."""
FIGHT_COUNT: Final = FIGHT_BASE + 2 * _LEADS
"""In a combat: who attacks, and how many fight on each side."""
FIGHT_STOCK: Final = FIGHT_COUNT + 2 * _CROWDS * _CROWDS
"""In a combat: who attacks, and who has more Energy left."""
FIGHT_LEADS: Final = FIGHT_STOCK + 2 * _STOCKS
"""In a combat: which leaders fight, and the difference of the base strengths."""
FIGHT_PLACE: Final = FIGHT_LEADS + 4 * _LEADS
"""In a combat: who attacks, and where."""
FEATURES: Final = FIGHT_PLACE + 2 * _REGIONS
"""How many there are."""

_HONOR_RANK: Final = tuple([0] * 2 + [1] * 2 + [2] * 3 + [3] * 4 + [4] * 5 + [5] * (_HONORS - 16))
_GUARD_RANK: Final = tuple([0] + [1] * 4 + [2] * 5 + [3] * 5)
_ROUND_PALACE: Final = (PALACE, *NEIGHBOURS[PALACE])
_MOST_GROUPS: Final = 1 << 17
_CERTAIN: Final = 30.0
"""Odds whose logarithm is greater are as good as this."""


class _Group(NamedTuple):
    """What is to be said of a group wherever its enemies stand."""

    features: tuple[int, ...]
    worth: float
    """The sum of their weights."""
    strength: int
    size: int
    leaders: tuple[tuple[int, bool], ...]
    """Which ones (0 for the first), and whether everybody knows them."""


class Value:
    """A judgement of games with all cards that are between two turns or at the start of a round of combat."""

    def __init__(self, weights: Sequence[float]) -> None:
        """Take a weight for each of the :data:`FEATURES`, in logarithms of odds."""
        self._weights = weights
        self._groups: dict[int, _Group] = {}

    def judge(self, game: Arena) -> float:
        """Return how likely the Chthonians win, from 0 to 1."""
        if game.outcome is not None:
            winner = game.outcome.winner
            return 1.0 if winner == WINNERS[0] else 0.0 if winner == WINNERS[1] else 0.5
        weights = self._weights
        groups = self.find_groups(game)
        total = sum([weights[feature] for feature in self.relate(game, groups)])
        total += sum([group.worth for side in groups for _, group in side])
        return 1.0 / (1.0 + exp(-min(max(total, -_CERTAIN), _CERTAIN)))

    def find_groups(self, game: Arena) -> tuple[list[tuple[Region, _Group]], list[tuple[Region, _Group]]]:
        """Return the groups of each side and where they stand."""
        known, kept = game.known, self._groups
        found: tuple[list[tuple[Region, _Group]], list[tuple[Region, _Group]]] = ([], [])
        for faction in (0, 1):
            for region, mask in enumerate(game.at[faction]):
                if mask:
                    key = (mask << len(UNITS) | mask & known) << 5 | region
                    group = kept.get(key)
                    if group is None:
                        if len(kept) >= _MOST_GROUPS:
                            kept.clear()
                        group = kept[key] = self._describe_group(faction, region, mask, known)
                    found[faction].append((region, group))
        return found

    def _describe_group(self, faction: int, region: Region, mask: int, known: int) -> _Group:
        units, count = units_in(mask), mask.bit_count()
        features = [STANDS + (unit * _REGIONS + region) * 2 + (known >> unit & 1) for unit in units]
        features.append(CROWD + (faction * _REGIONS + region) * _CROWDS + count)
        leaders = [
            (int(not 1 << unit & FIRST_LEADER), bool(known >> unit & 1)) for unit in units if 1 << unit & LEADERS
        ]
        worth = sum([self._weights[feature] for feature in features])
        return _Group(tuple(features), worth, sum([STRENGTH[unit] for unit in units]), count, tuple(leaders))

    def relate(
        self, game: Arena, groups: tuple[Sequence[tuple[Region, _Group]], Sequence[tuple[Region, _Group]]]
    ) -> list[int]:
        """Return all features but those of single groups."""
        fights = game.phase == FIGHT
        mover = OTHER[game.turn] if fights else game.turn
        ours, theirs = min(max(game.honor[0], 0), _HONORS - 1), min(max(game.honor[1], 0), _HONORS - 1)
        found = [
            MOVER + mover,
            HONOR + ours,
            HONOR + _HONORS + theirs,
            ENERGY + min(game.energy[0] // 2, _ENERGIES - 1),
            ENERGY + _ENERGIES + min(game.energy[1] // 2, _ENERGIES - 1),
            HONORS + _HONOR_RANK[ours] * 6 + _HONOR_RANK[theirs],
        ]
        found += _list_lost(game.fallen, game.gone)
        enemies: list[_Group | None] = [None] * _REGIONS
        for region, group in groups[1]:
            enemies[region] = group
        guards = sum([enemy.strength for there in _ROUND_PALACE if (enemy := enemies[there]) is not None])
        guard = _GUARD_RANK[guards] if guards < len(_GUARD_RANK) else 4
        for region, group in groups[0]:
            nearest = -1
            for there in NEIGHBOURS[region]:
                enemy = enemies[there]
                if enemy is not None:
                    gap = min(max((group.strength - enemy.strength + 13) // 3, 0), _GAPS - 1)
                    found.append(FACES + (mover * 7 + group.size - enemy.size + 3) * _GAPS + gap)
                    nearest = max(nearest, enemy.strength)
            if group.leaders:
                steps = min(STEPS_TO_PALACE[region], _STEPS - 1)
                peril = _rank_peril(group.strength, nearest)
                for which, shown in group.leaders:
                    found.append(WAY + ((which * 2 + mover) * _STEPS + steps) * 5 + guard)
                    found.append(PERIL + (((which * 2 + mover) * 2 + shown) * _STEPS + steps) * 6 + peril)
        if fights:
            found += _describe_fight(game)
        return found


@lru_cache(maxsize=1 << 14)
def _list_lost(fallen: int, gone: int) -> tuple[int, ...]:
    return tuple([LOST + unit * 2 + (gone >> unit & 1) for unit in units_in(fallen | gone)])


def _rank_peril(strength: int, enemy: int) -> int:
    """Return how much a group has to fear from the strongest enemy next to it; -1 stands for none."""
    if enemy < 0:
        return 0
    lead = strength - enemy
    return 1 if lead <= -5 else 2 if lead < 0 else 3 if lead < 4 else 4 if lead < 8 else 5


def _describe_fight(game: Arena) -> list[int]:
    region, attacker = game.region, game.attacker
    ours, theirs = game.at[0][region], game.at[1][region]
    base, _ = account(ours, theirs, attacker, game.aid)
    lead = base[0] - base[1]
    # Beyond four points three make one step.
    steps = lead if abs(lead) <= 4 else min(4 + (lead - 3) // 3, 8) if lead > 0 else max(-4 - (-lead - 3) // 3, -8)
    stock = min(max((min(game.energy[0], 24) - min(game.energy[1], 24)) // 4 + 5, 0), _STOCKS - 1)
    leaders = (1 if ours & FIRST_LEADER else 0) + (2 if ours & SECOND_LEADER else 0)
    return [
        FIGHT_BASE + attacker * _LEADS + steps + 8,
        FIGHT_COUNT + (attacker * _CROWDS + ours.bit_count()) * _CROWDS + theirs.bit_count(),
        FIGHT_STOCK + attacker * _STOCKS + stock,
        FIGHT_LEADS + leaders * _LEADS + steps + 8,
        FIGHT_PLACE + attacker * _REGIONS + region,
    ]


@cache
def load() -> Value:
    """Return the value with the weights of the product."""
    return Value(json.loads(files("storm_p2p.storm.bots").joinpath("weights.json").read_text("ascii")))
