"""The search of ``seer`` and ``oracle``: every decision is tried in worlds that agree with all a seat may know.

Each simulation is one such world, the likelier where units tend to stand.  In the first ones all actions of a turn are
judged by what they lead to; then, for ``oracle``, the best of them by what the enemy answers.  The enemy does not see
our hidden units either: its answer is chosen in worlds in which they have been dealt anew.  A round of combat is solved
as a small game of sealed choices; so is the next one, where a combat goes on, and the first one of a combat that an
action begins.

What was tried stands in ``docs/decisions/0031-a-computer-player-that-searches.md``.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from storm_p2p.storm import arena
from storm_p2p.storm.arena import Arena, Code
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.bots.combat_choice import solve
from storm_p2p.storm.bots.guess import guess_likely
from storm_p2p.storm.bots.lookahead import estimate, list_choices, play
from storm_p2p.storm.bots.value import Value
from storm_p2p.storm.rules.action_codes import KIND, ORIGIN, PART, REVEAL
from storm_p2p.storm.state import AID, FIGHT, OVER, TURN, State
from storm_p2p.storm.units import FERRIES, FLIERS, REQUIRED, ROSTER, SPARERS, units_in

GLANCES: Final = 6
"""In how many worlds every action is tried before the best are looked at closely."""
CANDIDATES: Final = 8
"""How many are looked at closely."""
ANSWERS: Final = 5
"""How many answers the side to move looks at closely."""
DOUBTS: Final = 3
"""In how many more worlds it does so."""
CLOSE: Final = 2.0
"""How much more a close look counts than a glance."""
ENERGIES: Final = (0, 2, 4, 6, 10)
"""Amounts of Energy worth a look in a combat."""
COARSE: Final = (0, 4, 10)
"""The same in a round that is only looked forward to."""
ROUNDS: Final = 150
"""How long a round of combat is solved."""
ALIKE: Final = 3
"""In how many worlds a round of combat is tabulated; further ones change it little."""
DUST: Final = 1e-6
"""Keeps odds finite."""
RARE: Final = 0.05
"""Choices less likely than this in a mixed strategy are left alone."""
GAIN: Final = 0.01
"""What a reveal must promise before it is done."""

_ROSTERS: Final = tuple([sum(1 << unit for unit in ROSTER[faction]) for faction in FACTIONS])


def search(state: State, faction: Faction, rng: Random, value: Value, *, answers: bool) -> Iterator[tuple[Code, Arena]]:
    """Yield what to do after one simulation, after two, and so on, with a world that tells it as an action.

    Args:
        state: the owner's view; something is wanted from ``faction``.
        faction: who decides.
        rng: the only source of chance.
        value: judges what the actions lead to.
        answers: whether the enemy's answer is looked at, too.
    """
    worlds = (arena.of(state, guess) for guess in guess_likely(state, faction, rng))
    if state.phase == FIGHT:
        return _search_fight(worlds, faction, rng, value)
    return _search_actions(worlds, faction, rng, value, answers)


def _search_actions(
    worlds: Iterator[Arena], faction: Faction, rng: Random, value: Value, answers: bool
) -> Iterator[tuple[Code, Arena]]:
    totals: dict[tuple[Code, ...], float] = {}
    for glances, world in enumerate(worlds, 1):
        if not totals:
            totals = dict.fromkeys(list_lines(world, faction), 0.0)
        for line in totals:
            # A reveal gives something away, so it must promise more.
            totals[line] += estimate(play(world, *line), faction, value) - GAIN * (len(line) - 1)
        yield max(totals, key=totals.__getitem__)[0], world
        if answers and glances == GLANCES:
            break
    best = sorted(totals, key=totals.__getitem__, reverse=True)[:CANDIDATES]
    chances = {line: totals[line] / GLANCES for line in best}
    closely = dict.fromkeys(best, 0.0)
    for count, world in enumerate(worlds, 1):
        for line in best:
            after = play(world, *line)
            if after.phase == TURN:
                chance = estimate(_answer(after, rng, value), faction, value)
            else:
                chance = _fight_on(after, faction, value)
            closely[line] += chance - GAIN * (len(line) - 1)
        yield max(best, key=lambda line: chances[line] + CLOSE * closely[line] / count)[0], world


def _answer(game: Arena, rng: Random, value: Value) -> Arena:
    """Return the game after the turn of the side to move, which does not know what is hidden from it."""
    world = deal_again(game, game.turn, rng)
    lines = [(code,) for code in world.actions() if code & KIND != REVEAL]
    promises = weigh_lines(game, world, lines, rng, value)
    return play(game, *max(promises, key=promises.__getitem__))


def weigh_lines(
    game: Arena, world: Arena, lines: Sequence[tuple[Code, ...]], rng: Random, value: Value
) -> dict[tuple[Code, ...], float]:
    """Return what the best of some actions promise the side to move, the sum of :data:`DOUBTS` + 1 worlds.

    Args:
        game: the game with all cards.
        world: the first of the worlds that the side to move imagines; the others are drawn.
        lines: the actions, one after the other.
        rng: the only source of chance.
        value: judges what they lead to.
    """
    mover = game.turn
    glance = {line: estimate(play(world, *line), mover, value) for line in lines}
    closely = {line: glance[line] for line in sorted(lines, key=glance.__getitem__, reverse=True)[:ANSWERS]}
    for _ in range(DOUBTS):
        world = deal_again(game, mover, rng)
        for line in closely:
            closely[line] += estimate(play(world, *line), mover, value)
    return closely


def deal_again(game: Arena, faction: Faction, rng: Random) -> Arena:
    """Return the game with the units dealt anew that are hidden from ``faction``; who must be in play is."""
    enemy = OTHER[faction]
    world = game.copy()
    groups = world.at[enemy]
    places = []
    for region, group in enumerate(groups):
        places += [region] * (group & ~game.known).bit_count()
        groups[region] &= game.known
    units = units_in(_ROSTERS[enemy] & ~(game.known | game.fallen | game.gone))
    rng.shuffle(units)
    dealt = sorted(units, key=lambda unit: not 1 << unit & REQUIRED)[: len(places)]
    rng.shuffle(places)
    for region, unit in zip(places, dealt, strict=True):
        groups[region] |= 1 << unit
    return world


def list_lines(game: Arena, faction: Faction) -> list[tuple[Code, ...]]:
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


def _search_fight(worlds: Iterator[Arena], faction: Faction, rng: Random, value: Value) -> Iterator[tuple[Code, Arena]]:
    total: list[list[float]] = []
    ours: Sequence[Code] = ()
    shares: Sequence[float] = ()
    for count, world in enumerate(worlds, 1):
        if count <= ALIKE:
            ours, table = tabulate(world, faction, value, ENERGIES, ahead=True)
            total = [_add(*lines) for lines in zip(total, table, strict=True)] if total else table
            shares = _mix(total, sealed=len(world.deciders()) > 1)
        yield rng.choices(ours, shares)[0], world


def tabulate(
    game: Arena, faction: Faction, value: Value, energies: Sequence[int], *, ahead: bool = False
) -> tuple[list[Code], list[list[float]]]:
    """Return what a side may choose in a round, and its chances for each of that by what the other side chooses.

    Where the other side's choice is open already, each has one chance.  To look ahead solves the next round, too.
    """
    ours = list_choices(game, faction, energies)
    replies: list[tuple[Code, ...]] = [()]
    if game.choices[OTHER[faction]] is None:
        replies = [(code,) for code in list_choices(game, OTHER[faction], energies)]
    factors: dict[tuple[int, ...], float] = {}

    def promise(after: Arena) -> float:
        chance = estimate(after, faction, value)
        if not ahead or after.phase != FIGHT:
            return chance
        # To solve each would take too long: one tells of all with the same units and about as much Energy.
        kind = (*after.at[0], *after.at[1], *[min(stock, 12) // 5 for stock in after.energy])
        odds = chance / (1.0 - chance + DUST)
        if kind not in factors:
            then = _fight_on(after, faction, value)
            factors[kind] = then / (1.0 - then + DUST) / (odds + DUST)
        return odds * factors[kind] / (1.0 + odds * factors[kind])

    return ours, [[promise(play(game, code, *reply)) for reply in replies] for code in ours]


def _fight_on(game: Arena, faction: Faction, value: Value) -> float:
    """Return how likely a side wins, as :func:`estimate` does; in a combat, when its round has been fought."""
    while game.phase == AID:
        # Who can help does so.
        game = play(game, game.actions()[-1])
    if game.phase != FIGHT:
        return estimate(game, faction, value)
    deciding = game.deciders()
    _, table = tabulate(game, deciding[0], value, COARSE)
    chance = solve(table, ROUNDS)[0] if len(deciding) > 1 else max(map(min, table))
    return chance if deciding[0] == faction else 1.0 - chance


def _add(line: Sequence[float], other: Sequence[float]) -> list[float]:
    return [one + two for one, two in zip(line, other, strict=True)]


def _mix(table: list[list[float]], *, sealed: bool) -> list[float]:
    """Return how often each row is played: by chance if the choice is sealed, else what is best against an answer."""
    if not sealed:
        best = max(range(len(table)), key=lambda row: min(table[row]))
        return [float(row == best) for row in range(len(table))]
    _, shares, _ = solve(table, ROUNDS)
    return [share if share >= RARE else 0.0 for share in shares] if max(shares) >= RARE else shares
