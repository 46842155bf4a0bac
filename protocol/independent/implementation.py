"""The second implementation in the form in which the audit takes one."""

from __future__ import annotations

from functools import partial

from protocol.crypto.commitments.schemes import scheme_named
from protocol.crypto.implementation import Implementation
from protocol.independent import proofs, signatures

INDEPENDENT = Implementation(signatures, partial(scheme_named, by=proofs))
"""In plain Python, without any library."""
