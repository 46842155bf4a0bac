"""The board as text, against recorded drawings (UPDATE_GOLDEN=1 records anew)."""

import random

import helpers

from cli.dialogue import viewing
from cli.view import board_text
from cli.view.model import Model
from storm_p2p.board import FACTIONS, Faction
from storm_p2p.state import State, Terms

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


def model_of(state: State, faction: Faction = Faction.CHTHONIANS) -> Model:
    return Model(faction, Terms(), "bob", match="7c1f", state=helpers.owner_view(state, faction), deciding=True)


def test_the_mock_up_is_drawn_as_designed() -> None:
    model = model_of(MOCK_UP)
    lines = [board_text.headline(model, "YOUR MOVE (Chthonians)"), *viewing.costs(model, ["eri", "hec"], plain=False)]
    helpers.assert_golden("console_board.txt", "\n".join(lines) + "\n")


def test_the_other_side_sees_its_own_units() -> None:
    lines = board_text.screen(model_of(MOCK_UP, Faction.OLYMPIANS))
    helpers.assert_golden("console_board_olympians.txt", "\n".join(lines) + "\n")


def test_a_combat_and_full_regions_are_drawn() -> None:
    state = helpers.at(
        "chthonians",
        "erinyes hecate hades cronus 14, cerberus charon nyx 13, ares zeus hera athena 9, apollo 24",
        known="all",
    )
    model = model_of(helpers.play(state, "move 14 9 erinyes hecate hades"))
    drawn = board_text.draw(helpers.owner_view(state, 0), Faction.CHTHONIANS, {9: 0, 13: -2, 15: -12})
    helpers.assert_golden("console_board_crowded.txt", "\n".join([*drawn, *board_text.screen(model)]) + "\n")


def test_board_and_panel_fit_into_the_screen() -> None:
    for seed in range(60):
        state = helpers.random_start(random.Random(seed))
        for faction in FACTIONS:
            model = model_of(state, faction)
            lines = board_text.screen(model, dict.fromkeys(range(1, 25), -2))
            assert len(lines) == board_text.ROWS
            assert max(map(len, lines)) <= board_text.COLUMNS
            assert all(char.isascii() and char.isprintable() for line in lines for char in line)


def test_hidden_units_of_the_enemy_are_never_named() -> None:
    for seed in range(40):
        state = helpers.random_position(random.Random(seed))
        for faction in FACTIONS:
            other = helpers.exchange(random.Random(seed), state, FACTIONS[1 - faction])
            assert board_text.screen(model_of(state, faction)) == board_text.screen(model_of(other, faction))
