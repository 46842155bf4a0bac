"""``storm-p2p play``: a match against the computer, which is a second process over the real protocol."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from argparse import Namespace
from pathlib import Path

from cli import running, seats
from cli.commands import join
from cli.console import Exit, say
from cli.home import Home
from cli.meeting import Met
from protocol import invite
from protocol.transport import Transport, TransportError
from storm_p2p.bot import BOTS

_OTHER = {"chthonians": "olympians", "olympians": "chthonians"}
START_SECONDS = 30.0
"""How long the second process may take to start."""


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home(Path(options.home))
    if options.bot not in BOTS:
        say(f"expected one of {', '.join(BOTS)} as a computer player, got {options.bot[:60]!r}.")
        return Exit.USAGE
    try:
        player = seats.of(options, home)
    except seats.UnknownPlayer as error:
        say(f"{error}.")
        return Exit.USAGE
    opponent = Opponent(options, home)

    async def meet() -> tuple[Transport, Met]:
        try:
            line = await opponent.start()
            found = invite.parse(line, int(time.time()))
            return await join.meet(found, home, player.name, join.takes_any(options.seat))
        except BaseException:
            await opponent.stop()
            raise

    try:
        return running.run(meet, player, home, json=options.json)
    finally:
        opponent.kill()


class Opponent:
    """The computer's process: it hosts on loopback, with a key and a folder of its own."""

    def __init__(self, options: Namespace, home: Home) -> None:
        self._options = options
        self._folder = home.folder / "computer"
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> str:
        """Start it and return its invite.

        Raises:
            TransportError: it does not come up.
        """
        options = self._options
        words = ["--player", f"bot:{options.bot}", "--bind", "127.0.0.1", "--port", "0", "--json", "--home"]
        words += [str(self._folder), "--name", f"computer {options.bot}"]
        words += ["--random-setup"] if options.random_setup else []
        words += ["--open-combat"] if options.open_combat else []
        words += ["--challenge", str(options.challenge)] if options.challenge else []
        words += ["--seat", _OTHER[options.seat]] if options.seat else []
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._folder / "errors.txt").open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "cli.main", "host", *words,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=errors,
                # Ctrl-C in the terminal is for the person's program; the computer notices the end of the line.
                start_new_session=True,
            )  # fmt: skip
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(START_SECONDS):
                async for text in self._process.stdout:
                    event = json.loads(text)
                    if event.get("event") == "invite":
                        self._reading = asyncio.create_task(self._drain())
                        return str(event["invite"])
        except (TimeoutError, ValueError):
            pass
        raise TransportError("unreachable", f"expected the computer's program to start, see {self._folder}")

    async def _drain(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        while await self._process.stdout.read(65536):
            pass

    async def stop(self) -> None:
        """End it and wait for that."""
        self.kill()
        if self._process is not None:
            await self._process.wait()

    def kill(self) -> None:
        """End it, if it has not ended by itself."""
        if self._process is not None and self._process.returncode is None:
            try:
                self._process.kill()
            except ProcessLookupError:
                return
