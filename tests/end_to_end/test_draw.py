"""Two people with pipes for keyboards: a draw that is accepted."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helpers_processes import Forked

TIMEOUT = 100


class Person:
    """A process with a pipe at both ends."""

    def __init__(self, process: Forked) -> None:
        self.process = process
        self.shown = ""

    def types(self, *lines: str) -> None:
        """Type lines."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def sees(self, words: str) -> str:
        """Read until a line holds these words and return that line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.shown += line
            if words in line:
                return line
        raise AssertionError(f"expected {words!r}, got {self.shown[-2000:]}")

    def ends(self, code: int) -> str:
        """Read to the end and return everything that was shown."""
        assert self.process.stdout is not None
        self.shown += self.process.stdout.read()
        assert self.process.wait(timeout=TIMEOUT) == code, self.shown[-2000:]
        assert "Traceback" not in self.shown
        return self.shown


@contextmanager
def person(home: Path, *words: str) -> Iterator[Person]:
    """Start the program for a person; it is stopped at the end, or when it takes too long."""
    with Forked(*words, "--home", str(home), stdin=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        guard = threading.Timer(TIMEOUT, process.kill)
        guard.start()
        try:
            yield Person(process)
        finally:
            guard.cancel()
            process.kill()


HOST = ("host", "--bind", "127.0.0.1", "--random-setup", "--seat", "chthonians", "--name", "alice")


def invited(host: Person) -> str:
    """Return the invite that a host shows."""
    found = re.search(r"SOO\w+-\S+", host.sees("SOO"))
    assert found is not None
    return found.group()


def draw(offering: Person, accepting: Person) -> None:
    """Let one offer a draw and the other accept it."""
    offering.types("draw", "yes")
    offering.sees("You offer a draw. ")
    accepting.sees("offers a draw. Type accept or decline.")
    accepting.types("accept", "yes")
    for both in (offering, accepting):
        shown = both.ends(0)
        assert "A draw in turn" in shown
        assert "no problem was found" in shown
        assert "Your units:" in shown


def test_a_draw_that_is_offered_is_accepted(tmp_path: Path) -> None:
    with person(tmp_path / "a", *HOST) as alice, person(tmp_path / "b", "join", invited(alice), "--name", "bob") as bob:
        alice.sees("your move.")
        bob.sees("Waiting for alice.")
        bob.types("accept", "costs zeus", "say hello")
        bob.sees("No draw is on offer.")
        bob.sees("You can see costs when it is your turn")
        bob.sees("you say: hello")
        alice.sees("bob says: hello")
        draw(alice, bob)
