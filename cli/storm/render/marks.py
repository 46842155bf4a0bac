"""What is written on the board beside the units."""

from dataclasses import dataclass

from storm_p2p.storm.board import Region


@dataclass(frozen=True, slots=True)
class Marks:
    """What is written on the board beside the units."""

    prices: tuple[tuple[Region, int, int], ...] = ()
    """Region, change of Honor, change of Energy."""
    origin: Region = 0
    """Where the selected units stand."""
    places: tuple[int, ...] = ()
    """Which of the group there are selected."""
    target: Region = 0
    """The region of a combat, or where the typed move goes."""
    eye: bool = False
    """Dim what the opponent does not know."""
    noted: tuple[Region, ...] = ()
    """Regions with a note of the player's."""


NOTHING_MARKED = Marks()
