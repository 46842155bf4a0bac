"""The matches that were played here: the words of their table, of the score and of files that count for none."""

from typing import Final

from cli.clean import clean
from cli.text import failures, names
from cli.text.sentences import Sentence
from cli.text.wording import fill, lazy

COLUMNS: Final = lazy(("match", "begun", "opponent", "side", "result", "turns", "terms"))
RESULTS: Final = lazy({
    "won": "won",
    "lost": "lost",
    "draw": "drawn",
    "unfinished": "unfinished",
})  # fmt: skip
UNCONFIRMED: Final = lazy("unconfirmed")
SCORES: Final = lazy("Score")
TO_KNOW: Final = lazy("Not listed")
NOTHING: Final = lazy("No match has been played here yet. storm-p2p play starts one against the computer.")
NONE_FITS: Final = lazy("No match fits these options. storm-p2p history on its own lists them all.")
NEXT: Final = lazy(
    "storm-p2p replay NUMBER shows a finished match again, storm-p2p resume NUMBER continues an unfinished one."
)

against = Sentence[str, str]("{opponent}: {score}")
several = Sentence[str]("Several matches begin with {digits}. Give more digits; storm-p2p history --json has all.")
checking = Sentence[int]("Checking {number} logs; each is checked only once.")
_unread = Sentence[str, str]("{file}: {why}")

_WHY: Final = lazy({
    "foreign": "This is the log of a match between others. storm-p2p replay shows it.",
    "other": "This file does not belong here and was ignored.",
    "in-use": "This match is open in another window; it is listed here as soon as it is over, or closed there.",
    "rules_version": "The log was written under rules that this program does not have. storm-p2p verify says which.",
    "unreadable": "This file cannot be read.",
})  # fmt: skip
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
        return _unread(file, fill(_NO_LOG, number=names.match_number(sentence)))
    known = _WHY.get(code)
    if known is None and (sentence or code == "not-a-log"):
        return _unread(file, failures.log_sentence(code, sentence))
    return _unread(file, str(known or _CHANGED))


def opponent(name: str, most: int) -> str:
    """Return a name as the table shows it."""
    return clean(name, most) or "?"
