"""A random setup while it is under way (VAR-7): everybody sees each deal, and hears of it without a line for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from cli.storm.text import dealing as said
from protocol.game import Answer, Hidden, Hide, Locate, Located, Request
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Unit

SPOKEN = (3, 6, 12, 24)
"""Which failed deals of a side are told to somebody who hears each sentence; a screen shows every one."""

DEALING = "dealing"
"""The code of a word about a deal that a screen shows and nobody hears."""
DEALING_LONG = "dealing-long"
"""The code of the same word once it has taken long."""
DEALT = "dealt"
"""The code of the word that a side is dealt."""

PROGRESS = frozenset({DEALING, DEALING_LONG})


class Dealing:
    """Counts the deals of both sides; they follow from the public record alone."""

    def __init__(self, told: Callable[[str, str], None]) -> None:
        """Begin; ``told`` learns the code and the sentence of what there is to say."""
        self._told = told
        self._again: Counter[int] = Counter()

    def begin(self) -> None:
        """Say that the units are being dealt."""
        self._told(DEALING_LONG, str(said.BEGUN))

    def follow(self, answers: Sequence[tuple[Request, Answer]], *, tell: bool) -> None:
        """Count what one message has dealt, and say it if it is news."""
        for request, answer in answers:
            if not isinstance(request, Locate) or not isinstance(answer, Located):
                continue
            faction = Faction(request.seat)
            self._again[faction] += not answer.part
            number = self._again[faction]
            if not tell:
                continue
            if answer.part:
                self._told(DEALT, said.done(faction, number + 1))
            else:
                code = DEALING_LONG if number in SPOKEN else DEALING
                self._told(code, said.again(faction, Unit(request.value), number))

    def repeats(self, request: Request, answer: Answer) -> bool:
        """Return whether what an answer has proved was said of an earlier deal, or is said as the dealing goes on."""
        if isinstance(request, Locate) and isinstance(answer, Located):
            return not answer.part
        return isinstance(request, Hide) and isinstance(answer, Hidden) and bool(self._again[request.seat])
