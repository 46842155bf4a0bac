"""The full-screen console: the :class:`cli.console.shell.person.Console` that carries the model on and acts on it."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from prompt_toolkit.history import InMemoryHistory

from cli import language
from cli.console.input.controlling import use
from cli.console.input.suggesting import suggest
from cli.console.reducer import logged, spoke, update
from cli.console.screen_state import (
    Asked,
    ChooseLanguage,
    Close,
    Control,
    Effect,
    Ended,
    Event,
    GoPlain,
    Happened,
    Heard,
    KeepNotes,
    KeepSetup,
    Page,
    Placed,
    Refused,
    Resumed,
    Ring,
    Roll,
    Rolled,
    ScreenState,
    Seal,
    Send,
    SetLine,
    Settings,
    Settled,
    TakenOver,
    Told,
    Typed,
)  # fmt: skip
from cli.console.shell.alerts import Notice, call
from cli.console.shell.app import Console
from cli.console.shell.person import AskedElsewhere, Change
from cli.match.participant import Controls, Ending, Remark
from cli.runtime import signals
from cli.runtime.console import say
from cli.storm import model as m
from cli.storm import notes as kept_notes
from cli.storm import setups as kept_setups
from cli.storm.placing import Placing
from cli.storm.players.player import Past
from cli.storm.text import matches, refusals
from cli.storm.text import setup_screen as setup_words
from cli.text import notes
from cli.text.wording import fill
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.events import Event as GameEvent
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import Unit

SEED_BITS = 64
TICK_SECONDS = 1.0
"""How often clocks that run are drawn."""


class ScreenPlayer:
    """A person at one seat, with the whole screen."""

    def __init__(
        self,
        name: str,
        *,
        settings: Settings | None = None,
        notice: Notice | None = None,
        folder: Path | None = None,
        plain: Change | None = None,
        **options: Any,
    ) -> None:
        """Make a player.

        Args:
            name: shown to the opponent.
            settings: how the player wants it.
            notice: how the player wants to be called.
            folder: where setups are kept; nowhere when left out.
            plain: asks for plain lines; without it the words for them are in vain.
            options: for the application; tests hand in ``input`` and ``output``.
        """
        self._name = name
        self._settings = settings or Settings()
        self._notice = notice or Notice()
        self._folder = folder
        self._go_plain = plain or (lambda sentence: None)
        self._options = options
        self._ui: ScreenState | None = None
        self._console: Console | None = None
        self._controls: Controls | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._history = InMemoryHistory()
        self._asked_before = self._hushed = False
        self._released = False
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
    def ui(self) -> ScreenState:
        """The model of now."""
        assert self._ui is not None, "a player is seated before anything is drawn"
        return self._ui

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Learn which side one plays, and take the terminal."""
        ui = self._fresh(kept_notes.recalled(m.begin(faction, terms, opponent, facts)))
        # Words to compare must not scroll away unseen.
        self._ui = replace(ui, notice=ui.log if ui.game.words else ())
        self._start(controls)

    def take_over(self, model: m.Model, controls: Controls, *, asked: bool) -> None:
        """Go on with a match that another console has shown so far."""
        # Setups may have been kept there meanwhile.
        ui = self._fresh(model)
        self._ui = ui if self._ui is None else replace(self._ui, setups=ui.setups)
        self._start(controls)
        # The lines had Ctrl-C for themselves.
        signals.heed(self._interrupt, signals.CTRL_C)
        self._hushed = True
        self._handle(TakenOver(model))
        self._hushed = False
        self._asked_before = asked

    def _fresh(self, game: m.Model) -> ScreenState:
        ui = ScreenState(game, settings=self._settings, log=tuple(matches.seated(game)))
        if self._folder is None:
            return ui
        return replace(ui, setups=tuple(kept_setups.load(self._folder)[game.faction].items()))

    def _start(self, controls: Controls) -> None:
        """Take the terminal."""
        self._controls = controls
        self._released = False
        self._closing = asyncio.Event()
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
        if controls.clocks() is not None:
            self._ticking = asyncio.create_task(self._tick())

    async def place(self) -> tuple[Unit, ...]:
        """Ask for the setup."""
        return tuple(await self._ask(Placed()))

    async def decide(self, state: State) -> Action:
        """Ask for an action; what has one possible answer and tells nothing is answered at once."""
        forced = self._forced(state)
        if forced is not None:
            return forced
        found: Action = await self._ask(Asked(state))
        return found

    def _forced(self, state: State) -> Action | None:
        # SPEC.md, "What the wire and the clock tell": help from next door is never answered by itself.
        if state.phase not in (Phase.SUCCESSION, Phase.OPENING):
            return None
        actions = engine.legal_actions(state, self.ui.game.faction)
        return actions[0] if len(actions) == 1 else None

    async def _ask(self, event: Event) -> Any:
        """Return what the person answers."""
        if self._failure is not None:
            raise self._failure
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answer = answer
        self._hushed, self._asked_before = self._asked_before, False
        self._handle(event)
        self._hushed = False
        try:
            return await answer
        finally:
            # The next question may have been asked before this one has noticed that it is off.
            if self._answer is answer:
                self._answer = None
                self._handle(Settled())

    def resumed(self, past: Past, state: State, said: Sequence[Remark] = ()) -> None:
        """Learn what had happened before this program started."""
        self._handle(Resumed(tuple(past), state, tuple(said)))

    def happened(self, events: tuple[GameEvent, ...], state: State) -> None:
        """Learn what one message has done."""
        self._handle(Happened(events, state))

    def heard(self, text: str) -> None:
        """Learn a line of chat."""
        self._handle(Heard(text))

    def told(self, code: str, sentence: str) -> None:
        """Learn about the line or the match."""
        self._handle(Told(code, sentence))

    def over(self, ending: Ending) -> None:
        """Learn how it ended."""
        self._handle(Ended(ending))

    async def close(self) -> None:
        """Let the player look at the end, give the terminal back, and say the end again below it."""
        ending = None if self._ui is None else self.ui.game.ending
        if self._console is not None and ending is not None and ending.winner is not None and not self._left:
            await self._closing.wait()
        released = self._released
        await self.release()
        if ending is not None and not released:
            for line in matches.over(self.ui.game, ending):
                say(line)

    def dismiss(self) -> None:
        """Look at the end no longer than this."""
        self._closing.set()

    async def release(self) -> None:
        """Give the terminal back."""
        self._released = True
        if self._ticking is not None:
            self._ticking.cancel()
        console, self._console = self._console, None
        if console is not None:
            await console.stop()

    def step_aside(self) -> m.Model:
        """Return what is known of the match; what is asked here is asked elsewhere."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(AskedElsewhere())
        return self.ui.game

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
            case KeepNotes():
                self._keep_notes()
            case Control():
                self._control(effect)
            case SetLine(text=text):
                if self._console is not None:
                    self._console.set_line(text)
                self._handle(Typed(text, by_hand=False))
            case Ring(sentence=sentence):
                if not self._hushed:
                    self._call(sentence)
            case Roll():
                self._handle(Rolled(secrets.randbits(SEED_BITS)))
            case ChooseLanguage(language=chosen):
                language.choose(chosen)
                self._ui = replace(self.ui, notice=(refusals.SPOKEN,))
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

    def _keep_notes(self) -> None:
        try:
            kept_notes.keep(self.ui.game)
        except OSError as error:
            self._handle(Refused(notes.unkept(error.strerror or str(error))))

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
            if effect.word == "say" and self.ui.page == Page.CHAT:
                self._do(SetLine(effect.text))
            return
        self._ui = replace(logged(self.ui, game), notice=(said,) if said else ())
        if effect.word == "say":
            self._ui = spoke(self.ui, effect.text)

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
        elif self._console is not None and self.ui.game.ending is None:
            self._leave()
