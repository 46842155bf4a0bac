"""A match that is shown while a program plays it."""

from typing import Final

from cli.clean import clean
from cli.match.participant import Ending
from cli.storm.text.sentences import Sentence
from cli.text import matches
from cli.text.names import seat
from cli.text.wording import _, fill, lazy
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import Phase, State

chat = Sentence[str]("chat: {text}")


def seated(name: str, faction: Faction, opponent: str) -> str:
    """Return who plays."""
    sentence = lazy("{name} plays the {side} against {opponent}.")
    return fill(sentence, name=clean(name), side=seat(faction.name.lower()), opponent=clean(opponent))


def resumed(state: State) -> str:
    """Return where a match goes on."""
    if state.phase == Phase.SETUP:
        return _("The match goes on in the setup.")
    return fill("The match goes on in turn {turn}.", turn=state.number)


_GONE: Final = lazy({
    "unstarted": "The program {name} cannot be started ({why}).",
    "unready": "The program {name} did not report ready within {seconds} s.",
    "strange": "The program {name} did not report ready but answered something else ({why}).",
    "ended": "The program {name} has ended.",
})  # fmt: skip
REPLACED: Final = lazy("My program has ended: the built-in computer player plays on in its place.")
"""What the other player is told; they have agreed to a match with somebody else."""


def gone(name: str, code: str, **values: object) -> str:
    """Return that a program plays no longer, and who does."""
    told = lazy("{what} From here on the built-in player plays in its place, and the other player is told so.")
    return fill(told, what=fill(_GONE[code], name=clean(name), **values))


def moved_instead(name: str, problem: str) -> str:
    """Return that the built-in player answers one question; ``problem`` is what the program was told."""
    sentence = lazy("The program {name} gave no legal answer, so the built-in player moves this time: {problem}.")
    return fill(sentence, name=clean(name), problem=clean(problem))


def over(ending: Ending, name: str, opponent: str, faction: Faction) -> list[str]:
    """Return how a match ended."""
    if ending.winner is None:
        lines = [_("The match is not finished.")]
    else:
        called = {faction.name.lower(): name, OTHER[faction].name.lower(): opponent}
        result = matches.result(ending.winner, ending.reason, called, guilty=ending.guilty)
        lines = [fill("The match is over: {result}.", result=result)]
    audited = lazy("Every hidden unit was opened and checked.")
    lines.append(str(audited) if ending.audited else str(matches.UNOPENED if ending.proved else matches.UNCHECKED))
    lines += [fill("Problem: {problem}", problem=clean(problem)) for problem in ending.problems]
    if ending.log is not None:
        lines.append(fill("Saved in {log}", log=clean(ending.log)))
    return lines
