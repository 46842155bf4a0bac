"""A person at the keyboard: the :class:`cli.storm.players.player.Player` that reads lines and shows text.

What is shown comes from ``text``, ``viewing``, ``questions`` and the other pure modules; how a line is read stands in
``screen``.  The parts share a ``desk``: ``showing`` shows what is asked, ``looking`` what is looked up,
``confirmation`` asks again before what cannot be taken back, ``controlling`` does the words about the match itself.
Here is the order of things: one listener takes lines all the time, so that looking, talking and resigning work while
the opponent thinks; a line that answers a question ends :meth:`HumanPlayer.decide`.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from cli.clean import clean
from cli.console import questions, viewing
from cli.console.input import grammar
from cli.console.input.grammar import (
    Act,
    Arrange,
    Confirm,
    Keep,
    Match,
    Note,
    Nothing,
    NotYet,
    Speak,
    SubmitMode,
    Talk,
    View,
)
from cli.console.plain.arranging import Arranging
from cli.console.plain.confirmation import Confirmation
from cli.console.plain.controlling import Controlling
from cli.console.plain.desk import Desk
from cli.console.plain.listener import Listener
from cli.console.plain.looking import Looking
from cli.console.plain.screen import PlainScreen, Screen
from cli.console.plain.showing import Showing
from cli.console.shell.person import AskedElsewhere, Change
from cli.match.participant import Controls, Ending, Remark
from cli.storm import model as m
from cli.storm import notes as kept_notes
from cli.storm import preview
from cli.storm.placing import Placing
from cli.storm.players.dealing import DEALING
from cli.storm.players.player import Past
from cli.storm.preview import Severity
from cli.storm.text import matches, refusals, setups, story
from cli.storm.typed_actions import NotUnderstood
from cli.text import screens, terminals
from cli.text.wording import fill
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Fight
from storm_p2p.storm.board import Faction
from storm_p2p.storm.events import Event
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import Unit

_LATEST: Final = 3
"""How many lines of what has happened are said when a match goes on."""


class HumanPlayer:
    """A person at one seat."""

    def __init__(
        self,
        name: str,
        *,
        screen: Screen | None = None,
        dice: random.Random | None = None,
        full: Change | None = None,
        call: Callable[[str], object] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Make a player.

        Args:
            name: shown to the opponent.
            screen: where to read and write; the terminal by default.
            dice: for the word ``random`` in the setup.
            full: asks for the whole screen; raises ValueError with a sentence where it cannot be shown.
            call: calls the player when he looks elsewhere, with the reason in a sentence.
            folder: where setups are kept; nowhere when left out.
        """
        self._name = name
        self._full = full
        self._call = call
        self._folder = folder
        self._screen: Screen = screen or PlainScreen()
        self._dice = dice or secrets.SystemRandom()
        self._desk = desk = Desk(self._screen)
        self._confirmation = Confirmation(desk)
        self._controlling = Controlling(desk, self._confirmation)
        self._showing = Showing(desk)
        self._looking = Looking(desk)
        leave = self._controlling.leave
        self._listener = Listener(self._screen, self._take, leave, self._awaited, self._too_early, self._fail)
        self._decision: asyncio.Future[Action] | None = None
        self._arranging: Arranging | None = None
        self._sent = self._asked_before = self._hushed = False
        self._failure: Exception | None = None

    # -- the interface of a player --------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Learn which side one plays and against whom."""
        self._desk.sit(kept_notes.recalled(m.begin(faction, terms, opponent, facts)), controls)
        self._desk.say(*matches.seated(self._desk.model))
        with suppress(RuntimeError):
            self._listener.start()

    def resumed(self, past: Past, state: State, said: Sequence[Remark] = ()) -> None:
        """Learn what had happened before, and show where the match stands."""
        self._desk.model = m.resumed(self._desk.model, past, state, said)
        self._go_on()
        self._desk.say(*matches.still(self._desk.model))

    def take_over(self, model: m.Model, controls: Controls, *, asked: bool) -> None:
        """Go on with a match that another console has shown so far."""
        self._desk.sit(m.answered(model), controls)
        self._go_on()
        if model.ending is not None:
            self._hushed = True
            self.over(model.ending)
            return
        self._asked_before = asked
        if m.is_dealing(model):
            self._desk.say(model.dealing)
        self._listener.start()

    def _go_on(self) -> None:
        """Show where the match stands, and the last of what has happened."""
        model = self._desk.model
        self._showing.introduced = True
        past = [
            line
            for item in model.chronicle
            for line in (story.story(model, item) if isinstance(item, m.Entry) else story.told(model, item))
        ]
        self._desk.say(matches.resumed(model), *past[-_LATEST:])
        if model.state is not None:
            self._showing.waiting(model.state, arranging=self._arranging is not None)

    async def place(self) -> tuple[Unit, ...]:
        """Ask for the setup."""
        self._listener.start()
        model = self._desk.model
        begun = Placing(model.faction, model.arranged)
        self._arranging = arranging = Arranging(begun, self._dice, self._folder)
        self._desk.say(*arranging.introduction())
        self._alert(screens.CALL_SETUP, question=True)
        self._listener.work()
        try:
            return await arranging.sealed
        finally:
            self._arranging = None
            self._confirmation.forget()

    async def decide(self, state: State) -> Action:
        """Ask for an action; what has one possible answer and tells nothing is answered at once."""
        self._listener.start()
        if self._failure is not None:
            raise self._failure
        own = self._forced(state)
        if own is not None:
            return own
        self._desk.model = m.asked(self._desk.model, state)
        decision: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        self._decision = decision
        self._sent = self._showing.waiting_told = False
        self._showing.question(state)
        if not self._desk.model.computer:
            self._alert(fill(screens.CALL_MOVE, name=self._desk.model.opponent), question=True)
        self._listener.work()
        try:
            return await decision
        finally:
            # The next question may have been asked before this one has noticed that it is off.
            if self._decision is decision:
                self._decision = None
                self._desk.model = m.answered(self._desk.model)
                self._confirmation.forget()

    def happened(self, events: tuple[Event, ...], state: State) -> None:
        """Show what one message has done."""
        self._desk.model = model = m.happened(self._desk.model, events, state)
        if events:
            self._desk.say(*story.story(model, model.entries[-1]))
        self._sent = self._controlling.ending = False
        self._showing.waiting(state, arranging=self._arranging is not None)
        if self._arranging is None and self._decision is None:
            self._listener.work()

    def heard(self, text: str) -> None:
        """Show a line of chat."""
        if not self._desk.model.muted:
            self._desk.model = m.spoken(self._desk.model, text, mine=False)
            line = matches.heard(self._desk.model, clean(text))
            self._desk.say(line)
            self._alert(line)

    def told(self, code: str, sentence: str) -> None:
        """Show a word about the line or the match."""
        said = matches.told(self._desk.model, code, sentence)
        self._desk.model = m.told(self._desk.model, code, said)
        if code != DEALING:
            self._desk.say(said)
        if code == "line-lost":
            self._alert(said)

    def over(self, ending: Ending) -> None:
        """Show how it ended: the last board with all units by name when everything was opened."""
        self._desk.model = model = m.over(self._desk.model, ending)
        board: list[str] = []
        if ending.opened is not None and ending.opened.phase != Phase.SETUP:
            board = questions.opened_spoken(model, ending.opened)
        # Nothing can be typed any longer, so no sign for it may follow the last line.
        self._screen.rest()
        told = matches.over(model, ending)
        self._desk.say(*board, *told)
        self._alert(told[0])

    def _alert(self, sentence: str, *, question: bool = False) -> None:
        """Call a player who looks elsewhere."""
        again, self._asked_before = question and self._asked_before, self._asked_before and not question
        if again or self._hushed:
            # The person has just asked for these lines.
            return
        if self._call is not None:
            self._call(sentence)

    async def close(self) -> None:
        """Stop listening and give the terminal back."""
        await self._listener.close()

    async def release(self) -> None:
        """Stop listening and give the terminal back; the match may go on at another console."""
        await self._listener.close()

    def step_aside(self) -> m.Model:
        """Return what is known of the match; what is asked here is asked elsewhere."""
        pending = self._pending()
        if pending is not None and not pending.done():
            pending.set_exception(AskedElsewhere())
        return self._desk.model

    def dismiss(self) -> None:
        """Nothing to do: the end is said, and nobody waits for a look at it."""

    def _forced(self, state: State) -> Action | None:
        """Return the answer where the rules leave none to choose and the player cannot care.

        The question for help from next door is never answered by itself: the time that a person takes would then
        tell the opponent whether there is somebody to help (SPEC.md, "What the wire and the clock tell").
        """
        if state.phase not in questions.AUTOMATIC:
            return None
        actions = engine.legal_actions(state, self._desk.model.faction)
        return actions[0] if len(actions) == 1 else None

    # -- lines in -------------------------------------------------------------------------------------------

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._listener.interrupted

    def _busy(self) -> bool:
        """Return whether what was sent last has not shown its effect yet, or there is nothing more to send."""
        return self._sent or self._controlling.ending or self._controlling.left

    def _awaited(self) -> bool:
        """Return whether an answer is awaited."""
        pending = self._pending()
        return pending is not None and not pending.done() and not self._busy()

    def _pending(self) -> asyncio.Future[Action] | asyncio.Future[tuple[Unit, ...]] | None:
        return self._decision or (None if self._arranging is None else self._arranging.sealed)

    def _too_early(self, line: str) -> bool:
        """Return whether a line of a script has to wait: for the effect of an answer, or for its question."""
        if self._confirmation.awaited:
            return False
        if self._busy():
            return True
        try:
            grammar.parse(line, None, self._desk.model.faction)
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
        if self._controlling.left or self._confirmation.answer(line):
            return
        if self._awaited() and self._arranging is None and self._looking.region(line):
            return
        try:
            self._obey(self._parse(line))
        except (NotUnderstood, viewing.NoSuchView) as refused:
            self._desk.say(str(refused))

    def _parse(self, line: str) -> grammar.Command:
        model = self._desk.model
        state = model.state if self._decision is not None and self._awaited() else None
        setting_up = self._arranging is not None and self._awaited()
        return grammar.parse(line, state, model.faction, setting_up=setting_up)

    # -- commands -------------------------------------------------------------------------------------------

    def _obey(self, command: grammar.Command) -> None:
        match command:
            case Act():
                self._act(command)
            case View():
                self._looking.view(command, self._arranging, awaited=self._awaited())
            case Talk():
                self._controlling.talk(command.text)
            case Note():
                self._looking.note(command)
            case Speak():
                self._looking.speak(command)
            case Confirm():
                self._looking.confirm(command)
            case Match(what="full"):
                self._to_full()
            case Match():
                self._controlling.obey(command.what)
            case Arrange():
                self._arrange(command)
            case Keep():
                self._keep(command)
            case Nothing():
                pass

    def _to_full(self) -> None:
        """Ask for the whole screen; what is typed from here on is for it."""
        if self._full is None:
            self._desk.say(terminals.NO_FULL)
            return
        try:
            self._full("")
        except ValueError as refused:
            self._desk.say(str(refused))
        else:
            self._listener.rest()

    def _act(self, command: Act) -> None:
        model, state = self._desk.model, self._desk.model.state
        assert state is not None
        found = preview.preview(state, command.action, model.faction)
        accepted = command.mode == SubmitMode.ACCEPT
        at_once = preview.sent_at_once(found.severity, accepted=accepted, confirms=model.confirms)
        if at_once and command.mode != SubmitMode.PRICE:
            self._send(command.action)
            return
        hints = preview.cheaper(state, command.action, model.faction)
        price = preview.sentence(found, model.opponent, hints)
        if command.mode == SubmitMode.PRICE:
            self._desk.say(price)
        else:
            self._confirmation.ask([price], found.severity, lambda: self._send(command.action))

    def _send(self, action: Action) -> None:
        if self._decision is None or self._decision.done():
            self._desk.say(refusals.NOT_YOUR_TURN)
            return
        self._decision.set_result(action)
        self._sent = True
        state = self._desk.model.state
        if isinstance(action, Fight) and state is not None and combat.sealed(state):
            self._desk.say(matches.sealed(self._desk.model))

    def _arrange(self, command: Arrange) -> None:
        if self._arranging is None:
            self._desk.say(setups.ALREADY_SEALED)
            return
        told = self._arranging.obey(command, self._ask_to_seal)
        self._desk.model = m.arranged(self._desk.model, self._arranging.placing.places)
        self._desk.say(*told)
        self._tell_sealed()

    def _keep(self, command: Keep) -> None:
        assert self._arranging is not None, "only a line of the setup keeps one"
        told = self._arranging.keep(command)
        self._desk.model = m.arranged(self._desk.model, self._arranging.placing.places)
        self._desk.say(*told)

    def _ask_to_seal(self, lines: Iterable[str], go: Callable[[], object]) -> None:
        def seal() -> None:
            go()
            self._tell_sealed()

        self._confirmation.ask(lines, Severity.ASK, seal)

    def _tell_sealed(self) -> None:
        if self._arranging is not None and self._arranging.sealed.done() and not self._sent:
            self._sent = True
            self._desk.say(matches.sealed(self._desk.model))
