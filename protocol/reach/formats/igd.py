"""What a UPnP router describes and answers: WANIPConnection 1 and 2, WANPPPConnection 1.

What is *not* here: sockets.  An address to which a description sends this program must be on the machine that
described it; whatever points elsewhere is refused.
"""

import re
from dataclasses import dataclass
from urllib.parse import urljoin
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from protocol.reach import ReachError
from protocol.reach.formats.ssdp import Location, locate
from protocol.reach.formats.xmltree import parse, text_of

_KINDS = (
    "urn:schemas-upnp-org:service:WANIPConnection:2",
    "urn:schemas-upnp-org:service:WANIPConnection:1",
    "urn:schemas-upnp-org:service:WANPPPConnection:1",
)

CONFLICT = 718
"""Somebody else has that port outside."""
ONLY_PERMANENT = 725
"""The router knows no leases."""

FAULTS = {
    401: "no such action",
    402: "invalid arguments",
    501: "action failed",
    606: "not authorised",
    715: "wild card not permitted",
    716: "wild card not permitted",
    CONFLICT: "the port is taken",
    724: "only equal ports",
    ONLY_PERMANENT: "only permanent leases",
    726: "only for everybody",
    728: "no port is free",
    729: "conflicts with another mechanism",
    732: "wild card not permitted",
}
"""What the error numbers mean (UPnP WANIPConnection:2, section 2.5)."""


class RouterFault(ReachError):
    """The router refuses an action; ``number`` is its error."""

    def __init__(self, number: int) -> None:
        super().__init__("refused", f"UPnP error {number}, {FAULTS.get(number, 'unknown')}")
        self.number = number


@dataclass(frozen=True, slots=True)
class Service:
    """A connection to the internet that a router offers to control."""

    kind: str
    control: Location

    @property
    def any_port(self) -> bool:
        """Whether the router can choose a free port by itself."""
        return self.kind == _KINDS[0]


def find_services(data: bytes, at: Location) -> tuple[Service, ...]:
    """Return the connections in a description, the newest kind first.

    Args:
        data: the description.
        at: where it was read.

    Raises:
        ReachError: ``malformed``, ``oversized``, ``elsewhere`` (it points to another machine) or ``no-service``.
    """
    root = parse(data)
    base = text_of(root, "URLBase") or at.url
    found: list[Service] = []
    elsewhere = ""
    for element in root.iter("service"):
        kind, control = text_of(element, "serviceType"), text_of(element, "controlURL")
        if kind not in _KINDS or not control:
            continue
        try:
            target = locate(urljoin(base, control))
        except ValueError:
            target = None
        if target is None or target.host != at.host:
            elsewhere = control
        elif (service := Service(kind, target)) not in found:
            found.append(service)
    if not found and elsewhere:
        raise ReachError("elsewhere", f"expected a control address on {at.host}, got {elsewhere[:80]!a}")
    if not found:
        raise ReachError("no-service", "expected a connection to the internet to control, got none")
    return tuple(sorted(found, key=lambda service: _KINDS.index(service.kind)))


def write_call(service: Service, name: str, **arguments: str | int) -> tuple[bytes, str]:
    """Return the body and the SOAPAction of a call (UPnP Device Architecture 1.1, section 3.1.1)."""
    given = "".join(f"<{key}>{escape(str(value))}</{key}>" for key, value in arguments.items())
    body = (
        '<?xml version="1.0"?>\r\n<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"'
        ' s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">'
        f'<s:Body><u:{name} xmlns:u="{service.kind}">{given}</u:{name}></s:Body></s:Envelope>\r\n'
    )
    return body.encode(), f"{service.kind}#{name}"


def write_mapping(port: int, external: int, client: str, lease: int) -> dict[str, str | int]:
    """Return the arguments that ask for a TCP mapping; a lease of 0 seconds has no end."""
    return {
        "NewRemoteHost": "",
        "NewExternalPort": external,
        "NewProtocol": "TCP",
        "NewInternalPort": port,
        "NewInternalClient": client,
        "NewEnabled": 1,
        "NewPortMappingDescription": "storm-p2p",
        "NewLeaseDuration": lease,
    }


def write_unmapping(external: int) -> dict[str, str | int]:
    """Return the arguments that name a TCP mapping, to look at it or to remove it."""
    return {"NewRemoteHost": "", "NewExternalPort": external, "NewProtocol": "TCP"}


def read_answer(data: bytes, status: int, name: str) -> Element:
    """Return the element with the results of an action.

    Raises:
        RouterFault: the router refuses.
        ReachError: ``malformed`` or ``oversized``.
    """
    root = parse(data)
    if status == 200 and (found := next(root.iter(f"{name}Response"), None)) is not None:
        return found
    number = next((one.text or "" for one in root.iter("errorCode")), "")
    if re.fullmatch("[0-9]{3}", number.strip(), re.ASCII):
        raise RouterFault(int(number))
    raise ReachError("malformed", f"expected an answer to {name}, got something else with status {status}")
