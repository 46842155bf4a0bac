"""What a state remembers of the questions that it was asked changes no answer."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace

from helpers import actor, candidates, random_start, secrets, walk
from hypothesis import given
from hypothesis import strategies as st

from protocol.game import Chosen, Decision, Sealed, Unsealed
from storm_p2p.storm import codec, views
from storm_p2p.storm.actions import Move
from storm_p2p.storm.codec import StormState
from storm_p2p.storm.game import Storm
from storm_p2p.storm.state import Phase, State


def asked(full: State, rng: random.Random) -> Iterator[tuple[int, Decision]]:
    """Yield seats and what they might say: legal actions, the same without going unseen, and nonsense."""
    actions = candidates(full)
    for action in rng.sample(actions, min(len(actions), 6)):
        seat = int(actor(full, action))
        yield seat, codec.encode(views.publish(full, action))
        if isinstance(action, Move):
            yield seat, codec.encode(action)
            yield seat, codec.encode(replace(action, path=(action.path[0], 1 + action.path[1] % 24)))
    yield rng.randrange(2), (rng.randrange(16), rng.randrange(25), 0)


@given(st.integers(0, 10**6))
def test_a_decision_is_judged_the_same_however_often_and_in_whatever_order_it_is_asked(seed: int) -> None:
    rng = random.Random(seed)
    for full, _ in walk(rng, random_start(rng), 6):
        if full.phase in (Phase.SETUP, Phase.OPENING):
            continue
        public = views.public(full)
        everything = secrets(full, 0) | secrets(full, 1)
        used, storm = StormState(public), Storm()
        questions = [(seat, decision, known) for seat, decision in asked(full, rng) for known in ({}, everything)] * 2
        rng.shuffle(questions)
        for seat, decision, known in questions:
            alone = Storm().check(StormState(public), seat, decision, known)
            assert storm.check(used, seat, decision, known) == alone
            if alone is None and not known and not isinstance(storm.next_request(used), Sealed):
                chosen = Chosen(seat, decision)
                assert storm.step_with_events(used, chosen) == Storm().step_with_events(StormState(public), chosen)


def test_what_comes_of_a_decision_in_one_state_is_not_taken_for_what_comes_of_it_in_another() -> None:
    rng = random.Random(4)
    full = next(full for full, _ in walk(rng, random_start(rng), 40) if full.phase == Phase.TURN)
    answer = Chosen(int(full.turn), codec.encode(views.publish(full, candidates(full)[0])))
    first = StormState(views.public(full))
    second = StormState(first.game._replace(number=first.game.number + 1))
    storm = Storm()
    assert storm.check(first, answer.seat, answer.decision, {}) is None
    assert storm.step(second, answer) == Storm().step(StormState(second.game), answer)
    assert storm.step(second, answer) != storm.step(first, answer)


@given(st.integers(0, 10**6))
def test_dumps_are_json_without_white_space_and_load_again(seed: int) -> None:
    rng = random.Random(seed)
    storm = Storm()
    for full, _ in walk(rng, random_start(rng), 12):
        data = storm.dump(StormState(views.public(full)))
        assert json.dumps(json.loads(data), separators=(",", ":")).encode("ascii") == data
        assert storm.dump(StormState(full)) == data
        assert storm.load(data) == StormState(views.public(full))


def test_both_choices_of_a_combat_are_remembered() -> None:
    rng = random.Random(1)
    for full, _ in walk(rng, random_start(rng), 400):
        state, storm = StormState(views.public(full)), Storm()
        request = storm.next_request(state)
        if isinstance(request, Sealed):
            decision = []
            for seat in request.seats:
                action = next(one for one in candidates(full) if actor(full, one) == seat)
                decision.append(codec.encode(action))
                assert storm.check(state, seat, decision[-1], {}) is None
            assert state.memo.passed == tuple(zip(request.seats, decision, strict=True))
            answer = Unsealed(tuple(decision))
            assert storm.step(state, answer) == Storm().step(StormState(state.game), answer)
            return
    raise AssertionError("expected a combat in 400 steps")
