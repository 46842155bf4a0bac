"""What every scheme does with the values of a batch (SPEC.md, section "Steps and commitments")."""

from collections import Counter
from collections.abc import Iterator, Sequence

from protocol.crypto.commitments.interface import Secret, Tokens, Values
from protocol.errors import BadCommitment
from protocol.game import Value


def number_copies(values: Values) -> Iterator[tuple[Value, int]]:
    """Yield each value with the number of its copy, which keeps two equal ones of a batch from looking equal."""
    copies: Counter[Value] = Counter()
    for value in values:
        yield value, copies[value]
        copies[value] += 1


def in_parts(made: Sequence[Secret], parts: Sequence[Sequence[int]]) -> tuple[tuple[Secret, ...], ...]:
    """Split a batch into parts of given sizes, each in the order of its commitments, which tells nothing."""
    left = list(made)
    found = []
    for part in parts:
        mine, left = left[: len(part)], left[len(part) :]
        found.append(tuple(sorted(mine, key=lambda secret: secret.commitment)))
    return tuple(found)


def match_tokens(made: Sequence[Secret], tokens: Tokens) -> tuple[Secret, ...]:
    """Return the secrets of tokens from all those of a batch.

    Raises:
        BadCommitment: a token is none of them.
    """
    by_commitment = {secret.commitment: secret for secret in made}
    found = []
    for token in tokens:
        secret = by_commitment.pop(token.commitment, None)
        if secret is None:
            raise BadCommitment(
                "batch_not_derived",
                f"the values {sorted(one.value for one in made)} in batch {token.batch}",
                f"another one in {token.commitment.hex()}",
            )
        found.append(secret)
    return tuple(found)
