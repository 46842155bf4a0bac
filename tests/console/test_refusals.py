"""What the rules refuse, said to people: each refusal has a sentence of its own, in both languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import helpers
import pytest

from cli import language
from cli.console.messages import NotUnderstood
from cli.storm.grammar import parse
from cli.storm.text import names, typed
from cli.storm.vocabulary import EXACT
from storm_p2p.storm.board import Faction
from storm_p2p.storm.errors import Fact, IllegalAction
from storm_p2p.storm.units import Maneuver, Unit

BOARD = "erinyes hecate 14, hades charon 12, hypnos 6, hera ares 9, zeus 8, athena 15"


@pytest.fixture
def german() -> Iterator[None]:
    language.choose("de")
    yield
    language.choose("en")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("move 14 1 hekate", "Nicht möglich: 1 ist kein Nachbar von 14."),
        ("zug 14 13 nyx", "Nicht möglich: Nyx steht nicht in 14."),
        ("zug 14 13 hypnos", "Nicht möglich: Hypnos steht nicht in 14."),
        ("move 6 7", "Nicht möglich: der Styx von 6 nach 7 kostet 2 Energie, du hast 0."),
        ("sneak 13", "Nicht möglich: in 14 steht nicht die Einheit, die schleichen kann."),
        ("recall hekate", "Nicht möglich: zurückholen braucht 10 Energie, Platz und keinen Feind in 10"),
        ("move 14 13 hekate hekate", "Nicht möglich: du hast eine Einheit zweimal genannt"),
        ("reveal zeus", "Nicht möglich: Zeus ist keine deiner Einheiten."),
        ("pass", "Nicht möglich: Nur die Olympier dürfen passen"),
        ("bolt 9", "Nicht möglich: Blitze schleudern kann nur Zeus."),
        ("stay", "Jetzt ist etwas anderes gefragt. "),
    ],
)
def test_a_refusal_is_german(german: None, line: str, said: str) -> None:
    state = helpers.at("chthonians", BOARD, energy=(0, 24))
    with pytest.raises(NotUnderstood) as refused:
        parse(line, state, Faction.CHTHONIANS)
    assert str(refused.value).startswith(said)
    assert "expected" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("move 14 1 hecate", "Not possible: 1 is not next to 14. costs UNIT shows where your units can go."),
        ("move 14 13 nyx", "Not possible: Nyx is not in 14."),
        ("move 6 7", "Not possible: crossing the Styx from 6 to 7 costs 2 Energy, and you have 0."),
        ("reveal zeus", "Not possible: Zeus is not one of your units."),
        ("bolt 9", "Not possible: only Zeus can throw a thunderbolt."),
    ],
)
def test_a_refusal_is_said_as_to_a_friend(line: str, said: str) -> None:
    state = helpers.at("chthonians", BOARD, energy=(0, 24))
    with pytest.raises(NotUnderstood) as refused:
        parse(line, state, Faction.CHTHONIANS)
    assert str(refused.value).startswith(said)


NEVER_TYPED = {
    "expected a token in play, got number {number}",
    "expected another unit than {unit} under token {number} in {region}",
    "expected one setup of twelve tokens for each side, got another",
    "expected regions 1 to 24, got {words}",
    "expected the twelve {words}, each once",
    "expected {number} units, got {more}",
    "expected {unit}, got another unit",
    "expected the leader of the {words} in the base or next to it",
    "expected {unit} among the nine",
    "expected {words}, got {unit}",
    "expected the tokens that go from {start} to {region}, got a number",
    "expected an action: only Olympians all in Tartarus may pass",
}
"""Refusals that the console itself rules out, or says with a word of its own."""


def templates() -> set[str]:
    """Return the sentences with which the engine refuses actions."""
    found: set[str] = set()
    for path in (helpers.ROOT / "storm_p2p").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        named = {ast.unparse(node.target): node.value for node in nodes if isinstance(node, ast.AnnAssign)}
        for node in nodes:
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "IllegalAction":
                template = named.get(ast.unparse(node.args[1]), node.args[1])
                if isinstance(template, ast.Constant):
                    found.add(str(template.value))
    return found


def test_every_refusal_that_a_person_can_cause_has_a_sentence_for_people() -> None:
    for template in sorted(templates() - NEVER_TYPED):
        facts: dict[str, Fact] = dict.fromkeys(re.findall(r"{(\w+)}", template), 7)
        assert "expected" not in typed.refusal(IllegalAction("any", template, **facts)), template
    assert templates() >= NEVER_TYPED


def test_facts_are_named_as_in_every_other_sentence() -> None:
    said = "expected {unit}, got {other}"
    error = IllegalAction("any", said, unit=(Unit.ZEUS, Unit.HERA), other=Maneuver.ATTACK)
    assert str(error) == "expected zeus, hera, got attack"
    assert error.fill(said, names.say_fact) == "expected Zeus or Hera, got all-out attack"


def test_options_are_asked_for_in_german() -> None:
    assert EXACT["optionen"] == "options"
