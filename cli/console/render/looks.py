"""How things look: the signs of the board, and sixteen colours that follow the palette of the terminal.

Nothing is told by colour alone: own units are upper case, enemies in lower case behind a sign, prices have a sign.
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


ASCII: Final = Signs("~", "~", "_", "#", ".", "*", ">", "-", "|", "++++")
UNICODE: Final = Signs(
    "\u2248", "\u2248", "_", "\u2588", "\u2591", "*", "\u2192", "\u2500", "\u2502", "\u250c\u2510\u2514\u2518"
)


def signs(*, unicode: bool) -> Signs:
    """Return the characters to draw with."""
    return UNICODE if unicode else ASCII


_PREFIX: Final = "storm-"
"""Before every class, because prompt_toolkit has classes of its own: its ``hidden`` conceals text."""

STYLES: Final = {
    "head": "reverse",
    "rule": "ansicyan",
    "own": "bold ansibrightcyan",
    "seen": "bold underline ansibrightcyan",
    "enemy": "bold ansiyellow",
    "hidden": "ansiyellow",
    "water": "ansiblue",
    "edge": "",
    "number": "",
    "picked": "reverse bold",
    "free": "bold",
    "gain": "bold",
    "cost": "bold ansimagenta",
    "dim": "ansibrightblack",
    "title": "bold",
    "warn": "bold ansimagenta",
    "key": "reverse",
    "button": "reverse bold",
    "hint": "",
    "prompt": "bold",
    "frame": "ansicyan",
}
"""The classes of :mod:`cli.console.render.spans` in words of prompt_toolkit."""


def style_class(style: str) -> str:
    """Return a style of a span in the words of prompt_toolkit."""
    return f"class:{_PREFIX}{style}" if style else ""


def rules() -> dict[str, str]:
    """Return all classes with their looks, for a style of prompt_toolkit."""
    return {f"{_PREFIX}{name}": look for name, look in STYLES.items()}
