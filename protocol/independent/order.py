"""The order in which one author has signed its messages (SPEC.md, section "Order", contradictions)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TypeAlias

from protocol.independent.messages import Envelope, Result, Side, SideType
from protocol.independent.reading import Signed
from protocol.independent.side_chains import KNOWN

Seen: TypeAlias = tuple[int, int]
"""How long the chain was that an author had seen, and how many side envelopes it had sent."""


def span(message: Signed) -> tuple[Seen, Seen]:
    """Return what the author had seen before and after an envelope, a side envelope or a result."""
    match message.body:
        case Envelope(seq=seq, sides=sides):
            return (seq - 1, sides[message.seat]), (seq, sides[message.seat])
        case Side(seq=seq, number=number):
            return (seq, number - 1), (seq, number)
        case Result(seq=seq, sides=sides):
            return (seq, sides[message.seat]), (seq, sides[message.seat])
    raise TypeError("expected a message that says what its author had seen")


def _name(message: Signed) -> tuple[type, int]:
    """Return the kind and the number of a message: no author signs two of one name, and no more than one result."""
    match message.body:
        case Side(number=number):
            return Side, number
        case Envelope(seq=seq):
            return Envelope, seq
    return Result, 1


def _precedes(after: Seen, before: Seen) -> bool:
    return after[0] <= before[0] and after[1] <= before[1]


def _is_talk(side: Side) -> bool:
    """Say whether a side envelope changes nothing in how the match stands: chat, or what only later programs know."""
    return side.type == SideType.CHAT or side.type not in KNOWN


class Order:
    """The messages of one author, each of which stands before or behind each other one."""

    def __init__(self) -> None:
        self._spans: list[tuple[Seen, Seen]] = []
        self._names: set[tuple[type, int]] = set()
        self._acted = 0
        """The number of the author's last side envelope that is more than talk."""
        self._end: Seen | None = None
        """What the author had seen at its result."""

    def find_contradiction(self, message: Signed) -> str | None:
        """Return the code of what a message and an earlier one prove against their author; None if nothing."""
        if _name(message) in self._names:
            return "two_messages"
        before, after = span(message)
        at = self._place(before)
        fits = at == len(self._spans) or _precedes(after, self._spans[at][0])
        return None if fits and self._is_before_the_end(message, after) else "backdated"

    def _is_before_the_end(self, message: Signed, after: Seen) -> bool:
        """Say whether the author's result is its last word beside a message: only talk comes behind it."""
        if isinstance(message.body, Result):
            return self._acted <= after[1] and all(seen[0] <= after[0] for _, seen in self._spans[-1:])
        if self._end is None:
            return True
        talks = isinstance(message.body, Side) and _is_talk(message.body)
        return after[0] <= self._end[0] and (talks or after[1] <= self._end[1])

    def _place(self, before: Seen) -> int:
        """Return how many messages stand before one that had seen so much."""
        # They stand in a row, so those that do are the first ones.
        return bisect_left(self._spans, True, key=lambda one: not _precedes(one[1], before))

    def add(self, message: Signed) -> None:
        """Take a message that contradicts none."""
        before, after = span(message)
        self._spans.insert(self._place(before), (before, after))
        self._names.add(_name(message))
        if isinstance(message.body, Result):
            self._end = after
        elif isinstance(message.body, Side) and not _is_talk(message.body):
            self._acted = max(self._acted, message.body.number)


def find_contradiction(messages: Iterable[Signed]) -> tuple[str, Signed] | None:
    """Return the code of the first thing that messages of one author prove against it, and the message."""
    order = Order()
    # In any other order of the same messages one that precedes another would come behind it.
    for message in sorted({one.hash: one for one in messages}.values(), key=lambda one: (span(one), one.hash)):
        code = order.find_contradiction(message)
        if code is not None:
            return code, message
        order.add(message)
    return None
