"""What a console wants done.  Frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from cli.match.player import Next


@dataclass(frozen=True, slots=True)
class Send:
    """Answer with an action."""

    action: Any


@dataclass(frozen=True, slots=True)
class Seal:
    """Answer with a setup."""

    setup: Any


@dataclass(frozen=True, slots=True)
class KeepSetup:
    """Keep a setup under a name."""

    name: str
    placing: Any


@dataclass(frozen=True, slots=True)
class KeepMotion:
    """Keep whether moves are seen to happen, for other matches as well."""

    motion: bool


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

    next: Next = Next.LEAVE
    """What comes after it."""


Effect: TypeAlias = (
    Send | Seal | KeepSetup | KeepMotion | KeepNotes | Control | SetLine | Ring | Roll | Advise | AnalyseMatch
    | ChooseLanguage | ChangeConsole | Repeat | Close
)  # fmt: skip
Effects: TypeAlias = tuple[Effect, ...]
