"""The setup: the own realm with the units placed so far, the twelve to choose from, and what one of them can do."""

from __future__ import annotations

from collections.abc import Sequence

from cli import placing
from cli.clean import fit, pad, width
from cli.model import Model
from cli.placing import Placing
from cli.text import matches, names
from cli.text import screens as words
from cli.text import setup_screen as said
from cli.text.wording import _, fill
from cli.tui.model import Ui, Zone
from cli.tui.render import board
from cli.tui.render.board import Marks
from cli.tui.spans import EMPTY, Line, beside, line, wrapped
from cli.words import find_unit, is_unit
from storm_p2p import setup
from storm_p2p.board import REALM, Faction
from storm_p2p.units import CARDS, NAME, REQUIRED, ROSTER, Unit

MOST_NAMED = 4
"""So many kept setups are named beside the board."""


def board_lines(ui: Ui, *, large: bool) -> tuple[Line, ...]:
    """Return the board with nothing but the units placed so far; free regions of the realm are marked."""
    assert ui.placing is not None
    state = placing.as_state(ui.placing, ui.game.terms)
    marks = Marks(target=_region_of(ui), noted=ui.placing.free)
    return board.draw(state.sides, ui.game.faction, marks, large=large, unicode=ui.settings.unicode)


def _region_of(ui: Ui) -> int:
    """Return where the unit stands that the line names."""
    assert ui.placing is not None
    unit = _picked(ui)
    return 0 if unit is None else ui.placing.by_unit.get(unit, 0)


def _picked(ui: Ui) -> Unit | None:
    first = ui.typed.lower().split()[:1]
    return find_unit(first[0], ui.game.faction) if first and is_unit(first[0], ui.game.faction) else None


def panel(ui: Ui, columns: int, rows: int) -> list[Line]:
    """Return the panel beside the board: how far the setup is, what is missing, the terms."""
    shown = ui.placing
    assert shown is not None
    lines: list[Line] = [
        EMPTY,
        line(fit(fill(said.HEAD, side=names.side_name(ui.game.faction)), columns), "title"),
        line(fit(fill(said.COUNT, count=len(shown.places), whole=setup.SELECTED), columns)),
    ]
    for unit in ROSTER[ui.game.faction]:
        if 1 << unit & REQUIRED:
            done = said.MUST_DONE if unit in shown.by_unit else said.MUST
            lines.append(line(fit(fill(done, unit=names.unit_name(unit)), columns)))
    if shown.free:
        free = fill(said.FREE, regions=" ".join(map(str, shown.free)))
        lines += [line(row, "warn") for row in wrapped(free, columns - 1)]
    else:
        lines += [line(row, "title") for row in wrapped(said.COMPLETE, columns - 1)]
    if ui.setups:
        names_kept = " ".join(name for name, _ in ui.setups[-MOST_NAMED:])
        lines += [line(row) for row in wrapped(fill(said.KEPT, names=names_kept), columns - 1)]
    lines.append(line("-" * (columns - 1), "rule"))
    lines += [line(row) for row in wrapped(_terms(ui.game), columns - 1)]
    if ui.game.words:
        lines += [line(row) for row in wrapped(fill(words.SAFE_WORDS, words=ui.game.words), columns - 1)]
    lines += [line(row, "dim") for row in wrapped(fill(said.RIVAL, name=ui.game.opponent), columns - 1)]
    return lines[:rows]


def _terms(model: Model) -> str:
    return fill(said.TERMS, terms=matches.terms(model.terms))


def roster(ui: Ui, columns: int, row: int) -> tuple[list[Line], list[Zone]]:
    """Return the twelve units in two columns with their places, and what can be clicked from ``row`` on."""
    shown = ui.placing
    assert shown is not None
    half = columns // 2
    units = ROSTER[ui.game.faction]
    middle = len(units) // 2
    picked = _picked(ui)
    blocks: list[list[Line]] = [[], []]
    zones: list[Zone] = []
    for index, unit in enumerate(units):
        side, down = divmod(index, middle)
        blocks[side].append(_entry(shown, unit, half, picked=unit == picked))
        zones.append(Zone(row + down, side * half, side * half + half - 1, f"unit {NAME[unit]}"))
    return beside(blocks[0], blocks[1], half), zones


def _entry(shown: Placing, unit: Unit, columns: int, *, picked: bool) -> Line:
    """Return a unit with its place and what it is good at, in one line."""
    region = shown.by_unit.get(unit)
    place = f"{region:2}" if region is not None else "--"
    name = pad(names.unit_name(unit), 11)
    style = "picked" if picked else "own" if region is not None else "dim"
    head = f" {place} "
    strength = f"{CARDS[unit].strength} "
    room = columns - len(head) - width(name) - len(strength) - 1
    return (("", head), (style, name), ("", strength), ("dim", fit(said.SHORT[unit], room)))


def card(ui: Ui, columns: int) -> Sequence[str]:
    """Return what the unit on the line can do, or nothing."""
    unit = _picked(ui)
    if unit is None:
        return ()
    return wrapped(f"{names.unit_name(unit)}, {fill(said.STRENGTH, strength=CARDS[unit].strength)}. "
                   f"{_(CARDS[unit].text)}", columns)  # fmt: skip


def first_lines(faction: Faction) -> Sequence[str]:
    """Return what somebody who sets up for the first time has to know, with an example of the own side."""
    example = {"unit": NAME[ROSTER[faction][0]], "region": REALM[faction][0]}
    return [fill(text, **example) for text in said.FIRST]
