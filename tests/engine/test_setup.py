"""Terms and secret setup: SET, VAR-1, VAR-4, VAR-7 (docs/rules.md, "Setup")."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from helpers import CHTHONIANS, OLYMPIANS, TERMS, random_units, refusal_of, set_up

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Place
from storm_p2p.storm.board import FACTIONS, LEADER_STARTS, REALM, Faction
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, Terms
from storm_p2p.storm.units import REQUIRED, ROSTER, Unit, mask_of

NINE = tuple(ROSTER[CHTHONIANS][:9])


def realm_setup(faction: Faction, units: Sequence[Unit]) -> dict[Unit, int]:
    """Return nine units in the order of the regions of the realm."""
    return dict(zip(units, REALM[faction], strict=False))


def test_both_start_with_16_honor_and_24_energy() -> None:
    state = engine.new_game(Terms())
    assert (state.honor, state.energy) == ((16, 16), (24, 24))


def test_open_combat_starts_with_10_honor_and_a_challenge_is_added_to_the_chthonians() -> None:
    assert engine.new_game(Terms(open_combat=True)).honor == (10, 10)
    assert engine.new_game(Terms(challenge=-5)).honor == (11, 16)
    assert engine.new_game(Terms(open_combat=True, challenge=3)).honor == (13, 10)


def test_a_challenge_must_leave_the_chthonians_honor() -> None:
    assert engine.new_game(Terms(challenge=-15)).honor == (1, 16)
    with pytest.raises(ValueError, match="at least 1 Honor"):
        engine.new_game(Terms(challenge=-16))


def test_the_game_waits_for_both_setups_in_either_order_and_the_chthonians_begin() -> None:
    for order in (FACTIONS, FACTIONS[::-1]):
        state = engine.new_game(Terms())
        for faction in order:
            request = engine.next_request(state)
            assert request is not None
            assert faction in request.seats
            units = random_units(random.Random(1), faction, Terms())
            state, _ = engine.apply(state, Place(faction, setup.first_serials(faction), units))
        assert (state.phase, state.turn, state.number) == (Phase.TURN, CHTHONIANS, 1)


def test_each_of_nine_units_has_a_region_of_its_own_in_the_own_realm() -> None:
    state = set_up(random.Random(2))
    for faction in FACTIONS:
        places = [region for region in range(1, 25) for _ in state.sides[faction][region]]
        assert places == list(REALM[faction])
        assert len(state.sides[faction][0]) == 3


def test_nothing_is_known_after_the_setup_but_that_the_leaders_are_not_left_out() -> None:
    state = set_up(random.Random(3))
    tokens = [token for side in state.sides for group in side for token in group]
    assert not any(token.known for token in tokens)
    left_out = [token for side in state.sides for token in side[0]]
    assert not any(token.can & REQUIRED for token in left_out)
    assert all(token.can & REQUIRED for token in tokens if token not in left_out)


def test_hades_and_zeus_must_be_among_the_nine_and_hera_and_persephone_need_not() -> None:
    for faction in FACTIONS:
        leader = next(unit for unit in ROSTER[faction] if 1 << unit & REQUIRED)
        others = [unit for unit in ROSTER[faction] if unit != leader]
        assert setup.check_units(faction, (*others, leader), random=False) is not None
        assert setup.check_units(faction, (leader, *others), random=False) is None
    assert (
        refusal_of(
            engine.new_game(Terms()),
            Place(CHTHONIANS, setup.first_serials(CHTHONIANS), (*ROSTER[CHTHONIANS][1:], Unit.HADES)),
        )
        is not None
    )


def test_a_side_sets_up_once_with_twelve_tokens_of_its_own() -> None:
    state = engine.new_game(Terms())
    serials = setup.first_serials(CHTHONIANS)
    placed, _ = engine.apply(state, Place(CHTHONIANS, serials, ROSTER[CHTHONIANS]))
    assert refusal_of(placed, Place(CHTHONIANS, serials, ROSTER[CHTHONIANS])) is not None
    for wrong in (
        Place(CHTHONIANS, serials[:11], ROSTER[CHTHONIANS]),
        Place(CHTHONIANS, (0,) * 12, ROSTER[CHTHONIANS]),
        Place(CHTHONIANS, serials, ROSTER[OLYMPIANS]),
        Place(CHTHONIANS, serials, (Unit.HADES,) * 12),
    ):
        assert refusal_of(state, wrong) is not None


def test_a_setup_by_region_becomes_twelve_units_in_order() -> None:
    units = setup.arrangement(CHTHONIANS, realm_setup(CHTHONIANS, NINE))
    assert units[:9] == NINE
    assert sorted(units) == sorted(ROSTER[CHTHONIANS])


@pytest.mark.parametrize(
    ("faction", "place"),
    [
        (CHTHONIANS, {}),
        (CHTHONIANS, realm_setup(CHTHONIANS, NINE[:8])),
        (CHTHONIANS, realm_setup(OLYMPIANS, NINE)),
        (OLYMPIANS, realm_setup(OLYMPIANS, NINE)),
        (CHTHONIANS, dict.fromkeys(NINE, 10)),
        (CHTHONIANS, realm_setup(CHTHONIANS, ROSTER[CHTHONIANS][1:10])),
        (CHTHONIANS, dict(zip(ROSTER[CHTHONIANS], (*REALM[CHTHONIANS], 1), strict=False))),
    ],
)
def test_a_wrong_setup_is_refused_with_what_was_expected(faction: Faction, place: dict[Unit, int]) -> None:
    with pytest.raises(IllegalAction, match=r"^expected"):
        setup.arrangement(faction, place)


def test_a_random_setup_has_the_leaders_in_the_base_or_next_to_it() -> None:
    for seed in range(10):
        state = set_up(random.Random(seed), TERMS[2])
        for faction in FACTIONS:
            near = mask_of(
                token.unit or 0 for region in LEADER_STARTS[faction] for token in state.sides[faction][region]
            )
            assert near & REQUIRED
    far = (*ROSTER[CHTHONIANS][1:9], Unit.HADES, *ROSTER[CHTHONIANS][9:])
    assert setup.check_units(CHTHONIANS, far, random=True) is not None
    assert setup.check_units(CHTHONIANS, far, random=False) is None
