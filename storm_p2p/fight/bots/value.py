"""How likely a seat wins, quickly: a sum of fitted weights, one for each feature that a game between two turns has.

A feature is a number: a kind begins where ``LEAD``, ``UNITS`` and so on say, and what is told of the game counts on
from there.  They are told for the one whose turn it is (*mover*) and the other; of cards only what any set may print.
The weights were fitted to games of the computer player against itself (``benchmarks/fit.py``), each seen by both
seats with the cards that they knew.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import Final

from protocol.game import Known, Seat, other
from storm_p2p.fight.board import AREA, GOAL, Area
from storm_p2p.fight.card_file import WORDS
from storm_p2p.fight.cards import Card, CardSet, When
from storm_p2p.fight.rules.values import carried, list_values
from storm_p2p.fight.state import State

_WORDS: Final = {word: place for place, word in enumerate(WORDS)}
_LEADS: Final = 2 * GOAL - 1
_PILES: Final = 8
_HANDS: Final = 13
_COSTS: Final = 5

MOVER: Final = 0
"""Somebody moves."""
LEAD: Final = MOVER + 1
"""Where the counter stands."""
PILE: Final = LEAD + _LEADS
"""Where it stands, and how much of the pile is left."""
UNITS: Final = PILE + _LEADS * _PILES
"""How many units each has."""
REACH: Final = UNITS + 49
"""How many points are missing to the goal if all that attack an empty space of Olympus score."""
DUEL: Final = REACH + 2 * 4
"""Two units face each other: the area, and in how many attacks each defeats the other."""
ALONE: Final = DUEL + 3 * 25
"""A unit without an opponent: whose, the area, whether it attacks, and how much damage it takes."""
EMPTY: Final = ALONE + 2 * 3 * 2 * 6
"""Nobody stands on both sides of a space: the area."""
ATTACK: Final = EMPTY + 3
"""The attack of a unit."""
LIFE: Final = ATTACK + 2 * 8
"""What it takes."""
GEAR: Final = LIFE + 2 * 9
"""It has gear."""
ABLE: Final = GEAR + 2
"""It has an ability that is not over."""
SIZE: Final = ABLE + 2 * len(_WORDS)
"""How many cards each has in the hand."""
CARD: Final = SIZE + 2 * _HANDS
"""A card of the own hand: whether its seat moves, its type and cost."""
MIXED: Final = CARD + 2 * 3 * _COSTS
"""One of all colours."""
BRINGS: Final = MIXED + 2
"""One with an ability."""
UNKNOWN: Final = BRINGS + 2 * len(_WORDS)
"""One that its seat does not know yet."""
MARKERS: Final = UNKNOWN + 2
"""How many markers each has."""
FEATURES: Final = MARKERS + 2 * 5
"""How many there are."""

_CERTAIN: Final = 30.0
"""Odds whose logarithm is greater are as good as this."""


class Value:
    """A judgement of games by what a seat knows."""

    def __init__(self, weights: Sequence[float]) -> None:
        """Take a weight for each of the :data:`FEATURES`, in logarithms of odds."""
        self._weights = weights

    def judge(self, state: State, names: Known, seat: Seat) -> float:
        """Return how likely a seat wins, from 0 to 1; of the hands only its own is looked at."""
        if state.result is not None:
            winner = state.result[0]
            return 0.5 if winner is None else float(winner == seat)
        weights = self._weights
        total = sum([weights[feature] for feature in list_features(state, names, seat)])
        chance = 1.0 / (1.0 + exp(-min(max(total, -_CERTAIN), _CERTAIN)))
        return chance if seat == _find_mover(state) else 1.0 - chance


def _find_mover(state: State) -> Seat:
    """Return who attacks next: in an attack, the other one."""
    return other(state.active) if state.pointer else state.active


def list_features(state: State, names: Known, seat: Seat) -> list[int]:
    """Return the features of a game that is not over, as a seat sees it."""
    mover = _find_mover(state)
    waiter, printed = other(mover), _find_printed(state.cards)
    attacks, defences = list_values(state, "attack"), list_values(state, "defence")
    lead = state.counter if mover == 0 else -state.counter
    found = [MOVER, LEAD + lead + GOAL - 1, PILE + (lead + GOAL - 1) * _PILES + min(len(state.pile) // 8, _PILES - 1)]
    counts, reaches = [0, 0], [GOAL - lead, GOAL + lead]
    ours, theirs = state.sides[mover], state.sides[waiter]
    for at, area in enumerate(AREA[1:]):
        powers, lives = [0, 0], [0, 0]
        for role, unit in enumerate((ours[at], theirs[at])):
            if unit is None:
                continue
            whose = waiter if role else mover
            counts[role] += 1
            power = powers[role] = attacks[whose][at]
            life = lives[role] = max(defences[whose][at] - unit.damage, 1)
            found += (ATTACK + role * 8 + min(power, 7), LIFE + role * 9 + min(life, 8))
            if unit.gear is not None:
                found.append(GEAR + role)
            for number in carried(unit):
                found += [ABLE + role * len(_WORDS) + word for word in printed.lasting[number]]
        if ours[at] is not None and theirs[at] is not None:
            blows = [min(-(-lives[1 - role] // powers[role]), 4) if powers[role] else 5 for role in (0, 1)]
            found.append(DUEL + (area * 5 + blows[0] - 1) * 5 + blows[1] - 1)
        elif ours[at] is None and theirs[at] is None:
            found.append(EMPTY + area)
        else:
            role = int(ours[at] is None)
            found.append(ALONE + ((role * 3 + area) * 2 + (powers[role] > 0)) * 6 + min(lives[role], 6) - 1)
            if area == Area.OLYMPUS and powers[role] > 0:
                reaches[role] -= 1
    found.append(UNITS + counts[0] * 7 + counts[1])
    for role, whose in enumerate((mover, waiter)):
        hand = state.hands[whose]
        found += (
            REACH + role * 4 + min(max(reaches[role], 0), 3),
            SIZE + role * _HANDS + min(len(hand), _HANDS - 1),
            MARKERS + role * 5 + state.markers.count(whose),
        )
        if whose == seat:
            for entry in hand:
                card = -1 - entry if entry < 0 else names.get(entry)
                found += (UNKNOWN + role,) if card is None else printed.held[role][card]
    return found


class _Printed:
    """What is to be said of each card of a set."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self.lasting = [[_WORDS[one.do] for one in card.abilities if one.when is not When.PLAYED] for card in cards]
        self.held = [[_describe(card, role) for card in cards] for role in (0, 1)]


def _describe(card: Card, role: int) -> list[int]:
    found = [CARD + (role * 3 + card.kind) * _COSTS + min(len(card.cost), _COSTS - 1)]
    if card.all_colours:
        found.append(MIXED + role)
    return found + [BRINGS + role * len(_WORDS) + _WORDS[one.do] for one in card.abilities if one.when is When.PLAYED]


_PRINTED: Final[dict[bytes, _Printed]] = {}


def _find_printed(cards: CardSet) -> _Printed:
    # A set has a hash that takes long.
    if cards.digest not in _PRINTED:
        _PRINTED[cards.digest] = _Printed(cards.cards)
    return _PRINTED[cards.digest]


def judge(state: State, names: Known, seat: Seat) -> float:
    """Return how likely a seat wins, by the weights of the product (:meth:`Value.judge`)."""
    return _load().judge(state, names, seat)


@cache
def _load() -> Value:
    return Value(json.loads(files("storm_p2p.fight.bots").joinpath("weights.json").read_text("ascii")))
