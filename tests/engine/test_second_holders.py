"""No module takes a power for that of one unit: any trait is given to a second one, and random games are played."""

from __future__ import annotations

import random
from typing import Any

import pytest
from helpers import daily_first

from engine.tables import Changes, second_holder, table_with
from storm_p2p.storm.units import CHARMERS, LEADERS, Unit, powers, side_of

TRAITS = sorted({trait for _, trait in powers()} | {"leads"})
STEPS = 40
"""Decisions of a game."""


def play(changes: Changes, seeds: range) -> None:
    """Play random games by a table, through everything that knows a unit, and try the laws in each position."""
    with table_with(changes) as module:
        helpers, laws = module("helpers"), module("helpers_laws")
        engine, notation, views = (module(f"storm_p2p.storm.{name}") for name in ("engine", "notation", "views"))
        preview, dangers = module("cli.storm.preview"), module("cli.storm.preview")
        actions = module("storm_p2p.storm.actions")
        for seed in seeds:
            rng = random.Random(f"{seed} {sorted(changes.items())}")
            for full, taken in laws.steps(rng.randrange(2**32), STEPS):
                public = views.public(full)
                listed = helpers.candidates(full)
                assert listed, "somebody is asked and can do nothing"
                for action in (taken, *rng.sample(listed, min(4, len(listed)))):
                    faction = helpers.actor(full, action)
                    owner = helpers.owner_view(full, faction)
                    after, happened = engine.apply(full, action)
                    told = engine.apply(public, views.publish(full, action))
                    assert told == (views.public(after), happened), action
                    assert_words(notation, engine, full, action)
                    if not isinstance(action, actions.Opening):
                        found = preview.preview(owner, action, faction, "the other")
                        assert preview.lines(found)
                        loss = preview.retreat_loss(owner, action, faction)
                        list(dangers.warnings(owner, action, faction, engine.price(owner, action), loss))
                request = engine.next_request(full)
                for seat in request.seats:
                    owner = helpers.owner_view(full, seat)
                    options = engine.options(owner, seat)
                    priced = engine.price_actions(owner, seat)
                    assert [action for action, _ in priced] == [action for action, _ in options]
                    for action, price in rng.sample(options, min(6, len(options))):
                        assert engine.price(owner, action) == price


def assert_words(notation: Any, engine: Any, state: Any, action: Any) -> None:
    """The words of an action mean one that is legal and has the same words."""
    words = notation.format_action(action)
    assert "?" not in words
    if words.startswith(("place", "open")):
        return
    again = notation.parse_action(words, state)
    engine.check(state, again)
    assert notation.format_action(again) == words


@pytest.mark.parametrize("seed", daily_first(range(4), 2))
def test_every_power_may_have_a_second_holder_at_once(seed: int) -> None:
    rng = random.Random(seed)
    changes: dict[int, dict[str, Any]] = {}
    for trait in TRAITS:
        unit, row = second_holder(trait, rng)
        changes.setdefault(unit, {}).update(row)
    play(changes, range(4))


@pytest.mark.long
@pytest.mark.parametrize("trait", TRAITS)
def test_any_power_may_have_a_second_holder(trait: str) -> None:
    for seed in range(2):
        unit, row = second_holder(trait, random.Random(f"{trait} {seed}"))
        play({unit: row}, range(3))


def assert_typed(changes: Changes, turn: str, units: str, before: tuple[str, ...], line: str, meaning: str) -> None:
    """What is typed means this action, which is legal, by a table with these rows."""
    with table_with(changes) as module:
        helpers, notation = module("helpers"), module("storm_p2p.storm.notation")
        grammar = module("cli.storm.grammar")
        state = helpers.play(helpers.at(turn, units), *before)
        faction = module("storm_p2p.storm.engine").next_request(state).seats[0]
        tokens = line.split()
        found = grammar.in_phase(tokens, state, faction)
        found = found or grammar.to_canonical(tokens[0], tokens, state, faction)
        assert found == meaning
        assert notation.format_action(grammar.allowed(found, state, faction)).startswith(meaning)


@pytest.mark.parametrize(("region", "who"), [(17, "demeter"), (12, "hermes")])
def test_what_is_drained_is_drained_by_the_one_next_door(region: int, who: str) -> None:
    stands = {"demeter": 22, "hermes": 13}
    assert_typed(
        {Unit.HERMES: {"drains": 3}},
        "olympians",
        "hermes 13, zeus 14, demeter 22, hades 10, charon 19",
        (),
        f"drain {region}",
        f"move {stands[who]} {region} {who} claim",
    )


@pytest.mark.parametrize(("region", "origin"), [(9, 14), (8, 7)])
def test_a_sneak_attack_is_made_by_the_one_next_door(region: int, origin: int) -> None:
    units = "erinyes 14, hecate 7, hades 10, ares hera 9, athena 8, zeus 15"
    assert_typed(
        {Unit.HECATE: {"sneaks": True}}, "chthonians", units, (), f"sneak {region}", f"sneak {origin} {region}"
    )


@pytest.mark.parametrize(("units", "who"), [("aphrodite 14, hera 2", "aphrodite"), ("hera 14, aphrodite 2", "hera")])
def test_yes_means_the_charmer_next_door(units: str, who: str) -> None:
    assert_typed(
        {Unit.HERA: {"charms": True}},
        "chthonians",
        f"charon 12, hades 10, ares 13, zeus 15, {units}",
        ("move 12 13",),
        "yes",
        f"aid {who}",
    )


@pytest.mark.parametrize(("moirae", "persephone"), [(7, 16), (16, 7)])
def test_the_preview_names_the_heir_that_the_rules_open(moirae: int, persephone: int) -> None:
    with table_with({Unit.MOIRAE: {"leads": 2}}) as module:
        helpers, preview = module("helpers"), module("cli.storm.preview")
        actions, engine = module("storm_p2p.storm.actions"), module("storm_p2p.storm.engine")
        units = f"hades cronus 12, moirae {moirae}, persephone {persephone}, ares hera 13, zeus 15"
        state = helpers.play(helpers.at("chthonians", units), "move 12 13", *helpers.fights("standard 0", "standard 9"))
        faction = engine.next_request(state).seats[0]
        token = next(one for one in state.sides[faction][13] if one.unit == Unit.HADES)
        action = actions.Lose(token.serial, None)
        shown = [one.unit for one in engine.play(state, action)[1] if getattr(one, "cause", "") == "succession"]
        assert [preview.heir_after(helpers.owner_view(state, faction), action, faction)] == shown


def test_the_powers_about_which_one_side_is_asked_stay_on_one_side() -> None:
    assert side_of(CHARMERS) != side_of(LEADERS)
    with pytest.raises(ValueError, match="one faction"):
        side_of(CHARMERS | LEADERS)
