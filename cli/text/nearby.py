"""Meeting in the same network, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.clean import clean
from cli.text.wording import count, fill, lazy

LOOKING: Final = lazy("Looking for hosts in this network; this takes three seconds.")
NOBODY: Final = lazy(
    "Nobody announces a match in this network. The host has to start storm-p2p host --lan; some networks, such as"
    " those of hotels, keep their guests apart. An invite works there, too."
)
ASK: Final = lazy("The four words on your friend's screen: ")
NOT_WORDS: Final = lazy("Expected four words of the host's list, such as: amber otter plum zebra.")
OTHER_WORDS: Final = lazy("No host in this network has these words. Ask your friend to read them once more.")
_ANNOUNCED: Final = lazy("In the same network your opponent can also run storm-p2p join --lan and type: {words}")
_NOT_ANNOUNCED: Final = lazy("Nothing is announced in this network: {why}. The invite works all the same.")
_NOT_LOOKED: Final = lazy("This network cannot be looked at: {why}. Ask your friend for an invite.")


def announced(words: Sequence[str]) -> str:
    """Return what the host tells his friend."""
    return fill(_ANNOUNCED, words=" ".join(words))


def not_announced(why: str) -> str:
    """Return why nothing is announced."""
    return fill(_NOT_ANNOUNCED, why=why)


def not_looked(why: str) -> str:
    """Return why nobody can be found."""
    return fill(_NOT_LOOKED, why=why)


def found(places: Sequence[str]) -> str:
    """Return where hosts wait."""
    where = ", ".join(map(clean, places))
    return count("One host waits, at {places}.", "{number} hosts wait, at {places}.", len(places), places=where)
