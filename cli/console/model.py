"""What the console knows: a frozen value and the functions that carry it on.  No drawing, no input, no output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cli.clean import clean
from cli.notices import (
    BreakNotice,
    Claimable,
    DrawNotice,
    LineBack,
    LineLost,
    LineTried,
    Passing,
    Quiet,
    RematchFailed,
)
from protocol.core.events import BreakProposed, Claimed, DrawOffered, OtherLeft, RematchDeclined, RematchOffered

if TYPE_CHECKING:
    from cli.console.guest_words import GuestWords
    from cli.match.player import Clocks, Ending, Past, Remark

LONGEST_NOTE = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of the log."""

    turn: int
    events: tuple[Any, ...]
    """What the game tells."""
    before: Any
    """The owner's view before it, or None for the first."""
    after: Any


@dataclass(frozen=True, slots=True)
class Said:
    """A line of chat."""

    mine: bool
    text: str
    """Clean."""


@dataclass(frozen=True, slots=True)
class Word:
    """What the player has said about the match, such as a declined draw."""

    sentence: str


Item: TypeAlias = Entry | Said | Word | Any
"""Anything else is a notice, of every match (:mod:`cli.notices`) or of the game."""


@dataclass(frozen=True, slots=True)
class Model:
    """Everything the console shows; what is Any is the game's own."""

    guest: GuestWords
    """The game."""
    side: Any
    """Of the player."""
    terms: Any
    opponent: str
    """Clean."""
    match: str = ""
    words: str = ""
    log: str = ""
    """Where the match is saved."""
    notes_file: str = ""
    """Where notes are kept, for this program alone and as the system calls it; nowhere when empty."""
    state: Any = None
    """The owner's view; None before the first message."""
    chronicle: tuple[Item, ...] = ()
    """Everything that was told, in its order."""
    notes: tuple[tuple[int, str], ...] = ()
    """What the player has noted on places of the board, clean; the oldest first."""
    guided: bool = False
    """The player is told what matters."""
    compared: bool = False
    """The player has said that both sides show the same words."""
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
    break_offered: bool = False
    """The opponent has proposed a break."""
    claimable: bool = False
    """The player may claim the match."""
    claimed: bool = False
    """The opponent claims the match, and has no answer yet."""
    clocks: Clocks | None = None
    """What the clocks showed when they were last looked at; None in a match without."""
    progress: Any = None
    """The last notice about something that takes both programs long and asks nobody."""
    line_down: bool = False
    """The line to the other side is broken and called again."""
    ending: Ending | None = None
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
    arranged: Any = ()
    """The own setup as far as it is known here, until the state has it."""

    @property
    def turn(self) -> int:
        """The number of the turn; 0 before the first, in the setup."""
        return 0 if self.state is None else self.guest.turn(self.state)

    @property
    def entries(self) -> tuple[Entry, ...]:
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


def resumed(model: M, past: Past, state: Any, said: Sequence[Remark] = ()) -> M:
    """Return the model of a match that goes on, with what had happened and what was said before.

    Of an opponent who is muted still, nothing is shown: it is not known what he had said before he was muted.
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
    """Return the model after a line of chat, which is not yet clean."""
    return replace(model, chronicle=(*model.chronicle, Said(mine, clean(text))))


def happened(model: M, events: tuple[Any, ...], state: Any) -> M:
    """Return the model after a message."""
    turn = model.guest.turn(state if model.state is None else model.state)
    chronicle = model.chronicle
    if events:
        chronicle = (*chronicle, Entry(turn, events, model.state, state))
    if events:
        # The proposal of a break and a claim lapse when the match moves on.
        model = replace(model, break_offered=False, claimable=False, claimed=False)
    return replace(model, state=state, chronicle=chronicle)


def is_news(model: Model, notice: Any) -> bool:
    """Return whether the player need know: before a match has begun a second line is looked for while one serves."""
    return model.state is not None or model.line_down or not isinstance(notice, LineTried | LineBack)


def noticed(model: M, notice: Any) -> M:
    """Return the model after something has happened beside the game."""
    if not isinstance(notice, Passing):
        model = replace(model, chronicle=(*model.chronicle, notice))
    elif isinstance(notice, Quiet):
        return replace(model, progress=notice)
    if isinstance(notice, LineLost | LineBack):
        return replace(model, line_down=isinstance(notice, LineLost), rematch_offered=False, rematch_wanted=False)
    if isinstance(notice, RematchOffered):
        return replace(model, rematch_offered=True)
    if isinstance(notice, RematchDeclined):
        return replace(model, rematch_wanted=False, rematch_refused=True)
    if isinstance(notice, OtherLeft | RematchFailed):
        gone = isinstance(notice, OtherLeft)
        return replace(model, other_left=gone, line_down=not gone, rematch_offered=False, rematch_wanted=False)
    if isinstance(notice, DrawNotice):
        return replace(model, draw_offered=isinstance(notice, DrawOffered))
    if isinstance(notice, BreakNotice):
        return replace(model, break_offered=isinstance(notice, BreakProposed))
    if isinstance(notice, Claimable):
        return replace(model, claimable=True)
    return replace(model, claimed=True) if isinstance(notice, Claimed) else model


def acted(model: M, sentence: str) -> M:
    """Return the model after a word of the player's own about the match, such as a declined draw; nothing adds nothing.

    The log shall tell what both sides have said about the match, not only what the other one has.
    """
    return replace(model, chronicle=(*model.chronicle, Word(sentence))) if sentence else model


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


def answered_break(model: M) -> M:
    """Return the model after the proposal of a break was answered."""
    return replace(model, break_offered=False)


def answered_claim(model: M) -> M:
    """Return the model after the opponent's claim was answered."""
    return replace(model, claimed=False)


def wanted_rematch(model: M) -> M:
    """Return the model after a rematch was offered, or the offer of one was taken."""
    return replace(model, rematch_wanted=True)


def answered_rematch(model: M) -> M:
    """Return the model after the offer of a rematch was declined."""
    return replace(model, rematch_offered=False)


def answered_draw(model: M) -> M:
    """Return the model after the offer of a draw was accepted or declined."""
    return replace(model, draw_offered=False)
