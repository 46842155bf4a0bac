"""What a line does that is typed on the chat page: it is said to the other side, unless it reads like a move."""

from dataclasses import replace

from cli.clean import clean
from cli.console.guest import guest_of
from cli.console.screen_state import Control, Effects, Page, S, ScreenState, SetLine
from cli.text import screens as said


def is_chatting(ui: ScreenState) -> bool:
    """Return whether the prompt is that of the chat; what lies over it for a moment changes nothing."""
    return ui.page == Page.CHAT or (ui.page in (Page.RESULT, Page.OVER, Page.REPLAY) and ui.beneath == Page.CHAT)


def take(ui: S, line: str) -> tuple[S, Effects]:
    """Return the model after a finished line of the chat page, and what is to be done."""
    typed = clean(line)
    ui = replace(ui, notice=(), rejected="")
    if typed.startswith("/"):
        typed = typed[1:].strip()
    elif guest_of(ui).reads_like_a_move(ui, typed):
        return replace(ui, notice=(str(said.READS_LIKE_A_MOVE),), rejected=typed), (SetLine(line),)
    return ui, ((Control("say", typed),) if typed else ())
