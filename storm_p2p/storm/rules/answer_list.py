"""The list of all that a side may answer after an action, and of all that it may choose in a combat."""

from __future__ import annotations

from functools import lru_cache

from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import NEIGHBOURS, OTHER, Faction
from storm_p2p.storm.rules import action_codes as codes
from storm_p2p.storm.rules import combat, honor
from storm_p2p.storm.rules.action_codes import Code
from storm_p2p.storm.state import AID, BOLT, LOSE, RETREAT, STAY
from storm_p2p.storm.units import BOLT_FED, BOLT_PROOF, CHARMERS, CHARMING_SIDE, SNEAK_BLOCKERS, Maneuver


def list_choices(board: Bitboard, faction: Faction) -> tuple[Code, ...]:
    """Return the maneuvers with Energy that a side may choose (CBT-4, NRG-1)."""
    region, enemy = board.region, OTHER[faction]
    mask, count = board.at[faction][region], board.size[faction][region]
    limit = combat.limit_energy(
        mask, board.at[enemy][region], count, board.energy[faction], enemy_alone=board.alone[enemy]
    )
    alone = board.alone[faction]
    return _list_choices(faction, combat.may_choose(mask, alone=alone), limit, mask, alone)


@lru_cache(maxsize=4096)
def _list_choices(
    faction: Faction, allowed: tuple[Maneuver, ...], limit: int, mask: int, alone: bool
) -> tuple[Code, ...]:
    found: list[Code] = []
    for maneuver in allowed:
        for energy in range(limit + 1):
            manner, much = honor.combat_penalties(maneuver, energy, mask, alone=alone)
            found.append(
                codes.CHOOSE
                | faction << codes.FACTION
                | maneuver << codes.MANEUVER
                | 64 - manner - much << codes.HONOR
                | energy << codes.ENERGY
            )
    return tuple(found)


def list_answers(board: Bitboard) -> list[Code]:
    """Return the legal answers of the side that is asked, which must know its units."""
    phase = board.phase
    if phase == LOSE:
        return [
            codes.NAME | bit.bit_length() << codes.UNIT for bit in board.bits(board.at[board.losers[0]][board.region])
        ]
    if phase in (RETREAT, STAY):
        faction = combat.deciders(board)[0]
        found = [codes.LEAVE | region << codes.TARGET for region in combat.find_ways_out(board, faction)]
        return [codes.REMAIN, *found] if phase == STAY else found
    if phase == AID:
        side = board.at[CHARMING_SIDE]
        return [
            codes.HELP,
            *[
                codes.HELP | bit.bit_length() << codes.UNIT
                for region in NEIGHBOURS[board.region]
                for bit in board.bits(side[region] & CHARMERS & ~board.known)
            ],
        ]
    group = board.at[OTHER[board.turn]][board.target]
    found = []
    if phase == BOLT:
        if not group & ~BOLT_PROOF:
            return [codes.DEFY | board.bits(group)[0].bit_length() << codes.UNIT]
        fed = board.bits(group & BOLT_FED)
        for bit in board.bits(group & ~BOLT_PROOF):
            hit = codes.NAME | bit.bit_length() << codes.UNIT
            found += [hit, *[hit | one.bit_length() << codes.TARGET for one in fed]]
        return found
    for bit in board.bits(group):
        found.append(codes.NAME | bit.bit_length() << codes.UNIT)
        if bit & SNEAK_BLOCKERS:
            found.append(codes.BLOCK | bit.bit_length() << codes.UNIT)
    return found
