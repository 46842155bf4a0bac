"""What stands at the prompt and below it: the words before the cursor, and what the next keys do."""

from cli.console import pages
from cli.console.guest import guest_of
from cli.console.messages import Severity, SubmitMode, sent_at_once
from cli.console.screen_state import Page, Question, ScreenState
from cli.match.player import Next
from cli.text import screens
from cli.text.wording import fill

_GAP = "   "


def prompt(ui: ScreenState) -> str:
    """Return the words before the cursor."""
    if ui.page in (Page.RESULT, Page.OVER):
        return str(screens.NEWS) if ui.page == Page.RESULT else _end(ui)
    if ui.page == Page.CHAT:
        return str(screens.PROMPT_CHAT)
    if ui.question is None:
        return screens.PROMPT
    return str(screens.ASK_YES if ui.question.severity == Severity.LAST else screens.DEEDS[pages.deed(ui.question)]["ask"])


def _end(ui: ScreenState) -> str:
    """Return what is said before the cursor at the end of a match."""
    game = ui.game
    if ui.next is Next.AGAIN:
        return str(screens.STARTING_AGAIN)
    if game.other_left or game.line_down:
        return fill(screens.END_ALONE if game.other_left else screens.END_UNHEARD, name=game.opponent)
    if game.rematch_offered or game.rematch_wanted:
        return fill(screens.REMATCH_OFFERED if game.rematch_offered else screens.REMATCH_WANTED, name=game.opponent)
    return fill(screens.REMATCH_REFUSED, name=game.opponent) if game.rematch_refused else str(screens.THE_END)


def hint(ui: ScreenState) -> str:
    """Return the words below the prompt."""
    if ui.question is not None and ui.page not in (Page.RESULT, Page.OVER, Page.CHAT):
        return _question(ui, ui.question)
    guest = guest_of(ui)
    every = {**screens.HINTS, **guest.hints}
    return fill(
        every.get(kind(ui), screens.HINTS["typing"]),
        replay=screens.REPLAY if guest.analyst is None else screens.REPLAY_ANALYSIS,
    )


def _after(ui: ScreenState) -> str:
    """Return which hint stands below the end of a match."""
    if ui.game.computer:
        return "over computer"
    return "over" if ui.game.other_left else "over person"


def _question(ui: ScreenState, question: Question) -> str:
    """Return what Enter and Escape do while a question is open; it depends on what is typed."""
    typed, deed = ui.typed.strip(), screens.DEEDS[pages.deed(question)]
    if ui.page is not None and not typed:
        return str(screens.HINTS["aside"])
    if pages.agrees(question, typed):
        return _GAP.join((str(deed["agreed"]), str(deed["escapes"] if ui.page is None else screens.BACK_TO_QUESTION)))
    if ui.page is not None:
        return _GAP.join((str(deed["declined"]), str(screens.BACK_TO_QUESTION)))
    if question.severity == Severity.LAST:
        return str(screens.HINTS["last"])
    return str(deed["refused" if typed else "open"])


def kind(ui: ScreenState) -> str:
    """Return which hint stands below the prompt where no question is asked."""
    if ui.page in (Page.RESULT, Page.OVER):
        return "result" if ui.page == Page.RESULT else _after(ui)
    if ui.page == Page.CHAT and ui.rejected:
        return "unsaid"
    if ui.page == Page.CHAT:
        return "saying" if ui.typed.strip() else "chat"
    if ui.page is not None and not ui.typed.strip():
        return "page"
    if not ui.awaited:
        return "waiting"
    return guest_of(ui).hint(ui) if ui.setting_up or not ui.typed.strip() else _typing(ui)


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
