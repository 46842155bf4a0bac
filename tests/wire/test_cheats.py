"""Changed programs, one for each way to break the rules or lie about cards that the scheme ``hash`` can meet.

Each is named at once by the other side or at the end by the audit, and a stranger with the log alone comes to
the same verdict.  The honest side is never accused.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers_toy_cheats import assert_audited, assert_named, bluff, rps, to_move
from helpers_wire import NONCE, Cheat, Pair, envelope_of
from toys import Bluff

from protocol.core import wire
from protocol.core.steps import Choice, Commit, Recommit, Reveal, Seal, TossCommit, TossReveal, Unseal
from protocol.crypto import hashing
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Maker
from protocol.game import Hide, Mix

# --- signed messages that are against the rules -----------------------------------------------------------


def test_a_decision_that_the_rules_forbid() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 99))))
    assert_named(pair, cheat.seat, "illegal_decision")


@pytest.mark.parametrize("decision", [None, (), (0,), ((((1,),),),), -5, 2**53 - 1, (0, None, 1), (0, 0, (1,))])
def test_words_that_the_rules_cannot_read(decision: wire.Packable) -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice(decision)))  # type: ignore[arg-type]
    assert_named(pair, cheat.seat, "illegal_decision")


def test_a_move_out_of_turn() -> None:
    pair = bluff()
    cheat = Cheat(pair, 1 - to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 1))))
    assert_named(pair, cheat.seat, "not_your_turn")


def test_a_second_step_when_it_is_no_longer_ones_turn() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    cheat.send(cheat.envelope(Choice((0, 0, 1)), Choice(0)))
    assert_named(pair, cheat.seat, "not_your_turn")


def test_an_open_throw_where_a_seal_is_due() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice(1)))
    assert_named(pair, 0, "wrong_step")


def test_too_few_commitments_and_too_many() -> None:
    for count in (3, 5):
        pair = Pair(Bluff(), (4, 0), tag=str(count))
        cheat = Cheat(pair, 0)
        cheat.send(cheat.envelope(Commit(tuple(bytes([one]) * 32 for one in range(count)), b"", NONCE)))
        assert_named(pair, 0, "wrong_count")


def test_a_proof_that_the_scheme_does_not_know() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Commit(tuple(bytes([one]) * 32 for one in range(4)), b"x", NONCE)))
    assert_named(pair, 0, "unwanted_proof")


def test_the_same_commitment_twice_in_one_setup() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Commit((bytes(32),) * 4, b"", NONCE)))
    assert_named(pair, 0, "commitment_repeated")


def test_copying_the_other_sides_commitments() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.act(0, None, (0, 1, 2, 3))
    (cover,) = envelope_of(pair.wire[-1][1]).steps
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(cover))
    assert_named(pair, 1, "commitment_repeated")


def test_copying_a_seal_of_an_earlier_round() -> None:
    pair = rps(3)
    pair.act(0, 0)
    seal = envelope_of(pair.wire[-1][1]).steps[0]
    assert isinstance(seal, Seal)
    pair.act(1, 0)
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(seal))
    assert_named(pair, 0, "commitment_repeated")


def test_opening_another_throw_than_was_sealed() -> None:
    pair = rps()
    pair.act(0, 0)
    pair.guest.act(1)
    pair.transfer(1, lambda frame: None)
    cheat = Cheat(pair, 0)
    frame = pair.guest.records[-1].frame
    cheat.transcript.accept(frame)
    builder = cheat.builder()
    cheat.send(cheat.envelope(Unseal(2, builder._salt(builder.position.partial[0].nonce))))
    assert_named(pair, 0, "wrong_opening")


def test_opening_a_throw_that_was_never_legal() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    salt = cheat.builder()._salt(NONCE)
    seal = cheat.transcript.referee.seal(0, 0, salt, 7)
    cheat.transcript.accept(frame := cheat.envelope(Seal(seal, NONCE)))
    cheat.send(frame)
    pair.guest.act(1)
    pair.transfer(1, lambda frame: None)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    cheat.send(cheat.envelope(Unseal(7, salt)))
    assert_named(pair, 0, "illegal_decision")


def doubted() -> tuple[Pair, Cheat]:
    """Return a match in which the cheat must open the card that he has played."""
    pair = bluff()
    seat = to_move(pair)
    pair.act(seat, (0, 1, 3))
    pair.sessions[1 - seat].act(1)
    pair.transfer(1 - seat, lambda frame: None)
    cheat = Cheat(pair, seat)
    cheat.transcript.accept(pair.sessions[1 - seat].records[-1].frame)
    return pair, cheat


def test_opening_another_value() -> None:
    pair, cheat = doubted()
    slot = cheat.session.state.hands[cheat.seat][1]
    opening = cheat.session._secret_replay.openings[slot]
    cheat.send(cheat.envelope(Reveal(((3, opening),))))
    assert_named(pair, cheat.seat, "wrong_opening")


def test_opening_another_card() -> None:
    pair, cheat = doubted()
    slot = cheat.session.state.hands[cheat.seat][3]
    opening = cheat.session._secret_replay.openings[slot]
    cheat.send(cheat.envelope(Reveal(((3, opening),))))
    assert_named(pair, cheat.seat, "wrong_opening")


def test_refusing_to_open() -> None:
    pair, cheat = doubted()
    cheat.send(cheat.envelope(Choice((0, 0, 1))))
    assert_named(pair, cheat.seat, "wrong_step")


def test_opening_more_than_is_asked() -> None:
    pair, cheat = doubted()
    openings = cheat.session._secret_replay.openings
    known = cheat.session.known
    hand = cheat.session.state.hands[cheat.seat]
    cheat.send(cheat.envelope(Reveal(tuple((known[slot], openings[slot]) for slot in hand))))
    assert_named(pair, cheat.seat, "wrong_count")


def test_an_opening_that_shows_a_forbidden_declaration() -> None:
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    slot = cheat.session.state.hands[cheat.seat][1]
    cheat.send(cheat.envelope(Choice((2, 1)), Reveal(((1, cheat.session._secret_replay.openings[slot]),))))
    assert_named(pair, cheat.seat, "declared_wrong")


def test_a_mix_whose_order_tells_something() -> None:
    pair, cheat, shuffle = mixing()
    parts = tuple(tuple(reversed(part)) for part in shuffle.parts)
    cheat.send(cheat.envelope(Choice((1, 1)), Recommit(parts, b"", NONCE)))
    assert_named(pair, cheat.seat, "not_sorted")


def test_a_mix_of_other_sizes() -> None:
    pair, cheat, shuffle = mixing()
    cheat.send(cheat.envelope(Choice((1, 1)), Recommit(shuffle.parts[::-1], b"", NONCE)))
    assert_named(pair, cheat.seat, "wrong_count")


def test_a_mix_that_keeps_an_old_commitment() -> None:
    pair, cheat, shuffle = mixing()
    token = cheat.transcript.position.tokens[cheat.session.state.hands[cheat.seat][0]]
    cheat.send(cheat.envelope(Choice((1, 1)), Recommit(((token.commitment,), shuffle.parts[1]), b"", NONCE)))
    assert_named(pair, cheat.seat, "commitment_repeated")


def mixing() -> tuple[Pair, Cheat, Recommit]:
    """Return a match, the cheat whose turn it is, and an honest mix of his hand in parts of 1 and 3."""
    pair = bluff()
    cheat = Cheat(pair, to_move(pair))
    return pair, cheat, honest_mix(cheat, (0, 1, 2, 3))


def honest_mix(cheat: Cheat, values: Sequence[int]) -> Recommit:
    """Return a well-formed mix that holds these values."""
    builder = cheat.builder()
    builder.add(Choice((1, 1)))
    request = builder.request
    assert isinstance(request, Mix)
    maker = Maker(cheat.transcript.agreement.match_id, cheat.seat, cheat.secrets.seed, nonce=NONCE)
    made = HashScheme().commit(maker, request.give[0][0], values)
    commitments = [secret.commitment for secret in made]
    return Recommit(((commitments[0],), tuple(sorted(commitments[1:]))), b"", NONCE)


def test_a_hide_is_asked_of_the_toy() -> None:
    assert isinstance(Pair(Bluff(), (2, 0)).host.asks_us, Hide)


# --- what the audit finds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [(0, 0, 1, 2), (3, 3, 3, 3), (0, 1, 2, 12)])
def test_a_duplicate_or_foreign_card_in_the_setup(values: tuple[int, ...]) -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    maker = Maker(cheat.transcript.agreement.match_id, 0, cheat.secrets.seed, nonce=NONCE)
    made = HashScheme().commit(maker, 0, values)
    cover = Commit(tuple(secret.commitment for secret in made), b"", NONCE)
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(cover, state=cheat.state_after(cover)))
    pair.act(1, None, (0, 1, 2, 3))
    pair.host.side_channel.resign()
    pair.settle()
    assert_audited(pair, 0, "batch_not_derived")


@pytest.mark.parametrize("values", [(0, 0, 1, 2), (3, 3, 3, 3), (0, 1, 2, 12)])
def test_a_card_swapped_or_doubled_in_a_mix(values: tuple[int, ...]) -> None:
    pair, cheat, _ = mixing()
    steps = (Choice((1, 1)), honest_mix(cheat, values))
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(*steps, state=cheat.state_after(*steps)))
    cheat.session.side_channel.resign()
    pair.settle()
    assert_audited(pair, cheat.seat, "batch_not_derived")


def test_salts_that_do_not_come_from_the_seed() -> None:
    pair = Pair(Bluff(), (4, 0))
    cheat = Cheat(pair, 0)
    cover = Commit(tuple(hashing.hash_parts("mine", number) for number in range(4)), b"", NONCE)
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(cover, state=cheat.state_after(cover)))
    pair.guest.side_channel.resign()
    pair.settle()
    assert_audited(pair, 0, "batch_not_derived")


def test_a_seal_with_a_salt_of_ones_own() -> None:
    pair = rps(1)
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    seal = Seal(cheat.transcript.referee.seal(0, 0, bytes(32), 1), NONCE)
    cheat.send_and_hold(cheat.envelope(seal))
    pair.guest.act(0)
    pair.transfer(1, lambda frame: None)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    unseal = Unseal(1, bytes(32))
    cheat.send_and_hold(cheat.envelope(unseal, state=cheat.state_after(unseal)))
    pair.host._continue()
    pair.settle()
    assert_audited(pair, 0, "seal_not_derived")


def test_a_declaration_that_only_open_cards_disprove() -> None:
    pair = Pair(Bluff(), (4, 1))
    for seat in (0, 1):
        pair.act(seat, None, (0, 1, 2, 3))
    assert pair.host.known[-1] in (0, 1)
    assert -1 not in pair.guest.known
    cheat = Cheat(pair, 0)
    lie = Choice((3, 1 - pair.host.known[-1]))
    cheat.send_and_hold(cheat.envelope(lie, state=cheat.state_after(lie)))
    pair.guest.side_channel.resign()
    pair.settle()
    assert_audited(pair, 0, "illegal_decision")


def test_a_share_of_a_toss_that_does_not_come_from_the_seed() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.act(0, None, (0, 1, 2, 3))
    pair.guest.act(None, (0, 1, 2, 3))
    pair.transfer(1, lambda frame: None)
    cheat = Cheat(pair, 0)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    cheat.go_quiet()
    serial = cheat.transcript.position.serial
    cheat.send_and_hold(cheat.envelope(TossCommit(cheat.transcript.referee.commit_share(0, serial, bytes(32)), NONCE)))
    pair.collect()
    share = TossReveal(bytes(32))
    cheat.send_and_hold(cheat.envelope(share, state=cheat.state_after(share)))
    pair.guest.side_channel.resign()
    pair.settle()
    assert_audited(pair, 0, "share_not_derived")


def test_telling_another_share_than_was_fixed() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.act(0, None, (0, 1, 2, 3))
    pair.guest.act(None, (0, 1, 2, 3))
    pair.transfer(1)
    pair.transfer(0)
    pair.transfer(1, lambda frame: None)
    cheat = Cheat(pair, 0)
    cheat.transcript.accept(pair.guest.records[-1].frame)
    cheat.send(cheat.envelope(TossReveal(bytes(32))))
    assert_named(pair, 0, "wrong_opening")
