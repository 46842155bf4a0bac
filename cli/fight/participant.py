"""A player of Fight for Olympus in a match: what the match tells becomes events and views."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cli.console.notes import file_of
from cli.fight.notices import Illegal, Shuffling
from cli.match.participant import Controls, Decided, Ending, Remark
from cli.match.player import Player
from cli.notices import Notice
from cli.runtime.moment import now
from protocol.core.events import Answered
from protocol.core.session import Session
from protocol.game import Request
from storm_p2p.fight import engine
from storm_p2p.fight.errors import IllegalDecision
from storm_p2p.fight.events import Event
from storm_p2p.fight.game import Fight
from storm_p2p.fight.state import State, turn_of
from storm_p2p.fight.views import View

HUSH_SECONDS = 0.25
"""``free`` is asked whether or not the hand holds anything that fits (F-13.5), and answered no sooner than this, so
that the time a program takes does not tell whether it does (SPEC.md, "What the wire and the clock tell")."""


class FightParticipant:
    """One seat of a match."""

    def __init__(self, player: Player) -> None:
        """Bring a player into a match."""
        self._player = player
        self._session: Session
        self._game: Fight
        self._shown: State
        """The state up to what the player has been told."""

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

    def seated(self, session: Session, facts: Mapping[str, str], controls: Controls) -> None:
        """Seat the player."""
        self._session = session
        self._game = session.game  # type: ignore[assignment]  # the session carries any game
        terms = session.agreement.terms
        self._shown = self._game.begin(terms)
        opponent = session.agreement.players[session.peer].name
        told = {**facts, "notes": str(file_of(Path(facts["log"])))}
        self._player.seated(session.seat, self._shown.cards, opponent, told, controls)
        if not session.history:
            self._player.on_notice(Shuffling())

    def resumed(self, past: Sequence[Answered], said: Sequence[Remark]) -> None:
        """Tell what had happened."""
        told: list[tuple[tuple[Event, ...], View]] = []
        told_at: list[int] = []
        for message in past:
            happened = self._carry_on(message)
            if happened:
                told.append((happened, self._view()))
                told_at.append(message.seq)
        remarks = [replace(remark, after=bisect_right(told_at, remark.after)) for remark in said]
        # Keys and stirs are exchanged by themselves, so a new match has a past, too, with nothing in it to tell.
        if told or remarks:
            self._player.resumed(told, self._view(), remarks)

    def ahead(self) -> Coroutine[object, object, Decided] | None:
        """Return nothing: nobody decides before the other."""
        return None

    def answer(self, request: Request) -> Decided | None:
        """Return nothing: what programs answer the session answers by itself."""
        return None

    async def decide(self, request: Request) -> Decided | None:
        """Ask the player."""
        # The session is ahead of what the player was told by its own forced steps only.
        state = self._session.state
        asked_at = now()
        decision = await self._player.decide(View(state, self._session.known))
        if state.question is not None and state.question.kind == "free":
            await asyncio.sleep(max(0.0, asked_at + HUSH_SECONDS - now()))
        try:
            engine.check(state, self._session.seat, decision, self._session.known)
        except IllegalDecision as error:
            self._player.on_notice(Illegal(error))
            return None
        return decision, None

    def happened(self, message: Answered) -> None:
        """Tell what one message has done."""
        happened = self._carry_on(message)
        if happened:
            self._player.happened(happened, self._view())

    def heard(self, text: str) -> None:
        """Hand on a line of chat."""
        self._player.heard(text)

    def on_notice(self, notice: Notice) -> None:
        """Hand on what has happened beside the game."""
        self._player.on_notice(notice)

    def over(self, ending: Ending) -> None:
        """Tell how the match ended, with all hands where they were opened."""
        opened = View(self._shown, self._session.opened) if self._session.audited and turn_of(self._shown) else None
        self._player.over(replace(ending, opened=opened))

    def _carry_on(self, message: Answered) -> tuple[Event, ...]:
        """Carry the shown state on and return what the message has done."""
        happened: tuple[Event, ...] = ()
        for _, answer in message.answers:
            self._shown = self._game.step(self._shown, answer)
            happened += tuple(self._shown.events)
        return happened

    def _view(self) -> View:
        return View(self._shown, self._session.known)
