"""The CPU time of ``people`` and ``history`` in a home with many matches, and with many people in the address book.

``python -m benchmarks people`` takes minutes, because each match has a handshake and signatures of its own.
"""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from benchmarks import goals, matches
from benchmarks.footprint import start
from cli.storage import people
from cli.storage.home import Home
from cli.storage.people import People, Person
from protocol.core.agreement import Role
from protocol.core.frames import Entry
from protocol.crypto.keys import PrivateKey
from protocol.record import keyfile, logfile
from protocol.record.journal import Journal, StoredState
from storm_p2p.storm.state import Terms

PEOPLE = 2000
MATCHES = 5000


def fill(home: Home, count: int, known: int) -> None:
    """Put finished matches against so many people into a home, each with a log and a journal."""
    rng = random.Random(3)
    home.prepare()
    keys = [PrivateKey(rng.randbytes(32)) for _ in range(known + 1)]
    keyfile.save(home.key_file, keys[0])
    persons = [Person(f"friend {number}", (key.public,), "2026-11-21") for number, key in enumerate(keys[1:])]
    people.change(home.people_file, lambda _: People(tuple(persons)))
    for number in range(count):
        ours, theirs = matches.meet(Terms(), rng, identities=(keys[0], keys[1 + number % known]))
        matches.carry(ours, theirs)
        (ours if number % 2 else theirs).side_channel.resign()
        matches.carry(ours, theirs)
        began = 1_790_000_000 + number
        name = logfile.name_file(began, persons[number % known].name, ours.agreement.match_id)
        path = logfile.write(home.logs, name, logfile.dump(ours.records, ours.seat, ours.sign_log))
        os.utime(path, (began, began))
        with Journal.create(
            home.matches, started_at=began, role=Role.HOST, name="host", entropy=bytes(32), identity=keys[0]
        ) as journal:
            journal.append([Entry(True, record) for record in ours.records])
            journal.meet(ours.agreement.match_id, persons[number % known].name)
            journal.end(StoredState.FINISHED, path)


def main() -> None:
    """Print the seconds of each command, after a first one that judges every log."""
    with tempfile.TemporaryDirectory() as folder:
        kept, home = str(Path(folder) / "kept"), Home(Path(folder) / "home")
        fill(home, MATCHES, PEOPLE)
        for words, goal in ((("history", "--json"), None), (("people",), 3.0), (("history",), None)):
            took = start(kept, "-m", "cli.app.main", *words, "--home", str(home.folder))
            said = "" if goal is None else f" ({goals.say(words[0], took, most=goal)})"
            print(f"{' '.join(words)}: {took:.2f} s of CPU{said}", flush=True)
