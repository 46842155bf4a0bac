"""Whole programs as processes of their own, and what they print."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

PATIENCE = 100.0
"""A process that takes longer hangs, and is killed so that the test says so."""

BEHIND = """
import sys
from cli.app.main import main
from cli.meeting import lines, reachability
from protocol.reach.formats.addresses import AddressKind
from protocol.transport import TransportError

async def nobody(*given):
    raise TransportError("unreachable", "nobody can be called")

async def no_router(given):
    return None

lines.dial = nobody
reachability.classify = lambda address: AddressKind.PUBLIC
reachability.surroundings.find_router = reachability.hops.trace_hop = no_router
reachability.LOOK = 1e9
sys.exit(main(sys.argv[1:]))
"""
"""A program on the loopback whom nobody can call by TCP."""


class Process:
    """One program at a seat, and what it prints."""

    def __init__(self, folder: Path, *words: str, program: Sequence[str] = ("-m", "cli.app.main")) -> None:
        self.home = folder
        folder.mkdir(exist_ok=True)
        self.errors = folder / "stderr.txt"
        command = [sys.executable, *program, *words, "--json", "--home", str(folder)]
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        self.said: list[dict[str, Any]] = []
        self._watchdog = threading.Timer(PATIENCE, self.process.kill)
        self._watchdog.start()

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the lines as they come."""
        assert self.process.stdout is not None
        for text in self.process.stdout:
            line = json.loads(text)
            self.said.append(line)
            yield line

    def until(self, event: str, count: int = 1) -> dict[str, Any] | None:
        """Read until an event has come so often; return its line, or None when the program ended before."""
        for line in self.lines():
            if line["event"] == event:
                count -= 1
                if count == 0:
                    return line
        return None

    def kill(self) -> None:
        """End the process as a crash does: SIGKILL."""
        self.process.kill()
        self.wait()

    def wait(self) -> int:
        """Read to the end and return the exit code."""
        assert self.process.stdout is not None
        if not self.process.stdout.closed:
            for _ in self.lines():
                pass
            self.process.stdout.close()
        self._watchdog.cancel()
        self._watchdog.join()
        return self.process.wait()


def hosting(folder: Path, *words: str, **options: Any) -> Process:
    player = ("--player", "bot:random") if "--player" not in words else ()
    # Whoever is left alone ends, so that the test can look at what he has.
    return Process(folder, "host", "--bind", "127.0.0.1", "--port", "0", "--patience", "0", *player, *words, **options)


def joining(folder: Path, invite: str, player: str = "bot:random", *words: str, **options: Any) -> Process:
    return Process(folder, "join", invite, "--player", player, "--patience", "0", *words, **options)


def invite_of(host: Process) -> str:
    line = host.until("invite")
    assert line is not None, host.errors.read_text()
    return str(line["invite"])
