"""The contract of a game: its bounds, and what the protocol may take for granted (SPEC.md, "The contract")."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers_judging import codes, judged
from helpers_storm import STORM, StormPair
from helpers_wire import Cheat, Pair, configs, entropy, shake
from toys import Bluff, RockPaperScissors, Table

import protocol
from protocol.core.events import Disagreement
from protocol.core.handshake import Handshake
from protocol.core.referee import Referee
from protocol.core.steps import STEPS_SCHEMA, Choice, Commit, step_value
from protocol.crypto.commitments.interface import Context, Maker
from protocol.crypto.commitments.schemes import SCHEMES, find_scheme
from protocol.errors import LocalProtocolError, WireError
from protocol.game import BATCH_LIMITS, SEATS, Decision, Game, Hide, Mix, Open, Request, other
from storm_p2p.storm.state import Terms


class ManyCards(Bluff):
    """A game whose hands are too large for proofs."""

    name = "many-cards"
    largest_batch = 17


class ThreeSeats(RockPaperScissors):
    """A game for one more than a match has seats."""

    name = "three-seats"
    seats = 3


class SharedDeck(Bluff):
    """A game that mixes a hand by both seats."""

    name = "shared-deck"

    def next_request(self, state: Table) -> Request | None:
        request = super().next_request(state)
        return replace(request, by=(0, 1)) if isinstance(request, Mix) else request


class SharedFirst(SharedDeck):
    """The same, and it begins with that."""

    def begin(self, terms: Decision) -> Table:
        return replace(super().begin(terms), phase="mix")


def batches(request: Request | None) -> Iterator[int]:
    """Yield how many slots a request has at once."""
    match request:
        case Hide(slots=slots) | Open(slots=slots):
            yield len(slots)
        case Mix(take, give):
            yield from (len(take), sum(map(len, give)))


def test_each_scheme_has_a_bound() -> None:
    assert set(BATCH_LIMITS) == set(SCHEMES)


def test_a_game_with_hands_too_large_for_proofs_is_refused_before_anything_is_said() -> None:
    game = ManyCards()
    for config in configs(game, (4, 0), scheme="proved"):
        with pytest.raises(LocalProtocolError, match=r"at most 16 hidden values.*got 17 of many-cards"):
            Handshake(config)


def test_it_is_played_with_hashes_by_those_who_offer_nothing_else() -> None:
    host, guest, _ = shake(*configs(ManyCards(), (4, 0), schemes=("hash",)))
    assert host.agreement == guest.agreement is not None


def test_the_bound_of_proofs_is_that_of_a_message() -> None:
    scheme, most = find_scheme("proved"), BATCH_LIMITS["proved"]
    match_id = entropy("match")

    def step(count: int) -> Commit:
        maker, context = Maker(match_id, 0, entropy("seed"), b"", bytes(16)), Context(match_id, 0, match_id, 0)
        made, proof = scheme.hide(maker, context, 0, list(range(count)), [])
        return Commit(tuple(one.commitment for one in made), proof, bytes(16))

    STEPS_SCHEMA((step_value(step(most)),))
    with pytest.raises(WireError):
        STEPS_SCHEMA((step_value(step(most + 1)),))


def test_a_game_for_three_begins_no_match() -> None:
    with pytest.raises(LocalProtocolError, match=r"expected a game of 2 seats, got three-seats of 3"):
        Handshake(configs(ThreeSeats(), 1)[0])
    with pytest.raises(ValueError, match="2 seats"):
        Referee(ThreeSeats(), find_scheme("hash"), bytes(32)).begin(1)


def test_a_game_that_begins_with_a_mix_by_both_seats_begins_no_match() -> None:
    with pytest.raises(LocalProtocolError, match="expected no pile in the scheme hash, got Mix"):
        Handshake(configs(SharedFirst(), (4, 0))[0])
    with pytest.raises(ValueError, match="no pile in the scheme hash"):
        Referee(SharedFirst(), find_scheme("hash"), bytes(32)).begin((4, 0))


def shared_deck() -> tuple[Pair, int]:
    """Return a match in which a seat may ask for a mix by both, and that seat."""
    pair = Pair(SharedDeck(), (4, 0))
    for seat in range(SEATS):
        pair.act(seat, None, (0, 1, 2, 3))
    first = pair.host.waiting_for
    assert first is not None
    return pair, first


def test_who_would_lead_to_a_mix_by_both_seats_is_told_and_plays_on() -> None:
    pair, seat = shared_deck()
    session, slots = pair.sessions[seat], pair.host.state.hands[seat]
    before = session.transcript.length
    with pytest.raises(LocalProtocolError) as refused:
        session.act((1, 2), (slots[:2], slots[2:]))
    assert (refused.value.code, session.transcript.length) == ("shared_mix", before)
    pair.act(seat, (0, 0, 1))
    assert pair.host.waiting_for == other(seat)


def test_a_program_that_leads_there_all_the_same_stops_the_match_and_nobody_is_accused() -> None:
    pair, seat = shared_deck()
    cheat = Cheat(pair, seat)
    cheat.send(cheat.envelope(Choice((1, 2))))
    honest = pair.sessions[other(seat)]
    assert isinstance(honest.stopped, Disagreement)
    assert honest.stopped.code == "shared_mix"
    assert "shared_mix" in codes(judged(pair, other(seat)))


def test_no_game_asks_for_more_at_once_than_it_says() -> None:
    chance = random.Random(7)
    storm = StormPair(Terms(random_setup=True), tag="batches")
    while (session := storm.asked) is not None:
        storm.decide(session, chance)
        storm.settle()
    bluff = Pair(Bluff(), (Bluff.largest_batch, 0))
    for seat in range(SEATS):
        bluff.act(seat, None, tuple(range(Bluff.largest_batch)))
    for pair in (storm, bluff):
        game: Game[Any] = pair.game
        asked = [size for played in pair.host.transcript.history for size in batches(played.before.request)]
        assert max(asked) == game.largest_batch


def test_a_game_that_says_nothing_leaves_nothing_to_programs() -> None:
    assert tuple(Bluff().idle) == ()
    assert set(STORM.idle) == {"deck", "deal"}


def test_the_other_seat_is_said_in_one_place() -> None:
    assert [other(seat) for seat in range(SEATS)] == [1, 0]
    folder = Path(protocol.__path__[0])
    found = [path.name for path in sorted(folder.rglob("*.py")) if re.search(r"\b1 - [\w.]*seat\b", path.read_text())]
    assert found == ["game.py"]
