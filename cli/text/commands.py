"""What the commands say: what can be asked of them, interruptions, files and options that cannot be used."""

import errno
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from cli.clean import clean
from cli.text import failures
from cli.text.wording import Sentence, _, fill, lazy, quoted
from cli.vocabulary import COMMAND_LINE, fold, nearest
from protocol.record.logfile import LogError

INTERRUPTED: Final = lazy("Interrupted. A match that had begun is saved, and storm-p2p resume continues it.")
LEARN_LINES: Final = lazy(
    "Type what is asked for. An empty line shows an example, continue skips the task, and bye leaves."
)
LEARN_OVER: Final = lazy("Your first match, with a guide: storm-p2p play --guided")
STARTING_COMPUTER: Final = lazy("The computer player is starting.")
KEY_RELOCKED: Final = lazy("Passphrase changed.")
NO_LINE: Final = lazy(
    "There was no line on standard input. Give the new passphrase there as a line, or an empty line for none. Nothing "
    "was changed."
)
log_wanted = Sentence[str]("Name the log of a match: storm-p2p {command} FILE.")
NEWEST: Final = lazy("The newest ones here:")
NO_LOGS: Final = lazy(
    "There is none here yet: a match writes one when it ends, and storm-p2p export writes one for a match in progress."
)
VERIFY: Final = lazy(
    "Name the logs to check: storm-p2p verify FILE or FOLDER, or storm-p2p verify last for the newest. Each match says "
    "at its end where its log is; storm-p2p replay alone lists the ones here."
)
SCENARIO: Final = lazy("Name a file with scenarios in JSON, or - for standard input: storm-p2p scenario FILE")
NO_REMATCHES: Final = lazy(
    "A tournament game has no rematch: leave out --rematches. If you have another game to play against the same "
    "player, both programs begin it by themselves."
)
WHOSE_REMATCHES: Final = lazy(
    "--rematches is for a program that plays (--player bot:NAME or exec:COMMAND). You decide for yourself: type "
    "rematch at the end of a match."
)
WHOSE_INPUT: Final = lazy(
    "--end-with-input is for a program that plays (--player bot:NAME or exec:COMMAND): a person types on that same "
    "input. Leave it out, or name a player."
)

no_argcomplete = Sentence[str](
    "Completion needs argcomplete, which is not installed. Install it and try again: {command}"
)


def to_install(extra: str, *exactly: str) -> str:
    """Return the command that installs the libraries of an extra, or exactly these, where this program is installed."""
    # Only who lacks a library reads it.
    import importlib.metadata
    import shlex

    try:
        needed = importlib.metadata.requires("storm-p2p") or ()
    except importlib.metadata.PackageNotFoundError:
        needed = ()
    libraries = [one.partition(";")[0].strip() for one in needed if repr(extra) in one.partition(";")[2]]
    wanted = exactly or libraries or (f".[{extra}]",)
    folder = Path(sys.prefix)
    if (folder / "pipx_metadata.json").exists():
        return shlex.join(("pipx", "inject", folder.name, *wanted))
    try:
        by_uv = re.search("^uv *=", (folder / "pyvenv.cfg").read_text(errors="replace"), re.MULTILINE)
    except OSError:
        by_uv = None
    # An environment that uv has made has no pip of its own.
    pip = ("uv", "pip", "install", "--python", sys.executable) if by_uv else (sys.executable, "-m", "pip", "install")
    return shlex.join((*pip, *wanted))


def engine_to_install(version: str = "") -> str:
    """Return the command that installs what pairs a Swiss; a version that somebody has signed has to look like one."""
    name, _space, number = version.partition(" ")
    exactly = ["==".join((name, number))] if name == "gacrux" and re.fullmatch(r"[0-9.]+", number) else []
    return to_install("tournament", *exactly)


no_logs_in = Sentence[Path](
    "There are no logs in the folder {folder}; the names of logs end in .storm, those of pages in .html. storm-p2p "
    "archive verify checks the logs in zip and tar files."
)
_ONE_OF: Final = lazy("Type one of these:")
_NOT_KNOWN: Final = lazy("There is no storm-p2p {command} {word}. Type one of these:")
_ROWS: Final = {
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
    "archive": lazy(
        (
            "  storm-p2p archive verify SOURCE... --out DIR   checks many logs, once each",
            "  storm-p2p archive check DIR [ROOT]             checks somebody else's archive",
            "    ... check DIR [ROOT] SOURCE... --sample P    rechecks P percent of the logs",
            "  storm-p2p archive stats DIR                    says what they show together",
            "A SOURCE is a folder, a zip file, a tar file or a log.",
        )
    ),
    "completion": lazy(
        (
            '  storm-p2p completion bash  in ~/.bashrc: eval "$(storm-p2p completion bash)"',
            '  storm-p2p completion zsh   in ~/.zshrc: eval "$(storm-p2p completion zsh)"',
            "  storm-p2p completion fish  in config.fish: storm-p2p completion fish | source",
        )
    ),
}
_SYSTEM: Final = lazy(
    {
        errno.ENOENT: "there is no such file",
        errno.EACCES: "permission denied",
        errno.EPERM: "permission denied",
        errno.EISDIR: "it is a folder",
        errno.ENOTDIR: "part of its path is not a folder",
        errno.ENOSPC: "the disk is full",
        errno.ENOMEM: "there is not enough memory",
        errno.EROFS: "nothing can be written there",
        errno.EEXIST: "it already exists",
        errno.ENXIO: "it is a pipe or a device, not a file",
        errno.EFBIG: "it is too long",
        errno.ELOOP: "it is a link that leads in a circle",
        errno.ENAMETOOLONG: "its name is too long",
        errno.ECONNREFUSED: "nobody answers there",
        errno.EHOSTUNREACH: "your network has no way there",
        errno.ENETUNREACH: "your network has no way there",
    }
)

bad_terms = Sentence[str]("These terms cannot be played: {problem}. storm-p2p host --help lists the variants.")
bad_cards = Sentence[str]("These cards cannot be used. {problem}.")
bad_book = Sentence[str](
    "The address book cannot be read: {problem}. It was left as it is; move it away to start a new one."
)
bad_command = Sentence[str]("The player cannot be started: {problem}.")
name_unkept = Sentence[str]("The name is used for this match, but it cannot be saved for next time ({why}).")
NO_COMPUTER: Final = lazy("The computer player's program did not start. Nothing was played. Try again.")
computer_failed = Sentence[str]("The computer player's program has stopped with this message: {why}")
new_cards = Sentence[Path](
    "The reconstructed cards are in {file}, with a comment on every entry at its top. Change them, then check the file: "
    "storm-p2p cards check {file}"
)
sound_cards = Sentence[Path]("{file} is a set of cards that can be played: storm-p2p play --game fight --cards {file}")
there_already = Sentence[str]("{file} already exists; nothing was written.")
NOT_WATCHED: Final = lazy(
    "Nothing is published: both players have to agree that others may watch. The host offers that with --watched, "
    "and in a tournament the organiser with event new --watched."
)
goes_on_publishing = Sentence[str](
    "This match is still being published in {folder}. To stop that, type storm-p2p resume --no-publish."
)
PUBLISH_WHERE: Final = lazy(
    "Nothing is published: name a folder, as in --publish live. Only a tournament game needs none."
)
no_view = Sentence[str, Sequence[str]]("This game has no view {view}. Choose one of {views}.")
matches_unreadable = Sentence[str]("The matches on this machine cannot be read ({problem}). Nothing was changed.")


bad_challenge = Sentence[int, int, int](
    "With these terms the challenge, the Honor added for the Chthonians, can be {least} to {most}; got {got}."
)


no_such_bot = Sentence[str, str](
    "There is no computer player {got!r}: choose one of {bots}. oracle:0.6 gives oracle 0.6 seconds; 60 is the most."
)
no_variant = Sentence[str, str]("{option} is not for {game}.")
no_scheme = Sentence[str, str, str](
    "{game} cannot be played with --scheme {got}: without proofs nobody could deal hidden cards from one pile. "
    "Leave the option out, or use --scheme {wanted}."
)
no_seat = Sentence[str, str, Sequence[str]]("{game} has no side {got}; its sides are {seats}.")
unknown_player = Sentence[str, str]("There is no player {got!r}: choose human, {bots} or exec:COMMAND.")
mixed_name = Sentence[str](
    "The name {name} mixes letters or digits of several scripts (such as Latin and Cyrillic), so it could pass for "
    "somebody else's. Write it in one script."
)
bad_name = Sentence[int, str]("A name has 1 to {most} visible characters and no spaces around it, so {got} is not one.")


def commands(command: str, word: str | None) -> list[str]:
    """Return what can be asked of such a command as ``key``, a line each; ``word`` is what was asked instead."""
    asked = str(_ONE_OF) if word is None else fill(_NOT_KNOWN, command=command, word=quoted(clean(word)))
    return [asked, *map(str, _ROWS[command])]


def unusable(error: OSError, otherwise: object = "") -> str:
    """Return that the system does not give a file, or ``otherwise`` where it does not say which one."""
    file = str(error.filename or otherwise or _("A file"))
    return fill("{file} cannot be used ({why}).", file=clean(file), why=reason(error))


def reason(error: OSError) -> str:
    """Return why the system gives no file, in the chosen language where the reason is a common one."""
    words = _SYSTEM.get(error.errno or 0)
    return clean(error.strerror or str(error)) if words is None else str(words)


def unkept(error: Exception) -> str:
    """Return that what was changed lasts only until the program ends, because it cannot be saved."""
    why = reason(error) if isinstance(error, OSError) else clean(str(error))
    return fill("This could not be saved ({why}). It lasts only until the program ends.", why=why)


A_PAGE: Final = lazy("This is a web page. Open it in a browser; storm-p2p verify checks the log in it.")


def log_problem(error: LogError, file: str) -> str:
    """Return why a file cannot be used as a log."""
    if isinstance(error.__cause__, OSError):
        return unusable(error.__cause__, file)
    return failures.log_sentence(error.code, error.sentence)


def no_command(typed: str, known: Iterable[str]) -> str:
    """Return that there is no such command, and which one may be meant."""
    near = nearest(fold(typed), [*known, *COMMAND_LINE])
    word = quoted(clean(typed))
    if near is None:
        return fill("there is no command {word}. storm-p2p --help lists them.", word=word)
    sentence = lazy("there is no command {word}. Did you mean storm-p2p {near}? storm-p2p --help lists all of them.")
    return fill(sentence, word=word, near=COMMAND_LINE.get(near, near))


misplaced = Sentence[str, str]("{option} goes after the command: storm-p2p {command} {option} ...")
