"""A table at which everything is known: it answers what programs answer in a match (scenarios, analysis, tests)."""

from __future__ import annotations

from dataclasses import dataclass, field

from protocol.game import Decision, Seat
from storm_p2p.fight import engine
from storm_p2p.fight.events import Event
from storm_p2p.fight.state import State


@dataclass(slots=True)
class Table:
    """A game with the names of all its cards.

    Attributes:
        state: the game; it asks for a decision or is over.
        names: the card of each slot.
        tosses: the numbers that chance gives, the next one first; 0 when there are no more.
        events: everything that has happened.
    """

    state: State
    names: dict[int, int]
    tosses: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Go on to the first decision."""
        self._settle()

    def decide(self, decision: Decision) -> None:
        """Carry out a decision of the seat that is asked, and go on to the next one.

        Raises:
            IllegalDecision: the rules refuse it; nothing has changed.
        """
        assert self.state.question is not None
        engine.check(self.state, self.state.question.seat, decision, self.names)
        self._go(engine.decide(self.state, decision))
        self._settle()

    def legal(self) -> list[Decision]:
        """Return what may be decided."""
        return engine.legal(self.state, self.names)

    def hand(self, seat: Seat) -> list[int]:
        """Return the cards of a hand in their order."""
        return [self.names[entry] if entry >= 0 else -1 - entry for entry in self.state.hands[seat]]

    def _go(self, state: State) -> None:
        self.state = state
        self.events += state.events

    def _settle(self) -> None:
        for state in iter(self._answer, None):
            self._go(state)

    def _answer(self) -> State | None:
        state, question = self.state, self.state.question
        match None if question is None else question.kind:
            case "deal":
                return engine.answer_deal(state)
            case "open":
                assert question is not None
                return engine.answer_open(state, [self.names[slot] for slot in question.slots])
            case "toss":
                assert question is not None
                return engine.answer_toss(state, (self.tosses.pop(0) if self.tosses else 0) % question.number)
            case "mix":
                assert question is not None
                cards = self.hand(question.seat)
                mixed = engine.answer_mix(state)
                # At a table that hides nothing the order of a hand stays as it is.
                self.names.update(zip(mixed.hands[question.seat], cards, strict=True))
                return mixed
            case _:
                return None
