"""The rules in ten short boards.  Each is a position that the engine loads, and actions that it carries out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from cli.clean import shorten
from cli.console.render.spans import EMPTY, Line, beside, finer, fitted, line, plain, section, wrapped
from cli.storm import model as m
from cli.storm import preview, viewing
from cli.storm.model import Model
from cli.storm.render import board, grid, panel
from cli.storm.screen import NOTHING_MARKED, Marks
from cli.storm.text import lessons as said
from cli.storm.text import views as said_views
from cli.storm.text.names import unit_name
from cli.text.names import listed
from cli.text.wording import fill
from storm_p2p.storm import engine, notation, views
from storm_p2p.storm.actions import Retreat
from storm_p2p.storm.board import REGIONS, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit

if TYPE_CHECKING:
    from cli.console.guest import GameConsole
    from cli.console.learn import Learn

LEARNER: Final = Faction.CHTHONIANS
"""Whose eyes the boards are seen with."""


@dataclass(frozen=True, slots=True)
class Page:
    """One picture of a lesson."""

    text: str
    """The name of its sentence in ``cli.storm.text.lessons``, which is read in the language of the moment."""
    actions: tuple[str, ...] = ()
    """What is played before it, in the words of the notation."""
    pick: str = ""
    """The units whose prices stand on the board."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One board."""

    title: str
    """The name of its title there."""
    position: Mapping[str, Any] = field(hash=False)
    pages: tuple[Page, ...]


def _at(turn: str, known: str = "", **units: int) -> dict[str, Any]:
    return {"turn": turn, "units": units, "known": known.split()}


LESSONS: Final[tuple[Lesson, ...]] = (
    Lesson("GOAL", _at("chthonians", hades=14, charon=12, cerberus=10, zeus=15, ares=20), (
        Page("GOAL_1"),
        Page("GOAL_2", ("move 14 15 hades",)),
    )),
    Lesson("SECRETS", _at(
        "chthonians", "erinyes hera", erinyes=14, hecate=14, hades=10, hera=9, zeus=9, ares=19, apollo=20,
    ), (
        Page("SECRETS_1"),
        Page("SECRETS_2"),
    )),
    Lesson("MOVING", _at("chthonians", hecate=8, nyx=8, moirae=8, hades=10, zeus=15), (
        Page("MOVING_1", pick="nyx"),
        Page("MOVING_2", pick="nyx hecate"),
        Page("MOVING_3", pick="nyx hecate moirae"),
        Page("MOVING_4", ("move 8 14 hecate nyx",)),
    )),
    Lesson("STYX", _at("chthonians", hades=12, charon=12, moirae=6, zeus=15), (
        Page("STYX_1", pick="hades"),
        Page("STYX_2", ("reveal charon",), pick="hades"),
    )),
    Lesson("NUMBERS_TITLE", _at("chthonians", erinyes=14, hecate=14, nyx=14, hades=10, ares=9, hera=9, zeus=8), (
        Page("ATTACK_1", pick="erinyes hecate"),
        Page("ATTACK_2", pick="erinyes hecate nyx"),
        Page("ATTACK_3", pick="erinyes"),
    )),
    Lesson("SHOWN", _at("chthonians", "erinyes", erinyes=13, hecate=13, hades=10, zeus=15), (
        Page("SHOWN_1", pick="hecate"),
        Page("SHOWN_2", ("move 13 14 hecate",)),
    )),
    Lesson("COMBAT", _at(
        "chthonians", "zeus", charon=12, cronus=12, hades=10, hermes=13, poseidon=13, zeus=15,
    ), (
        Page("COMBAT_1", ("move 12 13 charon cronus",)),
        Page("COMBAT_2"),
        Page("COMBAT_3", ("fight chthonians standard 1", "fight olympians standard 0")),
        Page("COMBAT_4", ("lose hermes",)),
    )),
    Lesson("RETREAT", _at("olympians", "zeus", moirae=13, hades=10, ares=14, zeus=15), (
        Page("RETREAT_1", ("move 14 13 ares",)),
        Page("RETREAT_2", ("fight chthonians retreat 0", "fight olympians standard 0")),
        Page("RETREAT_3", ("retreat 18",)),
    )),
    Lesson("ALL_OUT", _at("chthonians", "zeus", nyx=13, hades=10, ares=14, apollo=14, zeus=15), (
        Page("ALL_OUT_1", ("move 13 14 nyx",)),
        Page("ALL_OUT_2", ("fight chthonians attack 3", "fight olympians standard 0")),
        Page("ALL_OUT_3", ("lose apollo",)),
    )),
    Lesson("STOCKS", _at("chthonians", hades=11, nyx=14, zeus=15, ares=10) | {
        "energy": {"chthonians": 0, "olympians": 9},
    }, (
        Page("STOCKS_1"),
        Page("STOCKS_2", ("liturgy",)),
        Page("STOCKS_3"),
    )),
)  # fmt: skip


@lru_cache(maxsize=64)
def after(number: int, page: int) -> State:
    """Return the position of a page with open cards, as the engine has played it."""
    lesson = LESSONS[number]
    state = after(number, page - 1) if page else notation.load_position(lesson.position)
    for words in lesson.pages[page].actions:
        state, _ = engine.play(state, notation.parse_action(words, state))
    return state


def seen(number: int, page: int) -> State:
    """Return the same as the learner sees it."""
    state = after(number, page)
    mine = {token.serial: token.unit for group in state.sides[LEARNER] for token in group if token.unit is not None}
    return views.with_secrets(views.public(state), mine)


@dataclass(frozen=True, slots=True)
class Prices:
    """What stands on the board beside the units."""

    origin: Region = 0
    places: tuple[int, ...] = ()
    """Which of the group there would go."""
    ways: tuple[tuple[Region, Price], ...] = ()
    """Where to, and what it costs."""

    def units(self, state: State) -> list[Unit]:
        """Return who would go."""
        group = state.sides[LEARNER][self.origin]
        return m.named(group[place] for place in self.places)


def prices(number: int, page: int) -> Prices:
    """Return what the ways of the picked units cost, or those of a retreat that the learner has to name."""
    state = seen(number, page)
    if state.phase == Phase.RETREAT:
        ways = [(act.target, price) for act, price in engine.options(state, LEARNER) if isinstance(act, Retreat)]
        return Prices(ways=tuple(ways))
    names = LESSONS[number].pages[page].pick.split()
    if not names:
        return Prices()
    units = {Unit[name.upper()] for name in names}
    origin = next(region for region in REGIONS if any(token.unit in units for token in state.sides[LEARNER][region]))
    places = tuple(place for place, token in enumerate(state.sides[LEARNER][origin]) if token.unit in units)
    found = preview.costs(state, LEARNER, origin, places)
    return Prices(origin, places, tuple((move.path[-1], price) for move, price in found))


def text(number: int, page: int, *, large: bool = False) -> str:
    """Return what a page says, with the numbers of the rules and the signs of the board; both numbers count from 0."""
    return fill(getattr(said, LESSONS[number].pages[page].text), **said.NUMBERS, **said.signs(large=large))


def asks(number: int, page: int) -> bool:
    """Return whether a page ends with a question, which the next one answers."""
    return text(number, page).endswith("?")


def title(number: int) -> str:
    """Return what a lesson is about."""
    return str(getattr(said, LESSONS[number].title))


def tell(number: int) -> list[str]:
    """Return a lesson as lines: its title, and each page with its board."""
    lesson = LESSONS[number]
    found = ["", fill(said.HEAD, number=number + 1, count=len(LESSONS), title=title(number))]
    for page in range(len(lesson.pages)):
        state, shown = seen(number, page), prices(number, page)
        drawn = board.draw(state.sides, LEARNER, NOTHING_MARKED, size=grid.SMALL, unicode=False)
        found += [plain(row).rstrip() for row in drawn]
        if shown.places:
            units = listed([unit_name(unit) for unit in shown.units(state)])
            found.append(said_views.costs_from(shown.origin, units, viewing.grouped(dict(shown.ways))))
        found.append(text(number, page))
    return found


def render(guest: GameConsole[Any], shown: Learn) -> tuple[Line, ...]:
    """Return every row of the window."""
    # Plain lines do without all that the screen of a match shows.
    from cli.storm.render.screen import GAP, board_size

    size = board_size(shown.columns, shown.rows)
    state = seen(shown.lesson, shown.page)
    head = fill(said.HEAD, number=shown.lesson + 1, count=len(LESSONS), title=title(shown.lesson))
    drawn = board.draw(state.sides, LEARNER, _marks(shown, state), size=size, unicode=shown.unicode)
    start = size.columns + GAP
    game = Model(guest, LEARNER, state.terms, str(said.ENEMY), state=state)
    rows: list[Line] = [(("head", " " + shorten(head, shown.columns - 1)),)]
    rows += beside(drawn, panel.draw(game, shown.columns - start, size.rows, unicode=shown.unicode), start)
    rows.append(section("", shown.columns))
    rows = [finer(row) for row in rows] if shown.unicode else rows
    told = text(shown.lesson, shown.page, large=size is not grid.SMALL)
    rows += [line(f" {row}", "title") for row in wrapped(told, shown.columns - 3, "")]
    rows = rows[: shown.rows - 1]
    rows += [EMPTY] * (shown.rows - 1 - len(rows))
    rows.append(line(f" {said.HINT_QUESTION if asks(shown.lesson, shown.page) else said.HINT}"))
    return tuple(fitted(row, shown.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def _marks(shown: Learn, state: State) -> Marks:
    """Return the prices of the page, and the place of a combat."""
    found = prices(shown.lesson, shown.page)
    target = state.combat.region if state.combat is not None else 0
    ways = tuple((region, price.honor, price.energy) for region, price in found.ways)
    return Marks(prices=ways, origin=found.origin, places=found.places, target=target)
