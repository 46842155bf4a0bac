"""Cards in piles that nobody knows: locked pairs, proved stirs, locks that are taken off (SPEC.md, "Piles").

A card is a pair (r B, M(v) + r H), where H is the sum of the keys of the seats whose lock is on it.  Whoever stirs a
list of cards masks each afresh, permutes them, and proves by the argument of Bayer and Groth (Eurocrypt 2012,
"Efficient Zero-Knowledge Argument for Correctness of a Shuffle") with one row that the new pairs hold what the old
ones held: the permutation is fixed before a challenge x, the powers of x in that order after it, a product shows that
they are what they must be, and the same powers take the new pairs to the old sum.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from protocol.crypto import group
from protocol.crypto.commitments.interface import Card, Context, Maker, Pair
from protocol.crypto.hash_to_curve import hash_to_curve
from protocol.crypto.hashing import derive, hash_parts, stretch
from protocol.crypto.proofs import CHALLENGE
from protocol.crypto.scalars import ORDER, scalar_bytes, scalar_of
from protocol.errors import BadCommitment
from protocol.game import PILE_LIMIT, Seat, Value

PLACE_TAG = b"storm-p2p/1 pile, edwards25519_XMD:SHA-512_ELL2_RO_"
"""The domain separation tag of the points that stand for the places of a list."""

_BASE = group.times_base(scalar_bytes(1))
_SCALAR = 32
_WIDE = 64
"""The random bytes of which a scalar is made."""

_Said = tuple["bytes | int", ...]

# Our own program checks a proof when it makes it, when it keeps it, and for whoever watches; what does not hold is not
# remembered. A stir has some thirty kilobytes, so those of a match take two megabytes.
_remember = lru_cache(maxsize=64)


# --- keys and locks ----------------------------------------------------------------------------------------


def make_key(maker: Maker, context: Context) -> tuple[bytes, bytes]:
    """Return the key of a seat's lock, and the proof that the seat knows its number."""
    secret = key_number(maker.seed, maker.match_id, maker.seat)
    point = _base(secret)
    return point, _prove_same(context, b"key", [(_BASE, point)], secret, maker)


def key_number(seed: bytes, match_id: bytes, seat: Seat) -> int:
    """Return the secret number of a seat's lock, derived from its seed."""
    return scalar_of(b"".join(derive(seed, "pile-key", match_id, seat, half) for half in (0, 1)))


def key_point(seed: bytes, match_id: bytes, seat: Seat) -> bytes:
    """Return the key of a seat's lock."""
    return _base(key_number(seed, match_id, seat))


def check_key(context: Context, point: bytes, proof: bytes) -> None:
    """Check that a key is a point and that its seat knows its number.

    Without that the seat that comes second could choose a key that takes the first one's lock off.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    group.check_point(point)
    _check_same(context, b"key", ((_BASE, point),), proof)


def unlock(maker: Maker, context: Context, cards: Sequence[Card]) -> tuple[tuple[bytes, ...], bytes]:
    """Return what takes a seat's lock off some cards, and the proof that it does."""
    secret = key_number(maker.seed, maker.match_id, maker.seat)
    shares = tuple(_times(secret, card.first) for card in cards)
    return shares, _prove_same(context, b"unlock", _over(_base(secret), cards, shares), secret, maker)


def check_unlock(context: Context, key: bytes, cards: Sequence[Card], shares: Sequence[bytes], proof: bytes) -> None:
    """Check that shares take the lock of a key off cards.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    for share in shares:
        group.check_point(share)
    _check_same(context, b"unlock", _over(key, cards, shares), proof)


def take_off(card: Card, share: bytes, seat: Seat) -> Card:
    """Return a card without the lock of a seat."""
    return Card(card.first, group.subtract(card.second, share), tuple(one for one in card.locks if one != seat))


def read(card: Card, numbers: dict[Seat, int], faces: frozenset[Value]) -> Value:
    """Return the value of a card, given the secret numbers of the locks that are still on it.

    Raises:
        BadCommitment: ``no_card``: it is none of the faces, which no proof that holds allows.
    """
    point = card.second
    for seat in card.locks:
        point = group.subtract(point, _lock(numbers[seat], card.first))
    try:
        return _points(faces)[point]
    except KeyError:
        raise BadCommitment("no_card", "one of the cards", point.hex()) from None


# Each view of a match reads the same cards again.
@lru_cache(maxsize=512)
def _lock(number: int, first: bytes) -> bytes:
    return _times(number, first)


@lru_cache(maxsize=8)
def _points(faces: frozenset[Value]) -> dict[bytes, Value]:
    return {group.generator(value): value for value in faces}


def _over(key: bytes, cards: Sequence[Card], shares: Sequence[bytes]) -> tuple[Pair, ...]:
    return ((_BASE, key), *((card.first, share) for card, share in zip(cards, shares, strict=True)))


def _prove_same(context: Context, what: bytes, pairs: Sequence[Pair], secret: int, maker: Maker) -> bytes:
    """Show that one number takes the first point of every pair to the second one, and that one knows it."""
    said = _said_of_pairs(context, what, pairs)
    (nonce,) = _draw(maker, 1, said)
    challenge = _short("pile-same", *said, b"".join(_times(nonce, one) for one, _ in pairs))
    return challenge.to_bytes(CHALLENGE, "little") + scalar_bytes((nonce + challenge * secret) % ORDER)


@_remember
def _check_same(context: Context, what: bytes, pairs: tuple[Pair, ...], proof: bytes) -> None:
    if len(proof) != CHALLENGE + _SCALAR or int.from_bytes(proof[CHALLENGE:], "little") >= ORDER:
        raise _bad(f"a proof of {CHALLENGE + _SCALAR} bytes")
    challenge, answer = int.from_bytes(proof[:CHALLENGE], "little"), proof[CHALLENGE:]
    try:
        nonces = [group.subtract(group.times(answer, one), _times(challenge, two)) for one, two in pairs]
    except group.Degenerate:
        raise _bad("numbers and points that are not neutral") from None
    said = _said_of_pairs(context, what, pairs)
    if group.NEUTRAL in nonces or _short("pile-same", *said, b"".join(nonces)) != challenge:
        raise _bad(f"a proof of {what.decode('ascii')!r}")


def _said_of_pairs(context: Context, what: bytes, pairs: Sequence[Pair]) -> _Said:
    return (*context, what, len(pairs), b"".join(one + two for one, two in pairs))


# --- stirs -------------------------------------------------------------------------------------------------


def join_keys(keys: Iterable[bytes]) -> bytes:
    """Return the sum of the keys of some seats."""
    return group.total(keys)


def open_deck(faces: Sequence[Value], joint: bytes) -> list[Pair]:
    """Return the pairs of faces that everybody can make; their mask is 1, so that no half is neutral."""
    return [(_BASE, group.add(group.generator(value), joint)) for value in faces]


def proof_length(count: int) -> int:
    """Return how many bytes the proof of a stir of some pairs has."""
    return 3 * 32 + CHALLENGE + _SCALAR * (3 * count + 2)


def stir(maker: Maker, context: Context, old: Sequence[Pair], joint: bytes) -> tuple[list[Pair], bytes]:
    """Mask and permute pairs at random, and prove it.

    Masks and order come from the seed, fresh randomness and the old pairs: whoever goes on from an old copy of the
    match and stirs other cards uses other ones.
    """
    count = len(old)
    drawn = stretch(maker.seed, (_WIDE + 32) * count, "pile-masks", maker.aux_rand, *context, joint, _flat(old))
    masks = [scalar_of(drawn[at : at + _WIDE]) for at in range(0, _WIDE * count, _WIDE)]
    keys = drawn[_WIDE * count :]
    # Keys of 32 bytes are never equal, and their order is a fair permutation.
    order = sorted(range(count), key=lambda place: keys[32 * place : 32 * place + 32])
    new = [
        (group.add(old[place][0], _base(mask)), group.add(old[place][1], _times(mask, joint)))
        for place, mask in zip(order, masks, strict=True)
    ]
    return new, _prove_stir(maker, context, old, new, joint, order, masks)


def _prove_stir(
    maker: Maker,
    context: Context,
    old: Sequence[Pair],
    new: Sequence[Pair],
    joint: bytes,
    order: Sequence[int],
    masks: Sequence[int],
) -> bytes:
    count, said = len(old), _said_of_stir(context, old, new, joint)
    draw = iter(_draw(maker, 3 * count + 6, (said,)))
    places = [place + 1 for place in order]
    blind_a, blind_b = next(draw), next(draw)
    a = _commit(places, blind_a)
    powers = _powers(_wide("pile-x", said, a), count)
    weights = [powers[place] for place in order]
    b = _commit(weights, blind_b)
    y, z = _wide("pile-y", said, a, b), _wide("pile-z", said, a, b)
    terms = [(y * place + weight - z) % ORDER for place, weight in zip(places, weights, strict=True)]
    products = [terms[0]]
    for term in terms[1:]:
        products.append(products[-1] * term % ORDER)
    k, k_blind = [next(draw) for _ in range(count)], next(draw)
    delta = [k[0], *(next(draw) for _ in range(count - 2)), 0]
    in_blind, out_blind = next(draw), next(draw)
    after = range(1, count)
    out = _commit([delta[at] - products[at - 1] * k[at] - delta[at - 1] * terms[at] for at in after], out_blind)
    inner = _commit([-delta[at - 1] * k[at] for at in after], in_blind)
    m, m_blind, m_mask = [next(draw) for _ in range(count)], next(draw), next(draw)
    mask = -sum(weight * one for weight, one in zip(weights, masks, strict=True))
    nonces = (
        _commit(k, k_blind),
        inner,
        _commit(m, m_blind),
        group.add(_base(m_mask), _weigh(m, (one for one, _ in new))),
        group.add(_times(m_mask, joint), _weigh(m, (two for _, two in new))),
    )
    c = _short("pile-c", said, a, b, out, *nonces)
    answers = [
        *(c * term + one for term, one in zip(terms, k, strict=True)),
        c * (y * blind_a + blind_b) + k_blind,
        *(c * products[at] + delta[at] for at in range(1, count - 1)),
        c * out_blind + in_blind,
        *(c * weight + one for weight, one in zip(weights, m, strict=True)),
        c * blind_b + m_blind,
        c * mask + m_mask,
    ]
    return a + b + out + c.to_bytes(CHALLENGE, "little") + b"".join(scalar_bytes(one % ORDER) for one in answers)


def check_stir(context: Context, old: Sequence[Pair], new: Sequence[Pair], joint: bytes, proof: bytes) -> None:
    """Check that new pairs are points and hold what the old ones hold, in whatever order.

    Raises:
        BadCommitment: ``bad_point`` or ``bad_proof``.
    """
    _check_stir(context, tuple(old), tuple(new), joint, proof)


@_remember
def _check_stir(context: Context, old: tuple[Pair, ...], new: tuple[Pair, ...], joint: bytes, proof: bytes) -> None:
    count = len(old)
    if not 2 <= count == len(new) <= PILE_LIMIT or len(proof) != proof_length(count):
        raise _bad(f"a proof of {proof_length(count)} bytes")
    a, b, out = proof[:32], proof[32:64], proof[64:96]
    for point in (*(half for pair in new for half in pair), a, b, out):
        group.check_point(point)
    c = int.from_bytes(proof[96 : 96 + CHALLENGE], "little")
    answers = proof[96 + CHALLENGE :]
    numbers = [int.from_bytes(answers[at : at + _SCALAR], "little") for at in range(0, len(answers), _SCALAR)]
    if c == 0 or not all(0 < number < ORDER for number in numbers):
        raise _bad("numbers from 1 on below the order")
    u, (u_blind, *rest) = numbers[:count], numbers[count:]
    inside, (v_blind, *rest) = rest[: count - 2], rest[count - 2 :]
    w, (w_blind, w_mask) = rest[:count], rest[count:]
    said = _said_of_stir(context, old, new, joint)
    powers = _powers(_wide("pile-x", said, a), count)
    y, z = _wide("pile-y", said, a, b), _wide("pile-z", said, a, b)
    last = c
    for place, power in enumerate(powers, 1):
        last = last * (y * place + power - z) % ORDER
    v = [u[0], *inside, last]
    old_weights = [c * power for power in powers]
    try:
        terms = group.subtract(group.add(_times(y, a), b), _times(z, _all_places(count)))
        products = [c * v[at] - v[at - 1] * u[at] for at in range(1, count)]
        nonces = (
            group.subtract(_commit(u, u_blind), _times(c, terms)),
            group.subtract(_commit(products, v_blind), _times(c, out)),
            group.subtract(_commit(w, w_blind), _times(c, b)),
            group.subtract(
                group.add(_base(w_mask), _weigh(w, (one for one, _ in new))),
                _weigh(old_weights, [one for one, _ in old]),
            ),
            group.subtract(
                group.add(_times(w_mask, joint), _weigh(w, (two for _, two in new))),
                _weigh(old_weights, [two for _, two in old]),
            ),
        )
    except group.Degenerate:
        raise _bad("numbers and points that are not neutral") from None
    if _short("pile-c", said, a, b, out, *nonces) != c:
        raise _bad("a proof of this stir")


def _said_of_stir(context: Context, old: Sequence[Pair], new: Sequence[Pair], joint: bytes) -> bytes:
    return hash_parts("pile-stir", *context, joint, len(old), _flat(old), _flat(new))


# --- numbers and points ------------------------------------------------------------------------------------


def _flat(pairs: Iterable[Pair]) -> bytes:
    return b"".join(half for pair in pairs for half in pair)


@lru_cache(maxsize=PILE_LIMIT)
def _place(number: int) -> bytes:
    """Return the point that stands for a place of a list, counted from 0."""
    return hash_to_curve(b"place %d" % number, PLACE_TAG)


@lru_cache(maxsize=PILE_LIMIT)
def _all_places(count: int) -> bytes:
    return group.total(_place(number) for number in range(count))


def _commit(values: Sequence[int], blinding: int) -> bytes:
    """Return a commitment to a list of numbers."""
    total = _base(blinding)
    for number, value in enumerate(values):
        if value % ORDER:
            total = group.add(total, _times(value, _place(number)))
    return total


def _weigh(weights: Iterable[int], points: Iterable[bytes]) -> bytes:
    points = list(points)
    if len(points) > 1 and all(point == points[0] for point in points):
        # The first halves of the open deck are all the base point.
        return _times(sum(weights), points[0])
    return group.total(_times(weight, point) for weight, point in zip(weights, points, strict=True))


def _powers(x: int, count: int) -> list[int]:
    found = [x]
    while len(found) < count:
        found.append(found[-1] * x % ORDER)
    return found


def _times(number: int, point: bytes) -> bytes:
    return group.times(scalar_bytes(number % ORDER), point)


def _base(number: int) -> bytes:
    return group.times_base(scalar_bytes(number % ORDER))


def _draw(maker: Maker, count: int, said: _Said) -> list[int]:
    """Return secret numbers for one proof, from the seed, fresh randomness and all that is stated."""
    data = stretch(maker.seed, _WIDE * count, "pile-nonces", maker.aux_rand, *said)
    return [scalar_of(data[at : at + _WIDE]) for at in range(0, len(data), _WIDE)]


def _wide(label: str, *parts: bytes | int) -> int:
    """Return a challenge of the width of a scalar."""
    return scalar_of(hash_parts(label, 0, *parts) + hash_parts(label, 1, *parts))


def _short(label: str, *parts: bytes | int) -> int:
    return int.from_bytes(hash_parts(label, *parts)[:CHALLENGE], "little")


def _bad(wanted: str) -> BadCommitment:
    return BadCommitment("bad_proof", wanted, "another one")
