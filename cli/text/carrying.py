"""What is said when the files of a tournament travel: what came and went, what was not taken, and what is new then."""

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
        "scheme": "{address} is not an address for a tournament's files. Give a folder, a zip, an https address or "
        "a git repository.",
        "insecure": "{address} is not encrypted. Use https; plain http works only for this machine and your own network.",
        "no_git": "{address} is a git repository, but git is not installed here. Install it, or ask for the files as a "
        "zip.",
        "git": "git cannot use {address} ({why}). Check the address, and whether you may read what is there.",
        "refused": "{address} does not take your new files ({why}). They stay in your folder. Ask its owner to let you "
        "write there.",
        "lost_race": "Others keep changing {address}, so your new files could not be sent. Try again in a minute.",
        "late": "{address} took too long. What has arrived is in your folder; try again later.",
        "unreachable": "{address} cannot be reached ({why}).",
        "status": "The server did not send {address} (it answered {why}). Check the address.",
        "redirect": "{address} leads to an address that is not encrypted, or only to further addresses ({why}). "
        "Give the address where the files are.",
        "no_list": "{address} lists no tournament files. Give the address of the folder where they are; that of a git "
        "repository ends in .git.",
        "zip": "{address} is not a zip that this program can read. Ask the sender for another copy.",
        "too_much": "{address} holds far more than a tournament, so nothing more was taken from it.",
        "unusable": "{address} cannot be used ({why}).",
    }
)
_REFUSED: Final = lazy(
    {
        "foreign": "These files were not taken, because they are damaged, or are neither documents nor logs: {files}.",
        "unsigned": "These files were not taken, because a signature in them is wrong: {files}.",
        "other_event": "These files were not taken, because they belong to another tournament: {files}.",
        "too_long": "These files were not taken, because they are too long: {files}.",
        "version": "These files were not taken, because a newer version of this program wrote them: {files}. "
        "Update yours.",
        "stranger": "These files were not taken, because their authors take no part here or have written too much: "
        "{files}. If they are players, exchange files again once their entries are in your folder.",
    }
)

moved = Sentence[str, int, int]("New files from {address}: {came}. New files sent there: {sent}.")
came = Sentence[str, int]("New files from {address}: {came}.")
sent = Sentence[str, int]("New files sent to {address}: {sent}.")
READ_ONLY: Final = lazy(
    "Nothing can be sent there. Send your own new files to the others another way, for example with storm-p2p "
    "event bundle."
)
MORE: Final = lazy("There are more files than the program takes at once. Run the command again for the rest.")
LATER: Final = lazy("Your new files have not been sent yet. The next command about the tournament sends them.")
no_remote = Sentence[str](
    "Where should {folder} exchange its files? Give an address once: a git repository, an https address, a zip, or "
    "another folder. A program that serves the tournament needs no address: give its line each time."
)
remembered = Sentence[str, str](
    "From now on, every command about {folder} also exchanges files with {address}. Add --offline to leave that out."
)
forgotten = Sentence[str]("{folder} no longer exchanges files with any address.")

paste_this = Sentence[str](
    "Or paste this into a chat. The others type storm-p2p event take {folder} and paste it there:"
)
PASTE: Final = lazy("Paste the line: ")
REST: Final = lazy("The line is incomplete. Paste the rest, or press Enter to try it as it is: ")
took = Sentence[str]("Added: {file}")
HELD: Final = lazy("That is already in the folder.")
_LINES: Final = lazy(
    {
        "not-found": "That text holds no line of a tournament. Such a line begins with SOE1-.",
        "version": "A newer version of this program wrote this line. Update yours.",
        "cut": "The line is incomplete. Copy all of it, up to its end.",
        "checksum": "The line was changed on the way. Copy it again.",
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
    "Send this line to the players; it stays the same for the whole tournament. They exchange files with you by "
    "typing storm-p2p event sync FOLDER LINE. This program waits for them until you stop it with Ctrl-C:"
)
met = Sentence[int, int]("New files of the tournament from the other program: {came}. New files sent to it: {given}.")
NOT_SERVED: Final = lazy(
    "No program serves the tournament there now, so no files were exchanged. Ask the person who gave you the line "
    "whether storm-p2p event serve is running, and whether this is its latest line."
)
OTHER_TOURNAMENT: Final = lazy(
    "This line is for a different tournament from the one in the folder, so nothing was exchanged."
)
_broken_off = Sentence[Lazy](
    "The two programs stopped exchanging files of the tournament: {why} Files that had arrived whole are kept, and "
    "a match goes on without the rest."
)
_BROKEN_OFF: Final = lazy(
    {
        "timeout": "it took too long.",
        "closed": "the connection broke.",
        "folder": "the folder cannot be read or written.",
        "too_many": "the other program sent more than is allowed at once.",
        "other": "the other program sent something that does not belong there.",
    }
)

watching = Sentence[str, int]("Checking {folder} every {seconds} seconds. Ctrl-C stops this.")
is_ready = Sentence[str, str]("{other} is ready for game {place}.")
soon = Sentence[str, str, str]("Less than a day is left for game {place} against {other}: the deadline is {until}.")


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
