"""Whether the terminal can show a board of 80 columns and 24 rows with line editing, and if not, why."""

import os
import select
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from cli.text import screens

COLUMNS: Final = 80
ROWS: Final = 24


def has_waiting_line() -> bool:
    """Return whether a line was typed or pasted at the terminal that nobody has read yet."""
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.kbhit()
    return bool(select.select([sys.stdin], [], [], 0)[0])


def why_plain() -> str | None:
    """Return why a person has to be shown plain lines here, as a sentence; None when nothing forbids the board."""
    size = _size()
    return str(screens.NO_TERMINAL) if size is None else reason(os.environ, *size)


def why_not_full() -> str | None:
    """Return why somebody with plain lines cannot have the whole screen now, and what to do; None when he can."""
    size = _size()
    return str(screens.NO_FULL_TERMINAL) if size is None else no_full(os.environ, *size)


def reason(environment: Mapping[str, str], columns: int, rows: int) -> str | None:
    """Return why a terminal of this kind and size gets plain lines, or None.

    A size of 0 is that of a terminal that does not know its own; then the board is tried.
    """
    if _is_dumb(environment):
        return str(screens.DUMB)
    return screens.small(columns, rows, COLUMNS, ROWS) if _is_small(columns, rows) else None


def no_full(environment: Mapping[str, str], columns: int, rows: int) -> str | None:
    """Return why a terminal of this kind and size cannot show the whole screen, and what to do, or None."""
    if _is_dumb(environment):
        return str(screens.NO_FULL_DUMB)
    return screens.too_small(columns, rows, COLUMNS, ROWS) if _is_small(columns, rows) else None


def _is_dumb(environment: Mapping[str, str]) -> bool:
    return environment.get("TERM") == "dumb"


def _is_small(columns: int, rows: int) -> bool:
    return 0 < columns < COLUMNS or 0 < rows < ROWS


def _size() -> tuple[int, int] | None:
    """Return the columns and rows of the terminal, or None where there is none at one of the ends."""
    if not is_terminal(sys.stdin, sys.stdout):
        return None
    try:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return None
    return columns, rows


def draws_unicode(signs: str, environment: Mapping[str, str]) -> bool:
    """Return whether more than ASCII is drawn: as ``signs`` says (``unicode`` or ``ascii``), else as the terminal does.

    The console of Linux has 256 signs and no fine ones, whatever the encoding is.
    """
    if signs in ("unicode", "ascii"):
        return signs == "unicode"
    if environment.get("TERM") in _COARSE:
        return False
    if environment.get("WT_SESSION"):
        return True
    locale = next((found for name in ("LC_ALL", "LC_CTYPE", "LANG") if (found := environment.get(name))), "")
    if locale == _COERCED and not environment.get("LC_ALL"):
        locale = environment.get("LANG", "")
    return locale.lower().replace("-", "").endswith("utf8")


_COARSE: Final = ("linux", "dumb")
_COERCED: Final = "C.UTF-8"
"""What Python itself puts into LC_CTYPE where the terminal has said nothing (PEP 538)."""


def is_terminal(*streams: TextIO | None) -> bool:
    """Return whether streams are all there, and screens."""
    try:
        return all(stream is not None and stream.isatty() for stream in streams)
    except ValueError:
        # It was closed.
        return False
