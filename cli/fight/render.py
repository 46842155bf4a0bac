"""The board, the hands and the cards, drawn.  Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cli.clean import pad, shorten
from cli.clean import width as columns_of
from cli.console.render.spans import EMPTY, Line, Span, Zone, line, signs, wrapped
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
_LARGE: Final = 18
"""Columns of a card on the board of a large window."""
_LARGE_ROWS: Final = 7
_HELD_ROWS: Final = 5
"""Rows of a card in the hand of a large window: what it is stands in its frame, what it can do between."""
_LEAST_HELD: Final = 20
_LEAST_CARD: Final = 26
_INKS: Final = {Colour.RED: "red", Colour.BLUE: "blue", Colour.GREEN: "green", Colour.YELLOW: "yellow"}


_FIGURES: Final = (
    "### #.# #.# #.# ###", ".#. ##. .#. .#. ###", "### ..# ### #.. ###", "### ..# ### ..# ###", "#.# #.# ### ..# ..#",
    "### #.. ### ..# ###", "### #.. ### #.# ###", "### ..# .#. .#. .#.", "### #.# ### #.# ###", "### #.# ### ..# ###",
)  # fmt: skip
"""Each digit in half rows."""


def figure(number: int) -> tuple[str, str, str]:
    """Return a number in large figures of half blocks, three rows high."""
    halves = [""] * 5
    for digit in str(abs(number)):
        halves = [f"{row}{more}." for row, more in zip(halves, _FIGURES[int(digit)].split(), strict=True)]
    minus = ("   ", "\u2580\u2580 ", "   ") if number < 0 else ("", "", "")
    signs = {"..": " ", "#.": "\u2580", ".#": "\u2584", "##": "\u2588"}
    pairs = zip(halves[::2], [*halves[1::2], "." * len(halves[0])], strict=True)
    first, second, third = ("".join(signs[a + b] for a, b in zip(*pair, strict=True)) for pair in pairs)
    return minus[0] + first, minus[1] + second, minus[2] + third


def cell_width(columns: int) -> int:
    """Return how many columns a space has."""
    return max(_LEAST_CELL, min(19, (columns - _MARGIN) // len(SPACES)))


def is_large(columns: int, rows: int) -> bool:
    """Return whether a window has room for cards with frames and figures."""
    return columns > _MARGIN + len(SPACES) * _LARGE and rows >= 2 * _LARGE_ROWS + 8


def board_rows(columns: int, rows: int) -> int:
    """Return how many of so many rows the board takes."""
    return ROWS + 2 * (_LARGE_ROWS - _CELL_ROWS) * is_large(columns, rows)


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Somebody who looks at a match from outside, as in a replay."""

    names: Mapping[object, str]
    """Of both players."""
    hands: Sequence[Seat]
    """Whose cards are seen."""


def draw(
    model: Model, columns: int, rows: int, onlooker: Onlooker | None = None, *, fine: bool = False
) -> tuple[list[Line], list[Zone]]:
    """Return the board with what is seen of the hands below it, and what can be clicked: own spaces and cards.

    ``fine`` draws figures in half blocks where there is room for them.
    """
    view = model.state
    if view is None:
        return [EMPTY] * min(rows, ROWS), []
    me, width = model.side, cell_width(columns)
    enemy, high = other(me), _LARGE_ROWS if is_large(columns, rows) else _CELL_ROWS
    sides = {
        seat: (_cards(view, seat, style, width, fine=fine) if high == _LARGE_ROWS else _side(view, seat, style, width))
        for seat, style in ((enemy, "enemy"), (me, "own"))
    }
    drawn = [
        _player(model, view, enemy, columns, onlooker),
        _areas(width),
        *sides[enemy],
        _middle(view, me, width * len(SPACES), told=onlooker is None),
        *sides[me],
        _player(model, view, me, columns, onlooker),
    ]
    zones = [
        Zone(row + 1, _MARGIN + (space - 1) * width, _MARGIN + space * width - 1, f"word {space}")
        for space in SPACES
        for first in (2, 3 + high)
        for row in range(first, first + high)
    ]
    if onlooker is None:
        room, top = rows - len(drawn), len(drawn)
        held = _held_beside(len(view.known_hand(me)), columns, room)
        if held:
            cards, more = _held(view, me, columns, held, top, fine=fine)
        else:
            cards, more = _hand(view, me, str(screens.HAND), columns, room, top)
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


def _cards(view: View, seat: Seat, style: str, width: int, *, fine: bool) -> Iterator[Line]:
    """Return the rows of a side as cards, each in the frame of its colour."""
    cards = [_card(view, seat, space, style, width - 1, fine=fine) for space in SPACES]
    return _side_by_side(cards)


def _side_by_side(cards: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """Yield the rows of several cards of the same height."""
    for parts in zip(*cards, strict=True):
        yield (("", " " * _MARGIN), *(span for part in parts for span in (*part, ("", " "))))


def _card(view: View, seat: Seat, space: int, style: str, width: int, *, fine: bool) -> list[Line]:
    unit, inside = view.state.unit(seat, space), width - 4
    if unit is None:
        blank = [line(pad(text, width), "dim") for text in ("", "", f"{screens.EMPTY_SPACE:^{width}}")]
        return [*blank, *([line(" " * width)] * (_LARGE_ROWS - len(blank)))]
    card = view.card(unit.card)
    name, told, gear = _cell(view, seat, space, inside)
    figures: Sequence[str] = ("", f" {values(view, seat, space)}", "")
    if fine:
        attack, defence = (figure(of(view.state, seat, space)) for of in (attack_of, defence_of))
        figures = [f" {one} {sign} {two}" for one, sign, two in zip(attack, " / ", defence, strict=True)]
    body = [*((text, "title") for text in figures), (told, style), (gear, style)]
    return _framed(name, body, card, width, style, fine=fine)


def _framed(
    name: str, body: Sequence[tuple[str, str]], card: Card, width: int, style: str, *, fine: bool
) -> list[Line]:
    """Return a card: its name stands in a frame that has its colour, and what is in it in styles of its own."""
    ink, inside, sign = _INKS[card.colour], width - 4, signs(unicode=fine)
    first, second, third, fourth = tuple(sign.corners)
    return [
        ((ink, f"{first} "), (style, name), (ink, f" {sign.level * (inside - columns_of(name))}{second}")),
        *(
            ((ink, f"{sign.upright} "), (look, pad(shorten(text, inside), inside)), (ink, f" {sign.upright}"))
            for text, look in body
        ),
        ((ink, third + sign.level * (width - 2) + fourth),),
    ]


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


def _held_beside(number: int, columns: int, rows: int) -> int:
    """Return how many cards of a hand stand beside each other if so many rows have room for their frames, else 0."""
    beside = max(4, -(-number // 2))
    fits = number and (columns - _MARGIN) // beside >= _LEAST_HELD
    return beside if fits and -(-number // beside) * _HELD_ROWS < rows else 0


def _held(view: View, me: Seat, columns: int, beside: int, top: int, *, fine: bool) -> tuple[list[Line], list[Zone]]:
    """Return the hand as cards that say what they do, and where each can be clicked."""
    hand, payable = sorted(view.known_hand(me)), set(playable(view, me))
    width = (columns - _MARGIN) // beside
    shown: list[Line] = [line(f" {screens.HAND} {screens.HAND_COLUMNS}", "title")]
    zones: list[Zone] = []
    for first in range(0, len(hand), beside):
        parts = []
        for place, number in enumerate(hand[first : first + beside]):
            card, inside = view.card(number), width - 5
            texts = wrapped(narrate.text_of(card), inside, "")
            if len(texts) > _HELD_ROWS - 2:
                texts = (*texts[: _HELD_ROWS - 3], shorten(" ".join(texts[_HELD_ROWS - 3 :]), inside))
            style = "free" if number in payable else "dim"
            body = [(text, style) for text in (*texts, *("",) * (_HELD_ROWS - 2 - len(texts)))]
            name = brief(card, number, inside)
            parts.append(_framed(name, body, card, width - 1, style, fine=fine))
            left = _MARGIN + place * width
            for row in range(_HELD_ROWS):
                zones.append(Zone(top + len(shown) + row + 1, left, left + width - 1, f"word {number}"))
        shown += _side_by_side(parts)
    return shown, zones


def hand_rows(view: View, me: Seat, columns: int, rows: int) -> int:
    """Return how many of so many rows below the board the whole hand takes."""
    number = len(view.state.hands[me])
    beside = _held_beside(number, columns, rows)
    return 1 - (-number // beside) * _HELD_ROWS if beside else 1 - (-number // _beside(columns))


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
