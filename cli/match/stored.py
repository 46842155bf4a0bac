"""The matches that are stored on this machine: finding one by its name, restoring its session, exporting its log."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from cli.clean import clean
from cli.match.player import Ending
from cli.notices import Failed, OnNotice
from cli.runtime.console import UsageError
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import stored
from protocol.core import events
from protocol.core.agreement import Agreement, read_agreement
from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.messages import Side, SideType
from protocol.core.session import Session
from protocol.crypto.commitments.schemes import SCHEMES
from protocol.errors import Damage, ProtocolError, VerificationError, WireError
from protocol.game import Seat
from protocol.record import journal, logfile
from protocol.record.files import write_file
from protocol.record.journal import TRAILER, Journal, JournalError, StoredState
from protocol.record.logfile import LogError
from storm_p2p import games


class NotFound(UsageError):
    """No match, or several, answer to a name.

    Attributes:
        found: those to choose from.
        unread: files of matches that cannot be read, which could have been meant.
    """

    def __init__(
        self, sentence: str, found: Sequence[journal.StoredMatch] = (), unread: Sequence[journal.Listed] = ()
    ) -> None:
        super().__init__(sentence)
        self.found = found
        self.unread = unread


def unfinished(home: Home) -> list[journal.StoredMatch]:
    """Return the matches that have begun and have no result yet, the newest first."""
    return playing(journal.list_matches(home.matches))


def has_only_finished(home: Home) -> bool:
    """Say whether there are matches that can be read, and all of them have their result."""
    listed: Sequence[journal.Listed] = ()
    with suppress(JournalError):
        listed = journal.list_matches(home.matches)
    states = {None if entry.match is None else entry.match.state for entry in listed}
    return states == {journal.StoredState.FINISHED}


def playing(listed: Sequence[journal.Listed]) -> list[journal.StoredMatch]:
    """Return those of the matches that have begun and have no result yet, the newest first."""
    found = [match for match in _readable(listed) if match.state is journal.StoredState.OPEN]
    return sorted(found, key=lambda match: match.started_at, reverse=True)


def open_elsewhere(listed: Sequence[journal.Listed]) -> list[str]:
    """Return the local names of the matches that are open in other windows, which cannot be asked for more."""
    return [entry.local_id for entry in listed if entry.problem is not None and entry.problem.code == "in-use"]


def unreadable(listed: Sequence[journal.Listed]) -> list[journal.Listed]:
    """Return the matches that cannot be read and are not open in another window."""
    return [entry for entry in listed if entry.problem is not None and entry.problem.code != "in-use"]


def places_begun(home: Home, event: bytes) -> frozenset[tuple[int, int, int]]:
    """Return round, table and game of the matches of a tournament that have begun here and have no result yet.

    One that is open in another window cannot be asked.

    Raises:
        JournalError: the folder cannot be read.
    """
    found = set()
    for match in _readable(journal.list_matches(home.matches)):
        # An abandoned one has begun, too: nobody may play its game a second time.
        if match.state is StoredState.FINISHED:
            continue
        with suppress(JournalError, ProtocolError), Journal.open(home.matches, match.local_id) as book:
            place = agreement_of(book).conditions.event
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
    listed = journal.list_matches(home.matches)
    in_use = open_elsewhere(listed)
    unread = unreadable(listed)
    if wanted is None:
        found = playing(listed)
        elsewhere = in_use
    else:
        key = wanted.lower().removesuffix(journal.SUFFIX)
        found = [match for match in _readable(listed) if _answers(key, match.local_id, match.match_id)]
        elsewhere = [local for local in in_use if _answers(key, local, None)]
        unread = [entry for entry in unread if _answers(key, entry.local_id, None)] or unread
    # After one's own invite both sides of a match are here: any of them, and in another window the other one.
    if len({match.match_id for match in found}) == 1 and not elsewhere:
        return found[0].local_id
    if found:
        sentence = str(stored.SEVERAL) if len(found) > 1 else stored.one_beside_open(elsewhere)
        raise NotFound(sentence, found, unread)
    if elsewhere:
        raise NotFound(stored.open_elsewhere(elsewhere), (), unread)
    if wanted is None:
        raise NotFound(str(stored.NOTHING_UNFINISHED), (), unread)
    raise NotFound(stored.not_here(wanted, in_use), (), unread)


def _readable(listed: Sequence[journal.Listed]) -> list[journal.StoredMatch]:
    return [entry.match for entry in listed if entry.match is not None and entry.match.match_id is not None]


def _answers(key: str, local: str, number: bytes | None) -> bool:
    """Return whether a typed name begins a match's number or its local name, with or without the day."""
    names = [local, local.partition("-")[2], *([] if number is None else [number.hex()])]
    return bool(key) and any(name.startswith(key) for name in names)


def agreement_of(book: Journal) -> Agreement:
    """Return what the handshake of a stored match has fixed.

    Raises:
        JournalError: it cannot be read or is damaged.
    """
    try:
        agreement = read_agreement([entry.record for entry in book.read_entries()])
    except (WireError, VerificationError) as error:
        raise JournalError("damaged", f"{book.path.name}: {error}") from error
    # A program that was killed in between has not named the match yet.
    if book.match.match_id not in (None, agreement.match_id):
        raise JournalError("damaged", f"{book.path.name}: the match's row is of another match")
    return agreement


def restore(book: Journal, home: Home) -> Session:
    """Return the session of a stored match.

    Raises:
        JournalError: it is damaged; ``erased``: both hold all of it; ``other-key``: another identity has begun it.
        BadKey: the identity cannot be used.
        MissingRules: the match was begun by rules that are not here.
    """
    # Who only lists matches needs neither clocks nor a network.
    from cli.match import timekeeping

    agreement = agreement_of(book)
    rules = games.find(agreement.game, agreement.game_version)
    identity = unlock.identity(home)
    entropy = book.read_entropy(identity)
    records = [entry.record for entry in book.read_entries()]
    try:
        session = Session(records, rules, identity, entropy, aux_rand=secrets.token_bytes(32)).restore()
    except (WireError, VerificationError) as error:
        raise JournalError("damaged", f"{book.path.name}: {error}") from error
    timekeeping.recall(session, book)
    return session


def chat_of(records: Sequence[Record]) -> Iterator[tuple[int, Seat, str]]:
    """Yield the lines of chat that can be shown: after how many messages each came, whose it is, and what it says."""
    seq = 0
    for record in records:
        seq += record.kind == FrameKind.ENVELOPE
        if record.kind == FrameKind.SIDE:
            # The last frame may be the one that was against the rules.
            with suppress(Damage, WireError):
                side = Side.unpack(unpack_frame(record.frame)[1][0])
                if side.type is SideType.CHAT and clean(str(side.body)):
                    yield seq, side.seat, str(side.body)


def finish(session: Session, book: Journal) -> None:
    """Erase the keys of a match that both hold and have said so, after they have signed its log for the last time.

    Raises:
        JournalError: that cannot be stored.
        protocol.record.logfile.LogError: there can be no log of it.
    """
    from cli.meeting.meeting import PendingInvite
    from cli.meeting.reachability import secret_of

    # SPEC, "Resume": whoever only stopped may still be asked for what the other lacks.
    if session.stopped is None and session.finished:
        signed = logfile.dump(session.records, session.seat, session.sign_log)
        PendingInvite(book.path.parent, secret_of(book), 0).erase()
        book.erase(len(session.records).to_bytes(4, "big") + signed[-logfile.SIGNATURE_LENGTH - 1 :])


def export(book: Journal, folder: Path, session: Session | None = None) -> Path:
    """Write the portable log of a match and return where it is.

    It is signed as it stands by the ``session``; without one it is that of a match whose keys are erased.

    Raises:
        JournalError: the match cannot be read.
        protocol.record.logfile.LogError: it cannot be written.
    """
    records: Sequence[Record]
    if session is not None:
        records, seat, sign = session.records, session.seat, session.sign_log
        agreement = session.agreement
    else:
        trailer = book.read_kept(TRAILER)
        if trailer is None or len(trailer) != 4 + 1 + logfile.SIGNATURE_LENGTH:
            raise JournalError("damaged", f"{book.path.name}: expected a trailer")
        records = [entry.record for entry in book.read_entries()][: int.from_bytes(trailer[:4], "big")]
        seat, sign = trailer[4], lambda digest: trailer[5:]
        agreement = agreement_of(book)
    match = book.match
    name = logfile.name_file(match.started_at, match.opponent or "unknown", agreement.match_id)
    return logfile.write(folder, name, logfile.dump(records, seat, sign))


HELD_BY_BOTH = "held by both"
"""What is kept with a match of which the other holds everything, too: nobody needs us for it any more."""


def conclude(session: Session, journal: Journal, logs: Path, on_notice: OnNotice, *, adjourned: bool) -> Ending:
    """Write the log of a match that is over or adjourned into ``logs``, and return how the match ended.

    What cannot be written becomes a notice.
    """
    result = session.result if session.over else None
    problems = [problem.text for problem in session.problems or ()]
    stopped = session.stopped
    if isinstance(stopped, events.PeerMisbehaved | events.Disagreement):
        problems.insert(0, stopped.sentence)
    path = journal.path
    # Records that do not fit together may do so again, when somebody puts a newer copy back.
    for_good = session.over and not (isinstance(stopped, events.Disagreement) and not stopped.recorded)
    if session.over or adjourned:
        path = _write_log(session, journal, logs, on_notice, for_good=for_good)
    return Ending(
        winner=None if result is None else result["winner"],
        reason="unfinished" if result is None else result["reason"],
        audited=session.audited and session.closed,
        log=str(path),
        problems=tuple(problems),
        guilty=isinstance(stopped, events.PeerMisbehaved) or bool(session.problems),
        confirmed=session.confirmed,
        audits_agree=session.audits_agree,
        proved=session.agreement.scheme == SCHEMES[0] and not problems,
        keys_stay=session.over and not session.finished,
        adjourned=adjourned and not session.over,
        held=_keep_position(stopped, path) if isinstance(stopped, events.Disagreement) and stopped.recorded else "",
    )


def _write_log(session: Session, journal: Journal, logs: Path, on_notice: OnNotice, *, for_good: bool) -> Path:
    """Write the portable log, and note it with a match that is over for good; return where the match is saved."""
    path = journal.path
    try:
        path = export(journal, logs, session)
        if for_good:
            journal.end(StoredState.FINISHED, path)
            if session.finished:
                journal.keep(HELD_BY_BOTH, b"yes")
        if not journal.is_erased:
            # It was tried already; now the player hears what the disk says.
            finish(session, journal)
    except (LogError, JournalError) as error:
        on_notice(Failed(error))
    return path


def _keep_position(stopped: events.Disagreement, log: Path) -> str:
    """Save the position that we hold beside the log; return where it is, or nothing when it cannot be saved."""
    place = log.with_suffix(".position.json")
    try:
        write_file(place, stopped.state)
    except OSError:
        return ""
    return str(place)
