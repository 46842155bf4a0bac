"""Who plays Storm beside a person: the computer, and a program of somebody's own (``exec:COMMAND``).

What the program reads and writes is promised in docs/cli.md, "Programs as players": JSON lines on its stdin and
stdout.  It is told only what its seat may know.  When it gives no legal answer the built-in player moves instead; when
it is gone, the built-in player plays to the end, and both sides are told.

::

    > {"t": "hello", "v": 1, "seat": "chthonians", "terms": {...}}
    < {"t": "ready", "name": "mybot 0.1"}
    > {"t": "setup", "regions": [1, 5, ...], "units": ["hades", ...], "ms": 12000}
    < {"t": "setup", "place": {"hades": 11, ...}}
    > {"t": "act", "state": {...}, "legal": [{"action": "move 12 13", "honor": 0, "energy": -2}, ...], "ms": 12000}
    < {"t": "act", "action": "move 12 13"}
    > {"t": "over", "result": {"winner": "olympians", "reason": "honor"}}

A question asked again carries ``error``, a sentence.  ``state`` has beside the keys of a scenario ``hidden``: how
many unknown enemies stand in which region.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict, replace
from random import SystemRandom
from typing import TypeVar

from cli.console.seats import AskedProgram, GameParticipant, Robot, find_action
from cli.match.player import Decided, Ended, Heard, Noticed, Placed, Player, notices_to
from cli.match.program import WrongAnswer
from cli.storm.notices import DealingBegun, Dealt, DealtAgain, Illegal, StormNotice, proved
from cli.storm.text import story
from cli.text import verdicts
from protocol.core.events import Answered
from protocol.core.session import Session
from protocol.game import Answer, Hidden, Hide, Known, Locate, Located, Request
from storm_p2p.storm import engine, game, notation, positions, views
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import FACTIONS, OTHER, REALM, REGIONS, Faction
from storm_p2p.storm.bots import BOTS, Bot
from storm_p2p.storm.codec import StormState
from storm_p2p.storm.errors import NotationError, RulesError
from storm_p2p.storm.events import Event
from storm_p2p.storm.rules import dealing, setup
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import NAME, ROSTER, Unit

T = TypeVar("T")

_SHUFFLE = SystemRandom().shuffle


class Dealing:
    """Counts the deals of both sides; they follow from the public record alone."""

    def __init__(self, on_notice: Callable[[StormNotice], None]) -> None:
        """Begin; ``on_notice`` learns of the deals."""
        self._on_notice = on_notice
        self._again: Counter[int] = Counter()

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


class StormParticipant(GameParticipant[StormState, State, Event, Action]):
    """One seat of a match of Storm."""

    def __init__(self, player: Player) -> None:
        """Bring a player into a match."""
        super().__init__(player)
        self._dealing = Dealing(notices_to(player))

    def _seat(self, session: Session) -> tuple[Faction, Terms]:
        return FACTIONS[session.seat], game.decode_terms(session.agreement.terms)

    def _see(self, state: StormState, known: Known) -> State:
        return game.owner_view(state, known)

    def _is_hushed(self, view: State) -> bool:
        return view.phase == Phase.AID

    def _write(self, view: State, action: Action) -> Decided | None:
        try:
            engine.check(view, action)
            return game.wire_form(self._session.state, action, self._session.known)
        except RulesError as error:
            self._player.tell(Noticed(Illegal(error)))
            return None

    def _follow(self, message: Answered, *, tell: bool) -> None:
        """Follow the deals, and say what the other's message has proved."""
        self._dealing.follow(message.answers, tell=tell)
        if not tell or message.seat == self._session.seat:
            return
        for request, answer in message.answers:
            found = proved(self._session.agreement.scheme, request, answer)
            if found is not None and not self._dealing.repeats(request, answer):
                self._player.tell(Noticed(found))

    def _opened(self) -> State:
        return views.with_secrets(self._shown.game, self._session.opened)

    def ahead(self) -> Coroutine[object, object, Decided] | None:
        """Let the player think about the setup at once: both can, whoever's message comes first."""
        random_setup = game.decode_terms(self._session.agreement.terms).random_setup
        if random_setup and not self._session.transcript.history:
            self._player.tell(Noticed(DealingBegun()))
        return self._place() if self._session.transcript.length == 0 and not random_setup else None

    def answer(self, request: Request) -> Decided | None:
        """Answer the requests of a random setup, in which nobody decides anything."""
        return dealing.answer_automatically(self._session.state, request, self._session.known, _SHUFFLE)

    async def decide(self, request: Request) -> Decided | None:
        """Ask the player."""
        return await (self._place() if isinstance(request, Hide) else super().decide(request))

    def tell(self, event: Answered | Heard | Noticed | Ended) -> None:
        """Tell what has happened; how the match ended, with what a hidden setup held that was false."""
        if isinstance(event, Ended):
            problems, session = list(event.ending.problems), self._session
            for one in session.problems or ():
                if one.batch is not None and one.seat is not None:
                    name, side = session.agreement.players[one.seat].name, Faction(one.seat).name.lower()
                    told = verdicts.cheated(name, side, story.false_batch(one.batch), one.seq)
                    problems[problems.index(one.text)] = told
            event = Ended(replace(event.ending, problems=tuple(problems)))
        super().tell(event)

    async def _place(self) -> Decided:
        return None, tuple(int(unit) for unit in await self._player.ask(Placed()))


class RobotPlayer(Robot[Faction, Terms, State, Action]):
    """A :class:`storm_p2p.storm.bots.Bot` at a seat."""

    _bot: Bot

    async def place(self) -> tuple[Unit, ...]:
        """Return the bot's setup."""
        return self._bot.place(self._side, self._terms, self._rng)


class ProgramPlayer(AskedProgram[Faction, Terms, State, Action], RobotPlayer):
    """The built-in player, who asks a program first."""

    built_in = BOTS["greedy"]

    async def place(self) -> tuple[Unit, ...]:
        """Return the program's setup, or the built-in player's."""
        units = [NAME[unit] for unit in ROSTER[self._side]]
        question = {"t": "setup", "regions": list(REALM[self._side]), "units": units, "ms": self._program.ms}
        found = await self._ask(question, self._placed)
        return await super().place() if found is None else found

    async def decide(self, state: State) -> Action:
        """Return the program's action, or the built-in player's."""
        # What the rules force has no words.
        if state.phase in (Phase.OPENING, Phase.SUCCESSION):
            return await super().decide(state)
        legal = [
            {"action": notation.format_action(action), "honor": price.honor, "energy": price.energy}
            for action, price in engine.options(state, self._side)
        ]
        question = {"t": "act", "state": show(state, self._side), "legal": legal, "ms": self._program.ms}
        action = await self._ask(question, lambda answer: self._acted(answer, state))
        return await super().decide(state) if action is None else action

    async def _ask(self, question: dict[str, object], understand: Callable[[dict[str, object]], T]) -> T | None:
        self._program.hello = {"seat": self._side.name.lower(), "terms": asdict(self._terms)}
        return await self._program.ask(question, understand)

    def _placed(self, answer: dict[str, object]) -> tuple[Unit, ...]:
        place = answer.get("place")
        if not isinstance(place, dict):
            raise WrongAnswer("expected an object 'place' with a region for each of nine units")
        try:
            regions = {notation.parse_unit(word): _region(region) for word, region in place.items()}
            units = setup.arrangement(self._side, regions)
        except RulesError as error:
            raise WrongAnswer(str(error)) from None
        refusal = setup.check_units(self._side, units, random=self._terms.random_setup)
        if refusal is not None:
            raise WrongAnswer(str(refusal))
        return units

    def _acted(self, answer: dict[str, object], state: State) -> Action:
        words = find_action(answer)
        try:
            action = notation.parse_action(words, state)
            if isinstance(action, Move) and not action.movers:
                raise NotationError("movers-unnamed", f"expected the units that move, got {words[:60]!r}")
            if isinstance(action, Fight) and action.faction != self._side:
                raise NotationError("not-your-choice", f"expected a choice of the own side, got {words[:60]!r}")
            engine.check(state, action)
        except RulesError as error:
            raise WrongAnswer(str(error)) from None
        return action


def show(state: State, faction: Faction) -> dict[str, object]:
    """Return a state as its program sees it: that of a scenario, and where unknown enemies stand."""
    unknown = ((at, sum(not one.known for one in state.sides[OTHER[faction]][at])) for at in REGIONS)
    return positions.show(state) | {"hidden": {str(region): number for region, number in unknown if number}}


def _region(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("wrong-type", "expected the number of a region")
    return value
