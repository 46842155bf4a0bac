"""A whole evening at the real program: menu, match, end, replay to its last step, deletion, menu again."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there is no pseudo-terminal", allow_module_level=True)

from cli.storage.home import Home, Preferences, save_preferences
from end_to_end.window import Window

OVER = "enter or esc: leave"
F9, F10, END, DELETE = "\x1b[20~", "\x1b[21~", "\x1b[F", "\x1b[3~"
LONGEST_MATCH = 240.0
"""Seconds; the computer player at random soon runs out of Honor."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.prepare()
    save_preferences(made.folder, Preferences(name="alice", bot="random", hint_seconds=1))
    return made


@pytest.fixture
def windows() -> Iterator[list[Window]]:
    opened: list[Window] = []
    yield opened
    for window in opened:
        window.close()


def hinted(text: str) -> str | None:
    """Return the action of the last hint that is shown."""
    found = re.findall(r"Hint: (.+?)\. Your chance", " ".join(text.split()))
    return found[-1] if found else None


def play(window: Window, over: str, *, plain: bool = False) -> None:
    """Do what the computer advises until the match is over."""
    end, read = time.monotonic() + LONGEST_MATCH, 0
    while over not in (text := window.settle()) and over not in window.all and window.child.isalive():
        assert time.monotonic() < end, text
        if plain:
            # Nothing is painted over: what was answered already stands above.
            text, read = window.all[read:], len(window.all)
            # What is asked may come behind the answer that there is nothing to decide yet, before anybody reads either.
            text = text.rpartition("nothing to decide now, so the computer has no hint.")[2]
        action = hinted(text)
        # Who types again while the other one moves may type into the end, where Enter leaves.
        asked = plain or "| YOUR " in text or "| COMBAT, choose" in text
        if "or space: go on" in text:
            window.type(" ")
        elif 'type "yes"' in text or "Type yes" in text:
            window.type("yes\r")
        elif "send? [y/N]" in text or "Send? yes or no" in text:
            window.type("y\r")
        elif asked and action is not None:
            window.type(f"{action}!\r")
        elif asked and "is thinking" not in text and (not plain or (text.strip("> \r\n") and text.endswith("> "))):
            window.type("hint\r")


@pytest.mark.long
@pytest.mark.parametrize("drawn", [[], ["--ascii"]], ids=lambda words: "".join(words))
def test_an_evening_on_the_full_screen(home: Home, windows: list[Window], drawn: list[str]) -> None:
    typed = [word for word in drawn if not word.startswith("-")]
    window = Window(home.folder, *(word for word in drawn if word.startswith("-")))
    windows.append(window)
    window.until("Play now against the computer")
    window.type("\r")
    for word in typed:
        window.until(lambda text: "| YOUR " in text or "| COMBAT, choose" in text)
        window.type(f"{word}\r")
    play(window, OVER)
    window.type(F9)
    window.until("looking back", ever=False)
    window.type(END)
    window.until("| THE END", ever=False)
    window.type("\x1b")
    window.until(OVER, ever=False)
    window.type(F10)
    window.until("Play now against the computer", ever=False)
    window.until("1 match", ever=False)
    window.type("7")
    window.until("computer random", ever=False)
    window.type(DELETE)
    window.until("Press Del again", ever=False)
    window.type(DELETE)
    window.until("is deleted", ever=False)
    assert list(home.logs.iterdir()) == []
    window.type("\r")
    window.until("up/down choose", ever=False)
    window.type("\x1b")
    window.until("Play now against the computer", ever=False)
    window.type("q")
    assert window.leave() == 0


@pytest.mark.long
def test_an_evening_in_plain_lines_at_a_terminal_that_can_do_nothing(home: Home, windows: list[Window]) -> None:
    def begin(*words: str) -> Window:
        windows.append(Window(home.folder, *words, TERM="dumb"))
        return windows[-1]

    match = begin("play", "--bot", "random", "--random-setup")
    match.until("Your")
    play(match, "The match is over. Type", plain=True)
    match.type("bye\r")
    assert match.leave() == 0
    assert "You won" in match.all or "You lost" in match.all
    replay = begin("replay", "last", "--text")
    replay.leave()
    assert "result: the" in replay.all
    (log,) = home.logs.glob("*.storm")
    number = log.stem[-4:]
    removal = begin("history", "delete", number)
    removal.until("Type yes to do it")
    removal.type("yes\r")
    assert removal.leave() == 0
    assert list(home.logs.iterdir()) == []
    history = begin("history")
    assert history.leave() == 0
    assert "\x1b[" not in match.all + replay.all + removal.all + history.all
