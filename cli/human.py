"""A person at the keyboard: the :class:`cli.players.Player` that reads lines and shows text.

What is shown comes from ``text``, ``looks``, ``preview`` and the other pure modules; how a line is read stands in
``screen``.  Here is the order of things: one listener takes lines all the time, so that looking, talking and
resigning work while the opponent thinks; a line that answers a question ends :meth:`HumanPlayer.decide`.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from cli import board_text, combat_text, completion, grammar, looks, placing, preview, words
from cli import model as m
from cli.clean import clean
from cli.completion import Suggestion
from cli.grammar import Act, Arrange, Manner, Match, Nothing, NotUnderstood, NotYet, Talk, View
from cli.listener import Listener
from cli.model import Model
from cli.placing import Placing
from cli.players import Controls, Ending
from cli.preview import Grade
from cli.screen import PlainScreen, Screen
from cli.text import help_text, matches, names, refusals, story
from storm_p2p import engine
from storm_p2p.actions import Action
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
        self._dice = dice or secrets.SystemRandom()
        self._model: Model | None = None
        self._controls: Controls | None = None
        self._listener = Listener(self._screen, self._take, self._leave, self._awaited, self._too_early, self._fail)
        self._decision: asyncio.Future[Action] | None = None
        self._setup: asyncio.Future[tuple[Unit, ...]] | None = None
        self._placing: Placing | None = None
        self._question: _Question | None = None
        self._last: tuple[str, ...] = ()
        self._muted = False
        self._left = False
        self._sent = False
        self._failure: Exception | None = None
        self._introduced = False
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
        self._say(matches.seated(self._model))
        with suppress(RuntimeError):
            self._listener.start()

    async def place(self) -> tuple[Unit, ...]:
        """Ask for the setup."""
        self._listener.start()
        self._placing = Placing(self._known().faction)
        self._setup = asyncio.get_running_loop().create_future()
        self._say([help_text.first_setup(self._known().faction), *help_text.help_for(Phase.SETUP, deciding=True)[1:2]])
        self._show_placing()
        self._screen.ring()
        self._listener.work()
        try:
            return await self._setup
        finally:
            self._setup = self._placing = None
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
        self._sent = False
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
            self._say(story.story(self._model, self._model.entries[-1]))
        self._sent = False
        if self._setup is None and self._decision is None:
            self._listener.work()

    def heard(self, text: str) -> None:
        """Show a line of chat."""
        if not self._muted:
            self._say([f"{self._known().opponent} says: {clean(text)}"])

    def told(self, code: str, sentence: str) -> None:
        """Show a word about the line or the match."""
        before = self._known().draw_offered
        said = matches.told(self._known(), code, sentence)
        self._model = m.told(self._known(), code, said)
        offer = ["Type accept or decline."] if self._model.draw_offered and not before else []
        self._say([said, *offer])

    def over(self, ending: Ending) -> None:
        """Show how it ended."""
        self._model = m.over(self._known(), ending)
        self._say(matches.over(self._model, ending))

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
        pending = self._decision or self._setup
        return pending is not None and not pending.done() and not self._sent and not self._left

    def _too_early(self, line: str) -> bool:
        """Return whether a line of a script has to wait: for the effect of an answer, or for its question."""
        if self._sent or self._left:
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
        for pending in (self._decision, self._setup):
            if pending is not None and not pending.done():
                pending.set_exception(error)

    def _take(self, line: str) -> None:
        """Do what a line says."""
        if self._left:
            return
        question, self._question = self._question, None
        if question is not None:
            self._screen.prompt("> ")
            typed = line.strip().lower()
            sure = typed in ("yes", "ja") if question.grade == Grade.LAST else typed in words.YES
            if sure:
                question.go()
                return
            self._say([refusals.NOTHING_SENT])
            if typed in words.NO | words.YES:
                return
        try:
            self._obey(self._parse(line))
        except (NotUnderstood, looks.NoSuchView) as refused:
            self._say([str(refused)])

    def _parse(self, line: str) -> grammar.Command:
        model = self._known()
        state = model.state if self._decision is not None and self._awaited() else None
        setting_up = self._setup is not None and self._awaited()
        return grammar.parse(line, state, model.faction, setting_up=setting_up)

    # -- commands -------------------------------------------------------------------------------------------

    def _obey(self, command: grammar.Command) -> None:
        match command:
            case Act():
                self._act(command)
            case View():
                self._view(command)
            case Talk():
                if command.text:
                    self._try(lambda: self._use().say(command.text))
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
            self._say(lines)
        else:
            self._confirm(lines, found.grade, lambda: self._send(command.action))

    def _send(self, action: Action) -> None:
        if self._decision is not None and not self._decision.done():
            self._decision.set_result(action)
            self._sent = True
        else:
            self._say([refusals.NOT_YOUR_TURN])

    def _confirm(self, lines: Iterable[str], grade: Grade, go: Callable[[], object]) -> None:
        ask = refusals.TYPE_YES if grade == Grade.LAST else "Send? yes or no" if self._plain else "Send? [y/N]"
        self._question = _Question(go, grade)
        self._say([*lines, ask])
        self._screen.prompt("yes? " if grade == Grade.LAST else "[y/N] ")

    def _view(self, command: View) -> None:
        if command.what == "repeat":
            self._screen.write(self._last)
            return
        self._say(self._look(command.what, command.args))

    def _look(self, what: str, args: tuple[str, ...]) -> list[str]:
        """Return what a view shows."""
        if what == "help":
            if args:
                return help_text.help_on(args[0])
            return help_text.help_for(self._phase(), deciding=self._awaited())
        if what == "board" and self._placing is not None:
            return self._placing_lines(self._placing)
        return looks.show(self._known(), what, args, plain=self._plain)

    def _phase(self) -> Phase | None:
        if self._placing is not None:
            return Phase.SETUP
        state = self._known().state
        return None if state is None else state.phase

    def _match(self, what: str) -> None:
        controls = self._use()
        match what:
            case "bye":
                self._leave()
            case "mute":
                self._muted = not self._muted
                self._say(["Muted." if self._muted else "No longer muted."])
            case "resign":
                self._confirm(["You give up the match."], Grade.LAST, lambda: self._finish(controls.resign))
            case "draw":
                self._confirm(["You offer a draw."], Grade.LAST, lambda: self._try(controls.offer_draw))
            case "accept":
                self._confirm(["You accept the draw."], Grade.LAST, lambda: self._finish(controls.accept_draw))
            case _:
                if self._try(controls.decline_draw):
                    self._model = m.answered_draw(self._known())

    def _use(self) -> Controls:
        assert self._controls is not None, "a player is seated before it listens"
        return self._controls

    def _try(self, control: Callable[[], None]) -> bool:
        """Use a control and return whether it could be; say why not."""
        try:
            control()
        except ValueError as refused:
            self._say([clean(str(refused))])
            return False
        return True

    def _finish(self, control: Callable[[], None]) -> None:
        """Use a control that ends the match; what a script says after it waits for the end."""
        self._sent = self._try(control)
        if self._sent:
            self._model = m.answered_draw(self._known())

    def _leave(self) -> None:
        """Leave the match; it is saved."""
        if not self._left and self._try(self._use().leave):
            self._left = True
            self._say([matches.left(self._known())])

    # -- the setup ------------------------------------------------------------------------------------------

    def _arrange(self, command: Arrange) -> None:
        assert self._placing is not None
        try:
            if command.what == "seal":
                self._seal(command.manner)
                return
            self._placing = placing.change(
                self._placing, command.what, command.units, command.region, self._dice
            )
        except ValueError as refused:
            self._say([str(refused)])
            return
        self._show_placing()

    def _seal(self, manner: Manner) -> None:
        assert self._placing is not None
        units = placing.finish(self._placing)

        def send() -> None:
            if self._setup is not None and not self._setup.done():
                self._setup.set_result(units)
                self._sent = True

        if manner == Manner.ACCEPT:
            send()
        else:
            self._confirm(["After sealing nobody can change the setup."], Grade.ASK, send)

    def _show_placing(self) -> None:
        assert self._placing is not None
        self._say(self._placing_lines(self._placing))

    def _placing_lines(self, shown: Placing) -> list[str]:
        if self._plain:
            return [placing.told(shown)]
        drawn = board_text.draw(placing.as_state(shown, self._known().terms), shown.faction)
        return [*drawn, *placing.lines(shown)]

    # -- questions ------------------------------------------------------------------------------------------

    def _forced(self, state: State) -> Action | None:
        """Return the answer where the rules leave none to choose and the player cannot care.

        The question for help from next door is never answered by itself: the time that a person takes would then
        tell the opponent whether there is somebody to help (SPEC.md, chapter 5).
        """
        if state.phase not in (Phase.SUCCESSION, Phase.OPENING):
            return None
        actions = engine.legal_actions(state, self._known().faction)
        return actions[0] if len(actions) == 1 else None

    def _ask(self, state: State) -> None:
        """Show the question of the present phase."""
        model = self._known()
        if state.phase == Phase.FIGHT:
            self._say(combat_text.spoken(model) if self._plain else combat_text.dialog(model))
            return
        if self._plain:
            lines = looks.turn(model)
        else:
            lines = [board_text.headline(model, self._what_is_asked(state)), *board_text.screen(model)]
        if state.phase != Phase.TURN:
            region = state.combat.region if state.combat is not None else 0
            lines.append(help_text.question(state.phase, state.target or region, ""))
            if state.phase == Phase.AID and len(engine.legal_actions(state, model.faction)) == 1:
                lines.append(help_text.NOBODY_HELPS)
            lines.append(f"Type: {'   '.join(looks.options(model))}")
        elif not self._introduced:
            self._introduced = True
            lines.append(help_text.first_turn(self._known().faction))
        self._say(lines)

    def _what_is_asked(self, state: State) -> str:
        what = "YOUR MOVE" if state.phase == Phase.TURN else "YOUR ANSWER"
        return f"{what} ({names.side_name(self._known().faction)})"

    def _settle(self) -> None:
        """Forget a confirmation whose question is gone."""
        self._question = None
        self._screen.prompt("> ")

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
        if not self._awaited() or self._question is not None or not line.strip() or self._placing is not None:
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
        return "\n".join(preview.lines(found, model.opponent)[:2])

    # -- small things ---------------------------------------------------------------------------------------

    def _say(self, lines: Iterable[str]) -> None:
        shown = tuple(lines)
        if shown:
            self._last = shown
            self._screen.write(shown)

    def _known(self) -> Model:
        assert self._model is not None, "a player is seated before it is asked"
        return self._model
