"""The time that sessions are told: seconds since 1970 that never go back while the program runs.

It goes on while the machine sleeps, where the system can say so, and nobody who sets the clock moves it.
"""

from __future__ import annotations

import time

# Linux stops its monotonic clock while the machine sleeps; a closed lid is time all the same.
_SLEEPLESS: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def _steady() -> float:
    return time.monotonic() if _SLEEPLESS is None else time.clock_gettime(_SLEEPLESS)


_OFFSET = time.time() - _steady()


def now() -> float:
    """Return the time."""
    return _OFFSET + _steady()
