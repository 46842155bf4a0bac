"""What the full screen shows of Storm below its head: board and panel (both sides, and what hidden enemies can be),
combat window or setup, and what to do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from cli.clean import pad, shorten, width
from cli.console import screen_state
from cli.console.render import spans
from cli.console.render.spans import EMPTY, Line, Zone, beside, first_fitting, line, signs, with_name, wrapped
from cli.console.replay import ALL, Replay, views_of
from cli.console.screen_state import LINES, Page
from cli.language import cached
from cli.storm import guide, model, placing, viewing, vocabulary
from cli.storm.grammar import find_unit, is_unit
from cli.storm.model import Marks, Model, Motion, StormScreen, Trail
from cli.storm.placing import Placing
from cli.storm.render import board, combat
from cli.storm.render.board import Size, base_name
from cli.storm.text import help_text, names, screens, story
from cli.text import clocks
from cli.text import screens as common
from cli.text.wording import _, fill
from storm_p2p.storm import events as ev
from storm_p2p.storm import views
from storm_p2p.storm.board import BASE, FACTIONS, OTHER, REALM, REGIONS, Faction
from storm_p2p.storm.rules import setup
from storm_p2p.storm.rules.combat import sealed
from storm_p2p.storm.state import Phase, Side, State, Terms, Token, combat_of
from storm_p2p.storm.units import CARDS, NAME, REQUIRED, ROSTER, Unit, units_in

MOST_NAMED = 4
"""So many kept setups are named."""
_TEXT_ROWS = 6
"""For the text below the units, its title among them: the longest card has five lines of 78 columns."""
_ROSTER_ROWS = 7
"""The title and six rows of two units."""


def is_shown(screen: StormScreen) -> bool:
    """Return whether the setup is looked at: while it is made, and sealed until the game has it."""
    return screen.placing is not None or (bool(screen.match.arranged) and model.is_setting_up(screen.match))


def setup_text_rows(rows: int, size: Size) -> int:
    """Return how many of the rows between head and prompt the text gets; always the same, so that nothing jumps."""
    least = board.REALM_ROWS if size is board.SMALL else size.rows
    return min(_TEXT_ROWS, rows - least - _ROSTER_ROWS)


def draw_setup(screen: StormScreen, rows: int, size: Size) -> tuple[list[Line], list[Zone]]:
    """Return board, panel and the twelve units in ``rows`` rows below the head, and what can be clicked there."""
    drawn, first = _board_lines(screen, rows, size)
    start = size.columns + GAP
    lines = beside(drawn, _panel(screen, screen.columns - start, len(drawn)), start)
    shown, zones = _roster(screen, screen.columns, len(lines) + 2)
    lines += [spans.section(str(screens.YOUR_TWELVE), screen.columns), *shown]
    lines += [EMPTY] * (rows - len(lines))
    moved = [replace(zone, row=zone.row - first) for zone in hexes(size)]
    return lines, [*(zone for zone in moved if 1 <= zone.row <= len(drawn)), *zones]


def _shown(screen: StormScreen) -> Placing:
    return Placing(screen.match.side, screen.match.arranged)


def _board_lines(screen: StormScreen, rows: int, size: Size) -> tuple[tuple[Line, ...], int]:
    """Return the board with nothing but the units placed so far, its free regions marked, and its first row.

    The whole board where there is room; else the own realm, in which everything happens.
    """
    shown, settings = _shown(screen), screen.settings
    state = placing.as_state(shown, screen.match.terms)
    picked = _picked(screen)
    marks = Marks(target=0 if picked is None else shown.by_unit.get(picked, 0), free=shown.free)
    side, fine, theme = screen.match.side, settings.unicode, settings.theme
    whole = size is not board.SMALL or rows >= board.SMALL.rows + _ROSTER_ROWS
    regions = REGIONS if whole else REALM[side]
    drawn = board.draw(state.sides, side, marks, size=size, unicode=fine, theme=theme, regions=regions, named=True)
    first = 0 if whole else board.realm_top(side)
    return drawn if whole else drawn[first : first + board.REALM_ROWS], first


def _picked(screen: StormScreen) -> Unit | None:
    first = screen.typed.lower().split()[:1]
    return find_unit(first[0], screen.match.side) if first and is_unit(first[0], screen.match.side) else None


def _panel(screen: StormScreen, columns: int, rows: int) -> list[Line]:
    """Return the panel beside the board: how far the setup is, what is missing, the terms, the other side."""
    shown = _shown(screen)
    side = names.side_name(screen.match.side)
    texts: list[tuple[str, str]] = [
        (fill(screens.HEAD, side=side, count=len(shown.places), whole=setup.SELECTED), "title")
    ]
    for unit in ROSTER[screen.match.side]:
        if 1 << unit & REQUIRED:
            done = screens.MUST_DONE if unit in shown.by_unit else screens.MUST
            texts.append((fill(done, unit=names.unit_name(unit)), ""))
    if screen.placing is None:
        texts.append((str(screens.SEALED), "title"))
    elif shown.free:
        texts.append((fill(screens.FREE, regions=" ".join(map(str, shown.free))), "warn"))
    else:
        texts.append((str(screens.COMPLETE), "title"))
    blocks = [[line(row, style) for row in wrapped(text, columns)] for text, style in texts]
    room = rows - sum(map(len, blocks))
    blocks.append(_terms(screen.match, columns, room))
    rival = screens.RIVAL_SEALED if _rival_has_sealed(screen.match) else screens.RIVAL
    blocks.append([line(row, "dim") for row in wrapped(fill(rival, name=screen.match.opponent), columns)])
    if screen.match.words and rows > board.SMALL.rows:
        blocks.append([line(row) for row in wrapped(fill(common.SAFE_WORDS, words=screen.match.words), columns)])
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
    long = wrapped(fill(screens.TERMS, terms=story.terms(model.terms)), columns)
    short = wrapped(fill(screens.TERMS, terms=story.terms(model.terms, short=True)), columns)
    return [line(row) for row in (long if len(long) < rows else short)]


def _roster(screen: StormScreen, columns: int, row: int) -> tuple[list[Line], list[Zone]]:
    """Return the twelve units in two columns with their places, and what can be clicked from ``row`` on."""
    shown = _shown(screen)
    half = columns // 2
    units = ROSTER[screen.match.side]
    middle = len(units) // 2
    picked = _picked(screen)
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


def card(screen: StormScreen) -> Sequence[str]:
    """Return what the unit on the line can do, or nothing."""
    unit = _picked(screen)
    if unit is None:
        return ()
    strength = fill(screens.STRENGTH, strength=CARDS[unit].strength)
    return (f"{names.unit_name(unit)}, {strength}. {_(CARDS[unit].text)}",)


def first_lines(screen: StormScreen) -> Sequence[str]:
    """Return what somebody who sets up for the first time has to know, with an example of the own side."""
    faction = screen.match.side
    example = {"unit": vocabulary.say_argument(NAME[ROSTER[faction][0]]), "region": REALM[faction][0]}
    texts = screens.FIRST if _shown(screen).free else screens.READY
    found = [fill(text, **example) for text in texts]
    if screen.setups:
        found.append(fill(screens.KEPT, names=" ".join(name for name, _ in screen.setups[-MOST_NAMED:])))
    return found


GAP = 2
"""Columns between the board and its panel."""
_BESIDE = 110
"""So many columns have room for the window of a combat beside the board."""
_WINDOWS = ((board.HUGE, 160, 50), (board.LARGE, 118, 38))
"""What the larger boards need."""
_LEAST_HINT = 1
"""Rows for how a maneuver is chosen, as far as they go; the keys stand in the hint."""
_LEAST_TEXT = 2
"""Rows for the preview and for answers."""
_ANSWERED = frozenset({Phase.AID, Phase.LOSE, Phase.RETREAT, Phase.STAY, Phase.SNEAK, Phase.BOLT})
"""Phases that ask a question; what the rules force is answered by the program."""


@lru_cache(maxsize=3)
def hexes(size: Size) -> tuple[Zone, ...]:
    """Return the cells of each region, below the head line."""
    zones = []
    for region in REGIONS:
        row, column = board.place(region, size)
        left = column // size.pitch * size.pitch
        zones += [Zone(1 + row + down, left + 1, left + size.pitch, f"hex {region}") for down in range(2 * size.height)]
    return tuple(zones)


def board_size(columns: int, rows: int) -> Size:
    """Return the largest board for a window."""
    return next((size for size, across, down in _WINDOWS if columns >= across and rows >= down), board.SMALL)


def _size(screen: StormScreen) -> Size:
    """Return the size of the board; in the setup it has to leave room for the twelve units."""
    size = board_size(screen.columns, screen.rows)
    return board.LARGE if size is board.HUGE and is_shown(screen) else size


def text_rows(screen: StormScreen, rows: int) -> tuple[int, int]:
    """Return the fewest and the most rows for the text below the board: what the board leaves, but for the title."""
    size = _size(screen)
    if screen.page is None and is_shown(screen):
        room = setup_text_rows(rows, size) - 1
        return room, room
    most = rows - size.rows - 1
    if screen.page is None and _fights(screen) and (screen.question is None or screen.page == Page.CHAT):
        # What can be done is known after the first combat; what the powers do in this one is not.
        narrow = len(_beside(screen)[0])
        wanted = narrow if 0 < narrow <= rows - _LEAST_TEXT - 1 else combat.rows_wanted(screen.match, screen.columns)
        most = max(_LEAST_HINT, min(most, rows - wanted - 1))
    return _LEAST_TEXT, most


def draw(screen: StormScreen, rows: int) -> tuple[list[Line], list[Zone]]:
    """Return what lies below the head, in at most so many rows, and what can be clicked there."""
    state = screen.match.state
    size = _size(screen)
    if is_shown(screen):
        return draw_setup(screen, rows, size)
    if state is None:
        return [EMPTY] * rows, []
    if _fights(screen):
        left, (shown, zones) = 0, _beside(screen)
        if shown and max(len(shown), size.rows) <= rows:
            left = size.columns + GAP
        else:
            shown, zones = combat.draw(screen.match, screen.choice, screen.columns, rows)
        moved = [Zone(zone.row + 1, zone.left + left, zone.right + left, zone.what) for zone in zones]
        if not left:
            return shown, moved
        fought = replace(screen.found.marks, target=combat_of(state).region)
        return beside(_drawn(screen, state.sides, fought, size), shown, left), [*hexes(size), *moved]
    asked = screen.question
    marks = asked.marks if asked is not None and isinstance(asked.marks, Marks) else screen.found.marks
    side = draw_panel(screen.match, screen.columns - size.columns - GAP, size.rows, unicode=screen.settings.unicode)
    return beside(_moving(screen, state.sides, marks, size), side, size.columns + GAP), list(hexes(size))


def news_place(screen: StormScreen) -> tuple[int, int]:
    """Return from which column and row on news is told: beside the board where a combat has room there."""
    return (_size(screen).columns + GAP if screen.columns >= _BESIDE else 0), 0


def draw_motion(screen: StormScreen, rows: int) -> list[Line]:
    """Return how the choices of a round are opened, beside the board where that has room."""
    seen, size, left = screen.moving, _size(screen), 0
    assert isinstance(seen, combat.Reveal)
    if size.rows <= rows:
        left, _ = news_place(screen)
    drawn = combat.draw_reveal(screen.match, seen, screen.columns - left, unicode=screen.settings.unicode)
    if left:
        marks = Marks(target=combat_of(seen.before).region)
        drawn = beside(_drawn(screen, seen.before.sides, marks, size), drawn, left)
    return [(("", " "), *row) if seen.shakes else row for row in drawn[:rows]]


def _moving(screen: StormScreen, sides: tuple[Side, Side], marks: Marks, size: Size) -> tuple[Line, ...]:
    """Return the board, with what is seen to move on it."""
    seen = screen.motion
    if not isinstance(seen, Motion):
        return _drawn(screen, sides, marks, size)
    if seen.at < seen.way:
        return _drawn(screen, seen.sides, replace(marks, motion=seen), size)
    share = (seen.at - seen.way + 1) / (seen.pictures - seen.way + 1)
    return spans.turned(_drawn(screen, seen.arrived, marks, size), _drawn(screen, sides, marks, size), share)


def _drawn(screen: StormScreen, sides: tuple[Side, Side], marks: Marks, size: Size) -> tuple[Line, ...]:
    fine, theme = screen.settings.unicode, screen.settings.theme
    return board.draw(sides, screen.match.side, marks, size=size, unicode=fine, theme=theme)


def _beside(screen: StormScreen) -> tuple[list[Line], list[Zone]]:
    """Return the window of a combat for its place beside the board; nothing where there are too few columns."""
    room = screen.columns - _size(screen).columns - GAP
    enough = screen.columns >= _BESIDE
    return combat.draw_beside(screen.match, screen.choice, min(room, combat.MOST_WIDE)) if enough else ([], [])


def _fights(screen: StormScreen) -> bool:
    """Return whether the window of a combat lies over the board."""
    state = screen.match.state
    fighting = state is not None and state.combat is not None and state.phase == Phase.FIGHT
    # Who attacks is seen to come first.
    return fighting and screen.match.deciding and not screen.minimised and not screen.sent and screen.motion is None


def last_board(screen: StormScreen, rows: int) -> list[Line]:
    """Return the board at the end, where every unit was opened; the large one if so many rows have room for it."""
    ending = screen.match.ending
    opened = None if ending is None else ending.opened
    if not isinstance(opened, State) or opened.phase == Phase.SETUP:
        return []
    sides = guide.all_known(opened).sides
    # A blank row and a title stand above it.
    fitting = (one for one in (board.HUGE, board.LARGE) if screen.columns > one.columns and rows >= one.rows + 2)
    size = next(fitting, board.SMALL)
    title = help_text.LAST_BOARD_SMALL if size is board.SMALL else help_text.LAST_BOARD
    # In the light of who has won; lines and their tints have none.
    lit = "" if not ending or not ending.winner or screen.settings.theme == LINES else f" {ending.winner}"
    settings = replace(screen.settings, theme=f"{screen.settings.theme}{lit}")
    return [EMPTY, line(str(title)), *_drawn(replace(screen, settings=settings), sides, Marks(), size)]


def coming(screen: StormScreen) -> Sequence[str]:
    """Return what the player can do now, for somebody who has never played."""
    model, state = screen.match, screen.match.state
    if screen.setting_up:
        return card(screen) or first_lines(screen)
    if screen.given and state is not None and state.phase == Phase.FIGHT and not model.deciding:
        template = screens.GIVEN_SEALED if sealed(state) else screens.GIVEN
        return (fill(template, what=screen.given, name=model.opponent), str(common.WAIT_HINT))
    if screen.sent or not model.deciding or state is None or screen_state.is_preparing(model):
        return ()
    if state.phase == Phase.TURN:
        first = list(map(str, screens.FIRST_MOVE))
        also = guide.list_ways(state, model.side)
        return (
            (str(screens.GOALS[model.side]), *first, *also) if screen.first and not model.guided else (first[0], *also)
        )
    if state.phase == Phase.FIGHT:
        return combat.how_to_choose(state, model.side)
    if state.phase not in _ANSWERED:
        return (str(common.WAIT_HINT),)
    return guide.ask_within(state, model.side, viewing.options(screen.match, bare=True))


def draw_units(screen: StormScreen) -> tuple[list[Line], list[Zone]]:
    """Return all 24 units in two columns, the own ones left, each of which can be clicked."""
    half = (screen.columns - 2) // 2
    me = screen.match.side
    blocks = [_block(screen, me, str(common.YOU)), _block(screen, OTHER[me], screen.match.opponent)]
    zones = [
        Zone(1 + down, 1 + side * half, side * half + half, f"unit {NAME[unit]}")
        for side, faction in enumerate((me, OTHER[me]))
        for down, unit in enumerate(ROSTER[faction])
    ]
    return beside(blocks[0], blocks[1], half), zones


def _block(screen: StormScreen, faction: Faction, name: str) -> list[Line]:
    side = names.side_name(faction)
    head = line(with_name(lambda called: f"{called} ({side})", name, (screen.columns - 2) // 2 - 1), "title")
    return [head, *(_unit_line(screen, faction, unit) for unit in ROSTER[faction])]


def _unit_line(screen: StormScreen, faction: Faction, unit: Unit) -> Line:
    style = "own" if faction == screen.match.side else "enemy"
    strength = CARDS[unit].strength
    return (
        ("", f"{names.code(unit)} "),
        (style, f"{names.unit_name(unit):11}"),
        ("", f"{strength}  {viewing.status(screen.match, unit)}"),
    )


def side(shown: Replay) -> Faction:
    """Return whose units stand in capitals."""
    return Faction.OLYMPIANS if shown.view == "olympians" else Faction.CHTHONIANS


def draw_replay(shown: Replay, state: State | None, terms: Terms) -> list[Line]:
    """Return the board and its panel."""
    size = board_size(shown.columns, shown.rows)
    if state is None or (state.phase == Phase.SETUP and not any(map(any, state.sides))):
        return [EMPTY] * size.rows
    me = side(shown)
    known = _named(state, OTHER[me]) if shown.view == ALL else state
    drawn = board.draw(
        known.sides,
        me,
        replace(_marks(shown.step.events if shown.step else (), state), trails=_trails(shown)),
        size=size,
        unicode=shown.unicode,
        theme=shown.theme,
    )
    model = Model(shown.guest, me, terms, shown.names[OTHER[me]], state=state)
    start = size.columns + GAP
    seats = views_of(shown.guest)[shown.view]
    looker = Looker(shown.names[me], frozenset(FACTIONS[seat] for seat in seats))
    beside_it = draw_panel(model, shown.columns - start, size.rows, unicode=shown.unicode, looker=looker)
    return beside(drawn, beside_it, start)


_REMEMBERED: Final = 40
"""So many steps back a trail is looked for: more than two turns have."""


def _trails(shown: Replay) -> tuple[Trail, ...]:
    """Return the trails at the present step."""
    found: tuple[Trail, ...] = ()
    for before, step in pairwise(shown.steps[shown.view][max(0, shown.at - _REMEMBERED) : shown.at + 1]):
        if isinstance(before.state, State):
            found = board.trails(found, before.state, step.events)
    return found


def _named(state: State, faction: Faction) -> State:
    """Return the state with the units of a side shown by name wherever they are known to the view."""
    sides = [list(state.sides[0]), list(state.sides[1])]
    sides[faction] = [
        tuple(token._replace(known=token.known or token.unit is not None) for token in group)
        for group in state.sides[faction]
    ]
    return state._replace(sides=(tuple(sides[0]), tuple(sides[1])))


def _marks(events: Sequence[object], state: State) -> Marks:
    """Return what the step marks on the board: where it began and where it went."""
    for event in events:
        if isinstance(event, ev.CombatBegan | ev.RoundBegan | ev.Struck):
            return Marks(target=event.region)
    combat = state.combat
    return Marks(target=combat.region) if combat is not None else Marks()


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


def draw_panel(
    model: Model, columns: int, rows: int, *, unicode: bool, looker: Looker | None = None
) -> tuple[Line, ...]:
    """Return the panel in at most so many columns and rows."""
    if model.state is None:
        return ()
    looker = looker or Looker(str(common.YOU), frozenset({model.side}))
    drawn = _panel_rows(model.state, model.side, model.opponent, looker, model.words, columns, rows, unicode=unicode)
    if model.clocks is None:
        return drawn
    shown = model.clocks
    # The first line is free; nothing else moves when there is a clock.
    text = first_fitting((clocks.panel(shown, model.opponent), *clocks.panel_short(shown)), columns)
    return (line(text, "warn" if shown.short else "title"), *drawn[1:])


@cached(maxsize=8)
def _panel_rows(
    state: State, me: Faction, opponent: str, looker: Looker, safe: str, columns: int, rows: int, *, unicode: bool
) -> tuple[Line, ...]:
    foe = OTHER[me]
    called = {me: looker.name, foe: opponent}
    wide = columns >= _ROOM_FOR_NAMES and rows >= _ROWS_FOR_NAMES

    def rows_of(faction: Faction) -> list[Line]:
        """Return everything about a side."""
        seen = faction in looker.sees
        lines = _side(state, faction, called[faction], columns, seen=seen)
        if wide:
            style, start = "own" if faction == me else "enemy", state.terms.start_honor[faction]
            lines[1:2] = [
                _bar(str(screens.HONOR), state.honor[faction], start, columns, style, unicode=unicode),
                _bar(str(screens.ENERGY), state.energy[faction], _BAR_ENERGY, columns, style, unicode=unicode),
            ]
            if seen:
                lines += _own_names(state, faction, called[OTHER[faction]], columns, style)
            else:
                standing = ((region, token) for region in REGIONS for token in state.sides[faction][region])
                known = [f"{_name(token)} {region}" for region, token in standing if token.known]
                lines += _list(str(screens.KNOWN), known, columns, "enemy") + _hidden(state, faction, columns, 99)
        return lines + _losses(state, faction, columns)

    rule = line("-" * (columns - 1), "rule")
    lines = [EMPTY, *rows_of(me), rule, *rows_of(foe)]
    if safe and wide and len(lines) + 2 <= rows:
        lines += [rule, *(line(row, "dim") for row in wrapped(fill(common.SAFE_WORDS, words=safe), columns))]
    elif not wide and foe not in looker.sees and len(lines) + 2 <= rows:
        lines += [rule, *_hidden(state, foe, columns, rows - len(lines) - 1)]
    return tuple(lines[:rows])


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
    standing = [(token, region) for region in REGIONS for token in state.sides[me][region] if token.unit is not None]
    known = [f"{_name(token)} {region}" for token, region in standing if token.known]
    secret = [f"{_name(token)} {region}" for token, region in standing if not token.known]
    left_out = model.named(state.sides[me][0])
    out = [names.unit_name(unit) for unit in ROSTER[me] if unit in left_out]
    head = fill(screens.KNOWN_TO, name=opponent, known=len(known), count=len(standing))
    lines = [*_list(head, known, columns, style), *_list(str(screens.UNSEEN), secret, columns, style)]
    return lines + (_list(str(screens.NOT_IN_PLAY), out, columns, "dim") if out else [])


def _name(token: Token) -> str:
    return names.unit_name(None if token.unit is None else Unit(token.unit))


def _hidden(state: State, foe: Faction, columns: int, rows: int) -> list[Line]:
    """Return where hidden enemies stand and what they can be, in at most so many rows."""
    places = [region for region in REGIONS if any(not token.known for token in state.sides[foe][region])]
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
