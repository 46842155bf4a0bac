"""Laws of Honor and Energy: what an action is said to cost is what is charged, in every position."""

from __future__ import annotations

import random

from helpers import actor, candidates
from helpers_laws import SEEDS, all_tokens, opened, steps
from hypothesis import given

from storm_p2p.storm import engine
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Fight, Move, Opening, Retreat, Reveal, Sneak, Succeed
from storm_p2p.storm.board import BASE, FACTIONS, OTHER
from storm_p2p.storm.rules.options import Cost, Price, price_actions
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit


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
            request = engine.next_request(state)
            assert request is not None
            for faction, choice in zip(FACTIONS, state.combat.choices if state.combat else (), strict=True):
                if choice is not None and faction not in prices:
                    prices[faction] = engine.price(state, Fight(faction, *choice))
            action = rng.choice(engine.legal_actions(state, request.seats[0]))
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
                request = engine.next_request(state)
                assert request is not None
                owed = set(opened(state).units) if request.seats[0] == seat else set()
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
            quick = [(action, cost.honor, cost.energy) for action, cost in price_actions(full, seat)]
            assert quick == [(action, price.honor, price.energy) for action, price in listed]
            if full.phase == Phase.TURN:
                assert [(told(full, *option)) for option in price_actions(full, seat)] == [price for _, price in listed]


def told(state: State, action: Action, cost: Cost) -> Price:
    """Return the price with names for a cost that tells places."""
    if not isinstance(action, Move | Sneak | Reveal):
        return engine.price(state, action)
    region = action.region if isinstance(action, Reveal) else action.path[0]
    group = state.sides[state.turn][region]
    seen = [group[place] for place in cost.shown]
    return Price(
        cost.honor,
        cost.energy,
        tuple(Unit(token.unit) for token in seen if token.unit is not None and not token.known),
        tuple(Unit(token.unit) for token in group if token.unit is not None and token.known and cost.divides),
    )


@given(SEEDS)
def test_the_listed_actions_name_their_units(seed: int) -> None:
    for full, _ in steps(seed):
        for action in engine.legal_actions(full, full.turn):
            if isinstance(action, Move):
                group = full.sides[full.turn][action.path[0]]
                assert action.units == tuple(group[place].unit for place in action.movers)
            elif isinstance(action, Reveal):
                assert action.unit == full.sides[full.turn][action.region][action.place].unit


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
