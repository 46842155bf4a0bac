"""What somebody may sign next, and what they may play next: the contents that fit how an event stands."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from protocol.core.game_data import Conditions, EventTerms
from protocol.crypto.hashing import derive
from protocol.game import Seat
from protocol.tournament.contents import Close, Coin, End, Entry, Matter, Notice, Round, Ruling, Start, Topic
from protocol.tournament.documents import DocumentError
from protocol.tournament.engine import EngineError, engine_version
from protocol.tournament.findings import Place
from protocol.tournament.lines import Field
from protocol.tournament.results import SETTLED, State, seat_keys
from protocol.tournament.roster import Player, lot_of, opened
from protocol.tournament.survey import Tournament


def coin_from(entropy: bytes, event: bytes) -> bytes:
    """Return a player's coin for an event from 32 secret bytes, so that it need not be stored."""
    return derive(entropy, "event-coin", event)


def draft_entry(event: bytes, key: bytes, name: str, coin: bytes, rating: tuple[int, int, int] | None = None) -> Entry:
    """Return the entry of a player with the coin fixed."""
    return Entry(event, name, lot_of(key, coin), rating)


def draft_close(tournament: Tournament, without: Collection[bytes] = ()) -> Close:
    """Return the list of all entries, one for each key, but those that the organiser does not take.

    Raises:
        DocumentError: ``too_late``: it is published already.
    """
    if tournament.close is not None:
        raise DocumentError("too_late", "entries that are open", "closed ones")
    chosen = {one.author: one.id for one in reversed(list(tournament.entries.values())) if one.id not in without}
    return Close(*_next(tournament), tuple(sorted(chosen.values())))


def draft_coin(tournament: Tournament, key: bytes, coin: bytes) -> Coin:
    """Return what opens a player's coin.

    Raises:
        DocumentError: ``too_early``, ``not_entered`` or ``wrong_coin``.
    """
    if tournament.close is None:
        raise DocumentError("too_early", "entries that are closed", "open ones")
    for one in tournament.close.content.entries:
        entry = tournament.entries[one].content
        if tournament.entries[one].author == key:
            if entry.lot != lot_of(key, coin):
                raise DocumentError("wrong_coin", entry.lot.hex(), lot_of(key, coin).hex())
            return Coin(tournament.id, tournament.close.id, one, coin)
    raise DocumentError("not_entered", "an entry that is listed", key.hex())


def draft_start(tournament: Tournament) -> Start:
    """Return the list of all coins that open an entry.

    Raises:
        DocumentError: ``too_early`` or ``too_late``.
    """
    if tournament.close is None or tournament.start is not None:
        code = "too_early" if tournament.close is None else "too_late"
        raise DocumentError(code, "entries that are closed, and no start", "another state")
    good = {
        coin.author: coin.id
        for coin in tournament.coins.values()
        if opened(tournament.close, coin, tournament.entries) is None
    }
    return Start(*_next(tournament), tuple(sorted(good.values())))


def draft_round(tournament: Tournament, until: int | None = None) -> Round:
    """Return the next round.

    Args:
        tournament: how the event stands.
        until: the deadline; None for that of the event.

    Raises:
        DocumentError: ``too_early``: the event has not started; ``too_late``: it has ended; ``no_deadline``: none is
            given.
        PairingError: there is no next round yet, or none any more.
        EngineError: the program that pairs is missing, is not the version of the event, or finds nothing.
    """
    _check_running(tournament)
    wanted, here = tournament.event.engine, engine_version()
    if wanted is not None and here is not None and wanted != here:
        # Whoever has the right version could find other pairings, and would refuse these.
        raise EngineError("engine_version", wanted, here)
    field, deadlines = tournament.next, tournament.event.deadlines
    if until is None:
        if field.round > len(deadlines):
            raise DocumentError("no_deadline", f"a deadline of round {field.round}", "none")
        until = deadlines[field.round - 1]
    pairings, basis = tournament.pair(field), _basis(field)
    return Round(*_next(tournament), field.round, until, pairings, basis, tournament.pending)


def draft_end(tournament: Tournament) -> End:
    """Return what ends an event as it stands; a game without an outcome gets none any more.

    Raises:
        DocumentError: ``too_early``: the event has not started; ``too_late``: it has ended.
    """
    _check_running(tournament)
    return End(*_next(tournament), _basis(tournament.field), tournament.pending)


def _next(tournament: Tournament) -> tuple[bytes, int, bytes]:
    """Return with what the organiser's next document begins."""
    return tournament.id, *tournament.chain.tip(tournament.id)


def _check_running(tournament: Tournament) -> None:
    if tournament.start is None:
        raise DocumentError("too_early", "an event that has started", "one that has not")
    if tournament.end is not None:
        raise DocumentError("too_late", "an event that goes on", "one that has ended")


def _basis(field: Field) -> tuple[tuple[bytes, ...], ...]:
    return tuple(tuple(bytes(meeting.outcomes) for meeting in meetings) for meetings in field.history)


def draft_notice(tournament: Tournament, topic: Topic, at: int, **facts: Any) -> Notice:
    """Return the organiser's next notice; ``facts`` are the other fields of :class:`Notice` that the topic needs."""
    return Notice(*_next(tournament), topic, at, **facts)


def draft_ruling(tournament: Tournament, arbiter: bytes, matter: Matter, round: int, **facts: Any) -> Ruling:
    """Return an arbiter's next ruling.

    Args:
        tournament: how the event stands.
        arbiter: the key.
        matter: what it is about.
        round: the round that it concerns, or from which it works.
        facts: the other fields of :class:`Ruling` that the matter needs.

    Raises:
        DocumentError: ``other_author``: the event does not name that arbiter.
    """
    if arbiter not in tournament.arbiters:
        raise DocumentError("other_author", "an arbiter of the event", arbiter.hex())
    return Ruling(tournament.id, *tournament.rulings[arbiter].tip(tournament.id), matter, round, **facts)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A game that a player has to play, and with which terms."""

    place: Place
    seat: Seat
    opponent: Player
    until: int
    state: State
    conditions: Conditions
    """Clock, witness and place, for the handshake."""


def assignments(tournament: Tournament, key: bytes) -> tuple[Assignment, ...]:
    """Return the games of a player that have no result yet, in their order; none when the event has ended."""
    if tournament.end is not None:
        return ()
    keys = {one.number: one.key for one in tournament.players}
    found: list[Assignment] = []
    for place, result in tournament.results.items():
        made = tournament.rounds[place.round - 1]
        pairing = made.pairings[place.table - 1]
        seats = seat_keys(pairing, place.game, keys)
        if key not in seats or result.state in SETTLED:
            continue
        other = pairing.second if keys[pairing.first] == key else pairing.first
        terms = EventTerms(tournament.id, *place, tournament.published[place.round - 1])
        conditions = replace(tournament.event.conditions, event=terms)
        opponent = tournament.players[other - 1]
        found.append(Assignment(place, seats.index(key), opponent, made.until, result.state, conditions))
    return tuple(found)
