"""The public state in bytes, and the terms of a match in numbers (docs/fight-rules.md, "The public state in bytes")."""

import json
from dataclasses import asdict, fields
from typing import Any, Final

from protocol.game import Decision
from storm_p2p.fight.board import Colour
from storm_p2p.fight.card_file import find_cards
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.state import Question, State, Unit

_WORDS: Final = 8
"""The digest of a card set stands in the terms as so many numbers of 32 bits, big-endian."""


def encode_terms(cards: CardSet) -> Decision:
    """Return the terms of a match with a set of cards."""
    return tuple(int.from_bytes(cards.digest[at : at + 4]) for at in range(0, 4 * _WORDS, 4))


def decode_terms(terms: Decision) -> bytes:
    """Return the digest of the card set that the terms of a match name.

    Raises:
        ValueError: they are no terms of this game.
    """
    numbers = terms if isinstance(terms, tuple) else ()
    found = [one for one in numbers if isinstance(one, int) and 0 <= one < 1 << 32]
    if len(found) != _WORDS or len(numbers) != _WORDS:
        raise ValueError(f"expected {_WORDS} numbers as the name of a set of cards")
    return b"".join(one.to_bytes(4) for one in found)


def dump(state: State) -> bytes:
    """Return the canonical bytes of the public state."""
    plain: dict[str, Any] = {one.name: getattr(state, one.name) for one in fields(state) if one.name != "events"}
    plain["cards"] = state.cards.digest.hex()
    plain["sides"] = [
        [unit and [unit.card, unit.damage, unit.gear, unit.attacked] for unit in side] for side in state.sides
    ]
    plain["question"] = state.question and asdict(state.question)
    return json.dumps(plain, separators=(",", ":"), sort_keys=True).encode("ascii")


def load(data: bytes, own: CardSet | None = None) -> State:
    """Return the state of dumped bytes, of a game with an own set of cards if one is given.

    Raises:
        ValueError: they are no dumped state of a game with these cards.
    """
    try:
        plain = json.loads(data)
        cards = find_cards(bytes.fromhex(plain.pop("cards")), own)
        plain["sides"] = [[None if unit is None else Unit(*unit) for unit in side] for side in plain["sides"]]
        plain["stack"] = [tuple(task) for task in plain["stack"]]
        question, result = plain["question"], plain["result"]
        if question is not None:
            lists: dict[str, Any] = {name: tuple(question.pop(name)) for name in ("task", "slots")}
            plain["question"] = Question(**question, **lists)
        plain["result"] = None if result is None else tuple(result)
        state = State(cards, **plain)
        whole = dump(state) == data and _is_state(state)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("expected a dumped state") from error
    if not whole:
        raise ValueError("expected a dumped state in its one form")
    return state


def _is_state(state: State) -> bool:
    """Return whether the fields that the rules count with are numbers and lists of numbers."""
    numbers = (state.active, state.number, state.first, state.counter, state.fresh, state.pointer)
    lists: list[Any] = [*state.hands, *state.known, state.pile, state.discards]
    return (
        all(type(one) is int for one in numbers)
        and len(state.markers) == len(Colour)
        and len(state.hands) == len(state.known) == len(state.sides) == len(state.stale)
        and all(isinstance(several, list) and all(type(one) is int for one in several) for several in lists)
    )
