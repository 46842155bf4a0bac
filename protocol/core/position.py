"""A match between two steps: everything public, nothing secret."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from protocol.crypto.commitments.interface import Card, SlotToken
from protocol.game import Request, Seat, Slot, Value

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Ledger(Mapping[K, T], Generic[K, T]):
    """What is known by slot, or by slot and seat, which only ever grows, since no slot is used twice.

    Adding gives a new ledger that shares what is settled, so that the positions of a long match do not each
    hold a copy of everything.  Whoever settles a ledger makes its entries visible to all that share it.
    """

    __slots__ = ("_added", "_settled")

    def __init__(self, settled: dict[K, T] | None = None, added: dict[K, T] | None = None) -> None:
        """Begin empty, or with what is shared and what is our own."""
        self._settled: dict[K, T] = {} if settled is None else settled
        self._added: dict[K, T] = {} if added is None else added

    def __getitem__(self, slot: K) -> T:
        return self._added[slot] if slot in self._added else self._settled[slot]

    def __contains__(self, slot: object) -> bool:
        return slot in self._added or slot in self._settled

    def __iter__(self) -> Iterator[K]:
        yield from self._settled
        yield from (slot for slot in self._added if slot not in self._settled)

    def __len__(self) -> int:
        return sum(1 for _ in self) if self._added else len(self._settled)

    def plus(self, more: Mapping[K, T]) -> Ledger[K, T]:
        """Return a ledger with more entries."""
        return Ledger(self._settled, {**self._added, **more})

    def settle(self) -> None:
        """Share all entries: the step that added them has been accepted."""
        if self._added:
            self._settled.update(self._added)
            self._added = {}


class Position(NamedTuple):
    """A match between two steps: everything public, nothing secret.

    A NamedTuple, for one is made with every step and a frozen dataclass takes four times as long.
    """

    state: Any
    """The game's public state."""
    request: Request | None
    """What the game wants; None when it is over."""
    serial: int
    """How many requests have been answered; part of every seal."""
    partial: tuple[Any, ...]
    """What has come in for a request that takes several steps: the step of the seat that seals or fixes first, then
    words or shares of the others."""
    tokens: Ledger[Slot, SlotToken]
    """The values that were hidden."""
    opened: Ledger[Slot, Value]
    """Values that everybody knows."""
    tosses: int
    """How many numbers have been tossed."""
    head: bytes
    """The hash of the last envelope; the match id before the first."""
    cards: Ledger[Slot, Card]
    """Cards as they came to lie in a pile or a hand."""
    shares: Ledger[tuple[Slot, Seat], bytes]
    """What takes the lock of a seat off a card.  Older positions share the ledgers, so a card is never changed in its
    slot."""
    keys: tuple[bytes, ...] = ()
    """The keys of all seats' locks; none before the first pile."""
    faces: frozenset[Value] = frozenset()
    """What may lie in piles."""
