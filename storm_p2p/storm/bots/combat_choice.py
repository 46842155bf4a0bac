"""Maneuver and Energy: a round of combat as a small game with a table of values, and its mixed strategies.

The table is counted for the Chthonians (side 0), who want it high, from docs/rules.md, "The maneuvers", in
short form; what follows a round is only estimated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from storm_p2p.storm import units as traits
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.bots import worth
from storm_p2p.storm.bots.worth import WIN, estimate_chance, value_energy, value_honor
from storm_p2p.storm.rules import combat, honor
from storm_p2p.storm.rules.combat import power
from storm_p2p.storm.state import CombatChoice, State, combat_of
from storm_p2p.storm.units import EVERY_MANEUVER, STRENGTH, units_in

S, R, C, A, D = EVERY_MANEUVER

COARSE: Final = (0, 4, 8)
"""Energies worth a look when a possible combat is judged."""
FINE: Final = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 24)
"""Energies worth a look when it is fought."""
GO_ON: Final = 1.0
"""How much of the next casualty counts already while a combat goes on."""
DREAD: Final = 12.0
"""The most that a casualty still to come can weigh."""
ROUNDS_COARSE: Final = 40
ROUNDS_FINE: Final = 160


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the region means, for the Chthonians: where everybody stands when the combat is over."""

    won: float
    """The Olympians are gone from it."""
    lost: float
    """The Chthonians are gone from it."""
    fled: tuple[float, float]
    """A side has retreated, by faction."""
    heir_missing: float
    """How likely the first leader's death decides the game."""
    empty: float
    """Nobody is left in it."""


class _Option(NamedTuple):
    """One thing a side can do in a round."""

    choice: CombatChoice
    power: int
    points: float
    """What its Honor and Energy are worth afterwards, to itself."""
    flight: float
    """What a retreat's Honor changes, to itself."""


@dataclass(slots=True)
class _Party:
    """One side in the round."""

    mask: int
    count: int
    options: list[_Option]
    slips: bool
    all_worth: float
    """What losing everybody costs."""
    one_worth: float
    """What losing the cheapest costs."""
    one_strength: int
    buries: bool


def value_unit(unit: int, heir_missing: float, last: bool) -> float:
    """Return what a unit's death costs its side."""
    bit = 1 << unit
    if bit & traits.LEADERS:
        if last:
            return WIN
        if bit & traits.FIRST_LEADER:
            return worth.UNIT[unit] + heir_missing * WIN
    return worth.UNIT[unit]


def _last_leader(state: State) -> bool:
    """Return whether at most one leader can be left."""
    lost = state.gone
    for token in state.fallen:
        lost |= token.can
    return bool(lost & traits.LEADERS)


def _party(state: State, faction: Faction, stakes: Stakes, choices: list[CombatChoice]) -> _Party:
    current = combat_of(state)
    masks = combat.masks_of(state)
    mask, enemy = masks[faction], masks[OTHER[faction]]
    alone = current.alone[faction]
    base, _ = combat.strengths(state)
    options = []
    leaving = honor.retreat_penalty(mask, len(state.sides[faction][current.region]))
    for choice in choices:
        manner, much = honor.combat_penalties(choice.maneuver, choice.energy, mask, alone=alone)
        left = state.honor[faction] - manner - much
        points = value_honor(left)
        flight = value_honor(left - leaving) - points
        points += value_energy(state.energy[faction] - choice.energy)
        # What the enemy's unit takes is as good as its own stock.
        if enemy & traits.SPENT_TAKERS:
            stock = state.energy[OTHER[faction]]
            points -= value_energy(stock + choice.energy) - value_energy(stock)
        strength = power(base[faction], choice, choice.maneuver, mask, alone=alone)
        options.append(_Option(choice, strength, points, flight))
    last = _last_leader(state)
    lives = {unit: value_unit(unit, stakes.heir_missing, last) for unit in units_in(mask)}
    everybody = sum(lives.values())
    if mask & traits.LEADERS == traits.LEADERS:
        everybody = WIN
    cheapest = min(lives, key=lambda unit: lives[unit])
    slips = alone and bool(mask & traits.SLIPPERY) and not enemy & traits.HOLDERS
    return _Party(
        mask, len(lives), options, slips, everybody, lives[cheapest], STRENGTH[cheapest], bool(mask & traits.BURIERS)
    )


def _choices(state: State, faction: Faction, energies: Sequence[int], shown: CombatChoice | None) -> list[CombatChoice]:
    """Return what a side can do; a Retreat without a way out is Standard (RET-5)."""
    away = bool(combat.ways_out(state, faction))
    if shown is not None:
        return [shown if away or shown.maneuver != R else CombatChoice(S, shown.energy)]
    limit = combat.energy_limit(state, faction)
    return [
        CombatChoice(maneuver, energy)
        for maneuver in combat.maneuvers(state, faction)
        if away or maneuver != R
        for energy in sorted({min(energy, limit) for energy in energies})
    ]


class Table:
    """The values of a round for every pair of choices."""

    def __init__(
        self, state: State, stakes: Stakes, energies: Sequence[int], shown: CombatChoice | None = None
    ) -> None:
        current = combat_of(state)
        self.stakes = stakes
        self.attacker = current.attacker
        fixed = [shown if shown is not None and current.choices[faction] is not None else None for faction in FACTIONS]
        self.parties = [
            _party(state, faction, stakes, _choices(state, faction, energies, fixed[faction])) for faction in FACTIONS
        ]
        base, _ = combat.strengths(state)
        self._lead = float(base[0] - base[1]) + (0.5 if current.attacker == 0 else -0.5)
        # Energy still to come counts a little.
        self._lead += min(state.energy[0], 12) * 0.25 - min(state.energy[1], 12) * 0.25
        self._known_ends: dict[tuple[bool, int, bool, bool], float] = {}
        self.rows = [option.choice for option in self.parties[0].options]
        self.columns = [option.choice for option in self.parties[1].options]
        self.values = [
            [self._cell(ours, theirs) for theirs in self.parties[1].options] for ours in self.parties[0].options
        ]

    def _go_on(self, lead: float) -> float:
        """Return what a combat that goes on is worth."""
        first, second = self.parties
        likely = estimate_chance(lead)
        good = self.stakes.won + GO_ON * min(second.one_worth, DREAD)
        bad = self.stakes.lost - GO_ON * min(first.one_worth, DREAD)
        return likely * good + (1.0 - likely) * bad

    def _cell(self, ours: _Option, theirs: _Option) -> float:
        points = ours.points - theirs.points
        first, second = self.parties
        mine, yours = ours.choice.maneuver, theirs.choice.maneuver
        if mine == R and yours == R:
            return points + ours.flight - theirs.flight + (self.stakes.fled[0] + self.stakes.fled[1]) / 2
        if mine == R and (yours != C or first.slips):
            return points + ours.flight + self.stakes.fled[0]
        if yours == R and (mine != C or second.slips):
            return points - theirs.flight + self.stakes.fled[1]
        # CBT-6: ties go to the attacker.
        winner = self.attacker if ours.power == theirs.power else FACTIONS[ours.power < theirs.power]
        if mine == R or yours == R:
            return points + self._follow_chase(winner, mine == R, ours.flight, theirs.flight)
        even = mine == yours and mine in (A, D)
        doomed = (mine == A and yours != D, yours == A and mine != D)
        maneuvers = (mine, yours)
        loses = not even and maneuvers[winner] != D and maneuvers[OTHER[winner]] != A
        key = (loses, winner, doomed[0], doomed[1])
        found = self._known_ends.get(key)
        if found is None:
            found = self._known_ends[key] = self._end(doomed, OTHER[winner] if loses else None)
        return points + found

    def _follow_chase(self, winner: Faction, first_flees: bool, mine: float, yours: float) -> float:
        """Return what follows a Retreat against a Chase (CHA-3..5)."""
        runner = FACTIONS[not first_flees]
        sign = 1.0 if runner == Faction.CHTHONIANS else -1.0
        flight = sign * (mine if runner == Faction.CHTHONIANS else yours)
        if winner == runner:
            leave = flight + self.stakes.fled[runner]
            stay = self._end((False, False), OTHER[runner])
            return max(leave, stay) if runner == Faction.CHTHONIANS else min(leave, stay)
        party = self.parties[runner]
        if party.count == 1:
            return self._end((False, False), runner)
        return flight - sign * party.one_worth + self.stakes.fled[runner]

    def _end(self, doomed: tuple[bool, bool], loser: int | None) -> float:
        """Return what the dead and the living of a round are worth."""
        plain = self._toll(doomed, loser)
        if loser is not None and self.parties[loser].buries and not doomed[loser]:
            # Its owner may name the one that takes all along.
            everybody = self._toll((True, True), None)
            if self.parties[loser].count == 1:
                return everybody
            return max(plain, everybody) if loser == 0 else min(plain, everybody)
        if any(doomed[faction] and self.parties[faction].buries for faction in FACTIONS):
            return self._toll((True, True), None)
        return plain

    def _toll(self, doomed: tuple[bool, bool], loser: int | None) -> float:
        total, lead = 0.0, self._lead
        left = [True, True]
        for faction, sign in ((0, -1.0), (1, 1.0)):
            party = self.parties[faction]
            if doomed[faction]:
                total += sign * party.all_worth
                left[faction] = False
            elif loser == faction:
                total += sign * (party.all_worth if party.count == 1 else party.one_worth)
                left[faction] = party.count > 1
                lead += sign * party.one_strength
        if left[0] and left[1]:
            return total + self._go_on(lead)
        if left[0]:
            return total + self.stakes.won
        if left[1]:
            return total + self.stakes.lost
        return total + self.stakes.empty


def solve(values: list[list[float]], rounds: int) -> tuple[float, list[float], list[float]]:
    """Return the value of a game with these values for the rows' side and good mixed strategies of both.

    Fictitious play: each side answers what the other has done so far.
    """
    rows, columns = len(values), len(values[0])
    flipped = [[values[i][j] for i in range(rows)] for j in range(columns)]
    for_rows, for_columns = [0.0] * rows, [0.0] * columns
    played_rows, played_columns = [0.0] * rows, [0.0] * columns
    row = max(range(rows), key=lambda index: min(values[index]))
    for step in range(1, rounds + 1):
        # Later rounds count more, so that a bad beginning is soon forgotten.
        played_rows[row] += step
        line = values[row]
        for_columns = [total + step * cell for total, cell in zip(for_columns, line, strict=True)]
        column = for_columns.index(min(for_columns))
        played_columns[column] += step
        line = flipped[column]
        for_rows = [total + step * cell for total, cell in zip(for_rows, line, strict=True)]
        row = for_rows.index(max(for_rows))
    total = rounds * (rounds + 1) / 2
    result = (max(for_rows) + min(for_columns)) / (2 * total)
    return result, [count / total for count in played_rows], [count / total for count in played_columns]


def value_combat(table: Table) -> float:
    """Return what a combat is worth to the Chthonians, looked at quickly."""
    return solve(table.values, ROUNDS_COARSE)[0]
