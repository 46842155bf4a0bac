"""The rows below the prompt: buttons with a hint, and the keys.  Pure."""

from __future__ import annotations

from cli import vocabulary
from cli.clean import width
from cli.console import results
from cli.console.input import reading
from cli.console.input.grammar import SubmitMode
from cli.console.render import hints
from cli.console.render.spans import Line, Span
from cli.console.render.zones import Zone
from cli.console.screen_state import Page, ScreenState
from cli.storm.preview import Severity
from cli.text import screens as words
from storm_p2p.storm import engine, notation

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
        buttons = [(str(words.SEND_BUTTON), "send")]
        if ui.question is not None:
            buttons = [(str(words.YES_BUTTON), "send"), (str(words.NO_BUTTON), "no")]
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
    state = ui.game.state
    assert state is not None
    room = ui.columns - width(str(words.HINTS["answer"])) - 2
    found: list[str] = []
    for action in engine.legal_actions(state, ui.game.faction):
        text = vocabulary.said(notation.format_action(action))
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
    return ui.found.preview is not None or (reading.combat_open(ui) and not ui.typed.strip())


def _keys(ui: ScreenState, row: int) -> tuple[Line, list[Zone]]:
    spans: list[Span] = []
    zones: list[Zone] = []
    column = 0
    named = [(key, str(word)) for key, word in words.KEYS.items()]
    if ui.page == Page.OVER:
        named = [key for key in named if key[0].lower() in results.AT_THE_END]
    shown = named
    if sum(len(name) + width(word) + 2 for name, word in named) > ui.columns:
        shown = [key for key in named if key[0] not in _WHERE_THERE_IS_ROOM]
    for name, word in shown:
        zones.append(Zone(row, column, column + len(name) + 1 + width(word), f"key {name.lower()}"))
        spans += [("key", name), ("", f" {word} ")]
        column += len(name) + width(word) + 2
    mouse = str(words.MOUSE_ON if ui.settings.mouse else words.MOUSE_OFF)
    if column + width(mouse) < ui.columns:
        spans += [("", " " * (ui.columns - column - width(mouse) - 1)), ("dim", mouse)]
    return tuple(spans), zones
