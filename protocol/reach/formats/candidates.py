"""Where the other player may call, best first, and for each way that is missing the reason.

A pure function of what the system and the routers have said.  *Sure* is a way that a router has opened; the others
may still end at a firewall, and nobody outside can be asked without a server.
"""

from dataclasses import dataclass
from enum import Enum

from protocol.reach import ReachError
from protocol.reach.formats.addresses import AddressKind, classify
from protocol.reach.formats.outcome import Attempt


class Way(Enum):
    """How a candidate leads here; the order is that of promise."""

    MAPPED = "mapped"
    """A port of the router, from anywhere."""
    PINHOLE = "pinhole"
    """An IPv6 address for which the router has opened its firewall, from anywhere."""
    IPV4 = "ipv4"
    """A public IPv4 address of this machine's own, from anywhere if no firewall says no."""
    IPV6 = "ipv6"
    """A public IPv6 address, from anywhere with IPv6 if no firewall says no."""
    LAN = "lan"
    """From the same network."""
    OVERLAY = "overlay"
    """From the same overlay network, such as Tailscale."""
    ONION = "onion"
    """From anywhere through the Tor network, slowly."""


_ORDER = tuple(Way)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One address to call."""

    way: Way
    address: str
    port: int


@dataclass(frozen=True, slots=True)
class Missing:
    """A way that is not there."""

    way: Way
    problem: ReachError


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about this machine's place."""

    port: int
    """On which it listens."""
    own: tuple[str, ...]
    """Its addresses (:func:`protocol.reach.surroundings.find_own_addresses`)."""
    mapped: tuple[Attempt, ...] | None = None
    """What came of asking the router; None when nobody has asked."""
    pinhole: Attempt | None = None
    """What came of asking the IPv6 router."""
    onion: str | ReachError | None = None
    """The onion address, or why there is none."""
    beyond: str | None = None
    """What stands behind the router (:mod:`protocol.reach.hops`)."""


def rank_candidates(facts: Facts) -> tuple[tuple[Candidate, ...], tuple[Missing, ...]]:
    """Return the candidates in the order of their promise, and what is missing."""
    found = [_own(address, facts) for address in facts.own]
    missing: list[Missing] = []
    for attempt in facts.mapped or ():
        if attempt.mapped is not None:
            found.append(Candidate(Way.MAPPED, attempt.mapped.address, attempt.mapped.port))
    if isinstance(facts.onion, str):
        found.append(Candidate(Way.ONION, facts.onion, facts.port))
    ways = {candidate.way for candidate in found if candidate is not None}
    if not ways & {Way.MAPPED, Way.IPV4}:
        missing.append(Missing(Way.MAPPED, pick_reason(facts.mapped, facts.beyond)))
    if not ways & {Way.IPV6, Way.PINHOLE}:
        missing.append(Missing(Way.IPV6, ReachError("no-ipv6", "expected a public IPv6 address, got none")))
    elif Way.PINHOLE not in ways and facts.pinhole is not None and facts.pinhole.problem is not None:
        missing.append(Missing(Way.PINHOLE, facts.pinhole.problem))
    if Way.LAN not in ways:
        missing.append(Missing(Way.LAN, ReachError("no-network", "expected an address in a network, got none")))
    if isinstance(facts.onion, ReachError):
        missing.append(Missing(Way.ONION, facts.onion))
    candidates = sorted((one for one in found if one is not None), key=lambda one: _ORDER.index(one.way))
    return tuple(dict.fromkeys(candidates)), tuple(missing)


def _own(address: str, facts: Facts) -> Candidate | None:
    is_v6 = ":" in address
    match classify(address):
        case AddressKind.PUBLIC if not is_v6:
            way = Way.IPV4
        case AddressKind.PUBLIC:
            pinhole = facts.pinhole.mapped if facts.pinhole is not None else None
            way = Way.PINHOLE if pinhole is not None and pinhole.address == address else Way.IPV6
        case AddressKind.PRIVATE:
            # Tailscale's own corner of the private IPv6 addresses is an overlay; the rest is the house.
            way = Way.OVERLAY if address.startswith("fd7a:115c:a1e0:") else Way.LAN
        case AddressKind.SHARED:
            way = Way.OVERLAY
        case AddressKind.RESERVED:
            # A laboratory may use such addresses; the internet does not carry them.
            way = Way.LAN
        case _:
            return None
    return Candidate(way, address, facts.port)


# What a router has said about itself tells more than that it has said nothing.
_TELLING = ("shared", "private", "empty", "reserved", "refused", "elsewhere", "malformed", "oversized", "silent")

UNEXPLAINED = ("empty", "refused", "silent", "closed")
"""Reasons that what stands behind the router may explain: the router has told no address of its own."""


def pick_reason(attempts: tuple[Attempt, ...] | None, beyond: str | None = None) -> ReachError:
    """Return the reason that explains best why no router has opened a port.

    Args:
        attempts: what came of asking; None when nobody has asked.
        beyond: what stands behind the router.
    """
    if attempts is None:
        return ReachError("not-asked", "expected to ask the router, was told not to")
    problems = [attempt.problem for attempt in attempts if attempt.problem is not None]
    if not problems:
        return ReachError("no-router", "expected a router to the internet, got none")
    found = min(problems, key=lambda one: _TELLING.index(one.code) if one.code in _TELLING else len(_TELLING))
    if found.code in UNEXPLAINED and beyond is not None:
        problem = f"expected the internet behind the router, got {beyond}"
        if classify(beyond) is AddressKind.SHARED:
            return ReachError("shared", problem)
        if beyond.startswith("192.168."):
            # Home routers give out these addresses; those of the other private networks may be the provider's own.
            return ReachError("private", problem)
    return found
