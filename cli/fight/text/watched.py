"""A match that is shown while a program plays it."""

from typing import Final

from cli.clean import clean
from cli.fight.notices import FightNotice, Illegal, Shuffling
from cli.fight.text import narrate, screens
from cli.fight.text.names import side_name
from cli.match.player import Ending
from cli.text import matches
from cli.text.wording import Sentence, _, fill, lazy
from protocol.game import Seat
from storm_p2p.fight.events import Event
from storm_p2p.fight.state import turn_of
from storm_p2p.fight.views import View

chat = Sentence[str]("chat: {text}")
_SEATED: Final = lazy("{name} plays on the {side} against {opponent}.")


def seated(name: str, side: Seat, opponent: str) -> str:
    """Return who plays."""
    return fill(_SEATED, name=clean(name), side=side_name(side), opponent=clean(opponent))


def resumed(view: View) -> str:
    """Return where a match goes on."""
    if not turn_of(view.state):
        return _("The match goes on with the deal.")
    return fill("The match goes on in turn {turn}.", turn=view.state.number)


def happened(event: Event, view: View) -> str:
    """Return the line of an event."""
    return narrate.line(event, view.cards)


def notice(notice: FightNotice, opponent: str, side: Seat, *, timed: bool) -> str:
    """Return what has happened beside the game."""
    if isinstance(notice, Shuffling):
        return str(screens.SHUFFLING)
    if isinstance(notice, Illegal):
        return clean(str(notice.error))
    return matches.sentence(notice, opponent, side, timed=timed)


def over(ending: Ending, name: str, opponent: str, side: Seat) -> list[str]:
    """Return how a match ended."""
    if ending.winner is None:
        lines = [_("The match is not finished.")]
    else:
        called = {str(side): name, str(1 - side): opponent}
        result = matches.result(ending.winner, ending.reason, called, guilty=ending.guilty)
        lines = [fill("The match is over: {result}.", result=result)]
    lines.append(_("Every hidden card was opened and checked.") if ending.audited else str(matches.UNOPENED))
    lines += [fill("Problem: {problem}", problem=clean(problem)) for problem in ending.problems]
    if ending.log is not None:
        lines.append(fill("Saved in {log}", log=clean(ending.log)))
    return lines
