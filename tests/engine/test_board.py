"""The map against the tables of the rules, typed in by hand (docs/rules.md, "The map")."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from storm_p2p.storm import board
from storm_p2p.storm.board import Faction

# Region: higher neighbours | lower neighbours.
NEIGHBOURS = """
1: 2 6 | 5
2: 3 7 | 1 6
3: 4 8 | 2 7
4: 9 | 3 8
5: 1 6 11 | 10
6: 2 7 12 | 1 5 11
7: 3 8 13 | 2 6 12
8: 4 9 14 | 3 7 13
9: 15 | 4 8 14
10: 5 11 16 |
11: 6 12 17 | 5 10 16
12: 7 13 18 | 6 11 17
13: 8 14 19 | 7 12 18
14: 9 15 20 | 8 13 19
15: | 9 14 20
16: 11 17 21 | 10
17: 12 18 22 | 11 16 21
18: 13 19 23 | 12 17 22
19: 14 20 24 | 13 18 23
20: 15 | 14 19 24
21: 17 22 | 16
22: 18 23 | 17 21
23: 19 24 | 18 22
24: 20 | 19 23
"""
ALTITUDES = (
    (10,),
    (5, 16),
    (1, 11, 21),
    (6, 17),
    (2, 12, 22),
    (7, 18),
    (3, 13, 23),
    (8, 19),
    (4, 14, 24),
    (9, 20),
    (15,),
)
STYX = {(1, 2), (2, 6), (6, 7), (7, 12), (12, 13), (12, 18), (17, 18)}


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


@pytest.mark.parametrize("line", NEIGHBOURS.strip().splitlines())
def test_each_region_has_the_neighbours_of_the_table(line: str) -> None:
    region, both = line.split(":")
    here = int(region)
    higher, lower = (numbers(half) for half in both.split("|"))
    assert list(board.NEIGHBOURS[here]) == sorted(higher + lower)
    assert [there for there in board.NEIGHBOURS[here] if board.ALTITUDE[there] > board.ALTITUDE[here]] == higher
    assert len(higher) <= 3


def test_neighbourhood_is_mutual() -> None:
    for here, there in product(board.REGIONS, repeat=2):
        assert board.ADJACENT[here][there] == board.ADJACENT[there][here] == (there in board.NEIGHBOURS[here])
        assert board.CROSSES[here][there] == board.CROSSES[there][here]
    assert not any(board.ADJACENT[here][here] for here in board.REGIONS)


def test_the_altitudes_are_those_of_the_table() -> None:
    assert {region: board.ALTITUDE[region] for region in board.REGIONS} == {
        region: altitude for altitude, regions in enumerate(ALTITUDES) for region in regions
    }


def test_the_map_is_a_mirror_image_from_left_to_right_and_from_top_to_bottom() -> None:
    def sideways(region: int) -> int:
        return next(
            other
            for other in board.REGIONS
            if board.COLUMN[other] == 4 - board.COLUMN[region] and board.ALTITUDE[other] == board.ALTITUDE[region]
        )

    def over(region: int) -> int:
        return next(
            other
            for other in board.REGIONS
            if board.COLUMN[other] == board.COLUMN[region] and board.ALTITUDE[other] == 10 - board.ALTITUDE[region]
        )

    for here, there in product(board.REGIONS, repeat=2):
        for mirror in (sideways, over):
            assert board.ADJACENT[here][there] == board.ADJACENT[mirror(here)][mirror(there)]
    assert {over(region) for region in board.UNDERWORLD} == board.OLYMPUS


def test_the_styx_has_seven_edges_between_neighbours() -> None:
    assert board.STYX == STYX
    crossings = {(a, b) for a, b in product(board.REGIONS, repeat=2) if a < b and board.CROSSES[a][b]}
    assert crossings == STYX
    assert all(board.ADJACENT[a][b] for a, b in STYX)
    assert {region for edge in STYX for region in edge} == board.BANK == {1, 2, 6, 7, 12, 13, 17, 18}


def test_only_over_the_styx_and_through_region_22_does_a_way_lead_out_of_the_underworld() -> None:
    out = {
        (here, there)
        for here, there in product(board.UNDERWORLD, board.REGIONS)
        if board.ADJACENT[here][there] and there not in board.UNDERWORLD and not board.CROSSES[here][there]
    }
    assert out == {(17, 22), (21, 22)}


def test_both_realms_have_nine_regions_with_the_base_among_them() -> None:
    assert {1, 5, 6, 10, 11, 12, 16, 17, 21} == board.UNDERWORLD
    assert {4, 8, 9, 13, 14, 15, 19, 20, 24} == board.OLYMPUS
    assert board.BASE == (board.TARTARUS, board.PALACE) == (10, 15)
    assert [set(realm) for realm in board.REALM] == [board.UNDERWORLD, board.OLYMPUS]
    assert board.LEADER_STARTS == ((5, 10, 11, 16), (9, 14, 15, 20))


def test_the_bases_are_the_lowest_and_the_highest_region() -> None:
    ordered = sorted(board.REGIONS, key=lambda region: board.ALTITUDE[region])
    assert (ordered[0], ordered[-1]) == (board.TARTARUS, board.PALACE)
    assert all(board.ALTITUDE[a] <= board.ALTITUDE[b] for a, b in pairwise(ordered))


def test_forward_is_up_for_chthonians_and_down_for_olympians() -> None:
    assert [board.climbs(Faction.CHTHONIANS, 13, there) for there in (14, 12, 13)] == [1, -1, 0]
    assert [board.climbs(Faction.OLYMPIANS, 13, there) for there in (14, 12, 13)] == [-1, 1, 0]
    assert board.climbs(Faction.CHTHONIANS, 1, 11) == 0


def test_a_retreat_follows_the_picture_of_the_rules() -> None:
    # From 13 to 19: back to 13, or to 14 and 18, which touch both; the defender has the rest.
    assert board.retreat_ways(19, 13, attacker=True) == (13, 14, 18)
    assert board.retreat_ways(19, 13, attacker=False) == (20, 23, 24)
    # After a flight from afar both may go anywhere.
    assert board.retreat_ways(19, None, attacker=True) == board.retreat_ways(19, None, attacker=False)
    assert board.retreat_ways(19, None, attacker=True) == board.NEIGHBOURS[19]


def test_the_two_sides_of_a_combat_never_have_a_region_to_retreat_to_in_common() -> None:
    for here in board.REGIONS:
        for origin in board.NEIGHBOURS[here]:
            ways = [set(board.retreat_ways(here, origin, attacker=side)) for side in (True, False)]
            assert ways[0] | ways[1] == set(board.NEIGHBOURS[here])
            assert not ways[0] & ways[1]
            assert origin in ways[0]
