"""What Tab offers on the whole screen: it lies over nothing that one needs, and a click takes it."""

from __future__ import annotations

from itertools import pairwise

import helpers_tui as tui
import pytest

from cli.console.render.screen import draw_suggestions
from cli.console.render.spans import plain
from cli.console.shell.app import ScreenPlayer
from cli.match.player import Happened
from cli.storm import typed
from cli.storm.placing import Placing
from cli.text import screens
from storm_p2p.storm import engine
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

pytestmark = pytest.mark.usefixtures("recorded_strengths")

SETUP = engine.new_game(Terms())
PLACES = {"move": (tui.EXAMPLE, "14 "), "setup": (SETUP, "hades "), "combat": (tui.COMBAT, "att ")}


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", tui.SIZES)
@pytest.mark.parametrize("place", list(PLACES))
def test_the_suggestions_lie_over_hint_and_keys_alone(size: tuple[int, int], place: str) -> None:
    state, line = PLACES[place]
    seen: list[list[str]] = []

    def look(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        seen.append(terminal.shown)

    tui.play(state, [line, look, "\t", look], size=size, most=0 if state is SETUP else 10_000)
    before, after = seen
    if size == tui.SIZES[0]:
        tui.assert_picture(f"tab_{place}", size[0], "\n".join(row.rstrip() for row in after) + "\n")
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert changed
    assert min(changed) >= size[1] - 2


def test_every_suggestion_is_on_one_page_and_no_row_is_too_wide() -> None:
    offered = [(f"word{number}", "honor -2 to +2" * (number % 3)) for number in range(60)]
    for columns in (80, 97, 120):
        found: set[int] = set()
        for picked in range(60):
            rows, spots = draw_suggestions(offered, picked, columns, 2)
            assert picked in {spot.number for spot in spots}
            for one, after in pairwise(spots):
                # One follows the other, or stands below it where that would not do.
                gap = (after.row, after.left) == (one.row, one.right + 2)
                assert after.number == one.number + 1
                assert gap or (
                    (after.row, after.left) == (one.row + 1, 1) and one.right + 2 + after.right - 1 > columns - 20
                )
            for spot in spots:
                word, note = offered[spot.number]
                text = plain(rows[spot.row])[spot.left : spot.right]
                assert text == (f"{word} ({note})" if note else word)
            assert f"{spots[0].number + 1} to {spots[-1].number + 1} of 60" in plain(rows[-1])
            assert (spots[0].row, spots[0].left) == (0, 1)
            found |= {spot.number for spot in spots}
            for spot in spots:
                assert plain(rows[spot.row])[spot.left : spot.right].startswith(offered[spot.number][0])
            assert [len(plain(row)) for row in rows] == [columns] * 2
            assert str(screens.MORE).split()[-1] in plain(rows[-1]) or "of 60" in plain(rows[-1])
        assert found == set(range(60))


def test_a_click_with_the_mouse_on_a_suggestion_takes_it_and_not_the_key_below_it() -> None:
    clicks: list[str] = []

    def find(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        column = terminal.shown[-2].index("20 (") + 1
        clicks.append(f"\x1b[<0;{column};23M\x1b[<0;{column};23m")

    tui.play(tui.EXAMPLE, ["14 \t", find])
    played = tui.play(tui.EXAMPLE, ["14 \t", clicks[0]])
    assert played.screen.typed == "14 20"
    assert played.screen.page is None


def test_what_tab_offers_goes_with_its_board() -> None:
    seen: list[str] = []

    def look(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        seen.append(terminal.shown[-2])

    def change(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        player.tell(Happened((), tui.COMBAT))

    played = tui.play(tui.EXAMPLE, [look, "14 \t", look, change, look])
    before, offered, after = seen
    assert "20 (" in offered
    assert "20 (" not in before + after
    assert played.screen.typed.startswith("14 ")


@pytest.mark.parametrize("faction", FACTIONS)
def test_tab_in_the_setup_offers_units_regions_and_kept_setups(faction: Faction) -> None:
    hades = Placing(Faction.CHTHONIANS, ((11, Unit.HADES),))
    listed = {found.word: found.note for found in typed.suggest_setup("", hades, ["wall"])}
    assert next(iter(listed)) == "persephone"
    assert listed["hades"] == "in 11"
    assert {"random", "seal", "mirror", "clear", "save", "load"} <= set(listed)
    regions = typed.suggest_setup("per ", hades, [])
    assert [found.word for found in regions][:9] == ["1", "5", "6", "10", "12", "16", "17", "21", "11"]
    assert [found.word for found in typed.suggest_setup("per 1", hades, [])] == ["1", "10", "12", "16", "17", "11"]
    assert [found.word for found in typed.suggest_setup("load w", hades, ["wall", "rush"])] == ["wall"]
    assert [found.word for found in typed.suggest_setup("zer", hades, [])] == ["cerberus"]
    assert typed.suggest_setup("per 1 ", hades, []) == []
    empty = typed.suggest_setup("", Placing(faction), [])
    assert len([found for found in empty if found.word.upper() in Unit.__members__]) == 12


def test_what_tab_offers_in_the_setup_can_be_entered() -> None:
    played = tui.play(SETUP, ["hade\t", " ", "\t", "\t", "\r"], most=0)
    assert played.screen.placing is not None
    assert played.screen.placing.by_unit == {Unit.HADES: 1}
