"""``storm-p2p event watch``: looks into a tournament's folder every so often, and calls the player when it matters."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from typing import Final

from cli.app import standings
from cli.app.carrying import Carried, carry
from cli.console.shell import alerts
from cli.events.standing import Seen, advance, look
from cli.events.tasks import Kind, Task, tasks
from cli.match import stored
from cli.runtime.console import Exit, line, result, say
from cli.runtime.terminal import is_terminal
from cli.storage import unlock
from cli.storage.home import Home, load_preferences
from cli.text import carrying, clocks, events
from protocol.tournament.no_shows import ready_since

_SOON: Final = 86_400


def watch(home: Home, options: Namespace) -> Exit:
    """Exchange files, do what is due, and tell what is new, until the tournament has ended or the player ends it."""
    key, watcher = unlock.identity(home), _Watcher(home, json=options.json)
    say(carrying.watching(str(options.folder), options.every))
    while True:
        how, said = carry(home, options.folder, offline=options.offline)
        watcher.tell_carried(how, said)
        seen, done = advance(look(home, options.folder, options.id), key)
        for sentence in done:
            watcher.tell("done", sentence)
        if done and how is Carried.DONE:
            watcher.tell_carried(*carry(home, options.folder))
        watcher.tell_news(seen, key.public)
        if seen.tournament.end is not None:
            return Exit.NO if seen.tournament.convictions else Exit.FINE
        time.sleep(options.every)


class _Watcher:
    """Tells everything once."""

    def __init__(self, home: Home, *, json: bool) -> None:
        chosen = load_preferences(home.folder)
        self._home, self._json = home, json
        self._alert = alerts.Alert(chosen.notice, chosen.command)
        self._told: set[str] = set()
        self._failed: list[str] = []
        self._is_first = True

    def tell(self, kind: str, text: str, **facts: object) -> bool:
        """Tell something unless it was told before; return whether it is new."""
        if text in self._told:
            return False
        self._told.add(text)
        self._show(kind, text, **facts)
        return True

    def _show(self, kind: str, text: str, **facts: object) -> None:
        if self._json:
            line({"event": kind, **facts, "text": text})
        else:
            result(f"{time.strftime('%H:%M')}  " + text.replace("\n", "\n       "))

    def tell_carried(self, how: Carried, said: list[str]) -> None:
        """Tell what has come and gone; what fails again and again is told once."""
        if how is Carried.FAILED and said == self._failed:
            return
        self._failed = said if how is Carried.FAILED else []
        for sentence in said:
            self._show("failed" if how is Carried.FAILED else "carried", sentence)

    def tell_news(self, seen: Seen, key: bytes) -> None:
        """Tell what there is to do, and what is new about it; what is new after the start calls the player."""
        found, sides = seen.tournament, standings.side_names(seen.event)
        todo = tasks(found, key, int(time.time()), stored.places_begun(self._home, found.id))
        for one in todo:
            text = events.task(one, seen.path, sides)
            row = standings.task_row(one, seen, sides)
            if self.tell("task", text, **{name: value for name, value in row.items() if name != "text"}):
                # Only who has something to type is called.
                self._call(text.partition("\n")[0], wanted=row["command"] is not None and "wait" not in one.kind)
            for kind, sentence in _urgent(one, seen):
                if self.tell(kind, sentence, place=row["place"], opponent=row["opponent"]):
                    self._call(sentence, wanted=True)
        self._is_first = False

    def _call(self, sentence: str, *, wanted: bool) -> None:
        if wanted and not self._is_first:
            alerts.call(self._alert, sentence, _write, os.environ)


def _write(text: str) -> None:
    if is_terminal(sys.stderr):
        sys.stderr.write(text)
        sys.stderr.flush()


def _urgent(one: Task, seen: Seen) -> Iterator[tuple[str, str]]:
    """Yield why a game should be played now."""
    if one.kind not in (Kind.PLAY, Kind.RESUME) or one.place is None or one.other is None:
        return
    place = events.place_of(*one.place)
    if ready_since(seen.tournament, one.other.key, one.place) is not None:
        yield "ready", carrying.is_ready(one.other.name, place)
    if one.until is not None and 0 < one.until - time.time() < _SOON:
        yield "deadline", carrying.soon(place, one.other.name, clocks.local(one.until))
