"""Whole matches of Storm over memory: two sessions, two computer players, and a look into what only one side knows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helpers_judging import plain
from helpers_wire import Cheat, Pair

from cli.app.verify import check_all
from protocol.core.events import Answered
from protocol.core.frames import Record
from protocol.core.session import Session
from protocol.game import Decision, Hide, Request
from protocol.independent.judging import judge
from protocol.record import judging, logfile
from storm_p2p.storm import game
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import FACTIONS, REALM, Faction, Region
from storm_p2p.storm.bots import BOTS, Bot
from storm_p2p.storm.game import Storm
from storm_p2p.storm.rules import dealing
from storm_p2p.storm.rules.setup import arrangement
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import NAME, ROSTER, Unit

STORM = Storm()
"""The one rules module; it keeps nothing."""

SEATS = ("chthonians", "olympians")
"""How ``verify --json`` calls the seats."""

LEFT_OUT = -1
"""Where a unit stands that was not selected."""


def check(path: Path, *, independent: bool = False) -> dict[str, Any]:
    """Return what a file proves by one of the two implementations."""
    return check_all([path], judge if independent else judging.judge)[0]


def unit(name: str) -> Unit:
    """Return a unit by its name in the notation."""
    return next(one for one in Unit if NAME[one] == name.capitalize() or one.name.lower() == name.lower())


def setup(faction: Faction, **places: Region) -> tuple[Unit, ...]:
    """Return a setup in which these units stand where they are told; the others fill up in the order of the table.

    A region of ``LEFT_OUT`` leaves a unit out.
    """
    fixed = {unit(name): region for name, region in places.items()}
    out = {one for one, region in fixed.items() if region == LEFT_OUT}
    place = {one: region for one, region in fixed.items() if region != LEFT_OUT}
    free = [region for region in REALM[faction] if region not in place.values()]
    others = [one for one in ROSTER[faction] if one not in fixed]
    # The leader is among the nine, whoever else stays out.
    others.sort(key=lambda one: (one not in (unit("hades"), unit("zeus")), one))
    assert len(others) >= len(free), (place, out)
    place.update(zip(others, free, strict=False))
    return arrangement(faction, place)


class StormPair(Pair):
    """Two sessions that play Storm, and who decides at each seat."""

    def __init__(
        self,
        terms: Terms | None = None,
        *,
        bots: Sequence[str] = ("random", "random"),
        tag: str = "",
        gather: bool = False,
        scheme: str = "hash",
        now: float = 0.0,
        **both: Any,
    ) -> None:
        self.terms = terms or Terms()
        self.bots: tuple[Bot, ...] = tuple(BOTS[name] for name in bots)
        self.storm = STORM
        terms_said = game.encode_terms(self.terms)
        super().__init__(STORM, terms_said, tag=tag, gather=gather, now=now, scheme=scheme, **both)

    def view(self, seat: int) -> State:
        """Return the engine's state as a seat knows it."""
        session = self.sessions[seat]
        return game.owner_view(session.state, session.known)

    def place(self, *setups: Sequence[Unit]) -> None:
        """Let both sides set up."""
        for seat, units in enumerate(setups):
            self.act(seat, None, tuple(int(one) for one in units))

    def do(self, seat: int, action: Action) -> None:
        """Let a seat act in the words of the engine."""
        self.sessions[seat].act(*self.wire_form(seat, action))
        self.settle()

    def wire_form(self, seat: int, action: Action) -> tuple[Decision, tuple[tuple[int, ...], ...] | None]:
        """Return how an action of a seat is said, and the parts of a group that it divides."""
        session = self.sessions[seat]
        return game.wire_form(session.state, action, session.known)

    def _decide(self, session: Session, chance: random.Random) -> None:
        request = session.asks_us
        assert request is not None
        session.act(*self.answer(session, request, chance), now=self.now)

    def answer(self, session: Session, request: Request, chance: random.Random) -> tuple[Decision, Any]:
        """Return what the computer player, or the program for it, answers."""
        found = dealing.answer_automatically(session.state, request, session.known, chance.shuffle)
        if found is not None:
            return found
        bot, faction = self.bots[session.seat], FACTIONS[session.seat]
        if isinstance(request, Hide):
            return None, tuple(int(one) for one in bot.place(faction, self.terms, chance))
        view = game.owner_view(session.state, session.known)
        return game.wire_form(session.state, bot.decide(view, faction, chance), session.known)

    @property
    def asked(self) -> Session | None:
        """The session whose player has to decide."""
        return next((session for session in self.sessions if session.asks_us is not None), None)

    def dumps(self, seat: int) -> dict[int, bytes]:
        """Return the state bytes after each message, by what this seat was told and nothing else."""
        state, found = STORM.begin(game.encode_terms(self.terms)), {}
        for event in self.events[seat]:
            if isinstance(event, Answered):
                for _, answer in event.answers:
                    state = STORM.step(state, answer)
                found[event.seq] = STORM.dump(state)
        return found

    def log(self, seat: int = 0) -> bytes:
        """Return the portable log of a seat."""
        session = self.sessions[seat]
        return logfile.dump(session.records, seat, session.sign_log)

    def judged(self, folder: Path, seat: int = 0) -> dict[str, Any]:
        """Return what a stranger says to the log file of a seat."""
        return judged(self.log(seat), folder)


def judged(data: bytes, folder: Path, *, both: bool = True) -> dict[str, Any]:
    """Return what ``storm-p2p verify --json`` says to the bytes of a log, with ``--independent`` or without."""
    path = folder / "match.storm"
    path.write_bytes(data)
    answer = check(path)
    assert not both or plain(check(path, independent=True)) == plain(answer)
    return answer


def forged(cheat: Cheat, records: Sequence[Record]) -> bytes:
    """Return a log of any records, exported and signed by the cheat."""
    return logfile.dump(records, cheat.seat, cheat.session.sign_log)


def some_terms(chance: random.Random) -> Terms:
    """Return terms with variants by chance."""
    return Terms(chance.random() < 0.4, chance.random() < 0.4, chance.choice((0, 0, -4, 3, 10)))
