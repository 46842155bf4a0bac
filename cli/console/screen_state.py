"""Everything that a console shows, what can happen to it, and what it wants done.

All values are frozen.  :mod:`cli.console.reducer` carries the state on, :mod:`cli.console.render` draws it or says what
has changed, and :mod:`cli.console.player` does what the effects ask for.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cli.console.render.board import Marks
from cli.console.replay import Replay
from cli.match.participant import Ending, Remark
from cli.storm.model import Model
from cli.storm.notices import StormNotice
from cli.storm.placing import Placing
from cli.storm.players.player import Past
from cli.storm.preview import Preview, Severity
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Region
from storm_p2p.storm.state import CombatChoice, State
from storm_p2p.storm.units import Unit

NOTHING_MARKED = Marks()

LEAST_COLUMNS = 80
LEAST_ROWS = 24
"""The smallest window; below it the console goes on in plain lines."""


class Page(Enum):
    """What lies over the board; the value is the word that opens it."""

    HELP = "help"
    UNITS = "units"
    TABLE = "table"
    LOG = "log"
    CHAT = "chat"
    NOTES = "notes"
    CARD = "card"
    ANSWER = "answer"
    """The answer to a question that is too long for the lines below the board."""
    RESULT = "result"
    """What a combat round has done; it stays until a key."""
    REPLAY = "replay"
    """The match so far, step by step; it takes the whole window."""
    OVER = "over"
    """How the match ended."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the player wants it."""

    unicode: bool = False
    mouse: bool = True


@dataclass(frozen=True, slots=True)
class LineAnalysis:
    """What the typed line means so far."""

    marks: Marks = NOTHING_MARKED
    lines: tuple[str, ...] = ()
    """What it costs, and what each side learns."""
    preview: Preview | None = None
    """When the line is a whole action that the rules allow."""
    choice: CombatChoice | None = None
    """The maneuver and Energy that are typed."""
    picked: bool = False
    """The line picks own units that can go somewhere, and nothing is missing but where to."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is done only after a yes."""

    then: Effect
    severity: Severity
    lines: tuple[str, ...]
    marks: Marks = NOTHING_MARKED
    """What is marked on the board meanwhile."""
    before: Question | None = None
    """What was asked before, and is asked again after a no."""
    line: str = ""
    """What stood at the prompt before, and stands there again after a no."""


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The whole console."""

    game: Model
    columns: int = LEAST_COLUMNS
    rows: int = LEAST_ROWS
    settings: Settings = Settings()
    plain: bool = False
    """It is said in lines: there are no pages to open, and nothing stands at the prompt."""
    typed: str = ""
    """The line at the prompt."""
    picked: str = ""
    """What of the line the console has put there, for units that were picked or an answer that was clicked."""
    found: LineAnalysis = LineAnalysis()
    page: Page | None = None
    lines: tuple[str, ...] = ()
    """The text of a page whose text is not the model's own."""
    beneath: Page | None = None
    """The chat page while a result, or a look back, lies over it; one comes back to it."""
    aside: str = ""
    """The line of the board while the prompt is that of the chat page, and the other way round."""
    scroll: int = 0
    """Lines of the page that are above its first one; of the log, below its last one."""
    log: tuple[str, ...] = ()
    """The chronicle of the match in lines."""
    unread: int = 0
    """Lines of chat that came while neither page was open, until the player does something with them in view."""
    eye: bool = False
    minimised: bool = False
    """The combat window is hidden."""
    last: Region = 0
    """Where the other side went with its last move; marked on the board while nothing is typed."""
    notice: tuple[str, ...] = ()
    """The answer to the last line."""
    told: tuple[str, ...] = ()
    """A notice that is no answer to what is asked now: it is older, or a word about the match; it stands below that."""
    rejected: str = ""
    """The line that was refused last, as long as nothing else was typed or pressed; Up brings it back."""
    priced: str = ""
    """The line that has asked what units cost, as long as nothing else was typed; their prices are on the board."""
    question: Question | None = None
    placing: Placing | None = None
    """The setup, while it is asked."""
    setups: tuple[tuple[str, Placing], ...] = ()
    """Setups of the own side that were kept, by their names."""
    choice: CombatChoice | None = None
    """The maneuver and Energy of the combat window, while they are asked."""
    replay: Replay | None = None
    """What is looked back at."""
    draft: str = ""
    """What stood at the prompt before."""
    results: tuple[tuple[str, ...], ...] = ()
    """What combat rounds have done, not yet looked at."""
    sent: bool = False
    """An answer was given and has not taken effect yet."""
    given: str = ""
    """The maneuver and Energy that were chosen, in words, until the round is opened."""
    first: bool = True
    """The player has not acted yet in this match."""


# -- what can happen ------------------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision is asked."""

    state: State


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing is asked any longer."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """What had happened before this program started."""

    past: Past
    state: State
    said: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Another console has shown the match so far, and this is what it knew."""

    game: Model


@dataclass(frozen=True, slots=True)
class Happened:
    """One message has done something."""

    events: tuple[ev.Event, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Heard:
    """The opponent has said something; not yet clean."""

    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something has happened beside the board."""

    notice: StormNotice


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over."""

    ending: Ending


@dataclass(frozen=True, slots=True)
class Refused:
    """Something could not be done."""

    sentence: str
    effect: Control | None = None
    """Which control refused, if one did."""


@dataclass(frozen=True, slots=True)
class Done:
    """Something that was wanted is done."""

    effect: Effect
    told_anyway: bool = False
    """What follows will be told by itself."""


Event: TypeAlias = (
    Resized | Typed | Entered | Key | Clicked | Seated | Placed | Rolled | Asked | Settled | Resumed | TakenOver
    | Happened | Heard | Noticed | Ended | Refused | Done
)  # fmt: skip


# -- what is to be done ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Send:
    """Answer with an action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Seal:
    """Answer with a setup."""

    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class KeepSetup:
    """Keep a setup under a name."""

    name: str
    placing: Placing


@dataclass(frozen=True, slots=True)
class KeepNotes:
    """Keep the notes on the match, and what else the player has asked for while it is played, beside it."""


@dataclass(frozen=True, slots=True)
class Control:
    """Use a control of the match: say, resign, draw, accept, decline or leave."""

    word: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class SetLine:
    """Put this at the prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class Ring:
    """Call the player."""

    sentence: str
    """Why."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Draw chance."""


@dataclass(frozen=True, slots=True)
class ChooseLanguage:
    """Speak another language from here on."""

    language: str


@dataclass(frozen=True, slots=True)
class ChangeConsole:
    """Go on at the other console; the sentence says why, where it is worth one."""

    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Say the last lines once more."""


@dataclass(frozen=True, slots=True)
class Close:
    """The end was looked at."""


Effect: TypeAlias = (
    Send | Seal | KeepSetup | KeepNotes | Control | SetLine | Ring | Roll | ChooseLanguage | ChangeConsole | Repeat
    | Close
)  # fmt: skip
Effects: TypeAlias = tuple[Effect, ...]
