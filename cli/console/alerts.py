"""Calling a player who looks elsewhere: bell, a message of the terminal (OSC 9 or 777), or a command of their own.

Nothing is done unless it was chosen.  What is sent to the terminal or the command is a clean sentence of this program.
"""

import shlex
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from cli.clean import clean
from cli.text import screens
from protocol.system import processes

LONGEST: Final = 120
"""Characters of a message."""
MOST_RUNNING: Final = 4
"""So many commands run at a time.  The other side causes them with what it says, and must not fill the machine."""
_FREE: Final = threading.BoundedSemaphore(MOST_RUNNING)


@dataclass(frozen=True, slots=True)
class Alert:
    """How the player wants to be called."""

    kind: str = "off"
    """``off``, ``auto``, ``bell``, ``osc9``, ``osc777`` or ``command``; anything else is ``off``."""
    command: str = ""
    """Run for the last kind, split into words as a shell would, with the message as one word more."""


_MESSAGES: Final = (
    ("osc9", "TERM_PROGRAM", ("iTerm.app", "WezTerm", "ghostty", "WarpTerminal")),
    ("osc9", "TERM", ("xterm-kitty", "xterm-ghostty")),
    ("osc9", "ConEmuANSI", ("ON",)),
    ("osc777", "TERM", ("rxvt-unicode", "rxvt-unicode-256color", "foot", "foot-extra")),
)
"""Terminals that show a message: how, and the variable with the values by which they are told.

All others, also the terminal of Windows, mark a bell in their own way and print nothing strange for it.
"""


def best(environment: Mapping[str, str]) -> str:
    """Return the kind of notice that the terminal is known to understand: a message, or else the bell."""
    for kind, variable, values in _MESSAGES:
        if environment.get(variable) in values:
            return kind
    return "bell"


def sequence(kind: str, text: str, environment: Mapping[str, str]) -> str:
    """Return what is written to the terminal for a kind of notice, or nothing.

    Inside tmux a message is wrapped so that the terminal around it gets it.
    """
    # The fields of OSC 777 end with a semicolon.
    message = clean(text, LONGEST).replace(";", ",")
    match best(environment) if kind == "auto" else kind:
        case "bell":
            return "\a"
        case "osc9":
            found = f"\x1b]9;{message}\a"
        case "osc777":
            found = f"\x1b]777;notify;{screens.PROGRAM};{message}\a"
        case _:
            return ""
    if environment.get("TMUX"):
        return "\x1bPtmux;" + found.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return found


def words(command: str, text: str) -> list[str]:
    """Return the words of a player's command with the message; none when it has an open quote or no words.

    A message may begin with the name that the other side has chosen.  One that no sentence would begin with, such as
    ``-o`` or ``@file``, means something of its own to many commands, so the name of the game stands before it then.
    """
    try:
        found = shlex.split(command)
    except ValueError:
        return []
    message = clean(text, LONGEST)
    if not message[:1].isalnum():
        message = clean(f"{screens.PROGRAM}: {message}", LONGEST)
    return [*found, message] if found else []


def call(
    notice: Alert, text: str, write: Callable[[str], None], environment: Mapping[str, str]
) -> threading.Thread | None:
    """Call the player with the reason in a sentence; return the thread that waits for a command, if there is one."""
    if notice.kind != "command":
        found = sequence(notice.kind, text, environment)
        if found:
            write(found)
        return None
    return start(notice.command, text)


def start(command: str, text: str) -> threading.Thread | None:
    """Run a player's command with a message; return the thread that waits for it.

    None where it has no words, or where :data:`MOST_RUNNING` of them have not ended yet.
    """
    started = words(command, text)
    if not started or not _FREE.acquire(blocking=False):
        return None
    waiting = threading.Thread(target=_run, args=(started,), daemon=True)
    waiting.start()
    return waiting


def _run(command: list[str]) -> None:
    try:
        # A command that cannot be started, or a name that the system's encoding cannot say, must not disturb the match.
        with suppress(OSError, ValueError):
            processes.run(command)
    finally:
        _FREE.release()
