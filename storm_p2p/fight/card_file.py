"""Read a file of cards (docs/fight-rules.md, "The file of cards"); refuse it with file, line and reason.

A file may come from a stranger, in the log of a match: whatever is in it, it is read or refused.
"""

import hashlib
import json
import re
from bisect import bisect
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from enum import Enum
from functools import cache
from importlib import resources
from json.decoder import JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, Final, TypeVar

from protocol.text import find_fault
from storm_p2p.fight.board import Area, Colour
from storm_p2p.fight.cards import Ability, Card, CardSet, Condition, Kind, Like, Relation, When, Whom
from storm_p2p.fight.errors import CardFileError

FILE_LIMIT: Final = 256 * 1024
"""The most bytes of a file of cards."""
GAME: Final = "fight-for-olympus"
COPIES: Final = {Kind.HERO: 1, Kind.SOLDIER: 2, Kind.EQUIPMENT: 1}
"""How often each card is there (F-1.4)."""
PER_COLOUR: Final = {Kind.HERO: 15, Kind.SOLDIER: 6, Kind.EQUIPMENT: 3}
"""How many cards of a kind each colour has (F-1.2)."""
LARGEST: Final = 99
"""The largest number on a card."""


def _read_own(file: str) -> dict[str, Any]:
    """Return a file that comes with the program."""
    return dict(json.loads(resources.files("storm_p2p.fight").joinpath(file).read_bytes()))


SETS: Final[Mapping[str, Mapping[str, Mapping[str, object]]]] = _read_own("sets.json")
"""The sets that come with the program, the newest first: what each changes in the rows of ``cards.json``."""
NEWEST, *_, FIRST = SETS
"""What a new match is played with, and what a scenario means that names no set."""

_ACTIVE: Final = (When.PLAYED, When.ATTACK)
_ALWAYS: Final = (When.ALWAYS,)

WORDS: Final[Mapping[str, tuple[tuple[When, ...], frozenset[str], frozenset[str]]]] = {
    "damage": (_ACTIVE, frozenset({"n", "whom"}), frozenset()),
    "heal": (_ACTIVE, frozenset({"n", "whom"}), frozenset()),
    "move": (_ACTIVE, frozenset({"whom"}), frozenset()),
    "swap": (_ACTIVE, frozenset({"whom"}), frozenset()),
    "bounce": (_ACTIVE, frozenset({"whom"}), frozenset()),
    "discard": (_ACTIVE, frozenset({"whom"}), frozenset()),
    "draw": (_ACTIVE, frozenset({"n"}), frozenset()),
    "marker": (_ACTIVE, frozenset(), frozenset()),
    "steal": (_ACTIVE, frozenset(), frozenset()),
    "lose_card": (_ACTIVE, frozenset({"n"}), frozenset()),
    "free": (_ACTIVE, frozenset({"type"}), frozenset()),
    "strike": ((When.PLAYED,), frozenset(), frozenset()),
    "attack": (_ALWAYS, frozenset({"n", "whom"}), frozenset({"if"})),
    "defence": (_ALWAYS, frozenset({"n", "whom"}), frozenset({"if"})),
    "shield": (_ALWAYS, frozenset({"n"}), frozenset()),
    "revenge": (_ALWAYS, frozenset({"n"}), frozenset()),
    "survive": (_ALWAYS, frozenset(), frozenset()),
    "pierce": (_ALWAYS, frozenset(), frozenset()),
    "bonus": (_ALWAYS, frozenset({"area", "n"}), frozenset()),
    "mute": (_ALWAYS, frozenset({"whom"}), frozenset()),
    "ward": (_ALWAYS, frozenset({"whom"}), frozenset()),
    "cheaper": (_ALWAYS, frozenset({"type", "n"}), frozenset()),
}
"""The whole language: of each word when it may work, the fields that it needs and those that it may have."""

_SELECTORS: Final = re.compile("[\ufe00-\ufe0f]")
"""What chooses between the forms of a character: two cards could have names that look the same."""

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


class _Object(dict[str, Any]):
    """An object of the file that knows its line."""

    line: int


class _Fault(Exception):
    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def read_reconstructed(name: str = NEWEST) -> dict[str, Any]:
    """Return what the file of a set would hold that comes with the program."""
    plain = {**_read_own("cards.json"), "set": name}
    for row in plain["cards"]:
        row.update(SETS[name].get(row["name"], {}))
    return plain


@cache
def load_reconstructed(name: str = NEWEST) -> CardSet:
    """Return a set of cards that comes with the program; the source has no card, all of it is made up."""
    return load_cards(json.dumps(read_reconstructed(name), indent=1).encode(), "cards.json")


def find_cards(digest: bytes, own: CardSet | None = None) -> CardSet:
    """Return the set of cards with a digest: the own one where one is given, otherwise one that comes with the program.

    Raises:
        ValueError: it is none of them.
    """
    for cards in map(load_reconstructed, SETS) if own is None else (own,):
        if cards.digest == digest:
            return cards
    raise ValueError(f"expected a set of cards that is here, got {digest.hex()[:16]}")


def load_cards(data: bytes, file: str) -> CardSet:
    """Return the cards of a file.

    Args:
        data: its bytes.
        file: its name, for the error.

    Raises:
        CardFileError: with file, line and reason.
    """
    try:
        return _load(_parse(data))
    except _Fault as fault:
        raise CardFileError(file, fault.line, fault.reason) from None


def _parse(data: bytes) -> _Object:
    if len(data) > FILE_LIMIT:
        raise _Fault(1, f"expected at most {FILE_LIMIT} bytes, got {len(data)}")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise _Fault(data.count(b"\n", 0, error.start) + 1, "expected UTF-8") from None
    decoder = json.JSONDecoder()
    # Counting the lines of each object anew takes seconds for a hostile file.
    breaks = [at for at, sign in enumerate(text) if sign == "\n"]

    def parse_object(where: tuple[str, int], *rest: Any) -> tuple[_Object, int]:
        line = bisect(breaks, where[1] - 1) + 1
        # The hook for pairs is the last but one of what the decoder hands on, and is not set.
        pairs, end = JSONObject(where, rest[0], rest[1], None, list, rest[4])
        found = _Object(pairs)
        found.line = line
        if len(found) != len(pairs):
            raise _Fault(line, "expected each field once")
        return found, end

    decoder.parse_object = parse_object  # type: ignore[attr-defined]
    decoder.scan_once = py_make_scanner(decoder)  # type: ignore[attr-defined]
    try:
        whole = decoder.decode(text)
    except json.JSONDecodeError as error:
        found = text[error.pos : error.pos + 20].partition("\n")[0]
        raise _Fault(error.lineno, f"expected JSON, got {_short(found) if found else 'the end'}") from None
    except (RecursionError, ValueError):
        raise _Fault(1, "expected JSON of ordinary depth and numbers") from None
    if not isinstance(whole, _Object):
        raise _Fault(1, "expected an object")
    return whole


def _load(whole: _Object) -> CardSet:
    _fields(whole, {"cards", "game", "set"}, {"origin", "notice", "from_source", "numbering"})
    if whole["game"] != GAME:
        raise _Fault(whole.line, f"expected the game {GAME!r}, got {_short(whole['game'])}")
    rows = whole["cards"]
    if not isinstance(rows, list):
        raise _Fault(whole.line, "expected a list as 'cards'")
    cards: list[Card] = []
    names: set[str] = set()
    for row in rows:
        if not isinstance(row, _Object):
            raise _Fault(whole.line, f"expected an object for each card, got {_short(row)}")
        card = _card(row)
        # B-02: equipment may share a name, with a hero or a soldier, too.
        if card.kind != Kind.EQUIPMENT:
            if card.name in names:
                raise _Fault(row.line, f"expected each hero and soldier once, got {card.name!r} again")
            names.add(card.name)
        cards += [card] * COPIES[card.kind]
    counts = Counter((card.kind, card.colour) for card in cards)
    for kind, wanted in PER_COLOUR.items():
        for colour in Colour:
            if counts[kind, colour] != wanted:
                what = f"{wanted} {colour.name.lower()} cards of the type {kind.name.lower()}"
                raise _Fault(whole.line, f"expected {what}, got {counts[kind, colour]}")
    return CardSet(_text(whole, "set", 64), tuple(cards), _digest(cards))


def _digest(cards: list[Card]) -> bytes:
    data = json.dumps([asdict(card) for card in cards], sort_keys=True, separators=(",", ":"), default=_value)
    return hashlib.sha256(data.encode()).digest()


def _value(member: Enum) -> object:
    return member.value


def _card(row: _Object) -> Card:
    needed = {"name", "type", "colour", "cost", "attack", "defence", "abilities"}
    _fields(row, needed, {"all_colours", "copies", "text"})
    kind = _enum(row, "type", Kind)
    every = row.get("all_colours", False)
    if not isinstance(every, bool) or (every and kind != Kind.HERO):
        raise _Fault(row.line, "expected true or false as 'all_colours', and true for heroes only")
    copies = row.get("copies", COPIES[kind])
    if type(copies) is not int or copies != COPIES[kind]:
        raise _Fault(row.line, f"expected {COPIES[kind]} as 'copies', got {_short(copies)}")
    cost = row["cost"]
    if not isinstance(cost, list) or len(cost) > 8:
        raise _Fault(row.line, "expected a list of at most eight colours as 'cost'")
    abilities = row["abilities"]
    if not isinstance(abilities, list) or len(abilities) > 4:
        raise _Fault(row.line, "expected a list of at most four as 'abilities'")
    return Card(
        _text(row, "name", 40),
        kind,
        _enum(row, "colour", Colour),
        every,
        tuple(_read(row, "cost", one, Colour) for one in cost),
        _number(row, "attack", -LARGEST if kind == Kind.EQUIPMENT else 0),
        _number(row, "defence", -LARGEST if kind == Kind.EQUIPMENT else 1),
        tuple(_ability(row, one) for one in abilities),
        _text(row, "text", 200) if "text" in row else "",
    )


def _ability(card: _Object, row: object) -> Ability:
    if not isinstance(row, _Object):
        raise _Fault(card.line, f"expected an object for each ability, got {_short(row)}")
    word = row.get("do")
    if not isinstance(word, str) or word not in WORDS:
        raise _Fault(row.line, f"expected one of {', '.join(WORDS)} as 'do', got {_short(word)}")
    whens, needed, more = WORDS[word]
    active = whens is not _ALWAYS
    _fields(row, {"when", "do", *needed, *(("may",) if active else ())}, more)
    when = _enum(row, "when", When)
    if when not in whens:
        raise _Fault(row.line, f"expected {' or '.join(one.value for one in whens)} as 'when' of {word!r}")
    may = _flag(row, "may")
    # B-33: nobody could check whether a hand has nothing to play.
    if word == "free" and not may:
        raise _Fault(row.line, "expected true as 'may' of 'free'")
    whom = _whom(row, word) if "whom" in needed else Whom()
    low = -LARGEST if word in ("attack", "defence") else 1
    return Ability(
        when,
        word,
        may,
        _number(row, "n", low) if "n" in needed else 0,
        whom,
        _condition(row) if "if" in row else Condition(),
        _enum(row, "type", Kind) if "type" in needed else None,
        _enum(row, "area", Area) if "area" in needed else None,
    )


def _whom(ability: _Object, word: str) -> Whom:
    row = _object(ability, "whom")
    _fields(row, {"kind"}, {"side", "colour", "area", "max_cost", "other", "equipped", "place", "all"})
    side = row.get("side")
    if side not in (None, "own", "enemy"):
        raise _Fault(row.line, f"expected own or enemy as 'side', got {_short(side)}")
    own = None if side is None else side == "own"
    place = _enum(row, "place", Relation) if "place" in row else None
    # F-2.6: beside and area are words for one side; the space opposite is on the other.
    if place is not None and own is not None and own == (place is Relation.OPPOSITE):
        raise _Fault(row.line, f"expected no unit of this side at the place {place.value!r}")
    every = _flag(row, "all")
    if every and word in ("move", "swap"):
        raise _Fault(row.line, f"expected a choice, not 'all', for {word!r}")
    # B-32: two units change places on one side, which has to be named.
    if word == "swap" and own is None:
        raise _Fault(row.line, "expected a 'side' for 'swap'")
    return Whom(
        own,
        _kind(row),
        _enum(row, "colour", Colour) if "colour" in row else None,
        _enum(row, "area", Area) if "area" in row else None,
        _number(row, "max_cost", 0) if "max_cost" in row else None,
        _flag(row, "other"),
        _flag(row, "equipped"),
        place,
        every,
    )


def _condition(ability: _Object) -> Condition:
    row = _object(ability, "if")
    _fields(row, set(), {"area", "damaged", "opposite", "adjacent", "with"})
    return Condition(
        _enum(row, "area", Area) if "area" in row else None,
        _flag(row, "damaged"),
        _like(row, "opposite"),
        _like(row, "adjacent"),
        _like(row, "with"),
    )


def _like(condition: _Object, field: str) -> Like | None:
    if field not in condition:
        return None
    row = _object(condition, field)
    _fields(row, set(), {"kind", "colour"})
    return Like(_kind(row) if "kind" in row else None, _enum(row, "colour", Colour) if "colour" in row else None)


def _kind(row: _Object) -> Kind | None:
    words: dict[str, Kind | None] = {"unit": None, "hero": Kind.HERO, "soldier": Kind.SOLDIER}
    if not isinstance(row["kind"], str) or row["kind"] not in words:
        raise _Fault(row.line, f"expected one of {', '.join(words)} as 'kind', got {_short(row['kind'])}")
    return words[row["kind"]]


def _fields(row: _Object, needed: set[str], more: set[str] | frozenset[str]) -> None:
    for name in sorted(needed - row.keys()):
        raise _Fault(row.line, f"expected the field {name!r}")
    for name in sorted(row.keys() - needed - more):
        raise _Fault(row.line, f"expected only known fields, got {_short(name)}")


def _object(row: _Object, field: str) -> _Object:
    value = row[field]
    if not isinstance(value, _Object):
        raise _Fault(row.line, f"expected an object as {field!r}, got {_short(value)}")
    return value


def _flag(row: _Object, field: str) -> bool:
    value = row.get(field, False)
    if not isinstance(value, bool):
        raise _Fault(row.line, f"expected true or false as {field!r}, got {_short(value)}")
    return value


def _number(row: _Object, field: str, low: int) -> int:
    value = row[field]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= LARGEST:
        raise _Fault(row.line, f"expected {low} to {LARGEST} as {field!r}, got {_short(value)}")
    return value


def _text(row: _Object, field: str, longest: int) -> str:
    value = row[field]
    least = 0 if field == "text" else 1
    sound = isinstance(value, str) and not _SELECTORS.search(value) and find_fault(value) is None
    if not isinstance(value, str) or not sound or not least <= len(value) <= longest:
        wanted = f"{least} to {longest} printable characters"
        raise _Fault(row.line, f"expected {wanted} as {field!r}, got {_short(value)}")
    return value


def _enum(row: _Object, field: str, members: type[E]) -> E:
    return _read(row, field, row[field], members)


def _read(row: _Object, field: str, value: object, members: type[E]) -> E:
    by_word = {one.name.lower(): one for one in members}
    if not isinstance(value, str) or value not in by_word:
        raise _Fault(row.line, f"expected one of {', '.join(by_word)} in {field!r}, got {_short(value)}")
    return by_word[value]


def _short(value: object) -> str:
    return ascii(value)[:60]
