"""Meeting in the same network, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.clean import clean
from cli.text.sentences import Sentence
from cli.text.wording import count, fill, lazy

LOOKING: Final = lazy("Looking for hosts on this network; this takes three seconds.")
NOBODY: Final = lazy(
    "Nobody is announcing a match on this network. The host has to run storm-p2p host --lan. Some networks, such as "
    "those in hotels, keep their guests apart; an invite works there too."
)
ASK: Final = lazy("The four words on your friend's screen: ")
NOT_WORDS: Final = lazy("Expected the host's four words, such as: amber otter plum zebra.")
OTHER_WORDS: Final = lazy("No host on this network has these words. Ask your friend to read them out again.")
not_announced = Sentence[str]("This match is not announced on this network: {why}. The invite works all the same.")
not_looked = Sentence[str]("This network cannot be searched: {why}. Ask your friend for an invite.")


def announced(words: Sequence[str]) -> str:
    """Return what the host tells his friend."""
    sentence = lazy("On the same network, your opponent can also run storm-p2p join --lan and type: {words}")
    return fill(sentence, words=" ".join(words))


def found(places: Sequence[str]) -> str:
    """Return where hosts wait."""
    where = ", ".join(map(clean, places))
    return count("One host waits, at {places}.", "{number} hosts wait, at {places}.", len(places), places=where)
