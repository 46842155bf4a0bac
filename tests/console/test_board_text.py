"""The board as text, against recorded drawings (UPDATE_GOLDEN=1 records anew)."""

import random

import helpers
import pytest

from cli.console.render.spans import plain
from cli.storm.model import NOTHING_MARKED
from cli.storm.render import board
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import State

pytestmark = pytest.mark.usefixtures("recorded_strengths")

MOCK_UP = helpers.at(
    "chthonians",
    "erinyes hecate 14, cerberus 7, hades charon 12, harpies 18, cronus 17, persephone 6, moirae 10,"
    "hera zeus 9, ares 15, athena 4, demeter 8, artemis dionysus 19, apollo 24",
    known="erinyes cerberus charon harpies cronus hera artemis apollo",
    eliminated="hermes",
    honor=(11, 8),
    energy=(10, 14),
)
"""The position of the mock-up in console.md 3.1, the rules' own example."""


def drawn(state: State, faction: Faction = Faction.CHTHONIANS) -> list[str]:
    sides = helpers.owner_view(state, faction).sides
    rows = board.draw(sides, faction, NOTHING_MARKED, size=board.SMALL, unicode=False)
    return [plain(row).rstrip() for row in rows]


def test_the_mock_up_is_drawn_as_designed() -> None:
    helpers.assert_golden("console_board.txt", "\n".join(drawn(MOCK_UP)) + "\n")


def test_the_other_side_sees_its_own_units() -> None:
    helpers.assert_golden("console_board_olympians.txt", "\n".join(drawn(MOCK_UP, Faction.OLYMPIANS)) + "\n")


def test_a_combat_and_full_regions_are_drawn() -> None:
    state = helpers.at(
        "chthonians",
        "erinyes hecate hades cronus 14, cerberus charon nyx 13, ares zeus hera athena 9, apollo 24",
        known="all",
    )
    fought = helpers.play(state, "move 14 9 erinyes hecate hades")
    helpers.assert_golden("console_board_crowded.txt", "\n".join([*drawn(state), *drawn(fought)]) + "\n")


def test_the_board_has_its_rows_and_nothing_but_letters_and_signs() -> None:
    for seed in range(60):
        state = helpers.random_start(random.Random(seed))
        for faction in FACTIONS:
            lines = drawn(state, faction)
            assert len(lines) == board.SMALL.rows
            assert max(map(len, lines)) <= 56
            assert all(char.isascii() and char.isprintable() for line in lines for char in line)


def test_hidden_units_of_the_enemy_are_never_named() -> None:
    for seed in range(40):
        state = helpers.random_position(random.Random(seed))
        for faction in FACTIONS:
            other = helpers.exchange(random.Random(seed), state, FACTIONS[1 - faction])
            assert drawn(state, faction) == drawn(other, faction)


def test_a_third_unit_does_not_run_on_from_the_region_to_its_left() -> None:
    state = helpers.at("chthonians", "cronus cerberus 13, zeus hera athena 19", known="all")
    assert any("CRO*CER*\\__-hra____/" in row for row in drawn(state)), "\n".join(drawn(state))
