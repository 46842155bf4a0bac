"""The ten lessons: each runs in the engine, and says no number that the rules do not."""

from __future__ import annotations

import re
from dataclasses import replace

import helpers
import helpers_tui as tui
import pytest

from cli.commands import learn as command
from cli.text import lessons as said
from cli.tui.learn import Learn, Quit, press
from cli.tui.render.learn import render
from cli.tui.spans import plain, width
from cli.view import lessons
from cli.view.lessons import LESSONS
from storm_p2p.state import Phase

PAGES = [(number, page) for number, lesson in enumerate(LESSONS) for page in range(len(lesson.pages))]


def picture(shown: Learn) -> str:
    return "\n".join(plain(row).rstrip() for row in render(shown)) + "\n"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.usefixtures("spoken")
def test_the_lessons_look_like_this(size: tuple[int, int]) -> None:
    columns, rows = size
    pictures = [picture(Learn(number, page, columns, rows)) for number, page in PAGES]
    tui.assert_picture("learn", columns, "\n".join(pictures))


def test_there_are_ten_and_every_word_of_them_is_on_the_screen() -> None:
    assert len(LESSONS) == 10
    for number, page in PAGES:
        rows = render(Learn(number, page))
        assert [width(plain(row)) for row in rows] == [80] * 24
        shown = " ".join(" ".join(plain(row).split()) for row in rows)
        assert " ".join(lessons.text(number, page).split()) in shown
        # Room for languages that need more words.
        assert sum(plain(row).strip() != "" for row in rows[15:-1]) <= 5


def test_prices_that_a_lesson_names_are_those_on_its_board() -> None:
    assert "[ 0 -2E]" in picture(Learn(3, 0))
    assert "[ 0]" in picture(Learn(3, 1))
    assert "-2E" not in picture(Learn(3, 1))
    two, one = picture(Learn(4, 0)), picture(Learn(4, 1))
    assert re.search(r"\\_*\[-2\]/", two)
    assert "[+2]" in one


def test_each_lesson_ends_where_its_text_says() -> None:
    ends = [lessons.after(number, len(lesson.pages) - 1) for number, lesson in enumerate(LESSONS)]
    assert helpers.result(ends[0]) == ("chthonians", "palace")
    assert ends[2].honor[0] == 15
    assert not helpers.is_known(ends[5], "erinyes")
    assert helpers.eliminated(ends[6]) == {"hermes"}
    assert helpers.region_of(ends[7], "moirae") == 18
    assert helpers.eliminated(ends[8]) == {"apollo", "nyx"}
    assert ends[9].energy[0] == said.NUMBERS["liturgy"]
    assert lessons.after(6, 1).phase is Phase.LOSE


def test_keys_go_through_all_pages_and_back() -> None:
    shown, seen = Learn(), []
    for _ in PAGES:
        seen.append((shown.lesson, shown.page))
        shown, wish = press(shown, "right")
    assert seen == PAGES
    assert wish == Quit()
    for _ in PAGES:
        shown, _ = press(shown, "left")
    assert shown == Learn()
    assert press(shown, "0")[0] == replace(shown, lesson=9)
    assert press(shown, "3")[0] == replace(shown, lesson=2)
    assert press(shown, "q")[1] == Quit()


def test_the_lessons_are_told_in_plain_lines_too() -> None:
    told = "\n".join(line for number in range(len(LESSONS)) for line in command.told(number))
    assert "\x1b" not in told
    for number, page in PAGES:
        assert lessons.text(number, page) in told
