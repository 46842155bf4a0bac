"""Who plays Storm beside a person: the computer, and a program of somebody's own (``exec:COMMAND``).

What the program reads and writes is promised in docs/cli.md, "Programs as players": JSON lines on its stdin and
stdout.  It is told only what its seat may know.  When it gives no legal answer the built-in player moves instead; when
it is gone, the built-in player plays to the end, and both sides are told.

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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Final

from cli.match.next import Next
from cli.match.participant import Controls, Ending, Remark
from cli.match.player import Past, Player
from cli.match.program import DEFAULT_MS, START_MS, Program, WrongAnswer
from cli.runtime.console import result, say
from cli.runtime.moment import now
from cli.storm.notices import StormNotice
from cli.storm.text import narrate, notices, watched
from cli.text import programs
from protocol.core.events import BreakProposed, DrawOffered
from protocol.errors import LocalProtocolError
from storm_p2p.storm import engine, notation, positions
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import OTHER, REALM, Faction
from storm_p2p.storm.bots import BOTS, Bot, Thinker
from storm_p2p.storm.errors import NotationError, RulesError
from storm_p2p.storm.events import Event
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import NAME, ROSTER, Unit

THINKS: Final = 0.8
"""The share of the time in which a simulation may still be begun; the rest is for the last one to end."""


class RobotPlayer(Player):
    """A :class:`storm_p2p.storm.bots.Bot` at a seat: each decision looks at the state alone."""

    def __init__(self, name: str, bot: Bot, seed: int, seconds: float = 0.0) -> None:
        """Seat a bot; one that can think answers after so many seconds, whatever is asked."""
        self._name = name
        self._bot = bot
        self._seconds = seconds
        # What it draws decides its play only; every secret of the match comes from elsewhere.
        self._rng = Random(seed)  # noqa: S311
        self._faction = Faction.CHTHONIANS
        self._terms = Terms()
        self._controls: Controls | None = None

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Learn which side to play."""
        self._faction, self._terms, self._controls = faction, terms, controls

    async def place(self) -> tuple[Unit, ...]:
        """Return the bot's setup."""
        return self._bot.place(self._faction, self._terms, self._rng)

    async def decide(self, state: State) -> Action:
        """Return the bot's action.

        How long it takes must tell nothing about hidden units.  So one that thinks answers neither sooner, be there
        a single answer or many, nor later: when its time has passed.
        """
        if not isinstance(self._bot, Thinker) or not self._seconds:
            return self._bot.decide(state, self._faction, self._rng)
        begun = now()
        thoughts = self._bot.think(state, self._faction, self._rng)
        action = next(thoughts)
        while now() - begun < THINKS * self._seconds:
            # The line is served in between.
            await asyncio.sleep(0)
            action = next(thoughts)
        await asyncio.sleep(max(0.0, begun + self._seconds - now()))
        return action

    def on_notice(self, notice: StormNotice) -> None:
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
        self._faction = Faction.CHTHONIANS
        self._opponent = ""
        self._timed = False

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Say who plays."""
        self._faction, self._opponent, self._timed = faction, opponent, controls.clocks() is not None
        result(watched.seated(self.name, faction, opponent))
        self._player.seated(faction, terms, opponent, facts, controls)

    def resumed(self, past: Past, state: State, said: Sequence[Remark] = ()) -> None:
        """Print where the match goes on."""
        result(watched.resumed(state))
        self._player.resumed(past, state, said)

    async def place(self) -> tuple[Unit, ...]:
        """Ask the player."""
        found: tuple[Unit, ...] = await self._player.place()
        return found

    async def decide(self, state: State) -> Action:
        """Ask the player."""
        found: Action = await self._player.decide(state)
        return found

    def happened(self, events: tuple[Event, ...], state: State) -> None:
        """Print what has happened."""
        for event in events:
            result(narrate.line(event))
        self._player.happened(events, state)

    def heard(self, text: str) -> None:
        """Print a line of chat."""
        result(watched.chat(text))
        self._player.heard(text)

    def on_notice(self, notice: StormNotice) -> None:
        """Say what has happened beside the game."""
        say(notices.sentence(notice, self._opponent, self._faction, timed=self._timed))
        self._player.on_notice(notice)

    def over(self, ending: Ending) -> None:
        """Print how it ended."""
        for line in watched.over(ending, self.name, self._opponent, self._faction):
            result(line)
        self._player.over(ending)

    async def linger(self) -> Next:
        """Let the player say what comes next."""
        return await self._player.linger()

    async def close(self) -> None:
        """Let the player go."""
        await self._player.close()


BUILT_IN: Final = "greedy"
"""Who moves instead."""


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

    @property
    def title(self) -> str:
        """What the program calls itself."""
        return self._program.title

    async def place(self) -> tuple[Unit, ...]:
        """Return the program's setup, or the built-in player's."""
        question = {
            "t": "setup",
            "regions": list(REALM[self._faction]),
            "units": [NAME[unit] for unit in ROSTER[self._faction]],
            "ms": self._program.ms,
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
        question = {"t": "act", "state": show(state, self._faction), "legal": legal, "ms": self._program.ms}
        action = await self._ask(question, lambda answer: self._acted(answer, state))
        return await super().decide(state) if action is None else action

    def over(self, ending: Ending) -> None:
        """Tell the program how it ended."""
        self._program.tell(ending)

    async def close(self) -> None:
        """End the program."""
        await self._program.close()

    async def _ask(self, question: dict[str, Any], understand: Callable[[dict[str, Any]], Any]) -> Any:
        self._program.hello = {"seat": self._faction.name.lower(), "terms": asdict(self._terms)}
        return await self._program.ask(question, understand)

    def _tell_other(self) -> None:
        if self._controls is not None:
            with suppress(LocalProtocolError):
                self._controls.say(str(programs.REPLACED))

    def _placed(self, answer: dict[str, Any]) -> tuple[Unit, ...]:
        place = answer.get("place")
        if not isinstance(place, dict):
            raise WrongAnswer("expected an object 'place' with a region for each of nine units")
        try:
            regions = {notation.parse_unit(word): _region(region) for word, region in place.items()}
            units = setup.arrangement(self._faction, regions)
        except RulesError as error:
            raise WrongAnswer(str(error)) from None
        refusal = setup.check_units(self._faction, units, random=self._terms.random_setup)
        if refusal is not None:
            raise WrongAnswer(str(refusal))
        return units

    def _acted(self, answer: dict[str, Any], state: State) -> Action:
        words = answer.get("action")
        if not isinstance(words, str):
            raise WrongAnswer("expected a text 'action', one of the legal actions")
        try:
            action = notation.parse_action(words, state)
            if isinstance(action, Move) and not action.movers:
                raise NotationError("movers-unnamed", f"expected the units that move, got {words[:60]!r}")
            if isinstance(action, Fight) and action.faction != self._faction:
                raise NotationError("not-your-choice", f"expected a choice of the own side, got {words[:60]!r}")
            engine.check(state, action)
        except RulesError as error:
            raise WrongAnswer(str(error)) from None
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


def _region(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("wrong-type", "expected the number of a region")
    return value
