"""What the computer player makes of the hidden enemies: guesses that fit the public record, and their averages."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final, NamedTuple

from storm_p2p.storm import views
from storm_p2p.storm.actions import Serial
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.bots import worth
from storm_p2p.storm.state import State
from storm_p2p.storm.units import LEADERS, SECOND_LEADER, STRENGTH, THROWERS, units_in

GUESSES: Final = 16
SWAPS: Final = 4
"""How often, for each hidden token, two are tried the other way round before a likely guess is done."""


@cache
def load_places() -> list[list[int]]:
    """Return how likely each unit stands hidden in each region, in percent of the mean of its side.

    Region 0 stands for left out.  Only ratios of ratios count; ``benchmarks/fit.py`` counted the places.
    """
    places: list[list[int]] = json.loads(files("storm_p2p.storm.bots").joinpath("places.json").read_text("ascii"))
    return places


def guess_likely(state: State, faction: Faction, rng: Random) -> Iterator[dict[Serial, int]]:
    """Yield, without an end, guesses that fit the record, the more often the likelier units stand where they put them.

    Each is one of :func:`views.guesses` in which pairs change places by chance (N. Metropolis and others, 1953).
    """
    likely, chance = load_places(), rng.random
    hidden = [(token, place) for place, group in enumerate(state.sides[OTHER[faction]]) for token in group]
    hidden = [(token, place) for token, place in hidden if not token.known]
    count = len(hidden)
    # VAR-7: where chance has set up, a place says little.
    swaps = 0 if state.terms.random_setup else SWAPS * count
    for guess in views.guesses(state, faction, rng):
        for _ in range(swaps):
            (first, here), (second, there) = hidden[int(chance() * count)], hidden[int(chance() * count)]
            one, two = guess[first.serial], guess[second.serial]
            if first.can >> two & second.can >> one & 1:
                now, then = likely[one][here] * likely[two][there], likely[one][there] * likely[two][here]
                if chance() * now < then:
                    guess[first.serial], guess[second.serial] = two, one
        yield guess


class Look(NamedTuple):
    """What a token is to the one who judges: exact for what is known, an average for the rest."""

    strength: float
    leads: float
    """How likely it is a leader."""
    throws: float
    """How likely it can throw thunderbolts."""
    worth: float


LOOK: Final = tuple(
    Look(float(STRENGTH[unit]), float(1 << unit & LEADERS > 0), float(1 << unit & THROWERS > 0), points)
    for unit, points in enumerate(worth.UNIT)
)
"""How a unit looks that is known, by number."""


class Belief(NamedTuple):
    """What one seat thinks about the other's hidden tokens."""

    faction: Faction
    """Who thinks."""
    guesses: tuple[Mapping[Serial, int], ...]
    """Complete assignments that fit the record; at least one."""
    looks: Mapping[Serial, Look]
    """The averages over the guesses."""
    heir_missing: float
    """How likely the enemy's second leader is not in play."""


def think(state: State, faction: Faction, rng: Random) -> Belief:
    """Return what the owner of ``faction`` thinks in a state that is the view of that side."""
    enemy = OTHER[faction]
    groups = state.sides[enemy]
    hidden = [token for group in groups for token in group if not token.known]
    units = views.find_unplaced(state, enemy)
    masks = views.refine(tuple(token.can for token in hidden), units)
    guesses = []
    for _ in range(GUESSES if hidden else 1):
        guess = _draw(masks, units, rng)
        guesses.append({token.serial: guess[index] for index, token in enumerate(hidden)})
    looks = {token.serial: _average([LOOK[guess[token.serial]] for guess in guesses]) for token in hidden}
    return Belief(faction, tuple(guesses), looks, _heir_missing(state, enemy, guesses))


def _draw(masks: tuple[int, ...], units: int, rng: Random) -> list[int]:
    """Return a unit for each mask, drawn by chance."""
    if units.bit_count() != len(masks) or not all(masks):
        # No record of a game leads here; whatever comes out is only a guess.
        return [rng.choice(units_in(mask) or units_in(units) or [0]) for mask in masks]
    places = list(range(len(masks)))
    rng.shuffle(places)
    order = [int(unit) for unit in units_in(units)]
    rng.shuffle(order)
    owner = views.match([masks[place] for place in places], units, order)
    if owner is None:
        return [units_in(mask)[0] for mask in masks]
    drawn = [0] * len(masks)
    for unit, index in owner.items():
        drawn[places[index]] = unit
    return drawn


def _average(looks: list[Look]) -> Look:
    count = len(looks)
    return Look(*(sum(column) / count for column in zip(*looks, strict=True)))


def _heir_missing(state: State, enemy: Faction, guesses: list[dict[Serial, int]]) -> float:
    groups = state.sides[enemy]
    if any(token.known and token.can & SECOND_LEADER for group in groups[1:] for token in group):
        return 0.0
    playing = {token.serial for group in groups[1:] for token in group}
    present = sum(
        any(1 << unit & SECOND_LEADER and serial in playing for serial, unit in guess.items()) for guess in guesses
    )
    return 1.0 - present / len(guesses)


def imagine(state: State, belief: Belief, number: int) -> State:
    """Return an owner's view with the enemies filled in as in one guess."""
    return views.with_secrets(state, belief.guesses[number % len(belief.guesses)])
