"""The function keys: each does what a command does, and the commands are those of every game and of the game."""

from collections.abc import Mapping
from typing import Final

from cli.console.guest_words import GuestWords
from cli.text import screens
from cli.text.wording import Lazy

AT_THE_END: Final = frozenset({"units", "table", "log", "notes", "replay"})
"""Commands whose keys open something when the match is over; the others have nothing to do then."""


def keys_of(guest: GuestWords) -> Mapping[str, Lazy]:
    """Return the commands of the function keys by their names, ``F1`` first."""
    return dict(sorted({**screens.KEYS, **guest.keys}.items(), key=lambda key: int(key[0][1:])))


def word_of(guest: GuestWords, name: str) -> str | None:
    """Return the command of a key, such as ``f1``; None for another key."""
    word = keys_of(guest).get(name.upper())
    return None if word is None else word.english
