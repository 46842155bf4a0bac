"""The board, the hands and the cards, drawn.  Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cli.clean import pad, shorten
from cli.console.render.spans import EMPTY, Line, Span, Zone, line
from cli.fight.model import Model
from cli.fight.text import narrate, screens
from cli.text import screens as common
from cli.text.wording import fill
from protocol.game import Seat, other
from storm_p2p.fight.board import AREA, SPACES, Colour
from storm_p2p.fight.cards import Card, Kind
from storm_p2p.fight.rules.paying import first_payment
from storm_p2p.fight.rules.values import attack_of, defence_of
from storm_p2p.fight.views import View

_MARGIN: Final = 1
_LEAST_CELL: Final = 13
_CELL_ROWS: Final = 3
ROWS: Final = 2 * _CELL_ROWS + 4
"""Rows of the board: a line about each player, the areas, two sides, and the rule between them."""
_LEAST_CARD: Final = 26
_INKS: Final = {Colour.RED: "red", Colour.BLUE: "blue", Colour.GREEN: "green", Colour.YELLOW: "yellow"}


def cell_width(columns: int) -> int:
    """Return how many columns a space has."""
    return max(_LEAST_CELL, min(19, (columns - _MARGIN) // len(SPACES)))


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Somebody who looks at a match from outside, as in a replay."""

    names: Mapping[object, str]
    """Of both players."""
    hands: Sequence[Seat]
    """Whose cards are seen."""


def draw(model: Model, columns: int, rows: int, onlooker: Onlooker | None = None) -> tuple[list[Line], list[Zone]]:
    """Return the board with what is seen of the hands below it, and what can be clicked: own spaces and cards."""
    view = model.state
    if view is None:
        return [EMPTY] * min(rows, ROWS), []
    me, width = model.side, cell_width(columns)
    enemy = other(me)
    drawn = [
        _player(model, view, enemy, columns, onlooker),
        _areas(width),
        *_side(view, enemy, "enemy", width),
        _middle(view, me, width * len(SPACES), told=onlooker is None),
        *_side(view, me, "own", width),
        _player(model, view, me, columns, onlooker),
    ]
    zones = [
        Zone(row + 1, _MARGIN + (space - 1) * width, _MARGIN + space * width - 1, f"word {space}")
        for space in SPACES
        for first in (2, 3 + _CELL_ROWS)
        for row in range(first, first + _CELL_ROWS)
    ]
    if onlooker is None:
        cards, more = _hand(view, me, str(screens.HAND), columns, rows - len(drawn), len(drawn))
        return [*drawn, *(cards or [line(f" {screens.NO_HAND}")])], [*zones, *more]
    for count, seat in enumerate(onlooker.hands):
        room = (rows - len(drawn)) // (len(onlooker.hands) - count)
        drawn += _hand(view, seat, onlooker.names[seat], columns, room, len(drawn))[0]
    return drawn, zones


def _player(model: Model, view: View, seat: Seat, columns: int, onlooker: Onlooker | None) -> Line:
    state = view.state
    held = [str(narrate.COLOURS[colour]) for colour in Colour if state.markers[colour] == seat]
    shown = fill(screens.MARKERS, markers=" ".join(held)) if held else str(screens.NO_MARKERS)
    name = str(common.YOU) if seat == model.side else model.opponent
    name = name if onlooker is None else onlooker.names[seat]
    parts = [fill(screens.HAND_OF, name=name, number=len(state.hands[seat])), shown]
    lead = state.counter if seat == 0 else -state.counter
    if onlooker is not None and (lead > 0 or (lead == 0 and seat == model.side)):
        parts.append(fill(screens.COUNTER_OF, number=lead))
    style = "own" if seat == model.side else "enemy"
    return line(shorten(" " * _MARGIN + "   ".join(parts), columns - 1), style)


def _middle(view: View, me: Seat, columns: int, *, told: bool) -> Line:
    """Return the rule between the two sides, with what belongs to neither, and the counter if the reader plays."""
    state = view.state
    free = [str(narrate.COLOURS[colour]) for colour in Colour if state.markers[colour] is None]
    parts = [fill(screens.COUNTER, number=state.counter if me == 0 else -state.counter)] if told else []
    parts.append(fill(screens.PILE, number=len(state.pile)))
    parts += [fill(screens.ON_BOARD, markers=" ".join(free))] if free else []
    text = f"-- {' | '.join(parts)} "
    return line(" " * _MARGIN + shorten(text, columns) + "-" * max(0, columns - len(text)), "rule")


def _areas(width: int) -> Line:
    shown = "".join(pad(f"{space} {narrate.AREAS[AREA[space]]}", width) for space in SPACES)
    return line(" " * _MARGIN + shown, "title")


def _side(view: View, seat: Seat, style: str, width: int) -> Iterator[Line]:
    cells = [_cell(view, seat, space, width - 1) for space in SPACES]
    for row in range(_CELL_ROWS):
        texts = "".join(pad(cell[row], width) for cell in cells)
        yield (("", " " * _MARGIN), (style, texts))


def _cell(view: View, seat: Seat, space: int, width: int) -> tuple[str, str, str]:
    unit = view.state.unit(seat, space)
    if unit is None:
        return screens.EMPTY_SPACE, "", ""
    name = shorten(narrate.name_of(view.card(unit.card)), width)
    gear = "" if unit.gear is None else shorten(f"+{narrate.name_of(view.card(unit.gear))}", width)
    told = f"{values(view, seat, space)} {narrate.frame(view.card(unit.card))}[{unit.card}]"
    return name, shorten(told, width), gear


def values(view: View, seat: Seat, space: int) -> str:
    """Return attack, defence and damage of the unit on a space, as they are now."""
    unit = view.state.unit(seat, space)
    assert unit is not None
    hurt = f"-{unit.damage}" if unit.damage else ""
    return f"{attack_of(view.state, seat, space)}/{defence_of(view.state, seat, space)}{hurt}"


def _hand(view: View, me: Seat, title: str, columns: int, rows: int, top: int) -> tuple[list[Line], list[Zone]]:
    hand = sorted(view.known_hand(me))
    if rows < 2 or not hand:
        return [], []
    beside = _beside(columns)
    width = (columns - _MARGIN) // beside
    payable = set(playable(view, me))
    left_out = max(0, len(hand) - beside * (rows - 1))
    if left_out:
        # The last place tells how many there are beyond it.
        left_out += 1
        hand = hand[: len(hand) - left_out]
    shown: list[Line] = []
    zones: list[Zone] = []
    for row in range(-(-len(hand) // beside)):
        spans: list[Span] = [("", " " * _MARGIN)]
        for place, card in enumerate(hand[row * beside : (row + 1) * beside]):
            printed = view.card(card)
            told = pad(brief(printed, card, width - 1), width)
            start = len(narrate.frame(printed))
            spans += [(_INKS[printed.colour], told[:start]), ("free" if card in payable else "", told[start:])]
            left = _MARGIN + place * width
            zones.append(Zone(top + row + 2, left, left + width - 1, f"word {card}"))
        shown.append(tuple(spans))
    if left_out:
        told = fill(screens.MORE_CARDS, number=left_out)
        shown = [*shown[:-1], (*shown[-1], ("dim", told))] if len(hand) % beside else [*shown, line(f" {told}", "dim")]
    return [line(shorten(f" {title} {screens.HAND_COLUMNS}", columns - 1), "title"), *shown], zones


def hand_rows(view: View, me: Seat, columns: int) -> int:
    """Return how many rows the whole hand takes."""
    return 1 - (-len(view.state.hands[me]) // _beside(columns))


def _beside(columns: int) -> int:
    return max(1, (columns - _MARGIN) // _LEAST_CARD)


def playable(view: View, me: Seat) -> list[int]:
    """Return the cards of the hand that can be paid for now and have a place."""
    question = view.state.question
    if question is None or question.kind != "main" or question.seat != me:
        return []
    units = [view.state.unit(me, space) for space in SPACES]
    gear = any(unit is not None and unit.gear is None for unit in units)
    hand = list(view.known_hand(me))
    return [
        card
        for card in sorted(hand)
        if (gear if view.card(card).kind is Kind.EQUIPMENT else None in units)
        and first_payment(view.state, me, card, hand) is not None
    ]


def brief(card: Card, number: int, columns: int) -> str:
    """Return a card in a few columns: colour, number, name, values and cost."""
    tail = f" {narrate.worth(card)} {narrate.letters(card)}"
    head = f"{narrate.frame(card)} {number} "
    return head + shorten(narrate.name_of(card), columns - len(head) - len(tail)) + tail


def card_lines(card: Card, numbers: Sequence[int]) -> list[str]:
    """Return everything that is printed on a card."""
    colour = screens.ALL_COLOURS if card.all_colours else narrate.COLOURS[card.colour]
    listed = ", ".join(map(str, numbers))
    return [
        fill(screens.CARD_HEAD, name=narrate.name_of(card), kind=narrate.KINDS[card.kind], colour=colour)
        + f" ({fill(screens.CARD_NUMBER, number=listed)})",
        fill(screens.CARD_COST, cost=narrate.cost(card)),
        fill(screens.CARD_VALUES, attack=card.attack, defence=card.defence),
        *([narrate.text_of(card)] if card.text else []),
    ]


def side_lines(model: Model, view: View) -> list[str]:
    """Return both sides in sentences, for a screen reader."""
    sides = _sides(model, view)
    return [fill(screens.SIDE_LINE, name=name, units=", ".join(units) or screens.NO_UNITS) for name, units in sides]


def unit_lines(model: Model, view: View) -> list[str]:
    """Return both sides, a unit a line with what it does."""
    found = []
    for name, units in _sides(model, view):
        found.append(f"{name}:" if units else fill(screens.SIDE_LINE, name=name, units=screens.NO_UNITS))
        found += [f"{told}  {narrate.text_of(card)}".rstrip() for told, card in units.items()]
    return found


def _sides(game: Model, view: View) -> Iterator[tuple[str, Mapping[str, Card]]]:
    """Yield the name of each player, and their units with space, values and equipment, each with its card."""
    for seat, name in ((game.side, str(common.YOU)), (other(game.side), game.opponent)):
        units = {}
        for space in SPACES:
            unit = view.state.unit(seat, space)
            if unit is not None:
                card = narrate.card_name(view.cards, unit.card)
                told = fill(screens.UNIT_AT, space=space, card=card, values=values(view, seat, space))
                if unit.gear is not None:
                    told += " " + fill(screens.WITH_GEAR, card=narrate.card_name(view.cards, unit.gear))
                units[told] = view.card(unit.card)
        yield name, units


def forecast(view: View, me: Seat) -> list[str]:
    """Return what the own units would do if the turn ended now, as far as no ability changes it."""
    found = []
    for space in SPACES:
        unit, state = view.state.unit(me, space), view.state
        attack = 0 if unit is None else attack_of(state, me, space)
        if unit is None or not attack:
            continue
        card = narrate.card_name(view.cards, unit.card)
        opposing = state.unit(other(me), space)
        if opposing is None:
            bonus = screens.BONUSES[int(AREA[space])]
            found.append(fill(screens.OPEN_SPACE, space=space, card=card, bonus=bonus))
            continue
        left = defence_of(state, other(me), space) - opposing.damage - attack
        facts = {"space": space, "card": card, "other": narrate.card_name(view.cards, opposing.card), "number": attack}
        found.append(fill(screens.HITS, **facts, left=left) if left > 0 else fill(screens.FELLS, **facts))
    return found or [str(screens.NOBODY_ATTACKS)]


def hand_lines(view: View, me: Seat) -> list[str]:
    """Return the own hand, a card a line with what it costs and does."""
    hand = sorted(view.known_hand(me))
    if not hand:
        return [str(screens.NO_HAND)]
    listed = [f"{brief(view.card(card), card, 40)}  {narrate.text_of(view.card(card))}".rstrip() for card in hand]
    return [f"{screens.HAND} {screens.HAND_COLUMNS}:", *listed]
