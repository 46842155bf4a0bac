"""The list of all that a side may do in its turn (docs/rules.md, "Movement").

What a single move does, or why it is refused, stands in ``movement``.  The list is put together from parts that
are kept.  What a group can do depends on who stands in it and how many stand next door, and most of that does not
matter: only some units must be told apart (:func:`storm_p2p.storm.rules.movement.codes_near`).  So there are few
different parts, and nearly all have been made before.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, TypeAlias

from storm_p2p.storm import units as traits
from storm_p2p.storm.bitboard import Bitboard
from storm_p2p.storm.board import (
    ADJACENT,
    BANK,
    CROSSES,
    FACTIONS,
    NEIGHBOURS,
    OTHER,
    REGIONS,
    UNDERWORLD,
    Faction,
    Region,
)
from storm_p2p.storm.rules import action_codes as codes
from storm_p2p.storm.rules import movement, path_search, powers
from storm_p2p.storm.rules.action_codes import Code, Part
from storm_p2p.storm.rules.honor import MOST_IN_REGION, STYX_ENERGY
from storm_p2p.storm.rules.movement import PLAIN, Member, Plan, Surroundings, count_that_matter, evaluate

Crowd: TypeAlias = int
"""Who stands in a region: nobody, 1 to 4 comrades, or 4 and the number of enemies."""

CROWDS: Final = 2 * MOST_IN_REGION + 1

Occupancy: TypeAlias = int
"""Who stands where: a byte for each region, the lowest for region 0, with a bit for the first, second, third and fourth
comrade, then the same for enemies.  A mask can leave out what does not matter."""

_TALLY: Final = bytes([(1 << min(count, MOST_IN_REGION)) - 1 for count in range(256)])
_ENEMY_TALLY: Final = bytes([tally << MOST_IN_REGION & 0xFF for tally in _TALLY])
"""A number of units with a bit for each, as comrades and as enemies."""
_CROWD_OF: Final = bytes(
    [(byte >> 4).bit_length() + MOST_IN_REGION if byte >> 4 else (byte & 15).bit_length() for byte in range(256)]
)


def occupancy_of(board: Bitboard) -> Occupancy:
    """Return who stands where, as the side to move sees it; both sides never stand in one region then."""
    comrades = board.size[board.turn].translate(_TALLY)
    enemies = board.size[OTHER[board.turn]].translate(_ENEMY_TALLY)
    return int.from_bytes(comrades, "little") | int.from_bytes(enemies, "little")


def crowds(held: Occupancy) -> bytes:
    """Return the :data:`Crowd` of each region."""
    return held.to_bytes(25, "little").translate(_CROWD_OF)


def count_crowd(crowd: Crowd) -> tuple[int, int]:
    """Return how many comrades and how many enemies a crowd holds."""
    return (0, crowd - MOST_IN_REGION) if crowd > MOST_IN_REGION else (crowd, 0)


def _that_matters(faction: Faction, origin: Region, size: int) -> Occupancy:
    """Return which bits can matter for the moves of a group of ``size`` to its neighbours."""
    # Of the comrades at a goal only the room they leave matters...
    comrades = 0b1111 << MOST_IN_REGION - size & 0b1111
    bits = 0
    for there in NEIGHBOURS[origin]:
        bits |= (0b11110000 | comrades) << 8 * there
        # ... unless somebody looks for an empty region (DEM-1).
        if traits.ALL_OF[faction] & traits.DRAINERS and there in UNDERWORLD:
            bits |= 1 << 8 * there
    return bits


_MATTERS: Final = tuple(
    tuple(tuple(_that_matters(faction, origin, size) for size in range(MOST_IN_REGION + 1)) for origin in range(25))
    for faction in FACTIONS
)
"""``_MATTERS[faction][origin][size]``: the bits that can matter."""


# -- moves to one goal ------------------------------------------------------------------------------------

Case: TypeAlias = tuple[Surroundings, tuple[Member, ...]]
"""What decides about the moves of a group: facts of the position, and its members as far as they matter."""


class Ways:
    """The moves of a group to a goal by who stands there; each is found when it is asked for, and kept."""

    __slots__ = ("calm", "codes", "origin", "target", "tense")

    def __init__(self, calm: Case, tense: Case, origin: Region, target: Region) -> None:
        self.calm = calm
        self.tense = tense
        self.origin = origin
        self.target = target
        self.codes: list[tuple[Code, ...] | None] = [None] * CROWDS

    def find(self, crowd: Crowd) -> tuple[Code, ...]:
        """Return the moves, by all or by some, when ``crowd`` stands at the goal."""
        around, members = self.tense if crowd > MOST_IN_REGION else self.calm
        found = self.codes[crowd] = _toward(around, members, self.origin, self.target, crowd)
        return found


@lru_cache(maxsize=1 << 14)
def _toward(
    around: Surroundings, members: tuple[Member, ...], origin: Region, target: Region, crowd: Crowd
) -> tuple[Code, ...]:
    size = len(members)
    found: list[Code] = []
    # Parts whose members are alike do the same.
    alike: dict[tuple[Member, ...], list[_Move]] = {}
    for part, going in _PARTS[size]:
        moving = tuple([members[place] for place in part])
        moves = alike.get(moving)
        if moves is None:
            moves = alike[moving] = _moves(around, moving, len(moving) == size, origin, target, crowd)
        found += _place(moves, part, going)
    return tuple(found)


_PARTS: Final = tuple(
    tuple(
        (part, sum(1 << place for place in part) << codes.PART)
        for count in range(1, size + 1)
        for part in combinations(range(size), count)
    )
    for size in range(MOST_IN_REGION + 1)
)
"""By the size of a group, its parts: their places, and what these add to the number of an action."""

_Move: TypeAlias = tuple[int | None, Code]
"""Which of those who go claims, and the action without their places."""


def _place(moves: list[_Move], part: tuple[int, ...], going: Code) -> list[Code]:
    """Return moves of the members in these places."""
    return [code | going | (0 if claim is None else part[claim] + 1) << codes.CLAIM for claim, code in moves]


def _moves(
    around: Surroundings, moving: tuple[Member, ...], whole: bool, origin: Region, target: Region, crowd: Crowd
) -> list[_Move]:
    """Return the legal ways to go to a region: plain, with a claim, by stealth."""
    comrades, enemies = count_crowd(crowd)
    found: list[_Move] = []
    for claim, sneak in _manners(moving, enemies):
        plan = evaluate(
            around,
            moving,
            len(moving),
            whole,
            claim,
            sneak,
            origin,
            target,
            count_that_matter(comrades, len(moving), claim),
            enemies,
            None,
        )
        if isinstance(plan, Plan):
            code = (
                codes.MOVE
                | target << codes.TARGET
                | origin << codes.ORIGIN
                | sneak << codes.STEALTH
                | plan.attack << codes.ATTACK
                | plan.divides << codes.DIVIDES
                | plan.honor + 64 << codes.HONOR
                | plan.legs[0].energy // STYX_ENERGY << codes.STYX
                | plan.gain << codes.GAIN
                | plan.take << codes.TAKE
            )
            found.append((claim, code))
    return found


def _manners(moving: tuple[Member, ...], enemies: int) -> list[tuple[int | None, bool]]:
    """Return the manners of going that these units could try: who claims, and whether by stealth."""
    # A known leader, and one that enters an occupied Palace, needs no claim.
    wins = bool(enemies) or any(code & 1 and 1 << (code >> 1) & traits.LEADERS for code in moving if code >= 0)
    manners: list[tuple[int | None, bool]] = [(None, False)]
    for place, code in enumerate(moving):
        bit = 1 << (code >> 1) if code >= 0 else 0
        if bit & (traits.RIVER_FED | traits.DRAINERS) or (bit & traits.LEADERS and not wins):
            manners.append((place, False))
        if bit & traits.SNEAKS and len(moving) == 1 and enemies:
            manners.append((None, True))
    return manners


@lru_cache(maxsize=1 << 14)
def _share_ways(calm: Case, tense: Case, origin: Region, target: Region) -> Ways:
    return Ways(calm, tense, origin, target)


def _find_ways(around: Surroundings, members: tuple[Member, ...], origin: Region, target: Region) -> Ways:
    cases: list[Case] = []
    for enemies in (False, True):
        told_apart = movement.codes_toward(origin, target, enemies)
        needed = tuple([PLAIN if code < 0 else told_apart[code >> 1][code & 1] for code in members])
        # Nothing around matters for those who stay on dry land and hold nobody special.
        dry = not CROSSES[origin][target] and max(needed) < 0
        cases.append((movement.inland(around.faction, around.open_combat) if dry else around, needed))
    return _share_ways(cases[0], cases[1], origin, target)


# -- a group ----------------------------------------------------------------------------------------------

_NEAR: Final = tuple(movement.codes_near(origin) for origin in range(25))


class Table:
    """The moves of alike groups in a region to its neighbours, by who stands there; found when asked for, and kept."""

    __slots__ = ("_goals", "parts")

    def __init__(self, goals: tuple[tuple[Region, Ways], ...]) -> None:
        self._goals = goals
        self.parts: dict[Occupancy, Part] = {}

    def find(self, held: Occupancy) -> Part:
        """Return the moves when ``held`` stands around."""
        found: list[Code] = []
        for target, ways in self._goals:
            crowd = _CROWD_OF[held >> 8 * target & 0xFF]
            known = ways.codes[crowd]
            found += ways.find(crowd) if known is None else known
        part = self.parts[held] = Part(found)
        return part


@lru_cache(maxsize=1 << 14)
def _share_table(around: Surroundings, members: tuple[Member, ...], origin: Region) -> Table:
    return Table(tuple([(target, _find_ways(around, members, origin, target)) for target in NEIGHBOURS[origin]]))


class Entry:
    """What a group in a region can do: its moves to neighbours by who stands there, made when they are asked for.

    Attributes:
        origin: the region.
        group: the group.
        members: the group, as far as it matters for moves to neighbours.
        matters: the bits of the occupancy that can matter for these moves.
        table: the moves, if nothing around decides about them; else None.
        tables: the moves by what is around.
        reveals: the openings (TRN-5).
        gifted: of those who may do more what lists it, the unit, and who acts in the numbers.
        named: by part, its actions with the names of the units of this group.
    """

    __slots__ = ("gifted", "group", "matters", "members", "named", "origin", "reveals", "table", "tables")

    def __init__(self, faction: Faction, open_combat: bool, origin: Region, group: tuple[Member, ...]) -> None:
        near = _NEAR[origin]
        self.origin = origin
        self.group = group
        self.matters = _MATTERS[faction][origin][len(group)]
        self.members = tuple([PLAIN if code < 0 else near[code >> 1][code & 1] for code in group])
        # Most groups stand far from the river and hold nobody special; for them all surroundings are alike.
        alike = origin not in BANK and max(self.members) < 0
        self.table = _share_table(movement.inland(faction, open_combat), self.members, origin) if alike else None
        self.tables: dict[Surroundings, Table] = {}
        self.named: dict[Part, Sequence[Any]] = {}
        self.reveals = Part(
            codes.REVEAL | 1 << place << codes.PART | origin << codes.ORIGIN | codes.FREE
            for place, code in enumerate(group)
            if code < 0 or not code & 1
        )
        self.gifted = tuple(
            [
                (list_power, code >> 1, 1 << place << codes.PART | origin << codes.ORIGIN)
                for place, code in enumerate(group)
                if code >= 0
                for holders, hidden, list_power in _POWERS
                if 1 << (code >> 1) & holders and (code & 1 or hidden)
            ]
        )

    def make_table(self, around: Surroundings) -> Table:
        """Make and keep the moves for what is around."""
        table = self.tables[around] = _share_table(around, self.members, self.origin)
        return table


@lru_cache(maxsize=1 << 16)
def find_entry(faction: Faction, open_combat: bool, origin: Region, group: tuple[Member, ...]) -> Entry:
    """Return what a group can do whose units the side to move knows as ``group``."""
    return Entry(faction, open_combat, origin, group)


# -- the list ---------------------------------------------------------------------------------------------


def list_turn(board: Bitboard, entries: Collection[Entry]) -> list[Part]:
    """Return what the side whose turn it is may do (TRN-2), in parts.

    Args:
        board: the game.
        entries: its groups (:func:`find_entry`) by region.
    """
    held, around = occupancy_of(board), movement.surroundings(board)
    found: list[Part] = []
    for entry in entries:
        table = entry.table or entry.tables.get(around) or entry.make_table(around)
        seen = held & entry.matters
        found.append(table.parts.get(seen) or table.find(seen))
    found += [entry.reveals for entry in entries]
    standing = crowds(held)
    for entry in entries:
        for list_power, unit, acting in entry.gifted:
            list_power(board, entry.origin, unit, acting, standing, found)
    found.append(_LITURGIES[powers.liturgy_penalty(board.energy[board.turn])])
    if powers.may_pass(board):
        found.append(_IDLE)
    return found


_IDLE: Final = Part((codes.IDLE | codes.FREE,))
_LITURGIES: Final = tuple(Part((codes.PRAY | 64 - penalty << codes.HONOR,)) for penalty in range(3))


# Each lists one power of a unit in a region, beside moves to its neighbours.


def _list_ways(board: Bitboard, origin: Region, unit: int, acting: Code, standing: bytes, found: list[Part]) -> None:
    """List the ways of a wanderer of two or more steps (HRM-1)."""
    ways = path_search.search(board, origin, unit, standing)
    if ways:
        found.append(board.number_ways(acting, ways, standing))


def _list_flights(board: Bitboard, origin: Region, unit: int, acting: Code, standing: bytes, found: list[Part]) -> None:
    """List the flights of a known flier."""
    # A flight costs no Energy (FLY-2), and nearly nobody claims any by it (DEM-1).
    claims = 1 << unit & traits.DRAINERS
    around = movement.surroundings(board) if claims else movement.inland(board.turn, board.open_combat)
    for target, by_crowd in _flights(around, unit, board.size[board.turn][origin] == 1, origin, acting):
        found.append(by_crowd[standing[target]])


def _list_bolts(board: Bitboard, origin: Region, unit: int, acting: Code, standing: bytes, found: list[Part]) -> None:
    """List the thunderbolts of a unit that may throw them now."""
    if 1 << unit & powers.holders(board, traits.BOLT_ORDER):
        struck = powers.bolt_targets(board, origin)
        if struck:
            found.append(Part([_THROW | acting | target << codes.TARGET for target in struck]))


def _list_recalls(board: Bitboard, origin: Region, unit: int, acting: Code, standing: bytes, found: list[Part]) -> None:
    """List whom a unit may call back now."""
    if board.fallen and 1 << unit & powers.holders(board, traits.RECALL_ORDER):
        fallen = board.bits(powers.find_recallable(board))
        found.append(Part([_CALL | acting | back.bit_length() << codes.TARGET for back in fallen]))


_POWERS: Final = (
    (traits.WANDERERS, True, _list_ways),
    # Only a known flier flies (FLY-1).
    (traits.FLIERS, False, _list_flights),
    (traits.THROWERS, True, _list_bolts),
    (traits.RECALLERS, True, _list_recalls),
)
"""Who has a power beside moves to neighbours, whether a hidden unit has it, too, and what lists it."""
_THROW: Final = codes.THROW | 64 - powers.BOLT_PENALTY << codes.HONOR
_CALL: Final = codes.CALL | codes.FREE


@lru_cache(maxsize=1 << 10)
def _flights(
    around: Surroundings, unit: int, whole: bool, origin: Region, acting: Code
) -> tuple[tuple[Region, tuple[Part, ...]], ...]:
    """Return the regions that a known flier may reach through the air (FLY-1), with its flights by who stands there."""
    place = ((acting >> codes.PART & 15).bit_length() - 1,)
    return tuple(
        [
            (
                target,
                tuple(
                    [
                        Part(_place(_moves(around, (unit << 1 | 1,), whole, origin, target, crowd), place, acting))
                        for crowd in range(CROWDS)
                    ]
                ),
            )
            for target in REGIONS
            if target != origin and not ADJACENT[origin][target]
        ]
    )
