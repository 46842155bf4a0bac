"""How a match ended, for the one who played it: the result, the log, and what is kept for a report."""

from pathlib import Path

from cli.match.player import Ending
from cli.match.stored import export, finish
from cli.notices import Failed, OnNotice
from protocol.core import events as ev
from protocol.core.session import Session
from protocol.crypto.commitments.schemes import SCHEMES
from protocol.record.files import write_file
from protocol.record.journal import Journal, JournalError, StoredState
from protocol.record.logfile import LogError

HELD_BY_BOTH = "held by both"
"""What is kept with a match of which the other holds everything, too: nobody needs us for it any more."""


def conclude(session: Session, journal: Journal, logs: Path, on_notice: OnNotice, *, adjourned: bool) -> Ending:
    """Write the log of a match that is over or adjourned into ``logs``, and return how the match ended.

    What cannot be written becomes a notice.
    """
    result = session.result if session.over else None
    problems = [problem.text for problem in session.problems or ()]
    stopped = session.stopped
    if isinstance(stopped, ev.PeerMisbehaved | ev.Disagreement):
        problems.insert(0, stopped.sentence)
    path = journal.path
    # Records that do not fit together may do so again, when somebody puts a newer copy back.
    for_good = session.over and not (isinstance(stopped, ev.Disagreement) and not stopped.recorded)
    if session.over or adjourned:
        path = _write_log(session, journal, logs, on_notice, for_good=for_good)
    return Ending(
        winner=None if result is None else result["winner"],
        reason="unfinished" if result is None else result["reason"],
        audited=session.audited and session.closed,
        log=str(path),
        problems=tuple(problems),
        guilty=isinstance(stopped, ev.PeerMisbehaved) or bool(session.problems),
        confirmed=session.confirmed,
        audits_agree=session.audits_agree,
        proved=session.agreement.scheme == SCHEMES[0] and not problems,
        keys_stay=session.over and not session.finished,
        held=_keep_position(stopped, path) if isinstance(stopped, ev.Disagreement) and stopped.recorded else "",
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


def _keep_position(stopped: ev.Disagreement, log: Path) -> str:
    """Save the position that we hold beside the log; return where it is, or nothing when it cannot be saved."""
    place = log.with_suffix(".position.json")
    try:
        write_file(place, stopped.state)
    except OSError:
        return ""
    return str(place)
