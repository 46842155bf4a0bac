"""The journal: what it took is there after a crash, nobody else reads it, and every fault has a word."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.core.agreement import Role
from protocol.core.frames import Entry, Record
from protocol.crypto.keys import PrivateKey
from protocol.record.journal import SCHEMA, SUFFIX, TRAILER, Journal, JournalError, StoredState, connect, list_matches

ENTROPY = bytes(range(32))
OWNER = PrivateKey(bytes(range(32, 64)))


def begin(folder: Path) -> Journal:
    return Journal.create(folder, started_at=0, role=Role.HOST, name="Ann", entropy=ENTROPY, identity=OWNER)


def entry(number: int, length: int = 400) -> Entry:
    return Entry(number % 2 == 0, Record(number % 7, number.to_bytes(4, "big") * (length // 4)))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with begin(tmp_path / "home" / "matches") as opened:
        yield opened


def code_of(error: pytest.ExceptionInfo[JournalError]) -> str:
    assert str(error.value) == error.value.sentence
    assert len(error.value.sentence.splitlines()) == 1
    return error.value.code


def test_a_match_comes_back_as_it_was_left(journal: Journal) -> None:
    entries = [entry(number) for number in range(20)]
    journal.append(entries[:1])
    journal.append(entries[1:])
    journal.append([])
    journal.meet(b"m" * 32, "Bob")
    journal.keep("address", b"192.0.2.1")
    journal.keep("address", b"192.0.2.2")
    journal.end(StoredState.FINISHED, Path("a.storm"))
    journal.close()
    with Journal.open(journal.path.parent, journal.local_id) as again:
        match = again.match
        assert (match.started_at, match.role, match.name, match.opponent) == (0, Role.HOST, "Ann", "Bob")
        assert (match.match_id, match.state, match.log) == (b"m" * 32, StoredState.FINISHED, "a.storm")
        assert again.read_entropy(OWNER) == ENTROPY
        assert again.read_entries() == entries
        assert (again.read_kept("address"), again.read_kept("other")) == (b"192.0.2.2", None)
        again.append([entry(20)])
        assert again.read_entries()[-1] == entry(20)


def test_only_the_owner_can_read_any_file_of_it(journal: Journal) -> None:
    journal.append([entry(0)])
    files = list(journal.path.parent.iterdir())
    assert {path.suffix for path in files} == {SUFFIX, SUFFIX + "-wal"}
    for path in files:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for folder in (journal.path.parent, journal.path.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_mode_that_somebody_widened_is_narrowed_again(journal: Journal) -> None:
    journal.close()
    journal.path.chmod(0o644)
    with Journal.open(journal.path.parent, journal.local_id):
        assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600


def test_every_transaction_is_synced(journal: Journal) -> None:
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_second_program_is_told_that_the_match_is_open_elsewhere(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.record.journal._PATIENCE", 0.0)
    folder = journal.path.parent
    program = (
        "import sys; from pathlib import Path; from protocol.record.journal import *\n"
        "try: Journal.open(Path(sys.argv[1]), sys.argv[2], patience=0.0)\n"
        "except JournalError as error: print(error.code)"
    )
    command = [sys.executable, "-c", program, str(folder), journal.local_id]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "in-use\n"
    with pytest.raises(JournalError) as error:
        Journal.open(folder, journal.local_id)
    assert code_of(error) == "in-use"
    # The refused one has not disturbed the first.
    journal.append([entry(0)])
    assert journal.read_entries() == [entry(0)]


def test_a_full_disk_refuses_all_of_an_append_and_the_journal_can_go_on(journal: Journal) -> None:
    journal.append([entry(0)])
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count={pages + 1}")
    with pytest.raises(JournalError) as error:
        journal.append([entry(1, 400), entry(2, 16_000)])
    assert code_of(error) == "disk-full"
    assert journal.read_entries() == [entry(0)]
    journal._db.execute("PRAGMA max_page_count=1000")
    journal.append([entry(1)])
    assert journal.read_entries() == [entry(0), entry(1)]


def test_a_disk_that_cannot_be_written_ends_the_journal_until_it_is_read_again(journal: Journal) -> None:
    journal._db.execute("PRAGMA query_only=ON")
    with pytest.raises(JournalError) as error:
        journal.append([entry(0)])
    assert code_of(error) == "unwritable"
    journal._db.execute("PRAGMA query_only=OFF")
    with pytest.raises(JournalError) as error:
        journal.append([entry(0)])
    assert code_of(error) == "failed"
    journal.close()
    with Journal.open(journal.path.parent, journal.local_id) as again:
        again.append([entry(0)])


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(JournalError) as error:
        begin(tmp_path / "file" / "matches")
    assert code_of(error) == "unwritable"


@pytest.mark.parametrize("local_id", ["", "20250101-00000000", "../../etc/passwd", "a\0b", "\x1b[2J"])
def test_a_match_that_is_not_there_is_missing_and_is_not_made(tmp_path: Path, local_id: str) -> None:
    with pytest.raises(JournalError) as error:
        Journal.open(tmp_path, local_id)
    assert code_of(error) == "missing"
    assert error.value.sentence.isprintable()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\0" + bytes(4000)])
def test_a_file_that_is_no_journal_is_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / f"20250101-00000000{SUFFIX}").write_bytes(content)
    with pytest.raises(JournalError) as error:
        Journal.open(tmp_path, "20250101-00000000")
    assert code_of(error) == "damaged"


def test_a_journal_of_a_newer_or_older_program_is_left_alone(journal: Journal) -> None:
    for version, code in ((SCHEMA + 1, "newer"), (SCHEMA - 1, "older")):
        journal._db.execute(f"PRAGMA user_version={version}")
        journal.close()
        with pytest.raises(JournalError) as error:
            Journal.open(journal.path.parent, journal.local_id)
        assert code_of(error) == code
        journal._db = connect(journal.path, 0.5)
    journal.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE record SET frame = replace(frame, x'00000002', x'00000003') WHERE number = 2",
        "UPDATE record SET ours = 1 - ours WHERE number = 1",
        "UPDATE record SET kind = 'word' WHERE number = 1",
        "UPDATE record SET frame = 'text' WHERE number = 1",
        "UPDATE record SET frame = NULL WHERE number = 1 OR 1/0",
        "DELETE FROM record WHERE number = 1",
        "UPDATE match SET box = zeroblob(80)",
        "UPDATE match SET state = 'lost'",
        "UPDATE match SET box = 'text'",
        "DELETE FROM match",
        "DROP TABLE record",
    ],
)
def test_changed_content_is_damage_and_not_the_opponents_fault(journal: Journal, change: str) -> None:
    journal.append([entry(number) for number in range(4)])
    try:
        journal._db.execute(change)
    except sqlite3.IntegrityError:
        return
    journal.close()
    with pytest.raises(JournalError) as error:
        Journal.open(journal.path.parent, journal.local_id)
    assert code_of(error) == "damaged"


def test_any_changed_byte_of_the_file_is_damage_or_harmless(journal: Journal) -> None:
    written = [entry(number, 3_000) for number in range(4)]
    journal.append(written)
    journal.close()
    whole = journal.path.read_bytes()
    draw = random.Random(1)
    for _ in range(150):
        broken = bytearray(whole)
        broken[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        journal.path.write_bytes(broken)
        try:
            with Journal.open(journal.path.parent, journal.local_id) as again:
                assert again.read_entries() == written
                assert again.read_entropy(OWNER) == ENTROPY
        except JournalError as error:
            assert error.code in {"damaged", "older", "newer", "failed", "unwritable"}  # noqa: PT017
        for leftover in journal.path.parent.glob("*-wal"):
            leftover.unlink()


def test_a_table_whose_rows_have_lost_their_numbers_is_damaged(journal: Journal) -> None:
    journal.append([entry(0)])
    journal.close()
    whole = journal.path.read_bytes()
    broken = whole.replace(b"number INTEGER PRIMARY KEY", b"number INTEGER PRIMARI KEY")
    assert broken != whole
    journal.path.write_bytes(broken)
    with pytest.raises(JournalError) as error:
        Journal.open(journal.path.parent, journal.local_id)
    assert code_of(error) == "damaged"


def test_a_match_ends_where_the_names_of_folders_are_no_text(journal: Journal) -> None:
    journal.end(StoredState.FINISHED, Path("Spiele\udcfc", "a.storm"))
    assert journal.match.log == str(Path("Spiele?", "a.storm"))


def test_the_list_shows_what_can_be_read_and_why_the_rest_cannot(journal: Journal) -> None:
    folder = journal.path.parent
    assert list_matches(folder / "nowhere") == []
    with begin(folder) as other:
        other.end(StoredState.FINISHED)
    (folder / f"20250101-00000000{SUFFIX}").write_bytes(b"")
    found = {listed.local_id: listed for listed in list_matches(folder)}
    assert len(found) == 3
    states = {name: listed.match and listed.match.state for name, listed in found.items()}
    assert states == {journal.local_id: None, other.local_id: StoredState.FINISHED, "20250101-00000000": None}
    codes = {name: listed.problem and listed.problem.code for name, listed in found.items()}
    assert codes == {journal.local_id: "in-use", other.local_id: None, "20250101-00000000": "damaged"}


def test_a_match_to_which_nobody_came_can_be_discarded(journal: Journal) -> None:
    journal.discard()
    assert list(journal.path.parent.iterdir()) == []


# --- what is erased ----------------------------------------------------------------------------------------------


def files_with(folder: Path, secret: bytes) -> list[str]:
    return [path.name for path in folder.iterdir() if secret in path.read_bytes()]


def test_no_file_shows_the_entropy_and_only_the_identity_reads_it(journal: Journal) -> None:
    journal.append([entry(0)])
    folder = journal.path.parent
    assert files_with(folder, ENTROPY) == files_with(folder, OWNER.seed()) == []
    assert journal.read_entropy(OWNER) == ENTROPY
    with pytest.raises(JournalError) as error:
        journal.read_entropy(PrivateKey(bytes(32)))
    assert code_of(error) == "other-key"
    # The same secret twice is not the same box.
    with begin(folder) as other:
        assert other._row()[1] != journal._row()[1]


def fill(journal: Journal) -> bytes:
    """Write a journal as a match does, over two runs of the program, and return its box."""
    locked = journal._row()[1]
    journal.meet(b"m" * 32, "a name that makes the row longer")
    journal.append([entry(number, 3_000) for number in range(40)])
    journal.close()
    journal._db = connect(journal.path, 0.5)
    journal.keep("address", b"192.0.2.1")
    journal.end(StoredState.OPEN, Path("a long way/to/a.storm"))
    assert journal.path.name in files_with(journal.path.parent, locked)
    return locked


def test_what_is_erased_stands_in_no_file_and_the_rest_can_be_read(journal: Journal) -> None:
    locked, entries = fill(journal), [entry(number, 3_000) for number in range(40)]
    journal.erase(b"trailer")
    # While it is open as well as later.
    assert files_with(journal.path.parent, locked) == []
    journal.append([entry(40)])
    journal.erase(b"another trailer")
    journal.end(StoredState.FINISHED, Path("b.storm"))
    journal.close()
    assert files_with(journal.path.parent, locked) == []
    with Journal.open(journal.path.parent, journal.local_id) as again:
        assert again.is_erased
        assert again.read_kept(TRAILER) == b"another trailer"
        assert again.read_kept("address") == b"192.0.2.1"
        assert again.read_entries() == [*entries, entry(40)]
        assert (again.match.state, again.match.opponent) == (StoredState.FINISHED, "a name that makes the row longer")
        with pytest.raises(JournalError) as error:
            again.read_entropy(OWNER)
        assert code_of(error) == "erased"


_ERASER = """
import os, signal, sys
from pathlib import Path
from protocol.record.journal import Journal

journal = Journal.open(Path(sys.argv[1]), sys.argv[2])
kill = lambda said: sys.argv[3] in said and os.kill(os.getpid(), signal.SIGKILL)
journal._db.set_trace_callback(kill)
journal.erase(b"trailer")
"""


@pytest.mark.parametrize(
    ("when", "erased"),
    [("BEGIN", False), ("REPLACE", False), ("REPLACE INTO match", False), ("COMMIT", False), ("wal_checkpoint", True)],
)
def test_a_program_killed_while_it_erases_has_both_or_neither_and_the_next_list_clears_the_rest(
    journal: Journal, when: str, erased: bool
) -> None:
    locked = fill(journal)
    journal.close()
    folder = journal.path.parent
    done = subprocess.run([sys.executable, "-c", _ERASER, str(folder), journal.local_id, when], check=False)
    assert done.returncode == -signal.SIGKILL
    # The file of the database itself is not written before.
    assert journal.path.name in files_with(folder, locked)
    (listed,) = list_matches(folder)
    assert listed.problem is None
    assert (files_with(folder, locked) == []) is erased
    with Journal.open(folder, journal.local_id) as again:
        assert (again.is_erased, again.read_kept(TRAILER)) == (erased, b"trailer" if erased else None)
        if not erased:
            assert again.read_entropy(OWNER) == ENTROPY


def test_an_entropy_of_another_length_is_refused_before_there_is_a_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected 32 bytes"):
        Journal.create(tmp_path, started_at=0, role=Role.GUEST, name="Ann", entropy=b"short", identity=OWNER)
    assert list(tmp_path.iterdir()) == []


def test_a_frame_is_durable_before_it_is_sent(journal: Journal) -> None:
    """A stand-in for the session's loop: its channel looks at what a crash at this moment would leave."""

    class Channel:
        sent = 0

        async def send(self, frame: bytes) -> None:
            copy = journal.path.with_name(f"20250101-{self.sent:08x}{SUFFIX}")
            copy.write_bytes(journal.path.read_bytes())
            wal = journal.path.with_name(journal.path.name + "-wal")
            copy.with_name(copy.name + "-wal").write_bytes(wal.read_bytes())
            with Journal.open(copy.parent, copy.name.removesuffix(SUFFIX)) as left:
                assert left.read_entries()[-1].record.frame == frame
            self.sent += 1

    async def play(channel: Channel) -> None:
        for number in range(5):
            journal.append([entry(number)])
            await channel.send(entry(number).record.frame)

    asyncio.run(play(Channel()))


_WRITER = """
import sys
from pathlib import Path
from protocol.core.frames import Entry
from protocol.record.journal import Journal
from protocol.core.frames import Record

with Journal.open(Path(sys.argv[1]), sys.argv[2]) as journal:
    number = len(journal.read_entries())
    while True:
        count = 1 + number % 3
        frames = [bytes([number % 251]) * (50 + number % 5000) for number in range(number, number + count)]
        journal.append([Entry(True, Record(1, frame)) for frame in frames])
        number += count
        print(number, flush=True)
"""


def test_a_killed_program_has_lost_nothing_that_it_had_appended(journal: Journal) -> None:
    journal.close()
    folder, draw, appended = journal.path.parent, random.Random(7), 0
    for _ in range(6):
        command = [sys.executable, "-c", _WRITER, str(folder), journal.local_id]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(draw.randrange(1, 120)):
                appended = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
            # It may have gone on until the signal came.
            appended = max([appended, *(int(line) for line in writer.stdout if line.endswith("\n"))])
        with Journal.open(folder, journal.local_id) as again:
            frames = [one.record.frame for one in again.read_entries()]
            assert len(frames) >= appended
            for number, frame in enumerate(frames):
                assert frame == bytes([number % 251]) * (50 + number % 5000)
