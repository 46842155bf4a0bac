"""Each power that can act has its words: forgetting them fails here, and not in the middle of a combat."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import storm_p2p
from cli.storm.text import narrate
from storm_p2p.storm.board import Faction
from storm_p2p.storm.events import EnergyChanged, Modifier
from storm_p2p.storm.units import Unit, powers

RULES = sorted((Path(storm_p2p.__path__[0]) / "storm").glob("rules/*.py"))


def last_words(function: str) -> set[str]:
    """Return the words with which the rules end the calls of a function: what changes a strength, a stock."""
    return set(_last_words(function))


def _last_words(function: str) -> Iterator[str]:
    for path in RULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name == function:
                    word = node.args[-1]
                    assert isinstance(word, ast.Constant), f"{path.name}:{word.lineno}: expected a word, got a value"
                    assert isinstance(word.value, str)
                    yield word.value


def test_every_power_of_the_table_is_told_by_one_and_by_many() -> None:
    for _, trait in powers():
        for unit in (Unit.ZEUS, Unit.HARPIES):
            assert narrate.power_text(unit, trait)


def test_every_change_of_a_strength_has_its_words() -> None:
    found = last_words("change")
    assert {"charms", "defending"} <= found
    for power in found:
        assert narrate.modifiers([Modifier(Unit.ZEUS, 2, power)])


def test_every_change_of_a_stock_has_its_reason() -> None:
    found = last_words("charge")
    assert {"styx", "drains"} <= found
    for reason in found:
        assert narrate.reason(EnergyChanged(Faction.OLYMPIANS, 2, 12, reason))
