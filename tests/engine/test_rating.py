"""What decisions are said to promise: each legal action has its chance, and what is hidden changes nothing."""

from __future__ import annotations

from random import Random

import pytest
from helpers import daily_first
from helpers_worlds import swapped

from benchmarks import table
from storm_p2p.storm import engine, notation
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.bots import BOTS, rating
from storm_p2p.storm.state import Phase, State, Terms

VARIANTS = (Terms(), Terms(open_combat=True), Terms(open_combat=True, random_setup=True, challenge=3))


def decisions(matches: int, share: float) -> list[tuple[State, Faction]]:
    """Return positions of random matches in which a seat has to decide."""
    found = []
    for seed in range(matches):
        rng = Random(seed)
        state = table.deal(VARIANTS[seed % len(VARIANTS)], rng)
        while (request := engine.next_request(state)) is not None:
            seat = request.seats[0]
            if rng.random() < share:
                found.append((state, seat))
            state, _ = engine.play(state, BOTS["random"].decide(table.view_as(state, seat), seat, rng))
    return found


@pytest.mark.parametrize("matches", daily_first([3, 12]))
def test_every_legal_action_has_a_chance_and_the_best_comes_first(matches: int) -> None:
    phases = set()
    for state, seat in decisions(matches, 0.15):
        phases.add(state.phase)
        view = table.view_as(state, seat)
        rated = rating.rate(view, seat, Random(1), 2)
        legal = engine.legal_actions(view, seat)
        assert all(0.0 <= one.chance <= 1.0 for one in rated)
        assert sum(one.share for one in rated) == pytest.approx(1.0)
        assert len({one.action for one in rated}) == len(rated)
        if state.phase == Phase.FIGHT:
            assert {one.action for one in rated} <= set(legal)
            assert [one.share for one in rated] == sorted((one.share for one in rated), reverse=True)
        else:
            assert {one.action for one in rated} == set(legal)
            assert [one.chance for one in rated] == sorted((one.chance for one in rated), reverse=True)
    assert {Phase.TURN, Phase.FIGHT} <= phases


@pytest.mark.parametrize("matches", daily_first([3, 12]))
def test_what_is_hidden_from_a_seat_changes_no_rating(matches: int) -> None:
    for number, (state, seat) in enumerate(decisions(matches, 0.1)):
        other = swapped(state, OTHER[seat], Random(number))
        first, second = (rating.rate(table.view_as(world, seat), seat, Random(5), 2) for world in (state, other))
        assert first == second
        chances = [rating.estimate_chance(table.view_as(world, seat), seat, Random(5)) for world in (state, other)]
        assert chances[0] == chances[1]


def test_the_step_that_wins_is_as_good_as_won() -> None:
    position = {"turn": "chthonians", "units": {"hades": 14, "nyx": 5, "zeus": 4, "ares": 24}}
    state = notation.load_position(position)
    best, second, *_ = rating.rate(table.view_as(state, Faction.CHTHONIANS), Faction.CHTHONIANS, Random(1), 3)
    assert notation.format_action(best.action) == "move 14 15 hades claim"
    assert best.chance > 0.95
    assert best.share == 1.0
    assert second.share == 0.0
