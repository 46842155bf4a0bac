"""The version of the rules changes with what they read, and with nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, make_dataclass, replace
from types import ModuleType
from typing import Any

import pytest

from storm_p2p.storm import board, units, version
from storm_p2p.storm.board import Faction
from storm_p2p.storm.game import Storm
from storm_p2p.storm.rules import combat, honor, movement, powers, setup
from storm_p2p.storm.units import CARDS, Card, Maneuver, Unit

WORDS = {"name", "code", "text"}
"""What a card tells to people; ``unit`` is its place in the table."""
TRAITS = [field.name for field in fields(Card) if field.name not in WORDS | {"unit"}]
MODULES = (combat, honor, movement, powers, setup)
OTHERS: dict[str, Any] = {
    "name": "nobody",
    "code": "nob",
    "text": "Nothing.",
    "faction": Faction.OLYMPIANS,
    "slays": Unit.NYX,
    "perishes_with": Unit.NYX,
    "alone_maneuvers": (Maneuver.DEFENSE,),
}
MAP = {
    "NEIGHBOURS": (*board.NEIGHBOURS[:-1], (19, 20, 22)),
    "ALTITUDE": (*board.ALTITUDE[:-1], 9),
    "BASE": (10, 14),
    "REALM": (board.REALM[0], board.REALM[1][1:]),
    "UNDERWORLD": board.UNDERWORLD - {21},
    "BANK": board.BANK - {1},
    "STYX": board.STYX - {(1, 2)},
    "LEADER_STARTS": (board.LEADER_STARTS[0], board.LEADER_STARTS[1][1:]),
}


def numbers(module: ModuleType) -> Iterator[str]:
    """Yield the names of the numbers that a module of the rules writes down."""
    assert module.__file__ is not None
    with open(module.__file__, encoding="utf-8") as source:
        for node in ast.parse(source.read()).body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                # A set of bits (~0) is a way to write something down, and no number of the rules.
                value = node.value
                if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
                    value = value.operand
                if isinstance(value, ast.Constant) and type(value.value) is int:
                    yield node.target.id


NUMBERS = [(module, name) for module in MODULES for name in numbers(module)]


def with_first(name: str) -> tuple[Card, ...]:
    """Return the cards with one field of the first changed."""
    value: Any = getattr(CARDS[0], name)
    other: Any = OTHERS[name] if name in OTHERS else not value if isinstance(value, bool) else value + 1
    return (replace(CARDS[0], **{name: other}), *CARDS[1:])


def test_the_version_is_the_number_and_a_hash_and_fits_the_wire() -> None:
    assert Storm.version == version.rules_version()
    assert re.fullmatch(r"[0-9.]+-[0-9a-f]{64}", Storm.version)
    assert re.fullmatch(r"[0-9a-f.-]{1,80}", Storm.version)
    assert Storm.version.partition("-")[0] == version.RULES_VERSION


def test_another_number_is_another_hash_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "RULES_VERSION", "3")
    number, _, digest = version.rules_version().partition("-")
    assert number == "3"
    assert digest != Storm.version.partition("-")[2]


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_changed_word_of_a_card_changes_no_version(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "CARDS", with_first(word))
    assert getattr(units.CARDS[0], word) != getattr(CARDS[0], word)
    assert version.rules_version() == Storm.version


@pytest.mark.parametrize("trait", TRAITS)
def test_a_changed_trait_of_a_card_changes_the_version(trait: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "CARDS", with_first(trait))
    assert version.rules_version() != Storm.version


@pytest.mark.parametrize(("module", "name"), NUMBERS)
def test_a_changed_number_of_the_rules_changes_the_version(
    module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, getattr(module, name) + 1)
    assert version.rules_version() != Storm.version


@pytest.mark.parametrize("name", sorted(MAP))
def test_a_changed_map_changes_the_version(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, name, MAP[name])
    assert version.rules_version() != Storm.version


def test_another_order_of_the_units_changes_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "CARDS", (CARDS[1], CARDS[0], *CARDS[2:]))
    assert version.rules_version() != Storm.version


def test_fields_that_no_rule_reads_and_another_order_of_fields_change_no_version(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ["picture", *(field.name for field in reversed(fields(Card)))]
    wider: Any = make_dataclass("Wider", names)
    rows = [{field.name: getattr(card, field.name) for field in fields(Card)} for card in CARDS]
    monkeypatch.setattr(units, "CARDS", tuple(wider(picture="a dog", **row) for row in rows))
    assert version.rules_version() == Storm.version
