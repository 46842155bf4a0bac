"""The ground of the board in half blocks: each cell has two points, one above the other, with a colour each.  Pure.

The grid of cells is that of the lines and slants (:mod:`cli.storm.render.board`): the same columns and rows, and so the
same text and the same zones.  A state of a region changes its shade or its seam, never its shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import repeat
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from cli.console.render.spans import DARK_INKS, LIGHT_INKS, RIVERS, Colour, Line, hexadecimal, joined_cells
from storm_p2p.storm.board import COLUMN, CROSSES, Region
from storm_p2p.storm.units import Unit

if TYPE_CHECKING:
    from cli.storm.render.board import Size

Point: TypeAlias = tuple[Colour | None, Colour | None]
"""What is seen there, and on what text stands; None is the terminal's own background."""
_UPPER: Final = "\u2580"
"""Its upper half has the foreground, the lower one the background."""
_LOWER: Final = "\u2584"
FOG: Final = " fog"
"""Behind the tint of a region with units that are not known."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a board."""

    fills: Mapping[str, Colour]
    """The middle shade of each part of the world."""
    states: Mapping[str, Colour]
    """The shade of a region where something could be done."""
    seams: Mapping[str, Colour]
    """What surrounds it there."""
    river: tuple[Colour, Colour]
    seam: float
    """How bright the seam of a region is, as a share of its shade."""
    fog: int
    """How bright the grey is that is mixed to the bands of a region where somebody is not known."""
    slope: float
    """How much brighter the upper edge of a region is than its middle, which the lower edge is darker by."""
    inks: Mapping[str, str]
    """The looks of text on all of it."""


_WORLD: Final = ("palace", "olympus", "earth", "underworld", "tartarus")
_STATES: Final = ("chosen", "attack", "reach")


def _colour(look: str) -> Colour:
    """Return the foreground of a look in words of prompt_toolkit."""
    word = next(word for word in look.split() if word.startswith("#"))
    return int(word[1:3], 16), int(word[3:5], 16), int(word[5:7], 16)


def _named(names: Sequence[str], colours: str) -> Mapping[str, Colour]:
    return dict(zip(names, map(_colour, colours.split()), strict=True))


_THEMES: Final = {
    "dark": Theme(
        _named(_WORLD, "#684c0b #284682 #464c36 #521e4e #701a22"),
        _named(_STATES, "#484c54 #7c1c1c #005c5c"),
        _named(_STATES, "#ffffff #ff6050 #60e8dc"),
        RIVERS["dark"],
        seam=0.5,
        fog=70,
        slope=0.14,
        inks=DARK_INKS,
    ),
    "light": Theme(
        _named(_WORLD, "#f6de8e #bed4f6 #d6dac4 #e6c8e8 #f6c8c2"),
        _named(_STATES, "#eeeeee #fabab0 #b0eae2"),
        _named(_STATES, "#000000 #be1010 #007676"),
        RIVERS["light"],
        seam=0.72,
        fog=255,
        slope=0.05,
        inks=LIGHT_INKS,
    ),
    "contrast": Theme(
        _named(_WORLD, "#3a2c00 #000030 #101010 #240024 #3a0000"),
        _named(_STATES, "#404040 #600000 #004040"),
        _named(_STATES, "#ffffff #ff4040 #00fff0"),
        RIVERS["contrast"],
        seam=6.0,
        fog=40,
        slope=0.0,
        inks=DARK_INKS,
    ),
}
LIGHTS: Final[Mapping[str, Colour]] = {
    "chthonians": (190, 70, 230),
    "olympians": (250, 190, 60),
    "draw": (150, 150, 150),
}
"""What falls on a board at the end, by who has won."""


def _brightness(colour: Colour) -> float:
    return sum(part * share for part, share in zip(colour, (0.2126, 0.7152, 0.0722), strict=True))


def _lit(theme: Theme, light: Colour) -> Theme:
    """Return a theme in a light; each shade stays about as bright as it was, so that text can be read on it."""

    def mixed(fill: Colour) -> Colour:
        share = _brightness(fill) / _brightness(light)
        parts = [0.4 * own + 0.6 * share * lit for own, lit in zip(fill, light, strict=True)]
        red, green, blue = (min(255, round(part)) for part in parts)
        return red, green, blue

    return replace(theme, fills={name: mixed(fill) for name, fill in theme.fills.items()})


GROUNDS: Final[Mapping[str, Theme]] = _THEMES | {
    f"{name} {who}": _lit(theme, light) for name, theme in _THEMES.items() for who, light in LIGHTS.items()
}
"""By name, and by name and who has won; what lies beside the board is the terminal's own."""
EMBLEM: Final = 6
"""Columns of an emblem."""
HIDDEN: Final = ".####. #...## ..###. ...... ..##.."
"""The emblem of a unit that is not known."""
EMBLEMS: Final[Mapping[int, str]] = {
    Unit.HADES: ".####. ###### #.##.# ###### #.##.#",
    Unit.PERSEPHONE: "#.##.# ##..## .####. ..##.. .###..",
    Unit.CERBERUS: "#.##.# ###### .##### .####. .#..#.",
    Unit.CRONUS: ".####. #...## ...##. ..##.. .##...",
    Unit.HECATE: "#.##.# #.##.# .####. ..##.. ..##..",
    Unit.HYPNOS: "#....# ##..## .####. #.##.# ......",
    Unit.ERINYES: ".####. ##.... .####. ....## .####.",
    Unit.MOIRAE: ".####. ..##.. .####. ..##.. .####.",
    Unit.HARPIES: "#....# ##..## ###### .####. .#..#.",
    Unit.THANATOS: ".####. #.##.# ###### .####. .#..#.",
    Unit.CHARON: "..##.. ..###. ..#... ###### .####.",
    Unit.NYX: "..###. .##... .##... .##... ..###.",
    Unit.ZEUS: "...##. ..##.. .####. ..##.. .##...",
    Unit.HERA: "#.##.# #.##.# ###### ###### ######",
    Unit.ATHENA: "#....# ###### #.##.# ###### .####.",
    Unit.APHRODITE: ".#..#. ###### ###### .####. ..##..",
    Unit.DIONYSUS: "#....# ###### .####. ..##.. .####.",
    Unit.APOLLO: "#.##.# .####. ###### .####. #.##.#",
    Unit.HERMES: "##..## .####. ..##.. .####. ..##..",
    Unit.ARES: "....## ...##. #.##.. .##... #.##..",
    Unit.POSEIDON: "#.##.# #.##.# ###### ..##.. ..##..",
    Unit.ARTEMIS: ".##... ...##. ###### ...##. .##...",
    Unit.HEPHAESTUS: "#####. ###### #####. ..#... ..#...",
    Unit.DEMETER: "#.##.# .####. #.##.# .####. ..##..",
}
"""Half rows of each unit's emblem.  A sixth one would lie in the seam below it."""


class _Place(NamedTuple):
    """What a point is, whatever the theme and the states."""

    region: Region
    """0 beside the board."""
    seams: tuple[Region, ...]
    """The regions that it divides; none within one."""
    depth: float
    """From 1 at the upper edge of a region to -1 at its lower one."""
    wave: int | None
    """Which of the two colours of the Styx it has."""
    band: bool
    """Where there is fog, it lies here."""


@lru_cache(maxsize=8)
def _places(size: Size, regions: Sequence[Region]) -> tuple[tuple[_Place, ...], ...]:
    """Return what each point is, by half rows.

    A hex is as high as its text, and each half row nearer to its middle reaches half a column further to both sides.
    What divides two regions belongs to the upper and the left one, away from their numbers.
    """
    owners = [[0] * (size.columns + 2) for _ in range(2 * size.rows + 2)]
    for region in regions:
        left, first = 1 + COLUMN[region] * size.pitch, 2 * size.top(region)
        for down in range(4 * size.height):
            inset = abs(down + 0.5 - 2 * size.height) / 2
            start, end = (int(edge + 0.5) for edge in (left + inset, left + size.pitch + size.height - inset))
            owners[first + down][start:end] = [region] * (end - start)

    def place(row: int, column: int) -> _Place:
        left, region, right = owners[row][column - 1 : column + 2]
        below = owners[row + 1][column]
        deep = owners[row + 2][column] if size.height > 1 else below
        wet = any(CROSSES[region][one] for one in (below, deep, right, left))
        divides = below if not region else not region == below == right or not left
        seams = tuple(one for one in (region, below, right if region else 0) if one) if divides else ()
        depth = 1 - (row - 2 * size.top(region)) / (2 * size.height)
        return _Place(region, seams, depth, (column // 3 + row) % 2 if wet else None, row // 2 % 2 == 0)

    return tuple(tuple(place(row, column) for column in range(1, size.columns + 1)) for row in range(2 * size.rows))


@lru_cache(maxsize=32)
def _points(name: str, size: Size, tints: Sequence[str], regions: Sequence[Region]) -> tuple[tuple[Point, ...], ...]:
    """Return the points of the ground by half rows.

    Args:
        name: of the theme.
        size: of the board.
        tints: what each region is: a part of the world, or what could be done there.
        regions: those that are drawn.
    """
    look = lru_cache(maxsize=None)(partial(_point, GROUNDS[name], tints))
    return tuple(tuple(map(look, row)) for row in _places(size, regions))


def _point(theme: Theme, tints: Sequence[str], place: _Place) -> Point:
    names = [tints[one].removesuffix(FOG) for one in (*place.seams, place.region)]
    lit = [theme.seams[name] for name in names[:-1] if name in theme.seams]
    seam = lit[0] if lit else _shaded(theme.fills[names[0]], theme.seam) if place.seams else None
    if not place.region:
        return seam, None
    fill = theme.states.get(names[-1]) or theme.fills[names[-1]]
    if place.band and tints[place.region].endswith(FOG):
        red, green, blue = fill
        fill = (red + theme.fog) // 2, (green + theme.fog) // 2, (blue + theme.fog) // 2
    paper = _shaded(fill, 1 + theme.slope * place.depth)
    return theme.river[place.wave] if place.wave is not None else seam or paper, paper


def _shaded(colour: Colour, share: float) -> Colour:
    red, green, blue = (min(255, round(part * share)) for part in colour)
    return red, green, blue


def paint(
    rows: Iterable[Sequence[tuple[str, str]]],
    name: str,
    size: Size,
    tints: Sequence[str],
    regions: Sequence[Region],
    emblems: Iterable[tuple[str, int, int, str]],
) -> tuple[Line, ...]:
    """Return a board in half blocks.

    Args:
        rows: the cells with a style and a character each, as they are written on the board.
        name: of the theme.
        size: of the board.
        tints: what each region is.
        regions: those that are drawn.
        emblems: form, row, column and style of each.
    """
    theme = GROUNDS[name]
    points = [list(row) for row in _points(name, size, tints, regions)]
    for form, first, start, style in emblems:
        ink = _colour(theme.inks[style])
        for row, bits in zip(points[2 * first :], form.split(), strict=False):
            for column, bit in enumerate(bits, start):
                seen, paper = row[column]
                if bit == "#" and seen == paper:
                    row[column] = (ink, paper)
    shades = map(tuple, points)
    return tuple(_row(name, next(shades), next(shades), tuple(row)) for row in rows)


# Most rows of a board are those of the board before it: a key changes a few regions.
@lru_cache(maxsize=128)
def _row(name: str, upper: Sequence[Point], lower: Sequence[Point], written: Sequence[tuple[str, str]]) -> Line:
    return joined_cells(map(_cell, repeat(GROUNDS[name]), upper, lower, written))


def _cell(theme: Theme, upper: Point, lower: Point, written: tuple[str, str]) -> tuple[str, str]:
    """Return the style in words of prompt_toolkit and the character of a cell."""
    style, char = written
    (above, paper), (below, other) = upper, lower
    paper = paper or other
    if (style or char != " ") and paper is None:
        return written
    if style or char != " ":
        return f"{theme.inks.get(style, theme.inks['edge'])} bg:{hexadecimal(paper)}", char
    if above is None or below is None:
        seen = above or below
        return ("", " ") if seen is None else (hexadecimal(seen), _UPPER if above else _LOWER)
    return (
        (f"bg:{hexadecimal(above)}", " ")
        if above == below
        else (f"{hexadecimal(above)} bg:{hexadecimal(below)}", _UPPER)
    )
