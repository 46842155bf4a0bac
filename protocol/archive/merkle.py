"""The root of a Merkle tree, hashed as RFC 9162, section 2.1.1, says (SPEC.md, section "Manifest")."""

import hashlib
from collections.abc import Iterable


def hash_leaf(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def merkle_root(leaves: Iterable[bytes]) -> bytes:
    """Return the root over the hashes of some leaves in their order; that over none is the hash of nothing."""
    # The roots of full subtrees, from the left, with their sizes: each is smaller than the one before.
    held: list[tuple[int, bytes]] = []
    for node in leaves:
        size = 1
        while held and held[-1][0] == size:
            size, node = 2 * size, _join(held.pop()[1], node)
        held.append((size, node))
    if not held:
        return hashlib.sha256().digest()
    _, root = held.pop()
    while held:
        root = _join(held.pop()[1], root)
    return root


def _join(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
