"""The rows below the prompt: buttons with a hint, and the keys.  Pure."""

from cli.clean import width
from cli.console.guest import guest_of, keys_at_end, keys_of
from cli.console.messages import Severity, SubmitMode
from cli.console.render import hints
from cli.console.render.spans import Line, Span, Zone
from cli.console.screen_state import Page, ScreenState
from cli.text import screens

_WHERE_THERE_IS_ROOM = ("F9",)
"""Keys that are named only in a wide window; the help names them all."""
ROWS = 2
"""How many rows there are."""


def draw(ui: ScreenState) -> tuple[list[Line], list[Zone]]:
    """Return the hint and the keys, and what can be clicked in them."""
    row = ui.rows - ROWS
    hint: list[Span] = [("hint", " ")]
    zones: list[Zone] = []
    if _sendable(ui):
        buttons = [(str(screens.SEND_BUTTON), "send")]
        if ui.question is not None:
            buttons = [(str(screens.YES_BUTTON), "send"), (str(screens.NO_BUTTON), "no")]
        column = 1
        for text, what in buttons:
            hint += [("button", text), ("", " ")]
            zones.append(Zone(row, column, column + width(text), what))
            column += width(text) + 1
    if ui.question is None and hints.kind(ui) == "answer":
        column = 1
        for text in _answers(ui):
            hint += [("button", f"[{text}]"), ("", " ")]
            zones.append(Zone(row, column, column + width(text) + 2, f"choose {text}"))
            column += width(text) + 3
    hint.append(("hint", hints.hint(ui)))
    keys, key_zones = _keys(ui, row + 1)
    return [tuple(hint), keys], [*zones, *key_zones]


def _answers(ui: ScreenState) -> list[str]:
    """Return the answers that can be clicked, as far as they fit beside the hint."""
    room = ui.columns - width(str(screens.HINTS["answer"])) - 2
    found: list[str] = []
    for text in guest_of(ui).answers(ui):
        room -= width(text) + 3
        if room < 0:
            break
        found.append(text)
    return found


def _sendable(ui: ScreenState) -> bool:
    if ui.page in (Page.RESULT, Page.OVER, Page.CHAT):
        return False
    if ui.question is not None:
        return ui.question.severity != Severity.LAST
    if ui.typed.rstrip().endswith(SubmitMode.PRICE.value):
        return False
    return ui.found.preview is not None or (guest_of(ui).steers(ui) and not ui.typed.strip())


def _keys(ui: ScreenState, row: int) -> tuple[Line, list[Zone]]:
    spans: list[Span] = []
    zones: list[Zone] = []
    column = 0
    keys = keys_at_end if ui.page == Page.OVER else keys_of
    named = [(key, str(word)) for key, word in keys(ui.game.guest).items()]
    lit = guest_of(ui).lit(ui)
    # Capitals, beside what the style makes of them, for there may be no room for a word more.
    named = [(key, word.upper() if key in lit else word) for key, word in named]
    shown = named
    if sum(len(name) + width(word) + 2 for name, word in named) > ui.columns:
        shown = [key for key in named if key[0] not in _WHERE_THERE_IS_ROOM]
    for name, word in shown:
        zones.append(Zone(row, column, column + len(name) + 1 + width(word), f"key {name.lower()}"))
        spans += [("key", name), ("", " "), ("button" if name in lit else "", word), ("", " ")]
        column += len(name) + width(word) + 2
    mouse = str(screens.MOUSE_ON if ui.settings.mouse else screens.MOUSE_OFF)
    if column + width(mouse) < ui.columns:
        spans += [("", " " * (ui.columns - column - width(mouse) - 1)), ("dim", mouse)]
    return tuple(spans), zones
