"""What a proof has shown without telling it, in a line."""

from __future__ import annotations

from typing import Final

from cli.storm.notices import Proved
from cli.storm.text.narrate import unit_word
from cli.text.wording import fill, lazy
from protocol.game import Hide, Locate, Located, Mix
from storm_p2p.storm.units import UNITS

_SETUP: Final = lazy("checked: {number} placements are {number} different units, {leader} among them (proved)")
_DECK: Final = lazy("checked: {number} hidden units are {number} different units (proved)")
_GROUP: Final = lazy("checked: {number} hidden units are the same {number} as before (proved)")
_LANDED: Final = lazy("checked: {leader} stands where a random setup may put him (proved)")
_AGAIN: Final = lazy("checked: {leader} stands elsewhere, so the side is dealt again (proved)")


def line(proved: Proved) -> str:
    """Return what an answer has proved."""
    match proved.request:
        case Hide(within=((value, slots), *_)):
            return fill(_SETUP, number=len(slots), leader=unit_word(UNITS[value]))
        case Hide(values=values):
            return fill(_DECK, number=len(values))
        case Mix(take=take):
            return fill(_GROUP, number=len(take))
        case Locate(value=value):
            landed = isinstance(proved.answer, Located) and proved.answer.part
            return fill(_LANDED if landed else _AGAIN, leader=unit_word(UNITS[value]))
