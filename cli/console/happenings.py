"""What can happen to a console: what the person does, and what the match brings.  Frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from cli.console.advice import Candidate
    from cli.console.analysis import Analysis
    from cli.console.effects import AnalyseMatch, Control, Effect
    from cli.console.model import Model
    from cli.match.player import Ending, Past, Remark


@dataclass(frozen=True, slots=True)
class Resized:
    """The window has another size."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Typed:
    """The line at the prompt has changed."""

    text: str
    by_hand: bool = True
    """The player has changed it; False when the console has put it there."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A line was finished."""

    text: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key that is no text, by its name: ``f1``, ``escape``, ``up``, ``pageup``; ``any`` goes on."""

    name: str


@dataclass(frozen=True, slots=True)
class Clicked:
    """Something on the screen was clicked; ``what`` is that of a :class:`Zone`."""

    what: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Seated:
    """The match begins, or goes on in this program."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The setup is asked."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """Chance for a random setup."""

    seed: int
    hint: bool = False
    """Whether it is for the setup that the computer proposes."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision is asked."""

    state: Any


@dataclass(frozen=True, slots=True)
class Advised:
    """The computer has thought about what is asked."""

    found: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Analysed:
    """The computer has judged the decisions of the match so far."""

    found: Analysis


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing is asked any longer."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """What had happened before this program started."""

    past: Past
    state: Any
    said: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Another console has shown the match so far, and this is what it knew."""

    game: Model


@dataclass(frozen=True, slots=True)
class Happened:
    """One message has done something."""

    events: tuple[Any, ...]
    state: Any


@dataclass(frozen=True, slots=True)
class Stepped:
    """What is seen to move is a step further."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The opponent has said something; not yet clean."""

    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something has happened beside the game."""

    notice: Any


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over."""

    ending: Ending


@dataclass(frozen=True, slots=True)
class Refused:
    """Something could not be done."""

    sentence: str
    effect: Control | AnalyseMatch | None = None
    """Which one, if it was a control or the analysis."""


@dataclass(frozen=True, slots=True)
class Done:
    """Something that was wanted is done."""

    effect: Effect
    told_anyway: bool = False
    """What follows will be told by itself."""


Event: TypeAlias = (
    Resized | Typed | Entered | Key | Clicked | Seated | Placed | Rolled | Asked | Advised | Analysed | Settled
    | Resumed | TakenOver | Happened | Stepped | Heard | Noticed | Ended | Refused | Done
)  # fmt: skip
