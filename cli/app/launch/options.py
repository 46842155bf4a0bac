"""What the options of a command say, as the values that each part of a match takes."""

from argparse import Namespace
from dataclasses import dataclass, fields

from cli.meeting.reachability import Listening
from cli.runtime.console import UsageError
from cli.text import commands


@dataclass(frozen=True, slots=True)
class PlayerOptions:
    """Who plays here, and how the match is shown."""

    player: str = "human"
    """``human``, ``bot:NAME`` or ``exec:COMMAND``."""
    name: str | None = None
    """How the player wants to be called."""
    plain: bool = False
    """Whether a person wants bare lines."""
    json: bool = False
    """Whether a program reads what is printed."""
    guided: bool = False
    """Whether a person is told what matters, against the computer."""
    signs: str = ""
    """``unicode`` or ``ascii``, whatever the person has chosen; empty for what was chosen."""

    @property
    def is_person(self) -> bool:
        """Whether a person plays."""
        return self.player == "human"


def player_of(options: Namespace) -> PlayerOptions:
    """Return who plays here."""
    # Not every command has all of them.
    said = {one.name: getattr(options, one.name) for one in fields(PlayerOptions) if one.name in options}
    return PlayerOptions(**said)


def rematches_of(options: Namespace) -> int:
    """Return how many rematches a player wants and takes who is no person.

    Raises:
        UsageError: a person plays, who says so at the end of a match.
    """
    if options.rematches and player_of(options).is_person:
        raise UsageError(str(commands.WHOSE_REMATCHES))
    return int(options.rematches)


def listening_of(options: Namespace) -> Listening:
    """Return how the player wants to be reached."""
    return Listening(options.bind, options.port, tuple(options.announce or ()), options.map, options.tor)
