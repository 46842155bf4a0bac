"""A seat of a match of Storm: what the match tells becomes events and views, and actions go to the wire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from random import SystemRandom
from typing import Any

from cli.console.seats import GameParticipant
from cli.match.player import Decided, Ending, Player
from cli.storm.notices import DealingBegun, Dealt, DealtAgain, Illegal, StormNotice, proved
from cli.storm.text import narrate
from cli.text import verdicts
from protocol.core.events import Answered
from protocol.core.session import Session
from protocol.game import Answer, Hidden, Hide, Known, Locate, Located, Request
from storm_p2p.storm import engine, game, views
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.events import Event
from storm_p2p.storm.match_state import StormState
from storm_p2p.storm.rules import dealing
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import Unit

_SHUFFLE = SystemRandom().shuffle


class Dealing:
    """Counts the deals of both sides; they follow from the public record alone."""

    def __init__(self, on_notice: Callable[[StormNotice], None]) -> None:
        """Begin; ``on_notice`` learns of the deals."""
        self._on_notice = on_notice
        self._again: Counter[int] = Counter()

    def begin(self) -> None:
        """Say that the units are being dealt."""
        self._on_notice(DealingBegun())

    def follow(self, answers: Sequence[tuple[Request, Answer]], *, tell: bool) -> None:
        """Count what one message has dealt, and say it if it is news."""
        for request, answer in answers:
            if not isinstance(request, Locate) or not isinstance(answer, Located):
                continue
            faction = Faction(request.seat)
            self._again[faction] += not answer.part
            number = self._again[faction]
            if not tell:
                continue
            if answer.part:
                self._on_notice(Dealt(faction, number + 1))
            else:
                self._on_notice(DealtAgain(faction, Unit(request.value), number))

    def repeats(self, request: Request, answer: Answer) -> bool:
        """Return whether what an answer has proved was said of an earlier deal, or is said as the dealing goes on."""
        if isinstance(request, Locate) and isinstance(answer, Located):
            return not answer.part
        return isinstance(request, Hide) and isinstance(answer, Hidden) and bool(self._again[request.seat])


class StormParticipant(GameParticipant):
    """One seat of a match of Storm."""

    def __init__(self, player: Player) -> None:
        """Bring a player into a match."""
        super().__init__(player)
        self._dealing = Dealing(player.on_notice)

    def _seat(self, session: Session) -> tuple[Faction, Terms]:
        return FACTIONS[session.seat], game.decode_terms(session.agreement.terms)

    def _step(self, state: StormState, answer: Answer) -> tuple[StormState, tuple[Event, ...]]:
        return self._session.game.step_with_events(state, answer)  # type: ignore[attr-defined,no-any-return]

    def _see(self, state: StormState, known: Known) -> State:
        return game.owner_view(state, known)

    def _is_hushed(self, view: State) -> bool:
        return view.phase == Phase.AID

    def _write(self, view: State, action: Any) -> Decided | None:
        try:
            engine.check(view, action)
            return game.wire_form(self._session.state, action, self._session.known)
        except RulesError as error:
            self._player.on_notice(Illegal(error))
            return None

    def _follow(self, message: Answered, *, tell: bool) -> None:
        """Follow the deals, and say what the other's message has proved."""
        self._dealing.follow(message.answers, tell=tell)
        if not tell or message.seat == self._session.seat:
            return
        for request, answer in message.answers:
            found = proved(self._session.agreement.scheme, request, answer)
            if found is not None and not self._dealing.repeats(request, answer):
                self._player.on_notice(found)

    def _opened(self) -> State:
        return views.with_secrets(self._shown.game, self._session.opened)

    def ahead(self) -> Coroutine[Any, Any, Decided] | None:
        """Let the player think about the setup at once: both can, whoever's message comes first."""
        random_setup = game.decode_terms(self._session.agreement.terms).random_setup
        if random_setup and not self._session.history:
            self._dealing.begin()
        return self._place() if self._session.seq == 0 and not random_setup else None

    def answer(self, request: Request) -> Decided | None:
        """Answer the requests of a random setup, in which nobody decides anything."""
        return dealing.answer_automatically(self._session.state, request, self._session.known, _SHUFFLE)

    async def decide(self, request: Request) -> Decided | None:
        """Ask the player."""
        return await (self._place() if isinstance(request, Hide) else super().decide(request))

    def over(self, ending: Ending) -> None:
        """Tell how the match ended, and of a hidden setup that was false what it held."""
        problems, session = list(ending.problems), self._session
        for one in session.problems or ():
            if one.batch is not None and one.seat is not None:
                name, side = session.agreement.players[one.seat].name, Faction(one.seat).name.lower()
                told = verdicts.cheated(name, side, narrate.false_batch(one.batch), one.seq)
                problems[problems.index(one.text)] = told
        super().over(replace(ending, problems=tuple(problems)))

    async def _place(self) -> Decided:
        return None, tuple(int(unit) for unit in await self._player.place())
