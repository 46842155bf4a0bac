"""Whether the terminal can show a board of 80 columns and 24 rows with line editing, and if not, why."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from cli.text import terminals

COLUMNS: Final = 80
ROWS: Final = 24


def why_plain() -> str | None:
    """Return why a person has to be shown plain lines here, as a sentence; None when nothing forbids the board."""
    if not _is_terminal(sys.stdin) or not _is_terminal(sys.stdout):
        return terminals.NO_TERMINAL
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return terminals.NO_TERMINAL
    return reason(os.environ, columns, rows)


def reason(environment: Mapping[str, str], columns: int, rows: int) -> str | None:
    """Return why a terminal of this kind and size gets plain lines, or None.

    A size of 0 is that of a terminal that does not know its own; then the board is tried.
    """
    if environment.get("TERM") == "dumb":
        return terminals.DUMB
    if 0 < columns < COLUMNS or 0 < rows < ROWS:
        return terminals.small(columns, rows, COLUMNS, ROWS)
    return None


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        # It was closed.
        return False
