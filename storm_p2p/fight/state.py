"""The public state of a game: everything that both players and any stranger may know (F-13.1); and a seat's view of it.

A card in hand is an *entry*: the number of a hidden slot, or, for a card that everybody saw returning to the hand,
``-1 - card`` until its owner mixes the hand.  What is still to be carried out stands on a stack of tasks, the next one
last; each is a name of a step of ``rules`` and its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from protocol.game import Known, Seat, Slot
from storm_p2p.fight.board import GOAL, Colour
from storm_p2p.fight.cards import Card, CardSet
from storm_p2p.fight.events import Event, What

Entry: TypeAlias = int
Task: TypeAlias = "tuple[str | int | None, ...]"

HAND: Final = 6
"""How many cards each player gets at first (F-3.3)."""
ASIDE: Final = 20
"""How many cards go out of the game unseen (F-3.2)."""
DRAWS: Final = 2
"""How many cards are drawn in phase 3 (F-11.1)."""


def face_up(card: int) -> Entry:
    """Return the entry of a card that everybody knows to be in a hand."""
    return -1 - card


@dataclass(slots=True)
class Unit:
    """A hero or soldier in play, with its gear."""

    card: int
    damage: int = 0
    gear: int | None = None
    attacked: bool = False
    """In this attack phase (F-9.2)."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is waited for.

    ``kind`` is that of a decision (``main``, ``target``, ``move``, ``swap``, ``free``, ``may``, ``marker``), or
    ``lot``, ``shuffle``, ``deal``, ``open``, ``toss`` or ``mix`` when programs answer.
    """

    kind: str
    seat: Seat = 0
    """Who answers; of ``deal`` and ``toss`` whose hand it is."""
    task: Task = ()
    """What goes on with the answer."""
    number: int = 0
    """Of ``deal`` how many cards, of ``toss`` how many sides."""
    slots: tuple[Slot, ...] = ()
    """Of ``open``."""


@dataclass(slots=True)
class State:
    """A game; whoever changes one copies it first (:meth:`copy`)."""

    cards: CardSet
    active: Seat = 0
    number: int = 1
    """Of the turn, counted from 1."""
    first: Seat = 0
    counter: int = 0
    """Points, positive towards seat 0 (F-2.5)."""
    markers: list[Seat | None] = field(default_factory=lambda: [None] * len(Colour))
    """Who has the marker of each colour; None: it lies on the board."""
    sides: list[list[Unit | None]] = field(default_factory=lambda: [[None] * 6, [None] * 6])
    hands: list[list[Entry]] = field(default_factory=lambda: [[], []])
    known: list[list[int]] = field(default_factory=lambda: [[], []])
    """Cards that everybody knows to be in a hand, under one of its slots (F-13.2)."""
    stale: list[bool] = field(default_factory=lambda: [False, False])
    """Whether the age of a card would show if one of a hand were opened now (B-27)."""
    pile: list[Slot] = field(default_factory=list)
    """The next card to be drawn is the first."""
    fresh: Slot = 0
    """The next slot that was never used."""
    discards: list[int] = field(default_factory=list)
    played: bool = False
    """Whether a card was played in this turn (F-5.3)."""
    left_out: str | None = None
    """The phase that is left out in the first turn."""
    pointer: int = 0
    """The space that attacks (B-19); 0 outside the attack phase."""
    stack: list[Task] = field(default_factory=list)
    question: Question | None = None
    result: tuple[Seat | None, str] | None = None
    """Who has won, None for nobody, and the reason; None while the game goes on."""
    events: list[Event] = field(default_factory=list)
    """What the last answer has done."""

    def copy(self) -> State:
        """Return a state that may be changed without changing this one."""
        return State(
            self.cards,
            self.active,
            self.number,
            self.first,
            self.counter,
            [*self.markers],
            [[unit and Unit(unit.card, unit.damage, unit.gear, unit.attacked) for unit in side] for side in self.sides],
            [[*hand] for hand in self.hands],
            [[*cards] for cards in self.known],
            [*self.stale],
            [*self.pile],
            self.fresh,
            [*self.discards],
            self.played,
            self.left_out,
            self.pointer,
            [*self.stack],
            self.question,
            self.result,
        )

    def tell(self, what: What, seat: Seat, cards: tuple[int, ...] = (), *numbers: int) -> None:
        """Note what has happened."""
        self.events.append(Event(what, seat, cards, numbers))

    def card(self, number: int) -> Card:
        """Return what is printed on a card."""
        return self.cards.cards[number]

    def unit(self, seat: Seat, space: int) -> Unit | None:
        """Return the unit on a space of a side."""
        return self.sides[seat][space - 1]

    def find(self, card: int) -> tuple[Seat, int] | None:
        """Return the side and the space of a unit, or None when it is not in play."""
        for seat, side in enumerate(self.sides):
            for space, unit in enumerate(side, 1):
                if unit is not None and unit.card == card:
                    return seat, space
        return None

    def push(self, *task: str | int | None) -> None:
        """Put a task on the stack; it is carried out before those below it."""
        self.stack.append(task)

    def end(self, winner: Seat | None, reason: str) -> None:
        """End the game; nothing more is carried out (F-12.4)."""
        self.result = winner, reason
        self.stack, self.question = [], None
        self.tell(What.OVER, self.active if winner is None else winner)

    def score(self, seat: Seat) -> None:
        """Give one point (F-9.7), which may end the game (F-12.2)."""
        self.counter += 1 if seat == 0 else -1
        self.tell(What.SCORED, seat, (), self.counter)
        if abs(self.counter) == GOAL:
            self.end(seat, "points")

    def leader(self) -> Seat | None:
        """Return on whose side the counter stands."""
        return None if self.counter == 0 else int(self.counter < 0)


def turn_of(state: State) -> int:
    """Return the number of the turn; 0 while the cards are shuffled and dealt."""
    question = state.question
    dealing = ("turn",) in state.stack or (question is not None and question.kind in ("lot", "shuffle"))
    return 0 if dealing else state.number


@dataclass(frozen=True, slots=True)
class View:
    """A game as somebody sees it."""

    state: State
    names: Known
    """The cards of hidden slots."""

    @property
    def cards(self) -> CardSet:
        """The set of cards."""
        return self.state.cards

    def card(self, number: int) -> Card:
        """Return what is printed on a card."""
        return self.state.card(number)

    def name(self, entry: Entry) -> int | None:
        """Return the card of an entry of a hand; None when it is not known."""
        return -1 - entry if entry < 0 else self.names.get(entry)

    def hand(self, seat: Seat) -> list[int | None]:
        """Return the cards of a hand in their order; None for one that is not known."""
        return [self.name(entry) for entry in self.state.hands[seat]]

    def known_hand(self, seat: Seat) -> dict[int, Entry]:
        """Return the known cards of a hand, each with its entry."""
        found = ((self.name(entry), entry) for entry in self.state.hands[seat])
        return {card: entry for card, entry in found if card is not None}
