"""What a player has chosen once and for all: name, signs, mouse, how he is called.  A small file in the home folder.

A file that cannot be read counts as none: nothing that matters is in it, and the menu writes a new one.
"""

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from cli.clean import clean
from cli.storage import values

FILE: Final = "settings.json"
LONGEST_NAME: Final = 24
LONGEST_TEXT: Final = 400
HINT_SECONDS: Final = 2


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices; each has a default that needs no file."""

    name: str = ""
    """What the player wants to be called; empty before it was asked."""
    language: str = ""
    """Of what is read; empty for that of the system."""
    signs: str = ""
    """``unicode`` or ``ascii``; empty for what the terminal says."""
    mouse: bool = True
    motion: bool = True
    """Moves are seen to happen."""
    notice: str = "off"
    """How the player is called when something is asked: a kind of :class:`cli.console.shell.alerts.Alert`."""
    command: str = ""
    """What is run for the notice ``command``, split into words as a shell would."""
    hint_seconds: int = HINT_SECONDS
    """How long the computer may think about a hint."""
    game: str = ""
    """The game that was chosen last, as ``--game`` calls it; empty for the one that is meant where none is named.

    This and what follows is of the menu alone.
    """
    bot: str = ""
    """The computer player who was chosen last; empty for the usual one."""
    cards: str = ""
    """The file of the own set of cards that was chosen last; empty for the one of the program."""
    seat: str = ""
    """The side that was wished for last; empty for the lot."""
    random_setup: bool = False
    open_combat: bool = False
    challenge: int = 0
    clock: str = ""
    """In the words of ``--clock``; empty for none."""
    aids: bool = False
    lan: bool = False


def load(folder: Path) -> Preferences:
    """Return the choices in a folder, or the defaults; what has the wrong type is left out."""
    return of(values.read(folder / FILE))


def of(found: object) -> Preferences:
    """Return the choices that a loaded file gives; anything else in it is ignored."""
    if not isinstance(found, dict):
        return Preferences()
    plain = Preferences()
    kept: dict[str, Any] = {}
    for field in fields(Preferences):
        value, default = found.get(field.name), getattr(plain, field.name)
        if type(value) is type(default):
            kept[field.name] = clean(value, LONGEST_TEXT) if isinstance(value, str) else value
    return Preferences(**kept)


def save(folder: Path, chosen: Preferences, before: Preferences = Preferences()) -> None:
    """Write the choices that are not as ``before``; what was chosen in another window since then stays.

    Raises:
        OSError: they cannot be written.
    """
    old = asdict(before)
    changed = {name: value for name, value in asdict(chosen).items() if value != old[name]}
    values.change(folder / FILE, lambda found: asdict(replace(of(found), **changed)))


def name_of(text: str) -> str:
    """Return a typed name as it is kept."""
    return clean(text, LONGEST_NAME).strip()
