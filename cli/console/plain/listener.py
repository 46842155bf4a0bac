"""Lines from a screen, one after the other, each when its time has come.

A person's line is taken at once.  A script's line that answers a question waits until that question is asked, so
that a whole match can be piped in; the end of a script is its last answer, and means to leave.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from cli.console.plain.screen import Screen
from cli.runtime import signals


@dataclass(slots=True)
class Listener:
    """Reads a screen while a match goes on."""

    screen: Screen
    take: Callable[[str], None]
    """Does what a line says."""
    leave: Callable[[], None]
    """Is called when there will be no more lines."""
    interrupt: Callable[[], None]
    awaited: Callable[[], bool]
    """Tells whether an answer is awaited now."""
    too_early: Callable[[str], bool]
    """Tells whether a line answers a question that is yet to come."""
    failed: Callable[[Exception], None]
    """Takes an error of this program, which must not die in a task that nobody waits for."""
    _held: deque[str | None] = field(default_factory=deque)
    _task: asyncio.Task[None] | None = None
    _resting: bool = False

    def start(self) -> None:
        """Start to read, if that has not happened yet.

        Raises:
            RuntimeError: no loop is running.
        """
        if self._task is not None:
            return
        self._task = asyncio.get_running_loop().create_task(self._listen())
        # Where Ctrl-C cannot be heeded it is left to whoever runs the program.
        signals.heed(self._interrupted, signals.CTRL_C)

    async def close(self) -> None:
        """Stop to read."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            signals.forget(signals.CTRL_C)
            self._task = None
        await self.screen.close()

    def rest(self) -> None:
        """Take no further line: what is typed from here on is for somebody else."""
        self._resting = True
        self.screen.rest()

    def work(self) -> None:
        """Take the lines whose time has come."""
        while self._held and not self._resting:
            line = self._held[0]
            waiting = self.screen.patient and not self.awaited()
            if waiting and (line is None or self.too_early(line)):
                return
            self._held.popleft()
            if line is None:
                self.leave()
            else:
                self.take(line)

    async def _listen(self) -> None:
        try:
            await self._read()
        except Exception as error:
            self.failed(error)

    async def _read(self) -> None:
        while True:
            try:
                line: str | None = await self.screen.read()
            except EOFError:
                line = None
            self._held.append(line)
            self.work()
            if line is None or self._resting:
                return

    def _interrupted(self) -> None:
        # A second Ctrl-C ends the program whatever happens.
        signals.forget(signals.CTRL_C)
        self.interrupt()
