"""The full-screen console in the tests: models of every screen, and a terminal in memory that shows what was drawn."""

from __future__ import annotations

import asyncio
import io
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import helpers
import pyte
from helpers_console import FakeMatch, seated
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli import language
from cli.console.messages import Effect, Entered, Event, Resized, SetLine, Typed
from cli.console.reducer import update
from cli.console.render.screen import render
from cli.console.render.spans import Frame, line_width, plain
from cli.console.screen_state import S, ScreenState
from cli.console.shell.app import ScreenPlayer
from cli.match.player import Asked, Happened
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State, Terms

SIZES: Final = ((80, 24), (120, 40))
HUGE: Final = (160, 50)
MAIN_SCREENS: Final = frozenset({"help", "analysis"})
"""Recorded in every language; those of tests/tiers.py are recorded in each of them and in every tier."""
LINES: Final = (
    "14", "move 14", "hades 13", "12 13", "liturgy", "liturgy!", "pass", "std 3", "ret 0", "att 2!", "2 1", "resign",
    "draw", "bye", "yes", "y", "n", "", "help", "units", "eye", "costs 12", "who 9", "note 9 x", "chat", "/hi", "mute",
    "seal", "seal!", "random", "had 11", "had per", "save a", "load a", "unicode", "mouse", "hide", "lose had", "stay",
    "aid none", "block", "card nyx", "options", "log 5", "undo", "?", "!", "%%%", "12 13?", "accept", "decline",
)  # fmt: skip
"""What somebody could type."""
KEYS: Final = (
    "escape",
    "any",
    "up",
    "down",
    "left",
    "right",
    "pageup",
    "pagedown",
    "wheelup",
    "hide",
    "mouse",
    *(f"f{number}" for number in range(1, 11) if number != 7),
)
"""What somebody could press, but the key to plain lines."""
EXAMPLE: Final = helpers.at(
    "chthonians",
    "erinyes hecate 14, hades charon 12, persephone 6, cerberus 7, cronus 17, harpies 18, moirae 10,"
    " hera ares 9, zeus 8, athena 15, artemis poseidon 19, dionysus 4, apollo 24",
    known="erinyes charon cerberus harpies cronus hera artemis apollo",
    eliminated="hermes",
    honor=(11, 8),
    energy=(10, 14),
)
"""The example of the rules, with its twelve prices."""
COMBAT: Final = helpers.play(
    helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15", honor=(11, 8)),
    "move 12 13 charon cronus",
)
QUESTIONS: Final[dict[str, tuple[State, tuple[str, ...], Faction]]] = {
    "aid": (helpers.at("olympians", "zeus 14, ares 13, aphrodite 7, hades 10, nyx 12", known="zeus hades nyx ares"),
            ("move 13 12 ares",), Faction.OLYMPIANS),
    "bolt": (helpers.at("olympians", "zeus 14, hades 10, hecate nyx 13", known="zeus"), ("bolt 13",),
             Faction.CHTHONIANS),
    "sneak": (helpers.at("chthonians", "erinyes 13, hades 10, ares hephaestus 14, zeus 15"), ("sneak 13 14",),
              Faction.OLYMPIANS),
    "retreat": (helpers.at("olympians", "moirae 13, hades 10, ares 14, zeus 15", known="zeus"),
                ("move 14 13 ares", *helpers.fights("retreat 0")), Faction.CHTHONIANS),
    "stay": (helpers.at("olympians", "cronus 13, hades 10, ares 14, zeus 15", known="zeus"),
             ("move 14 13 ares", *helpers.fights("retreat 5", "chase 0")), Faction.CHTHONIANS),
    "powers": (helpers.at("chthonians", "erinyes 13, hades 10, nyx 12, ares 14, zeus 15", eliminated="cerberus"), (),
               Faction.CHTHONIANS),
}  # fmt: skip
"""Positions and actions after which a question within a turn is asked, and of whom."""


def begin(
    size: tuple[int, int] = SIZES[0], faction: Faction = Faction.CHTHONIANS, terms: Terms | None = None
) -> StormScreen:
    """Return the console of a match that has just begun."""
    facts = {"match": "7c1f0a", "words": "otter anvil plum", "log": "/home/alice/7c1f.match"}
    screen = StormScreen(replace(STORM.begin_match(seated(faction, terms or Terms(), "bob", **facts)), compared=True))
    return after(screen, Resized(*size))


def asked(state: State, size: tuple[int, int] = SIZES[0], faction: Faction = Faction.CHTHONIANS) -> StormScreen:
    """Return the console while a decision is asked in a position."""
    view = helpers.owner_view(state, faction)
    return after(begin(size, faction, state.terms), Happened((), view), Asked(view))


def after(screen: S, *events: Event) -> S:
    """Return the model after events; what is put at the prompt is taken as typed."""
    for event in events:
        screen, _ = stepped(screen, event)
    return screen


def stepped(screen: S, event: Event) -> tuple[S, tuple[Effect, ...]]:
    """Return the model and the effects, those at the prompt carried out."""
    if isinstance(event, Entered):
        screen = replace(screen, typed="")
    screen, effects = update(screen, event)
    for effect in effects:
        if isinstance(effect, SetLine):
            screen, _ = update(screen, Typed(effect.text, by_hand=False))
    return screen, effects


def text(screen: ScreenState) -> str:
    """Return the picture of a model as text, with the line at its prompt."""
    frame = render(screen)
    return "\n".join(row.rstrip() for row in rows(frame, screen.typed)) + "\n"


def hint_of(screen: StormScreen) -> str:
    """Return the row below the prompt without its buttons."""
    row = plain(render(screen).below[0]).strip()
    return re.sub(r"^(\[[^\]]+\] )+", "", row).strip()


def rows(frame: Frame, typed: str = "") -> list[str]:
    """Return all rows of a picture."""
    return [*(plain(row) for row in frame.above), frame.prompt + typed, *(plain(row) for row in frame.below)]


def assert_picture(name: str, columns: int, shown: str) -> None:
    """Compare a picture with the recorded one of the same language and size; no row is wider than the window.

    Other languages than English have recorded pictures of the main screens; the others have to fit.
    """
    assert [row for row in shown.splitlines() if line_width(row) > columns] == []
    if language.current() == language.ENGLISH:
        helpers.assert_golden(f"tui_{name}_{columns}.txt", shown)
    elif name in MAIN_SCREENS:
        helpers.assert_golden(f"tui_{language.current()}_{name}_{columns}.txt", shown)


class Terminal:
    """A terminal in memory with a console in it, whose keys come from the test."""

    def __init__(self, size: tuple[int, int] = SIZES[0]) -> None:
        self.screen = pyte.Screen(*size)
        self._stream = pyte.Stream(self.screen)
        self._drawn = io.StringIO()
        self.output = Vt100_Output(self._drawn, self._size, term="xterm-256color", enable_cpr=False)

    def _size(self) -> Size:
        return Size(rows=self.screen.lines, columns=self.screen.columns)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self.screen.resize(rows, columns)

    @property
    def bells(self) -> int:
        """How often the bell was rung since somebody has looked."""
        return self._drawn.getvalue().count("\a")

    @property
    def shown(self) -> list[str]:
        """The rows of the screen."""
        self._stream.feed(self._drawn.getvalue())
        self._drawn.seek(0)
        self._drawn.truncate()
        return list(self.screen.display)


@dataclass(frozen=True)
class Played:
    """What a console has played, and how it looked after the last key."""

    match: FakeMatch
    player: ScreenPlayer
    screen: StormScreen
    shown: list[str]

    def shows(self, words: str) -> bool:
        """Return whether a row of the screen holds words."""
        return any(words in row for row in self.shown)


def play(
    state: State,
    steps: Iterable[str | Callable[[ScreenPlayer, Terminal], object]],
    *,
    size: tuple[int, int] = SIZES[0],
    faction: Faction = Faction.CHTHONIANS,
    seed: int = 1,
    most: int = 10_000,
    facts: Mapping[str, str] | None = None,
    **options: Any,
) -> Played:
    """Let a console play with keys, each of which is sent when the one before has had its effect.

    Args:
        state: the position, with open cards.
        steps: keys, or functions that look at player and terminal.
        size: of the window.
        faction: whose seat.
        seed: of the other side.
        most: actions of both sides.
        facts: more of what the player is told when he is seated.
        options: for the player.
    """
    terminal = Terminal(size)

    async def run() -> Played:
        with create_pipe_input() as pipe:
            player = ScreenPlayer(
                "alice", STORM, input=pipe, output=terminal.output, max_render_postpone_time=None, **options
            )
            match = FakeMatch(player, faction, random.Random(seed), state)
            match.facts = {**match.facts, **(facts or {})}
            running = asyncio.create_task(match.run(most))
            await calm()
            for step in steps:
                if isinstance(step, str):
                    pipe.send_text(step)
                else:
                    step(player, terminal)
                await calm()
            screen = player.screen
            assert isinstance(screen, StormScreen)
            played = Played(match, player, screen, terminal.shown)
            if not running.done():
                match.ended.set()
                player.dismiss()
            await running
            return played

    return asyncio.run(run())


async def calm(turns: int = 40) -> None:
    """Let everything that is ready have its effect; nothing here waits for a clock."""
    for _ in range(turns):
        await asyncio.sleep(0)


def actions(match: FakeMatch) -> list[str]:
    """Return what a player has decided, in words."""
    return [notation.format_action(action) for action in match.moves]


def walk_models(seed: int, steps: int) -> Sequence[StormScreen]:
    """Return consoles along a random game, where the player decides and where it does not."""
    rng = random.Random(seed)
    found = []
    for state, _ in helpers.walk(rng, helpers.random_start(rng), steps):
        request = engine.next_request(state)
        for faction in Faction:
            view = helpers.owner_view(state, faction)
            screen = after(begin(faction=faction, terms=state.terms), Happened((), view))
            found.append(after(screen, Asked(view)) if request is not None and faction in request.seats else screen)
    return found
