"""Laws that hold in every position: what is legal, what is true of every state, and what can be written and read."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from helpers import actor, candidates, owner_view, prefer, random_position, refusal_of, secrets, set_up
from helpers_laws import SEEDS, accepts, all_tokens, opened, steps
from hypothesis import given

from storm_p2p.storm import engine, notation, views
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Move, Opening, Pass, Succeed
from storm_p2p.storm.board import FACTIONS, OTHER, TARTARUS
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Maneuver, Unit, units_in

# -- play and apply ---------------------------------------------------------------------------------------


@given(SEEDS)
def test_to_play_is_to_apply_and_to_open_what_the_rules_force(seed: int) -> None:
    for full, action in steps(seed):
        if isinstance(action, Opening | Succeed):
            continue
        state, happened = engine.apply(full, action)
        while state.phase in (Phase.OPENING, Phase.SUCCESSION):
            answer = opened(state) if state.phase == Phase.OPENING else engine.legal_actions(state, 0)[0]
            state, more = engine.apply(state, answer)
            happened += more
        assert engine.play(full, action) == (state, happened)


# -- legal and illegal ------------------------------------------------------------------------------------


@given(SEEDS)
def test_each_legal_action_is_accepted(seed: int) -> None:
    for full, _ in steps(seed):
        public = views.public(full)
        for action in candidates(full):
            engine.play(full, action)
            engine.apply(public, views.publish(full, action))
            engine.price(full, action)


@given(SEEDS)
def test_no_action_is_listed_twice_and_the_order_is_always_the_same(seed: int) -> None:
    for full, action in steps(seed):
        listed = engine.legal_actions(full, actor(full, action))
        assert len(set(listed)) == len(listed)
        assert engine.legal_actions(full, actor(full, action)) == listed


def number(rng: random.Random, state: State) -> int:
    """Return a number that may be a region, a place in a group, a token, an amount, or nonsense."""
    serials = [token.serial for token in all_tokens(state)]
    return rng.choice((rng.randrange(4), rng.randint(1, 24), rng.choice(serials), rng.choice((-1, 25, 10**6))))


def _passes(state: State, action: Action) -> bool:
    try:
        engine.check(state, action)
    except IllegalAction:
        return False
    return True


def fill(rng: random.Random, state: State, name: str) -> object:
    """Return a value for a field of an action, by the name of its type."""
    if "tuple" in name:
        length = rng.choice((0, 1, 2, 2, 2, 3, len(state.due), 12))
        if "Unit" in name:
            return tuple(rng.sample(list(Unit), length))
        return tuple(number(rng, state) for _ in range(length))
    if "None" in name and rng.random() < 0.5:
        return None
    for word, values in (("Unit", list(Unit)), ("Maneuver", list(Maneuver)), ("Faction", FACTIONS)):
        if word in name:
            return rng.choice(values)
    return number(rng, state)


def mutants(rng: random.Random, state: State) -> Iterator[Action]:
    """Yield actions near and far from what is legal, all of the types that the engine promises to take."""
    for kind in get_args(Action):
        for _ in range(6 if kind is Move else 1):
            yield kind(**{field.name: fill(rng, state, str(field.type)) for field in fields(kind) if field.compare})
    listed = candidates(state)
    for action in rng.sample(listed, min(12, len(listed))):
        if varied := [field for field in fields(action) if field.compare]:
            field = rng.choice(varied)
            anything: Any = action
            yield replace(anything, **{field.name: fill(rng, state, str(field.type))})


def is_extra(state: State, action: Action) -> bool:
    """Return whether an action is allowed although the list, which offers one of a kind, leaves it out."""
    match action:
        case Move() if len(action.path) > 2 or not action.movers:
            # Only the best of a wanderer's paths are listed; others see a move without its movers.
            return True
        case Move():
            # accepted, and it changes nothing.
            return engine.play(state, action) == engine.play(state, replace(action, claim=None))
        case Succeed() | Opening():
            return True
        case _:
            return False


@given(SEEDS)
def test_what_is_not_listed_is_refused_and_leaves_no_trace(seed: int) -> None:
    rng = random.Random(seed)
    elsewhere: list[Action] = []
    for full, chosen in steps(seed, 25):
        listed = candidates(full)
        public = views.public(full)
        before = repr(full), repr(public)
        for action in [*mutants(rng, full), *rng.sample(elsewhere, min(10, len(elsewhere)))]:
            refusal = refusal_of(full, action)
            if refusal is None:
                assert action in listed or is_extra(full, action), action
            else:
                assert action not in listed
                assert refusal.code
                assert refusal.sentence.startswith("expected")
                assert str(refusal) == refusal.sentence
            for state in (public, *(owner_view(full, seat) for seat in FACTIONS)):
                # Whether an opening is right shows when it is taken.
                assert accepts(state, action) == _passes(state, action) or isinstance(action, Opening)
        assert (repr(full), repr(public)) == before
        elsewhere += rng.sample(listed, min(3, len(listed)))
        elsewhere = [*elsewhere[-200:], chosen]


@given(SEEDS)
def test_foul_openings_end_in_a_refusal_and_in_nothing_else(seed: int) -> None:
    """A stranger cannot know whether a claim is true; what the opening shows may make it illegal, no more."""
    rng = random.Random(seed)
    for full, _ in steps(seed, 20):
        public = views.public(full)
        for action in mutants(rng, full):
            try:
                state, _ = engine.apply(public, action)
                for _ in range(8):
                    if state.phase != Phase.OPENING:
                        break
                    tokens = {token.serial: token for token in all_tokens(state)}
                    units = tuple(Unit(rng.choice(units_in(tokens[serial].can))) for serial in state.due)
                    state, _ = engine.apply(state, Opening(units))
            except IllegalAction:
                continue


def test_no_action_is_taken_when_the_game_is_over() -> None:
    rng = random.Random(5)
    over = 0
    for _ in range(20):
        state = random_position(rng)
        for _ in range(200):
            actions = candidates(state)
            if not actions:
                break
            state, _ = engine.apply(state, prefer(rng, state, actions))
        if state.phase != Phase.OVER:
            continue
        over += 1
        for action in mutants(rng, state):
            with pytest.raises(IllegalAction):
                engine.apply(state, action)
    assert over > 10


# -- what is true of every state --------------------------------------------------------------------------


def assert_sound(state: State) -> None:
    tokens = all_tokens(state)
    units = [token.unit for token in tokens if token.unit is not None]
    # Each unit is in one place, or gone.
    assert sorted([*units, *units_in(state.gone)]) == list(range(24))
    # Serials are unique and ascend in every group.
    assert len({token.serial for token in tokens}) == len(tokens)
    assert all(token.serial < state.fresh for token in tokens)
    for faction in FACTIONS:
        for region, group in enumerate(state.sides[faction]):
            assert list(group) == sorted(group)
            assert not region or len(group) <= 4
            assert all(token.faction == faction for token in group)
    # What a token can be contains what it is.
    for token in tokens:
        assert token.unit is not None
        assert token.can >> token.unit & 1
        assert not token.known or token.can == 1 << token.unit
    assert all(token.known for token in state.fallen)
    assert min(state.energy) >= 0
    # Both factions stand together only in a combat.
    if state.phase != Phase.OVER:
        place = state.combat.region if state.combat is not None else 0
        for region in range(1, 25):
            assert region == place or not (state.sides[0][region] and state.sides[1][region])
        assert min(state.honor) >= 1
    assert (state.phase == Phase.OVER) == (state.outcome is not None)
    assert (engine.next_request(state) is None) == (state.outcome is not None)
    assert engine.outcome(state) == state.outcome
    if state.outcome is not None:
        assert engine.legal_actions(state, 0) == engine.legal_actions(state, 1) == []
        assert (state.combat, state.due, state.pending, state.target) == (None, (), None, 0)
    if state.phase == Phase.TURN:
        assert (state.combat, state.due, state.pending, state.target) == (None, (), None, 0)
    if state.phase == Phase.OPENING:
        assert state.due
    if state.combat is not None and state.combat.round:
        # Who fights is known.
        for side in state.sides:
            assert all(token.known for token in side[state.combat.region])


@given(SEEDS)
def test_every_state_is_sound(seed: int) -> None:
    turn: tuple[int, int] | None = None
    for full, action in steps(seed, 120):
        assert_sound(full)
        after, events = engine.apply(full, action)
        assert_sound(after)
        for event in events:
            if isinstance(event, ev.TurnBegan):
                assert turn is None or (event.faction, event.number) == (OTHER[turn[0]], turn[1] + 1)
                turn = event.faction, event.number
        assert (ev.GameOver in map(type, events)) == (after.outcome is not None)


@given(SEEDS)
def test_somebody_always_has_something_to_do_until_the_game_is_over(seed: int) -> None:
    for full, _ in steps(seed, 120):
        request = engine.next_request(full)
        assert request is not None
        for seat in request.seats:
            assert engine.legal_actions(full, seat)


@given(SEEDS)
def test_chthonians_never_pass_and_olympians_only_when_all_are_in_tartarus(seed: int) -> None:
    for full, _ in steps(seed):
        if full.phase == Phase.TURN:
            outside = any(full.sides[1][region] for region in range(1, 25) if region != TARTARUS)
            assert (Pass() in candidates(full)) == (full.turn == FACTIONS[1] and not outside)


def test_secrets_of_both_sides_together_are_all_cards() -> None:
    full = set_up(random.Random(3))
    both = {**secrets(full, 0), **secrets(full, 1)}
    assert views.with_secrets(views.public(full), both) == full
    assert_sound(full)


# -- notation ---------------------------------------------------------------------------------------------


@given(SEEDS)
def test_every_legal_action_survives_being_written_and_read(seed: int) -> None:
    for full, chosen in steps(seed):
        if full.phase in (Phase.OPENING, Phase.SUCCESSION):
            continue
        own = owner_view(full, actor(full, chosen))
        texts = set()
        for action in candidates(full):
            text = notation.format_action(action)
            assert notation.parse_action(text, full) == action, text
            if actor(full, action) == actor(full, chosen):
                assert notation.parse_action(text, own) == action, text
            assert notation.format_action(notation.parse_action(text, full)) == text
            texts.add(text)
        assert len(texts) == len(candidates(full))


@given(SEEDS)
def test_every_position_survives_being_written_and_read(seed: int) -> None:
    for full, _ in steps(seed):
        if full.phase == Phase.TURN:
            position = notation.dump_position(full)
            loaded = notation.load_position(position)
            assert plain(notation.dump_position(loaded)) == plain(position)
            assert len(engine.legal_actions(loaded, full.turn)) == len(engine.legal_actions(full, full.turn))
            told = notation.dump_position(views.public(full))
            assert set(told["units"]) == set(told["known"])


def plain(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position with its lists in alphabetical order."""
    return {key: sorted(value) if isinstance(value, list) else value for key, value in position.items()}
