"""Which code does the cryptography of a check (SPEC.md, section "A second implementation").

Sessions always use the libraries.  Whoever judges a log may ask for the other one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from protocol.crypto import keys
from protocol.crypto.commitments.interface import Scheme
from protocol.crypto.commitments.schemes import scheme_named


class Signatures(Protocol):
    """What checks keys and signatures; :mod:`protocol.crypto.keys` is one."""

    def check_public(self, public: bytes) -> None:
        """Raise BadKey unless 32 bytes are the canonical encoding of a point of prime order."""

    def verify_digest(self, public: bytes, digest: bytes, signature: bytes) -> None:
        """Raise BadKey or BadSignature unless the key has signed the digest."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """The checks of signatures and of schemes."""

    signatures: Signatures
    schemes: Callable[[str], Scheme]
    """Gives the scheme of a name; raises as :func:`protocol.crypto.commitments.schemes.scheme_named`."""


LIBRARIES = Implementation(keys, scheme_named)
"""By OpenSSL and libsodium."""
