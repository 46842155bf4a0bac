"""The words for the clock of a match: ``none``, ``20m+10s``, ``3d``, and what may follow them.

::

    clock    = "none" | stock ["+" time] | days        a stock and an increment, or days for each decision
    clock   += ["," name "=" time] ...                 name: tolerance, away, absent
    time     = NUMBER "s" | NUMBER "m" | NUMBER "h" | NUMBER "d"
"""

import re

from cli.text.wording import _, fill
from protocol.core.clock.terms import LONGEST, ClockKind, ClockTerms

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_TIME = re.compile(r"([0-9]{1,6})([smhd])")
_NAMES = ("tolerance", "away", "absent")



def expected() -> str:
    """Return what a person reads who has written something else."""
    return _("expected none, a time budget such as 20m+10s, or a time per decision such as 3d")


def parse(text: str) -> ClockTerms | None:
    """Return what the words mean; None for no clock.

    Raises:
        ValueError: with the sentence.
    """
    first, *more = text.strip().lower().replace(" ", "").split(",")
    if first == "none":
        if more:
            raise ValueError(fill("{expected}; nothing can follow none", expected=expected()))
        return None
    base, plus, increment = first.partition("+")
    days = base.endswith("d") and not plus
    stock = _time(base)
    found = {
        # A line that breaks for a few minutes costs nobody his match; by mail there is no line.
        "tolerance": 3600 if days else 5,
        "away": 0 if days else 300,
        "absent": 4 * stock if days else 600,
    }
    for word in more:
        name, equals, value = word.partition("=")
        if name not in _NAMES or not equals:
            raise ValueError(
                fill("expected one of {names} with = and a time, got {got!r}", names=", ".join(_NAMES), got=word[:40])
            )
        found[name] = 0 if value == "0" and name != "absent" else _time(value)
    if days:
        return ClockTerms(ClockKind.TURN, stock, 0, *(found[name] for name in _NAMES))
    extra = _time(increment) if plus and increment != "0" else 0
    return ClockTerms(ClockKind.BASE, stock, extra, *(found[name] for name in _NAMES))


def _time(text: str) -> int:
    match = _TIME.fullmatch(text)
    seconds = 0 if match is None else int(match[1]) * _SECONDS[match[2]]
    if not 1 <= seconds <= LONGEST:
        raise ValueError(fill("{expected}; got {got!r}", expected=expected(), got=text[:40]) if text else expected())
    return seconds
