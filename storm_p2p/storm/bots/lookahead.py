"""A game with all cards in any phase, judged by what it leads to."""

from collections.abc import Sequence

from storm_p2p.storm.arena import Arena, Code
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots.value import Value
from storm_p2p.storm.rules import combat, options
from storm_p2p.storm.rules.action_codes import ENERGY, MANEUVER
from storm_p2p.storm.state import AID, FIGHT, OVER, TURN
from storm_p2p.storm.units import Maneuver


def estimate(game: Arena, faction: Faction, value: Value) -> float:
    """Return how likely a side wins, from 0 to 1; what is asked within an action gets its best answer."""
    chance = _judge(game, value)
    return chance if faction == Faction.CHTHONIANS else 1.0 - chance


def _judge(game: Arena, value: Value) -> float:
    phase = game.phase
    if phase in (TURN, FIGHT, OVER):
        return value.judge(game)
    actions = game.actions()
    if phase == AID:
        # Who can help does so.
        return _judge(play(game, actions[-1]), value)
    results = [_judge(play(game, action), value) for action in actions]
    return max(results) if game.deciders()[0] == Faction.CHTHONIANS else min(results)


def play(game: Arena, *actions: Code) -> Arena:
    """Return the game after some actions."""
    after = game.copy()
    for action in actions:
        after.push(action)
    return after


def list_choices(game: Arena, faction: Faction, energies: Sequence[int]) -> list[Code]:
    """Return what a side may choose in this round, with these amounts of Energy or the most that it may spend."""
    away = bool(combat.find_ways_out(game, faction))
    codes = options.list_choices(game, faction)
    # RET-5: a Retreat without a way out is Standard.
    codes = tuple([code for code in codes if away or code >> MANEUVER & 7 != Maneuver.RETREAT])
    most = max(code >> ENERGY for code in codes)
    wanted = {min(energy, most) for energy in energies}
    return [code for code in codes if code >> ENERGY in wanted]
