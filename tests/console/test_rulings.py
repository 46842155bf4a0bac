"""What the rules say to a refused action, said anew in German."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import helpers
import pytest

from cli import language
from cli.dialogue.grammar import parse
from cli.dialogue.typed_actions import NotUnderstood
from cli.dialogue.words import EXACT
from cli.text import rulings
from storm_p2p.board import Faction

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
        ("move 14 13 hekate hekate", "Nicht möglich: jede Einheit darf nur einmal genannt werden"),
        ("reveal zeus", "Nicht möglich: Zeus ist keine deiner Einheiten."),
        ("pass", "Nicht möglich: nur die Olympier dürfen passen"),
        ("bolt 9", "Nicht möglich: Blitze schleudern kann nur Zeus."),
        ("stay", "Nicht möglich: "),
    ],
)
def test_a_refusal_is_german(german: None, line: str, said: str) -> None:
    state = helpers.at("chthonians", BOARD, energy=(0, 24))
    with pytest.raises(NotUnderstood) as refused:
        parse(line, state, Faction.CHTHONIANS)
    assert str(refused.value).startswith(said)
    assert "expected" not in str(refused.value)


def test_in_english_the_sentence_of_the_engine_stays() -> None:
    sentence = "expected a neighbour of 14, got 1"
    assert rulings.spoken(sentence) == sentence


def test_what_is_not_known_stays_as_it_is(german: None) -> None:
    assert rulings.spoken("expected something new") == "expected something new"


def test_the_sentences_are_those_of_the_engine() -> None:
    """Who changes one in the engine is told to change it here."""
    written = set()
    for path in (helpers.ROOT / "storm_p2p").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values]
                written.add("".join(parts))
            elif isinstance(node, ast.Constant):
                written.add(str(node.value))
    said = {re.sub(r"\{\w+\}", "{}", template) for template in rulings.SAID}
    assert said - written == set()


def test_options_are_asked_for_in_german() -> None:
    assert EXACT["optionen"] == "options"
