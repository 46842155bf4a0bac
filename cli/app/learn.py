"""``storm-p2p learn``: the rules in ten short boards, on the whole screen or as plain lines."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from cli.console import viewing
from cli.runtime import terminal
from cli.runtime.console import Exit, result
from cli.storage import preferences
from cli.storm import board_text, lessons
from cli.storm.text import lessons as said
from cli.storm.text import views
from cli.text import names
from cli.text.wording import fill


def main(options: Namespace) -> Exit:
    """Run the command."""
    if options.plain or terminal.why_plain() is not None:
        for number in range(len(lessons.LESSONS)):
            for line in told(number):
                result(line)
        return Exit.FINE
    from cli.console.learn import Learn, Quit, press
    from cli.console.render.learn import render
    from cli.console.shell.small_app import Behaviour, SmallApp

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
    chosen = preferences.load(options.home.folder)
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
