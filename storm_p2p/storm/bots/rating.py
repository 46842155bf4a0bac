"""What each decision of a seat promises: every legal action with the chance of winning, for hints and analysis.

Shape: :func:`rate` returns one :class:`Rated` for each action, the best first.  A rating is a function of what the
seat may know (``state`` is its owner's view, as a bot gets it), of the source of chance and of the number of
simulations; the same three give the same ratings, on every machine.
"""

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from storm_p2p.storm import arena, engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.arena import Arena
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots import value
from storm_p2p.storm.bots.combat_choice import solve
from storm_p2p.storm.bots.guess import guess_likely
from storm_p2p.storm.bots.lookahead import estimate, play
from storm_p2p.storm.bots.search import ENERGIES, GAIN, ROUNDS, list_lines, tabulate
from storm_p2p.storm.state import FIGHT, State

WORLDS = 12
"""In how many worlds a chance is estimated."""


class Rated(NamedTuple):
    """What an action promises."""

    action: Action
    chance: float
    """How likely its side wins after it, from 0 to 1."""
    share: float
    """How often it should be played, from 0 to 1: a maneuver that is chosen in secret is mixed, all else is not."""


def rate(state: State, faction: Faction, rng: Random, simulations: int) -> list[Rated]:
    """Return every legal action of a seat from which something is wanted, the best first.

    In a combat only those amounts of Energy are listed that are worth a look.

    Args:
        state: the owner's view.
        faction: who decides.
        rng: the only source of chance.
        simulations: how many worlds an action is tried in; more is slower and better.
    """
    worlds = _imagine(state, faction, rng, simulations)
    if state.phase == FIGHT:
        return _rate_fight(state, worlds, faction)
    actions = engine.legal_actions(state, faction)
    if len(actions) == 1:
        return [Rated(actions[0], _estimate(worlds, faction), 1.0)]
    judge = value.load()
    found: dict[Action, float] = {}
    for line in list_lines(worlds[0], faction):
        action = worlds[0].told(state, line[0])
        # What a reveal is worth shows in the action that follows it.
        chance = sum(estimate(play(world, *line), faction, judge) for world in worlds) / len(worlds)
        found[action] = max(found.get(action, 0.0), chance - GAIN * (len(line) - 1))
    most = max(found.values())
    found |= {action: max(most - GAIN, 0.0) for action in actions if action not in found}
    order = sorted(found, key=lambda action: -found[action])
    return [Rated(action, found[action], float(not place)) for place, action in enumerate(order)]


def _imagine(state: State, faction: Faction, rng: Random, worlds: int) -> list[Arena]:
    return [arena.of(state, guess) for guess in islice(guess_likely(state, faction, rng), worlds)]


def _rate_fight(state: State, worlds: Sequence[Arena], faction: Faction) -> list[Rated]:
    codes, table = tabulate(worlds[0], faction, value.load(), ENERGIES)
    _, shares, others = solve(table, ROUNDS)
    found = [
        Rated(
            worlds[0].told(state, code), sum(share * chance for share, chance in zip(others, line, strict=True)), part
        )
        for code, part, line in zip(codes, shares, table, strict=True)
    ]
    return sorted(found, key=lambda rated: (-rated.share, -rated.chance))


def estimate_chance(state: State, faction: Faction, rng: Random) -> float:
    """Return how likely a seat wins as things stand, whoever has to decide; ``state`` is its owner's view."""
    return _estimate(_imagine(state, faction, rng, WORLDS), faction)


def _estimate(worlds: Sequence[Arena], faction: Faction) -> float:
    return sum(estimate(world, faction, value.load()) for world in worlds) / len(worlds)
