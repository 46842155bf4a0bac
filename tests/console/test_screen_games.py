"""Whole games at the full-screen console, with an action of every kind that comes up typed and confirmed."""

from __future__ import annotations

import asyncio
import random

import helpers
import helpers_tui as tui
import pytest
from helpers_console import FakeMatch
from prompt_toolkit.input import create_pipe_input

from cli.console.messages import Entered, Event, Key, Typed
from cli.console.screen_state import Page
from cli.console.shell.app import ScreenPlayer
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State, Terms

MOST_STEPS = 3000


def step(ui: StormScreen, rng: random.Random) -> list[Event]:
    """Return what somebody types who goes on with the game as it is asked."""
    if ui.page in (Page.RESULT, Page.OVER):
        return [Key("any" if ui.page == Page.RESULT else "enter")]
    if ui.question is not None:
        return [Entered("yes")]
    if ui.sent:
        return []
    if ui.placing is not None:
        return [Entered("random"), Entered("seal!")]
    if not ui.game.deciding or ui.game.state is None:
        return []
    line = notation.format_action(_action(ui.game.state, ui.game.side, rng))
    return [Typed(line), Entered(line)]


def _action(state: State, faction: Faction, rng: random.Random) -> Action:
    actions = engine.legal_actions(state, faction)
    return helpers.prefer(rng, state, actions) if rng.random() < 0.5 else rng.choice(actions)


@pytest.mark.parametrize("seed", range(5))
def test_a_whole_game_is_played_at_the_screen(seed: int) -> None:
    rng = random.Random(seed)
    terms = rng.choice([Terms(), Terms(open_combat=True), Terms(challenge=3)])
    terminal = tui.Terminal(tui.SIZES[seed % 2])

    async def run() -> StormScreen:
        with create_pipe_input() as pipe:
            player = ScreenPlayer("alice", STORM, input=pipe, output=terminal.output, max_render_postpone_time=None)
            match = FakeMatch(player, Faction(seed % 2), rng, engine.new_game(terms))
            running = asyncio.create_task(match.run())
            for _ in range(MOST_STEPS):
                await asyncio.sleep(0)
                if running.done():
                    break
                ui = player.ui
                assert isinstance(ui, StormScreen)
                for event in step(ui, rng):
                    player._guarded(event)
            assert running.done(), "expected the game to end"
            await running
            ui = player.ui
            assert isinstance(ui, StormScreen)
            return ui

    ui = asyncio.run(run())
    assert ui.game.ending is not None
    assert ui.game.ending.winner is not None
    # Every action that was typed was understood.
    assert not any("Not possible" in line for line in ui.notice)
