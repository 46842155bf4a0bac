"""What everybody can deduce about hidden tokens."""

from __future__ import annotations

from itertools import permutations
from random import Random

from helpers_worlds import find_possible
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import table
from storm_p2p.storm import engine, notation, views
from storm_p2p.storm.board import FACTIONS, Faction
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import ALL_OF, REQUIRED, Unit, mask_of, units_in

VARIANTS = (Terms(), Terms(open_combat=True), Terms(random_setup=True), Terms(challenge=3))


def by_force(masks: tuple[int, ...], units: int) -> tuple[int, ...]:
    """Return what :func:`views.refine` has to return, by trying every assignment."""
    found = [0] * len(masks)
    for order in permutations(units_in(units), len(masks)):
        if all(mask >> unit & 1 for mask, unit in zip(masks, order, strict=True)):
            for index, unit in enumerate(order):
                found[index] |= 1 << unit
    return tuple(found)


@st.composite
def fitting_masks(draw: st.DrawFn) -> tuple[tuple[int, ...], int]:
    """Draw up to six masks that fit at least one assignment of as many units."""
    units = draw(st.lists(st.sampled_from(list(Unit)[:12]), min_size=1, max_size=6, unique=True))
    masks = tuple(1 << unit | mask_of(draw(st.lists(st.sampled_from(units), max_size=3))) for unit in units)
    return tuple(draw(st.permutations(masks))), mask_of(units)


@given(fitting_masks())
def test_it_finds_exactly_the_pairs_of_some_assignment(drawn: tuple[tuple[int, ...], int]) -> None:
    masks, units = drawn
    assert views.refine(masks, units) == by_force(masks, units)


@given(st.lists(st.integers(0, 4095), max_size=12), st.integers(0, 4095))
def test_masks_that_fit_nowhere_come_back_as_they_are(masks: list[int], units: int) -> None:
    refined = views.refine(tuple(masks), units)
    for mask, bits in zip(masks, refined, strict=True):
        assert bits & ~(mask & units) == 0
    if views.match([mask & units for mask in masks], units) is None:
        assert refined == tuple(mask & units for mask in masks)


def test_two_tokens_that_share_two_units_leave_nothing_of_them_to_the_others() -> None:
    assert views.refine((0b011, 0b011, 0b111), 0b111) == (0b011, 0b011, 0b100)


def assert_sound(state: State) -> None:
    """Assert that the truth is possible, and that what is deduced is public."""
    public = views.public(state)
    for faction in FACTIONS:
        masks = find_possible(public, faction)
        assert masks == find_possible(state, faction)
        for group in state.sides[faction]:
            for token in group:
                assert token.unit is not None
                assert masks[token.serial] >> token.unit & 1
                assert masks[token.serial] & ~token.can == 0


def test_the_truth_is_always_possible() -> None:
    for seed in range(24):
        rng = Random(seed)
        state = table.deal(VARIANTS[seed % len(VARIANTS)], rng)
        while (request := engine.next_request(state)) is not None:
            assert_sound(state)
            state, _ = engine.play(state, rng.choice(engine.legal_actions(state, request.seats[0])))
        assert_sound(state)


def test_the_required_unit_is_never_left_out() -> None:
    state = table.deal(Terms(), Random(1))
    for faction in FACTIONS:
        masks = find_possible(state, faction)
        left_out = [masks[token.serial] for token in state.sides[faction][0]]
        assert left_out == [ALL_OF[faction] & ~REQUIRED] * len(left_out)
        assert all(mask.bit_count() > 1 for mask in masks.values())


def test_the_last_hidden_unit_of_a_position_is_certain() -> None:
    state = notation.load_position(
        {
            "turn": "chthonians",
            "units": {"zeus": 15, "hera": 14, "athena": 9},
            "known": ["hera", "athena"],
            "eliminated": [
                "aphrodite",
                "dionysus",
                "apollo",
                "hermes",
                "ares",
                "poseidon",
                "artemis",
                "hephaestus",
                "demeter",
            ],
        }
    )
    sure = {mask for mask in find_possible(state, Faction.OLYMPIANS).values() if mask.bit_count() == 1}
    assert sure == {1 << unit for unit in (Unit.ZEUS, Unit.HERA, Unit.ATHENA)}


def test_a_position_without_a_required_unit_has_an_answer() -> None:
    state = notation.load_position({"turn": "olympians", "units": {"ares": 9}, "gone": ["persephone"]})
    assert not views.find_unplaced(state, Faction.CHTHONIANS) & 1 << Unit.PERSEPHONE
    assert all(find_possible(state, Faction.CHTHONIANS).values())
