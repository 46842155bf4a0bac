"""Who sits at a seat of a match of any game: its participant, computer players, programs, and matches that are watched.

A game says what its rules decide: what an answer does, what a seat sees of it, and what a decision looks like on the
wire.  All else of a seat is the same in every game, and stands here.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar

from cli.match.player import (
    Asked,
    Controls,
    Decided,
    Ended,
    Ending,
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
from cli.match.program import DEFAULT_MS, START_MS, Program, WrongAnswer
from cli.runtime.console import now, result, say
from cli.text import matches
from protocol.core.events import Answered, BreakProposed, DrawOffered
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.game import Answer, Known, Request

NOTES: Final = ".notes.json"
"""The end of the name of the file beside a journal that has the notes of the match."""
HUSH_SECONDS = 0.25
"""A question that is asked whether or not there is anything to decide is answered no sooner than this, so that the
time a program takes does not tell whether there was (SPEC.md, "What the wire and the clock tell")."""


State = TypeVar("State")
Seen = TypeVar("Seen")
Happening = TypeVar("Happening")
Action = TypeVar("Action")
Side = TypeVar("Side")
Terms = TypeVar("Terms")
Bot = TypeVar("Bot")


class GameParticipant(ABC, Generic[State, Seen, Happening, Action]):
    """One seat: what the match tells becomes events and views of the game, and actions go to the wire."""

    _session: Session
    _shown: State
    """The state up to what the player has been told; the session is ahead of it by its own forced steps only."""
    goes_on_untold: ClassVar[bool] = True
    """Whether a match with a past of which there is nothing to tell goes on, or has only begun."""

    def __init__(self, player: Player) -> None:
        """Bring a player into a match."""
        self._player = player

    # -- what a game says -----------------------------------------------------------------------------------

    @abstractmethod
    def _seat(self, session: Session) -> tuple[object, object]:
        """Return the side and the terms as the player takes them."""

    @abstractmethod
    def _step(self, state: State, answer: Answer) -> tuple[State, tuple[Happening, ...]]:
        """Return the state after an answer, and what it has done."""

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

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

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


class Robot(Player, Generic[Bot, Side, Terms, Seen, Action]):
    """A computer player at a seat: each decision looks at the state alone, and is made by those who inherit from it."""

    _side: Side
    _terms: Terms

    def __init__(self, name: str, bot: Bot, seed: int) -> None:
        """Seat a player of the game."""
        self._name = name
        self._bot = bot
        # What it draws decides its play only; every secret of the match comes from elsewhere.
        self._rng = Random(seed)  # noqa: S311
        self._controls: Controls | None = None

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._name

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

    @abstractmethod
    async def decide(self, state: Seen) -> Action:
        """Return an action; ``state`` is the owner's view."""

    async def place(self) -> object:
        """Return nothing: few games have a setup."""


class AskedProgram(Robot[Bot, Side, Terms, Seen, Action]):
    """Mixed in before a computer player, who decides where the program gives no legal answer or is gone.

    Raises:
        ValueError: the command has no words or an open quote, or there is no such program.
    """

    built_in: Bot

    def __init__(
        self,
        command: str,
        *,
        errors: Path | None = None,
        ms: int = DEFAULT_MS,
        start_ms: int = START_MS,
        report: Callable[[str], None] = lambda sentence: None,
        seed: int = 0,
        name: str | None = None,
    ) -> None:
        """Start nothing yet; for the other arguments see :class:`cli.match.program.Program`."""
        self._program = Program(command, errors=errors, ms=ms, start_ms=start_ms, report=report, name=name)
        self._program.on_gone = self._tell_other
        super().__init__(self._program.name, self.built_in, seed)

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


SideOf = TypeVar("SideOf", contravariant=True)
SeenOf = TypeVar("SeenOf", contravariant=True)
EventOf = TypeVar("EventOf", contravariant=True)
NoticeOf = TypeVar("NoticeOf", contravariant=True)


class WatchedWords(Protocol[SideOf, SeenOf, EventOf, NoticeOf]):
    """What a game says of a match that is watched: the names of a module that has the sentences."""

    def seated(self, name: str, side: SideOf, opponent: str) -> str:
        """Return who plays."""

    def resumed(self, view: SeenOf) -> str:
        """Return where the match goes on."""

    def happened(self, event: EventOf, view: SeenOf) -> str:
        """Return the line of an event."""

    def chat(self, text: str) -> str:
        """Return a line of chat."""

    def notice(self, notice: NoticeOf, opponent: str, side: SideOf, *, timed: bool) -> str:
        """Return what has happened beside the game."""

    def over(self, ending: Ending, name: str, opponent: str, side: SideOf) -> list[str]:
        """Return how it ended."""


AnyWords: TypeAlias = WatchedWords[Any, Any, Any, Any]
"""Of whichever game is watched: it is the game of the player, which no type says."""


class Watched(Player):
    """Passes everything on to a player and prints it, one line an event: for computer players without ``--json``."""

    def __init__(self, player: Player, words: AnyWords) -> None:
        self._player = player
        self._words: Final = words
        self._side: object = None
        self._opponent = ""
        self._timed = False

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

    def tell(self, event: MatchEvent) -> None:
        """Print what has happened."""
        words, opponent = self._words, self._opponent
        match event:
            case Seated():
                self._side, self._opponent = event.side, event.opponent
                self._timed = event.controls.clocks() is not None
                result(words.seated(self.name, event.side, event.opponent))
            case Resumed(state=state):
                result(words.resumed(state))
            case Happened(events, state):
                for one in events:
                    result(words.happened(one, state))
            case Heard(text):
                result(words.chat(text))
            case Noticed(notice):
                say(words.notice(notice, opponent, self._side, timed=self._timed))
            case Ended(ending):
                for line in words.over(ending, self.name, opponent, self._side):
                    result(line)
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
