"""The setup: the own realm with the units placed so far, the twelve to choose from, and what one of them can do."""

from collections.abc import Sequence
from dataclasses import replace

from cli.clean import pad, shorten, width
from cli.console.render.spans import EMPTY, Line, Zone, beside, line, section, wrapped
from cli.storm import model, placing, vocabulary
from cli.storm.model import Marks, Model, StormScreen
from cli.storm.placing import Placing
from cli.storm.render import board
from cli.storm.render.board import Size, hexes
from cli.storm.text import names, narrate, screens
from cli.storm.words import find_unit, is_unit
from cli.text import screens as words
from cli.text.wording import _, fill
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import OTHER, REALM
from storm_p2p.storm.rules import setup
from storm_p2p.storm.units import CARDS, NAME, REQUIRED, ROSTER, Unit

MOST_NAMED = 4
"""So many kept setups are named."""
_TEXT_ROWS = 6
"""For the text below the units, its title among them: the longest card has five lines of 78 columns."""
_ROSTER_ROWS = 7
"""The title and six rows of two units."""
_GAP = 2


def is_shown(ui: StormScreen) -> bool:
    """Return whether the setup is looked at: while it is made, and sealed until the game has it."""
    return ui.placing is not None or (bool(ui.game.arranged) and model.is_setting_up(ui.game))


def text_rows(rows: int, size: Size) -> int:
    """Return how many of the rows between head and prompt the text gets; always the same, so that nothing jumps."""
    least = board.REALM_ROWS if size is board.SMALL else size.rows
    return min(_TEXT_ROWS, rows - least - _ROSTER_ROWS)


def draw(ui: StormScreen, rows: int, size: Size) -> tuple[list[Line], list[Zone]]:
    """Return board, panel and the twelve units in ``rows`` rows below the head, and what can be clicked there."""
    drawn, first = _board_lines(ui, rows, size)
    start = size.columns + _GAP
    lines = beside(drawn, _panel(ui, ui.columns - start, len(drawn)), start)
    shown, zones = _roster(ui, ui.columns, len(lines) + 2)
    lines += [section(str(screens.YOUR_TWELVE), ui.columns), *shown]
    lines += [EMPTY] * (rows - len(lines))
    moved = [replace(zone, row=zone.row - first) for zone in hexes(size)]
    return lines, [*(zone for zone in moved if 1 <= zone.row <= len(drawn)), *zones]


def _shown(ui: StormScreen) -> Placing:
    return Placing(ui.game.side, ui.game.arranged)


def _board_lines(ui: StormScreen, rows: int, size: Size) -> tuple[tuple[Line, ...], int]:
    """Return the board with nothing but the units placed so far, its free regions marked, and its first row.

    The whole board where there is room; else the own realm, in which everything happens.
    """
    shown, unicode = _shown(ui), ui.settings.unicode
    state = placing.as_state(shown, ui.game.terms)
    marks = Marks(target=_region_of(ui), noted=shown.free)
    if size is not board.SMALL:
        return board.draw(state.sides, ui.game.side, marks, size=size, unicode=unicode), 0
    whole = rows >= board.SMALL.rows + _ROSTER_ROWS
    found = board.draw_realm(state.sides, ui.game.side, marks, unicode=unicode, whole=whole)
    return found, 0 if whole else board.realm_top(ui.game.side)


def _region_of(ui: StormScreen) -> int:
    """Return where the unit stands that the line names."""
    unit = _picked(ui)
    return 0 if unit is None else _shown(ui).by_unit.get(unit, 0)


def _picked(ui: StormScreen) -> Unit | None:
    first = ui.typed.lower().split()[:1]
    return find_unit(first[0], ui.game.side) if first and is_unit(first[0], ui.game.side) else None


def _panel(ui: StormScreen, columns: int, rows: int) -> list[Line]:
    """Return the panel beside the board: how far the setup is, what is missing, the terms, the other side."""
    shown = _shown(ui)
    side = names.side_name(ui.game.side)
    texts: list[tuple[str, str]] = [
        (fill(screens.HEAD, side=side, count=len(shown.places), whole=setup.SELECTED), "title")
    ]
    for unit in ROSTER[ui.game.side]:
        if 1 << unit & REQUIRED:
            done = screens.MUST_DONE if unit in shown.by_unit else screens.MUST
            texts.append((fill(done, unit=names.unit_name(unit)), ""))
    if ui.placing is None:
        texts.append((str(screens.SEALED), "title"))
    elif shown.free:
        texts.append((fill(screens.FREE, regions=" ".join(map(str, shown.free))), "warn"))
    else:
        texts.append((str(screens.COMPLETE), "title"))
    blocks = [[line(row, style) for row in wrapped(text, columns)] for text, style in texts]
    room = rows - sum(map(len, blocks))
    blocks.append(_terms(ui.game, columns, room))
    rival = screens.RIVAL_SEALED if _rival_has_sealed(ui.game) else screens.RIVAL
    blocks.append([line(row, "dim") for row in wrapped(fill(rival, name=ui.game.opponent), columns)])
    if ui.game.words and rows > board.SMALL.rows:
        blocks.append([line(row) for row in wrapped(fill(words.SAFE_WORDS, words=ui.game.words), columns)])
    if sum(map(len, blocks)) > rows:
        # Half a sentence says nothing; the variants are what is needed.
        del blocks[-1]
    lines = [row for block in blocks for row in block]
    return [EMPTY, *lines] if len(lines) < rows else lines[:rows]


def _rival_has_sealed(model: Model) -> bool:
    """Return whether everybody knows that the other side has set up."""
    rival = OTHER[model.side]
    events = (event for entry in model.entries for event in entry.events)
    return any(isinstance(event, ev.Placed) and event.faction == rival for event in events)


def _terms(model: Model, columns: int, rows: int) -> list[Line]:
    """Return the variants that are played, in a few words where a sentence has no room."""
    long = wrapped(fill(screens.TERMS, terms=narrate.terms(model.terms)), columns)
    short = wrapped(fill(screens.TERMS, terms=narrate.terms(model.terms, short=True)), columns)
    return [line(row) for row in (long if len(long) < rows else short)]


def _roster(ui: StormScreen, columns: int, row: int) -> tuple[list[Line], list[Zone]]:
    """Return the twelve units in two columns with their places, and what can be clicked from ``row`` on."""
    shown = _shown(ui)
    half = columns // 2
    units = ROSTER[ui.game.side]
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
    return (("", head), (style, name), ("", strength), ("dim", shorten(str(screens.SHORT[unit]), room)))


def card(ui: StormScreen) -> Sequence[str]:
    """Return what the unit on the line can do, or nothing."""
    unit = _picked(ui)
    if unit is None:
        return ()
    strength = fill(screens.STRENGTH, strength=CARDS[unit].strength)
    return (f"{names.unit_name(unit)}, {strength}. {_(CARDS[unit].text)}",)


def first_lines(ui: StormScreen) -> Sequence[str]:
    """Return what somebody who sets up for the first time has to know, with an example of the own side."""
    faction = ui.game.side
    example = {"unit": vocabulary.say_argument(NAME[ROSTER[faction][0]]), "region": REALM[faction][0]}
    texts = screens.FIRST if _shown(ui).free else screens.READY
    found = [fill(text, **example) for text in texts]
    if ui.setups:
        found.append(fill(screens.KEPT, names=" ".join(name for name, _ in ui.setups[-MOST_NAMED:])))
    return found
