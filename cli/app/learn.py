"""``storm-p2p learn``: the rules on ten short boards to play on, on the whole screen or in plain lines."""

import os
import sys
from argparse import Namespace

from cli import language
from cli.app import games
from cli.console.learn import Begin, Learn, enter, forward, press
from cli.runtime import terminal
from cli.runtime.console import Exit, result
from cli.storage import preferences
from cli.text import commands as told


def main(options: Namespace) -> Exit:
    """Run the command."""
    game = games.find(games.CALLED[options.game])
    pages = tuple(tuple(lesson) for lesson in game.lessons)
    if options.plain or terminal.why_plain() is not None:
        return _in_lines(game, Learn(pages))
    from cli.console.shell.small_app import Behaviour, SmallApp

    def grant(app: SmallApp[Learn], wish: object) -> None:
        app.end(wish)

    behaviour = Behaviour(
        game.draw_lesson, lambda shown, key: press(shown, key, game.judge_lesson), grant, click=game.click_lesson
    )
    chosen = preferences.load(options.home.folder)
    unicode = terminal.draws_unicode(options.signs or chosen.signs, os.environ)
    wish = SmallApp(Learn(pages, unicode=unicode, mouse=chosen.mouse), behaviour).run()
    if not isinstance(wish, Begin):
        return Exit.FINE
    from cli.app.main import main as run

    drawn = [f"--{options.signs}"] if options.signs else []
    home = ["--home", str(options.home.folder), "--lang", language.current()]
    guided = ["--guided"] if options.game == "storm" else ["--game", options.game]
    return Exit(run(["play", *guided, *drawn, *home]))


def _in_lines(game: games.PlayedGame, shown: Learn) -> Exit:
    """Tell the lessons in lines, and judge those of whoever is there; at the end of a script nobody is asked."""
    result(str(told.LEARN_LINES))
    page: tuple[int, int] | None = None
    wish: object = None
    listens = sys.stdin is not None
    while wish is None:
        if page != (shown.lesson, shown.page):
            page = shown.lesson, shown.page
            for line in game.tell_lesson(shown):
                result(line)
        typed = sys.stdin.readline() if shown.asks and listens else ""
        if typed:
            shown, wish = enter(shown, typed, game.judge_lesson)
            for line in shown.answer:
                result(line)
        elif shown.asks and listens and terminal.is_terminal(sys.stdin, sys.stdout):
            return Exit.FINE
        else:
            listens = listens and not shown.asks
            shown, wish = forward(shown)
    if isinstance(wish, Begin):
        result(str(told.LEARN_OVER))
    return Exit.FINE
