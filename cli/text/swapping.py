"""Lines that are not plain invites: replies to one, and those of a running match, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text import clocks
from cli.text.wording import Lazy, fill, lazy
from protocol.reach.invite import Purpose

SEND_BACK: Final = lazy("\nSend this one line back to your opponent; he leaves his storm-p2p host and types it:\n")
WAITING: Final = lazy("Waiting for his call. Leave with Ctrl-C.")
BROKEN: Final = lazy("The line broke before the match began. Waiting on.")
OTHER_TERMS: Final = lazy(
    "This reply is to an invite for other terms. Give the same options as with the storm-p2p host that made the invite."
)
FRESH: Final = lazy("\nSend this one line to your opponent; with it both go on with the match:\n")

_ANOTHER: Final[Mapping[Purpose, Lazy]] = lazy({
    Purpose.MATCH: "This line is an invite to a new match: storm-p2p join accepts it.",
    Purpose.REPLY: "This line is the reply to an invite: whoever made the invite types storm-p2p host --call and the"
    " line.",
    Purpose.RESUME: "This line goes on with a match that has begun: storm-p2p resume takes it.",
})  # fmt: skip


def expired(until: int, now: float) -> str:
    """Return that a line has expired by the clock of this machine.

    Args:
        until: when, in seconds since 1970.
        now: what the clock says.
    """
    return fill(
        "The line was good until {until}, and the clock of this machine says {now}. If it is right, ask for a fresh"
        " line; if not, set it, or have the other set his and send a fresh one. A match that has begun goes on with"
        " storm-p2p resume.",
        until=clocks.moment(until), now=clocks.moment(now),
    )  # fmt: skip


def another(purpose: Purpose) -> str:
    """Return what a line is for, to somebody who used it for something else."""
    return str(_ANOTHER[purpose])
