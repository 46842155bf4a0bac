"""``storm-p2p cards``: a file of cards of one's own, begun from those that come with the game, and checked."""

from argparse import Namespace

from cli.app import games
from cli.app.launch.proposal import supplied
from cli.runtime.console import Exit, UsageError, result
from cli.text import commands
from protocol.record.files import write_file
from storm_p2p.games import FIGHT


def main(options: Namespace) -> Exit:
    """Run the command."""
    game = games.find(FIGHT)
    if options.what == "check":
        supplied(game, str(options.file))
        result(commands.sound_cards(options.file))
        return Exit.FINE
    if options.file.exists():
        raise UsageError(commands.there_already(str(options.file)))
    try:
        write_file(options.file, game.begin_cards())
    except OSError as error:
        raise UsageError(commands.unusable(error)) from error
    result(commands.new_cards(options.file))
    return Exit.FINE
