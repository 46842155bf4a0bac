"""Checking keys, stirs and unlocked cards of piles (SPEC.md, section "Piles")."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from protocol.game import PILE_LIMIT, Seat, Value
from protocol.independent import curve
from protocol.independent.curve import ORDER, Point
from protocol.independent.faults import Refused
from protocol.independent.hashes import derive, hash_parts
from protocol.independent.proofs import Context, generator, read_points

Pair: TypeAlias = tuple[Point, Point]

_TAG: Final = b"storm-p2p/1 pile, edwards25519_XMD:SHA-512_ELL2_RO_"
_PROOF_OF_NUMBER: Final = 48


class Card(NamedTuple):
    """A card: its two points, and whose locks are on it."""

    first: Point
    second: Point
    locks: tuple[Seat, ...]


def number_of_lock(seed: bytes, match_id: bytes, seat: Seat) -> int:
    """Return the number of a seat's lock."""
    wide = b"".join(derive(seed, "pile-key", match_id, seat, half) for half in (0, 1))
    return 1 + int.from_bytes(wide, "little") % (ORDER - 1)


def add_keys(keys: Sequence[bytes]) -> Point:
    """Return the sum of keys that have been checked."""
    return curve.total(map(curve.decode_checked, keys))


def open_pairs(faces: Sequence[Value], joint: Point) -> list[Pair]:
    """Return the pairs of faces that everybody can make."""
    return [(curve.BASE, curve.add(generator(value), joint)) for value in faces]


def take_off(card: Card, share: Point, seat: Seat) -> Card:
    """Return a card without a seat's lock."""
    return Card(card.first, curve.subtract(card.second, share), tuple(one for one in card.locks if one != seat))


def find_value(point: Point, faces: Collection[Value]) -> Value | None:
    """Return the value of an unlocked card; None if it is none of the faces."""
    return _table(frozenset(faces)).get(curve.encode(point))


@lru_cache(maxsize=4)
def _table(faces: frozenset[Value]) -> dict[bytes, Value]:
    return {curve.encode(generator(value)): value for value in faces}


def check_key(context: Context, key: bytes, proof: bytes) -> None:
    """Check a key.

    Raises:
        Refused: ``bad_point`` or ``bad_proof``.
    """
    (point,) = read_points([key])
    _check_number(context, b"key", [(curve.BASE, point)], proof)


def check_unlock(context: Context, key: bytes, cards: Sequence[Card], shares: Sequence[bytes], proof: bytes) -> None:
    """Check what takes a lock off cards.

    Raises:
        Refused: ``bad_point`` or ``bad_proof``.
    """
    points = read_points(shares)
    pairs = [(curve.BASE, curve.decode_checked(key))]
    pairs += [(card.first, share) for card, share in zip(cards, points, strict=True)]
    _check_number(context, b"unlock", pairs, proof)


def _check_number(context: Context, what: bytes, pairs: Sequence[Pair], proof: bytes) -> None:
    challenge, answer = int.from_bytes(proof[:16], "little"), int.from_bytes(proof[16:], "little")
    if len(proof) != _PROOF_OF_NUMBER or not 0 < answer < ORDER or not challenge:
        raise Refused("bad_proof")
    nonces = [_sum([answer, -challenge], pair) for pair in pairs]
    if any(map(curve.is_neutral, nonces)):
        raise Refused("bad_proof")
    flat = curve.encode_all([point for pair in pairs for point in pair])
    if _short("pile-same", *context, what, len(pairs), flat, curve.encode_all(nonces)) != challenge:
        raise Refused("bad_proof")


def check_stir(context: Context, old: Sequence[Pair], new: Sequence[bytes], joint: Point, proof: bytes) -> list[Pair]:
    """Return the new pairs of a stir, from the bytes of each half, after its proof was checked.

    Raises:
        Refused: ``bad_point`` or ``bad_proof``.
    """
    count = len(old)
    if not 2 <= count <= PILE_LIMIT or len(new) != 2 * count or len(proof) != 32 * (3 * count + 5) + 16:
        raise Refused("bad_proof")
    halves = read_points(new)
    firsts, seconds = halves[::2], halves[1::2]
    a, b, out = read_points([proof[at : at + 32] for at in (0, 32, 64)])
    c = int.from_bytes(proof[96:112], "little")
    numbers = [int.from_bytes(proof[at : at + 32], "little") for at in range(112, len(proof), 32)]
    # Whoever has made both keys can have them cancel each other.
    if not c or not all(0 < number < ORDER for number in numbers) or curve.is_neutral(joint):
        raise Refused("bad_proof")
    u, u_blind = numbers[:count], numbers[count]
    inner, v_blind = numbers[count + 1 : 2 * count - 1], numbers[2 * count - 1]
    w, w_blind, w_mask = numbers[2 * count : 3 * count], numbers[3 * count], numbers[3 * count + 1]
    before = curve.encode_all([point for pair in old for point in pair])
    said = hash_parts("pile-stir", *context, curve.encode(joint), count, before, b"".join(new))
    x = _wide("pile-x", said, proof[:32])
    y, z = (_wide(label, said, proof[:32], proof[32:64]) for label in ("pile-y", "pile-z"))
    powers = [pow(x, place, ORDER) for place in range(1, count + 1)]
    whole = c
    for place, power in enumerate(powers, 1):
        whole = whole * (y * place + power - z) % ORDER
    v = [u[0], *inner, whole]
    places = [_place(number) for number in range(count)]
    weights = [-c * power for power in powers]
    nonces = [
        _sum([*(one + c * z for one in u), u_blind, -c * y, -c], [*places, curve.BASE, a, b]),
        _sum(
            [*(c * v[at] - v[at - 1] * u[at] for at in range(1, count)), v_blind, -c], [*places[:-1], curve.BASE, out]
        ),
        _sum([*w, w_blind, -c], [*places, curve.BASE, b]),
        _sum([*w, *weights, w_mask], [*firsts, *(one for one, _ in old), curve.BASE]),
        _sum([*w, *weights, w_mask], [*seconds, *(two for _, two in old), joint]),
    ]
    if _short("pile-c", said, proof[:32], proof[32:64], proof[64:96], *map(curve.encode, nonces)) != c:
        raise Refused("bad_proof")
    return list(zip(firsts, seconds, strict=True))


@lru_cache(maxsize=PILE_LIMIT)
def _place(number: int) -> Point:
    return curve.hash_to_curve(f"place {number}".encode("ascii"), _TAG)


def _sum(numbers: Sequence[int], points: Sequence[Point]) -> Point:
    """Return a sum of multiples: all by their digits of 4 bits at once, the highest first (Straus)."""
    tables = []
    for point in points:
        row = [curve.NEUTRAL, point]
        while len(row) < 16:
            row.append(curve.add(row[-1], point))
        tables.append(row)
    reduced = [number % ORDER for number in numbers]
    total = curve.NEUTRAL
    for shift in range(252, -4, -4):
        for _ in range(4):
            total = curve.double(total)
        for number, row in zip(reduced, tables, strict=True):
            digit = number >> shift & 15
            if digit:
                total = curve.add(total, row[digit])
    return total


def _wide(label: str, *parts: bytes) -> int:
    both = b"".join(hash_parts(label, half, *parts) for half in (0, 1))
    return 1 + int.from_bytes(both, "little") % (ORDER - 1)


def _short(label: str, *parts: bytes | int) -> int:
    return int.from_bytes(hash_parts(label, *parts)[:16], "little")
