"""A seat of a match of Fight for Olympus: what the match tells becomes events and views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli.console.seats import GameParticipant
from cli.fight.notices import Illegal, Shuffling
from cli.match.player import Controls, Decided
from protocol.core.session import Session
from protocol.game import Answer, Known, Seat
from storm_p2p.fight import engine
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.errors import IllegalDecision
from storm_p2p.fight.events import Event
from storm_p2p.fight.state import State, turn_of
from storm_p2p.fight.views import View


class FightParticipant(GameParticipant):
    """One seat of a match."""

    # Keys and stirs are exchanged by themselves, so a new match has a past, too, with nothing in it to tell.
    goes_on_untold = False

    def _seat(self, session: Session) -> tuple[Seat, CardSet]:
        return session.seat, self._shown.cards

    def _step(self, state: State, answer: Answer) -> tuple[State, tuple[Event, ...]]:
        after: State = self._session.game.step(state, answer)
        return after, tuple(after.events)

    def _see(self, state: State, known: Known) -> View:
        return View(state, known)

    def _is_hushed(self, view: View) -> bool:
        # F-13.5: it is asked whether or not the hand holds anything that fits.
        return view.state.question is not None and view.state.question.kind == "free"

    def _write(self, view: View, action: Any) -> Decided | None:
        try:
            engine.check(view.state, self._session.seat, action, view.names)
        except IllegalDecision as error:
            self._player.on_notice(Illegal(error))
            return None
        return action, None

    def _opened(self) -> View | None:
        return self._see(self._shown, self._session.opened) if turn_of(self._shown) else None

    def seated(self, session: Session, facts: Mapping[str, str], controls: Controls) -> None:
        """Seat the player."""
        super().seated(session, facts, controls)
        if not session.history:
            self._player.on_notice(Shuffling())
