"""Meeting: invites and the replies to them, hosts in the same network, terms, and why a host cannot be reached."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import clocks, failures, names
from cli.text.sentences import Sentence
from cli.text.wording import _, count, fill, lazy
from protocol.reach.invite import Purpose

if TYPE_CHECKING:
    from protocol.core.handshake import HandshakeFailed

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

LOOKING: Final = lazy("Looking for hosts on this network; this takes three seconds.")
NOBODY: Final = lazy(
    "Nobody is announcing a match on this network. The host has to run storm-p2p host --lan. Some networks, such as "
    "those in hotels, keep their guests apart; an invite works there too."
)
ASK: Final = lazy("The four words on your friend's screen: ")
NOT_WORDS: Final = lazy("Expected the host's four words, such as: amber otter plum zebra.")
OTHER_WORDS: Final = lazy("No host on this network has these words. Ask your friend to read them out again.")

SEND_BACK: Final = lazy("\nSend this one line back to your opponent, who leaves storm-p2p host and types it:\n")
WAITING_FOR_CALL: Final = lazy("Waiting for their call. Leave with Ctrl-C.")
BROKEN: Final = lazy("Disconnected before the match began. Still waiting.")
REPLY_OTHER_TERMS: Final = lazy(
    "This reply is to an invite with other terms. Give the same options as for the storm-p2p host that made the invite."
)
FRESH: Final = lazy("\nSend this one line to your opponent; it lets you both go on with the match:\n")
ANOTHER: Final = lazy({
    Purpose.MATCH: "This line is an invite to a new match: storm-p2p join accepts it.",
    Purpose.REPLY: "This line is the reply to an invite: the player who made the invite types storm-p2p host --call "
    "and the line.",
    Purpose.RESUME: "This line continues a match that has begun: give it to storm-p2p resume.",
})  # fmt: skip
"""What a line is for, to somebody who used it for something else."""
OTHER_GAME: Final = lazy(
    "This invite is for a game that your program does not have. A newer version of the program may have it."
)

again = Sentence[float]("The connection broke before the match began; calling again in {pause} s.")
refused = Sentence[float](
    "The program there does not accept this invite: most likely it was already used. If the match began on this "
    "machine, storm-p2p resume continues it. Calling once more in {pause} s, because a broken connection looks the "
    "same."
)
cannot_be_called = Sentence[str](
    "You can play the match, but your opponent cannot call you back if the connection is lost. {why}"
)
not_announced = Sentence[str]("This match is not announced on this network: {why}. The invite works all the same.")
not_looked = Sentence[str]("This network cannot be searched: {why}. Ask your friend for an invite.")


def hash_refused() -> str:
    """Return the warning to somebody who was not asked for the scheme, and how to agree to it."""
    return f"{HASH_WARNING} {_('It was refused; storm-p2p join --scheme hash agrees to it.')}"


_UNREACHED: Final = lazy({
    errno.ECONNREFUSED: "{address} port {port}: nobody is waiting there, or a firewall refuses.",
    errno.EHOSTUNREACH: "{address} port {port}: no route from this network.",
    errno.ENETUNREACH: "{address} port {port}: no route from this network.",
    errno.ETIMEDOUT: "{address} port {port}: no answer; a firewall may drop it, or the machine is off.",
    errno.ECONNRESET: "{address} port {port}: the connection was cut at once.",
})  # fmt: skip
_UNREACHED_BY_CODE: Final = lazy({
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


def expired(until: int, now: float) -> str:
    """Return that a line has expired by the clock of this machine; both times are seconds since 1970."""
    return fill(
        "The line was good until {until}, and this machine's clock says {now}. If the clock is right, ask for a fresh "
        "line; if not, set it, or have the other player set theirs and send a fresh one. To go on with a match that "
        "has begun, run storm-p2p resume.",
        until=clocks.moment(until), now=clocks.moment(now),
    )  # fmt: skip


def announced(words: Sequence[str]) -> str:
    """Return what the host tells his friend."""
    sentence = lazy("On the same network, your opponent can also run storm-p2p join --lan and type: {words}")
    return fill(sentence, words=" ".join(words))


def found(places: Sequence[str]) -> str:
    """Return where hosts wait."""
    where = ", ".join(map(clean, places))
    return count("One host waits, at {places}.", "{number} hosts wait, at {places}.", len(places), places=where)


SEND: Final = lazy("\nSend this one line to your opponent; it works once, while this program waits:\n")
WAITING: Final = lazy("Waiting. Leave with Ctrl-C.")
WAITING_KEYS: Final = lazy("Waiting. Leave with Ctrl-C.   c copies the line   q shows it as a QR code")
_LEFT: Final = lazy("The guest left before the match began.")
_TURNED_AWAY: Final = lazy({
    "lot": "Somebody else tried to use the first guest's invite and was turned away.",
    "wrong_identity": "Somebody called without the key of the player you expect and was turned away.",
    "wrong_secret": "Somebody called with a different invite and was turned away.",
    "game": "The guest's program plays a different game. Nothing was played.",
    "peer_game": "The guest's program plays a different game. Nothing was played.",
    "peer_terms_refused": "The guest refused the terms. Nothing was played. To offer others, leave with Ctrl-C and run "
    "storm-p2p host with them.",
    "peer_conditions": "The guest's program does not know a condition of your terms, such as a clock, and must not "
    "ignore it. The guest has to update it, or you host again without that condition. Nothing was played.",
    "peer_redrawn": "The guest's program has already signed a match with this invite, and your answer to the same call "
    "was another one. Nothing was played.",
})  # fmt: skip
MANY_CALLS: Final = 8
"""From so many callers who were turned away on, the host hears of one only each time their number has doubled."""
_MANY: Final = lazy("{number} calls have come to nothing so far; only a few of them are reported.")
_OPEN: Final = lazy("Still waiting; the invite can still be used.")
_BOUND: Final = lazy(
    "Still waiting, but only the first guest can use the invite now: an invite draws the sides only once."
)
_RENEW_BY_KEY: Final = lazy("n makes a new invite for somebody else.")
_RENEW: Final = lazy("To invite somebody else, leave with Ctrl-C and run storm-p2p host again.")
COPIED: Final = lazy("The line was copied to the clipboard, if this terminal allows that; paste it to check.")


def turned_away(event: HandshakeFailed | None) -> str:
    """Return why there is no match with a guest; None stands for a lost line."""
    if event is None:
        return str(_LEFT)
    words = _TURNED_AWAY.get(event.code)
    return failures.handshake(event) if words is None else str(words)


def still_waiting(turned_away: int, *, bound: bool, keys: bool) -> str:
    """Return that the host goes on, for whom, and how somebody else can still be the guest."""
    many = f"{fill(_MANY, number=turned_away)} " if turned_away >= MANY_CALLS else ""
    return many + (f"{_BOUND} {_RENEW_BY_KEY if keys else _RENEW}" if bound else str(_OPEN))


def indented(text: str) -> str:
    """Return the line for the opponent as it stands on the screen."""
    return fill("  storm-p2p join {invite}\n", invite=text)


def too_small(code: Sequence[str], columns: int, rows: int) -> str:
    """Return that a QR code does not fit."""
    sentence = lazy(
        "The QR code needs a window of {width} x {height}; this one has {columns} x {rows}. Make it larger."
    )
    return fill(sentence, width=len(code[0]), height=len(code), columns=columns, rows=rows)


def with_option(code: Sequence[str]) -> str:
    """Return how a QR code can be had that was not drawn."""
    return fill("As a QR code: --qr, in a window of at least {width} x {height}.", width=len(code[0]), height=len(code))
