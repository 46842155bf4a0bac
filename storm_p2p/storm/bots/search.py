"""The search of ``oracle``: every decision is tried in worlds that agree with all a seat may know.

Each simulation is one such world.  In the first ones all actions of a turn are judged; then the best of them are
played on for some turns, in which both sides do what is best after one move.  A round of combat is solved as a small
game of sealed choices.

It is not stronger than ``greedy`` yet (96 of 180 matches).  What was tried stands in
``docs/decisions/0031-a-computer-player-that-searches.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from storm_p2p.storm import arena, knowledge
from storm_p2p.storm.arena import Arena, Code
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.bots.clash import judge, list_choices, play, tabulate
from storm_p2p.storm.bots.combat_choice import solve
from storm_p2p.storm.rules.action_codes import KIND, ORIGIN, PART, REVEAL
from storm_p2p.storm.state import FIGHT, OVER, TURN, State
from storm_p2p.storm.units import FERRIES, FLIERS, SPARERS

GLANCES: Final = 4
"""In how many worlds every action is tried before the best are looked at closely."""
CANDIDATES: Final = 6
"""How many are looked at closely."""
PLIES: Final = 2
"""How many turns each of them is played on."""
ENERGIES: Final = (0, 2, 4, 6, 10)
"""Amounts of Energy worth a look in a combat."""
ROUNDS: Final = 150
"""How long a round of combat is solved."""
ALIKE: Final = 3
"""In how many worlds a round of combat is tabulated; further ones change it little."""
RARE: Final = 0.05
"""Choices less likely than this in a mixed strategy are left alone."""
GAIN: Final = 0.02
"""What a reveal must promise before it is done."""


def search(state: State, faction: Faction, rng: Random) -> Iterator[tuple[Code, Arena]]:
    """Yield what to do after one simulation, after two, and so on, with a world that tells it as an action.

    Args:
        state: the owner's view; something is wanted from ``faction``.
        faction: who decides.
        rng: the only source of chance.
    """
    worlds = (arena.of(state, guess) for guess in knowledge.guesses(state, faction, rng))
    if state.phase == FIGHT:
        return _search_fight(worlds, faction, rng)
    return _search_actions(worlds, faction)


def _search_actions(worlds: Iterator[Arena], faction: Faction) -> Iterator[tuple[Code, Arena]]:
    totals: dict[tuple[Code, ...], float] = {}
    deep: dict[tuple[Code, ...], float] = {}
    for count, world in enumerate(worlds, 1):
        if not totals:
            totals = dict.fromkeys(_list_lines(world, faction), 0.0)
        if count <= GLANCES:
            for line in totals:
                totals[line] += _promise(_follow(world, line), faction)
            ranked = sorted(totals, key=partial(_rank, totals, count))
            deep = dict.fromkeys(ranked[:CANDIDATES], 0.0)
            yield ranked[0][0], world
            continue
        for line in deep:
            deep[line] += _promise(_play_on(_follow(world, line)), faction)
        yield max(deep, key=partial(_weigh_line, deep, totals, count - GLANCES))[0], world


def _rank(totals: Mapping[tuple[Code, ...], float], count: int, line: tuple[Code, ...]) -> float:
    return GAIN * count * (len(line) - 1) - totals[line]


def _weigh_line(
    deep: Mapping[tuple[Code, ...], float], totals: Mapping[tuple[Code, ...], float], count: int, line: tuple[Code, ...]
) -> float:
    """Return what a line promises by both looks; a reveal gives something away, so it must promise more."""
    return deep[line] / count + totals[line] / GLANCES - GAIN * (len(line) - 1)


def _follow(world: Arena, line: Sequence[Code]) -> Arena:
    after = world.copy()
    for code in line:
        after.push(code)
    return after


def _play_on(game: Arena) -> Arena:
    """Return the game some turns later, both sides doing what is best after one move, or where a fight begins."""
    for _ in range(PLIES):
        if game.phase != TURN:
            break
        mover = game.turn
        best, most = game, -1.0
        for code in game.actions():
            if code & KIND != REVEAL:
                after = play(game, code)
                chance = _promise(after, mover)
                if chance > most:
                    best, most = after, chance
        game = best
    return game


def _promise(game: Arena, faction: Faction) -> float:
    """Return how likely a side wins."""
    chance = judge(game)
    return chance if faction == Faction.CHTHONIANS else 1.0 - chance


def _list_lines(game: Arena, faction: Faction) -> list[tuple[Code, ...]]:
    """Return the actions to be judged, and the reveals that make another one possible, with that one."""
    codes = game.actions(faction)
    if game.phase != TURN:
        return [(code,) for code in codes]
    plain = {code for code in codes if code & KIND != REVEAL}
    lines: list[tuple[Code, ...]] = [(code,) for code in codes if code in plain]
    for code in codes:
        if code in plain:
            continue
        after = play(game, code)
        unit = arena.find_parts(game.at[faction][code >> ORIGIN & 31])[code >> PART & 15]
        if after.phase == OVER:
            lines.append((code,))
        elif unit & (FLIERS | FERRIES | SPARERS):
            lines += [(code, then) for then in after.actions(faction) if then & KIND != REVEAL and then not in plain]
    return lines


def _search_fight(worlds: Iterator[Arena], faction: Faction, rng: Random) -> Iterator[tuple[Code, Arena]]:
    total: list[list[float]] = []
    ours: Sequence[Code] = ()
    shares: Sequence[float] = ()
    for count, world in enumerate(worlds, 1):
        if count <= ALIKE:
            ours = list_choices(world, faction, ENERGIES)
            theirs = [] if world.choices[OTHER[faction]] is not None else list_choices(world, OTHER[faction], ENERGIES)
            table = _tabulate(world, ours, theirs, faction)
            total = [_add(*lines) for lines in zip(total, table, strict=True)] if total else table
            shares = _mix(total, sealed=len(world.deciders()) > 1)
        yield rng.choices(ours, shares)[0], world


def _tabulate(game: Arena, ours: Sequence[Code], theirs: Sequence[Code], faction: Faction) -> list[list[float]]:
    """Return the chance of ``faction`` for each of its choices, by what the other side does if that is open."""
    if not theirs:
        return [[_promise(play(game, code), faction)] for code in ours]
    if faction == Faction.CHTHONIANS:
        return tabulate(game, ours, theirs)
    return [[1.0 - chance for chance in line] for line in zip(*tabulate(game, theirs, ours), strict=True)]


def _add(line: Sequence[float], other: Sequence[float]) -> list[float]:
    return [one + two for one, two in zip(line, other, strict=True)]


def _mix(table: list[list[float]], *, sealed: bool) -> list[float]:
    """Return how often each row is played: by chance if the choice is sealed, else what is best against an answer."""
    if not sealed:
        best = max(range(len(table)), key=lambda row: min(table[row]))
        return [float(row == best) for row in range(len(table))]
    _, shares, _ = solve(table, ROUNDS)
    return [share if share >= RARE else 0.0 for share in shares] if max(shares) >= RARE else shares
