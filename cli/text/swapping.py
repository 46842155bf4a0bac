"""Lines that are not plain invites: replies to one, and those of a running match, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text import clocks
from cli.text.wording import Lazy, fill, lazy
from protocol.reach.invite import Purpose

SEND_BACK: Final = lazy("\nSend this one line back to your opponent, who leaves storm-p2p host and types it:\n")
WAITING: Final = lazy("Waiting for their call. Leave with Ctrl-C.")
BROKEN: Final = lazy("Disconnected before the match began. Still waiting.")
OTHER_TERMS: Final = lazy(
    "This reply is to an invite with other terms. Give the same options as for the storm-p2p host that made the invite."
)
FRESH: Final = lazy("\nSend this one line to your opponent; it lets you both go on with the match:\n")

_ANOTHER: Final[Mapping[Purpose, Lazy]] = lazy({
    Purpose.MATCH: "This line is an invite to a new match: storm-p2p join accepts it.",
    Purpose.REPLY: "This line is the reply to an invite: the player who made the invite types storm-p2p host --call "
    "and the line.",
    Purpose.RESUME: "This line continues a match that has begun: give it to storm-p2p resume.",
})  # fmt: skip


def expired(until: int, now: float) -> str:
    """Return that a line has expired by the clock of this machine; both times are seconds since 1970."""
    return fill(
        "The line was good until {until}, and this machine's clock says {now}. If the clock is right, ask for a fresh "
        "line; if not, set it, or have the other player set theirs and send a fresh one. To go on with a match that "
        "has begun, run storm-p2p resume.",
        until=clocks.moment(until), now=clocks.moment(now),
    )  # fmt: skip


def another(purpose: Purpose) -> str:
    """Return what a line is for, to somebody who used it for something else."""
    return str(_ANOTHER[purpose])
