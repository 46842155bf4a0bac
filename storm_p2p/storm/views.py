"""Three ways to look at one game: public, one owner's, all cards (docs/rules.md, "Views").

Law: ``public(apply(full, action)) == apply(public(full), publish(full, action))``, with equal events.
"""

from __future__ import annotations

from collections.abc import Mapping

from storm_p2p.storm.actions import Action, Aid, Immune, Lose, Move, Place, Reveal, Serial, Succeed
from storm_p2p.storm.rules import movement
from storm_p2p.storm.state import Group, Side, State, Token


def _hide(token: Token) -> Token:
    return token if token.unit is None or token.known else token._replace(unit=None)


def public(state: State) -> State:
    """Return the state as a stranger knows it: hidden tokens without their units."""
    ours, theirs = (tuple(tuple(_hide(token) for token in group) for group in side) for side in state.sides)
    return state._replace(sides=(ours, theirs))


def with_secrets(state: State, mine: Mapping[Serial, int]) -> State:
    """Return the state with the units that ``mine`` gives for hidden tokens filled in."""
    ours, theirs = (_fill(side, mine) for side in state.sides)
    # Most of what is asked knows nothing that the state does not hold already.
    if ours is state.sides[0] and theirs is state.sides[1]:
        return state
    return state._replace(sides=(ours, theirs))


def _fill(side: Side, mine: Mapping[Serial, int]) -> Side:
    """Return a side with the secrets filled in; the same value where there are none."""
    groups: list[Group] | None = None
    for region, group in enumerate(side):
        for token in group:
            if not token.known and token.serial in mine:
                groups = groups if groups is not None else list(side)
                groups[region] = tuple(
                    [one if one.known else one._replace(unit=mine.get(one.serial, one.unit)) for one in group]
                )
                break
    return side if groups is None else tuple(groups)


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
    if isinstance(action, Aid):
        return Aid(action.helper)
    if isinstance(action, Immune | Succeed):
        return Immune(action.token) if isinstance(action, Immune) else Succeed(action.token)
    if isinstance(action, Place):
        return Place(action.faction, action.serials)
    return action
