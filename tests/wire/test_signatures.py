"""libsodium is asked first, and OpenSSL decides: with either, and with a lax libsodium, the verdict is the same."""

from __future__ import annotations

import hashlib
import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings
from nacl.exceptions import BadSignatureError

from protocol.crypto import group, keys
from protocol.crypto.hashing import hash_parts
from protocol.errors import BadKey, BadSignature
from protocol.independent import curve, signatures

L = curve.ORDER
EIGHTH = curve.decode(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"))
SECRET = 0x123456789ABCDEF
PUBLIC = curve.encode(curve.multiply_base(SECRET))
DIGEST = bytes(range(32))
VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parent.parent / "vectors" / "signature.json").read_text(encoding="utf-8")
)["tests"]

verify_digest = inspect.unwrap(keys.verify_digest)
"""Without what the tests keep of earlier checks."""


def is_taken(public: bytes, digest: bytes, signature: bytes) -> bool:
    """Say what the program decides."""
    try:
        verify_digest(public, digest, signature)
    except (BadKey, BadSignature):
        return False
    return True


def is_valid(public: bytes, digest: bytes, signature: bytes) -> bool:
    """Say what OpenSSL decides about a key that passes the point check."""
    try:
        keys.check_public(public)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, digest)
    except (BadKey, InvalidSignature):
        return False
    return True


def challenge(public: bytes, nonce: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(nonce + public + message).digest(), "little") % L


def signed(nonce: bytes, logarithm: int, more: int = 0, message: bytes = DIGEST) -> bytes:
    """Sign with a nonce that is written in any way, as only who knows the private key can."""
    answer = (logarithm + challenge(PUBLIC, nonce, message) * SECRET) % L + more * L
    return nonce + answer.to_bytes(32, "little")


def small(times: int) -> curve.Point:
    return curve.multiply(times, EIGHTH)


# -- lax libraries ------------------------------------------------------------------------------------------


def by_cofactor(signature: bytes, message: bytes, public: bytes) -> bool:
    """Say whether eight times the equation holds, whatever the encoding of the nonce: a library that is lax."""
    nonce = int.from_bytes(signature[:32], "little") & (1 << 255) - 1
    point = curve.decode((nonce % curve.PRIME | (signature[31] >> 7 << 255)).to_bytes(32, "little"))
    key = curve.multiply(challenge(public, signature[:32], message), curve.decode(public))
    rest = curve.add(curve.multiply_base(int.from_bytes(signature[32:], "little") % L), curve.negative(key))
    return curve.is_neutral(curve.multiply(8, curve.add(rest, curve.negative(point))))


def takes_all(signature: bytes, message: bytes, public: bytes) -> bool:
    return True


def takes_none(signature: bytes, message: bytes, public: bytes) -> bool:
    return False


@pytest.fixture(params=["installed", "by_cofactor", "takes_all", "takes_none"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Ask this libsodium, or one that decides otherwise."""
    if request.param != "installed":
        decide: Callable[[bytes, bytes, bytes], bool] = globals()[request.param]

        def opens(both: bytes, public: bytes) -> bytes:
            if decide(both[:64], both[64:], public):
                return both[64:]
            raise BadSignatureError

        monkeypatch.setattr(bindings, "crypto_sign_open", opens)
    group.is_strict.cache_clear()
    yield request.param
    group.is_strict.cache_clear()


# -- verdicts -----------------------------------------------------------------------------------------------


def test_only_a_library_that_refuses_every_false_signature_and_takes_the_good_one_is_asked(library: str) -> None:
    assert group.is_strict() == (library == "installed")
    assert group.accepts(PUBLIC, DIGEST, signed(curve.encode(curve.multiply_base(5)), 5)) == (library == "installed")


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: str(case["id"]))
def test_the_verdict_on_every_vector_is_openssl_s(case: dict[str, Any], library: str) -> None:
    public, signature = bytes.fromhex(case["public"]), bytes.fromhex(case["signature"])
    digest = hash_parts(case["label"], bytes.fromhex(case["data"]))
    assert is_taken(public, digest, signature) == is_valid(public, digest, signature) == (case["result"] == "valid")


@given(
    st.integers(0, 3) | st.integers(0, L - 1),
    st.integers(0, 7),
    st.integers(0, 15),
    st.sampled_from(("one", "above", "sign")),
    st.integers(0, 511) | st.none(),
)
def test_the_verdict_on_whatever_the_owner_of_a_key_can_make_is_openssl_s(
    logarithm: int, times: int, more: int, form: str, bit: int | None
) -> None:
    written = int.from_bytes(curve.encode(curve.add(curve.multiply_base(logarithm), small(times))), "little")
    if form == "above" and written % 2**255 < 19:
        written += curve.PRIME
    elif form == "sign":
        written ^= 1 << 255
    changed = bytearray(signed(written.to_bytes(32, "little"), logarithm, more if more < 15 else 0))
    if bit is not None:
        changed[bit // 8] ^= 1 << bit % 8
    signature = bytes(changed)
    assert is_taken(PUBLIC, DIGEST, signature) == is_valid(PUBLIC, DIGEST, signature)
    assert is_taken(PUBLIC, DIGEST, signature) == signatures.verify(PUBLIC, DIGEST, signature)


def test_a_byte_that_moves_between_signature_and_message_makes_another_signature() -> None:
    nonce = curve.encode(curve.multiply_base(7))
    longer = signed(nonce, 7, message=b"x" + DIGEST) + b"x"
    whole = signed(nonce, 7, message=DIGEST[1:]) + DIGEST
    assert bindings.crypto_sign_open(longer + DIGEST, PUBLIC) == b"x" + DIGEST
    for digest, signature in ((DIGEST, longer), (whole[63:], whole[:63]), (b"", whole), (whole, b"")):
        assert not is_taken(PUBLIC, digest, signature)


# -- the known answers --------------------------------------------------------------------------------------


def test_the_false_signatures_are_false_and_the_lax_take_them() -> None:
    known = (group._SIGNER, group._SIGNED)
    assert is_valid(*known, group._GOOD)
    for signature in group._LAX:
        assert not is_valid(*known, signature)
        assert not signatures.verify(*known, signature)
        assert by_cofactor(signature, group._SIGNED, group._SIGNER)


def test_who_checks_good_signatures_does_without_openssl() -> None:
    nonce = curve.encode(curve.multiply_base(9))
    code = (
        "import sys; from protocol.crypto import keys;"
        f"keys.verify_digest({PUBLIC!r}, {DIGEST!r}, {signed(nonce, 9)!r}); print('cryptography' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.strip() == "False"
