"""Keys, lines and the mouse at the full-screen console, through a terminal in memory."""

from __future__ import annotations

from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli import language
from cli.console.input.lines import suggest
from cli.console.reducer import update
from cli.console.render import screen
from cli.console.render.screen import render
from cli.console.render.spans import plain
from cli.console.screen_state import (
    Asked,
    ChangeConsole,
    Clicked,
    Control,
    Entered,
    Event,
    Happened,
    Key,
    Noticed,
    Page,
    Placed,
    Refused,
    Resized,
    Resumed,
    Send,
    SetLine,
    Typed,
)
from cli.match.participant import Remark
from cli.notices import LineBack, LineLost, LineTried
from cli.storm.notices import Proved
from cli.storm.screen import StormScreen
from cli.text import matches
from protocol.core.events import DrawOffered
from protocol.game import Mix, Mixed
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Phase, Terms


def test_an_action_is_typed_asked_and_sent() -> None:
    played = tui.play(tui.EXAMPLE, ["move 14 8 eri hec\r", "y\r"])
    assert tui.actions(played.match)[0] == "move 14 8 erinyes hecate"


def test_what_is_drawn_is_what_was_rendered() -> None:
    def compare(player: object, terminal: tui.Terminal) -> None:
        ui = player.ui  # type: ignore[attr-defined]  # a ScreenPlayer
        drawn = [row.rstrip() for row in terminal.shown]
        wanted = [row.rstrip() for row in tui.rows(render(ui), ui.typed)]
        assert drawn == wanted

    for size in tui.SIZES:
        tui.play(tui.EXAMPLE, [compare, "14 eri", compare, " hec\r", compare, "\x1bOQ", compare], size=size)


@pytest.mark.parametrize("keys", ["n\r", "\r", "maybe\r", "\x1b[3~\r"])
def test_only_a_yes_sends(keys: str) -> None:
    played = tui.play(tui.EXAMPLE, ["move 14 8 eri hec\r", keys])
    assert not played.match.moves
    assert played.ui.question is None


def test_escape_never_acts() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Entered("move 14 8 eri hec"))
    ui, effects = tui.stepped(ui, Key("escape"))
    assert ui.question is None
    assert not any(isinstance(effect, Send | Control) for effect in effects)
    for _ in range(3):
        ui, effects = tui.stepped(ui, Key("escape"))
        assert not any(isinstance(effect, Send | Control) for effect in effects)


def test_what_loses_the_game_needs_the_whole_word() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Entered("resign"))
    assert tui.stepped(ui, Entered("y"))[1] == (SetLine(""),)
    assert Control("resign") in tui.stepped(ui, Entered("yes"))[1]
    assert not any(isinstance(effect, Control) for effect in tui.stepped(ui, Clicked("send"))[1])


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
    assert played.ui.typed == ""
    assert played.ui.notice[0] == 'Nothing was done with "move 14 1"; Up brings it back.'
    assert played.shows("Not possible")
    assert tui.play(tui.EXAMPLE, ["move 14 1\r", "\x1b[A"]).ui.typed == "move 14 1"
    assert tui.play(tui.EXAMPLE, ["move 14 1\r", "who 14\r"]).ui.rejected == ""


def test_up_brings_back_a_refused_line_where_it_otherwise_does_something_else() -> None:
    fought = tui.play(tui.COMBAT, ["std 99\r", "\x1b[A"])
    assert fought.ui.typed == "std 99"
    assert tui.play(tui.COMBAT, ["std 99\r", "\x1b[A", "\x15", "\x1b[B"]).ui.choice != fought.ui.choice
    assert tui.play(tui.EXAMPLE, ["\x1bOP", "move 14 1\r", "\x1b[A"]).ui.typed == "move 14 1"


@pytest.mark.parametrize("line", ["note 25 maybe Zeus", "who 99", "card nobody", "accept", "hello there"])
def test_whatever_refuses_a_line_quotes_it(line: str) -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Entered(line))
    assert f'"{line}"' in ui.notice[0]
    assert len(ui.notice) == 2
    assert ui.typed == ""
    setting_up = tui.after(tui.begin(), Placed())
    assert '"hades 24"' in tui.after(setting_up, Entered("hades 24")).notice[0]
    assert "hades 24" not in tui.after(setting_up, Clicked("unit hades"), Clicked("hex 24")).notice[0]


def test_a_long_refused_line_is_quoted_in_part_and_comes_back_whole() -> None:
    line = "note 25 " + "maybe Zeus " * 9
    played = tui.play(tui.EXAMPLE, [f"{line}\r"])
    assert len(played.ui.notice[0]) < 80
    assert tui.play(tui.EXAMPLE, [f"{line}\r", "\x1b[A"]).ui.typed == line


def test_tab_completes_with_prices() -> None:
    assert tui.play(tui.EXAMPLE, ["erinyes hecate \t"]).shows("honor -2")


def test_up_brings_back_earlier_lines() -> None:
    assert tui.play(tui.EXAMPLE, ["who 14\r", "\x1b[A"]).ui.typed == "who 14"


@pytest.mark.parametrize(
    ("key", "page"),
    [("\x1bOP", Page.HELP), ("\x1bOQ", Page.UNITS), ("\x1bOR", Page.TABLE), ("\x1b[15~", Page.LOG),
     ("\x1b[17~", Page.CHAT), ("\x1b[19~", Page.NOTES), ("\x1b2", Page.UNITS)],
)  # fmt: skip
def test_function_keys_open_pages_and_close_them(key: str, page: Page) -> None:
    assert tui.play(tui.EXAMPLE, [key]).ui.page is page
    assert tui.play(tui.EXAMPLE, [key, key]).ui.page is None


@pytest.mark.parametrize("word", ["help", "units", "table", "log", "chat", "notes"])
def test_every_page_has_a_word(word: str) -> None:
    assert tui.after(tui.asked(tui.EXAMPLE), Entered(word)).page == Page(word)


def test_control_c_leaves_and_the_match_is_saved() -> None:
    played = tui.play(tui.EXAMPLE, ["\x03"])
    assert played.match.said == ["leave"]
    assert played.player.interrupted


def test_leaving_is_asked_before() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Key("f10"))
    assert ui.question is not None
    assert Control("leave") in tui.stepped(ui, Entered("y"))[1]


# -- the combat window ----------------------------------------------------------------------------------------


def test_arrows_choose_maneuver_and_energy_and_enter_proposes() -> None:
    match = tui.play(tui.COMBAT, ["\x1b[C", "\x1b[C", "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[B", "\r", "y\r"]).match
    assert tui.actions(match)[0] == "fight chthonians chase 2"


def test_a_minus_hides_the_combat_and_shows_it_again() -> None:
    assert tui.play(tui.COMBAT, ["-"]).ui.minimised
    assert not tui.play(tui.COMBAT, ["-", "-"]).ui.minimised


def test_typed_digits_are_not_taken_for_the_window() -> None:
    match = tui.play(tui.COMBAT, ["ret 1\r", "y\r"]).match
    assert tui.actions(match)[0] == "fight chthonians retreat 1"


def test_a_result_stays_until_a_key_and_the_key_does_nothing_else() -> None:
    state = helpers.owner_view(tui.COMBAT, Faction.CHTHONIANS)
    after, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
    ui = tui.after(tui.asked(tui.COMBAT), Happened(tuple(events), helpers.owner_view(after, 0)))
    assert ui.page is Page.RESULT
    ui, effects = tui.stepped(ui, Key("any"))
    assert ui.page is None
    assert effects == ()
    assert state.combat is not None


@pytest.mark.parametrize(("mine", "theirs"), [("standard 0", "retreat 1"), ("retreat 1", "standard 0")])
def test_both_choices_are_the_result_of_a_round_that_a_retreat_ended(mine: str, theirs: str) -> None:
    after, events = helpers.happened(tui.COMBAT, *helpers.fights(mine, theirs))
    assert after.phase == Phase.RETREAT
    ui = tui.after(tui.asked(tui.COMBAT), Happened(tuple(events), helpers.owner_view(after, 0)))
    assert ui.page is Page.RESULT
    text = "\n".join(ui.lines)
    assert mine.split()[0] in text
    assert theirs.split()[0] in text
    # What follows at once stands on the same page.
    leaves = helpers.candidates(after)[0]
    done, events = helpers.happened(after, notation.format_action(leaves))
    ui = tui.after(ui, Happened(tuple(events), helpers.owner_view(done, 0)))
    assert any("Honor 11 to 9" in line or "Honor 8 to 6" in line for line in ui.lines)
    assert tui.after(ui, Key("any")).page is None


def test_a_page_of_results_takes_no_more_than_it_has_room_for() -> None:
    after, events = helpers.happened(tui.COMBAT, *helpers.fights("standard 4", "standard 0"))
    news = Happened(tuple(events), helpers.owner_view(after, 0))
    ui = tui.after(tui.asked(tui.COMBAT), *[news] * 30)
    assert ui.results
    seen = render(ui)
    assert all(line.strip() in "".join(map(plain, seen.above)) for line in ui.lines if len(line) < 70)


@pytest.mark.parametrize("page", ["help", "units", "table", "log", "chat", "notes", "card hades", "options"])
@pytest.mark.parametrize("size", tui.SIZES)
def test_keys_past_the_end_of_a_page_do_not_count_on(page: str, size: tuple[int, int]) -> None:
    ui = tui.asked(tui.EXAMPLE, size)
    ui = replace(ui, log=tuple(f"line {number}" for number in range(99)))
    ui = tui.after(ui, Entered(page))
    assert ui.page is not None
    for there, back in (("pagedown", "pageup"), ("pageup", "pagedown"), ("wheeldown", "wheelup")):
        at_the_end = tui.after(ui, *[Key(there)] * 30)
        assert tui.text(tui.after(at_the_end, *[Key(there)] * 30)) == tui.text(at_the_end)
        moved = tui.after(at_the_end, Key(back))
        assert (tui.text(moved) != tui.text(at_the_end)) == (screen.furthest(ui) > 0)


def test_a_page_that_a_larger_window_shows_whole_is_not_scrolled_in_it() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Entered("table"), *[Key("pagedown")] * 30)
    ui = tui.after(ui, Resized(120, 60), Key("pageup"), Resized(80, 24))
    assert ui.scroll == 0


# -- the mouse ------------------------------------------------------------------------------------------------


def click(column: int, row: int) -> str:
    """Return what a terminal sends for a click on a cell, counted from 0."""
    return f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m"


def cell(region: int) -> tuple[int, int]:
    """Return a cell of a region, for a window of 80 columns."""
    for zone in render(tui.asked(tui.EXAMPLE)).zones:
        if zone.what == f"hex {region}":
            return zone.left + 3, zone.row
    raise AssertionError(region)


def test_a_move_is_clicked_from_start_to_end() -> None:
    played = tui.play(tui.EXAMPLE, [click(*cell(14)), click(*cell(8)), click(2, 22), click(2, 22)])
    assert tui.actions(played.match)[0] == "move 14 8 erinyes hecate"


def test_clicking_again_chooses_among_the_units() -> None:
    ui = tui.asked(tui.EXAMPLE)
    lines = []
    for _ in range(4):
        ui = tui.after(ui, Clicked("hex 14"))
        lines.append(ui.typed.strip())
    assert lines == ["move 14", "move 14 hecate", "move 14 erinyes", "move 14"]


def test_the_right_button_shows_the_cards_of_those_who_can_be_named() -> None:
    ui = tui.asked(tui.EXAMPLE)
    mine = tui.after(ui, Clicked("hex 14", right=True))
    assert mine.page == Page.CARD
    heads = [line.partition(",")[0] for line in mine.lines if "strength" in line]
    assert heads == ["Hecate (Hekate)", "Erinyes (Erinnyen)"]
    assert tui.after(ui, Clicked("hex 9", right=True)).lines[0].startswith("Hera")
    hidden = tui.after(ui, Clicked("hex 8", right=True))
    assert hidden.page is None
    assert hidden.notice[0].startswith("8,")


def test_a_click_sends_nothing_by_itself() -> None:
    ui = tui.asked(tui.EXAMPLE)
    for region in range(1, 25):
        ui, effects = tui.stepped(ui, Clicked(f"hex {region}"))
        assert not any(isinstance(effect, Send) for effect in effects)


def test_the_mouse_can_be_switched_off() -> None:
    played = tui.play(tui.EXAMPLE, ["\x1bm"])
    assert not played.ui.settings.mouse
    assert played.shows("The mouse selects text again")


def test_units_of_the_setup_are_placed_by_clicking() -> None:
    ui = tui.after(tui.begin(), Placed(), Clicked("unit hades"), Clicked("hex 11"))
    assert ui.placing is not None
    assert {region: int(unit) for region, unit in ui.placing.places} == {11: 0}
    ui = tui.after(ui, Clicked("hex 11"), Clicked("hex 10"))
    assert ui.placing is not None
    assert dict(ui.placing.places).keys() == {10}


def test_the_loser_is_clicked_or_typed() -> None:
    state = helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15"),
        "move 12 13 charon cronus", *helpers.fights("standard 0", "standard 6"),
    )  # fmt: skip
    ui = tui.asked(state)
    assert tui.after(ui, Clicked("unit charon")).typed == "lose charon"
    _, effects = tui.stepped(ui, Entered("charon"))
    assert [notation.format_action(effect.action) for effect in effects if isinstance(effect, Send)] == ["lose charon"]


# -- around the match -----------------------------------------------------------------------------------------


def test_the_word_plain_goes_on_in_plain_lines() -> None:
    effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered("plain"))[1]
    assert any(isinstance(effect, ChangeConsole) for effect in effects)


def test_chat_is_cleaned_and_counted() -> None:
    def hear(player: object, terminal: tui.Terminal) -> None:
        player.heard("hi \x1b]0;evil\x07\u202ethere")  # type: ignore[attr-defined]  # a ScreenPlayer

    played = tui.play(tui.EXAMPLE, ["/hello\r", hear])
    assert played.match.said[:1] == ["say hello"]
    assert [matches.remark(played.ui.game, said) for said in played.ui.game.chat] == ["you: hello", "bob: hi there"]
    assert played.ui.unread == 1
    assert played.shows("chat: 1 new")


def test_notes_stay_with_their_region() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Entered("note 8 maybe\x1b[2J Zeus"))
    assert ui.game.notes == ((8, "maybe Zeus"),)
    assert tui.after(ui, Entered("note 8")).game.notes == ()
    assert "Expected" in tui.after(ui, Entered("note 25 x")).notice[1]


def test_the_answer_about_a_region_holds_the_note_on_it() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Entered("notiz 8 maybe Zeus?"), Entered("who 8"))
    assert "Your note: maybe Zeus?." in " ".join((*ui.notice, *ui.lines))


def test_what_was_said_before_a_resume_is_on_its_page_and_in_the_log_in_its_order() -> None:
    after = helpers.play(tui.EXAMPLE, "liturgy")
    _, events = engine.play(tui.EXAMPLE, notation.parse_action("liturgy", tui.EXAMPLE))
    view = helpers.owner_view(after, Faction.CHTHONIANS)
    said = (Remark(0, True, "good luck"), Remark(1, False, "ha\x1b[2Jha"))
    ui = tui.after(tui.begin(), Resumed(((events, view),), view, said))
    assert "bob: haha" in tui.text(tui.after(ui, Key("f6")))
    assert ui.unread == 0
    told = [line.split()[0] for line in ui.log]
    assert (ui.log[0].strip(), ui.log[-1].strip()) == ("you: good luck", "bob: haha")
    assert len(told) > 2


def test_a_control_that_cannot_be_used_says_why() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Refused("expected a draw on offer, got none"))
    assert ui.notice == ("expected a draw on offer, got none",)


def test_looking_works_while_the_other_side_thinks() -> None:
    view = helpers.owner_view(tui.EXAMPLE, Faction.OLYMPIANS)
    ui = tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view))
    assert tui.after(ui, Entered("who 14")).notice
    assert "not your turn" in tui.after(ui, Entered("move 9 8")).notice[1]


def test_a_sent_answer_is_not_sent_twice() -> None:
    ui, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered("move 14 9 all !"))
    assert any(isinstance(effect, Send) for effect in effects)
    _, again = tui.stepped(ui, Entered("move 14 9 all !"))
    assert not any(isinstance(effect, Send) for effect in again)


def test_a_new_question_forgets_the_old_confirmation() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Entered("move 14 8 eri hec"))
    assert ui.question is not None
    assert tui.after(ui, Asked(helpers.owner_view(tui.EXAMPLE, 0))).question is None


def test_the_eye_dims_what_the_opponent_does_not_know() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Key("f4"))
    styles = {text.strip(): style for row in render(ui).above for style, text in row}
    assert styles["HEC"] == "dim"
    assert styles["ERI*"] == "seen"
    assert plain(render(ui).above[0])


@pytest.mark.parametrize("games", helpers.daily_first([1, 4]))
def test_the_meaning_of_a_line_never_refuses_in_random_games(games: int) -> None:
    for seed in range(games):
        for ui in tui.walk_models(seed, 10):
            for line in ("14", "had", "zeus 13", "move", "1 2 3", "std 9", "ret", "%", "?", "costs", "units!"):
                render(tui.after(ui, Typed(line)))
                render(tui.after(ui, Entered(line)))


def test_what_was_checked_goes_to_the_log_and_hides_nothing() -> None:
    ui = tui.asked(tui.EXAMPLE)
    told = tui.after(ui, Noticed(Proved(Mix((24, 25), ((27, 28),), (0,)), Mixed())))
    assert told.notice == ()
    assert "2 hidden units" in told.log[-1]


def test_a_question_about_the_match_outlives_what_is_asked_meanwhile() -> None:
    view = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)
    ui = tui.after(tui.begin(), Happened((), view), Entered("resign"), Asked(view))
    assert Control("resign") in tui.stepped(ui, Entered("yes"))[1]


def test_a_broken_line_stands_in_the_head_until_it_is_back() -> None:
    tried = [Noticed(LineTried(count, 1.0)) for count in (1, 4)]
    ui = tui.after(tui.asked(tui.EXAMPLE), Noticed(LineLost(calls=True)), *tried)
    assert "RECONNECTING" in tui.text(ui)
    assert len(ui.log) == 1
    ui = tui.after(ui, Noticed(LineBack()))
    assert "RECONNECTING" not in tui.text(ui)
    assert "again" in ui.notice[0]


def test_the_state_of_the_line_of_a_resumed_match_gives_way_to_its_return() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Noticed(LineTried(1, 1.0)))
    assert "calling, try 1" in ui.notice[0]
    assert "Connected to " in tui.after(ui, Noticed(LineBack())).notice[0]


def test_answers_can_be_clicked() -> None:
    state = helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15"),
        "move 12 13 charon cronus", *helpers.fights("standard 0", "standard 6"),
    )  # fmt: skip
    ui = tui.asked(state)
    answers = [zone.what for zone in render(ui).zones if zone.what.startswith("choose")]
    assert answers == ["choose lose cronus", "choose lose charon"]
    ui = tui.after(ui, Clicked(answers[1]))
    assert ui.typed == "lose charon"
    assert any(isinstance(effect, Send) for effect in tui.stepped(ui, Clicked("send"))[1])


def test_ways_of_retreat_are_marked_on_the_board() -> None:
    state = helpers.at("olympians", "moirae 13, hades 10, ares 14, zeus 15", known="zeus")
    ui = tui.asked(helpers.play(state, "move 14 13 ares", *helpers.fights("retreat 0")))
    assert ui.found.marks.prices == ((7, -2, 0), (18, -2, 0))
    assert tui.after(ui, Clicked("hex 18")).typed == "retreat 18"


def test_words_to_compare_are_seen_before_anything_else() -> None:
    played = tui.play(engine.new_game(Terms()), [])
    assert played.shows("OTTER ANVIL PLUM")


def test_a_second_line_that_is_looked_for_is_no_news() -> None:
    assert tui.after(tui.begin(), Noticed(LineTried(1, 1.0))).notice == ()


def test_the_last_move_of_the_other_side_is_marked() -> None:
    state = helpers.at("olympians", "hades 10, ares 9, zeus 15")
    after, events = helpers.happened(state, "move 9 8 ares")
    view = helpers.owner_view(after, 0)
    ui = tui.after(tui.begin(), Happened(tuple(events), view), Asked(view))
    assert ui.found.marks.target == 8
    assert tui.after(ui, Typed("hades 11")).found.marks.target == 11


def test_an_error_of_the_program_ends_the_match_and_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(ui: StormScreen, event: Event) -> object:
        if isinstance(event, Entered):
            raise RuntimeError("a mistake")
        return update(ui, event)

    monkeypatch.setattr("cli.console.player.update", broken)
    with pytest.raises(RuntimeError, match="a mistake"):
        tui.play(tui.EXAMPLE, ["who 14\r"])


def test_an_error_while_drawing_ends_the_match_and_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(ui: object) -> object:
        if getattr(ui, "typed", "") == "x":
            raise RuntimeError("a mistake")
        return render(ui)  # type: ignore[arg-type]  # what the application hands on

    monkeypatch.setattr("cli.console.shell.app.render", broken)
    with pytest.raises(RuntimeError, match="a mistake"):
        tui.play(tui.EXAMPLE, ["x"])


def test_an_answer_without_an_offer_says_so() -> None:
    for word in ("accept", "decline"):
        ui, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered(word))
        assert effects == ()
        assert "No draw is on offer" in ui.notice[1]


def test_a_draw_is_offered_and_answered() -> None:
    played = tui.play(tui.EXAMPLE, ["draw\r", "yes\r"])
    assert played.match.said == ["draw"]
    assert played.ui.notice[0].startswith("Offer sent. bob can accept or decline it")
    declined = tui.play(tui.EXAMPLE, [lambda player, _: player.on_notice(DrawOffered(1, 1)), "decline\r"])
    assert declined.ui.notice[0].startswith("Declined.")
    offered = tui.after(tui.asked(tui.EXAMPLE), Noticed(DrawOffered(1, 1)))
    assert "bob offers a draw" in offered.notice[0]
    assert Control("decline") in tui.stepped(offered, Entered("decline"))[1]
    assert Control("accept") in tui.stepped(tui.after(offered, Entered("accept")), Entered("yes"))[1]


def test_the_number_of_a_region_without_own_units_says_who_is_there() -> None:
    found = tui.after(tui.asked(tui.EXAMPLE), Typed("9")).found
    assert "Hera and one hidden" in found.lines[0]
    assert found.preview is None


def test_the_prompt_is_seen_again_after_a_line_longer_than_the_window() -> None:
    played = tui.play(tui.EXAMPLE, ["note 8 " + "maybe Zeus " * 9, "\r"])
    assert "> " in [row[:2] for row in played.shown]


@pytest.mark.parametrize("line", ["13", "13 ", "cer", "move 13", "13?", "13>"])
def test_a_line_that_only_picks_own_units_leads_on_to_the_target_as_a_click_does(line: str) -> None:
    state = helpers.at("chthonians", "cerberus 13, hades 10, ares 14, zeus 15")
    played = tui.play(state, [f"{line}\r"])
    assert played.ui.typed == line.rstrip("? ") + " "
    assert played.ui.notice == ()
    clicked = tui.after(tui.asked(state), Clicked("hex 13"))
    assert played.ui.found.marks.prices == clicked.found.marks.prices != ()
    assert played.shows("now a target")
    assert played.shows("Cerberus in 13: add where to")
    assert not played.match.moves


def test_the_hint_says_that_enter_picks_before_it_asks_for_the_target() -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Typed("14"))
    assert "enter picks these units" in tui.text(ui)
    assert "now a target" in tui.text(tui.after(ui, Entered("14")))


@pytest.mark.parametrize("line", ["14", "14 ", "14>", "move 14 hecate ", "eri hec", "z 14 ", "costs 14"])
def test_the_example_of_a_target_goes_on_from_what_is_typed_and_can_be_typed(line: str) -> None:
    ui = tui.after(tui.asked(tui.EXAMPLE), Typed(line))
    example = ui.found.lines[0].partition("as in: ")[2]
    if not line.startswith("costs"):
        assert example.startswith(line.rstrip("> ") + " ")
    assert tui.after(ui, Typed(example)).found.preview is not None


@pytest.mark.parametrize("line", ["costs eri hec", "costs 14", "kosten 14", "preise eri hec"])
def test_the_prices_that_were_asked_for_stand_on_the_board_above_an_empty_prompt(line: str) -> None:
    played = tui.play(tui.EXAMPLE, [f"{line}\r"])
    assert played.ui.typed == ""
    picked = tui.after(tui.asked(tui.EXAMPLE), Typed("14 "))
    assert played.ui.found.marks.prices == picked.found.marks.prices != ()
    assert played.shows("in 14; type the whole move, as in: move 14 9")
    # A click on a goal types the move, and the next line is read for itself.
    assert tui.after(played.ui, Clicked("hex 9")).typed == "move 14 9"
    for event in (Typed("who 9"), Entered("who 9"), Key("escape")):
        after = tui.after(played.ui, event)
        assert after.found.marks.prices == ()
        assert tui.after(after, Typed(""), Key("f8"), Key("f8")).found.marks.prices == ()


def test_a_region_that_was_clicked_stays_picked_after_enter_and_its_target_ends_the_move() -> None:
    played = tui.play(tui.EXAMPLE, [click(*cell(14)), "\r"])
    assert played.ui.typed == "move 14 "
    assert played.shows("now a target")
    played = tui.play(tui.EXAMPLE, ["14\r", "9\r", "y\r"])
    assert tui.actions(played.match)[0] == "move 14 9 erinyes hecate"


@pytest.mark.parametrize("line", ["14 ", "move 14 ", "move 14 hecate ", "hec eri ", "14>"])
def test_tab_lists_the_targets_of_what_was_picked_however_it_was_picked(line: str) -> None:
    def listed(player: object, terminal: tui.Terminal) -> None:
        found = suggest(player.ui, line)  # type: ignore[attr-defined]  # a ScreenPlayer
        prices = player.ui.found.marks.prices  # type: ignore[attr-defined]
        assert {int(one.word) for one in found if one.word.isdigit()} == {region for region, _, _ in prices}
        assert len({one.word for one in found}) == len(found)
        some = suggest(player.ui, f"{line}1")  # type: ignore[attr-defined]
        assert {one.word for one in some} == {str(region) for region, _, _ in prices if str(region)[0] == "1"}

    tui.play(tui.EXAMPLE, [line, listed])


def test_the_number_and_enter_of_a_region_without_own_units_say_who_is_there() -> None:
    played = tui.play(tui.EXAMPLE, ["9\r"])
    assert "Hera and one hidden" in played.ui.notice[0]
    assert played.ui.typed == ""
    view = helpers.owner_view(tui.EXAMPLE, Faction.OLYMPIANS)
    waiting = tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view), Entered("14"))
    assert waiting.notice[0].startswith("14, ")


def test_units_that_cannot_go_anywhere_are_said_to() -> None:
    full = "hades 1, persephone cerberus cronus nyx 6, hecate hypnos moirae thanatos 5, zeus 15"
    ui = tui.after(tui.asked(helpers.at("chthonians", full, energy=(0, 10))), Entered("1"))
    assert ui.notice == ("Hades in 1 cannot go anywhere now.",)
    assert ui.typed == ""
