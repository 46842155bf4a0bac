"""A program of somebody's own at a seat (``exec:COMMAND``): JSON lines on its stdin and stdout.

What they say is promised in docs/cli.md, "Programs as players".  The program is told only what its seat may know.
When it gives no legal answer the built-in player decides instead; when it is gone, the built-in player plays to the
end, and both sides are told.

::

    > {"t": "hello", "v": 1, "seat": "0", "terms": {"cards": "reconstructed-1"}}
    < {"t": "ready", "name": "mybot 0.1"}
    > {"t": "act", "state": {...}, "legal": ["play 60 1", ..., "end"], "ms": 12000}
    < {"t": "act", "action": "play 60 1"}
    > {"t": "over", "result": {"winner": "0", "reason": "points"}}

``state`` is a position (docs/fight-rules.md, "Positions, notation and scenarios") as the seat sees it: of the other's
hand and of the pile it has the sizes.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from cli.fight.players.robot import RobotPlayer
from cli.match.participant import Ending
from cli.match.program import DEFAULT_MS, START_MS, Program, WrongAnswer
from cli.text import programs
from protocol.errors import LocalProtocolError
from protocol.game import Decision
from storm_p2p.fight import engine, notation
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.errors import FightError
from storm_p2p.fight.positions import show_view
from storm_p2p.fight.views import View

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
