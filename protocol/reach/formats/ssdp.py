"""The search for a UPnP router in bytes (UPnP Device Architecture 1.1, section 1.3).

An answer is used only when it comes from the very address that it names: whoever answers for another machine
would make this program talk to that one.
"""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from protocol.reach.formats.addresses import AddressKind, classify

GROUP = "239.255.255.250"
"""Where a search is sent; an answer comes back to the sender alone."""

PORT = 1900

LARGEST = 4096
"""The most bytes of an answer that are looked at."""

TARGETS = tuple(f"urn:schemas-upnp-org:device:InternetGatewayDevice:{version}" for version in (1, 2))
"""What is searched for; routers of the second version need not answer a search for the first."""

_HEADER = re.compile(rb"location[ \t]*:[ \t]*([\x21-\x7e]{1,512})[ \t]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Location:
    """Where a router describes itself; the host is always an IPv4 address."""

    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        """The whole of it."""
        return f"http://{self.host}:{self.port}{self.path}"


def request(target: str) -> bytes:
    """Return a search for a kind of device; answers within one second."""
    return (
        f'M-SEARCH * HTTP/1.1\r\nHOST: {GROUP}:{PORT}\r\nMAN: "ssdp:discover"\r\nMX: 1\r\nST: {target}\r\n\r\n'
    ).encode("ascii")


def read(data: bytes, sender: str) -> Location | None:
    """Return where the sender of an answer describes itself; None for everything that cannot be used."""
    lines = data[:LARGEST].split(b"\r\n")
    if not re.match(rb"HTTP/1\.[01] 200\b", lines[0]):
        return None
    found = [match[1] for line in lines[1:] if (match := _HEADER.fullmatch(line))]
    if len(found) != 1:
        return None
    location = locate(found[0].decode("ascii"))
    # A router's inside is never an address of the internet.
    if location is None or location.host != sender or classify(sender) is AddressKind.PUBLIC:
        return None
    return location


def locate(url: str) -> Location | None:
    """Return the parts of a plain ``http`` address with a number for a host; None for any other."""
    try:
        parts = urlsplit(url)
        host, port = str(ipaddress.IPv4Address(parts.hostname or "")), 80 if parts.port is None else parts.port
    except ValueError:
        return None
    if parts.scheme != "http" or parts.username is not None or port == 0:
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Location(host, port, path) if path.isascii() and path.isprintable() and " " not in path else None
