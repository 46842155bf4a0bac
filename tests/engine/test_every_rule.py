"""Random play that must have used every power, every pair of maneuvers, every phase and every ending.

A power has acted when an event says so (``Used``) or when it stands in the account of a round (``Modifier``).
"""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import get_args

from helpers import TERMS, at, candidates, happened, prefer, random_position, set_up

from storm_p2p.storm import engine
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Place
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import NAME, Maneuver, powers

FRESH_GAMES = 15
POSITIONS = 400
GUIDED = (
    at("olympians", "hermes ares 8, persephone 9, hades 10, cronus 12", known="all"),
    at("olympians", "hermes 8, persephone 9, hades 10, cronus 12", known="all", energy=4),
    at("chthonians", "erinyes 13, hades 10, hephaestus zeus 14, hera 15"),
    at("chthonians", "erinyes 13, hades 10, hephaestus 14, hera 15", known="hephaestus"),
    at("olympians", "zeus demeter 10, hades 12, nyx 1", known="all"),
    at("olympians", "ares 10, hades 12, nyx 1", eliminated="zeus"),
    at("olympians", "hera 19, hades 12, cerberus 13, hecate nyx 14", eliminated="zeus"),
    at("chthonians", "persephone 11, nyx 1", eliminated="hades cronus"),
    at("chthonians", "charon 12, hades hypnos 6, aphrodite ares 13", known="charon"),
    happened(at("chthonians", "hades cronus 13, ares hera 14", honor=1), "move 13 14 hades cronus")[0],
)
"""Small positions close to what is rare."""
REASONS = {
    "move",
    "attack",
    "all-out",
    "energy",
    "retreat",
    "liturgy",
    "base",
    "bolts",
    "styx",
    "combat",
    "recalls",
    "sneaks",
    "takes_spent",
    "bolt_energy",
    "river_energy",
    "drains",
}
"""Why Honor and Energy change."""


class Tally:
    """What has been seen."""

    def __init__(self) -> None:
        self.powers: Counter[tuple[str, str]] = Counter()
        self.cells: Counter[tuple[Maneuver, Maneuver]] = Counter()
        self.phases: Counter[Phase] = Counter()
        self.endings: Counter[tuple[str, str]] = Counter()
        self.actions: Counter[type] = Counter()
        self.events: Counter[type] = Counter()
        self.reasons: Counter[str] = Counter()

    def note(self, state: State, action: Action, after: State, events: tuple[ev.Event, ...]) -> None:
        """Take one action into account."""
        self.phases[state.phase] += 1
        self.phases[after.phase] += 1
        self.actions[type(action)] += 1
        chosen: list[Maneuver] = []
        for event in events:
            self.events[type(event)] += 1
            match event:
                case ev.Used():
                    self.powers[NAME[event.unit], event.power] += 1
                case ev.RoundFought():
                    for line in event.modifiers:
                        self.powers[NAME[line.unit], line.power] += 1
                case ev.Chose():
                    chosen.append(event.maneuver)
                case ev.HonorChanged() | ev.EnergyChanged():
                    self.reasons[event.reason] += 1
                case ev.GameOver():
                    self.endings[event.outcome.winner, event.outcome.reason] += 1
                case _:
                    pass
        if len(chosen) == 2:
            self.cells[chosen[0], chosen[1]] += 1


@lru_cache(maxsize=1)
def tally() -> Tally:
    """Return what random play has used; the same every time."""
    rng = random.Random(20)
    found = Tally()
    starts = [set_up(rng, TERMS[number % len(TERMS)]) for number in range(FRESH_GAMES)]
    starts += [random_position(rng) for _ in range(POSITIONS)]
    starts += GUIDED * 10
    for number, state in enumerate(starts):
        for _ in range(150 if number < FRESH_GAMES else 25):
            actions = candidates(state)
            if not actions:
                break
            action = prefer(rng, state, actions)
            after, events = engine.apply(state, action)
            found.note(state, action, after, events)
            state = after
    return found


def all_powers() -> set[tuple[str, str]]:
    """Return what has to act.

    Some traits act under the name of another trait, or on other units than the one that has them: the sleep and the
    charm change the strength of others, so the lines of the account name those.
    """
    indirect = {"silences", "charms"}
    return {(NAME[unit], trait) for unit, trait in powers() if trait not in indirect}


def test_random_play_uses_every_power_of_every_unit() -> None:
    assert all_powers() - set(tally().powers) == set()


def test_sleep_and_charm_change_the_strength_of_others() -> None:
    traits = Counter(power for _, power in tally().powers)
    assert traits["silences"] > 10
    assert traits["charms"] > 5


def test_random_play_uses_every_pair_of_maneuvers() -> None:
    assert set(tally().cells) == {(ours, theirs) for ours in Maneuver for theirs in Maneuver}


def test_random_play_comes_through_every_phase_but_the_setup() -> None:
    assert set(tally().phases) == set(Phase) - {Phase.SETUP}


def test_random_play_takes_every_kind_of_action_and_tells_every_kind_of_event() -> None:
    assert set(tally().actions) == set(get_args(Action)) - {Place}
    assert set(tally().events) == set(get_args(ev.Event)) - {ev.Placed}


def test_random_play_changes_honor_and_energy_for_every_reason() -> None:
    assert set(tally().reasons) == REASONS


def test_random_play_ends_in_every_way() -> None:
    assert set(tally().endings) == {
        ("chthonians", "palace"),
        ("chthonians", "honor"),
        ("olympians", "honor"),
        ("olympians", "leaders"),
        ("draw", "honor"),
    }
