"""What each decision of a seat promises: every legal action with the chance of winning, for hints, analysis and play.

Shape: :func:`rate` returns one :class:`Rated` for each action, the best first.  A rating is a function of what the
seat may know (``state`` is its owner's view, as a bot gets it), of the source of chance and of the number of
simulations; the same three give the same ratings, on every machine.
"""

from __future__ import annotations

from math import exp
from random import Random
from typing import Final, NamedTuple

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Fight, Reveal
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.bots import guess, judge, moves, position
from storm_p2p.storm.bots.combat_choice import FINE, ROUNDS_FINE, Table, solve
from storm_p2p.storm.bots.guess import Belief
from storm_p2p.storm.state import Phase, State

SCALE: Final = 60.0
"""How many points of ``worth`` make a chance of 73 %; fitted to matches of ``greedy`` against itself."""


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
        simulations: how many worlds an action is tried on that meets hidden enemies; more is slower and better.
    """
    belief = guess.think(state, faction, rng)
    if state.phase == Phase.FIGHT:
        return _rate_fight(state, belief)
    worlds = [guess.imagine(state, belief, number) for number in range(min(simulations, len(belief.guesses)))]
    actions = engine.legal_actions(state, faction)
    found: dict[Action, float] = {}
    for action in actions:
        if not isinstance(action, Reveal):
            found[action] = moves.judge_action(state, worlds, action, belief)
    most = max(found.values())
    for action in actions:
        if isinstance(action, Reveal):
            # What a reveal is worth shows in the action that follows it.
            promise = moves.find_promise(state, action, belief, rng)
            found[action] = (most if promise is None else max(promise, most)) - moves.GAIN
    order = sorted(found, key=lambda action: -found[action])
    return [Rated(action, convert_points(found[action]), float(not place)) for place, action in enumerate(order)]


def _rate_fight(state: State, belief: Belief) -> list[Rated]:
    faction = belief.faction
    current = state.combat
    assert current is not None
    table = Table(state, judge.value_stakes(state, belief), FINE, current.choices[OTHER[faction]])
    _, rows, columns = solve(table.values, ROUNDS_FINE)
    lives = position.Board(state.sides, belief).lives
    found = []
    for place, choice in enumerate((table.rows, table.columns)[faction]):
        if faction == Faction.CHTHONIANS:
            points = sum(share * value for share, value in zip(columns, table.values[place], strict=True)) + lives
        else:
            points = -sum(share * line[place] for share, line in zip(rows, table.values, strict=True)) - lives
        action = Fight(faction, choice.maneuver, choice.energy)
        found.append(Rated(action, convert_points(points), (rows, columns)[faction][place]))
    return sorted(found, key=lambda rated: (-rated.share, -rated.chance))


def estimate_chance(state: State, faction: Faction, rng: Random) -> float:
    """Return how likely a seat wins as things stand, whoever has to decide; ``state`` is its owner's view."""
    belief = guess.think(state, faction, rng)
    return convert_points(judge.assess(guess.imagine(state, belief, 0), belief))


def convert_points(points: float) -> float:
    """Return the chance of winning that a number of points stands for."""
    return 1.0 / (1.0 + exp(-points / SCALE))
