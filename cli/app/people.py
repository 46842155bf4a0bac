"""``storm-p2p people``: the address book, and what the player says about keys."""

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from cli.app.history import read
from cli.match import history
from cli.match.history import Opponent, Score
from cli.runtime.console import Exit, UsageError, result, say
from cli.storage.home import Home
from cli.storage.people import BadBook, People, Person, change, load
from cli.text import commands, people, stored


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home.named(options.home)
    path = home.people_file
    try:
        known = load(path)
        if options.what not in ("list", "trust", "forget"):
            raise UsageError(*commands.commands("people", options.what))
        if options.what == "list":
            return _list(home, known, json_wanted=options.json)
        if options.name is None:
            raise UsageError(commands.name_missing(options.what))
        person = known.find(options.name)
        if person is None:
            say(people.unknown(options.name))
            return Exit.NO
        if options.what == "forget":
            change(path, lambda now: now.forget(person.name))
            say(people.forgotten(person.name))
            return Exit.FINE
        key = person.refused if options.key is None else _key(options.key)
        if key is None:
            raise UsageError(people.nothing_refused(person.name))
        change(path, lambda now: now.trust(person.name, key))
        say(people.trusted(key, person.name))
    except KeyError:
        # Another program has forgotten them in the meantime.
        say(people.unknown(options.name))
        return Exit.NO
    except BadBook as error:
        raise UsageError(commands.left_alone(str(error))) from error
    except OSError as error:
        raise UsageError(commands.unusable(error, path)) from error
    return Exit.FINE


def _key(text: str) -> bytes | None:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _opponents(home: Home) -> Mapping[bytes, Opponent]:
    """Return whom the player has met, by key; what cannot be read here keeps nobody from reading the book."""
    try:
        return history.by_key(read(home).matches)
    except UsageError as error:
        for sentence in error.args:
            say(sentence)
        return {}


def score_against(persons: Sequence[Person], opponents: Mapping[bytes, Opponent]) -> Score | None:
    """Return the score against the keys of a player of the address book; None if nothing was played."""
    keys = {key for one in persons for key in one.keys if key in opponents}
    return Opponent(tuple(one for key in keys for one in opponents[key].matches)).score if keys else None


def _list(home: Home, known: People, *, json_wanted: bool) -> Exit:
    opponents = _opponents(home)
    values = []
    for persons in known.players():
        score = score_against(persons, opponents)
        if not json_wanted:
            for row in people.listed(persons, "" if score is None else stored.score(**asdict(score))):
                result(row)
        for one in persons:
            also = [other.name for other in persons if other is not one]
            values.append({**one.value(), "also": also, "score": asdict(score or Score())})
    if json_wanted:
        result(json.dumps(values))
    elif not known.persons:
        say(str(people.NOBODY))
    return Exit.FINE
