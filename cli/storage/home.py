"""Where keys, matches and logs are on this machine."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from protocol.record.files import make_folder

VARIABLE = "STORM_P2P_HOME"


def default_folder() -> Path:
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

    @property
    def matches(self) -> Path:
        """Where the journals are."""
        return self.folder / "matches"

    @property
    def logs(self) -> Path:
        """Where the portable logs are written."""
        return self.folder / "logs"

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
    from cli.text import names

    account = os.environ.get("USER") or os.environ.get("USERNAME") or ""
    name = "".join(char for char in account if char.isascii() and (char.isalnum() or char in "-_."))[:24]
    return name or str(names.PLAYER)
