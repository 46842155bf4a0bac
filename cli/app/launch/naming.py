"""The question for a name, where the other side is about to see one and none was ever given."""

from __future__ import annotations

import sys
from pathlib import Path

from cli.app.launch.options import PlayerOptions
from cli.runtime.console import say
from cli.storage import preferences
from cli.storage.home import player_name
from cli.text import commands as told
from cli.text import menus
from cli.text.wording import fill
from protocol.core import wire
from protocol.errors import WireError


def ask(wanted: PlayerOptions, folder: Path) -> str | None:
    """Return the name that a person gives at a terminal before his first match against somebody else.

    None stands for no question: the name is known, or nobody is there to be asked.  The name of the account is taken
    for an empty line; it is not taken unasked, for half of all accounts are called alike.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    if wanted.name is not None or not wanted.is_person or wanted.json or preferences.load(folder).name:
        return None
    if sys.stdin is None or not sys.stdin.isatty() or sys.stderr is None or not sys.stderr.isatty():
        return None
    proposed = player_name()
    while True:
        say(fill(menus.NAME_ASKED, name=proposed))
        try:
            typed = input("> ").strip()
        except EOFError:
            return None
        name = typed or proposed
        if is_allowed(name):
            return name
        say(told.bad_name(wire.NAME_LIMIT, name))


def is_allowed(name: str) -> bool:
    """Return whether the protocol takes a name."""
    try:
        wire.text(wire.NAME_LIMIT)(name)
    except WireError:
        return False
    return True
