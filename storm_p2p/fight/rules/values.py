"""What a unit is worth now: printed values, gear and the abilities that work always (F-8.6, B-17)."""

from collections.abc import Callable, Iterator

from protocol.game import Seat, other
from storm_p2p.fight.board import AREA, Colour
from storm_p2p.fight.cards import Ability, Card, Condition, Kind, Like, Relation, Whom
from storm_p2p.fight.state import State, Unit


def attack_of(state: State, seat: Seat, space: int) -> int:
    """Return the attack of the unit on a space."""
    return _value(state, seat, space, "attack")


def defence_of(state: State, seat: Seat, space: int) -> int:
    """Return the defence of the unit on a space."""
    return _value(state, seat, space, "defence")


def _value(state: State, seat: Seat, space: int, word: str) -> int:
    unit = state.unit(seat, space)
    assert unit is not None
    # B-17
    return max(0, _print(state, unit, word) + sum(one.n for one, _ in reaching(state, word, seat, space)))


def list_values(state: State, word: str) -> list[list[int]]:
    """Return the attack or the defence of all units, of each side by space; 0 where nobody stands."""
    # Much quicker than to ask for each unit.
    found = [[0 if unit is None else _print(state, unit, word) for unit in side] for side in state.sides]
    for one, owner, where in working(state, word):
        for seat, side in enumerate(state.sides):
            for space, unit in enumerate(side, 1):
                if unit is not None and matches(state, one.whom, owner, where, seat, space):
                    found[seat][space - 1] += one.n
    return [[max(0, value) for value in side] for side in found]


def _print(state: State, unit: Unit, word: str) -> int:
    # F-7.1
    cards = state.cards.cards
    attack, card = word == "attack", cards[unit.card]
    value = card.attack if attack else card.defence
    if unit.gear is not None:
        card = cards[unit.gear]
        value += card.attack if attack else card.defence
    return value


def carried(unit: Unit) -> tuple[int, ...]:
    """Return the card of a unit and of its gear, whose abilities are the unit's (F-7.6)."""
    return (unit.card,) if unit.gear is None else (unit.card, unit.gear)


def own(state: State, word: str, seat: Seat, space: int) -> Iterator[Ability]:
    """Yield the abilities of a word that work always and that the unit on a space has."""
    unit = state.unit(seat, space)
    if unit is not None:
        several = state.cards.always.get(word, {})
        for number in carried(unit):
            yield from several.get(number, ())


def working(state: State, word: str) -> Iterator[tuple[Ability, Seat, int]]:
    """Yield the abilities of a word that work now, each with the side and space of the unit that has it."""
    several = state.cards.always.get(word)
    if several is None:
        return
    for seat, side in enumerate(state.sides):
        for space, unit in enumerate(side, 1):
            if unit is not None and (unit.card in several or unit.gear in several):
                for ability in own(state, word, seat, space):
                    if holds(state, ability.condition, seat, space):
                        yield ability, seat, space


def reaching(state: State, word: str, seat: Seat, space: int) -> Iterator[tuple[Ability, Seat]]:
    """Yield the abilities of a word that reach the unit on a space, each with its owner."""
    for ability, owner, where in working(state, word):
        if matches(state, ability.whom, owner, where, seat, space):
            yield ability, owner


def matches(state: State, whom: Whom, owner: Seat, where: int, seat: Seat, space: int) -> bool:
    """Return whether the unit on a space is one that an ability means.

    Args:
        state: the game.
        whom: which units it means.
        owner: whose ability it is.
        where: the space of the unit that has it; 0 when that one has left.
        seat: the side of the unit that is looked at.
        space: its space.
    """
    unit = state.unit(seat, space)
    if unit is None or (whom.own is not None and whom.own != (seat == owner)):
        return False
    card = state.card(unit.card)
    itself = seat == owner and space == where
    return (
        _like(card, whom.kind, whom.colour)
        and (whom.area is None or AREA[space] == whom.area)
        and (whom.max_cost is None or len(card.cost) <= whom.max_cost)
        and not (whom.other and itself)
        and not (whom.equipped and unit.gear is None)
        and (whom.place is None or (where > 0 and _stands(whom.place, seat == owner, where, space)))
    )


def _stands(place: Relation, beside: bool, where: int, space: int) -> bool:
    if place is Relation.SELF:
        return beside and space == where
    if place is Relation.OPPOSITE:
        # F-2.3
        return not beside and space == where
    # F-2.6
    if place is Relation.ADJACENT:
        return beside and abs(space - where) == 1
    return beside and AREA[space] == AREA[where]


def _like(card: Card, kind: Kind | None, colour: Colour | None) -> bool:
    # F-8.7: multi-coloured heroes always match.
    return (kind is None or card.kind == kind) and (colour is None or card.has(colour))


def holds(state: State, condition: Condition, seat: Seat, space: int) -> bool:
    """Return whether a condition holds for the unit on a space."""
    unit = state.unit(seat, space)
    assert unit is not None
    return (
        (condition.area is None or AREA[space] == condition.area)
        and not (condition.damaged and unit.damage == 0)
        and _some(state, condition.opposite, other(seat), lambda at: at == space)
        and _some(state, condition.adjacent, seat, lambda at: abs(at - space) == 1)
        and _some(state, condition.having, seat, lambda at: at != space)
    )


def _some(state: State, like: Like | None, seat: Seat, where: Callable[[int], bool]) -> bool:
    return like is None or any(
        unit is not None and where(space) and _like(state.card(unit.card), like.kind, like.colour)
        for space, unit in enumerate(state.sides[seat], 1)
    )
