"""Fight for Olympus as a guest of the protocol: it implements :class:`protocol.game.Game`.

Both players shuffle the pile, cards are dealt from it face down, and a hand is mixed by its holder before one of its
cards is used (B-27).  What a seat knows of hidden cards is never part of the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from protocol import game as contract
from protocol.game import Answer, Decision, Foul, Json, Known, Request, Seat
from storm_p2p.fight import codec, engine
from storm_p2p.fight.card_file import find_cards, load_cards
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.errors import IllegalDecision
from storm_p2p.fight.events import Event
from storm_p2p.fight.positions import show_view
from storm_p2p.fight.state import State, View, turn_of
from storm_p2p.fight.version import rules_version

NAME: Final = "fight-for-olympus"
BOTH: Final[tuple[Seat, ...]] = (0, 1)


class Fight:
    """The rules module that a session carries."""

    name: Final = NAME
    version: Final = rules_version()
    seats: Final = 2
    sides: Final = ("0", "1")
    schemes: Final = ("proved",)
    largest_batch: Final = 0
    """It hides nothing but cards of a pile."""
    idle: Final = frozenset({"lot", "lost"})
    """Chance, which programs answer."""

    def __init__(self, cards: CardSet | None = None) -> None:
        """Begin with an own set of cards; where none is given, with the reconstructed one that the terms name."""
        self._cards = cards

    def supply(self, data: bytes) -> Fight:
        """Return the game with an own set of cards, the bytes of its file.

        Raises:
            ValueError: they are no set of cards.
        """
        return Fight(load_cards(data, "cards"))

    def begin(self, terms: Decision) -> State:
        """Return a game that asks the lot who begins.

        Raises:
            ValueError: the terms are none of this game, or name another set of cards.
        """
        return engine.new_game(find_cards(codec.decode_terms(terms), self._cards))

    def next_request(self, state: State) -> Request | None:
        """Return what the game needs next."""
        question = state.question
        if question is None:
            return None
        seat = question.seat
        match question.kind:
            case "lot":
                return contract.Toss(question.number, "lot", BOTH)
            case "shuffle":
                return contract.Mix((), (question.slots,), BOTH, faces=question.slots)
            case "deal":
                return contract.Deal(tuple(state.pile[: question.number]), (seat,))
            case "open":
                return contract.Open(seat, question.slots)
            case "toss":
                return contract.Toss(question.number, "lost", BOTH)
            case "mix":
                hand = state.hands[seat]
                fresh = tuple(range(state.fresh, state.fresh + len(hand)))
                hidden = tuple(entry for entry in hand if entry >= 0)
                return contract.Mix(hidden, (fresh,), (seat,), faces=tuple(-1 - entry for entry in hand if entry < 0))
            case kind:
                return contract.Choose(seat, kind)

    def moves(self, state: State, seat: Seat, known: Known) -> Iterable[Decision]:
        """Yield what a seat may decide now."""
        question = state.question
        return engine.legal(state, known) if question is not None and question.seat == seat else []

    def check(self, state: State, seat: Seat, decision: Decision, known: Known) -> str | None:
        """Return why a seat may not answer so, as far as ``known`` shows, or None."""
        if state.question is not None and state.question.kind == "mix":
            return None
        try:
            engine.check(state, seat, decision, known)
        except IllegalDecision as error:
            return str(error)
        return None

    def step(self, state: State, answer: Answer) -> State:
        """Return the state after an answer.

        Raises:
            Foul: the cards that were opened are not what their owner has said with them.
        """
        question = state.question
        assert question is not None
        match answer:
            case contract.Chosen(_, decision):
                return engine.decide(state, decision)
            case contract.Tossed(int() as number):
                return engine.answer_lot(state, number) if question.kind == "lot" else engine.answer_toss(state, number)
            case contract.Mixed():
                return engine.answer_shuffle(state) if question.kind == "shuffle" else engine.answer_mix(state)
            case contract.Dealt():
                return engine.answer_deal(state)
            case contract.Opened(values):
                try:
                    return engine.answer_open(state, values)
                except IllegalDecision as error:
                    raise Foul(question.seat, error.code, str(error)) from None
            case _:
                raise AssertionError(f"{answer} to {question}")

    def step_with_events(self, state: State, answer: Answer) -> tuple[State, tuple[Event, ...]]:
        """Return the state after an answer and what has happened on the board.

        Raises:
            Foul: the cards that were opened are not what their owner has said with them.
        """
        after = self.step(state, answer)
        return after, tuple(after.events)

    def forfeit(self, state: State, seat: Seat) -> State:
        """Return the state in which a seat has given up or been caught."""
        return engine.forfeit(state, seat)

    def result(self, state: State) -> Mapping[str, str] | None:
        """Return winner and reason, or None while the game goes on."""
        if state.result is None:
            return None
        winner, reason = state.result
        return {"winner": "draw" if winner is None else self.sides[winner], "reason": reason}

    def view(self, state: State, seat: Seat | None, known: Known) -> Json:
        """Return what a seat may see, or the public view; a card of a hand that is not known is null."""
        return show_view(View(state, known), seat)

    def turn(self, state: State) -> int:
        """Return the number of the turn; 0 while the cards are shuffled and dealt."""
        return turn_of(state)

    def setup(self, state: State, known: Known) -> tuple[tuple[Seat, int, int], ...] | None:
        """Return nothing: a deal is no setup that anybody has chosen."""
        return ()

    def dump(self, state: State) -> bytes:
        """Return the canonical bytes of the public state."""
        return codec.dump(state)

    def load(self, data: bytes) -> State:
        """Return the state of :meth:`dump`'s bytes.

        Raises:
            ValueError: they are none, or of a game with other cards.
        """
        return codec.load(data, self._cards)
