"""The schemes by their names (SPEC.md, section "Steps and commitments")."""

from __future__ import annotations

from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Checker, Scheme
from protocol.crypto.commitments.proved import ProvedScheme
from protocol.errors import BadCommitment

SCHEMES: tuple[str, ...] = ("proved", "hash")
"""The schemes that this program speaks, the best first."""


def scheme_named(name: str, by: Checker | None = None) -> Scheme:
    """Return the scheme of a name.

    Args:
        name: as in the terms.
        by: another implementation of the cryptography for the checks of ``proved``.

    Raises:
        BadCommitment: there is none.
        LocalProtocolError: the library that it needs is too old or does not work.
    """
    match name:
        case ProvedScheme.name:
            return ProvedScheme(by)
        case HashScheme.name:
            return HashScheme()
        case _:
            raise BadCommitment("unknown_scheme", " or ".join(SCHEMES), ascii(name))
