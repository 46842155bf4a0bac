"""Keys that must not be used are refused before their first use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import assume, given
from hypothesis import strategies as st

from protocol.crypto import keys
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey, BadSignature
from protocol.independent import curve
from protocol.independent.curve import Point, add, decode, encode
from protocol.record import keyfile
from protocol.record.files import LOCK

P, L = curve.PRIME, curve.ORDER

# A point of order 8, and its multiples: all eight points of small order.
EIGHTH = decode(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"))


def small_order() -> list[Point]:
    points = [curve.NEUTRAL]
    for _ in range(7):
        points.append(add(points[-1], EIGHTH))
    return points


def test_the_identity_point_verifies_everything_without_our_check() -> None:
    identity = (1).to_bytes(32, "little")
    forged = identity + bytes(32)
    Ed25519PublicKey.from_public_bytes(identity).verify(forged, b"any message")
    with pytest.raises(BadKey):
        keys.verify(identity, "env", b"any message", forged)


@pytest.mark.parametrize("index", range(8))
def test_points_of_small_order_are_refused(index: int) -> None:
    with pytest.raises(BadKey):
        keys.check_public(encode(small_order()[index]))


@pytest.mark.parametrize("index", range(1, 8))
def test_points_of_mixed_order_are_refused(index: int) -> None:
    good = decode(PrivateKey(bytes(32)).public)
    with pytest.raises(BadKey):
        keys.check_public(encode(add(good, small_order()[index])))


@given(st.integers(2, P - 2), st.integers(0, 7))
def test_a_point_is_taken_exactly_if_the_group_order_times_it_is_nothing(y: int, index: int) -> None:
    try:
        point = decode(y.to_bytes(32, "little"))
    except curve.NotAPoint:
        assume(False)
    # Any point of the curve, and the same one moved by each of the eight of small order.
    point = add(point, small_order()[index])
    if curve.is_neutral(curve.multiply(L, point)):
        keys.check_public(encode(point))
    else:
        with pytest.raises(BadKey):
            keys.check_public(encode(point))


@pytest.mark.parametrize("excess", range(19))
def test_coordinates_from_the_prime_on_are_refused(excess: int) -> None:
    for sign in (0, 1):
        data = (P + excess | sign << 255).to_bytes(32, "little")
        with pytest.raises(BadKey):
            keys.check_public(data)


def test_a_zero_with_a_sign_and_points_beside_the_curve_are_refused() -> None:
    for y in (1, P - 1):
        with pytest.raises(BadKey):
            keys.check_public((y | 1 << 255).to_bytes(32, "little"))
    with pytest.raises(BadKey):
        keys.check_public((2).to_bytes(32, "little"))
    with pytest.raises(BadKey):
        keys.check_public(bytes(31))


@given(st.binary(min_size=32, max_size=32))
def test_every_key_that_we_make_is_taken_and_signs(seed: bytes) -> None:
    key = PrivateKey(seed)
    keys.verify(key.public, "env", b"data", keys.sign(key, "env", b"data"))


def test_a_signature_is_bound_to_label_key_and_bytes() -> None:
    key, other = PrivateKey(bytes(32)), PrivateKey(bytes([1] * 32))
    signature = keys.sign(key, "env", b"data")
    scalar = int.from_bytes(signature[32:], "little") + L
    for public, label, data, changed in (
        (other.public, "env", b"data", signature),
        (key.public, "side", b"data", signature),
        (key.public, "env", b"Data", signature),
        (key.public, "env", b"data", bytes([signature[0] ^ 1]) + signature[1:]),
        # The same scalar plus the group order would be a second signature of the same message.
        (key.public, "env", b"data", signature[:32] + scalar.to_bytes(32, "little")),
    ):
        with pytest.raises(BadSignature):
            keys.verify(public, label, data, changed)


def test_a_key_does_not_show_its_secret() -> None:
    key = PrivateKey(bytes(range(32)))
    assert key.seed().hex() not in repr(key)


@pytest.mark.usefixtures("cheap_locks")
@pytest.mark.parametrize("passphrase", [None, b"a long passphrase"])
def test_a_key_file_gives_back_the_key_and_is_closed_to_others(tmp_path: Path, passphrase: bytes | None) -> None:
    path = tmp_path / "identity.pem"
    key = keyfile.load_or_make(path, passphrase)
    assert keyfile.load_or_make(path, passphrase).public == key.public
    assert sorted(one.name for one in tmp_path.iterdir()) == [LOCK, "identity.pem"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o644)
        with pytest.raises(BadKey) as caught:
            keyfile.load(path, passphrase)
        assert caught.value.code == "key_file_open"


@pytest.mark.usefixtures("cheap_locks")
def test_passphrases_and_broken_key_files_have_their_own_codes(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    keyfile.save(path, PrivateKey(bytes(32)), b"right")
    for passphrase, code in ((None, "needs_passphrase"), (b"wrong", "wrong_passphrase")):
        with pytest.raises(BadKey) as caught:
            keyfile.load(path, passphrase)
        assert caught.value.code == code
    for data in (b"", b"nonsense", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", b"x" * 5000):
        path.write_bytes(data)
        with pytest.raises(BadKey) as caught:
            keyfile.load(path)
        assert caught.value.code == "bad_key_file"
