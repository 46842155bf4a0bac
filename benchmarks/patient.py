"""Two players who only want the match to last: for measuring matches of two hundred turns, which nobody plays.

They move about in friendly regions, divide and join groups, and win Honor back by attacking more enemies than they
are and running away.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from benchmarks import matches
from protocol.core.session import Session
from protocol.game import Hide
from storm_p2p.storm import engine, game
from storm_p2p.storm.actions import Action, Fight, Move
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.bots import BOTS
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import Maneuver

RICH = 14
"""From this Honor on there is no need to win any."""
POOR = 4
"""Below this no move may bring the Honor."""


@dataclass(frozen=True, slots=True)
class Long:
    """A match that lasted, and what it took."""

    session: Session
    frames: list[bytes]
    seconds: float
    """CPU time of both sessions, without the thinking of the players."""


def decide(view: State, faction: Faction, rng: random.Random) -> Action:
    """Return what keeps the match going."""
    options = engine.options(view, faction)
    if view.phase == Phase.FIGHT:
        assert view.combat is not None
        wanted = Maneuver.RETREAT if view.combat.attacker == faction else Maneuver.STANDARD
        cheap = [one for one, _ in options if isinstance(one, Fight) and one.energy == 0]
        return next((one for one in cheap if one.maneuver == wanted), cheap[0])
    if view.phase != Phase.TURN:
        return rng.choice(options)[0]
    steps = [(one, price) for one, price in options if isinstance(one, Move) and len(one.path) == 2]
    gains = sorted(((price.honor, number) for number, (_, price) in enumerate(steps) if price.honor > 0), reverse=True)
    enemies = view.sides[OTHER[faction]]
    quiet = [
        one
        for one, price in steps
        if one.claim is None and not enemies[one.path[1]] and view.honor[faction] + price.honor >= POOR
    ]
    if gains and (view.honor[faction] < RICH or not quiet):
        return steps[gains[0][1]][0]
    if quiet:
        joining = [one for one in quiet if view.sides[faction][one.path[1]]]
        return rng.choice(joining or quiet)
    return max(options, key=lambda one: one[1].honor)[0]


def play(rng: random.Random, turns: int, scheme: str) -> Long:
    """Play until so many turns have gone by, if the match lasts."""
    terms = Terms()
    start = time.process_time()
    pair = matches.meet(terms, rng, scheme)
    frames = matches.carry(*pair)
    thought = 0.0
    while not pair[0].over and pair[0].state.game.number < turns:
        session = pair[0] if pair[0].asks_us is not None else pair[1]
        request, faction = session.asks_us, FACTIONS[session.seat]
        assert request is not None
        thinking = time.process_time()
        if isinstance(request, Hide):
            said, secret = None, tuple(int(unit) for unit in BOTS["random"].place(faction, terms, rng))
            thought += time.process_time() - thinking
            session.act(said, secret)
        else:
            view = game.owner_view(session.state, session.known)
            action = decide(view, faction, rng)
            thought += time.process_time() - thinking
            session.act(*game.wire_form(session.state, action, session.known))
        frames += matches.carry(*pair)
    if not pair[0].over:
        pair[0].side_channel.resign()
        frames += matches.carry(*pair)
    return Long(pair[0], frames, time.process_time() - start - thought)
