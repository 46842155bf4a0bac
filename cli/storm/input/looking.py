"""What a line looks up that is about Storm: views, prices on the board, the eye, who is in a region."""

from collections.abc import Sequence
from dataclasses import replace

from cli.console import pages
from cli.console.messages import Effects, View
from cli.console.pages import show, without_page
from cli.console.screen_state import Page
from cli.storm import cards, combat_text, placing, preview, typed, viewing, words
from cli.storm.model import StormScreen
from cli.storm.text import help_text, screens
from cli.text.wording import fill
from storm_p2p.storm.board import REGIONS
from storm_p2p.storm.state import Phase, State


def look(ui: StormScreen, view: View) -> tuple[StormScreen, Effects] | Sequence[str]:
    """Return what a view shows: its lines, or the console that shows it in a way of its own.

    Raises:
        NotUnderstood: it cannot be shown; the sentence says what was expected.
    """
    what, args = view.what, view.args
    if what == "help":
        return help_text.help_on(args[0], ui.game.side) if args else help_now(ui)
    if ui.plain and what == "board" and ui.placing is not None:
        return [placing.told(ui.placing)]
    if not ui.plain and what == "eye":
        return _eye(ui), ()
    if not ui.plain and what == "card" and args:
        lines = tuple(cards.card(ui.game, words.find_unit(args[0])))
        return replace(ui, page=Page.CARD, lines=lines, scroll=0), ()
    state = ui.game.state
    moves = ui.game.deciding and state is not None and state.phase == Phase.TURN
    if not ui.plain and what == "costs" and args and moves and state is not None:
        # Who asks for prices has begun no move yet.
        viewing.selected(ui.game, state, args)
        return replace(without_page(ui), priced=f"costs {' '.join(args)}"), ()
    return viewing.show(ui.game, what, args)


def help_now(ui: StormScreen) -> list[str]:
    """Return what can be done now."""
    state = ui.game.state
    phase = Phase.SETUP if ui.placing is not None else None if state is None else state.phase
    choices = "" if state is None or state.combat is None else combat_text.examples(state, ui.game.side)
    awaited = ui.awaited if ui.plain else ui.placing is not None or ui.game.deciding
    return help_text.help_for(phase, ui.game.side, deciding=awaited, choices=choices)


def _eye(ui: StormScreen) -> StormScreen:
    """Return the console with what the opponent knows shown, or no longer."""
    ui = typed.read(replace(ui, eye=not ui.eye))
    lines = [fill(screens.EYE_IS[ui.eye], name=ui.game.opponent)]
    return show(ui, lines + cards.eye(ui.game) if ui.eye and ui.game.state is not None else lines)


def lead_on(ui: StormScreen, line: str) -> tuple[StormScreen, Effects] | None:
    """Return what a line does that only names who could move, as a click on the board would; None for another line.

    Own units stay at the prompt, and where they go is asked next; of any other region one is told who is there.
    """
    state = ui.game.state
    awaited = ui.game.deciding and not ui.sent
    if state is None or ui.placing is not None or (awaited and state.phase != Phase.TURN):
        return None
    if awaited:
        chosen = typed.begun(line, state, ui.game.side)
        if ui.plain and line.rstrip("?! ").isdigit():
            return _region(ui, line.rstrip("?! "), state)
        if chosen is not None and not ui.plain and preview.costs(state, ui.game.side, *chosen):
            # Prices stand on the board, so no page may lie over it.
            return pages.offer(without_page(ui), line.rstrip("?! ") + " ")
        if chosen is not None:
            return replace(ui, notice=typed.read(replace(ui, typed=line)).found.lines), ()
    if line.isascii() and line.isdigit() and int(line) in REGIONS:
        return show(ui, viewing.who(ui.game, int(line))), ()
    return None


def _region(ui: StormScreen, number: str, state: State) -> tuple[StormScreen, Effects] | None:
    """Return who is in a region, and where the own units there could go at which price."""
    if not number.isascii() or int(number) not in REGIONS:
        return None
    prices = viewing.group_costs(ui.game, state, int(number))
    return show(ui, [*viewing.who(ui.game, int(number)), *([prices] if prices else [])]), ()
