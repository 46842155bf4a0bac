"""``storm-p2p people``: the address book, and what the player says about keys."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from cli.runtime.console import Exit, result, say
from cli.storage import people
from cli.storage.home import Home
from cli.storage.people import BadBook, People
from cli.text import commands as told
from cli.text import people as words
from cli.text import usage


def main(options: Namespace) -> Exit:
    """Run the command."""
    path = Home(Path(options.home)).people_file
    try:
        known = people.load(path)
        if options.what not in ("list", "trust", "forget"):
            for row in usage.commands("people", options.what):
                say(row)
            return Exit.USAGE
        if options.what == "list":
            return _list(known, json_wanted=options.json)
        if options.name is None:
            say(told.name_missing(options.what))
            return Exit.USAGE
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
            say(words.nothing_refused(person.name))
            return Exit.USAGE
        people.save(path, known.trust(person.name, key))
        say(words.trusted(person.name, key))
    except BadBook as error:
        say(told.left_alone(str(error)))
        return Exit.USAGE
    except OSError as error:
        say(told.unusable(str(error.filename or path), usage.reason(error)))
        return Exit.USAGE
    return Exit.FINE


def _key(text: str) -> bytes | None:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _list(known: People, *, json_wanted: bool) -> Exit:
    if json_wanted:
        found = [
            {
                "name": one.name,
                "keys": [key.hex() for key in one.keys],
                "since": one.since,
                "refused": None if one.refused is None else one.refused.hex(),
            }
            for one in known.persons
        ]
        result(json.dumps(found))
        return Exit.FINE
    for one in known.persons:
        for row in words.listed(one):
            result(row)
    if not known.persons:
        say(str(words.NOBODY))
    return Exit.FINE
