"""A random setup while it is under way (VAR-7): everybody sees each deal, and hears of it without a line for each."""

from collections import Counter
from collections.abc import Callable, Sequence

from cli.storm.notices import DealingBegun, Dealt, DealtAgain, StormNotice
from protocol.game import Answer, Hidden, Hide, Locate, Located, Request
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Unit


class Dealing:
    """Counts the deals of both sides; they follow from the public record alone."""

    def __init__(self, on_notice: Callable[[StormNotice], None]) -> None:
        """Begin; ``on_notice`` learns of the deals."""
        self._on_notice = on_notice
        self._again: Counter[int] = Counter()

    def begin(self) -> None:
        """Say that the units are being dealt."""
        self._on_notice(DealingBegun())

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
                self._on_notice(Dealt(faction, number + 1))
            else:
                self._on_notice(DealtAgain(faction, Unit(request.value), number))

    def repeats(self, request: Request, answer: Answer) -> bool:
        """Return whether what an answer has proved was said of an earlier deal, or is said as the dealing goes on."""
        if isinstance(request, Locate) and isinstance(answer, Located):
            return not answer.part
        return isinstance(request, Hide) and isinstance(answer, Hidden) and bool(self._again[request.seat])
