"""What a proof has shown without telling it, in a line."""

from __future__ import annotations

from typing import Final

from cli.storm.text.narrate import unit_word
from cli.text.wording import fill, lazy
from protocol.crypto.commitments.schemes import SCHEMES
from protocol.game import Answer, Hidden, Hide, Locate, Located, Mix, Mixed, Request
from storm_p2p.storm.units import UNITS

_SETUP: Final = lazy("checked: {number} placements are {number} different units, {leader} among them (proved)")
_DECK: Final = lazy("checked: {number} hidden units are {number} different units (proved)")
_GROUP: Final = lazy("checked: {number} hidden units are the same {number} as before (proved)")
_LANDED: Final = lazy("checked: {leader} stands where a random setup may put him (proved)")
_AGAIN: Final = lazy("checked: {leader} stands elsewhere, so the side is dealt again (proved)")


def line(scheme: str, request: Request, answer: Answer) -> str | None:
    """Return what a completed answer has proved, or None when it has proved nothing."""
    if scheme != SCHEMES[0]:
        return None
    match request, answer:
        case Hide(within=((value, slots), *_)), Hidden():
            return fill(_SETUP, number=len(slots), leader=unit_word(UNITS[value]))
        case Hide(values=values), Hidden():
            return fill(_DECK, number=len(values))
        case Mix(take=take), Mixed():
            return fill(_GROUP, number=len(take))
        case Locate(value=value), Located(part=part):
            return fill(_LANDED if part else _AGAIN, leader=unit_word(UNITS[value]))
        case _:
            return None
