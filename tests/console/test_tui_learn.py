"""The ten lessons: each runs in the engine, and says no number that the rules do not."""

from __future__ import annotations

import re
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli.console.learn import Learn, Quit, press
from cli.console.render.spans import plain, width
from cli.storm import lessons
from cli.storm.console import STORM
from cli.storm.lessons import LESSONS, render
from cli.storm.text import lessons as said
from storm_p2p.storm.state import Phase

COUNTS = tuple(len(lesson.pages) for lesson in LESSONS)
PAGES = [(number, page) for number, lesson in enumerate(LESSONS) for page in range(len(lesson.pages))]


def picture(shown: Learn) -> str:
    return "\n".join(plain(row).rstrip() for row in render(STORM, shown)) + "\n"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.usefixtures("spoken")
def test_the_lessons_look_like_this(size: tuple[int, int]) -> None:
    columns, rows = size
    pictures = [picture(Learn(COUNTS, number, page, columns, rows)) for number, page in PAGES]
    tui.assert_picture("learn", columns, "\n".join(pictures))


@pytest.mark.usefixtures("spoken")
def test_there_are_ten_and_every_word_of_them_is_on_the_screen() -> None:
    assert len(LESSONS) == 10
    for number, page in PAGES:
        rows = render(STORM, Learn(COUNTS, number, page))
        assert [width(plain(row)) for row in rows] == [80] * 24
        shown = " ".join(" ".join(plain(row).split()) for row in rows)
        assert " ".join(lessons.text(number, page).split()) in shown
        # Room for languages that need more words.
        assert sum(plain(row).strip() != "" for row in rows[15:-1]) <= 6


@pytest.mark.usefixtures("spoken")
def test_a_question_is_answered_by_the_next_page_and_the_last_row_says_so() -> None:
    asked = [(number, page) for number, page in PAGES if lessons.asks(number, page)]
    assert len({number for number, _ in asked}) >= 7
    for number, page in PAGES:
        hint = str(said.HINT_QUESTION if (number, page) in asked else said.HINT)
        assert picture(Learn(COUNTS, number, page)).splitlines()[-1].strip() == hint
    assert [(number, page) for number, page in asked if page + 1 == len(LESSONS[number].pages)] == []


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_the_units_of_the_lesson_on_hidden_ones_are_named_as_the_board_shows_them(size: tuple[int, int]) -> None:
    rows = picture(Learn(COUNTS, 1, 0, *size)).splitlines()
    board, told = "\n".join(rows[: 14 if size[1] == 24 else 27]), " ".join(rows[14:])
    for sign in said.signs(large=size[1] == 40).values():
        assert sign in board
        assert sign in told


def test_prices_that_a_lesson_names_are_those_on_its_board() -> None:
    assert "[ 0 -2E]" in picture(Learn(COUNTS, 3, 0))
    assert "[ 0]" in picture(Learn(COUNTS, 3, 1))
    assert "-2E" not in picture(Learn(COUNTS, 3, 1))
    two, three, one = (picture(Learn(COUNTS, 4, page)) for page in range(3))
    assert re.search("\u2572\u2581*\\[-2\\]\u2571", two)
    assert "[-4]" in three
    assert "[+2]" in one


def _honor(number: int, page: int) -> dict[int, int]:
    return {region: price.honor for region, price in lessons.prices(number, page).ways}


def test_an_answer_is_what_the_engine_asks_for() -> None:
    said_of = said.NUMBERS
    # Three go forward and back.
    assert _honor(2, 2) == dict.fromkeys((4, 9, 14), -said_of["three_forward"]) | dict.fromkeys(
        (3, 7, 13), -said_of["three_back"]
    )
    # Three, two and one against the one in 8 and the two in 9.
    against = [(_honor(4, page)[8], _honor(4, page)[9]) for page in (1, 0, 2)]
    assert against == [
        (-said_of["many"], -said_of["more"]), (-said_of["more"], 0), (-said_of["equal_back"], said_of["fewer"]),
    ]  # fmt: skip
    assert _honor(7, 1) == dict.fromkeys((7, 18), -said_of["retreat"])
    # Zeus in the Palace has not stopped him.
    won = lessons.after(0, 1)
    assert helpers.region_of(won, "zeus") == helpers.region_of(won, "hades") == 15
    # The Styx was paid before the combat, and a combat without Energy would be a tie.
    assert lessons.after(6, 0).energy[0] == said_of["start"] - said_of["styx"]
    assert said_of["ours"] == said_of["theirs"]
    # Each enemy in the base costs 1 Honor when the next turn begins.
    assert "-1 honor" in picture(Learn(COUNTS, 9, 0))


def test_each_lesson_ends_where_its_text_says() -> None:
    ends = [lessons.after(number, len(lesson.pages) - 1) for number, lesson in enumerate(LESSONS)]
    assert helpers.result(ends[0]) == ("chthonians", "palace")
    assert ends[2].honor[0] == 15
    assert not helpers.is_known(ends[5], "erinyes")
    assert helpers.eliminated(ends[6]) == {"hermes"}
    assert helpers.region_of(ends[7], "moirae") == 18
    assert helpers.eliminated(ends[8]) == {"apollo", "nyx"}
    assert ends[9].energy[0] == said.NUMBERS["liturgy"]
    assert lessons.after(6, 2).phase is Phase.LOSE


def test_keys_go_through_all_pages_and_back() -> None:
    shown, seen = Learn(COUNTS), []
    for _ in PAGES:
        seen.append((shown.lesson, shown.page))
        shown, wish = press(shown, "right")
    assert seen == PAGES
    assert wish == Quit()
    for _ in PAGES:
        shown, _ = press(shown, "left")
    assert shown == Learn(COUNTS)
    assert press(shown, "0")[0] == replace(shown, lesson=9)
    assert press(shown, "3")[0] == replace(shown, lesson=2)
    assert press(shown, "q")[1] == Quit()


def test_the_lessons_are_told_in_plain_lines_too() -> None:
    told = "\n".join(line for number in range(len(LESSONS)) for line in lessons.tell(number))
    assert "\x1b" not in told
    for number, page in PAGES:
        assert lessons.text(number, page) in told
    # The plain board has no room for prices.
    assert re.search("From 14, [^:]*Nyx[^:]*: .*8: minus 4 honor", told)
