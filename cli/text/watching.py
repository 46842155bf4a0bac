"""What is said to somebody who watches the match of others."""

from typing import Final

from cli.clean import clean
from cli.text.wording import Sentence, fill, lazy

WHICH: Final = lazy("Several matches are published there. Name one of these files.")
OVER: Final = lazy("The match is over; q leaves, and says what its log proves.")
none_yet = Sentence[str](
    "No match is published at {where} yet. Check the spelling, or try again once a player has begun to publish there, into "
    "a file such as 7c1f09aa.live."
)
unreadable = Sentence[str]("{file}: nothing to watch yet, or not from a match")
unkept = Sentence[str]("What you watch cannot be kept ({why}). You can watch all the same.")
_FAILS: Final = lazy(
    {
        "changed": "{where} no longer begins with what it held before. What you have seen stays and is kept; somebody has "
        "published something else since.",
        "other_match": "{where} is from a different match from the first one.",
        "bad_handshake": "{where} does not begin as a match does, so nothing of it is shown.",
        "not-a-log": "{where} is no published match. Give a file such as 7c1f09aa.live, or its address.",
        "version": "A newer version of this program has published {where}. Update yours.",
    }
)
_DAMAGED: Final = lazy("{where} goes on with something that neither player has signed. Nothing from there on is shown.")


def fails(code: str, where: str) -> str:
    """Return why nothing more of a feed is shown."""
    return fill(_FAILS.get(code, _DAMAGED), where=clean(where))


listed = Sentence[str, str, int, str]("{file}: {players}, turn {turn}, {age} old")
"""A line about a match that can be watched."""
convicted = Sentence[str, str]("{name} has broken the rules: {problem}.")


def agreed(seq: int, length: int, name: str) -> str:
    """Return up to where both have signed everything; the rest only a player of this name."""
    if seq == length:
        return fill("Both have signed everything up to message {seq}.", seq=seq)
    return fill("Messages up to {seq} are signed by both, the rest by {name} alone.", seq=seq, name=name)
