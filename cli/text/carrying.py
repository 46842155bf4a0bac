"""What is said when the files of a tournament travel: what came and went, what was not taken, and what is new then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from cli.clean import clean
from cli.text import wording
from cli.text.wording import Lazy, Sentence, fill, lazy

_MOST: Final = 8
"""Names of files that are told."""

_PROBLEMS: Final = lazy(
    {
        "missing": "There is nothing at {address}. Check the spelling, and that the disk is connected.",
        "scheme": "{address} is no address for a tournament's files. Give a folder, a zip, an https address or a git "
        "repository.",
        "insecure": "{address} is not encrypted. Use https; plain http works only for this machine and your own network.",
        "no_git": "{address} is a git repository, but git is not installed here. Install it, or ask for the files as a "
        "zip.",
        "git": "git cannot use {address} ({why}).",
        "refused": "{address} does not take your new files ({why}). They stay in your folder. Ask its owner to let you "
        "write there.",
        "lost_race": "Others keep changing {address}, so your new files could not be sent. Try again in a minute.",
        "late": "{address} takes too long. What has arrived is in your folder; try again later.",
        "unreachable": "{address} cannot be reached ({why}).",
        "status": "The server does not give {address} (it answers {why}).",
        "redirect": "{address} leads somewhere that is not encrypted, or round in circles ({why}). Give the address where "
        "the files are.",
        "no_list": "{address} lists no tournament files. Give the address of the folder where they are; that of a git "
        "repository ends in .git.",
        "zip": "{address} is not a zip that this program can read. Ask the sender for another copy.",
        "too_much": "{address} holds far more than a tournament, so nothing more was taken from it.",
        "unusable": "{address} cannot be used ({why}).",
    }
)
_REFUSED: Final = lazy(
    {
        "foreign": "Not taken, because they are damaged, or neither documents nor logs: {files}.",
        "unsigned": "Not taken, because a signature is wrong: {files}.",
        "other_event": "Not taken, because they belong to another tournament: {files}.",
        "too_long": "Not taken, because they are too long: {files}.",
        "version": "Not taken, because a newer version of this program wrote them: {files}. Update yours.",
        "stranger": "Not taken, because their authors take no part here or have written too much: {files}. If they are "
        "players, exchange files again once their entries are in your folder.",
    }
)

moved = Sentence[str, int, int]("New files from {address}: {came}. New files sent there: {sent}.")
came = Sentence[str, int]("New files from {address}: {came}.")
sent = Sentence[str, int]("New files sent to {address}: {sent}.")
READ_ONLY: Final = lazy(
    "Nothing can be sent there. Your own new files reach the others another way, such as storm-p2p event bundle."
)
MORE: Final = lazy("There are more files than are taken at once. Run the command again for the rest.")
LATER: Final = lazy("Your new files are still here only. The next command about the tournament sends them.")
no_remote = Sentence[str](
    "Where should {folder} exchange its files? Give an address once: a git repository, an https address, a zip, or "
    "another folder. A program that serves the tournament needs no address: give its line each time."
)
remembered = Sentence[str, str](
    "From now on commands about {folder} exchange files with {address} by themselves; --offline leaves that out."
)
forgotten = Sentence[str]("{folder} exchanges its files with nobody any more.")

paste_this = Sentence[str](
    "Or paste this into a chat. The others type storm-p2p event take {folder} and paste it there:"
)
PASTE: Final = lazy("Paste the line: ")
REST: Final = lazy("The line is incomplete. Paste the rest, or press Enter to try it as it is: ")
took = Sentence[str]("Added: {file}")
HELD: Final = lazy("That is in the folder already.")
_LINES: Final = lazy(
    {
        "not-found": "There is no line of a tournament in that; one begins with SOE1-.",
        "version": "A newer version of this program wrote this line. Update yours.",
        "cut": "The line is incomplete. Copy all of it, up to its end.",
        "checksum": "A character of the line has changed on its way. Copy it again.",
        "malformed": "The line cannot be read. Copy it again.",
        "foreign": "The line holds no document of a tournament. Ask the sender for another one.",
        "unsigned": "The signature in the line is wrong, so it was not taken. Ask the sender for another one.",
        "other_event": "The line belongs to another tournament, so it was not taken.",
        "too_long": "The line holds more than a document may have, so it was not taken.",
        "stranger": "The author of the line takes no part here or has written too much, so it was not taken. If they are "
        "a player, their entry has to be in your folder first.",
    }
)
SERVING: Final = lazy(
    "Send this line to the players, once for the whole tournament; with storm-p2p event sync FOLDER LINE they exchange "
    "files with you. This program serves them until you stop it with Ctrl-C:"
)
met = Sentence[int, int]("New files of the tournament from the other program: {came}; new ones for it: {given}.")
NOT_SERVED: Final = lazy(
    "Nobody serves the tournament there now, so no files were exchanged. Ask whoever gave you the line whether storm-p2p "
    "event serve is running, and whether this is its latest line."
)
OTHER_TOURNAMENT: Final = lazy(
    "This line is for another tournament than the one in that folder. Nothing was exchanged."
)
_broken_off = Sentence[Lazy](
    "The two programs stopped exchanging the files of the tournament: {why} What had arrived whole is kept, and a "
    "match goes on without the rest."
)
_BROKEN_OFF: Final = lazy(
    {
        "timeout": "it took too long.",
        "closed": "the connection broke.",
        "folder": "the folder cannot be read or written.",
        "too_many": "the other program sent more than one meeting may have.",
        "other": "the other program sent something that does not belong there.",
    }
)

watching = Sentence[str, int]("Looking into {folder} every {seconds} seconds. Ctrl-C ends this.")
is_ready = Sentence[str, str]("{other} is ready for game {place}.")
soon = Sentence[str, str, str]("Less than a day is left for game {place} against {other}: it ends at {until}.")


def not_taken(code: str) -> str:
    """Return why a line was not taken."""
    return str(_LINES[code])


def broken_off(code: str) -> str:
    """Return why files are no longer exchanged with a program that was met."""
    return _broken_off(_BROKEN_OFF.get(code, _BROKEN_OFF["other"]))


def address_of(address: str) -> str:
    """Return an address as it is shown: without a password."""
    try:
        parts = urlsplit(address)
        if parts.password is not None:
            return clean(address.replace(f":{parts.password}@", "@"))
    except ValueError:
        pass
    return clean(address)


def problem(code: str, address: str, why: str) -> str:
    """Return why a carrier could not be used."""
    return fill(_PROBLEMS[code], address=address_of(address), why=clean(why))


def refused(fate: str, names: Sequence[str]) -> str:
    """Return which files were not taken, and why."""
    told = wording.capped(sorted(map(clean, names)), _MOST)
    return fill(_REFUSED[fate], files=wording.listed(told) if len(told) == len(names) else ", ".join(told))
