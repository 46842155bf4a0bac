"""The logs of matches that were written on this machine."""

import re
from contextlib import suppress
from pathlib import Path

from cli.runtime.console import UsageError
from cli.storage.home import Home
from cli.text import history as words
from protocol.errors import ProtocolError
from protocol.record import logfile
from protocol.record.logfile import SUFFIX, LogError

LAST = "last"
"""In place of a file's name: the newest log that is here."""

_NUMBER = re.compile("[0-9a-f]{4,64}")


def list_logs(home: Home) -> list[Path]:
    """Return the logs of matches that were written here, the newest first."""
    try:
        return sorted(home.logs.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []


def find_log(home: Home, named: str) -> Path | None:
    """Return the log that is meant: a file, or for the word ``last`` the newest log here, if there is one.

    The beginning of a match's number, four digits at least, stands for the newest log of that match here.

    Raises:
        UsageError: several matches begin so.
    """
    if Path(named).exists():
        return Path(named)
    if named == LAST:
        return next(iter(list_logs(home)), None)
    found = _logs_of(home, named.lower()) if _NUMBER.fullmatch(named.lower()) else {}
    if len(found) > 1:
        raise UsageError(words.several(named))
    return next(iter(found.values()), Path(named))


def _logs_of(home: Home, digits: str) -> dict[bytes, Path]:
    """Return the newest log of each match whose number begins so; names of logs hold four digits."""
    # Who names a file does without it.
    from protocol.core.agreement import read_agreement

    found: dict[bytes, Path] = {}
    for path in list_logs(home):
        if f"-{digits[:4]}" in path.stem:
            with suppress(LogError, ProtocolError):
                match = read_agreement(logfile.load(logfile.read(path)).records).match_id
                if match.hex().startswith(digits):
                    found.setdefault(match, path)
    return found
