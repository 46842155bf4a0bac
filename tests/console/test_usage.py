"""A command that was given too little, or a word it does not know, says what can be asked of it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli import __version__, language
from cli.app import games
from cli.app.launch import seats
from cli.app.launch.proposal import PlayerOptions
from cli.app.main import main
from cli.language import LANGUAGES
from cli.runtime.console import Exit
from cli.storage import home, unlock
from cli.storage.home import Home
from cli.text import commands
from cli.text.wording import quoted
from protocol import VERSIONS
from protocol.crypto.keys import PrivateKey
from protocol.record import keyfile
from storm_p2p.fight.game import Fight
from storm_p2p.storm.game import Storm

ROWS = {
    "key": ("show", "export", "import", "passphrase"),
    "people": ("people ", "trust", "forget"),
    "archive": ("verify", "check", "stats"),
}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Speak English before and after; the folder is an empty one."""
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("STORM_P2P_HOME", str(tmp_path / "home"))
    yield
    language.choose(language.ENGLISH)


@pytest.fixture
def passphrases(monkeypatch: pytest.MonkeyPatch, cheap_locks: None) -> Callable[..., None]:
    """Let a person at a terminal type these passphrases."""

    def typed(*lines: str) -> None:
        left = list(lines)
        monkeypatch.setattr("getpass.getpass", lambda question: left.pop(0))
        monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())

    return typed


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("words", [("key",), ("key", "dance"), ("people", "dance"), ("archive",)], ids=" ".join)
def test_a_command_with_subcommands_names_each_in_a_row_that_fits_a_small_window(
    words: tuple[str, ...], spoken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--lang", spoken]) == Exit.USAGE
    first, *rows = capsys.readouterr().err.splitlines()
    assert "required" not in first
    assert (quoted("dance") in first) is (words[-1] == "dance")
    for word in ROWS[words[0]]:
        assert any(row.startswith("  storm-p2p") and word in row for row in rows), (word, rows)
    assert max(map(len, rows)) < 80


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_event_alone_says_what_it_can_do(spoken: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["event", "--lang", spoken]) == Exit.USAGE
    rows = capsys.readouterr().err.splitlines()
    for word in ("new", "status", "claim", "standings"):
        assert any(row.startswith(f"    {word} ") for row in rows), rows


def test_the_version_names_the_program_its_protocol_and_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    rules = f"rules of {Storm.name}: {Storm.version}\nrules of {Fight.name}: {Fight.version}\n"
    expected = f"storm-p2p {__version__}, protocol {VERSIONS[-1]}\n{rules}"
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == expected
    for words in (["--lang", "de", "--version"], ["--version", "play"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--name", "Ann", "join", "SOO2"), "--name goes after the command: storm-p2p join --name"),
        (("--lang", "en", "--plain", "play"), "--plain goes after the command: storm-p2p play --plain"),
        (("--name=Ann", "host"), "--name goes after the command: storm-p2p host --name"),
        (("--name", "Ann"), 'there is no command "Ann"'),
    ],
    ids=" ".join,
)
def test_an_option_before_its_command_is_told_where_it_goes(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == Exit.USAGE
    assert said in capsys.readouterr().err


def test_what_every_command_has_may_stand_before_it(tmp_path: Path) -> None:
    assert main(["--home", str(tmp_path), "--lang", "de", "history"]) == Exit.FINE


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("words", [("verify",), ("scenario",), ("replay",), ("key", "import"), ("people", "trust")])
def test_a_command_without_its_argument_says_how_it_is_written(
    words: tuple[str, ...], spoken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--lang", spoken]) == Exit.USAGE
    said = capsys.readouterr()
    assert f"storm-p2p {' '.join(words)} " in said.err
    assert not said.out
    assert "required" not in said.err


def test_replay_alone_lists_the_logs_that_are_here_the_newest_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.prepare()
    for number, name in enumerate(("old", "new")):
        path = home.logs / f"{name}.storm"
        path.touch()
        os.utime(path, (number, number))
    assert main(["replay", "--home", str(tmp_path)]) == Exit.USAGE
    assert [line.rpartition("/")[2].rpartition("\\")[2] for line in capsys.readouterr().out.splitlines()] == [
        "new.storm",
        "old.storm",
    ]


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_file_that_is_not_there_is_told_in_the_language_of_the_reader(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for spoken, wanted in (("en", "there is no such file"), ("de", "eine solche Datei gibt es nicht")):
        assert main([command, "nothing.storm", "--lang", spoken]) == Exit.USAGE
        said = capsys.readouterr()
        assert wanted in said.out + said.err
        assert "nothing.storm" in said.out + said.err
    # The system looks no such name up.
    assert main([command, "n" * 300]) == Exit.USAGE


def test_an_uncommon_reason_of_the_system_is_told_in_its_own_words() -> None:
    assert commands.reason(OSError(4711, "the \x07moon is wrong")) == "the moon is wrong"


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_a_wrong_passphrase_of_a_key_file_names_the_file_and_what_to_do_and_changes_nothing(
    spoken: str, tmp_path: Path, passphrases: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path / "here")
    mine = unlock.identity(home)
    file = tmp_path / "moved.key"
    keyfile.save(file, PrivateKey(bytes(32)), b"secret")
    passphrases("a", "b", "c")
    assert main(["key", "import", str(file), "--home", str(home.folder), "--lang", spoken]) == Exit.NO
    after_one, after_two, last = capsys.readouterr().err.splitlines()
    assert "2" in after_one
    assert after_one != after_two
    for word in ("moved.key", "storm-p2p key export", *(("Nothing was changed",) if spoken == "en" else ("Nichts",))):
        assert word in last
    assert unlock.identity(home).public == mine.public
    assert not list(home.folder.glob("identity-*"))


@pytest.mark.parametrize("content", [b"", b"not a key"])
def test_a_file_without_a_key_names_the_file_and_where_to_write_one(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "moved.key"
    file.write_bytes(content)
    assert main(["key", "import", str(file), "--home", str(tmp_path / "here")]) == Exit.NO
    said = capsys.readouterr().err
    assert "moved.key holds no storm-p2p identity" in said
    assert "storm-p2p key export" in said


# -- the name ---------------------------------------------------------------------------------------------------


def seated(folder: Path, name: str | None, *, player: str = "human", keep_name: bool = True) -> str:
    """Return how the player of a command is called."""
    options = PlayerOptions(player, name, plain=True)
    return seats.of(games.find(), options, Home(folder), keep_name=keep_name).name


def test_a_name_that_was_given_once_is_used_again(tmp_path: Path) -> None:
    home.save_preferences(tmp_path, home.Preferences(name="Al", mouse=False))
    assert seated(tmp_path, None) == "Al"
    assert seated(tmp_path, "Bea") == "Bea"
    assert seated(tmp_path, None) == "Bea"
    # The other choices stay as they were.
    assert home.load_preferences(tmp_path) == home.Preferences(name="Bea", mouse=False)


@pytest.mark.parametrize(("player", "keep"), [("bot:random", True), ("human", False)])
def test_the_name_of_a_program_and_that_of_a_resumed_match_are_not_kept(
    player: str, keep: bool, tmp_path: Path
) -> None:
    assert seated(tmp_path, "Bea", player=player, keep_name=keep) == "Bea"
    assert not (tmp_path / home.FILE).exists()


class Keyboard(io.StringIO):
    """A terminal at which some lines are typed."""

    def isatty(self) -> bool:
        """Claim to be a terminal."""
        return True


def hosting(folder: Path, lines: str, monkeypatch: pytest.MonkeyPatch, **others: Any) -> str:
    """Return how a person is called who hosts a match and types these lines."""
    monkeypatch.setattr("sys.stdin", Keyboard(lines))
    monkeypatch.setattr("sys.stderr", Keyboard())
    return seats.of(games.find(), replace(PlayerOptions(plain=True), **others), Home(folder), ask_name=True).name


def test_whoever_hosts_for_the_first_time_is_asked_once_how_he_wants_to_be_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hosting(tmp_path, "a\u202eb\nBea\n", monkeypatch) == "Bea"
    assert home.load_preferences(tmp_path).name == "Bea"
    assert hosting(tmp_path, "Cy\n", monkeypatch) == "Bea"


def test_whoever_enters_a_tournament_without_a_name_is_asked_for_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("cup", "other"):
        assert main(["event", "new", str(tmp_path / folder), "--name", "Cup", "--scheme", "hash"]) == Exit.FINE
    said = Keyboard()
    for folder, typed in (("cup", "Bea\n"), ("other", "Cy\n")):
        monkeypatch.setattr("sys.stdin", Keyboard(typed))
        monkeypatch.setattr("sys.stderr", said)
        assert main(["event", "enter", str(tmp_path / folder)]) == Exit.FINE
    assert said.getvalue().count("What is your name?") == 1
    assert said.getvalue().count('You have entered "Cup" as Bea.') == 2


@pytest.mark.parametrize(
    "words", ["join --player bot:random -", "host --call - --player bot:random", "event take {folder}", "learn"]
)
def test_an_input_in_another_encoding_is_read(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["event", "new", str(tmp_path), "--name", "Cup", "--scheme", "hash"]) == Exit.FINE
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Schöne\nGrüße\n".encode("latin-1")), "utf-8"))
    for _ in ("first", "again, as from the menu"):
        assert main(words.format(folder=tmp_path).split()) in (Exit.FINE, Exit.USAGE)


def test_an_empty_line_takes_the_name_of_the_account_and_the_end_of_the_input_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", "dora")
    assert hosting(tmp_path, "", monkeypatch) == "dora"
    assert home.load_preferences(tmp_path).name == ""
    assert hosting(tmp_path, "\n", monkeypatch) == "dora"
    assert home.load_preferences(tmp_path).name == "dora"


@pytest.mark.parametrize("others", [{"json": True}, {"player": "bot:random"}, {"name": "Eve"}])
def test_nobody_is_asked_for_a_name_where_there_is_one_or_a_program_plays(
    others: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hosting(tmp_path, "Bea\n", monkeypatch, **others) != "Bea"


def test_a_name_that_cannot_be_kept_holds_for_the_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "file"
    folder.touch()
    assert seated(folder, "Bea") == "Bea"
    assert "cannot be saved" in capsys.readouterr().err


def test_a_name_that_the_protocol_refuses_has_its_sentence_and_is_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--name", "a\u202eb", "--home", str(tmp_path), "--lang", "de"]) == Exit.USAGE
    assert "Ein Name hat" in capsys.readouterr().err
    assert not (tmp_path / home.FILE).exists()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("play", "--player", "nobody"), "exec:BEFEHL"),
        (("play", "--bot", "nobody"), "greedy"),
        (("host", "--clock", "soon"), "20m+10s"),
        (("host", "--terms", "none.json"), "none.json"),
        (("host", "--terms", __file__), "JSON"),
        (("host", "--witness", "me"), "64 hexadezimalen Ziffern"),
    ],
)
def test_what_an_option_means_wrongly_is_told_in_german_as_well(
    words: tuple[str, ...], wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--home", str(tmp_path), "--lang", "de"]) == Exit.USAGE
    said = capsys.readouterr().err
    assert wanted in said
    assert "xpected" not in said
    assert "rrno" not in said


def test_a_file_is_no_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SystemExit, match="2"):
        main(["history", "--home", str(file)])
    assert "expected a folder, got the file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lern", "learn"),
        ("lernen", "learn"),
        ("spiel", "play"),
        ("hots", "host"),
        ("prüfen", "verify"),
        ("help", "--help"),
        ("xyzzy", None),
    ],
)
@pytest.mark.parametrize("speech", LANGUAGES)
def test_a_mistyped_command_names_the_one_that_is_meant(
    typed: str, meant: str | None, speech: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--lang", speech, typed])
    assert ended.value.code == Exit.USAGE
    said = capsys.readouterr().err
    assert quoted(typed) in said or typed == "prüfen"
    assert said.count("storm-p2p") == (3 if meant is None else 4)
    assert meant is None or f"storm-p2p {meant}" in said.rsplit("storm-p2p --help", 1)[0]


@pytest.mark.parametrize("words", [("play", "--as", "chthonians"), ("play", "--mon"), ("host", "--li"), ("--ver",)])
def test_the_beginning_of_an_option_is_no_option(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    assert left.value.code == 2
    assert words[-1] in capsys.readouterr().err or words[-2] in capsys.readouterr().err
