"""What somebody has to do in an event now, and what the program does for them when it is due.  Pure."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from protocol.crypto.keys import PrivateKey
from protocol.game import Seat
from protocol.tournament import drafts
from protocol.tournament.appointments import Appointment, appointments
from protocol.tournament.brackets import bracket_of
from protocol.tournament.contents import AboutGame, Absence, Answer, Content, Entry, Event, System
from protocol.tournament.documents import Signed
from protocol.tournament.drafts import assignments, coin_from
from protocol.tournament.engine import EngineError, engine_version
from protocol.tournament.findings import Place
from protocol.tournament.lines import lines_of
from protocol.tournament.no_shows import NoShow, no_shows
from protocol.tournament.pairings import PairingError
from protocol.tournament.results import SETTLED, State
from protocol.tournament.roster import Player, opened
from protocol.tournament.survey import Tournament

AHEAD = 300
"""So many seconds a clock may be ahead of ours before it is told."""


class Kind(StrEnum):
    """What there is to do."""

    ENTER = "enter"
    ENTER_LATE = "enter-late"
    """Entries are closed, and an arbiter may still take somebody into a Swiss."""
    WAIT_LATE = "wait-late"
    """Entered too late for the list, and an arbiter may still do that."""
    WAIT_CLOSE = "wait-close"
    """Entered; the organiser closes the entries."""
    WAIT_START = "wait-start"
    """The own coin is open; those of others may be missing."""
    LEFT_OUT = "left-out"
    """Entered, and not among the players."""
    WAITING = "waiting"
    """Entered, and without a place in the draw."""
    PLAY = "play"
    RESUME = "resume"
    """A game that has begun and has no result."""
    SIGN = "sign"
    """The own program owes the next message of a game."""
    CONFIRM = "confirm"
    """The other's program owes it."""
    DISPUTE = "dispute"
    """Two results; an arbiter decides."""
    ANSWER = "answer"
    """To somebody who asks for a forfeit."""
    WAIT_CLAIM = "wait-claim"
    """For the answer to the own claim, or for the arbiter."""
    WAIT_ROUND = "wait-round"
    CLOSE = "close"
    START = "start"
    """Coins are missing, and the time to open them is over or not."""
    RULE = "rule"
    """On a claim."""
    SETTLE = "settle"
    """Two results for a game."""
    SETTLE_RULINGS = "settle-rulings"
    """Two rulings about it."""
    ENGINE = "engine"
    """The program that pairs is not here, or in another version."""
    LATE = "late"
    """A game has no result, and the time of its round is over."""
    END = "end"
    """The organiser makes final what nobody has to play any more."""
    NO_PAIRING = "no-pairing"
    """There are rounds left, and no way to pair them."""
    OVER = "over"
    ABSENT = "absent"
    """A player says that they will miss a round, and an arbiter has not ruled."""
    ABSENCE = "absence"
    """The same for that player."""
    FREE = "free"
    """By ruling, in a round that comes."""


class Idle(StrEnum):
    """Why a player has no game to play until the next round."""

    FIRST = "first"
    """No round is published."""
    PLAYED = "played"
    BYE = "bye"
    RULED = "ruled"
    """A forfeit by ruling; nothing was played."""
    NONE = "none"
    """Not in the round, by ruling or because nobody is there to be met."""
    OUT = "out"
    """Out of a knock-out."""
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do, and until when."""

    kind: Kind
    until: int | None = None
    place: Place | None = None
    seat: Seat | None = None
    other: Player | None = None
    """The opponent; of a ruling, against whom it would be."""
    by: Player | None = None
    """Who asks for a forfeit."""
    missing: tuple[str, ...] = ()
    """Names of those whose coin is missing; the program that pairs; the place on the waiting list."""
    dates: tuple[Appointment, ...] = ()
    """Of a game to be played, when."""
    overdue: bool = False
    """Whether the time to play a game is over."""
    idle: Idle | None = None
    """Of a player who waits for the next round."""
    absence: Absence | None = None
    """Of a round without a player, which it is and what they get."""


def is_over(tournament: Tournament) -> bool:
    """Return whether the organiser has ended the event, or there is no further round and every game has an outcome."""
    return tournament.end is not None or (_next_round(tournament) == "finished" and not unsettled(tournament))


def unsettled(tournament: Tournament) -> list[Place]:
    """Return the places of the published rounds that wait for an outcome."""
    if tournament.end is not None:
        return []
    return [place for place, result in tournament.results.items() if result.state not in SETTLED]


def has_next_round(tournament: Tournament) -> bool:
    """Return whether a further round can be paired, now or when the games that are open have outcomes."""
    return _next_round(tournament) not in ("finished", "no_pairing")


def _next_round(tournament: Tournament) -> str:
    """Return why there is no next round, as a code; empty if there is one."""
    if tournament.end is not None:
        return "finished"
    try:
        tournament.pair(tournament.next)
    except (PairingError, EngineError) as error:
        return error.code
    return ""


def entry_of(tournament: Tournament, key: bytes) -> Signed[Entry] | None:
    """Return the entry of a player: the listed one, if there are several."""
    own = [one for one in tournament.entries.values() if one.author == key]
    listed = _listed(tournament)
    return next((one for one in own if one.id in listed), own[0] if own else None)


def _listed(tournament: Tournament) -> tuple[bytes, ...]:
    return () if tournament.close is None else tournament.close.content.entries


def without_coin(tournament: Tournament) -> list[Signed[Entry]]:
    """Return the listed entries whose coin nobody has opened."""
    if tournament.close is None:
        return []
    thrown = {
        one.content.entry
        for one in tournament.coins.values()
        if opened(tournament.close, one, tournament.entries) is None
    }
    return [tournament.entries[one] for one in _listed(tournament) if one not in thrown]


def due_step(tournament: Tournament, key: PrivateKey, now: int) -> Content | None:
    """Return the document that is due from somebody and needs no decision: a coin, the start, the next round.

    Raises:
        DocumentError: ``wrong_coin``: the entry was made by another copy of the key.
    """
    mine = key.public
    missing = without_coin(tournament)
    if tournament.start is None and any(one.author == mine for one in missing):
        return drafts.draft_coin(tournament, mine, coin_from(key.seed(), tournament.id))
    if mine != tournament.document.author or tournament.close is None:
        return None
    if tournament.start is None:
        late = not missing or now > tournament.event.coins_until
        return drafts.draft_start(tournament) if late and len(_listed(tournament)) - len(missing) > 1 else None
    ended = not unsettled(tournament) or (
        # Berger's tables wait for no result, and so for nobody who does not play.
        tournament.event.system is System.ROUND_ROBIN and now > tournament.rounds[-1].until
    )
    if not ended or _next_round(tournament):
        return None
    if any(one.round == tournament.next.round for _, one in absences(tournament)):
        return None
    try:
        return drafts.draft_round(tournament, round_deadline(tournament.event, tournament.next.round, now))
    except EngineError:
        return None


def round_deadline(event: Event, round: int, now: int) -> int | None:
    """Return until when a round that is published now is to be played; None where the event does not say."""
    if not event.deadlines:
        return None
    first = event.deadlines[0]
    each = event.deadlines[1] - first if len(event.deadlines) > 1 else max(first - event.coins_until, 0)
    planned = event.deadlines[round - 1] if round <= len(event.deadlines) else first + each * (round - 1)
    return planned if planned > now else now + each


def tasks(
    tournament: Tournament, key: bytes, now: int, begun: Collection[tuple[int, int, int]] = ()
) -> tuple[Task, ...]:
    """Return what somebody has to do now, or waits for.

    Args:
        tournament: how the event stands.
        key: theirs.
        now: the time.
        begun: the places of their games that have begun on their machine, and of which the folder has no log.
    """
    found = list(_player_tasks(tournament, key, now, begun))
    if key == tournament.document.author:
        found += _organiser_tasks(tournament)
    if key in tournament.arbiters:
        found += _arbiter_tasks(tournament, now)
    if key in (tournament.document.author, *tournament.arbiters):
        found += [Task(Kind.ABSENT, other=who, absence=one) for who, one in absences(tournament)]
    last = {"finished": Kind.OVER, "no_pairing": Kind.NO_PAIRING}
    over = None if tournament.start is None or unsettled(tournament) else last.get(_next_round(tournament))
    if over is not None:
        found = [Task(over)]
        if tournament.end is None and key == tournament.document.author:
            found.append(Task(Kind.END))
    return tuple(found)


def _player_tasks(
    tournament: Tournament, key: bytes, now: int, begun: Collection[tuple[int, int, int]]
) -> Iterator[Task]:
    entry, event = entry_of(tournament, key), tournament.event
    late = event.system is System.SWISS and tournament.end is None and len(tournament.rounds) < len(event.deadlines)
    if entry is None:
        if tournament.close is None:
            yield Task(Kind.ENTER, event.entries_until)
        elif late and key not in (tournament.document.author, *event.arbiters):
            yield Task(Kind.ENTER_LATE)
        return
    if tournament.close is None:
        yield Task(Kind.WAIT_CLOSE, event.entries_until)
        return
    me, until = tournament.player(key), tournament.rounds[-1].until if tournament.rounds else None
    if me is None and any(one.content.entry == entry.id for one in tournament.in_force):
        # An arbiter has let them in, and the round from which on they play is still to come.
        yield Task(Kind.WAIT_ROUND, until, idle=Idle.NONE if until else Idle.FIRST)
        return
    if entry.id not in _listed(tournament) and me is None:
        yield Task(Kind.WAIT_LATE if late else Kind.LEFT_OUT)
        return
    if tournament.start is None:
        yield Task(Kind.WAIT_START, event.coins_until)
        return
    if me is None and key in tournament.waiting:
        yield Task(Kind.WAITING, missing=(str(tournament.waiting.index(key) + 1),))
        return
    if me is None:
        yield Task(Kind.LEFT_OUT)
        return
    yield from (_claim_task(tournament, one, me) for one in no_shows(tournament) if me.number in (one.by, one.against))
    yield from (Task(Kind.ABSENCE, absence=one) for who, one in absences(tournament) if who == me)
    for (turn, number), points in sorted((tournament.next.byes or {}).items()):
        if number == me.number and turn >= tournament.next.round:
            yield Task(Kind.FREE, absence=Absence(tournament.id, turn, points))
    games, dates = assignments(tournament, key), appointments(tournament)
    for one in games:
        owes = tournament.results[one.place].owes
        play = Kind.RESUME if one.place in begun else Kind.PLAY
        kind = {State.OPEN: Kind.RESUME, State.DISPUTE: Kind.DISPUTE, State.MISSING: play}.get(one.state)
        kind = kind or (Kind.SIGN if owes in (None, me.number) else Kind.CONFIRM)
        overdue, when = now > one.until, dates.get(one.place, ())
        yield Task(kind, one.until, one.place, one.seat, one.opponent, dates=when, overdue=overdue)
    if not games:
        yield Task(Kind.WAIT_ROUND, until, idle=_idle(tournament, me.number))


def absences(tournament: Tournament) -> list[tuple[Player, Absence]]:
    """Return who says that they will miss which round of a Swiss that is not published, where no arbiter has ruled."""
    coming, found = tournament.next, dict[tuple[int, int], tuple[Player, Absence]]()
    for document in tournament.absences if tournament.event.system is System.SWISS else ():
        who, one = tournament.player(document.author), document.content
        if who is not None and one.round >= coming.round and who.number not in coming.absent(one.round):
            found[one.round, who.number] = who, one
    return [one for _, one in sorted(found.items(), key=lambda item: item[0])]


def _idle(tournament: Tournament, number: int) -> Idle:
    if (tournament.next.gone or {}).get(number, tournament.next.round + 1) <= tournament.next.round:
        return Idle.GONE
    field, event = tournament.field, tournament.event
    if event.system.eliminates and any(number in one for one in bracket_of(event, field.size, field.history).out):
        return Idle.OUT
    lines = lines_of(tournament.field)[number]
    if not lines:
        return Idle.FIRST
    last = lines[-1]
    if last is None or (not last.opponent and not last.bye):
        return Idle.NONE
    if last.bye:
        return Idle.BYE
    return Idle.RULED if all(one.forfeited for one in last.outcomes) else Idle.PLAYED


def _claim_task(tournament: Tournament, claim: NoShow, me: Player) -> Task:
    by, against = tournament.players[claim.by - 1], tournament.players[claim.against - 1]
    place = claim.places[0] if len(claim.places) == 1 else claim.places[0]._replace(game=0)
    if claim.against == me.number and not claim.answers:
        return Task(Kind.ANSWER, claim.answer_until, place, other=by)
    return Task(Kind.WAIT_CLAIM, claim.answer_until, place, other=by if claim.against == me.number else against)


def _organiser_tasks(tournament: Tournament) -> Iterator[Task]:
    event = tournament.event
    if tournament.close is None:
        yield Task(Kind.CLOSE, event.entries_until)
    elif tournament.start is None:
        names = tuple(one.content.name for one in without_coin(tournament))
        yield Task(Kind.START, event.coins_until, missing=names)
    elif event.engine not in (None, engine_version()) and not unsettled(tournament) and not is_over(tournament):
        yield Task(Kind.ENGINE, missing=(str(event.engine),))


def _arbiter_tasks(tournament: Tournament, now: int) -> Iterator[Task]:
    claims = no_shows(tournament)
    for claim in claims:
        by, against = tournament.players[claim.by - 1], tournament.players[claim.against - 1]
        if claim.answers or now > claim.answer_until:
            yield from (Task(Kind.RULE, None, place, other=against, by=by) for place in claim.places)
    for place in unsettled(tournament):
        result = tournament.results[place]
        if result.state is State.DISPUTE:
            yield Task(Kind.SETTLE_RULINGS if result.reason == "two_rulings" else Kind.SETTLE, None, place)
        elif not any(one.covers(place) for one in claims) and now > tournament.rounds[place.round - 1].until:
            yield Task(Kind.LATE, tournament.rounds[place.round - 1].until, place)


def ahead_of_time(tournament: Tournament, now: int) -> list[tuple[bytes, int]]:
    """Return whose documents say a time that has not come yet, and which."""
    said: tuple[Signed[AboutGame | Answer], ...] = (*tournament.ready, *tournament.claims, *tournament.proposals)
    said += tournament.answers
    return sorted((one.author, one.content.at) for one in said if one.content.at > now + AHEAD)
