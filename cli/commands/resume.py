"""``storm-p2p resume``: go on with a match, or show which ones are unfinished."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from cli import failures
from cli.console import Exit, result, say
from cli.home import Home
from cli.match import export
from protocol import journal
from protocol.errors import ProtocolError
from protocol.journal import Journal, JournalError
from protocol.logfile import LogError
from protocol.session import Session
from storm_p2p.game import Storm


def unfinished(home: Home) -> list[journal.Match]:
    """Return the matches that have begun and have no result yet, the newest first."""
    found = [entry.match for entry in journal.matches(home.matches) if entry.match is not None]
    playing = [match for match in found if match.state is journal.State.OPEN and match.match_id is not None]
    return sorted(playing, key=lambda match: match.started_at, reverse=True)


def find(home: Home, wanted: str | None) -> str | None:
    """Return the local name of a match from its name or the beginning of its number; None with a sentence said."""
    every = [entry.match for entry in journal.matches(home.matches) if entry.match is not None]
    if wanted is None:
        every = unfinished(home)
    else:
        key = wanted.lower()
        every = [
            match
            for match in every
            if match.local_id == wanted or (match.match_id is not None and match.match_id.hex().startswith(key))
        ]
    if len(every) == 1:
        return every[0].local_id
    if not every:
        say("There is no such match here." if wanted else "There is no unfinished match here.")
        return None
    say("Expected one match, and there are several; name one of these:")
    for match in every:
        number = "" if match.match_id is None else match.match_id.hex()[:8]
        result(f"{number}  against {match.opponent}")
    return None


def export_main(options: Namespace) -> Exit:
    """``storm-p2p export``: write the portable log of a match as it stands now."""
    home = Home(Path(options.home))
    local = find(home, options.match)
    if local is None:
        return Exit.USAGE
    try:
        with Journal.open(home.matches, local) as book:
            session = restore(book, home)
            result(str(export(session, book, home.logs)))
    except (JournalError, LogError) as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    except ProtocolError as error:
        say(f"This match cannot be read: {error}.")
        return Exit.NO
    return Exit.FINE


def restore(book: Journal, home: Home) -> Session:
    """Return the session of a stored match.

    Raises:
        ProtocolError: the records are not a match of this key, or damaged.
    """
    entropy, _ = book.secrets
    return Session.restore([entry.record for entry in book.entries()], Storm(), home.identity(), entropy)
