"""Where keys, matches and logs are on this machine, and the small files of the home: settings and other values.

A file that cannot be read, or holds something else, counts as none: nothing that matters is in it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from cli.clean import clean
from cli.runtime.console import UsageError
from protocol.record.files import change_file, make_folder, write_file
from protocol.system.files import read_file

VARIABLE = "STORM_P2P_HOME"


def _default_folder() -> Path:
    """Return the platform's folder for a program's data, or what ``STORM_P2P_HOME`` names."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local"))) / "storm-p2p"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "storm-p2p"
    return Path(os.environ.get("XDG_DATA_HOME", str(Path.home() / ".local" / "share"))) / "storm-p2p"


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one player."""

    folder: Path

    @classmethod
    def named(cls, folder: str) -> Home:
        """Return the home in the folder that ``--home`` names; without a name it is where the platform keeps data."""
        return cls(Path(folder) if folder else _default_folder())

    @property
    def matches(self) -> Path:
        """Where the journals are."""
        return self.folder / "matches"

    @property
    def logs(self) -> Path:
        """Where the portable logs are written."""
        return self.folder / "logs"

    @property
    def trash(self) -> Path:
        """Where matches are that were deleted, for a while."""
        return self.folder / "trash"

    @property
    def key_file(self) -> Path:
        """The identity key."""
        return self.folder / "identity.key"

    @property
    def people_file(self) -> Path:
        """The address book."""
        return self.folder / "people.json"

    @property
    def witness_file(self) -> Path:
        """The key with which ``storm-p2p witness`` signs."""
        return self.folder / "witness.key"

    @property
    def archives_file(self) -> Path:
        """Which archives were checked."""
        return self.folder / "archives.json"

    @property
    def ports_file(self) -> Path:
        """The ports that a router keeps open until this program removes them."""
        return self.folder / "ports.json"

    @property
    def computer(self) -> Home:
        """The folders of the computer players of this machine."""
        return Home(self.folder / "computer")

    def prepare(self) -> None:
        """Make the folders, closed to others.

        Raises:
            OSError: they cannot be made.
        """
        for folder in (self.folder, self.matches, self.logs):
            make_folder(folder)


def player_name() -> str:
    """Return a name for somebody who has given none: that of the account, cleaned."""
    # A command that asks for no name needs no sentences.
    from cli.text import wording

    account = os.environ.get("USER") or os.environ.get("USERNAME") or ""
    name = "".join(char for char in account if char.isascii() and (char.isalnum() or char in "-_."))[:24]
    return name or str(wording.PLAYER)


LAST = "last"
"""In place of a file's name: the newest log that is here."""

_NUMBER = re.compile("[0-9a-f]{4,64}")


def list_logs(home: Home) -> list[Path]:
    """Return the logs of matches that were written here, the newest first."""
    # Every command reads the settings, and few read logs.
    from protocol.record.logfile import SUFFIX

    found: list[tuple[float, Path]] = []
    for path in home.logs.glob(f"*{SUFFIX}"):
        # A link that leads nowhere takes no other log away.
        with suppress(OSError):
            found.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


def find_log(home: Home, named: str) -> Path | None:
    """Return the log that is meant: a file, or for the word ``last`` the newest log here, if there is one.

    The beginning of a match's number, four digits at least, stands for the newest log of that match here.

    Raises:
        UsageError: several matches begin so.
    """
    if os.path.exists(named):
        return Path(named)
    if named == LAST:
        return next(iter(list_logs(home)), None)
    # Of several logs of one match the newest, which comes first, is kept.
    logs = list(logs_of(home, named.lower()))[::-1] if _NUMBER.fullmatch(named.lower()) else []
    found = dict(logs)
    if len(found) > 1:
        from cli.text import stored

        raise UsageError(stored.several(named))
    return next(iter(found.values()), Path(named))


def logs_of(home: Home, digits: str) -> Iterator[tuple[bytes, Path]]:
    """Yield the logs of the matches whose number begins so, the newest first; names of logs hold four digits."""
    # Who names a file does without it.
    from protocol.core.agreement import read_agreement
    from protocol.errors import ProtocolError
    from protocol.record import logfile

    for path in list_logs(home):
        if f"-{digits[:4]}" in path.stem:
            with suppress(logfile.LogError, ProtocolError):
                match = read_agreement(logfile.load(logfile.read(path)).records).match_id
                if match.hex().startswith(digits):
                    yield match, path


UNREAD: Final = ".unread"
"""Behind the name of a file that could not be read, when another one takes its place."""


def read_value(path: Path) -> object:
    """Return the value in a file, which anybody may have written; None if there is none that can be read."""
    try:
        return parse_value(read_file(path))
    except OSError:
        return None


def change_value(
    path: Path, how: Callable[[object], object], keep: Callable[[object], object] = lambda found: found
) -> None:
    """Put another value into a file while no other program does, unless it is None; what would be lost is put aside.

    Args:
        path: the file.
        how: returns the new value, for the one that is there.
        keep: returns of a value what ``how`` can keep.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """

    def write(data: bytes | None) -> bytes | None:
        found = None if data is None else parse_value(data)
        value = how(found)
        if value is None:
            return None
        if data and (found is None or keep(found) != found):
            write_file(path.with_name(path.name + UNREAD), data, private=True)
        return dump_value(value)

    change_file(path, write)


def parse_value(data: bytes) -> object:
    """Return the value of a file's bytes, or None if they are none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def dump_value(value: object) -> bytes:
    """Return the bytes of a value."""
    # Names of files need not be text, and a file may hold what is none; it is read in the same way.
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode(errors="surrogatepass")


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
    theme: str = ""
    """A theme of the board, as the word ``theme`` takes it; empty for what the terminal says."""
    mouse: bool = True
    motion: bool = True
    """Moves are seen to happen."""
    notice: str = "off"
    """How the player is called when something is asked: a kind of :class:`cli.console.alerts.Alert`."""
    command: str = ""
    """What is run for the notice ``command``, split into words as a shell would."""
    published: str = ""
    """What is run when something was published, split into words as a shell would."""
    hint_seconds: int = HINT_SECONDS
    """How long the computer may think about a hint."""
    stun: tuple[str, ...] | None = None
    """Which servers are asked how this machine is seen, as ``--stun`` names them; None for those of the program."""
    guess_ports: bool | None = None
    """What ``--guess-ports`` says; None to be asked."""
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


def load_preferences(folder: Path, signs: str = "") -> Preferences:
    """Return the choices in a folder, or the defaults; what has the wrong type is left out.

    ``signs`` come before those that are chosen: the command line says them.
    """
    chosen = preferences_of(read_value(folder / FILE))
    return replace(chosen, signs=signs or chosen.signs)


def preferences_of(found: object) -> Preferences:
    """Return the choices that a loaded file gives; anything else in it is ignored."""
    if not isinstance(found, dict):
        return Preferences()
    plain = Preferences()
    kept: dict[str, Any] = {}
    for field in fields(Preferences):
        value, default = found.get(field.name), getattr(plain, field.name)
        if type(value) is type(default):
            kept[field.name] = clean(value, LONGEST_TEXT) if isinstance(value, str) else value
    servers, guess = found.get("stun"), found.get("guess_ports")
    if isinstance(servers, list):
        kept["stun"] = tuple(clean(str(one), LONGEST_TEXT) for one in servers)
    if isinstance(guess, bool):
        kept["guess_ports"] = guess
    return Preferences(**kept)


def save_preferences(folder: Path, chosen: Preferences, before: Preferences = Preferences()) -> None:
    """Write the choices that are not as ``before``; what was chosen in another window since then stays.

    So does whatever else stands in the file, such as a choice of another version or one of the wrong type.

    Raises:
        OSError: they cannot be written, or a person has made a mistake in the file, who shall not lose what it says.
    """
    old = asdict(before)
    changed = {name: value for name, value in asdict(chosen).items() if value != old[name]}

    def write(data: bytes | None) -> bytes:
        try:
            found = json.loads(data) if data else {}
            if not isinstance(found, dict):
                raise ValueError("expected an object")
        except (ValueError, RecursionError) as error:
            from cli.text import stored

            before = (data or b"")[: getattr(error, "start", 0)].split(b"\n")
            raise OSError(stored.mistaken(FILE, getattr(error, "lineno", len(before)))) from error
        return dump_value({**asdict(Preferences()), **found, **changed})

    change_file(folder / FILE, write)


def name_of(text: str) -> str:
    """Return a typed name as it is kept."""
    return clean(text, LONGEST_NAME).strip()


MOST: Final = 1000
"""How many are remembered; the oldest is forgotten first."""


def load_checked(home: Home, verifier: str) -> list[str]:
    """Return what identifies each archive that this program has checked.

    Args:
        home: where it is kept.
        verifier: the program; what another version did not find, this one may.
    """
    return _of(read_value(home.archives_file), verifier)


def add_checked(home: Home, verifier: str, manifest: str) -> None:
    """Remember an archive; where that cannot be written, it is checked again."""

    def add(found: object) -> dict[str, object]:
        others = [one for one in _of(found, verifier) if one != manifest]
        return {"verifier": verifier, "checked": [*others, manifest][-MOST:]}

    with suppress(OSError):
        change_value(home.archives_file, add)


def _of(found: object, verifier: str) -> list[str]:
    if isinstance(found, dict) and found.get("verifier") == verifier and isinstance(found.get("checked"), list):
        return [one for one in found["checked"] if isinstance(one, str)]
    return []
