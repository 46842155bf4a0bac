"""What happens beside the board, in words: a sentence for each notice of a match of Storm."""

from __future__ import annotations

from cli.storm.notices import DealingBegun, Dealt, DealtAgain, Illegal, Proved, StormNotice
from cli.storm.text import checked, dealing, refusals
from cli.text import notices
from protocol.game import Seat


def sentence(notice: StormNotice, opponent: str, seat: Seat, *, timed: bool) -> str:
    """Return what a player is told; the arguments are those of :func:`cli.text.notices.sentence`."""
    match notice:
        case DealingBegun():
            return str(dealing.BEGUN)
        case DealtAgain(faction, leader, number):
            return dealing.again(faction, leader, number)
        case Dealt(faction, deals):
            return dealing.done(faction, deals)
        case Proved():
            return checked.line(notice)
        case Illegal(error):
            return refusals.refusal(error)
        case _:
            return notices.sentence(notice, opponent, seat, timed=timed)
