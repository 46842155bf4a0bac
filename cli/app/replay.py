"""``storm-p2p replay``: a match from its log, event by event."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace

from cli.app.games import PlayedGame
from cli.app.last_line import last_line
from cli.app.opened_log import open_log, which
from cli.console.replay import PUBLIC, views_of
from cli.runtime import terminal
from cli.runtime.console import Exit, result, say
from cli.storage.home import Home, load_preferences
from cli.text import commands, verdicts
from protocol.core.transcript import Transcript


def main(options: Namespace) -> Exit:
    """Run the command."""
    home: Home = options.home
    found = open_log(home, options.file)
    if found is None:
        return which(home, commands.REPLAY)
    game, transcript, agreement = found.game, found.transcript, found.transcript.agreement
    view = options.view or (PUBLIC if found.own is None else found.own)
    wanted = views_of(game.console)[view]
    notices = [*found.notices, *found.never_opened(wanted)]
    if not options.text and terminal.why_plain() is None:
        from cli.app import replay_screen

        chosen = load_preferences(home.folder)
        chosen = replace(chosen, signs=options.signs or chosen.signs)
        return replay_screen.show(found, view, " ".join(notices), chosen)
    for notice in notices:
        say(notice)
    result(verdicts.match(agreement.match_id.hex(), found.seated))
    stepping = not options.text and terminal.is_terminal(sys.stdin)
    if stepping:
        say(str(verdicts.STEPPING))
    if not show(lines(game, transcript, wanted), stepping=stepping):
        return Exit.FINE
    result(last_line(transcript, {seat: name for name, seat in found.seated}, found.convicted))
    return Exit.FINE


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
