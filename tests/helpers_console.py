"""A match without protocol for the tests of the console: one seat is a player, the other is played at random."""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import helpers

from cli.console.plain import PlainScreen
from cli.match.player import Asked, Clocks, Controls, Ended, Ending, Happened, Placed, Player, Seated
from protocol.core.messages import Break
from protocol.core.side_channel import SideChannel
from protocol.errors import LocalProtocolError
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Place
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, State, Terms

T = TypeVar("T")
SAVED = "/home/bob/matches.db"


@dataclass
class FakeMatch(SideChannel):
    """Plays both seats with open cards, and stands for what the player says beside the game."""

    player: Player
    faction: Faction
    rng: random.Random
    state: State
    opponent: str = "bob"
    said: list[str] = field(default_factory=list)
    """What the player has said, in order."""
    moves: list[Action] = field(default_factory=list)
    """What the player has decided."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    refuses: str = ""
    """A sentence with which every control refuses."""
    faces: Clocks | None = None
    """What the clocks show."""
    same_proposed: bool = False
    """Whether the opponent has proposed whatever break the player proposes."""
    facts: Mapping[str, Any] = field(
        default_factory=lambda: {"match": "7c1f0a", "words": "OTTER ANVIL PLUM", "log": SAVED}
    )
    """What the player is told when he is seated."""

    @property
    def controls(self) -> Controls:
        """What the player may do at any time."""
        return Controls(self, self.leave, lambda: self.faces)

    async def run(self, most: int = 10_000) -> Ending:
        """Play until the game is over or the player leaves; at most so many actions of both sides."""
        self.player.tell(Seated(self.faction, self.state.terms, self.opponent, self.controls, **self.facts))
        if self.state.phase == Phase.SETUP:
            await self._set_up()
        else:
            self.player.tell(Happened((), self._view()))
        for _ in range(most):
            request = engine.next_request(self.state)
            if request is None or self.ended.is_set():
                break
            if self.faction in request.seats:
                action = await self._or_end(self.player.ask(Asked(self._view())))
                if action is None:
                    break
                self.moves.append(action)
            else:
                # The player looks at its lines while the other side thinks.
                await asyncio.sleep(0)
                actions = engine.legal_actions(self.state, OTHER[self.faction])
                action = helpers.prefer(self.rng, self.state, actions)
            self._play(action)
        result = self.state.outcome
        ending = Ending(
            None if result is None else result.winner,
            "unfinished" if result is None else result.reason,
            result is not None,
            SAVED,
        )
        self.player.tell(Ended(ending))
        await self.player.linger()
        await self.player.close()
        return ending

    async def _set_up(self) -> None:
        other = OTHER[self.faction]
        theirs = helpers.random_units(self.rng, other, self.state.terms)
        self._play(Place(other, setup.first_serials(other), theirs))
        units = await self._or_end(self.player.ask(Placed()))
        if units is not None:
            self._play(Place(self.faction, setup.first_serials(self.faction), units))

    async def _or_end(self, wanted: Coroutine[Any, Any, T]) -> T | None:
        """Return what the player answers, or None when the match ends first."""
        asked = asyncio.create_task(wanted)
        ended = asyncio.create_task(self.ended.wait())
        await asyncio.wait({asked, ended}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not asked.done():
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            return None
        return asked.result()

    def _play(self, action: Action) -> None:
        self.state, events = engine.play(self.state, action)
        self.player.tell(Happened(events, self._view()))

    def _view(self) -> State:
        return helpers.owner_view(self.state, self.faction)

    def _control(self, word: str, *, end: bool = False) -> None:
        if self.refuses:
            raise LocalProtocolError("refused", "nothing", self.refuses)
        self.said.append(word)
        if end:
            self.ended.set()

    def chat(self, text: str, *, now: float = 0.0) -> None:
        """Take a line of chat."""
        self._control(f"say {text}")

    def resign(self, *, now: float = 0.0) -> None:
        """Take a resignation."""
        self._control("resign", end=True)

    def offer_draw(self, *, now: float = 0.0) -> None:
        """Take an offer of a draw."""
        self._control("draw")

    def accept_draw(self, *, now: float = 0.0) -> None:
        """Take the acceptance of a draw."""
        self._control("accept", end=True)

    def decline_draw(self, *, now: float = 0.0) -> None:
        """Take the refusal of a draw."""
        self._control("decline")

    def propose_or_agree(self, what: Break, *, now: float = 0.0) -> bool:
        """Take the proposal of a break."""
        self._control(f"propose {what.name.lower()}")
        return self.same_proposed

    def agree(self, number: int | None = None, *, now: float = 0.0) -> None:
        """Take the agreement to a break."""
        self._control("agree")

    def reject(self, *, now: float = 0.0) -> None:
        """Take the refusal of a break."""
        self._control("reject")

    def go_on(self, *, now: float = 0.0) -> None:
        """Take the end of a break."""
        self._control("go on")

    def claim(self, *, now: float = 0.0) -> None:
        """Take a claim to the match."""
        self._control("claim")

    def concede(self, *, now: float = 0.0) -> None:
        """Take the agreement to a claim."""
        self._control("concede", end=True)

    def deny(self, *, now: float = 0.0) -> None:
        """Take the denial of a claim."""
        self._control("deny")

    def leave(self) -> None:
        """Take the leave of the player."""
        self._control("leave", end=True)


def seated(side: Any, terms: Any, opponent: str = "bob", **facts: Any) -> Seated:
    """Return that a match begins that nobody has anything to say in."""
    return Seated(
        side, terms, opponent, Controls(SideChannel.__new__(SideChannel), lambda: None, lambda: None), **facts
    )


class Script:
    """A standard input for a scripted player, that can look at what was printed before it goes on."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.screen_out = io.StringIO()
        self.screen = PlainScreen(io.StringIO("".join(f"{line}\n" for line in lines)), self.screen_out)

    @property
    def shown(self) -> str:
        """Everything that was printed."""
        return self.screen_out.getvalue()


class Answering(PlainScreen):
    """A screen whose lines come from a function of what is asked: for whole matches without a prepared script."""

    patient = True

    def __init__(self, answer: Callable[[], str | None]) -> None:
        super().__init__()
        self._answer = answer
        self._asked = asyncio.Event()
        self.lines: list[str] = []
        self.written: list[tuple[str, ...]] = []
        self.typed: list[str] = []

    def write(self, lines: Sequence[str]) -> None:
        """Keep what is shown; it may be a question."""
        self.lines += lines
        self.written.append(tuple(lines))
        self._asked.set()

    async def read(self) -> str:
        """Return the next line of the function."""
        while True:
            line = self._answer()
            if line is not None:
                self.typed.append(line)
                return line
            self._asked.clear()
            await self._asked.wait()

    def rest(self) -> None:
        """Nothing is read ahead."""

    async def close(self) -> None:
        """Nothing to release."""


def play(
    player: Player,
    faction: Faction,
    *,
    seed: int = 1,
    state: State | None = None,
    terms: Terms | None = None,
    most: int = 10_000,
    facts: Mapping[str, Any] | None = None,
) -> FakeMatch:
    """Play a match in a fresh loop and return it."""

    async def run() -> FakeMatch:
        match = FakeMatch(player, faction, random.Random(seed), state or engine.new_game(terms or Terms()))
        match.facts = {**match.facts, **(facts or {})}
        await match.run(most)
        return match

    return asyncio.run(run())
