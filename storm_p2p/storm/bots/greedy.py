"""The computer player ``greedy``: looks one move deep, guesses what it cannot see, and mixes in combat."""

from __future__ import annotations

from random import Random
from typing import Final

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Aid, Block, Fight
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.bots import guess, judge, moves, placing
from storm_p2p.storm.bots.combat_choice import FINE, ROUNDS_FINE, Table, solve
from storm_p2p.storm.bots.guess import Belief
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import CombatChoice, Phase, State, Terms, known_mask
from storm_p2p.storm.units import LEADERS, Maneuver, Unit

RARE: Final = 0.08
"""Choices less likely than this in a mixed strategy are left alone."""


class Greedy:
    """Takes what is best after one move, as far as it can tell."""

    name = "greedy"

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return a sensible setup, a little different each time."""
        return placing.set_up(faction, terms, rng)

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return the action that promises most."""
        actions = engine.legal_actions(state, faction)
        if len(actions) == 1:
            return actions[0]
        belief = guess.think(state, faction, rng)
        if state.phase == Phase.TURN:
            return moves.choose_action(state, belief, rng)
        if state.phase == Phase.FIGHT:
            return _fight(state, belief, rng)
        helpful = [action for action in actions if isinstance(action, Block) or _helps(action)]
        if helpful:
            return helpful[0]
        imagined = guess.imagine(state, belief, 0)
        return max(actions, key=lambda action: judge.assess(engine.play(imagined, action)[0], belief))


def _helps(action: Action) -> bool:
    return isinstance(action, Aid) and action.helper is not None


def _fight(state: State, belief: Belief, rng: Random) -> Action:
    """Return maneuver and Energy: the best answer where the other side's choice is open, else drawn by chance."""
    faction = belief.faction
    current = state.combat
    assert current is not None
    shown = current.choices[OTHER[faction]]
    table = Table(state, judge.value_stakes(state, belief), FINE, shown)
    if faction == Faction.CHTHONIANS:
        values, choices = table.values, table.rows
        keeping = [index for index, choice in enumerate(choices) if not _gives_up_leader(state, choice, table)]
        if keeping:
            values, choices = [values[index] for index in keeping], [choices[index] for index in keeping]
    else:
        values = [[-line[index] for line in table.values] for index in range(len(table.columns))]
        choices = table.columns
    if shown is not None:
        best = max(range(len(choices)), key=lambda index: values[index][0])
    elif not combat.sealed(state):
        best = max(range(len(choices)), key=lambda index: min(values[index]))
    else:
        _, strategy, _ = solve(values, ROUNDS_FINE)
        weights = [share if share >= RARE else 0.0 for share in strategy]
        best = rng.choices(range(len(choices)), weights if any(weights) else strategy)[0]
    return Fight(faction, choices[best].maneuver, choices[best].energy)


def _gives_up_leader(state: State, choice: CombatChoice, table: Table) -> bool:
    """Return whether a choice of the Chthonians loses them a leader in an All-out Attack that does not win (AOA-3)."""
    current = state.combat
    assert current is not None
    ours = known_mask(combat.groups_at(state, current.region)[Faction.CHTHONIANS])
    if choice.maneuver != Maneuver.ATTACK or not ours & LEADERS:
        return False
    chosen, _ = engine.play(state, Fight(Faction.CHTHONIANS, *choice))
    # Where the other side has shown its choice, it has been carried out.
    replies = [] if current.choices[Faction.OLYMPIANS] is not None else table.columns
    ends = [engine.play(chosen, Fight(Faction.OLYMPIANS, *reply))[0] for reply in replies] or [chosen]
    return any(end.outcome is None or end.outcome.winner != "chthonians" for end in ends)
