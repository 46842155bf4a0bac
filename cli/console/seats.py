"""Who sits at a seat of a match of any game: its participant, people, computer players, programs, and who watches.

A game says what its rules decide: what an answer does, what a seat sees of it, and what a decision looks like on the
wire.  All else of a seat is the same in every game, and stands here.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar, cast

from cli.match.player import (
    Asked,
    Controls,
    Decided,
    Ended,
    Happened,
    Heard,
    MatchEvent,
    Next,
    Noticed,
    Player,
    Question,
    Remark,
    Resumed,
    Seated,
)
from cli.match.program import Program, WrongAnswer
from cli.runtime.console import now, result, say
from cli.text import matches
from protocol.core.events import Answered, BreakProposed, DrawOffered
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.game import Answer, Known, Request
from storm_p2p.bots import Bot, Thinker

if TYPE_CHECKING:
    from cli.console.guest import AnyConsole
    from cli.console.player import ConsolePlayer
    from cli.console.screen_state import Model
    from cli.notices import Notice


NOTES: Final = ".notes.json"
"""The end of the name of the file beside a journal that has the notes of the match."""
HUSH_SECONDS = 0.25
"""A question that is asked whether or not there is anything to decide is answered no sooner than this, so that the
time a program takes does not tell whether there was (SPEC.md, "What the wire and the clock tell")."""
THINKS: Final = 0.8
"""The share of the time in which a simulation may still be begun; the rest is for the last one to end."""


State = TypeVar("State")
Seen = TypeVar("Seen")
Happening = TypeVar("Happening")
Action = TypeVar("Action")
Side = TypeVar("Side")
Terms = TypeVar("Terms")


class GameParticipant(ABC, Generic[State, Seen, Happening, Action]):
    """One seat: what the match tells becomes events and views of the game, and actions go to the wire."""

    _session: Session
    _shown: State
    """The state up to what the player has been told; the session is ahead of it by its own forced steps only."""
    goes_on_untold: ClassVar[bool] = True
    """Whether a match with a past of which there is nothing to tell goes on, or has only begun."""

    def __init__(self, player: Player) -> None:
        """Bring a player into a match."""
        self.name = player.name
        self._player = player

    # -- what a game says -----------------------------------------------------------------------------------

    @abstractmethod
    def _seat(self, session: Session) -> tuple[object, object]:
        """Return the side and the terms as the player takes them."""

    def _step(self, state: State, answer: Answer) -> tuple[State, tuple[Happening, ...]]:
        """Return the state after an answer, and what it has done."""
        return self._session.game.step_with_events(state, answer)  # type: ignore[attr-defined,no-any-return]

    @abstractmethod
    def _see(self, state: State, known: Known) -> Seen:
        """Return what somebody sees who knows these secrets."""

    @abstractmethod
    def _is_hushed(self, view: Seen) -> bool:
        """Return whether the question is asked whether or not there is anything to decide."""

    @abstractmethod
    def _write(self, view: Seen, action: Action) -> Decided | None:
        """Return an action as it goes to the wire; None, and the player is told, if the rules refuse it."""

    def _follow(self, message: Answered, *, tell: bool) -> None:
        """Follow what a message has done beside the events of the game; tell it if it is news."""
        return

    def _opened(self) -> Seen | None:
        """Return the last state with everything opened; None if there is nothing to see."""
        return self._see(self._shown, self._session.opened)

    # -- the participant ------------------------------------------------------------------------------------

    def begin(self, session: Session, seated: Seated) -> None:
        """Seat the player."""
        self._session = session
        self._shown = session.game.begin(session.agreement.terms)
        side, terms = self._seat(session)
        notes = str(Path(seated.log).with_suffix(NOTES))
        self._player.tell(replace(seated, side=side, terms=terms, notes=notes))

    def resume(self, past: Sequence[Answered], said: Sequence[Remark]) -> None:
        """Tell what had happened, without a word about what was exchanged by itself."""
        told: list[tuple[tuple[Happening, ...], Seen]] = []
        told_at: list[int] = []
        for message in past:
            self._follow(message, tell=False)
            happened = self._carry_on(message)
            if happened:
                told.append((happened, self._view()))
                told_at.append(message.seq)
        remarks = [replace(remark, after=bisect_right(told_at, remark.after)) for remark in said]
        if told or remarks or self.goes_on_untold:
            self._player.tell(Resumed(tuple(told), self._view(), tuple(remarks)))

    def ahead(self) -> Coroutine[object, object, Decided] | None:
        """Return nothing: nobody decides before the other."""
        return None

    def answer(self, request: Request) -> Decided | None:
        """Return nothing: what programs answer the session answers by itself."""
        return None

    async def decide(self, request: Request) -> Decided | None:
        """Ask the player."""
        view, asked_at = self._see(self._session.state, self._session.known), now()
        action = await self._player.ask(Asked(view))
        if self._is_hushed(view):
            await asyncio.sleep(max(0.0, asked_at + HUSH_SECONDS - now()))
        return self._write(view, action)

    def tell(self, event: Answered | Heard | Noticed | Ended) -> None:
        """Tell what has happened; the end with everything where it was opened."""
        match event:
            case Answered():
                happened = self._carry_on(event)
                self._follow(event, tell=True)
                if happened:
                    self._player.tell(Happened(happened, self._view()))
            case Ended(ending):
                opened = self._opened() if self._session.audited else None
                self._player.tell(Ended(replace(ending, opened=opened)))
            case _:
                self._player.tell(event)

    def _carry_on(self, message: Answered) -> tuple[Happening, ...]:
        """Carry the shown state on and return what the message has done."""
        happened: tuple[Happening, ...] = ()
        for _, answer in message.answers:
            self._shown, more = self._step(self._shown, answer)
            happened += more
        return happened

    def _view(self) -> Seen:
        return self._see(self._shown, self._session.known)


class Robot(Player, Generic[Side, Terms, Seen, Action]):
    """A :class:`storm_p2p.bots.Bot` at a seat; one that can think answers after so many seconds."""

    _side: Side
    _terms: Terms

    def __init__(self, name: str, bot: Bot[Seen, Side, Action], seed: int, seconds: float = 0.0) -> None:
        """Seat a player of the game."""
        self.name = name
        self._bot = bot
        # What it draws decides its play only; every secret of the match comes from elsewhere.
        self._rng = Random(seed)  # noqa: S311
        self._seconds = seconds
        self._controls: Controls | None = None

    def tell(self, event: MatchEvent) -> None:
        """Learn which side to play; decline draws and breaks, for it plays to the end."""
        match event:
            case Seated():
                self._side, self._terms, self._controls = event.side, event.terms, event.controls
            case Noticed(DrawOffered() | BreakProposed()) if self._controls is not None:
                # What was offered may be gone by now.
                with suppress(LocalProtocolError):
                    if isinstance(event.notice, DrawOffered):
                        self._controls.side_channel.decline_draw()
                    else:
                        self._controls.side_channel.reject(now=now())
            case _:
                pass

    async def ask(self, question: Question) -> object:
        """Return the setup, or an action."""
        return await (self.decide(question.state) if isinstance(question, Asked) else self.place())

    async def decide(self, state: Seen) -> Action:
        """Return the bot's action; ``state`` is the owner's view.

        How long it takes must tell nothing about what is hidden.  So one that thinks answers neither sooner, be there
        a single answer or many, nor later: when its time has passed.
        """
        if not isinstance(self._bot, Thinker) or not self._seconds:
            return self._bot.decide(state, self._side, self._rng)
        begun = now()
        thoughts = self._bot.think(state, self._side, self._rng)
        action: Action = next(thoughts)
        while now() - begun < THINKS * self._seconds:
            # The line is served in between.
            await asyncio.sleep(0)
            action = next(thoughts)
        await asyncio.sleep(max(0.0, begun + self._seconds - now()))
        return action

    async def place(self) -> object:
        """Return nothing: few games have a setup."""


class AskedProgram(Robot[Side, Terms, Seen, Action]):
    """Mixed in before a computer player, who decides where the program gives no legal answer or is gone."""

    built_in: Bot[Seen, Side, Action]

    def __init__(self, program: Program, seed: int = 0) -> None:
        """Start nothing yet."""
        self._program = program
        program.on_gone = self._tell_other
        super().__init__(program.name, self.built_in, seed)

    @property
    def title(self) -> str:
        """What the program calls itself."""
        return self._program.title

    def tell(self, event: MatchEvent) -> None:
        """Tell the program how it ended."""
        if isinstance(event, Ended):
            self._program.tell(event.ending)
        super().tell(event)

    async def close(self) -> None:
        """End the program."""
        await self._program.close()

    def _tell_other(self) -> None:
        if self._controls is not None:
            with suppress(LocalProtocolError):
                self._controls.side_channel.chat(str(matches.REPLACED))


def find_action(answer: Mapping[str, object]) -> str:
    """Return the action in the answer of a program.

    Raises:
        WrongAnswer: there is none.
    """
    words = answer.get("action")
    if not isinstance(words, str):
        raise WrongAnswer("expected a text 'action', one of the legal actions")
    return words


class Watched(Player):
    """Passes everything on to a player and prints it, one line an event: for computer players without ``--json``."""

    def __init__(self, player: Player, guest: AnyConsole) -> None:
        self.name = player.name
        self._player = player
        self._guest: Final = guest
        self._model: Model | None = None

    def tell(self, event: MatchEvent) -> None:
        """Print what has happened."""
        guest, model = self._guest, self._model
        match event:
            case Seated():
                model = guest.begin_match(event)
                self._model = replace(model, clocks=event.controls.clocks())
                result(matches.plays(self.name, guest.side_name(model.side), model.opponent))
            case Resumed(state=state):
                turn = guest.turn(state)
                result(matches.goes_on(turn) if turn else str(matches.GOES_ON_EARLY))
            case Happened(events, state):
                result(*guest.happened(events, state))
            case Heard(text):
                result(matches.chat(text))
            case Noticed(notice) if model is not None:
                say(guest.say(model, notice))
            case Noticed(notice):
                # The line has news before there is a match.
                say(matches.sentence(cast("Notice", notice), "", 0, timed=False))
            case Ended(ending) if model is not None:
                called = {guest.seat_word(one): model.opponent for one in guest.sides}
                result(*matches.tell_end(ending, {**called, guest.seat_word(model.side): self.name}))
            case _:
                pass
        self._player.tell(event)

    async def ask(self, question: Question) -> Any:
        """Ask the player."""
        return await self._player.ask(question)

    async def linger(self) -> Next:
        """Let the player say what comes next."""
        return await self._player.linger()

    async def close(self) -> None:
        """Let the player go."""
        await self._player.close()


Reply = TypeVar("Reply")


class AskedElsewhere(Exception):
    """The question is asked again at the other console."""


Change = Callable[[str], None]
"""Asks for the other console; the sentence says why, where it is worth one."""


class Person:
    """Who plays at either console, and may change it at any time.

    The whole screen (:mod:`cli.console.shell.app`) and plain lines (:mod:`cli.console.plain`) are both a
    :class:`cli.console.player.ConsolePlayer`.  One of them is in front: it alone hears of the match, and its model goes
    to the other one when they change places.  What is asked then is asked again there; nothing that was not answered
    has acted.
    """

    def __init__(
        self,
        name: str,
        full: Callable[[Change], ConsolePlayer],
        plain: Callable[[Change], ConsolePlayer],
        *,
        begin_plain: bool,
        why_plain: Callable[[], str | None],
    ) -> None:
        """Make a person who sits at one of the consoles.

        The whole screen is made once, when it is needed, and kept with what was set in it.  ``why_plain`` returns
        why it cannot be shown now, as a sentence, or None.
        """
        self.name = name
        self._make_full = full
        self._make_plain = plain
        self._why_plain = why_plain
        self._full: ConsolePlayer | None = None
        self._controls: Controls | None = None
        self._changing: asyncio.Task[None] | None = None
        self._asked = 0
        """How many questions are open."""
        self._interrupted = False
        self._before: ConsolePlayer | None = None
        self._front = plain(self._to_full) if begin_plain else self._screen()

    def _screen(self) -> ConsolePlayer:
        if self._full is None:
            self._full = self._make_full(self._to_plain)
        return self._full

    # -- the change -----------------------------------------------------------------------------------------

    def _to_full(self, sentence: str) -> None:
        """Change to the whole screen.

        Raises:
            ValueError: it cannot be shown; the sentence says why and what to do.
        """
        why = self._why_plain()
        if why is not None:
            raise ValueError(why)
        self._change(self._screen, sentence)

    def _to_plain(self, sentence: str) -> None:
        """Change to plain lines."""
        self._change(lambda: self._make_plain(self._to_full), sentence)

    def _change(self, to: Callable[[], ConsolePlayer], sentence: str) -> None:
        if self._changing is None and self._controls is not None:
            self._changing = asyncio.get_running_loop().create_task(self._moved(to, sentence))

    async def _moved(self, to: Callable[[], ConsolePlayer], sentence: str) -> None:
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

    async def _ask(self, ask: Callable[[ConsolePlayer], Awaitable[Reply]]) -> Reply:
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
        closed: ConsolePlayer | None = None
        while self._changing is not None or closed is not self._front:
            if self._changing is not None:
                await self._changing
            closed = self._front
            await closed.close()
