"""Keys as text: fixed vectors, what is refused before it costs anything, and files that are locked anew."""

from __future__ import annotations

import base64
import hashlib
import os
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey
from protocol.record import keyfile, keytext

KEY = PrivateKey(bytes(range(32)))
PASSPHRASE = "correct horse é".encode()
OPEN = b"""\
-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
-----END PRIVATE KEY-----
"""
LOCKED = b"""\
-----BEGIN STORM-P2P LOCKED KEY-----
AREiKZnm/MvA/QaB4HCovtFaO10sCpXtqR0xGZ79TbbwbEKrgCUfezntChr8EcPN
FyrWuueyvHl3pAJN4YDjXiXxETDuFLX8+cREIABe
-----END STORM-P2P LOCKED KEY-----
"""
OLD = b"""\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBBAnVcIwExIQeTct5P0
Ryp/AgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQLI/wqHvDf2jshEzd
WI5N2gRAXVh9bxDGvuThdtmjWjki30+7V+KlA+vTycbREwg93Dz8QBuOOW1S/R8T
S9kh0Op0j12mZ3WE5LPFIn3NzsgDtg==
-----END ENCRYPTED PRIVATE KEY-----
"""


def code_of(data: bytes, passphrase: bytes | None = PASSPHRASE) -> str:
    with pytest.raises(BadKey) as caught:
        keytext.load(data, passphrase)
    return caught.value.code


def locked(head: bytes, rest: int = 60) -> bytes:
    text = base64.b64encode(head + bytes(rest))
    return b"-----BEGIN STORM-P2P LOCKED KEY-----\n" + text + b"\n-----END STORM-P2P LOCKED KEY-----\n"


def old(rounds: bytes) -> bytes:
    """Return the vector of the old form with another number of rounds in DER."""
    body = base64.b64decode(b"".join(OLD.splitlines()[1:-1]))
    before, after = body.split(b"\x02\x02\x08\x00")
    changed = bytearray(before + b"\x02" + rounds + after)
    for place in (2, 4, 17, 19, 32):
        # The lengths of everything that the number is a part of.
        changed[place] += len(rounds) - 3
    text = base64.b64encode(changed)
    return b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + text + b"\n-----END ENCRYPTED PRIVATE KEY-----\n"


# --- vectors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [OPEN, LOCKED, OLD], ids=["open", "locked", "old"])
def test_a_text_that_was_written_once_is_read_for_ever(text: bytes) -> None:
    assert keytext.load(text, PASSPHRASE).seed() == KEY.seed()
    assert keytext.is_locked(text) is (text != OPEN)
    assert keytext.is_weak(text) is (text == OLD)


def test_the_vector_is_what_the_specification_says() -> None:
    body = base64.b64decode(b"".join(LOCKED.splitlines()[1:-1]))
    assert body[:2] == bytes((1, 17))
    secret = hashlib.scrypt(PASSPHRASE, salt=body[2:18], n=1 << body[1], r=8, p=1, maxmem=1 << 28, dklen=32)
    opened = ChaCha20Poly1305(secret).decrypt(body[18:30], body[30:], b"storm-p2p key" + body[:18])
    assert opened == KEY.seed()
    assert keytext.dump(KEY) == OPEN


@pytest.mark.usefixtures("cheap_locks")
def test_what_is_locked_is_opened_by_its_passphrase_alone_and_never_written_alike() -> None:
    texts = {keytext.dump(KEY, PASSPHRASE) for _ in range(3)}
    assert len(texts) == 3
    for text in texts:
        mailed = b"My key:\r\n\r\n" + text.replace(b"\n", b"\r\n") + b"Regards\r\n"
        assert keytext.load(mailed, PASSPHRASE).seed() == KEY.seed()
        assert code_of(text, b"another") == "wrong_passphrase"
        assert code_of(text, None) == code_of(text, b"") == "needs_passphrase"


@pytest.mark.usefixtures("cheap_locks")
@given(st.integers(0, 77), st.integers(0, 7))
def test_any_bit_that_is_changed_is_noticed(at: int, bit: int) -> None:
    body = bytearray(base64.b64decode(b"".join(keytext.dump(KEY, PASSPHRASE).splitlines()[1:-1])))
    body[at] ^= 1 << bit
    assert code_of(locked(bytes(body), 0)) in ("wrong_passphrase", "bad_key_file", "key_file_newer")


# --- what a hostile text may cost ---------------------------------------------------------------------------


@pytest.mark.parametrize("cost", [0, keytext.DEAREST + 1, 30, 63, 255])
def test_a_cost_that_is_too_high_is_refused_before_it_is_paid(cost: int) -> None:
    before = time.process_time()
    assert code_of(locked(bytes((1, cost)) + bytes(16))) == "bad_key_file"
    assert code_of(locked(bytes((1, cost)) + bytes(16)), None) == "bad_key_file"
    assert time.process_time() - before < 0.1


@pytest.mark.parametrize("rounds", ["03200001", "037fffff", "047fffffff", "0100", "0480000000"])
def test_too_many_rounds_of_the_old_form_are_refused_before_they_are_made(rounds: str) -> None:
    before = time.process_time()
    assert code_of(old(bytes.fromhex(rounds))) == "bad_key_file"
    assert time.process_time() - before < 0.1
    assert keytext.load(old(bytes.fromhex("020800")), PASSPHRASE).seed() == KEY.seed()
    assert code_of(old(bytes.fromhex("03030d40"))) == "wrong_passphrase"


def test_what_is_no_key_and_what_is_newer_have_their_codes() -> None:
    assert code_of(locked(bytes((2, 17)) + bytes(200))) == "key_file_newer"
    for text in (
        b"",
        b"-----BEGIN PRIVATE KEY-----",
        OPEN.replace(b"MC4C", b"MC4D"),
        OPEN.replace(b"f\n", b"=\n"),
        locked(b"", 0),
        locked(bytes((1, 17)) + bytes(16), 59),
        locked(bytes((0, 17)) + bytes(16)),
        LOCKED.replace(b"LOCKED", b"OPENED"),
        OPEN.replace(b"MC4CAQ", b"*"),
        OLD.replace(b"PRIVATE", b"EC PRIVATE"),
    ):
        assert code_of(text) == "bad_key_file", text
        assert not keytext.is_locked(text) or b"LOCKED" in text


# --- files --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("cheap_locks")
def test_a_file_that_was_locked_in_the_old_form_is_locked_anew_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "identity.key"
    path.write_bytes(OLD)
    path.chmod(0o600)
    with pytest.raises(BadKey):
        keyfile.load(path, b"another")
    # Where it only comes from it stays as it is.
    assert keyfile.load(path, PASSPHRASE, own=False).seed() == KEY.seed()
    assert path.read_bytes() == OLD
    assert keyfile.load(path, PASSPHRASE).seed() == KEY.seed()
    text = path.read_bytes()
    assert text.startswith(b"-----BEGIN STORM-P2P LOCKED KEY-----")
    assert sorted(one.name for one in tmp_path.iterdir()) == [".lock", "identity.key"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
    assert keyfile.load(path, PASSPHRASE).seed() == KEY.seed()
    assert path.read_bytes() == text


def test_a_file_that_cannot_be_written_is_opened_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "identity.key"
    path.write_bytes(OLD)
    path.chmod(0o400)
    monkeypatch.setattr(keytext, "COST", 2)
    assert keyfile.load(path, PASSPHRASE).seed() == KEY.seed()
    path.chmod(0o600)

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert keyfile.load(path, PASSPHRASE).seed() == KEY.seed()
    assert path.read_bytes() == OLD
    assert sorted(one.name for one in tmp_path.iterdir()) == [".lock", "identity.key"]


def test_an_open_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "identity.key"
    path.write_bytes(OPEN)
    path.chmod(0o600)
    assert keyfile.load(path, PASSPHRASE).seed() == KEY.seed()
    assert path.read_bytes() == OPEN
