"""The matches that are stored here, each in a line."""

from datetime import UTC, datetime

from cli.clean import clean
from cli.match.stored import restore
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import stored
from protocol.errors import ProtocolError
from protocol.game import MissingRules
from protocol.record import journal
from protocol.record.journal import Journal, JournalError


def row(home: Home, match: journal.StoredMatch, *, brief: bool = False) -> str:
    """Return a match in one line: its number, when it began (not if it is brief), against whom, and how far it is."""
    when = datetime.fromtimestamp(match.started_at, UTC).astimezone()
    began = "" if brief else when.strftime("%Y-%m-%d %H:%M")
    number = "" if match.match_id is None else match.match_id.hex()
    return stored.row(number, began, clean(match.opponent), _turn(home, match))


def _turn(home: Home, match: journal.StoredMatch) -> int | None:
    """Return the turn that a match is in: 0 for the setup, None when a passphrase or other rules would have to tell."""
    try:
        if unlock.locked(home.key_file):
            return None
        with Journal.open(home.matches, match.local_id) as book:
            session = restore(book, home)
            return session.game.turn(session.state)
    except (JournalError, ProtocolError, MissingRules, OSError):
        return None
