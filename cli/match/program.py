"""A program of somebody's own that answers questions: JSON lines on its stdin and stdout, whatever the game is.

What the lines mean a game says (docs/cli.md, "Programs as players").  Whatever the program does, the match goes on: an
illegal or late answer is asked for once more, and then somebody else has to answer; when the program is gone, it is
asked no more.  A command that is not there is refused before there is a match.
"""

import asyncio
import json
import shlex
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from cli.clean import clean
from cli.match.player import Ending
from cli.runtime import console
from cli.text import matches
from cli.text.wording import _, fill
from protocol.system import processes

VERSION: Final = 1
"""Of the questions and answers."""
DEFAULT_MS: Final = 12_000
"""Milliseconds for each answer."""
START_MS: Final = 30_000
"""Milliseconds to get ready."""
LONGEST_LINE: Final = 1 << 16
"""Bytes; a longer answer is none."""
ATTEMPTS: Final = 2
"""How often one thing is asked."""
FAREWELL: Final = 1.0
"""Seconds to end after the last word."""
LOOK: Final = 0.05
"""Seconds from one look at whether a program has ended to the next."""
_MOST_SAID: Final = 4000
"""So many bytes of what was written to stderr are the end of it."""

T = TypeVar("T")


class WrongAnswer(Exception):
    """An answer that cannot be taken; the text is a sentence."""


class _Gone(Exception):
    """There is no program any longer: why, by its word in ``cli.text.matches``, and what belongs to it."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class Program:
    """A program that is asked.

    Args:
        command: split into words as a shell would; no shell runs it.
        errors: the file that its stderr is added to; None for nowhere.
        ms: milliseconds for each answer.
        start_ms: milliseconds to get ready.
        report: is told, in a sentence, when somebody else has to answer.
        name: what it is called in these sentences; by default the command's first word.

    Raises:
        ValueError: the command has no words or an open quote, or there is no such program.
    """

    def __init__(
        self,
        command: str,
        *,
        errors: Path | None = None,
        ms: int = DEFAULT_MS,
        start_ms: int = START_MS,
        report: Callable[[str], None] = lambda sentence: None,
        name: str | None = None,
    ) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError:
            raise ValueError(fill("expected a command, got {got!r}", got=clean(command, 60))) from None
        if not self._words:
            raise ValueError(_("expected a command after exec:, got nothing"))
        if shutil.which(self._words[0]) is None:
            raise ValueError(fill("there is no program {got!r} that can be started", got=clean(self._words[0], 60)))
        self.name = name or Path(self._words[0]).stem
        self.hello: dict[str, object] = {}
        """What it is told first of the match."""
        self.on_gone: Callable[[], None] = lambda: None
        """Is called when it plays no longer."""
        self.ms = ms
        self._errors = errors
        self._start_ms = start_ms
        self._report = report
        self._process: Process | None = None
        self._reading: asyncio.Task[bytes] | None = None
        self._listening: asyncio.Task[bytes] | None = None
        self._gone = False
        self._owed = 0
        self.title = ""
        """What the program calls itself."""

    def tell(self, ending: Ending) -> None:
        """Tell the program how the match ended."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            result = {"winner": ending.winner, "reason": ending.reason}
            process.stdin.write(_line({"t": "over", "result": result}))

    async def close(self) -> None:
        """End the program: it may read to the end of its input, then it is stopped."""
        self._gone = True
        await self._stop()

    async def ask(self, question: dict[str, object], understand: Callable[[dict[str, object]], T]) -> T | None:
        """Return what the program answers, or None when somebody else has to answer."""
        if self._gone:
            return None
        unanswered = 0
        problem = ""
        try:
            if self._process is None:
                await self._start()
            for attempt in range(ATTEMPTS):
                again = {"error": problem} if attempt else {}
                unanswered += 1
                try:
                    answer = await self._exchange(question | again, self.ms)
                except TimeoutError:
                    problem = f"expected an answer within {self.ms} ms, got none"
                    continue
                unanswered -= 1
                try:
                    return understand(_parse(answer, str(question["t"])))
                except WrongAnswer as wrong:
                    problem = str(wrong)
            self._report(matches.moved_instead(self.name, problem))
        except _Gone as gone:
            self._gone = True
            self._report(matches.gone(self.name, gone.code, **gone.values))
            self.on_gone()
            await self._stop()
        finally:
            # Answers to this question that come later are not for the next one.
            self._owed += unanswered
        return None

    async def _start(self) -> None:
        try:
            # Ctrl-C in the terminal is for this program, which leaves the match and ends the other; if both heard it,
            # the built-in player might still move in its place.
            self._process = await processes.start(
                *self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE if self._errors else DEVNULL, limit=LONGEST_LINE
            )
        except (OSError, ValueError) as error:
            raise _Gone("unstarted", why=str(error)) from None
        if self._errors is not None and self._process.stderr is not None:
            self._listening = asyncio.create_task(keep_errors(self._process.stderr, self._errors))
        hello = {"t": "hello", "v": VERSION, **self.hello}
        try:
            ready = _parse(await self._exchange(hello, self._start_ms), "ready")
        except TimeoutError:
            raise _Gone("unready", seconds=round(self._start_ms / 1000)) from None
        except WrongAnswer as wrong:
            raise _Gone("strange", why=str(wrong)) from None
        name = ready.get("name")
        if isinstance(name, str):
            self.title = name

    async def _exchange(self, message: dict[str, object], ms: int) -> bytes:
        """Send a line and return the line that answers it.

        Raises:
            TimeoutError: none came in time.
            _Gone: the program has ended or closed its input or output.
        """
        process = self._process
        assert process is not None
        assert process.stdin is not None
        late: bytes | None = None
        try:
            async with asyncio.timeout(ms / 1000):
                process.stdin.write(_line(message))
                await process.stdin.drain()
                while True:
                    line = await self._line(process)
                    if not line.endswith(b"\n"):
                        raise _Gone("ended")
                    if not self._owed:
                        return line
                    self._owed -= 1
                    late = line
        except TimeoutError:
            # It owed an answer that it never gave: then this one was meant for now.
            if late is None:
                raise
            return late
        except (BrokenPipeError, ConnectionResetError):
            raise _Gone("ended") from None

    async def _line(self, process: Process) -> bytes:
        """Return the next line of the program; nothing when it has ended."""
        assert process.stdout is not None
        # A question that is given up takes nothing with it of what is read for the next one.
        reading = self._reading = self._reading or asyncio.create_task(process.stdout.readline())
        while not reading.done():
            # What the program has started itself may hold its output open, so its own end is looked for.
            ended = process.returncode is not None
            await asyncio.wait({reading}, timeout=LOOK)
            if ended and not reading.done():
                return b""
        self._reading = None
        try:
            return reading.result()
        except ValueError:
            # Too long; what has been read of it is lost.
            return b"\n"

    async def _stop(self) -> None:
        """End the program, if it was started, and keep what it has written to stderr."""
        process, self._process = self._process, None
        await console.stop(self._reading)
        if process is not None:
            await _end(process)
        if self._listening is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self._listening


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _parse(line: bytes, kind: str) -> dict[str, object]:
    """Return an answer of the kind that was asked for."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongAnswer("expected one JSON object on a line, got something else") from None
    if not isinstance(answer, dict) or answer.get("t") != kind:
        raise WrongAnswer(f"expected an object with 't': '{kind}', got another")
    return answer


async def _end(process: Process) -> None:
    """Close a program's input, give it a moment, stop it, and release its pipes."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    if process.returncode is None:
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await read_out(process.stdout)
                await process.wait()
    # What it has started itself plays no longer either, whether the program has ended or not.
    processes.kill(process)
    # Something that has left its group may hold its output open; that is waited for no longer than a moment.
    with suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL):
            await read_out(process.stdout)
            await process.wait()
    # The standard library has no other word for letting go of the pipes.
    process._transport.close()  # type: ignore[attr-defined]


async def keep_errors(stream: asyncio.StreamReader, path: Path) -> bytes:
    """Keep what a program writes to stderr, as long as there is room for it; return the end of it."""
    said = b""
    while data := await stream.read(LONGEST_LINE):
        said = (said + data)[-_MOST_SAID:]
        with suppress(OSError):
            console.add_errors(path, data)
    return said


async def read_out(stream: asyncio.StreamReader) -> None:
    """Read to the end, so that a full pipe holds nobody up."""
    while await stream.read(LONGEST_LINE):
        pass
