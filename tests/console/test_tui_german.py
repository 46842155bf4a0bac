"""The full-screen console in German at 80x24: golden pictures, and that nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli import language
from cli.preferences import Preferences
from cli.text import screens as words
from cli.text import setup_screen
from cli.text.wording import fill
from cli.tui import menu
from cli.tui.menu import Row
from cli.tui.model import Control, Entered, GoPlain, Happened, Key, Page, Placed, Rolled, Typed, Ui
from cli.tui.render.menu import render as render_menu
from cli.tui.spans import plain, width
from storm_p2p import events as ev
from storm_p2p.board import Faction
from storm_p2p.state import Terms
from storm_p2p.units import Maneuver, Unit


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    language.choose("de")
    yield
    language.choose("en")


def golden(name: str, ui: Ui) -> None:
    shown = tui.text(ui)
    assert [row for row in shown.splitlines() if width(row) > 80] == []
    helpers.assert_golden(f"tui_de_{name}_80.txt", shown)


def lost(view: Ui) -> Ui:
    """Return the console after a round that the other side has lost."""
    state = view.game.state
    assert state is not None
    fought = ev.RoundFought((8, 8), (9, 8), Faction.CHTHONIANS, (Maneuver.STANDARD, Maneuver.STANDARD), ())
    events = (
        ev.Chose(Faction.CHTHONIANS, Maneuver.STANDARD, 1), ev.Chose(Faction.OLYMPIANS, Maneuver.STANDARD, 0),
        ev.EnergyChanged(Faction.CHTHONIANS, -1, 23, "combat"), fought, ev.Eliminated(Unit.HERMES, 13, False),
    )  # fmt: skip
    return tui.after(view, Happened(events, state))


def test_the_example_of_the_rules() -> None:
    golden("main", tui.after(tui.asked(tui.EXAMPLE), Typed("move 14 8 eri hek")))


def test_the_first_turn() -> None:
    golden("first", tui.asked(tui.EXAMPLE))


def test_a_question_before_a_loss() -> None:
    golden("question", tui.after(tui.asked(tui.EXAMPLE), Entered("zug 14 8 erinnyen hekate")))


def test_the_setup() -> None:
    ui = tui.after(tui.begin(terms=Terms(open_combat=True, challenge=2)), Placed(), Rolled(7))
    golden("setup", tui.after(ui, Typed("per")))


def test_the_setup_of_the_olympians() -> None:
    golden("setup_olympians", tui.after(tui.begin(faction=Faction.OLYMPIANS), Placed(), Entered("zeus 15")))


def test_the_combat_window() -> None:
    golden("combat", tui.after(tui.asked(tui.COMBAT), Typed("ret 1")))


@pytest.mark.parametrize("unit", ["cerberus", "erinyes"])
def test_maneuvers_that_are_not_allowed_say_why(unit: str) -> None:
    state = helpers.play(helpers.at("chthonians", f"{unit} 12, hades 10, hera ares 13, zeus 15"), "move 12 13")
    golden(f"combat_{unit}", tui.asked(state))


def test_the_result_of_a_round() -> None:
    golden("result", lost(tui.asked(tui.COMBAT)))


def test_a_card() -> None:
    golden("card", tui.after(tui.asked(tui.EXAMPLE), Entered("karte zerberus")))


@pytest.mark.parametrize("page", ["hilfe", "einheiten", "tabelle"])
def test_the_pages(page: str) -> None:
    golden(page, tui.after(lost(tui.asked(tui.EXAMPLE)), Key("any"), Entered(page)))


@pytest.mark.parametrize(
    ("number", "page"),
    [(0, Page.HELP), (1, Page.UNITS), (2, Page.TABLE), (4, Page.LOG), (5, Page.CHAT), (7, Page.NOTES)],
)
def test_the_words_of_the_keys_do_what_the_keys_do(number: int, page: Page) -> None:
    key, word = words.KEYS[number]
    for ui in (tui.after(tui.asked(tui.EXAMPLE), Key(key.lower())), tui.after(tui.asked(tui.EXAMPLE), Entered(word))):
        assert ui.page is page


def test_the_words_for_the_eye_for_plain_lines_and_for_leaving_do_what_their_keys_do() -> None:
    assert tui.after(tui.asked(tui.EXAMPLE), Entered(words.KEYS[3][1])).eye
    _, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered(words.KEYS[6][1]))
    assert any(isinstance(effect, GoPlain) for effect in effects)
    question = tui.after(tui.asked(tui.EXAMPLE), Entered(words.KEYS[8][1])).question
    assert question is not None
    assert question.then == Control("leave")


def test_what_has_little_room_is_not_cut() -> None:
    send = 1 + width(words.SEND_BUTTON) + 1
    buttons = {"typing": send, "fight": send, "question": send + width(words.NO_BUTTON) + 1}
    assert {name: hint for name, hint in words.HINTS.items() if buttons.get(name, 1) + width(hint) > 80} == {}
    assert {unit: short for unit, short in setup_screen.SHORT.items() if width(short) > 22} == {}
    head = " | ".join((words.GAME, fill(words.MATCH, number="7c1f"), words.SETUP_STATE))
    assert width(head) < 80
    assert sum(width(key) + width(word) + 2 for key, word in words.KEYS) <= 81


@pytest.mark.parametrize("page", ["main", "terms", "matches"])
def test_the_menu(page: str) -> None:
    start = replace(menu.begin(Preferences("alice"), "bob"), matches=(Row(("resume", "x"), "x"),), logs=())
    pages = {"main": menu.Page.MAIN, "terms": menu.Page.PLAY, "matches": menu.Page.MATCHES}
    shown = replace(start, page=pages[page])
    rows = [plain(row) for row in render_menu(shown)]
    assert [width(row) for row in rows] == [80] * 24
    helpers.assert_golden(f"tui_menu_de_{page}_80.txt", "\n".join(row.rstrip() for row in rows) + "\n")
