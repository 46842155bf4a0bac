"""Three ways to look at one game: public, one owner's, all cards (SPEC.md 2.1).

Law: ``public(apply(full, action)) == apply(public(full), publish(full, action))``, with equal events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from storm_p2p import movement
from storm_p2p.actions import Action, Lose, Move, Place, Reveal
from storm_p2p.state import Serial, Side, State, Token


def _map(state: State, change: Mapping[Serial, int | None] | None) -> State:
    def seen(token: Token) -> Token:
        if token.known:
            return token
        return token._replace(unit=None if change is None else change.get(token.serial, token.unit))

    def side(groups: Side) -> Side:
        return tuple(tuple(seen(token) for token in group) for group in groups)

    return replace(state, sides=(side(state.sides[0]), side(state.sides[1])))


def public(state: State) -> State:
    """Return the state as a stranger knows it: hidden tokens without their units."""
    return _map(state, None)


def with_secrets(state: State, mine: Mapping[Serial, int]) -> State:
    """Return the state with the units that ``mine`` gives for hidden tokens filled in."""
    return _map(state, dict(mine))


def publish(state: State, action: Action) -> Action:
    """Return an action as everybody may see it, before anything is opened (REV-4, SET-7)."""
    if isinstance(action, Move) and action.movers and movement.judge(state, action).divides:
        return Move(action.path, (), action.count)
    if isinstance(action, Move):
        return Move(action.path, action.movers, action.count, action.claim)
    if isinstance(action, Reveal):
        return Reveal(action.region, action.place)
    if isinstance(action, Lose):
        return Lose(action.token, action.claim)
    if isinstance(action, Place):
        return Place(action.faction, action.serials)
    return action
