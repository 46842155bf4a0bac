"""What is needed next, and from whom (docs/rules.md, "Phases")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from storm_p2p.storm.actions import Serial, Succeed
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.rules import combat, setup
from storm_p2p.storm.state import OPENING, OVER, SETUP, SUCCESSION, TURN, HasSides, Phase, State, Token, find
from storm_p2p.storm.state_builder import look
from storm_p2p.storm.units import LEADING_SIDE, SECOND_LEADER, UNITS


@dataclass(frozen=True, slots=True)
class StormRequest:
    """What is needed next."""

    phase: Phase
    seats: tuple[Faction, ...]
    """From whom; several only for simultaneous choices and setups."""
    tokens: tuple[Serial, ...] = ()
    """What has to be opened, in the phase OPENING."""


_TURNS: Final = tuple(StormRequest(TURN, (faction,)) for faction in FACTIONS)
_share = lru_cache(StormRequest)
"""There are few different requests without tokens."""


def next_request(state: State) -> StormRequest | None:
    """Return what is needed next and from whom, or None when the game is over."""
    phase = state.phase
    if phase == TURN:
        return _TURNS[state.turn]
    if phase == OVER:
        return None
    if phase == OPENING:
        found = find(state, state.due[0])
        assert found is not None
        return StormRequest(phase, (Faction(found[1].faction),), state.due)
    if phase == SUCCESSION:
        return _share(phase, (LEADING_SIDE,))
    return _share(phase, setup.missing(state) if phase == SETUP else combat.deciders(look(state)))


def find_heirs(state: HasSides) -> tuple[Token, ...]:
    """Return the hidden tokens that can be the second leader, or are known to this view to be it or not."""
    side = state.sides[LEADING_SIDE]
    return tuple(
        token
        for group in side[1:]
        for token in group
        if not token.known and (token.can if token.unit is None else 1 << token.unit) & SECOND_LEADER
    )


def answer_succession(state: State) -> Succeed:
    """Return the answer to the succession of a side that knows its units: it changes nothing else (PER-3, A-53)."""
    found = find_heirs(state)
    if not found:
        return Succeed(None)
    unit = found[0].unit
    return Succeed(found[0].serial, None if unit is None else UNITS[unit])
