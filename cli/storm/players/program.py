"""A program of somebody's own at a seat (``exec:COMMAND``): JSON lines on its stdin and stdout.

What they say is promised in docs/cli.md, "Programs as players".  The program is told only what its seat may know.
Whatever it does, the match goes on: an illegal or late answer is asked for once more, then the built-in player moves
instead; when the program is gone, it plays to the end, and both sides are told.  A command that is not there is refused
before there is a match.

::

    > {"t": "hello", "v": 1, "seat": "chthonians", "terms": {...}}
    < {"t": "ready", "name": "mybot 0.1"}
    > {"t": "setup", "regions": [1, 5, ...], "units": ["hades", ...], "ms": 12000}
    < {"t": "setup", "place": {"hades": 11, ...}}
    > {"t": "act", "state": {...}, "legal": [{"action": "move 12 13", "honor": 0, "energy": -2}, ...], "ms": 12000}
    < {"t": "act", "action": "move 12 13"}
    > {"t": "over", "result": {"winner": "olympians", "reason": "honor"}}

A question asked again carries ``error``, a sentence.  ``state`` has beside the keys of a scenario ``hidden``: how
many unknown enemies stand in which region.
"""

import asyncio
import json
import shlex
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

from cli.clean import clean
from cli.match.participant import Ending
from cli.runtime import errors, tasks
from cli.storm.players.robot import RobotPlayer
from cli.storm.text import watched
from cli.text.wording import _, fill
from protocol.errors import LocalProtocolError
from storm_p2p.storm import engine, notation, positions
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import OTHER, REALM, Faction
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.errors import NotationError, RulesError
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import NAME, ROSTER, Unit

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
BUILT_IN: Final = "greedy"
"""Who moves instead."""

T = TypeVar("T")


class _Wrong(Exception):
    """An answer that cannot be taken; the text is a sentence."""


class _Gone(Exception):
    """There is no program any longer: why, by its word in ``cli.storm.text.watched``, and what belongs to it."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class ProgramPlayer(RobotPlayer):
    """The built-in player, who asks a program first.

    Args:
        command: split into words as a shell would; no shell runs it.
        errors: the file that its stderr is added to; None for nowhere.
        ms: milliseconds for each answer.
        start_ms: milliseconds to get ready.
        report: is told, in a sentence, when the built-in player moves instead.
        seed: of the built-in player.
        name: shown to the opponent; by default the command's first word.

    Raises:
        ValueError: the command has no words or an open quote, or there is no such program.
    """

    def __init__(
        self, command: str, *, errors: Path | None = None, ms: int = DEFAULT_MS, start_ms: int = START_MS,
        report: Callable[[str], None] = lambda sentence: None, seed: int = 0, name: str | None = None,
    ) -> None:  # fmt: skip
        try:
            self._words = shlex.split(command)
        except ValueError:
            raise ValueError(fill("expected a command, got {got!r}", got=clean(command, 60))) from None
        if not self._words:
            raise ValueError(_("expected a command after exec:, got nothing"))
        if shutil.which(self._words[0]) is None:
            raise ValueError(fill("there is no program {got!r} that can be started", got=clean(self._words[0], 60)))
        super().__init__(name or Path(self._words[0]).stem, BOTS[BUILT_IN], seed)
        self._errors = errors
        self._ms = ms
        self._start_ms = start_ms
        self._report = report
        self._process: Process | None = None
        self._reading: asyncio.Task[bytes] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._over = False
        self._gone = False
        self._owed = 0
        self.title = ""
        """What the program calls itself."""

    async def place(self) -> tuple[Unit, ...]:
        """Return the program's setup, or the built-in player's."""
        question = {
            "t": "setup",
            "regions": list(REALM[self._faction]),
            "units": [NAME[unit] for unit in ROSTER[self._faction]],
            "ms": self._ms,
        }
        units = await self._ask(question, self._placed)
        return await super().place() if units is None else units

    async def decide(self, state: State) -> Action:
        """Return the program's action, or the built-in player's."""
        # What the rules force has no words.
        if state.phase in (Phase.OPENING, Phase.SUCCESSION):
            return await super().decide(state)
        legal = [
            {"action": notation.format_action(action), "honor": price.honor, "energy": price.energy}
            for action, price in engine.options(state, self._faction)
        ]
        question = {"t": "act", "state": show(state, self._faction), "legal": legal, "ms": self._ms}
        action = await self._ask(question, lambda answer: self._acted(answer, state))
        return await super().decide(state) if action is None else action

    def over(self, ending: Ending) -> None:
        """Tell the program how it ended."""
        self._over = True
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            result = {"winner": ending.winner, "reason": ending.reason}
            process.stdin.write(_line({"t": "over", "result": result}))

    async def close(self) -> None:
        """End the program: it may read to the end of its input, then it is stopped."""
        self._gone = True
        await self._stop()

    async def _ask(self, question: dict[str, Any], understand: Callable[[dict[str, Any]], T]) -> T | None:
        """Return what the program answers, or None when the built-in player has to answer."""
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
                    answer = await self._exchange(question | again, self._ms)
                except TimeoutError:
                    problem = f"expected an answer within {self._ms} ms, got none"
                    continue
                unanswered -= 1
                try:
                    return understand(_parse(answer, question["t"]))
                except _Wrong as wrong:
                    problem = str(wrong)
            self._report(watched.moved_instead(self._name, problem))
        except _Gone as gone:
            self._gone = True
            self._report(watched.gone(self._name, gone.code, **gone.values))
            if self._controls is not None:
                with suppress(LocalProtocolError):
                    self._controls.say(str(watched.REPLACED))
            await self._stop()
        finally:
            # Answers to this question that come later are not for the next one.
            self._owed += unanswered
        return None

    async def _start(self) -> None:
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE if self._errors else DEVNULL, limit=LONGEST_LINE,
                # Ctrl-C in the terminal is for this program, which leaves the match and ends the other; if both heard
                # it, the built-in player might still move in its place.
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise _Gone("unstarted", why=str(error)) from None
        if self._errors is not None and self._process.stderr is not None:
            self._listening = asyncio.create_task(_listen(self._process.stderr, self._errors))
        side, terms = self._faction.name.lower(), asdict(self._terms)
        hello = {"t": "hello", "v": VERSION, "seat": side, "terms": terms}
        try:
            ready = _parse(await self._exchange(hello, self._start_ms), "ready")
        except TimeoutError:
            raise _Gone("unready", seconds=round(self._start_ms / 1000)) from None
        except _Wrong as wrong:
            raise _Gone("strange", why=str(wrong)) from None
        if isinstance(ready.get("name"), str):
            self.title = ready["name"]

    async def _exchange(self, message: dict[str, Any], ms: int) -> bytes:
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
        await tasks.stop(self._reading)
        if process is not None:
            await _end(process)
        if self._listening is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self._listening

    def _placed(self, answer: dict[str, Any]) -> tuple[Unit, ...]:
        place = answer.get("place")
        if not isinstance(place, dict):
            raise _Wrong("expected an object 'place' with a region for each of nine units")
        try:
            regions = {notation.parse_unit(word): _region(region) for word, region in place.items()}
            units = setup.arrangement(self._faction, regions)
        except RulesError as error:
            raise _Wrong(str(error)) from None
        refusal = setup.check_units(self._faction, units, random=self._terms.random_setup)
        if refusal is not None:
            raise _Wrong(str(refusal))
        return units

    def _acted(self, answer: dict[str, Any], state: State) -> Action:
        words = answer.get("action")
        if not isinstance(words, str):
            raise _Wrong("expected a text 'action', one of the legal actions")
        try:
            action = notation.parse_action(words, state)
            if isinstance(action, Move) and not action.movers:
                raise NotationError("movers-unnamed", f"expected the units that move, got {words[:60]!r}")
            if isinstance(action, Fight) and action.faction != self._faction:
                raise NotationError("not-your-choice", f"expected a choice of the own side, got {words[:60]!r}")
            engine.check(state, action)
        except RulesError as error:
            raise _Wrong(str(error)) from None
        return action


def show(state: State, faction: Faction) -> dict[str, Any]:
    """Return a state as its program sees it: that of a scenario, and where unknown enemies stand."""
    enemies = state.sides[OTHER[faction]]
    hidden = {
        str(region): sum(not token.known for token in enemies[region])
        for region in range(1, 25)
        if any(not token.known for token in enemies[region])
    }
    return positions.show(state) | {"hidden": hidden}


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def _parse(line: bytes, kind: str) -> dict[str, Any]:
    """Return an answer of the kind that was asked for."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise _Wrong("expected one JSON object on a line, got something else") from None
    if not isinstance(answer, dict) or answer.get("t") != kind:
        raise _Wrong(f"expected an object with 't': '{kind}', got another")
    return answer


def _region(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("wrong-type", "expected the number of a region")
    return value


async def _end(process: Process) -> None:
    """Close a program's input, give it a moment, stop it, and release its pipes."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    if process.returncode is None:
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await _read_out(process.stdout)
                await process.wait()
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    # What it has started itself may hold its output open; that is waited for no longer than a moment.
    with suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL):
            await _read_out(process.stdout)
            await process.wait()
    # The standard library has no other word for letting go of the pipes.
    process._transport.close()  # type: ignore[attr-defined]


async def _listen(stream: asyncio.StreamReader, path: Path) -> None:
    """Keep what a program writes to stderr, as long as there is room for it."""
    with suppress(OSError), errors.opened(path) as file:
        while data := await stream.read(LONGEST_LINE):
            errors.add(file, data)
    await _read_out(stream)


async def _read_out(stream: asyncio.StreamReader) -> None:
    """Read to the end, so that a full pipe holds nobody up."""
    while await stream.read(LONGEST_LINE):
        pass
