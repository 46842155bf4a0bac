"""``storm-p2p export``: write the portable log of a match as it stands now."""

from argparse import Namespace

from cli.app.resume import local_name
from cli.match.stored import export, has_only_finished, restore
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home
from cli.text import commands, failures, stored
from protocol.errors import ProtocolError
from protocol.game import MissingRules
from protocol.record.journal import Journal, JournalError
from protocol.record.logfile import LogError


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home.named(options.home)
    if options.match is None and has_only_finished(home):
        raise UsageError(str(stored.ALL_FINISHED))
    local = local_name(home, options.match)
    if local is None:
        return Exit.USAGE
    try:
        with Journal.open(home.matches, local) as book:
            # SPEC, "Resume": the log of a match whose keys are erased was signed before.
            result(str(export(book, home.logs, None if book.is_erased else restore(book, home))))
    except (JournalError, LogError) as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    except MissingRules as missing:
        say(failures.no_rules_of_match(missing))
        return Exit.NO
    except ProtocolError as error:
        say(stored.cannot_be_read(str(error)))
        return Exit.NO
    except OSError as error:
        raise UsageError(commands.unusable(error)) from error
    return Exit.FINE
