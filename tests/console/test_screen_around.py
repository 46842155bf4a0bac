"""What happens around the moves on the full screen: chat, notes, offers, errors, what is told."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import helpers
import helpers_tui as tui
import pytest
from helpers_console import FakeMatch, Script, play

from cli.console.lines import suggest
from cli.console.messages import (
    ChangeConsole,
    Clicked,
    Control,
    Done,
    Entered,
    Event,
    KeepNotes,
    Key,
    Refused,
    Send,
    Settled,
    Typed,
)
from cli.console.plain import LinePlayer
from cli.console.reducer import update
from cli.console.render.screen import render
from cli.console.render.spans import plain
from cli.match.player import Asked, Ending, Happened, Heard, Noticed, Remark, Resumed
from cli.notices import LineBack, LineLost, LineTried
from cli.storage.home import Home
from cli.storage.people import change
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.notices import Proved
from cli.text import matches, screens
from cli.text.wording import fill
from console.clicks import cell, click
from protocol.core.events import DrawOffered
from protocol.game import Mix, Mixed
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms


def test_the_word_plain_goes_on_in_plain_lines() -> None:
    effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered("plain"))[1]
    assert any(isinstance(effect, ChangeConsole) for effect in effects)


def test_chat_is_cleaned_and_counted() -> None:
    def hear(player: object, terminal: tui.Terminal) -> None:
        player.tell(Heard("hi \x1b]0;evil\x07\u202ethere"))  # type: ignore[attr-defined]  # a ScreenPlayer

    played = tui.play(tui.EXAMPLE, ["/hello\r", hear])
    assert played.match.said[:1] == ["say hello"]
    assert [matches.remark(played.screen.match, said) for said in played.screen.match.chat] == [
        "you: hello",
        "bob: hi there",
    ]
    assert played.screen.unread == 1
    assert played.shows("chat: 1 new")


def test_notes_stay_with_their_region() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered("note 8 maybe\x1b[2J Zeus"))
    assert screen.match.notes == ((8, "maybe Zeus"),)
    assert tui.after(screen, Entered("note 8")).match.notes == ()
    assert "Type a number and a note" in tui.after(screen, Entered("note 25 x")).notice[1]


def test_the_answer_about_a_region_holds_the_note_on_it() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered("notiz 8 maybe Zeus?"), Entered("who 8"))
    assert "Your note: maybe Zeus?." in " ".join((*screen.notice, *screen.lines))


def test_what_was_said_before_a_resume_is_on_its_page_and_in_the_log_in_its_order() -> None:
    after = helpers.play(tui.EXAMPLE, "liturgy")
    _, events = engine.play(tui.EXAMPLE, notation.parse_action("liturgy", tui.EXAMPLE))
    view = helpers.owner_view(after, Faction.CHTHONIANS)
    said = (Remark(0, True, "good luck"), Remark(1, False, "ha\x1b[2Jha"))
    screen = tui.after(tui.begin(), Resumed(((events, view),), view, said))
    assert "bob: haha" in tui.text(tui.after(screen, Key("f6")))
    assert screen.unread == 0
    told = [line.split()[0] for line in screen.log]
    assert (screen.log[0].strip(), screen.log[-1].strip()) == ("you: good luck", "bob: haha")
    assert len(told) > 2


def test_a_control_that_cannot_be_used_says_why() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Refused("expected a draw on offer, got none"))
    assert screen.notice == ("expected a draw on offer, got none",)


def test_looking_works_while_the_other_side_thinks() -> None:
    view = helpers.owner_view(tui.EXAMPLE, Faction.OLYMPIANS)
    screen = tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view))
    assert tui.after(screen, Entered("who 14")).notice
    assert "not your turn" in tui.after(screen, Entered("move 9 8")).notice[1]


def test_a_sent_answer_is_not_sent_twice() -> None:
    screen, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered("move 14 9 all !"))
    assert any(isinstance(effect, Send) for effect in effects)
    _, again = tui.stepped(screen, Entered("move 14 9 all !"))
    assert not any(isinstance(effect, Send) for effect in again)


def test_a_new_question_forgets_the_old_confirmation() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Entered("move 14 8 eri hec"))
    assert screen.question is not None
    assert tui.after(screen, Asked(helpers.owner_view(tui.EXAMPLE, 0))).question is None


def test_the_eye_dims_what_the_opponent_does_not_know() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Key("f4"))
    styles = {text.strip(): style for row in render(screen).above for style, text in row}
    assert styles["HEC"] == "dim-olympus"
    assert styles["ERI*"] == "seen-olympus"


@pytest.mark.usefixtures("spoken")
def test_the_row_of_keys_shows_that_the_eye_is_on() -> None:
    before = tui.asked(tui.EXAMPLE)
    on = tui.after(before, Key("f4"))
    off, shown = (plain(render(one).below[-1]) for one in (before, on))
    word = re.search(r"F4 (\w+)", off)
    assert word is not None
    assert shown == off.replace(word[0], word[0].upper())
    assert plain(render(tui.after(on, Key("f4"))).below[-1]) == off


@pytest.mark.parametrize("games", helpers.daily_first([1, 4]))
def test_the_meaning_of_a_line_never_refuses_in_random_games(games: int) -> None:
    for seed in range(games):
        for screen in tui.walk_models(seed, 10):
            for line in ("14", "had", "zeus 13", "move", "1 2 3", "std 9", "ret", "%", "?", "costs", "units!"):
                render(tui.after(screen, Typed(line)))
                render(tui.after(screen, Entered(line)))


def test_what_was_checked_goes_to_the_log_and_hides_nothing() -> None:
    screen = tui.asked(tui.EXAMPLE)
    told = tui.after(screen, Noticed(Proved(Mix((24, 25), ((27, 28),), (0,)), Mixed())))
    assert told.notice == ()
    assert "2 hidden units" in told.log[-1]


def test_a_question_about_the_match_outlives_what_is_asked_meanwhile() -> None:
    view = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS)
    screen = tui.after(tui.begin(), Happened((), view), Entered("resign"), Asked(view))
    assert Control("resign") in tui.stepped(screen, Entered("yes"))[1]


def test_a_broken_line_stands_in_the_head_until_it_is_back() -> None:
    tried = [Noticed(LineTried(count, 1.0)) for count in (1, 4)]
    screen = tui.after(tui.asked(tui.EXAMPLE), Noticed(LineLost(calls=True)), *tried)
    assert "RECONNECTING" in tui.text(screen)
    assert len(screen.log) == 1
    screen = tui.after(screen, Noticed(LineBack()))
    assert "RECONNECTING" not in tui.text(screen)
    assert "again" in screen.notice[0]


def test_the_state_of_the_line_of_a_resumed_match_gives_way_to_its_return() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Noticed(LineTried(1, 1.0)))
    assert "calling, try 1" in screen.notice[0]
    assert "Connected to " in tui.after(screen, Noticed(LineBack())).notice[0]


def test_answers_can_be_clicked() -> None:
    state = helpers.play(
        helpers.at("chthonians", "charon cronus 12, hades 10, hermes poseidon 13, zeus 15"),
        "move 12 13 charon cronus",
        *helpers.fights("standard 0", "standard 6"),
    )
    screen = tui.asked(state)
    answers = [zone.what for zone in render(screen).zones if zone.what.startswith("choose")]
    assert answers == ["choose lose cronus", "choose lose charon"]
    screen = tui.after(screen, Clicked(answers[1]))
    assert screen.typed == "lose charon"
    assert any(isinstance(effect, Send) for effect in tui.stepped(screen, Clicked("send"))[1])


def test_ways_of_retreat_are_marked_on_the_board() -> None:
    state = helpers.at("olympians", "moirae 13, hades 10, ares 14, zeus 15", known="zeus")
    screen = tui.asked(helpers.play(state, "move 14 13 ares", *helpers.fights("retreat 0")))
    assert screen.found.marks.prices == ((7, -2, 0), (18, -2, 0))
    assert tui.after(screen, Clicked("hex 18")).typed == "retreat 18"


def test_words_to_compare_are_seen_before_anything_else() -> None:
    played = tui.play(engine.new_game(Terms()), [])
    assert played.shows("OTTER ANVIL PLUM")


def test_a_second_line_that_is_looked_for_is_no_news() -> None:
    assert tui.after(tui.begin(), Noticed(LineTried(1, 1.0))).notice == ()


def test_the_last_move_of_the_other_side_is_marked() -> None:
    state = helpers.at("olympians", "hades 10, ares 9, zeus 15")
    after, events = helpers.happened(state, "move 9 8 ares")
    view = helpers.owner_view(after, 0)
    screen = tui.after(tui.begin(), Happened((), helpers.owner_view(state, 0)))
    screen = tui.after(screen, Happened(tuple(events), view), Asked(view))
    assert [path for _, path in screen.trails] == [(9, 8)]
    assert tui.after(screen, Typed("hades 11")).found.marks.target == 11


def test_an_error_of_the_program_ends_the_match_and_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(screen: StormScreen, event: Event) -> object:
        if isinstance(event, Entered):
            raise RuntimeError("a mistake")
        return update(screen, event)

    monkeypatch.setattr("cli.console.player.update", broken)
    with pytest.raises(RuntimeError, match="a mistake"):
        tui.play(tui.EXAMPLE, ["who 14\r"])


def test_an_error_while_drawing_ends_the_match_and_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(screen: object) -> object:
        if getattr(screen, "typed", "") == "x":
            raise RuntimeError("a mistake")
        return render(screen)  # type: ignore[arg-type]  # what the application hands on

    monkeypatch.setattr("cli.console.shell.app.render", broken)
    with pytest.raises(RuntimeError, match="a mistake"):
        tui.play(tui.EXAMPLE, ["x"])


def test_an_answer_without_an_offer_says_so() -> None:
    for word in ("accept", "decline"):
        screen, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered(word))
        assert effects == ()
        assert "No draw is on offer" in screen.notice[1]


def test_a_draw_is_offered_and_answered() -> None:
    played = tui.play(tui.EXAMPLE, ["draw\r", "yes\r"])
    assert played.match.said == ["draw"]
    assert played.screen.notice[0].startswith("You offer a draw. bob can accept or decline it")
    down = replace(played.screen, match=replace(played.screen.match, line_down=True))
    waits = tui.after(down, Done(Control("draw"))).notice[0]
    assert waits.endswith("The connection is down: bob gets this when it is back.")
    assert "connection is down" not in tui.after(down, Done(Control("leave"))).notice[0]
    declined = tui.play(tui.EXAMPLE, [lambda player, _: player.tell(Noticed(DrawOffered(1, 1))), "decline\r"])
    assert declined.screen.notice[0].startswith("Declined.")
    offered = tui.after(tui.asked(tui.EXAMPLE), Noticed(DrawOffered(1, 1)))
    assert "bob offers a draw" in offered.notice[0]
    assert Control("decline") in tui.stepped(offered, Entered("decline"))[1]
    assert Control("accept") in tui.stepped(tui.after(offered, Entered("accept")), Entered("yes"))[1]


def test_the_number_of_a_region_without_own_units_says_who_is_there() -> None:
    found = tui.after(tui.asked(tui.EXAMPLE), Typed("9")).found
    assert "Hera and one hidden" in found.lines[0]
    assert found.severity is None


def test_the_prompt_is_seen_again_after_a_line_longer_than_the_window() -> None:
    played = tui.play(tui.EXAMPLE, ["note 8 " + "maybe Zeus " * 9, "\r"])
    assert "> " in [row[:2] for row in played.shown]


@pytest.mark.parametrize("line", ["13", "13 ", "cer", "move 13", "13?", "13>"])
def test_a_line_that_only_picks_own_units_leads_on_to_the_target_as_a_click_does(line: str) -> None:
    state = helpers.at("chthonians", "cerberus 13, hades 10, ares 14, zeus 15")
    played = tui.play(state, [f"{line}\r"])
    assert played.screen.typed == line.rstrip("? ") + " "
    assert played.screen.notice == ()
    clicked = tui.after(tui.asked(state), Clicked("hex 13"))
    assert played.screen.found.marks.prices == clicked.found.marks.prices != ()
    assert played.shows("now a target")
    assert played.shows("Cerberus in 13: add where to")
    assert not played.match.moves


def test_the_hint_says_that_enter_picks_before_it_asks_for_the_target() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed("14"))
    assert "enter picks these units" in tui.text(screen)
    assert "now a target" in tui.text(tui.after(screen, Entered("14")))


@pytest.mark.parametrize("line", ["14", "14 ", "14>", "move 14 hecate ", "eri hec", "z 14 ", "costs 14"])
def test_the_example_of_a_target_goes_on_from_what_is_typed_and_can_be_typed(line: str) -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed(line))
    example = screen.found.lines[0].partition("as in: ")[2]
    if not line.startswith("costs"):
        assert example.startswith(line.rstrip("> ") + " ")
    assert tui.after(screen, Typed(example)).found.severity is not None


@pytest.mark.parametrize("line", ["costs eri hec", "costs 14", "kosten 14", "preise eri hec"])
def test_the_prices_that_were_asked_for_stand_on_the_board_above_an_empty_prompt(line: str) -> None:
    played = tui.play(tui.EXAMPLE, [f"{line}\r"])
    assert played.screen.typed == ""
    picked = tui.after(tui.asked(tui.EXAMPLE), Typed("14 "))
    assert played.screen.found.marks.prices == picked.found.marks.prices != ()
    assert played.shows("in 14; type the whole move, as in: move 14 9")
    # A click on a goal types the move, and the next line is read for itself.
    assert tui.after(played.screen, Clicked("hex 9")).typed == "move 14 9"
    for event in (Typed("who 9"), Entered("who 9"), Key("escape")):
        after = tui.after(played.screen, event)
        assert after.found.marks.prices == ()
        assert tui.after(after, Typed(""), Key("f8"), Key("f8")).found.marks.prices == ()


def test_a_region_that_was_clicked_stays_picked_after_enter_and_its_target_ends_the_move() -> None:
    played = tui.play(tui.EXAMPLE, [click(*cell(14)), "\r"])
    assert played.screen.typed == "move 14 "
    assert played.shows("now a target")
    played = tui.play(tui.EXAMPLE, ["14\r", "9\r", "y\r"])
    assert tui.actions(played.match)[0] == "move 14 9 erinyes hecate"


@pytest.mark.parametrize("line", ["14 ", "move 14 ", "move 14 hecate ", "hec eri ", "14>"])
def test_tab_lists_the_targets_of_what_was_picked_however_it_was_picked(line: str) -> None:
    def listed(player: object, terminal: tui.Terminal) -> None:
        found = suggest(player.screen, line)  # type: ignore[attr-defined]  # a ScreenPlayer
        prices = player.screen.found.marks.prices  # type: ignore[attr-defined]
        assert {int(one.word) for one in found if one.word.isdigit()} == {region for region, _, _ in prices}
        assert len({one.word for one in found}) == len(found)
        some = suggest(player.screen, f"{line}1")  # type: ignore[attr-defined]
        assert {one.word for one in some} == {str(region) for region, _, _ in prices if str(region)[0] == "1"}

    tui.play(tui.EXAMPLE, [line, listed])


def test_the_number_and_enter_of_a_region_without_own_units_say_who_is_there() -> None:
    played = tui.play(tui.EXAMPLE, ["9\r"])
    assert "Hera and one hidden" in played.screen.notice[0]
    assert played.screen.typed == ""
    view = helpers.owner_view(tui.EXAMPLE, Faction.OLYMPIANS)
    waiting = tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view), Entered("14"))
    assert waiting.notice[0].startswith("14, ")


def test_units_that_cannot_go_anywhere_are_said_to() -> None:
    full = "hades 1, persephone cerberus cronus nyx 6, hecate hypnos moirae thanatos 5, zeus 15"
    screen = tui.after(tui.asked(helpers.at("chthonians", full, energy=(0, 10))), Entered("1"))
    assert screen.notice == ("Hades in 1 cannot go anywhere now.",)
    assert screen.typed == ""


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", tui.SIZES, ids=["80x24", "120x40"])
def test_words_to_compare_stand_in_a_place_of_their_own_until_they_were_compared(size: tuple[int, int]) -> None:
    screen = tui.asked(tui.EXAMPLE, size)
    screen = replace(screen, match=replace(screen.match, words="otter anvil plum zebra", compared=False))
    compare = fill(screens.TO_COMPARE, words=screen.match.words)
    for event in (Typed("hades 13"), Entered("move 12 13 hades"), Entered("who 9"), Entered("?")):
        assert compare in tui.text(tui.after(screen, event)) or tui.after(screen, event).page is not None
    done, effects = tui.stepped(screen, Entered("gleich"))
    assert effects == (KeepNotes(same=True),)
    assert compare not in tui.text(done)
    assert str(screens.COMPARED) in done.notice


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize(
    "said", ["differ", "no", "stop", "wrong", "not the same", "nein", "falsch", "nicht gleich", "stopp"]
)
@pytest.mark.parametrize("compared", [False, True])
@pytest.mark.parametrize("moment", ["setup", "own turn", "other's turn"])
def test_words_that_differ_are_asked_once_and_end_the_match(said: str, moment: str, *, compared: bool) -> None:
    screen = tui.begin() if moment == "setup" else tui.asked(tui.EXAMPLE)
    if moment == "other's turn":
        screen = tui.after(screen, Settled())
    screen = replace(screen, match=replace(screen.match, words="otter anvil plum zebra", compared=compared))
    asked, effects = tui.stepped(screen, Entered(said))
    assert not [one for one in effects if isinstance(one, Control)]
    assert asked.question is not None
    assert tui.after(asked, Entered("no")).question is None
    ended, effects = tui.stepped(asked, Entered("yes"))
    assert Control("differ") in effects
    done, effects = tui.stepped(ended, Done(Control("differ")))
    assert done.match.differs
    # Whoever resumes the match is not asked again as if nothing had been said.
    assert effects == (KeepNotes(same=False),)
    assert matches.seated(done.match)[-1] != matches.seated(screen.match)[-1]
    told = matches.over(done.match, Ending(winner=None, reason="", audited=False, log="here.storm"))
    assert str(matches.DIFFER) in told
    assert "resume" not in " ".join(told)


@pytest.mark.parametrize("said", ["differ", "no", "falsch"])
def test_words_that_differ_end_the_match_in_plain_lines(said: str) -> None:
    script = Script([said, "yes"])
    player = LinePlayer("alice", STORM, lines=script.screen)
    play(player, Faction.CHTHONIANS, state=tui.EXAMPLE, most=1)
    assert "Do the words really differ?" in script.shown
    assert player.screen.match.differs


def test_words_are_compared_in_plain_lines_too() -> None:
    script = Script(["same"])
    player = LinePlayer("alice", STORM, lines=script.screen)
    play(player, Faction.CHTHONIANS, state=tui.EXAMPLE, most=1)
    assert "If they are the same, type same" in script.shown
    assert str(screens.COMPARED) in script.shown
    assert player.screen.match.compared


def test_words_are_not_asked_again_of_a_key_with_which_they_were_compared(tmp_path: Path) -> None:
    home, mine, other = Home(tmp_path), bytes([1]) * 32, bytes([2]) * 32
    change(home.people_file, lambda book: book.learn("bob", mine, "2026-11-24").trust("bob", other))

    def is_asked(key: bytes, *said: str, name: str = "bob") -> bool:
        script = Script(said)
        player = LinePlayer("alice", STORM, lines=script.screen, folder=tmp_path)
        match = FakeMatch(player, Faction.CHTHONIANS, Random(1), tui.EXAMPLE, name)
        match.facts = {**match.facts, "key": key}
        asyncio.run(match.run(1))
        assert "OTTER ANVIL PLUM" in script.shown
        return "If they are the same, type same" in script.shown

    assert is_asked(mine, "same")
    assert not is_asked(mine)
    # Neither another key that is trusted under the name, nor the same key under another name, was compared.
    assert is_asked(other)
    assert is_asked(mine, name="rob")
    assert not is_asked(mine, "mute", "differ", "yes")
    assert is_asked(mine, "same")
    change(home.people_file, lambda book: book.forget("bob").learn("bob", mine, "2026-11-24"))
    assert is_asked(mine)
    home.people_file.write_text("no book")
    assert is_asked(mine)


@pytest.mark.parametrize("said", ["same", "differ"])
def test_against_the_computer_there_are_no_words_to_compare(said: str) -> None:
    script = Script([said])
    player = LinePlayer("alice", STORM, lines=script.screen)
    play(player, Faction.CHTHONIANS, state=tui.EXAMPLE, most=1, facts={"words": ""})
    assert str(screens.NO_WORDS) in script.shown


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("faction", list(Faction))
def test_the_first_turn_in_a_small_window_says_what_to_do_and_leaves_the_log_a_row(faction: Faction) -> None:
    """In German it took two rows more, and nothing was seen of what the other side had done."""
    begun = helpers.at(faction.name.lower(), "hades 12, nyx 5, zeus 4, ares 24")
    screen = tui.after(tui.begin((80, 24), faction), Heard("hello"))
    view = helpers.owner_view(begun, faction)
    screen = tui.after(screen, Happened((), view), Asked(view))
    assert "bob: hello" in tui.text(screen)
