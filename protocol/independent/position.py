"""Where a match stands: the game's public state, tokens, cards, and what is waited for (SPEC.md, section "Steps")."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import MutableMapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from protocol.game import Deal, Decision, Mix, Request, Sealed, Seat, Slot, Toss, Value
from protocol.independent import curve, piles
from protocol.independent.commitments import Batch
from protocol.independent.reading import SEATS
from protocol.independent.steps import Seal, Step, TossCommit


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that takes several steps, and those that have come."""

    first: Seal | TossCommit
    said: tuple[Decision, ...] = ()
    """The open answers to a seal, in the order of the seats."""
    shares: tuple[bytes, ...] = ()
    """The shares of a toss, in the order of the seats."""


@dataclass(frozen=True, slots=True)
class Played:
    """A step that was accepted, with all that the audit asks about it."""

    seq: int
    seat: Seat
    step: Step
    request: Request
    state: Any
    serial: int
    pending: Pending | None


@dataclass(slots=True)
class Position:
    """Where a match stands."""

    state: Any
    serial: int = 0
    """How many requests of the game have been answered."""
    pending: Pending | None = None
    tokens: MutableMapping[Slot, tuple[Batch, bytes]] = field(default_factory=dict)
    known: MutableMapping[Slot, Value] = field(default_factory=dict)
    """What everybody knows of hidden slots."""
    commitments: MutableMapping[bytes, None] = field(default_factory=dict)
    """All that have ever been made."""
    cards: MutableMapping[Slot, piles.Card] = field(default_factory=dict)
    """Cards of piles as they were laid."""
    shares: MutableMapping[tuple[Slot, Seat], curve.Point] = field(default_factory=dict)
    """What has taken a seat's lock off a card."""
    keys: tuple[bytes, ...] = ()
    """Of the seats' locks, as far as they have come."""
    faces: frozenset[Value] = frozenset()
    """What has gone into piles."""
    stirred: tuple[list[piles.Pair], ...] = ()
    """The stirs that have come for the present request."""

    def branch(self) -> Position:
        """Return one that may be changed while this one stays as it is."""
        grown: dict[str, Any] = {name: ChainMap({}, getattr(self, name)) for name in _GROWING}
        return replace(self, **grown)

    def take_over(self, branch: Position) -> None:
        """Become what a branch of this one has become."""
        for one in fields(self):
            found = getattr(branch, one.name)
            if one.name in _GROWING:
                getattr(self, one.name).update(found.maps[0])
            else:
                setattr(self, one.name, found)


_GROWING: Final = ("tokens", "known", "commitments", "cards", "shares")
"""What only ever gets more entries."""


def seats_of_toss(request: Toss) -> tuple[Seat, list[Seat], bool]:
    """Return who fixes a share first, who tell theirs then, and whether the first tells at last."""
    private = len(request.to) == 1
    first = request.to[0] if private else 0
    return first, [seat for seat in SEATS if seat != first], not private


def is_pile(request: Mix, position: Position) -> bool:
    """Say whether a Mix is one of cards."""
    return bool(request.faces) or request.take[0] in position.cards


def cards_now(position: Position, slots: tuple[Slot, ...]) -> list[piles.Card]:
    """Return cards with the locks that are still on them."""
    found = []
    for slot in slots:
        card = position.cards[slot]
        for seat in card.locks:
            if (slot, seat) in position.shares:
                card = piles.take_off(card, position.shares[slot, seat], seat)
        found.append(card)
    return found


def find_turn(request: Request | None, position: Position) -> Seat | None:
    """Return the seat that has to make the next step; None when the game is over."""
    pending = position.pending
    match request:
        case None:
            return None
        case Sealed():
            if pending is None or len(pending.said) == len(request.seats) - 1:
                return request.seats[0]
            return request.seats[1 + len(pending.said)]
        case Mix() if is_pile(request, position):
            if len(position.keys) < len(SEATS):
                return len(position.keys)
            return tuple(reversed(request.by))[len(position.stirred)]
        case Mix():
            return request.by[0]
        case Deal(slots, to):
            return min(set(cards_now(position, slots)[0].locks) - set(to))
        case Toss():
            first, others, _ = seats_of_toss(request)
            if pending is None or len(pending.shares) == len(others):
                return first
            return others[len(pending.shares)]
    return request.seat
