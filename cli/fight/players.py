"""Who plays Fight for Olympus beside a person: the computer, and a program of somebody's own (``exec:COMMAND``).

What the program reads and writes is promised in docs/cli.md, "Programs as players": JSON lines on its stdin and
stdout.  It is told only what its seat may know.

::

    > {"t": "hello", "v": 1, "seat": "0", "terms": {"cards": "reconstructed-2"}}
    < {"t": "ready", "name": "mybot 0.1"}
    > {"t": "act", "state": {...}, "legal": ["play 60 1", ..., "end"], "ms": 12000}
    < {"t": "act", "action": "play 60 1"}
    > {"t": "over", "result": {"winner": "0", "reason": "points"}}

``state`` is a position (docs/fight-rules.md, "Positions, notation and scenarios") as the seat sees it: of the other's
hand and of the pile it has the sizes.
"""

from __future__ import annotations

from cli.console.seats import AskedProgram, GameParticipant, find_action
from cli.fight.model import Illegal, Shuffling
from cli.match.player import Decided, Noticed, Seated
from cli.match.program import WrongAnswer
from protocol.core.session import Session
from protocol.game import Decision, Known, Seat
from storm_p2p.fight import engine, notation
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.errors import FightError, IllegalDecision
from storm_p2p.fight.events import Event
from storm_p2p.fight.positions import show_view
from storm_p2p.fight.state import State, View, turn_of


class FightParticipant(GameParticipant[State, View, Event, Decision]):
    """One seat of a match."""

    # Keys and stirs are exchanged by themselves, so a new match has a past, too, with nothing in it to tell.
    goes_on_untold = False

    def _seat(self, session: Session) -> tuple[Seat, CardSet]:
        return session.seat, self._shown.cards

    def _see(self, state: State, known: Known) -> View:
        return View(state, known)

    def _is_hushed(self, view: View) -> bool:
        # F-13.5: it is asked whether or not the hand holds anything that fits.
        return view.state.question is not None and view.state.question.kind == "free"

    def _write(self, view: View, action: Decision) -> Decided | None:
        try:
            engine.check(view.state, self._session.seat, action, view.names)
        except IllegalDecision as error:
            self._player.tell(Noticed(Illegal(error)))
            return None
        return action, None

    def _opened(self) -> View | None:
        return self._see(self._shown, self._session.opened) if turn_of(self._shown) else None

    def begin(self, session: Session, seated: Seated) -> None:
        """Seat the player."""
        super().begin(session, seated)
        if not session.transcript.history:
            self._player.tell(Noticed(Shuffling()))


class ProgramPlayer(AskedProgram[Seat, CardSet, View, Decision]):
    """The built-in player, who asks a program first."""

    built_in = BOTS["greedy"]

    async def decide(self, view: View) -> Decision:
        """Return the program's decision, or the built-in player's."""
        self._program.hello = {"seat": str(self._side), "terms": {"cards": view.cards.name}}
        hand = {entry: card for card, entry in view.known_hand(self._side).items()}
        legal = [notation.format_decision(one, view.state, hand) for one in engine.legal(view.state, view.names)]
        question = {"t": "act", "state": show_view(view, self._side), "legal": legal, "ms": self._program.ms}
        found = await self._program.ask(question, lambda answer: (self._read(answer, view),))
        return await super().decide(view) if found is None else found[0]

    def _read(self, answer: dict[str, object], view: View) -> Decision:
        try:
            decision = notation.parse_decision(find_action(answer), view.state, view.known_hand(self._side))
            engine.check(view.state, self._side, decision, view.names)
        except FightError as error:
            raise WrongAnswer(str(error)) from None
        return decision
