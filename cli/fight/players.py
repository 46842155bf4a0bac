"""Who plays Fight for Olympus beside a person: the computer, and a program of somebody's own (``exec:COMMAND``).

What the program reads and writes is promised in docs/cli.md, "Programs as players": JSON lines on its stdin and
stdout.  It is told only what its seat may know.

::

    > {"t": "hello", "v": 1, "seat": "0", "terms": {"cards": "reconstructed-1"}}
    < {"t": "ready", "name": "mybot 0.1"}
    > {"t": "act", "state": {...}, "legal": ["play 60 1", ..., "end"], "ms": 12000}
    < {"t": "act", "action": "play 60 1"}
    > {"t": "over", "result": {"winner": "0", "reason": "points"}}

``state`` is a position (docs/fight-rules.md, "Positions, notation and scenarios") as the seat sees it: of the other's
hand and of the pile it has the sizes.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from cli.clean import clean
from cli.fight.notices import FightNotice, Illegal, Shuffling
from cli.fight.text import narrate, screens, watched
from cli.match.next import Next
from cli.match.participant import Controls, Ending, Remark
from cli.match.player import Past, Player
from cli.match.program import DEFAULT_MS, START_MS, Program, WrongAnswer
from cli.runtime.console import result, say
from cli.text import notices, programs
from protocol.core.events import BreakProposed, DrawOffered
from protocol.errors import LocalProtocolError
from protocol.game import Decision, Seat
from storm_p2p.fight import engine, notation
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.bots.bot import Bot
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.errors import FightError
from storm_p2p.fight.events import Event
from storm_p2p.fight.positions import show_view
from storm_p2p.fight.views import View


class RobotPlayer(Player):
    """A :data:`storm_p2p.fight.bots.Bot` at a seat: each decision looks at the view alone."""

    def __init__(self, name: str, bot: Bot, seed: int) -> None:
        self._name = name
        self._bot = bot
        # What it draws decides its play only; every secret of the match comes from elsewhere.
        self._rng = Random(seed)  # noqa: S311
        self._side: Seat = 0
        self._controls: Controls | None = None

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    def seated(self, side: Seat, cards: CardSet, opponent: str, facts: Mapping[str, str], controls: Controls) -> None:
        """Learn which side to play."""
        self._side, self._controls = side, controls

    async def place(self) -> None:
        """Return nothing: the game has no setup."""

    async def decide(self, view: View) -> Decision:
        """Return the bot's decision."""
        return self._bot(view.state, view.names, self._rng)

    def on_notice(self, notice: FightNotice) -> None:
        """Decline draws and breaks; it plays to the end."""
        if self._controls is None:
            return
        # What was offered may be gone by now.
        with suppress(LocalProtocolError):
            if isinstance(notice, DrawOffered):
                self._controls.decline_draw()
            elif isinstance(notice, BreakProposed):
                self._controls.reject()


class Watched:
    """A :class:`cli.match.player.Player` that passes everything on and prints it, one line an event."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._side: Seat = 0
        self._opponent = ""
        self._timed = False

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

    def seated(self, side: Seat, cards: CardSet, opponent: str, facts: Mapping[str, str], controls: Controls) -> None:
        """Say who plays."""
        self._side, self._opponent, self._timed = side, opponent, controls.clocks() is not None
        result(watched.seated(self.name, side, opponent))
        self._player.seated(side, cards, opponent, facts, controls)

    def resumed(self, past: Past, state: View, said: Sequence[Remark] = ()) -> None:
        """Print where the match goes on."""
        result(watched.resumed(state.state))
        self._player.resumed(past, state, said)

    async def place(self) -> None:
        """Return nothing: the game has no setup."""

    async def decide(self, state: View) -> Decision:
        """Ask the player."""
        found: Decision = await self._player.decide(state)
        return found

    def happened(self, events: tuple[Event, ...], state: View) -> None:
        """Print what has happened."""
        for event in events:
            result(narrate.line(event, state.cards))
        self._player.happened(events, state)

    def heard(self, text: str) -> None:
        """Print a line of chat."""
        result(watched.chat(text))
        self._player.heard(text)

    def on_notice(self, notice: FightNotice) -> None:
        """Say what has happened beside the game."""
        if isinstance(notice, Shuffling):
            say(str(screens.SHUFFLING))
        elif isinstance(notice, Illegal):
            say(clean(str(notice.error)))
        else:
            say(notices.sentence(notice, self._opponent, self._side, timed=self._timed))
        self._player.on_notice(notice)

    def over(self, ending: Ending) -> None:
        """Print how it ended."""
        for line in watched.over(ending, {str(self._side): self.name, str(1 - self._side): self._opponent}):
            result(line)
        self._player.over(ending)

    async def linger(self) -> Next:
        """Let the player say what comes next."""
        return await self._player.linger()

    async def close(self) -> None:
        """Let the player go."""
        await self._player.close()


BUILT_IN: Final = "greedy"
"""Who decides instead."""


class ProgramPlayer(RobotPlayer):
    """The built-in player, who asks a program first; for the arguments see :class:`cli.match.program.Program`.

    Raises:
        ValueError: the command has no words or an open quote, or there is no such program.
    """

    def __init__(
        self, command: str, *, errors: Path | None = None, ms: int = DEFAULT_MS, start_ms: int = START_MS,
        report: Callable[[str], None] = lambda sentence: None, seed: int = 0, name: str | None = None,
    ) -> None:  # fmt: skip
        self._program = Program(command, errors=errors, ms=ms, start_ms=start_ms, report=report, name=name)
        self._program.on_gone = self._tell_other
        super().__init__(self._program.name, BOTS[BUILT_IN], seed)

    async def decide(self, view: View) -> Decision:
        """Return the program's decision, or the built-in player's."""
        self._program.hello = {"seat": str(self._side), "terms": {"cards": view.cards.name}}
        hand = {entry: card for card, entry in view.known_hand(self._side).items()}
        legal = [notation.format_decision(one, view.state, hand) for one in engine.legal(view.state, view.names)]
        question = {"t": "act", "state": show_view(view, self._side), "legal": legal, "ms": self._program.ms}
        found = await self._program.ask(question, lambda answer: (self._read(answer, view),))
        return await super().decide(view) if found is None else found[0]

    def over(self, ending: Ending) -> None:
        """Tell the program how it ended."""
        self._program.tell(ending)

    async def close(self) -> None:
        """End the program."""
        await self._program.close()

    def _read(self, answer: dict[str, Any], view: View) -> Decision:
        words = answer.get("action")
        if not isinstance(words, str):
            raise WrongAnswer("expected a text 'action', one of the legal actions")
        try:
            decision = notation.parse_decision(words, view.state, view.known_hand(self._side))
            engine.check(view.state, self._side, decision, view.names)
        except FightError as error:
            raise WrongAnswer(str(error)) from None
        return decision

    def _tell_other(self) -> None:
        if self._controls is not None:
            with suppress(LocalProtocolError):
                self._controls.say(str(programs.REPLACED))
