"""What a command says that was given too little, or a word it does not know: what can be asked of it, row by row."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from typing import Final

from cli.clean import clean
from cli.text import failures
from cli.text.wording import Lazy, fill, lazy
from protocol.record.logfile import LogError

_ASKS: Final[Mapping[str, Lazy]] = lazy({
    "key": "What do you want to do with your identity key?",
    "people": "What do you want to do with the address book?",
})  # fmt: skip
_NOT_KNOWN: Final[Mapping[str, Lazy]] = lazy({
    "key": "{word} is not something you can do with your identity key. These are possible:",
    "people": "{word} is not something you can do with the address book. These are possible:",
})  # fmt: skip
_ROWS: Final[Mapping[str, Sequence[Lazy]]] = {
    "key": lazy(
        (
            "  storm-p2p key show          prints your public key, by which others know you",
            "  storm-p2p key export FILE   writes a copy of your key for another machine",
            "  storm-p2p key import FILE   takes such a copy; the key that was here is kept",
            "  storm-p2p key passphrase    sets a new passphrase; an empty one removes it",
        )
    ),
    "people": lazy(
        (
            "  storm-p2p people                    lists the players you have met, with keys",
            "  storm-p2p people trust NAME         trusts the key of NAME that was refused",
            "  storm-p2p people trust NAME KEY     trusts this key for NAME",
            "  storm-p2p people forget NAME        forgets NAME and all their keys",
        )
    ),
}
REPLAY: Final = lazy("Expected the log of a match: storm-p2p replay FILE. The newest ones here:")
NO_LOGS: Final = lazy(
    "Expected the log of a match: storm-p2p replay FILE. There is none here yet: a match writes one when it ends, and "
    "storm-p2p export writes one for a match in progress."
)
VERIFY: Final = lazy(
    "Expected one or more match logs: storm-p2p verify FILE, or storm-p2p verify last for the newest. Each match says "
    "at its end where its log is; storm-p2p replay alone lists the ones here."
)
NO_LOGS_TO_VERIFY: Final = lazy(
    "Expected the log of a match: storm-p2p verify FILE. There is none here yet: a match writes one when it ends, and "
    "storm-p2p export writes one for a match in progress."
)
SCENARIO: Final = lazy("Expected a file with scenarios in JSON, or - for standard input: storm-p2p scenario FILE")
WHOSE_INPUT: Final = lazy(
    "--end-with-input is for a program that plays (--player bot:NAME or exec:COMMAND): what a person types comes by "
    "that same input. Leave it out, or name a player."
)

_SYSTEM: Final[Mapping[int, Lazy]] = lazy({
    errno.ENOENT: "there is no such file",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "part of its path is not a folder",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "nothing can be written there",
    errno.EEXIST: "it already exists",
})  # fmt: skip


def commands(command: str, word: str | None) -> list[str]:
    """Return what can be asked of ``key`` or ``people``, a sentence each; ``word`` was asked and is not possible."""
    asked = str(_ASKS[command]) if word is None else fill(_NOT_KNOWN[command], word=f'"{clean(word, 30)}"')
    return [asked, *map(str, _ROWS[command])]


def reason(error: OSError) -> str:
    """Return why the system gives no file, in the chosen language where the reason is a common one."""
    words = _SYSTEM.get(error.errno or 0)
    return clean(error.strerror or str(error)) if words is None else str(words)


def log_problem(error: LogError, file: str) -> str:
    """Return why a file cannot be used as a log."""
    if isinstance(error.__cause__, OSError):
        return fill("{file} cannot be read: {why}.", file=clean(file), why=reason(error.__cause__))
    # An invite can be cut, too, and its sentence speaks of what was pasted.
    return failures.sentence("cut-log" if error.code == "cut" else error.code, error.sentence)
