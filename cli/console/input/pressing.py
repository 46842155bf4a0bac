"""What a key does that is no text: pages, steps back, scrolling, and the choice of the combat window.  Pure."""

from __future__ import annotations

from dataclasses import replace

from cli.console import results, reviewing
from cli.console.input import asking, lines, looking
from cli.console.input.asking import without_page
from cli.console.render.screen import furthest
from cli.console.screen_state import ChangeConsole, Effects, Page, ScreenState, SetLine
from cli.text import screens as said
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import CombatChoice
from storm_p2p.storm.units import Maneuver

_SCROLLS = frozenset({"pageup", "pagedown", "wheelup", "wheeldown"})
_FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 11))
PAGE_STEP = 10
"""Lines that PgUp and PgDn move."""

_PAGE_KEYS = {
    "f1": Page.HELP, "f2": Page.UNITS, "f3": Page.TABLE, "f5": Page.LOG, "f6": Page.CHAT, "f8": Page.NOTES,
}  # fmt: skip


def press(ui: ScreenState, name: str) -> tuple[ScreenState, Effects]:
    """Return the model after a key, and what is to be done."""
    if ui.page in (Page.RESULT, Page.OVER):
        return _looked(ui, name)
    if ui.page == Page.REPLAY:
        return _looking_back(ui, name)
    if name == "escape" and ui.page == Page.CHAT and ui.rejected:
        return _taken_along(ui), ()
    ui = replace(ui, rejected="")
    if ui.game.ending is not None and name in _FUNCTION_KEYS:
        return _at_the_end(ui, name)
    if name in _PAGE_KEYS:
        return looking.open_page(ui, _PAGE_KEYS[name]), ()
    match name:
        case "f4":
            return looking.eye(ui), ()
        case "f7":
            return ui, (ChangeConsole(str(said.AS_ASKED)),)
        case "f9":
            return reviewing.begin(ui, draft=ui.typed)
        case "f10":
            return lines.leave(ui)
        case "mouse":
            return lines.mouse(ui), ()
        case "escape":
            return _escape(ui)
        case "pageup" | "pagedown" | "wheelup" | "wheeldown":
            return _scrolled(ui, name), ()
        case "hide":
            return replace(ui, minimised=not ui.minimised), ()
        case "up" | "down" | "left" | "right":
            return _steered(ui, name), ()
        case _:
            return ui, ()


def _at_the_end(ui: ScreenState, name: str) -> tuple[ScreenState, Effects]:
    """Return the model after a key when the match is over: what can still be looked at."""
    if name == "f9":
        return reviewing.begin(ui)
    return (looking.open_page(ui, _PAGE_KEYS[name]) if name in results.AT_THE_END else ui), ()


def _looked(ui: ScreenState, name: str) -> tuple[ScreenState, Effects]:
    """Return the model after a key at a result: it goes on; the end is left by Enter, Escape and F10 alone.

    The end comes while something is typed, and the next letter must not close what nobody has read yet.
    """
    if name in _SCROLLS:
        return _scrolled(ui, name), ()
    if ui.page == Page.RESULT or name in ("enter", "escape"):
        return results.go_on(ui)
    return _at_the_end(ui, name)


def _looking_back(ui: ScreenState, name: str) -> tuple[ScreenState, Effects]:
    """Return the console after a key while the match is looked back at; another page or question ends it."""
    if name == "mouse":
        return lines.mouse(ui), ()
    draft = ui.draft
    if not (name.startswith("f") and name[1:].isdigit()):
        ui, effects = reviewing.press(ui, name)
    else:
        ui, effects = reviewing.end(ui)
    if ui.page == Page.REPLAY:
        return ui, effects
    if ui.results:
        return results.turn_over(ui), effects
    if name in ("escape", "q", "f9") or (name == "f6" and ui.page == Page.CHAT):
        return ui, effects
    after, more = press(replace(ui, typed=draft), name)
    return after, (*effects, *more)


def _escape(ui: ScreenState) -> tuple[ScreenState, Effects]:
    """Return the model a step back: line, page, question, notice.  It never does anything.

    At the question itself it says no at once, whatever is typed; a page that lies over the question goes first.
    """
    if ui.question is not None and ui.page is None:
        return asking.refuse(ui)
    if ui.question is not None and ui.page != Page.CHAT:
        return without_page(ui), ()
    if ui.typed:
        return ui, (SetLine(""),)
    if ui.page is not None:
        return without_page(ui), ()
    return replace(ui, notice=(), priced=""), ()


def _taken_along(ui: ScreenState) -> ScreenState:
    """Return the board after the chat page did not say a line; it goes along, unless another one is begun there."""
    return replace(without_page(ui), typed="", aside=ui.aside or ui.rejected, rejected="", notice=())


def _scrolled(ui: ScreenState, name: str) -> ScreenState:
    step = PAGE_STEP if name.startswith("page") else 3
    up = name.endswith("up")
    if ui.page is None:
        # The log below the board goes back in time.
        most = max(0, len(ui.log) - 1)
        return replace(ui, scroll=min(most, max(0, ui.scroll + (step if up else -step))))
    back = ui.page in (Page.LOG, Page.CHAT)
    change = step if up == back else -step
    # Past the end nothing counts on, and the end comes nearer when the window grows.
    most = furthest(ui)
    return replace(ui, scroll=min(most, max(0, min(most, ui.scroll) + change)))


def _steered(ui: ScreenState, name: str) -> ScreenState:
    """Return the combat window with another maneuver or another amount of Energy."""
    state, choice = ui.game.state, ui.choice
    if state is None or choice is None or state.combat is None:
        return ui
    groups = combat.groups_at(state, state.combat.region)
    if name in ("left", "right"):
        limit = combat.energy_limit(state.combat, groups, state.energy[ui.game.faction], ui.game.faction)
        energy = min(limit, max(0, choice.energy + (1 if name == "right" else -1)))
        return replace(ui, choice=choice._replace(energy=energy))
    allowed = combat.maneuvers(state.combat, groups, ui.game.faction)
    at = allowed.index(choice.maneuver) + (1 if name == "down" else -1)
    return replace(ui, choice=CombatChoice(Maneuver(allowed[at % len(allowed)]), choice.energy))
