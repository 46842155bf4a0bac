"""The board, the hands and the cards, drawn.  Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from cli.clean import pad, shorten
from cli.clean import width as columns_of
from cli.console.render import spans
from cli.console.render.spans import DARK_INKS, EMPTY, LIGHT_INKS, Line, Span, Zone, fitted, line, plain, signs, wrapped
from cli.console.screen_state import LINES, Page
from cli.console.screen_state import Motion as AnyMotion
from cli.fight.model import FightEntry, Model, Motion, Step
from cli.fight.text import narrate, screens
from cli.text import clocks
from cli.text import screens as common
from cli.text.wording import fill, signed
from protocol.game import Seat, other
from storm_p2p.fight.board import AREA, GOAL, SPACES, Colour
from storm_p2p.fight.cards import Card
from storm_p2p.fight.events import What
from storm_p2p.fight.rules.abilities import places
from storm_p2p.fight.rules.paying import first_payment
from storm_p2p.fight.rules.values import attack_of, defence_of
from storm_p2p.fight.state import View

_MARGIN: Final = 1
_LEAST_CELL, _WIDEST_CELL = 13, 26
_CELL_ROWS: Final = 3
ROWS: Final = 2 * _CELL_ROWS + 4
"""Rows of the board: a line about each player, the areas, two sides, and the rule between them."""
_LARGE: Final = 18
"""Columns of a card on the board of a large window."""
_LARGE_ROWS: Final = 7
_HELD_ROWS: Final = range(8, 4, -1)
"""Rows that a card in the hand of a large window can have: name, values and cost, and what it does."""
_LEAST_HELD: Final = 20
_WIDEST_HELD: Final = 30
_LEAST_CARD: Final = 26
_BELOW: Final = 5
"""Rows of text below the hand, for which the cards in it leave room."""
_WIDE: Final = 110
"""From so many columns on the scale of the counter has room."""
_INKS: Final = {Colour.RED: "red", Colour.BLUE: "blue", Colour.GREEN: "green", Colour.YELLOW: "yellow"}


class Theme(NamedTuple):
    """The colours of cards in half blocks."""

    inks: Mapping[str, str]
    """The looks of text on all of them."""
    letter: str
    """The ink on an edge."""
    papers: str
    """By colour of the card."""
    edges: str

    def paper(self, colour: Colour) -> str:
        """Return what text on a card of a colour stands on."""
        return f" bg:{self.papers.split()[colour]}"

    def edge(self, colour: Colour) -> str:
        """Return the colour of its frame."""
        return self.edges.split()[colour]


THEMES: Final[Mapping[str, Theme]] = {
    "dark": Theme(DARK_INKS, "#000000", "#4a1d22 #1c2f5c #17422a #4a3a10", "#ff8a80 #82b1ff #7bd88f #ffd54f"),
    "light": Theme(LIGHT_INKS, "#ffffff", "#ffe0dc #dce8ff #dcf4de #fff0c2", "#a31621 #1a45a8 #17602a #7a5200"),
    "contrast": Theme(DARK_INKS, "#000000", "#300000 #000040 #002800 #302800", "#ff9090 #90c0ff #60ff80 #ffe040"),
}


class Brush(NamedTuple):
    """How cards are drawn."""

    fine: bool = False
    """In half blocks and fine lines."""
    theme: str = LINES

    bare: bool = False
    """Without the paper of a card."""

    def text(self, style: str, card: Card) -> str:
        """Return the style of text on a card."""
        look = None if self.bare else THEMES.get(self.theme)
        return look.inks[style] + look.paper(card.colour) if look else style

    def edge(self, card: Card) -> str:
        """Return the style of the frame of a card."""
        look = THEMES.get(self.theme)
        return look.edge(card.colour) + ("" if self.bare else look.paper(card.colour)) if look else _INKS[card.colour]

    def disks(self, colours: Iterable[Colour | None], card: Card | None = None) -> Line:
        """Return colours as disks with their letters, the star for all of them; on a card if one is given."""
        look, spans = THEMES.get(self.theme), list[Span]()
        for colour in colours:
            sign, one = ("*", Colour.YELLOW) if colour is None else (narrate.letter(colour), colour)
            if look is None:
                spans.append((_INKS[one], f"({sign})"))
                continue
            edge, paper = look.edge(one), look.paper(card.colour) if card and not self.bare else ""
            spans += [(edge + paper, "\u2590"), (f"bold {look.letter} bg:{edge}", sign), (edge + paper, "\u258c")]
        return tuple(spans)


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
    return max(_LEAST_CELL, min(_WIDEST_CELL, (columns - _MARGIN) // len(SPACES)))


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
    model: Model, columns: int, rows: int, onlooker: Onlooker | None = None, brush: Brush = Brush(), whole: int = 0
) -> tuple[list[Line], list[Zone]]:
    """Return the board with what is seen of the hands below it, and what can be clicked: spaces and cards.

    ``whole`` rows are there for board, hand and text, so that cards in hand keep their height when the text changes.
    """
    view = model.state
    if view is None:
        return [EMPTY] * min(rows, ROWS), []
    me, width = model.side, cell_width(columns)
    enemy, large = other(me), is_large(columns, rows)
    high = _LARGE_ROWS if large else _CELL_ROWS
    sides = {
        seat: _side(view, seat, "own" if seat == me else "enemy", width, brush, large=large) for seat in (enemy, me)
    }
    drawn = [
        _player(model, view, enemy, columns, onlooker, brush),
        _areas(width),
        *sides[enemy],
        _middle(view, me, columns, brush, told=onlooker is None),
        *sides[me],
        _player(model, view, me, columns, onlooker, brush),
    ]
    zones = []
    for seat, first in ((enemy, 2), (me, 3 + high)):
        for space in SPACES:
            unit, left = view.state.unit(seat, space), _MARGIN + (space - 1) * width
            what = f"card {unit.card}" if unit else f"space {space}" if seat == me else ""
            zones += [Zone(row + 1, left, left + width - 1, what) for row in range(first, first + high) if what]
    if onlooker is None:
        room, top = rows - len(drawn), len(drawn)
        beside, tall = _held_size(len(view.known_hand(me)), columns, (whole or rows + _BELOW) - top)
        if beside:
            cards, more = _held(view, me, columns, (beside, tall), top, brush)
        else:
            cards, more = _hand(view, me, str(screens.HAND), columns, room, top)
        return [*drawn, *(cards[:room] or [line(f" {screens.NO_HAND}")])], [*zones, *more]
    for count_, seat in enumerate(onlooker.hands):
        room = (rows - len(drawn)) // (len(onlooker.hands) - count_)
        drawn += _hand(view, seat, onlooker.names[seat], columns, room, len(drawn))[0]
    return drawn, zones


_GLIDE, _HIT, _TURN = 4, 3, 4
"""Pictures of a card that is played, of an attack, and of what turns over."""
_MOST: Final = 30
"""Pictures at once: two and a half seconds."""


def motion(entry: FightEntry, moving: AnyMotion | None, page: Page | None) -> Motion | None:
    """Return what is seen of a message, behind what is still seen to move; ``page`` tells what comes of it."""
    before, after = entry.before, entry.after
    if before is None:
        return moving if isinstance(moving, Motion) else None
    hits = (What.ATTACKED, What.DAMAGED, What.HEALED, What.UNOPPOSED)
    flights = {What.PLAYED: _GLIDE, **dict.fromkeys(hits, _HIT)}
    shown = (one for one in entry.events if one.what in flights and (one.what, one.numbers) != (What.HEALED, (0,)))
    steps = [Step(one, before, after, flights[one.what]) for one in shown]
    steps.append(Step(None, before, after, _TURN))
    at = 0
    if isinstance(moving, Motion):
        # What is seen goes on from where it is.
        at, steps, page = moving.at, [*moving.steps, *steps], moving.page or page
    while len(steps) > 1 and sum(step.pictures for step in steps) - at > _MOST:
        at = max(0, at - steps.pop(0).pictures)
    return Motion(pictures=sum(step.pictures for step in steps), at=at, page=page, steps=tuple(steps))


def draw_motion(model: Model, seen: Motion, columns: int, rows: int, brush: Brush, whole: int) -> list[Line]:
    """Return a picture of what moves: a card or the sign of a hit on its way, or cards that turn over."""
    at, landed = seen.at, list[Step]()
    for step in seen.steps:
        if at < step.pictures:
            break
        at -= step.pictures
        landed.append(step)
    share = (at + 1) / (step.pictures + 1)

    def board(view: View) -> list[Line]:
        shown = draw(replace(model, state=view), columns, rows, brush=brush, whole=whole)[0]
        return [fitted(row, columns) for row in (*shown, *[EMPTY] * (rows - len(shown)))]

    def lay(one: Step, done: float) -> None:
        block, start, end = _flight(one, model.side, columns, rows, brush)
        top, left = (round(begin + (goal - begin) * done) for begin, goal in zip(start, end, strict=True))
        for number, row in enumerate(block, top):
            if 0 <= number < rows:
                found, laid = spans.cells(before[number]), spans.cells(row)
                before[number] = spans.joined_cells([*found[:left], *laid, *found[left + len(laid) :]])

    before = board(step.before)
    for one in landed:
        # A card that has come stays there.
        if one.before is step.before and one.event is not None and one.event.what is What.PLAYED:
            lay(one, 1)
    if step.event is None:
        return list(spans.turned(before, board(step.after), share))
    lay(step, share)
    return before


def _flight(
    step: Step, me: Seat, columns: int, rows: int, brush: Brush
) -> tuple[Sequence[Line], tuple[int, int], tuple[int, int]]:
    """Return what flies, and from which row and column to which."""
    event, width, high = step.event, cell_width(columns), _LARGE_ROWS if is_large(columns, rows) else _CELL_ROWS
    assert event is not None

    def top(seat: Seat) -> int:
        return 3 + high if seat == me else 2

    def spot(card: int, across: int) -> tuple[int, int]:
        """Return where something so wide is in the middle of a unit."""
        seat, space = step.before.state.find(card) or step.after.state.find(card) or (event.seat, 1)
        return top(seat) + high // 2, _MARGIN + (space - 1) * width + (width - across) // 2

    if event.what is What.PLAYED:
        space, view = event.numbers[0], step.after
        unit, left = view.state.unit(event.seat, space), _MARGIN + (space - 1) * width
        begin = (2 * high + 4 if event.seat == me else 1 - high, (columns - width) // 2)
        if unit is not None and unit.card == event.cards[0]:
            drawn, style = _card if high > _CELL_ROWS else _small_card, "own" if event.seat == me else "enemy"
            return drawn(view, event.seat, space, style, width - 1, brush), begin, (top(event.seat), left)
        # Equipment, or a unit that has not stayed there.
        told = shorten(narrate.card_name(view.cards, event.cards[0]), width - 3)
        return [line(f" {told} ", "picked")], begin, (top(event.seat) + high - 1, left)
    if event.what is What.UNOPPOSED:
        told = str(screens.BONUSES[event.numbers[0]])
    else:
        told = f"{'+' if event.what is What.HEALED else '-'}{event.numbers[0]}"
    block, first, last = [line(f" {told} ", "picked")], event.cards[0], event.cards[-1]
    begin, end = (spot(card, columns_of(told) + 2) for card in (first, last))
    middle = (2 + high, begin[1])
    # An ability has no place of its own from which it acts.
    ways = {What.ATTACKED: (begin, end), What.UNOPPOSED: (begin, middle)}
    return block, *ways.get(event.what, (middle, end))


def _player(model: Model, view: View, seat: Seat, columns: int, onlooker: Onlooker | None, brush: Brush) -> Line:
    state, own, style = view.state, seat == model.side, "own" if seat == model.side else "enemy"
    name = onlooker.names[seat] if onlooker else str(common.YOU) if own else model.opponent
    parts: list[Span] = [(style, " " * _MARGIN + fill(screens.HAND_OF, name=name, number=len(state.hands[seat])))]
    held = [colour for colour in Colour if state.markers[colour] == seat]
    parts += [(style, f"   {f'{screens.MARKERS} ' if held else screens.NO_MARKERS}"), *brush.disks(held)]
    lead = lead_of(view, seat)
    if onlooker is not None and (lead > 0 or (lead == 0 and own)):
        parts.append((style, "   " + fill(screens.COUNTER_OF, number=signed(lead))))
    if model.clocks is not None:
        shown = model.clocks
        face, running = clocks.face(shown.mine if own else shown.theirs), shown.running is own
        told = f"   {'|| ' if shown.running is None else ''}{face}{' <-' if running else ''}"
        parts.append(("warn" if own and shown.short else "title", told))
    if onlooker is None and seat != model.side and (near := _near(view, seat)):
        parts.append(("warn", f"   {near}"))
    return fitted(tuple(parts), columns - 1)


def lead_of(view: View, seat: Seat) -> int:
    """Return by how many points a seat leads."""
    return view.state.counter if seat == 0 else -view.state.counter


def _near(view: View, seat: Seat) -> str:
    """Return in a few words how near a seat is to its goal; nothing where it is not."""
    units = sum(view.state.unit(seat, space) is not None for space in SPACES)
    if lead_of(view, seat) == GOAL - 1:
        return str(screens.ONE_POINT)
    return fill(screens.UNITS_OF, number=units) if units >= len(SPACES) - 1 else ""


def dangers(model: Model, view: View) -> list[str]:
    """Return in sentences that the enemy is one step before the end; nothing where they are not."""
    enemy = other(model.side)
    free = [space for space in SPACES if view.state.unit(enemy, space) is None]
    found = [fill(screens.POINT_AWAY, name=model.opponent)] if lead_of(view, enemy) == GOAL - 1 else []
    if len(free) < 2:
        found.append(
            fill(screens.SPACE_AWAY if free else screens.SPACES_FULL, name=model.opponent, space=(*free, 0)[0])
        )
    return found


def _middle(view: View, me: Seat, columns: int, brush: Brush, *, told: bool) -> Line:
    """Return what lies between the sides: the counter on its scale if the reader plays, pile and free markers."""
    state, sign = view.state, signs(unicode=brush.fine)
    free = [colour for colour in Colour if state.markers[colour] is None]
    parts: list[Span] = [("rule", " " * _MARGIN + "-- ")]
    if told:
        lead, wide = lead_of(view, me), 3 if columns > _WIDE else 1
        parts.append(("enemy", f"-{GOAL} "))
        for point in range(-GOAL, GOAL + 1):
            style = "free" if point == lead else "own" if point > 0 else "enemy" if point < 0 else "title"
            mark = sign.full if point == lead else sign.upright if point == 0 else sign.empty
            parts.append((style, f"{mark:^{wide}}"))
        parts += [("own", f" +{GOAL} "), ("title", f" {fill(screens.COUNTER, number=signed(lead))} "), ("rule", "| ")]
    parts.append(("rule", fill(screens.PILE, number=len(state.pile))))
    parts += [("rule", f" | {screens.ON_BOARD} "), *brush.disks(free)] if free else []
    rest = _MARGIN + cell_width(columns) * len(SPACES) - columns_of(plain(tuple(parts))) - 2
    return (*parts, ("rule", f" {'-' * max(0, rest)}"))


def _areas(width: int) -> Line:
    shown = "".join(pad(f"{space} {narrate.AREAS[AREA[space]]}", width) for space in SPACES)
    return line(" " * _MARGIN + shown, "title")


def _side(view: View, seat: Seat, style: str, width: int, brush: Brush, *, large: bool) -> Iterator[Line]:
    """Yield the rows of a side, each unit as a card."""
    drawn = _card if large else _small_card
    return _side_by_side([drawn(view, seat, space, style, width - 1, brush) for space in SPACES])


def _side_by_side(cards: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """Yield the rows of several cards of the same height, each as wide as its first row."""
    for parts in zip(*cards, strict=True):
        yield (("", " " * _MARGIN), *(span for part in parts for span in (*part, ("", " "))))


def _small_card(view: View, seat: Seat, space: int, style: str, width: int, brush: Brush) -> list[Line]:
    """Return a unit in three rows: the name as a strip in its colour, values, equipment or what it has left."""
    unit = view.state.unit(seat, space)
    if unit is None:
        return [line(pad(screens.EMPTY_SPACE, width), style), *[line(" " * width)] * (_CELL_ROWS - 1)]
    card, look = view.card(unit.card), THEMES.get(brush.theme)
    told = f"{values(view, seat, space)} {narrate.frame(card)} {unit.card}"
    below = _points(view, seat, space, brush) if unit.gear is None else f"+{narrate.name_of(view.card(unit.gear))}"
    body = [(style, told), (style, below if unit.gear is not None or unit.damage else "")]
    strip = f"bold {look.letter} bg:{look.edge(card.colour)}" if look else style
    rows = [(strip, narrate.name_of(card)), *((brush.text(one, card), text) for one, text in body)]
    leans = has_attacked(view, seat, space)
    room = width - leans
    cut: list[Line] = [((one, pad(shorten(text, room), room)),) for one, text in rows]
    return _tilted(cut) if leans else cut


def _tilted(rows: Sequence[Line]) -> list[Line]:
    """Return a card that has attacked, which leaves a column free, with its upper half a column further right."""
    return [(("", " "), *row) if number < len(rows) // 2 else (*row, ("", " ")) for number, row in enumerate(rows)]


def _points(view: View, seat: Seat, space: int, brush: Brush) -> str:
    """Return a point for each defence of a unit, those struck that damage has taken."""
    unit = view.state.unit(seat, space)
    assert unit is not None
    struck, whole = ("\u2573", "\u2584") if brush.fine else ("/", "#")
    return struck * unit.damage + whole * (defence_of(view.state, seat, space) - unit.damage)


def _card(view: View, seat: Seat, space: int, style: str, width: int, brush: Brush) -> list[Line]:
    unit = view.state.unit(seat, space)
    if unit is None:
        first, second, third, fourth = tuple(signs(unicode=brush.fine).corners)
        edges = {0: (first, second), _LARGE_ROWS - 1: (third, fourth)}
        middle = {_LARGE_ROWS // 2: screens.EMPTY_SPACE}
        ends = [(*edges.get(row, " " * 2), middle.get(row, "")) for row in range(_LARGE_ROWS)]
        return [line(f"{left}{text:^{width - 2}}{right}", "dim") for left, right, text in ends]
    # A tilted card is a column narrower, for its upper half moves by one.
    leans = has_attacked(view, seat, space)
    card, width = view.card(unit.card), width - leans
    worn = "" if unit.gear is None else f"+{narrate.name_of(view.card(unit.gear))}"
    body = [
        *_values(attack_of(view.state, seat, space), defence_of(view.state, seat, space), card, brush),
        line(f"{values(view, seat, space)} {_points(view, seat, space, brush)}", brush.text(style, card)),
        (
            *brush.disks([None if card.all_colours else card.colour], card),
            (brush.text(style, card), f" {screens.ATTACKED if leans else unit.card}"),
        ),
    ]
    rows = _framed(narrate.name_of(card), body, card, width, style, brush, tab=worn)
    return _tilted(rows) if leans else rows


def _values(attack: int, defence: int, card: Card, brush: Brush) -> list[Line]:
    """Return attack and defence in three rows, large where there are half blocks."""
    style = brush.text("free", card)
    if not brush.fine:
        return [EMPTY, line(f" {attack} / {defence}", style), EMPTY]
    slant = (f"{signs(unicode=True).rising:>{end}}".ljust(3) for end in (3, 2, 1))
    rows = zip(figure(attack), slant, figure(defence), strict=True)
    return [line(f" {''.join(row)}", style) for row in rows]


def _framed(
    name: str, body: Sequence[Line], card: Card, width: int, style: str, brush: Brush, *, tab: str = ""
) -> list[Line]:
    """Return a card in a frame of its colour: the name stands in its upper edge, equipment hangs at its lower one."""
    ink, inside, sign, ground = brush.edge(card), width - 4, signs(unicode=brush.fine), brush.text(style, card)
    first, second, third, fourth = tuple(sign.corners)
    name, tab = shorten(name, inside), shorten(tab, inside - 2)
    hung = ((ink, sign.upright), (ground, tab), (ink, sign.upright)) if tab else ()
    return [
        ((ink, f"{first} "), (ground, name), (ink, f" {sign.level * (inside - columns_of(name))}{second}")),
        *(((ink, f"{sign.upright} "), *fitted(row, inside, ground), (ink, f" {sign.upright}")) for row in body),
        ((ink, third + sign.level), *hung, (ink, sign.level * (width - 3 - columns_of(tab) - 2 * bool(tab)) + fourth)),
    ]


def has_attacked(view: View, seat: Seat, space: int) -> bool:
    """Return whether the unit on a space has attacked in the attack that goes on."""
    unit, state = view.state.unit(seat, space), view.state
    return unit is not None and unit.attacked and seat == state.active and state.pointer > 0


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
            head, tail = f"{narrate.frame(printed)} {card} ", f" {narrate.worth(printed)} {narrate.letters(printed)}"
            name = shorten(narrate.name_of(printed), width - 1 - len(head) - len(tail))
            told = pad(head + name + tail, width)
            start = len(narrate.frame(printed))
            spans += [(_INKS[printed.colour], told[:start]), ("free" if card in payable else "", told[start:])]
            left = _MARGIN + place * width
            zones.append(Zone(top + row + 2, left, left + width - 1, f"card {card}"))
        shown.append(tuple(spans))
    if left_out:
        told = fill(screens.MORE_CARDS, number=left_out)
        shown = [*shown[:-1], (*shown[-1], ("dim", told))] if len(hand) % beside else [*shown, line(f" {told}", "dim")]
    return [line(shorten(f" {title} {screens.HAND_COLUMNS}", columns - 1), "title"), *shown], zones


def _held_size(number: int, columns: int, rows: int) -> tuple[int, int]:
    """Return how many cards of a hand stand beside each other and how high they are; 0 where there is no room."""
    across = (columns - _MARGIN) // _LEAST_HELD
    lines = -(-number // across)
    room = next((high for high in _HELD_ROWS if lines * high < rows - _BELOW), 0)
    return (-(-number // lines), room) if number and room and columns > _WIDE else (0, 0)


def _held(
    view: View, me: Seat, columns: int, size: tuple[int, int], top: int, brush: Brush
) -> tuple[list[Line], list[Zone]]:
    """Return the hand as cards that say what they do, and where each can be clicked."""
    hand, payable = sorted(view.known_hand(me)), set(playable(view, me))
    beside, high = size
    width = min(_WIDEST_HELD, (columns - _MARGIN) // beside)
    shown: list[Line] = [line(f" {screens.HAND} {screens.HAND_CARDS}", "title")]
    zones: list[Zone] = []
    for first in range(0, len(hand), beside):
        parts = []
        for place, number in enumerate(hand[first : first + beside]):
            card, left = view.card(number), _MARGIN + place * width
            style, look = ("free", brush) if number in payable else ("dim", brush._replace(bare=True))
            parts.append(_held_card(card, number, width - 1, high, style, look))
            rows = range(top + len(shown) + 1, top + len(shown) + high + 1)
            zones += [Zone(row, left, left + width - 1, f"card {number}") for row in rows]
        shown += _side_by_side(parts)
    return shown, zones


def _held_card(card: Card, number: int, width: int, high: int, style: str, brush: Brush) -> list[Line]:
    """Return a card with what is printed on it: its colour, values and cost as disks, and what it does."""
    inside, look = width - 4, brush.text(style, card)
    cost = brush.disks(card.cost, card) or line(str(screens.NO_COST), look)
    head = (*brush.disks([None if card.all_colours else card.colour], card), (look, f" {narrate.worth(card)} "))
    room = inside - len(plain(head)) - len(plain(cost))
    if room < 0:
        cost = line(narrate.letters(card), look)
        room = inside - len(plain(head)) - len(plain(cost))
    texts = wrapped(narrate.text_of(card), inside, "")
    if len(texts) > high - 3:
        texts = (*texts[: high - 4], shorten(" ".join(texts[high - 4 :]), inside))
    body = [
        (*head, (look, " " * room), *cost),
        *(line(text, look) for text in texts),
        *[EMPTY] * (high - 3 - len(texts)),
    ]
    return _framed(f"{number} {narrate.name_of(card)}", body, card, width, style, brush)


def large_card(card: Card, number: int, columns: int, brush: Brush) -> list[Line]:
    """Return one card as large as a page: figures, cost and the whole of its text."""
    width = min(44, columns - 4)
    look, inside = brush.text("free", card), width - 4
    cost = (
        (look, f"{screens.COSTS} "),
        *(brush.disks(card.cost, card) or line(str(screens.NO_COST), look)),
        (look, f"  {narrate.cost(card)}"),
    )
    kind = fill(screens.CARD_KIND, kind=narrate.KINDS[card.kind], colour=narrate.colour_of(card))
    body = [
        (*brush.disks([None if card.all_colours else card.colour], card), (look, f" {kind}")),
        EMPTY,
        *_values(card.attack, card.defence, card, brush),
        line(fill(screens.CARD_VALUES, attack=card.attack, defence=card.defence), look),
        EMPTY,
        cost if card.cost else cost[:2],
        EMPTY,
        *(line(text, look) for text in wrapped(narrate.text_of(card), inside, "")),
    ]
    return _framed(f"{number} {narrate.name_of(card)}", body, card, width, "free", brush)


def hand_rows(view: View, me: Seat, columns: int, rows: int) -> int:
    """Return how many of so many rows below the board, the text among them, the whole hand takes."""
    number = len(view.state.hands[me])
    beside, high = _held_size(number, columns, rows)
    return 1 - (-number // beside) * high if beside else 1 - (-number // _beside(columns))


def _beside(columns: int) -> int:
    return max(1, (columns - _MARGIN) // _LEAST_CARD)


def playable(view: View, me: Seat) -> list[int]:
    """Return the cards of the hand that can be paid for now and have a place."""
    question = view.state.question
    if question is None or question.kind != "main" or question.seat != me:
        return []
    hand = list(view.known_hand(me))
    return [
        card
        for card in sorted(hand)
        if places(view.state, me, view.card(card).kind) and first_payment(view.state, me, card, hand) is not None
    ]


def card_lines(card: Card, number: int) -> list[str]:
    """Return everything that is printed on a card."""
    return [f"{narrate.KINDS[card.kind]}: {narrate.in_words(card, number)}"]


def side_lines(model: Model, view: View, *, texts: bool = False) -> list[str]:
    """Return both sides, a unit a line, for a screen reader; with what each does if ``texts`` are wanted."""
    found = []
    for seat, name in ((model.side, str(common.YOU)), (other(model.side), model.opponent)):
        units = [space for space in SPACES if view.state.unit(seat, space) is not None]
        found.append(f"{name}:" if units else fill(screens.SIDE_LINE, name=name, units=screens.NO_UNITS))
        for space in units:
            unit = view.state.unit(seat, space)
            assert unit is not None
            attack, defence = attack_of(view.state, seat, space), defence_of(view.state, seat, space)
            told = fill(
                screens.UNIT_AT,
                space=space,
                card=narrate.card_name(view.cards, unit.card),
                attack=attack,
                defence=defence,
            )
            told += f", {fill(screens.HURT, number=unit.damage)}" if unit.damage else ""
            if unit.gear is not None:
                told += f", {fill(screens.WITH_GEAR, card=narrate.card_name(view.cards, unit.gear))}"
            told += f", {screens.ATTACKED}" if has_attacked(view, seat, space) else ""
            found.append(f"{told}. {narrate.text_of(view.card(unit.card)) if texts else ''}".rstrip())
    return found


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
    return [screens.hand_holds(len(hand)), *(narrate.in_words(view.card(card), card) for card in hand)]
