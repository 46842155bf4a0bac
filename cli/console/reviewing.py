"""Looking back through a match that goes on: every step so far, as the player knew it then.  Pure.

What is shown is what the player was told, message for message (``Model.chronicle``); there is no other view of a match
that is not over.  Meanwhile the match goes on: the header says what is asked, and what happens waits to be looked at.
"""

from dataclasses import replace
from typing import Any

from cli.console import replay, screen_state
from cli.console.analysis import Analysis
from cli.console.guest import guest_of
from cli.console.input.asking import is_chatting, without_page
from cli.console.messages import AnalyseMatch, Effects, SetLine
from cli.console.render import analysis
from cli.console.replay import Analyse, Quit, Replay, Step, views_of
from cli.console.screen_state import Page, S
from cli.text import screens


def view_of(game: screen_state.Model) -> str:
    """Return the name of the player's own view."""
    return game.guest.seat_word(game.side)


def steps(game: screen_state.Model) -> tuple[Step, ...]:
    """Return what every message so far has done, each with the player's view after it."""
    return tuple(
        Step(number, tuple(game.guest.tell(game, entry)), entry.events, entry.after)
        for number, entry in enumerate(game.entries)
    )


def begin(ui: S, at: int | None = None, *, draft: str = "") -> tuple[S, Effects]:
    """Return the console that looks back, at the last step or at another one; the draft is kept for later."""
    game = ui.game
    made = steps(game)
    if not made:
        return replace(ui, notice=(str(screens.NOTHING_YET),)), ()
    view = view_of(game)
    over = game.ending is not None
    looking_back = Replay(game.guest, _names(game), game.terms, {view: made}, view, live=True, over=over)
    shown = replay.go(looking_back, len(made) - 1 if at is None else at)
    beneath = Page.CHAT if is_chatting(ui) else None
    looking = replace(without_page(ui), page=Page.REPLAY, beneath=beneath, replay=shown, draft=draft, notice=())
    return looking, (SetLine(""),)


def _names(game: screen_state.Model) -> dict[Any, str]:
    return {side: str(screens.YOU) if side == game.side else game.opponent for side in game.guest.sides}


def press(ui: S, key: str) -> tuple[S, Effects]:
    """Return the console after a key of the replay."""
    assert ui.replay is not None
    shown, wished = replay.press(ui.replay, key)
    if isinstance(wished, Quit):
        return end(ui)
    return replace(ui, replay=shown), (AnalyseMatch(),) if isinstance(wished, Analyse) else ()


def judge(ui: S, found: Analysis) -> S:
    """Return the console with as much of the analysis as there is now; lines say it when it is complete."""
    if ui.replay is not None:
        return replace(ui, replay=replay.analysed(ui.replay, found))
    if not (ui.judging and found.is_complete):
        return replace(ui, notice=())
    own = view_of(ui.game)
    called = {ui.game.guest.seat_word(side): name for side, name in _names(ui.game).items()}
    told = analysis.lines(guest_of(ui), found, views_of(ui.game.guest)[own], called, own=own)
    return replace(ui, judging=False, notice=tuple(told))


def end(ui: S) -> tuple[S, Effects]:
    """Return the console at the present moment again, with the line as it was left."""
    return replace(without_page(ui), page=ui.beneath, replay=None, draft=""), (SetLine(ui.draft),)


def follow(ui: S) -> S:
    """Return the console with a step more to look back to; the step that is looked at stays."""
    if ui.replay is None:
        return ui
    return replace(ui, replay=replace(ui.replay, steps={view_of(ui.game): steps(ui.game)}))
