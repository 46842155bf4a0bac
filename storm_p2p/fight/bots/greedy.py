"""What a position is worth to the computer player ``greedy``."""

from collections.abc import Sequence

from protocol.game import Known, Seat, other
from storm_p2p.fight.board import AREA, GOAL, SPACES, Area
from storm_p2p.fight.rules.values import list_values
from storm_p2p.fight.state import State

_WON = 1000.0
_POINT = 4.0
_CARD = 1.6
_MARKER = 1.4
_UNIT = 1.2
_ATTACK = 0.7
_LIFE = 0.45
_BONUS = {Area.OLYMPUS: 2.2, Area.DELPHI: 0.9, Area.TROY: 1.3}
"""What it is worth that a unit stands unopposed in an area."""
_FULL = (0.0, 0.0, 0.0, 0.0, 1.0, 5.0, 14.0)
"""What so many units are worth beside what each is: six at the start of a turn win (F-5.2)."""
_NEAR = 1.3
"""How much more a point is worth with each point towards the goal."""


def judge(state: State, names: Known, seat: Seat) -> float:
    """Return what a position is worth to a seat, whatever the cards; more is better, and the two seats' sum is 0."""
    if state.result is not None:
        winner = state.result[0]
        return 0.0 if winner is None else _WON if winner == seat else -_WON
    lead = state.counter if seat == 0 else -state.counter
    points = _POINT * sum(_NEAR**step for step in range(min(abs(lead), GOAL)))
    attacks, defences = list_values(state, "attack"), list_values(state, "defence")
    own, enemy = (_side(state, one, attacks[one], defences[one]) for one in (seat, other(seat)))
    return (points if lead > 0 else -points) + own - enemy


def _side(state: State, seat: Seat, attacks: Sequence[int], defences: Sequence[int]) -> float:
    total = _CARD * len(state.hands[seat]) + _MARKER * sum(holder == seat for holder in state.markers)
    units = 0
    for space in SPACES:
        unit = state.unit(seat, space)
        if unit is None:
            continue
        units += 1
        attack = attacks[space - 1]
        total += _UNIT + _ATTACK * attack + _LIFE * (defences[space - 1] - unit.damage)
        if attack > 0 and state.unit(other(seat), space) is None:
            total += _BONUS[AREA[space]]
    return total + _FULL[units]
