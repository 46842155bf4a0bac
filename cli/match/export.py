"""The portable log of a match, written as it stands (SPEC.md, "Log file")."""

from __future__ import annotations

from pathlib import Path

from protocol import logfile
from protocol.journal import Journal
from protocol.session import Session


def export(session: Session, journal: Journal, folder: Path) -> Path:
    """Write the portable log of a match as it stands and return where it is.

    Raises:
        protocol.logfile.LogError: it cannot be written.
    """
    data = logfile.dump(session.records, session.seat, session.sign_log)
    match = journal.match
    name = logfile.file_name(match.started_at, match.opponent or "unknown", session.agreement.match_id)
    return logfile.write(folder, name, data)
