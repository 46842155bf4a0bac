"""The ten lessons: each is played in the engine, judged by it, and says no number that the rules do not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli import language
from cli.console.learn import Begin, Learn, Quit, forward, press
from cli.console.render.spans import line_width, plain
from cli.storm import lessons
from cli.storm.lessons import LESSONS
from cli.storm.text import lessons as said
from cli.text import screens
from cli.text.wording import quoted
from storm_p2p.storm.state import Phase

PAGES = LESSONS.pages
EVERY = [(number, page) for number, lesson in enumerate(LESSONS.lessons) for page in range(len(lesson.pages))]
ASKING = [(number, page) for number, page in EVERY if PAGES[number][page]]


def at(number: int, page: int, size: tuple[int, int] = (80, 24)) -> Learn:
    return Learn(PAGES, number, page, ("",) * page, columns=size[0], rows=size[1])


def enter(shown: Learn, line: str) -> Learn:
    return LESSONS.enter(shown, line)[0]


def picture(shown: Learn) -> str:
    return "\n".join(plain(row).rstrip() for row in LESSONS.draw(shown)) + "\n"


def pressed(shown: Learn, keys: Iterable[str]) -> tuple[Learn, object]:
    wish: object = None
    for key in keys:
        shown, wish = press(shown, key, LESSONS)
    return shown, wish


def solved(size: tuple[int, int]) -> list[Learn]:
    """Return every page as somebody sees it who has solved those before by their examples."""
    found, shown = [], Learn(PAGES, columns=size[0], rows=size[1])
    for _ in EVERY:
        found.append(shown)
        line = LESSONS.example(shown.lesson, shown.page) if shown.asks else ""
        shown = enter(shown, line) if shown.asks else forward(shown)[0]
    return found


@pytest.mark.usefixtures("spoken")
def test_the_lessons_look_like_this() -> None:
    tui.assert_picture("learn", 80, "\n".join(map(picture, solved((80, 24)))))
    assert all([line_width(plain(row)) for row in LESSONS.draw(shown)] == [120] * 40 for shown in solved((120, 40)))


@pytest.mark.usefixtures("spoken")
def test_there_are_ten_and_every_word_of_them_is_on_the_screen() -> None:
    assert len(LESSONS.lessons) == 10
    for shown in solved((80, 24)):
        rows = LESSONS.draw(shown)
        assert [line_width(plain(row)) for row in rows] == [80] * 24
        told = " ".join(" ".join(plain(row).split()) for row in rows)
        keys = screens.LESSON_HINT_LAST if shown.last else screens.LESSON_HINT
        keys = screens.LESSON_HINT_TASK if shown.asks else keys
        task = LESSONS.task(shown.lesson, shown.page)
        for part in (LESSONS.text(shown.lesson, shown.page), task, *shown.answer, str(keys)):
            assert " ".join(part.split()) in told


@pytest.mark.usefixtures("spoken")
def test_every_board_asks_for_a_move_and_its_example_and_what_its_sentence_names_solve_it() -> None:
    assert {number for number, _ in ASKING} == set(range(10))
    for number, page in ASKING:
        shown = at(number, page)
        assert not enter(shown, LESSONS.example(number, page)).wrong
        named = re.search(r"(?:type|tippe) ([a-z0-9 ]+)", LESSONS.task(number, page))
        if named is not None:
            line = re.sub(r" (?:or|oder) .*", "", named[1]).strip()
            assert not enter(shown, line).wrong, line


@pytest.mark.parametrize(
    ("number", "page", "line", "price"),
    [
        (0, 0, "hades 8", "Honor 16 to 14."),
        (2, 1, "nyx 14", "Honor stays 16."),
        (3, 0, "hades 13", "Energy 24 to 22."),
        (4, 0, "14 8", "Honor 16 to 12."),
        (6, 1, "std 6", "Honor 16 to 15."),
    ],
)
def test_a_move_that_is_allowed_and_not_asked_for_is_priced_and_changes_nothing(
    number: int, page: int, line: str, price: str
) -> None:
    shown = at(number, page)
    after, wish = LESSONS.enter(shown, line)
    assert wish is None
    assert (after.lesson, after.page, after.played) == (number, page, shown.played)
    assert price in after.answer[0]
    assert after.answer[0].startswith("Allowed, but")
    assert LESSONS.example(number, page) in after.answer[1]
    shown_now = " ".join(picture(after).split())
    assert price in shown_now
    assert LESSONS.task(number, page) in shown_now


@pytest.mark.usefixtures("spoken")
def test_a_move_that_the_rules_refuse_has_the_sentence_of_the_match_and_an_empty_line_an_example() -> None:
    for line in ("hades 20", "xyzzy", "14", "resign", "help"):
        found = enter(at(0, 0), line)
        assert found.wrong
        assert LESSONS.example(0, 0) in found.answer[-1]
    assert enter(at(0, 0), "").answer == (screens.LESSON_EXAMPLE.english.format(line="move 14 15 hades"),) or (
        language.current() == language.GERMAN
    )
    assert enter(at(3, 0), "costs hades").answer[0].endswith(".")
    assert enter(at(3, 0), "hades 13?").wrong


@pytest.mark.usefixtures("spoken")
def test_an_example_never_stands_alone_unless_it_was_asked_for() -> None:
    assert [len(enter(at(0, 0), word).answer) for word in ("hint", "help", "?")] == [1, 1, 1]
    for line in ("resign", "log", "draw"):
        why, example = enter(at(0, 0), line).answer
        assert why.startswith(f"{quoted(line)} ")
        assert LESSONS.example(0, 0) in example


def test_what_is_typed_and_clicked_plays_and_goes_on() -> None:
    shown, wish = pressed(Learn(PAGES), [*"hades 15", "enter"])
    assert (shown.page, shown.played, wish) == (1, ("move 14 15 hades claim",), None) or shown.played == (
        "move 14 15 hades",
    )
    assert shown.answer[0].startswith("Done: move 14 15 hades")
    clicked, _ = pressed(Learn(PAGES), ["pick 14", "pick 15"])
    assert clicked == shown
    rows, columns = 24, 80
    keys = {LESSONS.click(Learn(PAGES), row, column) for row in range(rows) for column in range(columns)}
    assert {f"pick {region}" for region in range(1, 25)} <= keys
    # A typed line is cleared before the lessons are left.
    typed, _ = pressed(Learn(PAGES), "had")
    assert typed.typed == "had"
    assert pressed(typed, ["backspace"])[0].typed == "ha"
    assert pressed(typed, ["escape"]) == (replace(typed, typed=""), None)
    assert isinstance(pressed(typed, ["escape", "escape"])[1], Quit)


@pytest.mark.parametrize("line", ["bye", "ende", "quit", "q"])
def test_the_lessons_are_left_at_any_time_and_a_task_can_be_skipped(line: str) -> None:
    assert isinstance(LESSONS.enter(at(4, 0), line)[1], Quit)
    assert enter(at(4, 0), "weiter").page == 1
    assert pressed(at(4, 0), ["right"])[0].page == 1


def test_keys_go_through_all_pages_and_back_and_the_last_one_begins_a_match() -> None:
    shown, found = Learn(PAGES), []
    for _ in EVERY:
        found.append((shown.lesson, shown.page))
        shown, wish = press(shown, "right", LESSONS)
    assert found == EVERY
    assert wish == Begin()
    for _ in EVERY:
        shown, _ = press(shown, "left", LESSONS)
    assert shown == Learn(PAGES)
    assert press(shown, "pagedown", LESSONS)[0].lesson == 1
    assert press(at(9, 1), "pagedown", LESSONS)[0].lesson == 9
    assert press(at(0, 1), "q", LESSONS)[1] == Quit()


def test_a_line_typed_where_nothing_is_asked_turns_no_page() -> None:
    """A space went on and a digit to another lesson, so "hades 13" was typed on a third page."""
    shown = at(3, 2)
    assert not shown.asks
    assert pressed(shown, "hades 13") == (shown, None)


def _honor(number: int, page: int) -> dict[int, int]:
    return {region: honor for region, honor, _ in lessons.prices(number, page).prices}


def test_what_a_lesson_says_is_what_the_engine_asks_for() -> None:
    said_of = said.NUMBERS
    assert _honor(2, 1) == dict.fromkeys((4, 9, 14), -said_of["two_forward"]) | dict.fromkeys(
        (3, 7, 13), -said_of["back"]
    )
    assert (_honor(4, 0)[8], _honor(4, 0)[9]) == (-said_of["more"], 0)
    assert _honor(7, 1) == dict.fromkeys((7, 18), -said_of["retreat"])
    # Zeus in the Palace has not stopped him.
    won = lessons.after(0, 1)
    assert helpers.region_of(won, "zeus") == helpers.region_of(won, "hades") == 15
    # Two against two would be a tie, and the Styx was paid before the combat.
    assert lessons.after(6, 1).energy[0] == said_of["start"] - said_of["styx"]
    assert said_of["ours"] == said_of["theirs"]
    # Charon has carried Hades for nothing.
    assert lessons.after(3, 2).energy[0] == said_of["start"]
    # Each enemy in the base costs 1 Honor when the next turn begins.
    assert "-1 honor" in picture(at(9, 0))


def test_each_lesson_ends_where_its_text_says() -> None:
    ends = [lessons.after(number, len(lesson.pages) - 1) for number, lesson in enumerate(LESSONS.lessons)]
    assert helpers.result(ends[0]) == ("chthonians", "palace")
    assert helpers.region_of(ends[1], "hecate") == 14
    assert ends[2].honor[0] == 15
    assert ends[4].honor[0] == 18
    assert not helpers.is_known(ends[5], "erinyes")
    assert helpers.eliminated(ends[6]) == {"hermes"}
    assert helpers.region_of(ends[7], "moirae") == 18
    assert helpers.eliminated(ends[8]) == {"apollo", "nyx"}
    assert ends[9].energy[0] == said.NUMBERS["liturgy"]
    assert lessons.after(6, 2).phase is Phase.LOSE
    # Another solution is played as it was found.
    assert helpers.region_of(lessons.after(7, 2, ("fight chthonians retreat 0", "retreat 7")), "moirae") == 7
    assert helpers.region_of(lessons.after(4, 1, ("move 14 9 nyx",)), "nyx") == 9


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_the_units_of_the_lesson_on_hidden_ones_are_named_as_the_board_shows_them(size: tuple[int, int]) -> None:
    rows = picture(at(1, 0, size)).splitlines()
    board, told = "\n".join(rows[: 14 if size[1] == 24 else 27]), " ".join(rows[14:])
    for sign in said.signs(large=size[1] == 40).values():
        assert sign in board
        assert sign in told


def test_the_lessons_are_told_in_plain_lines_too() -> None:
    told = "\n".join(line for number, page in EVERY for line in LESSONS.tell(at(number, page)))
    assert "\x1b" not in told
    for number, page in EVERY:
        assert LESSONS.text(number, page) in told
        assert LESSONS.task(number, page) in told
    # The plain board has no room for prices.
    assert re.search("From 14, [^:]*Hecate[^:]*: .*8, 13, 19: minus 2 honor", told)
