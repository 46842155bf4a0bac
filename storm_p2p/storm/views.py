"""Three ways to look at one game: public, one owner's, all cards (docs/rules.md, "Views"); and what a seat can deduce.

Law: ``public(apply(full, action)) == apply(public(full), publish(full, action))``, with equal events.

``Token.can`` says what a token can be by its own history ("Revealing, hiding and what can be deduced").  Taken together
the tokens say more: the units of a faction that are neither open nor eliminated belong one to one to its hidden tokens,
in play and left out, so a token can only be what some such assignment gives it.  What is deduced is a function of the
public state; an owner's view gives the same answers.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from storm_p2p.storm.actions import Action, Aid, Immune, Lose, Move, Place, Reveal, Serial, Succeed
from storm_p2p.storm.board import FACTIONS, OTHER
from storm_p2p.storm.rules import movement
from storm_p2p.storm.state import Group, Side, State, Token
from storm_p2p.storm.units import ALL_OF, units_in


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


UNASSIGNED: Final = -1


class Chance(Protocol):
    """What draws, such as a ``random.Random``."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to ``stop - 1``, each as likely as the others."""


def find_unplaced(state: State, faction: int) -> int:
    """Return the bit mask of the units of a faction that nobody has shown and that are not eliminated."""
    seen = state.gone
    for token in state.fallen:
        seen |= token.can
    for group in state.sides[faction]:
        for token in group:
            if token.known:
                seen |= token.can
    return ALL_OF[faction] & ~seen


@lru_cache(maxsize=1 << 12)
def refine(masks: tuple[int, ...], units: int) -> tuple[int, ...]:
    """Return for each mask those of its units that it has in some assignment one to one.

    Args:
        masks: what each hidden token can be.
        units: the units to assign.  When they are not as many as the tokens or fit in no way, which the record
            of a game rules out, the masks come back with nothing but these units in them.
    """
    masks = tuple(mask & units for mask in masks)
    owner = match(masks, units)
    if owner is None:
        return masks
    unit_of = {token: unit for unit, token in owner.items()}
    # Token a reaches token b when b's unit may go to a and b finds another one on the way; a pair (a, unit of b)
    # is in some assignment exactly when this closes to a circle.
    count = len(masks)
    reach = [0] * count
    for a, mask in enumerate(masks):
        for unit in units_in(mask):
            reach[a] |= 1 << owner[unit]
    for via in range(count):
        for a in range(count):
            if reach[a] >> via & 1:
                reach[a] |= reach[via]
    refined = []
    for a, mask in enumerate(masks):
        bits = 0
        for b in range(count):
            if mask >> unit_of[b] & 1 and (a == b or reach[b] >> a & 1):
                bits |= 1 << unit_of[b]
        refined.append(bits)
    return tuple(refined)


def match(masks: Sequence[int], units: int, order: Sequence[int] | None = None) -> dict[int, int] | None:
    """Return an assignment one to one, unit to index of the mask, or None when there is none.

    Args:
        masks: what each token can be.
        units: the units to assign, as many as there are masks.
        order: the order in which units are tried; which assignment comes out depends on it.
    """
    if units.bit_count() != len(masks):
        return None
    tried = units_in(units) if order is None else order
    owner: dict[int, int] = {}

    def seat(token: int, visited: set[int]) -> bool:
        for unit in tried:
            if masks[token] >> unit & 1 and unit not in visited:
                visited.add(unit)
                holder = owner.get(unit, UNASSIGNED)
                if holder == UNASSIGNED or seat(holder, visited):
                    owner[unit] = token
                    return True
        return False

    for token in range(len(masks)):
        if not seat(token, set()):
            return None
    return owner


def believable(state: State, faction: int) -> State:
    """Return the state; where no assignment fits what is known of a faction's hidden tokens, each may be any unit.

    Whoever has hidden one unit twice can show that no token is another one (SPEC, "What the scheme `hash` finds late").
    """
    side, units = state.sides[faction], find_unplaced(state, faction)
    if _count_assignments(tuple(token.can for group in side for token in group if not token.known), units):
        return state
    side = tuple(tuple(token if token.known else token._replace(can=units) for token in group) for group in side)
    return state._replace(sides=(side, state.sides[1]) if faction == 0 else (state.sides[0], side))


def guesses(view: State, seat: int, rng: Chance) -> Iterator[dict[Serial, int]]:
    """Yield, without an end, units for the hidden tokens of the other side of ``seat``, in play and left out.

    Every assignment that fits the public record is as likely as any other; if none does, every one is.
    """
    enemy = OTHER[FACTIONS[seat]]
    view = believable(view, enemy)
    hidden = [token for group in view.sides[enemy] for token in group if not token.known]
    # Those that can be least are placed first, so that fewer sets of units are left to be counted.
    hidden.sort(key=lambda token: token.can.bit_count())
    masks, units = tuple(token.can for token in hidden), find_unplaced(view, enemy)
    while True:
        left, guess = units, {}
        for place, token in enumerate(hidden):
            rest = masks[place + 1 :]
            drawn = rng.randrange(_count_assignments(masks[place:], left))
            for unit in units_in(masks[place] & left):
                drawn -= _count_assignments(rest, left & ~(1 << unit))
                if drawn < 0:
                    guess[token.serial] = int(unit)
                    left &= ~(1 << unit)
                    break
        yield guess


@lru_cache(maxsize=1 << 16)
def _count_assignments(masks: tuple[int, ...], units: int) -> int:
    """Return in how many ways the units belong one to one to tokens that can be ``masks``."""
    if units.bit_count() != len(masks):
        return 0
    if not masks:
        return 1
    return sum(_count_assignments(masks[1:], units & ~(1 << unit)) for unit in units_in(masks[0] & units))
