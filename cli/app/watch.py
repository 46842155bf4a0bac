"""``storm-p2p watch``: a match that goes on, from what one or both of its players publish (SPEC.md, "Feeds")."""

from __future__ import annotations

import asyncio
import os
import re
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Final

from cli.app import games, replay
from cli.app.replay import players_of
from cli.app.verify import judge_alone
from cli.clean import clean
from cli.console.played import PlayedGame
from cli.console.replay import PUBLIC, Replay, go
from cli.events.carriers import CarrierError, Fetched, Web
from cli.match.publishing import DIGITS, NAME, SUFFIX
from cli.runtime import terminal
from cli.runtime.console import Exit, UsageError, line, result, say, told
from cli.storage.home import Home, load_preferences
from cli.text import carrying, clocks, commands, failures, verdicts, watching
from protocol.core.transcript import Transcript
from protocol.game import MissingRules
from protocol.record import logfile
from protocol.record.feed import FeedError, Feeds
from protocol.record.files import make_folder, write_file
from protocol.system.files import read_file
from storm_p2p import games as rules

if TYPE_CHECKING:
    from cli.console.shell.menu import SmallApp

LEAST: Final = 2
"""Seconds between two looks; nobody asks a server more often."""
_QUIET: Final = (600.0, 30)
"""After so many seconds without anything new, so many pass between two looks."""
_SECONDS: Final = 10.0
"""How long a server may take."""
_KEPT: Final = 30 * 86_400
"""How long what was watched is kept, in seconds."""
_MOST: Final = 20
"""So many courses of one match are kept."""


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    named = [options.where] if options.where2 is None else [options.where, options.where2]
    places = [place for name in named for place in _places(name)]
    if len(places) > len(named):
        for place in places:
            result(_describe(Path(place)))
        raise UsageError(str(watching.WHICH))
    if len(places) < len(named):
        say(watching.none_yet(next(name for name in named if not _places(name))))
        return Exit.NO_CONNECTION
    watched = _Watched(home, [_Source(place) for place in places], json=options.json)
    every = max(LEAST, options.every)
    try:
        watched.look()
        if not options.json and not options.text and terminal.why_plain() is None:
            return _show(watched, options, every)
        watched.tell()
        for _ in _pauses(watched, every):
            watched.look()
            watched.tell()
    except CarrierError as error:
        say(_problem(error, watched))
        return Exit.NO_CONNECTION
    return watched.end()


def _places(name: str) -> list[str]:
    """Return what a name stands for: itself, or each feed of a folder; nothing if nothing is there."""
    place = name if _is_web(name) else os.path.expanduser(name)
    if not os.path.isdir(place):
        return [place] if _is_web(name) or os.path.exists(place) else []
    return [os.path.join(place, feed) for feed in sorted(os.listdir(place)) if NAME.fullmatch(feed)]


def _is_web(name: str) -> bool:
    return re.match(r"https?://", name, re.IGNORECASE) is not None


def _describe(path: Path) -> str:
    """Return a line about a feed: its players, its turn, how old it is."""
    feeds = Feeds(rules.find)
    with suppress(OSError, FeedError, MissingRules):
        feeds.take(0, read_file(path, logfile.SIZE_LIMIT))
        if feeds.transcript is not None:
            age = max(0, int(time.time() - path.stat().st_mtime))
            turn = feeds.transcript.game.turn(feeds.transcript.position.state)
            return watching.listed(str(path), verdicts.players(players_of(feeds.transcript)), turn, clocks.span(age))
    return watching.unreadable(str(path))


def _problem(error: CarrierError, watched: _Watched) -> str:
    return carrying.problem(error.code, watched.asked, error.detail)


def _pauses(watched: _Watched, every: float) -> Iterator[None]:
    """Wait between two looks, until there is nothing more to look for."""
    while not watched.over:
        sleep(watched.pause(every))
        yield


@dataclass(slots=True)
class _Source:
    """Where a feed is, and what was last read there."""

    where: str
    held: Fetched = field(default_factory=Fetched)

    def read(self) -> bytes:
        """Return what is there now.

        Raises:
            CarrierError: nothing can be read.
        """
        if _is_web(self.where):
            self.held = Web(self.where, time.monotonic() + _SECONDS).fetch(self.held, logfile.SIZE_LIMIT)
            return self.held.data
        try:
            return read_file(Path(self.where), logfile.SIZE_LIMIT)
        except FileNotFoundError:
            raise CarrierError("missing") from None
        except OSError as error:
            raise CarrierError("unusable", error.strerror or str(error)) from error


@dataclass(slots=True)
class _Watched:
    """A match that is watched, and what was told of it."""

    _home: Home
    _sources: list[_Source]
    json: bool
    feeds: Feeds = field(default_factory=lambda: Feeds(rules.find))
    problem: str = ""
    """Why nothing more is shown."""
    asked: str = ""
    """Where it was looked last."""
    kept: Path | None = None
    _news_at: float = field(default_factory=time.monotonic)
    _told: int = 0
    """The lines that were told."""
    _agreed: tuple[int, int] = (0, 0)
    _silent: bool = False
    _is_first: bool = True

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for."""
        return bool(self.problem or self.feeds.convicted or self.feeds.whole())

    def pause(self, every: float) -> float:
        """Return how many seconds pass until the next look."""
        after, long = _QUIET
        return max(every, long) if time.monotonic() - self._news_at > after else every

    def look(self) -> bool:
        """Read all feeds; return whether something is new.

        Raises:
            CarrierError: the first time, one cannot be read; later that is said once, and may pass.
        """
        before = (self.feeds.shown, len(self.feeds.convicted))
        for number, source in enumerate(self._sources):
            self.asked = source.where
            try:
                data = source.read()
                self._take(number, source, data)
            except CarrierError as error:
                if self._is_first:
                    raise
                if not self._silent:
                    say(_problem(error, self))
                self._silent = True
        self._is_first = False
        new = (self.feeds.shown, len(self.feeds.convicted)) != before
        if new:
            self._silent, self._news_at = False, time.monotonic()
        return new or bool(self.problem)

    def _take(self, number: int, source: _Source, data: bytes) -> None:
        try:
            try:
                self.feeds.take(number, data)
            except FeedError:
                if source.held.parts < 2:
                    raise
                # The rest of another file does not belong behind the beginning of this one.
                source.held = Fetched()
                data = source.read()
                self.feeds.take(number, data)
        except FeedError as error:
            self.problem = watching.fails(error.code, source.where)
            if self.json:
                line({"event": "changed", "where": source.where, "code": error.code})
        except MissingRules as error:
            self.problem = failures.no_rules(error)
        self._keep(data)

    def _keep(self, data: bytes) -> None:
        """Keep what was shown, so that it can be shown again; what is 30 days old goes."""
        if self.feeds.transcript is None:
            return
        folder, digits = self._home.folder / "watched", self.feeds.transcript.agreement.match_id.hex()[:DIGITS]
        try:
            make_folder(folder)
            for old in folder.glob(f"*{SUFFIX}"):
                with suppress(OSError):
                    if time.time() - old.stat().st_mtime > _KEPT:
                        old.unlink()
            for number in range(_MOST):
                path = folder / (f"{digits}-{number}{SUFFIX}" if number else f"{digits}{SUFFIX}")
                before = read_file(path, logfile.SIZE_LIMIT) if path.exists() else b""
                if before.startswith(data):
                    break
                if data.startswith(before):
                    write_file(path, data, private=True)
                    break
            self.kept = path
        except OSError as error:
            if self.kept is None:
                say(watching.unkept(commands.reason(error)))
                self.kept = folder

    def tell(self) -> None:
        """Say what is new, in lines."""
        transcript = self.feeds.transcript
        if transcript is not None:
            if not self._told:
                self._told = 1
                self._begin(transcript)
            game = self._game(transcript)
            for moment in game.console.moments(transcript, ()):
                if moment.seq >= self._told:
                    self._say_moment(moment.seq, moment.lines)
            self._told = transcript.length + 1
            if (agreed := (self.feeds.agreed(), transcript.length)) != self._agreed:
                self._agreed = agreed
                if self.json:
                    line({"event": "agreed", "seq": agreed[0], "length": agreed[1]})
                else:
                    say(self.agreement())

    def _game(self, transcript: Transcript) -> PlayedGame:
        game = games.find(transcript.agreement.game)
        return game.supply(self.feeds.data) if self.feeds.data else game

    def _begin(self, transcript: Transcript) -> None:
        players, number = players_of(transcript), transcript.agreement.match_id.hex()
        if not self.json:
            return told(verdicts.match(number, players))
        seated = [{"seat": side, "name": name} for name, side in players]
        return line({"event": "watching", "match": number, "players": seated})

    def _say_moment(self, seq: int, lines: tuple[str, ...]) -> None:
        if self.json:
            line({"event": "message", "seq": seq, "lines": list(lines)})
        else:
            for one in lines:
                result(f"{seq:4}  {one}")

    def agreement(self) -> str:
        """Return up to where both have signed everything, and who has signed the rest alone."""
        transcript = self.feeds.transcript
        assert transcript is not None
        agreed, length = self.feeds.agreed(), transcript.length
        ahead = max(range(len(transcript.agreement.players)), key=transcript.last_envelope_of)
        return watching.agreed(agreed, length, clean(transcript.agreement.players[ahead].name))

    def end(self) -> Exit:
        """Say how it ended, and return the exit code."""
        if self.problem:
            say(self.problem)
            return Exit.NO
        transcript, whole = self.feeds.transcript, self.feeds.whole()
        facts = judge_alone(Path(self.asked), whole[0]) if whole else None
        if transcript is None or (facts is None and not self.feeds.convicted):
            return Exit.LEFT
        players = players_of(transcript)
        convicted = {players[seat][1]: code for seat, code in self.feeds.convicted.items()}
        if facts is not None:
            convicted = dict.fromkeys(facts["convicted"], "") | convicted
        confirmed = facts is not None and facts["ok"] and facts["confirmed"] and not convicted
        if self.json:
            shown = {"winner": None, "reason": "unfinished"} if facts is None else facts["result"]
            line({"event": "over", "result": shown, "confirmed": confirmed, "convicted": list(convicted)})
        elif facts is not None:
            facts["file"] = self.asked
            told(verdicts.words(facts))
        for name, side in players:
            if convicted.get(side):
                say(watching.convicted(name, verdicts.what(convicted[side], side)))
        if convicted or (facts is not None and not facts["ok"]):
            return Exit.NO
        return Exit.FINE if confirmed else Exit.UNCONFIRMED

    def replay(self, before: Replay | None) -> Replay | None:
        """Return the replay as it is now; it follows the last step until the person goes back."""
        transcript = self.feeds.transcript
        if transcript is None:
            return None
        game = self._game(transcript)
        shown = replay.begin(game, transcript, PUBLIC)
        notice = self.problem or (str(watching.OVER) if self.feeds.whole() else self.agreement())
        if before is None:
            return replace(go(shown, shown.last), notice=notice, watching=True)
        follows = before.at >= before.last
        grown = replace(before, steps=shown.steps, notice=notice)
        return go(grown, grown.last) if follows else grown


def _show(watched: _Watched, options: Namespace, every: float) -> Exit:
    """Show the match on the full screen until the person leaves."""
    shown = watched.replay(None)
    for _ in _pauses(watched, every) if shown is None else ():
        watched.look()
        if (shown := watched.replay(None)) is not None:
            break
    if shown is None:
        return watched.end()
    chosen = load_preferences(watched._home.folder, options.signs)
    unicode, theme = terminal.looks(chosen.signs, chosen.theme)
    shown = replace(shown, unicode=unicode, theme=theme, mouse=chosen.mouse)

    async def follow(running: SmallApp[Replay]) -> None:
        while not watched.over:
            await asyncio.sleep(watched.pause(every))
            if await asyncio.to_thread(watched.look):
                grown = watched.replay(running.model)
                assert grown is not None
                running.change(grown)

    replay.app(shown, watched.kept or Path(), None, follow=follow).run()
    return watched.end()
