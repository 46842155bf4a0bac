"""A table without a line between: whole games of computer players for tests and benchmarks.

The table holds all cards; each player is shown its owner's view only.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from storm_p2p.storm import engine, views
from storm_p2p.storm.actions import Action, Place, Serial
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.bots import Bot
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit


def deal(terms: Terms, rng: Random) -> State:
    """Return a game with all cards in which both sides have set up at random."""
    return _begin(terms, [draw_setup(faction, terms, rng) for faction in FACTIONS])


def read_secrets(state: State, faction: Faction) -> dict[Serial, int]:
    """Return what only the owner knows: the units under the hidden tokens of a faction."""
    return {
        token.serial: token.unit
        for group in state.sides[faction]
        for token in group
        if not token.known and token.unit is not None
    }


def view_as(state: State, faction: Faction) -> State:
    """Return a state with all cards as one owner knows it."""
    return views.with_secrets(views.public(state), read_secrets(state, faction))


def play_game(
    bots: tuple[Bot, Bot], terms: Terms, rng: Random, max_turns: int | None = None
) -> tuple[State, list[tuple[Faction, Action]]]:
    """Play a game and return its last state, with all cards, and every action.

    Args:
        bots: who plays the Chthonians and who the Olympians.
        terms: of the game.
        rng: the only source of chance.
        max_turns: where to stop a game that goes on; None for never.
    """
    # VAR-7: chance sets up, not the players.
    setups = [
        draw_setup(faction, terms, rng) if terms.random_setup else bots[faction].place(faction, terms, rng)
        for faction in FACTIONS
    ]
    actions: list[tuple[Faction, Action]] = [
        (faction, make_placement(faction, setups[faction])) for faction in FACTIONS
    ]
    state = _begin(terms, setups)
    while (request := engine.next_request(state)) is not None and (max_turns is None or state.number <= max_turns):
        # CBT-3: of two simultaneous choices nobody sees the other's.
        answers = [(seat, bots[seat].decide(view_as(state, seat), seat, rng)) for seat in request.seats]
        for _, action in answers:
            state, _ = engine.play(state, action)
        actions += answers
    return state, actions


def make_placement(faction: Faction, units: tuple[Unit, ...]) -> Place:
    """Return the action that sets up these units under the first tokens."""
    return Place(faction, setup.first_serials(faction), units)


def _begin(terms: Terms, setups: Sequence[tuple[Unit, ...]]) -> State:
    state = engine.new_game(terms)
    for faction in FACTIONS:
        state, _ = engine.play(state, make_placement(faction, setups[faction]))
    return state
