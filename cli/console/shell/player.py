"""The full-screen console: the :class:`cli.console.person.Console` that draws what the reducer holds."""

import asyncio
import os
from pathlib import Path
from typing import Any

from prompt_toolkit.history import InMemoryHistory

from cli.console import screen_state
from cli.console.guest import GameConsole
from cli.console.lines import suggest
from cli.console.messages import ChangeConsole, Effect, Event, Ring, SetLine, Stepped, Typed
from cli.console.person import Change
from cli.console.player import ConsolePlayer
from cli.console.screen_state import ScreenState, Settings
from cli.console.shell.alerts import Alert, call
from cli.console.shell.app import Console
from cli.console.shell.output import drop_typed
from cli.match.player import Controls, Next
from cli.runtime import console, terminal
from cli.runtime.console import say
from cli.text import matches

TICK_SECONDS = 1.0
"""How often clocks that run are drawn."""
STEP_SECONDS = 1 / 15
"""How long a picture of something that moves is shown."""


class ScreenPlayer(ConsolePlayer):
    """A person at one seat, with the whole screen."""

    def __init__(
        self, name: str, guest: GameConsole[Any], *, settings: Settings | None = None, notice: Alert | None = None,
        folder: Path | None = None, plain: Change | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """Make a player.

        ``plain`` asks for plain lines; without it the words for them are in vain.  ``options`` are those of the
        application; tests hand in ``input`` and ``output``.
        """
        super().__init__(name, guest, settings=settings, folder=folder)
        self._notice = notice or Alert()
        self._go_plain = plain or (lambda sentence: None)
        self._options = options
        self._console: Console | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._stepping: asyncio.Task[None] | None = None
        self._history = InMemoryHistory()
        self._released = False

    def take_over(self, model: screen_state.Model, controls: Controls, *, asked: bool) -> None:
        """Go on with a match that another console has shown so far."""
        super().take_over(model, controls, asked=asked)
        # The lines had Ctrl-C for themselves.
        console.heed(self._interrupt, console.CTRL_C)

    def _begin(self) -> None:
        """Take the terminal, unless another match has been shown on it until now."""
        self._released = False
        if self._console is not None:
            self._tick_on()
            return
        drop_typed()
        self._console = Console(
            lambda: self.ui,
            self._guarded,
            lambda line: suggest(self.ui, line),
            self._interrupt,
            self._fail,
            history=self._history,
            **self._options,
        )
        self._console.start()
        task = self._console.task
        assert task is not None
        task.add_done_callback(self._lost)
        self._tick_on()

    def _tick_on(self) -> None:
        """Let the clocks of the match run on the screen, if it has some."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        assert self._controls is not None
        if self._controls.clocks() is not None:
            self._ticking = asyncio.create_task(self._tick())

    @property
    def _stays(self) -> bool:
        return self._console is not None

    async def close(self) -> None:
        """Give the terminal back, and say the end again below it, unless it was seen and another picture follows."""
        ending = None if self._ui is None else self.ui.game.ending
        released = self._released
        if self._next is Next.MENU:
            terminal.hold()
        await self.release()
        if terminal.is_held():
            terminal.hold()
        seen = self._next is not None and ending is not None and ending.winner is not None
        if ending is None or released or (terminal.is_held() and seen):
            return
        for line in matches.over(self.ui.game, ending):
            say(line)

    async def release(self) -> None:
        """Give the terminal back."""
        self._released = True
        for task in (self._ticking, self._stepping):
            if task is not None:
                task.cancel()
        self._stepping = None
        console, self._console = self._console, None
        if console is not None:
            await console.stop()

    def _show(self, before: ScreenState, event: Event) -> None:
        del before, event
        if self._console is not None:
            self._console.redraw()
            if self.ui.motion is not None and self._stepping is None:
                self._stepping = asyncio.create_task(self._step())

    async def _step(self) -> None:
        """Let be seen how something moves; everything else has gone on, and no key waits for it."""
        while self.ui.motion is not None and self._failure is None:
            await asyncio.sleep(STEP_SECONDS)
            self._guarded(Stepped())
        self._stepping = None

    async def _tick(self) -> None:
        """Let the clocks on the screen run."""
        while self._console is not None:
            self._look_at_clocks()
            self._console.redraw()
            await asyncio.sleep(TICK_SECONDS)

    def _guarded(self, event: Event) -> None:
        """Take an event of the terminal; an error of this program must end the match, not hide in the loop."""
        try:
            self._handle(event)
        except Exception as error:
            self._fail(error)

    def _do_here(self, effect: Effect) -> None:
        match effect:
            case SetLine(text=text):
                if self._console is not None:
                    self._console.set_line(text)
                self._handle(Typed(text, by_hand=False))
            case ChangeConsole(sentence=sentence):
                self._go_plain(sentence)
            case _:
                pass

    def _call(self, ring: Ring) -> None:
        if self._console is not None:
            output = self._console.application.output

            def write(text: str) -> None:
                output.write_raw(text)
                output.flush()

            chosen = Alert("bell") if ring.urgent and self._notice.kind == "off" else self._notice
            call(chosen, ring.sentence, write, os.environ)

    def _lost(self, task: asyncio.Task[None]) -> None:
        """Leave when the terminal is gone, and let an error of this program come up."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._fail(error)
        elif self._console is not None:
            self._leave()
