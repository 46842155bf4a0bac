"""Why a person is shown plain lines."""

from __future__ import annotations

from typing import Final

from cli.text.wording import fill, speak

speak(__name__)

NO_TERMINAL: Final = "Plain mode: input or output is not a terminal."
DUMB: Final = "Plain mode: this terminal says that it can show lines only (TERM=dumb)."

NO_MENU: Final = "The menu needs a terminal of 80x24 or more; storm-p2p play --plain plays in plain lines."


def small(columns: int, rows: int, wanted_columns: int, wanted_rows: int) -> str:
    """Return that a window is too small for the board, and what helps."""
    return fill(
        "Plain mode: this window is {columns}x{rows} and the board needs {wanted_columns}x{wanted_rows};"
        " make it larger and start again to see the board.",
        columns=columns, rows=rows, wanted_columns=wanted_columns, wanted_rows=wanted_rows,
    )  # fmt: skip
