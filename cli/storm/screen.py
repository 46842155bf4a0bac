"""What the console shows of a match of Storm beside what every game shows."""

from dataclasses import dataclass

from cli.console.screen_state import LineAnalysis, ScreenState
from cli.storm.model import Model
from cli.storm.placing import Placing
from storm_p2p.storm.board import Region
from storm_p2p.storm.state import CombatChoice, Side


@dataclass(frozen=True, slots=True)
class Motion:
    """Units on their way; the board shows them there while everything else has gone on."""

    sides: tuple[Side, Side]
    """Who stands where meanwhile."""
    path: tuple[Region, ...]
    text: str
    """Who moves, in the letters of the board."""
    mine: bool
    at: int = 0
    """So many of :data:`MOTION_STEPS` were seen."""


MOTION_STEPS = 5
"""Pictures of one motion."""


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
    attacks: tuple[tuple[Region, int, int], ...] = ()
    """Regions that would be attacked, by how many and how many are there."""
    noted: tuple[Region, ...] = ()
    """Regions with a note of the player's."""
    motion: Motion | None = None
    """Who is on the way."""


NOTHING_MARKED = Marks()


@dataclass(frozen=True, slots=True)
class TypedLine(LineAnalysis):
    """What the typed line means so far, in Storm."""

    marks: Marks = NOTHING_MARKED
    choice: CombatChoice | None = None
    """The maneuver and Energy that are typed."""


NOTHING_TYPED = TypedLine()


@dataclass(frozen=True, slots=True)
class StormScreen(ScreenState):
    """The whole console of a match of Storm."""

    game: Model
    found: TypedLine = NOTHING_TYPED
    placing: Placing | None = None
    setups: tuple[tuple[str, Placing], ...] = ()
    eye: bool = False
    """What the opponent knows is shown."""
    minimised: bool = False
    """The combat window is hidden."""
    last: Region = 0
    """Where the other side went with its last move; marked on the board while nothing is typed."""
    motion: Motion | None = None
    priced: str = ""
    """The line that has asked what units cost, as long as nothing else was typed; their prices are on the board."""
    choice: CombatChoice | None = None
    """The maneuver and Energy of the combat window, while they are asked."""
    given: str = ""
    """The maneuver and Energy that were chosen, in words, until the round is opened."""
