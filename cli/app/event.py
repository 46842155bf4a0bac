"""``storm-p2p event``: announce a tournament, take part, and take it from round to round."""

from __future__ import annotations

import json
import shlex
import time
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from cli.app import event_games, games, standings
from cli.app.launch import seats
from cli.app.launch.proposal import proposed
from cli.events import folder
from cli.events.standing import Seen, look, publish
from cli.events.tasks import ahead_of_time, due_step, entry_of, round_deadline, tasks, unsettled, without_coin
from cli.match import stored
from cli.runtime import console
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage import unlock
from cli.storage.home import Home, load_preferences, player_name
from cli.storage.people import looks
from cli.text import clocks, events, people
from cli.text import commands as told
from protocol.crypto.keys import PrivateKey
from protocol.errors import BadKey, ProtocolError
from protocol.record.journal import JournalError
from protocol.tournament import drafts
from protocol.tournament.contents import Coin, Entry, Event, Points, Round, Seeding, Start, System
from protocol.tournament.documents import DocumentError, read, sign
from protocol.tournament.drafts import coin_from
from protocol.tournament.engine import engine_version
from protocol.tournament.survey import find_events
from storm_p2p import games as rules

_TIES: Final = {System.ROUND_ROBIN: ("DE", "SB", "WIN"), System.SWISS: ("BH/C1", "BH", "SB", "DE")}
_RATINGS: Final = range(100, 4001)
_DEVIATION, _VOLATILITY = 200, 60_000
"""What a rating that somebody states is taken for: known, and not well."""


def main(options: Namespace) -> Exit:
    """Run the command."""
    useless = console.library_problem() or console.clock_problem()
    if useless is not None:
        raise UsageError(useless)
    home: Home = options.home
    commands: Mapping[str, Callable[[Home, Namespace], Exit]] = {
        "new": _new, "enter": _enter, "status": _status, "close": _close, "round": _round,
        "ready": event_games.ready, "claim": event_games.claim, "answer": event_games.answer,
        "rule": event_games.rule, "export": event_games.export,
        "standings": lambda _, options: standings.main(options),
    }  # fmt: skip
    try:
        return commands[options.what](home, options)
    except JournalError as error:
        raise UsageError(told.matches_unreadable(error.sentence)) from error
    except BadKey as error:
        say(people.key_problem(error))
        return Exit.USAGE
    except ProtocolError as error:
        say(events.problem(error))
        return Exit.NO
    except OSError as error:
        raise UsageError(told.unusable(error, getattr(options, "folder", ""))) from error
    except (KeyboardInterrupt, EOFError):
        return Exit.INTERRUPTED


# -- announcing and entering ----------------------------------------------------------------------------------


def _new(home: Home, options: Namespace) -> Exit:
    path: Path = options.folder
    system = System(options.system)
    if system is System.SWISS and options.rounds is None:
        raise UsageError(str(events.ROUNDS_NEEDED))
    engine = engine_version() if system is System.SWISS else None
    if system is System.SWISS and engine is None:
        raise UsageError(str(events.ENGINE))
    game = rules.find_newest()
    proposal = proposed(games.find(), options)
    if path.exists() and find_events(folder.read_folder(path).documents.values()):
        raise UsageError(events.event_there(str(path)))
    key = unlock.identity(home)
    coins = options.entries + options.coins
    # Two deadlines say how long a round takes; how many there are follows from the players, but in a Swiss.
    rounds = options.rounds if system is System.SWISS else 2
    event = Event(
        name=options.name, arbiters=tuple(sorted(set(options.arbiter or [key.public]))), game=game.name,
        rules=game.version, terms=proposal.terms, scheme=proposal.scheme, sides=(game.sides[0], game.sides[1]),
        system=system, deadlines=tuple(coins + options.each * number for number in range(1, rounds + 1)),
        conditions=proposal.conditions, cycles=options.cycles, games=options.games, seeding=Seeding(options.seeding),
        points=Points(*options.points) if options.points else Points(bye=2 * options.games),
        tie_breaks=_TIES.get(system, ()) if options.tie_breaks is None else options.tie_breaks,
        entries_until=options.entries, coins_until=coins, grace=options.grace, answer=options.answer, engine=engine,
    )  # fmt: skip
    try:
        document = read(sign(key, event))
    except DocumentError as error:
        raise UsageError(events.problem(error)) from error
    path.mkdir(parents=True, exist_ok=True)
    folder.publish(path, document, event.name)
    folder.remember(home, path, document.id, event.name)
    say(events.made(event.name, str(path)))
    say(events.until_entries(clocks.moment(event.entries_until), shlex.quote(str(path))))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def _enter(home: Home, options: Namespace) -> Exit:
    seen = look(home, options.folder, options.id)
    found, key = seen.tournament, unlock.identity(home)
    mine = entry_of(found, key.public)
    if mine is not None:
        assert isinstance(mine.content, Entry)
        say(events.in_already(mine.content.name))
        return Exit.FINE
    engine = seen.event.engine
    if engine not in (None, engine_version()) and not options.unchecked_pairings:
        raise UsageError(events.cannot_check(str(engine)))
    chosen = load_preferences(home.folder).name
    name = options.name or (chosen if chosen and seats.is_allowed(chosen) else player_name())
    if not seats.is_allowed(name):
        raise UsageError(seats.why_not(name))
    taken = [one.content.name for one in found.entries.values() if isinstance(one.content, Entry)]
    if any(not looks(one).isdisjoint(looks(name)) for one in taken):
        raise UsageError(events.name_taken(name))
    if options.rating is not None and options.rating not in _RATINGS:
        raise UsageError(events.bad_rating(_RATINGS[0], _RATINGS[-1], options.rating))
    if found.close is not None and seen.event.system is not System.SWISS:
        raise UsageError(str(events.ENTRIES_CLOSED))
    rating = None if options.rating is None else (options.rating, _DEVIATION, _VOLATILITY)
    entry = drafts.draft_entry(found.id, key.public, name, coin_from(key.seed(), found.id), rating)
    publish(seen, key, entry)
    say(str(events.TERMS_OF_ENTRY))
    for line in _terms(seen):
        say(f"  {line}")
    say(events.entered(seen.event.name, name))
    if found.close is not None:
        say(events.entered_late(name))
    elif time.time() > seen.event.entries_until:
        say(events.entries_over(clocks.moment(seen.event.entries_until)))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def _terms(seen: Seen) -> list[str]:
    """Return on what terms the games of an event are played, a sentence a line."""
    event, game = seen.event, games.find()
    lines = [str(events.HASH_SCHEME)] if event.scheme == "hash" else []
    lines += clocks.conditions(event.conditions)
    try:
        lines.append(game.console.terms_of(game.read_terms(event.terms)))
    except ValueError:
        lines.append(str(events.OTHER_RULES))
    return lines


# -- from step to step ----------------------------------------------------------------------------------------


def _close(home: Home, options: Namespace) -> Exit:
    seen, key = _organised(home, options)
    event = seen.event
    if time.time() < event.entries_until and not options.early:
        raise UsageError(events.too_early(clocks.moment(event.entries_until)))
    without = [
        one.id
        for one in seen.tournament.entries.values()
        if isinstance(one.content, Entry) and {one.content.name, one.author.hex()} & set(options.without)
    ]
    content = drafts.draft_close(seen.tournament, without)
    if len(content.entries) < 2:
        raise UsageError(str(events.ONE_PLAYER))
    seen = _advance(publish(seen, key, content), key)
    say(events.closed(len(content.entries)))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def _round(home: Home, options: Namespace) -> Exit:
    """Start the event, or publish the next round."""
    seen, key = _organised(home, options)
    seen = _advance(seen, key, rounds=False)
    found, event = seen.tournament, seen.event
    if found.close is not None and found.start is None:
        missing = without_coin(found)
        names = [one.content.name for one in missing if isinstance(one.content, Entry)]
        if time.time() < event.coins_until and not options.early:
            raise UsageError(events.coins_wait(names, clocks.moment(event.coins_until)))
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
    until = round_deadline(event, found.next.round, now) if options.until is None else options.until
    content = drafts.draft_round(found, until)
    publish(seen, key, content)
    say(events.round_made(content.round, clocks.moment(content.until)))
    say(str(events.SEND_FOLDER))
    return Exit.FINE


def _organised(home: Home, options: Namespace) -> tuple[Seen, PrivateKey]:
    """Return how an event stands, for its organiser.

    Raises:
        UsageError: somebody else asks.
    """
    seen, key = look(home, options.folder, options.id), unlock.identity(home)
    if seen.tournament.document.author != key.public:
        raise UsageError(str(events.NOT_ORGANISER))
    return seen, key


def _advance(seen: Seen, key: PrivateKey, *, rounds: bool = True) -> Seen:
    """Do what is due and needs no decision, with a sentence for each step."""
    while (content := due_step(seen.tournament, key, int(time.time()))) is not None:
        if not rounds and not isinstance(content, Coin | Start):
            break
        mine = entry_of(seen.tournament, key.public)
        who = mine.content.name if mine is not None and isinstance(mine.content, Entry) else ""
        try:
            seen = publish(seen, key, content, who if isinstance(content, Coin) else "")
        except UsageError as error:
            # What cannot be signed hides from nobody how the event stands.
            for sentence in error.args:
                say(sentence)
            break
        if isinstance(content, Coin):
            say(str(events.COIN_OPENED))
        elif isinstance(content, Start):
            say(events.started(len(content.coins)))
        elif isinstance(content, Round):
            say(events.round_made(content.round, clocks.moment(content.until)))
    return seen


def _status(home: Home, options: Namespace) -> Exit:
    seen, key = look(home, options.folder, options.id), unlock.identity(home)
    before = seen.files.documents
    seen = _advance(seen, key)
    found, now, lookup = seen.tournament, int(time.time()), standings.lookup(seen)
    console = games.find().console
    sides = [console.side_name(side) for side in console.sides]
    todo = tasks(found, key.public, now, stored.places_begun(home, found.id))
    me = found.player(key.public)
    if options.json:
        mine = None if me is None else {"number": me.number, "name": me.name}
        rows = [
            {
                "task": str(one.kind), "until": one.until, "place": None if one.place is None else list(one.place),
                "opponent": None if one.other is None else one.other.name,
                "command": events.command(one, seen.path, sides), "text": events.task(one, seen.path, sides),
            }
            for one in todo
        ]  # fmt: skip
        about = standings.about(seen, options.compare)
        value: dict[str, Any] = {**about, "you": mine, "key": key.public.hex(), "tasks": rows}
        result(json.dumps({**value, **standings.notices(seen)}, indent=1))
        return Exit.NO if found.convictions else Exit.FINE
    result(events.head(found))
    result(events.words_to_compare(" ".join(found.words(options.compare))))
    if me is not None:
        result(events.you(me.name, me.number))
    elif found.start is not None and key.public != found.document.author:
        result(str(events.NOT_A_PLAYER))
    result(str(events.TO_DO if todo else events.NOTHING_TO_DO))
    for one in todo:
        result(_indented(events.task(one, seen.path, sides)))
    for author, at in ahead_of_time(found, now):
        result(events.ahead(lookup.person(author), clocks.moment(at)))
    standings.tell(seen)
    if seen.files.documents != before:
        say(str(events.SEND_FOLDER))
    return Exit.NO if found.convictions else Exit.FINE


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
