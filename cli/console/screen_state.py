"""What a console knows of a match, and everything that it shows.

All values are frozen.  :mod:`cli.console.reducer` carries the state on with what happens, :mod:`cli.console.render`
draws it or says what has changed, and :mod:`cli.console.player` does what is wanted (:mod:`cli.console.messages`).

What a player keeps of one match, such as notes, is a small file beside the match's journal, never in the log and never
on the wire.  A file that cannot be read counts as none and is left alone; it moves aside before another one is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeAlias, TypeVar

from cli.clean import clean
from cli.console.messages import Severity
from cli.storage import home
from cli.storage.home import HINT_SECONDS
from protocol.record.files import change_file, write_file

if TYPE_CHECKING:
    from cli.console.guest import AnyConsole
    from cli.console.messages import Effect
    from cli.console.replay import Analysis, Replay
    from cli.match.player import Clocks, Ending, Next, Past, Remark


LONGEST_NOTE = 60


Seen = TypeVar("Seen")
Happening = TypeVar("Happening")


@dataclass(frozen=True, slots=True)
class Entry(Generic[Seen, Happening]):
    """One message of the log."""

    turn: int
    events: tuple[Happening, ...]
    """What the game tells."""
    before: Seen | None
    """The owner's view before it, or None for the first."""
    after: Seen


MOST_SAID: Final = 6000
"""So many lines of chat are kept: all that a match can have, and 2000 of those after it, which never end."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat."""

    mine: bool
    text: str
    """Clean."""


AnyEntry: TypeAlias = Entry[Any, Any]
"""Of whichever game is played: its model hands them back to it, and looks into none."""
Item: TypeAlias = AnyEntry | Said | str | object
"""A sentence is what the player has said about the match, such as a declined draw; anything else is a notice, of every
match (:mod:`cli.notices`) or of the game."""


@dataclass(frozen=True, slots=True)
class Model:
    """Everything the console shows; a game narrows the types of what is its own."""

    guest: AnyConsole
    """The game."""
    side: object
    """Of the player."""
    terms: object
    opponent: str
    """Clean."""
    match: str = ""
    words: str = ""
    notes_file: str = ""
    """Where notes are kept, for this program alone and as the system calls it; nowhere when empty."""
    state: object = None
    """The owner's view; None before the first message."""
    chronicle: tuple[Item, ...] = ()
    """Everything that was told, in its order."""
    notes: tuple[tuple[int, str], ...] = ()
    """What the player has noted on places of the board, clean; the oldest first."""
    guided: bool = False
    """The player is told what matters."""
    person: tuple[str, bytes] = ("", b"")
    """What the opponent calls themselves, not yet clean, and their identity key."""
    compared: bool = False
    """The player has said that both sides show the same words, in this match or in an earlier one with this key."""
    differs: bool = False
    """The player has said that the words are others."""
    muted: bool = False
    """What the opponent says is not shown."""
    confirms: bool = False
    """Every action is asked about before it is sent, also what is free and shows nothing."""
    draw_offered: bool = False
    """The opponent has offered a draw."""
    computer: bool = False
    """The opponent is the computer of this machine, which answers at once."""
    aids: bool = False
    """The player may ask the computer for a hint: both have agreed to it, or nobody but the computer is there."""
    watched: int | None = None
    """How many seconds late others may watch the match; None: nobody may."""
    break_offered: bool = False
    """The opponent has proposed a break."""
    claimable: bool = False
    """The player may claim the match."""
    claimed: bool = False
    """The opponent claims the match, and has no answer yet."""
    clocks: Clocks | None = None
    """What the clocks showed when they were last looked at; None in a match without."""
    progress: object = None
    """The last notice about something that takes both programs long and asks nobody."""
    line_down: bool = False
    """The line to the other side is broken and called again."""
    ending: Ending | None = None
    next_game: str = ""
    """Which game of their tournament the two may play next over the same line; nothing if there is none."""
    rematch_offered: bool = False
    """The opponent offers a rematch."""
    rematch_wanted: bool = False
    """The player offers one."""
    rematch_refused: bool = False
    """The opponent has declined one."""
    other_left: bool = False
    """The opponent has hung up after the match."""
    deciding: bool = False
    """An answer of this player is awaited."""
    arranged: object = ()
    """The own setup as far as it is known here, until the state has it."""

    @property
    def turn(self) -> int:
        """The number of the turn; 0 before the first, in the setup."""
        return 0 if self.state is None else self.guest.turn(self.state)

    @property
    def entries(self) -> tuple[AnyEntry, ...]:
        """What the messages have done, in order."""
        return tuple(item for item in self.chronicle if isinstance(item, Entry))

    @property
    def chat(self) -> tuple[Said, ...]:
        """The lines of chat, in order."""
        return tuple(item for item in self.chronicle if isinstance(item, Said))


M = TypeVar("M", bound=Model)


def is_preparing(model: Model) -> bool:
    """Return whether both programs are at something that asks nobody before the first turn."""
    return model.progress is not None and model.ending is None and not model.turn


def tell_progress(model: Model) -> tuple[str, ...]:
    """Return how far that is, or nothing."""
    return (model.guest.say(model, model.progress),) if is_preparing(model) else ()


def resumed(model: M, past: Past, state: object, said: Sequence[Remark] = ()) -> M:
    """Return the model of a match that goes on, with what had happened and what was said before.

    Of an opponent who is muted still, nothing is shown: it is not known what they had said before they were muted.
    """
    said = [remark for remark in said if remark.mine or not model.muted]
    for number, (events, after) in enumerate(past):
        model = _remember(model, (remark for remark in said if remark.after == number))
        model = happened(model, events, after)
    model = _remember(model, (remark for remark in said if remark.after >= len(past)))
    return replace(model, state=state)


def _remember(model: M, said: Iterable[Remark]) -> M:
    for remark in said:
        model = spoken(model, remark.text, mine=remark.mine)
    return model


def spoken(model: M, text: str, *, mine: bool) -> M:
    """Return the model after a line of chat, which is not yet clean; of too many the first one goes."""
    chronicle = model.chronicle
    if len(chronicle) >= MOST_SAID and len(model.chat) >= MOST_SAID:
        first = next(at for at, item in enumerate(chronicle) if isinstance(item, Said))
        chronicle = (*chronicle[:first], *chronicle[first + 1 :])
    return replace(model, chronicle=(*chronicle, Said(mine, clean(text))))


def happened(model: M, events: tuple[object, ...], state: object) -> M:
    """Return the model after a message."""
    turn = model.guest.turn(state if model.state is None else model.state)
    chronicle = model.chronicle
    if events:
        chronicle = (*chronicle, Entry(turn, events, model.state, state))
        # Offers, the proposal of a break and a claim lapse when the match moves on.
        model = replace(model, draw_offered=False, break_offered=False, claimable=False, claimed=False)
    return replace(model, state=state, chronicle=chronicle)


def acted(model: M, sentence: str) -> M:
    """Return the model after a word of the player's own about the match, such as a declined draw; nothing adds nothing.

    The log shall tell what both sides have said about the match, not only what the other one has.
    """
    return replace(model, chronicle=(*model.chronicle, sentence)) if sentence else model


def noted(model: M, place: int, text: str) -> M:
    """Return the model with a note on a place, or without it when there is no text."""
    kept = tuple(note for note in model.notes if note[0] != place)
    text = clean(text, LONGEST_NOTE)
    return replace(model, notes=(*kept, (place, text)) if text else kept)


def note_on(model: Model, place: int) -> str:
    """Return the note on a place, or nothing."""
    return dict(model.notes).get(place, "")


def clocked(model: M, clocks: Clocks | None) -> M:
    """Return the model after a look at the clocks."""
    return model if model.clocks == clocks else replace(model, clocks=clocks)


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


LINES: Final = "lines"
"""The theme of a board in lines and tints, which every terminal can show."""
THEMES: Final = ("dark", "light", "contrast", LINES)
"""The colours of the board; all but the last one are drawn in half blocks, with 256 colours or more."""


PICTURES_A_SECOND: Final = 12
"""Of what is seen to move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Something that is seen to move, and has got there already in everything but the picture; a game says what."""

    pictures: int
    """So many show it."""
    at: int = 0
    """So many of them were seen."""
    page: Page | None = None
    """Over which page it is seen: the one that tells what comes of it."""

    @property
    def next(self) -> Self | None:
        """The same a picture further; None at its end."""
        return replace(self, at=self.at + 1) if self.at + 1 < self.pictures else None


@dataclass(frozen=True, slots=True)
class Settings:
    """How the player wants it."""

    unicode: bool = True
    mouse: bool = True
    motion: bool = False
    """Moves are seen to happen."""
    theme: str = LINES
    """One of :data:`THEMES`."""
    colourful: bool = False
    """The terminal can show all of them."""
    hint_seconds: int = HINT_SECONDS
    """How long the computer may think about a hint."""
    guided: bool = False
    """A match against the computer begins with a guide."""


@dataclass(frozen=True, slots=True)
class LineAnalysis:
    """What the typed line means so far."""

    marks: object = None
    """What is marked on the board; the game's own."""
    lines: tuple[str, ...] = ()
    """What it costs, and what each side learns."""
    severity: Severity | None = None
    """How loudly is asked about it, when the line is a whole action that the rules allow."""
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
    marks: object = None
    """What is marked on the board meanwhile."""
    before: Question | None = None
    """What was asked before, and is asked again after a no."""
    line: str = ""
    """What stood at the prompt before, and stands there again after a no."""


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The whole console; a game adds to it what it shows of its own."""

    match: Model
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
    placing: object = None
    """The setup, while it is asked."""
    setups: tuple[tuple[str, object], ...] = ()
    """Setups of the own side that were kept, by their names."""
    replay: Replay | None = None
    """What is looked back at."""
    motion: Motion | None = None
    draft: str = ""
    """What stood at the prompt before."""
    results: tuple[tuple[str, ...], ...] = ()
    """What combat rounds have done, not yet looked at."""
    thinking: bool = False
    """The computer thinks about a hint."""
    judged: Analysis | None = None
    """What the computer thinks of the match that is over, for its end; not complete while it thinks."""
    sent: bool = False
    """An answer was given and has not taken effect yet."""
    first: bool = True
    """The player has not acted yet in this match."""
    again: bool = False
    """The match goes on here, and nothing has happened in it since."""
    next: Next | None = None
    """What was chosen at the end, and takes a moment."""

    @property
    def moving(self) -> Motion | None:
        """What is seen to move now, unless something lies over it."""
        seen = self.motion
        return seen if seen is not None and seen.page is self.page else None

    @property
    def revealing(self) -> bool:
        """Whether it is seen over the page that tells what comes of it, so that nothing else may tell it."""
        return self.page is not None and self.moving is not None

    @property
    def setting_up(self) -> bool:
        """Whether the setup is asked and not sealed yet."""
        return self.placing is not None and not self.sent

    @property
    def awaited(self) -> bool:
        """Whether an answer of the player is awaited that is not given yet."""
        return (self.match.deciding or self.placing is not None) and not self.sent


S = TypeVar("S", bound=ScreenState)


FORMAT: Final = 1
_SAID: Final = ("muted", "confirms", "compared", "differs", "guided")
"""What the player has said once for the whole match."""


def recalled(model: M) -> M:
    """Return the model of a match that begins or goes on here, with what was kept; all of it is cleaned."""
    found = _read(home.read_value(Path(model.notes_file))) if model.notes_file else None
    if found is None:
        return model
    for note in found["notes"]:
        place, text = (note.get("region"), note.get("text")) if isinstance(note, dict) else (None, None)
        if type(place) is int and place in model.guest.places and isinstance(text, str):
            model = noted(model, place, text)
    said: dict[str, Any] = {name: found.get(name) is True for name in _SAID}
    return replace(model, arranged=model.guest.recall_setup(model.side, found.get("setup")), **said)


def keep(model: Model) -> None:
    """Keep the notes of a match, its setup as far as it is placed, and what the player has said once for all of it.

    Raises:
        OSError: they cannot be written; what was kept before is there.
    """
    if not model.notes_file:
        return
    path = Path(model.notes_file)
    value = {
        "version": FORMAT,
        "notes": [{"region": place, "text": text} for place, text in model.notes],
        "setup": model.arranged,
        **{name: getattr(model, name) for name in _SAID},
    }

    def write(data: bytes | None) -> bytes:
        if data is not None and _read(home.parse_value(data)) is None:
            write_file(path.with_name(path.name + home.UNREAD), data, private=True)
        return home.dump_value(value)

    change_file(path, write)


def forget_setup(path: Path) -> None:
    """Keep no longer how far the setup of a match was placed; all other notes stay.

    Raises:
        OSError: the file cannot be written.
    """

    def drop(found: object) -> object:
        kept = _read(found)
        return {**kept, "setup": ()} if kept is not None and kept.get("setup") else None

    home.change_value(path, drop)


def _read(found: Any) -> dict[str, Any] | None:
    """Return what a file holds, which anybody may have written, or None when that is nothing of this kind."""
    sound = isinstance(found, dict) and found.get("version") == FORMAT and isinstance(found.get("notes"), list)
    return found if sound else None
