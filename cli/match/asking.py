"""Asking the player of a match, in a task of its own: a person who thinks does not keep the line waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import SystemRandom
from typing import Any

from cli.runtime.moment import now
from cli.storm.players.player import Player
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.game import Choose, Hide, Request, Sealed
from storm_p2p.storm import engine, game
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.rules import dealing
from storm_p2p.storm.state import Phase

REFUSALS = 100
"""How often in a row a player may decide against the rules before the match is left."""

HUSH_SECONDS = 0.25
"""A question that is asked whether or not there is anything to decide is answered no sooner than this, so that the
time a program takes does not tell whether there was (SPEC.md, "What the wire and the clock tell")."""

_SHUFFLE = SystemRandom().shuffle


class Asking:
    """The questions of one match."""

    def __init__(
        self,
        session: Session,
        player: Player,
        leave: Callable[[], None],
        wake: Callable[[], None],
        fail: Callable[[BaseException], None],
    ) -> None:
        """Make the questions of a match.

        Args:
            session: what asks, and takes the answers.
            player: who decides.
            leave: leaves the match.
            wake: is called when the player has decided.
            fail: takes an error of the player's program or of this one.
        """
        self._session = session
        self._player = player
        self._leave = leave
        self._wake = wake
        self._fail = fail
        self._asked: asyncio.Task[None] | None = None
        self._asked_at = -1
        self._setup: asyncio.Task[Any] | None = None

    @property
    def tasks(self) -> tuple[asyncio.Task[Any] | None, ...]:
        """What has to be stopped at the end."""
        return self._asked, self._setup

    def begin(self) -> None:
        """Ask for the setup: both can think at the same time, whoever's message comes first."""
        if self._session.seq == 0 and not game.decode_terms(self._session.agreement.terms).random_setup:
            self._setup = asyncio.create_task(_coroutine(self._player.place()))

    def answer_by_itself(self) -> bool:
        """Answer what the program answers without the player; return whether there was anything."""
        request = self._session.asks_us
        if request is None:
            return False
        found = dealing.automatic(self._session.state, request, self._session.known, _SHUFFLE)
        if found is None:
            return False
        said, secret = found
        self._session.act(said, secret, now=now())
        return True

    def ask(self) -> None:
        """Ask what is to be decided now, unless that is asked already; take back what is no longer asked."""
        request = self._session.asks_us
        busy = self._asked is not None and not self._asked.done()
        if request is None or self._session.over:
            if busy and self._asked is not None:
                self._asked.cancel()
            return
        if busy and self._asked_at == self._session.seq:
            return
        if self._asked is not None and busy:
            self._asked.cancel()
        self._asked_at = self._session.seq
        self._asked = asyncio.create_task(self._decide(request))

    async def _decide(self, request: Request) -> None:
        """Ask the player until the answer is legal, and act."""
        try:
            if isinstance(request, Hide):
                if self._setup is None:
                    self._setup = asyncio.create_task(_coroutine(self._player.place()))
                units = await asyncio.shield(self._setup)
                self._session.act(None, tuple(int(unit) for unit in units), now=now())
            elif isinstance(request, Choose | Sealed):
                await self._decide_action()
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._fail(error)
        else:
            self._wake()

    async def _decide_action(self) -> None:
        for _ in range(REFUSALS):
            # The session is ahead of what the player was told by its own forced steps only.
            state = game.owner_view(self._session.state, self._session.known)
            asked_at = now()
            action = await self._player.decide(state)
            if state.phase == Phase.AID:
                await asyncio.sleep(max(0.0, asked_at + HUSH_SECONDS - now()))
            try:
                engine.check(state, action)
                said, parts = game.wire_form(self._session.state, action, self._session.known)
                self._session.act(said, parts, now=now())
            except RulesError as error:
                self._player.told(error.code, str(error))
                continue
            except LocalProtocolError as error:
                self._player.told(error.code, str(error))
                if self._session.asks_us is None:
                    return
                continue
            return
        self._leave()


async def _coroutine(wanted: Coroutine[Any, Any, Any]) -> Any:
    return await wanted
