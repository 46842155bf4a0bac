"""Names and keys: trust at the first match, a changed key is refused until the player says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from helpers_people import BOB, DAY, OTHER, meet, met, run

from cli.app.launch.seats import is_allowed, why_not
from cli.app.main import main
from cli.meeting.meeting import Met, NoMatch, Stranger
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.storage.people import MOST_REFUSED, BadBook, Book, People, Person, change, load, look_alike, mixes_scripts
from cli.text import people as words
from protocol.core import wire
from protocol.crypto.keys import PrivateKey
from protocol.record.files import LOCK


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


def test_a_guest_who_calls_under_ever_other_names_that_look_like_a_known_one_does_not_fill_the_book() -> None:
    people = met(("alicia", BOB), ("zoe", OTHER))
    for number in range(1, 64):
        name = (
            "".join(
                "\u0430\u0131\u0441"["aic".index(letter)] if number >> at & 1 else letter
                for at, letter in enumerate("aiciai")
            )
            + "l"
        )
        people = people.refuse(name, OTHER, DAY)
    assert [one.name for one in people.persons[:2]] == ["alicia", "zoe"]
    assert [one.keys for one in people.persons[2:]] == [()] * MOST_REFUSED
    # The one who called last can still be trusted by name.
    assert people.trust(name, OTHER).named(OTHER) == ("zoe", name)


def test_an_empty_book_says_who_is_not_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["people", "--home", str(tmp_path), "--lang", "en"]) == 0
    assert "the computer players of this machine are not." in capsys.readouterr().err


def test_what_is_not_in_the_book_cannot_be_trusted_or_forgotten() -> None:
    with pytest.raises(KeyError):
        People().trust("bob", BOB)
    with pytest.raises(KeyError):
        People().forget("bob")


def test_the_file_holds_what_was_saved_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "people.json"
    assert load(path) == People()
    people = met(("bob", BOB), ("Zoë", OTHER)).refuse("bob", OTHER, DAY).refuse("b\u043eb", OTHER, DAY)
    change(path, lambda _: people)
    assert load(path) == people
    assert sorted(one.name for one in tmp_path.iterdir()) == [LOCK, "people.json"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '{"version": 2, "people": []}',
        '{"version": 1}',
        '{"version": 1, "people": [7]}',
        '{"version": 1, "people": [{"name": "a\\u202e", "keys": [], "since": "x", "refused": null}]}',
        '{"version": 1, "people": [{"name": "a", "keys": ["00"], "since": "x", "refused": null}]}',
        "[" * 100_000,
    ],
)
def test_a_file_that_is_no_book_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "people.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadBook):
        load(path)
    assert path.read_text(encoding="utf-8") == text


ALIKE = [
    ("Alice", "\u0410lice"),
    ("Alice", "AIice"),
    ("Alice", "A1ice"),
    ("ALICE", "\u0391LICE"),
    ("hector", "\u04bb\u0435\u0441t\u043er"),
    ("Bob", "B0b"),
    ("\u0421\u0430\u0440\u0430", "Capa"),
    ("Paul", "\uff30\u0430\uff55\uff4c"),
    ("old bob", "old b\u03bfb"),
    ("nike", "\u039dike"),
    ("ALICE", "\ua4ee\ua4e1\ua4f2\ua4da\ua4f0"),
    ("bob", "\ua4d0\ua4f3\ua4d0"),
    ("Coco", "\u03f9\u03bf\u03f2\u03bf"),
    ("O'Brien", "O\u2019Brien"),
    ("Jean-Luc", "Jean\u2010Luc"),
    ("Jean-Luc", "Jean\u2013Luc"),
]


DIFFERENT = [
    ("Anna", "\u0410\u043d\u043d\u0430"),
    ("Alice", "Alicia"),
    ("Arno", "Amo"),
    ("Ren\u00e9", "Rene"),
    ("max1", "max2"),
    ("Boris", "\u0411\u043e\u0440\u0438\u0441"),
    ("eva", "\u0415\u0432\u0430"),
    ("nikos", "\u039d\u03af\u03ba\u03bf\u03c2"),
]


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
    people = met(("Capa", BOB)).refuse("\u0421\u0430\u0440\u0430", OTHER, DAY)
    assert [(one.name, one.keys, one.refused) for one in people.persons] == [
        ("Capa", (BOB,), None),
        ("\u0421\u0430\u0440\u0430", (), OTHER),
    ]
    # He is refused again until he is trusted.
    assert people.refusing("\u0421\u0430\u0440\u0430", OTHER) == people.persons[0]
    trusted = people.trust("\u0421\u0430\u0440\u0430", OTHER)
    assert trusted.refusing("\u0421\u0430\u0440\u0430", OTHER) is None
    assert trusted.refusing("Capa", OTHER) == trusted.persons[0]
    assert trusted.refusing("\u0421\u0430\u0440\u0430", BOB) == trusted.persons[1]
    # Nobody looks like somebody who is forgotten, and whoever was refused because of him is met for the first time.
    forgotten = people.forget("Capa")
    assert forgotten.refusing("\u0421\u0430\u0440\u0430", OTHER) is None
    learnt = forgotten.learn("\u0421\u0430\u0440\u0430", OTHER, DAY)
    assert learnt.persons == (Person("\u0421\u0430\u0440\u0430", (OTHER,), DAY),)


# Who is pretended to be, and how: of 13 ways 10 passed.
MIXED = [
    "\u0410lice",
    "\u0391lice",
    "Al\u03b9ce",
    "\u13aalice",
    "Alic\u04bd",
    "\u0555scar",
    "Os\u0441ar",
    "\u24b6\u043bice",
    "Pau\u049f",
    "\ua4eeLICE",
    "ali\u10d0",
    "max1\u0661",
    "Ali\u05d0",
    "\u16c1van",
]
ONE_SCRIPT = [
    "Alice",
    "Zo\u00eb",
    "O'Hara-2",
    "Ka\u02bbiulani",
    "\u0410\u043b\u0438\u0441\u0430 7",
    "\U0001f642",
    "alic\u0336e",
    "\u5c71\u7530\u305f\u308d",
    "\u30eb\u30fc\u30b7\u30fc",
    "\uae40\u674e",
    "\u0645\u062d\u0645 \u0663",
]


@pytest.mark.parametrize("name", MIXED, ids=ascii)
def test_a_name_in_mixed_scripts_is_refused_until_its_key_is_trusted(name: str) -> None:
    assert mixes_scripts(name)
    assert not is_allowed(name)
    assert "several scripts" in why_not(name)
    people = met(("somebody", BOB))
    known = people.refusing(name, OTHER)
    assert known is not None
    assert not known.keys
    told = words.changed(name, known, OTHER)
    assert told.startswith("STOP: the name")
    assert "people trust" in told
    kept = people.refuse(name, OTHER, DAY)
    assert kept.refusing(name, OTHER) is not None
    assert kept.trust(name, OTHER).refusing(name, OTHER) is None
    # Whoever is known needs no other name to be recognised.
    assert people.refusing(name, BOB) is None


@pytest.mark.parametrize("name", ONE_SCRIPT, ids=ascii)
def test_a_name_in_one_script_is_nobody_elses(name: str) -> None:
    assert not mixes_scripts(name)
    assert is_allowed(name)
    assert met(("somebody", BOB)).refusing(name, OTHER) is None


@pytest.mark.parametrize(
    ("known", "name"),
    [("ALICE", "\u13aa\u13de\u13c6\u13df\u13ac"), ("uno", "\u057d\u0578\u0585"), ("HOOS", "\u0570\u0555\u0555\u054f")],
    ids=ascii,
)
def test_a_whole_name_in_letters_that_look_like_others_looks_alike(known: str, name: str) -> None:
    assert not mixes_scripts(name)
    assert look_alike(known, name)


# --- meeting ------------------------------------------------------------------------------------------------


def book(tmp_path: Path, name: str) -> Book:
    return Book(tmp_path / name, DAY)


def test_whoever_is_met_is_remembered_on_both_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host, guest = book(tmp_path, "host.json"), book(tmp_path, "guest.json")
    for _ in range(2):
        assert all(isinstance(one, Met) for one in meet(tmp_path, host, guest))
    assert [one.name for one in load(host.path).persons] == ["gustav"]
    assert [one.name for one in load(guest.path).persons] == ["hanna"]
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
    change(host.path, lambda _: met(("gusti", PrivateKey(b"g" * 32).public)))
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
    change(home.people_file, lambda _: met((known, BOB)))
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
    assert load(home.people_file).persons[0] == Person(known, (BOB,), DAY)


def test_a_program_asks_nobody_and_keeps_no_book(tmp_path: Path) -> None:
    assert all(isinstance(one, Met) for one in meet(tmp_path, None, None))
    assert all(isinstance(one, Met) for one in meet(tmp_path, None, None, "xy"))


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes")
def test_nobody_else_can_open_the_lock_of_a_folder_that_is_open_to_others(tmp_path: Path) -> None:
    # Who may read it may lock it, and would keep the owner from every change.
    tmp_path.chmod(0o755)
    (tmp_path / LOCK).touch(mode=0o644)
    change(tmp_path / "people.json", lambda people: met(("bob", BOB)))
    assert (tmp_path / LOCK).stat().st_mode & 0o777 == 0o600
