"""Whole programs as processes of their own, and what they print."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

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


MAIN = ("-m", "cli.app.main")
LOADED = """
cli.app.host cli.app.join cli.app.play cli.app.resume cli.console.plain cli.fight.game cli.storm.console cli.storm.game
cli.storm.players cli.text.verdicts cryptography.hazmat.primitives.asymmetric.ed25519
cryptography.hazmat.primitives.ciphers.aead encodings.idna protocol.crypto.piles protocol.crypto.proofs
storm_p2p.storm.bots storm_p2p.storm.game
"""
"""What a program loads for a match."""


class Forked:
    """The program as a process of its own, used as :class:`subprocess.Popen` is.

    It is the fork of a process that has loaded LOADED, and nothing else, which saves most of the work of a start.
    Whatever depends on how Python starts is tested with a Python that does: ``end_to_end/test_starting.py``.
    """

    def __init__(
        self,
        *words: str,
        program: Sequence[str] = MAIN,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.PIPE,
        stderr: int | IO[Any] = subprocess.DEVNULL,
    ) -> None:
        """Start ``-m`` and a module, or ``-c`` and a text, with words behind it."""
        ours: list[IO[str] | None] = []
        theirs: list[Connection] = []
        for number, given in enumerate((stdin, stdout, stderr)):
            here = None
            if given == subprocess.PIPE:
                ends = os.pipe()
                there = ends[number > 0]
                here = os.fdopen(ends[number == 0], "r" if number else "w", encoding="utf-8")
            elif given == subprocess.STDOUT:
                there = os.dup(theirs[1].fileno())
            elif isinstance(given, int):
                there = os.open(os.devnull, os.O_RDWR)
            else:
                there = os.dup(given.fileno())
            ours.append(here)
            theirs.append(Connection(there))
        self.stdin, self.stdout, self.stderr = ours
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(LOADED.split())
        self._process = context.Process(target=_become, args=([*program, *words], theirs, dict(os.environ)))
        self._process.start()
        for end in theirs:
            end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *given: object) -> None:
        for end in (self.stdin, self.stdout, self.stderr):
            if end is not None:
                end.close()
        self.wait()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("the program", timeout or 0)
        return self.returncode

    def communicate(self, timeout: float = PATIENCE) -> tuple[str, str]:
        """Read both to the end, and return them; what is no pipe is empty."""
        with ThreadPoolExecutor(2) as pool:
            said, errors = pool.map(lambda end: "" if end is None else end.read(), (self.stdout, self.stderr))
        self.wait(timeout)
        return said, errors

    def send_signal(self, number: int) -> None:
        assert self._process.pid is not None
        if self.returncode is None:
            os.kill(self._process.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def _become(words: Sequence[str], ends: Sequence[Connection], environment: dict[str, str]) -> None:
    """Be a program with its own input, output and environment."""
    for number, end in enumerate(ends):
        os.dup2(end.fileno(), number)
        end.close()
    sys.stdin, sys.stdout = os.fdopen(0, encoding="utf-8"), os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", 1, "utf-8", "backslashreplace")
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [words[0], *words[2:]]
    if words[0] == "-c":
        exec(words[1], {"__name__": "__main__"})
    else:
        sys.exit(import_module(words[1]).main(words[2:]))


class Process:
    """One program at a seat, and what it prints."""

    def __init__(self, folder: Path, *words: str, program: Sequence[str] = MAIN) -> None:
        """Start it: what stands in ``program`` as in :class:`Forked`, or a file that is run as it is."""
        self.home = folder
        folder.mkdir(exist_ok=True)
        self.errors = folder / "stderr.txt"
        words = (*words, "--json", "--home", str(folder))
        self.process: Forked | subprocess.Popen[str]
        with self.errors.open("ab") as errors:
            if program[0] in ("-m", "-c"):
                self.process = Forked(*words, program=program, stderr=errors)
            else:
                command = [sys.executable, *program, *words]
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
