"""The matches that are stored on this machine, and what was won and lost in them, in words."""

from collections.abc import Sequence
from typing import Final

from cli.clean import clean
from cli.text import failures, wording
from cli.text.wording import Sentence, count, fill, lazy

SEVERAL: Final = lazy("There are several matches. Type the command again with the number in front of the one you mean:")
NOTHING_UNFINISHED: Final = lazy("There is no unfinished match here. storm-p2p play or storm-p2p host begins one.")
ALL_FINISHED: Final = lazy(
    "There is no unfinished match here. Without a number, storm-p2p export writes the log of the unfinished match as "
    "it stands. The log of a finished match was written at its end; to write it again: storm-p2p export NUMBER. "
    "storm-p2p history lists the numbers."
)

cannot_be_read = Sentence[str]("This match cannot be read: {problem}. Nothing was changed.")


def not_here(wanted: str, open_elsewhere: Sequence[str]) -> str:
    """Return that no match answers to a name; one that is open cannot be asked for its number."""
    name = clean(wanted, 40)
    if not open_elsewhere:
        sentence = lazy('There is no match "{name}" here. storm-p2p resume without a name lists the unfinished ones.')
        return fill(sentence, name=name)
    return count(
        'There is no match "{name}" here, unless it is {others}, which is open in another window.'
        " Close it there, then try again.",
        'There is no match "{name}" here, unless it is one of {others}, which are open in other windows.'
        " Close them there, then try again.",
        len(open_elsewhere),
        name=name,
        others=wording.listed(open_elsewhere, "or"),
    )


one_beside_open = Sentence[Sequence[str]](
    "The match {names} is open in another window. Go on there if you mean it; if you mean this one, type the command again "
    "with the number in front of it:",
    "The matches {names} are open in other windows. Go on there if you mean one of them; if you mean this one, type the "
    "command again with the number in front of it:",
)
open_elsewhere = Sentence[Sequence[str]](
    "The match {names} is open in another window. Go on there, or close it there and try again.",
    "The matches {names} are open in other windows. Go on there, or close one there and try again.",
)


def row(number: str, began: str, opponent: str, turn: int | None) -> str:
    """Return one line of the list.

    ``began`` is empty where there is no room for day and time; turn 0 is the setup, None one that is not known.
    """
    gaps = {"number": wording.match_number(number), "began": began, "opponent": opponent, "turn": turn}
    if not began:
        return fill("{number} against {opponent}, turn {turn}" if turn else "{number} against {opponent}", **gaps)
    if turn is None:
        return fill("{number}  {began}  against {opponent}", **gaps)
    if not turn:
        return fill("{number}  {began}  against {opponent}, in setup", **gaps)
    return fill("{number}  {began}  against {opponent}, turn {turn}", **gaps)


def unconfirmed(opponent: str) -> str:
    """Return why a match that is over is taken up once more."""
    template = lazy(
        "The match is over, but {name} may not have its last signatures yet. This program has kept its keys, and waits "
        "half a minute for {name}."
    )
    return fill(template, name=clean(opponent) or "the other player")


def finished(log: str | None) -> str:
    """Return that a match is over, and how to see it."""
    said = failures.sentence("erased", "")
    return said if log is None else f"{said} {fill('storm-p2p replay {log} shows it.', log=clean(log))}"


def waiting(opponent: str) -> str:
    """Return that the host of a resumed match waits."""
    sentence = lazy("Waiting for {opponent} to run storm-p2p resume. Leave with Ctrl-C; the match stays saved.")
    return fill(sentence, opponent=clean(opponent) or "the other player")


COLUMNS: Final = lazy(("match", "begun", "opponent", "side", "result", "turns", "terms"))
RESULTS: Final = lazy({"won": "won", "lost": "lost", "draw": "drawn", "unfinished": "unfinished"})
UNCONFIRMED: Final = lazy("unconfirmed")
SCORES: Final = lazy("Score")
TO_KNOW: Final = lazy("Not listed")
NOTHING: Final = lazy("No match has been played here yet. storm-p2p play starts one against the computer.")
NONE_FITS: Final = lazy("No match fits these options. storm-p2p history on its own lists them all.")
NEXT: Final = lazy(
    "storm-p2p replay NUMBER shows a finished match again, storm-p2p resume NUMBER continues an unfinished one. "
    "history delete NUMBER and history abandon NUMBER take one off the list."
)

what_of_history = Sentence[str]('Type delete or abandon with the number of a match, or nothing, instead of "{word}".')
not_listed = Sentence[str]('No match listed by storm-p2p history has the number "{number}".')
nothing_to_abandon = Sentence[str](
    "Match {number} is not on the list of unfinished matches, so there is nothing to abandon."
)
unfinished_yet = Sentence[str](
    "Match {number} is not finished. Abandon it first, with storm-p2p history abandon {number}, then delete it."
)
abandon = Sentence[str, str](
    "Abandon match {number} against {name}? It leaves the list of unfinished matches, and nothing is sent: {name} is not "
    "told, and can claim the win if the match has a clock. Its journal is kept, and storm-p2p resume {number} still "
    "continues it. To give it up so that it counts, resume it and resign."
)
abandoned = Sentence[str]("Match {number} is abandoned; storm-p2p resume {number} would still continue it.")
delete = Sentence[str, str, int](
    "Delete match {number} against {name}? Its log and all that is stored with it go to the trash and are removed after "
    "{days} days. The copy in the folder of a tournament stays, and so does what {name} has."
)
deleted = Sentence[str, str]("Match {number} is deleted. Until its files are removed, they are in {trash}.")
NEEDS_YES: Final = lazy(
    "Nothing was changed: there is no terminal in which to ask you. Add --yes to go ahead without being asked."
)
SURE: Final = lazy("Type yes to do it: ")
KEPT: Final = lazy("Nothing was changed.")
ABANDONED: Final = lazy("abandoned")

against = Sentence[str, str]("{opponent}: {score}")
several = Sentence[str]("Several matches begin with {digits}. Give more digits; storm-p2p history --json has all.")
mistaken = Sentence[str, int]("{file} has a mistake in line {number}")
checking = Sentence[int]("Checking {number} logs; each is checked only once.")
_unread = Sentence[str, str]("{file}: {why}")

_WHY: Final = lazy(
    {
        "foreign": "This is the log of a match between others. storm-p2p replay shows it.",
        "other": "This file does not belong here and was ignored.",
        "in-use": "This match is open in another window; it is listed here as soon as it is over, or closed there.",
        "rules_version": "The log was written under rules that this program does not have. storm-p2p verify says which.",
        "unreadable": "This file cannot be read.",
    }
)
_CHANGED: Final = lazy("This log does not verify. storm-p2p verify says what is wrong with it.")
_NO_LOG: Final = lazy(
    "The log of this match is no longer here. storm-p2p export {number} writes it again, and then it is listed."
)


def score(won: int, lost: int, draw: int, unfinished: int = 0) -> str:
    """Return a score from the player's own view."""
    ended = fill("{won} won, {lost} lost, {draw} drawn", won=won, lost=lost, draw=draw)
    return fill("{ended}, {unfinished} unfinished", ended=ended, unfinished=unfinished) if unfinished else ended


def unread(file: str, code: str, sentence: str) -> str:
    """Return why a file counts for no match: a reason of :class:`cli.match.history.Unread`."""
    if code == "no-log":
        return _unread(file, fill(_NO_LOG, number=wording.match_number(sentence)))
    known = _WHY.get(code)
    if known is None and (sentence or code == "not-a-log"):
        return _unread(file, failures.log_sentence(code, sentence))
    return _unread(file, str(known or _CHANGED))


def opponent(name: str, most: int) -> str:
    """Return a name as the table shows it."""
    return clean(name, most) or "?"
