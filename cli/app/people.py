"""``storm-p2p people``: the address book, and what the player says about keys."""

import json
from argparse import Namespace

from cli.runtime.console import Exit, UsageError, result, say
from cli.storage import people
from cli.storage.people import BadBook, People
from cli.text import commands as told
from cli.text import people as words


def main(options: Namespace) -> Exit:
    """Run the command."""
    path = options.home.people_file
    try:
        known = people.load(path)
        if options.what not in ("list", "trust", "forget"):
            raise UsageError(*told.commands("people", options.what))
        if options.what == "list":
            return _list(known, json_wanted=options.json)
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


def _list(known: People, *, json_wanted: bool) -> Exit:
    if json_wanted:
        result(json.dumps([one.value() for one in known.persons]))
        return Exit.FINE
    for one in known.persons:
        for row in words.listed(one):
            result(row)
    if not known.persons:
        say(str(words.NOBODY))
    return Exit.FINE
