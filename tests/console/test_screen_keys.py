"""Keys, lines and the mouse at the full-screen console, through a terminal in memory."""

from __future__ import annotations

import signal

import helpers
import helpers_tui as tui
import pytest
from prompt_toolkit.application import Application

from cli import language
from cli.console.messages import Clicked, Control, Entered, Key, Resized, Send
from cli.console.render.screen import render
from cli.console.render.spans import plain
from cli.console.screen_state import Page, Settings
from cli.console.shell.app import ScreenPlayer
from cli.match.player import Happened, Placed
from console.clicks import cell, click
from storm_p2p.storm import notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase


def test_an_action_is_typed_asked_and_sent() -> None:
    played = tui.play(tui.EXAMPLE, ["move 14 8 eri hec\r", "y\r"])
    assert tui.actions(played.match)[0] == "move 14 8 erinyes hecate"


def test_what_is_drawn_is_what_was_rendered() -> None:
    def compare(player: object, terminal: tui.Terminal) -> None:
        screen = player.screen  # type: ignore[attr-defined]  # a ScreenPlayer
        drawn = [row.rstrip() for row in terminal.shown]
        wanted = [row.rstrip() for row in tui.rows(render(screen), screen.typed)]
        assert drawn == wanted

    for size in tui.SIZES:
        tui.play(tui.EXAMPLE, [compare, "14 eri", compare, " hec\r", compare, "\x1bOQ", compare], size=size)


@pytest.mark.parametrize("keys", ["n\r", "\r", "maybe\r", "\x1b[3~\r"])
def test_only_a_yes_sends(keys: str) -> None:
    played = tui.play(tui.EXAMPLE, ["move 14 8 eri hec\r", keys])
    assert not played.match.moves
    assert played.screen.question is None


def test_escape_never_acts() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered("move 14 8 eri hec"))
    screen, effects = tui.stepped(screen, Key("escape"))
    assert screen.question is None
    assert not any(isinstance(effect, Send | Control) for effect in effects)
    for _ in range(3):
        screen, effects = tui.stepped(screen, Key("escape"))
        assert not any(isinstance(effect, Send | Control) for effect in effects)


def test_what_loses_the_game_needs_the_whole_word() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered("resign"))
    assert tui.stepped(screen, Entered("y"))[1] == ()
    assert Control("resign") in tui.stepped(screen, Entered("yes"))[1]
    assert not any(isinstance(effect, Control) for effect in tui.stepped(screen, Clicked("send"))[1])


def test_the_cost_can_be_accepted_beforehand() -> None:
    match = tui.play(tui.EXAMPLE, ["move 14 9 all !\r"]).match
    assert tui.actions(match)[0] == "move 14 9 erinyes hecate"


def test_who_wants_it_is_asked_before_everything() -> None:
    played = tui.play(tui.EXAMPLE, ["confirm always\r", "erinyes 9!\r"])
    assert tui.actions(played.match)[0] == "move 14 9 erinyes"
    asked = tui.play(tui.EXAMPLE, ["confirm always\r", "erinyes 9\r"])
    assert not asked.match.moves
    assert asked.shows("send? [y/N]")


def test_the_language_changes_in_the_middle_of_a_match() -> None:
    try:
        played = tui.play(tui.EXAMPLE, ["lang de\r"])
        assert played.shows("Von hier an liest du Deutsch")
        assert played.shows("DEIN ZUG")
    finally:
        language.choose(language.ENGLISH)


def test_a_question_mark_asks_the_price_only() -> None:
    played = tui.play(tui.EXAMPLE, ["move 14 8 eri hec?\r"])
    assert not played.match.moves
    assert played.shows("honor 11 > 9 (-2)")


def test_a_line_that_is_not_understood_is_quoted_with_a_sentence_and_up_brings_it_back() -> None:
    # It used to stay at the prompt, where a newcomer typed his next line behind it (docs/console.md, "What is typed").
    played = tui.play(tui.EXAMPLE, ["move 14 1\r"])
    assert played.screen.typed == ""
    assert played.screen.notice[0] == 'Nothing was done with "move 14 1"; Up brings it back.'
    assert played.shows("Not possible")
    assert tui.play(tui.EXAMPLE, ["move 14 1\r", "\x1b[A"]).screen.typed == "move 14 1"
    assert tui.play(tui.EXAMPLE, ["move 14 1\r", "who 14\r"]).screen.rejected == ""


def test_up_brings_back_a_refused_line_where_it_otherwise_does_something_else() -> None:
    fought = tui.play(tui.COMBAT, ["std 99\r", "\x1b[A"])
    assert fought.screen.typed == "std 99"
    assert tui.play(tui.COMBAT, ["std 99\r", "\x1b[A", "\x15", "\x1b[B"]).screen.choice != fought.screen.choice
    assert tui.play(tui.EXAMPLE, ["\x1bOP", "move 14 1\r", "\x1b[A"]).screen.typed == "move 14 1"


@pytest.mark.parametrize("line", ["note 25 maybe Zeus", "who 99", "card nobody", "accept", "hello there"])
def test_whatever_refuses_a_line_quotes_it(line: str) -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered(line))
    assert f'"{line}"' in screen.notice[0]
    assert len(screen.notice) == 2
    assert screen.typed == ""
    setting_up = tui.after(tui.begin(), Placed())
    assert '"hades 24"' in tui.after(setting_up, Entered("hades 24")).notice[0]
    assert "hades 24" not in tui.after(setting_up, Clicked("unit hades"), Clicked("hex 24")).notice[0]


def test_a_long_refused_line_is_quoted_in_part_and_comes_back_whole() -> None:
    line = "note 25 " + "maybe Zeus " * 9
    played = tui.play(tui.EXAMPLE, [f"{line}\r"])
    assert len(played.screen.notice[0]) < 80
    assert tui.play(tui.EXAMPLE, [f"{line}\r", "\x1b[A"]).screen.typed == line


def test_tab_completes_with_prices() -> None:
    assert tui.play(tui.EXAMPLE, ["erinyes hecate \t"]).shows("honor -2")


def test_up_brings_back_earlier_lines() -> None:
    assert tui.play(tui.EXAMPLE, ["who 14\r", "\x1b[A"]).screen.typed == "who 14"


@pytest.mark.parametrize("word", ["help", "units", "table", "log", "chat", "notes"])
def test_every_page_has_a_word(word: str) -> None:
    assert tui.after(tui.asked(tui.EXAMPLE), Entered(word)).page == Page(word)


def test_control_c_clears_a_line_then_asks_and_a_second_one_leaves() -> None:
    seen: list[tuple[str, bool]] = []

    def look(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        seen.append((player.screen.typed, player.screen.question is not None))

    played = tui.play(tui.EXAMPLE, ["move 14 9", "\x03", look, "\x03", look, "\x03"])
    assert seen == [("", False), ("", True)]
    assert played.match.said == ["leave"]
    assert played.player.interrupted


def test_a_second_control_c_that_comes_late_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.console.player.AGAIN_SECONDS", 0.0)
    played = tui.play(tui.EXAMPLE, ["\x03", "\x03"])
    assert played.match.said == []
    assert played.screen.question is not None
    assert not tui.play(tui.EXAMPLE, ["\x03", "n\r"]).screen.question


def test_control_z_types_nothing_and_suspends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    suspended: list[object] = []
    # The tests themselves must not stop.
    monkeypatch.setattr(Application, "suspend_to_background", lambda app: suspended.append(app))
    assert tui.play(tui.EXAMPLE, ["who", "\x1a", " 9"]).screen.typed == "who 9"
    assert len(suspended) == hasattr(signal, "SIGTSTP")


@pytest.mark.parametrize(("unicode", "mark"), [(True, "\u23ce"), (False, " | ")])
def test_lines_that_were_pasted_stay_one_that_can_be_seen_and_taken_back(unicode: bool, mark: str) -> None:
    paste = "\x1b[200~resign\r\nyes\n\x1b[201~"
    settings = Settings(unicode=unicode)
    played = tui.play(tui.EXAMPLE, [paste], settings=settings)
    assert played.screen.typed == f"resign{mark}yes"
    assert played.shows(f"resign{mark}yes")
    assert played.screen.question is None
    assert tui.play(tui.EXAMPLE, [paste, "\x1b[D\x1b[D\x15"], settings=settings).screen.typed == ""
    assert tui.play(tui.EXAMPLE, [paste, "\r"], settings=settings).match.said == []


def test_leaving_is_asked_before() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Key("f10"))
    assert screen.question is not None
    assert Control("leave") in tui.stepped(screen, Entered("y"))[1]


# -- the combat window ----------------------------------------------------------------------------------------


def test_arrows_choose_maneuver_and_energy_and_enter_proposes() -> None:
    match = tui.play(tui.COMBAT, ["\x1b[C", "\x1b[C", "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[B", "\r", "y\r"]).match
    assert tui.actions(match)[0] == "fight chthonians chase 2"


def test_a_minus_hides_the_combat_and_shows_it_again() -> None:
    assert tui.play(tui.COMBAT, ["-"]).screen.minimised
    assert not tui.play(tui.COMBAT, ["-", "-"]).screen.minimised


def test_typed_digits_are_not_taken_for_the_window() -> None:
    match = tui.play(tui.COMBAT, ["ret 1\r", "y\r"]).match
    assert tui.actions(match)[0] == "fight chthonians retreat 1"


def test_a_result_stays_until_a_key_and_the_key_does_nothing_else() -> None:
    state = helpers.owner_view(tui.COMBAT, Faction.CHTHONIANS)
    after, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
    screen = tui.after(tui.asked(tui.COMBAT), Happened(tuple(events), helpers.owner_view(after, 0)))
    assert screen.page is Page.RESULT
    screen, effects = tui.stepped(screen, Key("any"))
    assert screen.page is None
    assert effects == ()
    assert state.combat is not None


@pytest.mark.parametrize(("mine", "theirs"), [("standard 0", "retreat 1"), ("retreat 1", "standard 0")])
def test_both_choices_are_the_result_of_a_round_that_a_retreat_ended(mine: str, theirs: str) -> None:
    after, events = helpers.happened(tui.COMBAT, *helpers.fights(mine, theirs))
    assert after.phase == Phase.RETREAT
    screen = tui.after(tui.asked(tui.COMBAT), Happened(tuple(events), helpers.owner_view(after, 0)))
    assert screen.page is Page.RESULT
    text = "\n".join(screen.lines)
    assert mine.split()[0] in text
    assert theirs.split()[0] in text
    # What follows at once stands on the same page.
    leaves = helpers.candidates(after)[0]
    done, events = helpers.happened(after, notation.format_action(leaves))
    screen = tui.after(screen, Happened(tuple(events), helpers.owner_view(done, 0)))
    assert any("Honor 11 to 9" in line or "Honor 8 to 6" in line for line in screen.lines)
    assert tui.after(screen, Key("any")).page is None


def test_a_page_of_results_takes_no_more_than_it_has_room_for() -> None:
    after, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
    news = Happened(tuple(events), helpers.owner_view(after, 0))
    screen = tui.after(tui.asked(tui.COMBAT), *[news] * 30)
    assert screen.results
    seen = render(screen)
    assert all(line.strip() in "".join(map(plain, seen.above)) for line in screen.lines if len(line) < 70)


def test_a_page_that_a_larger_window_shows_whole_is_not_scrolled_in_it() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered("table"), *[Key("pagedown")] * 30)
    screen = tui.after(screen, Resized(120, 60), Key("pageup"), Resized(80, 24))
    assert screen.scroll == 0


# -- the mouse ------------------------------------------------------------------------------------------------


def test_a_move_is_clicked_from_start_to_end() -> None:
    played = tui.play(tui.EXAMPLE, [click(*cell(14)), click(*cell(8)), click(2, 22), click(2, 22)])
    assert tui.actions(played.match)[0] == "move 14 8 erinyes hecate"


def test_clicking_again_chooses_among_the_units() -> None:
    screen = tui.asked(tui.EXAMPLE)
    lines = []
    for _ in range(4):
        screen = tui.after(screen, Clicked("hex 14"))
        lines.append(screen.typed.strip())
    assert lines == ["move 14", "move 14 hecate", "move 14 erinyes", "move 14"]


def test_the_right_button_shows_the_cards_of_those_who_can_be_named() -> None:
    screen = tui.asked(tui.EXAMPLE)
    mine = tui.after(screen, Clicked("hex 14", right=True))
    assert mine.page == Page.CARD
    heads = [line.partition(",")[0] for line in mine.lines if "strength" in line]
    assert heads == ["Hecate (Hekate)", "Erinyes (Erinnyen)"]
    assert tui.after(screen, Clicked("hex 9", right=True)).lines[0].startswith("Hera")
    hidden = tui.after(screen, Clicked("hex 8", right=True))
    assert hidden.page is None
    assert hidden.notice[0].startswith("8,")


def test_a_click_sends_nothing_by_itself() -> None:
    screen = tui.asked(tui.EXAMPLE)
    for region in range(1, 25):
        screen, effects = tui.stepped(screen, Clicked(f"hex {region}"))
        assert not any(isinstance(effect, Send) for effect in effects)


def test_the_mouse_can_be_switched_off() -> None:
    played = tui.play(tui.EXAMPLE, ["\x1bm"])
    assert not played.screen.settings.mouse
    assert played.shows("The mouse selects text again")


def test_units_of_the_setup_are_placed_by_clicking() -> None:
    screen = tui.after(tui.begin(), Placed(), Clicked("unit hades"), Clicked("hex 11"))
    assert screen.placing is not None
    assert {region: int(unit) for region, unit in screen.placing.places} == {11: 0}
    screen = tui.after(screen, Clicked("hex 11"), Clicked("hex 10"))
    assert screen.placing is not None
    assert dict(screen.placing.places).keys() == {10}


def test_the_loser_is_clicked_or_typed() -> None:
    state = helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15"),
        "move 12 13 charon cronus",
        *helpers.fights("standard 0", "standard 6"),
    )
    screen = tui.asked(state)
    assert tui.after(screen, Clicked("unit charon")).typed == "lose charon"
    _, effects = tui.stepped(screen, Entered("charon"))
    assert [notation.format_action(effect.action) for effect in effects if isinstance(effect, Send)] == ["lose charon"]
