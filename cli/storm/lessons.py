"""The rules in ten short boards.  Each is a position that the engine loads, and actions that it carries out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cli.console import learn
from cli.console.learn import Learn, Lesson, Lessons, Step, solve, stay
from cli.console.messages import Act, Command, SubmitMode, View
from cli.console.render.spans import Line, beside, plain
from cli.storm import grammar, model, preview, viewing, vocabulary
from cli.storm.model import NOTHING_MARKED, Marks, Model
from cli.storm.render import board
from cli.storm.text import lessons
from cli.storm.text.names import unit_name
from cli.storm.text.prices import FREE, changes
from cli.storm.text.screens import costs_from
from cli.text.screens import LESSON_ENEMY, LESSON_OTHERWISE, LESSON_SOLVED
from cli.text.wording import fill, listed
from storm_p2p.storm import engine, notation, views
from storm_p2p.storm.actions import Action, Fight, Move, Retreat
from storm_p2p.storm.board import REGIONS, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import Unit

LEARNER: Final = Faction.CHTHONIANS
"""Whose eyes the boards are seen with."""


@dataclass(frozen=True, slots=True)
class Page(learn.Page):
    """A page with more than its goal; an action solves it, claimed or not."""

    before: tuple[str, ...] = ()
    """What is played before it, after the learner's own action, in the words of the notation."""
    pick: str = ""
    """The units whose prices stand on the board."""
    accepts: Callable[[Action], bool] | None = None
    """Which actions solve it; by default the goal alone."""


def _at(turn: str, known: str = "", **units: int) -> dict[str, object]:
    return {"turn": turn, "units": units, "known": known.split()}


_BOARDS: Final[tuple[Lesson[Page], ...]] = (
    Lesson("GOAL", _at("chthonians", hades=14, charon=12, cerberus=10, zeus=15, ares=20), (
        Page("GOAL_1", goal="move 14 15 hades"),
        Page("GOAL_2"),
    )),
    Lesson("SECRETS", _at(
        "chthonians", "erinyes hera", erinyes=14, hecate=13, hades=10, hera=9, zeus=9, ares=19, apollo=20,
    ), (
        Page("SECRETS_1", goal="move 13 14 hecate"),
        Page("SECRETS_2"),
    )),
    Lesson("MOVING", _at("chthonians", hecate=8, nyx=8, moirae=8, hades=10, zeus=15), (
        Page("MOVING_1", pick="nyx"),
        Page("MOVING_2", pick="nyx hecate", goal="move 8 14 hecate nyx"),
        Page("MOVING_3"),
    )),
    Lesson("STYX", _at("chthonians", hades=12, charon=12, moirae=6, zeus=15), (
        Page("STYX_1", pick="hades", goal="reveal charon"),
        Page("STYX_2", pick="hades", goal="move 12 13 hades"),
        Page("STYX_3"),
    )),
    Lesson("NUMBERS_TITLE", _at("chthonians", erinyes=14, hecate=14, nyx=14, hades=10, ares=9, hera=9, zeus=8), (
        Page("ATTACK_1", pick="erinyes hecate", goal="move 14 9 erinyes",
             accepts=lambda action: isinstance(action, Move) and action.path == (14, 9) and len(action.units) == 1),
        Page("ATTACK_2"),
    )),
    Lesson("SHOWN", _at("chthonians", "erinyes", erinyes=13, hecate=13, hades=10, zeus=15), (
        Page("SHOWN_1", pick="hecate", goal="move 13 14 hecate"),
        Page("SHOWN_2"),
    )),
    Lesson("COMBAT", _at(
        "chthonians", "zeus", charon=12, cronus=12, hades=10, hermes=13, poseidon=13, zeus=15,
    ), (
        Page("COMBAT_1", pick="charon cronus", goal="move 12 13 charon cronus"),
        Page("COMBAT_2", goal="fight chthonians standard 1"),
        Page("COMBAT_3", before=("fight olympians standard 0",)),
        Page("COMBAT_4", before=("lose hermes",)),
    )),
    Lesson("RETREAT", _at("olympians", "zeus", moirae=13, hades=10, ares=14, zeus=15), (
        Page("RETREAT_1", before=("move 14 13 ares",), goal="fight chthonians retreat 0"),
        Page("RETREAT_2", before=("fight olympians standard 0",), goal="retreat 18",
             accepts=lambda action: isinstance(action, Retreat)),
        Page("RETREAT_3"),
    )),
    Lesson("ALL_OUT", _at("chthonians", "zeus", nyx=13, hades=10, ares=14, apollo=14, zeus=15), (
        Page("ALL_OUT_1", pick="nyx", goal="move 13 14 nyx"),
        Page("ALL_OUT_2", goal=f"fight chthonians attack {lessons.NUMBERS['spent']}"),
        Page("ALL_OUT_3", before=("fight olympians standard 0",)),
        Page("ALL_OUT_4", before=("lose apollo",)),
    )),
    Lesson("STOCKS", _at("chthonians", hades=11, nyx=14, zeus=15, ares=10) | {
        "energy": {"chthonians": 0, "olympians": 9},
    }, (
        Page("STOCKS_1", goal="liturgy"),
        Page("STOCKS_2"),
        Page("STOCKS_3"),
    )),
)  # fmt: skip
LOOKS: Final = frozenset({"card", "costs", "where", "who"})
"""What can be looked up on a page."""


@lru_cache(maxsize=64)
def after(number: int, page: int, played: tuple[str, ...] = ()) -> State:
    """Return the position of a page with open cards, as the engine has played it.

    ``played`` are the learner's own actions on the pages before; where there is none, that page has its own solution.
    """
    lesson = _BOARDS[number]
    if page:
        state = after(number, page - 1, played[: page - 1])
        own = (played[page - 1] if len(played) >= page else "") or lesson.pages[page - 1].goal
    else:
        state, own = notation.load_position(lesson.position), ""
    for words in (*filter(None, (own,)), *lesson.pages[page].before):
        state, _ = engine.play(state, notation.parse_action(words, state))
    return state


def seen(number: int, page: int, played: tuple[str, ...] = ()) -> State:
    """Return the same as the learner sees it."""
    state = after(number, page, played)
    mine = {token.serial: token.unit for group in state.sides[LEARNER] for token in group if token.unit is not None}
    return views.with_secrets(views.public(state), mine)


# -- judging --------------------------------------------------------------------------------------------------


def _example(number: int, page: int) -> str:
    """Return a line that solves a page, as it is typed."""
    state = seen(number, page)
    action = notation.parse_action(_BOARDS[number].pages[page].goal, state)
    if isinstance(action, Fight):
        return f"{vocabulary.typed_as(action.maneuver)} {action.energy}"
    return vocabulary.say(notation.format_action(action))


def _read(shown: Learn, line: str) -> Command | tuple[str, ...]:
    state = seen(shown.lesson, shown.page, shown.played)
    command = grammar.parse(line, state, LEARNER)
    if isinstance(command, View) and command.what in LOOKS:
        from cli.storm.console import STORM

        game = Model(STORM, LEARNER, state.terms, str(LESSON_ENEMY), state=state, deciding=True)
        return tuple(viewing.show(game, command.what, command.args))
    return command


def _solve(shown: Learn, act: Act, hint: str) -> Step:
    page, state = _BOARDS[shown.lesson].pages[shown.page], seen(shown.lesson, shown.page, shown.played)
    action = act.action
    found = preview.preview(state, action, LEARNER, str(LESSON_ENEMY))
    price = preview.sentence(found)
    if act.mode is SubmitMode.PRICE:
        return stay(shown, price)
    if not (page.accepts(action) if page.accepts is not None else _is_goal(action, page.goal, state)):
        return stay(shown, f"{LESSON_OTHERWISE} {price}", hint)
    paid = ", ".join(changes(found.honor, found.energy)) or str(FREE)
    return solve(shown, notation.format_action(action), fill(LESSON_SOLVED, line=f"{found.words}, {paid}"))


def _is_goal(action: Action, goal: str, state: State) -> bool:
    wanted = notation.parse_action(goal, state)
    if isinstance(wanted, Move) and isinstance(action, Move):
        return (action.path, action.movers) == (wanted.path, wanted.movers)
    return action == wanted


def prices(number: int, page: int, played: tuple[str, ...] = ()) -> Marks:
    """Return the place of a combat, and what the ways of the picked units cost, or those of a retreat to be named."""
    state, names = seen(number, page, played), _BOARDS[number].pages[page].pick.split()
    origin, places, ways = 0, tuple[int, ...](), list[tuple[Region, Price]]()
    if state.phase == Phase.RETREAT:
        ways = [(act.target, price) for act, price in engine.options(state, LEARNER) if isinstance(act, Retreat)]
    elif names:
        units, own = {Unit[name.upper()] for name in names}, state.sides[LEARNER]
        origin = next(region for region in REGIONS if any(token.unit in units for token in own[region]))
        places = tuple(place for place, token in enumerate(own[origin]) if token.unit in units)
        ways = [(move.path[-1], price) for move, price in preview.costs(state, LEARNER, origin, places)]
    target = state.combat.region if state.combat is not None else 0
    costs = tuple((region, price.honor, price.energy) for region, price in ways)
    return Marks(prices=costs, origin=origin, places=places, target=target)


def _tell_board(shown: Learn) -> list[str]:
    """Return the board in lines, and the prices on it."""
    at = shown.lesson, shown.page, shown.played
    state, priced = seen(*at), prices(*at)
    drawn = board.draw(state.sides, LEARNER, NOTHING_MARKED, size=board.SMALL, unicode=False)
    found = [plain(row).rstrip() for row in drawn]
    if priced.places:
        group = state.sides[LEARNER][priced.origin]
        units = listed([unit_name(unit) for unit in model.named(group[place] for place in priced.places)])
        found.append(costs_from(priced.origin, units, viewing.grouped(priced.prices)))
    return found


def _draw_board(shown: Learn) -> tuple[list[Line], bool]:
    """Return the picture of the board and of the panel."""
    # Plain lines do without all that the screen of a match shows.
    from cli.storm.console import STORM
    from cli.storm.render.screen import GAP, board_size, draw_panel

    size = board_size(shown.columns, shown.rows)
    state = seen(shown.lesson, shown.page, shown.played)
    marks = prices(shown.lesson, shown.page, shown.played)
    drawn = board.draw(state.sides, LEARNER, marks, size=size, unicode=shown.unicode, theme=shown.theme)
    start = size.columns + GAP
    game = Model(STORM, LEARNER, state.terms, str(LESSON_ENEMY), state=state)
    rows = beside(drawn, draw_panel(game, shown.columns - start, size.rows, unicode=shown.unicode), start)
    return rows, size is not board.SMALL


def _click(shown: Learn, row: int, column: int) -> str:
    """Return the key that a click stands for: a region of the board, or to go on."""
    from cli.storm.render.screen import board_size, hexes

    for zone in hexes(board_size(shown.columns, shown.rows)):
        if zone.row == row and zone.left <= column < zone.right:
            return zone.what.replace("hex ", "pick ")
    return "" if shown.asks else "right"


def _gaps(large: bool) -> Mapping[str, object]:
    return {**lessons.NUMBERS, **lessons.signs(large=large)}


LESSONS: Final = Lessons(lessons, _BOARDS, _tell_board, _draw_board, _example, _read, _solve, _gaps, _click)
