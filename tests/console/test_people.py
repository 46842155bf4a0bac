"""Names and keys: trust at the first match, a changed key is refused until the player says otherwise."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from helpers_memory import pair

from cli.app.main import main
from cli.meeting import meeting
from cli.meeting.lot import Call, Lot
from cli.meeting.meeting import Met, NoMatch, Offer, Proposal, Stranger, Wishes
from cli.runtime.console import Exit
from cli.storage import people as addresses
from cli.storage import unlock
from cli.storage.home import Home
from cli.storage.people import BadBook, Book, People, Person
from cli.storage.skeleton import look_alike
from cli.text import people as words
from protocol.core import wire
from protocol.core.agreement import host_takes
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey
from protocol.game import Seat
from protocol.reach.invite import Invite
from protocol.record import keyfile
from storm_p2p.storm.game import encode_terms
from storm_p2p.storm.state import Terms

BOB, OTHER = bytes([1]) * 32, bytes([2]) * 32
DAY = "2026-11-21"


def met(*names: tuple[str, bytes]) -> People:
    people = People()
    for name, key in names:
        people = people.learn(name, key, DAY)
    return people


# --- the book -----------------------------------------------------------------------------------------------


def test_a_name_is_learnt_once_and_keeps_its_key() -> None:
    people = met(("Bob", BOB), ("bob", OTHER))
    assert [(one.name, one.keys) for one in people.persons] == [("Bob", (BOB,))]
    assert people.named(BOB) == ("Bob",)
    assert people.named(OTHER) == ()


@pytest.mark.parametrize(
    "name", ["Anna\ufe0f", "\ufe0fAnna", "An\ufe00na", "Anna\u0378", "Anna\ufffc", "\uff21nna"], ids=ascii
)
def test_a_name_that_is_shown_like_a_known_one_is_the_known_one(name: str) -> None:
    wire.text(wire.NAME_LIMIT)(name)
    assert met(("Anna", BOB)).find(name) is not None
    assert met((name, BOB)).find("anna") is not None
    assert len(met(("Anna", BOB), (name, OTHER)).persons) == 1


def test_a_refused_key_can_be_trusted_beside_the_one_before() -> None:
    people = met(("bob", BOB)).refuse("BOB", OTHER, DAY)
    person = people.find("bob")
    assert person is not None
    assert (person.keys, person.refused) == ((BOB,), OTHER)
    trusted = people.trust("bob", OTHER).find("bob")
    assert trusted is not None
    assert (trusted.keys, trusted.refused) == ((BOB, OTHER), None)
    assert people.forget("bob").persons == ()


def test_what_is_not_in_the_book_cannot_be_trusted_or_forgotten() -> None:
    with pytest.raises(KeyError):
        People().trust("bob", BOB)
    with pytest.raises(KeyError):
        People().forget("bob")


def test_the_file_holds_what_was_saved_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "people.json"
    assert addresses.load(path) == People()
    people = met(("bob", BOB), ("Zoë", OTHER)).refuse("bob", OTHER, DAY).refuse("b\u043eb", OTHER, DAY)
    addresses.save(path, people)
    assert addresses.load(path) == people
    assert [one.name for one in tmp_path.iterdir()] == ["people.json"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"version": 2, "people": []}', '{"version": 1}', '{"version": 1, "people": [7]}',
     '{"version": 1, "people": [{"name": "a\\u202e", "keys": [], "since": "x", "refused": null}]}',
     '{"version": 1, "people": [{"name": "a", "keys": ["00"], "since": "x", "refused": null}]}', "[" * 100_000],
)  # fmt: skip
def test_a_file_that_is_no_book_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "people.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadBook):
        addresses.load(path)
    assert path.read_text(encoding="utf-8") == text


ALIKE = [
    ("Alice", "\u0410lice"), ("Alice", "AIice"), ("Alice", "A1ice"), ("ALICE", "\u0391LICE"),
    ("hector", "\u04bb\u0435\u0441t\u043er"), ("Bob", "B0b"), ("\u0421\u0430\u0440\u0430", "Capa"),
    ("Paul", "\uff30\u0430\uff55\uff4c"), ("old bob", "old b\u03bfb"), ("nike", "\u039dike"),
]  # fmt: skip
DIFFERENT = [
    ("Anna", "\u0410\u043d\u043d\u0430"), ("Alice", "Alicia"), ("Arno", "Amo"), ("Ren\u00e9", "Rene"),
    ("max1", "max2"), ("Boris", "\u0411\u043e\u0440\u0438\u0441"), ("eva", "\u0415\u0432\u0430"),
    ("nikos", "\u039d\u03af\u03ba\u03bf\u03c2"),
]  # fmt: skip


@pytest.mark.parametrize(("known", "name"), ALIKE, ids=ascii)
def test_a_name_that_looks_like_a_known_one_is_refused_unless_the_key_is_his(known: str, name: str) -> None:
    assert look_alike(known, name)
    assert look_alike(name, known)
    people = met((known, BOB))
    assert people.find(name) is None
    assert people.refusing(name, OTHER) == people.persons[0]
    assert people.refusing(name, BOB) is None


@pytest.mark.parametrize(("known", "name"), [*DIFFERENT, ("Bob", "bob"), ("bob", "\uff42ob")], ids=ascii)
def test_other_names_do_not_look_alike(known: str, name: str) -> None:
    assert not look_alike(known, name)
    assert not look_alike(name, known)


def test_whoever_is_trusted_under_a_name_that_looks_like_another_is_a_person_of_his_own() -> None:
    people = met(("Alice", BOB)).refuse("\u0410lice", OTHER, DAY)
    assert [(one.name, one.keys, one.refused) for one in people.persons] == [
        ("Alice", (BOB,), None), ("\u0410lice", (), OTHER),
    ]  # fmt: skip
    # He is refused again until he is trusted.
    assert people.refusing("\u0410lice", OTHER) == people.persons[0]
    trusted = people.trust("\u0410lice", OTHER)
    assert trusted.refusing("\u0410lice", OTHER) is None
    assert trusted.refusing("Alice", OTHER) == trusted.persons[0]
    assert trusted.refusing("\u0410lice", BOB) == trusted.persons[1]
    # Nobody looks like somebody who is forgotten, and whoever was refused because of him is met for the first time.
    forgotten = people.forget("Alice")
    assert forgotten.refusing("\u0410lice", OTHER) is None
    assert forgotten.learn("\u0410lice", OTHER, DAY).persons == (Person("\u0410lice", (OTHER,), DAY),)


# --- meeting ------------------------------------------------------------------------------------------------


SECRETS = count(1)


async def _agree(offer: Offer) -> tuple[bool, Seat | None]:
    return True, None


def meet(
    tmp_path: Path, host_book: Book | None, guest_book: Book | None, keys: str = "hg", *, name: str = "gustav"
) -> list[Met | BaseException]:
    """Let a host called hanna and a guest, called gustav, agree, each with a key made from a letter."""
    host_key, guest_key = (PrivateKey(letter.encode() * 32) for letter in keys)
    # Each match has an invite of its own: of one and the same, the guest takes no second coin of the host.
    secret = next(SECRETS).to_bytes(16, "big")
    invite = Invite((("127.0.0.1", 1),), secret, bytes(16), bytes(16), 2**32 - 1, bytes(16))
    lot, call = Lot(), Call(tmp_path / "b", invite)

    async def both() -> list[Met | BaseException]:
        near, far = pair()
        host = Wishes("hanna", host_key, tmp_path / "a", secret, book=host_book)
        guest = Wishes(name, guest_key, tmp_path / "b", secret, book=guest_book)
        return list(
            await asyncio.gather(
                meeting.host(near, host, Proposal(encode_terms(Terms()), "hash", seating=host_takes(0)), lot),
                meeting.guest(far, guest, call, _agree),
                return_exceptions=True,
            )
        )

    found = asyncio.run(both())
    for one in found:
        if isinstance(one, Met):
            one.journal.close()
    return found


def book(tmp_path: Path, name: str) -> Book:
    return Book(tmp_path / name, DAY)


def test_whoever_is_met_is_remembered_on_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host, guest = book(tmp_path, "host.json"), book(tmp_path, "guest.json")
    for _ in range(2):
        assert all(isinstance(one, Met) for one in meet(tmp_path, host, guest))
    assert [one.name for one in addresses.load(host.path).persons] == ["gustav"]
    assert [one.name for one in addresses.load(guest.path).persons] == ["hanna"]
    # Only the first match is news.
    assert capsys.readouterr().err.count("first match with gustav") == 1


@pytest.mark.parametrize("name", ["\ufe0f", "\u0301", "\u0378"], ids=ascii)
def test_a_name_of_which_nothing_can_be_shown_is_refused(tmp_path: Path, name: str) -> None:
    host, guest = meet(tmp_path, None, None, name=name)
    for one, code in ((host, "bad_name"), (guest, "peer_bad_name")):
        assert isinstance(one, NoMatch)
        assert one.event is not None
        assert one.event.code == code


def test_a_known_key_under_a_new_name_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host = book(tmp_path, "host.json")
    addresses.save(host.path, met(("gusti", PrivateKey(b"g" * 32).public)))
    assert all(isinstance(one, Met) for one in meet(tmp_path, host, None))
    assert "gustav has the key of gusti" in capsys.readouterr().err


@pytest.mark.parametrize("at_host", [True, False])
def test_a_changed_key_is_refused_with_a_warning_until_the_player_trusts_it(tmp_path: Path, at_host: bool) -> None:
    mine = book(tmp_path, "mine.json")
    keys = "hx" if at_host else "xg"

    def again(mine: Book, keys: str) -> list[Met | BaseException]:
        return meet(tmp_path, mine if at_host else None, None if at_host else mine, keys)

    assert all(isinstance(one, Met) for one in again(mine, "hg"))
    found = again(mine, keys)
    refusing, refused = (found[0], found[1]) if at_host else (found[1], found[0])
    assert isinstance(refusing, Stranger)
    who = "gustav" if at_host else "hanna"
    assert f"storm-p2p people trust {who}" in refusing.warning
    assert "Nothing was played" in refusing.warning
    # The other one is told why, and nothing is left of the attempt.
    assert isinstance(refused, NoMatch)
    assert refused.event is not None
    assert refused.event.code == "peer_changed_key"
    assert len(list(tmp_path.glob("*/*.match"))) == 2

    home = Home(tmp_path / "home")
    home.prepare()
    home.people_file.write_bytes(mine.path.read_bytes())
    assert run(home, "people", "trust", who) == Exit.FINE
    assert all(isinstance(one, Met) for one in again(Book(home.people_file, DAY), keys))


@pytest.mark.parametrize("at_host", [True, False])
def test_somebody_who_only_looks_like_a_known_name_is_refused_until_he_is_trusted(
    tmp_path: Path, at_host: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    known, name = ("gustav", "gust\u0430v") if at_host else ("h\u0430nna", "hanna")
    addresses.save(home.people_file, met((known, BOB)))
    mine = Book(home.people_file, DAY)

    def call() -> list[Met | BaseException]:
        found = meet(tmp_path, mine if at_host else None, None if at_host else mine, name=name if at_host else "gustav")
        return found if at_host else found[::-1]

    for _ in range(2):
        refusing, refused = call()
        assert isinstance(refusing, Stranger)
        assert f"The name {name} only looks the same: it is written with" in refusing.warning
        assert ("CYRILLIC SMALL LETTER A" if at_host else "LATIN SMALL LETTER A") in refusing.warning
        assert isinstance(refused, NoMatch)
        assert refused.event is not None
        assert refused.event.code == "peer_changed_key"
        assert not list(tmp_path.glob("*/*.match"))
    assert run(home, "people", "list") == Exit.FINE
    assert run(home, "people", "trust", known) == Exit.USAGE
    assert run(home, "people", "trust", name) == Exit.FINE
    assert all(isinstance(one, Met) for one in call())
    assert addresses.load(home.people_file).persons[0] == Person(known, (BOB,), DAY)


def test_a_program_asks_nobody_and_keeps_no_book(tmp_path: Path) -> None:
    assert all(isinstance(one, Met) for one in meet(tmp_path, None, None))
    assert all(isinstance(one, Met) for one in meet(tmp_path, None, None, "xy"))


# --- the commands -------------------------------------------------------------------------------------------


def run(home: Home, *words: str) -> int:
    return main([*words, "--home", str(home.folder)])


@pytest.mark.parametrize(
    ("name", "typed"),
    [("bob", "bob"), ("Jürgen", "Jürgen"), ("old bob", '"old bob"'), ("bob.2-x_", '"bob.2-x_"'),
     ("x'; reboot; '", "NAME"), ('x" & calc & "', "NAME"), ("$(reboot)", "NAME"), ("`id`", "NAME"), ("-rf", "NAME"),
     ("a|b", "NAME"), ("%PATH%", "NAME"), ("a!b", "NAME")],
)  # fmt: skip
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
    addresses.save(home.people_file, met(("bob", BOB)))
    assert run(home, "people", "list", "--json") == Exit.FINE
    assert json.loads(capsys.readouterr().out) == [
        {"name": "bob", "keys": [BOB.hex()], "since": DAY, "refused": None}
    ]
    assert run(home, "people", "trust", "bob") == Exit.USAGE
    assert run(home, "people", "trust", "bob", "00ff") == Exit.USAGE
    assert run(home, "people", "trust", "bob", OTHER.hex()) == Exit.FINE
    assert run(home, "people", "list") == Exit.FINE
    assert OTHER.hex() in capsys.readouterr().out
    assert run(home, "people", "forget", "carl") == Exit.NO
    assert run(home, "people", "forget") == Exit.USAGE
    assert run(home, "people", "forget", "BOB") == Exit.FINE
    assert addresses.load(home.people_file) == People()
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
