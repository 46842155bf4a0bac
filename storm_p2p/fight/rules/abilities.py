"""Abilities that are carried out once: their possible answers, and what they do (F-8, docs/fight-rules.md, "Effects").

The owner of an ability chooses, always (B-16).  A *may* is asked while it has a possible answer, a must only if it has
two or more; everything else happens by itself.
"""

from typing import Final

from protocol.game import Decision, Seat, other
from storm_p2p.fight.board import SPACES
from storm_p2p.fight.cards import Ability, Kind
from storm_p2p.fight.events import What
from storm_p2p.fight.rules.hands import draw, is_mixed, lose
from storm_p2p.fight.rules.leaving import bounce, cards_at, discard, settle_defeats
from storm_p2p.fight.rules.values import attack_of, matches, reaching
from storm_p2p.fight.state import Question, State, Task

_UNITS: Final = ("damage", "heal", "bounce", "discard")
"""The words that choose one unit, or mean all of them."""
OWN: Final = 0
"""In a decision: the side of the ability's owner; the other one is 1."""


def ability_of(state: State, task: Task) -> Ability:
    """Return the ability of a task ``("ability", owner, unit that has it or None, card that has it, index)``."""
    return state.card(as_int(task[3])).abilities[as_int(task[4])]


def carry_out(state: State, task: Task) -> None:
    """Begin an ability: ask, or do what needs no question."""
    ability, owner = ability_of(state, task), as_int(task[1])
    if ability.do == "free":
        # B-33, F-13.5: it is asked by what everybody knows.
        if state.hands[owner] and places(state, owner, ability.kind) and is_mixed(state, owner, task):
            state.question = Question("free", owner, task)
        return
    kind, answers = _asked(state, task)
    # B-31: whoever may take a marker is asked for the colour alone, also for a single one.
    if answers and (ability.may or len(answers) > 1):
        state.question = Question(kind, owner, task)
    elif answers:
        do_ability(state, task, answers[0])


def possible(state: State, task: Task) -> list[Decision]:
    """Return what may be answered to the question of an ability; None stands for nothing, where it is a *may*."""
    kind, answers = _asked(state, task)
    refusal: list[Decision] = [0 if kind == "may" else None] if ability_of(state, task).may else []
    return answers + refusal


def _asked(state: State, task: Task) -> tuple[str, list[Decision]]:
    ability, owner = ability_of(state, task), as_int(task[1])
    if ability.do in _UNITS and not ability.whom.all:
        return "target", [(int(seat != owner), space) for seat, space in _targets(state, task)]
    if ability.do == "move":
        return "move", [
            (int(seat != owner), space, goal)
            for seat, space in _targets(state, task)
            for goal in SPACES
            if state.unit(seat, goal) is None
        ]
    if ability.do == "swap":
        spaces = [space for _, space in _targets(state, task)]
        return "swap", [(first, second) for first in spaces for second in spaces if first < second]
    if ability.do in ("marker", "steal"):
        takers = (other(owner),) if ability.do == "steal" else (None, other(owner))
        return "marker", list(takeable(state, *takers))
    return "may", [1] if _can_happen(state, task, ability) else []


def _can_happen(state: State, task: Task, ability: Ability) -> bool:
    owner = as_int(task[1])
    match ability.do:
        case "draw":
            return True
        case "lose_card":
            return bool(state.hands[other(owner)])
        case "strike":
            # B-32
            at = _place(state, task)
            return at > 0 and attack_of(state, owner, at) > 0
        case _:
            return bool(_matches(state, task))


def _place(state: State, task: Task) -> int:
    """Return the space of the unit that has the ability; 0 when it has left (B-30)."""
    found = None if task[2] is None else state.find(as_int(task[2]))
    return 0 if found is None else found[1]


def _matches(state: State, task: Task) -> list[tuple[Seat, int]]:
    owner, whom = as_int(task[1]), ability_of(state, task).whom
    where = _place(state, task)
    everywhere = [(seat, space) for seat in (owner, other(owner)) for space in SPACES]
    return [place for place in everywhere if matches(state, whom, owner, where, *place)]


def _targets(state: State, task: Task) -> list[tuple[Seat, int]]:
    """Return the units that can be chosen: a ward stops the choice of the opponent, not effects on all (B-32)."""
    owner = as_int(task[1])
    return [place for place in _matches(state, task) if all(by == owner for _, by in reaching(state, "ward", *place))]


def do_ability(state: State, task: Task, answer: Decision) -> None:
    """Carry out an ability as its owner has answered, with the test that follows every effect (F-10.2)."""
    ability, owner = ability_of(state, task), as_int(task[1])
    match ability.do:
        case "draw":
            draw(state, owner, ability.n)
        case "lose_card":
            lose(state, other(owner), ability.n)
        case "strike":
            # B-28: a whole attack outside the phase.
            state.push("attack", task[2], 0)
        case "marker" | "steal":
            assert isinstance(answer, int)
            take_marker(state, owner, answer)
        case "move":
            assert isinstance(answer, tuple)
            side, space, goal = map(as_int, answer)
            seat = owner if side == OWN else other(owner)
            units = state.sides[seat]
            # F-7.3, F-8.5: gear and damage stay with the unit.
            units[goal - 1], units[space - 1] = units[space - 1], None
            state.tell(What.MOVED, seat, cards_at(state, seat, goal), space, goal)
        case "swap":
            assert isinstance(answer, tuple)
            first, second = (as_int(space) - 1 for space in answer)
            seat = owner if ability.whom.own else other(owner)
            units = state.sides[seat]
            units[first], units[second] = units[second], units[first]
            state.tell(What.SWAPPED, seat, cards_at(state, seat, second + 1, first + 1), first + 1, second + 1)
        case _:
            for seat, space in _hit(state, task, answer):
                _affect(state, ability, seat, space)
    settle_defeats(state)


def _hit(state: State, task: Task, answer: Decision) -> list[tuple[Seat, int]]:
    if not isinstance(answer, tuple):
        # B-40: all of them at the same time.
        return _matches(state, task)
    owner = as_int(task[1])
    return [(owner if answer[0] == OWN else other(owner), as_int(answer[1]))]


def _affect(state: State, ability: Ability, seat: Seat, space: int) -> None:
    unit = state.unit(seat, space)
    assert unit is not None
    match ability.do:
        case "damage":
            unit.damage += ability.n
            state.tell(What.DAMAGED, seat, (unit.card,), ability.n)
        case "heal":
            # F-8.4
            healed = min(unit.damage, ability.n)
            unit.damage -= healed
            state.tell(What.HEALED, seat, (unit.card,), healed)
        case "bounce":
            bounce(state, seat, space)
        case _:
            # A discard is no defeat (F-8.8).
            discard(state, seat, space)


def takeable(state: State, first: Seat | None, then: Seat | None = None) -> list[int]:
    """Return the markers that one has, None for the board, or if there are none those that another has (B-21)."""

    def of(owner: Seat | None) -> list[int]:
        return [colour for colour, holder in enumerate(state.markers) if holder == owner]

    return of(first) or ([] if then is None else of(then))


def take_marker(state: State, seat: Seat, colour: int) -> None:
    """Give a marker to a player (F-9.7)."""
    state.tell(What.TOOK, seat, (), colour, int(state.markers[colour] is not None))
    state.markers[colour] = seat


def places(state: State, seat: Seat, kind: Kind | None) -> list[int]:
    """Return the own spaces to which a card of a kind may go (F-6.4, F-6.5)."""
    side = enumerate(state.sides[seat], 1)
    if kind == Kind.EQUIPMENT:
        return [space for space, unit in side if unit is not None and unit.gear is None]
    return [space for space, unit in side if unit is None]


def as_int(value: object) -> int:
    """Return a part of a task or of a decision that is known to be a number."""
    assert isinstance(value, int)
    return value
