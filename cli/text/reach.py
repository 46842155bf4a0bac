"""How the other player can reach this machine, in words: each way, why it is missing, and what to do next."""

from collections.abc import Iterable, Sequence
from typing import Final

from cli.clean import clean
from cli.notices import NetworkChanged, PortAsked, PortChanged, ReachNotice
from cli.text.wording import _, fill, lazy
from protocol.reach import ReachError
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.candidates import Candidate, Missing, Way

OK, NO, PERHAPS = "[ok]", "[no]", "[?] "

_NAMES: Final = lazy({
    Way.MAPPED: "internet, IPv4",
    Way.PINHOLE: "internet, IPv6",
    Way.IPV4: "internet, IPv4",
    Way.IPV6: "internet, IPv6",
    Way.LAN: "same network",
    Way.OVERLAY: "overlay network",
    Way.ONION: "Tor",
})  # fmt: skip

_SAYS: Final = lazy({
    Way.MAPPED: "the router has opened it, and will close it at the end",
    Way.PINHOLE: "the router lets it through until the end",
    Way.IPV4: "this machine's own address; a firewall may still say no",
    Way.IPV6: "for somebody who also has IPv6; a firewall may still say no",
    Way.LAN: "for players in the same house",
    Way.OVERLAY: "for players on the same Tailscale or other private network",
    Way.ONION: "through tor, slowly; it can take a minute until it is found",
})  # fmt: skip

_UNSURE: Final = (Way.IPV4, Way.IPV6)

_WHY: Final = lazy({
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
})  # fmt: skip

_ROUTER: Final = lazy(
    "Switch on UPnP or PCP in your router's settings; or have it forward one TCP port to this machine, and start "
    "storm-p2p host --port with that number."
)
_OTHER: Final = lazy(
    "Let your friend host instead: only one of you has to be reachable. They run storm-p2p host, you run storm-p2p "
    "join."
)
_TUNNEL: Final = lazy(
    "Join your networks with Tailscale, ZeroTier or WireGuard, or with ssh -R; the address shows up here by itself."
)
_TOR: Final = lazy(
    "Start tor on both machines, on yours with ControlPort 9051 and CookieAuthentication 1; the invite then carries an"
    " onion address."
)
_BRIDGE: Final = lazy("Set one of your two routers to bridge mode, or ask the provider for a public IPv4 address.")
_PROVIDER: Final = lazy("Ask your provider for a public IPv4 address or for IPv6; many give you one if you ask.")


WINDOWS: Final = lazy(
    "Windows may now ask whether Python may accept connections; tick both boxes, or your opponent cannot join."
)
DOCTOR: Final = lazy("You may not be reachable from outside; storm-p2p doctor says why and what to do.")
_MOVED: Final = lazy(
    "This machine is on another network now, so an invite you sent before may no longer work. If you are still "
    "waiting, leave with Ctrl-C and host again; a match that has begun goes on as soon as one of you reaches the other."
)
WHO: Final = lazy("Who can reach you?")


def mark(state: str) -> str:
    """Return the mark before a line, the same in every language: for ``ok``, ``no`` or ``perhaps``."""
    return {"ok": OK, "no": NO}.get(state, PERHAPS)


def hosting(candidates: Sequence[Candidate], lacking: Sequence[Missing]) -> list[str]:
    """Return what a host is told about the ways to him; nothing when he has said himself where he is."""
    if not candidates:
        return []
    lines = [str(WHO), *ladder(candidates, lacking)]
    outside = {one.way for one in candidates} & {Way.MAPPED, Way.PINHOLE, *_UNSURE}
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
    mark = PERHAPS if found.way in _UNSURE else OK
    where = place(found.address, found.port, hidden=hidden)
    if classify(found.address) is AddressKind.LOOPBACK:
        return fill("  {mark}  this machine     {where}: for another program on this machine", mark=OK, where=where)
    return f"  {mark}  {_NAMES[found.way]!s:15}  {where}: {_SAYS[found.way]!s}"


def missing(lacking: Missing) -> str:
    """Return the line for a way that is not there."""
    if lacking.way is Way.PINHOLE:
        return fill("  {mark}  IPv6 firewall    {why}", mark=PERHAPS, why=why(lacking.problem))
    return f"  {NO}  {_NAMES[lacking.way]!s:15}  {why(lacking.problem)}"


def ladder(candidates: Iterable[Candidate], lacking: Iterable[Missing], *, hidden: bool = False) -> list[str]:
    """Return a line for each way, those that are there first."""
    return [*(candidate(one, hidden=hidden) for one in candidates), *map(missing, lacking)]


def advice(candidates: Sequence[Candidate], lacking: Sequence[Missing]) -> list[str]:
    """Return what to do next, best first; one sentence when nothing has to be done."""
    ways = {one.way for one in candidates}
    if ways & {Way.MAPPED, Way.PINHOLE}:
        return [_("There is nothing you need to do: run storm-p2p host and send the line that it prints.")]
    problem = next((one.problem.code for one in lacking if one.way is Way.MAPPED), "")
    maybe = bool(ways & {*_UNSURE, Way.OVERLAY, Way.ONION})
    found = [_("Run storm-p2p host anyway; it may work as it is.")] * maybe + [str(_OTHER)]
    if problem == "not-asked":
        found.insert(0, _("Leave out --no-map: the router may open a port by itself."))
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
                "Asking the router to let your opponent in on port {port}; this takes a few seconds at most.", port=port
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
