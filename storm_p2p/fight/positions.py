"""Positions of Fight for Olympus as plain data (docs/fight-rules.md, "Positions, notation and scenarios").

A position becomes a table at which everything is known: it answers what programs answer in a match (scenarios,
analysis, tests).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from protocol.game import Decision, Json, Seat
from storm_p2p.fight import engine
from storm_p2p.fight.board import GOAL, SPACES, Colour
from storm_p2p.fight.cards import CardSet, Kind
from storm_p2p.fight.errors import PositionError
from storm_p2p.fight.events import Event
from storm_p2p.fight.rules.values import defence_of
from storm_p2p.fight.state import State, Unit, View


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
        if question is None:
            return None
        match question.kind:
            case "deal":
                return engine.answer_deal(state)
            case "open":
                return engine.answer_open(state, [self.names[slot] for slot in question.slots])
            case "toss":
                return engine.answer_toss(state, (self.tosses.pop(0) if self.tosses else 0) % question.number)
            case "mix":
                cards = self.hand(question.seat)
                mixed = engine.answer_mix(state)
                # At a table that hides nothing the order of a hand stays as it is.
                self.names.update(zip(mixed.hands[question.seat], cards, strict=True))
                return mixed
            case _:
                return None


_KEYS: Final = {"active", "number", "first", "counter", "markers", "sides", "hands", "pile", "discard"}
_LONGEST: Final = 10_000


def load_position(cards: CardSet, position: object, tosses: Sequence[int] = ()) -> Table:
    """Return a table at the beginning of phase 1 of a position's active seat.

    Raises:
        PositionError: it is none.
    """
    if not isinstance(position, Mapping):
        raise PositionError("wrong-type", "expected an object as position")
    for key in position:
        if key not in _KEYS:
            raise PositionError("unknown-key", "expected the keys of a position, got {key}", key=_short(key))
    names: dict[int, int] = {}
    used: set[int] = set()
    state = State(cards)
    state.active, state.first = _number(position, "active", 0, 0, 1), _number(position, "first", 0, 0, 1)
    state.number = _number(position, "number", 5, 1, _LONGEST)
    state.counter = _number(position, "counter", 0, 1 - GOAL, GOAL - 1)
    state.markers = _markers(position.get("markers", {}))
    for seat, side in enumerate(_pair(position, "sides", [[None] * len(SPACES)] * 2)):
        if not isinstance(side, list) or len(side) != len(SPACES):
            raise PositionError("wrong-type", "expected six spaces a side")
        state.sides[seat] = [_unit(cards, used, unit) for unit in side]
    for seat, hand in enumerate(_pair(position, "hands", [[], []])):
        state.hands[seat] = _slots(names, _cards(cards, used, hand))
    state.pile = _slots(names, _cards(cards, used, position.get("pile", [])))
    state.discards = _cards(cards, used, position.get("discard", []))
    state.fresh = len(names)
    _check_damage(state)
    engine.begin_turn(state)
    return Table(engine.advance(state), names, list(tosses))


def deal(cards: CardSet, deck: object, first: object, tosses: Sequence[int] = ()) -> Table:
    """Return a table with a new game from the order of the whole deck: two hands, the pile, the cards put aside.

    Raises:
        PositionError: it is no order of all cards, or nobody's turn.
    """
    found = _cards(cards, set(), deck)
    if len(found) != len(cards.cards):
        raise PositionError("bad-deck", "expected {wanted} cards, got {got}", wanted=len(cards.cards), got=len(found))
    if type(first) is not int or first not in (0, 1):
        raise PositionError("wrong-type", "expected 0 or 1 as first")
    state = engine.answer_shuffle(engine.answer_lot(engine.new_game(cards), first))
    return Table(state, dict(enumerate(found)), list(tosses))


def show(table: Table) -> dict[str, Json]:
    """Return a position with everything that a table knows."""
    state = table.state
    shown: dict[str, Any] = {
        **_show_board(state),
        "hands": [table.hand(seat) for seat in range(len(state.hands))],
        "pile": [table.names[slot] for slot in state.pile],
        "discard": list(state.discards),
    }
    if state.pointer and state.result is None:
        shown["pointer"] = state.pointer
    return shown


def show_view(view: View, seat: Seat | None) -> dict[str, Json]:
    """Return what a seat sees, or everybody: of another hand the cards that are known to be in it, null for others."""
    state, question = view.state, view.state.question
    return {
        **_show_board(state),
        "hands": [
            [view.name(entry) if entry < 0 or owner == seat else None for entry in hand]
            for owner, hand in enumerate(state.hands)
        ],
        "known": [list(cards) for cards in state.known],
        "pile": len(state.pile),
        "discard": list(state.discards),
        "phase": "over" if question is None else question.kind,
        "to_act": [] if question is None else [question.seat],
    }


def _show_board(state: State) -> dict[str, Any]:
    """Return what is the same for everybody: the turn, the counter, markers and units."""
    return {
        **{name: getattr(state, name) for name in ("active", "number", "first", "counter")},
        "markers": {colour.name.lower(): state.markers[colour] for colour in Colour},
        "sides": [
            [unit and {"card": unit.card, "damage": unit.damage, "gear": unit.gear} for unit in side]
            for side in state.sides
        ],
    }


def _unit(cards: CardSet, used: set[int], value: object) -> Unit | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or "card" not in value or not value.keys() <= {"card", "damage", "gear"}:
        raise PositionError("wrong-type", "expected a card, and perhaps damage and gear, of a unit")
    (card,) = _cards(cards, used, [value["card"]])
    gear = value.get("gear")
    if gear is not None:
        (gear,) = _cards(cards, used, [gear])
    if cards.cards[card].kind == Kind.EQUIPMENT or (gear is not None and cards.cards[gear].kind != Kind.EQUIPMENT):
        raise PositionError("wrong-kind", "expected a unit with gear, got them the other way round")
    return Unit(card, _number(value, "damage", 0, 0, _LONGEST), gear)


def _check_damage(state: State) -> None:
    for seat, side in enumerate(state.sides):
        for space, unit in enumerate(side, 1):
            if unit is not None and unit.damage >= defence_of(state, seat, space):
                template = "expected units whose damage is less than their defence, got {card}"
                raise PositionError("defeated", template, card=state.card(unit.card).name)


def _markers(value: object) -> list[Seat | None]:
    names = [colour.name.lower() for colour in Colour]
    if not isinstance(value, Mapping) or not value.keys() <= set(names):
        raise PositionError("wrong-type", "expected the markers of four colours")
    owners = [value.get(name) for name in names]
    if any(owner is not None and (type(owner) is not int or owner not in (0, 1)) for owner in owners):
        raise PositionError("wrong-type", "expected null, 0 or 1 as the owner of a marker")
    return owners


def _cards(cards: CardSet, used: set[int], value: object) -> list[int]:
    if not isinstance(value, list):
        raise PositionError("wrong-type", "expected a list of cards")
    for card in value:
        if type(card) is not int or not 0 <= card < len(cards.cards):
            raise PositionError(
                "no-card", "expected a card from 0 to {last}, got {card}", last=len(cards.cards) - 1, card=_short(card)
            )
        if card in used:
            raise PositionError("card-twice", "expected each card in one place, got {card} in two", card=card)
        used.add(card)
    return list(value)


def _slots(names: dict[int, int], cards: list[int]) -> list[int]:
    slots = list(range(len(names), len(names) + len(cards)))
    names.update(zip(slots, cards, strict=True))
    return slots


def _pair(position: Mapping[str, object], key: str, default: list[Any]) -> list[Any]:
    value = position.get(key, default)
    if not isinstance(value, list) or len(value) != len(default):
        raise PositionError("wrong-type", "expected two lists as {key}", key=key)
    return value


def _number(position: Mapping[str, object], key: str, default: int, low: int, high: int) -> int:
    value = position.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise PositionError(
            "wrong-type", "expected {low} to {high} as {key}, got {got}", low=low, high=high, key=key, got=_short(value)
        )
    return value


def _short(value: object) -> str:
    return ascii(value)[:40]
