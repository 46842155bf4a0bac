"""The menu at a terminal: what it finds in a home, and what runs beside it."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers_commands import LOG
from helpers_commands import run as run_command
from helpers_fight import FILE
from helpers_wire import identity
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.app import games, play
from cli.app import menu as command
from cli.console import menu
from cli.console.menu import TOP, Menu, Row, Run
from cli.console.shell import menu as shell
from cli.console.shell.menu import SmallApp, make
from cli.events.folder import remember
from cli.storage import home, people
from cli.storage.home import Home, Preferences
from cli.storage.people import People
from cli.text.menus import Page
from console.menu import ALICE, keys, picture
from protocol.record import keyfile


def app(folder: Path, pipe: PipeInput, chosen: Preferences = ALICE, **more: Any) -> SmallApp[Menu]:
    """Return the menu of a folder on a terminal of tests."""
    output = Vt100_Output(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    looks = (lambda: command.look(folder), lambda: command.look_back(folder))
    return make(menu.begin(chosen, "bob", "greedy"), folder, looks, input=pipe, output=output, **more)


def run(pressed: str, folder: Path, chosen: Preferences = ALICE) -> tuple[str, ...] | None:
    """Press keys at the menu and return the command."""
    with create_pipe_input() as pipe:
        pipe.send_text(pressed)
        words: tuple[str, ...] | None = app(folder, pipe, chosen).run()
        return words


def test_the_menu_runs_on_a_terminal(tmp_path: Path) -> None:
    assert run("\x1b[B\r\r", tmp_path) == ("play",)
    assert run("q", tmp_path) is None
    with pytest.raises(SystemExit) as interrupted:
        run("\x03", tmp_path)
    assert interrupted.value.code == 130
    # The row is behind the head, the words and the items above it.
    assert run(f"\x1b[<0;8;{TOP + 6}M\x1b[<0;8;{TOP + 6}m\r", tmp_path) == ("learn",)


def test_what_only_begins_as_a_click_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Colours of a text that is pasted, and a button that no mouse has.
    assert run("\x1b[31m\x1b[m\x1b[1;2M\x1b[;;M\x1b[M\x1f!!q", tmp_path) is None
    assert capsys.readouterr().out == ""


def test_the_clock_of_the_menu_runs_until_the_title_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "STEP_SECONDS", 0)
    output = Vt100_Output(io.StringIO(), lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False)
    seen: list[int] = []
    with create_pipe_input() as pipe:
        running = make(menu.begin(ALICE, "bob", "greedy", "dark"), tmp_path, (), input=pipe, output=output)
        change = running.change

        def watched(model: Menu) -> None:
            change(model)
            seen.append(model.shimmering)
            if not model.shimmering:
                pipe.send_text("q")

        monkeypatch.setattr(running, "change", watched)
        assert running.run() is None
    assert seen == [*range(menu.SHIMMERS, -1, -1), 0]


def test_the_menu_keeps_the_name(tmp_path: Path) -> None:
    assert run("by\rq", tmp_path, Preferences()) is None
    assert home.load_preferences(tmp_path).name == "by"


def test_nothing_is_found_in_an_empty_folder(tmp_path: Path) -> None:
    found = {**command.look(tmp_path), **command.look_back(tmp_path)}
    assert [row.words[0] for row in found["games"][0].levels] == list(games.find().levels)
    assert all(row.asks for row in found["events"])
    assert [found[name] for name in ("matches", "logs", "history", "people")] == [()] * 4


def until(shown: SmallApp[Menu], pipe: PipeInput, steps: Sequence[tuple[Callable[[Menu], bool], str]]) -> Menu:
    """Run the menu, send each text as soon as its condition holds, and return the menu at the end."""
    waiting = list(steps)

    def look(application: object) -> None:
        if waiting and waiting[0][0](shown.model):
            pipe.send_text(waiting.pop(0)[1])

    shown.application.after_render += look
    assert shown.run() is None
    assert not waiting
    return shown.model


def test_a_file_of_cards_that_cannot_be_used_is_refused_in_the_menu_which_stays_there(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(FILE)
    bad.write_bytes(FILE.replace(b'"do": "steal"', b'"do": "sing"'))

    def refused(now: Menu) -> bool:
        return now.page is Page.ASK and f"{bad}, line 644: expected one of damage" in now.problem

    with create_pipe_input() as pipe:
        shown = app(tmp_path, pipe, replace(ALICE, game="fight"), refuse=command.refuse)
        until(
            shown,
            pipe,
            [
                (lambda now: bool(now.games), f"23{bad}\r"),
                (refused, "\x7f" * len(str(bad)) + "~nobody-of-this-name/a\r"),
                (
                    lambda now: "~nobody-of-this-name" in now.problem,
                    "\x7f" * len("~nobody-of-this-name/a") + f"{good}\r",
                ),
                (lambda now: now.page is Page.PLAY and now.chosen.cards == str(good), "\x1bq"),
            ],
        )
    assert home.load_preferences(tmp_path).cards == str(good)
    # A file that has gone since is named before anything else happens.
    good.unlink()
    with create_pipe_input() as pipe:
        shown = app(tmp_path, pipe, home.load_preferences(tmp_path), refuse=command.refuse)
        until(
            shown,
            pipe,
            [
                (lambda now: bool(now.games), "3\r"),
                (lambda now: now.page is Page.HOST and str(good) in now.problem, "\x1bq"),
            ],
        )


def has_said(*words: str) -> Callable[[Menu], bool]:
    return lambda now: now.output is not None and not now.output.running and now.output.lines == words


def test_what_a_command_says_is_shown_in_the_menu_and_leads_back_to_it(tmp_path: Path) -> None:
    code = "import sys; print(sys.argv[1:]); print('caf\u00e9 \x1b[2J', file=sys.stderr)"
    with create_pipe_input() as pipe:
        shown = app(tmp_path, pipe, beside=lambda words: [sys.executable, "-X", "utf8", "-c", code, *words])
        pipe.send_text("\x1b[A\x1b[A\x1b[A\r71")
        said = has_said("['key', 'show']", "caf\u00e9 [2J")
        until(
            shown,
            pipe,
            [
                (said, "\r"),
                (lambda now: now.page is Page.KEY, "\x1b"),
                (lambda now: now.page is Page.TOOLS, "\x1b"),
                (lambda now: now.page is Page.MAIN, "q"),
            ],
        )


def test_a_command_that_goes_on_is_stopped_by_going_back_and_may_put_away_what_it_has_opened(tmp_path: Path) -> None:
    left = tmp_path / "left"
    code = (
        "import pathlib, signal, sys, threading\n"
        "print('here', flush=True)\n"
        "try:\n    threading.Event().wait()\n"
        f"except KeyboardInterrupt:\n    pathlib.Path({str(left)!r}).touch()\n"
    )
    with create_pipe_input() as pipe:
        shown = app(tmp_path, pipe, beside=lambda words: [sys.executable, "-c", code])
        pipe.send_text("\x1b[A\x1b[A\x1b[A\r6")
        until(
            shown,
            pipe,
            [
                (lambda now: now.output is not None and now.output.lines == ("here",), "\x1b"),
                (lambda now: now.page is Page.TOOLS, "\x1bq"),
            ],
        )
    # Whoever leaves the menu waits until it has ended.
    assert left.exists()


def test_a_command_that_says_nothing_is_said_to_be_done(tmp_path: Path) -> None:
    with create_pipe_input() as pipe:
        shown = app(tmp_path, pipe, beside=lambda words: [sys.executable, "-c", "raise SystemExit(3)"])
        pipe.send_text("\x1b[A\x1b[A\x1b[A\r5")
        until(shown, pipe, [(has_said("It ended with exit code 3."), "\r\x1bq")])


@pytest.mark.usefixtures("cheap_locks")
def test_only_what_wants_the_terminal_gets_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    for alone in (("play",), ("host", "--lan"), ("resume", "x"), ("key", "export", "x"), ("key", "passphrase")):
        assert command.beside(tmp_path, alone) is None
    said = command.beside(tmp_path, ("event", "status", "cup"))
    assert said is not None
    assert list(said[-7:]) == ["--home", str(tmp_path), "--lang", "en", "event", "status", "cup"]
    assert command.beside(tmp_path, ("play", "--help")) is not None
    keyfile.save(home.key_file, identity("host"), b"secret")
    # The passphrase is asked for at the terminal.
    assert command.beside(tmp_path, ("event", "status", "cup")) is None
    assert command.beside(tmp_path, ("key", "show")) is None
    assert command.beside(tmp_path, ("verify", "last")) is not None


def test_the_matches_and_the_people_of_a_home_are_listed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    keyfile.save(home.key_file, identity("host"))
    (home.logs / "a.storm").write_bytes(LOG.read_bytes())
    (home.logs / "junk.storm").write_bytes(b"junk")
    people.change(home.people_file, lambda _: People().learn("Gustav", identity("guest").public, "2026-11-21"))
    found = command.look_back(tmp_path)
    match, unlisted = found["history"]
    assert match.words == ("replay", str(home.logs / "a.storm"))
    assert (match.result, "Gustav" in match.text) == ("lost", True)
    assert unlisted == Row(("history",), "1 file is not listed: why?")
    assert found["columns_said"].split()[:3] == ["match", "begun", "opponent"]
    (gustav,) = found["people"]
    assert gustav.words == ("Gustav",)
    assert "0 won, 1 lost, 0 drawn" in gustav.text


def test_a_name_that_looks_like_an_option_is_a_name(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    people.change(home.people_file, lambda _: People().learn("--help", bytes(32), "2026-11-21"))
    shown = replace(menu.begin(ALICE, "bob"), **command.look_back(tmp_path))
    (wish,) = keys(shown, "8", "1", "3", "3")[1]
    assert isinstance(wish, Run)
    beside = command.beside(tmp_path, wish.words)
    assert beside is not None
    run_command(*beside[len(play.PROGRAM) :])
    assert people.load(home.people_file) == People()


def test_a_tournament_of_this_home_is_listed(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    remember(home, tmp_path / "cup", bytes(32), "Winter \x1b[2JCup")
    shown = replace(menu.begin(ALICE, "bob"), **command.look(tmp_path))
    assert "1 tournament" in picture(shown)
    assert "Winter Cup" in picture(keys(shown, "9")[0])
    folder = str(tmp_path / "cup")
    assert keys(shown, "9", "enter", "enter")[1] == [Run(("event", "status", folder))]
    # One can be entered or announced where there is none yet.
    without = replace(menu.begin(ALICE, "bob"), **command.look(tmp_path / "new"))
    announce = keys(without, "9", "end", "enter")[0]
    assert "storm-p2p event new" in picture(announce)
    words = ("event", "new", "cup", "--name", "Winter Cup")
    assert keys(announce, *"cup --name 'Winter Cup'", "enter")[1] == [Run(words)]
