"""What stands at the prompt and below it: the words before the cursor, and what the next keys do."""

from __future__ import annotations

from cli import words as words_typed
from cli.console.input import asking
from cli.console.input.grammar import SubmitMode
from cli.console.screen_state import Page, Question, ScreenState
from cli.storm.placing import Placing
from cli.storm.preview import Severity, sent_at_once
from cli.text import screens as words
from storm_p2p.storm.state import Phase

_GAP = "   "


def prompt(ui: ScreenState) -> str:
    """Return the words before the cursor."""
    if ui.page in (Page.RESULT, Page.OVER):
        return str(words.NEWS if ui.page == Page.RESULT else words.THE_END)
    if ui.page == Page.CHAT:
        return str(words.PROMPT_CHAT)
    if ui.question is None:
        return words.PROMPT
    return str(words.ASK_YES if ui.question.severity == Severity.LAST else words.ASK[asking.deed(ui.question)])


def hint(ui: ScreenState) -> str:
    """Return the words below the prompt."""
    if ui.question is not None and ui.page not in (Page.RESULT, Page.OVER, Page.CHAT):
        return _question(ui, ui.question)
    return str(words.HINTS[kind(ui)])


def _question(ui: ScreenState, question: Question) -> str:
    """Return what Enter and Escape do while a question is open; it depends on what is typed."""
    typed, deed = ui.typed.strip(), asking.deed(question)
    if ui.page is not None and not typed:
        return str(words.HINTS["aside"])
    if asking.agrees(question, typed):
        return _GAP.join((str(words.AGREED[deed]), str(words.ESCAPES[deed if ui.page is None else "page"])))
    if ui.page is not None:
        return _GAP.join((str(words.DECLINED[deed]), str(words.ESCAPES["page"])))
    if question.severity == Severity.LAST:
        return str(words.HINTS["last"])
    return str(words.REFUSED[deed] if typed else words.OPEN[deed])


def kind(ui: ScreenState) -> str:
    """Return which hint stands below the prompt where no question is asked."""
    if ui.page in (Page.RESULT, Page.OVER):
        return "result" if ui.page == Page.RESULT else "over"
    if ui.page == Page.CHAT and ui.rejected:
        return "unsaid"
    if ui.page == Page.CHAT:
        return "saying" if ui.typed.strip() else "chat"
    if ui.page is not None and not ui.typed.strip():
        return "page"
    if ui.placing is not None and not ui.sent:
        return _setup(ui.placing, ui.typed.strip())
    if ui.sent or not ui.game.deciding or ui.game.state is None:
        return "waiting"
    if ui.typed.strip():
        return _typing(ui)
    if ui.game.state.phase == Phase.FIGHT:
        return "hidden" if ui.minimised else "fight"
    return "turn" if ui.game.state.phase == Phase.TURN else "answer"


def _setup(placed: Placing, line: str) -> str:
    """Return which hint stands below the setup."""
    first, *rest = line.rstrip("!? ").lower().split() or [""]
    if placed.free or rest or words_typed.find_verb(first) != "seal":
        return "setup"
    return "sealed" if line.endswith(SubmitMode.ACCEPT.value) else "sealing"


def _typing(ui: ScreenState) -> str:
    """Return which hint stands below a line that is typed where an answer is awaited; Enter does just that."""
    found, line = ui.found, ui.typed.strip()
    if found.picked:
        return "target" if ui.typed.endswith((" ", ">")) else "pick"
    if found.preview is None:
        return "who" if found.lines and line.isdigit() else "typing"
    severity = found.preview.severity
    if line.endswith(SubmitMode.PRICE.value):
        return "price"
    accepted = line.endswith(SubmitMode.ACCEPT.value)
    if sent_at_once(severity, accepted=accepted, confirms=ui.game.confirms):
        return "free"
    return {Severity.WARN: "warned", Severity.LAST: "fatal"}.get(severity, "costs")
