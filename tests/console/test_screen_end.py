"""The end of a match: what has decided it is seen and said, in words that need no knowledge of the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import helpers
import helpers_tui as tui
import pytest

from cli.console.guest import keys_at_end, keys_of
from cli.console.lines import use_control
from cli.console.messages import Analysed, AnalyseMatch, Close, Control, Done, Entered, Key, Refused
from cli.console.plain import said
from cli.console.render.screen import _whole, render
from cli.console.render.spans import line_width, plain
from cli.console.replay import Analysis, Candidate, End, Judged, Point
from cli.console.screen_state import THEMES, Page
from cli.console.shell.app import ScreenPlayer
from cli.match.player import Controls, Ended, Ending, Happened, Noticed
from cli.notices import NextGame
from cli.storm.console import STORM
from cli.storm.model import StormScreen
from cli.storm.text import names, narrate
from protocol.core.events import OtherLeft, RematchDeclined, RematchOffered
from storm_p2p.storm import events as ev
from storm_p2p.storm import views
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Outcome, State
from storm_p2p.storm.units import Unit, units_in

QUIET = helpers.at("chthonians", "hades 14, nyx 1, zeus 8, hera 20", known="hades")
"""Hades walks into an empty Palace."""
HELD = helpers.at("chthonians", "hades cronus nyx 14, artemis athena ares hera 15, zeus 8")
"""Hades and two comrades meet four defenders there."""


def ended(
    before: State, move: str, faction: Faction, size: tuple[int, int] = tui.SIZES[0], *, sent: bool = False
) -> StormScreen:
    """Return the console of a player after the last move of a match, when all of it is opened."""
    after, events = helpers.happened(before, move)
    screen = tui.after(tui.begin(size, faction), Happened((), helpers.owner_view(before, faction)))
    screen = tui.after(replace(screen, sent=sent), Happened(tuple(events), helpers.owner_view(after, faction)))
    return tui.after(screen, Ended(Ending("chthonians", "palace", True, "/home/alice/bob.storm", opened=after)))


def test_the_enemys_winning_move_is_shown_before_the_end() -> None:
    screen = ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS)
    assert screen.page is Page.RESULT
    assert "Hades moves 14 > 15" in tui.text(screen)
    assert "the Chthonians win: a leader reached the Palace" in tui.text(screen)
    assert tui.after(screen, Key("enter")).page is Page.OVER


def test_the_winning_move_follows_a_result_that_was_not_looked_at() -> None:
    """It came on the page of an earlier combat, which ended at the turn of the enemy, and the end came next."""
    view = helpers.owner_view(QUIET, Faction.OLYMPIANS)
    fought = ev.Eliminated(Unit.ARES, 9, for_good=False, cause="lost")
    screen = tui.after(tui.begin(faction=Faction.OLYMPIANS), Happened((), view), Happened((fought,), view))
    after, events = helpers.happened(QUIET, "move 14 15 hades")
    screen = tui.after(screen, Happened(tuple(events), helpers.owner_view(after, Faction.OLYMPIANS)))
    shown = tui.text(tui.after(screen, Ended(Ending("chthonians", "palace", True, None, opened=after))))
    assert "Ares is eliminated in 9" in shown
    assert "Hades moves 14 > 15" in shown


def test_an_own_winning_move_needs_no_look() -> None:
    assert ended(QUIET, "move 14 15 hades", Faction.CHTHONIANS, sent=True).page is Page.OVER


@pytest.mark.parametrize("before", [QUIET, HELD])
def test_who_has_reached_the_palace_is_named(before: State) -> None:
    move = "move 14 15 hades" if before is QUIET else "move 14 15 cronus hades nyx"
    screen = tui.after(ended(before, move, Faction.OLYMPIANS), Key("enter"))
    assert "You lost in turn 1: a leader reached the Palace." in tui.text(screen)
    assert any("the Chthonians win: a leader reached the Palace" in row for row in screen.log)


@pytest.mark.parametrize(
    ("winner", "reason", "said"),
    [
        ("chthonians", "palace", "the Chthonians win: a leader reached the Palace"),
        ("olympians", "leaders", "the Olympians win: the leaders are gone"),
        ("olympians", "honor", "the Olympians win: the other side has no Honor left"),
        ("draw", "honor", "a draw: nobody has Honor left"),
    ],
)
def test_everybody_is_told_what_has_decided_a_game(winner: str, reason: str, said: str) -> None:
    assert narrate.line(ev.GameOver(Outcome(winner, reason))) == said


@pytest.mark.parametrize("size", tui.SIZES)
@pytest.mark.parametrize("faction", list(Faction))
def test_the_board_at_the_end_names_the_leader_who_has_won(faction: Faction, size: tuple[int, int]) -> None:
    """He stood among the "+2" of a crowded Palace, under words that promised everybody by name."""
    screen = tui.after(ended(HELD, "move 14 15 cronus hades nyx", faction, size), Key("enter"))
    assert screen.page is Page.OVER
    shown = tui.text(screen)
    assert ("HAD*" if faction == Faction.CHTHONIANS else "-had") in shown
    everybody = all(name in shown.lower() for name in ("cro", "nyx", "ath", "art", "are", "hra"))
    assert everybody is ("two more there" not in shown) is (size == tui.SIZES[1])


def test_a_crowded_group_names_more_than_one_where_there_is_room() -> None:
    screen = ended(HELD, "move 14 15 cronus hades nyx", Faction.OLYMPIANS)
    assert "-had-cro+1" in tui.text(tui.after(screen, Key("enter")))


AT_THE_END_KEYS = tuple(
    name.lower() for name, word in keys_at_end(STORM).items() if word.english not in ("chat", "menu")
)


@pytest.mark.parametrize("key", AT_THE_END_KEYS)
def test_what_can_be_looked_at_after_the_end_leads_back_to_it(key: str) -> None:
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    keys = {name.lower() for name in keys_of(STORM)}
    offered = {name for name in keys if f"{name.upper()} " in plain(render(over).below[1])}
    assert offered == {*AT_THE_END_KEYS, "f6", "f10"}
    screen = tui.after(over, Key(key))
    assert screen.page not in (None, Page.OVER)
    for back in (Key(key), Key("escape"), Entered(""), Entered("resign")):
        if screen.page is Page.REPLAY and isinstance(back, Entered):
            continue
        again, effects = tui.stepped(screen, back)
        assert (again.page, again.question, again.lines) == (Page.OVER, None, over.lines)
        assert not any(isinstance(effect, Close) for effect in effects)
    for other in ("f1", "f4", "f7"):
        assert tui.stepped(over, Key(other)) == (over, ())
        log = tui.after(over, Key("f5"))
        assert tui.stepped(log, Key(other)) == (log, ())


@pytest.mark.parametrize(("word", "control"), [("accept", "offer"), ("decline", "decline")])
def test_an_answer_after_the_end_is_about_the_rematch_and_no_longer_about_a_draw(word: str, control: str) -> None:
    """It told a person the code of a refused draw."""
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    said = replace(over, plain=True, page=None)
    again, effects = tui.stepped(said, Entered(word))
    assert effects == ()
    assert "Type rematch, replay, analyse, menu" in again.notice[0]
    offered = tui.after(said, Noticed(RematchOffered(0)))
    _, effects = tui.stepped(offered, Entered(word))
    assert effects == (Control(word),)
    channel = Mock(spec=["afterwards"])
    use_control(effects[0], offered.match, Controls(channel, lambda: None, lambda: None))
    assert [call[0] for call in channel.method_calls] == [f"afterwards.{control}"]
    if word == "decline":
        assert tui.stepped(replace(offered, plain=False, page=Page.OVER), Key("d"))[1] == effects


def test_the_next_game_of_a_tournament_is_offered_with_its_own_key_and_word() -> None:
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    assert tui.stepped(over, Key("g"))[1] == ()
    following = tui.after(over, Noticed(NextGame("1.1.2")))
    assert "g: next game" in tui.text(following)
    for entered in (Key("g"), Key("r")):
        assert tui.stepped(following, entered)[1] == (Control("rematch"),)
    lines = replace(following, plain=True, page=None)
    assert tui.stepped(lines, Entered("next"))[1] == (Control("rematch"),)
    assert "Type next, replay" in tui.stepped(lines, Entered("accept"))[0].notice[0]
    assert "You offer bob the next game." in tui.text(tui.after(following, Done(Control("rematch"))))
    offered = tui.after(following, Noticed(RematchOffered(0, is_next=True)))
    assert "bob wants to play the next game now: g accepts, d declines." in tui.text(offered)
    notice = Noticed(NextGame("1.1.2"))
    assert said(lines, lines, notice) == ["Your next game against bob is 1.1.2. Type next to play it now."]
    notice = Noticed(RematchOffered(0, is_next=True))
    assert said(lines, lines, notice) == ["bob wants to play your next game now. Type next or decline."]


def test_whoever_offered_a_rematch_sees_that_it_was_declined() -> None:
    """The line below the board went back to what it said before, and only the log told of it."""
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    wanted = tui.after(over, Done(Control("rematch")))
    assert "You offer bob a rematch." in tui.text(wanted)
    declined = tui.after(wanted, Noticed(RematchDeclined(0)))
    assert "bob does not want another match now." in tui.text(declined)
    assert "You offer bob a rematch." in tui.text(tui.after(declined, Done(Control("rematch"))))


def test_after_the_end_nothing_need_be_saved_when_the_other_leaves() -> None:
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    gone = tui.text(tui.after(over, Noticed(OtherLeft(0))))
    assert "bob has left." in gone
    assert "saved" not in gone


@pytest.mark.parametrize("computer", [False, True])
def test_a_stroke_at_the_end_begins_a_line_of_chat_where_somebody_listens(computer: bool) -> None:
    """Whoever typed /good game left by the Enter behind it."""
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    if computer:
        over = replace(over, match=replace(over.match, computer=True))
    assert tui.after(over, Key("/")).page is (Page.OVER if computer else Page.CHAT)


def test_lines_say_the_analysis_when_it_is_complete() -> None:
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    over = replace(over, plain=True, page=None, judged=None)
    working, effects = tui.stepped(over, Entered("analyse"))
    assert effects == (AnalyseMatch(),)
    assert tui.stepped(working, Entered("analyse"))[1] == ()
    points = tuple(Point(turn, turn, (0.25, 0.75), ((9, 8), (7, 6))) for turn in (1, 2))
    part = Analysis((0, 1), points[:1], done=1, total=2)
    assert said(working, tui.after(working, Analysed(part)), Analysed(part)) == []
    whole = Analysed(Analysis((0, 1), points, done=2, total=2, end=End(2, "chthonians", "forfeit")))
    done = tui.after(working, Analysed(part), whole)
    assert done.judged == whole.found
    told = said(working, done, whole)
    figures = "Chthonians: Honor 9, Energy 7; Olympians: chance to win 75 %, Honor 8, Energy 6"
    assert told[:2] == [f"turn 1: {figures}", f"at the end: {figures}"]
    assert "The match ended in turn 2; the Chthonians win: you resigned. You gave up a chance of 75 %." in told


def test_the_replay_after_the_end_has_the_last_move() -> None:
    over = tui.after(ended(QUIET, "move 14 15 hades", Faction.OLYMPIANS), Key("enter"))
    assert "a leader reached the Palace" in tui.text(tui.after(over, Key("f9")))


def test_keys_after_the_end_reach_a_terminal() -> None:
    """They were eaten by the binding that lets no letter close the end."""

    def end(player: ScreenPlayer, terminal: tui.Terminal) -> None:
        after, events = helpers.happened(QUIET, "move 14 15 hades")
        player.tell(Happened(tuple(events), helpers.owner_view(after, Faction.CHTHONIANS)))
        player.tell(Ended(Ending("chthonians", "palace", True, "/home/alice/bob.storm")))

    def page(wanted: Page) -> Callable[[ScreenPlayer, tui.Terminal], object]:
        def look(player: ScreenPlayer, terminal: tui.Terminal) -> None:
            assert player.screen.page is wanted

        return look

    f5, f9 = "\x1b[15~", "\x1b[20~"
    # A sequence that begins with Escape, and Enter to come back.
    tui.play(QUIET, [end, "\r", page(Page.OVER), f5, page(Page.LOG), "\r", page(Page.OVER), f9, page(Page.REPLAY), "q",
                     page(Page.OVER), "x", page(Page.OVER), "\x1b5", page(Page.LOG)])  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
@pytest.mark.usefixtures("spoken")
def test_what_hidden_enemies_can_be_is_never_cut_without_a_word(size: tuple[int, int]) -> None:
    """Three of ten names were missing below a list that looked whole."""
    state = helpers.at("olympians", "hades 10, nyx 12, cronus 11, cerberus 5, charon 6, moirae 7, erinyes 8, zeus 15")
    shown = tui.text(tui.asked(state, size, Faction.OLYMPIANS))
    can = units_in(views.find_unplaced(helpers.owner_view(state, Faction.OLYMPIANS), Faction.CHTHONIANS))
    told = [unit for unit in can if names.code(unit).lower() in shown or names.unit_name(unit) in shown]
    left_out = len(can) - len(told)
    assert (f"+{left_out} (F2)" in shown) is (left_out > 0)
    assert told


JUDGED = Analysis(
    (0, 1),
    tuple(Point(at, at, (at / 8, 1 - at / 8), ((9, 9), (9, 9))) for at in range(9)),
    tuple(
        Judged(at, at, at % 2, f"move {at} 12", 0.1 + at / 50, Candidate("move 12 13", 0.5, 1.0, ())) for at in range(8)
    ),
    done=9,
    total=9,
)


@pytest.mark.parametrize("size", [*tui.SIZES, (160, 50)], ids=str)
@pytest.mark.parametrize("faction", list(Faction))
@pytest.mark.usefixtures("spoken")
def test_the_end_has_the_line_of_the_chances_and_three_decisions_of_ones_own(
    size: tuple[int, int], faction: Faction
) -> None:
    screen = tui.after(ended(QUIET, "move 14 15 hades", faction, size, sent=True), Key("enter"), Key("any"))
    screen = replace(screen, page=Page.OVER, results=(), next=None)
    for fine in (True, False):
        shown = replace(screen, settings=replace(screen.settings, unicode=fine))
        thinking, told = whole(shown), whole(tui.after(shown, Analysed(JUDGED)))
        assert all(line_width(row) <= size[0] for row in (*thinking, *told))
        seen = " ".join(" ".join(told).split())
        assert "100 %" in seen
        # The worst three of this seat, and none of the other one.
        assert [side for side in Faction if f", {names.side_name(side)}:" in seen] == [faction]
        assert seen.count(f", {names.side_name(faction)}:") == 3
        assert whole(tui.after(shown, Analysed(replace(JUDGED, done=3)))) == thinking


def whole(screen: StormScreen) -> list[str]:
    """Return all rows of the page of the end."""
    return [plain(row) for row in _whole(screen, screen.rows)[0]]


@pytest.mark.parametrize("winner", ["chthonians", "olympians", "draw"])
@pytest.mark.parametrize("theme", THEMES)
def test_the_last_board_lies_in_the_light_of_who_has_won_and_says_the_same(winner: str, theme: str) -> None:
    opened = tui.EXAMPLE
    screen = tui.after(tui.begin(tui.SIZES[1]), Happened((), helpers.owner_view(opened, Faction.CHTHONIANS)))
    boards = []
    for one in (winner, "olympians"):
        over = Ended(Ending(one, "resignation", True, "/home/alice/bob.storm", opened=opened))
        shown = tui.after(replace(screen, settings=replace(screen.settings, theme=theme)), over)
        boards.append(STORM.last_board(shown, 40))
    said = [[plain(row).replace("\u2580", " ").replace("\u2584", " ") for row in one] for one in boards]
    assert said[0] == said[1]
    assert (boards[0] == boards[1]) == (winner == "olympians" or theme == "lines")


def test_the_match_is_judged_after_its_end_alone_and_only_on_the_screen() -> None:
    screen = tui.begin()
    over = Ended(Ending("chthonians", "resignation", True, "/home/alice/bob.storm", opened=QUIET))
    after, effects = tui.stepped(screen, over)
    assert AnalyseMatch() in effects
    assert after.judged == Analysis((), total=1)
    assert AnalyseMatch() not in tui.stepped(replace(screen, plain=True), over)[1]
    unsaved = Ended(Ending("chthonians", "resignation", True, "", opened=QUIET))
    assert AnalyseMatch() not in tui.stepped(screen, unsaved)[1]
    # A log that cannot be read is nobody's fault here, and nothing was asked.
    failed = tui.after(after, Refused("The log cannot be read.", AnalyseMatch()))
    assert failed.judged is None
    assert "cannot be read" not in tui.text(failed)
    # Whoever looks back finds it there.
    done = tui.after(after, Analysed(JUDGED))
    assert done.judged == JUDGED
