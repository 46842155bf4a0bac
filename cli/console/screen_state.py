"""Everything that a console shows.

All values are frozen.  :mod:`cli.console.reducer` carries the state on with what happens
(:mod:`cli.console.messages`), :mod:`cli.console.render` draws it or says what has changed, and
:mod:`cli.console.player` does what is wanted (:mod:`cli.console.messages`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cli.console.messages import Severity
from cli.match.player import Next
from cli.storage.home import HINT_SECONDS

if TYPE_CHECKING:
    from cli.console.messages import Effect
    from cli.console.model import Model
    from cli.console.replay import Replay

LEAST_COLUMNS = 80
LEAST_ROWS = 24
"""The smallest window; below it the console goes on in plain lines."""


class Page(Enum):
    """What lies over the board; the value is the word that opens it."""

    HELP = "help"
    UNITS = "units"
    """Everything that is played with."""
    TABLE = "table"
    """What there is to win, and at which price."""
    LOG = "log"
    CHAT = "chat"
    NOTES = "notes"
    CARD = "card"
    """What one of those that are played with can do."""
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

    unicode: bool = True
    mouse: bool = True
    motion: bool = False
    """Moves are seen to happen."""
    hint_seconds: int = HINT_SECONDS
    """How long the computer may think about a hint."""
    guided: bool = False
    """A match against the computer begins with a guide."""


class Preview(Protocol):
    """What an action will cost; a game says more of it to itself."""

    @property
    def severity(self) -> Severity:
        """How loudly is asked about it."""


@dataclass(frozen=True, slots=True)
class LineAnalysis:
    """What the typed line means so far."""

    marks: Any = None
    """What is marked on the board; the game's own."""
    lines: tuple[str, ...] = ()
    """What it costs, and what each side learns."""
    preview: Preview | None = None
    """When the line is a whole action that the rules allow."""
    picked: bool = False
    """The line picks what can go somewhere, and nothing is missing but where to."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word that can come next."""

    word: str
    start: int
    """Where the word that is being typed begins, from the cursor backwards (0 or less)."""
    note: str
    """Its price, or what it is."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is done only after a yes."""

    then: Effect
    severity: Severity
    lines: tuple[str, ...]
    marks: Any = None
    """What is marked on the board meanwhile."""
    before: Question | None = None
    """What was asked before, and is asked again after a no."""
    line: str = ""
    """What stood at the prompt before, and stands there again after a no."""


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The whole console; a game adds to it what it shows of its own."""

    game: Model
    columns: int = LEAST_COLUMNS
    rows: int = LEAST_ROWS
    settings: Settings = Settings()
    plain: bool = False
    """It is said in lines: there are no pages to open, and nothing stands at the prompt."""
    typed: str = ""
    """The line at the prompt."""
    picked: str = ""
    """What of the line the console has put there, for what was picked or an answer that was clicked."""
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
    notice: tuple[str, ...] = ()
    """The answer to the last line."""
    told: tuple[str, ...] = ()
    """A notice that is no answer to what is asked now: it is older, or a word about the match; it stands below that."""
    rejected: str = ""
    """The line that was refused last, as long as nothing else was typed or pressed; Up brings it back."""
    question: Question | None = None
    placing: Any = None
    """The setup, while it is asked."""
    setups: tuple[tuple[str, Any], ...] = ()
    """Setups of the own side that were kept, by their names."""
    replay: Replay | None = None
    """What is looked back at."""
    motion: Any = None
    """What is seen to move on the board, which has got there already in everything but the picture; the game's own."""
    draft: str = ""
    """What stood at the prompt before."""
    results: tuple[tuple[str, ...], ...] = ()
    """What combat rounds have done, not yet looked at."""
    thinking: bool = False
    """The computer thinks about a hint."""
    judging: bool = False
    """The computer judges the decisions of the match that is over, to say so in lines."""
    sent: bool = False
    """An answer was given and has not taken effect yet."""
    first: bool = True
    """The player has not acted yet in this match."""
    next: Next | None = None
    """What was chosen at the end, and takes a moment."""

    @property
    def setting_up(self) -> bool:
        """Whether the setup is asked and not sealed yet."""
        return self.placing is not None and not self.sent

    @property
    def awaited(self) -> bool:
        """Whether an answer of the player is awaited that is not given yet."""
        return (self.game.deciding or self.placing is not None) and not self.sent


S = TypeVar("S", bound=ScreenState)
