"""``storm-p2p play``: a match against the computer, which is a second process over the real protocol."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from argparse import Namespace
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cli.app import games
from cli.app.arguments import USUAL_BOT
from cli.app.launch import running, seats
from cli.app.launch.proposal import check_seat, player_of, supplied, variants_of
from cli.clean import clean
from cli.console.played import PlayedGame
from cli.match.player import Player
from cli.match.program import keep_errors, read_out
from cli.meeting import joining
from cli.meeting.lines import Lines
from cli.meeting.meeting import Met
from cli.runtime.console import Exit, UsageError, say
from cli.storage.home import Home
from cli.text import commands
from protocol.reach import invite
from protocol.record.files import make_folder, write_file
from protocol.system import processes
from protocol.transport import TransportError

_SOURCE = str(Path(__file__).parents[2])
"""Where this very program lies."""
PROGRAM = (
    *processes.PYTHON,
    "-c",
    f"import sys; sys.path[:0] = {{{_SOURCE!r}}} - {{*sys.path}}; from cli.app.main import main; sys.exit(main())",
)
"""How this program is started once more, installed or not."""
_FIRST_BOT, _FIRST_SEAT = "novice", "chthonians"
"""Who plays in a first match, and the side of it, which is that of the lessons."""
START_SECONDS = 30.0
"""How long the second process may take to start."""
STOP_SECONDS = 3.0
"""How long it may take to notice the end of the line and to save."""


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    if options.guided and options.game != "storm":
        raise UsageError(commands.no_variant("--guided", str(games.find(games.CALLED[options.game]).console.title)))
    if options.guided:
        options.random_setup, options.seat = True, options.seat or _FIRST_SEAT
    options.bot = options.bot or (_FIRST_BOT if options.guided else USUAL_BOT)
    who = player_of(options)
    game, data = supplied(games.find(games.CALLED[options.game]), options.cards)
    check_seat(game, options.seat)
    if game.make_bot(options.bot, None) is None:
        raise UsageError(commands.no_such_bot(clean(options.bot, 40), ", ".join(game.levels)))
    player = seats.of(game, who, home)
    game.write_terms(variants_of(game, options))
    opponent = Opponent(home)

    called = games.CALLED[options.game]
    again = partial(meet, opponent, player, home, options.bot, options, options.seat, called, data)
    say(str(commands.STARTING_COMPUTER))
    return running.Series(again, player, home, who, 0, opponent.stop, again=again).run()


async def meet(
    opponent: Opponent,
    player: Player,
    home: Home,
    bot: str,
    terms: object,
    seat: str | None,
    called: str = games.STORM,
    data: bytes = b"",
) -> tuple[Lines, Met]:
    """Start the computer and agree with it on a match; ``terms`` has the variants of the game by their names.

    ``data`` is what the game is played with beside them.

    Raises:
        TransportError: it does not come up.
    """
    words = ["host", "--name", f"computer {bot}", "--bind", "127.0.0.1", "--port", "0", "--patience", "0"]
    game = games.find(called)
    words += ["--game", called.partition("-")[0]]
    for variant in game.variants:
        wanted = getattr(terms, variant)
        if wanted:
            option = f"--{variant.replace('_', '-')}"
            words.append(option if wanted is True else f"{option}={wanted}")
    if data:
        words += ["--cards", str(opponent.keep(data))]
    words += ["--seat", _other(game, seat)] if seat else []
    # The one of the match before has ended, or is about to.
    await opponent.stop()
    line = await opponent.start("invite", words, bot)
    found = invite.parse(line["invite"], int(time.time()))
    consent = joining.takes_any(seat, game=called)
    try:
        return await joining.meet(found, home, player.name, consent, computer=bot, data=data)
    except TransportError as error:
        # Nobody can call a program of this machine later, or send another invite: it has ended, and says itself why.
        raise TransportError("no-computer", str(commands.NO_COMPUTER)) from error


def _other(game: PlayedGame, seat: str) -> str:
    one, two = map(game.console.seat_word, game.console.sides)
    return two if seat == one else one


class Opponent:
    """The computer's process: it listens on loopback, with a key and a folder of its own."""

    def __init__(self, home: Home) -> None:
        self._folder = home.computer.folder
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[bytes] | None = None

    def keep(self, data: bytes) -> Path:
        """Return a file with the data of a game, which the process reads; the player's own may be gone by then."""
        file = self._folder / f"cards-{hashlib.sha256(data).hexdigest()[:16]}.json"
        make_folder(self._folder)
        write_file(file, data)
        return file

    async def start(self, event: str, words: Sequence[str], bot: str) -> dict[str, str]:
        """Start it with the words of a command and return the line in which it reports ``event``.

        Raises:
            TransportError: it does not come up.
        """
        make_folder(self._folder)
        # However this program ends, its end of the pipe is closed then, and nobody is left waiting for a guest.
        always = ["--player", f"bot:{bot}", "--json", "--home", str(self._folder), "--end-with-input"]
        # Of Ctrl-C in the terminal it knows nothing, and notices the end of the line.
        self._process = await processes.start(*PROGRAM, *words, *always, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._listening = asyncio.create_task(keep_errors(self._process.stderr, self._folder / "errors.txt"))
        try:
            async with asyncio.timeout(START_SECONDS):
                async for text in self._process.stdout:
                    found = json.loads(text)
                    if found.get("event") == event:
                        self._reading = asyncio.create_task(read_out(self._process.stdout))
                        return dict(found)
        except (TimeoutError, ValueError):
            pass
        raise TransportError("no-computer", str(commands.NO_COMPUTER))

    async def stop(self) -> None:
        """Let it end by itself, for the line is closed, and see to it that it does; say why if it has failed."""
        if self._process is None or self._listening is None:
            return
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            processes.kill(self._process)
            await self._process.wait()
        if self._reading is not None:
            await self._reading
        # The end of it says why it has failed.
        said = (await self._listening).decode("utf-8", "replace").splitlines()
        if said and self._process.returncode in (Exit.NO, Exit.USAGE):
            say(commands.computer_failed(said[-1]))
        self._process = self._reading = self._listening = None
