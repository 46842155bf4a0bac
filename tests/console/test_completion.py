"""Completion: legal actions with their prices, the costly ones last."""

import helpers
import pytest

from cli import language
from cli.storm import typed
from cli.storm.placing import Placing
from storm_p2p.storm import engine
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import State

STATE = helpers.at("chthonians", "erinyes hecate 14, hades 10, ares hera 9, zeus 15, athena 8, artemis apollo 19")


def suggest(line: str, state: State = STATE) -> list[tuple[str, str]]:
    request = engine.next_request(state)
    assert request is not None
    options = engine.options(helpers.owner_view(state, request.seats[0]), request.seats[0])
    return [(found.word, found.note) for found in typed.suggest(line, options)]


def test_targets_stand_with_their_prices_and_the_costly_ones_last() -> None:
    assert suggest("erinyes ") == [
        ("9", "honor +2"),
        ("15", "free"),
        ("19", "honor +2"),
        ("20", "free"),
        ("hecate", "honor -2 to 0"),
        ("8", "honor -1"),
        ("13", "honor -2"),
    ]
    assert [word for word, _ in suggest("move 14 9 ")] == ["erinyes", "hecate"]
    assert suggest("m 14>9 eri h") == [("hecate", "free")]


def test_a_word_is_completed_from_its_code_and_german_name() -> None:
    assert ("erinyes", "several prices") in suggest("reveal erinn") or ("erinyes", "free") in suggest("reveal erinn")
    assert suggest("hek")[0][0] == "hecate"


def test_views_come_last() -> None:
    listed = [word for word, _ in suggest("")]
    assert listed.index("liturgy") < listed.index("board")
    assert "resign" in listed


@pytest.mark.parametrize(
    ("line", "first", "all_of"),
    [
        ("card ", "hades", 24),
        ("card ny", "nyx", 1),
        ("where p", "persephone", 2),
        ("who ", "1", 24),
        ("note 2", "2", 6),
        ("log ", "10", 3),
        ("help ret", "retreat", 1),
        ("lang ", "en", 2),
        ("scan ", "1", 5),
    ],
)
def test_tab_behind_a_word_that_only_looks_offers_what_fits(line: str, first: str, all_of: int) -> None:
    assert [word for word, _ in suggest(line)][:1] == [first]
    assert len(suggest(line)) == all_of


def test_tab_behind_it_offers_the_words_of_the_reader_in_the_match_and_in_the_setup(spoken: str) -> None:
    german = spoken == language.GERMAN
    placing = Placing(Faction.CHTHONIANS, ())
    for offered in (suggest, lambda line: [(one.word, "") for one in typed.suggest_setup(line, placing, ())]):
        assert {word for word, _ in offered("karte ze")} == {"zeus", "zerberus" if german else "cerberus"}
        assert [word for word, _ in offered("help fl" if german else "help retr")] == [
            "fliehen" if german else "retreat"
        ]


def test_combat_choices_are_completed() -> None:
    state = helpers.play(helpers.at("chthonians", "charon 12, hades 10, ares 13, zeus 15"), "move 12 13")
    listed = suggest("std ", state)
    assert listed[0] == ("0", "free")
    assert listed[-1] == ("6", "honor -1 energy -6")


def test_only_what_is_legal_is_offered() -> None:
    for line in ("move 14 2", "bolt ", "recall ", "hades 15"):
        assert [word for word, _ in suggest(line)] in ([], ["20"])
