"""What is to be reached: a benchmark says its figure and its goal, and its process ends non-zero if one is missed."""

from __future__ import annotations

import sys
from typing import Final

MISSED: Final[list[str]] = []
"""What was said about the goals that were missed."""


def say(name: str, figure: float, *, most: float | None = None, least: float | None = None) -> str:
    """Return the goal of a figure in words for a line of results, and remember when it was missed."""
    words = f"goal at least {least:g}" if least is not None else f"goal {most:g}"
    if (least is not None and figure < least) or (most is not None and figure > most):
        MISSED.append(f"{name}: {figure:.2f}, {words}")
        return f"{words}, MISSED"
    return words


def end() -> None:
    """End the process: with 1 and a list of the goals that were missed, if there are any."""
    for line in MISSED:
        print(f"missed: {line}", file=sys.stderr)
    sys.exit(bool(MISSED))
