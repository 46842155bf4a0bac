"""What a card costs, and what pays for it (F-6.2, F-6.3)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from protocol.game import Seat
from storm_p2p.fight.board import Colour
from storm_p2p.fight.cards import Card, CardSet, Kind
from storm_p2p.fight.rules.abilities import places
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
    if card.kind not in state.cards.cheapened:
        return 0
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
    return _pay(state, seat, card, sorted(hand))


def default_payment(state: State, seat: Seat, card: int, hand: Sequence[int]) -> Payment | None:
    """Return how a card is paid where nobody names what pays; None when it cannot be paid.

    It differs from :func:`first_payment` in the cards: those of one colour pay before heroes of all colours, and cheap
    ones before dear ones; one that could still be played in this turn pays only where no other can.
    """
    cards = state.cards.cards
    rest = sorted(hand, key=lambda one: (cards[one].all_colours, len(cards[one].cost), one))
    payment = _pay(state, seat, card, rest)
    if payment is not None and any(_is_played_next(state, seat, card, one, rest) for one in payment.payers):
        rest = sorted(rest, key=lambda one: _is_played_next(state, seat, card, one, rest))
        payment = _pay(state, seat, card, rest)
    return payment


def _is_played_next(state: State, seat: Seat, card: int, following: int, hand: Sequence[int]) -> bool:
    """Return whether another card could be played after one for which it does not pay."""
    kinds = [state.card(one).kind is Kind.EQUIPMENT for one in (card, following)]
    free = len(places(state, seat, state.card(following).kind)) + (-1 if kinds[0] == kinds[1] else kinds[1])
    payment = _pay(state, seat, card, [one for one in hand if one != following]) if free else None
    if payment is None:
        return False
    left = [one for one in hand if one != card and one not in payment.payers]
    return _pay(state, seat, following, left, payment.markers) is not None


def _pay(state: State, seat: Seat, card: int, hand: Sequence[int], spent: Sequence[int] = ()) -> Payment | None:
    """Return how a card is paid with the first cards of a hand that can, and without the markers that are spent."""
    cards = state.cards.cards
    printed = cards[card]
    number = saved_colours(state, seat, printed)
    for saved in _savings(printed.cost, number) if number else ((),):
        left = [printed.cost.count(colour) - saved.count(colour) for colour in range(len(state.markers))]
        markers = [
            colour
            for colour, holder in enumerate(state.markers)
            if holder == seat and left[colour] and colour not in spent
        ]
        for colour in markers:
            left[colour] -= 1
        wanted = sum(left)
        payers: list[int] = []
        # Trying all sets of cards takes hours for a dear card and a large hand, which a set of one's own may have.  A
        # card of one colour is of use as often as the colour is needed, and then its first ones are; one of all
        # colours always is.
        for one in hand if wanted else ():
            payer = cards[one]
            if one != card and (payer.all_colours or left[payer.colour]):
                if not payer.all_colours:
                    left[payer.colour] -= 1
                payers.append(one)
                if len(payers) == wanted:
                    break
        if len(payers) == wanted:
            return Payment(tuple(payers), tuple(markers), tuple(saved))
    return None


def _savings(cost: Sequence[Colour], number: int) -> Iterator[list[int]]:
    seen = set()
    for several in combinations(cost, number):
        saved = sorted(map(int, several))
        if tuple(saved) not in seen:
            seen.add(tuple(saved))
            yield saved
