"""The witness of a match while it is played: everything that was accepted is shown to them, and their answers are kept.

They are asked on the side.  The match never waits for them, but for a moment at its end.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from cli.notices import OnNotice, WitnessSilent
from protocol.core.session import Session
from protocol.core.witness import MESSAGE_LIMIT
from protocol.transport import Transport, TransportError
from protocol.transport.asking import call_desk

PAUSES = (1.0, 5.0, 30.0)
"""How many seconds pass before they are called again; the last one from then on."""

PATIENCE = 5.0
"""How many seconds an answer may take."""

LAST_SECONDS = 2.0
"""How long the match waits for them at its end."""


class Witnessing:
    """What is said to the witness of one match, if there is one."""

    def __init__(self, session: Session, on_notice: OnNotice, wake: Callable[[], None]) -> None:
        self._session = session
        self._on_notice = on_notice
        self._wake = wake
        self._news = asyncio.Event()
        self._told = asyncio.Event()
        self._asking: Transport | None = None
        self._silent = False

    def news(self) -> None:
        """There may be something to show them."""
        self._told.clear()
        self._news.set()

    async def run(self) -> None:
        """Show them everything, until cancelled; returns at once without a witness."""
        terms = self._session.agreement.conditions.witness
        if terms is None:
            return
        host, _, port = terms.address.rpartition(":")
        failures = 0
        try:
            while True:
                try:
                    self._news.clear()
                    await self._show_all(host.strip("[]"), int(port))
                    failures = 0
                    if not self._news.is_set():
                        self._told.set()
                    await self._news.wait()
                except (TransportError, TimeoutError, ValueError):
                    await self._hang_up()
                    self._say_silent()
                    await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
                    failures += 1
        finally:
            await self._hang_up()

    async def _show_all(self, host: str, port: int) -> None:
        while (question := self._session.side_channel.next_for_witness()) is not None:
            kept = self._asking
            asking = self._asking = kept or await call_desk(host, port, MESSAGE_LIMIT)
            try:
                async with asyncio.timeout(PATIENCE):
                    await asking.send(question)
                    answer = await asking.receive()
                if answer is None:
                    raise TransportError("closed", "expected an answer, got the end of the connection")
            except TransportError:
                if kept is None:
                    raise
                # A witness hangs up on whoever has asked nothing for a while; they are there all the same.
                await self._hang_up()
                continue
            if not self._session.side_channel.take_statement(answer):
                raise TransportError("closed", "expected the witness of the terms, got somebody else")
            self._silent = False
            self._wake()

    def _say_silent(self) -> None:
        if not self._silent:
            self._silent = True
            self._on_notice(WitnessSilent())

    async def _hang_up(self) -> None:
        asking, self._asking = self._asking, None
        if asking is not None:
            with suppress(Exception):
                await asking.close()

    async def finish(self) -> None:
        """Give them a moment for the last messages."""
        if self._session.agreement.conditions.witness is None or self._silent:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                self.news()
                await self._told.wait()
