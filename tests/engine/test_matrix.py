"""The five by five pairs of maneuvers (docs/rules.md, "The maneuvers") as one golden text.

Two units of strength 8 fight two of strength 8.  For each pair the Energy is the least with which the attacker is
stronger, the defender is stronger, or both are equal; each line says who is stronger, dies, leaves, pays Honor.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from helpers import assert_golden, at, fights

from storm_p2p.storm import engine, notation
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Lose, Retreat, Stay
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import FACTION, Maneuver

UNITS = "cronus harpies {}, poseidon hermes {}, hades 10, zeus 4"
BASE = 8
ROLES = ("attacker", "defender")
WANTED = ("attacker", "defender", "equal")


def strength(maneuver: Maneuver, energy: int) -> int:
    total = BASE + energy - (3 if maneuver is Maneuver.CHASE else 0)
    return 2 * total if maneuver in (Maneuver.ATTACK, Maneuver.DEFENSE) else total


def energies(ours: Maneuver, theirs: Maneuver, wanted: str) -> tuple[int, int]:
    """Return the least Energy of attacker and defender with which the wanted side is stronger."""

    def fits(pair: tuple[int, int]) -> bool:
        lead = strength(ours, pair[0]) - strength(theirs, pair[1])
        return lead > 0 if wanted == "attacker" else lead < 0 if wanted == "defender" else lead == 0

    pairs = product(range(13), range(13))
    return min((pair for pair in pairs if fits(pair)), key=lambda pair: (sum(pair), pair))


def contact(attacker: Faction) -> State:
    if attacker == Faction.CHTHONIANS:
        state = at("chthonians", UNITS.format(13, 14), known="all")
        text = "move 13 14"
    else:
        state = at("olympians", UNITS.format(14, 15), known="all")
        text = "move 15 14"
    return engine.play(state, notation.parse_action(text, state))[0]


def endings(
    state: State, events: tuple[ev.Event, ...], path: tuple[str, ...]
) -> Iterator[tuple[State, tuple[ev.Event, ...], str]]:
    """Yield how the round can go on: each of stay and leave, otherwise the first possible answer."""
    if state.phase not in (Phase.LOSE, Phase.RETREAT, Phase.STAY):
        yield state, events, ", ".join(path)
        return
    request = engine.next_request(state)
    assert request is not None
    listed = engine.legal_actions(state, request.seats[0])
    if state.phase == Phase.STAY:
        answers = [Stay(), next(action for action in listed if isinstance(action, Retreat))]
    else:
        answers = [listed[0]]
    for action in answers:
        assert isinstance(action, Lose | Retreat | Stay)
        word = "" if state.phase != Phase.STAY else "if it stays" if isinstance(action, Stay) else "if it leaves"
        after, more = engine.play(state, action)
        yield from endings(after, events + more, (*path, word) if word else path)


def role(faction: Faction, attacker: Faction) -> str:
    return ROLES[faction != attacker]


def lines(attacker: Faction, ours: Maneuver, theirs: Maneuver, wanted: str) -> Iterator[str]:
    spent = energies(ours, theirs, wanted)
    mine, other = (f"{maneuver.name.lower()} {energy}" for maneuver, energy in zip((ours, theirs), spent, strict=True))
    state = contact(attacker)
    events: tuple[ev.Event, ...] = ()
    for text in fights(mine, other) if attacker == Faction.CHTHONIANS else fights(other, mine):
        state, events = engine.play(state, notation.parse_action(text, state))
    for after, told, condition in endings(state, events, ()):
        parts = [f"{spent[0]:2} : {spent[1]:2}"]
        fought = [event for event in told if isinstance(event, ev.RoundFought)]
        for event in fought:
            stronger = "nobody wins" if event.winner is None else f"{role(event.winner, attacker)} wins"
            parts.append(f"{event.power[attacker]} against {event.power[OTHER[attacker]]}, {stronger}")
        if not fought:
            parts.append("no fight")
        if condition:
            parts.append(condition)
        for faction in (attacker, OTHER[attacker]):
            name = role(faction, attacker)
            dead = sum(isinstance(e, ev.Eliminated) and FACTION[e.unit] == faction for e in told)
            honor = sum(e.change for e in told if isinstance(e, ev.HonorChanged) and e.faction == faction)
            if dead:
                parts.append(f"{name} loses {dead}")
            if any(isinstance(event, ev.Retreated) and event.faction == faction for event in told):
                parts.append(f"{name} leaves")
            if honor:
                parts.append(f"{name} pays {-honor} Honor")
        parts.append("over" if after.combat is None else f"round {after.combat.round}")
        yield "; ".join(parts)


def matrix(attacker: Faction) -> Iterator[str]:
    for ours, theirs in product(Maneuver, repeat=2):
        yield f"attacker: {ours.name.lower()}, defender: {theirs.name.lower()}"
        for wanted in WANTED:
            yield from (f"  {line}" for line in lines(attacker, ours, theirs, wanted))


def test_the_matrix_of_maneuvers_is_as_recorded() -> None:
    assert_golden("matrix.txt", "\n".join(matrix(Faction.CHTHONIANS)) + "\n")


def test_the_matrix_is_the_same_for_both_factions() -> None:
    assert list(matrix(Faction.OLYMPIANS)) == list(matrix(Faction.CHTHONIANS))


@pytest.mark.parametrize("ours", Maneuver)
@pytest.mark.parametrize("theirs", Maneuver)
def test_a_tie_goes_to_the_attacker(ours: Maneuver, theirs: Maneuver) -> None:
    for line in lines(Faction.OLYMPIANS, ours, theirs, "equal"):
        assert "no fight" in line or "nobody wins" in line or "attacker wins" in line


@pytest.mark.parametrize("ours", Maneuver)
@pytest.mark.parametrize("theirs", Maneuver)
def test_all_out_costs_2_and_a_retreat_that_happens_costs_2(ours: Maneuver, theirs: Maneuver) -> None:
    all_out = (Maneuver.ATTACK, Maneuver.DEFENSE)
    for wanted in WANTED:
        spent = energies(ours, theirs, wanted)
        for line in lines(Faction.CHTHONIANS, ours, theirs, wanted):
            for name, maneuver, energy in zip(ROLES, (ours, theirs), spent, strict=True):
                owed = 2 * (maneuver in all_out) + (energy > 4) + 2 * (f"{name} leaves" in line)
                assert (f"{name} pays {owed} Honor" in line) == bool(owed)
