"""What comes after a match, for its player."""

from enum import Enum, auto


class Next(Enum):
    """What comes after a match."""

    LEAVE = auto()
    """Nothing: the program ends, or is where it was before."""
    AGAIN = auto()
    """Another match against the computer, on the same terms."""
    MENU = auto()
