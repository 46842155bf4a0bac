"""What two lines together tell of meeting, before a packet is sent."""

from __future__ import annotations

from itertools import product

import pytest

from cli.meeting.reachability import Reachability
from protocol.reach import ReachError, routers
from protocol.reach.formats.candidates import Missing, Way
from protocol.reach.formats.outside import UNSEEN, Nature, Outlook, Seen, Side, foresee

HERE, THERE = ("5.1.1.2", 40_404), ("5.2.2.2", 40_405)
LAN = ((("192.168.1.20", 40_404),), (("192.168.1.20", 40_405),))
EASY, HARD, NONE, UNKNOWN = Nature.EASY, Nature.HARD, Nature.NONE, Nature.UNKNOWN


def sides(mine: Nature, other: Nature, crossings: tuple[int, int] = (0, 0)) -> tuple[Side, Side]:
    natures = ((mine, HERE), (other, THERE))
    seen = [
        Seen(() if nature in (NONE, UNKNOWN) else (place,), nature, crossing)
        for (nature, place), crossing in zip(natures, crossings, strict=True)
    ]
    return (LAN[0], seen[0]), (LAN[1], seen[1])


@pytest.mark.parametrize(
    ("mine", "other", "expected"),
    [
        (EASY, EASY, Outlook.OPEN),
        (EASY, HARD, Outlook.SEARCH),
        (HARD, HARD, Outlook.BOTH_HARD),
        (EASY, NONE, Outlook.NO_UDP),
        (HARD, NONE, Outlook.NO_UDP),
        (NONE, NONE, Outlook.NO_UDP),
        (UNKNOWN, HARD, Outlook.OPEN),
        (UNKNOWN, NONE, Outlook.OPEN),
    ],
)
def test_the_natures_of_both_routers_decide(mine: Nature, other: Nature, expected: Outlook) -> None:
    assert foresee(*sides(mine, other)) is foresee(*sides(other, mine)) is expected
    # One of the two is not enough to cross a call.
    assert foresee(*sides(mine, other, (1, 0))) is expected
    assert foresee(*sides(mine, other, (1, 2))) is Outlook.OPEN


def test_an_address_that_can_be_called_and_ipv6_on_both_sides_need_no_router() -> None:
    for mine, other in product(Nature, Nature):
        (here, my_seen), (there, other_seen) = sides(mine, other)
        six = [(*places, (f"2a02::{number}", 1)) for number, places in enumerate((here, there), 1)]
        assert foresee((six[0], my_seen), (six[1], other_seen)) is Outlook.OPEN
        assert foresee((six[0], my_seen), (there, other_seen)) is foresee((here, my_seen), (there, other_seen))
        assert foresee((here, my_seen), ((*there, ("5.9.9.9", 4711)), other_seen)) is Outlook.OPEN


def test_two_behind_one_provider_are_not_given_up() -> None:
    seen = Seen((HERE, ("100.64.7.2", 1)), HARD)
    assert foresee((LAN[0], seen), (LAN[1], seen)) is Outlook.OPEN
    # Whoever can be called in the house was called before.
    assert foresee((LAN[0], seen), (LAN[1], Seen((HERE,), HARD))) is Outlook.BOTH_HARD
    assert foresee((LAN[0], UNSEEN), (LAN[1], UNSEEN)) is Outlook.OPEN


def test_two_homes_of_one_provider_are_told_what_their_routers_are_called_there() -> None:
    ways = Reachability()
    with pytest.raises(ReachError) as refused:
        routers.public("100.64.7.2")
    ways.missing = (Missing(Way.MAPPED, refused.value),)
    ways._port = 40_404
    ways._tell_seen(Seen((HERE,), EASY))
    assert ways.seen == Seen((HERE, ("100.64.7.2", 40_404)), EASY)
