"""Two recorded games, played again from their actions and compared event by event.

UPDATE_GOLDEN=1 prints the same actions anew; UPDATE_GOLDEN=new records other games, by the seeds below.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator

import pytest
from helpers import GOLDEN, TERMS, actor, assert_golden, candidates, prefer, random_units

from cli.storm.text import narrate
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Action, Place
from storm_p2p.storm.board import FACTIONS
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import NAME, Unit

pytestmark = pytest.mark.usefixtures("recorded_strengths")

GAMES = {"playthrough_plain.txt": (52, TERMS[0]), "playthrough_open.txt": (10, TERMS[4])}


def printed(terms: Terms, setups: list[list[Unit]], choose: Callable[[State], Action | None]) -> Iterator[str]:
    """Yield a game line by line; ``>`` marks the actions."""
    yield "terms " + json.dumps([terms.open_combat, terms.random_setup, terms.challenge])
    state = engine.new_game(terms)
    for faction in FACTIONS:
        yield f"setup {' '.join(NAME[unit] for unit in setups[faction])}"
        state, _ = engine.apply(state, Place(faction, setup.first_serials(faction), tuple(setups[faction])))
    while (action := choose(state)) is not None:
        yield f"> {actor(state, action).name.lower()}: {notation.format_action(action)}"
        state, events = engine.play(state, action)
        yield from (f"  {narrate.line(event)}" for event in events)
        if state.phase == Phase.TURN:
            position = notation.dump_position(state)
            known = sorted(f"{name} {position['units'][name]}" for name in position["known"])
            yield f"  known: {', '.join(known) or 'nobody'}"
    position = notation.dump_position(state)
    yield f"end {json.dumps({key: position[key] for key in ('honor', 'energy', 'units', 'eliminated')})}"


def record(seed: int, terms: Terms) -> Iterator[str]:
    """Yield a new random game."""
    rng = random.Random(seed)

    def choose(state: State) -> Action | None:
        actions = candidates(state)
        return prefer(rng, state, actions) if actions else None

    return printed(terms, [list(random_units(rng, faction, terms)) for faction in FACTIONS], choose)


def again(lines: list[str]) -> Iterator[str]:
    """Yield the recorded game, played again from its actions."""
    terms = Terms(*json.loads(lines[0].removeprefix("terms ")))
    setups = [[notation.parse_unit(word) for word in line.split()[1:]] for line in lines[1:3]]
    actions = iter([line.partition(": ")[2] for line in lines if line.startswith("> ")])

    def choose(state: State) -> Action | None:
        text = next(actions, None)
        return None if text is None else notation.parse_action(text, state)

    return printed(terms, setups, choose)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_recorded_game_is_played_again(name: str) -> None:
    if os.environ.get("UPDATE_GOLDEN") == "new":
        text = list(record(*GAMES[name]))
    else:
        text = list(again((GOLDEN / name).read_text(encoding="utf-8").splitlines()))
    assert_golden(name, "\n".join(text) + "\n")
    assert any(" win: " in line for line in text)
