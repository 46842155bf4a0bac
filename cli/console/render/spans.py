"""Text with styles: a line is a tuple of spans, and a span is a style and clean text.  Pure.

Styles are the names of :mod:`cli.console.render.spans`; nothing here knows a colour.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final, TypeAlias

from cli.clean import fit, shorten
from cli.clean import width as columns_of


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters that a board is drawn with."""

    wave: str
    """The Styx."""
    edge: str
    """A level edge of a region."""
    rising: str
    """A slanted edge from below left to above right."""
    falling: str
    full: str
    """A filled part of a bar."""
    empty: str
    """An empty part of a bar."""
    arrow: str
    level: str
    """A level line of a window or above a part of the screen."""
    upright: str
    """The side of a window."""
    corners: str
    """Of a window: above left and right, below left and right."""
    scale: str
    """Of a curve, from its lowest value to its highest."""


ASCII: Final = Signs("~", "_", "/", "\\", "=", ".", ">", "-", "|", "++++", "0123456789")
UNICODE: Final = Signs(
    "\u2248",
    "\u2581",
    "\u2571",
    "\u2572",
    "\u2588",
    "\u2591",
    "\u2192",
    "\u2500",
    "\u2502",
    "\u250c\u2510\u2514\u2518",
    "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588",
)
"""Diagonals from corner to corner, and a line at the foot of its cell: together they are hexes without gaps."""


def signs(*, unicode: bool) -> Signs:
    """Return the characters to draw with."""
    return UNICODE if unicode else ASCII


_PREFIX: Final = "storm-"
"""Before every class, because prompt_toolkit has classes of its own: its ``hidden`` conceals text."""

PLAIN: Final = {
    "head": "reverse",
    "rule": "#008787",
    "own": "bold #008787",
    "seen": "bold underline #008787",
    "enemy": "bold #af5f00",
    "hidden": "#af5f00",
    "water": "#5f5fff",
    "edge": "",
    "number": "",
    "picked": "reverse bold",
    "free": "bold",
    "gain": "bold",
    "cost": "bold #d700af",
    "dim": "#767676",
    "title": "bold",
    "warn": "bold #d700af",
    "key": "reverse",
    "button": "reverse bold",
    "hint": "",
    "prompt": "bold",
    "frame": "#008787",
    "red": "bold #d700af",
    "blue": "bold #5f5fff",
    "green": "bold #008700",
    "yellow": "bold #af5f00",
}
"""Looks on the terminal's own background, in words of prompt_toolkit; each colour can be read on black and on white."""

SIXTEEN: Final = {
    **PLAIN,
    "rule": "ansicyan",
    "own": "bold ansicyan",
    "seen": "bold underline ansicyan",
    "enemy": "bold ansiyellow",
    "hidden": "ansiyellow",
    "water": "ansiblue",
    "cost": "bold ansimagenta",
    "dim": "",
    "warn": "bold ansimagenta",
    "frame": "ansicyan",
    "red": "bold ansired",
    "blue": "bold ansiblue",
    "green": "bold ansigreen",
    "yellow": "bold ansiyellow",
}
"""The same for a terminal with sixteen colours, which its user has chosen; bright black is on many the background."""

TINTS: Final = {
    "underworld": "#5f005f",
    "tartarus": "#5f00af",
    "earth": "#303030",
    "olympus": "#00005f",
    "palace": "#5f5f00",
    "styx": "#005faf",
    "chosen": "#5f5f5f",
    "reach": "#005f5f",
    "attack": "#870000",
}
"""Backgrounds of the board: what a region is, or what could be done there."""

DARK_INKS: Final = {
    "own": "bold #87ffff",
    "seen": "bold underline #87ffff",
    "enemy": "bold #ffd75f",
    "hidden": "#ffd75f",
    "water": "#d7ffff",
    "edge": "#dadada",
    "number": "#eeeeee",
    "picked": "reverse bold #ffffff",
    "free": "bold #ffffff",
    "gain": "bold #ffffff",
    "cost": "bold #ffd7ff",
    "dim": "#dadada",
    "warn": "bold #ffd7ff",
}
"""Foregrounds on the tints; each can be read on each of them."""

LIGHT_INKS: Final = {
    "own": "bold #00406e",
    "seen": "bold underline #00406e",
    "enemy": "bold #6b2d00",
    "hidden": "#6b2d00",
    "water": "#001c46",
    "edge": "#1c1c1c",
    "number": "#1c1c1c",
    "picked": "reverse bold #000000",
    "free": "bold #000000",
    "gain": "bold #000000",
    "cost": "bold #6e0050",
    "dim": "#303030",
    "warn": "bold #6e0050",
}
"""The same on light grounds."""


Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, from 0 to 255."""
RIVERS: Final[Mapping[str, tuple[Colour, Colour]]] = {
    "dark": ((64, 178, 226), (92, 204, 244)),
    "light": ((54, 138, 206), (84, 164, 224)),
    "contrast": ((0, 160, 255), (90, 200, 255)),
}
"""The Styx in half blocks, by the names of the themes that have them."""


@lru_cache(maxsize=256)
def hexadecimal(colour: Colour) -> str:
    """Return a colour in words of prompt_toolkit."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def on(ink: str, tint: str) -> str:
    """Return the style of something that is drawn on a tint of the board."""
    return f"{ink or 'edge'}-{tint}" if tint else ink


STYLES: Final = {
    **PLAIN,
    **{on(ink, tint): f"{look} bg:{paper}" for tint, paper in TINTS.items() for ink, look in DARK_INKS.items()},
}
"""The classes of :mod:`cli.console.render.spans` in words of prompt_toolkit."""


def style_class(style: str) -> str:
    """Return a style of a span in the words of prompt_toolkit; one that names its colours is in these words already."""
    return style if "#" in style else f"class:{_PREFIX}{style}" if style else ""


def rules(*, sixteen: bool = False) -> dict[str, str]:
    """Return all classes with their looks, for a style of prompt_toolkit; sixteen colours have no tints."""
    found = {name: SIXTEEN[name.partition("-")[0]] for name in STYLES} if sixteen else STYLES
    return {f"{_PREFIX}{name}": look for name, look in found.items()}


Span: TypeAlias = tuple[str, str]
"""A style class without its prefix or a look in words of prompt_toolkit, and text."""
Line: TypeAlias = tuple[Span, ...]

EMPTY: Line = ()
_LEAST_NAME = 4
"""So many columns of a name are left."""
_APART = 3
"""Columns between two words that turn over each by itself."""
_MOST_WRAPPED = 8192
"""So many texts are wrapped once and not again for each picture: more than a log has lines."""


def plain(line: Line) -> str:
    """Return the text of a line."""
    return "".join(text for _, text in line)


def line(text: str, style: str = "") -> Line:
    """Return a line in one style."""
    return ((style, text),) if text else EMPTY


def line_width(text: str) -> int:
    """Return how many columns a clean text takes."""
    return len(text) if text.isascii() else columns_of(text)


@lru_cache(maxsize=1 << 10)
def fitted(spans: Line, columns: int, fill: str = "") -> Line:
    """Return a line of exactly ``columns`` columns, shortened or filled with blanks in the style ``fill``."""
    kept: list[Span] = []
    left = columns
    for style, text in spans:
        room = line_width(text)
        if room > left:
            text = shorten(text, left)
            kept.append((style, text))
            left -= line_width(text)
            break
        if text:
            kept.append((style, text))
            left -= room
    if left > 0:
        kept.append((fill, " " * left))
    return tuple(kept)


@lru_cache(_MOST_WRAPPED)
def wrapped(text: str, columns: int, indent: str = "  ") -> tuple[str, ...]:
    """Return a text as lines of at most ``columns`` columns, broken at words; what follows is indented."""
    if line_width(text) <= columns:
        return (text,)
    start = text[: len(text) - len(text.lstrip(" "))]
    if text.isascii():
        # A path, a command and -hra, an enemy, are found again only in one piece.
        return tuple(textwrap.wrap(text, columns, subsequent_indent=start + indent, break_on_hyphens=False)) or ("",)
    return tuple(_wide_lines(text.split(), columns, start, start + indent))


def _wide_lines(words: Sequence[str], columns: int, first: str, indent: str) -> Iterator[str]:
    """Yield lines of words, measured in columns of a terminal; a word that is longer than a line is divided."""
    row = first
    begun = False
    for word in words:
        if begun and line_width(row) + 1 + line_width(word) > columns:
            yield row
            row, begun = indent, False
        row += " " if begun else ""
        rest = word
        while line_width(row) + line_width(rest) > columns:
            part = fit(rest, columns - line_width(row)) or rest[:1]
            yield row + part
            row, rest = indent, rest[len(part) :]
        row += rest
        begun = True
    yield row


def paragraphs(texts: Iterable[str], columns: int) -> list[str]:
    """Return several texts, wrapped."""
    return [row for text in texts for row in wrapped(text, columns)]


def flowed(texts: Sequence[str], columns: int, rows: int) -> list[str]:
    """Return several texts, wrapped; where they have too few rows, those behind the first one follow on one another."""
    found = paragraphs(texts, columns)
    if len(found) <= rows or not rows:
        return found[:rows]
    first, rest = texts[0], " ".join(text.strip() for text in texts[1:])
    found = [*wrapped(first, columns), *(wrapped(f"  {rest}", columns, "") if rest else [])]
    found = found if len(found) <= rows else list(wrapped(f"{first} {rest}", columns))
    # What is left out is seen to be.
    return found if len(found) <= rows else [*found[: rows - 1], shorten(" ".join(found[rows - 1 :]), columns)]


def beside(left: Sequence[Line], right: Sequence[Line], columns: int) -> list[Line]:
    """Return two blocks side by side, the left one ``columns`` wide."""
    rows = max(len(left), len(right))
    return [
        fitted(left[row] if row < len(left) else EMPTY, columns) + (right[row] if row < len(right) else EMPTY)
        for row in range(rows)
    ]


def cells(row: Line) -> list[Span]:
    """Return a row as a span for each of its columns; behind a wide character follows an empty one."""
    return [(style, part) for style, text in row for char in text for part in (char, *[""] * (columns_of(char) - 1))]


def joined_cells(found: Iterable[Span]) -> Line:
    """Return characters as the spans that they make."""
    return tuple((style, "".join(char for _, char in run)) for style, run in groupby(found, lambda cell: cell[0]))


def turned(before: Sequence[Line], after: Sequence[Line], share: float) -> tuple[Line, ...]:
    """Return a picture in which what differs from another one turns over, from side to side of each of its parts.

    Args:
        before: rows of a picture.
        after: as many of the same width.
        share: how far it has turned, from 0 to 1.
    """
    rows = []
    for old, new in zip(before, after, strict=True):
        was, now = cells(old), cells(new)
        found = [number for number, pair in enumerate(zip(was, now, strict=True)) if pair[0] != pair[1]]
        drawn = list(now)
        while found:
            # A blank or two that both have alike divide no word.
            end = next((at for at, (one, other) in enumerate(pairwise(found), 1) if other - one > _APART), len(found))
            first, last = found[0], found[end - 1]
            half = abs(1 - 2 * share) * (last - first + 1) / 2
            for column in range(first, last + 1):
                seen = abs(column - (first + last) / 2) < half
                drawn[column] = (was if share < 0.5 else now)[column] if seen else (now[column][0], " ")
            del found[:end]
        rows.append(joined_cells(drawn))
    return tuple(rows)


def joined(parts: Sequence[tuple[int, str]], columns: int) -> str:
    """Return the parts of a title with a stroke between them; where they have no room, those of the least rank go.

    Those of the highest rank stay, all of them, so that the text can still be too long.
    """
    kept, highest = list(parts), max(rank for rank, _ in parts)
    while line_width(" | ".join(text for _, text in kept)) > columns and (least := min(kept))[0] < highest:
        kept.remove(least)
    return " | ".join(text for _, text in kept)


def with_name(make: Callable[[str], str], name: str, columns: int) -> str:
    """Return a text with a name in it; where it has no room, the name is shortened and nothing of ours."""
    text = make(name)
    over = line_width(text) - columns
    return make(shorten(name, max(_LEAST_NAME, line_width(name) - over))) if over > 0 else text


def first_fitting(texts: Sequence[str], columns: int) -> str:
    """Return the first text that fits, the longest first; the last one shortened when none does."""
    return next((text for text in texts if line_width(text) <= columns), shorten(texts[-1], columns))


@lru_cache(maxsize=1 << 8)
def finer(row: Line) -> Line:
    """Return a row drawn in ASCII with finer signs for ``--`` and a last ``-`` (no hyphen of a word), ``|``, ``+``."""
    level, upright, corners = UNICODE.level, UNICODE.upright, UNICODE.corners
    frames = [text for style, text in row if style == "frame"]
    # Only the upper edge of a window has its title in the frame.
    above = len(frames) == 1
    found: list[Span] = []
    for style, text in row:
        if style in ("rule", "frame"):
            text = re.sub("-{2,}|(?<= )-$", lambda run: level * len(run[0]), text)
        if style == "frame":
            text = text.replace("|", upright)
            if text.startswith(" +"):
                text = f" {corners[0 if above else 2]}{text[2:]}"
            if text.endswith("+"):
                text = text[:-1] + corners[1 if above else 3]
        found.append((style, text))
    return tuple(found)


BLOCKS: Final = {"##": "\u2588", "# ": "\u2580", " #": "\u2584", "  ": " "}
"""What is seen of two points, one above the other."""


def section(title: str, columns: int) -> Line:
    """Return the rule above a part of the screen."""
    if not title:
        return (("rule", "-" * columns),)
    head = f"-- {shorten(title, columns - 6)} "
    return (("rule", head + "-" * (columns - line_width(head))),)


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a row that can be clicked."""

    row: int
    left: int
    right: int
    """The column behind its last one."""
    what: str
    """``send``, ``no``, ``word WORD`` (is taken), ``choose WORDS`` (is typed), ``key NAME``, or the game's own."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: the rows above and below the prompt, and what can be clicked."""

    above: tuple[tuple[tuple[str, str], ...], ...]
    prompt: str
    below: tuple[tuple[tuple[str, str], ...], ...]
    zones: tuple[Zone, ...] = field(default=())


def zone_at(frame: Frame, row: int, column: int) -> str:
    """Return what is under a cell of the screen, or nothing."""
    for zone in reversed(frame.zones):
        if zone.row == row and zone.left <= column < zone.right:
            return zone.what
    return ""
