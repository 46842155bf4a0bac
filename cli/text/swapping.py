"""Lines that are not plain invites: replies to one, and those of a running match, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.text.wording import _, speak
from protocol.invite import Purpose

speak(__name__)

SEND_BACK: Final = "\nSend this one line back to your opponent; he leaves his storm-p2p host and types it:\n"
WAITING: Final = "Waiting for his call. Leave with Ctrl-C."
BROKEN: Final = "The line broke before the match began. Waiting on."
OTHER_TERMS: Final = (
    "This reply is to an invite for other terms. Give the same options as with the storm-p2p host that made the invite."
)
FRESH: Final = "\nSend this one line to your opponent; with it both go on with the match:\n"

_ANOTHER: Final[Mapping[Purpose, str]] = {
    Purpose.MATCH: "This line is an invite to a new match: storm-p2p join accepts it.",
    Purpose.REPLY: "This line is the reply to an invite: whoever made the invite types storm-p2p host --call and the"
    " line.",
    Purpose.RESUME: "This line goes on with a match that has begun: storm-p2p resume takes it.",
}


def another(purpose: Purpose) -> str:
    """Return what a line is for, to somebody who used it for something else."""
    return _(_ANOTHER[purpose])
