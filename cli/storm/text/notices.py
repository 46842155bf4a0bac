"""What happens beside the board, in words: a sentence for each notice of a match of Storm."""

from typing import Final

from cli.storm.notices import DealingBegun, Dealt, DealtAgain, Illegal, Proved, StormNotice
from cli.storm.text import names, refusals
from cli.storm.text.narrate import unit_word
from cli.text import matches
from cli.text.wording import _, count, fill, lazy
from protocol.game import Hide, Locate, Located, Mix, Seat
from storm_p2p.storm.units import UNITS

_DECK: Final = lazy("checked: {number} hidden units are {number} different units (proved)")
_SETUP: Final = lazy("checked: {number} placements are {number} different units, {leader} among them (proved)")
_GROUP: Final = lazy("checked: {number} hidden units are the same {number} as before (proved)")
_LANDED: Final = lazy("checked: {leader} stands where a random setup may put him (proved)")
_AGAIN: Final = lazy("checked: {leader} stands elsewhere, so the side is dealt again (proved)")


def sentence(notice: StormNotice, opponent: str, seat: Seat, *, timed: bool) -> str:
    """Return what a player is told; the arguments are those of :func:`cli.text.matches.sentence`."""
    match notice:
        case DealingBegun():
            return _(
                "The units are being dealt at random. Each side is dealt again until its leader stands in its base or "
                "next to it. This can take a few seconds."
            )
        case DealtAgain(faction, leader, number):
            return count(
                "The {side} are dealt again: {leader} stood too far from the base.",
                "The {side} are dealt again: {leader} stood too far from the base {number} times.",
                number, side=names.side_name(faction), leader=names.unit_name(leader),
            )  # fmt: skip
        case Dealt(faction, deals):
            template = lazy("The {side} are dealt." if deals == 1 else "The {side} are dealt; it took {number} deals.")
            return fill(template, side=names.side_name(faction), number=deals)
        case Proved():
            return proof(notice)
        case Illegal(error):
            return refusals.refusal(error)
        case _:
            return matches.sentence(notice, opponent, seat, timed=timed)


def proof(proved: Proved) -> str:
    """Return what a proof has shown without telling it."""
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
