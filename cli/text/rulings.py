"""What the rules say to an action that they refuse, in the language of the reader.

The engine's sentences are English and name the numbers; they stand in scenarios and logs of programs, which do not
change with the language.  For a person whose language is another one they are recognised here and said anew.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from cli import language
from cli.text import names
from cli.text.wording import fill, speak
from storm_p2p.units import NAME, Unit

speak(__name__)

SAID: Final = (
    "expected an answer to {phase}, got {action}",
    "expected no claim, for no thunderbolt has struck",
    "expected a unit of the loser in {region}, got another",
    "expected a unit of the side to move in {region}",
    "expected a hidden unit in {region}, got a known one",
    "expected {unit} next door, got another",
    "expected {words} to choose, got the other side",
    "expected 0 to {number} Energy, got {more}",
    "expected a retreat to {words}, got {region}",
    "expected units of the side to move in {region}, got others or none",
    "expected units of the side to move in {region}, got none",
    "expected at most 4 units in {region}, got {number} more beside {more}",
    "expected at most 4 units in {region}, got 4 already",
    "expected a neighbour of {start}, got {region}",
    "expected {number} Energy for the Styx from {start} to {region}, got {more}",
    "expected {number} Energy for the Styx from {start} to {region}",
    "expected one unit that wanders, named, and no claim",
    "expected one step, got {number}",
    "expected a mover to claim, got a unit that does not move",
    "expected the unit that can sneak in {region}, got another",
    "expected enemies next to {start}, not over the Styx, got {region}",
    "expected 2 Energy for the sneak attack, got {number}",
    "expected a power that the move {start} to {region} triggers, got none",
    "expected an empty region on the way, got {region}",
    "expected {unit} to claim, got {other}",
    "expected an amount of Energy, got {words}",
    "expected {unit} of the side to move in {region}, got none",
    "expected {unit} in play, got none",
    "expected each unit once, got {words}",
    "expected a unit of the side to move, got {unit}",
    "expected {unit} to throw, got another unit or none",
    "expected 6 Energy and an enemy next to {start}, not in the Underworld, got {region}",
    "expected a unit hit by the thunderbolt in {region}, got another",
    "expected another victim in {region}, got {unit}",
    "expected {unit} to recall, got another unit or none",
    "expected 10 Energy, room and no enemy in {region}, and an eliminated unit, got {unit}",
    "expected a unit in {region}, got another",
    "expected {unit} to block, got another unit",
    "expected a lone unit in {region} that is proof, got another",
    "expected {unit} in {region}, got another",
    "expected one unit on each of {words}",
)
"""The engine's sentences that a person can cause; a test provokes them."""

_UNIT: Final = r"[a-z]+"
_NUMBER: Final = r"-?\d+"
_PATTERNS: Final = {
    "unit": _UNIT, "other": _UNIT, "phase": _UNIT, "action": _UNIT, "words": ".+",
    "region": _NUMBER, "start": _NUMBER, "number": _NUMBER, "more": _NUMBER,
}  # fmt: skip


def spoken(sentence: str) -> str:
    """Return a sentence of the engine in the chosen language, or as it is where it has no other."""
    if language.current() == language.ENGLISH:
        return sentence
    for template, pattern in _compiled():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return fill(template, **{gap: _word(gap, word) for gap, word in found.groupdict().items()})
    return sentence


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((template, re.compile(_pattern(template))) for template in SAID)


def _pattern(template: str) -> str:
    parts = re.split(r"\{(\w+)\}", template)
    # Text and names of gaps take turns.
    return "".join(
        f"(?P<{part}>{_PATTERNS[part]})" if number % 2 else re.escape(part) for number, part in enumerate(parts)
    )


def _word(gap: str, word: str) -> str:
    return names.unit_name(Unit(NAME.index(word))) if gap in ("unit", "other") and word in NAME else word
