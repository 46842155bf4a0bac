"""Running a match from a command: host, guest or resumed; the player, the messages and the exit code."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from cli.app import games
from cli.match.match import Match
from cli.match.participant import Ending
from cli.match.player import Player
from cli.meeting.lines import Lines
from cli.meeting.meeting import Met, NoMatch, Stranger
from cli.notices import ReachNotice
from cli.runtime import library, moment, signals
from cli.runtime.console import Exit, Reporter, line, say
from cli.storage.home import Home
from cli.storage.people import BadBook
from cli.text import commands as told
from cli.text import failures, reach
from cli.text import people as words
from protocol.core import events
from protocol.errors import BadKey
from protocol.record.journal import JournalError
from protocol.record.logfile import LogError
from protocol.transport import TransportError

Meet = Callable[[], Awaitable[tuple[Lines, Met]]]
"""Finds the other and agrees with him on a match."""
Finish = Callable[[], Awaitable[None]]


async def _nothing() -> None:
    return


def run(
    meet: Meet, player: Player, home: Home, *, json: bool, patience: float | None = None, also: Finish = _nothing
) -> Exit:
    """Meet, play to the end, and return the exit code; every failure ends in a sentence.

    A lost line is called again for ``patience`` seconds, without end when left out; ``also`` is done after the match.
    """
    useless = library.problem() or moment.problem()
    if useless is not None:
        say(useless)
        return Exit.USAGE
    try:
        return asyncio.run(_run(meet, player, home, also, json=json, patience=patience))
    except KeyboardInterrupt:
        say(str(told.INTERRUPTED))
        return Exit.INTERRUPTED
    except Stranger as error:
        say(error.warning)
        return Exit.NO_CONNECTION
    except BadBook as error:
        say(told.bad_book(str(error)))
        return Exit.USAGE
    except NoMatch as error:
        say(failures.handshake(error.event))
        return Exit.NO_CONNECTION
    except TransportError as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO_CONNECTION if error.code != "port-in-use" else Exit.USAGE
    except (JournalError, LogError) as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    except BadKey as error:
        say(words.key_problem(error))
        return Exit.USAGE
    except OSError as error:
        say(told.unusable(error))
        return Exit.USAGE


async def _run(meet: Meet, player: Player, home: Home, also: Finish, *, json: bool, patience: float | None) -> Exit:
    lines: Lines | None = None
    met: Met | None = None
    ends: _Ends | None = None
    try:
        lines, met = await meet()
        report: Reporter = line if json else lambda value: None
        participant = games.find(met.session.game.name).participant(player)
        match = Match(met.session, met.journal, participant, home.logs, report, patience)
        ends = _Ends(match, player)
        report({"event": "connected", "words": list(met.session.agreement.words)})
        ending = await match.play(lines)
        ends.played()
        participant.over(ending)
        _report(ending, report)
        _hand_in(met, ending, home)
        code = _exit(match, ending)
    finally:
        # The player may still look at the end, and a signal has to give the terminal back then, too.
        await player.close()
        if lines is not None:
            await lines.close()
        if met is not None:
            met.journal.close()
        await also()
        if ends is not None:
            ends.rest()
    if ends.interrupted or getattr(player, "interrupted", False):
        return Exit.INTERRUPTED
    return Exit.LEFT if code is Exit.FINE and ends.told_to_end else code


class _Ends:
    """Ctrl-C, a closed terminal and a polite kill leave the match; only the exit code tells which it was.

    Once it is over they end the player's look at the end.
    """

    def __init__(self, match: Match, player: Player) -> None:
        """Begin to heed them."""
        self.interrupted = False
        """Whether it was Ctrl-C, during the match."""
        self.told_to_end = False
        """Whether it was one of the others."""
        self._match = match
        self._player = player
        self._over = False
        signals.heed(self._end, *signals.POLITE)
        # Where it cannot be heeded the interrupt cancels the task.
        signals.heed(self._interrupt, signals.CTRL_C)

    def played(self) -> None:
        """Note that the match is over or left."""
        task = asyncio.current_task()
        self.interrupted = self.interrupted or (task is not None and task.cancelling() > 0)
        self._over = True

    def rest(self) -> None:
        """Heed them no longer."""
        signals.forget(signals.CTRL_C, *signals.POLITE)

    def _interrupt(self) -> None:
        self.interrupted = self.interrupted or not self._over
        # A second Ctrl-C ends the program whatever happens.
        signals.forget(signals.CTRL_C)
        self._leave()

    def _end(self) -> None:
        self.told_to_end = True
        self._leave()

    def _leave(self) -> None:
        self._match.leave()
        # Only a player with a screen of his own has something to look at.
        dismiss = getattr(self._player, "dismiss", None)
        if dismiss is not None:
            dismiss()


def say_reach(notice: ReachNotice) -> None:
    """Say what happens to the ways to this machine before there is a player's screen."""
    say(reach.news(notice))


def _hand_in(met: Met, ending: Ending, home: Home) -> None:
    """Copy the log of a tournament's match into the folder of the tournament."""
    place = met.session.agreement.conditions.event
    if place is None or ending.log is None or not met.session.over:
        return
    # Few matches are of a tournament.
    from cli.events import copying, known
    from cli.text import events as event_words

    folder = known.folder_of(home, place.event)
    say(str(event_words.NO_FOLDER) if folder is None else copying.copy_log(folder, Path(ending.log)))


def _report(ending: Ending, report: Reporter) -> None:
    report(
        {
            "event": "over",
            "result": {"winner": ending.winner, "reason": ending.reason},
            "log": ending.log,
            "audited": ending.audited,
            "confirmed": ending.winner is not None and ending.confirmed,
        }
    )


def _exit(match: Match, ending: Ending) -> Exit:
    if isinstance(match.session.stopped, events.PeerMisbehaved | events.Disagreement) or ending.problems:
        return Exit.NO
    if ending.winner is None:
        return Exit.LEFT
    return Exit.FINE if ending.confirmed else Exit.UNCONFIRMED
