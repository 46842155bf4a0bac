"""Sentences that are called with their facts: how each kind of fact is said, and that gaps and types agree."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import pytest

import cli.storm.text
import cli.text
from cli import language
from cli.storm.text.names import Sentence
from cli.text import wording
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import Maneuver, Unit


def test_each_fact_is_said_by_its_kind() -> None:
    said = Sentence[Unit, Faction, Maneuver, int, float, bytes](
        "{unit} of the {side}, {maneuver}, {change:+d}, {time} s, {key}"
    )
    spoken = said(Unit.ZEUS, Faction.OLYMPIANS, Maneuver.CHASE, 2, 3.6, bytes(32))
    assert spoken == "Zeus of the Olympians, chase, +2, 4 s, 0000 0000 0000 0000"


def test_several_facts_become_a_list() -> None:
    assert Sentence[Sequence[int]]("in {regions}")([3, 4, 5]) == "in 3, 4 and 5"
    assert Sentence[Sequence[Unit | None]]("{units}")([None, Unit.ARES, None]) == "Ares and 2 hidden units"


def test_nothing_that_a_stranger_writes_moves_the_cursor() -> None:
    assert Sentence[str, Sequence[str]]("{name}: {others}")("a\x1b[2Jb", ["c\nd"]) == "ab: c d"


def test_a_sentence_is_translated_when_it_is_called() -> None:
    said = Sentence[Unit]("{unit} is your leader.")
    language.choose("de")
    try:
        assert said(Unit.PERSEPHONE) != "Persephone is your leader."
    finally:
        language.choose("en")


def test_a_fact_too_few_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="zip"):
        Sentence[int, int]("{one} and {two}")(1)  # type: ignore[call-arg]


def sentences() -> Iterator[tuple[str, Any]]:
    for package in (cli.text, cli.storm.text):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, wording.Sentence):
                    yield f"{found.name}.{name}", value


def test_every_sentence_names_a_type_for_each_of_its_gaps() -> None:
    found = dict(sentences())
    assert len(found) > 50
    wrong = {name: one.english for name, one in found.items() if len(get_args(one.__orig_class__)) != len(one.gaps)}
    assert wrong == {}
