"""The setup on the whole screen: everything that one needs fits, whatever is placed, typed, agreed and kept."""

from __future__ import annotations

import random
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli.console.messages import Entered, Key, Resized, Rolled, Settled, Typed
from cli.console.render.screen import render
from cli.console.render.spans import zone_at
from cli.match.player import Happened, Placed
from cli.storm import viewing
from cli.storm.model import StormScreen
from cli.storm.placing import Placing
from cli.storm.render import board
from cli.storm.text import names, screens
from cli.text import matches
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Place
from storm_p2p.storm.board import FACTIONS, OTHER, REALM, Faction
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import NAME, ROSTER, Unit

pytestmark = pytest.mark.usefixtures("spoken")
VARIANTS = (Terms(), Terms(open_combat=True), Terms(challenge=-4), Terms(open_combat=True, challenge=4))
LONGEST = "Bartholomaeus-Maximilian"


def setting_up(faction: Faction, terms: Terms = VARIANTS[0], size: tuple[int, int] = (80, 24)) -> StormScreen:
    screen = tui.begin(size, faction, terms)
    kept = tuple((name, Placing(faction)) for name in ("wall", "rush", "the-longest-name-of-a", "trick"))
    return tui.after(replace(screen, match=replace(screen.match, opponent=LONGEST), setups=kept), Placed())


def words(shown: str) -> str:
    return " ".join(shown.split())


@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("size", [(80, 24), (80, 30), (100, 30), (120, 40)])
def test_the_card_of_each_unit_and_all_twelve_units_are_on_the_screen(faction: Faction, size: tuple[int, int]) -> None:
    for unit in ROSTER[faction]:
        screen = tui.after(setting_up(faction, VARIANTS[3], size), Rolled(3))
        text = viewing.card(screen.match, unit)[0].partition(". ")[2]
        for typed in (
            tui.after(screen, Typed(NAME[unit])),
            tui.after(screen, Entered(f"{NAME[unit]} {REALM[faction][0]}")),
        ):
            shown = tui.text(typed)
            assert words(text) in words(shown)
            for other in ROSTER[faction]:
                assert f" {names.unit_name(other):11}" in shown
                assert str(screens.SHORT[other]) in shown


@pytest.mark.parametrize("faction", FACTIONS)
@pytest.mark.parametrize("terms", VARIANTS)
def test_the_board_shows_all_nine_regions_and_the_panel_the_terms(faction: Faction, terms: Terms) -> None:
    for screen in (setting_up(faction, terms), tui.after(setting_up(faction, terms), Rolled(5))):
        rows = tui.text(screen).splitlines()[1 : 1 + board.REALM_ROWS]
        for region in REALM[faction]:
            row, column = board.place(region, board.SMALL)
            shown = rows[row - board.realm_top(faction)]
            assert int(shown[column : column + 2]) == region
        panel = words(" ".join(row[58:] for row in rows))
        if terms.challenge:
            assert f"{terms.challenge:+d}" in panel


@pytest.mark.parametrize("faction", FACTIONS)
def test_the_introduction_with_the_words_to_compare_is_on_the_screen(faction: Faction) -> None:
    screen = setting_up(faction, Terms(open_combat=True, challenge=-4))
    seated = tuple(matches.seated(screen.match))
    assert len(seated) == 2
    shown = words(tui.text(replace(screen, notice=seated)))
    assert [line for line in seated if words(line) not in shown] == []


def test_long_names_stand_whole_on_the_small_board() -> None:
    for faction in FACTIONS:
        for unit in ROSTER[faction]:
            shown = tui.text(tui.after(setting_up(faction), Entered(f"{NAME[unit]} {REALM[faction][4]}")))
            assert names.unit_name(unit).upper() in shown


def test_what_to_do_is_said_whole_with_the_kept_setups() -> None:
    for faction in FACTIONS:
        shown = words(tui.text(setting_up(faction)))
        assert "wall rush the-longest-name-of-a trick" in shown
        assert words(str(screens.FIRST[1])) in shown
        complete = words(tui.text(tui.after(setting_up(faction), Rolled(5), Key("escape"))))
        assert all(words(str(text)) in complete for text in screens.READY)


@pytest.mark.parametrize("size", [(80, 24), (80, 30), (120, 40)])
@pytest.mark.parametrize("faction", FACTIONS)
def test_a_click_hits_the_region_that_is_drawn(faction: Faction, size: tuple[int, int]) -> None:
    frame = render(tui.after(setting_up(faction, size=size), Rolled(5)))
    rows = tui.rows(frame)
    top = board.realm_top(faction) if size == (80, 24) else 0
    for region in REALM[faction]:
        row, column = board.place(region, board.LARGE if size[0] == 120 else board.SMALL)
        assert int(rows[1 + row - top][column : column + 2]) == region
        assert zone_at(frame, 1 + row - top, column) == f"hex {region}"


def test_the_unit_cards_know_what_is_placed() -> None:
    screen = tui.after(setting_up(Faction.CHTHONIANS), Entered("hades 11"), Entered("units"))
    rows = [row for row in tui.text(screen).splitlines() if row.startswith((" HAD", " CER", " ZER"))]
    assert " 11, " in rows[0][:40]
    assert " 11" not in rows[1][:40]


def test_a_sealed_setup_stays_on_the_screen_until_the_game_has_it() -> None:
    screen = tui.after(setting_up(Faction.CHTHONIANS), Rolled(5), Entered("seal!"), Settled())
    shown = tui.text(screen)
    assert str(screens.SEALED) in shown
    assert names.unit_name(ROSTER[Faction.CHTHONIANS][0]).upper() in shown
    side = Faction.CHTHONIANS
    state, _ = engine.play(engine.new_game(Terms()), Place(side, setup.first_serials(side), placed(screen)))
    began = tui.after(screen, Happened((), helpers.owner_view(state, Faction.CHTHONIANS)))
    assert str(screens.YOUR_TWELVE) not in tui.text(began)


def placed(screen: StormScreen) -> tuple[Unit, ...]:
    return setup.arrangement(screen.match.side, {unit: region for region, unit in screen.match.arranged})


def test_the_other_side_is_called_sealed_when_everybody_knows_it() -> None:
    state = engine.new_game(Terms())
    rival = OTHER[Faction.CHTHONIANS]
    units = helpers.random_units(random.Random(1), rival, Terms())
    state, events = engine.play(state, Place(rival, setup.first_serials(rival), units))
    screen = setting_up(Faction.CHTHONIANS)
    sealed = str(screens.RIVAL_SEALED).partition("}")[2].strip()
    assert sealed not in tui.text(screen)
    told = tui.after(screen, Happened(events, helpers.owner_view(state, Faction.CHTHONIANS)))
    panel = words(" ".join(row[58:] for row in tui.text(tui.after(told, Resized(80, 30))).splitlines()[1:14]))
    assert words(sealed) in panel
