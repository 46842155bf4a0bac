"""The menu: what its keys choose, how it looks, and what it keeps."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import helpers_tui as tui
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.app import menu as command
from cli.app.launch.seats import is_allowed
from cli.console import menu
from cli.console.menu import Keep, Menu, Page, Quit, Row, Run, press
from cli.console.render.menu import TOP, item_at, render
from cli.console.render.spans import plain, width
from cli.console.shell import menu_app
from cli.events.known import remember
from cli.storage import preferences
from cli.storage.home import Home
from cli.storage.preferences import Preferences

ALICE = Preferences("alice")
ONLY = Row(("resume", "x"), "7c1f  2026-11-21 15:06  against bob, turn 12", "7c1f against bob, turn 12")


def keys(shown: Menu, *names: str) -> tuple[Menu, list[object]]:
    """Return the menu after keys and everything that was wished."""
    wishes: list[object] = []
    for name in names:
        shown, wish = press(shown, name)
        if wish is not None:
            wishes.append(wish)
    return shown, wishes


def picture(shown: Menu) -> str:
    return "\n".join(plain(row).rstrip() for row in render(shown)) + "\n"


SHOWN = {
    "name": menu.begin(Preferences(), "bob"),
    "main": replace(menu.begin(ALICE, "bob"), matches=(ONLY,), logs=()),
    "terms": keys(menu.begin(ALICE, "bob"), "2")[0],
    "matches": replace(
        menu.begin(ALICE, "bob"), page=Page.MATCHES,
        matches=tuple(Row(("resume", str(number)), f"{number}  against bob, turn {number}") for number in range(3)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("page", list(SHOWN))
@pytest.mark.usefixtures("spoken")
def test_the_menu_looks_like_this(page: str) -> None:
    for columns, rows in ((80, 24), (120, 40)):
        shown = replace(SHOWN[page], columns=columns, rows=rows)
        tui.assert_picture(f"menu_{page}", columns, picture(shown))
        assert [width(plain(row)) for row in render(shown)] == [columns] * rows


def test_the_first_start_asks_nothing_but_a_name() -> None:
    shown, wishes = keys(menu.begin(Preferences(), "Zoe"), *"Ann", "backspace", *"na", "enter")
    assert shown.page is Page.MAIN
    assert wishes == [Keep(Preferences("Anna"))]
    assert menu.begin(Preferences("Anna"), "Zoe").page is Page.MAIN


def test_the_proposed_name_is_taken_by_enter_alone_and_replaced_by_what_is_typed() -> None:
    first = menu.begin(Preferences(), "Zoe")
    assert "Zoe" in picture(first)
    assert keys(first, "enter")[1] == [Keep(Preferences("Zoe"))]
    typing = keys(first, "A")[0]
    assert "Zoe" not in picture(typing)
    # Everything taken back: the proposed one stands there again.
    assert picture(keys(typing, "backspace")[0]) == picture(first)
    later = keys(menu.begin(ALICE, "Zoe"), "9")[0]
    assert later.page is Page.NAME
    assert "alice" in picture(later)
    assert keys(later, "enter")[1] == [Keep(ALICE)]
    assert keys(later, *"Bo", "enter")[1] == [Keep(replace(ALICE, name="Bo"))]


def test_enter_plays_at_once() -> None:
    assert keys(menu.begin(ALICE, "bob"), "enter")[1] == [Run(("play", "--random-setup"))]


@pytest.mark.parametrize(
    ("pressed", "words"),
    [
        (("2", "enter"), ("play",)),
        (("2", "1", "5"), ("play", "--seat", "chthonians")),
        (("2", "1", "1", "5"), ("play", "--seat", "olympians")),
        (("3", "3", "5"), ("host", "--open-combat")),
        (("3", "2", "4", "4", "5"), ("host", "--random-setup", "--challenge=2")),
        (("3", "up", "left", "down", "enter"), ("host", "--challenge=-1")),
        (("4",), ("join",)),
    ],
)
def test_items_become_commands_that_the_program_understands(
    pressed: tuple[str, ...], words: tuple[str, ...]
) -> None:
    from cli.app.arguments import make_parser

    assert keys(menu.begin(ALICE, "bob"), *pressed)[1] == [Run(words)]
    assert make_parser().parse_args(words).command == words[0]


def test_what_is_stored_can_be_picked() -> None:
    shown = replace(menu.begin(ALICE, "bob"), matches=(Row(("resume", "a"), "a"), Row(("resume", "b"), "b")))
    assert keys(shown, "5", "down", "enter")[1] == [Run(("resume", "b"))]
    assert keys(shown, "5", "escape")[0].page is Page.MAIN
    # Nothing to replay: the item does nothing.
    assert keys(shown, "6") == (replace(shown, at=5), [])


def test_a_tournament_is_looked_at_or_played_from_the_menu(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    remember(home, tmp_path / "cup", bytes(32), "Winter \x1b[2JCup")
    events = command.look(tmp_path)[2]
    shown = replace(menu.begin(ALICE, "bob"), events=events)
    assert "1 tournament" in picture(shown)
    folder = str(tmp_path / "cup")
    assert keys(shown, "8", "enter")[1] == [Run(("event", "status", folder))]
    assert keys(shown, "8", "down", "enter")[1] == [Run(("host", "--event", folder))]
    assert "Winter Cup: host my next game" in picture(keys(shown, "8")[0])
    # Without one the item does nothing.
    assert keys(replace(shown, events=()), "8")[1] == []


def test_choices_are_kept_and_quit_ends() -> None:
    assert keys(replace(menu.begin(ALICE, "bob"), at=9), "enter", "down", "enter", "q")[1] == [
        Keep(replace(ALICE, signs="unicode")), Keep(replace(ALICE, signs="unicode", mouse=False)), Quit(),
    ]  # fmt: skip


def test_preferences_come_back_and_damage_counts_as_none(tmp_path: Path) -> None:
    chosen = Preferences("alice", signs="ascii", mouse=False)
    preferences.save(tmp_path / "home", chosen)
    assert preferences.load(tmp_path / "home") == chosen
    (tmp_path / "home" / preferences.FILE).write_text('{"name": 3, "signs": 1, "mouse": false, "other": 1}')
    assert preferences.load(tmp_path / "home") == Preferences(mouse=False)
    (tmp_path / "home" / preferences.FILE).write_text("[" * 100_000)
    assert preferences.load(tmp_path / "home") == Preferences()
    assert preferences.of({"name": "a\x1b[2Jb\u202e"}).name == "ab"


def test_a_click_takes_the_item_under_it() -> None:
    shown = menu.begin(ALICE, "bob")
    assert item_at(shown, TOP) == 0
    assert item_at(shown, TOP + len(menu.items(shown))) is None
    assert item_at(shown, TOP - 1) is None


def run(pressed: str, folder: Path, chosen: Preferences = ALICE) -> tuple[str, ...] | None:
    """Press keys at the menu and return the command."""
    with create_pipe_input() as pipe:
        pipe.send_text(pressed)
        output = Vt100_Output(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
        app = menu_app.make(
            menu.begin(chosen, "bob"), folder, lambda: command.look(folder), input=pipe, output=output
        )
        words: tuple[str, ...] | None = app.run()
        return words


def test_the_menu_runs_on_a_terminal(tmp_path: Path) -> None:
    assert run("\x1b[B\r\r", tmp_path) == ("play",)
    assert run("q", tmp_path) is None
    with pytest.raises(SystemExit) as interrupted:
        run("\x03", tmp_path)
    assert interrupted.value.code == 130
    # The eighth row is behind the head, the words and the item above it.
    assert run(f"\x1b[<0;8;{TOP + 4}M\x1b[<0;8;{TOP + 4}m", tmp_path) == ("join",)


def test_the_menu_keeps_the_name(tmp_path: Path) -> None:
    assert run("by\rq", tmp_path, Preferences()) is None
    assert preferences.load(tmp_path).name == "by"


def test_nothing_is_found_in_an_empty_folder(tmp_path: Path) -> None:
    assert command.look(tmp_path) == ((), (), ())


@pytest.mark.parametrize("name", ["", "x" * 300, "e\u0301", "ab "])
def test_a_kept_name_that_the_protocol_refuses_is_not_used(name: str) -> None:
    assert not is_allowed(name)
    assert is_allowed("Bj\u00f6rn O'Hara")


def test_the_only_unfinished_match_is_named_where_there_is_room() -> None:
    def shown(*matches: Row) -> str:
        return "\n".join(plain(row) for row in render(replace(menu.begin(ALICE, "bob"), matches=matches)))

    assert "Continue a match                 7c1f against bob, turn 12" in shown(ONLY)
    assert "1 unfinished" in shown(replace(ONLY, brief="x" * 60))
    assert "2 unfinished" in shown(ONLY, ONLY)


def test_a_command_of_the_players_own_is_offered_where_there_is_one() -> None:
    def kinds(chosen: Preferences) -> list[str]:
        shown = menu.begin(chosen, "bob")
        found = []
        for _ in range(6):
            shown, _ = menu.take(shown, menu.MAIN.index("notice"))
            found.append(shown.chosen.notice)
        return found

    assert kinds(Preferences(name="bob")) == ["auto", "bell", "osc9", "osc777", "off", "auto"]
    assert kinds(Preferences(name="bob", command="ntfy pub me"))[3:] == ["osc777", "command", "off"]
