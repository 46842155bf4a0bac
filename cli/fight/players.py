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

from typing import Any

from cli.console.seats import AskedProgram, Robot, find_action
from cli.match.program import WrongAnswer
from protocol.game import Decision
from storm_p2p.fight import engine, notation
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.bots.bot import Bot
from storm_p2p.fight.errors import FightError
from storm_p2p.fight.positions import show_view
from storm_p2p.fight.views import View


class RobotPlayer(Robot):
    """A :data:`storm_p2p.fight.bots.Bot` at a seat."""

    _bot: Bot

    async def decide(self, view: View) -> Decision:
        """Return the bot's decision."""
        return self._bot(view.state, view.names, self._rng)


class ProgramPlayer(AskedProgram, RobotPlayer):
    """The built-in player, who asks a program first."""

    def __init__(self, command: str, **options: Any) -> None:
        """Make a player; for the arguments see :class:`cli.console.seats.AskedProgram`."""
        super().__init__(command, BOTS["greedy"], **options)

    async def decide(self, view: View) -> Decision:
        """Return the program's decision, or the built-in player's."""
        self._program.hello = {"seat": str(self._side), "terms": {"cards": view.cards.name}}
        hand = {entry: card for card, entry in view.known_hand(self._side).items()}
        legal = [notation.format_decision(one, view.state, hand) for one in engine.legal(view.state, view.names)]
        question = {"t": "act", "state": show_view(view, self._side), "legal": legal, "ms": self._program.ms}
        found = await self._program.ask(question, lambda answer: (self._read(answer, view),))
        return await super().decide(view) if found is None else found[0]

    def _read(self, answer: dict[str, Any], view: View) -> Decision:
        try:
            decision = notation.parse_decision(find_action(answer), view.state, view.known_hand(self._side))
            engine.check(view.state, self._side, decision, view.names)
        except FightError as error:
            raise WrongAnswer(str(error)) from None
        return decision
