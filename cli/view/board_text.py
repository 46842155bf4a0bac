"""The board of 80 columns as text: 13 rows of hexes and a side panel.  Pure; nothing here prints.

Own units stand in upper case, with ``*`` when the opponent knows them; enemy units in lower case behind a dash,
hidden ones as ``-???``.  ``~`` is the Styx.  ``[-2]`` on the lower edge of a region is a price.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cli.clean import fit
from cli.text import matches, names, screens
from cli.text.wording import _, fill
from cli.view import model as m
from cli.view.model import Model
from storm_p2p.board import ALTITUDE, BASE, COLUMN, CROSSES, OTHER, REGIONS, Faction, Region
from storm_p2p.state import Group, Phase, State, Token
from storm_p2p.units import CARDS, STRENGTH

ROWS: Final = 13
COLUMNS: Final = 80
PANEL: Final = 58
"""The column where the side panel begins."""
_PITCH: Final = 11
_INSIDE: Final = 10
_TOP: Final = max(ALTITUDE)


def draw(state: State, faction: Faction, marks: Mapping[Region, int] | None = None) -> list[str]:
    """Return the board as 13 lines of at most 56 columns.

    Args:
        state: the owner's view.
        faction: whose view; its units are written in upper case.
        marks: prices to write on regions.
    """
    rows = [[" "] * (5 * _PITCH + 1) for _ in range(ROWS)]

    def put(row: int, column: int, text: str) -> None:
        rows[row][column : column + len(text)] = text

    for region in REGIONS:
        row, column = 1 + _TOP - ALTITUDE[region], _PITCH * COLUMN[region]
        below = region - 1
        wet = COLUMN[below] == COLUMN[region] and CROSSES[region][below]
        upper, lower = _inside(state, faction, region)
        mark = None if marks is None else marks.get(region)
        put(row, column, f"/{region:2}{upper:8}\\")
        put(row + 1, column, f"\\{_lower_edge(lower, mark, '~' if wet else '_')}/")
        if COLUMN[region + 1 if region < len(REGIONS) else 0] != COLUMN[region]:
            put(row - 1, column + 1, "_" * _INSIDE)
    return ["".join(row).rstrip() for row in rows]


def _inside(state: State, faction: Faction, region: Region) -> tuple[str, str]:
    """Return what stands in a region, in the two rows of a hex."""
    ours = [own_word(token) for token in ordered(state.sides[faction][region])]
    theirs = [enemy_word(token) for token in ordered(state.sides[OTHER[faction]][region], known_first=True)]
    if ours and theirs:
        return _shortened(ours), _shortened(theirs)
    words = ours or theirs
    return "".join(words[:2]), "".join(words[2:])


def _shortened(words: Sequence[str]) -> str:
    return "".join(words) if len(words) <= 2 else f"{words[0]} +{len(words) - 1} "


def _lower_edge(units: str, mark: int | None, edge: str) -> str:
    if mark is None:
        text = units
    elif len(units) > 4:
        text = f"{units}{mark:+d}" if mark else f"{units} 0"
    else:
        price = f"[{mark:+d}]" if mark else "[ 0]"
        text = units + edge * (9 - len(price) - len(units)) + price
    return text + edge * (_INSIDE - len(text))


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


def panel(model: Model) -> list[str]:
    """Return the side panel as 13 lines of at most 22 columns."""
    state = model.state
    if state is None:
        return [""] * ROWS
    me, him = model.faction, OTHER[model.faction]
    mine, his = m.in_play(state, me), m.in_play(state, him)
    shown, found = sum(token.known for token in mine), sum(token.known for token in his)
    rule = "-" * 19
    lines = [
        "",
        _headline(screens.YOU, me, state),
        _stocks(state, me),
        fill(screens.LEFT, count=len(mine), known=shown),
        _losses(state, me),
        _next_turn(state, me),
        rule,
        _headline(model.opponent.upper(), him, state),
        _stocks(state, him),
        fill(screens.LEFT_HIDDEN, count=len(his), known=found, hidden=len(his) - found),
        _losses(state, him),
        _next_turn(state, him),
        rule,
    ]
    return [fit(line, COLUMNS - PANEL) for line in lines]


def _stocks(state: State, faction: Faction) -> str:
    return f"{screens.HONOR} {state.honor[faction]:3}   {screens.ENERGY} {state.energy[faction]}"


def _headline(name: str, faction: Faction, state: State) -> str:
    side = names.side_name(faction)
    turn = "" if state.turn != faction or state.phase in (Phase.SETUP, Phase.OVER) else " <-"
    return f"{fit(name, COLUMNS - PANEL - len(side) - 4)} {side}{turn}"


def _losses(state: State, faction: Faction) -> str:
    lost = m.lost(state, faction)
    if not lost:
        return ""
    if len(lost) <= 2:
        return fill(screens.LOST, units=" ".join(map(names.unit_name, lost)))
    return fill(screens.LOST, units=" ".join(map(names.code, lost)))


def _next_turn(state: State, faction: Faction) -> str:
    loss = m.base_loss(state, faction)
    return fill(screens.NEXT_TURN, loss=loss) if loss else ""


def screen(model: Model, marks: Mapping[Region, int] | None = None) -> list[str]:
    """Return board and panel side by side: 13 lines of at most 80 columns."""
    assert model.state is not None
    drawn = draw(model.state, model.faction, marks)
    return [f"{left:{PANEL}}{right}".rstrip() for left, right in zip(drawn, panel(model), strict=True)]


def headline(model: Model, what: str) -> str:
    """Return the line above the board."""
    parts = [screens.GAME]
    if model.match:
        parts.append(fill(screens.MATCH, number=matches.number(model.match)))
    if model.state is not None:
        parts.append(fill(screens.TURN, number=model.state.number))
    parts.append(what)
    if model.log:
        # Everything is on disk before it is sent.
        parts.append(_("log saved"))
    return fit(" | ".join(parts), COLUMNS)


def base_name(region: Region) -> str:
    """Return the name of a base, or nothing."""
    return {BASE[0]: _("Tartarus"), BASE[1]: _("Palace")}.get(region, "")
