"""Laws of what a seat sees: all views of a game agree, and what is hidden has no effect on what others see."""

from __future__ import annotations

import random

from helpers import TERMS, actor, candidates, exchange, owner_view, prefer, random_units, set_up
from helpers_laws import SEEDS, accepts, all_tokens, opened, steps
from hypothesis import given

from storm_p2p.storm import engine, views
from storm_p2p.storm.actions import Action, Opening, Place, Recall
from storm_p2p.storm.board import FACTIONS, OTHER
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, State

# -- views ------------------------------------------------------------------------------------------------


def assert_views_commute(full: State, action: Action) -> None:
    said = views.publish(full, action)
    after, events = engine.apply(full, action)
    public, public_events = engine.apply(views.public(full), said)
    assert public == views.public(after)
    assert public_events == events
    for seat in FACTIONS:
        mine = action if actor(full, action) == seat else said
        owned, owned_events = engine.apply(owner_view(full, seat), mine)
        assert owned == owner_view(after, seat)
        assert owned_events == events


@given(SEEDS)
def test_what_everybody_knows_follows_from_what_everybody_knew(seed: int) -> None:
    for full, action in steps(seed):
        assert_views_commute(full, action)


@given(SEEDS)
def test_the_views_of_a_setup_commute_too(seed: int) -> None:
    rng = random.Random(seed)
    terms = rng.choice(TERMS)
    state = engine.new_game(terms)
    for faction in rng.sample(FACTIONS, 2):
        action = Place(faction, setup.first_serials(faction), random_units(rng, faction, terms))
        assert_views_commute(state, action)
        state, _ = engine.apply(state, action)
    assert state.phase == Phase.TURN


@given(SEEDS)
def test_a_side_sees_in_its_own_view_what_it_may_do(seed: int) -> None:
    for full, action in steps(seed):
        seat = actor(full, action)
        own = owner_view(full, seat)
        assert engine.next_request(own) == engine.next_request(full) == engine.next_request(views.public(full))
        assert engine.options(own, seat) == engine.options(full, seat)
        assert engine.legal_actions(full, OTHER[seat]) == [] or full.phase == Phase.FIGHT


@given(SEEDS)
def test_a_public_state_keeps_no_secret_and_an_action_told_keeps_none_either(seed: int) -> None:
    for full, action in steps(seed):
        public = views.public(full)
        assert all(token.known for token in all_tokens(public) if token.unit is not None)
        assert views.public(public) == public
        said = views.publish(full, action)
        for name in ("units", "unit"):
            # The call of an eliminated unit names one that everybody knows.
            if not isinstance(action, Recall):
                assert not getattr(said, name, None) or isinstance(said, Opening)


# -- what is hidden has no effect -------------------------------------------------------------------------


@given(SEEDS)
def test_hidden_units_of_the_other_side_change_nothing_for_a_player(seed: int) -> None:
    rng = random.Random(seed)
    for full, action in steps(seed):
        seat = actor(full, action)
        twin = exchange(rng, full, OTHER[seat])
        if twin == full or full.phase == Phase.OPENING:
            continue
        assert views.public(twin) == views.public(full)
        assert engine.options(twin, seat) == engine.options(full, seat)
        said = views.publish(full, action)
        assert views.publish(twin, action) == said
        after, events = engine.apply(full, action)
        twin_after, twin_events = engine.apply(twin, action)
        assert twin_events == events
        assert views.public(twin_after) == views.public(after)
        assert owner_view(twin_after, seat) == owner_view(after, seat)


@given(SEEDS)
def test_two_games_that_differ_in_what_is_hidden_look_alike_until_something_is_opened(seed: int) -> None:
    rng = random.Random(seed)
    one = set_up(rng, rng.choice(TERMS))
    for _ in range(6):
        side = rng.choice(FACTIONS)
        two = exchange(rng, one, side)
        state, twin = one, two
        for _ in range(12):
            shared = [action for action in candidates(state) if accepts(twin, action)]
            if not shared:
                break
            action = prefer(rng, state, shared)
            if views.publish(state, action) != views.publish(twin, action):
                break
            state, events = engine.apply(state, action)
            twin, twin_events = engine.apply(twin, action)
            if state.phase == Phase.OPENING:
                break
            assert events == twin_events
            assert views.public(state) == views.public(twin)
            assert owner_view(state, OTHER[side]) == owner_view(twin, OTHER[side])
        one = state if state.phase != Phase.OVER else set_up(rng)
        while one.phase == Phase.OPENING:
            one, _ = engine.apply(one, opened(one))
