"""The console in lines: the :class:`cli.console.person.Console` that takes lines and says what they have changed.

One listener takes lines all the time, so that looking, talking and resigning work while the opponent thinks; a line
that answers a question ends :meth:`LinePlayer.decide`.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from cli.console import effects as fx
from cli.console import happenings as ev
from cli.console import screen_state as st
from cli.console.effects import Effect
from cli.console.guest import GameConsole
from cli.console.happenings import Event
from cli.console.input import controlling
from cli.console.input.commands import Match, NotUnderstood, NotYet
from cli.console.input.lines import end_words
from cli.console.person import Change
from cli.console.plain.listener import Listener
from cli.console.plain.screen import PlainScreen, Screen
from cli.console.player import ConsolePlayer
from cli.console.render import lines
from cli.console.screen_state import ScreenState
from cli.match.participant import Ending
from cli.runtime import holding
from cli.text import screens


class LinePlayer(ConsolePlayer):
    """A person at one seat, with plain lines."""

    plain = True

    def __init__(
        self, name: str, guest: GameConsole[Any], *, screen: Screen | None = None, dice: random.Random | None = None,
        full: Change | None = None, call: Callable[[str], object] | None = None, folder: Path | None = None,
        settings: st.Settings | None = None,
    ) -> None:  # fmt: skip
        """Make a player, whose ``screen`` is the terminal by default.

        ``full`` asks for the whole screen, and raises ValueError with a sentence where it cannot be shown; ``call``
        calls whoever looks elsewhere, with the reason.
        """
        super().__init__(name, guest, settings=settings, folder=folder, dice=dice)
        self._full = full
        self._called = call
        self._screen: Screen = screen or PlainScreen()
        self._said: list[str] = []
        self._listener = Listener(
            self._screen, self._take, self._leave, self._interrupt, self._awaited, self._too_early, self._fail
        )
        self._acted = False
        """An answer was given, and its effect is awaited."""
        self._ending = False
        """A word that ends the match was sent, and the end is awaited."""

    def _begin(self) -> None:
        # Lines need the screen that can be scrolled back, and what is typed has to be seen.
        holding.release()
        # Without a loop the listener starts with the first question.
        with suppress(RuntimeError):
            self._listener.start()

    def _show(self, before: ScreenState, event: Event) -> None:
        self._say(lines.said(before, self.ui, event))

    def _say(self, said: list[str]) -> None:
        if said:
            self._said = said
            self._screen.write(said)

    def _call(self, ring: fx.Ring) -> None:
        if self._called is not None:
            self._called(ring.sentence)

    def _do_here(self, effect: Effect) -> None:
        match effect:
            case fx.Repeat():
                self._screen.write(self._said)
            case fx.ChangeConsole(sentence=sentence):
                self._to_full(sentence)
            case _:
                # There is no prompt that a line could be put at.
                pass

    def _to_full(self, sentence: str) -> None:
        """Ask for the whole screen; what is typed from here on is for it."""
        try:
            if self._full is None:
                raise ValueError(screens.NO_FULL)
            self._full(sentence)
        except ValueError as refused:
            self._handle(ev.Refused(str(refused)))
        else:
            self._listener.rest()

    def over(self, ending: Ending) -> None:
        """Show how it ended, and what can be typed then."""
        if not self._stays or ending.winner is None or self._left:
            # Nothing can be typed any longer, so no sign for it may follow the last line.
            self._screen.rest()
        super().over(ending)
        if self._stays and ending.winner is not None and not self._left:
            self._say([end_words(self.ui)])

    @property
    def _stays(self) -> bool:
        # A script ends with its match.
        return not self._screen.patient

    async def close(self) -> None:
        """Stop listening and give the terminal back."""
        await self._listener.close()

    release = close

    async def _ask(self, event: Event) -> Any:
        self._listener.start()
        self._acted = False
        return await super()._ask(event)

    def _handle(self, event: Event) -> None:
        super()._handle(event)
        match event:
            case ev.Placed() | ev.Asked() | ev.Advised():
                self._listener.work()
            case ev.Happened():
                self._acted = self._ending = False
                if self._answer is None:
                    self._listener.work()
            case _:
                pass

    def _give(self, answer: object) -> None:
        self._acted = True
        super()._give(answer)

    def _control(self, effect: fx.Control) -> bool:
        # What the word means is asked before it has changed anything.
        ends = effect.word != "say" and controlling.row(effect.word, self.ui.game).ends
        done = super()._control(effect)
        self._ending = self._ending or (done and ends)
        return done

    def _take(self, line: str) -> None:
        """Do what a line says."""
        if not self._left:
            self._handle(ev.Entered(line))

    def _busy(self) -> bool:
        """Return whether what was typed last has not shown its effect yet, or there is nothing more to send."""
        return self._acted or self._ending or self._left or self.ui.thinking

    def _awaited(self) -> bool:
        """Return whether an answer is awaited."""
        return self._answer is not None and not self._answer.done() and not self._busy()

    def _too_early(self, line: str) -> bool:
        """Return whether a line of a script has to wait: for the effect of an answer, or for its question."""
        if self.ui.question is not None:
            return False
        if self._busy():
            return True
        try:
            # A hint is about what is asked, too.
            return self._guest.parse(line, None, self.ui.game.side, setting_up=False) == Match("hint")
        except NotYet:
            return True
        except NotUnderstood:
            return False
