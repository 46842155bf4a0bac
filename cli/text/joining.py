"""Meeting: invites and the replies to them, hosts in the same network, terms, and why a host cannot be reached."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.notices import NetworkChanged, PortAsked, PortChanged, ReachNotice
from cli.text import failures, wording
from cli.text.wording import Sentence, _, count, fill, lazy
from protocol.reach import ReachError
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.candidates import Candidate, Missing, Way
from protocol.reach.formats.outside import Nature, Seen
from protocol.reach.invite import HostPort, Purpose

if TYPE_CHECKING:
    from protocol.core.handshake import HandshakeFailed


PASTE: Final = lazy("Paste the invite (Ctrl-C leaves): ")
REST: Final = lazy("The invite is incomplete. Paste the rest, or press Enter to try it as it is: ")
ACCEPT: Final = lazy("Accept these terms? yes or no: ")
YES_OR_NO: Final = lazy("Type yes or no; no refuses the match, and nothing is played.")
SEAT: Final = lazy("You may choose your side: chthonians or olympians? ")
ONE_SIDE: Final = lazy("Type chthonians or olympians.")
BEGUN: Final = lazy("The match for this invite has already begun on this machine.")
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
NOT_WORDS: Final = lazy("Type the host's four words, such as: amber otter plum zebra.")
OTHER_WORDS: Final = lazy("No host on this network has these words. Ask your friend to read them out again.")

SEND_BACK: Final = lazy("\nSend this line back to your friend. They paste it where their program is waiting:\n")
NOT_CALLED: Final = lazy(
    "\nYour friend cannot be called directly. Send this line back; they paste it where their program is waiting:\n"
)
WAITING_FOR_CALL: Final = lazy("Waiting for your friend to paste it. Keep this window open. Leave with Ctrl-C.")
ONLY_NEARBY: Final = lazy(
    "Only somebody on your own network can call you with this line; storm-p2p doctor says how others can reach you."
)
BROKEN: Final = lazy("Disconnected before the match began. Still waiting.")
REPLY_OTHER_TERMS: Final = lazy(
    "This reply is to an invite with other terms. Give the same options as for the storm-p2p host that made the invite."
)
FRESH: Final = lazy("\nSend this one line to your opponent; it lets you both go on with the match:\n")
ANOTHER: Final = lazy(
    {
        Purpose.MATCH: "This line is an invite to a new match: storm-p2p join accepts it.",
        Purpose.REPLY: "This line is the answer to an invite: the player who made the invite pastes it where storm-p2p "
        "host is waiting.",
        Purpose.RESUME: "This line continues a match that has begun: give it to storm-p2p resume.",
        Purpose.EVENT: "This line is for the files of a tournament: storm-p2p event sync FOLDER LINE exchanges them.",
    }
)
"""What a line is for, to somebody who used it for something else."""
OLDER: Final = lazy(
    "This line is from an older storm-p2p, which cannot play with yours. Ask your friend to update theirs and send a "
    "fresh line."
)
NEWER: Final = lazy("This line is from a newer storm-p2p. Update yours and paste the line again.")
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


_UNREACHED: Final = lazy(
    {
        errno.ECONNREFUSED: "{address} port {port}: nobody is waiting there, or a firewall blocks it.",
        errno.EHOSTUNREACH: "{address} port {port}: no route from this network.",
        errno.ENETUNREACH: "{address} port {port}: no route from this network.",
        errno.ETIMEDOUT: "{address} port {port}: no answer; a firewall may drop it, or the machine is off.",
        errno.ECONNRESET: "{address} port {port}: the connection was cut at once.",
    }
)
_UNREACHED_BY_CODE: Final = lazy(
    {
        "timeout": "{address} port {port}: no answer; a firewall may drop it, or the machine is off.",
        "unknown-host": "{address} port {port}: this name cannot be found.",
        "busy": "{address} port {port}: the host is talking to somebody else.",
        "wrong-certificate": "{address} port {port}: somebody else's program; nothing was said to it.",
        "turned-away": "{address} port {port}: the right program, but it does not accept this invite.",
        "no-tor": "{address} port {port}: a Tor address, and tor is not running on this machine.",
        "foreign": "{address} port {port}: something other than storm-p2p answered.",
    }
)
_UNREACHED_AT_ALL: Final = lazy("{address} port {port}: nobody can be reached there.")


def calling(places: int, tor: bool, *, briefly: bool) -> str:
    """Return what is done until somebody answers at one of so many addresses.

    ``tor`` says that one is in the Tor network, and ``briefly`` that the host is soon given a line instead.
    """
    patience = _("three seconds" if briefly else "a minute, through Tor" if tor else "ten seconds")
    return count(
        "Calling the one known address; this takes {patience} at most.",
        "Calling {number} addresses at once; this takes {patience} at most.",
        places,
        patience=patience,
    )


def unreached(address: str, port: int, code: str, number: int | None) -> str:
    """Return why an address did not answer: by the code of the transport's error, or by the number of the system's."""
    template = _UNREACHED_BY_CODE.get(code) or _UNREACHED.get(number or 0, _UNREACHED_AT_ALL)
    return fill(template, address=clean(address), port=port)


expired = Sentence[str, str](
    "The line was good until {until}, and this machine's clock says {now}. If the clock is right, ask for a fresh line; if "
    "not, set it, or have the other player set theirs and send a fresh one. To go on with a match that has begun, run "
    "storm-p2p resume."
)
announced = Sentence[str]("On the same network, your friend can also run storm-p2p join --lan and type: {words}")
found = Sentence[int, Sequence[str]]("One host is waiting: {places}.", "{number} hosts are waiting: {places}.")
SEND: Final = lazy("\nSend this one line to your friend; it works once, while this program waits:\n")
WAITING: Final = lazy("Waiting. If your friend sends a line back, paste it here. Leave with Ctrl-C.")
WAITING_KEYS: Final = lazy("Waiting.   a pastes an answer   c copies   q QR code   n new   Ctrl-C leaves")
PASTE_ANSWER: Final = lazy("Paste your friend's answer and press Enter (Escape cancels).")
NO_ANSWER: Final = lazy("Nothing was pasted. Still waiting.")
CALLING_BACK: Final = lazy("Calling your friend back until somebody answers.")
PASTE_AGAIN: Final = lazy("Still waiting. Paste the line that your friend's program shows.")
RENEWED: Final = lazy("The earlier invite no longer works.")
SENT_AWAY: Final = lazy("A guest was still reading your terms; they need the new invite, too.")
OTHER_INVITE: Final = lazy("This answer belongs to another invite of yours. Ask your friend to answer the one above.")
_LEFT: Final = lazy("The guest left before the match began.")
_TURNED_AWAY: Final = lazy(
    {
        "lot": "Somebody else tried to use the first guest's invite and was turned away.",
        "wrong_identity": "Somebody called without the key of the player you expect and was turned away.",
        "wrong_secret": "Somebody called with a different invite and was turned away.",
        "game": "The guest's program plays a different game. Nothing was played.",
        "peer_game": "The guest's program plays a different game. Nothing was played.",
        "peer_terms_refused": "The guest refused the terms. Nothing was played. To offer others, leave with Ctrl-C and run "
        "storm-p2p host with them.",
        "peer_conditions": "The guest's program does not know a condition of your terms, such as a clock, and must not "
        "ignore it. The guest has to update the program, or you host again without that condition. Nothing was played.",
        "peer_redrawn": "The guest's program has already signed a match with this invite, and yours has now answered the same call differently. Nothing was played.",
    }
)
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


too_small = Sentence[int, int, int, int](
    "The QR code needs a window of {width} x {height}; this one has {columns} x {rows}. Make it larger."
)


_MARKS: Final = {"ok": lazy("[ok]"), "no": lazy("[no]"), "perhaps": "[?]"}
OK, NO, PERHAPS = _MARKS

_NAMES: Final = lazy(
    {
        Way.MAPPED: "internet, IPv4",
        Way.PINHOLE: "internet, IPv6",
        Way.IPV4: "internet, IPv4",
        Way.IPV6: "internet, IPv6",
        Way.LAN: "same network",
        Way.OVERLAY: "overlay network",
        Way.ONION: "Tor",
    }
)

_SAYS: Final = lazy(
    {
        Way.MAPPED: "the router has opened it, and will close it at the end",
        Way.PINHOLE: "the router lets it through until the end",
        Way.IPV4: "this machine's own address; a firewall may still say no",
        Way.IPV6: "for somebody who also has IPv6; a firewall may still say no",
        Way.LAN: "for players in the same house",
        Way.OVERLAY: "for players on the same Tailscale or other private network",
        Way.ONION: "through tor, slowly; it can take a minute until it is found",
    }
)

_UNSURE: Final = (Way.IPV4, Way.IPV6)

_WHY: Final = lazy(
    {
        "not-asked": "the router was not asked (--no-map)",
        "no-router": "this machine has no router to the internet",
        "no-ipv6": "this machine has no public IPv6 address",
        "no-network": "this machine has no network address",
        "silent": "the router does not answer: it does not open ports for programs, or that is switched off",
        "closed": "the router does not open ports for programs, or that is switched off",
        "refused": "the router says no",
        "version": "the router speaks another version",
        "malformed": "the answer could not be understood, and was not used",
        "oversized": "the answer was far too long, and was not used",
        "elsewhere": "the answer pointed to another machine, and was not used",
        "no-service": "the router offers no internet connection to control",
        "empty": "the router has no public address of its own: your provider shares one among many customers "
        "(carrier-grade NAT), or there is a second router in front of it",
        "shared": "your provider shares one address among many customers (carrier-grade NAT); opening ports cannot help",
        "private": "there is a second router in front of yours; opening a port on only one of them is not enough",
        "reserved": "the router's outside address is not a public one; your provider translates it",
        "no-zeroconf": "the library zeroconf is not installed; add it to the program's environment with "
        "pip install zeroconf, or with pipx inject storm-p2p zeroconf where pipx has installed the program",
        "no-tor": "tor is not running on this machine, or its control port is off",
        "locked": "tor is running, but its control cookie cannot be read",
        "impostor": "the program on tor's control port is not tor",
    }
)

ODD: Final = lazy(
    {
        AddressKind.SHARED: "an address that the provider shares among customers (carrier-grade NAT)",
        AddressKind.PRIVATE: "a private address: your provider's, or a second router in the house; with two routers, both have to "
        "open the port",
    }
)
"""What an address behind the router means, by its kind; others are nothing odd."""

_ROUTER: Final = lazy(
    "Switch on UPnP or PCP in your router's settings; or have it forward one TCP port to this machine, and start "
    "storm-p2p host --port with that number."
)
_OTHER: Final = lazy(
    "Let your friend host instead: only one of you has to be reachable. They run storm-p2p host, you run storm-p2p "
    "join."
)
_TUNNEL: Final = lazy(
    "Join your networks with Tailscale, ZeroTier or WireGuard; the address shows up here by itself. With a machine of your "
    "own, forward a port by ssh -R (docs/connecting.md)."
)
_TOR: Final = lazy(
    "Open Tor Browser on both machines and leave it open; or start tor on both, on yours with ControlPort 9051 and "
    "CookieAuthentication 1. The invite then carries an onion address."
)
_BRIDGE: Final = lazy("Set one of your two routers to bridge mode, or ask the provider for a public IPv4 address.")
_PROVIDER: Final = lazy("Ask your provider for a public IPv4 address or for IPv6; many give you one if you ask.")


WINDOWS: Final = lazy(
    "Windows may now ask whether Python may accept connections; tick both boxes, or your friend cannot join."
)
DOCTOR: Final = lazy("You may not be reachable from outside; storm-p2p doctor says why and what to do.")
_MOVED: Final = lazy(
    "This machine is on another network now. A match that has begun goes on as soon as one of you reaches the other."
)
WHO: Final = lazy("Who can reach you?")


def mark(state: str) -> str:
    """Return the mark before a line, as wide as any other one, for ``ok``, ``no`` or ``perhaps``."""
    return str(_MARKS[state]).ljust(max(len(str(one)) for one in _MARKS.values()))


def hosting(
    candidates: Sequence[Candidate], lacking: Sequence[Missing], seen: Seen, *, unanswered: bool = False
) -> list[str]:
    """Return what a host is told about the ways to them; nothing when they have said where they are.

    ``unanswered`` says that servers were asked how this machine is seen, and none has said it.
    """
    if not candidates:
        return []
    lines = [str(WHO), *ladder(candidates, lacking), *knocking(seen), *[str(NOT_SEEN)] * unanswered]
    outside = {one.way for one in candidates} & {Way.MAPPED, Way.PINHOLE, *_UNSURE} or seen.nature is Nature.EASY
    alone = all(classify(one.address) is AddressKind.LOOPBACK for one in candidates)
    return lines if outside or alone else [*lines, str(DOCTOR)]


def why(problem: ReachError) -> str:
    """Return the reason of a missing way; a router's own words stand behind it."""
    words = _WHY.get(problem.code)
    if words is None:
        return clean(problem.sentence)
    return f"{words!s} ({clean(problem.sentence)})" if problem.code == "refused" else str(words)


def place(address: str, port: int, *, hidden: bool = False) -> str:
    """Return an address with its port; for a report only what kind of address it is."""
    if not hidden:
        return fill("{address}, port {port}", address=clean(address), port=port)
    what = lazy("onion") if address.endswith(".onion") else classify(address).value
    return fill("({kind} address), port {port}", kind=what, port=port)


def candidate(found: Candidate, *, hidden: bool = False) -> str:
    """Return the line for a way that is there."""
    state = PERHAPS if found.way in _UNSURE else OK
    where = place(found.address, found.port, hidden=hidden)
    if classify(found.address) is AddressKind.LOOPBACK:
        return fill(
            "  {mark}  this machine     {where}: for another program on this machine", mark=mark(OK), where=where
        )
    return f"  {mark(state)}  {_NAMES[found.way]!s:15}  {where}: {_SAYS[found.way]!s}"


def missing(lacking: Missing) -> str:
    """Return the line for a way that is not there."""
    if lacking.way is Way.PINHOLE:
        return fill("  {mark}  IPv6 firewall    {why}", mark=mark(PERHAPS), why=why(lacking.problem))
    return f"  {mark(NO)}  {_NAMES[lacking.way]!s:15}  {why(lacking.problem)}"


def ladder(candidates: Iterable[Candidate], lacking: Iterable[Missing], *, hidden: bool = False) -> list[str]:
    """Return a line for each way, those that are there first."""
    return [*(candidate(one, hidden=hidden) for one in candidates), *map(missing, lacking)]


_NATURES: Final = lazy(
    {
        Nature.EASY: "seen from outside as {place}: a friend can answer your line with one of theirs",
        Nature.HARD: "your router uses a different port for each address: works if your friend's router does not",
        Nature.NONE: "this machine gets no answers by UDP",
    }
)
_NATURE_MARKS: Final = {Nature.EASY: OK, Nature.NONE: NO}


def knocking(seen: Seen, *, hidden: bool = False) -> list[str]:
    """Return the line of the ladder that says how this machine is seen from outside; none where nobody has said it."""
    words = _NATURES.get(seen.nature)
    if words is None or (seen.nature is Nature.EASY and not seen.addresses):
        return []
    text = fill(words, place=place(*seen.addresses[0], hidden=hidden)) if seen.nature is Nature.EASY else str(words)
    state = _NATURE_MARKS.get(seen.nature, PERHAPS)
    if seen.nature is Nature.NONE and seen.crossing:
        state, text = PERHAPS, f"{text}; {_('meeting by TCP may still work')}"
    name = _("by knocking")
    return [f"  {mark(state)}  {name:15}  {text}"]


asked = Sentence[Sequence[str]](
    "Asked {servers}: they learn this machine's address and the time, nothing else. --no-stun leaves them out."
)
port_taken = Sentence[int]("another program has UDP port {port}; try another one with --port")
_OUTSIDE: Final = lazy(
    {
        Nature.EASY: "{place}, seen by {number} servers; the router keeps the port: easy to meet",
        Nature.HARD: "{place}; the router uses a different port for each address: hard to meet, but works if your friend is "
        "easy to meet",
        Nature.NONE: "this machine gets no answers by UDP",
    }
)
_SEEN_ONCE: Final = lazy("{place}, seen by one server; it takes two to tell whether the router keeps the port")
_CONTRADICTED: Final = lazy("the servers disagree, so knocking is not offered: {answers}")
_ANSWERED: Final = lazy("{server} says {place}")
_NOT_PUBLIC: Final = lazy("{answers}, which is not a public address, so knocking is not offered")


def outside(seen: Seen, answers: Mapping[HostPort, HostPort], *, hidden: bool) -> str:
    """Return how this machine is seen by UDP.

    Args:
        seen: what the answers mean.
        answers: the servers, each with the place that it has seen.
        hidden: whether the own address must not be told.
    """
    places = list(dict.fromkeys(answers.values()))
    shown = " / ".join(place(*one, hidden=hidden) for one in places)
    if words := _OUTSIDE.get(seen.nature):
        return fill(words, place=shown, number=len(answers))
    if seen.addresses:
        return fill(_SEEN_ONCE, place=shown)
    said = [fill(_ANSWERED, server=server[0], place=place(*one, hidden=hidden)) for server, one in answers.items()]
    return fill(_CONTRADICTED if len(places) > 1 else _NOT_PUBLIC, answers=wording.listed(said))


def crossing(seen: Seen) -> str:
    """Return whether two calls by TCP may cross where UDP does not get through."""
    if seen.crossing:
        return _("meeting by TCP may work if your friend's network allows it too")
    return _("no two servers saw the same port, so meeting by TCP is not tried")


NOT_SEEN: Final = lazy(
    "No server has said how this machine looks from outside, so knocking may fail; friends can still call its addresses."
)
SEEN_ANEW: Final = lazy(
    "From outside, this machine now has another address or port, so the line above may no longer work."
)
KNOCKING: Final = lazy("Knocking at your friend's router ...")
MAY_SEARCH: Final = lazy(
    "Your friend's router uses a different port for each address. This program can try about 1,500 of its ports, which "
    "looks like a port scan to that router. Try them? [Y/n] "
)
_STILL: Final = lazy("So far, the routers have let nothing through. {ways} Knocking goes on until you press Ctrl-C.")


def still_knocking() -> str:
    """Return what is said when nothing has come through for a while."""
    return fill(_STILL, ways=failures.WAYS_OUT)


def connected_by(by: str, address: str, seconds: float | None) -> str:
    """Return that knocking has led to a connection by ``udp`` or ``tcp``, where that is known after how long."""
    if seconds is None:
        return fill("Connected by knocking ({by}, {address}).", by=by.upper(), address=clean(address))
    sentence = lazy("Connected by knocking after {seconds:.1f} s ({by}, {address}).")
    return fill(sentence, seconds=seconds, by=by.upper(), address=clean(address))


_BY_ANSWER: Final = lazy(
    "Run storm-p2p host anyway. If your friend cannot call you, they answer your line with one of their own, and the match "
    "begins if your two networks allow it."
)


def advice(candidates: Sequence[Candidate], lacking: Sequence[Missing], seen: Seen) -> list[str]:
    """Return what to do next, best first; one sentence when nothing has to be done."""
    ways = {one.way for one in candidates}
    if ways & {Way.MAPPED, Way.PINHOLE}:
        return [_("There is nothing you need to do: run storm-p2p host and send the line that it prints.")]
    problem = next((one.problem.code for one in lacking if one.way is Way.MAPPED), "")
    maybe = bool(ways & {*_UNSURE, Way.OVERLAY, Way.ONION})
    met = seen.nature in (Nature.EASY, Nature.HARD) or (seen.nature is Nature.NONE and seen.crossing)
    tries = _BY_ANSWER if met else maybe and _("Run storm-p2p host anyway; it may work as it is.")
    found = [str(tries)] * bool(tries) + [str(_OTHER)]
    if problem == "not-asked":
        found.insert(seen.nature is Nature.EASY, _("Leave out --no-map: the router may open a port by itself."))
    elif problem == "private":
        found.append(str(_BRIDGE))
    elif problem in ("shared", "empty", "reserved"):
        found.append(str(_PROVIDER))
    elif problem and Way.IPV4 not in ways:
        found.append(str(_ROUTER))
    if Way.OVERLAY not in ways:
        found.append(str(_TUNNEL))
    if Way.ONION not in ways:
        found.append(str(_TOR))
    return found


def news(notice: ReachNotice) -> str:
    """Return what has happened to the ways to this machine."""
    match notice:
        case PortAsked(port):
            return fill(
                "Asking the router to let your friend in on port {port}; this takes a few seconds at most.", port=port
            )
        case PortChanged(news):
            if isinstance(news, ReachError):
                return fill(
                    "The router no longer keeps the port open: {why}. The current connection stays up; the router is "
                    "asked again every half minute.",
                    why=why(news),
                )
            return fill(
                "The router was restarted or has a new address; the port is now open at {place}. An invite you sent "
                "before may no longer work.",
                place=place(news.address, news.port),
            )
        case NetworkChanged():
            return str(_MOVED)
