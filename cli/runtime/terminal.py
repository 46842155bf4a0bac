"""Whether the terminal can show a board of 80 columns and 24 rows with line editing, and if not, why.

Between two pictures it is held: it shows neither the shell nor what somebody types meanwhile.  A picture takes the
other screen of the terminal and gives it back at its end, so that the shell would be seen until the next one begins,
and the terminal would write what is typed into it.
"""

import atexit
import os
import re
import select
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final, TextIO

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
    """Return why a person has to be shown plain lines now, and what to do; None when nothing forbids the board."""
    size = _size()
    return str(screens.NO_TERMINAL) if size is None else reason(os.environ, *size)


def reason(environment: Mapping[str, str], columns: int, rows: int) -> str | None:
    """Return why a terminal of this kind and size gets plain lines, or None.

    A size of 0 is that of a terminal that does not know its own; then the board is tried.
    """
    if environment.get("TERM") == "dumb":
        return str(screens.DUMB)
    is_small = 0 < columns < COLUMNS or 0 < rows < ROWS
    return screens.too_small(columns, rows, COLUMNS, ROWS) if is_small else None


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


def colours(environment: Mapping[str, str]) -> int:
    """Return how many bits a colour of the terminal has: 1, 4, 8 or 24."""
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return 1
    if forced := re.fullmatch(r"DEPTH_(\d+)_BIT", environment.get("PROMPT_TOOLKIT_COLOR_DEPTH", "")):
        return int(forced[1])
    if environment.get("TERM", "") in ("linux", "eterm-color"):
        return 4
    return 24 if environment.get("COLORTERM") in ("truecolor", "24bit") or environment.get("WT_SESSION") else 8


TINTED: Final = 8
"""The least bits of a colour for a board in half blocks."""


def theme(chosen: str, *, unicode: bool, environment: Mapping[str, str]) -> str:
    """Return the theme of the board: the chosen one if the terminal can show it, else what the terminal is made for."""
    if not unicode or colours(environment) < TINTED:
        return "lines"
    light = environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
    return chosen or ("light" if light else "dark")


def looks(signs: str, chosen: str) -> tuple[bool, str]:
    """Return whether more than ASCII is drawn on this terminal, and the theme of its board, by what is chosen."""
    unicode = draws_unicode(signs, os.environ)
    return unicode, theme(chosen, unicode=unicode, environment=os.environ)


def is_terminal(*streams: TextIO | None) -> bool:
    """Return whether streams are all there, and screens."""
    try:
        return all(stream is not None and stream.isatty() for stream in streams)
    except ValueError:
        # It was closed.
        return False


if sys.platform != "win32":
    import termios

_ENTER, _QUIT, _CLEAR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[H\x1b[2J"


class Terminal:
    """What is known of the one terminal of this program."""

    held = False
    """Whether the other screen stays until :func:`release`, whoever draws on it."""
    drawn = False
    """Whether a picture is drawn on it just now, through which nothing may be written."""
    told = False
    """Whether something was said since the last picture, which the next one would cover."""
    before: Any = None
    """How the terminal was set before it was held; None while that is not changed."""


def hold() -> None:
    """Keep the other screen from here on, and write nothing that is typed; once more after a picture has ended.

    The console of Windows writes what is typed only while somebody reads a line, and keeps its screens to itself.
    """
    if sys.platform == "win32":
        return
    if not Terminal.held:
        Terminal.held = True
        atexit.register(release)
        if not Terminal.drawn:
            _write(_ENTER + _CLEAR)
    if not Terminal.drawn:
        _hush()


def release() -> None:
    """Give the shell its screen back; harmless when done twice."""
    if not Terminal.held:
        return
    Terminal.held = False
    atexit.unregister(release)
    if not Terminal.drawn:
        _write(_QUIT)
    before, Terminal.before = Terminal.before, None
    if before is not None:
        _set(before)


def begin_picture() -> bool:
    """Note that a picture is drawn from here on; return whether it has to take the other screen itself."""
    Terminal.drawn = True
    return not Terminal.held


def end_picture() -> bool:
    """Note that a picture has ended; return whether it has to give the screen back itself."""
    Terminal.drawn = Terminal.told = False
    return not Terminal.held


def drop_typed() -> None:
    """Forget what was typed while no picture was there: it was meant for none."""
    if sys.platform != "win32":
        with suppress(termios.error, OSError, ValueError):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


@contextmanager
def echoing() -> Iterator[None]:
    """Let a held terminal write what is typed while a question is asked in a line."""
    before = Terminal.before
    if before is None:
        yield
        return
    _set(before)
    try:
        yield
    finally:
        if Terminal.held:
            _hush()


def _hush() -> None:
    if sys.platform == "win32":
        return
    with suppress(termios.error, OSError, ValueError):
        found = termios.tcgetattr(sys.stdin.fileno())
        if Terminal.before is None:
            Terminal.before = list(found)
        found[3] &= ~termios.ECHO
        _set(found)


def _set(wanted: Any) -> None:
    if sys.platform != "win32":
        with suppress(termios.error, OSError, ValueError):
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, wanted)


def _write(text: str) -> None:
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.write(text)
        sys.stdout.flush()
