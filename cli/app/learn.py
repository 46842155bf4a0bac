"""``storm-p2p learn``: the rules in ten short boards, on the whole screen or as plain lines."""

import os
from argparse import Namespace

from cli.app import games
from cli.runtime import terminal
from cli.runtime.console import Exit, result
from cli.storage import preferences


def main(options: Namespace) -> Exit:
    """Run the command."""
    game = games.find()
    if options.plain or terminal.why_plain() is not None:
        for number in range(len(game.lessons)):
            for line in game.tell_lesson(number):
                result(line)
        return Exit.FINE
    from cli.console.learn import Learn, Quit, press
    from cli.console.shell.small_app import Behaviour, SmallApp

    def grant(app: SmallApp[Learn], wish: object) -> None:
        if isinstance(wish, Quit):
            app.end()

    behaviour = Behaviour(game.draw_lesson, press, grant)
    chosen = preferences.load(options.home.folder)
    unicode = terminal.draws_unicode(options.signs or chosen.signs, os.environ)
    SmallApp(Learn(tuple(game.lessons), unicode=unicode, mouse=chosen.mouse), behaviour).run()
    return Exit.FINE
