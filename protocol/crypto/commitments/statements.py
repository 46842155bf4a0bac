"""What has to be proved about hidden values (SPEC.md, section "Proofs").

The statement of each step as clauses over the points of its tokens.  Public points only, no secrets.
"""

from collections.abc import Sequence

from protocol.crypto import group
from protocol.crypto.commitments.interface import Context, Within
from protocol.crypto.proofs import Clause, Statement
from protocol.game import Value


def hide(context: Context, tokens: Sequence[bytes], values: Sequence[Value], within: Sequence[Within]) -> Statement:
    """Say that tokens hold a permutation of public values, and some values in some of the tokens."""
    old = tuple(group.generator(value) for value in sorted(values))
    clauses = [*_permutation(old, tokens, [old] * len(tokens))]
    for value, places in within:
        clauses.append(_equal(group.generator(value), [tokens[one] for one in places]))
    return Statement(context, "hide", old, tuple(tokens), tuple(clauses))


def mix(
    context: Context, old: Sequence[bytes], parts: Sequence[Sequence[bytes]], barred: Sequence[Sequence[int]]
) -> Statement:
    """Say that new tokens hold the values of old ones, and that no part holds one that is barred from it."""
    new = [token for part in parts for token in part]
    allowed = [
        tuple(token for number, token in enumerate(old) if number not in out)
        for part, out in zip(parts, barred or [()] * len(parts), strict=True)
        for _ in part
    ]
    return Statement(context, "mix", tuple(old), tuple(new), tuple(_permutation(old, new, allowed)))


def locate(context: Context, tokens: Sequence[bytes], value: Value) -> Statement:
    """Say that one of some tokens holds a value."""
    found = group.generator(value)
    return Statement(context, "locate", (found,), tuple(tokens), (_equal(found, tokens),))


def _permutation(old: Sequence[bytes], new: Sequence[bytes], allowed: Sequence[Sequence[bytes]]) -> list[Clause]:
    # Each new token holds the value of an old one, and both sums are equal: since nobody knows a relation between the
    # generators, every value then occurs as often among the new ones as among the old ones.
    clauses = [tuple(group.subtract(one, other) for other in others) for one, others in zip(new, allowed, strict=True)]
    return [*clauses, (group.subtract(group.total(new), group.total(old)),)]


def _equal(point: bytes, tokens: Sequence[bytes]) -> Clause:
    return tuple(group.subtract(token, point) for token in tokens)
