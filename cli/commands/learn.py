"""``storm-p2p learn``: the rules in ten short boards, on the whole screen or as plain lines."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from cli.dialogue import viewing
from cli.kept import preferences
from cli.process import terminal
from cli.process.console import Exit, result
from cli.text import lessons as said
from cli.text import names, views
from cli.text.wording import fill
from cli.view import board_text, lessons


def main(options: Namespace) -> Exit:
    """Run the command."""
    if options.plain or terminal.why_plain() is not None:
        for number in range(len(lessons.LESSONS)):
            for line in told(number):
                result(line)
        return Exit.FINE
    from cli.tui.learn import Learn, Quit, press
    from cli.tui.render.learn import render
    from cli.tui.small_app import Behaviour, SmallApp

    def grant(app: SmallApp[Learn], wish: object) -> None:
        if isinstance(wish, Quit):
            app.end()

    behaviour = Behaviour(
        render=render,
        press=press,
        click=lambda model, row, column: "right",
        resize=lambda model, columns, rows: replace(model, columns=columns, rows=rows),
        grant=grant,
        mouse=lambda model: model.mouse,
    )
    chosen = preferences.load(Path(options.home))
    SmallApp(Learn(unicode=chosen.unicode or options.unicode, mouse=chosen.mouse), behaviour).run()
    return Exit.FINE


def told(number: int) -> list[str]:
    """Return a lesson as lines: its title, and each page with its board."""
    lesson = lessons.LESSONS[number]
    found = ["", fill(said.HEAD, number=number + 1, count=len(lessons.LESSONS), title=lessons.title(number))]
    for page in range(len(lesson.pages)):
        state, prices = lessons.seen(number, page), lessons.prices(number, page)
        found += board_text.draw(state, lessons.LEARNER)
        if prices.places:
            units = names.listed([names.unit_name(unit) for unit in prices.units(state)])
            found.append(views.costs_from(prices.origin, units, viewing.grouped(dict(prices.ways))))
        found.append(lessons.text(number, page))
    return found
