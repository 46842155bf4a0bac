"""What a card costs, and what pays for it (F-6.2, F-6.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from protocol.game import Seat
from storm_p2p.fight.board import Colour
from storm_p2p.fight.cards import Card, CardSet
from storm_p2p.fight.rules.values import working
from storm_p2p.fight.state import State


class Payment(NamedTuple):
    """How a card is paid."""

    payers: tuple[int, ...]
    """Cards of the hand."""
    markers: tuple[int, ...]
    saved: tuple[int, ...]
    """Colours that ``cheaper`` saves."""


def saved_colours(state: State, seat: Seat, card: Card) -> int:
    """Return how many colours of a card's cost are saved now (B-37)."""
    cheaper = sum(one.n for one, owner, _ in working(state, "cheaper") if owner == seat and one.kind == card.kind)
    return min(cheaper, len(card.cost))


def pays(cards: CardSet, needed: Sequence[Colour], payers: Sequence[int]) -> bool:
    """Return whether cards pay a list of colours exactly, one card for each (B-11)."""
    if len(payers) != len(needed):
        return False
    # A multi-coloured card takes what is left (F-4.2), so only the others can be too many.
    plain = Counter(cards.cards[payer].colour for payer in payers if not cards.cards[payer].all_colours)
    return plain <= Counter(needed)


def without(cost: Sequence[Colour], less: Sequence[int]) -> list[Colour] | None:
    """Return what is left of a cost when colours are taken from it, or None when they are not all in it."""
    left = list(cost)
    for colour in less:
        if colour not in left:
            return None
        left.remove(Colour(colour))
    return left


def first_payment(state: State, seat: Seat, card: int, hand: Sequence[int]) -> Payment | None:
    """Return how a card can be paid; None when it cannot.

    Of several payments it is the one that interfaces of programs name (docs/cli.md): the saved colours that come first
    in the printed cost and leave something payable; then of each colour needed the own marker; then of the sets of
    cards that pay the rest the one whose ascending list comes first.
    """
    printed = state.card(card)
    for saved in _savings(printed.cost, saved_colours(state, seat, printed)):
        needed = without(printed.cost, saved)
        assert needed is not None
        markers = [colour for colour in Colour if colour in needed and state.markers[colour] == seat]
        rest = without(needed, markers)
        assert rest is not None
        payers = _first_payers(state.cards, rest, sorted(one for one in hand if one != card))
        if payers is not None:
            return Payment(payers, tuple(map(int, markers)), tuple(saved))
    return None


def _first_payers(cards: CardSet, needed: Sequence[Colour], hand: Sequence[int]) -> tuple[int, ...] | None:
    """Return of the sets of cards of an ascending hand that pay some colours the one whose list comes first.

    Trying all of them takes hours for a dear card and a large hand, which a set of one's own may have.
    """
    # A card of one colour is of use as often as the colour is needed, and then its first ones are; one of all colours
    # always is.
    left = Counter(needed)
    useful = []
    for one in hand:
        if not cards.cards[one].all_colours:
            if not left[cards.cards[one].colour]:
                continue
            left[cards.cards[one].colour] -= 1
        useful.append(one)
    payers = tuple(useful[: len(needed)])
    return payers if len(payers) == len(needed) else None


def _savings(cost: Sequence[Colour], number: int) -> Iterator[list[int]]:
    seen = set()
    for places in combinations(range(len(cost)), number):
        saved = sorted(int(cost[place]) for place in places)
        if tuple(saved) not in seen:
            seen.add(tuple(saved))
            yield saved
