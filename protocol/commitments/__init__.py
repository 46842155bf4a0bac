"""Hidden values: one interface for every way to commit to them (SPEC.md, section "Commitments").

A batch is what one :class:`~protocol.game.Hide` or :class:`~protocol.game.Mix` fixes; its number is that of
its first slot.  The terms of a match name the scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from protocol.errors import BadCommitment
from protocol.game import Seat, Value


@dataclass(frozen=True, slots=True)
class Maker:
    """Who commits: everything that the secrets of one seat are derived from."""

    match_id: bytes
    """The match, so that no commitment means anything in another one."""
    seat: Seat
    """Whose values they are."""
    seed: bytes
    """The 32 secret bytes of this match, opened for the audit."""


@dataclass(frozen=True, slots=True)
class Token:
    """The public side of a hidden value."""

    match_id: bytes
    """The match."""
    seat: Seat
    """Whose value it is."""
    batch: int
    """The number of the batch that it was fixed in."""
    commitment: bytes
    """The 32 bytes that fix it."""


@dataclass(frozen=True, slots=True)
class Secret:
    """The owner's side of a hidden value."""

    value: Value
    """What is hidden."""
    opening: bytes
    """The 32 bytes that prove it."""
    commitment: bytes
    """The 32 bytes that fix it."""


class Scheme(Protocol):
    """A way to commit.  Checks raise; nothing returns a bool."""

    @property
    def name(self) -> str:
        """The name in the terms of a match."""

    def hide(self, maker: Maker, batch: int, values: Sequence[Value]) -> tuple[tuple[Secret, ...], bytes]:
        """Commit to values, in their order, and prove what the scheme can prove about them."""

    def check_hide(self, tokens: Sequence[Token], values: Sequence[Value], proof: bytes) -> None:
        """Check a proof that the tokens hold a permutation of the public values.

        Raises:
            BadCommitment: the proof does not hold.
        """

    def mix(
        self, maker: Maker, batch: int, old: Sequence[Token], values: Sequence[Value]
    ) -> tuple[tuple[Secret, ...], bytes]:
        """Commit afresh to the values of old tokens, in a new order, and prove what can be proved."""

    def check_mix(self, old: Sequence[Token], new: Sequence[Token], proof: bytes) -> None:
        """Check a proof that new tokens hold the values of the old ones.

        Raises:
            BadCommitment: the proof does not hold.
        """

    def check_open(self, token: Token, value: Value, opening: bytes) -> None:
        """Check that a token holds the value.

        Raises:
            BadCommitment: it holds another one, or none.
        """

    def recover(self, maker: Maker, tokens: Sequence[Token], values: Sequence[Value]) -> tuple[Secret, ...]:
        """Find the values of a whole batch from its maker's seed and the multiset that it must hold.

        Raises:
            BadCommitment: the batch does not hold these values, or was not derived from the seed.
        """


def scheme_named(name: str) -> Scheme:
    """Return the scheme of a name.

    Raises:
        BadCommitment: there is none.
    """
    # The import stands here because the schemes use the values above.
    from protocol.commitments.hash import HashScheme

    if name != HashScheme.name:
        raise BadCommitment("unknown_scheme", HashScheme.name, ascii(name))
    return HashScheme()


SCHEMES: tuple[str, ...] = ("hash",)
"""The schemes that this program speaks, the best first."""
