"""The schemes by their names (SPEC.md, section "Steps and commitments")."""

from protocol.crypto.commitments.interface import Scheme
from protocol.errors import BadCommitment

SCHEMES: tuple[str, ...] = ("proved", "hash")
"""The schemes that this program speaks, the best first."""


def find_scheme(name: str) -> Scheme:
    """Return the scheme of a name.

    Args:
        name: as in the terms.

    Raises:
        BadCommitment: there is none.
        LocalProtocolError: the library that it needs is too old or does not work.
    """
    # Only one of them needs a library.
    match name:
        case "proved":
            from protocol.crypto.commitments.proved import ProvedScheme

            return ProvedScheme()
        case "hash":
            from protocol.crypto.commitments.hash import HashScheme

            return HashScheme()
        case _:
            raise BadCommitment("unknown_scheme", " or ".join(SCHEMES), "another")
