"""Times in the signed record: clocks of honest players, of changed programs, and what a stranger reads."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from helpers_times import BLITZ, DAYS, START, course, lefts, round_of, stamped, think, timed
from helpers_wire import Cheat, Pair, configs, envelope_of, flipped, only, shake
from hypothesis import given
from hypothesis import strategies as st
from toys import RockPaperScissors

from protocol.core.audit import verify
from protocol.core.clock import ClockTerms
from protocol.core.events import PeerMisbehaved, TimesDiffer
from protocol.core.game_data import Conditions, WitnessTerms
from protocol.core.handshake import HandshakeFailed
from protocol.core.match_clock import LONGEST, Stopwatch
from protocol.core.messages import Break
from protocol.core.session import Session
from protocol.core.steps import Seal
from protocol.errors import LocalProtocolError, WireError

# --- the terms ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [None, BLITZ, DAYS])
def test_both_hold_the_conditions_that_the_host_has_offered(clock: ClockTerms | None) -> None:
    pair = timed(clock)
    for session in pair.sessions:
        assert session.agreement.conditions == Conditions(clock)


def test_other_conditions_than_expected_are_refused() -> None:
    host, guest = configs(RockPaperScissors(), 2, conditions=Conditions(BLITZ))
    *_, events = shake(host, replace(guest, conditions=Conditions(DAYS)))
    assert any(isinstance(event, HandshakeFailed) and event.code == "terms" for event in events)


def test_a_witness_with_a_weak_key_is_refused() -> None:
    weak = Conditions(witness=WitnessTerms(bytes([1, *bytes(31)]), "127.0.0.1:1"))
    *_, events = shake(*configs(RockPaperScissors(), 2, conditions=weak))
    assert any(isinstance(event, HandshakeFailed) and event.code == "bad_key" for event in events)


@pytest.mark.parametrize("value", [(None, None), (None,), 7, (None, (bytes(32),)), (None, (bytes(31), "a"))])
def test_what_are_no_conditions_are_refused(value: object) -> None:
    with pytest.raises(WireError):
        Conditions.of(value)


# --- honest times ---------------------------------------------------------------------------------------------


def test_a_match_without_a_clock_says_nothing_of_time() -> None:
    pair = timed(None)
    round_of(pair, 100, 200)
    assert all(envelope_of(frame).stamp is None for _, frame in pair.wire)
    assert course(pair).times is None
    assert pair.host.clock.face(pair.now) is None


def test_each_envelope_says_how_long_its_author_took_and_how_long_he_has_waited() -> None:
    pair = timed()
    think(pair, 0, 7.9)
    think(pair, 1, 12)
    stamps = [envelope_of(frame).stamp for _, frame in pair.wire]
    assert stamps == [(7, 0, 0, 0), (12, 0, 7, 0), (0, 0, 12, 0)]
    assert lefts(pair) == ([60 - 7 + 5, 60 - 12 + 5], [60 - 7 + 5, 60 - 12 + 5])


class Idle(RockPaperScissors):
    """One whose throws are made by programs."""

    idle = frozenset({"throw"})


def test_what_programs_answer_by_themselves_earns_no_time() -> None:
    pair = Pair(Idle(), 3, now=START, conditions=Conditions(BLITZ))
    round_of(pair, 0, 0)
    assert lefts(pair) == ([60, 60], [60, 60])


def test_less_than_a_second_is_free_so_that_what_programs_answer_tells_nothing() -> None:
    pair = timed()
    for _ in range(2):
        think(pair, 0, 0.25)
        think(pair, 1, 0.99)
    assert {envelope_of(frame).stamp for _, frame in pair.wire} == {(0, 0, 0, 0)}


def test_the_clock_shows_our_own_word_and_our_reading_of_the_other() -> None:
    pair = timed()
    pair.now += 20
    for session in pair.sessions:
        face = session.clock.face(pair.now)
        assert face is not None
        assert (face.left, face.running) == ((40, 60), 0)
    round_of(pair, 0, 30)
    face = pair.guest.clock.face(pair.now)
    assert face is not None
    assert face.left == (45, 35)


def test_a_clock_for_each_decision_never_shows_more_than_the_time_of_one() -> None:
    pair = timed(DAYS)
    think(pair, 0, 10)
    for session in pair.sessions:
        face = session.clock.face(pair.now)
        assert face is not None
        assert (face.left, face.running) == ((1000, 1000), 1)


def test_a_clock_that_jumps_back_takes_nothing_and_brings_nothing() -> None:
    pair = timed()
    pair.now += 10
    pair.host.clock.face(pair.now)
    pair.now -= 5000
    think(pair, 0, 1)
    assert envelope_of(pair.wire[0][1]).stamp == (10, 0, 0, 0)


def test_a_decision_counts_when_it_is_made_even_while_the_line_is_down() -> None:
    pair = timed()
    pair.now += 5
    for session in pair.sessions:
        session.part(pair.now)
    pair.now += 20
    pair.host.act(1, now=pair.now)
    pair.now += 100
    rejoin(pair)
    assert envelope_of(pair.host.records[4].frame).stamp == (5, 20, 0, 0)
    # The guest has seen less of it: the line was down for him, too.
    think(pair, 1, 1)
    assert envelope_of(pair.guest.records[5].frame).stamp == (1, 0, 5, 120)
    assert course(pair).times is not None
    assert pair.saw(0, TimesDiffer)
    assert pair.saw(1, TimesDiffer)


def rejoin(pair: Pair) -> None:
    for seat, session in enumerate(pair.sessions):
        session.resume(bytes([seat + 1]) * 32)
    pair.settle()


def test_a_lost_line_is_forgiven_up_to_what_the_terms_say_and_then_counts() -> None:
    pair = timed()
    for session in pair.sessions:
        session.part(pair.now)
    pair.now += 50
    rejoin(pair)
    think(pair, 0, 0)
    claimed, _ = lefts(pair)
    assert claimed[0] == 60 - (50 - 30) + 5


def test_after_a_restart_the_clock_goes_on_and_the_gap_is_a_lost_line() -> None:
    pair = timed()
    pair.now += 10
    memory = pair.host.clock.remember(pair.now)
    pair.now += 20
    again = pair.restored(0)
    again.clock.recall(memory, pair.now)
    face = again.clock.face(pair.now)
    assert face is not None
    # Ten seconds of thought; twenty without a line, which these terms forgive.
    assert face.left[0] == 50
    pair.replace(0, again)
    rejoin(pair)
    think(pair, 0, 3)
    assert envelope_of(again.records[4].frame).stamp == (13, 20, 0, 0)


@pytest.mark.parametrize("terms", [BLITZ, DAYS])
def test_a_clock_that_was_set_ahead_by_decades_between_two_starts_takes_nothing(terms: ClockTerms) -> None:
    pair = timed(terms)
    pair.now += 10
    memories = [session.clock.remember(pair.now) for session in pair.sessions]
    pair.now += 100 * 366 * 86_400
    for seat, memory in enumerate(memories):
        again = pair.restored(seat)
        assert again.clock.recall(memory, pair.now) == 100 * 366 * 86_400
        pair.replace(seat, again)
    rejoin(pair)
    think(pair, 0, 3)
    think(pair, 1, 4)
    played = pair.sessions[0].records[4:6]
    assert [envelope_of(record.frame).stamp for record in played] == [(13, 0, 0, 0), (4, 0, 13, 0)]


def test_a_stopwatch_shows_no_more_than_an_envelope_has_room_for() -> None:
    watch = Stopwatch(running=True)
    for now in (1.0, 2.0**40):
        watch.tick(now)
    watch.up = False
    assert watch.read(2.0**41) == (LONGEST, LONGEST)


def test_who_was_not_there_has_not_seen_the_other_take_his_time() -> None:
    for terms, seen in ((BLITZ, 0), (DAYS, 500)):
        pair = timed(terms)
        memory = pair.guest.clock.remember(pair.now)
        pair.now += 500
        again = pair.restored(1)
        again.clock.recall(memory, pair.now)
        assert again.clock.reading == (0, seen)


def test_a_clock_that_was_set_back_before_a_restart_is_noticed_and_costs_nothing() -> None:
    pair = timed()
    pair.now += 10
    memory = pair.host.clock.remember(pair.now)
    again = pair.restored(0)
    assert again.clock.recall(memory, pair.now - 5000) == -5000
    face = again.clock.face(pair.now - 5000)
    assert face is not None
    assert face.left[0] == 50


@pytest.mark.parametrize("memory", [b"", b"nonsense", bytes(100), b"\x94\x00\x92\x00\x00\x92\x00\x00\xc0"])
def test_a_damaged_memory_costs_nothing_but_the_memory(memory: bytes) -> None:
    pair = timed()
    again = pair.restored(0)
    again.clock.recall(memory, pair.now)
    face = again.clock.face(pair.now)
    assert face is not None
    assert face.left == (60, 60)


# --- lies about time ------------------------------------------------------------------------------------------


def test_a_claimed_time_that_differs_is_shown_to_both_and_accuses_nobody() -> None:
    pair = timed()
    pair.now += 40
    cheat = Cheat(pair, 0)
    cheat.send_and_hold(stamped(cheat, (1, 0, 0, 0)))
    pair.host.clock.tick(pair.now)
    pair.host.clock.reset()
    think(pair, 1, 1)
    for seat in (0, 1):
        shown = pair.last(seat, TimesDiffer).difference
        assert (shown.seat, shown.claimed, shown.read) == (0, 1, 40)
        assert not pair.saw(seat, PeerMisbehaved)
    assert lefts(pair) == ([64, 64], [25, 64])
    times = course(pair).times
    assert times is not None
    assert len(times.differences) == 1


def test_a_difference_within_the_tolerance_is_not_worth_a_word() -> None:
    pair = timed()
    pair.now += 4
    cheat = Cheat(pair, 0)
    cheat.send_and_hold(stamped(cheat, (2, 0, 0, 0)))
    think(pair, 1, 1)
    assert not pair.saw(1, TimesDiffer)


@pytest.mark.parametrize(("terms", "stamp"), [(BLITZ, None), (None, (0, 0, 0, 0))])
def test_times_are_said_where_they_were_agreed_on_and_nowhere_else(
    terms: ClockTerms | None, stamp: tuple[int, int, int, int] | None
) -> None:
    pair = timed(terms)
    cheat = Cheat(pair, 0)
    cheat.send(stamped(cheat, stamp))
    event = pair.last(1, PeerMisbehaved)
    assert (event.code, event.seat) == ("wrong_clock", 0)
    judged = pair.verify(1)
    assert [(one.code, one.seat) for one in judged.problems] == [("wrong_clock", 0)]


# --- logs -------------------------------------------------------------------------------------------------------


def test_no_bit_of_a_timed_record_can_be_turned_unnoticed() -> None:
    pair = timed()
    pair.now += 61
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    pair.host.side_channel.deny(now=pair.now)
    pair.settle()
    round_of(pair)
    records = list(pair.host.records)
    for at in range(4, len(records)):
        for bit in range(0, 8 * len(records[at].frame), 97):
            changed = records[at]._replace(frame=flipped(records[at].frame, bit))
            verdict = verify([*records[:at], changed, *records[at + 1 :]], only(RockPaperScissors()))
            assert not verdict.ok


def test_a_session_comes_back_from_its_records_at_every_point() -> None:
    pair = timed()
    pair.guest.side_channel.propose(Break.PAUSE, now=pair.now)
    pair.settle()
    pair.host.side_channel.agree(now=pair.now)
    pair.settle()
    pair.host.side_channel.go_on(now=pair.now)
    pair.settle()
    pair.now += 61
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    pair.host.side_channel.concede(now=pair.now)
    pair.settle()
    config = pair.configs[0]
    records = pair.host.records
    for end in range(4, len(records) + 1):
        again = Session(records[:end], pair.game, config.identity, config.entropy).restore()
        assert again.stopped is None
        assert again.records[:end] == records[:end]


def test_the_seal_of_a_timed_match_says_no_more_than_its_bytes() -> None:
    for decision in range(3):
        pair = timed()
        think(pair, 0, 3, decision)
        frame = pair.wire[0][1]
        assert len(frame) == len(timed_seal())
        assert isinstance(envelope_of(frame).steps[0], Seal)


def timed_seal() -> bytes:
    pair = timed()
    think(pair, 0, 3, 0)
    return pair.wire[0][1]


# --- whatever crosses -------------------------------------------------------------------------------------------


def _one(pair: Pair, chance: random.Random, waiting: tuple[list[bytes], list[bytes]]) -> None:
    """Let one of the two do something, or carry one frame."""
    seat = chance.randrange(2)
    session = pair.sessions[seat]
    if chance.random() < 0.4:
        waiting[seat].extend(session.data_to_send())
        if waiting[seat]:
            pair.sessions[1 - seat].receive_data(waiting[seat].pop(0), pair.now)
        return
    pair.now += chance.choice((0, 0.5, 3, 20, 70, 200))
    words: list[Callable[[], None]] = [
        lambda: session.act(chance.randrange(3), now=pair.now),
        lambda: session.act(chance.randrange(3), now=pair.now),
        lambda: session.act(chance.randrange(3), now=pair.now),
        lambda: session.side_channel.propose(chance.choice(list(Break)), now=pair.now),
        lambda: session.side_channel.agree(now=pair.now),
        lambda: session.side_channel.reject(now=pair.now),
        lambda: session.side_channel.go_on(now=pair.now),
        lambda: session.side_channel.claim(now=pair.now),
        lambda: session.side_channel.claim(now=pair.now),
        lambda: session.side_channel.deny(now=pair.now),
        lambda: session.side_channel.concede(now=pair.now) if chance.random() < 0.3 else None,
        lambda: session.side_channel.resign(now=pair.now) if chance.random() < 0.1 else None,
        lambda: session.side_channel.offer_draw(now=pair.now),
        lambda: session.side_channel.accept_draw(now=pair.now) if chance.random() < 0.3 else None,
        lambda: session.side_channel.decline_draw(now=pair.now),
    ]
    with suppress(LocalProtocolError):
        chance.choice(words)()


@given(st.integers(0, 2**32))
def test_whatever_two_honest_players_do_at_once_both_come_to_one_end_and_nobody_is_accused(seed: int) -> None:
    chance = random.Random(seed)
    pair = timed(chance.choice((BLITZ, DAYS, replace(BLITZ, absent=1, away=0))), 4)
    waiting: tuple[list[bytes], list[bytes]] = ([], [])
    for _ in range(120):
        _one(pair, chance, waiting)
    for _ in range(200):
        for seat in (0, 1):
            waiting[seat].extend(pair.sessions[seat].data_to_send())
            while waiting[seat]:
                pair.sessions[1 - seat].receive_data(waiting[seat].pop(0), pair.now)
    first, second = pair.sessions
    assert (first.stopped, second.stopped) == (None, None)
    assert first.result == second.result
    assert first.over == second.over
    verdicts = [pair.verify(seat) for seat in (0, 1)]
    for verdict in verdicts:
        assert verdict.problems == ()
        assert verdict.result == (first.result if first.over else None)
        assert verdict.transcript is not None
    one, two = (verdict.transcript for verdict in verdicts)
    assert one is not None
    assert two is not None
    assert verdicts[0].owes == verdicts[1].owes
    assert one.status.breaks.agreed == two.status.breaks.agreed
    assert one.times is not None
    assert two.times is not None
    assert (one.times.claimed, one.times.read) == (two.times.claimed, two.times.read)
    assert {claim.digest: claim.fate for claim in one.status.claims.all} == {
        claim.digest: claim.fate for claim in two.status.claims.all
    }
    for seat in (0, 1):
        assert pair.restored(seat).stopped is None
