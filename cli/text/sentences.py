"""A sentence as a function of its facts: typed, so that a caller cannot give it others or forget one.

What has several forms, or has to reckon before it speaks, is a function of a module of its subject.
"""

from collections.abc import Sequence
from string import Formatter
from typing import Final, Generic, TypeVarTuple

from cli.clean import clean
from cli.text import names
from cli.text.wording import fill

Facts = TypeVarTuple("Facts")


class Sentence(Generic[*Facts]):
    """A template that is called with a fact for each of its gaps, in the order in which they first stand in it.

    >>> Sentence[str, int]("{name} has called {number} times.")("bob", 3)
    'bob has called 3 times.'
    """

    def __init__(self, english: str) -> None:
        self.english: Final = english
        self.gaps: Final = tuple(dict.fromkeys(gap for _, gap, _, _ in Formatter().parse(english) if gap))

    def __call__(self, *facts: *Facts) -> str:
        """Return the sentence about these facts in the chosen language."""
        told: tuple[object, ...] = facts
        return fill(self.english, **{gap: self._say(fact) for gap, fact in zip(self.gaps, told, strict=True)})

    def _say(self, fact: object) -> object:
        """Return a fact as it stands in the sentence; a number stays one: the template may say how it is written."""
        match fact:
            case int():
                return fact
            case float():
                return round(fact)
            case bytes():
                return names.fingerprint(fact)
            case Sequence() if not isinstance(fact, str):
                return names.listed(map(self._say, fact))
            case _:
                # What a stranger or the system has written.
                return clean(str(fact))
