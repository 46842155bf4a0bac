"""The portable log of a match, written as it stands (SPEC.md, "Log file")."""

from __future__ import annotations

from pathlib import Path

from protocol.core.session import Session
from protocol.record import logfile
from protocol.record.journal import Journal


def export(session: Session, journal: Journal, folder: Path) -> Path:
    """Write the portable log of a match as it stands and return where it is.

    Raises:
        protocol.record.logfile.LogError: it cannot be written.
    """
    data = logfile.dump(session.records, session.seat, session.sign_log)
    match = journal.match
    name = logfile.name_file(match.started_at, match.opponent or "unknown", session.agreement.match_id)
    return logfile.write(folder, name, data)
