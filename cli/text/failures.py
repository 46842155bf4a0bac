"""What went wrong, in words: what happened, what it means, what to do next.

One sentence or two for every code that the layers below can end with.  A code without an entry is shown by its
sentence, never by itself.  What a stranger writes is not shown at all before there is a match: a person would take it
for the program's own word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import wording
from cli.text.wording import Sentence, _, fill, lazy

if TYPE_CHECKING:
    from protocol.core.handshake import HandshakeFailed
    from protocol.game import MissingRules

_HANDSHAKE: Final = lazy(
    {
        "wrong_secret": "The invite does not open this match: it was already used, or it belongs to another match. Ask for "
        "a fresh invite.",
        "rules": "The two programs play by different rules. Both need the same version of storm-p2p.",
        "game": "The other program plays another game. Ask for an invite to Storm over Olympus.",
        "version": "The two programs speak different versions of the protocol. The older one has to be updated.",
        "scheme": "The two programs share no way of hiding units. The older one has to be updated.",
        "wrong_identity": "The keys do not fit: one of you is not the player whom the other expected. Nothing was played; "
        "the host makes a fresh invite for the right player.",
        "bad_name": "The other player's name cannot be shown. They have to choose another one.",
        "bad_key": "The other program's key is not valid. Nothing was played.",
        "bad_signature": "The other program's signature is not valid. Nothing was played.",
        "terms_refused": "You refused the terms. Nothing was played; for other terms, ask the host for a fresh invite.",
        "peer_terms_refused": "The guest refused the terms. Nothing was played; for other terms, the host makes a fresh "
        "invite.",
        "no_terms": "There is no game to play now: the host's folder of the tournament has none for the two of "
        "you. storm-p2p event status says what comes next.",
        "bad_terms": "The two of you have different cards, or one of the programs was changed. To play with your own "
        "cards, both of you need the same file: host --cards FILE and join --cards FILE. Nothing was played; begin again "
        "with a fresh invite.",
        "conditions": "The host's terms have a condition that this program does not know and must not ignore. Update the "
        "program, or ask for an invite without that condition. Nothing was played.",
        "channel": "Somebody tampered with the connection between the two programs. Nothing was played.",
        "lot": "Somebody has already called with this invite, and only they can use it now. Ask for a fresh invite.",
        "redrawn": "This program has already signed a match with this invite, and the host's program now gives a different answer to the same call. Nothing was played; ask for a fresh invite. The host's program may have been changed so that it can draw lots again.",
        "changed_key": "The other player knows somebody with your name but another key, so the match was refused. Read "
        "them your key, which storm-p2p key show prints; once they trust it, begin again.",
        "changed_name": "In a rematch both players keep their names. One of you now uses a different name, so the "
        "rematch was refused. Nothing was played. To play under a new name, host a new match.",
        "mirror": "The program called itself. An invite is for the other player.",
    }
)

_VERSIONS: Final = lazy(
    {
        "rules": "The two programs play by different rules (yours {ours}; theirs {theirs})."
        " Both need the same version of storm-p2p.",
        "version": "The two programs speak different versions of the protocol (yours {ours}; theirs {theirs})."
        " The older one has to be updated.",
    }
)
_NUMBERS: Final = re.compile(r"[0-9 ]{1,80}")
"""Versions of the protocol, if the field says nothing else."""

WAYS_OUT: Final = lazy(
    "Any of these helps: IPv6 on both sides; UPnP, PCP or a forwarded port on one router; a VPN such as Tailscale; "
    "Tor Browser open on both machines."
)
"""What two people can do whose routers do not let them meet."""

_CODES: Final = lazy(
    {
        "port-in-use": "That port is in use by another program. Choose another one with --port, or leave it out.",
        "no-address": "This is not one of this machine's addresses. Leave out --bind to listen on all of them.",
        "no-line": "These addresses do not fit into a line. Name others, or fewer, with --announce.",
        "unreachable": "The other player could not be reached. Check that they are still waiting and that the line is "
        "their latest. If so, one of you runs storm-p2p host again and sends a fresh invite. storm-p2p doctor tells each "
        "of you how your machine can be reached.",
        "both-hard": "Both routers use a different port for each address, so you cannot meet directly. {ways}",
        "no-udp": "Your friend's network lets no UDP through, and meeting by TCP cannot work either, so you cannot meet "
        "directly. {ways}",
        "own-no-udp": "Your network lets no UDP through, and meeting by TCP cannot work either, so you cannot meet "
        "directly. {ways}",
        "wrong-certificate": "Somebody else answered: their certificate is not the one in the invite, and nothing was said "
        "to them. Ask for a fresh invite.",
        "turned-away": "The other player's program answered but does not accept this invite: it was already used, or a "
        "newer one has replaced it. Ask for a fresh one. If you have begun a match with it, storm-p2p resume continues "
        "that match, on the machine where it began.",
        "no-tor": "The only address left is on the Tor network, and tor is not running on this machine. Open Tor "
        "Browser or start tor, or let your friend join you instead.",
        "unknown-host": "The address in the invite cannot be found. Check the line that you pasted.",
        "busy": "The host is already talking to somebody else. Try again in a moment.",
        "not-him": "Somebody answered without proving to be the other player; they were told nothing about the match. "
        "Check that your opponent has resumed the same match.",
        "foreign": "Something other than storm-p2p answered. Check the invite.",
        "text-frame": "The other side sent something that is not a message of this program; the connection was closed.",
        "oversized": "The other side sent something too large; the connection was closed.",
        "flooded": "The other side sent far more than a match needs, so this program closed the connection. Nothing is "
        "lost.",
        "bad-frame": "Something is damaged and was not used.",
        "damaged": "The file of this match on this machine is damaged, so the match cannot be continued here. Your "
        "opponent is not to blame; storm-p2p export on their machine writes a log of what was played. Nothing was "
        "changed.",
        "failed": "The system could not read or write the file of this match. Nothing was changed. Check the disk and try "
        "again.",
        "closed": "Connection closed.",
        "in-use": "This match is open in another window. Close it there first.",
        "missing": "There is no such match here. storm-p2p resume without a name lists the ones there are.",
        "disk-full": "The disk is full. Everything that was sent is saved; make room and resume.",
        "unwritable": "The folder cannot be written to. Everything that was sent is saved.",
        "library_too_old": "The PyNaCl library on this machine is older than 1.6.2 and might accept a false proof. Update "
        "it, for instance with: pip install --upgrade pynacl",
        "library_broken": "The PyNaCl library on this machine gives wrong results, so nothing could be checked. Reinstall "
        "it, for instance with: pip install --force-reinstall pynacl",
        "older": "This match was begun by a storm-p2p with an earlier protocol, and only that program can continue it. "
        "Nothing was changed.",
        "erased": "This match is over, so there is nothing to resume.",
        "other-key": "This match was begun under another identity, and only that identity can continue it. Nothing was "
        "changed. To put it back, use storm-p2p key import; an identity that was put aside is in a file called "
        "identity-NUMBER.key.",
        "newer": "This file was written by a newer storm-p2p. Update this one.",
        "not-a-log": "This file is not a match log of storm-p2p, nor a web page that storm-p2p wrote.",
        "not-found": "There is no invite in this text: an invite begins with SOO2-. Paste the whole line that you were "
        "sent.",
        "checksum": "The line is damaged: a character is wrong or missing. Paste it again.",
        "cut": "The end of the line is missing. Paste all of it again.",
        "malformed": "The line is damaged. Ask for a fresh one.",
        "cut-log": "The end of this file is missing. Copy it again from where it was made, or ask for the whole file. If the "
        "match is still going on, storm-p2p watch shows it.",
        "cut-feed": "This match is still going on, so the file is not a log yet: storm-p2p watch shows it and checks each "
        "message. When it is over, this file is its log.",
        "damaged-log": "This file was damaged or changed after it was written. Copy it again from where it was made, or ask "
        "for another copy.",
        "long-log": "This file is longer than any log of a match, so it is something else, or it was damaged.",
        "version-log": "This program cannot read the format of this log, so the log proves nothing here, for or against "
        "anybody. If it is from before version 1.0.0 (protocol 2), only the program that wrote it can check it; if it is "
        "newer, update this program.",
        "several": "You pasted several invites. Paste only one.",
    }
)

_LOG_RULES: Final = lazy(
    "The match was played under rules {theirs}; this program has rules {ours}. The program that was used then, or one "
    "that still has rules {theirs}, can check and show it."
)
_MATCH_RULES: Final = lazy(
    "This match was begun under rules {theirs}; this program has rules {ours}. Nothing was changed; the program that "
    "was used then, or one that still has rules {theirs}, can continue it."
)
_UNKNOWN_RULES: Final = lazy(
    "This match belongs to another game, or to rules that storm-p2p never had. Only the program that played it can read"
    " it."
)
_OTHER_RULES: Final = lazy(
    "{name}'s program now plays by different rules from this match. Nobody is accused and nothing is lost: the match "
    "waits for the program that {name} began it with."
)
_OTHER_NUMBER: Final = lazy(
    "{name}'s program now plays by rules {rules}, but this match was begun under others. Nobody is accused and nothing "
    "is lost: the match waits for the program that {name} began it with."
)
_VERSION: Final = re.compile(r"([0-9.]{1,15})-([0-9a-f]{8,64})")
_SHORT: Final = 8

other_is_told = Sentence[str]("{name} is told this too, if that program can be reached now.")


def handshake(event: HandshakeFailed | None) -> str:
    """Return why there is no match; None stands for a lost line."""
    if event is None:
        return _("The other side hung up before the match began: the invite was already used, or the connection broke.")
    # What the other says of themselves in a refusal is signed by nobody.
    named = _VERSIONS.get(event.code)
    known = _shortened(event.ours, event.theirs)
    if known is None and _NUMBERS.fullmatch(event.theirs):
        known = [event.ours, event.theirs]
    if named is not None and known is not None:
        return fill(named, ours=known[0], theirs=known[1])
    words = _HANDSHAKE.get(event.code) or _HANDSHAKE.get(event.code.removeprefix("peer_"))
    if words is None:
        return _(
            "The two programs are not compatible. Nothing was played. Compare what storm-p2p --version says on both "
            "machines, and ask for a fresh invite."
        )
    return str(words)


def sentence(code: str, sentence: str) -> str:
    """Return the words for a code, or its sentence where there are none."""
    words = _CODES.get("unreachable" if code == "timeout" else code)
    if words is None:
        text = clean(sentence).strip().rstrip(".")
        return f"{text[:1].upper()}{text[1:]}." if text else _("Something went wrong.")
    return fill(words, ways=WAYS_OUT)


def log_sentence(code: str, said: str) -> str:
    """Return the words for a file that cannot be read as a log; some of its codes mean something else elsewhere."""
    damaged = dict.fromkeys(("record", "trailer", "after-trailer"), "damaged-log")
    own = {"cut": "cut-log", "version": "version-log", "too-long": "long-log", **damaged}
    return sentence(own.get(code, code), said)


def rules_number(version: str) -> str | None:
    """Return the number of the rules that a program names as its version; None if it names none."""
    found = _VERSION.fullmatch(version)
    return None if found is None else found[1]


def other_rules(name: str, version: str) -> str:
    """Return that the other's program plays by other rules now, whose version it says."""
    theirs = rules_number(version)
    if theirs is None:
        return fill(_OTHER_RULES, name=clean(name))
    return fill(_OTHER_NUMBER, name=clean(name), rules=theirs)


def _shortened(*versions: str) -> list[str] | None:
    """Return versions of rules by their numbers, or nothing if one of them is no such version."""
    found = [_VERSION.fullmatch(version) for version in versions]
    if None in found:
        return None
    parts = [(one[1], one[2][:_SHORT]) for one in found if one is not None]
    # Rules that were changed without a new number are told apart by their data.
    alike = len({number for number, data in parts}) < len(set(versions))
    return [f"{number}-{data}" if alike else number for number, data in parts]


def no_rules(missing: MissingRules, *, of_match: bool = False) -> str:
    """Return why a log can be neither checked nor shown here, or ``of_match`` why one that is stored cannot go on."""
    known = _shortened(missing.version, *missing.here)
    # Whoever made the file may have written anything there; nothing of it is repeated.
    if known is None or not missing.here:
        return str(_UNKNOWN_RULES)
    template = _MATCH_RULES if of_match else _LOG_RULES
    return fill(template, theirs=known[0], ours=wording.listed(known[1:]))
