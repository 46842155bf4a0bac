"""What stands at the prompt and below it: the words before the cursor, and what the next keys do."""

from __future__ import annotations

from cli.preview import Grade
from cli.text import screens as words
from cli.tui import asking
from cli.tui.model import Page, Question, Ui
from storm_p2p.state import Phase


def prompt(ui: Ui) -> str:
    """Return the words before the cursor."""
    if ui.page in (Page.RESULT, Page.OVER):
        return words.NEWS
    if ui.page == Page.CHAT:
        return words.PROMPT_CHAT
    if ui.question is None:
        return words.PROMPT
    return words.ASK_YES if ui.question.grade == Grade.LAST else words.ASK[asking.deed(ui.question)]


def hint(ui: Ui) -> str:
    """Return the words below the prompt."""
    if ui.question is not None and ui.page not in (Page.RESULT, Page.OVER, Page.CHAT):
        return _question(ui, ui.question)
    return words.HINTS[kind(ui)]


def _question(ui: Ui, question: Question) -> str:
    """Return what Enter and Escape do while a question is open; it depends on what is typed."""
    typed, deed = ui.typed.strip(), asking.deed(question)
    if asking.agrees(question, typed):
        return words.AGREED[deed]
    if ui.page is not None and not typed:
        return words.HINTS["aside"]
    if question.grade == Grade.LAST:
        return words.HINTS["last"]
    return words.REFUSED[deed] if typed else words.OPEN[deed]


def kind(ui: Ui) -> str:
    """Return which hint stands below the prompt where no question is asked."""
    if ui.page in (Page.RESULT, Page.OVER):
        return "result" if ui.page == Page.RESULT else "over"
    if ui.page == Page.CHAT and ui.rejected:
        return "unsaid"
    if ui.page == Page.CHAT:
        return "saying" if ui.typed.strip() else "chat"
    if ui.page is not None:
        return "page"
    if ui.placing is not None and not ui.sent:
        return "setup"
    if ui.sent or not ui.game.deciding or ui.game.state is None:
        return "waiting"
    if ui.game.state.phase == Phase.FIGHT:
        return "hidden" if ui.minimised else "fight"
    if ui.typed.strip():
        if ui.found.picked:
            return "target" if ui.typed.endswith((" ", ">")) else "pick"
        return "typing"
    return "turn" if ui.game.state.phase == Phase.TURN else "answer"
