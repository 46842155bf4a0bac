"""``storm-p2p people``: the address book, and what the player says about keys."""

import json
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict

from cli.app.history import read
from cli.match import history
from cli.match.history import Opponent, Score
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage import people
from cli.storage.home import Home
from cli.storage.people import BadBook, People, Person
from cli.text import commands as told
from cli.text import history as played
from cli.text import people as words


def main(options: Namespace) -> Exit:
    """Run the command."""
    path = options.home.people_file
    try:
        known = people.load(path)
        if options.what not in ("list", "trust", "forget"):
            raise UsageError(*told.commands("people", options.what))
        if options.what == "list":
            return _list(options.home, known, json_wanted=options.json)
        if options.name is None:
            raise UsageError(told.name_missing(options.what))
        person = known.find(options.name)
        if person is None:
            say(words.unknown(options.name))
            return Exit.NO
        if options.what == "forget":
            people.save(path, known.forget(person.name))
            say(words.forgotten(person.name))
            return Exit.FINE
        key = person.refused if options.key is None else _key(options.key)
        if key is None:
            raise UsageError(words.nothing_refused(person.name))
        people.save(path, known.trust(person.name, key))
        say(words.trusted(key, person.name))
    except BadBook as error:
        raise UsageError(told.left_alone(str(error))) from error
    except OSError as error:
        raise UsageError(told.unusable(error, path)) from error
    return Exit.FINE


def _key(text: str) -> bytes | None:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _opponents(home: Home) -> tuple[Opponent, ...]:
    """Return whom the player has met; what cannot be read here keeps nobody from reading the book."""
    try:
        return history.opponents(read(home).matches)
    except UsageError as error:
        for sentence in error.args:
            say(sentence)
        return ()


def score_against(persons: Sequence[Person], opponents: Sequence[Opponent]) -> Score | None:
    """Return the score against a player of the address book, under all names; None if nothing was played."""
    names, keys = [one.name for one in persons], {key for one in persons for key in one.keys}
    found = [one for player in opponents if player.is_one_of(names, keys) for one in player.matches]
    return Opponent(tuple(found)).score if found else None


def _list(home: Home, known: People, *, json_wanted: bool) -> Exit:
    opponents = _opponents(home)
    values = []
    for persons in known.players():
        score = score_against(persons, opponents)
        if not json_wanted:
            for row in words.listed(persons, "" if score is None else played.score(**asdict(score))):
                result(row)
        for one in persons:
            also = [other.name for other in persons if other is not one]
            values.append({**one.value(), "also": also, "score": asdict(score or Score())})
    if json_wanted:
        result(json.dumps(values))
    elif not known.persons:
        say(str(words.NOBODY))
    return Exit.FINE
