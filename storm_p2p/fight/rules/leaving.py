"""How units leave play: defeat, discard, return to the hand (F-10, F-7.4, F-8.8)."""

from __future__ import annotations

from protocol.game import Seat, other
from storm_p2p.fight.events import What
from storm_p2p.fight.rules.values import carried, defence_of, list_values, own
from storm_p2p.fight.state import State, Task, Unit, face_up


def settle_defeats(state: State) -> None:
    """Carry out the test that follows every single effect (F-10.2)."""
    while fallen := _list_fallen(state):
        revenges = []
        survivors = []
        for seat, space in fallen:
            # B-38: what a unit does when it is defeated reaches the one that is opposite then.
            revenges.append((other(seat), space, sum(one.n for one in own(state, "revenge", seat, space))))
            survivors.append(any(own(state, "survive", seat, space)))
        for (seat, space), survives in zip(fallen, survivors, strict=True):
            state.tell(What.DEFEATED, seat, cards_at(state, seat, space), space)
            # B-18: a defeated unit that goes elsewhere was not discarded.
            (bounce if survives else discard)(state, seat, space)
        for seat, space, damage in revenges:
            opposing = state.unit(seat, space)
            if opposing is not None and damage:
                opposing.damage += damage
                state.tell(What.DAMAGED, seat, (opposing.card,), damage)


def _list_fallen(state: State) -> list[tuple[Seat, int]]:
    defences = list_values(state, "defence")
    return [
        (seat, space)
        for seat in (state.active, other(state.active))
        for space, unit in enumerate(state.sides[seat], 1)
        if unit is not None and unit.damage >= defences[seat][space - 1]
    ]


def falls(state: State, seat: Seat, space: int) -> bool:
    """Return whether the unit on a space, if there is one, has as much damage as defence (F-10.1)."""
    unit = state.unit(seat, space)
    return unit is not None and unit.damage >= defence_of(state, seat, space)


def discard(state: State, seat: Seat, space: int) -> None:
    """Put a unit and its gear on the discard pile, the unit first (B-34)."""
    cards = carried(_take(state, seat, space))
    state.discards += cards
    state.tell(What.DISCARDED, seat, cards)


def bounce(state: State, seat: Seat, space: int) -> None:
    """Return a unit to its owner's hand, where everybody knows it to be (F-7.4, F-13.2)."""
    unit = _take(state, seat, space)
    state.hands[seat].append(face_up(unit.card))
    state.stale[seat] = True
    state.tell(What.BOUNCED, seat, (unit.card,))
    if unit.gear is not None:
        state.discards.append(unit.gear)
        state.tell(What.DISCARDED, seat, (unit.gear,))


def cards_at(state: State, seat: Seat, *spaces: int) -> tuple[int, ...]:
    """Return the cards of the units on some spaces."""
    return tuple(unit.card for space in spaces if (unit := state.unit(seat, space)) is not None)


def _take(state: State, seat: Seat, space: int) -> Unit:
    unit = state.unit(seat, space)
    assert unit is not None
    state.sides[seat][space - 1] = None
    state.stack = [task for one in state.stack if (task := _without(one, unit.card)) is not None]
    return unit


def _without(task: Task, card: int) -> Task | None:
    """Return what is left of a task when a unit leaves (B-30): its attack ends, its played abilities lose its place."""
    if task[:2] in (("attack", card), ("bonus", card)):
        return None
    if task[0] == "ability" and task[2] == card:
        return (*task[:2], None, *task[3:])
    return task
