"""What steps about cards of a pile do (SPEC.md, section "Piles").

Like :mod:`protocol.core.referee`, which asks it, it does not know who "we" are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from protocol.core.position import Position
from protocol.core.steps import PAIR_LENGTH, Stir, Unlock, split_pairs
from protocol.crypto.commitments.interface import Card, Context, Pair, Piles
from protocol.errors import Refused
from protocol.game import Mix, Open, Seat, Slot


def is_pile(position: Position, request: Mix) -> bool:
    """Say whether a Mix is one of cards, and not of the hidden values of one seat."""
    return bool(request.faces) or request.take[0] in position.cards


def is_card(position: Position, request: Open) -> bool:
    """Say whether an Open is one of cards."""
    return request.slots[0] in position.cards


class Dealer(NamedTuple):
    """How cards are mixed and dealt in a match.

    Attributes:
        piles: the cryptography.
        seats: how many seats the match has.
    """

    piles: Piles
    seats: int

    def order(self, position: Position, request: Mix) -> tuple[Seat, ...]:
        """Return who writes the steps of a Mix: before the first pile all keys, then the stirs, the last seat first.

        So the last seat sends its key and its stir together.
        """
        keys = () if position.keys else tuple(range(self.seats))
        return (*keys, *reversed(request.by))

    def wants_key(self, position: Position) -> bool:
        """Say whether the next step of a Mix of cards is a key."""
        return not position.keys and len(position.partial) < self.seats

    def keys(self, position: Position) -> tuple[bytes, ...]:
        """Return the keys of all seats once they are there."""
        return position.keys or position.partial[: self.seats]

    def cards(self, position: Position, slots: Sequence[Slot]) -> list[Card]:
        """Return cards as they are now; a game asks only for cards together that have the same locks."""
        found = []
        for slot in slots:
            card = position.cards[slot]
            for seat in card.locks:
                share = position.shares.get((slot, seat))
                if share is not None:
                    card = self.piles.take_off(card, share, seat)
            found.append(card)
        assert len({card.locks for card in found}) <= 1, "a game must not ask for cards with different locks at once"
        return found

    def before_stir(self, position: Position, request: Mix) -> tuple[list[Pair], bytes, tuple[Seat, ...]]:
        """Return the pairs that are stirred next, the sum of the keys of their locks, and whose locks these are."""
        keys, cards = self.keys(position), self.cards(position, request.take)
        locks = cards[0].locks if cards else tuple(sorted(request.by))
        joint = self.piles.join_keys([keys[seat] for seat in locks])
        if len(position.partial) > (0 if position.keys else self.seats):
            return list(position.partial[-1]), joint, locks
        pairs = [(card.first, card.second) for card in cards]
        return [*pairs, *self.piles.open_deck(request.faces, joint)], joint, locks

    def check_stir(
        self, position: Position, request: Mix, context: Context, step: Stir
    ) -> tuple[tuple[Pair, ...], tuple[Seat, ...]]:
        """Return the new pairs and whose locks are on them.

        Raises:
            Refused: ``wrong_count``.
            BadCommitment: ``bad_point`` or ``bad_proof``.
        """
        old, joint, locks = self.before_stir(position, request)
        if len(step.pairs) != PAIR_LENGTH * len(old):
            raise Refused("wrong_count", f"{len(old)} pairs", f"{len(step.pairs)} bytes")
        new = split_pairs(step.pairs)
        self.piles.check_stir(context, old, new, joint, step.proof)
        return tuple(new), locks

    def check_unlock(
        self, position: Position, slots: Sequence[Slot], context: Context, step: Unlock
    ) -> tuple[list[Card], dict[tuple[Slot, Seat], bytes]]:
        """Return cards without the lock of a seat, and its shares by slot and seat.

        Raises:
            Refused: ``wrong_count``.
            BadCommitment: ``bad_point`` or ``bad_proof``.
        """
        if len(step.shares) != len(slots):
            raise Refused("wrong_count", f"{len(slots)} shares", f"{len(step.shares)}")
        cards, seat = self.cards(position, slots), context.seat
        self.piles.check_unlock(context, position.keys[seat], cards, step.shares, step.proof)
        shares = {(slot, seat): share for slot, share in zip(slots, step.shares, strict=True)}
        return [self.piles.take_off(*each, seat) for each in zip(cards, step.shares, strict=True)], shares
