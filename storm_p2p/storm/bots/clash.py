"""A game with all cards in any phase, judged in the points of ``greedy``; a round of combat as a table of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from storm_p2p.storm.arena import Arena, Code
from storm_p2p.storm.board import FACTIONS, OTHER, Faction, Region
from storm_p2p.storm.bots.appraisal import convert_odds, weigh
from storm_p2p.storm.bots.worth import estimate_chance
from storm_p2p.storm.rules import answer_list, combat, honor
from storm_p2p.storm.rules.action_codes import ENERGY, MANEUVER
from storm_p2p.storm.rules.strength import account
from storm_p2p.storm.state import AID, FIGHT, OVER, TURN
from storm_p2p.storm.units import FIRST_LEADER, SECOND_LEADER, Maneuver

SPENT: Final = 4
"""About how much Energy a combat takes from each side."""
FLEES: Final = 0.6
"""How much a way out counts for the side that would lose."""


def judge(game: Arena) -> float:
    """Return how likely the Chthonians win; what is left of a combat is estimated."""
    phase = game.phase
    if phase in (TURN, OVER):
        return convert_odds(weigh(game, game.turn))
    if phase == FIGHT:
        return _estimate(game)
    actions = game.actions()
    if phase == AID:
        # Who can help does so.
        return judge(play(game, actions[-1]))
    results = [judge(play(game, action)) for action in actions]
    return max(results) if game.deciders()[0] == Faction.CHTHONIANS else min(results)


def play(game: Arena, action: Code) -> Arena:
    """Return the game after an action."""
    after = game.copy()
    after.push(action)
    return after


def _estimate(game: Arena) -> float:
    """Return about how likely the Chthonians win in a combat that goes on."""
    region = game.region
    ours, theirs = game.at[0][region], game.at[1][region]
    base, _ = account(ours, theirs, game.attacker, game.aid)
    lead = base[0] - base[1] + (0.5 if game.attacker == Faction.CHTHONIANS else -0.5)
    # Energy still to come counts a little.
    lead += (min(game.energy[0], 12) - min(game.energy[1], 12)) * 0.25
    prevails = estimate_chance(lead)
    ways = [combat.find_ways_out(game, faction) for faction in FACTIONS]
    won, lost = _after(game, region, 1, 0), _after(game, region, 0, 0)
    if ways[1]:
        won = min(won, FLEES * _after(game, region, 1, ways[1][0]) + (1.0 - FLEES) * won)
    if ways[0]:
        lost = max(lost, FLEES * _after(game, region, 0, ways[0][0]) + (1.0 - FLEES) * lost)
    return prevails * won + (1.0 - prevails) * lost


def _after(game: Arena, region: Region, faction: int, target: Region) -> float:
    """Return the chance of the Chthonians when a side has left a combat: dead, or for a region."""
    after = game.copy()
    group = after.at[faction][region]
    after.at[faction][region] = 0
    for side in (0, 1):
        after.energy[side] = max(0, after.energy[side] - SPENT)
    if target:
        after.at[faction][target] |= group
        after.honor[faction] -= honor.retreat_penalty(group, group.bit_count())
        if after.honor[faction] < 1:
            return float(faction)
    else:
        after.fallen |= group
        lost = after.fallen | after.gone
        # END-3.
        if lost & FIRST_LEADER and not any(units & SECOND_LEADER for units in after.at[0]):
            return 0.0
    return convert_odds(weigh(after, OTHER[game.turn]))


def list_choices(game: Arena, faction: Faction, energies: Sequence[int]) -> list[Code]:
    """Return what a side may choose in this round, with these amounts of Energy or the most that it may spend."""
    away = bool(combat.find_ways_out(game, faction))
    codes = answer_list.list_choices(game, faction)
    # RET-5: a Retreat without a way out is Standard.
    codes = tuple([code for code in codes if away or code >> MANEUVER & 7 != Maneuver.RETREAT])
    most = max(code >> ENERGY for code in codes)
    wanted = {min(energy, most) for energy in energies}
    return [code for code in codes if code >> ENERGY in wanted]


def tabulate(game: Arena, rows: Sequence[Code], columns: Sequence[Code]) -> list[list[float]]:
    """Return the chance of the Chthonians for every pair of choices; rows are theirs."""
    table = []
    for row in rows:
        line = []
        for column in columns:
            after = game.copy()
            after.push(row)
            after.push(column)
            line.append(judge(after))
        table.append(line)
    return table
