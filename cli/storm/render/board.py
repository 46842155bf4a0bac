"""The board in three sizes, with units, prices and the Styx; and which region is under a cell of the screen.

Own units stand in upper case (or by name), with ``*`` when the opponent knows them; enemies in lower case behind a
dash (or in angle brackets), hidden ones as ``-???`` (``<?>``).  A price stands at the lower edge of a region, and so
do the signs of its states (:func:`_signs`); ``>`` marks an own unit that is picked, ``#`` one that they know as well.

How units are ordered and written in a region is the same wherever a board is told or drawn.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby, pairwise
from math import pi, sin
from typing import Final, TypeAlias

from cli.console.render.spans import Line, on, signs
from cli.language import cached
from cli.storm.model import Marks, Motion, StormEntry, Trail, named
from cli.storm.render import ground
from cli.storm.text import names
from cli.text.wording import _
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import ALTITUDE, BASE, COLUMN, CROSSES, OTHER, REALM, REGIONS, Faction, Region
from storm_p2p.storm.state import Group, Side, State, Token
from storm_p2p.storm.units import CARDS, FACTION, STRENGTH, Unit, units_in

_HIGHEST: Final = max(ALTITUDE)


class Grid:
    """Characters that are put one over the other."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows = [[("", " ")] * columns for _ in range(rows)]
        self._tints = [[""] * columns for _ in range(rows)]

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        """Write text; each of its characters takes one column."""
        self._rows[row][column : column + len(text)] = [(style, char) for char in text]

    def tint(self, row: int, column: int, columns: int, tint: str) -> None:
        """Lay a tint under a part of a row, whatever is or will be written there."""
        self._tints[row][column : column + columns] = [tint] * columns

    @property
    def rows(self) -> Sequence[Sequence[tuple[str, str]]]:
        """The cells with a style and a character each, without what lies under them."""
        return self._rows

    def lines(self) -> tuple[Line, ...]:
        """Return the rows as spans."""
        return tuple(
            tuple(
                (on(style, tint), "".join(char for (_, char), _ in cells))
                for (style, tint), cells in groupby(zip(row, tints, strict=True), lambda cell: (cell[0][0], cell[1]))
            )
            for row, tints in zip(self._rows, self._tints, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Size:
    """The measures of a board."""

    pitch: int
    """Columns from one column of hexes to the next."""
    height: int
    """Rows of half a hex."""
    rows: int
    columns: int
    """Of the whole board."""

    def top(self, region: Region) -> int:
        """Return the first row of a region, below the edge above it."""
        return 1 + (_HIGHEST - ALTITUDE[region]) * self.height


SMALL: Final = Size(11, 1, 13, 56)
LARGE: Final = Size(16, 2, 25, 82)
HUGE: Final = Size(21, 3, 37, 108)
"""With the strength of each unit."""


@cache
def _near(region: Region, columns: int, altitude: int) -> Region:
    """Return the region so many columns right and so much higher, or 0."""
    for there in REGIONS:
        if COLUMN[there] == COLUMN[region] + columns and ALTITUDE[there] == ALTITUDE[region] + altitude:
            return there
    return 0


WORLD: Final = (
    "",
    *(
        {BASE[0]: "tartarus", BASE[1]: "palace"}.get(region)
        or ("underworld" if region in REALM[0] else "olympus" if region in REALM[1] else "earth")
        for region in REGIONS
    ),
)
"""The tint of each region."""


def ordered(group: Group, *, known_first: bool = False) -> list[Token]:
    """Return tokens with the strongest first, so that their order tells nothing about serials."""
    return sorted(
        group,
        key=lambda token: (
            known_first and not token.known,
            -1 if token.unit is None else -STRENGTH[token.unit],
            -1 if token.unit is None else token.unit,
        ),
    )


def own_word(token: Token, *, picked: bool = False) -> str:
    """Return an own unit in four columns."""
    code = "???" if token.unit is None else names.code(Unit(token.unit))
    return code + " *>#"[token.known + 2 * picked]


def enemy_word(unit: int | None) -> str:
    """Return an enemy counter in four columns; None is a hidden one."""
    return "-???" if unit is None else f"-{names.code(Unit(unit)).lower()}"


def base_name(region: Region) -> str:
    """Return the name of a base, or nothing."""
    return {BASE[0]: _("Tartarus"), BASE[1]: _("Palace")}.get(region, "")


_PLACES: Final = 4
"""Units that stand in a region of the small board."""
REALM_ROWS: Final = 7
"""Rows of the small board that show the nine regions of a realm."""


@dataclass(slots=True)
class _Pen:
    """What is needed to draw one board."""

    sides: tuple[Side, Side]
    faction: Faction
    marks: Marks
    unicode: bool
    size: Size
    theme: str = ""
    """Of the ground in half blocks; another one is of lines."""
    regions: Sequence[Region] = REGIONS
    """What is drawn."""
    named: bool = False
    grid: Grid = field(init=False)
    prices: Mapping[Region, tuple[int, int]] = field(init=False)
    attacks: Mapping[Region, str] = field(init=False)
    """How many would fight how many."""

    def __post_init__(self) -> None:
        self.grid = Grid(self.size.rows, self.size.columns)
        self.prices = {region: (honor, energy) for region, honor, energy in self.marks.prices}
        self.attacks = {region: f"{ours}:{theirs}" for region, ours, theirs in self.marks.attacks}

    def lines(self) -> tuple[Line, ...]:
        """Return the board as lines."""
        if self.theme not in ground.GROUNDS:
            return self.grid.lines()
        tints = ("", *(_tint(self, region) + _fog(self, region) for region in REGIONS))
        emblems = (*_points(self), *(() if self.size is SMALL else _emblems(self)))
        return ground.paint(self.grid.rows, self.theme, self.size, tints, tuple(self.regions), emblems)


@cached(maxsize=16)
def draw(
    sides: tuple[Side, Side],
    faction: Faction,
    marks: Marks,
    *,
    size: Size,
    unicode: bool,
    theme: str = "",
    regions: Sequence[Region] = REGIONS,
    named: bool = False,
) -> tuple[Line, ...]:
    """Return the board as lines, on a ground in half blocks where a theme says its colours.

    ``named`` says that a unit that is alone stands with its whole name on the small board, too.
    """
    pen = _Pen(sides, faction, marks, unicode, size, theme if unicode else "", regions, named)
    for region in regions:
        _outline(pen, region)
        _HEXES[size](pen, region)
        _put_signs(pen, region)
    if marks.motion is not None:
        _on_the_way(pen, marks.motion)
    return pen.lines()


def realm_top(faction: Faction) -> int:
    """Return the first row of the small board on which a realm is drawn: the edge above its highest region."""
    return min(SMALL.top(region) for region in REALM[faction]) - 1


def place(region: Region, size: Size) -> tuple[int, int]:
    """Return row and column of a region's number, for somebody who wants to point at it."""
    return size.top(region), COLUMN[region] * size.pitch + size.height


# -- what both sizes share ------------------------------------------------------------------------------------


def _tokens(pen: _Pen, region: Region) -> tuple[list[Token], list[Token]]:
    ours = ordered(pen.sides[pen.faction][region])
    theirs = ordered(pen.sides[OTHER[pen.faction]][region], known_first=True)
    return ours, theirs


def _is_picked(pen: _Pen, region: Region, token: Token) -> bool:
    group = pen.sides[pen.faction][region] if region == pen.marks.origin else ()
    return any(group[place] == token for place in pen.marks.places if place < len(group))


def _style(pen: _Pen, region: Region, token: Token) -> str:
    own = token.faction == pen.faction
    if _is_picked(pen, region, token):
        return "picked"
    if pen.marks.eye and not (own and token.known):
        return "dim"
    return ("seen" if token.known else "own") if own else ("enemy" if token.known else "hidden")


def _letters(pen: _Pen, region: Region, token: Token) -> str:
    """Return a unit in four columns."""
    if token.faction != pen.faction:
        return enemy_word(token.unit if token.known else None)
    return own_word(token, picked=_is_picked(pen, region, token))


def _name(pen: _Pen, region: Region, token: Token) -> str:
    """Return a unit by its name."""
    if token.faction != pen.faction:
        return f"<{names.unit_name(Unit(token.unit))}>" if token.known and token.unit is not None else "<?>"
    name = "?" if token.unit is None else names.unit_name(Unit(token.unit))
    return f"{'>' if _is_picked(pen, region, token) else ''}{name}{'*' if token.known else ''}"


Words: TypeAlias = Sequence[tuple[str, str]]
"""Texts with their styles."""


def _written(
    pen: _Pen, region: Region, tokens: Sequence[Token], write: Callable[[_Pen, Region, Token], str] = _letters
) -> Words:
    """Return units as they are written, with their styles."""
    return [(write(pen, region, token), _style(pen, region, token)) for token in tokens]


def _number_style(pen: _Pen, region: Region) -> str:
    entered = [path[-1] for _, path in pen.marks.trails[:1] if not pen.marks.origin]
    if region in (pen.marks.origin, pen.marks.target, *entered):
        return "picked"
    return "warn" if region in (*pen.marks.noted, *pen.marks.suspected, *pen.marks.free) else "number"


def _signs(pen: _Pen, region: Region) -> str:
    """Return what the states of a region look like as text, the most important sign first.

    ``<`` and ``>`` are where from and where to, ``?`` where a unit that is asked about may stand, ``"`` a note; ``:``
    was entered and ``.`` left in the last turn, ``;`` and ``,`` in the one before.
    """
    marks, found = pen.marks, ""
    for sign, regions in (("<", (marks.origin,)), (">", (marks.target,)), ("?", marks.suspected), ('"', marks.noted)):
        found += sign if region in regions else ""
    for turn, path in marks.trails:
        entered, left = ":." if turn == marks.trails[0][0] else ";,"
        found += entered if region == path[-1] else left if region in path else ""
    return "".join(dict.fromkeys(found))


def _put_signs(pen: _Pen, region: Region) -> None:
    """Write the signs of a region at the end of its lowest row that has room for them, or as many as there is room."""
    text, size = _signs(pen, region), pen.size
    while text:
        for down in reversed(range(2 * size.height)):
            inset = size.height - 1 - down if down < size.height else down - size.height
            row, end = size.top(region) + down, COLUMN[region] * size.pitch + size.pitch + size.height - 1 - inset
            cells = pen.grid.rows[row][end - len(text) - (size is not SMALL) : end]
            if all(char == " " or style == "edge" or style == "water" for style, char in cells):
                pen.grid.put(row, end - len(text) - (size is not SMALL), text, "free")
                return
        text = text[:-1]


def _fog(pen: _Pen, region: Region) -> str:
    """Return what is added to the tint of a region with units that are not known; the eye sees as the other side."""
    side = pen.sides[pen.faction if pen.marks.eye else OTHER[pen.faction]]
    both = (*side[region], *(() if pen.marks.eye else pen.sides[pen.faction][region]))
    return ground.FOG if any(not one.known and (pen.marks.eye or one.unit is None) for one in both) else ""


def _points(pen: _Pen) -> Iterator[tuple[str, int, int, str]]:
    """Yield the points between the regions of each trail, as emblems of one point."""
    for turn, path in pen.marks.trails:
        ink = "free" if turn == pen.marks.trails[0][0] else "dim"
        for one, two in pairwise(path):
            (row, column), (to_row, to_column) = (place(region, pen.size) for region in (one, two))
            steps = max(abs(to_row - row), abs(to_column - column) // 3)
            for step in range(1, steps):
                share, middle = step / steps, pen.size.pitch - 5
                down = row + pen.size.height - 1 + (to_row - row) * share
                yield "#", round(down), round(column + middle + (to_column - column) * share), ink


def _slant(pen: _Pen, row: int, column: int, char: str, one: Region, two: Region) -> None:
    """Draw a slanted edge between two regions, one of which may be off the board."""
    if two and CROSSES[one][two]:
        _water(pen, row, column, signs(unicode=pen.unicode).wave)
    else:
        pen.grid.put(row, column, char, "edge")


def _water(pen: _Pen, row: int, column: int, text: str) -> None:
    """Draw a part of the Styx."""
    if pen.unicode:
        pen.grid.tint(row, column, len(text), "styx")
    pen.grid.put(row, column, text, "water")


def _level(pen: _Pen, row: int, column: int, columns: int, one: Region, two: Region) -> None:
    """Draw a level edge between two regions, one of which may be off the board."""
    found = signs(unicode=pen.unicode)
    if two and CROSSES[one][two]:
        _water(pen, row, column, found.wave * columns)
    else:
        pen.grid.put(row, column, found.edge * columns, "edge")


def _tint(pen: _Pen, region: Region) -> str:
    """Return what lies under a region: what could be done there, else which part of the world it is."""
    if not pen.unicode:
        return ""
    if region == pen.marks.origin:
        return "chosen"
    if region in pen.attacks:
        return "attack"
    lit = region in pen.prices or region in (*pen.marks.free, *pen.marks.suspected)
    return "reach" if lit else WORLD[region]


def _price_style(honor: int, energy: int) -> str:
    if honor < 0 or energy < 0:
        return "cost"
    return "gain" if honor > 0 or energy > 0 else "free"


def _outline(pen: _Pen, region: Region) -> None:
    """Draw the edges of a region, its tint and its number."""
    size, sign = pen.size, signs(unicode=pen.unicode)
    row, column = size.top(region), COLUMN[region] * size.pitch
    start, columns = column + size.height, size.pitch - size.height
    pen.grid.put(row, start, f"{region:2}", _number_style(pen, region))
    if pen.theme in ground.GROUNDS:
        return
    tint = _tint(pen, region)
    for down in range(2 * size.height):
        upper = down < size.height
        inset = size.height - 1 - down if upper else down - size.height
        left, right = column + inset, column + size.pitch + size.height - 1 - inset
        pen.grid.tint(row + down, left + 1, right - left - 1, tint)
        slants = (sign.rising, sign.falling) if upper else (sign.falling, sign.rising)
        for at, slant, across in zip((left, right), slants, (-1, 1), strict=True):
            _slant(pen, row + down, at, slant, region, _near(region, across, 1 if upper else -1))
    above = _near(region, 0, 2)
    if above not in pen.regions:
        _level(pen, row - 1, start, columns, region, above)
    _level(pen, row + 2 * size.height - 1, start, columns, region, _near(region, 0, -2))


def _emblems(pen: _Pen) -> Iterator[tuple[str, int, int, str]]:
    """Yield the emblem of each unit that is alone in its region: its form, row, column and style."""
    for region in pen.regions:
        ours, theirs = _tokens(pen, region)
        if len(ours) + len(theirs) != 1 or region in pen.prices:
            continue
        (token,) = ours or theirs
        known = bool(ours) or token.known
        style = _style(pen, region, token)
        row, column = place(region, pen.size)
        # In the middle, unless the name of a base needs the room.
        middle = (pen.size.pitch - pen.size.height - ground.EMBLEM) // 2
        yield _emblem(token.unit if known else None), row + 1, column + middle + 5 * (region in BASE), style
    if (moving := pen.marks.motion) is not None and moving.emblem:
        row, column = _spot(moving, moving.at, pen.size, ground.EMBLEM)
        yield moving.emblem, row + 1, column, "own" if moving.mine else "enemy"


def _emblem(unit: int | None) -> str:
    return ground.HIDDEN if unit is None else ground.EMBLEMS[unit]


def _on_the_way(pen: _Pen, motion: Motion) -> None:
    """Write units that move between the regions of their way, at the step where they are; a flight leaves its arc."""
    style = "own" if motion.mine else "enemy"
    for at in range(motion.at if motion.flight else 0):
        pen.grid.put(*_spot(motion, at, pen.size, 1), ".", style)
    pen.grid.put(*_spot(motion, motion.at, pen.size, len(motion.text)), motion.text, style)


def _spot(motion: Motion, at: int, size: Size, width: int) -> tuple[int, int]:
    """Return row and column of units on their way in one of its pictures."""
    done = (at + 1) / (motion.way + 1) * (len(motion.path) - 1)
    leg = int(done)
    (row, column), (to_row, to_column) = (place(region, size) for region in motion.path[leg : leg + 2])
    done -= leg
    rise = ARC * size.height * sin(pi * done) if motion.flight else 0
    across = round(column + (to_column - column) * done) + 2
    down = round(row + (to_row - row) * done - rise) + (size is not SMALL)
    return max(0, down), min(across, size.columns - width)


# -- 80 columns -----------------------------------------------------------------------------------------------


def _small_hex(pen: _Pen, region: Region) -> None:
    row, column = SMALL.top(region), COLUMN[region] * SMALL.pitch
    grid = pen.grid
    ours, theirs = _tokens(pen, region)
    if pen.named and len(ours) == 1 and not theirs:
        _small_name(pen, region, row, column, ours[0])
        return
    # Both sides have a row each, unless they all have a place of their own in the four there are.
    crowded = len(ours) + len(theirs) > _PLACES or max(len(ours), len(theirs)) * 2 <= _PLACES
    if ours and theirs and crowded:
        upper = _small_group(pen, region, ours, theirs=False)
        lower = _small_group(pen, region, theirs, theirs=True)
    else:
        words = _written(pen, region, [*ours, *theirs])
        upper, lower = words[:2], words[2:]
    used, text, mark = sum(len(word) for word, _ in lower), "", ""
    if region in pen.prices:
        honor, energy = pen.prices[region]
        text = _price(honor, energy, 10 - used)
        bare = f"{energy:+d}E" if energy and not honor else ""
        if region in pen.attacks and bare and len(bare) + len(str(names.ATTACK)) < 10 - used:
            # The price leaves out what it has not, so that the mark has its room.
            text = bare
        grid.put(row + 1, column + 11 - len(text), text, _price_style(honor, energy))
        mark = _attack(pen, region, 10 - used - len(text))
    # Away from the edge, where the upper row of the region to the left ends.
    start = column + 1 + min(2, (10 - used - len(text) - len(mark)) // 2)
    _put(grid, row, column + 3, upper)
    _put(grid, row + 1, start, lower)
    grid.put(row + 1, start + used, mark, "warn")


def _attack(pen: _Pen, region: Region, room: int) -> str:
    """Return the mark of a region that would be attacked, as much of it as there is room for."""
    if region not in pen.attacks:
        return ""
    texts = (f"{names.ATTACK} {pen.attacks[region]}", str(names.ATTACK), "!", "")
    return next(text for text in texts if len(text) <= room)


def _small_name(pen: _Pen, region: Region, row: int, column: int, token: Token) -> None:
    """Write the whole name of an own unit: behind the number, or below it where a long one has its room."""
    name = _name(pen, region, token).upper()
    blank = " " if len(name) < 8 else ""
    down, start = (0, column + 3) if len(name) <= 8 else (1, column + 1)
    pen.grid.put(row + down, start, f"{blank}{name}"[:10], _style(pen, region, token))


def _small_group(pen: _Pen, region: Region, group: Sequence[Token], *, theirs: bool) -> Words:
    """Return up to two units of a side in a combat, or the first and how many more."""
    if len(group) > 2:
        # Not everybody is named, but the known leader is: he decides the match.
        group = sorted(group, key=lambda token: token.unit is None or not CARDS[token.unit].leads)
    words = _written(pen, region, group)
    if len(words) <= 2:
        return words
    # The lower row has two columns more, unless a price stands there.
    if theirs and len(words) <= _PLACES and region not in pen.prices:
        return [*words[:2], (f"+{len(words) - 2}", words[2][1])]
    return [words[0], (f" +{len(words) - 1} ", words[1][1])]


def _price(honor: int, energy: int, room: int = 12) -> str:
    """Return a price in the room there is; Energy only where it fits."""
    price = f"{honor:+d}" if honor else " 0"
    if energy and room >= len(price) + 5:
        return f"[{price} {energy:+d}E]"
    return f"[{price}]" if room >= len(price) + 2 else price.strip()


def _put(grid: Grid, row: int, column: int, words: Words) -> None:
    for text, style in words:
        grid.put(row, column, text, style)
        column += len(text)


# -- 120 columns and more -------------------------------------------------------------------------------------


def _large_hex(pen: _Pen, region: Region) -> None:
    row, column = pen.size.top(region), COLUMN[region] * pen.size.pitch
    grid = pen.grid
    ours, theirs = _tokens(pen, region)
    if ours and theirs:
        _put(grid, row + 1, column + 1, _large_group(pen, region, ours))
        _put(grid, row + 2, column + 1, _large_group(pen, region, theirs))
    else:
        words = [
            *_written(pen, region, ours, _name),
            *((_name(pen, region, one) + _strength(one) * (not one.known), _style(pen, region, one)) for one in theirs),
        ]
        _large_names(grid, row, column, words)
        base = base_name(region)
        if base and len(words) < 2:
            grid.put(row + 1, column + 3, base.upper(), "dim")
    if region in pen.prices:
        honor, energy = pen.prices[region]
        text = _price(honor, energy)
        crowded = bool(ours and theirs)
        down = 2 + crowded
        grid.put(row + down, column + 17 - crowded - len(text), text, _price_style(honor, energy))
        # The mark has the row that no name needs; beside four names there is room for a sign.
        below, start, room = ((2, 1, 16 - len(text)), (3, 2, 14), (2, 16 - len(text), 1))[max(0, len(theirs) - 2)]
        grid.put(row + below, column + start, _attack(pen, region, room), "warn")


def _huge_hex(pen: _Pen, region: Region) -> None:
    row, column = pen.size.top(region), COLUMN[region] * pen.size.pitch
    grid = pen.grid
    ours, theirs = _tokens(pen, region)
    if ours and theirs and len(ours) + len(theirs) > _PLACES:
        _put(grid, row + 1, column + 4, _large_group(pen, region, ours))
        _put(grid, row + 2, column + 4, _large_group(pen, region, theirs))
    else:
        words = _written(pen, region, [*ours, *theirs], _name)
        for down, ((text, style), token) in enumerate(zip(words, [*ours, *theirs], strict=True)):
            strength = _strength(token, seen=bool(ours))
            grid.put(row + down, column + (4 if down else 6), text + strength, style)
        if base_name(region) and len(words) < _PLACES:
            grid.put(row + 3, column + 4, base_name(region).upper(), "dim")
    if region in pen.prices:
        text = _price(*pen.prices[region])
        grid.put(row + 4, column + 22 - len(text), text, _price_style(*pen.prices[region]))
        grid.put(row + 4, column + 3, _attack(pen, region, 18 - len(text)), "warn")


def _strength(token: Token, *, seen: bool = False) -> str:
    """Return the strength on a unit's card and the mark of a leader; of a hidden one what everybody knows it can be."""
    if token.unit is not None and (seen or token.known):
        card = CARDS[token.unit]
        return f" {card.strength}{' ^' if card.leads else ''}"
    can = {CARDS[unit].strength for unit in units_in(token.can)}
    return f" {min(can)}-{max(can)}" if len(can) > 1 else "".join(f" {one}" for one in can)


_HEXES: Final = {SMALL: _small_hex, LARGE: _large_hex, HUGE: _huge_hex}


def _large_names(grid: Grid, row: int, column: int, words: Words) -> None:
    """Write up to four names, one a row, each where the hex has room."""
    starts = ((0, column + 4, 12), (1, column + 2, 14), (2, column + 2, 14), (3, column + 3, 12))
    for (down, start, room), (text, style) in zip(starts, words, strict=False):
        blank = down == 0 and len(text) < room
        grid.put(row + down, start + blank, text[:room], style)


def _large_group(pen: _Pen, region: Region, group: Sequence[Token]) -> Words:
    """Return the units of a side in a combat: by name where one is alone, else by their letters."""
    return _written(pen, region, group, _name if len(group) == 1 else _letters)


ARC = 2.5
"""How high a flight rises, in halves of a hex."""
STEP, TURN = 4, 3
"""Pictures of a step and of units that turn over."""
MOST_STEPS = 3
"""So many steps are seen at this pace; more of them take no longer."""
_NAMED = 2


def trails(before: Sequence[Trail], state: State, events: Sequence[object]) -> tuple[Trail, ...]:
    """Return who went where in the turn of a state and the one before, after events in that turn."""
    new = [(state.number, way[1]) for way in map(_way, events) if way is not None]
    return tuple(one for one in (*reversed(new), *before) if state.number - one[0] < 2)


def motion(entry: StormEntry, side: Faction) -> Motion | None:
    """Return the motion that a message brought about, or None; ``side`` is whose view it is.

    Of the other side it names whom the message names: nothing here depends on who is hidden.
    """
    before, after = entry.before, entry.after
    if before is None:
        return None
    arrived = _face_down(before, after)
    turn = 0 if arrived == after.sides else TURN
    found = next(filter(None, map(_way, entry.events)), None)
    if found is None:
        return Motion(pictures=turn, sides=arrived, arrived=arrived) if turn else None
    faction, path, units = found
    if faction == side:
        stayed = {token.unit for token in after.sides[side][path[0]]}
        left = tuple(token for token in before.sides[side][path[0]] if token.unit not in stayed)
        words = [own_word(token).strip() for token in ordered(left)]
        units = named(left)
    else:
        words = list(map(enemy_word, units))
    way = STEP * min(MOST_STEPS, len(path) - 1)
    return Motion(
        pictures=way + turn,
        sides=_meanwhile(before, after, faction, path[0]),
        path=path,
        flight=any(isinstance(event, ev.Moved) and event.flight for event in entry.events),
        text=_together(words),
        emblem=_emblem(units[0]) if len(units) == 1 else "",
        mine=faction == side,
        arrived=arrived,
        way=way,
    )


def _way(event: object) -> tuple[Faction, tuple[Region, ...], Sequence[Unit | None]] | None:
    """Return who goes which way, and the units as far as everybody knows them."""
    match event:
        case ev.Moved():
            return event.faction, event.path, event.units
        case ev.Sneaked():
            return FACTION[event.unit], event.path, (event.unit,)
        case ev.Retreated():
            return event.faction, (event.region, event.target), event.units
        case _:
            return None


def _face_down(before: State, after: State) -> tuple[Side, Side]:
    """Return the board afterwards, with those that were opened as they were known before."""
    hidden = {token.serial: token for side in before.sides for group in side for token in group if not token.known}
    first, second = (
        tuple(tuple(hidden.get(one.serial, one) if one.known else one for one in group) for group in side)
        for side in after.sides
    )
    return first, second


def _meanwhile(before: State, after: State, faction: Faction, origin: Region) -> tuple[Side, Side]:
    """Return the board as it was, without those that have left."""
    sides = list(before.sides)
    regions = list(sides[faction])
    regions[origin] = after.sides[faction][origin]
    sides[faction] = tuple(regions)
    return sides[0], sides[1]


def _together(words: Sequence[str]) -> str:
    """Return who moves in the room that there is: two by their letters, or one and how many more."""
    return "".join(words) if len(words) <= _NAMED else f"{words[0]}+{len(words) - 1}"
