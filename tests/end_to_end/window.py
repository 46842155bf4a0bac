"""The real program in a pseudo-terminal, seen as a person sees it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import helpers
import pexpect
import pyte

PATIENCE = 100.0
"""Seconds that nothing but a failure needs."""


class Window:
    """The program in a terminal of a fixed size, seen as a person sees it."""

    def __init__(
        self,
        home: Path,
        *words: str,
        columns: int = 80,
        rows: int = 24,
        folder: Path = helpers.ROOT,
        program: tuple[str, ...] = (sys.executable, "-m", "cli.app.main"),
        **environment: str,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.all = ""
        here = {"TERM": "xterm-256color", "STORM_P2P_HOME": str(home), "USER": "alice"}
        variables = {**os.environ, **here, **environment}
        self.child = pexpect.spawn(
            program[0],
            [*program[1:], *words],
            dimensions=(rows, columns),
            env=variables,
            timeout=PATIENCE,
            cwd=str(folder),
            encoding="utf-8",
            codec_errors="replace",
        )

    @property
    def text(self) -> str:
        """What the screen shows."""
        return "\n".join(row.rstrip() for row in self.screen.display)

    def until(self, seen: str | Callable[[str], bool], *, ever: bool = True) -> str:
        """Read until the screen, or what was ``ever`` printed, shows something; return the screen."""
        wanted = (lambda text: seen in text) if isinstance(seen, str) else seen
        end = time.monotonic() + PATIENCE
        while not wanted(self.text) and not (ever and wanted(self.all)):
            try:
                self._read(0.2)
            except pexpect.EOF:
                break
            if time.monotonic() > end:
                break
        found = wanted(self.text) or (ever and wanted(self.all))
        assert found, f"expected {seen!r}, got:\n{self.text}\n--\n{self.all[-3000:]}"
        return self.text

    def settle(self) -> str:
        """Read what is there and return the screen."""
        try:
            while True:
                self._read(0.1)
        except (pexpect.TIMEOUT, pexpect.EOF):
            pass
        return self.text

    def _read(self, seconds: float) -> None:
        try:
            data = self.child.read_nonblocking(1 << 16, seconds)
        except pexpect.TIMEOUT:
            if seconds < 0.2:
                raise
            return
        self.all += data
        self.stream.feed(data)

    def type(self, keys: str) -> None:
        """Press keys."""
        self.child.send(keys)

    def leave(self, check: Callable[[Window], bool] | None = None) -> int:
        """Wait for the end and return the exit code; ``check`` looks at the window before it is closed."""
        while True:
            try:
                self._read(0.2)
            except pexpect.EOF:
                break
        assert check is None or check(self)
        self.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)

    def close(self) -> None:
        """End the program, whatever it is doing."""
        try:
            self.child.close()
        except pexpect.ExceptionPexpect:
            # It was killed, but a tenth of a second is too short for a busy machine.
            self.child.wait()
