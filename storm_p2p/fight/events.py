"""What has happened on the board, for people, logs and statistics; no rule reads it."""

from dataclasses import dataclass
from enum import Enum

from protocol.game import Seat


class What(Enum):
    """What an event tells; with the cards and numbers that it names."""

    TURN = "turn"
    """A turn begins; its number."""
    PLAYED = "played"
    """A card came into play, and who paid; the space."""
    RETURNED = "returned"
    """A marker was given back; its colour."""
    TOOK = "took"
    """A marker was taken; its colour, and 1 when it came from the opponent."""
    LEFT_OUT = "left_out"
    """A phase of the first turn; its number."""
    ATTACKED = "attacked"
    """A unit attacked; the attacker, then the unit that was hit; the damage."""
    UNOPPOSED = "unopposed"
    """A unit attacked where nobody stands; the area."""
    DAMAGED = "damaged"
    """An ability hurt a unit; how much."""
    HEALED = "healed"
    """An ability healed a unit; how much."""
    MOVED = "moved"
    """A unit went from a space to another one."""
    SWAPPED = "swapped"
    """Two units changed places."""
    DEFEATED = "defeated"
    """A unit was defeated."""
    DISCARDED = "discarded"
    """A unit or gear came to the discard pile."""
    BOUNCED = "bounced"
    """A unit returned to the hand of its owner."""
    DREW = "drew"
    """How many cards a player drew."""
    LOST = "lost"
    """A card left a hand at random."""
    SCORED = "scored"
    """A point; where the counter stands now."""
    OVER = "over"
    """The game has ended."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that has happened."""

    what: What
    seat: Seat
    """Whose turn, card, unit, hand or point it is."""
    cards: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
