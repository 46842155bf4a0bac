"""A random setup tells the opponent nothing: neither what was dealt nor how often."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from helpers_storm import StormPair, unit
from helpers_wire import envelope_of

from protocol.core.session import Session
from protocol.core.steps import Commit, ProveMembership
from protocol.game import Choose
from storm_p2p.storm.board import REALM, Faction
from storm_p2p.storm.state import Terms

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)


def deal_out(tag: str, seed: int, scheme: str = "hash") -> tuple[StormPair, Counter[int]]:
    """Return a match whose random setup is done, and how often each side had to draw again."""
    pair = StormPair(Terms(random_setup=True), tag=tag, scheme=scheme)
    chance = random.Random(seed)
    again: Counter[int] = Counter()
    while (session := pair.asked) is not None:
        request = session.asks_us
        if isinstance(request, Choose) and request.kind != "deal":
            break
        before = len(pair.wire)
        pair.decide(session, chance)
        pair.settle()
        (step,) = envelope_of(pair.wire[before][1]).steps
        if isinstance(request, Choose):
            # The owner has said at once where the deal put his leader.
            (found,) = envelope_of(pair.wire[before + 1][1]).steps
            assert isinstance(found, ProveMembership)
            again[1 - session.seat] += found.part == 0
        else:
            # Nobody but the owner knows anything of the deck.
            assert isinstance(step, Commit)
            assert not any(slot in pair.sessions[1 - session.seat].known for slot in deck_of(session))
    return pair, again


def deck_of(session: Session) -> tuple[int, ...]:
    deal = session.state.deal
    assert deal is not None
    return tuple(deal.slots)


@pytest.mark.parametrize(("scheme", "matches"), [("hash", 12), pytest.param("proved", 3, marks=pytest.mark.long)])
def test_the_messages_of_a_random_setup_have_one_length_each_whatever_was_dealt(scheme: str, matches: int) -> None:
    lengths: dict[str, set[int]] = {}
    for number in range(matches):
        pair, _ = deal_out("deal", number, scheme)
        for _, frame in pair.wire:
            (step,) = envelope_of(frame).steps
            kind = type(step).__name__
            if isinstance(step, ProveMembership):
                # Everybody sees which part it is; with a proof the larger part takes more bytes.
                kind += str(step.part)
            lengths.setdefault(kind, set()).add(len(frame))
    expected = {"Commit": 1, "Choice": 1, "ProveMembership0": 1, "ProveMembership1": 1}
    assert {kind: len(found) for kind, found in lengths.items()} == expected


@pytest.mark.long
def test_how_often_it_was_dealt_says_nothing_about_where_the_leader_stands() -> None:
    where: dict[tuple[int, bool], Counter[int]] = {}
    places: Counter[tuple[int, int]] = Counter()
    for number in range(110):
        pair, again = deal_out(f"where {number}", number)
        for faction in (C, O):
            view = pair.view(faction)
            leader = unit("hades" if faction == C else "zeus")
            region = next(r for r in REALM[faction] if view.sides[faction][r][0].unit == leader)
            where.setdefault((faction, again[faction] > 0), Counter())[region] += 1
            places[faction, region] += 1
    assert {region for _, region in places} == {10, 5, 11, 16, 15, 9, 14, 20}
    # About 27 each, with 4.5 as the standard deviation.
    assert all(10 < count < 48 for count in places.values()), places
    for (_, _), counted in where.items():
        assert len(counted) == 4
        expected = counted.total() / 4
        chi = sum((count - expected) ** 2 / expected for count in counted.values())
        # Three degrees of freedom: 0.1 % of fair decks reach this.
        assert chi < 16.3, where


def test_the_deck_is_fixed_before_the_opponent_deals_and_a_deal_is_not_known_before_it() -> None:
    pair, _ = deal_out("order of the deal", 4)
    kinds = []
    for seat, frame in pair.wire:
        (step,) = envelope_of(frame).steps
        kinds.append((seat, type(step).__name__, isinstance(getattr(step, "decision", None), tuple)))
    deals = [place for place, (_, _, dealt) in enumerate(kinds) if dealt]
    assert deals
    for place in deals:
        owner = 1 - kinds[place][0]
        assert kinds[place - 1] == (owner, "Commit", False)
        assert kinds[place + 1][:2] == (owner, "ProveMembership")
