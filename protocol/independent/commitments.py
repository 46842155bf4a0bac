"""The commitments of both schemes: tokens and what must hold of a batch of them (SPEC.md, section "Steps")."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from protocol.game import Seat, Value
from protocol.independent import proofs
from protocol.independent.faults import Refused
from protocol.independent.hashes import derive, hash_parts
from protocol.independent.proofs import Context, Tokens, Within


class Batch(NamedTuple):
    """Where a token was given out: it is bound to all of this."""

    match_id: bytes
    seat: Seat
    first: int
    """The number of the first slot of the batch."""


class Scheme(Protocol):
    """How a token hides a value, and what is known of a batch at once."""

    def commit(self, batch: Batch, value: Value, opening: bytes) -> bytes:
        """Return the token that an opening gives a value.

        Raises:
            Refused: ``wrong_opening``: it is no opening.
        """

    def opening(self, seed: bytes, batch: Batch, nonce: bytes, value: Value, copy: int) -> bytes:
        """Return the opening that is derived from a seed for a copy of a value."""

    def check_hide(
        self, context: Context, tokens: Tokens, values: Sequence[Value], within: Sequence[Within], proof: bytes
    ) -> None:
        """Check what can be checked at once of values that are hidden.

        Raises:
            Refused: it does not hold.
        """

    def check_mix(
        self, context: Context, old: Tokens, parts: Sequence[Tokens], barred: Sequence[Sequence[int]], proof: bytes
    ) -> None:
        """Check what can be checked at once of values that are mixed; some old places may be barred from a part.

        Raises:
            Refused: it does not hold.
        """

    def check_locate(self, context: Context, tokens: Sequence[bytes], value: Value, proof: bytes) -> None:
        """Check what can be checked at once of where a value is said to lie.

        Raises:
            Refused: it does not hold.
        """


class HashScheme:
    """A token is a hash, and that a batch holds what it must is shown by the audit."""

    def commit(self, batch: Batch, value: Value, opening: bytes) -> bytes:
        """Return the token that an opening gives a value."""
        return hash_parts("token", *batch, opening, value)

    def opening(self, seed: bytes, batch: Batch, nonce: bytes, value: Value, copy: int) -> bytes:
        """Return the opening that is derived from a seed for a copy of a value."""
        return derive(seed, "token", *batch, nonce, value, copy)

    def check_hide(self, *statement: Any) -> None:
        """Check that no proof is there.

        Raises:
            Refused: ``unwanted_proof``.
        """
        if statement[-1]:
            raise Refused("unwanted_proof")

    check_mix = check_locate = check_hide


class ProvedScheme:
    """A token is a point, and a proof shows at once that a batch holds what it must."""

    def __init__(self) -> None:
        self._checked: dict[Any, str | None] = {}

    def commit(self, batch: Batch, value: Value, opening: bytes) -> bytes:
        """Return the token that an opening gives a value.

        Raises:
            Refused: ``wrong_opening``: it is no scalar from 1 on.
        """
        return proofs.commit(value, opening)

    def opening(self, seed: bytes, batch: Batch, nonce: bytes, value: Value, copy: int) -> bytes:
        """Return the opening that is derived from a seed for a copy of a value."""
        return proofs.opening_of(seed, *batch, nonce, value, copy)

    def check_hide(self, *statement: Any) -> None:
        """Check that tokens are points, and the proof.

        Raises:
            Refused: ``bad_point`` or ``bad_proof``.
        """
        self._check(proofs.check_hide, statement)

    def check_mix(self, *statement: Any) -> None:
        """Check that tokens are points, and the proof.

        Raises:
            Refused: ``bad_point`` or ``bad_proof``.
        """
        self._check(proofs.check_mix, statement)

    def check_locate(self, *statement: Any) -> None:
        """Check the proof.

        Raises:
            Refused: ``bad_proof``.
        """
        self._check(proofs.check_locate, statement)

    def _check(self, check: Callable[..., None], statement: tuple[Any, ...]) -> None:
        # The same proof stands in every log of a match.
        key = (check, statement)
        if key not in self._checked:
            try:
                check(*statement)
                self._checked[key] = None
            except Refused as refused:
                self._checked[key] = refused.code
        code = self._checked[key]
        if code is not None:
            raise Refused(code)


def find_scheme(name: str) -> Scheme | None:
    """Return a scheme; None if it is not known."""
    if name == "hash":
        return HashScheme()
    return ProvedScheme() if name == "proved" else None


def match_values(
    scheme: Scheme, seed: bytes, batch: Batch, nonce: bytes, values: Sequence[Value], tokens: Sequence[bytes]
) -> list[Value] | None:
    """Return which of some values lies under each token of a batch; None if the seed does not give these tokens."""
    found = {}
    for value, copy in _copies(values):
        opening = scheme.opening(seed, batch, nonce, value, copy)
        found[scheme.commit(batch, value, opening)] = value
    if sorted(tokens) != sorted(found):
        return None
    return [found[token] for token in tokens]


def read_values(
    scheme: Scheme, seed: bytes, batch: Batch, nonce: bytes, values: Iterable[Value], tokens: Collection[bytes]
) -> dict[bytes, Value]:
    """Return which of some values the seed shows under which tokens: copies from 0 on, up to the first not there."""
    found = {}
    for value in values:
        for copy in range(len(tokens)):
            token = scheme.commit(batch, value, scheme.opening(seed, batch, nonce, value, copy))
            if token not in tokens:
                break
            found[token] = value
    return found


def _copies(values: Sequence[Value]) -> Iterator[tuple[Value, int]]:
    for value, count in Counter(values).items():
        yield from ((value, copy) for copy in range(count))
