"""``storm-p2p replay``: a match from its log, event by event."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cli.app import games
from cli.app.games import PlayedGame
from cli.app.last_line import last_line
from cli.clean import clean
from cli.console.replay import PUBLIC, views_of
from cli.runtime import terminal
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage import preferences
from cli.storage.home import Home
from cli.storage.logs import find_log, list_logs
from cli.text import commands as told
from cli.text import failures, verdicts
from protocol.core.agreement import read_agreement
from protocol.core.transcript import Transcript
from protocol.errors import Damage, Misbehaviour, ProtocolError
from protocol.game import MissingRules, Seat
from protocol.record import logfile
from protocol.record.logfile import LogError, LogFile
from storm_p2p import games as rules

MOST_LISTED = 9
"""So many logs are listed where none is named."""


def main(options: Namespace) -> Exit:
    """Run the command."""
    home: Home = options.home
    file = None if options.file is None else find_log(home, options.file)
    if file is None:
        return _which(home)
    try:
        log = logfile.load(logfile.read(file))
        agreement = read_agreement(log.records)
        transcript = Transcript(agreement, rules.find(agreement.game, agreement.game_version))
    except LogError as error:
        raise UsageError(told.log_problem(error, str(file))) from error
    except MissingRules as error:
        raise UsageError(failures.no_rules_of_log(error)) from error
    except (ProtocolError, ValueError) as error:
        raise UsageError(verdicts.cannot_be_shown(str(error))) from error
    convicted: Seat | None = None
    notices: list[str] = []
    for record in log.records[4:]:
        try:
            transcript.accept(record.frame)
        except (Damage, Misbehaviour, ProtocolError) as error:
            notices.append(verdicts.goes_wrong(str(error)))
            convicted = error.seat if isinstance(error, Misbehaviour) else None
            break
    game = games.find(agreement.game)
    called = [game.console.seat_word(side) for side in game.console.sides]
    view = options.view or (called[log.seat] if is_own(file, log, home, transcript) else PUBLIC)
    wanted = views_of(game.console)[view]
    missing = [seat for seat in wanted if seat not in transcript.seeds]
    if missing:
        notices.append(verdicts.never_opened([called[seat] for seat in missing]))
    if not options.text and terminal.why_plain() is None:
        from cli.app import replay_screen

        chosen = preferences.load(home.folder)
        chosen = replace(chosen, signs=options.signs or chosen.signs)
        return replay_screen.show(game, transcript, view, file, agreement, " ".join(notices), chosen, convicted)
    for notice in notices:
        say(notice)
    seated = [(player.name, called[seat]) for seat, player in enumerate(agreement.players)]
    result(verdicts.match(agreement.match_id.hex(), seated))
    stepping = not options.text and terminal.is_terminal(sys.stdin)
    if stepping:
        say(str(verdicts.STEPPING))
    if not show(lines(game, transcript, wanted), stepping=stepping):
        return Exit.FINE
    result(last_line(transcript, {seat: name for name, seat in seated}, convicted))
    return Exit.FINE


def is_own(file: Path, log: LogFile, home: Home, transcript: Transcript) -> bool:
    """Return whether a log was written here and what its player hid was opened."""
    return file.resolve().parent == home.logs.resolve() and log.seat in transcript.seeds


def _which(home: Home) -> Exit:
    """Say which logs are here."""
    newest = list_logs(home)[:MOST_LISTED]
    say(str(told.REPLAY if newest else told.NO_LOGS))
    for path in newest:
        result(f"  {clean(str(path))}")
    return Exit.USAGE


def show(events: Iterator[str], *, stepping: bool) -> bool:
    """Print events, all at once or as many as the person asks for; return whether the end was reached."""
    due = 0
    for line in events:
        if stepping and due == 0:
            try:
                words = input(verdicts.STEP).strip().lower()
            except EOFError:
                return False
            if words.startswith("q"):
                return False
            due = int(words) if words.isascii() and words.isdigit() and len(words) < 5 else 1
        due -= 1
        result(line)
    return True


def lines(game: PlayedGame, transcript: Transcript, seats: tuple[int, ...]) -> Iterator[str]:
    """Yield a line for each event, with what the given seats knew."""
    for moment in game.moments(transcript, seats):
        for number, line in enumerate(moment.lines):
            yield f"{moment.seq:4}  {line}" if number < moment.public else f"      ({line})"
