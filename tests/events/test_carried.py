"""A file that somebody else has brought: what is taken into a folder, under which name, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers_events import Club
from helpers_tournament import ORGANISER, STRANGER, event_of
from hypothesis import given
from hypothesis import strategies as st

from cli.events import carried, folder
from cli.events.carried import Fate, Intake, Taken, check, read_lines, write_line
from protocol.core import wire
from protocol.crypto.keys import PrivateKey
from protocol.record import logfile
from protocol.tournament.contents import (
    Absence,
    Claim,
    Close,
    Coin,
    Content,
    Data,
    Entry,
    Matter,
    Notice,
    Ready,
    Ruling,
    System,
    Topic,
)
from protocol.tournament.documents import DOCUMENT_LIMIT, VERSION, read, sign

EVENT = read(sign(ORGANISER, event_of(System.KNOCK_OUT)))
OTHER = read(sign(ORGANISER, event_of(System.ROUND_ROBIN)))
ENTRY = sign(STRANGER, Entry(EVENT.id, "../Ann: x", bytes(32)))


def take(path: Path, event: bytes, data: bytes) -> Taken:
    """Take one file into a folder, as a program does that looks into it for the first time."""
    return Intake(path, event).take(data)


def test_a_document_of_the_event_is_added_once_under_a_name_of_our_own(tmp_path: Path) -> None:
    assert take(tmp_path, EVENT.id, EVENT.data).fate is Fate.ADDED
    fate, name = take(tmp_path, EVENT.id, ENTRY)
    assert (fate, name) == (Fate.ADDED, f"entry-ann-x-{read(ENTRY).id.hex()[:16]}.event")
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {EVENT.data, ENTRY}
    assert take(tmp_path, EVENT.id, ENTRY) == (Fate.HELD, "")
    (tmp_path / name).rename(tmp_path / "another.event")
    assert take(tmp_path, EVENT.id, ENTRY) == (Fate.HELD, "")
    ready = sign(STRANGER, Ready(EVENT.id, 1, 2, 1, 3))
    assert take(tmp_path, EVENT.id, ready).name.startswith("ready-1-2-1-")


def keys(number: int) -> list[PrivateKey]:
    """Return keys of people of whom nobody has heard."""
    return [PrivateKey(bytes((7, at // 256, at % 256)) + bytes(29)) for at in range(number)]


def test_whoever_is_not_in_fills_no_folder_with_signed_junk(tmp_path: Path) -> None:
    take(tmp_path, EVENT.id, EVENT.data)
    junk: list[Content] = [
        Data(EVENT.id, bytes(60_000)),
        Close(EVENT.id, 1, EVENT.id, ()),
        Notice(EVENT.id, 1, EVENT.id, Topic.ANNOUNCEMENT, 1, text="Ann has won."),
        Ruling(EVENT.id, 1, EVENT.id, Matter.WITHDRAWAL, 1, player=1),
        Coin(EVENT.id, bytes(32), bytes(32), bytes(32)),
        Claim(EVENT.id, 1, 1, 1, 1),
        Absence(EVENT.id, 1, 1),
    ]
    for content in junk:
        assert take(tmp_path, EVENT.id, sign(STRANGER, content)) == (Fate.STRANGER, "")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [EVENT.data]
    # The organiser may, whatever the file is called in which the announcement lies.
    next(tmp_path.iterdir()).rename(tmp_path / "z.event")
    for content in junk[:3]:
        assert take(tmp_path, EVENT.id, sign(ORGANISER, content)).fate is Fate.ADDED


def test_a_player_adds_as_much_as_there_is_room_for_each_of_them_and_no_more(tmp_path: Path) -> None:
    take(tmp_path, EVENT.id, EVENT.data)
    intake = Intake(tmp_path, EVENT.id)
    assert [intake.take(sign(STRANGER, Entry(EVENT.id, f"Ann {at}", bytes(32)))).fate for at in range(6)] == [
        *([Fate.ADDED] * 4),
        *([Fate.STRANGER] * 2),
    ]
    size = len(sign(STRANGER, Absence(EVENT.id, 1, 1)))
    early = [intake.take(sign(STRANGER, Absence(EVENT.id, at, 1))).fate for at in range(1, 50)]
    assert early.count(Fate.ADDED) == 4096 // size
    ann, bob = keys(2)
    entries = [read(sign(key, Entry(EVENT.id, "x", bytes(32)))) for key in (ann, bob)]
    close = sign(ORGANISER, Close(EVENT.id, 1, EVENT.id, tuple(sorted(one.id for one in entries))))
    said = [sign(key, Ready(EVENT.id, 1, 1, 1, at)) for key in (ann, bob, STRANGER) for at in range(30)]
    fates = [one.fate for _, one in intake.take_all(("", data) for data in (*said, entries[0].data, close))]
    # What was refused at first is taken when close and entry are there; of the one without an entry nothing is.
    assert (fates.count(Fate.ADDED), fates.count(Fate.STRANGER)) == (32, 60)
    assert Intake(tmp_path, EVENT.id).take(entries[1].data).fate is Fate.ADDED
    assert take(tmp_path, EVENT.id, said[30]).fate is Fate.ADDED
    assert take(tmp_path, EVENT.id, said[60]).fate is Fate.STRANGER


def test_before_the_announcement_is_there_strangers_fill_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried, "_BEFORE", 2000)
    junk = [sign(key, Entry(EVENT.id, "x", bytes(32))) for key in keys(20)]
    for files in (junk, junk[:0:-1]):
        for data in files:
            take(tmp_path, EVENT.id, data)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 2000
    fates = [one.fate for _, one in Intake(tmp_path, EVENT.id).take_all([("", ENTRY), ("", EVENT.data)])]
    assert fates == [Fate.ADDED, Fate.ADDED]


def test_an_arbiter_who_was_named_later_may_rule_whichever_file_comes_first(tmp_path: Path) -> None:
    take(tmp_path, EVENT.id, EVENT.data)
    named = sign(ORGANISER, Notice(EVENT.id, 1, EVENT.id, Topic.ARBITER, 1, (STRANGER.public,)))
    ruling = sign(STRANGER, Ruling(EVENT.id, 1, EVENT.id, Matter.LATE_ENTRY, 1, entry=read(ENTRY).id))
    fates = [one.fate for _, one in Intake(tmp_path, EVENT.id).take_all([("", ruling), ("", named)])]
    assert fates == [Fate.ADDED, Fate.ADDED]


def test_an_organiser_and_each_arbiter_add_as_much_as_there_is_room_for_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried, "_OFFICE", 2000)
    ann, bob = keys(2)
    named = [sign(ORGANISER, Notice(EVENT.id, 1, EVENT.id, Topic.ARBITER, 1, (one.public,))) for one in (ann, bob)]
    intake = Intake(tmp_path, EVENT.id)
    assert [intake.take(data).fate for data in (EVENT.data, *named)] == [Fate.ADDED] * 3
    added = []
    for key in (ann, bob, ORGANISER):
        rulings = [sign(key, Ruling(EVENT.id, at, EVENT.id, Matter.WITHDRAWAL, 1, player=1)) for at in range(1, 20)]
        fates = [intake.take(ruling).fate for ruling in rulings]
        added.append(fates.count(Fate.ADDED))
        assert fates == [Fate.ADDED] * added[-1] + [Fate.STRANGER] * (19 - added[-1])
    size = len(rulings[0])
    assert added == [2000 // len(intake._arbiters) // size] * 2 + [(2000 - 2 * len(named[0])) // size]
    # What lies in the folder already counts when somebody looks into it again.
    more = sign(ORGANISER, Notice(EVENT.id, 9, EVENT.id, Topic.ANNOUNCEMENT, 1, text="x" * 99))
    assert take(tmp_path, EVENT.id, more).fate is Fate.STRANGER


def test_what_the_organiser_has_said_is_read_before_what_fills_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "MOST", len(EVENT.data) + 500)
    (tmp_path / "event-1.event").write_bytes(EVENT.data)
    (tmp_path / "absence-1.event").write_bytes(bytes(501))
    assert [*folder.read_folder(tmp_path).documents] == ["event-1.event"]


def newer(number: int, version: int) -> bytes:
    """Return a document as a later program may write it."""
    return wire.encode((wire.encode((number, version, ORGANISER.public)), bytes(64)))


@pytest.mark.parametrize(
    ("data", "fate"),
    [
        (b"", Fate.FOREIGN),
        (b"\x92\x01", Fate.FOREIGN),
        (ENTRY[:-1] + bytes((ENTRY[-1] ^ 1,)), Fate.UNSIGNED),
        (OTHER.data, Fate.OTHER_EVENT),
        (sign(STRANGER, Entry(OTHER.id, "Ann", bytes(32))), Fate.OTHER_EVENT),
        (bytes(DOCUMENT_LIMIT + 1), Fate.TOO_LONG),
        (newer(1, VERSION + 1), Fate.VERSION),
        (newer(99, 1), Fate.VERSION),
        (logfile.MAGIC, Fate.FOREIGN),
        (b"storm-p2p log 4\n", Fate.VERSION),
        (logfile.MAGIC + bytes(logfile.SIZE_LIMIT), Fate.TOO_LONG),
        (logfile.dump([], 0, lambda digest: bytes(64)), Fate.UNSIGNED),
    ],
    ids=range(12),
)
def test_what_is_no_file_of_the_event_is_refused_and_leaves_nothing(tmp_path: Path, data: bytes, fate: Fate) -> None:
    assert take(tmp_path, EVENT.id, data) == (fate, "")
    assert not list(tmp_path.iterdir())


@given(st.binary(max_size=300) | st.binary(max_size=200).map(lambda data: logfile.MAGIC + data))
def test_any_bytes_are_refused_and_raise_nothing(data: bytes) -> None:
    assert isinstance(check(EVENT.id, data), Fate)


def test_a_log_is_taken_for_its_own_event_alone_and_only_as_it_was_signed(tmp_path: Path) -> None:
    club = Club(tmp_path)
    club.start("--games", "1")
    club.play(club.games()[0], sides=(1,))
    (log,) = (path.read_bytes() for path in club.folder.glob("*.storm"))
    there = tmp_path / "there"
    there.mkdir()
    assert take(there, EVENT.id, log).fate is Fate.OTHER_EVENT
    event = club.look().id
    assert take(there, event, log[:-1] + bytes((log[-1] ^ 1,))).fate is Fate.UNSIGNED
    assert take(there, event, log).name.startswith("game-1.1.1-")
    for path in there.iterdir():
        path.unlink()
    documents = {path.name: path.read_bytes() for path in club.folder.glob("*.event")}
    (announcement,) = (data for name, data in documents.items() if name.startswith("event-"))
    assert take(there, event, announcement).fate is Fate.ADDED
    # Whose match it is: of people who have not entered, as far as the folder shows.
    assert take(there, event, log).fate is Fate.STRANGER
    intake = Intake(there, event)
    assert {one.fate for _, one in intake.take_all([("", log), *documents.items()])} == {Fate.ADDED, Fate.HELD}
    assert take(there, event, log).fate is Fate.HELD


def test_a_line_survives_what_chats_and_mails_do_to_it() -> None:
    line = write_line(ENTRY)
    assert line.startswith("SOE1-")
    assert len(line) < 340
    quoted = "Hi!\n> " + "\n> ".join(line[at : at + 60] for at in range(0, len(line), 60)).lower() + "\n> see you, Ann"
    assert read_lines(quoted) == ([ENTRY], None)
    assert read_lines(f"{line} and {write_line(EVENT.data)}") == ([ENTRY, EVENT.data], None)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("hello SOO2-ABC", "not-found"),
        ("", "not-found"),
        (write_line(ENTRY)[:-9], "cut"),
        ("SOE1-", "cut"),
        (write_line(ENTRY).replace("SOE1", "SOE2"), "version"),
        (write_line(ENTRY)[:99] + "A" * 9 + write_line(ENTRY)[108:], "checksum"),
    ],
)
def test_a_line_that_is_no_good_says_why_and_takes_no_other_away(text: str, code: str) -> None:
    found, problem = read_lines(text)
    assert found == []
    assert problem is not None
    assert problem.code == code
    found, problem = read_lines(f"{write_line(EVENT.data)}\n{text}")
    assert found == [EVENT.data]
    assert (problem and problem.code) == (None if code == "not-found" else code)


@given(st.text(max_size=200) | st.text("ABCabc234=- >", max_size=200).map(lambda text: f"SOE1-{text}"))
def test_any_text_is_read(text: str) -> None:
    found, problem = read_lines(text)
    assert (problem is None) == bool(found)
