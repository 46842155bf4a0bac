"""The board as text: 13 rows of hexes.  Pure; nothing here prints.

Own units stand in upper case, with ``*`` when the opponent knows them; enemy units in lower case behind a dash,
hidden ones as ``-???``.  ``~`` is the Styx.
"""

from collections.abc import Callable, Sequence
from typing import Final

from cli.text.wording import _
from storm_p2p.storm.board import ALTITUDE, BASE, COLUMN, CROSSES, OTHER, REGIONS, Faction, Region
from storm_p2p.storm.state import Group, State, Token
from storm_p2p.storm.units import CARDS, STRENGTH

ROWS: Final = 13
_PITCH: Final = 11
_INSIDE: Final = 10
_TOP: Final = max(ALTITUDE)


def draw(state: State, faction: Faction) -> list[str]:
    """Return the board as 13 lines of at most 56 columns, with the units of ``faction`` in upper case."""
    rows = [[" "] * (5 * _PITCH + 1) for _ in range(ROWS)]

    def put(row: int, column: int, text: str) -> None:
        rows[row][column : column + len(text)] = text

    for region in REGIONS:
        row, column = 1 + _TOP - ALTITUDE[region], _PITCH * COLUMN[region]
        below = region - 1
        wet = COLUMN[below] == COLUMN[region] and CROSSES[region][below]
        upper, lower = _inside(state, faction, region)
        put(row, column, f"/{region:2}{upper:8}\\")
        put(row + 1, column, f"\\{lower:{'~' if wet else '_'}<{_INSIDE}}/")
        if COLUMN[region + 1 if region < len(REGIONS) else 0] != COLUMN[region]:
            put(row - 1, column + 1, "_" * _INSIDE)
    return ["".join(row).rstrip() for row in rows]


def leaders_first(group: Sequence[Token]) -> list[Token]:
    """Return a group of which not everybody is named with its known leader first: he decides the match."""
    return sorted(group, key=lambda token: token.unit is None or not CARDS[token.unit].leads)


def _inside(state: State, faction: Faction, region: Region) -> tuple[str, str]:
    """Return what stands in a region, in the two rows of a hex."""
    ours = ordered(state.sides[faction][region])
    theirs = ordered(state.sides[OTHER[faction]][region], known_first=True)
    if ours and theirs:
        return _shortened(ours, own_word), _shortened(theirs, enemy_word)
    words = [own_word(token) for token in ours] + [enemy_word(token) for token in theirs]
    return "".join(words[:2]), "".join(words[2:])


def _shortened(group: Sequence[Token], word: Callable[[Token], str]) -> str:
    if len(group) <= 2:
        return "".join(map(word, group))
    return f"{word(leaders_first(group)[0])} +{len(group) - 1} "


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


def own_word(token: Token) -> str:
    """Return an own unit in four columns."""
    code = "???" if token.unit is None else CARDS[token.unit].code.upper()
    return f"{code}{'*' if token.known else ' '}"


def enemy_word(token: Token) -> str:
    """Return an enemy counter in four columns."""
    return "-???" if token.unit is None or not token.known else f"-{CARDS[token.unit].code}"


def base_name(region: Region) -> str:
    """Return the name of a base, or nothing."""
    return {BASE[0]: _("Tartarus"), BASE[1]: _("Palace")}.get(region, "")
