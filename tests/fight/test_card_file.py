"""A file of cards is read, or refused with its name, the line and the reason (docs/fight-rules.md)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from helpers_fight import CARDS, FILE, abilities, own_set, plain_set, random_ability, random_set, row

from storm_p2p.fight.card_file import FILE_LIMIT, LARGEST, WORDS, load_cards
from storm_p2p.fight.cards import CardSet, Kind, When
from storm_p2p.fight.errors import CardFileError

Plain = dict[str, Any]


def refusal(data: bytes) -> CardFileError:
    with pytest.raises(CardFileError) as found:
        load_cards(data, "mine.json")
    error = found.value
    assert error.code == "bad-cards"
    assert error.facts["file"] == "mine.json"
    assert str(error).startswith(f"mine.json, line {error.facts['line']}: expected ")
    assert str(error).isprintable()
    assert 1 <= int(error.facts["line"]) <= data.count(b"\n") + 1
    return error


def written(plain: Plain) -> bytes:
    """Return a set as it stands in a file, each row in lines of its own."""
    return json.dumps(plain, indent=1).encode()


def line_of(data: bytes, card: str) -> int:
    """Return the line on which the object of a card begins."""
    return data[: data.index(b'"name": "%s"' % card.encode())].count(b"\n")


def test_the_set_that_comes_with_the_program_is_read() -> None:
    assert len(CARDS.cards) == 96
    assert [sum(card.kind == kind for card in CARDS.cards) for kind in Kind] == [60, 24, 12]
    assert load_cards(FILE, "again.json") == CARDS


def test_the_digest_names_what_the_cards_say_and_nothing_else() -> None:
    plain = plain_set()
    plain.update(set="another name", notice="other words")
    assert load_cards(json.dumps(plain).encode(), "x").digest == CARDS.digest
    for name, fields in (
        ("Hector", {"attack": 4}),
        ("Hector", {"text": "Other words."}),
        ("Hector", {"all_colours": True}),
        ("Hector", {"cost": ["red", "yellow", "red"]}),
        ("Hector", {"name": "Hektor"}),
        ("Hector", abilities()),
    ):
        assert own_set(**{name: fields}).digest != CARDS.digest, fields


def test_no_turn_of_the_set_that_comes_with_the_program_can_go_on_for_ever() -> None:
    # B-41: nothing returns an own unit that could be played again for nothing.
    every = [(card, ability) for card in CARDS.cards for ability in card.abilities]
    assert all(ability.whom.own is False for _, ability in every if ability.do == "bounce")
    free = {ability.kind for _, ability in every if ability.do == "free"}
    survivors = [card for card, ability in every if ability.do == "survive"]
    assert survivors
    assert all(card.cost and card.kind not in free for card in survivors)


ROWS: list[tuple[str, Any, str]] = [
    ("type", "titan", "hero, soldier, equipment in 'type'"),
    ("type", 1, "in 'type', got 1"),
    ("type", ["hero"], "in 'type'"),
    ("colour", "white", "red, blue, green, yellow in 'colour', got 'white'"),
    ("colour", None, "in 'colour', got None"),
    ("cost", "red", "a list of at most eight colours as 'cost'"),
    ("cost", ["red"] * 9, "at most eight colours"),
    ("cost", ["red", "pink"], "in 'cost', got 'pink'"),
    ("cost", [["red"]], "in 'cost'"),
    ("attack", -1, "0 to 99 as 'attack', got -1"),
    ("attack", 100, "0 to 99 as 'attack', got 100"),
    ("attack", True, "as 'attack', got True"),
    ("attack", 2.0, "as 'attack', got 2.0"),
    ("attack", "2", "as 'attack', got '2'"),
    ("attack", float("nan"), "as 'attack', got nan"),
    ("attack", float("inf"), "as 'attack', got inf"),
    ("attack", 10**40, "as 'attack', got 1000"),
    ("defence", 0, "1 to 99 as 'defence', got 0"),
    ("abilities", {}, "a list of at most four as 'abilities'"),
    ("abilities", [{"when": "always", "do": "survive"}] * 5, "at most four"),
    ("abilities", ["survive"], "an object for each ability"),
    ("name", "", "1 to 40 printable characters as 'name'"),
    ("name", "x" * 41, "1 to 40 printable"),
    ("name", "a\nb", "printable"),
    ("name", "\x1b[31m", "printable"),
    ("name", "\ud800", "printable"),
    ("name", "a\u00a0b", "printable"),
    ("name", "a\u200bb", "printable"),
    *[("name", f"a{sign}b", "printable") for sign in "\u2067\ufe0f\u3164\u115f\u034f\u180f\u2060\U0001d173\U000e0041"],
    ("text", "ends with a space ", "printable"),
    ("text", "e\u0301", "printable"),
    ("name", 3, "as 'name', got 3"),
    ("name", "Ajax", "each hero and soldier once, got 'Ajax' again"),
    ("text", "x" * 201, "0 to 200 printable"),
    ("all_colours", 1, "true or false as 'all_colours'"),
    ("copies", 2, "1 as 'copies', got 2"),
    ("copies", True, "1 as 'copies', got True"),
    ("copies", 1.0, "1 as 'copies', got 1.0"),
    ("strength", 3, "only known fields, got 'strength'"),
]


@pytest.mark.parametrize(("field", "value", "reason"), ROWS, ids=lambda one: ascii(one)[:30])
def test_a_wrong_field_of_a_card_is_named_with_its_line(field: str, value: object, reason: str) -> None:
    plain = plain_set()
    # Ajax stands before Hector then, and is found first.
    card = row(plain, "Meleager")
    card[field] = value
    data = written(plain)
    error = refusal(data)
    assert reason in str(error)
    where = plain["cards"].index(card)
    before = plain["cards"][where - 1]["name"]
    after = plain["cards"][where + 1]["name"]
    assert line_of(data, before) < int(error.facts["line"]) < line_of(data, after)
    if field != "abilities":
        assert int(error.facts["line"]) == data[: data.index(b'"name"', data.index(before.encode()))].count(b"\n")


@pytest.mark.parametrize("field", ["name", "type", "colour", "cost", "attack", "defence", "abilities"])
def test_a_field_that_a_card_needs_is_missed(field: str) -> None:
    plain = plain_set()
    del row(plain, "Hector")[field]
    assert f"expected the field '{field}'" in str(refusal(written(plain)))


def test_a_soldier_or_gear_of_all_colours_is_refused() -> None:
    for name in ("Hoplites", "Spear"):
        plain = plain_set()
        row(plain, name)["all_colours"] = True
        assert "true for heroes only" in str(refusal(written(plain)))


WHOM = {"kind": "unit"}
ABILITIES: list[tuple[Plain, str]] = [
    ({"when": "played"}, "got None"),
    ({"when": "played", "do": "banish"}, "as 'do', got 'banish'"),
    ({"when": "played", "do": ["draw"], "n": 1}, "as 'do'"),
    ({"do": "draw", "n": 1}, "the field 'when'"),
    ({"when": "always", "do": "draw", "n": 1}, "played or attack as 'when' of 'draw'"),
    ({"when": "played", "do": "survive"}, "always as 'when' of 'survive'"),
    ({"when": "attack", "do": "strike"}, "played as 'when' of 'strike'"),
    ({"when": "sometimes", "do": "draw", "n": 1}, "in 'when', got 'sometimes'"),
    ({"when": "played", "do": "draw"}, "the field 'n'"),
    ({"when": "played", "do": "draw", "n": 0}, "1 to 99 as 'n', got 0"),
    ({"when": "played", "do": "draw", "n": 1, "whom": WHOM}, "only known fields, got 'whom'"),
    ({"when": "played", "do": "draw", "n": 1, "may": 1}, "true or false as 'may'"),
    ({"when": "always", "do": "survive", "may": True}, "only known fields, got 'may'"),
    ({"when": "played", "do": "free", "type": "soldier"}, "true as 'may' of 'free'"),
    ({"when": "played", "do": "free", "may": True}, "the field 'type'"),
    ({"when": "played", "do": "free", "may": True, "type": "unit"}, "in 'type', got 'unit'"),
    ({"when": "played", "do": "damage", "n": 1}, "the field 'whom'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": []}, "an object as 'whom'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {}}, "the field 'kind'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {"kind": "equipment"}}, "as 'kind', got 'equipment'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "who": 1}}, "only known fields, got 'who'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "side": "both"}}, "got 'both'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "side": ["own"]}}, "as 'side'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "all": "yes"}}, "'all', got 'yes'"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "max_cost": -1}}, "'max_cost', got -1"),
    ({"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "place": "far"}}, "'place', got 'far'"),
    (
        {"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "side": "own", "place": "opposite"}},
        "no unit of this side at the place 'opposite'",
    ),
    (
        {"when": "played", "do": "damage", "n": 1, "whom": {"kind": "unit", "side": "enemy", "place": "self"}},
        "no unit of this side at the place 'self'",
    ),
    ({"when": "played", "do": "move", "whom": {"kind": "unit", "all": True}}, "a choice, not 'all', for 'move'"),
    ({"when": "played", "do": "swap", "whom": {"kind": "unit"}}, "a 'side' for 'swap'"),
    ({"when": "always", "do": "bonus", "n": 1}, "the field 'area'"),
    ({"when": "always", "do": "bonus", "n": 1, "area": "sparta"}, "in 'area', got 'sparta'"),
    ({"when": "always", "do": "attack", "n": LARGEST + 1, "whom": WHOM}, "'n', got 100"),
    ({"when": "always", "do": "attack", "n": 1, "whom": WHOM, "if": []}, "an object as 'if'"),
    ({"when": "always", "do": "attack", "n": 1, "whom": WHOM, "if": {"alone": True}}, "only known fields, got 'alone'"),
    ({"when": "always", "do": "attack", "n": 1, "whom": WHOM, "if": {"damaged": 1}}, "as 'damaged', got 1"),
    ({"when": "always", "do": "attack", "n": 1, "whom": WHOM, "if": {"with": "hero"}}, "an object as 'with'"),
    ({"when": "always", "do": "attack", "n": 1, "whom": WHOM, "if": {"with": {"kind": 3}}}, "as 'kind', got 3"),
    ({"when": "always", "do": "shield", "n": 1, "if": {}}, "only known fields, got 'if'"),
]


@pytest.mark.parametrize(("ability", "reason"), ABILITIES, ids=range(len(ABILITIES)))
def test_a_wrong_ability_is_named_with_its_line(ability: Plain, reason: str) -> None:
    plain = plain_set()
    word = ability.get("do")
    if isinstance(word, str) and When.ALWAYS not in WORDS.get(word, [()])[0]:
        ability = {"may": False, **ability}
    row(plain, "Hector")["abilities"] = [{"when": "always", "do": "survive"}, ability]
    data = written(plain)
    error = refusal(data)
    assert reason in str(error)
    # The first ability of Hector is all right, so the fault stands behind it.
    assert int(error.facts["line"]) > data[: data.index(b'"survive"', data.index(b'"Hector"'))].count(b"\n") + 1
    assert int(error.facts["line"]) < line_of(data, "Patroclus")


def test_whether_an_ability_may_or_must_has_to_be_said() -> None:
    for may, reason in (({}, "the field 'may'"), ({"may": None}, "true or false as 'may'")):
        with pytest.raises(CardFileError, match=reason):
            own_set(Hector=abilities({"when": "played", "do": "draw", "n": 1, **may}))


def changed(change: Callable[[Plain], object]) -> bytes:
    plain = plain_set()
    change(plain)
    return written(plain)


def paint(plain: Plain) -> None:
    row(plain, "Hector")["colour"] = "blue"


def twice(plain: Plain) -> None:
    plain["cards"].append(row(plain, "Spear"))


WHOLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "line 1: expected JSON, got the end"),
    "a word": (b'{\n"set": mine}', "line 2: expected JSON, got 'mine}'"),
    "cut": (FILE[:-20], "expected JSON"),
    "two": (FILE + FILE, "expected JSON"),
    "with a mark of its order": (b"\xef\xbb\xbf" + FILE, "expected JSON"),
    "another encoding": (FILE.decode().encode("utf-16"), "expected UTF-8"),
    "a list": (b"[]", "expected an object"),
    "a number": (b"1", "expected an object"),
    "deep lists": (b"[" * 100_000, "expected JSON"),
    "deep objects": (b'{"a":' * 40_000, "expected JSON"),
    "deep but whole": (b"[" * 60_000 + b"]" * 60_000, "ordinary depth"),
    "a number without end": (b'{"set":' + b"1" * 9_000 + b"}", "ordinary depth and numbers"),
    "too large": (b" " * (FILE_LIMIT + 1), f"at most {FILE_LIMIT} bytes"),
    "a megabyte": (FILE + b" " * 2**20, f"at most {FILE_LIMIT} bytes"),
    "a field twice": (b'{\n"set": "a",\n"set": "b"}', "each field once"),
    "no cards": (changed(lambda plain: plain.pop("cards")), "the field 'cards'"),
    "cards are no list": (changed(lambda plain: plain.update(cards={})), "a list as 'cards'"),
    "a card is no object": (changed(lambda plain: plain["cards"].append(7)), "an object for each card, got 7"),
    "another game": (changed(lambda plain: plain.update(game="chess")), "the game 'fight-for-olympus', got 'chess'"),
    "no name": (changed(lambda plain: plain.update(set="")), "as 'set'"),
    "a long name": (changed(lambda plain: plain.update(set="x" * 65)), "1 to 64 printable characters as 'set'"),
    "a field of its own": (changed(lambda plain: plain.update(author="me")), "only known fields, got 'author'"),
    "a hero too few": (changed(lambda plain: plain["cards"].pop(0)), "15 red cards of the type hero, got 14"),
    "a hero of another colour": (changed(paint), "15 red cards of the type hero, got 14"),
    "gear too many": (changed(twice), "3 red cards of the type equipment, got 4"),
    "no cards at all": (changed(lambda plain: plain.update(cards=[])), "15 red cards of the type hero, got 0"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_is_no_set_is_refused(name: str) -> None:
    data, reason = WHOLE[name]
    assert reason in str(refusal(data))


def test_a_character_that_only_a_later_python_knows_is_read() -> None:
    # Two programs with different versions of Unicode have to take the same sets.
    plain = plain_set()
    row(plain, "Meleager")["text"] = "fresh: \U0001fae9 \U000323b0"
    load_cards(written(plain), "later")


def test_a_byte_that_is_no_character_is_found_on_its_line() -> None:
    lines = FILE.split(b"\n")
    lines[40] += b"\xff"
    error = refusal(b"\n".join(lines))
    assert (error.facts["line"], error.facts["reason"]) == (41, "expected UTF-8")


def test_a_comma_too_many_is_found_on_its_line() -> None:
    lines = FILE.decode().split("\n")
    where = next(number for number, line in enumerate(lines) if '"Hector"' in line)
    lines[where] = lines[where].replace('"Hector"', '"Hector",,', 1)
    assert refusal("\n".join(lines).encode()).facts["line"] == where + 1


def test_equal_gear_may_be_there_and_equal_units_may_not() -> None:
    assert sum(card.name == "Spear" for card in CARDS.cards) == 4
    with pytest.raises(CardFileError, match="once"):
        own_set(Slingers={"name": "Hoplites"})
    # B-02 asks for unique names of heroes and soldiers, whichever stands first in the file.
    for plain in (plain_set(), {**plain_set(), "cards": plain_set()["cards"][::-1]}):
        row(plain, "Cuirass")["name"] = "Hector"
        assert load_cards(written(plain), "mine.json").cards


def test_every_word_is_read_with_whatever_fields_it_may_have() -> None:
    chance = random.Random(5)
    names = [card["name"] for card in plain_set()["cards"] if card["type"] == "hero"]
    wanted = {name: [random_ability(chance, word) for _ in range(4)] for name, word in zip(names, WORDS, strict=False)}
    cards = {card.name: card for card in own_set(**{name: abilities(*all_) for name, all_ in wanted.items()}).cards}
    for name, word in zip(names, WORDS, strict=False):
        for found, ability in zip(cards[name].abilities, wanted[name], strict=True):
            assert (found.do, found.when.value) == (word, ability["when"])
            assert found.n == ability.get("n", 0)
            assert found.whom.all == ability.get("whom", {}).get("all", False)


# -- anything at all ----------------------------------------------------------------------------------------

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 99, 100, 10**30, 0.5, float("nan"), float("-inf"), "", "red", "hero", "unit", "own",
    "played", "always", "draw", "x" * 300, "\ud800", "\x00", [], {}, [[]], [{}], {"kind": "unit"}, {"do": "draw"},
]  # fmt: skip


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every container of a value with each of its keys."""
    found: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        one = todo.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one))
        found += [(one, key) for key in keys]
        todo += [one[key] for key in keys if isinstance(one[key], dict | list)]
    return found


def mutate(plain: Plain, chance: random.Random) -> None:
    owner, key = chance.choice(places(plain))
    other, from_key = chance.choice(places(plain))
    match chance.randrange(5):
        case 0:
            owner[key] = chance.choice(VALUES)
        case 1:
            owner[key] = json.loads(json.dumps(other[from_key]))
        case 2:
            del owner[key]
        case 3 if isinstance(owner, list):
            owner.insert(key, chance.choice(VALUES))
        case 3:
            owner[chance.choice([*map(str, other), "n", "may", "if"])] = chance.choice(VALUES)
        case _:
            owner[key], other[from_key] = other[from_key], owner[key]


def read_or_refuse(data: bytes) -> bool:
    try:
        found = load_cards(data, "mine.json")
    except CardFileError:
        refusal(data)
        return False
    assert isinstance(found, CardSet)
    assert len(found.cards) == 96
    return True


def bend(start: int, number: int) -> int:
    read = 0
    for seed in range(start, start + number):
        chance = random.Random(seed)
        plain = plain_set() if seed % 2 else random_set(chance)
        try:
            for _ in range(chance.choice((0, 1, 1, 2, 5))):
                mutate(plain, chance)
            data = json.dumps(plain, indent=chance.choice((None, 1))).encode()
        except ValueError:
            # A list that was put into itself is no JSON.
            continue
        if seed % 3 == 0:
            some = bytearray(data)
            for _ in range(chance.choice((1, 3, 20))):
                some[chance.randrange(len(some))] = chance.randrange(256)
            data = bytes(some)
        read += read_or_refuse(data)
    return read


def test_a_file_with_anything_in_it_is_read_or_refused() -> None:
    assert bend(0, 40) > 0


@pytest.mark.long
def test_many_files_with_anything_in_them_are_read_or_refused() -> None:
    assert bend(1000, 500) > 0
