"""A log of a match that was played here, for the tournament's folder."""

from __future__ import annotations

from pathlib import Path

from cli.events.folder import add_log
from cli.text import commands as told
from cli.text import events as words
from cli.text.findings import place_of
from protocol.core.agreement import read_agreement
from protocol.errors import ProtocolError
from protocol.record import logfile
from protocol.record.logfile import LogError


def copy_log(folder: Path, log: Path) -> str:
    """Copy a log into the folder of its tournament, under a name that says which game it is of; return a sentence."""
    try:
        where = read_agreement(logfile.load(logfile.read(log)).records).conditions.event
        place = "log" if where is None else place_of(where.round, where.table, where.game)
        file = add_log(folder, log, f"game-{place}")
    except OSError as error:
        return words.log_not_added(str(folder), told.reason(error), str(log))
    except (LogError, ProtocolError) as error:
        return words.log_not_added(str(folder), str(error), str(log))
    return words.log_added(str(folder), file.name)
