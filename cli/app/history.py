"""``storm-p2p history`` and ``people``: the matches played here, the score against each opponent, and their keys."""

import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

from cli.app import games
from cli.match import history
from cli.match.history import History, Opponent, Played, Result
from cli.runtime import console, terminal
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home
from cli.storage.people import People, Person, change, load
from cli.text import commands, matches, people, stored, wording
from cli.text.wording import draw_table
from cli.vocabulary import YES
from protocol.record.journal import JournalError

STANDARD = "standard"
"""In place of the name of a variant: none of them."""
_LONGEST_NAME = 18


def main(home: Home, options: Namespace) -> Exit:
    """Run the command.

    Raises:
        UsageError: the matches cannot be read, or the words mean nothing.
    """
    if options.game is not None:
        # The list of all games loads nothing that plays a match.
        from cli.app.launch.proposal import check_seat

        game = games.find(games.CALLED[options.game])
        check_seat(game, options.seat)
        if options.variant not in (None, STANDARD, *(word.replace("_", "-") for word in game.variants)):
            raise UsageError(commands.no_variant(f"--variant {options.variant}", str(game.console.title)))
    history.empty_trash(home, _today())
    found = read(home)
    if options.what is not None:
        return _remove(home, found, options)
    wanted = found.matches if options.against is None else _against(home, options.against, found)
    kept = tuple(one for one in wanted if _fits(one, options))
    if options.json:
        result(json.dumps(_facts(kept, found), indent=1))
        return Exit.FINE
    if kept:
        result(*draw_table([[str(title) for title in stored.COLUMNS], *rows(kept)]))
        result(f"\n{stored.SCORES}")
        for one in history.opponents(kept):
            result(f"  {stored.against(wording.also_called(one.name, one.others), stored.score(**one.score))}")
    if found.unread:
        result(f"\n{stored.TO_KNOW}")
        for line in unread(found):
            result(f"  {line}")
    say(str(stored.NEXT if kept else stored.NONE_FITS if found.matches else stored.NOTHING))
    return Exit.FINE


def _today() -> date:
    return datetime.now(UTC).date()


def _remove(home: Home, found: History, options: Namespace) -> Exit:
    """Abandon or delete one match."""
    if options.what not in ("abandon", "delete") or not options.number:
        raise UsageError(stored.what_of_history(" ".join(filter(None, (options.what, options.number)))))
    digits = options.number.lower()
    named = [one for one in found.matches if one.match.hex().startswith(digits)]
    if len(named) != 1:
        raise UsageError(stored.several(digits) if named else stored.not_listed(digits))
    (one,) = named
    abandons, local = options.what == "abandon", one.stored
    number, who = history.numbers(found.matches)[one.match], stored.opponent(one.opponent, _LONGEST_NAME)
    if abandons and (local is None or one.is_abandoned):
        raise UsageError(stored.nothing_to_abandon(number))
    if not abandons and local is not None and not one.is_abandoned:
        raise UsageError(stored.unfinished_yet(number))
    if not options.yes:
        if not terminal.is_terminal(sys.stdin):
            raise UsageError(str(stored.NEEDS_YES))
        say(stored.abandon(number, who) if abandons else stored.delete(number, who, history.KEPT_DAYS))
        if console.ask(str(stored.SURE)).strip().lower() not in YES:
            say(str(stored.KEPT))
            return Exit.NO
    if abandons and local is not None:
        history.abandon(home, local)
        result(stored.abandoned(number))
    else:
        result(stored.deleted(number, str(history.delete(home, one.match, one.log, _today()))))
    return Exit.FINE


def _against(home: Home, name: str, found: History) -> tuple[Played, ...]:
    """Return the matches against a name: against its keys, if the address book has it."""
    person = load(home.people_file).find(name)
    return history.against(found.matches, name, () if person is None else person.keys)


def read(home: Home) -> History:
    """Return the matches of a player, as far as they can be checked here.

    Raises:
        UsageError: they cannot be read.
    """
    # Where nothing was ever played, nothing is checked.
    if home.logs.is_dir():
        console.check_library()
    try:
        return history.read(home, lambda number: say(stored.checking(number)))
    except JournalError as error:
        raise UsageError(commands.matches_unreadable(error.sentence)) from error
    except OSError as error:
        raise UsageError(commands.unusable(error, home.logs)) from error


def unread(found: History) -> list[str]:
    """Return a sentence for each file that counts for no match."""
    return [stored.unread(one.file, one.code, one.sentence) for one in found.unread]


def rows(matches: Sequence[Played]) -> list[list[str]]:
    """Return the rows of the table."""
    digits = history.numbers(matches)
    return [[digits[one.match], *_cells(one)] for one in matches]


def _cells(one: Played) -> list[str]:
    terms = [] if one.confirmed or one.result is history.Result.UNFINISHED else [str(stored.UNCONFIRMED)]
    terms += [str(stored.ABANDONED)] if one.is_abandoned else []
    terms.append(games.name_terms(one.game, one.terms) or "?")
    return [
        datetime.fromtimestamp(one.began, UTC).astimezone().strftime("%Y-%m-%d %H:%M"),
        stored.opponent(one.opponent, _LONGEST_NAME),
        side(one) or "?",
        str(stored.RESULTS[one.result]),
        "" if one.turns is None else str(one.turns),
        ", ".join(terms),
    ]


def side(one: Played) -> str:
    """Return the name of our side."""
    try:
        console = games.find(one.game).console
    except KeyError:
        return ""
    return next((console.side_name(side) for side in console.sides if console.seat_word(side) == one.side), "")


def ending(one: Played) -> str:
    """Return which game a match is of and why it ended, which its row leaves out."""
    try:
        title = str(games.find(one.game).console.title)
    except KeyError:
        title = one.game
    return f"{title} {wording.log_word(matches.reason(one.reason, guilty=one.guilty))}"


def _fits(one: Played, options: Namespace) -> bool:
    """Return whether a match is wanted."""
    variants = _variants(one)
    wanted = {name for name, value in variants.items() if value}
    return (
        (options.game is None or one.game == games.CALLED[options.game])
        and options.seat in (None, one.side)
        and options.result in (None, one.result)
        and (options.variant is None or options.variant.replace("-", "_") in (wanted or {STANDARD}))
        and not (options.unconfirmed and (one.confirmed or one.result is history.Result.UNFINISHED))
    )


def _variants(one: Played) -> Mapping[str, object]:
    try:
        game = games.find(one.game)
        terms = game.read_terms(one.terms)
        return {word: getattr(terms, word) for word in game.variants}
    except (KeyError, ValueError):
        return {}


def _facts(kept: tuple[Played, ...], found: History) -> dict[str, object]:
    """Return all of it for programs."""
    return {
        "matches": [
            {
                "match": one.match.hex(),
                "began": one.began,
                "opponent": one.opponent,
                "key": one.key.hex(),
                "seat": one.side or None,
                "game": one.game,
                "terms": _variants(one),
                "result": one.result,
                "reason": matches.reason(one.reason, guilty=one.guilty) or None,
                "turns": one.turns,
                "confirmed": one.confirmed,
                "log": None if one.log is None else str(one.log),
            }
            for one in kept
        ],
        "scores": [{"opponent": one.name, "also": one.others, **one.score} for one in history.opponents(kept)],
        "unread": [
            {"file": one.file, "code": one.code, "text": text}
            for one, text in zip(found.unread, unread(found), strict=True)
        ],
    }


def run_people(home: Home, options: Namespace) -> Exit:
    """``storm-p2p people``: the address book, and what the player says about keys."""
    path = home.people_file
    try:
        known = load(path)
        if options.what not in ("list", "trust", "forget"):
            raise UsageError(*commands.commands("people", options.what))
        if options.what == "list":
            return _list_people(home, known, json_wanted=options.json)
        if options.name is None:
            raise UsageError(*commands.commands("people", None))
        person = known.find(options.name)
        if person is None:
            say(people.unknown(options.name))
            return Exit.NO
        if options.what == "forget":
            change(path, lambda now: now.forget(person.name))
            say(people.forgotten(person.name))
            return Exit.FINE
        key = person.refused if options.key is None else _read_key(options.key)
        if key is None:
            raise UsageError(people.nothing_refused(person.name))
        change(path, lambda now: now.trust(person.name, key))
        say(people.trusted(key, person.name))
    except KeyError:
        # Another program has forgotten them in the meantime.
        say(people.unknown(options.name))
        return Exit.NO
    return Exit.FINE


def _read_key(text: str) -> bytes | None:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _find_opponents(home: Home) -> Mapping[bytes, Opponent]:
    """Return whom the player has met, by key; what cannot be read here keeps nobody from reading the book."""
    try:
        return history.by_key(read(home).matches)
    except UsageError as error:
        say(*error.args)
        return {}


def score_against(persons: Sequence[Person], opponents: Mapping[bytes, Opponent]) -> dict[str, int] | None:
    """Return the score against the keys of a player of the address book; None if nothing was played."""
    keys = {key for one in persons for key in one.keys if key in opponents}
    return Opponent(tuple(one for key in keys for one in opponents[key].matches)).score if keys else None


def _list_people(home: Home, known: People, *, json_wanted: bool) -> Exit:
    opponents = _find_opponents(home)
    values = []
    for persons in known.players():
        score = score_against(persons, opponents)
        if not json_wanted:
            result(*people.listed(persons, "" if score is None else stored.score(**score)))
        for one in persons:
            also = [other.name for other in persons if other is not one]
            values.append({**one.value(), "also": also, "score": score or dict.fromkeys(map(str, Result), 0)})
    if json_wanted:
        result(json.dumps(values))
    elif not known.persons:
        say(str(people.NOBODY))
    return Exit.FINE
