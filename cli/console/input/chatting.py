"""What a line does that is typed on the chat page: it is said to the other side, unless it reads like a move."""

from __future__ import annotations

from dataclasses import replace

from cli.clean import clean
from cli.console.input import grammar, reading
from cli.console.input.lookalike import LEAST_NAME, reads_like_a_command
from cli.console.screen_state import Control, Effects, Page, ScreenState, SetLine
from cli.storm.typed_actions import NotUnderstood
from cli.text import screens as said
from storm_p2p.storm.state import Phase


def is_chatting(ui: ScreenState) -> bool:
    """Return whether the prompt is that of the chat; what lies over it for a moment changes nothing."""
    return ui.page == Page.CHAT or (ui.page in (Page.RESULT, Page.OVER, Page.REPLAY) and ui.beneath == Page.CHAT)


def take(ui: ScreenState, line: str) -> tuple[ScreenState, Effects]:
    """Return the model after a finished line of the chat page, and what is to be done."""
    typed = clean(line)
    ui = replace(ui, notice=(), rejected="")
    if typed.startswith("/"):
        typed = typed[1:].strip()
    elif _is_for_the_board(ui, typed):
        return replace(ui, notice=(str(said.READS_LIKE_A_MOVE),), rejected=typed), (SetLine(line),)
    return ui, ((Control("say", typed),) if typed else ())


def _is_for_the_board(ui: ScreenState, typed: str) -> bool:
    """Return whether the board would take a line as an action now, or it reads like a command at any time."""
    state, faction = ui.game.state, ui.game.faction
    if reads_like_a_command(typed, faction):
        return True
    if ui.sent or not (ui.game.deciding or ui.placing is not None):
        return False
    view = None if ui.placing is not None else state
    try:
        command = grammar.parse(typed, view, faction, setting_up=ui.placing is not None)
    except NotUnderstood:
        begins = view is not None and view.phase == Phase.TURN and (typed.isdigit() or len(typed) >= LEAST_NAME)
        return begins and view is not None and reading.begun(typed, view, faction) is not None
    return isinstance(command, grammar.Act | grammar.Arrange)
