"""What a state in any phase is worth to the computer player, who looks at it with all cards filled in by a guess."""

from __future__ import annotations

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Aid
from storm_p2p.storm.board import FACTIONS, Faction, Region
from storm_p2p.storm.bots import position
from storm_p2p.storm.bots.combat_choice import COARSE, Stakes, Table, value_combat
from storm_p2p.storm.bots.guess import Belief
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import Phase, Side, State
from storm_p2p.storm.units import SECOND_LEADER


def _without(side: Side, region: Region) -> Side:
    return tuple(() if number == region else group for number, group in enumerate(side))


def _after(side: Side, origin: Region, target: Region) -> Side:
    groups = list(side)
    groups[target] = (*groups[target], *groups[origin])
    groups[origin] = ()
    return tuple(groups)


def value_stakes(state: State, belief: Belief) -> Stakes:
    """Return what the region of the present combat means, for the Chthonians."""
    current = state.combat
    assert current is not None
    region = current.region
    mover = position.find_next_mover(state)
    ours, theirs = state.sides

    def place(first: Side, second: Side) -> float:
        return position.value_pieces(state, belief, (first, second), mover)[0]

    won, lost = place(ours, _without(theirs, region)), place(_without(ours, region), theirs)
    fled = [
        max([place(_after(ours, region, way), theirs) for way in combat.ways_out(state, FACTIONS[0])], default=lost),
        min([place(ours, _after(theirs, region, way)) for way in combat.ways_out(state, FACTIONS[1])], default=won),
    ]
    missing = belief.heir_missing if belief.faction == Faction.OLYMPIANS else _heir_fallen(state)
    empty = place(_without(ours, region), _without(theirs, region))
    return Stakes(won, lost, (fled[0], fled[1]), missing, empty)


def _heir_fallen(state: State) -> float:
    """Return 1 when the Chthonians themselves know that nobody would lead after the first leader."""
    succeeding = any(
        token.unit is not None and 1 << token.unit & SECOND_LEADER for group in state.sides[0][1:] for token in group
    )
    return 0.0 if succeeding else 1.0


def assess(state: State, belief: Belief) -> float:
    """Return what a state is worth to the one who judges; the rest of a combat is estimated."""
    phase = state.phase
    if phase in (Phase.TURN, Phase.OVER):
        return position.value_state(state, belief)
    if phase == Phase.FIGHT:
        table = Table(state, value_stakes(state, belief), COARSE)
        lives = position.Board(state.sides, belief).lives
        total = lives + value_combat(table)
        return total if belief.faction == Faction.CHTHONIANS else -total
    request = engine.next_request(state)
    assert request is not None
    seat = request.seats[0]
    actions = engine.legal_actions(state, seat)
    if phase == Phase.AID:
        # Who can help does so.
        helping = [action for action in actions if action != Aid(None)]
        return assess(engine.play(state, (helping or actions)[0])[0], belief)
    results = [assess(engine.play(state, action)[0], belief) for action in actions]
    return max(results) if seat == belief.faction else min(results)
