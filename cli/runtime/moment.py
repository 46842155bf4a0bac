"""The time that sessions are told: seconds since 1970 that never go back while the program runs.

It goes on while the machine sleeps, where the system can say so, and nobody who sets the clock moves it.
"""

import time

from cli.text import clocks

# Linux stops its monotonic clock while the machine sleeps; a closed lid is time all the same.
_SLEEPLESS: int | None = getattr(time, "CLOCK_BOOTTIME", None)


_LATEST = 2**32 - 30 * 86_400
"""An invite names the second until which it is good in 32 bits."""


def _steady() -> float:
    return time.monotonic() if _SLEEPLESS is None else time.clock_gettime(_SLEEPLESS)


_OFFSET = time.time() - _steady()


def problem() -> str | None:
    """Return why nothing can be begun or gone on with at such a time, in a sentence, or None."""
    shown = time.time()
    return None if 0 <= shown < _LATEST else clocks.wrong(shown)


def now() -> float:
    """Return the time."""
    return _OFFSET + _steady()
