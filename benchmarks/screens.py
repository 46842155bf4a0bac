"""The full-screen console against prompt_toolkit: a whole picture and a key, and the start to the menu.

Both pictures are drawn by one process in alternating slices, to the same kind of output.  Nothing that was drawn
before is kept for a whole picture: neither rows nor cells.
"""

from __future__ import annotations

import asyncio
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from benchmarks import goals
from benchmarks.footprint import children, start, surroundings
from cli.console import shell
from cli.console.messages import Event, Resized, Typed
from cli.console.reducer import update
from cli.console.render import spans
from cli.console.screen_state import Settings
from cli.console.shell.app import Console
from cli.match.player import Asked, Controls, Happened, Seated
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.render import board, ground
from cli.storm.render import screen as picture
from storm_p2p.storm import notation, views
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms

COLUMNS, ROWS = 120, 40
THEME, DEPTH = "dark", ColorDepth.DEPTH_24_BIT
LINE = "move 14 8 eri hec"
"""Typed key by key."""
IDLE_SECONDS = 5.0
POSITION = {
    "turn": "chthonians", "known": ["erinyes", "charon", "cerberus", "harpies", "hera", "artemis", "apollo"],
    "units": {
        "erinyes": 14, "hecate": 14, "hades": 12, "charon": 12, "persephone": 6, "cerberus": 7, "cronus": 17,
        "harpies": 18, "moirae": 10, "hera": 9, "ares": 9, "zeus": 8, "athena": 15, "artemis": 19, "poseidon": 19,
        "dionysus": 4, "apollo": 24,
    },
}  # fmt: skip
MENU_ENDS = b"Quit"
"""The last word of the menu."""


def output() -> Vt100_Output:
    """Return a terminal that throws away what is written to it."""
    size = Size(rows=ROWS, columns=COLUMNS)
    return Vt100_Output(io.StringIO(), lambda: size, term="xterm-256color", enable_cpr=False)


def model() -> StormScreen:
    """Return a console in the middle of a match."""
    state = views.public(notation.load_position(POSITION))
    mine = {
        token.serial: token.unit
        for group in notation.load_position(POSITION).sides[Faction.CHTHONIANS]
        for token in group
        if token.unit is not None
    }
    view = views.with_secrets(state, mine)
    screen = StormScreen(
        STORM.begin_match(Seated(Faction.CHTHONIANS, Terms(), "bob", cast(Controls, None), match="7c1f")),
        settings=Settings(theme=THEME, motion=True),
    )
    for event in (Resized(COLUMNS, ROWS), Happened((), view), Asked(view), Typed(LINE)):
        screen, _ = update(screen, event)
    return screen


def forget() -> None:
    """Let the next picture be drawn from nothing."""
    for cache in (board.draw, ground._points, ground._row, picture._panel_rows, shell._cells, spans.fitted):
        cache.cache_clear()


async def drawing(slices: int) -> tuple[float, float, float]:
    """Return the medians of the ratios of a whole picture and of a key, and the share of a core when idle."""
    current = model()

    def handle(event: Event) -> None:
        nonlocal current
        current, _ = update(current, event)

    with create_pipe_input() as pipe, create_pipe_input() as other:
        console = Console(
            lambda: current,
            handle,
            lambda line: [],
            lambda: None,
            lambda: None,
            print,
            input=pipe,
            output=output(),
            color_depth=DEPTH,
        )
        text = "\n".join("x" * COLUMNS for _ in range(ROWS))
        bare: Application[None] = Application(
            Layout(Window(FormattedTextControl(text))), full_screen=True, input=other, output=output()
        )

        def type_line() -> None:
            # What prompt_toolkit makes of a key belongs to it: bindings, the buffer, its own events.
            with set_app(console.application):
                for key in LINE:
                    console.application.key_processor.feed(KeyPress(key, key))
                    console.application.key_processor.process_keys()
                    console.application._redraw()

        console.start()
        running = asyncio.create_task(bare.run_async())
        await asyncio.sleep(0.1)
        whole, key = [], []
        for _ in range(slices):
            theirs = _whole(bare, lambda: None)
            whole.append(_whole(console.application, forget) / theirs)
            key.append(_timed(type_line) / len(LINE) / theirs)
            assert console.buffer.text == LINE
            console.buffer.reset()
        begin = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        idle = (time.process_time() - begin) / IDLE_SECONDS
        bare.exit()
        await running
        await console.stop()
    return statistics.median(whole), statistics.median(key), idle


def _whole(application: Application[None], before: Callable[[], None]) -> float:
    before()
    application.renderer.reset()
    return _timed(application._redraw)


def _timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def menu(kept: str, home: str) -> float:
    """Return the seconds of CPU time from the start of the program to its menu, seen through a pseudo-terminal."""
    import pty

    ours, theirs = pty.openpty()
    env = {**surroundings(kept), "STORM_P2P_HOME": home, "TERM": "xterm"}
    subprocess.run(["stty", "cols", str(COLUMNS), "rows", str(ROWS)], stdin=theirs, check=True)
    begin = children()
    child = subprocess.Popen(
        [sys.executable, "-m", "cli.app.main"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env,
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    while MENU_ENDS not in seen:
        seen += os.read(ours, 1 << 16)
    # What it does afterwards nobody waits for.
    child.kill()
    child.wait()
    os.close(ours)
    return children() - begin


def main(slices: int = 15) -> None:
    """Print everything."""
    whole, key, idle = asyncio.run(drawing(slices))
    goal = goals.say("whole picture", whole, most=1.3)
    print(f"screen: whole picture of {COLUMNS}x{ROWS} {whole:.2f} times a bare text ({goal})")
    print(
        f"screen: a key {key / whole:.2f} of a whole picture ({goals.say('a key', key / whole, most=0.5)}); "
        f"idle {idle:.1%} of a core ({goals.say('idle, percent of a core', idle * 100, most=1)}%)"
    )
    if os.name != "posix":
        return
    with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as home:
        (Path(home) / "settings.json").write_text('{"name": "alice"}')

        def pair() -> tuple[float, float]:
            return menu(kept, home), start(kept, "-c", "import prompt_toolkit")

        pair()
        ratio = statistics.median(mine / theirs for mine, theirs in (pair() for _ in range(slices)))
    goal = goals.say("menu", ratio, most=2)
    print(f"start: the menu stands after {ratio:.2f} times the import of prompt_toolkit ({goal})")
