"""Matches between two computer players over a line that cuts, delays and splits, and that are killed at any moment.

Run ``python tests/storm/rough.py 100`` from the top of the repository for a hundred of them; a few are part of the
tests (``test_rough.py``).  Both programs are real processes and call each other through two proxies of this one, one
for each direction of calling.  A program that was killed is started again with the command that a person would type.

What must come out of each match: both programs end it, with one result, audited; both logs verify and hold the same
messages, none of them in two versions; nobody is accused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE = 180.0
"""Seconds for one match; whoever takes longer hangs."""


class RoughLine:
    """A proxy before a listener: it cuts connections, holds bytes back for a moment and hands them on in pieces."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.target = 0
        self.port = 0
        self.cuts = 0
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen; ``target`` may be set later."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Cut everything."""
        assert self._server is not None
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        writers = [writer]
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
            writers.append(far_writer)
            # After so many bytes, in whichever direction, the line is cut; now and then it holds.
            left = [self.chance.choice((700, 3_000, 8_000, 20_000, 60_000, 10**9)) + self.chance.randrange(2_000)]
            ways = [
                asyncio.create_task(self._carry(reader, far_writer, left)),
                asyncio.create_task(self._carry(far_reader, writer, left)),
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            for one in writers:
                one.transport.abort()
            self._open.discard(task)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: list[int]) -> None:
        with suppress(OSError):
            while data := await reader.read(self.chance.choice((1, 30, 500, 65_536))):
                if self.chance.random() < 0.1:
                    await asyncio.sleep(self.chance.random() * 0.05)
                left[0] -= len(data)
                writer.write(data[: max(0, len(data) + min(0, left[0]))])
                await writer.drain()
                if left[0] <= 0:
                    self.cuts += 1
                    return


class Program:
    """One seat's process, with what it has said in all of its lives."""

    def __init__(self, folder: Path, words: Sequence[str]) -> None:
        self.folder = folder
        self.words = list(words)
        self.lives = 0
        self.said: list[dict[str, Any]] = []
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, or start it again."""
        self.lives += 1
        self.folder.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "cli.app.main", *self.words, "--json", "--home", str(self.folder)]
        with (self.folder / "errors.txt").open("ab") as errors:
            self.process = await asyncio.create_subprocess_exec(
                *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=errors
            )

    async def read(self) -> dict[str, Any] | None:
        """Return the next thing that it says, or None at its end."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            return None
        # A killed program may have stopped in the middle of a line.
        try:
            said = json.loads(line)
        except ValueError:
            return {"event": "torn"}
        self.said.append(said)
        return dict(said)

    async def kill(self) -> None:
        """End it as a crash does."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class RoughMatch:
    """One match over two rough lines, with crashes."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.lines = (RoughLine(random.Random(seed * 2)), RoughLine(random.Random(seed * 2 + 1)))
        always = ["--player", "bot:random", "--bind", "127.0.0.1", "--patience", "60"]
        host = ["host", *always, *self.chance.choice(([], ["--random-setup"], ["--open-combat"]))]
        self.host = Program(folder / "host", host)
        self.guest = Program(folder / "guest", [])
        self.always = always
        self.kills = self.chance.randrange(4)
        self.killed = 0

    async def play(self) -> str:
        """Return what was wrong, or nothing."""
        for line in self.lines:
            await line.start()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._play()
        except TimeoutError:
            return "no end"
        except Wrong as wrong:
            return str(wrong)
        finally:
            for program in (self.host, self.guest):
                if program.process is not None:
                    await program.kill()
            for line in self.lines:
                await line.close()
        return await asyncio.to_thread(self.judge)

    async def _play(self) -> None:
        host, guest = self.lines
        self.host.words += ["--announce", f"127.0.0.1:{host.port}"]
        await self.host.start()
        invite = ""
        while host.target == 0:
            said = await self.host.read()
            if said is None:
                raise Wrong("the host does not start")
            invite = said.get("invite", invite)
            if said["event"] == "listening":
                host.target = said["port"]
        # The guest's port must be known to his proxy before he listens there.
        guest.target = free_port()
        own = ["--port", str(guest.target), "--announce", f"127.0.0.1:{guest.port}"]
        self.guest.words = ["join", invite, *self.always, *own]
        await self.guest.start()
        resumed = {
            self.host: ["resume", *self.always, "--port", str(host.target), "--announce", f"127.0.0.1:{host.port}"],
            self.guest: ["resume", *self.always, *own],
        }
        await asyncio.gather(*(self._live(program, again) for program, again in resumed.items()))

    async def _live(self, program: Program, again: list[str]) -> None:
        """Let a program run to the end of the match, kill it now and then, and start it again."""
        while True:
            doom, timer = 0, None
            if self.killed < self.kills and self.chance.random() < 0.7:
                # A host who dies before anybody has come takes his invite with him; others may die at any moment.
                if self.chance.random() < 0.3 and (program is self.guest or program.lives > 1):
                    timer = asyncio.create_task(self._strike(program, self.chance.random() * 2.5))
                else:
                    doom = self.chance.randrange(1, 12)
            while (said := await program.read()) is not None:
                if said["event"] == "message" and doom:
                    doom -= 1
                    if doom == 0:
                        self.killed += 1
                        await asyncio.sleep(self.chance.random() * 0.03)
                        await program.kill()
                        break
                if said["event"] == "over" and said["result"]["winner"] is not None:
                    if timer is not None:
                        timer.cancel()
                    await program.process.wait()  # type: ignore[union-attr]
                    return
            if timer is not None:
                timer.cancel()
            assert program.process is not None
            code = await program.process.wait()
            begun = any(one["event"] == "connected" for one in program.said)
            if code in (1, 2) and begun:
                raise Wrong(f"{program.folder.name} ended with {code}")
            if program.lives > 20:
                raise Wrong(f"{program.folder.name} was started too often")
            if begun:
                program.words = again
            elif program is self.host:
                raise Wrong(f"the host ended with {code}")
            await program.start()

    async def _strike(self, program: Program, delay: float) -> None:
        """Kill a program wherever it is by then."""
        await asyncio.sleep(delay)
        self.killed += 1
        await program.kill()

    def judge(self) -> str:
        """Return what is wrong with the two logs, or nothing."""
        from helpers_storm import check

        from protocol.record import logfile

        ends = [one for p in (self.host, self.guest) for one in p.said if one["event"] == "over" and one["audited"]]
        if len(ends) != 2:
            return f"not two audited ends: {ends}"
        if ends[0]["result"] != ends[1]["result"]:
            return f"two results: {ends[0]['result']} and {ends[1]['result']}"
        answers = [check(Path(end["log"])) for end in ends]
        for answer in answers:
            if not answer["ok"] or not answer["audited"] or answer["problems"]:
                return f"a log does not verify: {answer['problems']}"
        if answers[0]["messages"] != answers[1]["messages"]:
            return "a message is lost"
        frames = [{record.frame for record in logfile.load(Path(end["log"]).read_bytes()).records} for end in ends]
        return "" if frames[0] == frames[1] else "the two logs hold different messages"


class Wrong(Exception):
    """What must not happen has."""


def free_port() -> int:
    """Return a port that nobody has at the moment."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def main(count: int, first: int = 0, keep: Path | None = None) -> int:
    """Play so many matches and print what came of them; return how many went wrong."""
    found: Counter[str] = Counter()
    cuts = kills = 0
    begun = time.monotonic()
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) if keep is None else keep / str(seed)
            folder.mkdir(parents=True, exist_ok=True)
            match = RoughMatch(folder, seed)
            problem = asyncio.run(match.play())
        cuts += sum(line.cuts for line in match.lines)
        kills += match.killed
        found[problem or "fine"] += 1
        lived = match.host.lives + match.guest.lives
        print(f"{seed}: {problem or 'fine'} ({match.killed} killed, {lived} starts)", flush=True)
    taken = time.monotonic() - begun
    print(f"{count} matches in {taken:.0f} s, {cuts} cuts, {kills} kills: {dict(found)}", flush=True)
    return count - found["fine"]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--keep", type=Path, help="a folder for the homes of all players")
    given = parser.parse_args()
    sys.exit(min(1, main(given.count, given.first, given.keep)))
