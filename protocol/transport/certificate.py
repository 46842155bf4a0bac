"""The certificate of a listener: fresh, self-signed, and known to the other by its hash (SPEC.md, "Transport").

TLS is here for secrecy and for a name of the channel that both can sign.  Nobody vouches for the certificate and
nothing in it is looked at: who has its key is who made it, and the invite or the other's own word carries its hash.
So it has neither a name nor a time that could tell something.
"""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from protocol.crypto.hashing import derive, fingerprint

PIN_LENGTH = 16
"""How many bytes of a fingerprint an invite carries: a second preimage would take 2^128 trials."""

KNOCK_LENGTH = 32
"""How many bytes prove a secret."""

# RFC 5280, 4.1.2.5: the latest date stands for "no end"; clocks of players jump.
_BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


_OVERHEAD = 5 + 1 + 16
"""Bytes of a record beside what is in it: its head, its type and its tag."""
_PIECE = 4096
"""How many bytes the library is given at once."""
_EMPTY = 32_000
"""How many bytes may come in which nothing is: the handshake, and a record that has come but for its last piece."""


class CountedTLS(ssl.SSLObject):
    """One end of TLS that counts records: each costs time, however little is in it."""

    came: ssl.MemoryBIO
    """What has come; the library is given one piece of it after the other."""
    given: ssl.MemoryBIO
    records = 0
    """How many have come with something in them."""
    _empty = 0
    """How many bytes the library has taken that hold nothing for us: they may change keys, which costs time."""

    def do_handshake(self) -> None:
        self._feed(super().do_handshake)

    def unwrap(self) -> None:
        self._feed(super().unwrap)

    def read(self, *given: Any) -> bytes:
        found = cast("bytes", self._feed(lambda: super(CountedTLS, self).read(*given)))
        self._empty -= len(found) + _OVERHEAD
        self.records += 1
        return found

    def _feed(self, act: Callable[[], object]) -> object:
        while True:
            try:
                return act()
            except ssl.SSLWantReadError:
                piece = self.came.read(_PIECE)
                if not piece:
                    raise
                self._empty += len(piece)
                # Whoever fills a whole read of the socket with changed keys must not be heard to its end.
                if self._empty > _EMPTY:
                    raise ssl.SSLError("expected data, got other records") from None
                self.given.write(piece)


class _Context(ssl.SSLContext):
    """Makes ends that count."""

    sslobject_class = CountedTLS

    def wrap_bio(self, incoming: ssl.MemoryBIO, *given: Any, **named: Any) -> ssl.SSLObject:
        pieces = ssl.MemoryBIO()
        made = super().wrap_bio(pieces, *given, **named)
        assert isinstance(made, CountedTLS)
        made.came, made.given = incoming, pieces
        return made


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its private key."""

    pem: bytes = field(repr=False)
    """Key and certificate, as they are kept with a match."""
    fingerprint: bytes
    """SHA-256 of the certificate, 32 bytes: the name of every channel to its listener."""

    @staticmethod
    def make() -> Certificate:
        """Return a fresh one."""
        # Who plays against the computer, or is refused, needs none.
        from cryptography import x509
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.x509.oid import NameOID

        key = Ed25519PrivateKey.generate()
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        made = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(_BEGIN)
            .not_valid_after(_END)
            .sign(key, None)
        )
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return Certificate.load(pem + made.public_bytes(serialization.Encoding.PEM))

    @staticmethod
    def load(pem: bytes) -> Certificate:
        """Return one that was kept.

        Raises:
            ValueError: the bytes hold no certificate, or not the key to it.
        """
        from cryptography import x509
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization

        found = x509.load_pem_x509_certificate(pem)
        try:
            key = serialization.load_pem_private_key(pem, None)
            if key.public_key() != found.public_key():
                raise ValueError("expected the key of the certificate, got another one")
        except (TypeError, UnsupportedAlgorithm) as error:
            raise ValueError("expected a key, got none of this program") from error
        return Certificate(pem, fingerprint(found.public_bytes(serialization.Encoding.DER)))

    def context(self) -> ssl.SSLContext:
        """Return the listener's side of TLS 1.3.

        Raises:
            OSError: the system's folder for temporary files cannot be written.
        """
        context = _Context(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        # Nobody comes back with a ticket; each connection is opened anew.
        context.num_tickets = 0
        # The library reads keys from files only; this one is nobody else's to read and gone at once.
        with tempfile.TemporaryDirectory(prefix="storm-p2p-") as folder:
            path = Path(folder) / "key.pem"
            path.touch(mode=0o600)
            path.write_bytes(self.pem)
            context.load_cert_chain(path)
        return context


def caller_context() -> ssl.SSLContext:
    """Return the caller's side of TLS 1.3, which leaves the certificate to the comparison with its hash."""
    context = _Context(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def knock(secret: bytes, certificate: bytes) -> bytes:
    """Return the first 32 bytes that a caller sends: they prove the secret, to the owner of this certificate alone.

    Args:
        secret: of the invite.
        certificate: the fingerprint of the listener's certificate, as the caller sees it.
    """
    return derive(secret, "knock", certificate)
