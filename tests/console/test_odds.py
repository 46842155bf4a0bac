"""What is said of an attack before it is chosen: marks on the board and in lists, numbers, and known odds."""

from __future__ import annotations

import itertools
import random

import helpers
import helpers_tui as tui
import pytest

from cli.console.lines import suggest
from cli.console.messages import Typed
from cli.storm.preview import Odds, odds
from cli.storm.text import names
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Action, Move
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import State
from storm_p2p.storm.units import Unit, units_in

pytestmark = pytest.mark.usefixtures("recorded_strengths")


def attacks(state: State, faction: Faction) -> list[Move]:
    """Return every attack that a side may choose, as its owner sees it."""
    view = helpers.owner_view(state, faction)
    legal: list[Action] = list(engine.legal_actions(view, faction)) if view.turn == faction else []
    return [one for one in legal if isinstance(one, Move) and view.sides[OTHER[faction]][one.path[-1]]]


def test_the_odds_of_an_attack_are_the_strengths_of_its_combat_when_everybody_is_known() -> None:
    crowds = ("cronus charon 12, hades 10, hephaestus hera 13, zeus 15", "nyx harpies 12, hades 10, ares aphrodite 13")
    for units in crowds:
        state = helpers.at("chthonians", units, known="all")
        view = helpers.owner_view(state, Faction.CHTHONIANS)
        move = next(one for one in attacks(state, Faction.CHTHONIANS) if one.path == (12, 13) and one.count == 2)
        found = odds(view, move, Faction.CHTHONIANS)
        mine, his = combat.strengths(helpers.play(state, notation.format_action(move)))[0]
        assert found == Odds(2, 2, (mine, mine), (his, his))


def test_what_hidden_enemies_can_be_makes_the_odds_and_never_what_they_are() -> None:
    seen = 0
    for seed in range(40):
        rng = random.Random(seed)
        state = helpers.random_position(rng)
        for faction in Faction:
            other = helpers.exchange(random.Random(seed), state, OTHER[faction])
            for move in attacks(state, faction):
                found = odds(helpers.owner_view(state, faction), move, faction)
                assert found == odds(helpers.owner_view(other, faction), move, faction)
                seen += 1
    assert seen > 40


def test_the_least_and_the_most_of_two_hidden_enemies_are_those_of_two_units() -> None:
    state = helpers.at("chthonians", "cronus 12, hades 10, ares hera 13, zeus 15")
    view = helpers.owner_view(state, Faction.CHTHONIANS)
    move = next(one for one in attacks(state, Faction.CHTHONIANS) if one.path == (12, 13))
    found = odds(view, move, Faction.CHTHONIANS)
    assert found is not None
    cans = [set(map(Unit, units_in(token.can))) for token in view.sides[Faction.OLYMPIANS][13]]
    pairs = [pair for pair in itertools.product(*cans) if pair[0] != pair[1]]
    assert found.his[0] < found.his[1]
    assert len(pairs) > 2


@pytest.mark.parametrize("size", tui.SIZES, ids=["80x24", "120x40"])
@pytest.mark.usefixtures("spoken")
def test_an_attack_is_marked_on_the_board_and_in_every_list_before_it_is_chosen(size: tuple[int, int]) -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE, size), Typed("14"))
    board = "\n".join(tui.text(screen).splitlines()[: 14 if size[0] == 80 else 26])
    # Into 8, 9, 15 and 19; 13 and 20 are empty.
    assert board.count(str(names.ATTACK)) == 4
    said = " ".join(screen.found.lines)
    assert f"{names.ATTACK} (" in said
    assert {region for region, _, _ in screen.found.marks.attacks} == {8, 9, 15, 19}
    notes = {one.word: one.note for one in suggest(screen, "14 ")}
    assert notes["8"].startswith(f"{names.ATTACK} 2:1, ")
    assert not notes["20"].startswith(str(names.ATTACK))


def test_an_attack_over_the_styx_is_marked_on_the_smallest_board_too() -> None:
    state = helpers.at("chthonians", "cronus 12, hades 10, ares 13, zeus 15")
    assert "ATTACK≈-2E" in tui.text(tui.after(tui.asked(state), Typed("12")))


def test_no_heading_of_a_list_can_be_read_as_a_price() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed("14"))
    assert screen.found.lines[1:] == (
        "Regions (price): 20 (honor -1)   13 (honor -2)",
        "ATTACK (price): 9, 2 against 2 (free)   19, 2 against 2 (honor -1)   8, 2 against 1 (honor -2)"
        "   15, 2 against 1 (honor -2)",
    )


def test_before_an_attack_the_strengths_are_said_as_far_as_they_are_known() -> None:
    hidden = tui.after(tui.asked(tui.EXAMPLE), Typed("move 14 8 eri hec"))
    assert "  Strength 7 against 2 to 8, before Energy; you win a tie." in hidden.found.lines
    known = helpers.at("chthonians", "cronus 12, hades 10, ares 13, zeus 15", known="all")
    screen = tui.after(tui.asked(known), Typed("12 13"))
    assert "  Strength 6 against 3, before Energy; you win a tie." in screen.found.lines


@pytest.mark.parametrize(
    ("crowd", "small", "large"),
    [
        ("ares", "ATTACK[", "ATTACK 1:1"),
        ("ares hera", "ATTACK[", "ATTACK 1:2"),
        ("ares hera apollo", "[", "ATTACK 1:3"),
        ("ares hera apollo dionysus", "", "!["),
    ],
)
def test_the_mark_finds_room_beside_any_number_of_enemies(crowd: str, small: str, large: str) -> None:
    state = helpers.at("chthonians", f"cronus 14, hades 10, {crowd} 8, zeus 15", known="all")
    for size, mark in zip(tui.SIZES, (small, large), strict=True):
        screen = tui.after(tui.asked(state, size), Typed("14"))
        assert mark in tui.text(screen)
        # On a board without room for a mark the list below it still says so.
        assert f"8, 1 against {len(crowd.split())} (" in " ".join(screen.found.lines)
