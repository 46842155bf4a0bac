"""A match of a tournament: whom the player meets next, and on what terms, from the tournament's folder."""

import asyncio
import time
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cli.app import games
from cli.app.carrying import keep_up
from cli.console.played import PlayedGame
from cli.events.folder import folder_of
from cli.events.standing import Seen, look
from cli.events.tasks import entry_of, is_over
from cli.match import stored
from cli.meeting.exchange import Exchange
from cli.meeting.meeting import Found, Proposal
from cli.runtime import console
from cli.runtime.console import UsageError, say
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import clocks, commands, events
from protocol.core.agreement import host_takes
from protocol.core.game_data import supply
from protocol.core.handshake import Offered
from protocol.core.session import Session
from protocol.crypto.keys import identity_hash
from protocol.errors import ProtocolError
from protocol.game import Seat
from protocol.record.journal import JournalError
from protocol.tournament.contents import Event
from protocol.tournament.drafts import Assignment, assignments
from protocol.tournament.results import State
from protocol.tournament.survey import Tournament
from storm_p2p import games as rules


@dataclass(frozen=True, slots=True)
class EventGame:
    """The next game of a player as its host."""

    proposal: Proposal
    called: str
    """The name of the rules."""
    game: PlayedGame
    data: bytes
    """The set of cards that it is played with, if it is an own one."""
    opponent: bytes | None
    """The half hash of the opponent's key: nobody else may be the guest; None as long as no game is known."""
    name: str
    """Under which name the player has entered."""
    exchange: Exchange
    find: Callable[[bytes], Found | None]
    """Returns the game that is to be played when files have come, with the owner of a key if possible."""


_DECIDED = ("cards", "terms", "clock", "witness", "seat", "challenge", "open_combat", "random_setup", "aids", "watched")
"""The options about what an event decides."""


def to_host(home: Home, options: Namespace) -> EventGame:
    """Return the next game of the player in the folder of ``--event``, and say which it is.

    A guest may bring the files of a game that is not known here yet.

    Raises:
        UsageError: there will be none, or the command line says what the event decides.
    """
    path = Path(options.event)
    keep_up(home, path, offline=options.offline)
    seen, key = _look(home, path)
    others = options.game not in (seen.event.game.partition("-")[0], "storm") or options.scheme != "proved"
    if others or any(getattr(options, name) for name in _DECIDED):
        raise UsageError(str(events.EVENT_DECIDES))
    game, data = played(seen)
    found, event, name = _to_play(home, seen, key), seen.event, _name_in(seen, key)
    if not found and (name is None or assignments(seen.tournament, key) or _is_over(seen.tournament)):
        raise UsageError(str(events.NO_GAME))
    exchange = Exchange(lambda event: path, event=seen.tournament.id)
    told: list[Assignment] = []

    def tell(one: Assignment) -> Found:
        if told != [one]:
            told[:] = [one]
            _say_game(game, one)
        proposal = Proposal(event.terms, event.scheme, one.conditions, host_takes(one.seat))
        return proposal, identity_hash(one.opponent.key)

    def find(guest: bytes) -> Found | None:
        try:
            _, own = _look_for_games(home, path)
        except UsageError as error:
            say(*error.args)
            return None
        best = [one for one in own if one.opponent.key == guest] or own
        return tell(best[0]) if best else None

    if found:
        proposal, opponent = tell(found[0])
    else:
        say(str(events.NO_GAME_YET))
        proposal, opponent = Proposal(event.terms, event.scheme, event.conditions), None
    return EventGame(proposal, event.game, game, data, opponent, name or "", exchange, find)


def _is_over(found: Tournament) -> bool:
    return found.start is not None and is_over(found)


async def consent(home: Home, folder: str | None, host: bytes, offer: Offered) -> tuple[bool, Seat | None]:
    """Take an offer for the player's own game in a tournament, and refuse any other.

    Args:
        home: where known folders stand.
        folder: that of ``--event``; None for those of the tournaments that were used here.
        host: the half hash of the host's key.
        offer: what the host offers.
    """
    place = offer.conditions.event
    if place is None:
        say(str(events.NO_EVENT_OFFERED))
        return False, None
    path = folder_of(home, place.event) if folder is None else Path(folder)
    if path is None:
        say(events.unknown_event(place.event))
        return False, None
    try:
        # The line lives on while logs that have just come are judged.
        here, found = await asyncio.to_thread(_look_for_games, home, path)
    except UsageError as error:
        say(*error.args)
        return False, None
    event = here.event
    own = [one for one in found if identity_hash(one.opponent.key) == host]
    for one in own:
        agreed = (one.conditions, event.terms, event.scheme, host_takes(1 - one.seat))
        if agreed == (offer.conditions, offer.terms, offer.scheme, offer.seating):
            _say_game(games.find(event.game), one)
            return True, None
    published, number = here.tournament.published, place.round - 1
    if place.event != here.tournament.id:
        say(events.other_tournament(here.event.name))
    elif number < len(published) and place.document != published[number]:
        say(events.other_document(place.round))
    else:
        say(str(events.OTHER_PAIRING if own else events.OTHER_HOST))
    return False, None


def find_next(home: Home, before: Session) -> Proposal | None:
    """Return what the two of a tournament's match play next against each other, if the folder has such a game."""
    place = before.agreement.conditions.event
    path = None if place is None else folder_of(home, place.event)
    try:
        seen, own = (None, []) if path is None else _look_for_games(home, path)
    except UsageError:
        return None
    peer = before.agreement.players[before.peer].identity
    one = next((one for one in own if one.opponent.key == peer), None)
    if seen is None or one is None:
        return None
    seat = one.seat if before.seat == before.agreement.host_seat else 1 - one.seat
    return Proposal(seen.event.terms, seen.event.scheme, one.conditions, host_takes(seat))


def to_join(home: Home, folder: str, called: str, cards: str | None) -> tuple[str | None, PlayedGame, bytes]:
    """Return the name under which the player has entered the event of a folder, and what :func:`played` does.

    Raises:
        UsageError: the folder cannot be used, or the host plays another game.
    """
    seen, key = _look(home, Path(folder))
    if cards is not None:
        raise UsageError(str(events.EVENT_DECIDES))
    game, data = played(seen)
    if seen.event.game != called:
        raise UsageError(str(events.OTHER_PAIRING))
    return _name_in(seen, key), game, data


def _name_in(seen: Seen, key: bytes) -> str | None:
    entry = entry_of(seen.tournament, key)
    return None if entry is None else entry.content.name


def played(seen: Seen) -> tuple[PlayedGame, bytes]:
    """Return the game of an event with its cards, and the bytes of their file if they are an own set.

    Raises:
        UsageError: this program has not its rules, or the folder not its cards.
    """
    event = seen.event
    _check_rules(event)
    game = games.find(event.game)
    try:
        game.read_terms(event.terms)
    except ValueError:
        raise UsageError(str(events.OTHER_RULES)) from None
    for data in (b"", *seen.tournament.data):
        with suppress(ValueError):
            supply(rules.find_newest(event.game), data).begin(event.terms)
            return game.supply(data) if data else game, data
    raise UsageError(str(events.NO_CARDS))


def _check_rules(event: Event) -> None:
    if rules.NEWEST.get(event.game) != event.rules:
        raise UsageError(str(events.OTHER_RULES))


def _look(home: Home, folder: Path) -> tuple[Seen, bytes]:
    """Return how the event of a folder stands, and the player's own key.

    Raises:
        UsageError: the folder cannot be used, or this program has not the rules of the event.
    """
    console.check_library()
    try:
        seen = look(home, folder)
    except OSError as error:
        raise UsageError(commands.unusable(error, folder)) from error
    except ProtocolError as error:
        raise UsageError(events.problem(error)) from error
    _check_rules(seen.event)
    return seen, unlock.identity(home).public


def _look_for_games(home: Home, folder: Path) -> tuple[Seen, list[Assignment]]:
    seen, key = _look(home, folder)
    return seen, _to_play(home, seen, key)


def _to_play(home: Home, seen: Seen, key: bytes) -> list[Assignment]:
    """Return the games that have not begun: another match of one would be a second chance.

    Raises:
        UsageError: what has begun here cannot be read.
    """
    try:
        begun = stored.places_begun(home, seen.tournament.id)
    except JournalError as error:
        raise UsageError(commands.matches_unreadable(error.sentence)) from error
    found = [one for one in assignments(seen.tournament, key) if one.state is State.MISSING]
    for one in found:
        if one.place in begun:
            say(events.begun_here(str(one.place)))
    return [one for one in found if one.place not in begun]


def _say_game(game: PlayedGame, one: Assignment) -> None:
    console = game.console
    place = str(one.place)
    say(events.hosting(place, one.opponent.name, console.side_name(console.sides[one.seat])))
    if time.time() > one.until:
        say(events.deadline_over(one.place.round, clocks.moment(one.until)))
