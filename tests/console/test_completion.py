"""Completion: legal actions with their prices, the costly ones last."""

import helpers

from cli.storm.input import completion
from storm_p2p.storm import engine
from storm_p2p.storm.state import State

STATE = helpers.at(
    "chthonians", "erinyes hecate 14, hades 10, ares hera 9, zeus 15, athena 8, artemis apollo 19"
)


def suggest(line: str, state: State = STATE) -> list[tuple[str, str]]:
    request = engine.next_request(state)
    assert request is not None
    options = engine.options(helpers.owner_view(state, request.seats[0]), request.seats[0])
    return [(found.word, found.note) for found in completion.suggest(line, options)]


def test_targets_stand_with_their_prices_and_the_costly_ones_last() -> None:
    assert suggest("erinyes ") == [
        ("9", "honor +2"), ("15", "free"), ("19", "honor +2"), ("20", "free"), ("hecate", "honor -2 to 0"),
        ("8", "honor -1"), ("13", "honor -2"),
    ]  # fmt: skip
    assert [word for word, _ in suggest("move 14 9 ")] == ["erinyes", "hecate"]
    assert suggest("m 14>9 eri h") == [("hecate", "free")]


def test_a_word_is_completed_from_its_code_and_german_name() -> None:
    assert ("erinyes", "several prices") in suggest("reveal erinn") or ("erinyes", "free") in suggest("reveal erinn")
    assert suggest("hek")[0][0] == "hecate"


def test_views_come_last() -> None:
    listed = [word for word, _ in suggest("")]
    assert listed.index("liturgy") < listed.index("board")
    assert "resign" in listed


def test_combat_choices_are_completed() -> None:
    state = helpers.play(helpers.at("chthonians", "charon 12, hades 10, ares 13, zeus 15"), "move 12 13")
    listed = suggest("std ", state)
    assert listed[0] == ("0", "free")
    assert listed[-1] == ("6", "honor -1 energy -6")


def test_only_what_is_legal_is_offered() -> None:
    for line in ("move 14 2", "bolt ", "recall ", "hades 15"):
        assert [word for word, _ in suggest(line)] in ([], ["20"])
