"""``storm-p2p learn``: the rules on ten short boards to play on, on the whole screen or in plain lines."""

import sys
from argparse import Namespace

from cli import language
from cli.app import games
from cli.console.learn import Begin, Learn, Lessons, forward, press
from cli.runtime import terminal
from cli.runtime.console import Exit, told
from cli.storage.home import Home, load_preferences
from cli.text import commands


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    lessons = games.find(games.CALLED[options.game]).lessons
    if options.plain or terminal.why_plain() is not None:
        return _in_lines(lessons, Learn(lessons.pages))
    from cli.console.shell.menu import Behaviour, SmallApp

    def grant(app: SmallApp[Learn], wish: object) -> None:
        app.end(wish)

    behaviour = Behaviour(lessons.draw, lambda shown, key: press(shown, key, lessons), grant, click=lessons.click)
    chosen = load_preferences(home.folder, options.signs)
    unicode, theme = terminal.looks(chosen.signs, chosen.theme)
    wish = SmallApp(Learn(lessons.pages, unicode=unicode, theme=theme, mouse=chosen.mouse), behaviour).run()
    if not isinstance(wish, Begin):
        return Exit.FINE
    from cli.app.main import main as run

    drawn = [f"--{options.signs}"] if options.signs else []
    always = ["--home", str(home.folder), "--lang", language.current()]
    guided = ["--guided"] if options.game == "storm" else ["--game", options.game]
    return Exit(run(["play", *guided, *drawn, *always]))


def _in_lines(lessons: Lessons, shown: Learn) -> Exit:
    """Tell the lessons in lines, and judge those of whoever is there; at the end of a script nobody is asked."""
    told(str(commands.LEARN_LINES))
    page: tuple[int, int] | None = None
    wish: object = None
    listens = sys.stdin is not None
    is_person = listens and terminal.is_terminal(sys.stdin, sys.stdout)
    while wish is None:
        if page != (shown.lesson, shown.page):
            page = shown.lesson, shown.page
            told("\n".join(lessons.tell(shown)))
        if is_person and shown.asks:
            print("> ", end="", flush=True)
        typed = sys.stdin.readline() if shown.asks and listens else ""
        if typed:
            before = shown
            shown, wish = lessons.enter(before, typed)
            # Whoever leaves has been answered before.
            if shown is not before and shown.answer:
                told("\n".join(shown.answer))
        elif shown.asks and is_person:
            return Exit.FINE
        else:
            listens = listens and not shown.asks
            shown, wish = forward(shown)
    if isinstance(wish, Begin):
        told(str(commands.LEARN_OVER))
    return Exit.FINE
