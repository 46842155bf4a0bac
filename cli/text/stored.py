"""The matches that are stored on this machine, in words."""

from collections.abc import Sequence
from typing import Final

from cli.clean import clean
from cli.text import names
from cli.text.sentences import Sentence
from cli.text.wording import _, count, fill, lazy

SEVERAL: Final = lazy("There are several matches. Type the command again with the number in front of the one you mean:")
ONE_BESIDE_OPEN: Final = lazy(
    "Another match is open in another window, so it is not clear which one you mean. To continue this one, name it by "
    "the number in front of it:"
)
NOTHING_UNFINISHED: Final = lazy("There is no unfinished match here. storm-p2p play or storm-p2p host begins one.")
ALL_FINISHED: Final = lazy(
    "No match here is unfinished. Without a number, storm-p2p export writes the log of the unfinished match as it "
    "stands. The log of a finished match was written at its end; to write it again: storm-p2p export NUMBER. "
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
        len(open_elsewhere), name=name, others=names.listed(open_elsewhere, "or"),
    )  # fmt: skip


def open_elsewhere(local: Sequence[str]) -> str:
    """Return that matches are open in other windows."""
    return count(
        "The match {names} is open in another window. Go on there, or close it there and try again.",
        "The matches {names} are open in other windows. Go on there, or close one there and try again.",
        len(local), names=names.listed(local),
    )  # fmt: skip


def row(number: str, began: str, opponent: str, turn: int | None) -> str:
    """Return one line of the list.

    ``began`` is empty where there is no room for day and time; turn 0 is the setup, None one that is not known.
    """
    gaps = {"number": names.match_number(number), "began": began, "opponent": opponent, "turn": turn}
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


def finished(log: str | None, *, erased: bool = False) -> str:
    """Return that a match is over, and how to see it; ``erased`` says that both hold all of it."""
    if log is None:
        return _("This match is over; there is nothing to resume.")
    if erased:
        sentence = lazy(
            "This match is finished. Both players have all of it and its keys are erased, so there is nothing to "
            "resume. storm-p2p replay {log} shows it."
        )
        return fill(sentence, log=clean(log))
    return fill("This match is over. storm-p2p replay {log} shows it.", log=clean(log))


def waiting(opponent: str) -> str:
    """Return that the host of a resumed match waits."""
    sentence = lazy("Waiting for {opponent} to run storm-p2p resume. Leave with Ctrl-C; the match stays saved.")
    return fill(sentence, opponent=clean(opponent) or "the other player")
