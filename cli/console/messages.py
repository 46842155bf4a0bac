"""What a line can mean, what can happen to a console, and what it wants done: all that the reducer takes and gives.

What the match brings is defined in :mod:`cli.match.player`.  Frozen values.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from cli.clean import clean
from cli.language import LANGUAGES
from cli.text import screens
from cli.text.wording import quoted
from cli.vocabulary import ALWAYS, Kind, Vocabulary, split

if TYPE_CHECKING:
    from cli.console.replay import Analysis, Candidate
    from cli.console.screen_state import Model
    from cli.match.player import MatchEvent, Next, Question


@dataclass(frozen=True, slots=True)
class Send:
    """Answer with an action."""

    action: Any
    """What :class:`Act` had."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Answer with a setup."""

    setup: object


@dataclass(frozen=True, slots=True)
class KeepSetup:
    """Keep a setup under a name."""

    name: str
    placing: object


@dataclass(frozen=True, slots=True)
class KeepSetting:
    """Keep a setting for other matches as well."""

    name: str
    """Of a field of the settings and of :class:`cli.storage.home.Preferences`."""
    value: Any


@dataclass(frozen=True, slots=True)
class KeepNotes:
    """Keep the notes on the match, the setup so far, and what else the player has asked for, beside it."""

    same: bool | None = None
    """Whether the words are the same, where the player has just said so: that is kept with the opponent's key."""


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
    urgent: bool = False
    """A person who is not called otherwise hears a bell."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Draw chance for a setup."""

    hint: bool = False
    """Whether it is for one that the computer proposes."""


@dataclass(frozen=True, slots=True)
class AnalyseMatch:
    """Let the computer judge the decisions of the match that is over."""


@dataclass(frozen=True, slots=True)
class Advise:
    """Let the computer think about what is asked."""


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

    next: Next
    """What comes after it."""


Effect: TypeAlias = (
    "Send | Seal | KeepSetup | KeepSetting | KeepNotes | Control | SetLine | Ring | Roll | Advise | AnalyseMatch"
    " | ChooseLanguage | ChangeConsole | Repeat | Close"
)
Effects: TypeAlias = tuple[Effect, ...]


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
class Rolled:
    """Chance for a random setup."""

    seed: int
    hint: bool = False
    """Whether it is for the setup that the computer proposes."""


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
class TakenOver:
    """Another console has shown the match so far, and this is what it knew."""

    model: Model


@dataclass(frozen=True, slots=True)
class Stepped:
    """What is seen to move is a picture further."""


@dataclass(frozen=True, slots=True)
class Slowed:
    """The terminal takes too long for pictures of something that moves."""


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
    "Resized | Typed | Entered | Key | Clicked | Rolled | Advised | Analysed | Settled | TakenOver | Stepped | Slowed"
    " | Refused | Done | MatchEvent | Question"
)


class NotUnderstood(ValueError):
    """A line that means nothing here, or that the rules refuse; the sentence says what was expected."""


class NotYet(NotUnderstood):
    """An answer at a time when none is asked."""


class SubmitMode(Enum):
    """How an action was typed."""

    ASK = ""
    """Ask before a loss."""
    PRICE = "?"
    """Show the price and do nothing."""
    ACCEPT = "!"
    """Accept the cost without a question."""


class Severity(IntEnum):
    """How loudly it asks."""

    FREE = 0
    """Sent at once."""
    ASK = 1
    """Asked once; ``!`` accepts beforehand."""
    WARN = 2
    """Asked with the reason; ``!`` is not enough."""
    LAST = 3
    """The word ``yes`` has to be typed."""


def sent_at_once(severity: Severity, *, accepted: bool, confirms: bool) -> bool:
    """Return whether an action is sent without a question.

    ``accepted`` says that ``!`` was typed, ``confirms`` that the player wants to be asked always.
    """
    return severity <= (Severity.ASK if accepted else Severity.FREE) and (accepted or not confirms)


@dataclass(frozen=True, slots=True)
class Act:
    """An action that the rules allow now."""

    action: Any
    """What the game has read from the line, and gets back."""
    mode: SubmitMode


@dataclass(frozen=True, slots=True)
class Own:
    """A command that only the game knows, such as one of its setup."""

    command: Any
    """What the game has read from the line, and gets back."""


@dataclass(frozen=True, slots=True)
class View:
    """Something to look at; ``what`` is a canonical word."""

    what: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A note of the player on a place of the board; without text it takes the note away."""

    place: int
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """A word about the match itself: draw, accept, decline, resign, bye, mute, breaks and claims."""

    what: str


@dataclass(frozen=True, slots=True)
class Confirm:
    """Whether every action is asked about before it is sent, or only what costs or shows something."""

    always: bool


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


Command: TypeAlias = Act | Own | View | Control | Note | ChooseLanguage | Confirm | Match | Nothing


def split_mode(text: str) -> tuple[str, SubmitMode]:
    """Return a line without the sign at its end, and how it was typed."""
    for mode in (SubmitMode.PRICE, SubmitMode.ACCEPT):
        if text.endswith(mode.value):
            return text.rstrip("?! "), mode
    return text, SubmitMode.ASK


def find_common(words: Vocabulary, line: str, places: Collection[int]) -> Command | None:
    """Return what a line means that is neither of the game nor about the match: talk, a note, a wish; else None.

    What is said or noted keeps the marks and capitals of the line.

    Raises:
        NotUnderstood: with one sentence.
    """
    text = clean(line)
    if text.startswith("/"):
        return Control("say", text[1:].strip())
    first, *rest = split(split_mode(text)[0]) or [""]
    if not first:
        return View("help") if text == "?" else Nothing()
    wanted = " ".join(map(words.find_argument, rest))
    match words.find_verb(first):
        case "say":
            return Control("say", text.partition(" ")[2].strip())
        case "note":
            _, number, noted = [*text.split(None, 2), "", ""][:3]
            if not number.isascii() or not number.isdigit() or int(number) not in places:
                raise NotUnderstood(screens.NOTE_EXPECTED)
            return Note(int(number), noted)
        case "lang":
            if wanted not in LANGUAGES:
                raise NotUnderstood(screens.LANGUAGE)
            return ChooseLanguage(wanted)
        case "confirm":
            if wanted not in ALWAYS:
                raise NotUnderstood(screens.CONFIRM)
            return Confirm(ALWAYS[wanted])
    return None


def find_view(words: Vocabulary, verb: str | None, tokens: Sequence[str]) -> View | Match | None:
    """Return what a command means that only looks or is about the match; None for another one.

    Raises:
        NotUnderstood: more stands behind a word that stands alone.
    """
    if words.kind_of(verb) is Kind.VIEW:
        return View(str(verb), tuple(tokens[1:]))
    if words.kind_of(verb) is not Kind.MATCH:
        return None
    # Whoever says that the words are not the same may say it in several.
    if len(tokens) > 1 and verb != "differ":
        raise NotUnderstood(screens.alone(words.say(str(verb)), " ".join(tokens)))
    return Match(str(verb))


def name_unknown(words: Vocabulary, word: str) -> str:
    """Return that a word is no command, with those that it can be meant for."""
    begun = words.beginning_with(word)
    if len(begun) > 1:
        return screens.which_word(word, map(quoted, begun))
    # A word that is never completed from its beginning is named all the same.
    return screens.unknown(word, begun[0] if begun else words.nearest_word(word))


def name_elsewhere(words: Vocabulary, word: str) -> str | None:
    """Return that a word belongs to the full screen, or to the setup there; None for another word."""
    place = words.console_word(word)
    if place is None:
        return None
    if words.kind_of(place) is Kind.KEPT:
        return screens.of_setup(word)
    return screens.of_full_screen(word, words.say("full"))


def step_of(word: str, count: int) -> int:
    """Return the place of a typed number among so many steps, from 0.

    Raises:
        NotUnderstood: it is none.
    """
    if word.isascii() and word.isdigit() and len(word) < 6 and 1 <= int(word) <= count:
        return int(word) - 1
    raise NotUnderstood(screens.no_step(word, count))
