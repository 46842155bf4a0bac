"""Joining a match: the invite, the terms, and why the host cannot be reached, in words."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from typing import Final

from cli.clean import clean
from cli.text import names
from cli.text.sentences import Sentence
from cli.text.wording import Lazy, _, count, fill, lazy

PASTE: Final = lazy("Paste the invite (Ctrl-C leaves): ")
REST: Final = lazy("The invite is incomplete. Paste the rest, or press Enter to try it as it is: ")
ACCEPT: Final = lazy("Accept these terms? yes or no: ")
YES_OR_NO: Final = lazy("Expected yes or no; no refuses the match, and nothing is played.")
SEAT: Final = lazy("You may choose your side: chthonians or olympians? ")
ONE_SIDE: Final = lazy("Expected chthonians or olympians.")
GOES_ON: Final = lazy("The match for this invite has already begun on this machine; continuing it.")
OTHER_TERMS: Final = lazy(
    "The host offers different terms from those in the invite; they were refused. Ask for a fresh invite."
)

HASH_WARNING: Final = lazy(
    "Warning: with the scheme hash, a player who places units that they may not have, or puts another unit into a "
    "divided group, is found out only when everything is opened at the end, and never if they leave before that. The "
    "scheme proved finds it at once."
)
"""What both players have to agree to before they leave the scheme ``proved``."""

again = Sentence[float]("The connection broke before the match began; calling again in {pause} s.")
refused = Sentence[float](
    "The program there does not accept this invite: most likely it was already used. If the match began on this "
    "machine, storm-p2p resume continues it. Calling once more in {pause} s, because a broken connection looks the "
    "same."
)
cannot_be_called = Sentence[str](
    "You can play the match, but your opponent cannot call you back if the connection is lost. {why}"
)


def hash_refused() -> str:
    """Return the warning to somebody who was not asked for the scheme, and how to agree to it."""
    return f"{HASH_WARNING} {_('It was refused; storm-p2p join --scheme hash agrees to it.')}"


_UNREACHED: Final[Mapping[int, Lazy]] = lazy({
    errno.ECONNREFUSED: "{address} port {port}: nobody is waiting there, or a firewall refuses.",
    errno.EHOSTUNREACH: "{address} port {port}: no route from this network.",
    errno.ENETUNREACH: "{address} port {port}: no route from this network.",
    errno.ETIMEDOUT: "{address} port {port}: no answer; a firewall may drop it, or the machine is off.",
    errno.ECONNRESET: "{address} port {port}: the connection was cut at once.",
})  # fmt: skip
_UNREACHED_BY_CODE: Final[Mapping[str, Lazy]] = lazy({
    "timeout": "{address} port {port}: no answer; a firewall may drop it, or the machine is off.",
    "unknown-host": "{address} port {port}: this name cannot be found.",
    "busy": "{address} port {port}: the host is talking to somebody else.",
    "wrong-certificate": "{address} port {port}: somebody else's program; nothing was said to it.",
    "turned-away": "{address} port {port}: the right program, but it does not accept this invite.",
    "no-tor": "{address} port {port}: a Tor address, and tor is not running on this machine.",
    "foreign": "{address} port {port}: something other than storm-p2p answered.",
})  # fmt: skip
_UNREACHED_AT_ALL: Final = lazy("{address} port {port}: nobody can be reached there.")


def calling(places: int, tor: bool) -> str:
    """Return what is done until somebody answers at one of so many addresses; ``tor``: one is in the Tor network."""
    patience = _("a minute, through Tor" if tor else "ten seconds")
    return count(
        "Calling the one known address; this takes {patience} at most.",
        "Calling {number} addresses at once; this takes {patience} at most.",
        places, patience=patience,
    )  # fmt: skip


def goes_on_elsewhere(local: Sequence[str]) -> str:
    """Return that the match of an invite has begun on this machine, and that a match is open in another window."""
    return count(
        "The match for this invite has already begun on this machine, and the match {names} is open in another window. "
        "Go on there, or close it there and run storm-p2p resume here.",
        "The match for this invite has already begun on this machine, and the matches {names} are open in other "
        "windows. Go on there, or close them there and run storm-p2p resume here.",
        len(local), names=names.listed(local),
    )  # fmt: skip


def unreached(address: str, port: int, code: str, number: int | None) -> str:
    """Return why an address did not answer: by the code of the transport's error, or by the number of the system's."""
    template = _UNREACHED_BY_CODE.get(code) or _UNREACHED.get(number or 0, _UNREACHED_AT_ALL)
    return fill(template, address=clean(address), port=port)
