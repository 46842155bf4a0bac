"""From the menu into a match, its end, another match and the menu again, in a real terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there is no pseudo-terminal", allow_module_level=True)

from end_to_end.window import Window

TAKES, GIVES_BACK = "\x1b[?1049h", "\x1b[?1049l"


@pytest.fixture
def open_window(tmp_path: Path) -> Iterator[Callable[..., Window]]:
    """Return a way to start the program; whatever is left of it is ended."""
    windows: list[Window] = []

    def start(*words: str, home: str = "home", **options: object) -> Window:
        windows.append(Window(tmp_path / home, *words, **options))  # type: ignore[arg-type]  # sizes and variables
        return windows[-1]

    yield start
    for window in windows:
        window.close()


def resign(window: Window) -> None:
    """End the match that has just begun."""
    window.until("F10 bye", ever=False)
    window.type("resign\r")
    window.until('type "yes"', ever=False)
    window.type("yes\r")
    window.until("The match is over.", ever=False)


def so_often(window: Window, seen: str, number: int, text: str) -> bool:
    """Return whether something was printed so often by now."""
    return window.all.count(seen) == number


def never_the_shell(window: Window) -> bool:
    """Return whether the other screen of the terminal was taken once, and given back once at the very end."""
    taken, given = window.all.count(TAKES), window.all.count(GIVES_BACK)
    return (taken, given) == (1, 1) and not window.all.partition(GIVES_BACK)[2].strip("\x1b[?0123456789;hlm\r\n ")


def test_menu_match_end_another_match_and_menu_without_the_shell_in_between(open_window: Callable[..., Window]) -> None:
    window = open_window()
    window.until("What is your name?")
    window.type("\r")
    window.until("q quit")
    # What is typed ahead is meant for nothing that is seen.
    window.type("1zqzq")
    resign(window)
    window.type("a")
    window.until("Starting the computer player")
    window.type("zqzq")
    resign(window)
    assert "a: play again" in window.text
    window.type("\r")
    window.until("q quit", ever=False)
    assert "zqzq" not in window.all
    window.until("2 matches", ever=False)
    window.type("q")
    assert window.leave() == 0
    assert never_the_shell(window)


@pytest.mark.long
def test_the_menu_follows_a_match_that_was_begun_without_it(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--random-setup", "--name", "Alice")
    resign(window)
    window.type("\x1b[21~")
    window.until("q quit")
    window.type("q")
    assert window.leave() == 0
    assert never_the_shell(window)


@pytest.mark.long
def test_plain_lines_have_the_same_words(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--random-setup", "--plain", "--name", "Alice")
    for number in (1, 2):
        for seen, typed in (
            ("You play the", "resign"),
            ('Type the word "yes"', "yes"),
            ("Type again, replay, analyse, menu", "bye" if number == 2 else "again"),
        ):
            window.until(partial(so_often, window, seen, number))
            window.type(f"{typed}\r")
    assert window.leave() == 0


@pytest.mark.long
def test_who_is_told_to_end_in_a_match_of_the_menu_reads_where_it_is_saved(open_window: Callable[..., Window]) -> None:
    window = open_window()
    window.until("What is your name?")
    window.type("\r")
    window.until("q quit")
    window.type("1")
    window.until("F10 bye")
    window.child.kill(15)
    window.until("Press Enter for the menu")
    window.type("\r")
    window.until("q quit")
    window.type("q")
    assert window.leave() == 0


@pytest.mark.long
def test_a_newcomer_plays_a_lesson_and_begins_a_guided_match_from_the_menu_and_is_back_there(
    open_window: Callable[..., Window],
) -> None:
    window = open_window()
    window.until("What is your name?")
    window.type("\r")
    window.until("q quit", ever=False)
    window.type("6")
    window.until("Short lessons to play", ever=False)
    window.type("\r")
    window.until("type hades 15", ever=False)
    window.type("hades 15\r")
    window.until("Done: move 14 15 hades", ever=False)
    # The last lesson, and its pages without an answer.
    window.type("\x1b[6~" * 9)
    window.until("type liturgy", ever=False)
    window.type("liturgy\r\r")
    window.until("enter: your first match", ever=False)
    window.type("\r")
    window.until("what matters, and what to do", ever=False)
    window.type("bye\r")
    window.until("leave the match", ever=False)
    window.type("y\r")
    window.until("Press Enter for the menu", ever=False)
    window.type("\r")
    # One comes back to the page about learning, and Esc leads to the menu, which names the match.
    window.until("Short lessons to play", ever=False)
    window.type("\x1b")
    window.until("against computer novice", ever=False)
    window.type("q")
    assert window.leave() == 0


@pytest.mark.long
@pytest.mark.parametrize("plain", [False, True])
def test_two_people_talk_after_the_end_and_play_a_rematch_over_the_same_line(
    open_window: Callable[..., Window], plain: bool
) -> None:
    alice = open_window(
        "host",
        "--bind",
        "127.0.0.1",
        "--random-setup",
        "--seat",
        "olympians",
        "--name",
        "Alice",
        home="alice",
        columns=120,
        rows=40,
    )
    alice.until("Waiting")
    invite = re.search(r"SOO2-[A-Z0-9]+", alice.all.replace("\r\n", ""))
    assert invite is not None
    words = ["join", invite.group(), "--yes", "--name", "Bob", *(["--plain"] if plain else [])]
    bob = open_window(*words, home="bob")
    bob.until("You play the Chthonians")
    bob.type("resign\r")
    bob.until('type "yes"' if not plain else 'Type the word "yes"')
    bob.type("yes\r")
    alice.until("Bob resigned")
    bob.until("You lost")
    alice.until("r: rematch")
    bob.type("rematch\r" if plain else "r")
    alice.until("Bob offers a rematch: r accepts, d declines.")
    alice.type("\x1b[17~")
    alice.until("say>")
    alice.type("once more\r")
    bob.until("once more" if plain else "chat: 1 new")
    alice.type("\x1b")
    alice.until("r accepts", ever=False)
    alice.type("r")
    alice.until("You play the Chthonians")
    bob.until("You play the Olympians")
    bob.type("bye\r")
    bob.type("" if plain else "y\r")
    assert bob.leave() == 4
    alice.until("RECONNECTING")
    alice.type("\x03\x03")
    assert alice.leave() == 130
    assert alice.all.count(TAKES) == 1
