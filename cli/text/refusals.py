"""What is said to somebody whose words do nothing: what was expected, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.clean import clean
from cli.text import rulings
from cli.text.wording import _, fill, speak

speak(__name__)

NOT_YOUR_TURN: Final = "It is not your turn; expected a view such as board or who 14, say TEXT, draw or resign."
NOTHING_SENT: Final = "Nothing sent."
NO_OFFER: Final = "No draw is on offer. Type draw to offer one yourself."
PLAIN_ALREADY: Final = "These are the plain lines. Type full for the full screen."
CONFIRMS: Final[Mapping[bool, str]] = {
    True: "Every action is asked about before it is sent; an exclamation mark behind it skips that.",
    False: "What costs nothing, shows nothing and is no combat is sent at once.",
}
"""After ``confirm``."""
SPOKEN: Final = "From here on you read English; the menu and --lang choose the language for good."
"""After ``lang``, in the language that was chosen."""
MUTED: Final = "Muted: what the other player says is not shown. Type mute again to hear him."
NOT_MUTED: Final = "No longer muted."

# What a refusal means and what to do next, by the engine's code; the engine's own sentence names the numbers.
_NEXT: Final[Mapping[str, str]] = {
    "not-adjacent": "costs UNIT shows where your units can go.",
    "not-there": "board shows who stands where.",
    "too-many": "No region holds more than four units of a side.",
    "no-energy": "liturgy brings Energy.",
    "no-path": "Only Hermes, alone, goes further than one step.",
    "no-claim": "help claim says what can be claimed.",
    "no-sneak": "card erinyes says when they can.",
    "wrong-phase": "help says what is asked now.",
    "no-way-out": "Choose one of these regions; help retreat says why there are no others.",
    "too-much-energy": "costs shows the table of maneuvers.",
    "no-such-maneuver": "costs shows the table of maneuvers.",
    "word-count": "help shows the commands.",
    "unknown-action": "help shows the commands.",
    "nothing-to-reveal": "eye shows which of your units are secret.",
    "bolt-proof": "Choose another unit.",
}


_WHOLE: Final[Mapping[str, str]] = {
    "no-pass": "Not possible: only the Olympians may pass, and only when all of them are in Tartarus."
    " Move, use a power or hold a liturgy.",
}
"""Refusals whose sentence would not tell a person enough."""


def refusal(code: str, sentence: str) -> str:
    """Return what a refused or misunderstood action means to a person; it has changed nothing."""
    if code in _WHOLE:
        return _(_WHOLE[code])
    said = rulings.spoken(clean(sentence).rstrip("."))
    tip = _(_NEXT.get(code, ""))
    return fill("Not possible: {said}. {tip}", said=said, tip=tip).rstrip()
