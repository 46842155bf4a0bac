"""A person at the keyboard: the :class:`cli.players.Player` that reads lines and shows text.

What is shown comes from ``text``, ``looks``, ``questions`` and the other pure modules, and goes through ``feed``; how
a line is read stands in ``screen``.  Here is the order of things: one listener takes lines all the time, so that
looking, talking and resigning work while the opponent thinks; a line that answers a question ends
:meth:`HumanPlayer.decide`.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from cli import completion, grammar, looks, pausing, preview, questions, words
from cli import model as m
from cli.arranging import Arranging
from cli.clean import clean
from cli.completion import Suggestion
from cli.dealing import DEALING
from cli.feed import COLUMNS, PREVIEW, Feed
from cli.grammar import Act, Arrange, Manner, Match, Nothing, NotUnderstood, NotYet, Talk, View
from cli.listener import Listener
from cli.model import Model
from cli.players import Controls, Ending
from cli.preview import Grade
from cli.screen import PlainScreen, Screen, wrapped
from cli.text import confirming, help_text, matches, refusals, setups, story, typed
from storm_p2p import combat, engine
from storm_p2p.actions import Action, Fight
from storm_p2p.board import Faction
from storm_p2p.events import Event
from storm_p2p.state import Phase, State, Terms
from storm_p2p.units import Unit


@dataclass(frozen=True, slots=True)
class _Question:
    """A confirmation that is awaited."""

    go: Callable[[], object]
    grade: Grade


class HumanPlayer:
    """A person at one seat."""

    def __init__(
        self, name: str, *, plain: bool = False, screen: Screen | None = None, dice: random.Random | None = None
    ) -> None:
        """Make a player.

        Args:
            name: shown to the opponent.
            plain: no line editing and no control characters.
            screen: where to read and write; the terminal by default.
            dice: for the word ``random`` in the setup.
        """
        self._name = name
        self._plain = plain
        self._screen: Screen = screen or (PlainScreen() if plain else self._prompt())
        self._feed = Feed(self._screen, plain=plain)
        self._dice = dice or secrets.SystemRandom()
        self._model: Model | None = None
        self._controls: Controls | None = None
        self._listener = Listener(self._screen, self._take, self._leave, self._awaited, self._too_early, self._fail)
        self._decision: asyncio.Future[Action] | None = None
        self._arranging: Arranging | None = None
        self._question: _Question | None = None
        self._muted = False
        self._left = False
        self._sent = False
        self._ending = False
        self._failure: Exception | None = None
        self._introduced = False
        self._waiting_told = False
        self._priced: tuple[str, State | None, str] = ("", None, "")

    def _prompt(self) -> Screen:
        # Plain players start faster without it.
        from cli.prompt import PromptScreen

        return PromptScreen(self.suggest, self.price_line)

    # -- the interface of a player --------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Learn which side one plays and against whom."""
        self._model = m.begin(faction, terms, opponent, facts)
        self._controls = controls
        self._feed.say(matches.seated(self._model))
        with suppress(RuntimeError):
            self._listener.start()

    def resumed(self, past: Sequence[tuple[tuple[Event, ...], State]], state: State) -> None:
        """Learn what had happened before, and show where the match stands."""
        self._model = m.resumed(self._known(), past, state)
        self._introduced = True
        for entry in self._model.entries:
            self._feed.recall(story.story(self._model, entry))
        self._feed.say([matches.resumed(self._model), *(self._feed.latest() if self._plain else ())])
        self._wait(state, resumed=True)

    async def place(self) -> tuple[Unit, ...]:
        """Ask for the setup."""
        self._listener.start()
        model = self._known()
        self._arranging = arranging = Arranging(model.faction, model.terms, self._dice, plain=self._plain)
        self._feed.say(arranging.introduction())
        self._screen.ring()
        self._listener.work()
        try:
            return await arranging.sealed
        finally:
            self._arranging = None
            self._settle()

    async def decide(self, state: State) -> Action:
        """Ask for an action; what has one possible answer and tells nothing is answered at once."""
        self._listener.start()
        if self._failure is not None:
            raise self._failure
        own = self._forced(state)
        if own is not None:
            return own
        self._model = m.asked(self._known(), state)
        decision: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        self._decision = decision
        self._sent = self._waiting_told = False
        self._ask(state)
        self._screen.ring()
        self._listener.work()
        try:
            return await decision
        finally:
            # The next question may have been asked before this one has noticed that it is off.
            if self._decision is decision:
                self._decision = None
                self._model = m.answered(self._known())
                self._settle()

    def happened(self, events: tuple[Event, ...], state: State) -> None:
        """Show what one message has done."""
        self._model = m.happened(self._known(), events, state)
        if events:
            self._feed.news(story.story(self._model, self._model.entries[-1]))
        self._sent = self._ending = False
        self._wait(state)
        if self._arranging is None and self._decision is None:
            self._listener.work()

    def heard(self, text: str) -> None:
        """Show a line of chat."""
        if not self._muted:
            self._feed.say([matches.heard(self._known(), clean(text))])

    def told(self, code: str, sentence: str) -> None:
        """Show a word about the line or the match."""
        said = matches.told(self._known(), code, sentence)
        self._model = m.told(self._known(), code, said)
        if code != DEALING:
            self._feed.say([said])

    def over(self, ending: Ending) -> None:
        """Show how it ended: the last board with all units by name when everything was opened."""
        self._model = model = m.over(self._known(), ending)
        board: list[str] = []
        if ending.opened is not None and ending.opened.phase != Phase.SETUP:
            board = (questions.opened_spoken if self._plain else questions.opened)(model, ending.opened)
        self._feed.say([*board, *matches.over(model, ending)])

    async def close(self) -> None:
        """Stop listening and give the terminal back."""
        await self._listener.close()

    # -- lines in -------------------------------------------------------------------------------------------

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._listener.interrupted

    def _awaited(self) -> bool:
        """Return whether an answer is awaited."""
        pending = self._pending()
        return pending is not None and not pending.done() and not (self._sent or self._ending or self._left)

    def _pending(self) -> asyncio.Future[Action] | asyncio.Future[tuple[Unit, ...]] | None:
        return self._decision or (None if self._arranging is None else self._arranging.sealed)

    def _too_early(self, line: str) -> bool:
        """Return whether a line of a script has to wait: for the effect of an answer, or for its question."""
        if self._question is not None:
            return False
        if self._sent or self._ending or self._left:
            return True
        try:
            grammar.parse(line, None, self._known().faction)
        except NotYet:
            return True
        except NotUnderstood:
            return False
        return False

    def _fail(self, error: Exception) -> None:
        """Let whoever waits for an answer know that there was an error in this program."""
        self._failure = error
        pending = self._pending()
        if pending is not None and not pending.done():
            pending.set_exception(error)

    def _take(self, line: str) -> None:
        """Do what a line says."""
        if self._left:
            return
        question, self._question = self._question, None
        if question is not None:
            self._screen.prompt(confirming.READY)
            answer = line.strip().lower()
            sure = answer in ("yes", "ja") if question.grade == Grade.LAST else answer in words.YES
            if sure:
                question.go()
                return
            self._feed.say([refusals.NOTHING_SENT])
            if answer in words.NO | words.YES:
                return
        try:
            self._obey(self._parse(line))
        except (NotUnderstood, looks.NoSuchView) as refused:
            self._feed.say([str(refused)])

    def _parse(self, line: str) -> grammar.Command:
        model = self._known()
        state = model.state if self._decision is not None and self._awaited() else None
        setting_up = self._arranging is not None and self._awaited()
        return grammar.parse(line, state, model.faction, setting_up=setting_up)

    # -- commands -------------------------------------------------------------------------------------------

    def _obey(self, command: grammar.Command) -> None:
        match command:
            case Act():
                self._act(command)
            case View():
                self._view(command)
            case Talk():
                if not command.text:
                    self._feed.say([typed.NOTHING_SAID])
                elif self._try(lambda: self._use().say(command.text)):
                    self._feed.say([matches.said(command.text)])
            case Match():
                self._match(command.what)
            case Arrange():
                self._arrange(command)
            case Nothing():
                pass

    def _act(self, command: Act) -> None:
        model, state = self._known(), self._known().state
        assert state is not None
        found = preview.preview(state, command.action, model.faction)
        free = found.grade == Grade.FREE or (found.grade == Grade.ASK and command.manner == Manner.ACCEPT)
        if free and command.manner != Manner.PRICE:
            self._send(command.action)
            return
        hints = preview.cheaper(state, command.action, model.faction)
        if self._plain:
            lines = [preview.sentence(found, model.opponent, hints)]
        else:
            lines = preview.lines(found, model.opponent, hints)
        if command.manner == Manner.PRICE:
            self._feed.say(lines)
        else:
            self._confirm(lines, found.grade, lambda: self._send(command.action))

    def _send(self, action: Action) -> None:
        if self._decision is None or self._decision.done():
            self._feed.say([refusals.NOT_YOUR_TURN])
            return
        self._decision.set_result(action)
        self._sent = True
        state = self._known().state
        if isinstance(action, Fight) and state is not None and combat.sealed(state):
            self._feed.say([matches.sealed(self._known())])

    def _confirm(self, lines: Iterable[str], grade: Grade, go: Callable[[], object]) -> None:
        self._question = _Question(go, grade)
        self._feed.say([*lines, *confirming.lines(last=grade == Grade.LAST, plain=self._plain)])
        self._screen.prompt(confirming.prompt(last=grade == Grade.LAST))

    def _view(self, command: View) -> None:
        if command.what == "repeat":
            self._feed.repeat()
        elif command.what == "help":
            self._feed.say(self._help(command.args))
        elif command.what == "board" and self._arranging is not None:
            self._feed.say(self._arranging.lines())
        else:
            self._look_at_clocks()
            self._feed.say(looks.show(self._known(), command.what, command.args, plain=self._plain))

    def _help(self, args: Sequence[str]) -> list[str]:
        model = self._known()
        if args:
            return help_text.help_on(args[0], model.faction)
        phase = None if model.state is None else model.state.phase
        if self._arranging is not None:
            phase = Phase.SETUP
        return help_text.help_for(phase, model.faction, deciding=self._awaited())

    def _match(self, what: str) -> None:
        controls, model = self._use(), self._known()
        step = pausing.step(what, model, controls)
        if step is not None:
            self._pause(step)
            return
        if what in ("accept", "decline") and not model.draw_offered:
            self._feed.say([refusals.NO_OFFER])
            return
        match what:
            case "bye":
                self._leave()
            case "mute":
                self._muted = not self._muted
                self._feed.say([refusals.MUTED if self._muted else refusals.NOT_MUTED])
            case "resign":
                self._confirm([confirming.RESIGN], Grade.LAST, lambda: self._finish(controls.resign))
            case "draw":
                self._confirm([confirming.DRAW], Grade.LAST, self._offer_draw)
            case "accept":
                self._confirm([confirming.ACCEPT], Grade.LAST, lambda: self._finish(controls.accept_draw))
            case _:
                if self._try(controls.decline_draw):
                    self._model = m.answered_draw(model)
                    self._feed.say([matches.draw_declined(model)])

    def _pause(self, step: pausing.Step) -> None:
        """Do what a word about breaks or claims does, after its question if it has one."""

        def go() -> None:
            if step.ends:
                self._finish(step.do)
            elif self._try(step.do):
                self._model = m.answered_break(self._known())
                self._feed.say([step.said] if step.said else [])

        if step.ask:
            self._confirm([step.ask], Grade.LAST, go)
        else:
            go()

    def _use(self) -> Controls:
        assert self._controls is not None, "a player is seated before it listens"
        return self._controls

    def _try(self, control: Callable[[], None]) -> bool:
        """Use a control and return whether it could be; say why not."""
        try:
            control()
        except ValueError as refused:
            self._feed.say([clean(str(refused))])
            return False
        return True

    def _offer_draw(self) -> None:
        if self._try(self._use().offer_draw):
            self._feed.say([matches.draw_sent(self._known())])

    def _finish(self, control: Callable[[], None]) -> None:
        """Use a control that ends the match; what a script says after it waits for the end."""
        self._ending = self._try(control)
        if self._ending:
            self._model = m.answered_draw(self._known())

    def _leave(self) -> None:
        """Leave the match; it is saved."""
        if not self._left and self._try(self._use().leave):
            self._left = True
            self._feed.say([matches.left()])

    def _arrange(self, command: Arrange) -> None:
        if self._arranging is None:
            self._feed.say([setups.ALREADY_SEALED])
            return
        self._feed.say(self._arranging.obey(command, self._ask_to_seal))
        self._tell_sealed()

    def _ask_to_seal(self, lines: Iterable[str], go: Callable[[], object]) -> None:
        def seal() -> None:
            go()
            self._tell_sealed()

        self._confirm(lines, Grade.ASK, seal)

    def _tell_sealed(self) -> None:
        if self._arranging is not None and self._arranging.sealed.done() and not self._sent:
            self._sent = True
            self._feed.say([matches.sealed(self._known())])

    # -- questions ------------------------------------------------------------------------------------------

    def _forced(self, state: State) -> Action | None:
        """Return the answer where the rules leave none to choose and the player cannot care.

        The question for help from next door is never answered by itself: the time that a person takes would then
        tell the opponent whether there is somebody to help (SPEC.md, chapter 5).
        """
        if state.phase not in questions.AUTOMATIC:
            return None
        actions = engine.legal_actions(state, self._known().faction)
        return actions[0] if len(actions) == 1 else None

    def _ask(self, state: State) -> None:
        """Show the question of the present phase."""
        model = self._known()
        if state.phase == Phase.FIGHT:
            self._feed.say(questions.combat(model, plain=self._plain))
            return
        asked = questions.question(model, first=not self._introduced)
        self._introduced = self._introduced or state.phase == Phase.TURN
        self._show_board(asked)

    def _look_at_clocks(self) -> None:
        self._model = m.clocked(self._known(), self._use().clocks())

    def _show_board(self, asked: Sequence[str]) -> None:
        self._look_at_clocks()
        board = questions.board(self._known(), plain=self._plain)
        if self._plain or not board:
            self._feed.say([*board, *asked])
        else:
            self._feed.board(board, asked)

    def _wait(self, state: State, *, resumed: bool = False) -> None:
        """Say once that the other person is awaited, with the board if he may take his time."""
        model = self._known()
        if not questions.wants(state, model.faction):
            self._feed.flush()
        if not questions.is_waiting(state, model.faction) or self._waiting_told or self._arranging is not None:
            return
        self._waiting_told = True
        if self._plain or (model.computer and not resumed):
            self._feed.say([matches.waiting(model)])
        else:
            self._show_board([matches.waiting(model)])

    def _settle(self) -> None:
        """Forget a confirmation whose question is gone."""
        self._question = None
        self._screen.prompt(confirming.READY)

    # -- while typing ---------------------------------------------------------------------------------------

    def suggest(self, line: str) -> list[Suggestion]:
        """Return what can come next after a line that is being typed."""
        model = self._model
        if model is None or not model.deciding or model.state is None:
            return completion.suggest(line, ())
        return completion.suggest(line, engine.options(model.state, model.faction))

    def price_line(self, line: str) -> str:
        """Return what the line that is being typed would cost, in one or two lines."""
        state = None if self._model is None else self._model.state
        if not self._awaited() or self._question is not None or not line.strip() or self._arranging is not None:
            return ""
        if self._priced[:2] != (line, state):
            self._priced = (line, state, self._price(line))
        return self._priced[2]

    def _price(self, line: str) -> str:
        try:
            command = self._parse(line)
        except NotUnderstood:
            return ""
        model = self._known()
        if not isinstance(command, Act) or model.state is None:
            return ""
        found = preview.preview(model.state, command.action, model.faction)
        rows = [row for line in preview.lines(found, model.opponent) for row in wrapped(line, COLUMNS)]
        return "\n".join(rows[:PREVIEW])

    def _known(self) -> Model:
        assert self._model is not None, "a player is seated before it is asked"
        return self._model
