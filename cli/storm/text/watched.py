"""A match that is shown while a program plays it."""

from cli.clean import clean
from cli.match.player import Ending
from cli.storm.notices import StormNotice
from cli.storm.text import narrate, notices
from cli.storm.text.sentences import Sentence
from cli.text import matches
from cli.text.wording import _, fill, lazy, seat
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.events import Event
from storm_p2p.storm.state import Phase, State

chat = Sentence[str]("chat: {text}")


def seated(name: str, side: Faction, opponent: str) -> str:
    """Return who plays."""
    sentence = lazy("{name} plays the {side} against {opponent}.")
    return fill(sentence, name=clean(name), side=seat(side.name.lower()), opponent=clean(opponent))


def resumed(view: State) -> str:
    """Return where a match goes on."""
    if view.phase == Phase.SETUP:
        return _("The match goes on in the setup.")
    return fill("The match goes on in turn {turn}.", turn=view.number)


def happened(event: Event, view: State) -> str:
    """Return the line of an event."""
    return narrate.line(event)


def notice(notice: StormNotice, opponent: str, side: Faction, *, timed: bool) -> str:
    """Return what has happened beside the game."""
    return notices.sentence(notice, opponent, side, timed=timed)


def over(ending: Ending, name: str, opponent: str, side: Faction) -> list[str]:
    """Return how a match ended."""
    if ending.winner is None:
        lines = [_("The match is not finished.")]
    else:
        called = {side.name.lower(): name, OTHER[side].name.lower(): opponent}
        result = matches.result(ending.winner, ending.reason, called, guilty=ending.guilty)
        lines = [fill("The match is over: {result}.", result=result)]
    audited = lazy("Every hidden unit was opened and checked.")
    lines.append(str(audited) if ending.audited else str(matches.UNOPENED if ending.proved else matches.UNCHECKED))
    lines += [fill("Problem: {problem}", problem=clean(problem)) for problem in ending.problems]
    if ending.log is not None:
        lines.append(fill("Saved in {log}", log=clean(ending.log)))
    return lines
