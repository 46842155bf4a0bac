"""What an address is good for.

A router that says "mapped" has opened nothing when the address before it is none of the internet: behind a
provider's shared address (RFC 6598), behind a second router, or with no address at all.
"""

import ipaddress
from enum import Enum

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address

_SHARED = ipaddress.ip_network("100.64.0.0/10")
_LOCAL = ipaddress.ip_network("fc00::/7")
_PRIVATE = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_LITE = ipaddress.ip_network("192.0.0.0/24")


class AddressKind(Enum):
    """What an address is good for."""

    PUBLIC = "public"
    """Reaches across the internet."""
    SHARED = "shared"
    """100.64.0.0/10: a provider's carrier-grade NAT, or an overlay such as Tailscale on the machine itself."""
    PRIVATE = "private"
    """Reaches within one network (RFC 1918, RFC 4193)."""
    LINK = "link"
    """Reaches within one cable or radio; useless without the name of the interface."""
    LOOPBACK = "loopback"
    """Reaches this machine only."""
    EMPTY = "empty"
    """No address: 0.0.0.0, ``::``, or nothing."""
    RESERVED = "reserved"
    """Nobody's: documentation, multicast, DS-Lite and what is kept for later."""


def classify(address: str | Ip) -> AddressKind:
    """Return what an address is good for; what is no address at all is ``EMPTY``."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return AddressKind.EMPTY
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    if ip.is_unspecified:
        return AddressKind.EMPTY
    if ip.is_loopback:
        return AddressKind.LOOPBACK
    if ip.is_link_local:
        return AddressKind.LINK
    if isinstance(ip, ipaddress.IPv4Address):
        if ip in _SHARED:
            return AddressKind.SHARED
        if any(ip in network for network in _PRIVATE):
            return AddressKind.PRIVATE
        return AddressKind.PUBLIC if ip.is_global and not ip.is_multicast and ip not in _LITE else AddressKind.RESERVED
    if ip in _LOCAL:
        return AddressKind.PRIVATE
    # Of IPv6 only 2000::/3 is given out; transition addresses such as 6to4 and Teredo reach nobody today.
    usable = ip.packed[0] >> 5 == 1 and ip.is_global and ip.sixtofour is None and ip.teredo is None
    return AddressKind.PUBLIC if usable else AddressKind.RESERVED
