"""The matches that are stored on this machine: finding one by its name, restoring its session, exporting its log."""

import secrets
from contextlib import suppress
from pathlib import Path

from cli.match import timekeeping
from cli.runtime.console import UsageError
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import stored as words
from protocol.core.agreement import read_agreement
from protocol.core.session import Session
from protocol.errors import ProtocolError
from protocol.game import MissingRules
from protocol.record import journal, logfile
from protocol.record.journal import Journal, JournalError
from storm_p2p import games


class NotFound(UsageError):
    """No match, or several, answer to a name.

    Attributes:
        sentence: what was looked for, and what to do.
        found: those to choose from.
    """

    def __init__(self, sentence: str, found: tuple[journal.StoredMatch, ...] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.found = found


def unfinished(home: Home) -> list[journal.StoredMatch]:
    """Return the matches that have begun and have no result yet, the newest first."""
    listed = _readable(journal.list_matches(home.matches))
    playing = [match for match in listed if match.state is journal.StoredState.OPEN]
    return sorted(playing, key=lambda match: match.started_at, reverse=True)


def open_elsewhere(home: Home) -> list[str]:
    """Return the local names of the matches that are open in other windows, which cannot be asked for more.

    Raises:
        JournalError: the folder cannot be read.
    """
    listed = journal.list_matches(home.matches)
    return [entry.local_id for entry in listed if entry.problem is not None and entry.problem.code == "in-use"]


def places_begun(home: Home, event: bytes) -> frozenset[tuple[int, int, int]]:
    """Return round, table and game of the matches of a tournament that have begun here and have no result yet.

    One that is open in another window cannot be asked.

    Raises:
        JournalError: the folder cannot be read.
    """
    found = set()
    for match in unfinished(home):
        with suppress(JournalError, ProtocolError), Journal.open(home.matches, match.local_id) as book:
            place = read_agreement([entry.record for entry in book.read_entries()]).conditions.event
            if place is not None and place.event == event:
                found.add((place.round, place.table, place.game))
    return frozenset(found)


def find(home: Home, wanted: str | None) -> str:
    """Return the local name of a match.

    ``wanted`` is a unique beginning of its number or of its local name, with or without the day; None stands for the
    one unfinished match.

    Raises:
        NotFound: there is none, or several, or it is open in another window.
        JournalError: the folder cannot be read.
    """
    in_use = open_elsewhere(home)
    if wanted is None:
        found = unfinished(home)
        elsewhere = in_use
    else:
        key = wanted.lower().removesuffix(journal.SUFFIX)
        listed = _readable(journal.list_matches(home.matches))
        found = [match for match in listed if _answers(key, match.local_id, match.match_id)]
        elsewhere = [local for local in in_use if _answers(key, local, None)]
    if len(found) == 1 and not elsewhere:
        return found[0].local_id
    if found:
        several = words.SEVERAL if len(found) > 1 else words.ONE_BESIDE_OPEN
        raise NotFound(str(several), tuple(found))
    if elsewhere:
        raise NotFound(words.open_elsewhere(elsewhere))
    if wanted is None:
        raise NotFound(str(words.NOTHING_UNFINISHED))
    raise NotFound(words.not_here(wanted, in_use))


def _readable(listed: list[journal.Listed]) -> list[journal.StoredMatch]:
    return [entry.match for entry in listed if entry.match is not None and entry.match.match_id is not None]


def _answers(key: str, local: str, number: bytes | None) -> bool:
    """Return whether a typed name begins a match's number or its local name, with or without the day."""
    names = [local, local.partition("-")[2], *([] if number is None else [number.hex()])]
    return bool(key) and any(name.startswith(key) for name in names)


def rules_missing(book: Journal) -> MissingRules | None:
    """Return which rules of a stored match are not here, if that is so.

    Raises:
        ProtocolError: the records are damaged.
    """
    agreement = read_agreement([entry.record for entry in book.read_entries()])
    try:
        games.find(agreement.game, agreement.game_version)
    except MissingRules as missing:
        return missing
    return None


def game_of(book: Journal) -> str:
    """Return the name of the game of a stored match.

    Raises:
        ProtocolError: the records are damaged.
    """
    return read_agreement([entry.record for entry in book.read_entries()]).game


def restore(book: Journal, home: Home) -> Session:
    """Return the session of a stored match.

    Raises:
        ProtocolError: the records are not a match of this key, or damaged.
        MissingRules: the match was begun by rules that are not here.
    """
    entropy, _ = book.secrets
    records = [entry.record for entry in book.read_entries()]
    agreement = read_agreement(records)
    rules = games.find(agreement.game, agreement.game_version)
    session = Session.restore(records, rules, unlock.identity(home), entropy, aux_rand=secrets.token_bytes(32))
    timekeeping.recall(session, book)
    return session


def export(session: Session, book: Journal, folder: Path) -> Path:
    """Write the portable log of a match as it stands and return where it is.

    Raises:
        protocol.record.logfile.LogError: it cannot be written.
    """
    data = logfile.dump(session.records, session.seat, session.sign_log)
    match = book.match
    name = logfile.name_file(match.started_at, match.opponent or "unknown", session.agreement.match_id)
    return logfile.write(folder, name, data)
