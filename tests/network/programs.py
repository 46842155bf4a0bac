"""The program on a machine of the laboratory: what it says, line by line, and what is pasted into it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from helpers import ROOT

from network.namespaces import Namespaces

PROGRAM = (sys.executable, "-m", "cli.app.main")
# A program that is installed has been compiled once, not at each start.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
PATIENCE = 60.0
"""Seconds that nothing but a failure needs."""


class Program:
    """``storm-p2p ... --json`` with a home folder of its own; it goes with its machine."""

    def __init__(self, place: Namespaces, name: str, home: Path, *words: str, program: Sequence[str] = PROGRAM) -> None:
        """Start it; a ``home`` may be used again after the program has ended."""
        home.mkdir(parents=True, exist_ok=True)
        self.said: list[dict[str, Any]] = []
        self._times: list[float] = []
        self._ended = False
        self._changed = threading.Condition()
        self._errors = home / "stderr.txt"
        with self._errors.open("ab") as errors:
            self.process = place.start(
                name,
                *program,
                *words,
                "--json",
                "--home",
                str(home),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=ROOT,
                env=_ENVIRONMENT,
                text=True,
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        place.before_end(self.kill)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for text in self.process.stdout:
            with self._changed:
                self._times.append(time.monotonic())
                self.said.append(json.loads(text))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    @property
    def errors(self) -> str:
        """What it has said to people."""
        return self._errors.read_text("utf-8", "replace")

    def find(self, *events: str, count: int = 1, state: str | None = None) -> dict[str, Any] | None:
        """Return the first line so far, or a later one, of one of some events, in a state; None before that."""
        found = self._find(events, state, count)
        return None if found is None else self.said[found]

    def when(self, *events: str, state: str | None = None) -> float:
        """Return the monotonic time of the first such line, which has come."""
        found = self._find(events, state, 1)
        assert found is not None
        return self._times[found]

    def _find(self, events: tuple[str, ...], state: str | None, count: int) -> int | None:
        said = enumerate(list(self.said))
        fitting = (at for at, line in said if line["event"] in events and state in (None, line.get("state")))
        return next(islice(fitting, count - 1, None), None)

    def until(
        self, *events: str, count: int = 1, seconds: float = PATIENCE, state: str | None = None
    ) -> dict[str, Any]:
        """Wait for such a line; an assertion fails if it does not come."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self.find(*events, count=count, state=state), seconds)
        line = self.find(*events, count=count, state=state)
        assert line is not None, f"expected {events}, got {self.said[-3:]} and {self.errors[-800:]}"
        return line

    def give(self, **line: str) -> None:
        """Write an object to its standard input, as the program that has started it does."""
        assert self.process.stdin is not None
        os.write(self.process.stdin.fileno(), json.dumps(line).encode() + b"\n")

    def kill(self) -> None:
        """End it as a crash does: SIGKILL."""
        self.process.kill()
        self.process.wait()
        self._reader.join()

    def wait(self, seconds: float = PATIENCE) -> int:
        """Wait for the end and return the exit code."""
        code = self.process.wait(seconds)
        self._reader.join()
        return code
