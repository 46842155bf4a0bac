"""How things look: the signs of the board, and the colours of everything.

Nothing is told by colour alone: enemies stand behind a sign or between two, prices have a sign.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters that a board is drawn with."""

    wave: str
    """The Styx, on a level edge."""
    bank: str
    """The Styx, on a slanted edge."""
    edge: str
    """A level edge of a region."""
    rising: str
    """A slanted edge from below left to above right."""
    falling: str
    full: str
    """A filled part of a bar."""
    empty: str
    """An empty part of a bar."""
    known: str
    """Behind an own unit that the opponent knows."""
    arrow: str
    level: str
    """A level line of a window or above a part of the screen."""
    upright: str
    """The side of a window."""
    corners: str
    """Of a window: above left and right, below left and right."""
    scale: str
    """Of a curve, from its lowest value to its highest."""


ASCII: Final = Signs("~", "~", "_", "/", "\\", "#", ".", "*", ">", "-", "|", "++++", "0123456789")
UNICODE: Final = Signs(
    "\u2248", "\u2248", "\u2581", "\u2571", "\u2572", "\u2588", "\u2591", "*", "\u2192", "\u2500", "\u2502",
    "\u250c\u2510\u2514\u2518", "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588",
)  # fmt: skip
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
    **PLAIN, "rule": "ansicyan", "own": "bold ansicyan", "seen": "bold underline ansicyan", "enemy": "bold ansiyellow",
    "hidden": "ansiyellow", "water": "ansiblue", "cost": "bold ansimagenta", "dim": "", "warn": "bold ansimagenta",
    "frame": "ansicyan", "red": "bold ansired", "blue": "bold ansiblue", "green": "bold ansigreen",
    "yellow": "bold ansiyellow",
}  # fmt: skip
"""The same for a terminal with sixteen colours, which its user has chosen; bright black is on many the background."""

TINTS: Final = {
    "underworld": "#5f005f", "tartarus": "#5f00af", "earth": "#303030", "olympus": "#00005f", "palace": "#5f5f00",
    "styx": "#005faf", "chosen": "#5f5f5f", "reach": "#005f5f", "attack": "#870000",
}  # fmt: skip
"""Backgrounds of the board: what a region is, or what could be done there."""

_INKS: Final = {
    "own": "bold #87ffff", "seen": "bold underline #87ffff", "enemy": "bold #ffd75f", "hidden": "#ffd75f",
    "water": "#d7ffff", "edge": "#dadada", "number": "#eeeeee", "picked": "reverse bold #ffffff",
    "free": "bold #ffffff", "gain": "bold #ffffff", "cost": "bold #ffd7ff", "dim": "#dadada", "warn": "bold #ffd7ff",
}  # fmt: skip
"""Foregrounds on the tints; each can be read on each of them."""


def on(ink: str, tint: str) -> str:
    """Return the style of something that is drawn on a tint of the board."""
    return f"{ink or 'edge'}-{tint}" if tint else ink


STYLES: Final = {
    **PLAIN, **{on(ink, tint): f"{look} bg:{paper}" for tint, paper in TINTS.items() for ink, look in _INKS.items()},
}  # fmt: skip
"""The classes of :mod:`cli.console.render.spans` in words of prompt_toolkit."""


def style_class(style: str) -> str:
    """Return a style of a span in the words of prompt_toolkit."""
    return f"class:{_PREFIX}{style}" if style else ""


def rules(*, sixteen: bool = False) -> dict[str, str]:
    """Return all classes with their looks, for a style of prompt_toolkit; sixteen colours have no tints."""
    found = {name: SIXTEEN[name.partition("-")[0]] for name in STYLES} if sixteen else STYLES
    return {f"{_PREFIX}{name}": look for name, look in found.items()}
