"""The terminal between two pictures: held, it shows neither the shell nor what somebody types meanwhile.

A picture takes the other screen of the terminal and gives it back at its end, so that the shell would be seen until the
next one begins, and the terminal would write what is typed into it.

What is *not* here: the pictures, which are :mod:`cli.console.shell`.
"""

import atexit
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

if sys.platform != "win32":
    import termios

_ENTER, _QUIT, _CLEAR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[H\x1b[2J"


class _Terminal:
    """What is known of the one terminal of this program."""

    held = False
    """Whether the other screen stays, whoever draws on it."""
    drawn = False
    """Whether a picture is drawn on it just now."""
    told = False
    """Whether something was said since the last picture."""
    before: Any = None
    """How the terminal was set before it was held; None while that is not changed."""


def is_held() -> bool:
    """Return whether the terminal shows its other screen until :func:`release`."""
    return _Terminal.held


def is_told() -> bool:
    """Return whether something was said since the last picture, which the next one would cover."""
    return _Terminal.told


def tell() -> None:
    """Note that something is said."""
    _Terminal.told = True


def hold() -> None:
    """Keep the other screen from here on, and write nothing that is typed; once more after a picture has ended.

    The console of Windows writes what is typed only while somebody reads a line, and keeps its screens to itself.
    """
    if sys.platform == "win32":
        return
    if not _Terminal.held:
        _Terminal.held = True
        atexit.register(release)
        if not _Terminal.drawn:
            _write(_ENTER + _CLEAR)
    if not _Terminal.drawn:
        _hush()


def release() -> None:
    """Give the shell its screen back; harmless when done twice."""
    if not _Terminal.held:
        return
    _Terminal.held = False
    atexit.unregister(release)
    if not _Terminal.drawn:
        _write(_QUIT)
    before, _Terminal.before = _Terminal.before, None
    if before is not None:
        _set(before)


def begin_picture() -> bool:
    """Note that a picture is drawn from here on; return whether it has to take the other screen itself."""
    _Terminal.drawn = True
    return not _Terminal.held


def end_picture() -> bool:
    """Note that a picture has ended; return whether it has to give the screen back itself."""
    _Terminal.drawn = _Terminal.told = False
    return not _Terminal.held


def drop_typed() -> None:
    """Forget what was typed while no picture was there: it was meant for none."""
    if sys.platform != "win32":
        with suppress(termios.error, OSError, ValueError):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


@contextmanager
def echoing() -> Iterator[None]:
    """Let a held terminal write what is typed while a question is asked in a line."""
    before = _Terminal.before
    if before is None:
        yield
        return
    _set(before)
    try:
        yield
    finally:
        if _Terminal.held:
            _hush()


def _hush() -> None:
    if sys.platform == "win32":
        return
    with suppress(termios.error, OSError, ValueError):
        found = termios.tcgetattr(sys.stdin.fileno())
        if _Terminal.before is None:
            _Terminal.before = list(found)
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
