"""Nobody gets a card that was not given, and nobody changes one: keys, stirs and locks (SPEC.md, "Piles")."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from protocol.crypto import group, piles
from protocol.crypto.commitments.interface import Card, Context, Maker, Pair
from protocol.crypto.proofs import CHALLENGE
from protocol.crypto.scalars import ORDER, scalar_bytes
from protocol.errors import BadCommitment

COUNT = 12
MATCH, HEAD = b"m" * 32, b"h" * 32
SEEDS = (b"0" * 32, b"1" * 32)
MAKERS = tuple(Maker(MATCH, seat, seed, b"random") for seat, seed in enumerate(SEEDS))
BASE = group.times_base(scalar_bytes(1))


def at(seat: int, serial: int) -> Context:
    return Context(MATCH, seat, HEAD, serial)


def times(number: int, point: bytes) -> bytes:
    return group.times(scalar_bytes(number % ORDER), point)


KEYS = [piles.make_key(maker, at(seat, 0)) for seat, maker in enumerate(MAKERS)]
JOINT = piles.join_keys(point for point, _ in KEYS)
DECK = piles.open_deck(range(COUNT), JOINT)
FIRST, FIRST_PROOF = piles.stir(MAKERS[1], at(1, 1), DECK, JOINT)
SECOND, SECOND_PROOF = piles.stir(MAKERS[0], at(0, 1), FIRST, JOINT)
NUMBERS = {seat: piles.key_number(seed, MATCH, seat) for seat, seed in enumerate(SEEDS)}
FACES = frozenset(range(COUNT))
PILE = [Card(*pair, (0, 1)) for pair in SECOND]
WANTED = PILE[:3]
SHARES, UNLOCK_PROOF = piles.unlock(MAKERS[1], at(1, 2), WANTED)


def masked(pair: Pair, mask: int) -> Pair:
    return group.add(pair[0], times(mask, BASE)), group.add(pair[1], times(mask, JOINT))


def check_second(new: list[Pair], proof: bytes = SECOND_PROOF) -> None:
    piles.check_stir(at(0, 1), FIRST, new, JOINT, proof)


def forge(new: list[Pair], order: list[int], masks: list[int]) -> None:
    """Check new pairs with the proof that an honest prover's formulas give for them, whatever they are."""
    proof = piles._prove_stir(MAKERS[0], at(0, 1), FIRST, new, JOINT, order, masks)
    check_second(new, proof)


def changed(number: int, pair: Pair) -> list[Pair]:
    return [*SECOND[:number], pair, *SECOND[number + 1 :]]


ORDER_OF_SECOND = list(range(COUNT))
MASKS = list(range(1, COUNT + 1))
HONEST = [masked(FIRST[place], mask) for place, mask in zip(ORDER_OF_SECOND, MASKS, strict=True)]


def test_a_pile_holds_its_faces_and_each_seat_sees_only_what_it_was_given() -> None:
    check_second(SECOND)
    piles.check_stir(at(1, 1), DECK, FIRST, JOINT, FIRST_PROOF)
    assert sorted(piles.read(card, NUMBERS, FACES) for card in PILE) == list(range(COUNT))
    for seat, (point, proof) in enumerate(KEYS):
        piles.check_key(at(seat, 0), point, proof)
        assert point == piles.key_point(SEEDS[seat], MATCH, seat)
    piles.check_unlock(at(1, 2), KEYS[1][0], WANTED, SHARES, UNLOCK_PROOF)
    held = [piles.take_off(card, share, 1) for card, share in zip(WANTED, SHARES, strict=True)]
    assert {card.locks for card in held} == {(0,)}
    seen = [piles.read(card, {0: NUMBERS[0]}, FACES) for card in held]
    assert seen == [piles.read(card, NUMBERS, FACES) for card in WANTED]
    for card in held:
        with pytest.raises(BadCommitment, match="cards"):
            piles.read(card._replace(locks=()), {}, FACES)


def test_a_hand_that_is_mixed_by_its_holder_holds_the_same_cards() -> None:
    held = [piles.take_off(card, share, 1) for card, share in zip(WANTED, SHARES, strict=True)]
    old = [(card.first, card.second) for card in held]
    new, proof = piles.stir(MAKERS[0], at(0, 5), old, KEYS[0][0])
    piles.check_stir(at(0, 5), old, new, KEYS[0][0], proof)
    numbers = {0: NUMBERS[0]}
    before, after = ([piles.read(Card(*pair, (0,)), numbers, FACES) for pair in pairs] for pairs in (old, new))
    assert sorted(before) == sorted(after)


def test_another_list_of_cards_is_masked_otherwise() -> None:
    # Whoever goes on from an old copy of a match must not give away the order by using the same masks again.
    one, two = (piles.stir(MAKERS[0], at(0, 1), old, JOINT)[0] for old in (FIRST, [*FIRST[1:], FIRST[0]]))
    differences = {group.subtract(new[0], old[0]) for pairs in (one, two) for new in pairs for old in FIRST}
    assert len(differences) == 2 * COUNT * COUNT


def shift(number: int, by: int) -> Pair:
    return HONEST[number][0], group.add(HONEST[number][1], times(by, BASE))


FORGERIES: dict[str, tuple[list[Pair], list[int]]] = {
    "a card twice, its order told as it is": (
        [*HONEST[:3], masked(FIRST[4], 4), *HONEST[4:]],
        [0, 1, 2, 4, *range(4, COUNT)],
    ),
    "a card twice, its order told as a permutation": ([*HONEST[:3], masked(FIRST[4], 4), *HONEST[4:]], ORDER_OF_SECOND),
    "a deck of one's own making": (
        [
            (times(mask, BASE), group.add(group.generator(value), times(mask, JOINT)))
            for value, mask in enumerate(MASKS)
        ],
        ORDER_OF_SECOND,
    ),
    "a masked copy of another place": ([*HONEST[:6], masked(HONEST[0], 777), *HONEST[7:]], ORDER_OF_SECOND),
    "a pair multiplied by a factor": (
        [*HONEST[:2], (times(5, HONEST[2][0]), times(5, HONEST[2][1])), *HONEST[3:]],
        ORDER_OF_SECOND,
    ),
    "a value that is shifted": ([shift(0, 9), *HONEST[1:]], ORDER_OF_SECOND),
    "two values that are shifted so that the sum stays": ([shift(0, 4), shift(1, -4), *HONEST[2:]], ORDER_OF_SECOND),
    "halves that are exchanged": (
        [(HONEST[0][0], HONEST[1][1]), (HONEST[1][0], HONEST[0][1]), *HONEST[2:]],
        ORDER_OF_SECOND,
    ),
}


def test_the_formulas_of_the_prover_hold_for_an_honest_stir() -> None:
    forge(HONEST, ORDER_OF_SECOND, MASKS)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_stir_that_changes_a_card_is_refused(name: str) -> None:
    new, order = FORGERIES[name]
    with pytest.raises(BadCommitment, match="stir") as error:
        forge(new, order, MASKS)
    assert error.value.code == "bad_proof"


OTHERWISE: dict[str, Callable[[], None]] = {
    "seat": lambda: piles.check_stir(at(1, 1), FIRST, SECOND, JOINT, SECOND_PROOF),
    "serial": lambda: piles.check_stir(at(0, 2), FIRST, SECOND, JOINT, SECOND_PROOF),
    "head": lambda: piles.check_stir(at(0, 1)._replace(head=b"x" * 32), FIRST, SECOND, JOINT, SECOND_PROOF),
    "match": lambda: piles.check_stir(at(0, 1)._replace(match_id=b"x" * 32), FIRST, SECOND, JOINT, SECOND_PROOF),
    "keys": lambda: piles.check_stir(at(0, 1), FIRST, SECOND, group.add(JOINT, BASE), SECOND_PROOF),
    "order of the new pairs": lambda: check_second([SECOND[1], SECOND[0], *SECOND[2:]]),
    "order of the old pairs": lambda: piles.check_stir(
        at(0, 1), [FIRST[1], FIRST[0], *FIRST[2:]], SECOND, JOINT, SECOND_PROOF
    ),
    "proof of the other's stir": lambda: check_second(SECOND, FIRST_PROOF),
    "number of pairs": lambda: check_second(SECOND[:-1]),
    "shorter proof": lambda: check_second(SECOND, SECOND_PROOF[:-32]),
    "longer proof": lambda: check_second(SECOND, SECOND_PROOF + bytes(32)),
    "answers that are zero": lambda: check_second(
        SECOND, SECOND_PROOF[: 96 + CHALLENGE] + bytes(len(SECOND_PROOF) - 96 - CHALLENGE)
    ),
    "challenge that is zero": lambda: check_second(
        SECOND, SECOND_PROOF[:96] + bytes(CHALLENGE) + SECOND_PROOF[96 + CHALLENGE :]
    ),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_true_proof_holds_nowhere_else(name: str) -> None:
    with pytest.raises(BadCommitment) as error:
        OTHERWISE[name]()
    assert error.value.code == "bad_proof"


def test_no_bit_of_a_proof_may_change() -> None:
    chance = random.Random(1)
    for bit in chance.sample(range(len(SECOND_PROOF) * 8), 60):
        bad = bytearray(SECOND_PROOF)
        bad[bit // 8] ^= 1 << bit % 8
        with pytest.raises(BadCommitment):
            check_second(SECOND, bytes(bad))


def test_an_answer_has_one_form() -> None:
    for start in range(96 + CHALLENGE, len(SECOND_PROOF), 32):
        number = int.from_bytes(SECOND_PROOF[start : start + 32], "little") + ORDER
        with pytest.raises(BadCommitment, match="order"):
            check_second(SECOND, SECOND_PROOF[:start] + number.to_bytes(32, "little") + SECOND_PROOF[start + 32 :])


POINTS = {
    "neutral": group.NEUTRAL,
    "of order 2": bytes.fromhex("ec" + "ff" * 30 + "7f"),
    "of mixed order": group._MIXED,
    "no point": b"\2" + bytes(31),
    "not canonical": bytes.fromhex("ee" + "ff" * 30 + "7f"),
}


@pytest.mark.parametrize("name", POINTS)
def test_every_point_that_comes_is_one_of_the_group(name: str) -> None:
    point = POINTS[name]
    calls: list[Callable[[], None]] = [
        lambda: check_second(changed(5, (point, SECOND[5][1]))),
        lambda: check_second(changed(5, (SECOND[5][0], point))),
        lambda: check_second(SECOND, point + SECOND_PROOF[32:]),
        lambda: check_second(SECOND, SECOND_PROOF[:64] + point + SECOND_PROOF[96:]),
        lambda: piles.check_key(at(1, 0), point, KEYS[1][1]),
        lambda: piles.check_unlock(at(1, 2), KEYS[1][0], WANTED, [point, *SHARES[1:]], UNLOCK_PROOF),
    ]
    for call in calls:
        with pytest.raises(BadCommitment) as error:
            call()
        assert error.value.code == "bad_point"


def test_a_key_that_cancels_the_others_cannot_be_proved() -> None:
    number = 4711
    rogue = group.subtract(times(number, BASE), KEYS[0][0])
    proof = piles._prove_same(at(1, 0), b"key", [(BASE, rogue)], number, MAKERS[1])
    for point, shown in ((rogue, proof), (KEYS[0][0], KEYS[0][1])):
        with pytest.raises(BadCommitment) as error:
            piles.check_key(at(1, 0), point, shown)
        assert error.value.code == "bad_proof"


def prove_shares(shares: list[bytes], secret: int) -> bytes:
    pairs = [(BASE, KEYS[1][0]), *((card.first, share) for card, share in zip(WANTED, shares, strict=True))]
    return piles._prove_same(at(1, 2), b"unlock", pairs, secret, MAKERS[1])


FALSE_SHARES = [times(NUMBERS[1] + 1, card.first) for card in WANTED]
LIES: dict[str, Callable[[], None]] = {
    "one share of another key": lambda: piles.check_unlock(
        at(1, 2), KEYS[1][0], WANTED, [FALSE_SHARES[0], *SHARES[1:]], UNLOCK_PROOF
    ),
    "all shares of another key, with a proof": lambda: piles.check_unlock(
        at(1, 2), KEYS[1][0], WANTED, FALSE_SHARES, prove_shares(FALSE_SHARES, NUMBERS[1])
    ),
    "shares for other places": lambda: piles.check_unlock(at(1, 2), KEYS[1][0], PILE[3:6], SHARES, UNLOCK_PROOF),
    "shares in another order": lambda: piles.check_unlock(
        at(1, 2), KEYS[1][0], WANTED, [SHARES[1], SHARES[0], SHARES[2]], UNLOCK_PROOF
    ),
    "shares of another moment": lambda: piles.check_unlock(at(1, 3), KEYS[1][0], WANTED, SHARES, UNLOCK_PROOF),
    "shares of the other's key": lambda: piles.check_unlock(at(1, 2), KEYS[0][0], WANTED, SHARES, UNLOCK_PROOF),
    "a share that makes another card": lambda: piles.check_unlock(
        at(1, 2),
        KEYS[1][0],
        WANTED,
        [group.subtract(group.add(SHARES[0], group.generator(1)), group.generator(2)), *SHARES[1:]],
        UNLOCK_PROOF,
    ),
    "a shorter proof": lambda: piles.check_unlock(at(1, 2), KEYS[1][0], WANTED, SHARES, UNLOCK_PROOF[:-1]),
    "an answer of zero": lambda: piles.check_unlock(
        at(1, 2), KEYS[1][0], WANTED, SHARES, UNLOCK_PROOF[:CHALLENGE] + bytes(32)
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lock_comes_off_with_its_own_key_alone(name: str) -> None:
    with pytest.raises(BadCommitment) as error:
        LIES[name]()
    assert error.value.code == "bad_proof"


def test_a_hand_card_is_not_exchanged_while_it_is_mixed() -> None:
    held = [piles.take_off(card, share, 1) for card, share in zip(WANTED, SHARES, strict=True)]
    old, key = [(card.first, card.second) for card in held], KEYS[0][0]
    masks = [5, 6, 7]
    new = [
        (group.add(one, times(mask, BASE)), group.add(two, times(mask, key)))
        for (one, two), mask in zip(old, masks, strict=True)
    ]
    piles.check_stir(at(0, 5), old, new, key, piles._prove_stir(MAKERS[0], at(0, 5), old, new, key, [0, 1, 2], masks))
    new[0] = times(5, BASE), group.add(group.generator(0), times(5, key))
    proof = piles._prove_stir(MAKERS[0], at(0, 5), old, new, key, [0, 1, 2], masks)
    with pytest.raises(BadCommitment):
        piles.check_stir(at(0, 5), old, new, key, proof)
