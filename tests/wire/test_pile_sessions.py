"""Whole matches with a pile: played, restarted, judged, cheated in, silent about what is hidden (SPEC.md, "Piles")."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from helpers_judging import judged, log_of
from helpers_wire import Cheat, Pair, configs, envelope_of, only, shake

from protocol.core import step_builder
from protocol.core.events import PeerMisbehaved
from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.handshake import Agreed
from protocol.core.secret_replay import replay
from protocol.core.steps import Choice, Commit, Reveal, Step, Stir, Unlock, split_pairs
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto import piles
from protocol.errors import LocalProtocolError
from protocol.game import Answer, Choose, Deal, Decision, Hide, Known, Mix, Request, Seat, other
from protocol.record.judging import judge
from wire.pile import Cards, HighCard

COUNT = 10


def cards(tag: str = "", *, count: int = COUNT, **both: Any) -> Pair:
    """Begin a match with a pile; its programs deal by themselves."""
    return Pair(HighCard(), count, tag=tag, scheme="proved", **both)


def told(pair: Pair, seat: int) -> dict[int, int]:
    """Return what a seat knows of hidden slots."""
    return dict(pair.sessions[seat].known)


@pytest.mark.parametrize("gather", [False, True])
def test_a_match_with_a_pile_ends_audited_and_each_sees_only_what_was_dealt_to_them(gather: bool) -> None:
    pair = cards(gather=gather)
    chance = random.Random(4)
    while asked := [session for session in pair.sessions if session.asks_us is not None]:
        for seat in (0, 1):
            state = pair.sessions[seat].state
            held = set(state.hands[seat])
            assert held <= told(pair, seat).keys()
            assert not set(state.hands[1 - seat]) & told(pair, seat).keys()
            assert not set(state.pile) & told(pair, seat).keys()
        pair.decide(asked[0], chance)
        pair.settle()
    for seat in (0, 1):
        assert pair.sessions[seat].audited
        verdict = pair.verify(seat)
        assert (verdict.ok, verdict.audited, verdict.confirmed) == (True, True, True)
        # With both seeds every card is known, also those that nobody has drawn.
        assert {verdict.known[slot] for slot in range(COUNT)} == set(range(COUNT))


@pytest.mark.parametrize("gather", [False, True])
def test_a_restart_anywhere_loses_nothing(gather: bool) -> None:
    pair = cards(gather=gather)
    chance = random.Random(2)
    for step in range(60):
        for seat in (0, 1):
            old = pair.sessions[seat]
            session = pair.restored(seat)
            assert (session.records, session.state, session.asks_us) == (old.records, old.state, old.asks_us)
            assert dict(session.known) == dict(old.known)
        pair.replace(step % 2, pair.restored(step % 2))
        pair.reconnect()
        pair.settle()
        asked = [session for session in pair.sessions if session.asks_us is not None]
        if not asked:
            break
        pair.decide(asked[0], chance)
        # One frame may be lost with the line on its way.
        pair.transfer(step % 2)
    assert all(session.closed and session.audited for session in pair.sessions)
    assert pair.verify().ok


def test_a_restart_within_the_setup_loses_nothing() -> None:
    game, whole = HighCard(), cards()
    setup = sum(record.kind is FrameKind.ENVELOPE for record in whole.host.records)
    assert setup >= 5
    for lost in range(1, setup + 1):
        pair = cards()
        for seat in (0, 1):
            # Behind the handshake there is nothing but envelopes yet.
            records = pair.sessions[seat].records
            kept = records[: len(records) - lost]
            config = pair.configs[seat]
            session = type(pair.host)(kept, game, config.identity, config.entropy).restore()
            pair.replace(seat, session)
        pair.reconnect()
        pair.settle()
        # What is made anew after the loss of a record is another stir, and no contradiction while nobody has seen it.
        assert isinstance(pair.host.asks_us, Choose)
        pair.play_out(lost, limit=3)


def test_a_game_with_a_pile_is_not_played_with_hashes() -> None:
    host, guest = configs(HighCard(), COUNT, scheme="hash")
    with pytest.raises(LocalProtocolError, match="scheme proved"):
        shake(host, guest)
    # A guest of the same game names `proved` alone.
    *_, events = shake(*configs(HighCard(), COUNT, scheme="proved"))
    assert all(isinstance(event, Agreed) for event in events)


class LongDeal(HighCard):
    """The seat that shuffles the pile last takes its lock off many cards of it at once, before it is asked anything."""

    def next_request(self, state: Cards) -> Request | None:
        if state.phase == "deal":
            return Deal(state.pile[:MANY], (other(state.turn),))
        return super().next_request(state)

    def step(self, state: Cards, answer: Answer) -> Cards:
        if state.phase != "deal":
            return super().step(state, answer)
        seat = other(state.turn)
        hands = self._with(state, seat, state.pile[:MANY])
        return replace(state, phase="deal" if seat else "play", turn=seat, hands=hands, pile=state.pile[MANY:])


MANY = 40


def kinds_of(pair: Pair) -> list[tuple[int, list[str]]]:
    """Return who has sent which steps together, one entry for each envelope."""
    frames = [(seat, frame) for seat, frame in pair.wire if unpack_frame(frame)[0] is FrameKind.ENVELOPE]
    assert all(len(frame) <= FRAME_LIMIT for _, frame in frames)
    return [(seat, [type(step).__name__ for step in envelope_of(frame).steps]) for seat, frame in frames]


@pytest.mark.parametrize("gather", [False, True])
def test_steps_that_do_not_go_into_one_envelope_are_sent_in_the_next_one(gather: bool) -> None:
    pair = Pair(LongDeal(), 96, tag="long", scheme="proved", gather=gather)
    sent = kinds_of(pair)
    # The whole pile and the locks of forty cards would be more than a frame can hold.
    assert sent[-3:] == [(0, ["Stir"]), (0, ["Unlock"]), (1, ["Unlock"])]
    assert len(pair.guest.known) == len(pair.host.known) == MANY
    pair.act(0, (3,))
    pair.guest.side_channel.resign()
    pair.settle()
    assert all(session.audited for session in pair.sessions)
    assert judge([log_of(pair)], only(pair.game))[0]["problems"] == []


def test_what_is_held_back_goes_out_before_a_decision_that_has_no_room_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # An Unlock of three cards and a decision are a little longer together.
    monkeypatch.setattr(step_builder, "ROOM", 159)
    pair = cards(gather=True)
    assert kinds_of(pair)[-1] == (1, ["Unlock"])
    pair.act(0, (0, 0))
    sent = kinds_of(pair)
    assert sent[sent.index((1, ["Unlock"])) + 1 :][:2] == [(0, ["Unlock"]), (0, ["Choice", "Unlock"])]
    pair.host.side_channel.resign()
    pair.settle()
    assert all(session.audited for session in pair.sessions)


# -- cheats -------------------------------------------------------------------------------------------------


def stop_before(kind: type[Step], seat: int, tag: str) -> tuple[Pair, Cheat, Step]:
    """Return a match, a cheat in it, and the honest step of a kind that is next and that the cheat has not sent."""
    pair = cards(tag)
    chance = random.Random(tag)
    original = pair.sessions[seat]._force
    for _ in range(60):
        cheat = Cheat(pair, seat)
        cheat.hold_back()
        asked = [session for session in pair.sessions if session.asks_us is not None]
        builder = cheat.builder()
        if builder.is_forced():
            builder.force(None, None)
            found = next((step for step in builder.steps if isinstance(step, kind)), None)
            if found is not None and builder.steps[0] is found:
                return pair, cheat, found
            cheat.go_on()
            pair.sessions[seat]._force()
            pair.settle()
        elif asked:
            pair.decide(asked[0], chance)
            pair.settle()
        else:
            cheat.go_on()
            original()
            pair.settle()
    raise AssertionError("expected the game to ask for it")


def exchanged(data: bytes, one: int, other: int) -> bytes:
    pairs = split_pairs(data)
    pairs[one], pairs[other] = pairs[other], pairs[one]
    return b"".join(half for pair in pairs for half in pair)


BENT: dict[str, tuple[type[Step], Callable[[Any], Step], str]] = {
    "stir: two cards exchanged": (Stir, lambda step: replace(step, pairs=exchanged(step.pairs, 0, 1)), "bad_proof"),
    "stir: a card too few": (Stir, lambda step: replace(step, pairs=step.pairs[:-64]), "wrong_count"),
    "stir: bytes too many": (Stir, lambda step: replace(step, pairs=step.pairs[:-1]), "wrong_count"),
    "stir: no proof": (Stir, lambda step: replace(step, proof=b""), "bad_proof"),
    "stir: a card twice": (
        Stir,
        lambda step: replace(step, pairs=step.pairs[:64] + step.pairs[:64] + step.pairs[128:]),
        "commitment_repeated",
    ),
    "unlock: a share too few": (
        Unlock,
        lambda step: replace(step, shares=(*step.shares, step.shares[0])),
        "wrong_count",
    ),
    "unlock: a share of another card": (
        Unlock,
        lambda step: replace(step, shares=(piles.key_point(bytes(32), bytes(32), 0), *step.shares[1:])),
        "bad_proof",
    ),
    "unlock: no point": (Unlock, lambda step: replace(step, shares=(bytes(32), *step.shares[1:])), "bad_point"),
    "unlock: no proof": (Unlock, lambda step: replace(step, proof=bytes(48)), "bad_proof"),
    "unlock: an opening instead": (Unlock, lambda step: Reveal(((0, bytes(32)),)), "wrong_step"),
    "unlock: a decision instead": (Unlock, lambda step: Choice(1), "wrong_step"),
    "unlock: a stir instead": (Unlock, lambda step: Stir(bytes(range(128)), b""), "wrong_step"),
}


def bent() -> Iterator[Any]:
    """Yield each bent step for each seat; daily one for each step and fault, by turns of both seats."""
    seen: set[Any] = set()
    for place, (name, (kind, _, code)) in enumerate(BENT.items()):
        for seat in (place % 2, 1 - place % 2):
            yield pytest.param(name, seat, marks=pytest.mark.long if (kind, code) in seen else ())
            seen.add((kind, code))


@pytest.mark.parametrize(("name", "seat"), list(bent()))
def test_a_bent_step_is_refused_at_once_and_convicts(name: str, seat: int) -> None:
    kind, bend, code = BENT[name]
    pair, cheat, step = stop_before(kind, seat, f"cheat {seat}")
    before = len(pair.events[1 - seat])
    cheat.send(cheat.envelope(bend(step)))
    found = [event for event in pair.events[1 - seat][before:] if isinstance(event, PeerMisbehaved)]
    assert [event.code for event in found] == [code]
    facts = judged(pair, 1 - seat)
    assert [(one["code"], one["seat"]) for one in facts["problems"]] == [(code, str(seat))]
    assert facts["result"] == {"winner": str(1 - seat), "reason": "forfeit"}


def test_a_key_that_the_seed_does_not_give_is_found_by_the_audit() -> None:
    real = piles.key_number

    def other(seed: bytes, match_id: bytes, seat: int) -> int:
        return real(seed, match_id, seat) + (seat == 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(piles, "key_number", other)
        pair = cards("another key")
        pair.host.side_channel.resign()
        pair.settle()
    facts = judged(pair)
    assert [(one["code"], one["seat"]) for one in facts["problems"]] == [("key_not_derived", "1")]


def test_a_lie_about_hidden_cards_is_found_by_the_audit() -> None:
    pairs = (cards(f"lie {number}") for number in itertools.count())
    pair = next(pair for pair in pairs if any(pair.host.known[slot] % 2 == 0 for slot in pair.host.state.hands[0]))
    cheat = Cheat(pair, 0)
    with pytest.raises(LocalProtocolError, match="even"):
        pair.host.act((1,))
    cheat.go_quiet()
    step = Choice((1,))
    cheat.send(cheat.envelope(step, state=cheat.state_after(step)))
    assert not pair.saw(1, PeerMisbehaved)
    guest = pair.guest
    referee, seeds = guest.transcript.referee, {seat: pair.sessions[seat]._secrets.seed for seat in (0, 1)}
    problems, _ = replay(referee, guest.transcript.history, seeds)
    assert [(one.code, one.seat) for one in problems] == [("illegal_decision", 0)]


class HidesFirst(HighCard):
    """Seat 0 hides values before the pile is made, which are never used; (1,) says that a certain hand is all odd."""

    def __init__(self, holder: Seat) -> None:
        self.holder = holder

    def begin(self, terms: Decision) -> Cards:
        return replace(super().begin(terms), phase="hide")

    def next_request(self, state: Cards) -> Request | None:
        return Hide(0, (500, 501), "first", (1, 2)) if state.phase == "hide" else super().next_request(state)

    def step(self, state: Cards, answer: Answer) -> Cards:
        return replace(state, phase="shuffle") if state.phase == "hide" else super().step(state, answer)

    def check(self, state: Cards, seat: Seat, decision: Decision, known: Known) -> str | None:
        return None if state.phase == "hide" else super().check(state, self.holder, decision, known)


@pytest.mark.parametrize("holder", [0, 1])
def test_the_audit_reads_cards_although_the_hidden_values_of_a_seat_cannot_be_read(holder: Seat) -> None:
    pair = Pair(HidesFirst(holder), COUNT, tag="outside", scheme="proved")
    cheat = Cheat(pair, 0)
    builder = cheat.builder()
    builder.decide(None, (1, 2))
    assert isinstance(builder.steps[0], Commit)
    # With a nonce that the program has not made, nobody finds the values in the seed.
    cover = replace(builder.steps[0], nonce=bytes(16))
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(cover, state=cheat.state_after(cover)))
    cheat.go_on()
    pair.host._force()
    pair.settle()
    pair.act(0, (3,))
    liar, step = Cheat(pair, 1), Choice((1,))
    liar.go_quiet()
    liar.send_and_hold(liar.envelope(step, state=liar.state_after(step)))
    pair.host.side_channel.resign()
    pair.settle()
    # The locks of seat 0 are followed all the same, so each hand can be read, and each holds an even card; but nobody
    # is judged by a hand that the other alone can see.
    named = [("batch_not_derived", "0"), ("illegal_decision", "1")]
    assert [(one["code"], one["seat"]) for one in judged(pair)["problems"]] == named[: 1 + (holder == 1)]


# -- silence ------------------------------------------------------------------------------------------------


def bare(frame: bytes) -> bytes:
    """Return the visible form of an envelope: its steps by kind and length."""
    envelope = envelope_of(frame)
    return repr(
        [
            (
                step.decision if isinstance(step, Choice) else None,
                type(step).__name__,
                len(step.pairs) if isinstance(step, Stir) else len(step.shares) if isinstance(step, Unlock) else 0,
                len(getattr(step, "proof", b"")),
            )
            for step in envelope.steps
        ]
    ).encode()


class Trusting(HighCard):
    """The game without the rule that nobody sees at once."""

    def check(self, state: Cards, seat: Seat, decision: Decision, known: Known) -> str | None:
        return super().check(state, seat, decision, {})


def test_two_orders_of_one_deck_look_alike_until_a_card_is_opened() -> None:
    wires = []
    for tag in ("order 1", "order 2"):
        pair = Pair(Trusting(), 24, tag=tag, scheme="proved")
        for _ in range(6):
            # Nothing that depends on the cards: both say that they hold no even one, whether or not it is true.
            pair.act(0 if pair.host.asks_us is not None else 1, (1,))
        wires.append([(seat, frame) for seat, frame in pair.wire if unpack_frame(frame)[0] is FrameKind.ENVELOPE])
        assert told(pair, 0)
    one, two = wires
    assert len(one) == len(two) > 20
    for (seat, left), (writer, right) in zip(one, two, strict=True):
        assert (seat, len(left), bare(left)) == (writer, len(right), bare(right))
        assert envelope_of(left).state == envelope_of(right).state


def test_what_the_game_asks_for_is_said_in_its_kinds() -> None:
    asked = {type(played.before.request) for played in cards().host.transcript.history}
    assert asked == {Mix, Deal}
