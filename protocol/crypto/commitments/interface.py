"""Hidden values: one interface for every way to commit to them (SPEC.md, section "Steps and commitments").

A batch is what one :class:`~protocol.game.Hide` or :class:`~protocol.game.Mix` fixes; its number is that of
its first slot.  The terms of a match name the scheme.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

from protocol.game import Seat, Value

Pair: TypeAlias = tuple[bytes, bytes]
"""The two points of a card in a pile."""

Within: TypeAlias = tuple[Value, tuple[int, ...]]
"""A value and the places in a batch, counted from 0, at one of which it must be."""


class Context(NamedTuple):
    """Where in a match a proof stands; it proves nothing anywhere else."""

    match_id: bytes
    seat: Seat
    head: bytes
    """The hash of the last envelope before the one that carries it; the match id if there is none."""
    serial: int
    """How many requests of the game were answered before."""


@dataclass(frozen=True, slots=True)
class Maker:
    """Who commits: everything that the secrets of one seat are derived from."""

    match_id: bytes
    """The match, so that no commitment means anything in another one."""
    seat: Seat
    """Whose values they are."""
    seed: bytes = field(repr=False)
    """The 32 secret bytes of this match, opened for the audit."""
    aux_rand: bytes = field(default=b"", repr=False)
    """Fresh randomness that goes into what is never opened, beside the seed."""
    nonce: bytes = b""
    """The public nonce of the batch that is made or recovered."""


class SlotToken(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Regrouping:
    """What the owner of a group knows of its tokens and where they go."""

    old: tuple[SlotToken, ...]
    held: tuple[Secret, ...]
    """The secrets of the old tokens, in their order."""
    parts: tuple[tuple[int, ...], ...]
    """For each part the numbers, from 0, of the old tokens whose values go there."""
    barred: tuple[tuple[int, ...], ...]
    """For each part the numbers of those that must not."""


Values: TypeAlias = Sequence[Value]
Tokens: TypeAlias = Sequence[SlotToken]


class Card(NamedTuple):
    """The public side of a card in a pile or a hand."""

    first: bytes
    second: bytes
    locks: tuple[Seat, ...]
    """Whose lock is on it, in ascending order."""


class Piles(Protocol):
    """How piles are made and dealt from; see :mod:`protocol.crypto.piles`."""

    def make_key(self, maker: Maker, context: Context) -> tuple[bytes, bytes]:
        """Return the key of a seat's lock and a proof about it."""

    def key_number(self, seed: bytes, match_id: bytes, seat: Seat) -> int:
        """Return the secret number of a seat's lock."""

    def key_point(self, seed: bytes, match_id: bytes, seat: Seat) -> bytes:
        """Return the key of a seat's lock."""

    def check_key(self, context: Context, point: bytes, proof: bytes) -> None:
        """Check a key; raises BadCommitment."""

    def unlock(self, maker: Maker, context: Context, cards: Sequence[Card]) -> tuple[tuple[bytes, ...], bytes]:
        """Return what takes a seat's lock off cards, and a proof about it."""

    def check_unlock(
        self, context: Context, key: bytes, cards: Sequence[Card], shares: Sequence[bytes], proof: bytes
    ) -> None:
        """Check what takes a seat's lock off cards; raises BadCommitment."""

    def take_off(self, card: Card, share: bytes, seat: Seat) -> Card:
        """Return a card without the lock of a seat."""

    def read(self, card: Card, numbers: dict[Seat, int], faces: frozenset[Value]) -> Value:
        """Return the value of a card; raises BadCommitment."""

    def join_keys(self, keys: Sequence[bytes]) -> bytes:
        """Return the sum of keys."""

    def open_deck(self, faces: Sequence[Value], joint: bytes) -> list[Pair]:
        """Return the pairs of faces that everybody can make."""

    def stir(self, maker: Maker, context: Context, old: Sequence[Pair], joint: bytes) -> tuple[list[Pair], bytes]:
        """Mask and permute pairs, and prove it."""

    def check_stir(
        self, context: Context, old: Sequence[Pair], new: Sequence[Pair], joint: bytes, proof: bytes
    ) -> None:
        """Check a stir; raises BadCommitment."""


class Scheme(Protocol):
    """A way to commit.  Checks raise; nothing returns a bool."""

    @property
    def name(self) -> str:
        """The name in the terms of a match."""

    @property
    def piles(self) -> Piles | None:
        """How piles are made; None where that cannot be, since hashes alone give no hidden deal to two players."""

    def commit(self, maker: Maker, batch: int, values: Values) -> tuple[Secret, ...]:
        """Return commitments to values, in their order, derived from the maker's seed; no two are equal."""

    def hide(
        self, maker: Maker, context: Context, batch: int, values: Values, within: Sequence[Within]
    ) -> tuple[tuple[Secret, ...], bytes]:
        """Commit to values, in their order, and prove what the scheme can prove about them.

        Raises:
            LocalProtocolError: the scheme cannot commit to them.
        """

    def check_hide(
        self, context: Context, tokens: Tokens, values: Values, within: Sequence[Within], proof: bytes
    ) -> None:
        """Check a proof that the tokens hold a permutation of the public values, some of them within some places.

        Raises:
            BadCommitment: the proof does not hold.
        """

    def mix(
        self, maker: Maker, context: Context, batch: int, move: Regrouping
    ) -> tuple[tuple[tuple[Secret, ...], ...], bytes]:
        """Commit afresh to the values of old tokens; each part is sorted by its commitments.

        Raises:
            LocalProtocolError: the scheme cannot commit to them.
        """

    def check_mix(
        self, context: Context, old: Tokens, parts: Sequence[Tokens], barred: Sequence[Sequence[int]], proof: bytes
    ) -> None:
        """Check a proof that new tokens hold the values of the old ones, and each part none that is barred from it.

        Raises:
            BadCommitment: the proof does not hold.
        """

    def locate(self, maker: Maker, context: Context, tokens: Tokens, held: Sequence[Secret], value: Value) -> bytes:
        """Prove what can be proved of one of some tokens holding a value.

        Raises:
            LocalProtocolError: the scheme cannot prove it.
        """

    def check_locate(self, context: Context, tokens: Tokens, value: Value, proof: bytes) -> None:
        """Check a proof that one of some tokens holds a value.

        Raises:
            BadCommitment: the proof does not hold.
        """

    def check_open(self, token: SlotToken, value: Value, opening: bytes) -> None:
        """Check that a token holds the value.

        Raises:
            BadCommitment: it holds another one, or none.
        """
