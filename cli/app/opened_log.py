"""The log that a command shows: read as far as it holds, with what has to be said about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cli.app import games
from cli.app.games import PlayedGame
from cli.clean import clean
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home, find_log, list_logs
from cli.text import commands, failures, verdicts, wording
from cli.text.wording import Lazy
from protocol.core.agreement import read_agreement
from protocol.core.game_data import read_data, supply
from protocol.core.transcript import Transcript
from protocol.errors import Damage, Misbehaviour, ProtocolError
from protocol.game import MissingRules, Seat
from protocol.record import logfile
from protocol.record.logfile import LogError, LogFile
from storm_p2p import games as rules

MOST_LISTED = 9
"""So many logs are listed where none is named."""


@dataclass(frozen=True, slots=True)
class OpenedLog:
    """A log that has been read as far as it holds."""

    file: Path
    game: PlayedGame
    transcript: Transcript
    own: str | None
    """The view of the player who has played it here, if what that player hid was opened."""
    notices: tuple[str, ...]
    """What has to be said about it."""
    convicted: Seat | None
    """Whom the first record that does not hold convicts."""

    @property
    def called(self) -> list[str]:
        """What the log calls the sides, by seat."""
        return [self.game.console.seat_word(side) for side in self.game.console.sides]

    @property
    def seated(self) -> list[tuple[str, str]]:
        """The names of the players, each with the side."""
        return [(player.name, self.called[seat]) for seat, player in enumerate(self.transcript.agreement.players)]

    def never_opened(self, seats: Iterable[Seat]) -> list[str]:
        """Return that what some of these seats hid was never opened, if that is so."""
        missing = [seat for seat in seats if seat not in self.transcript.seeds]
        return [verdicts.never_opened([wording.seat(self.called[seat]) for seat in missing])] if missing else []


def open_log(home: Home, named: str | None) -> OpenedLog | None:
    """Return the log that is meant; None where none is named, or where there is none.

    Raises:
        UsageError: it cannot be shown.
    """
    file = None if named is None else find_log(home, named)
    if file is None:
        return None
    try:
        log = logfile.load(logfile.read(file))
        agreement = read_agreement(log.records)
        data, begins = read_data(log.records)
        transcript = Transcript(agreement, supply(rules.find(agreement.game, agreement.game_version), data))
    except LogError as error:
        raise UsageError(commands.log_problem(error, str(file))) from error
    except MissingRules as error:
        raise UsageError(failures.no_rules_of_log(error)) from error
    except (ProtocolError, ValueError) as error:
        raise UsageError(verdicts.cannot_be_shown(str(error))) from error
    convicted: Seat | None = None
    notices: list[str] = []
    for record in log.records[begins:]:
        try:
            transcript.accept(record.frame)
        except (Damage, Misbehaviour, ProtocolError) as error:
            notices.append(verdicts.goes_wrong(str(error)))
            convicted = error.seat if isinstance(error, Misbehaviour) else None
            break
    game = games.find(agreement.game)
    if data:
        game = game.supply(data)
    own = game.console.seat_word(game.console.sides[log.seat]) if is_own(file, log, home, transcript) else None
    return OpenedLog(file, game, transcript, own, tuple(notices), convicted)


def is_own(file: Path, log: LogFile, home: Home, transcript: Transcript) -> bool:
    """Return whether a log was written here and what its player hid was opened."""
    return file.resolve().parent == home.logs.resolve() and log.seat in transcript.seeds


def which(home: Home, wanted: Lazy) -> Exit:
    """Say what is wanted, and which logs are here."""
    newest = list_logs(home)[:MOST_LISTED]
    say(f"{wanted} {commands.NEWEST if newest else commands.NO_LOGS}")
    for path in newest:
        result(f"  {clean(str(path))}")
    return Exit.USAGE
