"""The picture of a lesson: its board, its panel, and what there is to say.  Pure."""

from typing import Any

from cli.clean import shorten
from cli.console.guest import GameConsole
from cli.console.learn import Learn
from cli.console.render.spans import EMPTY, Line, beside, fitted, line, section, wrapped
from cli.storm import lessons
from cli.storm.lessons import LEARNER, LESSONS
from cli.storm.model import Model
from cli.storm.render import board, panel
from cli.storm.render.screen import GAP, is_large
from cli.storm.screen import Marks
from cli.storm.text import lessons as said
from cli.text.wording import fill
from storm_p2p.storm.state import State


def render(guest: GameConsole[Any], shown: Learn) -> tuple[Line, ...]:
    """Return every row of the window."""
    large = is_large(shown.columns, shown.rows)
    size = board.LARGE if large else board.SMALL
    state = lessons.seen(shown.lesson, shown.page)
    title = fill(said.HEAD, number=shown.lesson + 1, count=len(LESSONS), title=lessons.title(shown.lesson))
    drawn = board.draw(state.sides, LEARNER, _marks(shown, state), large=large, unicode=shown.unicode)
    start = size.columns + GAP
    game = Model(guest, LEARNER, state.terms, str(said.ENEMY), state=state)
    rows: list[Line] = [(("head", " " + shorten(title, shown.columns - 1)),)]
    rows += beside(drawn, panel.draw(game, shown.columns - start, size.rows, unicode=shown.unicode), start)
    rows.append(section("", shown.columns))
    told = lessons.text(shown.lesson, shown.page, large=large)
    rows += [line(f" {row}", "title") for row in wrapped(told, shown.columns - 3, "")]
    rows = rows[: shown.rows - 1]
    rows += [EMPTY] * (shown.rows - 1 - len(rows))
    rows.append(line(f" {said.HINT_QUESTION if lessons.asks(shown.lesson, shown.page) else said.HINT}"))
    return tuple(fitted(row, shown.columns, "head" if number == 0 else "") for number, row in enumerate(rows))


def _marks(shown: Learn, state: State) -> Marks:
    """Return the prices of the page, and the place of a combat."""
    found = lessons.prices(shown.lesson, shown.page)
    target = state.combat.region if state.combat is not None else 0
    ways = tuple((region, price.honor, price.energy) for region, price in found.ways)
    return Marks(prices=ways, origin=found.origin, places=found.places, target=target)
