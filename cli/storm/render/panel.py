"""The panel beside the board: both sides' Honor, Energy, units and losses, and what hidden enemies can be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cli.clean import shorten, width
from cli.console.render.spans import EMPTY, Line, first_fitting, line, signs, wrapped
from cli.language import cached
from cli.storm import model
from cli.storm.model import Model
from cli.storm.render.board import base_name
from cli.storm.text import names, screens
from cli.text import clocks
from cli.text import screens as common
from cli.text.wording import fill
from storm_p2p.storm import views
from storm_p2p.storm.board import BASE, FACTIONS, OTHER, Faction
from storm_p2p.storm.rules import setup
from storm_p2p.storm.state import Phase, State, Token
from storm_p2p.storm.units import REQUIRED, ROSTER, Unit, units_in

_ROOM_FOR_NAMES = 30
"""From so many columns on units are named, not counted."""
_ROWS_FOR_NAMES = 20
_BAR_ENERGY = 24


@dataclass(frozen=True, slots=True)
class Looker:
    """Who looks at the panel, if not the player of the upper side."""

    name: str
    """Of the player of the upper side."""
    sees: frozenset[Faction]
    """The sides whose units they know, hidden or not."""


def draw(model: Model, columns: int, rows: int, *, unicode: bool, looker: Looker | None = None) -> tuple[Line, ...]:
    """Return the panel in at most so many columns and rows."""
    if model.state is None:
        return ()
    looker = looker or Looker(str(common.YOU), frozenset({model.side}))
    drawn = _draw(model.state, model.side, model.opponent, looker, model.words, columns, rows, unicode=unicode)
    if model.clocks is None:
        return drawn
    shown = model.clocks
    # The first line is free; nothing else moves when there is a clock.
    named = clocks.panel(shown.mine, shown.theirs, model.opponent, shown.running)
    text = first_fitting((named, clocks.panel_short(shown.mine, shown.theirs, shown.running)), columns)
    return (line(text, "warn" if shown.short else "title"), *drawn[1:])


@cached(maxsize=8)
def _draw(
    state: State, me: Faction, opponent: str, looker: Looker, safe: str, columns: int, rows: int, *, unicode: bool
) -> tuple[Line, ...]:
    foe = OTHER[me]
    called = {me: looker.name, foe: opponent}
    wide = columns >= _ROOM_FOR_NAMES and rows >= _ROWS_FOR_NAMES
    blocks = {
        faction: _block(state, faction, me, called, columns, wide=wide, seen=faction in looker.sees, unicode=unicode)
        for faction in FACTIONS
    }
    rule = line("-" * (columns - 1), "rule")
    lines = [EMPTY, *blocks[me], rule, *blocks[foe]]
    if safe and wide and len(lines) + 2 <= rows:
        lines += [rule, *(line(row, "dim") for row in wrapped(fill(common.SAFE_WORDS, words=safe), columns))]
    elif not wide and foe not in looker.sees and len(lines) + 2 <= rows:
        lines += [rule, *_hidden(state, foe, columns, rows - len(lines) - 1)]
    return tuple(lines[:rows])


def _block(
    state: State,
    faction: Faction,
    me: Faction,
    called: Mapping[Faction, str],
    columns: int,
    *,
    wide: bool,
    seen: bool,
    unicode: bool,
) -> list[Line]:
    """Return everything about a side; ``seen`` says whether its hidden units are known to who looks."""
    lines = _side(state, faction, called[faction], columns, seen=seen)
    if wide:
        style = "own" if faction == me else "enemy"
        lines[1:2] = _bars(state, faction, columns, style, unicode=unicode)
        if seen:
            lines += _own_names(state, faction, called[OTHER[faction]], columns, style)
        else:
            lines += _enemy_names(state, faction, columns)
    return lines + _losses(state, faction, columns)


def _side(state: State, faction: Faction, name: str, columns: int, *, seen: bool) -> list[Line]:
    """Return the head of a side: who, whose turn, stocks, how many units are left."""
    side = names.side_name(faction)
    moving = state.turn == faction and state.phase not in (Phase.SETUP, Phase.OVER)
    # A long name stands alone: whose side it is, the own line says.
    head = f"{name.upper()}  {side}" if width(name) + width(side) + 5 <= columns else shorten(name.upper(), columns - 3)
    tokens = model.in_play(state, faction)
    known = sum(token.known for token in tokens)
    template = screens.LEFT if seen else screens.LEFT_HIDDEN
    if state.phase == Phase.SETUP and not tokens:
        # Nothing is lost; nothing stands yet.
        template = screens.NOT_SET_UP
    return [
        (("title", head), ("warn", " <-" if moving else "")),
        (
            ("", f"{screens.HONOR} "),
            ("title", f"{state.honor[faction]:2}"),
            ("", f"   {screens.ENERGY} "),
            ("title", f"{state.energy[faction]:2}"),
        ),
        line(shorten(fill(template, count=len(tokens), known=known, hidden=len(tokens) - known), columns)),
    ]


def _bars(state: State, faction: Faction, columns: int, style: str, *, unicode: bool) -> list[Line]:
    start = setup.start_honor(state.terms)[faction]
    return [
        _bar(str(screens.HONOR), state.honor[faction], start, columns, style, unicode=unicode),
        _bar(str(screens.ENERGY), state.energy[faction], _BAR_ENERGY, columns, style, unicode=unicode),
    ]


def _bar(word: str, amount: int, whole: int, columns: int, style: str, *, unicode: bool) -> Line:
    sign = signs(unicode=unicode)
    room = min(columns - 14, max(whole, 1))
    full = min(room, round(room * amount / max(whole, amount, 1)))
    bar = ((style, sign.full * full), ("dim", sign.empty * (room - full)))
    return (("", f"{word:8}"), ("title", f"{amount:3} "), *bar)


def _losses(state: State, faction: Faction, columns: int) -> list[Line]:
    lines: list[Line] = []
    lost = model.lost_units(state, faction)
    if lost:
        text = fill(screens.LOST, units=" ".join(names.unit_name(unit) for unit in lost))
        # Two rows of names in a wide panel, one in a narrow one; then letters.
        if len(wrapped(text, columns - 1)) > (2 if columns >= _ROOM_FOR_NAMES else 1):
            text = fill(screens.LOST, units=" ".join(names.code(unit) for unit in lost))
        lines += [line(row) for row in wrapped(text, columns - 1)[:2]]
    loss = model.base_loss(state, faction)
    if loss and state.phase != Phase.OVER:
        text = fill(screens.NEXT_TURN_WHY, loss=loss, base=base_name(BASE[faction]))
        lines.append(line(first_fitting((text, fill(screens.NEXT_TURN, loss=loss)), columns), "warn"))
    return lines


def _own_names(state: State, me: Faction, opponent: str, columns: int, style: str) -> list[Line]:
    """Return which own units are known, which are secret and which are not in play."""
    standing = [
        (token, region) for region in range(1, 25) for token in state.sides[me][region] if token.unit is not None
    ]
    known = [f"{_name(token)} {region}" for token, region in standing if token.known]
    secret = [f"{_name(token)} {region}" for token, region in standing if not token.known]
    left_out = model.named(state.sides[me][0])
    out = [names.unit_name(unit) for unit in ROSTER[me] if unit in left_out]
    head = fill(screens.KNOWN_TO, name=opponent, known=len(known), count=len(standing))
    lines = [*_list(head, known, columns, style), *_list(str(screens.UNSEEN), secret, columns, style)]
    return lines + (_list(str(screens.NOT_IN_PLAY), out, columns, "dim") if out else [])


def _name(token: Token) -> str:
    return names.unit_name(None if token.unit is None else Unit(token.unit))


def _enemy_names(state: State, foe: Faction, columns: int) -> list[Line]:
    """Return which enemies are known, where hidden ones stand, and what those can be."""
    known = [f"{_name(token)} {region}" for region in range(1, 25) for token in state.sides[foe][region] if token.known]
    return _list(str(screens.KNOWN), known, columns, "enemy") + _hidden(state, foe, columns, 99)


def _hidden(state: State, foe: Faction, columns: int, rows: int) -> list[Line]:
    """Return where hidden enemies stand and what they can be, in at most so many rows."""
    places = [region for region in range(1, 25) if any(not token.known for token in state.sides[foe][region])]
    count = sum(not token.known for token in model.in_play(state, foe))
    if not count or rows < 2:
        return []
    can = views.find_unplaced(state, foe)
    named = columns >= _ROOM_FOR_NAMES
    certain = units_in(can & REQUIRED) if named else []
    head = str(screens.CAN_BE)
    if certain:
        # A leader that must be there, and that nobody has seen, is hidden.
        head = fill(screens.ONE_IS, unit=names.unit_name(certain[0]), number=count - 1)
        if count == 1:
            can, head = 0, fill(screens.ONE_IS_ALONE, unit=names.unit_name(certain[0]))
    others = [unit for unit in units_in(can) if unit not in certain]
    codes = [names.code(unit).lower() for unit in others]
    units = [names.unit_name(unit) for unit in others] if named else codes
    where = fill(screens.HIDDEN_IN, count=count, regions=" ".join(map(str, places)))
    lines = [line(row) for row in wrapped(where, columns - 1)] if named else []
    if not units:
        return [*lines, line(head, "hidden")][:rows]
    if len(_list(head, units, columns, "hidden", comma=" ")) > rows - len(lines):
        units = codes
    return [*lines, *_as_many_as_fit(head, units, columns, rows - len(lines))][:rows]


def _as_many_as_fit(head: str, units: Sequence[str], columns: int, rows: int) -> list[Line]:
    """Return a heading and as many units as have room, and how many more there are and where all are found."""
    for left_out in range(len(units)):
        more = [fill(screens.MORE_UNITS, count=left_out)] if left_out else []
        found = _list(head, [*units[: len(units) - left_out], *more], columns, "hidden", comma=" ")
        if len(found) <= rows:
            return found
    return _list(head, [fill(screens.MORE_UNITS, count=len(units))], columns, "hidden", comma=" ")


def _list(head: str, items: Sequence[str], columns: int, style: str, comma: str = ", ") -> list[Line]:
    """Return a heading and a list of words in as many lines as they need."""
    return [line(row, style) for row in wrapped(f"{head} {comma.join(items) or common.NOBODY}", columns - 1, " ")]
