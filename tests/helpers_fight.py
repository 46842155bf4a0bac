"""Sets of cards, tables and random plays of Fight for Olympus."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from helpers_wire import Pair

from protocol.core.session import Session
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.card_file import WORDS, load_cards, load_reconstructed, read_reconstructed
from storm_p2p.fight.cards import CardSet, Kind
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.engine import answer_lot, answer_shuffle, new_game
from storm_p2p.fight.game import Fight
from storm_p2p.fight.positions import Table, load_position
from storm_p2p.fight.state import State, View

CARDS = load_reconstructed()
FILE = json.dumps(read_reconstructed(), indent=1).encode()
COLOURS = ("red", "blue", "green", "yellow")
PILE = [90, 91, 92, 94, 95]
"""What the pile holds unless a test names it."""


def plain_set() -> dict[str, Any]:
    """Return the reconstructed set as plain data."""
    return dict(json.loads(FILE))


def row(plain: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the row of a card."""
    return next(one for one in plain["cards"] if one["name"] == name)


def own_set(**changes: Mapping[str, Any]) -> CardSet:
    """Return the reconstructed set with fields of some cards changed; a name may have its blanks as underscores."""
    plain = plain_set()
    for name, fields in changes.items():
        row(plain, name.replace("_", " ")).update(fields)
    return load_cards(json.dumps(plain).encode(), "own.json")


def abilities(*several: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field of a card that has these abilities."""
    return {"abilities": list(several)}


def side(units: Mapping[int, Sequence[int | None] | int]) -> list[dict[str, int | None] | None]:
    """Return a side of a position: of each space the card, or the card, its damage and its gear."""
    found: list[dict[str, int | None] | None] = [None] * 6
    for space, unit in units.items():
        card, damage, gear = (unit, 0, None) if isinstance(unit, int) else (*unit, None)[:3]
        found[space - 1] = {"card": card, "damage": damage, "gear": gear}
    return found


def table(
    cards: CardSet, own: Mapping[int, Any], enemy: Mapping[int, Any], hand: Sequence[int] = (), **position: Any
) -> Table:
    """Return a table at which seat 0 begins phase 1."""
    whole = {"sides": [side(own), side(enemy)], "hands": [list(hand), []], "pile": PILE, **position}
    return load_position(cards, whole)


def shown(side: Sequence[Any]) -> dict[int, tuple[int, int, int | None]]:
    """Return the units of a side by their space."""
    return {space: (unit.card, unit.damage, unit.gear) for space, unit in enumerate(side, 1) if unit is not None}


def new_table(cards: CardSet, chance: random.Random) -> Table:
    """Return a new game with a deck in random order."""
    deck = list(range(len(cards.cards)))
    chance.shuffle(deck)
    state = answer_shuffle(answer_lot(new_game(cards), chance.randrange(2)))
    return Table(state, dict(enumerate(deck)), [chance.randrange(1000) for _ in range(50)])


def random_play(cards: CardSet, chance: random.Random, limit: int = 1000) -> Iterator[Table]:
    """Yield a table before each decision of a random play, and when the game is over or enough was decided."""
    game = new_table(cards, chance)
    for _ in range(limit):
        yield game
        if game.state.question is None:
            return
        options = game.legal()
        # Whoever ends phase 1 at once plays no card; a dear one is in the hand with its payers seldom enough.
        plays = [one for one in options if isinstance(one, tuple) and one[:1] == (0,)]
        if plays and chance.random() < 0.7:
            options = [max(chance.choices(plays, k=3), key=lambda one: len(str(one)))]
        game.decide(chance.choice(options))


class FightPair(Pair):
    """Two sessions that play Fight, with the reconstructed set or one of their own, and who decides at each seat."""

    def __init__(
        self,
        *,
        cards: CardSet = CARDS,
        own: bool = False,
        data: bytes = b"",
        bots: Sequence[str] = ("random", "random"),
        **both: Any,
    ) -> None:
        self.bots = tuple(BOTS[name] for name in bots)
        if own:
            data = json.dumps({**plain_set(), "set": "own-1"}, separators=(",", ":")).encode()
        cards = load_cards(data, "own.json") if data else cards
        super().__init__(Fight(), encode_terms(cards), data=data, **both)

    def _decide(self, session: Session, chance: random.Random) -> None:
        bot = self.bots[session.seat]
        session.act(bot.decide(View(session.state, session.known), session.seat, chance), now=self.now)


def cards_in(state: State, names: Mapping[int, int]) -> list[int]:
    """Return every card of a game, wherever it is, but those that are out of it."""
    found = list(state.discards)
    for units in state.sides:
        found += [card for unit in units if unit for card in (unit.card, unit.gear) if card is not None]
    for slots in (*state.hands, state.pile):
        found += [names[slot] if slot >= 0 else -1 - slot for slot in slots]
    return found


def random_set(chance: random.Random) -> dict[str, Any]:
    """Return a set in which every card has random values and abilities, in combinations that nobody would print."""
    plain = plain_set()
    for one in plain["cards"]:
        gear, hero = one["type"] == "equipment", one["type"] == "hero"
        one["cost"] = chance.choices(COLOURS, k=chance.choice((0, 0, 1, 1, 2, 3)))
        one["attack"] = chance.randint(-1 if gear else 0, 5)
        one["defence"] = chance.randint(-1 if gear else 1, 6)
        one["all_colours"] = hero and chance.random() < 0.2
        one["abilities"] = [random_ability(chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
    return plain


def random_ability(chance: random.Random, word: str | None = None) -> dict[str, Any]:
    """Return an ability with as many fields as chance likes."""
    word = word or chance.choice(list(WORDS))
    whens, needed, more = WORDS[word]
    when = chance.choice(whens).value
    found: dict[str, Any] = {"when": when, "do": word}
    if when != "always":
        found["may"] = word == "free" or chance.random() < 0.5
    if "n" in needed:
        found["n"] = chance.randint(-3, 3) if word in ("attack", "defence") else chance.randint(1, 3)
    if "whom" in needed:
        found["whom"] = _random_whom(chance, word)
    if "type" in needed:
        found["type"] = chance.choice([one.name.lower() for one in Kind])
    if "area" in needed:
        found["area"] = chance.choice(("olympus", "delphi", "troy"))
    if "if" in more and chance.random() < 0.5:
        found["if"] = _random_condition(chance)
    return found


def _random_whom(chance: random.Random, word: str) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": chance.choice(("unit", "unit", "hero", "soldier"))}
    if word == "swap" or chance.random() < 0.7:
        found["side"] = chance.choice(("own", "enemy"))
    if chance.random() < 0.2:
        found["colour"] = chance.choice(COLOURS)
    if chance.random() < 0.2:
        found["area"] = chance.choice(("olympus", "delphi", "troy"))
    if chance.random() < 0.2:
        found["max_cost"] = chance.randint(0, 4)
    if chance.random() < 0.2:
        found["equipped"] = True
    if chance.random() < 0.2:
        found["other"] = True
    if chance.random() < 0.4:
        places = {"own": ("self", "adjacent", "area"), "enemy": ("opposite",)}
        found["place"] = chance.choice(places.get(found.get("side", ""), ("self", "adjacent", "area", "opposite")))
    if word not in ("move", "swap") and chance.random() < 0.4:
        found["all"] = True
    return found


def _random_condition(chance: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    likes: list[Any] = [{}, {"kind": "hero"}, {"colour": "blue"}, {"kind": "soldier", "colour": "red"}]
    if chance.random() < 0.4:
        found["area"] = chance.choice(("olympus", "delphi", "troy"))
    if chance.random() < 0.4:
        found["damaged"] = True
    for field in ("opposite", "adjacent", "with"):
        if chance.random() < 0.3:
            found[field] = chance.choice(likes)
    return found
