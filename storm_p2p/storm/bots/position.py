"""How the pieces stand: the leaders' way to the Palace, who can strike whom, bases, secrets and lives.

Everything is counted for the Chthonians; for the other side it is the same with the sign turned.
"""

from collections.abc import Mapping
from typing import Final

from storm_p2p.storm.actions import Serial
from storm_p2p.storm.board import ALTITUDE, BASE, NEIGHBOURS, OTHER, PALACE, REGIONS, STEPS_TO_PALACE, Faction
from storm_p2p.storm.bots import worth
from storm_p2p.storm.bots.guess import LOOK, Belief, Look
from storm_p2p.storm.bots.worth import SECRET, SECRET_LEADER, THREAT, WIN, estimate_chance
from storm_p2p.storm.rules.powers import BOLT_ENERGY
from storm_p2p.storm.state import Outcome, Side, State

WAY: Final = (60.0, 60.0, 16.0, 9.0, 5.5, 3.0, 1.5, 0.5)
"""What a leader is worth by its steps to the Palace."""
CLIMB: Final = 0.14
"""What each half hex of height is worth to a Chthonian."""
GUARD: Final = 0.35
"""What each point of strength next to the Palace is worth to the Olympians, up to a limit."""
GUARD_ENOUGH: Final = 16.0
SIEGE: Final = 1.6
"""What each unit in the enemy's base is worth."""
PERIL: Final = 1.6
"""What it costs to stand where a stronger enemy can strike."""
LEADER_PERIL: Final = 14.0
CALM: Final = 0.35
"""How much of a peril is left when one moves next oneself."""

_NOTHING: Final[Mapping[Serial, Look]] = {}


def value_end(outcome: Outcome, faction: Faction) -> float:
    """Return what the end of a game is worth to a faction."""
    if outcome.winner == "draw":
        return -WIN / 4
    return WIN if outcome.winner == faction.name.lower() else -WIN


def value_stocks(honor: tuple[int, int], energy: tuple[int, int]) -> float:
    """Return what Honor and Energy are worth, for the Chthonians."""
    return (
        worth.value_honor(honor[0])
        - worth.value_honor(honor[1])
        + worth.value_energy(energy[0])
        - worth.value_energy(energy[1])
    )


class Board:
    """What stands where, as one side sees it: strengths and chances by region."""

    __slots__ = ("count", "leads", "lives", "strength", "throws")

    def __init__(self, sides: tuple[Side, Side], belief: Belief) -> None:
        self.strength = ([0.0] * 25, [0.0] * 25)
        self.count = ([0] * 25, [0] * 25)
        self.leads = [0.0] * 25
        self.throws = [0.0] * 25
        self.lives = 0.0
        for faction in (0, 1):
            strength, count = self.strength[faction], self.count[faction]
            looks = _NOTHING if faction == belief.faction else belief.looks
            lives = 0.0
            for region in REGIONS:
                group = sides[faction][region]
                if not group:
                    continue
                count[region] = len(group)
                for token in group:
                    if token.known:
                        look = LOOK[token.can.bit_length() - 1]
                        lives += look.worth
                    else:
                        found = looks.get(token.serial)
                        look = found if found is not None else LOOK[token.unit or 0]
                        lives += look.worth + SECRET + SECRET_LEADER * look.leads
                    strength[region] += look.strength
                    if look.leads:
                        self.leads[region] += look.leads
                    if look.throws:
                        self.throws[region] += look.throws
            self.lives += lives if faction == 0 else -lives


def value_pieces(state: State, belief: Belief, sides: tuple[Side, Side], mover: Faction) -> tuple[float, float]:
    """Return what the pieces are worth to the Chthonians: where they stand, and that they live.

    Args:
        state: for the stocks of Energy.
        belief: of the one who judges.
        sides: the pieces.
        mover: whose turn comes next.
    """
    board = Board(sides, belief)
    theirs_next = mover == Faction.OLYMPIANS
    bolts = state.energy[Faction.OLYMPIANS] >= BOLT_ENERGY
    return _chthonians(board, theirs_next, bolts) - _olympians(board, theirs_next), board.lives


def _chthonians(board: Board, theirs_next: bool, bolts: bool) -> float:
    strength, hunters = board.strength
    total = 0.0
    for region in REGIONS:
        count = board.count[0][region]
        if not count:
            continue
        near = max([hunters[there] for there in NEIGHBOURS[region]])
        # The attacker wins ties.
        safe = estimate_chance(strength[region] - near - 0.5) if near else 1.0
        leads = board.leads[region]
        total += CLIMB * ALTITUDE[region] * count
        if near:
            total -= (PERIL if theirs_next else PERIL * CALM) * (1.0 - safe)
        if leads:
            steps = STEPS_TO_PALACE[region]
            if steps > 1:
                total += leads * WAY[steps]
            elif not theirs_next:
                total += leads * THREAT * 0.97
            else:
                through = 0.95 if not near else 0.3 + 0.4 * safe
                if bolts and near:
                    throws = max([board.throws[there] for there in NEIGHBOURS[region]])
                    through *= 1.0 - min(1.0, throws) * 0.9 / count
                total += leads * (WAY[1] + (THREAT - WAY[1]) * through)
            if near:
                total -= leads * LEADER_PERIL * (1.0 - safe) * (1.0 if theirs_next else CALM)
    return total + SIEGE * board.count[0][BASE[1]]


def _olympians(board: Board, theirs_next: bool) -> float:
    enemies, strength = board.strength
    guard = strength[PALACE]
    for there in NEIGHBOURS[PALACE]:
        guard += strength[there]
    total = GUARD * min(guard, GUARD_ENOUGH)
    for region in REGIONS:
        if not board.count[1][region]:
            continue
        near = max([enemies[there] for there in NEIGHBOURS[region]])
        if near:
            safe = estimate_chance(strength[region] - near - 0.5)
            total -= (PERIL * CALM if theirs_next else PERIL) * (1.0 - safe)
    return total + SIEGE * board.count[1][BASE[0]]


def value_state(state: State, belief: Belief) -> float:
    """Return what a state between two turns is worth to the one who judges."""
    if state.outcome is not None:
        return value_end(state.outcome, belief.faction)
    place, lives = value_pieces(state, belief, state.sides, state.turn)
    total = place + lives + value_stocks(state.honor, state.energy)
    return total if belief.faction == Faction.CHTHONIANS else -total


def find_next_mover(state: State) -> Faction:
    """Return whose turn follows the present one."""
    return OTHER[state.turn]
