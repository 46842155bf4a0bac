"""Running a match from a command: host, guest or resumed; the player, the messages and the exit code."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cli.app import games
from cli.app.launch.proposal import PlayerOptions, publication_of
from cli.match.match import Match
from cli.match.player import Ended, Ending, Next, Player
from cli.match.publishing import Publication
from cli.meeting.exchange import Exchange, folders_of
from cli.meeting.lines import Lines, meet_again
from cli.meeting.meeting import Met, NoMatch
from cli.runtime import console
from cli.runtime.console import Exit, Reporter, ToMenu, line, say
from cli.storage.home import Home
from cli.text import commands
from protocol.core import events
from protocol.core.agreement import Agreement
from protocol.record.journal import Journal
from protocol.transport import TransportError

_TRIES: Final = 3
"""How often a rematch may fail that a player wants who is no person."""

Meet = Callable[[], Awaitable[tuple[Lines, Met]]]
"""Finds the other and agrees with them on a match."""
Finish = Callable[[], Awaitable[None]]


def may_watch(agreement: Agreement, journal: Journal) -> bool:
    """Return whether a match may be published: both have agreed to that, or there is nobody but the computer."""
    return agreement.conditions.watched is not None or journal.read_kept("computer") is not None


@dataclass(slots=True)
class Series:
    """One match after the other between the same two, on one terminal."""

    _meet: Meet
    _player: Player
    _home: Home
    _who: PlayerOptions
    _patience: float | None
    """For so many seconds a lost line is called again, without end when None."""
    _also: Finish
    """Is done after the last match."""
    again: Meet | None = None
    """Meets the computer for another match, where it was the opponent."""
    rematches: int = 0
    """How many a player wants and takes who is no person; in a tournament such a one plays on with the next game
    against the same player."""
    _publication: Publication | None = field(init=False)
    """How others may watch the matches."""
    _ends: _Ends | None = None
    _lines: Lines | None = None
    _met: Met | None = None
    _sending: list[asyncio.Task[object]] = field(default_factory=list)
    _next: Next = Next.LEAVE
    """What the player wants after the last match."""

    def run(self) -> Exit:
        """Meet, play to the end, and return the exit code.

        Raises:
            ToMenu: that is where the player goes after the end.
            UsageError: nothing can be played on this machine, or the delay of what is published is none.
        """
        self._publication = publication_of(self._who, self._home)
        console.check_library()
        console.check_clock()
        try:
            code = asyncio.run(self._run())
        except KeyboardInterrupt:
            say(str(commands.INTERRUPTED))
            return Exit.INTERRUPTED
        if self._next is Next.MENU:
            raise ToMenu
        return code

    def _report(self, value: dict[str, object]) -> None:
        if self._who.json:
            line(value)

    async def _run(self) -> Exit:
        """Play until nobody wants another match, and return the exit code of the last one."""
        try:
            lines, met = await self._meet()
            while True:
                code, following = await self._play(lines, met)
                if following is not None:
                    met.journal.close()
                    lines, met = following
                elif self._next is Next.AGAIN and self.again is not None:
                    await self._part()
                    lines, met = await self.again()
                else:
                    break
        finally:
            # A signal has to give the terminal back, too.
            await self._player.close()
            console.catch_up()
            await self._part()
            await self._also()
            await asyncio.gather(*self._sending)
            if self._ends is not None:
                self._ends.rest()
        assert self._ends is not None
        if self._ends.interrupted or getattr(self._player, "interrupted", False):
            return Exit.INTERRUPTED
        return Exit.LEFT if code is Exit.FINE and self._ends.told_to_end else code

    async def _play(self, lines: Lines, met: Met) -> tuple[Exit, tuple[Lines, Met] | None]:
        """Play one match, and let the player look at its end; return the match that follows over the same line."""
        self._lines, self._met = lines, met
        participant = games.find(met.session.game.name).participant(self._player)
        match = Match(
            met.session,
            met.journal,
            participant,
            self._home.logs,
            self._report,
            self._patience,
            self._publication_of(met),
        )
        self._ends = self._ends or _Ends(self._player)
        self._ends.begin(match)
        self._report({"event": "connected", "words": list(met.session.agreement.words)})
        ending = await match.play(lines)
        self._ends.played()
        participant.tell(Ended(ending))
        _report(ending, self._report)
        folder = _hand_in(met, ending, self._home)
        place = met.session.agreement.conditions.event
        proposal, rematches = None, self.rematches
        if place is not None:
            # Few matches are of a tournament.
            from cli.app.launch import pairing

            await match.exchange(Exchange(folders_of(self._home), event=place.event))
            proposal = await asyncio.to_thread(pairing.find_next, self._home, met.session)
            rematches = int(not self._who.is_person and proposal is not None)
        if proposal is not None and proposal.conditions.event is not None:
            match.tell_next(proposal.conditions.event)
        if folder is not None:
            self._sending.append(asyncio.create_task(_send(self._home, folder)))
        code = _exit(match, ending)
        self._next = Next.LEAVE
        # Whoever lets one after the other fail gets no more of them out of a player who is no person.
        tries = _TRIES if rematches else math.inf
        while not self._ends.interrupted and ending.winner is not None and tries:
            wanted = await match.linger(self._player, rematches=rematches)
            if isinstance(wanted, Next):
                self._next = wanted
                break
            try:
                following = await meet_again(wanted.link, wanted.secret, met.session, lines, self._home, proposal)
            except (NoMatch, TransportError) as error:
                await wanted.link.close()
                match.tell_no_rematch(error.event if isinstance(error, NoMatch) else None)
                tries -= 1
                continue
            self.rematches = max(0, self.rematches - 1)
            match_id = following[1].session.agreement.match_id
            self._report({"event": "rematch", "state": "begun", "match": match_id.hex()})
            return code, following
        return code, None

    def _publication_of(self, met: Met) -> Publication | None:
        """Return how others may watch a match: only one against the computer, or one of which both have said so."""
        wanted = self._publication
        if wanted is None or may_watch(met.session.agreement, met.journal):
            return wanted
        # A rematch has the terms of the match before it, so this is what a stored one or a bad guest brings.
        say(str(commands.NOT_WATCHED))
        return None

    async def _part(self) -> None:
        """Close what belongs to one match."""
        lines, met = self._lines, self._met
        self._lines = self._met = None
        if lines is not None:
            await lines.close()
        if met is not None:
            met.journal.close()


class _Ends:
    """Ctrl-C, a closed terminal and a polite kill leave the match; only the exit code tells which it was.

    Once it is over they end the player's look at the end.
    """

    def __init__(self, player: Player) -> None:
        """Heed nothing yet."""
        self.interrupted = False
        """Whether it was Ctrl-C, during the match."""
        self.told_to_end = False
        """Whether it was one of the others."""
        self._match: Match | None = None
        self._player = player
        self._over = False

    def begin(self, match: Match) -> None:
        """Heed them during a match."""
        self._match = match
        self._over = False
        console.heed(self._end, *console.POLITE)
        # Where it cannot be heeded the interrupt cancels the task.
        console.heed(self._interrupt, console.CTRL_C)

    def played(self) -> None:
        """Note that the match is over or left."""
        task = asyncio.current_task()
        self.interrupted = self.interrupted or (task is not None and task.cancelling() > 0)
        self._over = True

    def rest(self) -> None:
        """Heed them no longer."""
        console.forget(console.CTRL_C, *console.POLITE)

    def _interrupt(self) -> None:
        self.interrupted = self.interrupted or not self._over
        # A second Ctrl-C ends the program whatever happens.
        console.forget(console.CTRL_C)
        self._leave()

    def _end(self) -> None:
        self.told_to_end = True
        self._leave()

    def _leave(self) -> None:
        if self._match is not None:
            self._match.leave()
        # Only a player with a screen of their own has something to look at.
        dismiss = getattr(self._player, "dismiss", None)
        if dismiss is not None:
            dismiss()


def _hand_in(met: Met, ending: Ending, home: Home) -> Path | None:
    """Copy the log of a tournament's match into the folder of the tournament; return the folder if others get it."""
    place = met.session.agreement.conditions.event
    if place is None or ending.log is None or not met.session.over:
        return None
    # Few matches are of a tournament.
    from cli.events.folder import copy_log, folder_of
    from cli.text import events

    folder = folder_of(home, place.event)
    say(str(events.NO_FOLDER) if folder is None else copy_log(folder, Path(ending.log)))
    return folder


async def _send(home: Home, folder: Path) -> None:
    """Let the others have what a folder has now; the player goes on meanwhile."""
    from cli.app.carrying import carry

    _, sentences = await asyncio.to_thread(carry, home, folder)
    say(*sentences)


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
