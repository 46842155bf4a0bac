"""Questions before something is done: only a yes does it, and everything else loses nothing."""

from collections.abc import Iterable
from dataclasses import replace

from cli.console.guest import guest_of
from cli.console.messages import Control, Effect, Effects, Seal, Send, SetLine, Severity
from cli.console.screen_state import Page, Question, S, ScreenState
from cli.text import screens
from cli.vocabulary import NO, YES

_WHOLE = frozenset(word for word in YES if len(word) > 1)
"""What has to be typed where the match can be lost: the whole word."""


def ask(ui: S, then: Effect, severity: Severity, lines: Iterable[str]) -> tuple[S, Effects]:
    """Return the model with a question above the board; nothing is done before a yes."""
    question = Question(then, severity, tuple(lines), guest_of(ui).read(ui).found.marks)
    return replace(without_page(ui), question=question, notice=()), (SetLine(""),)


def agrees(question: Question, line: str) -> bool:
    """Return whether a line says yes to a question."""
    return line.strip().lower() in (_WHOLE if question.severity == Severity.LAST else YES)


def is_answer(line: str) -> bool:
    """Return whether a line is a yes or a no, and nothing else."""
    return line.strip().lower() in YES | NO


def deed(question: Question) -> str:
    """Return what a yes does, as its words are found in :mod:`cli.text.screens`: leave, seal or send."""
    if question.then == Control("leave"):
        return "leave"
    return "seal" if isinstance(question.then, Seal) else "send"


def answer(ui: S, line: str) -> tuple[S, Effects]:
    """Return what a line does while a question is open: only a yes does anything."""
    question = ui.question
    assert question is not None
    if ui.page is not None and not line.strip():
        # A page that was opened meanwhile is left first, as it is elsewhere; the question waits below it.
        return without_page(ui), ()
    if guest_of(ui).words.exact.get(line.strip().lower(), line.strip()) in ("help", "?"):
        # Whoever does not know what is asked has not answered it.
        return replace(ui, notice=(str(screens.EXPLAINED),)), ()
    if not agrees(question, line):
        return refuse(ui)
    return do(replace(ui, question=None), question.then)


def refuse(ui: S) -> tuple[S, Effects]:
    """Return the model after a no; what was asked before is asked again, with the line that was typed there."""
    question = ui.question
    assert question is not None
    # A question that comes back says enough.
    notice = () if question.before is not None else (str(screens.DEEDS[deed(question)]["refusal"]),)
    return replace(without_page(ui), question=question.before, notice=notice), (SetLine(question.line),)


def about_the_match(question: Question | None) -> Question | None:
    """Return what stays of an open question when nothing is asked of the player: what is about the match itself."""
    if question is None:
        return None
    before = about_the_match(question.before)
    return replace(question, before=before) if isinstance(question.then, Control) else before


def do(ui: S, effect: Effect) -> tuple[S, Effects]:
    """Return the model after something is done that needs no further yes, and what is to be done."""
    if isinstance(effect, Send | Seal):
        first = ui.first and isinstance(effect, Seal)
        ui = replace(guest_of(ui).give(ui, effect), sent=True, notice=(), first=first, page=None)
    return ui, (effect, SetLine(""))


def offer(ui: S, line: str) -> tuple[S, Effects]:
    """Return the model with a line at the prompt that the console has made, to be gone on from."""
    return replace(ui, picked=line), (SetLine(line),)


def without_page(ui: S) -> S:
    """Return the model without a page over the board."""
    return replace(ui, page=None, beneath=None, lines=(), scroll=0)


def is_chatting(ui: ScreenState) -> bool:
    """Return whether the prompt is that of the chat; what lies over it for a moment changes nothing."""
    return ui.page == Page.CHAT or (ui.page in (Page.RESULT, Page.OVER, Page.REPLAY) and ui.beneath == Page.CHAT)
