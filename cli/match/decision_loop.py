"""Asking the participant of a match, in a task of its own: a person who thinks does not keep the line waiting."""

import asyncio
from collections.abc import Callable
from typing import Any

from cli.match.player import Participant
from cli.notices import Failed
from cli.runtime.console import now
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.game import Choose, Hide, Request, Sealed

REFUSALS = 100
"""How often in a row a player may decide against the rules before the match is left."""


class DecisionLoop:
    """The questions of one match."""

    def __init__(
        self, session: Session, participant: Participant, leave: Callable[[], None], wake: Callable[[], None],
        fail: Callable[[BaseException], None],
    ) -> None:  # fmt: skip
        """Ask nothing yet; ``wake`` is called when there is a decision, ``fail`` with an error of a program."""
        self._session = session
        self._participant = participant
        self._leave = leave
        self._wake = wake
        self._fail = fail
        self._asked: asyncio.Task[None] | None = None
        self._asked_at = -1
        self._ahead: asyncio.Task[Any] | None = None

    @property
    def tasks(self) -> tuple[asyncio.Task[Any] | None, ...]:
        """What has to be stopped at the end."""
        return self._asked, self._ahead

    def begin(self) -> None:
        """Ask for what can be decided ahead."""
        ahead = self._participant.ahead()
        if ahead is not None:
            self._ahead = asyncio.create_task(ahead)

    def answer_by_itself(self) -> bool:
        """Answer what the program answers without the player; return whether there was anything."""
        request = self._session.asks_us
        found = None if request is None else self._participant.answer(request)
        if found is None:
            return False
        self._session.act(*found, now=now())
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
        """Ask until the answer is legal, and act."""
        try:
            if isinstance(request, Hide):
                if self._ahead is None:
                    self._ahead = asyncio.create_task(self._participant.decide(request))
                # What was thought of is not lost when the question is taken back.
                said, secret = await asyncio.shield(self._ahead)
                self._session.act(said, secret, now=now())
            elif isinstance(request, Choose | Sealed):
                await self._decide_openly(request)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._fail(error)
        else:
            self._wake()

    async def _decide_openly(self, request: Request) -> None:
        for _ in range(REFUSALS):
            decided = await self._participant.decide(request)
            if decided is None:
                continue
            try:
                self._session.act(*decided, now=now())
            except LocalProtocolError as error:
                self._participant.on_notice(Failed(error))
                if self._session.asks_us is not None:
                    continue
            return
        self._leave()
