"""Prints benchmarks as ratios, one after the other, and ends non-zero if a goal was missed."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Final

from benchmarks import goals

TOGETHER: Final = (
    "playouts",
    "verifying",
    "proofs",
    "piles",
    "exchange",
    "first_move",
    "wire_size",
    "footprint",
    "screens",
    "rooms",
    "tournaments",
)
"""What runs when none is named."""
ALONE: Final = ("archives", "people")
"""What takes minutes."""


def summary(name: str) -> str:
    """Return what a benchmark measures; to ask it itself would need the libraries that it measures."""
    text = ast.get_docstring(ast.parse(Path(__file__).with_name(f"{name}.py").read_text("utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def main(words: Sequence[str] | None = None) -> None:
    """Run those that are named, or all that take no minutes."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"{__doc__}\nWithout a name all run but {' and '.join(ALONE)}, which take minutes.",
        epilog="\n".join(
            fill(f"{name:11} {summary(name)}", 110, subsequent_indent=" " * 12) for name in TOGETHER + ALONE
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of those below")
    names = parser.parse_args(words).names or TOGETHER
    if unknown := [name for name in names if name not in TOGETHER + ALONE]:
        parser.error(f"no benchmark has the name {', '.join(unknown)}")
    for name in names:
        import_module(f"benchmarks.{name}").main()
    goals.end()


if __name__ == "__main__":
    main()
