"""What the commands say: hosting, interruptions, files and options that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cli.clean import clean
from cli.text.sentences import Sentence
from cli.text.wording import fill, lazy

INTERRUPTED: Final = lazy("Interrupted. A match that had begun is saved, and storm-p2p resume continues it.")
GUEST_LEFT: Final = lazy(
    "The guest left before the match began. Still waiting; only that guest can use the invite now."
)
TURNED_AWAY: Final = lazy("Somebody else called with the invite of an earlier guest and was turned away.")
STARTING_COMPUTER: Final = lazy("The computer player is starting.")
KEY_RELOCKED: Final = lazy("Passphrase changed.")
EXPORT_WHERE: Final = lazy("Expected a file to export to: storm-p2p key export FILE")
NO_LINE: Final = lazy(
    "Expected the new passphrase as a line on standard input, or an empty line for none; there was no line. Nothing "
    "was changed."
)
IMPORT_WHAT: Final = lazy("Expected a file to import: storm-p2p key import FILE")

bad_terms = Sentence[str]("These terms cannot be played: {problem}. storm-p2p host --help lists the variants.")
no_terms = Sentence[str, str]("The terms cannot be read from {file}: {why}.")
unusable = Sentence[str, str]("{file} cannot be used ({why}).")
bad_book = Sentence[str](
    "The address book cannot be read: {problem}. It was left as it is; move it away to start a new one."
)
bad_command = Sentence[str]("No player: {problem}.")
name_unkept = Sentence[str]("The name is used for this match, but it cannot be saved for next time ({why}).")
no_computer = Sentence[str](
    "The computer player's program did not start; {file} says why. Nothing was played. Try again."
)
name_missing = Sentence[str]("Expected a name: storm-p2p people {what} NAME. storm-p2p people lists the names.")
left_alone = Sentence[str]("{problem}; it was left as it is.")
there_already = Sentence[str]("{file} already exists; nothing was written.")
matches_unreadable = Sentence[str]("The matches on this machine cannot be read ({problem}). Nothing was changed.")


def bad_challenge(allowed: range, got: int) -> str:
    """Return that a challenge is out of its range."""
    sentence = lazy(
        "With these terms the challenge, the Honor added for the Chthonians, can be {least} to {most}; got {got}."
    )
    return fill(sentence, least=allowed[0], most=allowed[-1], got=got)


def no_such_bot(bots: Iterable[str], got: str) -> str:
    """Return that a name is none of a computer player."""
    sentence = lazy("Expected one of {bots} as a computer player, got {got!r}.")
    return fill(sentence, bots=", ".join(bots), got=clean(got, 60))


def unknown_player(bots: str, got: str) -> str:
    """Return that the words of ``--player`` name nobody."""
    return fill("Expected human, {bots} or exec:COMMAND as a player, got {got!r}.", bots=bots, got=clean(got, 60))


def bad_name(most: int, got: str) -> str:
    """Return that a name cannot be used."""
    sentence = lazy("Expected a name of 1 to {most} visible characters without spaces around it, got {got}.")
    return fill(sentence, most=most, got=ascii(got)[:60])
