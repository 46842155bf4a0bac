"""The words of the prompt: names, codes, canonical forms, positions (docs/rules.md, "Notation")."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import at, legal, play, result

from storm_p2p.storm import engine, notation, views
from storm_p2p.storm.actions import Aid, Block, Immune, Liturgy, Move, Opening, Pass, Place, Stay, Succeed
from storm_p2p.storm.board import Faction
from storm_p2p.storm.errors import IllegalAction, NotationError, RulesError
from storm_p2p.storm.state import Phase
from storm_p2p.storm.units import CARDS, NAME, ROSTER, Unit


def test_every_unit_has_a_name_and_a_code_of_three_letters() -> None:
    for card in CARDS:
        for word in (card.name, card.code, card.name.upper(), card.code.capitalize()):
            assert notation.parse_unit(word) == card.unit
        assert len(card.code) == 3
    words = [word for card in CARDS for word in {card.name, card.code}]
    assert len(words) == len(set(words))


def test_a_unique_beginning_is_enough() -> None:
    assert notation.parse_unit("hep") == Unit.HEPHAESTUS
    assert notation.parse_unit("persep") == Unit.PERSEPHONE
    assert notation.parse_unit("cr") == Unit.CRONUS


@pytest.mark.parametrize(
    ("word", "code"),
    [("he", "ambiguous-unit"), ("kronos", "unknown-unit"), ("x", "unknown-unit"), ("", "unknown-unit")],
)
def test_other_words_are_no_unit(word: str, code: str) -> None:
    with pytest.raises(NotationError, match=r"^expected") as caught:
        notation.parse_unit(word)
    assert caught.value.code == code


@pytest.mark.parametrize("word", ["0", "25", "-1", "1.5", "", "x", "²", "٣", "001"])
def test_regions_are_1_to_24_in_plain_digits(word: str) -> None:
    with pytest.raises(NotationError):
        notation.parse_region(word)


def test_refusals_show_strange_words_short_and_printable() -> None:
    state = at("chthonians", "hades 10, zeus 15")
    for word in ("\x1b[2J", "\u202e", "a" * 10_000, "\n\r", "💥" * 100):
        with pytest.raises(RulesError) as caught:
            notation.parse_action(f"reveal {word}", state)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 200


def test_a_whole_group_needs_no_names() -> None:
    state = at("chthonians", "hades nyx 10, zeus 15")
    assert notation.parse_action("move 10 11", state) == notation.parse_action("move 10 11 nyx hades", state)
    with pytest.raises(IllegalAction):
        notation.parse_action("move 11 10", state)


def test_the_words_are_written_in_alphabetical_order() -> None:
    state = at("chthonians", "hades nyx charon 10, zeus 15")
    action = notation.parse_action("move 10 11 nyx charon", state)
    assert notation.format_action(action) == "move 10 11 charon nyx"


def test_for_everybody_else_a_hidden_unit_is_a_question_mark() -> None:
    state = at("chthonians", "hades nyx charon 10, zeus 15", known="nyx")
    said = views.publish(state, notation.parse_action("move 10 11 charon", state))
    assert notation.format_action(said) == "move 10 11 ?"
    public = views.public(state)
    assert notation.parse_action("move 10 11 ?", public) == said
    assert notation.parse_action("move 10 11 ? ?", public) == Move((10, 11), (), 2)
    assert notation.parse_action("move 10 11 ? nyx", public) == Move((10, 11), (), 2)


def test_a_move_of_known_and_hidden_units_names_both() -> None:
    public = views.public(at("chthonians", "hades nyx charon 10, zeus 15", known="nyx"))
    whole = notation.parse_action("move 10 11", public)
    assert notation.format_action(whole) == "move 10 11 ? ? nyx"
    assert notation.parse_action("move 10 11 ? ? nyx", public) == whole


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Liturgy(), "liturgy"),
        (Pass(), "pass"),
        (Stay(), "stay"),
        (Block(0), "block"),
        (Aid(None), "aid none"),
        (Aid(3), "aid aphrodite"),
        (Immune(2), "lose cerberus immune"),
        (Succeed(None), "succeed none"),
        (Succeed(1), "succeed persephone"),
        (Opening((Unit.NYX, Unit.HADES)), "open nyx hades"),
        (Place(Faction.OLYMPIANS, tuple(range(12))), "place olympians ?"),
    ],
)
def test_every_action_has_words(action: Any, text: str) -> None:
    assert notation.format_action(action) == text


def test_the_words_of_a_setup_name_the_regions() -> None:
    text = notation.format_action(Place(Faction.CHTHONIANS, tuple(range(12)), ROSTER[0]))
    assert text.startswith("place chthonians 1 hades 5 persephone 6 cerberus")
    assert text.endswith("21 harpies")


def test_the_succession_can_be_asked_for_in_words() -> None:
    state = at("olympians", "hades 13, zeus 14, persephone 10")
    for text in ("move 14 13", "fight chthonians standard 0", "fight olympians standard 0"):
        state, _ = engine.apply(state, notation.parse_action(text, state))
        while state.phase == Phase.OPENING:
            state, _ = engine.apply(state, engine.legal_actions(state, engine.next_request(state).seats[0])[0])  # type: ignore[union-attr]
    assert state.phase == Phase.SUCCESSION
    assert set(legal(state)) == {"succeed persephone"}
    assert result(play(state, "succeed persephone")) is None
    assert result(play(state, "succeed none")) == ("olympians", "leaders")


@pytest.mark.parametrize(
    ("honor", "winner"), [((0, 5), "olympians"), ((5, -2), "chthonians"), ((0, 0), "draw"), ((1, 1), None)]
)
def test_a_position_without_honor_is_over(honor: tuple[int, int], winner: str | None) -> None:
    state = at("chthonians", "hades 10, zeus 15", honor=honor)
    assert result(state) == (None if winner is None else (winner, "honor"))


@pytest.mark.parametrize("position", [None, 3, [], "text"])
def test_a_position_is_an_object(position: object) -> None:
    with pytest.raises(NotationError):
        notation.load_position(position)


def test_a_position_takes_canonical_names_only() -> None:
    for name in ("had", "Hades", "zerberus", "hade"):
        with pytest.raises(NotationError):
            notation.load_position({"turn": "chthonians", "units": {name: 10}})


def test_hidden_units_of_a_public_state_are_left_out_of_a_position() -> None:
    state = at("chthonians", "hades nyx 10, zeus 15", known="nyx")
    assert notation.dump_position(views.public(state))["units"] == {"nyx": 10}
    assert set(notation.dump_position(state)["units"]) == {NAME[Unit.HADES], NAME[Unit.NYX], NAME[Unit.ZEUS]}


def test_a_claim_that_changes_nothing_is_not_listed() -> None:
    """A known leader beside a hidden one wins without a claim, and the words of a claim would be lost (A-25)."""
    state = at("chthonians", "hades persephone 14, zeus 4", known="persephone")
    for text in legal(state):
        assert notation.format_action(notation.parse_action(text, state)) == text
