"""``storm-p2p event``: announce a tournament, take part, and take it from round to round."""

import json
import re
import shlex
import time
from argparse import Namespace
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from cli.app import carrying, games, standings
from cli.app.launch import pairing, seats
from cli.app.launch.proposal import PlayerOptions, proposed, supplied
from cli.clean import clean
from cli.events import folder
from cli.events.standing import Seen, advance, choose_entry, choose_player, choose_ruling, look, publish
from cli.events.tasks import ahead_of_time, entry_of, has_next_round, round_deadline, tasks, unsettled, without_coin
from cli.match import stored
from cli.runtime import console
from cli.runtime.console import Exit, UsageError, result, say, told
from cli.storage import unlock
from cli.storage.home import Home, load_preferences, player_name
from cli.storage.people import looks
from cli.text import clocks, commands, events, wording
from protocol.core.wire import CHAT_LIMIT
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey, ProtocolError
from protocol.tournament import drafts
from protocol.tournament.appointments import appointments
from protocol.tournament.contents import (
    ABOUT_PLAYERS,
    ARBITER_LIMIT,
    DATA_LIMIT,
    Absence,
    Answer,
    Claim,
    Data,
    Event,
    Matter,
    Points,
    Proposal,
    Ready,
    Seeding,
    System,
    Topic,
)
from protocol.tournament.documents import DocumentError, issue
from protocol.tournament.drafts import Assignment, assignments, coin_from
from protocol.tournament.engine import engine_version
from protocol.tournament.findings import Place
from protocol.tournament.no_shows import no_shows, ready_since
from protocol.tournament.pairings import safe_rounds
from protocol.tournament.rulings import list_rulings, rulings_on
from protocol.tournament.survey import find_events
from storm_p2p import games as rules

_MATTERS: Final = {
    "forfeit": Matter.FORFEIT,
    "double": Matter.DOUBLE_FORFEIT,
    "award": Matter.AWARD,
    "refuse": Matter.REFUSAL,
    "bye": Matter.BYE,
    "late": Matter.LATE_ENTRY,
    "withdraw": Matter.WITHDRAWAL,
}
_TOPICS: Final = {
    "forbid": Topic.FORBIDDEN,
    "rating": Topic.RATING,
    "arbiter": Topic.ARBITER,
    "announce": Topic.ANNOUNCEMENT,
}
_DRAW: Final = ("draw", "remis")
"""In both languages."""


# -- no-shows -------------------------------------------------------------------------------------------------


def ready(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Say that the player is there for a game."""
    game, now = _game(seen, key.public, options.game), int(time.time())
    seen = publish(seen, key, Ready(seen.tournament.id, *game.place, now), str(game.place))
    due = _claim_due(seen, game, ready_since(seen.tournament, key.public, game.place) or now)
    say(events.readied(str(game.place), clocks.moment(due), shlex.quote(str(seen.path))))


def propose(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Propose a time for a game."""
    try:
        when = int(datetime.fromisoformat(options.when).timestamp())
    except (ValueError, OverflowError, OSError):
        raise UsageError(events.bad_date(options.when)) from None
    _appoint(seen, key, _game(seen, key.public, options.game), when)


def agree(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Agree to the time that the other has proposed."""
    place, dates = None if options.game is None else _place(options.game), appointments(seen.tournament)
    offers = [
        (game, date.when)
        for game in assignments(seen.tournament, key.public)
        for date in dates.get(game.place, ())
        if date.by == game.opponent.number and date.when > time.time() and place in (None, game.place)
    ]
    if not offers:
        raise UsageError(str(events.NO_PROPOSAL))
    if len(offers) > 1:
        raise UsageError(events.several_proposals([str(game.place) for game, _ in offers]))
    _appoint(seen, key, *offers[0])


def _appoint(seen: Seen, key: PrivateKey, game: Assignment, when: int) -> None:
    now, place = int(time.time()), str(game.place)
    if when <= now:
        raise UsageError(events.past_date(clocks.local(when)))
    seen = publish(seen, key, Proposal(seen.tournament.id, *game.place, now, when), place)
    both = any(one.by is None and one.when == when for one in appointments(seen.tournament)[game.place])
    said = clocks.local(when)
    say(events.appointed(place, said) if both else events.proposed(place, said, game.opponent.name))
    if when > game.until:
        say(events.late_date(clocks.moment(game.until)))


def claim(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Ask for a forfeit."""
    game, now = _game(seen, key.public, options.game), int(time.time())
    since, place = ready_since(seen.tournament, key.public, game.place), str(game.place)
    me = seen.tournament.player(key.public)
    for one in no_shows(seen.tournament):
        if me is not None and one.by == me.number and one.covers(game.place):
            raise UsageError(events.claimed_already(place, clocks.moment(one.answer_until)))
    if since is None:
        raise UsageError(events.not_ready(place, shlex.quote(str(seen.path))))
    if now < (due := _claim_due(seen, game, since)):
        raise UsageError(events.too_soon(clocks.moment(due), place))
    publish(seen, key, Claim(seen.tournament.id, *game.place, now), place)
    say(events.claimed(place, clocks.moment(now + seen.event.answer)))


def _claim_due(seen: Seen, game: Assignment, since: int) -> int:
    """Return from when a player who is ready may claim: nobody has to come before the time that both agreed on."""
    dates = appointments(seen.tournament).get(game.place, ())
    return max([since, *(one.when for one in dates if one.by is None)]) + seen.event.grace


def answer(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Answer a claim."""
    found = seen.tournament
    wanted = None if options.game is None else _place(options.game)
    claims = [
        one
        for one in no_shows(found)
        if found.players[one.against - 1].key == key.public and (wanted is None or one.covers(wanted))
    ]
    if not claims:
        raise UsageError(str(events.NO_CLAIM))
    for one in claims:
        text = clean(options.text, CHAT_LIMIT)
        place = str(one.places[0])
        seen = publish(seen, key, Answer(found.id, one.claims[0], int(time.time()), text), place)
        say(events.answered(place))


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


def rule(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Publish a ruling."""
    found, matter = seen.tournament, _MATTERS[options.matter]
    if key.public not in found.arbiters:
        raise UsageError(str(events.NO_SUCH_ARBITER))
    facts: dict[str, object] = {}
    place: Place | None = None
    if matter not in ABOUT_PLAYERS:
        place = _place(options.where)
        if not any(one[:2] == place[:2] and place.game in (0, one.game) for one in found.results):
            raise UsageError(events.no_place(options.where))
        since = place.round
        claims = [one for one in no_shows(found) if one.covers(place)]
        if matter is Matter.REFUSAL:
            if not claims:
                raise UsageError(events.nothing_claimed(options.where))
            place = place._replace(game=0)
        # Of two claims each has to be there.
        evidence = [*(one.claims[0] for one in claims), *(part.id for one in claims for part in one.answers)]
        facts |= {"table": place.table, "game": place.game, "evidence": tuple(evidence[:16])}
    else:
        since = _round_number(options.where)
    nobody = matter in (Matter.DOUBLE_FORFEIT, Matter.REFUSAL)
    if options.who is None and not nobody:
        raise UsageError(events.who_needed(options.matter))
    if matter is Matter.LATE_ENTRY:
        facts["entry"] = choose_entry(found, options.who).id
    elif not nobody and not (matter is Matter.AWARD and options.who in _DRAW):
        facts["player"] = choose_player(found, options.who)
    if matter is Matter.BYE:
        facts["points"] = options.points
    replaced = None if options.replaces is None else choose_ruling(found, options.replaces)
    if replaced is not None:
        facts["replaces"] = replaced.document.id
    standing = [] if place is None or matter is Matter.REFUSAL else rulings_on(found, place)
    if standing and replaced not in standing:
        numbers = sorted({one.ruling.number for one in standing})
        raise UsageError(events.ruled_already(options.where, numbers, shlex.quote(str(seen.path))))
    content = drafts.draft_ruling(found, key.public, matter, since, **facts)
    before = set(seen.files.documents)
    (name,) = set(publish(seen, key, content, options.matter).files.documents) - before
    say(events.ruled(name))


def _round_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 128):
        raise UsageError(events.bad_round(text))
    return int(text)


def rulings(home: Home, options: Namespace) -> Exit:
    """Print all rulings and what has become of each."""
    seen = look(home, options.folder, options.id)
    held, lookup = list_rulings(seen.tournament), standings.lookup(seen)
    if options.json:
        rows = [
            {
                "number": one.ruling.number,
                "id": one.document.id.hex(),
                "arbiter": one.document.author.hex(),
                "matter": next(word for word, matter in _MATTERS.items() if matter is one.ruling.matter),
                "place": [one.ruling.round, one.ruling.table, one.ruling.game],
                "player": one.ruling.player or None,
                "stands": one.stands,
                "replaces": None if one.ruling.replaces is None else one.ruling.replaces.hex(),
                "replaced_by": [other.id.hex() for other in one.replaced_by],
                "evidence": [
                    {"id": part.hex(), "files": list(lookup.files.get(part, ()))} for part in one.ruling.evidence
                ],
                "text": events.decision(one.ruling, lookup),
            }
            for one in held
        ]
        result(json.dumps({"id": seen.tournament.id.hex(), "rulings": rows}, indent=1))
    elif not held:
        result(str(events.NO_RULINGS))
    else:
        result(*wording.draw_table(events.ruling_cells(held, lookup)))
    return Exit.NO if seen.tournament.convictions else Exit.FINE


# -- absences -------------------------------------------------------------------------------------------------


def absent(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Say that the player will miss a round."""
    if entry_of(seen.tournament, key.public) is None:
        raise UsageError(str(events.NOT_A_PLAYER))
    _miss(seen, key, _absence(seen, options.round, options.points))


def _absence(seen: Seen, round: int, points: int | None = None) -> Absence:
    """Return what is signed about a round that a player misses; with no points those of a drawn pairing.

    Raises:
        UsageError: nobody can miss it, or it gives less.
    """
    event = seen.event
    if event.system is not System.SWISS:
        raise UsageError(str(events.NO_BYES))
    if not seen.tournament.next.round <= round <= len(event.deadlines):
        raise UsageError(events.no_round_to_miss(round))
    asked, most = event.points.draw * event.games if points is None else points, event.points.win * event.games
    if asked > most:
        raise UsageError(events.too_many_points(f"{most / 2:g}"))
    return Absence(seen.tournament.id, round, asked)


def _miss(seen: Seen, key: PrivateKey, one: Absence) -> Seen:
    seen = publish(seen, key, one)
    say(events.absent(one.round, f"{one.points / 2:g}"))
    return seen


# -- notices --------------------------------------------------------------------------------------------------


def notify(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Publish what the organiser tells after the announcement."""
    found, topic = seen.tournament, _TOPICS[options.what]
    facts: dict[str, object] = {}
    if topic is Topic.FORBIDDEN and seen.event.system is not System.SWISS:
        raise UsageError(str(events.NOT_FORBIDDEN))
    if topic in (Topic.FORBIDDEN, Topic.RATING):
        if found.close is not None:
            raise UsageError(str(events.NOTICE_LATE))
        entries = [choose_entry(found, who) for who in options.who]
        facts["keys"] = tuple(sorted({one.author for one in entries}))
        names = [one.content.name for one in entries]
    if topic is Topic.FORBIDDEN:
        if len(set(names)) < 2:
            raise UsageError(str(events.FORBIDDEN_TWO))
        told = events.forbidden(*names)
    elif topic is Topic.RATING:
        facts["rating"] = _rating(options.rating)
        told = events.rated(names[0], options.rating) if options.rating else events.unrated(names[0])
    elif topic is Topic.ARBITER:
        if options.key in found.arbiters:
            raise UsageError(str(events.ARBITER_ALREADY))
        if len(found.arbiters) == ARBITER_LIMIT:
            raise UsageError(events.arbiters_enough(ARBITER_LIMIT))
        facts["keys"] = (options.key,)
        told = events.arbiter_named(options.key)
    else:
        facts["text"] = clean(options.text, CHAT_LIMIT)
        told = str(events.ANNOUNCED)
    publish(seen, key, drafts.draft_notice(found, topic, int(time.time()), **facts), options.what)
    say(told)


def _rating(stated: int | None) -> tuple[int, int, int] | None:
    """Return a rating as it is signed.

    Raises:
        UsageError: it is out of bounds.
    """
    if stated is not None and stated not in _RATINGS:
        raise UsageError(events.bad_rating(_RATINGS[0], _RATINGS[-1], stated))
    return None if stated is None else (stated, _DEVIATION, _VOLATILITY)


_TIES: Final = {System.ROUND_ROBIN: ("DE", "SB", "WIN"), System.SWISS: ("BH/C1", "BH", "SB", "DE")}
_RATINGS: Final = range(100, 4001)
_DEVIATION, _VOLATILITY = 200, 60_000
"""What a rating that somebody states is taken for: known, and not well."""


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    if options.what is None:
        raise UsageError(options.help())
    console.check_library()
    console.check_clock()
    deeds: Mapping[str, Callable[[Seen, PrivateKey, Namespace], Exit | None]] = {
        "enter": _enter,
        "status": _status,
        "close": _close,
        "round": _round,
        "end": _end,
        "ready": ready,
        "propose": propose,
        "agree": agree,
        "claim": claim,
        "answer": answer,
        "rule": rule,
        "absent": absent,
        **dict.fromkeys(_TOPICS, notify),
    }
    without_key: Mapping[str, Callable[[Home, Namespace], Exit]] = {
        "new": _new,
        "rulings": rulings,
        "export": carrying.export,
        "bundle": carrying.bundle,
        "take": carrying.take,
        "standings": standings.main,
    }

    def run(home: Home, options: Namespace) -> Exit:
        if options.what in without_key:
            return without_key[options.what](home, options)
        seen, key = look(home, options.folder, options.id), unlock.identity(home)
        if options.what in ("close", "round", "end", *_TOPICS) and seen.tournament.document.author != key.public:
            raise UsageError(str(events.NOT_ORGANISER))
        return deeds[options.what](seen, key, options) or Exit.FINE

    try:
        alone = {"sync": carrying.sync, "serve": carrying.serve, "watch": standings.watch}.get(options.what)
        if alone is not None:
            return alone(home, options)
        return carrying.around(home, options, run)
    except BadKey:
        raise
    except ProtocolError as error:
        say(events.problem(error))
        return Exit.NO


# -- announcing and entering ----------------------------------------------------------------------------------


def _new(home: Home, options: Namespace) -> Exit:
    path: Path = options.folder
    system = System(options.system)
    if system is System.SWISS and options.rounds is None:
        raise UsageError(str(events.ROUNDS_NEEDED))
    if options.rounds is not None and system is not System.SWISS:
        raise UsageError(str(events.NO_ROUNDS))
    if options.cycles > 1 and system is not System.ROUND_ROBIN:
        raise UsageError(str(events.NO_CYCLES))
    if options.most and options.rounds is not None and options.rounds > (full := options.most - 1 + options.most % 2):
        raise UsageError(events.rounds_full(options.most, full))
    if options.entries <= time.time():
        raise UsageError(events.past_date(clocks.moment(options.entries)))
    if options.third_place and system is not System.KNOCK_OUT:
        raise UsageError(str(events.NO_THIRD_PLACE))
    engine = engine_version() if system is System.SWISS else None
    if system is System.SWISS and engine is None:
        raise UsageError(events.engine(commands.engine_to_install()))
    played, data = supplied(games.find(games.CALLED[options.game]), options.cards)
    if len(data) > DATA_LIMIT:
        raise UsageError(events.cards_long(options.cards, DATA_LIMIT))
    game = rules.find_newest(games.CALLED[options.game])
    proposal = proposed(played, options)
    if path.exists() and find_events(folder.read_folder(path).documents.values()):
        raise UsageError(events.event_there(str(path)))
    key = unlock.identity(home)
    coins = options.entries + options.coins
    # Two deadlines say how long a round takes; how many there are follows from the players, but in a Swiss.
    rounds = options.rounds if system is System.SWISS else 2
    event = Event(
        name=options.name,
        arbiters=tuple(sorted(set(options.arbiter or [key.public]))),
        game=game.name,
        rules=game.version,
        terms=proposal.terms,
        scheme=proposal.scheme,
        sides=(game.sides[0], game.sides[1]),
        system=system,
        deadlines=tuple(coins + options.each * number for number in range(1, rounds + 1)),
        conditions=proposal.conditions,
        cycles=options.cycles,
        games=options.games,
        seeding=Seeding(options.seeding),
        points=Points(*options.points) if options.points else Points(bye=2 * options.games),
        tie_breaks=_TIES.get(system, ()) if options.tie_breaks is None else options.tie_breaks,
        entries_until=options.entries,
        coins_until=coins,
        grace=options.grace,
        answer=options.answer,
        engine=engine,
        third_place=options.third_place,
        most=options.most,
    )
    try:
        document = issue(key, event)
    except DocumentError as error:
        raise UsageError(events.problem(error)) from error
    path.mkdir(parents=True, exist_ok=True)
    folder.publish(path, document, event.name)
    if data:
        folder.publish(path, issue(key, Data(document.id, data)))
    folder.remember(home, path, document.id, event.name)
    say(events.made(event.name, str(path)))
    if system is System.SWISS:
        say(events.players_needed(2 * rounds - 1, rounds))
    say(events.until_entries(clocks.moment(event.entries_until), shlex.quote(str(path))))
    return Exit.FINE


def _enter(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    found = seen.tournament
    mine = entry_of(found, key.public)
    if mine is not None:
        say(events.in_already(mine.content.name))
        return
    game, _ = pairing.played(seen)
    engine = seen.event.engine
    if engine not in (None, engine_version()) and not options.unchecked_pairings:
        raise UsageError(events.cannot_check(str(engine), commands.engine_to_install(str(engine))))
    chosen = load_preferences(seen.home.folder).name
    name = options.name or seats.learn_name(PlayerOptions(), seen.home.folder)
    name = name or (chosen if chosen and seats.is_allowed(chosen) else player_name())
    if not seats.is_allowed(name):
        raise UsageError(seats.why_not(name))
    taken = [one.content.name for one in found.entries.values()]
    if any(not looks(one).isdisjoint(looks(name)) for one in taken):
        raise UsageError(events.name_taken(name))
    rating = _rating(options.rating)
    if found.close is not None and seen.event.system is not System.SWISS:
        raise UsageError(str(events.ENTRIES_CLOSED))
    missed = [_absence(seen, number) for number in options.absent]
    entry = drafts.draft_entry(found.id, key.public, name, coin_from(key.seed(), found.id), rating)
    seen = publish(seen, key, entry)
    say(str(events.TERMS_OF_ENTRY))
    terms = [str(events.HASH_SCHEME)] if seen.event.scheme == "hash" else []
    terms += [] if seen.event.most is None else [events.places(seen.event.most)]
    terms += clocks.conditions(seen.event.conditions)
    for line in (*terms, game.console.match_of(game.read_terms(seen.event.terms))):
        say(f"  {line}")
    say(events.entered(seen.event.name, name))
    for one in missed:
        seen = _miss(seen, key, one)
    if found.close is not None:
        say(events.entered_late(name))
    elif time.time() > seen.event.entries_until:
        say(events.entries_over(clocks.moment(seen.event.entries_until)))


# -- from step to step ----------------------------------------------------------------------------------------


def _close(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    event = seen.event
    if time.time() < event.entries_until and not options.early:
        raise UsageError(events.too_early(clocks.moment(event.entries_until)))
    without = [
        one.id
        for one in seen.tournament.entries.values()
        if {one.content.name, one.author.hex()} & set(options.without)
    ]
    content = drafts.draft_close(seen.tournament, without)
    if len(content.entries) < 2:
        raise UsageError(str(events.ONE_PLAYER))
    seen = _advance(publish(seen, key, content), key)
    say(events.closed(len(content.entries)))
    players, rounds = len(content.entries), len(event.deadlines)
    if event.system is System.SWISS and rounds > safe_rounds(players):
        say(events.too_many_rounds(players, safe_rounds(players), rounds))


def _round(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """Start the event, or publish the next round."""
    seen = _advance(seen, key, rounds=False)
    found, event = seen.tournament, seen.event
    if found.close is not None and found.start is None:
        missing = without_coin(found)
        names = [one.content.name for one in missing]
        if time.time() < event.coins_until and not options.early:
            raise UsageError(events.coins_wait(wording.some(names), clocks.moment(event.coins_until)))
        start = drafts.draft_start(found)
        if len(start.coins) < 2:
            raise UsageError(str(events.ONE_PLAYER))
        seen = publish(seen, key, start)
        say(events.started(len(start.coins)))
        found = seen.tournament
    now = int(time.time())
    open_games = unsettled(found)
    if open_games and now <= found.rounds[-1].until and not options.early:
        raise UsageError(events.games_wait(len(open_games), clocks.moment(found.rounds[-1].until)))
    number, until = found.next.round, options.until
    if until is None:
        until = round_deadline(event, number, now)
    elif number <= len(event.deadlines) and until < event.deadlines[number - 1]:
        raise UsageError(events.until_early(number, clocks.moment(event.deadlines[number - 1])))
    elif until <= now:
        raise UsageError(events.past_date(clocks.moment(until)))
    content = drafts.draft_round(found, until)
    publish(seen, key, content)
    say(events.round_made(content.round, clocks.moment(content.until)))


def _end(seen: Seen, key: PrivateKey, options: Namespace) -> None:
    """End the event: its outcomes are final."""
    found = seen.tournament
    content = drafts.draft_end(found)
    open_games = unsettled(found)
    if not options.early and (open_games or has_next_round(found)):
        raise UsageError(events.goes_on(len(open_games)))
    publish(seen, key, content)
    say(events.ended(seen.event.name))


def _advance(seen: Seen, key: PrivateKey, *, rounds: bool = True) -> Seen:
    """Do what is due and needs no decision, with a sentence for each step."""
    seen, said = advance(seen, key, rounds=rounds)
    say(*said)
    return seen


def _status(seen: Seen, key: PrivateKey, options: Namespace) -> Exit:
    seen = _advance(seen, key)
    found, now, lookup = seen.tournament, int(time.time()), standings.lookup(seen)
    sides = standings.side_names(seen.event)
    live = standings.playing(seen)
    todo, claims = tasks(found, key.public, now, stored.places_begun(seen.home, found.id)), no_shows(found)
    me = found.player(key.public)
    if options.json:
        mine = None if me is None else {"number": me.number, "name": me.name}
        rows = [standings.task_row(one, seen, sides) for one in todo]
        about = standings.about(seen, options.compare)
        claimed = [standings.claim_row(one, found, lookup, now) for one in claims]
        value: dict[str, object] = {**about, "you": mine, "key": key.public.hex(), "tasks": rows, "claims": claimed}
        value["playing"] = standings.playing_rows(live)
        result(json.dumps({**value, **standings.notices(seen)}, indent=1))
        return Exit.NO if found.convictions else Exit.FINE
    told(events.head(found), events.words_to_compare(" ".join(found.words(options.compare))))
    standings.announce(seen)
    if me is not None:
        told(events.you(me.name, me.number))
    elif found.close is not None and entry_of(found, key.public) is None and key.public != found.document.author:
        told(str(events.NOT_A_PLAYER))
    told(str(events.TO_DO if todo else events.NOTHING_TO_DO))
    for one in todo:
        told(_indented(events.task(one, seen.path, sides)))
        for _, sentence in standings.urgent(one, seen):
            told(_indented(sentence))
    if claims:
        told(str(events.CLAIMS))
    for each in claims:
        told(_indented("\n".join(events.claim(each, found, lookup, now))))
    if live:
        told(f"{events.TITLE_PLAYING}:")
    for game in live:
        about_game = str(game.place), game.names, game.report.turns, shlex.quote(str(game.feed))
        told(_indented(events.playing(*about_game)))
    for author, at in ahead_of_time(found, now):
        told(events.ahead(lookup.person(author), clocks.moment(at)))
    standings.tell(seen)
    return Exit.NO if found.convictions else Exit.FINE


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
