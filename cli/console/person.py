"""A person at a seat: the ``Player`` that sits at one of two consoles, and may change at any time.

The whole screen (:mod:`cli.console.shell.app`) and plain lines (:mod:`cli.console.plain`) are both a
:class:`Console`.  One of them is in front: it alone hears of the match, and its model goes to the other one when they
change places.  What is asked then is asked again there; nothing that was not answered has acted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from cli.match.player import Controls, MatchEvent, Next, Player, Question, Seated
from cli.runtime.console import say

if TYPE_CHECKING:
    from cli.console.screen_state import Model

Answer = TypeVar("Answer")


class AskedElsewhere(Exception):
    """The question is asked again at the other console."""


class Console(Player, Protocol):
    """What a person can sit at."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was pressed."""

    def take_over(self, model: Model, controls: Controls, *, asked: bool) -> None:
        """Go on with a match that another console has shown so far; in place of ``Seated``.

        Where ``asked``, a question is open and comes again; whoever has just typed need not be called to it.
        """

    async def release(self) -> None:
        """Give the terminal back; the match may go on at the other console."""

    def step_aside(self) -> Model:
        """Return what is known of the match; whoever waits for an answer here gets :class:`AskedElsewhere`."""

    def dismiss(self) -> None:
        """Look at the end no longer than this."""


Change = Callable[[str], None]
"""Asks for the other console; the sentence says why, where it is worth one."""


class Person:
    """Who plays at either console."""

    def __init__(
        self,
        name: str,
        full: Callable[[Change], Console],
        plain: Callable[[Change], Console],
        *,
        begin_plain: bool,
        why_not_full: Callable[[], str | None],
    ) -> None:
        """Make a person who sits at one of the consoles.

        The whole screen is made once, when it is needed, and kept with what was set in it.  ``why_not_full`` returns
        why it cannot be shown now, as a sentence, or None.
        """
        self._name = name
        self._make_full = full
        self._make_plain = plain
        self._why_not_full = why_not_full
        self._full: Console | None = None
        self._controls: Controls | None = None
        self._changing: asyncio.Task[None] | None = None
        self._asked = 0
        """How many questions are open."""
        self._interrupted = False
        self._before: Console | None = None
        self._front = plain(self._to_full) if begin_plain else self._screen()

    def _screen(self) -> Console:
        if self._full is None:
            self._full = self._make_full(self._to_plain)
        return self._full

    # -- the change -----------------------------------------------------------------------------------------

    def _to_full(self, sentence: str) -> None:
        """Change to the whole screen.

        Raises:
            ValueError: it cannot be shown; the sentence says why and what to do.
        """
        why = self._why_not_full()
        if why is not None:
            raise ValueError(why)
        self._change(self._screen, sentence)

    def _to_plain(self, sentence: str) -> None:
        """Change to plain lines."""
        self._change(lambda: self._make_plain(self._to_full), sentence)

    def _change(self, to: Callable[[], Console], sentence: str) -> None:
        if self._changing is None and self._controls is not None:
            self._changing = asyncio.get_running_loop().create_task(self._moved(to, sentence))

    async def _moved(self, to: Callable[[], Console], sentence: str) -> None:
        """Let the other console go on with the match as it is when the terminal is free."""
        old = self._front
        await old.release()
        self._interrupted = self.interrupted
        self._before = old
        if sentence:
            say(sentence)
        assert self._controls is not None
        self._front = to()
        self._front.take_over(old.step_aside(), self._controls, asked=self._asked > 0)
        # Only now: an error on the way ends the next question, and with it the match.
        self._changing = None

    async def _ask(self, ask: Callable[[Console], Awaitable[Answer]]) -> Answer:
        """Return what the person answers, at whichever console."""
        self._asked += 1
        try:
            while True:
                if self._changing is not None:
                    await asyncio.shield(self._changing)
                try:
                    return await ask(self._front)
                except AskedElsewhere:
                    continue
        finally:
            self._asked -= 1

    # -- the interface of a player --------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was pressed."""
        # A signal that came just before the change is heard after it.
        late = self._before is not None and self._before.interrupted
        return self._interrupted or late or self._front.interrupted

    def tell(self, event: MatchEvent) -> None:
        """Let the console in front learn what has happened."""
        if isinstance(event, Seated):
            self._controls = event.controls
        self._front.tell(event)

    async def ask(self, question: Question) -> object:
        """Ask for a setup or an action, at whichever console."""
        return await self._ask(lambda console: console.ask(question))

    async def linger(self) -> Next:
        """Let the person look at the end, at whichever console; return what comes next."""
        return await self._ask(lambda console: console.linger())

    def dismiss(self) -> None:
        """Look at the end no longer than this."""
        self._front.dismiss()

    async def close(self) -> None:
        """Give the terminal back."""
        closed: Console | None = None
        while self._changing is not None or closed is not self._front:
            if self._changing is not None:
                await self._changing
            closed = self._front
            await closed.close()
