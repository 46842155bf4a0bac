"""The real program in a real terminal: start, a whole match, another size, leaving and coming back, plain lines."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import helpers
import pytest

if sys.platform == "win32":
    pytest.skip("there is no pseudo-terminal", allow_module_level=True)

import termios

from end_to_end.window import Window

COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|38|48)[;m]")
"""A sequence that chooses a colour."""


@pytest.fixture
def open_window(tmp_path: Path) -> Iterator[Callable[..., Window]]:
    """Return a way to start the program; whatever is left of it is ended."""
    windows: list[Window] = []

    def start(*words: str, **options: object) -> Window:
        windows.append(Window(tmp_path / "home", *words, **options))  # type: ignore[arg-type]  # sizes and variables
        return windows[-1]

    yield start
    for window in windows:
        window.close()


def begin(window: Window) -> None:
    """Set up at random, up to the first turn."""
    window.until("9 of your 12")
    window.type("random\r")
    window.until("complete: type seal")
    window.type("seal!\r")
    window.until("YOUR MOVE")


@pytest.mark.long
def test_start_and_leave(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians")
    begin(window)
    window.until("You win when Hades or Persephone")
    window.type("\x03\x03")
    assert window.leave() == 130
    assert "saved" in window.all.lower()


@pytest.mark.parametrize("words", helpers.daily_first([["--unicode"], ["learn", "--unicode"]]))
def test_ctrl_c_ends_with_130_on_the_small_screens_too(open_window: Callable[..., Window], words: list[str]) -> None:
    window = open_window(*words)
    window.until("Storm over Olympus" if len(words) == 1 else "\u2580")
    window.type("\x03")
    assert window.leave() == 130


@pytest.mark.long
def test_a_whole_short_match(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians")
    begin(window)
    # A slow machine is asked more often, because it is taken for settled before it is.
    while "enter or esc: leave" not in (text := window.settle()) and window.child.isalive():
        window.type(answer(text))
    assert "You lost" in text or "You won" in text
    window.type("\r")
    assert window.leave() == 0
    assert "checked" in window.all
    assert COLOUR.search(window.all)


def answer(text: str) -> str:
    """Return what to press: hold liturgies until the Honor is gone, and answer whatever comes between."""
    if "or space: go on" in text:
        return " "
    if 'type "yes"' in text:
        return "yes\r"
    if "send? [y/N]" in text:
        return "y\r"
    if "COMBAT, choose" in text or "- shows the combat again" in text:
        return "\r"
    if "YOUR ANSWER" in text:
        options = text.split("Answers:", 1)[-1].split("   ")[0].strip()
        return f"{options.partition(' (')[0].strip()}\r"
    return "liturgy\r" if "YOUR MOVE" in text else ""


@pytest.mark.long
def test_another_size_is_drawn_again_and_a_small_one_is_plain(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians")
    begin(window)
    assert "mouse on" not in window.text
    window.screen.resize(40, 120)
    window.child.setwinsize(40, 120)
    window.until("mouse on")
    window.until("PALACE")
    window.screen.resize(20, 70)
    window.child.setwinsize(20, 70)
    window.until("plain lines")
    window.type("full\r")
    window.until("this window is 70x20")
    window.screen.resize(40, 120)
    window.child.setwinsize(40, 120)
    # Growing alone changes nothing.
    window.type("note 8 maybe Zeus\r")
    window.until("Noted for 8: maybe Zeus")
    window.type("full\r")
    window.until(lambda text: "PALACE" in text and "YOUR MOVE" in text)
    window.type("who 8\r")
    window.until("Your note: maybe Zeus")
    window.type("bye\ry\r")
    assert window.leave(check=restored) == 4


@pytest.mark.long
def test_quit_and_continue_without_colours(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians", "--mono")
    begin(window)
    window.type("bye\r")
    window.until("You leave the match")
    window.type("y\r")
    assert window.leave() == 4
    again = open_window("resume", NO_COLOR="1")
    again.until("YOUR MOVE")
    again.until("turn 1")
    again.type("\x03\x03")
    assert again.leave() == 130
    assert not COLOUR.search(window.all + again.all)


@pytest.mark.long
def test_notes_outlive_a_kill_and_are_in_no_log(open_window: Callable[..., Window], tmp_path: Path) -> None:
    window = open_window("play", "--seat", "chthonians")
    begin(window)
    window.type("note 8 maybe Zeus\r")
    window.until("Noted for 8")
    window.type("confirm always\r")
    window.until("asked before every action")
    window.child.kill(signal.SIGKILL)
    window.leave()
    again = open_window("resume")
    again.until("still asked before")
    again.type("notes\r")
    again.until("maybe Zeus")
    again.type("plain\r")
    again.until("your move.")
    again.type("who 8\r")
    again.until("Your note: maybe Zeus.")
    again.type("bye\r")
    assert again.leave() == 4
    lines = open_window("resume", "--plain")
    lines.until("still asked before")
    lines.type("notes\rbye\r")
    lines.until("8 maybe Zeus")
    assert lines.leave() == 4
    assert open_window("export").leave() == 0
    logs = list((tmp_path / "home" / "logs").iterdir())
    journals = list((tmp_path / "home" / "matches").glob("*.match"))
    assert logs
    assert journals
    assert not any(b"maybe Zeus" in path.read_bytes() for path in (*logs, *journals))


def test_from_plain_lines_to_the_full_screen_and_back(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians", "--plain")
    window.until("Put nine of your twelve")
    window.type("random\r")
    window.until("9 of 9 placed")
    assert "\x1b" not in window.all
    # What is typed ahead is for the full screen.
    window.type("full\rseal!\r")
    window.until("YOUR MOVE")
    window.type("plain\r")
    window.until("your move.")
    assert restored(window)
    window.type("full\r")
    # The first screen is still there for pyte, and in plain lines the first interrupt only asks.
    window.until(lambda text: text.count("\x1b[?1049h") == 2)
    window.child.kill(signal.SIGINT)
    assert window.leave(check=restored) == 130
    assert "saved" in window.all.lower()


@pytest.mark.long
def test_without_a_terminal_that_can_show_it_the_full_screen_is_refused(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians", TERM="dumb")
    window.until("Put nine of your twelve")
    window.type("full\r")
    window.until("TERM=dumb")
    window.type("bye\r")
    assert window.leave() == 4


@pytest.mark.long
def test_plain_lines_on_request(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians", "--plain")
    window.until("Put nine of your twelve")
    assert "\x1b" not in window.all
    window.type("random\r")
    window.until("9 of 9 placed")
    window.type("bye\r")
    assert window.leave() in (0, 4)


def test_the_menu_asks_a_name_plays_and_comes_back(open_window: Callable[..., Window]) -> None:
    window = open_window()
    window.until("What is your name?")
    window.type("\r")
    window.until("Play now against the computer")
    window.type("\r")
    # A computer that has the first turn may attack, and then something else than a move is asked.
    window.until(lambda text: "| YOUR " in text or "| COMBAT, choose" in text)
    window.type("\x03\x03")
    window.until("Press Enter for the menu")
    window.type("\r")
    window.until("against computer greedy, turn")
    # All matches: it is abandoned, then deleted.
    window.until("1 match", ever=False)
    window.type("7")
    window.until("computer greedy", ever=False)
    for done in ("is abandoned", "is deleted"):
        window.type("\x1b[3~")
        window.until("Press Del again", ever=False)
        window.type("\x1b[3~")
        window.until(done, ever=False)
        window.type("\r")
        window.until("up/down choose", ever=False)
    window.type("\x1b")
    window.until("Play now against the computer", ever=False)
    window.type("q")
    assert window.leave() == 0


def test_what_a_command_says_stays_within_the_menu(open_window: Callable[..., Window]) -> None:
    window = open_window()
    window.until("What is your name?")
    window.type("\r")
    window.until("Play now against the computer")
    # Up three times to the tools, then the key, then to show it.
    window.type("\x1b[A\x1b[A\x1b[A\r")
    window.until("Type a command")
    window.type("7")
    window.until("Lock it with a passphrase")
    window.type("1")
    window.until(lambda text: re.search(r"^ [0-9a-f]{64} *$", text, re.MULTILINE) is not None)
    window.type("\r")
    window.until("Lock it with a passphrase")
    window.type("\x1b")
    window.until("Type a command")
    window.type("\x1b")
    window.until("Play now against the computer")
    # The second screen was never left meanwhile.
    assert window.all.count("\x1b[?1049h") == 1
    window.type("q")
    assert window.leave(check=restored) == 0


def restored(window: Window) -> bool:
    """Return whether the window is as a shell expects it: lines are edited and echoed, and the first screen is back."""
    flags = termios.tcgetattr(window.child.fileno())[3]
    switched: list[str] = re.findall(r"\x1b\[\?1049([hl])", window.all)
    hidden: list[str] = re.findall(r"\x1b\[\?25([hl])", window.all)
    cooked = bool(flags & termios.ICANON and flags & termios.ECHO)
    return cooked and switched[-1:] == ["l"] and hidden[-1:] != ["l"]


def resigned(window: Window) -> None:
    """Give the match up, and look at its end."""
    begin(window)
    window.type("resign\r")
    window.until('type "yes"')
    window.type("yes\r")
    window.until("enter or esc: leave")


def kept(home: Path) -> int:
    """Return how many portable logs there are."""
    return len(list((home / "logs").glob("*.storm")))


@pytest.mark.long
def test_alt_with_another_key_does_not_leave_the_end_screen_and_escape_does(open_window: Callable[..., Window]) -> None:
    window = open_window("play", "--seat", "chthonians")
    resigned(window)
    # Alt and a digit is an F-key, and Alt and 0 so the menu (F10).
    for keys in ("\x1b1", "\x1bz", "\x1bx"):
        window.type(keys)
        window.settle()
    assert window.child.isalive()
    assert "enter or esc: leave" in window.text
    window.type("\x1b")
    assert window.leave(check=restored) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_signal_at_the_end_screen_gives_the_terminal_back(
    open_window: Callable[..., Window], tmp_path: Path, name: str
) -> None:
    window = open_window("play", "--seat", "chthonians")
    resigned(window)
    assert not restored(window)
    window.child.kill(getattr(signal, name))
    window.settle()
    assert window.leave(check=restored) == 4
    assert "You lost" in window.all
    assert kept(tmp_path / "home") == 1


@pytest.mark.parametrize("name", helpers.daily_first(["SIGTERM", "SIGHUP"]))
def test_a_signal_on_a_page_in_the_middle_leaves_a_saved_match(open_window: Callable[..., Window], name: str) -> None:
    window = open_window("play", "--seat", "chthonians")
    begin(window)
    window.type("help\r")
    window.until("HELP")
    window.child.kill(getattr(signal, name))
    assert window.leave(check=restored) == 4
    assert "storm-p2p resume" in window.all


@pytest.mark.long
def test_a_window_that_is_closed_at_the_end_screen_leaves_everything_saved(
    open_window: Callable[..., Window], tmp_path: Path
) -> None:
    window = open_window("play", "--seat", "chthonians")
    resigned(window)
    window.child.ptyproc.fileobj.close()
    assert window.child.ptyproc.wait() == 4
    assert kept(tmp_path / "home") == 1


@pytest.mark.parametrize("words", helpers.daily_first([("learn",), ()]))
def test_a_signal_in_the_menu_and_in_the_lessons_gives_the_terminal_back(
    open_window: Callable[..., Window], words: tuple[str, ...]
) -> None:
    window = open_window(*words)
    window.until("esc: quit" if words else "What is your name?")
    window.child.kill(signal.SIGTERM)
    assert window.leave(check=restored) == 4
