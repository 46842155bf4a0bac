"""The second cryptography in the form in which the first audit takes one."""

from __future__ import annotations

from functools import partial
from typing import Any

from protocol.commitments import scheme_named
from protocol.errors import BadCommitment, BadKey, BadSignature
from protocol.implementation import Implementation
from protocol.independent import proofs, signatures
from protocol.independent.faults import Refused


class _Proofs:
    def __getattr__(self, name: str) -> Any:
        def call(*statement: Any) -> Any:
            try:
                return getattr(proofs, name)(*statement)
            except Refused as refused:
                raise BadCommitment(refused.code, "what holds", "what does not") from None

        return call


class _Signatures:
    def check_public(self, public: bytes) -> None:
        if not signatures.is_key(public):
            raise BadKey("key_point", "a point of prime order", public.hex())

    def verify_digest(self, public: bytes, digest: bytes, signature: bytes) -> None:
        self.check_public(public)
        if not signatures.holds(public, digest, signature):
            raise BadSignature("bad_signature", f"a signature by {public.hex()[:16]}", "another one")


_BY: Any = _Proofs()
INDEPENDENT = Implementation(_Signatures(), partial(scheme_named, by=_BY))
"""In plain Python, without any library."""
