"""What is said of a program of somebody's own that plays (``exec:COMMAND``)."""

from typing import Final

from cli.clean import clean
from cli.text.wording import fill, lazy

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
