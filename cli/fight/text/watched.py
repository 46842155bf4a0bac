"""A match that is shown while a program plays it."""

from collections.abc import Mapping
from typing import Final

from cli.clean import clean
from cli.fight.text.names import side_name
from cli.match.participant import Ending
from cli.text import matches
from cli.text.sentences import Sentence
from cli.text.wording import _, fill, lazy
from protocol.game import Seat
from storm_p2p.fight.state import State, turn_of

chat = Sentence[str]("chat: {text}")
_SEATED: Final = lazy("{name} plays on the {side} against {opponent}.")


def seated(name: str, side: Seat, opponent: str) -> str:
    """Return who plays."""
    return fill(_SEATED, name=clean(name), side=side_name(side), opponent=clean(opponent))


def resumed(state: State) -> str:
    """Return where a match goes on."""
    if not turn_of(state):
        return _("The match goes on with the deal.")
    return fill("The match goes on in turn {turn}.", turn=state.number)


def over(ending: Ending, called: Mapping[str, str]) -> list[str]:
    """Return how a match ended; ``called`` are the names of the players by what a log calls their seats."""
    if ending.winner is None:
        lines = [_("The match is not finished.")]
    else:
        result = matches.result(ending.winner, ending.reason, called, guilty=ending.guilty)
        lines = [fill("The match is over: {result}.", result=result)]
    lines.append(_("Every hidden card was opened and checked.") if ending.audited else str(matches.UNOPENED))
    lines += [fill("Problem: {problem}", problem=clean(problem)) for problem in ending.problems]
    if ending.log is not None:
        lines.append(fill("Saved in {log}", log=clean(ending.log)))
    return lines
