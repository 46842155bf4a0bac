"""The address book and the identity key at the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers_people import BOB, DAY, OTHER, meet, met, run

from cli.meeting.meeting import Met
from cli.runtime.console import Exit
from cli.storage import people, unlock
from cli.storage.home import Home
from cli.storage.people import People, Person
from cli.text import people as words
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey
from protocol.record import keyfile, keytext
from protocol.record.files import LOCK


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("bob", "bob"),
        ("Jürgen", "Jürgen"),
        ("old bob", '"old bob"'),
        ("bob.2-x_", '"bob.2-x_"'),
        ("x'; reboot; '", "NAME"),
        ('x" & calc & "', "NAME"),
        ("$(reboot)", "NAME"),
        ("`id`", "NAME"),
        ("-rf", "NAME"),
        ("a|b", "NAME"),
        ("%PATH%", "NAME"),
        ("a!b", "NAME"),
    ],
)
def test_a_command_to_be_copied_holds_nothing_that_a_shell_would_do(name: str, typed: str) -> None:
    # The other side has chosen the name, and meets the warning with a second key of his own.
    known, alike = (Person(called, (bytes(32),), DAY) for called in (name, "\u0430" + name))
    warnings = [words.changed(name, one, bytes(32)) for one in (known, alike)]
    for said in (*warnings, words.nothing_refused(name)):
        assert re.findall("people trust (.*?)(?: and begin again.| KEY)$", said) == [typed]


def test_the_book_is_shown_and_changed_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = Home(tmp_path)
    assert run(home, "people", "list") == Exit.FINE
    assert "empty" in capsys.readouterr().err
    people.change(home.people_file, lambda _: met(("bob", BOB)))
    assert run(home, "people", "list", "--json") == Exit.FINE
    (bob,) = json.loads(capsys.readouterr().out)
    score = {"won": 0, "lost": 0, "draw": 0, "unfinished": 0}
    known = {"name": "bob", "keys": [BOB.hex()], "since": DAY, "refused": None, "compared": []}
    assert bob == {**known, "also": [], "score": score}
    assert run(home, "people", "trust", "bob") == Exit.USAGE
    assert run(home, "people", "trust", "bob", "00ff") == Exit.USAGE
    assert run(home, "people", "trust", "bob", OTHER.hex()) == Exit.FINE
    assert run(home, "people", "list") == Exit.FINE
    assert OTHER.hex() in capsys.readouterr().out
    assert run(home, "people", "forget", "carl") == Exit.NO
    assert run(home, "people", "forget") == Exit.USAGE
    assert run(home, "people", "forget", "BOB") == Exit.FINE
    assert people.load(home.people_file) == People()
    home.people_file.write_text("no", encoding="utf-8")
    assert run(home, "people", "list") == Exit.USAGE
    assert home.people_file.read_text(encoding="utf-8") == "no"


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, cheap_locks: None) -> Callable[..., None]:
    """Let a person at a terminal type these answers to questions for passphrases."""

    def typed(*lines: str) -> None:
        left = list(lines)
        monkeypatch.setattr("getpass.getpass", lambda question: left.pop(0))
        monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())

    return typed


@pytest.mark.parametrize("command", ["import", "passphrase"])
def test_an_identity_that_was_locked_less_well_is_replaced_at_the_first_try(
    command: str, tmp_path: Path, answers: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, file = Home(tmp_path / "home"), tmp_path / "moved.key"
    home.prepare()
    answers("old", "new", "new")
    keyfile.save(file, PrivateKey(bytes(32)))
    keyfile.save(home.key_file, PrivateKey(bytes([1]) * 32), b"old")
    monkeypatch.setattr(keytext, "COST", keytext.COST + 1)
    words = ["import", str(file)] if command == "import" else ["passphrase"]
    assert run(home, "key", *words) == Exit.FINE


def test_an_identity_moves_to_another_machine_and_the_one_before_is_kept(
    tmp_path: Path, answers: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = Home(tmp_path / "old"), Home(tmp_path / "new")
    mine, before = unlock.identity(old), unlock.identity(new)
    file = tmp_path / "moved.key"
    answers("secret", "secret")
    assert run(old, "key", "export", str(file)) == Exit.FINE
    assert b"LOCKED" in file.read_bytes()
    file.chmod(0o644)
    answers("wrong", "secret", "", "")
    assert run(new, "key", "import", str(file)) == Exit.FINE
    assert unlock.identity(new).public == mine.public
    (aside,) = new.folder.glob("identity-*.key")
    assert keyfile.load(aside).public == before.public
    assert str(aside) in capsys.readouterr().err
    answers("secret")
    assert run(new, "key", "import", str(file)) == Exit.FINE
    assert "already here" in capsys.readouterr().err


def test_an_import_does_not_cut_an_unfinished_match_off_from_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "moved.key"
    keyfile.save(file, PrivateKey(bytes(32)))
    home = Home(tmp_path / "home")
    before = unlock.identity(home)
    assert all(isinstance(one, Met) for one in meet(tmp_path, None, None))
    (match,) = (tmp_path / "a").glob("*.match")
    match.rename(home.matches / match.name)
    assert run(home, "key", "import", str(file)) == Exit.NO
    assert "Finish" in capsys.readouterr().err
    assert unlock.identity(home).public == before.public


def test_a_locked_identity_is_asked_for_three_times_and_never_without_a_terminal(
    tmp_path: Path, answers: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    mine = unlock.identity(home)
    keyfile.save(home.key_file, mine, b"secret")
    answers("", "wrong", "secret")
    assert unlock.identity(home).public == mine.public
    answers("a", "b", "c")
    with pytest.raises(BadKey, match="passphrase"):
        unlock.identity(home)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(BadKey) as caught:
        unlock.identity(home)
    assert caught.value.code == "needs_passphrase"


@pytest.mark.parametrize("what", ["export", "import"])
def test_a_key_command_without_a_file_or_with_a_wrong_one_says_so(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A secret is not shown on a screen.
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    home = Home(tmp_path / "home")
    assert run(home, "key", what) == Exit.USAGE
    if what == "import":
        assert run(home, "key", what, str(tmp_path / "none")) == Exit.USAGE
        (tmp_path / "some").write_text("no key", encoding="utf-8")
        assert run(home, "key", what, str(tmp_path / "some")) == Exit.NO


def test_a_folder_in_the_place_of_the_lock_is_called_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / LOCK).mkdir()
    assert run(Home(tmp_path), "key", "show") == Exit.USAGE
    assert f"{tmp_path / LOCK} cannot be used (it is a folder)." in capsys.readouterr().err
