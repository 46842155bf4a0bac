"""The full-screen console in German: its words do what its keys do, and nothing is cut off at 80x24."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import helpers_tui as tui
import pytest

from cli import language
from cli.console.guest import keys_of
from cli.console.messages import ChangeConsole, Control, Entered, Key
from cli.console.render.spans import line_width
from cli.console.screen_state import Page
from cli.match.player import Heard
from cli.storm.console import STORM
from cli.storm.text import screens
from cli.text import screens as words
from cli.text.wording import fill


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    language.choose("de")
    yield
    language.choose("en")


@pytest.mark.parametrize(
    ("key", "page"),
    [
        ("F1", Page.HELP),
        ("F2", Page.UNITS),
        ("F3", Page.TABLE),
        ("F5", Page.LOG),
        ("F6", Page.CHAT),
        ("F8", Page.NOTES),
    ],
)
def test_the_words_of_the_keys_do_what_the_keys_do(key: str, page: Page) -> None:
    word = str(keys_of(STORM)[key])
    for screen in (
        tui.after(tui.asked(tui.EXAMPLE), Key(key.lower())),
        tui.after(tui.asked(tui.EXAMPLE), Entered(word)),
    ):
        assert screen.page is page


def test_the_words_for_the_eye_for_plain_lines_and_for_leaving_do_what_their_keys_do() -> None:
    assert tui.after(tui.asked(tui.EXAMPLE), Entered(str(keys_of(STORM)["F4"]))).eye
    _, effects = tui.stepped(tui.asked(tui.EXAMPLE), Entered(str(keys_of(STORM)["F7"])))
    assert any(isinstance(effect, ChangeConsole) for effect in effects)
    question = tui.after(tui.asked(tui.EXAMPLE), Entered(str(words.KEYS["F10"]))).question
    assert question is not None
    assert question.then == Control("leave")


def test_what_has_little_room_is_not_cut() -> None:
    send = 1 + line_width(str(words.SEND_BUTTON)) + 1
    buttons = dict.fromkeys(("free", "costs", "warned", "fatal", "fight"), send)
    every = {**words.HINTS, **STORM.hints}
    assert {name: hint for name, hint in every.items() if buttons.get(name, 1) + line_width(str(hint)) > 80} == {}
    asked = 1 + line_width(str(words.YES_BUTTON)) + 1 + line_width(str(words.NO_BUTTON)) + 1
    hints = [str(deed[when]) for deed in words.DEEDS.values() for when in ("open", "refused")]
    hints += [f"{deed['agreed']}   {deed['escapes']}" for deed in words.DEEDS.values()]
    over = [str(deed[when]) for deed in words.DEEDS.values() for when in ("agreed", "declined")]
    hints += [f"{hint}   {words.BACK_TO_QUESTION}" for hint in over]
    assert [hint for hint in hints if asked + line_width(hint) > 80] == []
    assert {unit: short for unit, short in screens.SHORT.items() if line_width(str(short)) > 22} == {}
    head = " | ".join((str(STORM.title), fill(words.MATCH, number="7c1f"), str(screens.SETUP_STATE)))
    assert line_width(head) < 80
    screen = replace(tui.after(tui.asked(tui.COMBAT), Heard("hallo")), unread=12)
    assert "| Chat: 12\n" in tui.text(screen)
    # Looking back was the one that had no room.
    row = tui.text(screen).splitlines()[-1]
    assert all(f"{key} {word}" in row for key, word in keys_of(STORM).items() if key not in ("F7", "F8"))
