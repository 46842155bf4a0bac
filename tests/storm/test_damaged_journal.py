"""A journal in which something was changed is one row of a list: all that lists goes on, and nobody is accused."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from helpers import daily_first
from helpers_commands import run
from helpers_home import begun, ended
from helpers_people import BOB, met
from helpers_storm import StormPair

from cli.app import join, menu
from cli.match import stored
from cli.meeting.meeting import PendingInvite
from cli.meeting.reachability import LocalEndpoint, PeerEndpoint
from cli.storage import people
from cli.storage.home import Home
from cli.text import failures
from protocol.crypto.keys import PrivateKey
from protocol.reach.invite import Invite
from protocol.record import journal, keyfile
from protocol.record.journal import Journal, JournalError
from protocol.transport.certificate import Certificate

FLIPS, VALUES, BLOCK = 500, 250, 25
"""How many cases there are, and how many are one test; the first block of each kind is run every day."""
CODES = {"damaged", "failed", "older", "newer"}
ACCUSATIONS = ("cheat", "misbehav", "tamper", "convicted", "STOP", "Traceback")


@dataclass(frozen=True)
class Beside:
    """A home with two matches that go on and one that is finished; the first of them is changed."""

    home: Home
    changed: Path
    whole: bytes
    others: frozenset[str]
    """The numbers of the other two."""
    finished: str


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Beside:
    home = Home(tmp_path_factory.mktemp("home"))
    numbers, files = [], []
    for tag in ("one", "two", "three"):
        pair = StormPair(tag=tag)
        pair.play_out(limit=10_000 if tag == "three" else 8)
        with begun(home, pair) as book:
            endpoint = LocalEndpoint(Certificate.make(), bytes(range(16)), "127.0.0.1", 4711)
            for name, value in {**endpoint.kept(), **PeerEndpoint(bytes(16), (("127.0.0.1", 4712),)).kept()}.items():
                book.keep(name, value)
            if tag == "three":
                ended(home, pair.host, book)
            numbers.append(pair.host.agreement.match_id.hex())
            files.append(book.path)
    people.change(home.people_file, lambda _: met(("Gustav", BOB)))
    return Beside(home, files[0], files[0].read_bytes(), frozenset(numbers[1:]), numbers[2])


def said(beside: Beside, *words: str, codes: tuple[int, ...] = (0,)) -> str:
    """Return what a command writes, which accuses nobody; it ends with one of these codes."""
    try:
        done = run(*words, "--home", str(beside.home.folder), code=codes[0])
    except AssertionError as error:
        done = error.args[0]
        assert done.returncode in codes
    assert not any(word in done.stdout + done.stderr for word in ACCUSATIONS), done
    return str(done.stdout + done.stderr)


def list_all(beside: Beside, number: int, least: int = 3) -> None:
    """Run what lists matches beside the changed one; all that does so, or finds one by its number, each fifth time.

    At least so many of the three are listed: a value may say that the changed one is finished, or never began.
    """
    found = json.loads(said(beside, "history", "--json"))
    numbers = {one["match"] for one in found["matches"]}
    assert beside.others <= numbers
    assert least <= len(found["matches"]) + len(found["unread"]) <= 3
    for one in found["unread"]:
        assert one["file"] == beside.changed.name
        if one["code"] == "no-log" and least < 3:
            continue
        assert one["code"] in CODES
        assert one["text"] == f"{one['file']}: {failures.sentence(one['code'], '')}"
    # That there is no such match is said with the list of those that may be it.
    listed = said(beside, "resume", "abcde", codes=(2,))
    unread = stored.unreadable(journal.list_matches(beside.home.matches))
    assert (beside.changed.name in listed) == bool(unread)
    assert bool(found["unread"]) >= bool(unread)
    assert least - 1 <= len(menu.look(beside.home.folder)["matches"]) <= 2
    use(beside)
    if number % 5 == 0:
        shown = said(beside, "history")
        assert all(one["text"] in shown for one in found["unread"])
        assert "Gustav" in said(beside, "people")
        said(beside, "key", "show")
        said(beside, "verify", beside.finished[:8])
        assert beside.finished[:4] in said(beside, "replay", beside.finished[:8], "--text")
        looked = menu.look_back(beside.home.folder)
        assert least <= len(looked["history"]) <= 3
        assert len(looked["people"]) == 1


def use(beside: Beside) -> None:
    """Use the changed match itself: it works, or is damaged."""
    local = beside.changed.name.removesuffix(journal.SUFFIX)
    said(beside, "export", local, codes=(0, 1, 2))
    with suppress(JournalError), Journal.open(beside.home.matches, local) as book:
        for reader in (LocalEndpoint.of, PeerEndpoint.of, lambda book: book.read_word("computer")):
            with suppress(JournalError):
                reader(book)
        assert stored.restore(book, beside.home).stopped is None


def blocks(count: int) -> list[Any]:
    return [pytest.param(at, marks=[pytest.mark.long] if at else []) for at in range(0, count, BLOCK)]


def put(beside: Beside, data: bytes) -> None:
    for leftover in beside.changed.parent.glob(f"{beside.changed.name}-*"):
        leftover.unlink()
    # What was exported of the changed one would be found in the next case.
    for log in beside.home.logs.iterdir():
        if beside.finished[:4] not in log.name:
            log.unlink()
    beside.changed.write_bytes(data)


@pytest.mark.parametrize("block", blocks(FLIPS))
def test_a_flipped_bit_of_one_journal_ends_no_command_that_lists(beside: Beside, block: int) -> None:
    draw = random.Random(block)
    for number in range(BLOCK):
        broken = bytearray(beside.whole)
        # Head and schema, where sqlite itself stumbles, are short and come as often as all the rest.
        broken[draw.randrange(2_048 if number % 2 else len(broken))] ^= 1 << draw.randrange(8)
        put(beside, bytes(broken))
        list_all(beside, number)
    put(beside, beside.whole)


ODD = (
    None, 0, -1, 1 << 36, 1 << 37, 1 << 62, -(1 << 63), 1.5, float("inf"), "", "text", "host", "guest", "open",
    "finished", "\0", "a\0b", "\x1b[2J", "\u202e" * 5, "x" * 5_000, "../../x", b"", b"\0", b"\xff" * 32, bytes(32),
    bytes(80), b"x" * 100_000, "[]", b"{}", b'{"bind": 7, "port": "x"}', b'{"bind": null, "port": 99999999}',
    b'{"pin": "zz", "candidates": 7}', b'{"pin": "00", "candidates": [["a", 1, 2]]}', b"[" * 100_000, b"\xff\xfe",
    b"null", b"nobody", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
)  # fmt: skip
"""What may stand in any column, whatever its type."""


def change_a_value(path: Path, draw: random.Random) -> None:
    """Put something else into one column of one row, with the checksum that belongs to it, where there can be one."""
    value = draw.choice(ODD)
    with closing(sqlite3.connect(path, isolation_level=None)) as db, suppress(sqlite3.IntegrityError):
        table = draw.choice(("match", "record", "kept"))
        if table == "match":
            columns = "started_at, role, name, opponent, match_id, state, log, box"
            row = list(db.execute(f"SELECT {columns} FROM match").fetchone())
            row[draw.randrange(len(row))] = value
            db.execute(f"REPLACE INTO match (one, {columns}, sum) VALUES (1{', ?' * 9})", (*row, total(row)))
        elif table == "kept":
            name = draw.choice(("door", "certificate", "secret", "place", "computer", "trailer", "clock"))
            db.execute("REPLACE INTO kept VALUES (?, ?, ?)", (name, value, total([name, value])))
        else:
            rows = db.execute("SELECT number, ours, kind, frame FROM record").fetchall()
            number, ours, kind, frame = draw.choice(rows)
            flipped = bytearray(frame)
            flipped[draw.randrange(len(frame))] ^= 1 << draw.randrange(8)
            ours, kind, frame = draw.choice(
                (
                    (value, kind, frame),
                    (ours, value, frame),
                    (ours, kind, value),
                    (ours, kind, bytes(flipped)),
                    (ours, kind, draw.choice(rows)[3]),
                    (ours, draw.randrange(300), frame),
                )
            )
            row = [number, ours, kind, frame]
            db.execute("REPLACE INTO record VALUES (?, ?, ?, ?, ?)", (*row, total(row)))


def total(row: list[Any]) -> int:
    """Return the checksum of a row, or none for a row that has none."""
    sums = {
        8: lambda: journal._match_sum(tuple(row)),
        4: lambda: journal._record_sum(*row),
        2: lambda: journal._kept_sum(*row),
    }
    try:
        return sums[len(row)]()
    except (TypeError, ValueError, AttributeError, OverflowError):
        return 0


@pytest.mark.parametrize("block", blocks(VALUES))
def test_a_changed_value_with_the_right_checksum_ends_no_command_that_lists(beside: Beside, block: int) -> None:
    draw = random.Random(block)
    for number in range(BLOCK):
        put(beside, beside.whole)
        change_a_value(beside.changed, draw)
        list_all(beside, number, 2)
    put(beside, beside.whole)


@pytest.mark.parametrize("first", daily_first(range(0, 25, 5)))
def test_what_was_found_about_a_log_is_not_believed_after_a_flipped_bit(first: int, tmp_path: Path) -> None:
    home = Home(tmp_path)
    run("key", "show", "--home", str(home.folder))
    pair = StormPair(tag="kept")
    pair.play_out()
    with begun(home, pair) as book:
        ended(home, pair.host, book)
    before = run("history", "--home", str(tmp_path)).stdout
    (kept,) = (tmp_path / "judged").iterdir()
    whole = kept.read_bytes()
    for at in range(first, len(whole), 25):
        broken = bytearray(whole)
        broken[at] ^= 1 << at % 8
        kept.write_bytes(broken)
        assert run("history", "--home", str(tmp_path)).stdout == before


def test_an_invite_whose_match_may_be_in_a_damaged_journal_begins_no_match_anew(tmp_path: Path) -> None:
    home, pair = Home(tmp_path), StormPair(tag="invited")
    invite = Invite((("127.0.0.1", 1),), bytes(16), bytes(16), bytes(16), 2**32 - 1, bytes(16))
    with begun(home, pair) as book:
        path = book.path
    call = PendingInvite(home.matches, invite.secret, invite.expires)
    call.begin("Hanna", pair.configs[0].identity)
    call.begun(pair.host.agreement.match_id)
    assert join._begun(invite, home) == path.stem
    path.write_bytes(b"nothing")
    # It would sign from its first message on, and the other side holds what it signed before.
    with pytest.raises(stored.NotFound, match="damaged"):
        join._begun(invite, home)


def test_a_damaged_journal_does_not_keep_another_identity_out(tmp_path: Path) -> None:
    home, pair = Home(tmp_path / "home"), StormPair(tag="import")
    with begun(home, pair) as book:
        path = book.path
    keyfile.save(tmp_path / "moved.key", PrivateKey(bytes(32)))
    run("key", "import", str(tmp_path / "moved.key"), "--home", str(home.folder), code=1)
    path.write_bytes(b"nothing")
    run("key", "import", str(tmp_path / "moved.key"), "--home", str(home.folder))
