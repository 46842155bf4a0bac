"""Golden pictures of the full-screen console in each language, and what holds for every picture."""

from __future__ import annotations

import random
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest
from prompt_toolkit.styles import Style, default_ui_style, merge_styles

from cli.console.messages import Entered, Key, Typed
from cli.console.render.screen import render
from cli.console.render.spans import STYLES, line_width, plain, rules, style_class, zone_at
from cli.match.player import Asked, Happened, Heard, Placed
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.render import board
from cli.storm.render.screen import board_size
from storm_p2p.storm import engine, notation
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import FACTIONS, REGIONS, Faction
from storm_p2p.storm.units import Maneuver, Unit

pytestmark = pytest.mark.usefixtures("recorded_strengths")

SMALLEST = pytest.mark.parametrize("size", tui.SIZES[:1], ids=["80x24"])
"""For what a larger window shows in no other way; that every page fills it is a law."""
SPOKEN = pytest.mark.usefixtures("spoken")


def golden(name: str, screen: StormScreen) -> None:
    tui.assert_picture(name, screen.columns, tui.text(screen))


def lost(view: StormScreen) -> StormScreen:
    """Return the console after a round that the other side has lost."""
    state = view.match.state
    assert state is not None
    fought = ev.RoundFought((8, 8), (9, 8), Faction.CHTHONIANS, (Maneuver.STANDARD, Maneuver.STANDARD), ())
    events = (
        ev.Chose(Faction.CHTHONIANS, Maneuver.STANDARD, 1),
        ev.Chose(Faction.OLYMPIANS, Maneuver.STANDARD, 0),
        ev.EnergyChanged(Faction.CHTHONIANS, -1, 23, "combat"),
        fought,
        ev.Eliminated(Unit.HERMES, 13, False, "lost"),
    )
    return tui.after(view, Happened(events, state))


@SMALLEST
@SPOKEN
def test_the_first_turn_says_what_to_do(size: tuple[int, int]) -> None:
    golden("first", tui.asked(tui.EXAMPLE, size, Faction.CHTHONIANS))


@SMALLEST
@SPOKEN
def test_waiting_for_the_other_side(size: tuple[int, int]) -> None:
    view = helpers.owner_view(tui.EXAMPLE, Faction.OLYMPIANS)
    screen = tui.after(tui.begin(size, Faction.OLYMPIANS), Happened((), view), Heard("back in \x1b[2Jtwo minutes"))
    golden("waiting", screen)


@SMALLEST
@SPOKEN
def test_the_setup_of_the_other_side(size: tuple[int, int]) -> None:
    golden("setup_olympians", tui.after(tui.begin(size, Faction.OLYMPIANS), Placed(), Entered("zeus 15")))


@SMALLEST
@SPOKEN
@pytest.mark.parametrize("unit", ["cerberus", "erinyes"])
def test_maneuvers_that_are_not_allowed_say_why(size: tuple[int, int], unit: str) -> None:
    state = helpers.play(helpers.at("chthonians", f"{unit} 12, hades 10, hera ares 13, zeus 15"), "move 12 13")
    golden(f"combat_{unit}", tui.asked(state, size))


def test_a_changed_strength_names_the_unit_whose_power_it_is() -> None:
    state = helpers.play(helpers.at("chthonians", "charon 12, hades 10, zeus aphrodite 13"), "move 12 13")
    shown = tui.text(tui.asked(state))
    assert "Zeus +2 (Aphrodite)" in shown
    assert "Zeus charms" not in shown


@pytest.mark.parametrize("open_combat", [False, True])
def test_only_a_secret_choice_is_called_secret(open_combat: bool) -> None:
    units = "charon 12, hades 10, ares 13, zeus 15"
    state = helpers.play(helpers.at("chthonians", units, terms={"open_combat": open_combat}), "move 12 13")
    request = engine.next_request(state)
    assert request is not None
    seat = request.seats[0]
    shown = tui.text(replace(tui.asked(state, (120, 40), seat), minimised=True))
    assert ("in secret" in shown) != open_combat
    assert ("sees its choice" in shown) == open_combat


@SMALLEST
@SPOKEN
def test_the_result_of_a_round(size: tuple[int, int]) -> None:
    golden("result", lost(tui.asked(tui.COMBAT, size)))


@SMALLEST
@SPOKEN
def test_a_question_within_a_combat(size: tuple[int, int]) -> None:
    state = helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15"),
        "move 12 13 charon cronus",
        *helpers.fights("standard 0", "standard 6"),
    )
    golden("lose", tui.asked(state, size))


@SMALLEST
@SPOKEN
@pytest.mark.parametrize("page", ["help", "units", "table", "log", "chat", "notes"])
def test_the_pages(size: tuple[int, int], page: str) -> None:
    screen = lost(tui.asked(tui.EXAMPLE, size))
    screen = tui.after(screen, Key("any"), Entered("note 8 maybe Zeus"), Heard("hello"), Entered(page))
    golden(page, screen)


@SMALLEST
def test_a_card(size: tuple[int, int], spoken: str) -> None:
    line = {"en": "card persephone", "de": "karte zerberus"}[spoken]
    golden("card", tui.after(tui.asked(tui.EXAMPLE, size), Entered(line)))


@SMALLEST
@SPOKEN
def test_the_eye(size: tuple[int, int]) -> None:
    golden("eye", tui.after(tui.asked(tui.EXAMPLE, size), Key("f4")))


@SMALLEST
@SPOKEN
def test_ascii_on_request(size: tuple[int, int]) -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE, size), Entered("unicode"), Typed("14"))
    golden("ascii", screen)
    board_and_rules = [row for row in render(screen).above for style, text in row if style in ("edge", "water", "rule")]
    assert board_and_rules
    assert all(text.isascii() for row in board_and_rules for style, text in row if style in ("edge", "water", "rule"))


# -- what holds for every picture -----------------------------------------------------------------------------


@pytest.mark.parametrize("games", helpers.daily_first([2, 6]))
def test_every_picture_fills_its_window_exactly(games: int) -> None:
    for seed in range(games):
        for screen in tui.walk_models(seed, 12):
            for columns, rows in ((80, 24), (97, 31), (120, 40), (200, 60)):
                for page in (None, "units", "help"):
                    shown = replace(screen, columns=columns, rows=rows)
                    shown = shown if page is None else tui.after(shown, Entered(page))
                    frame = render(shown)
                    assert len(frame.above) + 1 + len(frame.below) == rows
                    assert all(line_width(plain(row)) == columns for row in (*frame.above, *frame.below))
                    assert all(text.isprintable() for row in frame.above for _, text in row)


def test_a_picture_depends_on_the_model_alone() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed("14"))
    assert render(screen) == render(replace(screen))


def test_a_picture_does_not_depend_on_hidden_enemies() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        state = helpers.random_position(rng)
        other = helpers.exchange(rng, state, Faction.OLYMPIANS)
        pictures = []
        for one in (state, other):
            view = helpers.owner_view(one, Faction.CHTHONIANS)
            screen = tui.after(tui.begin((120, 40)), Happened((), view))
            pictures.append((tui.text(screen), tui.text(tui.after(screen, Entered("units")))))
        assert pictures[0] == pictures[1]


def test_the_board_prices_are_those_of_the_rules_example() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed("14 eri hec"))
    assert {region: honor for region, honor, _ in screen.found.marks.prices} == {
        8: -2,
        9: 0,
        13: -2,
        15: -2,
        19: -1,
        20: -1,
    }


@pytest.mark.parametrize("size", [*tui.SIZES, tui.HUGE], ids=["80x24", "120x40", "160x50"])
def test_every_region_is_found_under_its_own_cells(size: tuple[int, int]) -> None:
    for region in REGIONS:
        row, column = board.place(region, board_size(*size))
        frame = render(tui.asked(tui.EXAMPLE, size))
        assert zone_at(frame, row + 1, column + 1) == f"hex {region}"
        assert zone_at(frame, row + 2, column + 1) == f"hex {region}"


def test_four_a_side_fit_into_a_region() -> None:
    ours, theirs = "hades persephone cerberus cronus 13", "zeus hera athena aphrodite 14"
    state = helpers.at("chthonians", f"{ours}, {theirs}", known="all")
    small, large = (tui.text(tui.asked(state, size)) for size in tui.SIZES)
    for code in ("CRO*", "CER*", "HAD*", "PER*", "-zeu", "-ath", "-hra", "-aph"):
        assert code in small
    for name in ("Persephone*", "Cerberus*", "<Zeus>", "<Aphrodite>"):
        assert name in large


def test_both_sides_of_a_combat_are_on_the_board() -> None:
    screen = tui.after(tui.asked(tui.COMBAT, (120, 40)), Key("hide"))
    for word in ("CRO*CHA*", "-pos-hrm"):
        assert word in tui.text(screen)


def test_no_colour_is_needed_to_tell_the_sides_apart() -> None:
    for faction in FACTIONS:
        shown = (
            tui.text(tui.asked(tui.EXAMPLE, faction=faction))
            if faction == 0
            else tui.text(tui.after(tui.begin(faction=faction), Happened((), helpers.owner_view(tui.EXAMPLE, faction))))
        )
        assert ("ERI*" in shown) == (faction == Faction.CHTHONIANS)
        assert ("-eri" in shown) == (faction == Faction.OLYMPIANS)


@SMALLEST
@SPOKEN
@pytest.mark.parametrize("name", list(tui.QUESTIONS))
def test_questions_within_a_turn(size: tuple[int, int], name: str) -> None:
    state, actions, faction = tui.QUESTIONS[name]
    screen = tui.asked(helpers.play(state, *actions), size, faction)
    golden(name, replace(screen, first=False))


def enemy_has(*done: str) -> StormScreen:
    """Return the console in the smallest window, asked for a move after what the other side has done."""
    state = helpers.at("olympians", "hades charon 12, nyx 7, apollo ares 14, zeus 15", known="zeus", energy=(5, 3))
    screen = replace(tui.begin(), first=False)
    for words in done:
        state, events = engine.play(state, notation.parse_action(words, state))
        screen = tui.after(screen, Happened(events, helpers.owner_view(state, Faction.CHTHONIANS)))
    return tui.after(screen, Asked(helpers.owner_view(state, Faction.CHTHONIANS)))


def log_rows(screen: StormScreen) -> list[str]:
    """Return the log below the board without its title."""
    rows = tui.text(screen).splitlines()
    titles = [number for number, row in enumerate(rows) if row.startswith(("--", "\u2500"))]
    first = next(number for number in titles if "(F5" in rows[number])
    return rows[first + 1 : next(number for number in titles if number > first)]


@SPOKEN
def test_the_log_below_the_board_says_what_the_enemy_did_and_not_what_the_head_says() -> None:
    screen = enemy_has("reveal apollo", "move 15 14 zeus")
    *enemy, turn = screen.log
    assert turn.strip().endswith(STORM.said_above(screen))
    assert [row for row in log_rows(screen) if row] == enemy
    assert turn in tui.text(tui.after(screen, Key("f5")))
    said = tui.after(screen, Heard(STORM.said_above(screen)))
    assert [row for row in log_rows(said) if row] == [*enemy[-len(log_rows(screen)) + 1 :], said.log[-1]]


@SPOKEN
def test_an_entry_without_room_is_begun_and_leaves_no_empty_row() -> None:
    screen = enemy_has("liturgy")
    full = log_rows(replace(screen, log=tuple(f"  1 line {number}" for number in range(9))))
    assert len(full) > 1
    told = log_rows(replace(screen, log=("  1 first", f"  1 {'long ' * 30}", *full[1:])))
    assert told[1:] == full[1:]
    assert told[0].startswith("  1 long")
    # What is cut is seen to be cut.
    assert told[0].endswith("..")


def test_the_setup_names_the_hint_where_it_is_allowed() -> None:
    screen = tui.after(tui.begin(), Placed())
    hinted = replace(screen, match=replace(screen.match, aids=True))
    assert "hint" not in tui.hint_of(screen).split()
    assert "hint" in tui.hint_of(hinted).split()


def test_no_style_conceals_and_every_style_of_a_picture_exists() -> None:
    style = merge_styles([default_ui_style(), Style.from_dict(rules())])
    for name in STYLES:
        assert not style.get_attrs_for_style_str(style_class(name)).hidden
    for seed in range(3):
        for screen in tui.walk_models(seed, 6):
            for shown in (screen, tui.after(screen, Entered("units")), tui.after(screen, Entered("help"))):
                frame = render(shown)
                used = {name for row in (*frame.above, *frame.below) for name, _ in row}
                assert used <= {*STYLES, ""}
