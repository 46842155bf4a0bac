"""The commands of ``storm-p2p event`` about single games: no-shows, rulings, and logs for the folder."""

from __future__ import annotations

import re
import shlex
import time
from argparse import Namespace
from typing import Any, Final

from cli.clean import clean
from cli.events import folder
from cli.events.folder import copy_log
from cli.events.standing import Seen, look, publish
from cli.events.tasks import is_ready
from cli.match import stored
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage import unlock
from cli.storage.home import Home, list_logs
from cli.text import clocks, events
from cli.text.events import place_of
from protocol.core.agreement import read_agreement
from protocol.errors import ProtocolError
from protocol.record import logfile
from protocol.record.journal import Journal, JournalError
from protocol.record.logfile import LogError
from protocol.tournament import drafts
from protocol.tournament.contents import Answer, Claim, Entry, Matter, Ready
from protocol.tournament.drafts import Assignment, assignments
from protocol.tournament.findings import Place
from protocol.tournament.no_shows import no_shows
from protocol.tournament.survey import Tournament

_MATTERS: Final = {
    "forfeit": Matter.FORFEIT, "double": Matter.DOUBLE_FORFEIT, "award": Matter.AWARD, "bye": Matter.BYE,
    "late": Matter.LATE_ENTRY, "withdraw": Matter.WITHDRAWAL,
}  # fmt: skip
_DRAW: Final = ("draw", "remis")
"""In both languages."""
_TEXT_LIMIT: Final = 500


# -- no-shows -------------------------------------------------------------------------------------------------


def ready(home: Home, options: Namespace) -> Exit:
    """Say that the player is there for a game."""
    seen, key = look(home, options.folder, options.id), unlock.identity(home)
    game, now = _game(seen, key.public, options.game), int(time.time())
    publish(seen, key, Ready(seen.tournament.id, *game.place, now), place_of(*game.place))
    since = is_ready(seen.tournament, key.public, game.place) or now
    say(events.readied(place_of(*game.place), clocks.moment(since + seen.event.grace), shlex.quote(str(seen.path))))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def claim(home: Home, options: Namespace) -> Exit:
    """Ask for a forfeit."""
    seen, key = look(home, options.folder, options.id), unlock.identity(home)
    game, now = _game(seen, key.public, options.game), int(time.time())
    since, place = is_ready(seen.tournament, key.public, game.place), place_of(*game.place)
    if since is None:
        raise UsageError(events.not_ready(place, shlex.quote(str(seen.path))))
    if now < since + seen.event.grace:
        raise UsageError(events.too_soon(clocks.moment(since + seen.event.grace), place))
    publish(seen, key, Claim(seen.tournament.id, *game.place, now), place)
    say(events.claimed(place, clocks.moment(now + seen.event.answer)))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def answer(home: Home, options: Namespace) -> Exit:
    """Answer a claim."""
    seen, key = look(home, options.folder, options.id), unlock.identity(home)
    found = seen.tournament
    wanted = None if options.game is None else _place(options.game)
    claims = [
        one
        for one in no_shows(found)
        if found.players[one.against - 1].key == key.public and wanted in (None, one.place)
    ]
    if not claims:
        raise UsageError(str(events.NO_CLAIM))
    for one in claims:
        text = clean(options.text, _TEXT_LIMIT)
        publish(seen, key, Answer(found.id, one.claim, int(time.time()), text), place_of(*one.place))
        say(events.answered(place_of(*one.place)))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def _game(seen: Seen, key: bytes, wanted: str | None) -> Assignment:
    """Return the game of a player that is meant: the next one, or the one that is named.

    Raises:
        UsageError: there is none.
    """
    found = assignments(seen.tournament, key)
    place = None if wanted is None else _place(wanted)
    fitting = [one for one in found if place in (None, one.place)]
    if not fitting:
        raise UsageError(str(events.NO_GAME))
    return fitting[0]


def _place(text: str) -> Place:
    """Return the place that is typed; game 0 stands for all of a pairing.

    Raises:
        UsageError: it is none.
    """
    match = re.fullmatch(r"([0-9]{1,3})\.([0-9]{1,3})(?:\.([0-9]))?", text)
    if match is None:
        raise UsageError(events.bad_place(text))
    return Place(int(match[1]), int(match[2]), int(match[3] or 0))


# -- rulings --------------------------------------------------------------------------------------------------


def rule(home: Home, options: Namespace) -> Exit:
    """Publish a ruling."""
    seen, key = look(home, options.folder, options.id), unlock.identity(home)
    found, matter = seen.tournament, _MATTERS[options.matter]
    if key.public not in seen.event.arbiters:
        raise UsageError(str(events.NO_SUCH_ARBITER))
    facts: dict[str, Any] = {}
    if matter in (Matter.FORFEIT, Matter.DOUBLE_FORFEIT, Matter.AWARD):
        place = _place(options.where)
        if not any(one[:2] == place[:2] and place.game in (0, one.game) for one in found.results):
            raise UsageError(events.no_place(options.where))
        since = place.round
        claims = [one for one in no_shows(found) if one.place[:2] == place[:2] and place.game in (0, one.place.game)]
        evidence = [part for one in claims for part in (one.claim, *one.answers)]
        facts |= {"table": place.table, "game": place.game, "evidence": tuple(evidence[:16])}
    else:
        since = _round(options.where)
    if options.who is None and matter is not Matter.DOUBLE_FORFEIT:
        raise UsageError(events.who_needed(options.matter))
    if matter is Matter.LATE_ENTRY:
        facts["entry"] = _entry(found, options.who)
    elif matter is not Matter.DOUBLE_FORFEIT and not (matter is Matter.AWARD and options.who in _DRAW):
        facts["player"] = _player(found, options.who)
    if matter is Matter.BYE:
        facts["points"] = options.points
    if options.replaces is not None:
        facts["replaces"] = _ruling(found, options.replaces)
    content = drafts.draft_ruling(found, key.public, matter, since, **facts)
    before = set(seen.files.documents)
    (name,) = set(publish(seen, key, content, options.matter).files.documents) - before
    say(events.ruled(name))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def _round(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 128):
        raise UsageError(events.bad_round(text))
    return int(text)


def _player(found: Tournament, who: str) -> int:
    """Return the number of the player that is meant.

    Raises:
        UsageError: nobody is, or several are.
    """
    if who.isascii() and who.isdigit() and 1 <= int(who) <= len(found.players):
        return int(who)
    named = [one.number for one in found.players if who.casefold() == one.name.casefold() or who == one.key.hex()]
    if len(named) != 1:
        raise UsageError(events.several(who) if named else events.nobody(who))
    return named[0]


def _entry(found: Tournament, who: str) -> bytes:
    """Return the entry of the late player that is meant.

    Raises:
        UsageError: nobody is, or several are.
    """
    playing = {one.key for one in found.players}
    named = [
        one.id
        for one in found.entries.values()
        if isinstance(one.content, Entry) and one.author not in playing
        and (who.casefold() == one.content.name.casefold() or who == one.author.hex())
    ]  # fmt: skip
    if len(named) != 1:
        raise UsageError(events.several(who) if named else events.no_late_entry(who))
    return named[0]


def _ruling(found: Tournament, begins: str) -> bytes:
    ids = [one.id for chain in found.rulings.values() for one in chain.documents]
    named = [one for one in ids if one.hex().startswith(begins.lower())]
    if len(named) != 1:
        raise UsageError(events.no_ruling(begins))
    return named[0]


# -- logs -----------------------------------------------------------------------------------------------------


def export(home: Home, options: Namespace) -> Exit:
    """Copy what this machine holds of the event into its folder: logs, and matches as they stand."""
    seen = look(home, options.folder, options.id)
    event = seen.tournament.id
    before = set(folder.read_folder(seen.path).logs)
    for path in list_logs(home):
        try:
            agreement = read_agreement(logfile.load(logfile.read(path)).records)
        except (LogError, ProtocolError):
            continue
        if agreement.conditions.event is not None and agreement.conditions.event.event == event:
            copy_log(seen.path, path)
    for match in stored.unfinished(home):
        try:
            with Journal.open(home.matches, match.local_id) as book:
                session = None if book.is_erased else stored.restore(book, home)
                where = read_agreement([entry.record for entry in book.read_entries()]).conditions.event
                if where is not None and where.event == event:
                    copy_log(seen.path, stored.export(book, home.logs, session))
        except (JournalError, LogError, ProtocolError):
            # It is open in another window, or damaged; the command that goes on with it says so.
            continue
    added = sorted(set(folder.read_folder(seen.path).logs) - before)
    for name in added:
        result(name)
    say(events.logs_added(len(added)))
    return Exit.FINE
