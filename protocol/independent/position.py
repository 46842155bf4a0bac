"""Where a match stands: the game's public state, tokens, cards, and what is waited for (SPEC.md, section "Steps")."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
    tokens: Mapping[Slot, tuple[Batch, bytes]] = field(default_factory=dict)
    known: Mapping[Slot, Value] = field(default_factory=dict)
    """What everybody knows of hidden slots."""
    commitments: Mapping[bytes, None] = field(default_factory=dict)
    """All that have ever been made."""
    cards: Mapping[Slot, piles.Card] = field(default_factory=dict)
    """Cards of piles as they were laid."""
    shares: Mapping[tuple[Slot, Seat], curve.Point] = field(default_factory=dict)
    """What has taken a seat's lock off a card."""
    keys: tuple[bytes, ...] = ()
    """Of the seats' locks, as far as they have come."""
    faces: frozenset[Value] = frozenset()
    """What has gone into piles."""
    stirred: tuple[list[piles.Pair], ...] = ()
    """The stirs that have come for the present request."""


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
