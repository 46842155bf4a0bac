"""The list of all matches of a home: what is in it, what is left out with a sentence, and the score."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from helpers import ROOT
from helpers_commands import run
from helpers_home import begin, begun
from helpers_storm import StormPair
from helpers_wire import identity

from cli.app import menu
from cli.app.history import rows
from cli.events import judging
from cli.match import history, stored
from cli.match.history import Played, Result
from cli.runtime.console import UsageError
from cli.storage import people
from cli.storage.home import Home, find_log
from cli.storage.people import People
from cli.text import wording
from protocol.record import keyfile
from protocol.record.journal import Journal, StoredState, list_matches
from protocol.system import files

LOGS = max((ROOT / "tests" / "logs").glob("protocol*"))
KINDS = ("hash-plain-rules", "hash-open-draw", "hash-dealt-rules-clock", "hash-challenge-resigned-witness")
"""Matches of Hanna against Gustav that she won, drew, won and lost; the oldest first."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return the home of Hanna with some of her logs."""
    made = Home(tmp_path / "home")
    made.prepare()
    keyfile.save(made.key_file, identity("host"))
    for number, kind in enumerate(KINDS):
        data = (LOGS / f"{kind}.storm").read_bytes()
        match = json.loads((LOGS / "expected.json").read_bytes())[f"{kind}.storm"]["match"]
        path = made.logs / f"2026-11-2{number}-gustav-{match[:4]}.storm"
        path.write_bytes(data)
        os.utime(path, (1_790_000_000 + number, 1_790_000_000 + number))
    return made


def test_the_list_of_the_menu_is_found_by_the_game_and_by_how_a_match_ended(home: Home) -> None:
    found = menu.look_back(home.folder)["history"]
    assert [("storm over olympus" in f"{row.text} {row.more}".casefold()) for row in found] == [True] * len(KINDS)
    assert [row.more.endswith(" resignation") for row in found] == [True, False, False, False]


NONE = dict.fromkeys(map(str, Result), 0)
"""No match yet, of whatever result."""


def listed(home: Home, *words: str) -> dict[str, Any]:
    """Return what the command says to programs."""
    found: dict[str, Any] = json.loads(run("history", "--json", "--home", str(home.folder), *words).stdout)
    return found


def results(home: Home, *words: str) -> list[str]:
    return [one["result"] for one in listed(home, *words)["matches"]]


def test_every_match_stands_in_a_line_with_the_newest_first_and_the_score_below(home: Home) -> None:
    lines = run("history", "--home", str(home.folder)).stdout.splitlines()
    assert lines[0].split() == ["match", "begun", "opponent", "side", "result", "turns", "terms"]
    assert [line.split()[3:6] for line in lines[1:5]] == [
        ["Gustav", "Chthonians", result] for result in ("lost", "won", "drawn", "won")
    ]
    assert "random setup" in lines[2]
    assert lines[-1].strip() == "Gustav: 2 won, 1 lost, 1 drawn"


def test_programs_get_all_of_it(home: Home) -> None:
    found = listed(home)
    assert found["scores"] == [{"opponent": "Gustav", "also": [], "won": 2, "lost": 1, "draw": 1, "unfinished": 0}]
    assert found["unread"] == []
    newest = found["matches"][0]
    assert newest["began"] == 1_790_000_003
    assert newest["key"] == identity("guest").public.hex()
    assert (newest["seat"], newest["reason"], newest["confirmed"]) == ("chthonians", "resignation", True)
    assert newest["terms"] == {"open_combat": False, "random_setup": False, "challenge": newest["terms"]["challenge"]}
    assert newest["terms"]["challenge"] != 0
    assert Path(newest["log"]).parent == home.logs
    assert all(one["turns"] >= 0 for one in found["matches"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--result", "won"), ["won", "won"]),
        (("--result", "draw"), ["draw"]),
        (("--variant", "random-setup"), ["won"]),
        (("--game", "storm"), ["lost", "won", "draw", "won"]),
        (("--game", "fight"), []),
        (("--variant", "challenge"), ["lost"]),
        (("--variant", "standard"), ["won"]),
        (("--against", "GUSTAV", "--seat", "chthonians"), ["lost", "won", "draw", "won"]),
        (("--against", "bob"), []),
        (("--seat", "olympians"), []),
        (("--unconfirmed",), []),
    ],
)
def test_only_what_is_wanted_is_listed(home: Home, words: tuple[str, ...], expected: list[str]) -> None:
    assert results(home, *words) == expected
    if not expected:
        assert "No match fits" in run("history", "--home", str(home.folder), *words).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--game", "fight", "--seat", "olympians"), "Fight for Olympus has no side olympians; its sides are 0 and 1."),
        (("--game", "storm", "--seat", "0"), "its sides are chthonians and olympians."),
        (("--game", "fight", "--variant", "challenge"), "--variant challenge is not for Fight for Olympus."),
    ],
)
def test_a_side_or_variant_that_the_game_does_not_have_is_refused(
    home: Home, words: tuple[str, ...], said: str
) -> None:
    assert said in run("history", "--home", str(home.folder), *words, code=2).stderr


def test_a_log_is_judged_only_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    before = history.read(home)

    def refuse(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(judging, "verify_together", refuse)
    assert history.read(home) == before


def test_what_is_known_of_a_log_costs_neither_a_signature_nor_another_look(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(home).close()
    before = history.read(home)
    opened: Counter[str] = Counter()

    def refuse(*_: object) -> None:
        raise AssertionError("checked again")

    def count(path: Path) -> Any:
        opened[Path(path).name] += 1
        return open_file(path)

    def count_journal(folder: Path, local_id: str, **named: Any) -> Journal:
        opened[local_id] += 1
        return open_journal(folder, local_id, **named)

    open_file, open_journal = files.open_file, Journal.open
    monkeypatch.setattr(judging, "read_agreement", refuse)
    monkeypatch.setattr(files, "open_file", count)
    monkeypatch.setattr(Journal, "open", count_journal)
    assert history.read(home).matches == before.matches
    logs_opened = [times for name, times in opened.items() if name.endswith(".storm")]
    assert logs_opened == [1] * len(KINDS)
    # What is kept of each log is opened once, and a match without a log once for the list and once for its names.
    assert max(opened.values()) <= 2
    assert sum(opened.values()) <= 2 * len(KINDS) + 4


def test_people_costs_twice_as_much_for_twice_as_many(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    one = history.read(home).matches[0]

    def calls(number: int) -> int:
        """Return how many functions are called for so many people with as many matches."""
        keys = [index.to_bytes(32, "big") for index in range(number)]
        book = People(tuple(people.Person(f"friend {index}", (key,), "2026-11-21") for index, key in enumerate(keys)))
        people.change(home.people_file, lambda _: book)
        played = tuple(replace(one, match=key, key=key, opponent=f"friend {key[-1]}") for key in keys)
        monkeypatch.setattr(history, "read", lambda home, on_many=None: history.History(played))
        counted = 0

        def count(frame: object, event: str, given: object) -> None:
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            run("people", "--json", "--home", str(home.folder))
        finally:
            sys.setprofile(None)
        return counted

    calls(1)
    few, many = calls(300), calls(600)
    assert many < 2.2 * few


def test_a_broken_or_foreign_file_has_its_sentence_and_the_rest_is_listed(home: Home) -> None:
    whole = (LOGS / "hash-plain-rules.storm").read_bytes()
    (home.logs / "altered.storm").write_bytes(whole[:-1] + bytes((whole[-1] ^ 1,)))
    (home.logs / "cut.storm").write_bytes(whole[:900])
    (home.logs / "junk.storm").write_bytes(b"junk")
    (home.logs / "folder.storm").mkdir()
    (home.logs / "notes.txt").write_text("mine")
    (home.logs / "x.storm.marks.json").write_text("[]")
    (home.matches / "20261121-00000000.match").write_bytes(b"no database")
    others = StormPair(tag="others", people=(identity("ann"), identity("ben")))
    (home.logs / "others.storm").write_bytes(others.log())
    found = listed(home)
    assert len(found["matches"]) == len(KINDS)
    assert {one["file"]: one["code"] for one in found["unread"]} == {
        "altered.storm": "bad_trailer",
        "cut.storm": "cut",
        "junk.storm": "not-a-log",
        "folder.storm": "unreadable",
        "notes.txt": "other",
        "others.storm": "foreign",
        "20261121-00000000.match": "damaged",
    }
    told = run("history", "--home", str(home.folder)).stdout
    for one in found["unread"]:
        assert f"  {one['text']}" in told.splitlines()
    assert "others.storm: This is the log of a match between others." in told
    assert "marks" not in told


def test_the_log_of_the_other_player_shows_the_match_from_this_side(home: Home) -> None:
    home.key_file.unlink()
    keyfile.save(home.key_file, identity("guest"))
    assert results(home, "--against", "hanna", "--seat", "olympians") == ["won", "lost", "draw", "lost"]


def test_a_key_that_was_put_aside_is_still_the_players_own(home: Home) -> None:
    home.key_file.rename(home.folder / f"identity-{identity('host').public.hex()[:16]}.key")
    keyfile.save(home.key_file, identity("new"))
    assert len(results(home)) == len(KINDS)


@pytest.mark.usefixtures("cheap_locks")
def test_a_locked_key_hides_no_match_that_began_here(home: Home) -> None:
    keyfile.save(home.key_file, identity("host"), b"secret")
    expected = json.loads((LOGS / "expected.json").read_bytes())
    assert [one["code"] for one in listed(home)["unread"]] == ["foreign"] * len(KINDS)
    with begin(home, bytes.fromhex(expected[f"{KINDS[0]}.storm"]["match"]), "Gustav") as book:
        book.end(StoredState.FINISHED, home.logs / "x.storm")
    # Nothing else tells which of the two is the player of this machine: Gustav has written the log.
    assert results(home) == ["lost"]


def test_two_logs_of_a_match_are_one_match(home: Home) -> None:
    shutil.copy(home.logs / next(iter(sorted(os.listdir(home.logs)))), home.logs / "copy.storm")
    assert len(results(home)) == len(KINDS)


def test_of_several_logs_of_a_match_the_longest_is_replayed(home: Home) -> None:
    pair = StormPair(tag="twice")
    for name in ("x", "x-2", "x-3"):
        (home.logs / f"{name}.storm").write_bytes(pair.log())
        pair.play_out(limit=4)
    found = listed(home)["matches"]
    assert len(found) == len(KINDS) + 1
    assert Path(found[0]["log"]).name == "x-3.storm"


def test_a_finished_match_without_its_log_says_how_to_get_it(home: Home) -> None:
    with begin(home) as book:
        book.end(StoredState.FINISHED, home.logs / "gone.storm")
    (one,) = listed(home)["unread"]
    assert one["code"] == "no-log"
    assert "storm-p2p export fa9a" in one["text"]


def test_nothing_played_yet_is_said(tmp_path: Path) -> None:
    done = run("history", "--home", str(tmp_path / "new"))
    assert done.stdout == ""
    assert "No match has been played here yet" in done.stderr


def played(
    number: bytes, opponent: str, result: Result = Result.WON, key: bytes = b"", *, is_computer: bool = False
) -> Played:
    key = key or opponent[:3].lower().encode().ljust(32)
    match = number + bytes(32 - len(number))
    return Played(match, 0, opponent, key, "chthonians", "x", None, result, is_computer=is_computer)


def test_whoever_takes_a_friends_name_gets_none_of_the_friends_score(home: Home) -> None:
    assert len(results(home, "--against", "gustav")) == len(KINDS)
    # The friend has another key than the one that has played under the name.
    people.change(home.people_file, lambda book: People().learn("Gustav", bytes(32), "2026-11-21"))
    assert not results(home, "--against", "gustav")
    (friend,) = json.loads(run("people", "--json", "--home", str(home.folder)).stdout)
    assert set(friend["score"].values()) == {0}


def test_numbers_have_as_many_digits_as_tell_them_apart() -> None:
    matches = [played(number, "a") for number in (b"\xfd\x14\x01", b"\xfd\x14\x02", b"\xfd\x15\x01")]
    assert list(history.numbers(matches).values()) == ["fd1401", "fd1402", "fd15"]
    assert [row[0] for row in rows(matches)] == ["fd1401", "fd1402", "fd15"]
    assert history.numbers([]) == {}


def test_a_name_stands_for_one_opponent_however_it_is_written() -> None:
    matches = [played(b"1", "Bob"), played(b"2", "carl", Result.UNFINISHED), played(b"3", "bob\u200b", Result.LOST)]
    found = history.opponents(matches)
    assert [(one.name, one.others, one.score) for one in found] == [
        ("Bob", (), NONE | {"won": 1, "lost": 1}),
        ("carl", (), NONE | {"unfinished": 1}),
    ]


def test_a_key_is_one_opponent_under_all_names_but_for_the_computer_players_who_share_one() -> None:
    key, shared = bytes([7]) * 32, bytes([8]) * 32
    matches = [
        played(b"1", "Robert", key=key),
        played(b"2", "carl"),
        played(b"3", "Bob", Result.LOST, key=key),
        played(b"4", "computer greedy", key=shared, is_computer=True),
        played(b"5", "computer oracle", Result.LOST, key=shared, is_computer=True),
        played(b"6", "Bobby", Result.DRAW, key=key),
    ]
    found = history.opponents(matches)
    assert [(one.name, one.others) for one in found] == [
        ("Robert", ("Bob", "Bobby")),
        ("carl", ()),
        ("computer greedy", ()),
        ("computer oracle", ()),
    ]
    assert found[0].score == NONE | {"won": 1, "lost": 1, "draw": 1}
    assert [one.match[:1] for one in history.against(matches, "BOB")] == [b"1", b"3", b"6"]
    assert wording.also_called(found[0].name, found[0].others) == "Robert (also Bob and Bobby)"
    # A name of the other side's choice looks like no row of two.
    assert wording.also_called("Bob (also Robert)", ()) == '"Bob (also Robert)"'
    assert wording.also_called('Bob"', ("Al, Ed",)) == '"Bob\'" (also "Al, Ed")'


def test_a_match_is_replayed_by_its_number(home: Home) -> None:
    newest = listed(home)["matches"][0]
    number = newest["match"]
    for digits in (number[:4], number[:9].upper(), number):
        assert find_log(home, digits) == Path(newest["log"])
    assert number[:16] in run("replay", number[:4], "--text", "--home", str(home.folder)).stdout
    assert find_log(home, "fa9") == Path("fa9")
    twin = home.logs / f"2026-11-29-bob-{number[:4]}.storm"
    shutil.copy(next(home.logs.glob("2026-11-20*")), twin)
    # What the name of a file says proves nothing.
    assert find_log(home, number[:4]) == Path(newest["log"])


def test_a_link_that_leads_nowhere_takes_no_log_away(home: Home) -> None:
    newest = find_log(home, "last")
    assert newest is not None
    (home.logs / "gone.storm").symlink_to("nothing")
    assert find_log(home, "last") == newest


def test_several_matches_with_one_beginning_ask_for_more_digits(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(bytes([n]), home.logs / f"{n}.storm") for n in (1, 2)]
    monkeypatch.setattr("cli.storage.home.logs_of", lambda home, digits: found)
    with pytest.raises(UsageError, match="Several matches begin with fa9a"):
        find_log(home, "fa9a")


def test_people_shows_the_score_against_each(home: Home) -> None:
    book = People().learn("gustav", identity("guest").public, "2026-11-21").learn("carl", bytes(32), "2026-11-21")
    people.change(home.people_file, lambda _: book)
    lines = run("people", "--home", str(home.folder)).stdout.splitlines()
    assert lines[1] == "  2 won, 1 lost, 1 drawn"
    assert lines[4] == f"  {bytes(32).hex()}"
    found = json.loads(run("people", "--json", "--home", str(home.folder)).stdout)
    assert [one["score"] for one in found] == [
        {"won": 2, "lost": 1, "draw": 1, "unfinished": 0},
        {"won": 0, "lost": 0, "draw": 0, "unfinished": 0},
    ]


def test_somebody_with_two_names_is_one_row_of_the_address_book(home: Home) -> None:
    key = identity("guest").public
    book = People().learn("gustav", key, "2026-11-21").learn("carl", bytes(32), "2026-11-21")
    people.change(home.people_file, lambda _: book.learn("Gus", key, "2026-11-22"))
    lines = run("people", "--home", str(home.folder)).stdout.splitlines()
    assert lines == [
        "Gus (also gustav), since 2026-11-21",
        "  2 won, 1 lost, 1 drawn",
        f"  {key.hex()}",
        "carl, since 2026-11-21",
        f"  {bytes(32).hex()}",
    ]
    found = json.loads(run("people", "--json", "--home", str(home.folder)).stdout)
    assert [(one["name"], one["also"], one["score"]["won"]) for one in found] == [
        ("Gus", ["gustav"], 2),
        ("gustav", ["Gus"], 2),
        ("carl", [], 0),
    ]


# -- taking one off the list --------------------------------------------------------------------------------


def test_a_deleted_match_lies_in_the_trash_for_thirty_days_and_can_be_put_back(home: Home) -> None:
    at = ("--home", str(home.folder))
    newest = listed(home)["matches"][0]
    log, number = Path(newest["log"]), newest["match"][:6]
    marks = log.with_name(f"{log.name}.marks.json")
    marks.write_text("{}")
    log.with_name(f"again-{log.name}").write_bytes(log.read_bytes())
    assert "--yes" in run("history", "delete", number, *at, code=2).stderr
    assert "Nothing was changed" in run("history", "delete", number, *at, code=2).stderr
    assert len(results(home)) == 4
    assert str(home.trash) in run("history", "delete", number, "--yes", *at).stdout
    assert len(results(home)) == 3
    assert not marks.exists()
    (folder,) = home.trash.iterdir()
    (folder / "logs" / log.name).rename(log)
    assert listed(home)["matches"][0]["match"] == newest["match"]
    for word in ("zzzz", ""):
        run("history", "delete", word, "--yes", *at, code=2)
    run("history", "burn", number, *at, code=2)
    assert 'instead of "delete"' in run("history", "delete", *at, code=2).stderr
    thrown = date.fromisoformat(folder.name[:10])
    # The clock of the machine was wrong; such a day is kept.
    (home.trash / "9999-12-31-00000000").mkdir()
    history.empty_trash(home, thrown + timedelta(30))
    assert folder.exists()
    history.empty_trash(home, thrown + timedelta(31))
    assert not folder.exists()


def test_an_unfinished_match_is_abandoned_before_it_is_deleted_and_its_journal_stays_whole(tmp_path: Path) -> None:
    home, at = Home(tmp_path), ("--home", str(tmp_path))
    with begun(home, StormPair()) as book:
        records = book.read_entries()
        number = (book.match.match_id or b"").hex()
    run("history", "delete", number, "--yes", *at, code=2)
    assert [one.match_id for one in stored.unfinished(home)] == [bytes.fromhex(number)]
    run("history", "abandon", number, "--yes", *at)
    assert stored.unfinished(home) == []
    assert "abandoned" in run("history", *at).stdout
    run("history", "abandon", number, "--yes", *at, code=2)
    (kept,) = list_matches(home.matches)
    with Journal.open(home.matches, kept.local_id) as book:
        assert book.read_entries() == records
    # Its number still continues it.
    assert stored.find(home, number[:4]) == kept.local_id
    run("history", "delete", number, "--yes", *at)
    assert list_matches(home.matches) == []
    assert len(list(home.trash.glob(f"*/matches/{kept.local_id}.match"))) == 1


def test_a_match_whose_end_is_looked_at_is_listed_as_over(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with begun(home, StormPair()) as book:
        assert [one.problem is not None for one in list_matches(home.matches)] == [True]
        book.end(StoredState.FINISHED, home.logs / "log")
        book.erase(bytes(4 + 1 + 64))
        for _ in range(2):
            assert [one.match and one.match.state for one in list_matches(home.matches)] == [StoredState.FINISHED]
        # What is kept once more is there, too.
        book.keep("held by both", b"yes")
        local = book.local_id
    with Journal.open(home.matches, local) as again:
        assert again.is_erased
        assert again.read_kept("held by both") == b"yes"
