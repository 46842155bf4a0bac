"""A player of Storm in a match: what the match tells becomes events and views, and actions go to the wire."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import SystemRandom
from typing import Any

from cli.console.notes import file_of
from cli.match.participant import Controls, Decided, Ending, Remark
from cli.match.player import Player
from cli.notices import Notice
from cli.runtime.moment import now
from cli.storm.notices import DealingBegun, Dealt, DealtAgain, Illegal, StormNotice, proved
from cli.storm.text import matches
from cli.text import verdicts
from protocol.core.events import Answered
from protocol.core.session import Session
from protocol.game import Answer, Hidden, Hide, Locate, Located, Request
from storm_p2p.storm import engine, game, views
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.errors import RulesError
from storm_p2p.storm.events import Event
from storm_p2p.storm.game import Storm
from storm_p2p.storm.match_state import StormState
from storm_p2p.storm.rules import dealing
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit

HUSH_SECONDS = 0.25
"""A question that is asked whether or not there is anything to decide is answered no sooner than this, so that the
time a program takes does not tell whether there was (SPEC.md, "What the wire and the clock tell")."""

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


class StormParticipant:
    """One seat of a match of Storm."""

    def __init__(self, player: Player) -> None:
        """Bring a player into a match."""
        self._player = player
        self._dealing = Dealing(player.on_notice)
        self._session: Session
        self._storm: Storm
        self._shown: StormState
        """The state up to what the player has been told."""

    @property
    def name(self) -> str:
        """The name shown to the opponent."""
        return self._player.name

    def seated(self, session: Session, facts: Mapping[str, str], controls: Controls) -> None:
        """Seat the player."""
        self._session = session
        self._storm = session.game  # type: ignore[assignment]  # the session carries any game
        self._shown = self._storm.begin(session.agreement.terms)
        agreement = session.agreement
        notes = str(file_of(Path(facts["log"])))
        opponent = agreement.players[session.peer].name
        terms = game.decode_terms(agreement.terms)
        self._player.seated(FACTIONS[session.seat], terms, opponent, {**facts, "notes": notes}, controls)

    def resumed(self, past: Sequence[Answered], said: Sequence[Remark]) -> None:
        """Tell what had happened, without a word about each deal."""
        told: list[tuple[tuple[Event, ...], State]] = []
        told_at: list[int] = []
        for message in past:
            self._dealing.follow(message.answers, tell=False)
            happened = self._carry_on(message)
            if happened:
                told.append((happened, self._view()))
                told_at.append(message.seq)
        remarks = [replace(remark, after=bisect_right(told_at, remark.after)) for remark in said]
        self._player.resumed(told, self._view(), remarks)

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
        if isinstance(request, Hide):
            return await self._place()
        # The session is ahead of what the player was told by its own forced steps only.
        state = game.owner_view(self._session.state, self._session.known)
        asked_at = now()
        action = await self._player.decide(state)
        if state.phase == Phase.AID:
            await asyncio.sleep(max(0.0, asked_at + HUSH_SECONDS - now()))
        try:
            engine.check(state, action)
            return game.wire_form(self._session.state, action, self._session.known)
        except RulesError as error:
            self._player.on_notice(Illegal(error))
            return None

    def happened(self, message: Answered) -> None:
        """Tell what one message has dealt, proved and done."""
        self._dealing.follow(message.answers, tell=True)
        happened = self._carry_on(message)
        if message.seat != self._session.seat:
            for request, answer in message.answers:
                found = proved(self._session.agreement.scheme, request, answer)
                if found is not None and not self._dealing.repeats(request, answer):
                    self._player.on_notice(found)
        if happened:
            self._player.happened(happened, self._view())

    def heard(self, text: str) -> None:
        """Hand on a line of chat."""
        self._player.heard(text)

    def on_notice(self, notice: Notice) -> None:
        """Hand on what has happened beside the game."""
        self._player.on_notice(notice)

    def over(self, ending: Ending) -> None:
        """Tell how the match ended, with all units where they were opened."""
        opened = views.with_secrets(self._shown.game, self._session.opened) if self._session.audited else None
        problems, session = list(ending.problems), self._session
        for one in session.problems or ():
            if one.batch is not None and one.seat is not None:
                name, side = session.agreement.players[one.seat].name, Faction(one.seat).name.lower()
                told = verdicts.cheated(name, side, matches.false_batch(one.batch), one.seq)
                problems[problems.index(one.text)] = told
        self._player.over(replace(ending, opened=opened, problems=tuple(problems)))

    async def _place(self) -> Decided:
        return None, tuple(int(unit) for unit in await self._player.place())

    def _carry_on(self, message: Answered) -> tuple[Event, ...]:
        """Carry the shown state on and return what the message has done."""
        happened: tuple[Event, ...] = ()
        for _, answer in message.answers:
            self._shown, more = self._storm.step_with_events(self._shown, answer)
            happened += more
        return happened

    def _view(self) -> State:
        return game.owner_view(self._shown, self._session.known)
