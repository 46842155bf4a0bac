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


def step(screen: StormScreen, rng: random.Random) -> list[Event]:
    """Return what somebody types who goes on with the game as it is asked."""
    if screen.page in (Page.RESULT, Page.OVER):
        return [Key("any" if screen.page == Page.RESULT else "enter")]
    if screen.question is not None:
        return [Entered("yes")]
    if screen.sent:
        return []
    if screen.placing is not None:
        return [Entered("random"), Entered("seal!")]
    if not screen.match.deciding or screen.match.state is None:
        return []
    line = notation.format_action(_action(screen.match.state, screen.match.side, rng))
    return [Typed(line), Entered(line)]


def _action(state: State, faction: Faction, rng: random.Random) -> Action:
    actions = engine.legal_actions(state, faction)
    return helpers.prefer(rng, state, actions) if rng.random() < 0.5 else rng.choice(actions)


@pytest.mark.parametrize("seed", helpers.daily_first(range(5), 2))
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
                screen = player.screen
                assert isinstance(screen, StormScreen)
                for event in step(screen, rng):
                    player._guarded(event)
            assert running.done(), "expected the game to end"
            await running
            screen = player.screen
            assert isinstance(screen, StormScreen)
            return screen

    screen = asyncio.run(run())
    assert screen.match.ending is not None
    assert screen.match.ending.winner is not None
    # Every action that was typed was understood.
    assert not any("Not possible" in line for line in screen.notice)
