"""What is said of a failure that no command answers by itself, and the exit code of it."""

from cli.meeting.meeting import NoMatch, Stranger
from cli.runtime.console import Exit, say
from cli.storage.people import BadBook
from cli.text import commands, failures, people
from protocol.errors import BadKey
from protocol.record.journal import JournalError
from protocol.record.logfile import LogError
from protocol.transport import TransportError


def answer(error: Exception) -> Exit | None:
    """Say why a command cannot go on, and return the exit code; None for what only an error of this program raises."""
    match error:
        case JournalError() | LogError():
            sentence, code = failures.sentence(error.code, error.sentence), Exit.NO
        case TransportError():
            sentence = failures.sentence(error.code, error.sentence)
            code = Exit.USAGE if error.code == "port-in-use" else Exit.NO_CONNECTION
        case Stranger():
            sentence, code = error.warning, Exit.NO_CONNECTION
        case NoMatch():
            sentence, code = failures.handshake(error.event), Exit.NO_CONNECTION
        case BadBook():
            sentence, code = commands.bad_book(str(error)), Exit.USAGE
        case BadKey():
            sentence, code = people.key_problem(error), Exit.USAGE
        case OSError():
            sentence, code = commands.unusable(error), Exit.USAGE
        case EOFError():
            return Exit.INTERRUPTED
        case _:
            return None
    say(sentence)
    return code
