"""The attack of one unit after the other (F-9)."""

from protocol.game import Seat, other
from storm_p2p.fight.board import AREA, SPACES, Area
from storm_p2p.fight.cards import When
from storm_p2p.fight.events import What
from storm_p2p.fight.rules.abilities import takeable
from storm_p2p.fight.rules.hands import draw
from storm_p2p.fight.rules.leaving import falls, settle_defeats
from storm_p2p.fight.rules.values import attack_of, carried, own, reaching
from storm_p2p.fight.state import Question, State, Task, Unit


def sweep(state: State, space: int) -> None:
    """Let the unit on a space of the active side attack, then the next space (F-9.2, B-19)."""
    if space == SPACES[0]:
        for unit in state.sides[state.active]:
            if unit is not None:
                unit.attacked = False
    if space > SPACES[-1]:
        state.pointer = 0
        return
    state.pointer = space
    state.push("sweep", space + 1)
    unit = state.unit(state.active, space)
    # F-9.3: with an attack of 0 it neither uses abilities nor gets a bonus.
    if unit is not None and not unit.attacked and attack_of(state, state.active, space) > 0:
        unit.attacked = True
        state.push("attack", unit.card, 0)


def attack(state: State, card: int, index: int) -> None:
    """Go on with an attack: its abilities in printed order, then the damage or the bonus (F-9.4, B-20)."""
    seat, space = _place(state, card)
    unit = state.unit(seat, space)
    assert unit is not None
    abilities = _attack_abilities(state, seat, unit)
    if index < len(abilities):
        state.push("attack", card, index + 1)
        # B-36
        if not any(reaching(state, "mute", seat, space)):
            state.push(*abilities[index])
        return
    opposing = state.unit(other(seat), space)
    if opposing is None:
        state.push("bonus", card)
        return
    shield = sum(one.n for one in own(state, "shield", other(seat), space))
    damage = max(0, attack_of(state, seat, space) - shield)
    # F-9.5
    opposing.damage += damage
    state.tell(What.ATTACKED, seat, (card, opposing.card), damage)
    # B-35
    if any(own(state, "pierce", seat, space)) and falls(state, other(seat), space):
        state.push("bonus", card)
    settle_defeats(state)


def _attack_abilities(state: State, seat: Seat, unit: Unit) -> list[Task]:
    return [
        ("ability", seat, unit.card, number, index)
        for number in carried(unit)
        for index, ability in enumerate(state.card(number).abilities)
        if ability.when is When.ATTACK
    ]


def take_bonus(state: State, card: int) -> None:
    """Give the bonus of the area in which a unit stands now (F-9.7, F-9.8)."""
    seat, space = _place(state, card)
    area = AREA[space]
    state.tell(What.UNOPPOSED, seat, (card,), area)
    times = 1 + sum(one.n for one in own(state, "bonus", seat, space) if one.area == area)
    if area == Area.TROY:
        # B-22
        draw(state, seat, times)
        return
    for _ in range(times):
        if area == Area.DELPHI:
            state.push("delphi", seat)
        elif state.result is None:
            state.score(seat)


def ask_delphi(state: State, task: Task) -> None:
    """Ask which marker a player takes, if there is one (B-21, B-31)."""
    seat = task[1]
    assert isinstance(seat, int)
    if takeable(state, None, other(seat)):
        state.question = Question("marker", seat, task)


def _place(state: State, card: int) -> tuple[Seat, int]:
    found = state.find(card)
    # Whoever takes a unit from play takes its attack from the stack.
    assert found is not None
    return found
