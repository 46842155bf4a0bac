"""The order in which one author has signed its messages (SPEC.md, section "Order", contradictions)."""

from bisect import bisect_left

from protocol.independent.messages import Result, Side, SideType
from protocol.independent.reading import Signed, Triple
from protocol.independent.side_chains import KNOWN


def precedes(after: Triple, before: Triple) -> bool:
    """Say whether what was seen after a message is nowhere more than what was seen before another."""
    return all(one <= other for one, other in zip(after, before, strict=True))


def _name(message: Signed) -> tuple[type, int | None]:
    """Return the kind and the number of a message: no author signs two of one name."""
    return type(message.body), message.number


def _is_talk(side: Side) -> bool:
    """Say whether a side envelope changes nothing in how the match stands: chat, or what only later programs know."""
    return side.type == SideType.CHAT or side.type not in KNOWN


class Order:
    """The messages of one author, each of which stands before or behind each other one."""

    def __init__(self) -> None:
        self._spans: list[tuple[Triple, Triple]] = []
        self._names: set[tuple[type, int | None]] = set()
        self._acted = 0
        """The number of the author's last side envelope that is more than talk."""
        self._end: Triple | None = None
        """What the author had seen at its result."""

    def find_contradiction(self, message: Signed) -> str | None:
        """Return the code of what a message and an earlier one prove against their author; None if nothing."""
        if _name(message) in self._names:
            return "two_messages"
        at = self._place(message.before)
        fits = at == len(self._spans) or precedes(message.after, self._spans[at][0])
        return None if fits and self._is_before_the_end(message) else "backdated"

    def _is_before_the_end(self, message: Signed) -> bool:
        """Say whether the author's result is its last word beside a message: only talk comes behind it."""
        body, length, own = message.body, message.after[0], message.after[1 + message.seat]
        if isinstance(body, Result):
            return self._acted <= own and all(after[0] <= length for _, after in self._spans[-1:])
        if self._end is None:
            return True
        acts = isinstance(body, Side) and not _is_talk(body)
        return length <= self._end[0] and not (acts and own > self._end[1 + message.seat])

    def _place(self, before: Triple) -> int:
        """Return how many messages stand before one that had seen so much."""
        # They stand in a row, so those that do are the first ones.
        return bisect_left(self._spans, True, key=lambda one: not precedes(one[1], before))

    def add(self, message: Signed) -> None:
        """Take a message that contradicts none."""
        self._spans.insert(self._place(message.before), (message.before, message.after))
        self._names.add(_name(message))
        if isinstance(message.body, Result):
            self._end = message.after
        elif isinstance(message.body, Side) and not _is_talk(message.body):
            self._acted = max(self._acted, message.body.number)
