"""Laws that hold in every position: random games by seed, of fresh setups and from positions in the middle."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, get_args

import pytest
from helpers import (
    ROOT,
    TERMS,
    actor,
    all_tokens,
    candidates,
    exchange,
    opened,
    owner_view,
    prefer,
    random_position,
    random_start,
    random_units,
    refusal_of,
    secrets,
    set_up,
    walk,
)  # fmt: skip
from hypothesis import given
from hypothesis import strategies as st

from storm_p2p import engine, notation, setup, views
from storm_p2p import events as ev
from storm_p2p.actions import (
    Action,
    Fight,
    Move,
    Opening,
    Pass,
    Place,
    Recall,
    Retreat,
    Reveal,
    Sneak,
    Succeed,
)  # fmt: skip
from storm_p2p.board import BASE, FACTIONS, OTHER, TARTARUS
from storm_p2p.errors import IllegalAction
from storm_p2p.movement import Cost
from storm_p2p.options import costed
from storm_p2p.pricing import Price
from storm_p2p.state import Phase, State
from storm_p2p.units import Maneuver, Unit, units_in

SEEDS = st.integers(0, 2**32)
STEPS = 40


def steps(seed: int, count: int = STEPS) -> Iterator[tuple[State, Action]]:
    rng = random.Random(seed)
    yield from walk(rng, random_start(rng), count)


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
        assert engine.wants(own) == engine.wants(full) == engine.wants(views.public(full))
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
            shared = [action for action in candidates(state) if _accepts(twin, action)]
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


def _accepts(state: State, action: Action) -> bool:
    try:
        engine.apply(state, action)
    except IllegalAction:
        return False
    return True


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
                assert _accepts(state, action) == _passes(state, action) or isinstance(action, Opening)
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


# -- Honor and Energy -------------------------------------------------------------------------------------


@given(SEEDS)
def test_honor_and_energy_change_by_what_the_events_say(seed: int) -> None:
    for full, action in steps(seed):
        after, events = engine.apply(full, action)
        honor, energy = list(full.honor), list(full.energy)
        for event in events:
            if isinstance(event, ev.HonorChanged):
                honor[event.faction] += event.change
                assert (event.now, bool(event.change)) == (honor[event.faction], True)
            if isinstance(event, ev.EnergyChanged):
                energy[event.faction] += event.change
                assert (event.now, bool(event.change)) == (energy[event.faction], True)
        assert tuple(honor) == after.honor
        assert tuple(energy) == after.energy


def changes(events: tuple[ev.Event, ...], faction: int, reasons: tuple[str, ...]) -> tuple[int, int]:
    mine = [e for e in events if isinstance(e, ev.HonorChanged | ev.EnergyChanged)]
    mine = [e for e in mine if e.faction == faction and e.reason in reasons]
    honor = sum(event.change for event in mine if isinstance(event, ev.HonorChanged))
    return honor, sum(event.change for event in mine) - honor


TURN_REASONS = ("move", "attack", "liturgy", "bolts", "styx", "recalls", "sneaks", "river_energy", "drains")


@given(SEEDS)
def test_the_price_of_a_turn_is_what_is_charged_at_once(seed: int) -> None:
    for full, _ in steps(seed):
        if full.phase != Phase.TURN:
            continue
        for action in candidates(full):
            after, events = engine.play(full, action)
            price = engine.price(full, action)
            honor, energy = changes(events, full.turn, TURN_REASONS)
            assert honor == price.honor
            # A gain is not waited for when the move has lost the game.
            assert energy == price.energy or after.outcome is not None


@given(SEEDS)
def test_the_price_of_a_choice_in_combat_is_charged_when_both_have_chosen(seed: int) -> None:
    rng = random.Random(seed)
    for full, _ in steps(seed):
        if full.phase != Phase.FIGHT:
            continue
        state = full
        events: tuple[ev.Event, ...] = ()
        prices: dict[int, engine.Price] = {}
        while state.phase == Phase.FIGHT and len(prices) < 2:
            want = engine.wants(state)
            assert want is not None
            for faction, choice in zip(FACTIONS, state.combat.choices if state.combat else (), strict=True):
                if choice is not None and faction not in prices:
                    prices[faction] = engine.price(state, Fight(faction, *choice))
            action = rng.choice(engine.legal_actions(state, want.seats[0]))
            assert isinstance(action, Fight)
            prices[action.faction] = engine.price(state, action)
            state, events = engine.play(state, action)
        for chooser, price in prices.items():
            assert changes(events, chooser, ("all-out", "energy", "combat")) == (price.honor, price.energy)


@given(SEEDS)
def test_the_price_of_a_retreat_is_charged_with_the_last_retreat(seed: int) -> None:
    for full, _ in steps(seed):
        if full.phase in (Phase.RETREAT, Phase.STAY):
            for action in candidates(full):
                if not isinstance(action, Retreat):
                    assert engine.price(full, action) == engine.Price(0, 0)
                    continue
                faction = actor(full, action)
                state, events = engine.play(full, action)
                if state.phase != Phase.RETREAT:
                    assert changes(events, faction, ("retreat",)) == (engine.price(full, action).honor, 0)


@given(SEEDS)
def test_what_an_action_reveals_and_hides_is_what_its_price_says(seed: int) -> None:
    for full, _ in steps(seed):
        for action in candidates(full):
            if isinstance(action, Opening | Succeed):
                continue
            seat = actor(full, action)
            price = engine.price(full, action)
            state, _ = engine.apply(full, action)
            if state.phase == Phase.OPENING:
                want = engine.wants(state)
                assert want is not None
                owed = set(opened(state).units) if want.seats[0] == seat else set()
                # After a sneak attack the combat opens the rest, whatever the answer.
                assert set(price.reveals) == owed or (full.phase == Phase.SNEAK and not price.reveals)
            else:
                assert not price.reveals
            if price.hides:
                assert set(price.hides) <= {token.unit for token in all_tokens(state) if not token.known}


@given(SEEDS)
def test_both_lists_and_the_price_of_a_single_action_say_the_same(seed: int) -> None:
    for full, _ in steps(seed):
        for seat in FACTIONS:
            listed = engine.options(full, seat)
            assert listed == [(action, engine.price(full, action)) for action in engine.legal_actions(full, seat)]
            assert len({action for action, _ in listed}) == len(listed)
            quick = [(action, cost.honor, cost.energy) for action, cost in costed(full, seat)]
            assert quick == [(action, price.honor, price.energy) for action, price in listed]
            if full.phase == Phase.TURN:
                assert [(told(full, *option)) for option in costed(full, seat)] == [price for _, price in listed]


def told(state: State, action: Action, cost: Cost) -> Price:
    """Return the price with names for a cost that tells places."""
    if not isinstance(action, Move | Sneak | Reveal):
        return engine.price(state, action)
    region = action.region if isinstance(action, Reveal) else action.path[0]
    group = state.sides[state.turn][region]
    seen = [group[place] for place in cost.shown]
    return Price(
        cost.honor, cost.energy,
        tuple(Unit(token.unit) for token in seen if token.unit is not None and not token.known),
        tuple(Unit(token.unit) for token in group if token.unit is not None and token.known and cost.divides),
    )  # fmt: skip


@given(SEEDS)
def test_the_listed_actions_name_their_units(seed: int) -> None:
    for full, _ in steps(seed):
        for action in engine.legal_actions(full, full.turn):
            if isinstance(action, Move):
                group = full.sides[full.turn][action.path[0]]
                assert action.units == tuple(group[place].unit for place in action.movers)
            elif isinstance(action, Reveal):
                assert action.unit == full.sides[full.turn][action.region][action.place].unit


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
    assert (engine.wants(state) is None) == (state.outcome is not None)
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
        want = engine.wants(full)
        assert want is not None
        for seat in want.seats:
            assert engine.legal_actions(full, seat)


@given(SEEDS)
def test_the_base_is_paid_for_at_the_start_of_the_turn(seed: int) -> None:
    for full, action in steps(seed):
        after, events = engine.apply(full, action)
        begun = [event for event in events if isinstance(event, ev.TurnBegan)]
        if begun:
            seat = begun[0].faction
            intruders = len(after.sides[OTHER[seat]][BASE[seat]])
            assert changes(events, seat, ("base",)) == (-intruders, 0)
        else:
            assert not any(isinstance(event, ev.HonorChanged) and event.reason == "base" for event in events)


@given(SEEDS)
def test_chthonians_never_pass_and_olympians_only_when_all_are_in_tartarus(seed: int) -> None:
    for full, _ in steps(seed):
        if full.phase == Phase.TURN:
            outside = any(full.sides[1][region] for region in range(1, 25) if region != TARTARUS)
            assert (Pass() in candidates(full)) == (full.turn == FACTIONS[1] and not outside)


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


# -- the same everywhere ----------------------------------------------------------------------------------

PLAYOUT = """
import random
from helpers import candidates, digest, prefer, set_up, TERMS
from storm_p2p import engine
rng = random.Random(11)
trace = []
for terms in TERMS:
    state = set_up(rng, terms)
    for _ in range(150):
        actions = candidates(state)
        if not actions:
            break
        trace.append(repr(actions))
        state, events = engine.apply(state, prefer(rng, state, actions))
        trace.append(repr((state, events)))
print(digest(*trace))
"""


def run_playout(seed: str, *flags: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    command = [sys.executable, *flags, "-c", PLAYOUT]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=True).stdout


def test_a_game_has_the_same_digest_under_every_hash_seed_and_optimised() -> None:
    first = run_playout("0")
    assert len(first.strip()) == 16
    for seed, flags in (("1", ()), ("4294967295", ()), ("0", ("-O",)), ("random", ("-OO",))):
        assert run_playout(seed, *flags) == first


def test_the_engine_knows_nothing_of_earlier_games() -> None:
    def trace(seed: int) -> list[str]:
        rng = random.Random(seed)
        return [repr(pair) for pair in walk(rng, random_start(rng), 30)]

    first = trace(1)
    trace(2)
    assert trace(1) == first


def test_secrets_of_both_sides_together_are_all_cards() -> None:
    full = set_up(random.Random(3))
    both = {**secrets(full, 0), **secrets(full, 1)}
    assert views.with_secrets(views.public(full), both) == full
    assert_sound(full)
