"""What a seat knows of a game: the public state with the names of the cards that it has seen."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.game import Known, Seat
from storm_p2p.fight.cards import Card, CardSet
from storm_p2p.fight.state import Entry, State


@dataclass(frozen=True, slots=True)
class View:
    """A game as somebody sees it."""

    state: State
    names: Known
    """The cards of hidden slots."""

    @property
    def cards(self) -> CardSet:
        """The set of cards."""
        return self.state.cards

    def card(self, number: int) -> Card:
        """Return what is printed on a card."""
        return self.state.card(number)

    def name(self, entry: Entry) -> int | None:
        """Return the card of an entry of a hand; None when it is not known."""
        return -1 - entry if entry < 0 else self.names.get(entry)

    def hand(self, seat: Seat) -> list[int | None]:
        """Return the cards of a hand in their order; None for one that is not known."""
        return [self.name(entry) for entry in self.state.hands[seat]]

    def known_hand(self, seat: Seat) -> dict[int, Entry]:
        """Return the known cards of a hand, each with its entry."""
        found = ((self.name(entry), entry) for entry in self.state.hands[seat])
        return {card: entry for card, entry in found if card is not None}
