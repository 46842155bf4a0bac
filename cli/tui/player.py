"""A person at the full-screen console: the :class:`cli.players.Player` that carries the model on and acts on it.

When the window becomes too small, or plain lines are asked for, a :class:`cli.human.HumanPlayer` takes the seat and
what was asked is asked again by it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli import completion, kept_setups, setup_completion
from cli import model as m
from cli.console import say
from cli.human import HumanPlayer
from cli.placing import Placing
from cli.players import Controls, Ending, Past, Player, Remark
from cli.text import matches
from cli.text import setup_screen as setup_words
from cli.text.wording import fill
from cli.tui import reading
from cli.tui.app import Console
from cli.tui.controlling import use
from cli.tui.model import (
    Asked,
    Close,
    Control,
    Effect,
    Ended,
    Event,
    GoPlain,
    Happened,
    Heard,
    KeepSetup,
    Placed,
    Refused,
    Resumed,
    Ring,
    Roll,
    Rolled,
    Seal,
    Send,
    SetLine,
    Settings,
    Settled,
    Told,
    Typed,
    Ui,
)  # fmt: skip
from cli.tui.notice import Notice, call
from cli.tui.reducer import spoke, update
from storm_p2p import engine
from storm_p2p.actions import Action
from storm_p2p.board import Faction
from storm_p2p.events import Event as GameEvent
from storm_p2p.state import Phase, State, Terms
from storm_p2p.units import Unit

SEED_BITS = 64
TICK_SECONDS = 1.0
"""How often clocks that run are drawn."""


class _Switched(Exception):
    """The seat has gone to the plain player."""


class ScreenPlayer:
    """A person at one seat, with the whole screen."""

    def __init__(
        self,
        name: str,
        *,
        settings: Settings | None = None,
        notice: Notice | None = None,
        folder: Path | None = None,
        plain: Callable[[str], Player] | None = None,
        **options: Any,
    ) -> None:
        """Make a player.

        Args:
            name: shown to the opponent.
            settings: how the player wants it.
            notice: how the player wants to be called.
            folder: where setups are kept; nowhere when left out.
            plain: makes the player that goes on in plain lines.
            options: for the application; tests hand in ``input`` and ``output``.
        """
        self._name = name
        self._settings = settings or Settings()
        self._notice = notice or Notice()
        self._folder = folder
        self._make_plain = plain or (lambda name: HumanPlayer(name, plain=True))
        self._options = options
        self._ui: Ui | None = None
        self._console: Console | None = None
        self._controls: Controls | None = None
        self._seat: tuple[Faction, Terms, str, dict[str, str]] | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._plain: Player | None = None
        self._why_plain = ""
        self._switching: asyncio.Task[None] | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._left = False
        self._failure: Exception | None = None
        self.interrupted = False
        """Whether Ctrl-C was pressed."""

    # -- the interface of a player --------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    @property
    def ui(self) -> Ui:
        """The model of now."""
        assert self._ui is not None, "a player is seated before anything is drawn"
        return self._ui

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Learn which side one plays, and take the terminal."""
        self._seat = (faction, terms, opponent, dict(facts))
        self._controls = controls
        self._ui = Ui(m.begin(faction, terms, opponent, facts), settings=self._settings)
        if self._folder is not None:
            setups = kept_setups.load(self._folder)[faction]
            self._ui = replace(self._ui, setups=tuple(setups.items()))
        seated = tuple(matches.seated(self._ui.game))
        # Words to compare must not scroll away unseen.
        self._ui = replace(self._ui, log=seated, notice=seated if self._ui.game.words else ())
        self._console = Console(
            lambda: self.ui, self._guarded, self._suggest, self._interrupt, self._fail, **self._options
        )
        self._console.start()
        task = self._console.task
        assert task is not None
        task.add_done_callback(self._lost)
        if controls.clocks() is not None:
            self._ticking = asyncio.create_task(self._tick())

    async def place(self) -> tuple[Unit, ...]:
        """Ask for the setup."""
        return tuple(await self._ask(Placed(), lambda player: player.place()))

    async def decide(self, state: State) -> Action:
        """Ask for an action; what has one possible answer and tells nothing is answered at once."""
        forced = self._forced(state)
        if forced is not None:
            return forced
        found: Action = await self._ask(Asked(state), lambda player: player.decide(state))
        return found

    def _forced(self, state: State) -> Action | None:
        # Help from next door is never answered by itself: the time a person takes must tell nothing (SPEC.md 5).
        if state.phase not in (Phase.SUCCESSION, Phase.OPENING):
            return None
        actions = engine.legal_actions(state, self.ui.game.faction)
        return actions[0] if len(actions) == 1 else None

    async def _ask(self, event: Event, plainly: Callable[[Player], Any]) -> Any:
        """Return what the person answers, at whichever console."""
        if self._failure is not None:
            raise self._failure
        if self._plain is None:
            answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            self._answer = answer
            self._handle(event)
            try:
                return await answer
            except _Switched:
                pass
            finally:
                # The next question may have been asked before this one has noticed that it is off.
                if self._answer is answer:
                    self._answer = None
                    self._handle(Settled())
        if self._switching is not None:
            await asyncio.shield(self._switching)
        assert self._plain is not None
        return await plainly(self._plain)

    def resumed(self, past: Past, state: State, said: Sequence[Remark] = ()) -> None:
        """Learn what had happened before this program started."""
        self._handle(Resumed(tuple(past), state, tuple(said)))

    def happened(self, events: tuple[GameEvent, ...], state: State) -> None:
        """Learn what one message has done."""
        self._handle(Happened(events, state))
        if self._plain is not None:
            self._plain.happened(events, state)

    def heard(self, text: str) -> None:
        """Learn a line of chat."""
        self._handle(Heard(text))
        if self._plain is not None:
            self._plain.heard(text)

    def told(self, code: str, sentence: str) -> None:
        """Learn about the line or the match."""
        self._handle(Told(code, sentence))
        if self._plain is not None:
            self._plain.told(code, sentence)

    def over(self, ending: Ending) -> None:
        """Learn how it ended."""
        self._handle(Ended(ending))
        if self._plain is not None:
            self._plain.over(ending)

    async def close(self) -> None:
        """Let the player look at the end, give the terminal back, and say the end again below it."""
        if self._switching is not None:
            await self._switching
        if self._console is not None and self._plain is None:
            ending = None if self._ui is None else self.ui.game.ending
            if ending is not None and ending.winner is not None and not self._left:
                await self._closing.wait()
            await self._stop_console()
            if ending is not None:
                for line in matches.over(self.ui.game, ending):
                    say(line)
        if self._plain is not None:
            self.interrupted = self.interrupted or bool(getattr(self._plain, "interrupted", False))
            await self._plain.close()

    def dismiss(self) -> None:
        """Look at the end no longer than this."""
        self._closing.set()

    async def _stop_console(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
        console, self._console = self._console, None
        if console is not None:
            await console.stop()

    # -- events and effects ---------------------------------------------------------------------------------

    def _handle(self, event: Event) -> None:
        if self._ui is None:
            return
        self._look_at_clocks()
        self._ui, effects = update(self._ui, event)
        for effect in effects:
            self._do(effect)
        if self._console is not None:
            self._console.redraw()

    def _look_at_clocks(self) -> None:
        if self._controls is None:
            return
        game = m.clocked(self.ui.game, self._controls.clocks())
        if game is not self.ui.game:
            self._ui = replace(self.ui, game=game)

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

    def _fail(self, error: Exception) -> None:
        """Let whoever waits for an answer know of an error in this program."""
        self._failure = error
        self._closing.set()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(action=action):
                self._give(action)
            case Seal(units=units):
                if self.ui.placing is not None:
                    self._keep(setup_words.LAST, self.ui.placing)
                self._give(units)
            case KeepSetup(name=name, placing=placing):
                self._keep(name, placing)
            case Control():
                self._control(effect)
            case SetLine(text=text):
                if self._console is not None:
                    self._console.set_line(text)
                self._handle(Typed(text, by_hand=False))
            case Ring(sentence=sentence):
                self._call(sentence)
            case Roll():
                self._handle(Rolled(secrets.randbits(SEED_BITS)))
            case GoPlain(sentence=sentence):
                self._go_plain(sentence)
            case Close():
                self._closing.set()

    def _give(self, answer: object) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def _call(self, sentence: str) -> None:
        if self._console is not None:
            output = self._console.application.output

            def write(text: str) -> None:
                output.write_raw(text)
                output.flush()

            call(self._notice, sentence, write, os.environ)

    def _keep(self, name: str, placing: Placing) -> None:
        if self._folder is not None:
            try:
                kept_setups.save(self._folder, name, placing)
            except OSError as error:
                self._handle(Refused(fill(setup_words.UNKEPT, why=error.strerror or str(error))))

    def _control(self, effect: Control) -> None:
        controls = self._controls
        assert controls is not None
        try:
            if effect.word == "leave":
                self._leave()
                return
            game, said = use(effect.word, effect.text, self.ui.game, controls)
        except ValueError as refused:
            self._handle(Refused(str(refused)))
            return
        self._ui = replace(self.ui, game=game, notice=(said,) if said else ())
        if effect.word == "say":
            self._ui = spoke(self.ui, effect.text)

    def _suggest(self, line: str) -> list[completion.Suggestion]:
        game = self.ui.game
        if self.ui.placing is not None and not self.ui.sent:
            return setup_completion.suggest(line, self.ui.placing, [name for name, _ in self.ui.setups])
        if not game.deciding or game.state is None or self.ui.sent:
            return completion.suggest(line, ())
        # Where picked units go has its price from the board; what else can come next stands behind it.
        partial = line[len(line.rstrip("0123456789")) :]
        found = completion.places(partial, reading.targets(line, game.state, game.faction))
        named = {one.word for one in found}
        others = completion.suggest(line, engine.options(game.state, game.faction))
        return [*found, *(one for one in others if one.word not in named)]

    # -- leaving --------------------------------------------------------------------------------------------

    def _interrupt(self) -> None:
        """Leave for Ctrl-C; after the end, only close."""
        if self.ui.game.ending is not None:
            self._closing.set()
            return
        self.interrupted = True
        self._leave()

    def _leave(self) -> None:
        if not self._left and self._controls is not None:
            self._controls.leave()
            self._left = True

    def _lost(self, task: asyncio.Task[None]) -> None:
        """Leave when the terminal is gone, and let an error of this program come up."""
        self._closing.set()
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._fail(error)
        elif self._console is not None and self._plain is None and self.ui.game.ending is None:
            self._leave()

    # -- plain lines ----------------------------------------------------------------------------------------

    def _go_plain(self, sentence: str) -> None:
        if self._plain is None and self._switching is None:
            self._why_plain = sentence
            self._switching = asyncio.get_running_loop().create_task(self._switch())

    async def _switch(self) -> None:
        """Give the seat to a plain player, and what is asked with it."""
        await self._stop_console()
        say(self._why_plain)
        plain = self._make_plain(self._name)
        assert self._seat is not None
        assert self._controls is not None
        plain.seated(*self._seat, self._controls)
        ui = self.ui
        if ui.game.state is not None:
            past = tuple((entry.events, entry.after) for entry in ui.game.entries)
            plain.resumed(past, ui.game.state)
        self._plain = plain
        self._switching = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(_Switched())
