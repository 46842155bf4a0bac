"""Pictures of the README, drawn from the rows of the screens: board, combat, cards, replay and a whole match.

::

    python tests/pictures.py              draws all of them anew; look at them before you commit them

``tests/console/test_pictures.py`` finds one that is not what would be drawn now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

import helpers
import helpers_tui as tui
from console import fight_console as fight

from cli.app import games
from cli.app.replay import begin
from cli.clean import width
from cli.console.messages import Typed
from cli.console.render import replay
from cli.console.render.screen import render
from cli.console.render.spans import STYLES, Line
from cli.console.replay import Replay, press
from cli.console.screen_state import ScreenState
from protocol.core.agreement import read_agreement
from protocol.core.game_data import read_data, supply
from protocol.core.transcript import Transcript
from protocol.record import logfile
from storm_p2p import games as rules

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "docs" / "pictures"
LOG: Final = ROOT / "tests" / "logs" / "protocol3-rules2" / "hash-dealt-rules-clock.storm"
"""A match of another day, which no change of a computer player makes another one."""
INK, PAPER = "#d0d0d0", "#121212"
"""Of a terminal that looks good on both themes of a web page."""
CELL: Final = (9, 19)
"""Columns and rows of a cell in pixels."""
SECONDS: Final = 1.0
"""Between two steps of the match that is shown."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a span looks."""

    ink: str
    paper: str
    """Empty for that of the terminal."""
    bold: bool
    underline: bool


@lru_cache(maxsize=512)
def look(style: str) -> Look:
    """Return how a span of a style looks, whose words are those of prompt_toolkit."""
    words = (style if "#" in style else STYLES.get(style, "")).split()
    ink = next((word for word in words if word.startswith("#")), INK)
    paper = next((word.removeprefix("bg:") for word in words if word.startswith("bg:")), "")
    if "reverse" in words:
        ink, paper = paper or PAPER, ink
    return Look(ink, paper, "bold" in words, "underline" in words)


# -- one picture ----------------------------------------------------------------------------------------------


def svg(rows: Sequence[Line]) -> str:
    """Return rows of a screen as a picture."""
    across, down = CELL
    columns = max(sum(width(text) for _, text in row) for row in rows)
    drawn: list[str] = []
    for number, row in enumerate(rows):
        column = 0
        for style, text in row:
            drawn += _span(look(style), text, column * across, number * down)
            column += width(text)
    return _picture(columns, len(rows), "\n".join(drawn))


def _picture(columns: int, rows: int, inside: str) -> str:
    whole = f"{columns * CELL[0] + 16} {rows * CELL[1] + 16}"
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole}" font-family="ui-monospace, \
SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="15" xml:space="preserve">
<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>
<style>rect{{shape-rendering:crispEdges}}</style>
<g transform="translate(8 8)">
{inside}
</g>
</svg>
"""


def _span(seen: Look, text: str, left: int, top: int) -> Iterator[str]:
    """Yield the elements of one span: its ground, the lines in it, and its letters a word at a time."""
    across, down = CELL
    if seen.paper:
        yield f'<rect x="{left}" y="{top}" width="{len(text) * across}" height="{down}" fill="{seen.paper}"/>'
    for run in re.finditer("|".join(f"{char}+" for char in _HALVES), text):
        place = f'x="{left + run.start() * across}" y="{top + _HALVES[run[0][0]][0] * down:g}"'
        size = f'width="{len(run[0]) * across}" height="{_HALVES[run[0][0]][1] * down:g}"'
        yield f'<rect {place} {size} fill="{seen.ink}"/>'
    path = "".join(_LINES[char](left + at * across, top) for at, char in enumerate(text) if char in _LINES)
    if path:
        yield f'<path d="{path}" stroke="{seen.ink}" fill="none"/>'
    letters = "".join(" " if char in _LINES or char in _HALVES else char for char in text)
    kept = letters.strip(" ")
    if kept:
        start = left + (len(letters) - len(letters.lstrip(" "))) * across
        more = (' font-weight="bold"' if seen.bold else "") + (' text-decoration="underline"' if seen.underline else "")
        place = f'x="{start}" y="{top + 14}" textLength="{len(kept) * across}"'
        yield f'<text {place} fill="{seen.ink}"{more}>{escape(kept, quote=False)}</text>'


def _drawn(*points: tuple[float, float]) -> Callable[[int, int], str]:
    """Return what draws a line through points of a cell, whose sides are 1."""

    def path(left: int, top: int) -> str:
        across, down = CELL
        return "".join(
            f"{'L' if at else 'M'}{left + x * across:g} {top + y * down:g}" for at, (x, y) in enumerate(points)
        )

    return path


_LINES: Final = {
    "\u2571": _drawn((0, 1), (1, 0)),
    "\u2572": _drawn((0, 0), (1, 1)),
    "\u2581": _drawn((0, 1), (1, 1)),
    "\u2500": _drawn((0, 0.5), (1, 0.5)),
    "\u2502": _drawn((0.5, 0), (0.5, 1)),
    "\u250c": _drawn((1, 0.5), (0.5, 0.5), (0.5, 1)),
    "\u2510": _drawn((0, 0.5), (0.5, 0.5), (0.5, 1)),
    "\u2514": _drawn((1, 0.5), (0.5, 0.5), (0.5, 0)),
    "\u2518": _drawn((0, 0.5), (0.5, 0.5), (0.5, 0)),
}
"""Signs that a terminal draws itself, so that they meet whatever the font is."""


_HALVES: Final = {"\u2580": (0.0, 0.5), "\u2584": (0.5, 0.5), "\u2588": (0.0, 1.0)}
"""Where in its cell a filled part begins, and how high it is."""


def rows_of(screen: ScreenState) -> list[Line]:
    """Return all rows of the console, with what is typed at its prompt."""
    frame = render(screen)
    return [*frame.above, (("prompt", frame.prompt), ("", f"{screen.typed}\u2588")), *frame.below]


# -- a whole match --------------------------------------------------------------------------------------------


def recorded(file: Path = LOG) -> Replay:
    """Return the replay of a match that was played once, as both sides know it together."""
    log = logfile.load(logfile.read(file))
    agreement = read_agreement(log.records)
    data, begins = read_data(log.records)
    transcript = Transcript(agreement, supply(rules.find(agreement.game, agreement.game_version), data))
    for record in log.records[begins:]:
        transcript.accept(record.frame)
    return begin(games.find(agreement.game), transcript, "all")


def at(shown: Replay, step: int) -> Replay:
    """Return a replay at one of its steps, the first of which is 0."""
    return replace(shown, at=step)


def film(frames: Sequence[Sequence[Line]]) -> str:
    """Return screens of one size as a picture that shows one after the other, without a script.

    A row is drawn once for as long as it stays the same, and CSS shows it in that time.
    """
    columns, whole = sum(width(text) for _, text in frames[0][0]), len(frames) * SECONDS
    drawn, times = [], set()
    for number in range(len(frames[0])):
        end = 0
        for row, run in groupby(frame[number] for frame in frames):
            first, end = end, end + len(list(run))
            column = 0
            parts: list[str] = []
            for style, text in row:
                parts += _span(look(style), text, column * CELL[0], number * CELL[1])
                column += width(text)
            if end - first < len(frames):
                times.add((first, end))
            drawn.append(f'<g class="a{first}-{end}">{"".join(parts)}</g>' if parts else "")
    rules = []
    for first, end in sorted(times):
        begins, ends = (f"{100 * frame / len(frames):.4g}%" for frame in (first, end))
        shown = f"0%{{visibility:hidden}}{begins}{{visibility:visible}}" if first else "0%{visibility:visible}"
        hidden = f"{ends}{{visibility:hidden}}" if end < len(frames) else ""
        rules.append(f".a{first}-{end}{{animation:a{first}-{end} {whole:g}s steps(1,end) infinite}}")
        rules.append(f"@keyframes a{first}-{end}{{{shown}{hidden}}}")
    return _picture(columns, len(frames[0]), f"<style>{''.join(rules)}</style>\n" + "\n".join(filter(None, drawn)))


# -- all of them ----------------------------------------------------------------------------------------------


def pictures() -> dict[str, str]:
    """Return what stands in each file of the folder."""
    board = tui.after(tui.asked(tui.EXAMPLE, tui.SIZES[1]), Typed("14 eri hec"))
    board = replace(board, settings=replace(board.settings, theme="dark"))
    combat = tui.after(tui.asked(helpers.play(tui.EXAMPLE, "move 14 9", "aid none"), tui.SIZES[1]), Typed("std 3"))
    combat = replace(combat, settings=replace(combat.settings, theme="dark"))
    cards = tui.after(fight.asked(fight.seen(fight.BOARD), tui.SIZES[1]), Typed("play 3 2 pay 63"))
    cards = replace(cards, settings=replace(cards.settings, theme="dark"))
    match = recorded()
    looked_at = replace(match, columns=120, rows=40, theme="dark")
    for key in "cc":
        looked_at, _ = press(looked_at, key)
    return {
        "board.svg": svg(rows_of(board)),
        "combat.svg": svg(rows_of(combat)),
        "cards.svg": svg(rows_of(cards)),
        "replay.svg": svg(replay.render(looked_at)),
        "match.svg": film([replay.render(replace(at(match, step), theme="dark")) for step in range(match.last + 1)]),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, made in pictures().items():
        (FOLDER / name).write_text(made, encoding="utf-8", newline="\n")
