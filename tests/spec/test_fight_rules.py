"""docs/fight-rules.md is held against the program: every rule and decision that is cited stands there, and the table of
cards is that of the file."""

from __future__ import annotations

import json
import re
import runpy
from dataclasses import fields

from helpers import ROOT
from helpers_docs import MODULES, PAGES, backed, blocks, rows, section

from storm_p2p.fight.board import Colour
from storm_p2p.fight.card_file import NEWEST, SETS, WORDS, load_reconstructed
from storm_p2p.fight.cards import Ability, Card, Condition, Kind, Like, Whom
from storm_p2p.fight.engine import _STEPS, DECISIONS
from storm_p2p.fight.state import State

RULES = PAGES["docs/fight-rules.md"]
IDS = r"\bF-[0-9]+\.[0-9]+|B-[0-9]{2}"


def test_every_rule_and_decision_that_is_cited_is_stated() -> None:
    stated = {*re.findall(r"^- (F-[0-9]+\.[0-9]+)", RULES, re.MULTILINE), *re.findall(r"\*\*(B-[0-9]{2})", RULES)}
    texts = [text for name, text in (*MODULES.items(), *PAGES.items()) if "fight" in str(name)]
    cited = {rule for text in texts for rule in re.findall(IDS, text)}
    assert cited - stated == set()
    assert len(stated) > 90


def test_every_word_of_the_effect_language_is_in_its_table() -> None:
    rows = re.findall(r"^\| ((?:`[a-z_]+`(?:, )?)+) \|", RULES, re.MULTILINE)
    listed = {word for row in rows for word in re.findall(r"`([a-z_]+)`", row)}
    assert set(WORDS) <= listed


def test_the_table_of_cards_is_that_of_the_file() -> None:
    cards = load_reconstructed().cards
    letters = {"R": Colour.RED, "B": Colour.BLUE, "G": Colour.GREEN, "Y": Colour.YELLOW}
    kinds = {"H": Kind.HERO, "S": Kind.SOLDIER, "E": Kind.EQUIPMENT}
    rows = re.findall(
        r"^\| ([0-9, ]+) \| ([^|]+) \| ([HSE]) \| ([RBGY])(\*?) \| ([RBGY]+|-) \| ([0-9]+) \| ([0-9]+) \| [^|]+"
        r" \| ([^|]+) \|$",
        RULES,
        re.MULTILINE,
    )
    seen = []
    for numbers, name, kind, colour, every, cost, attack, defence, text in rows:
        for number in map(int, numbers.split(",")):
            card = cards[number]
            seen.append(number)
            assert (card.name, card.kind) == (name, kinds[kind])
            assert (card.colour, card.all_colours) == (letters[colour], bool(every))
            assert [*card.cost] == [letters[letter] for letter in cost.replace("-", "")]
            assert (card.attack, card.defence, card.text or "-") == (int(attack), int(defence), text)
    assert seen == list(range(96))


def test_the_sets_of_the_program_are_those_that_are_listed_and_never_change() -> None:
    listed = {backed(name).pop(): (backed(digest).pop(), other) for name, digest, other in rows(RULES, "set")}
    assert list(listed) == list(SETS)
    newest = load_reconstructed(NEWEST).cards
    for name, (digest, other) in listed.items():
        cards = load_reconstructed(name)
        assert cards.digest.hex() == digest
        pairs = [(card, now) for card, now in zip(cards.cards, newest, strict=True) if card != now]
        assert ", ".join(f"{card.name} {card.attack}/{card.defence}" for card, _ in pairs) == other.strip("-")
        # Five values at the most, and no words: those of every set are translated.
        names = [field.name for field in fields(Card)]
        values = [name for pair in pairs for name in names if len({getattr(card, name) for card in pair}) > 1]
        assert set(values) <= {"attack", "defence", "cost"}
        assert len(values) <= 5


def test_the_states_of_a_game_of_fight_are_those_of_the_vectors() -> None:
    file = (ROOT / "tests" / "vectors" / "fight.json").read_text("ascii")
    assert runpy.run_path(str(ROOT / "tests" / "vectors" / "make_fight.py"))["write"]() == file
    states = json.loads(file)
    assert blocks(RULES, "text fight")[0].split() == [states[0]["state"], states[0]["hash"]]
    text = section(RULES, "The public state in bytes")
    assert f"a game of {len(states) - 1} states more" in " ".join(text.split())
    # Every word that a state can hold is told.
    listed = backed(text)
    assert {one.name for one in fields(State)} - {"events"} <= listed
    # The hash of the set of cards is over all that a card can say.
    assert {one.name for kind in (Card, Ability, Whom, Condition, Like) for one in fields(kind)} <= listed
    assert {*_STEPS, "ability", "delphi"} <= {word for cells in rows(text, "task") for word in backed(cells[0])}
    kinds = {word for cells in rows(text, "kind") for word in backed(cells[0])}
    assert kinds == {*DECISIONS, "lot", "shuffle", "deal", "open", "toss", "mix"}
    asked = {json.loads(one["state"])["question"]["kind"] for one in states[:-1]}
    assert asked == {*DECISIONS, "lot", "shuffle", "deal", "open", "toss", "mix"} - {"free", "may", "move", "swap"}
