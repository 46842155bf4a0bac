"""Where the two of a match can be called, as it is kept with the match."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from protocol.core import wire
from protocol.core.endpoint import CANDIDATE_LIMIT
from protocol.reach.invite import HostPort
from protocol.record.journal import Journal
from protocol.transport.certificate import PIN_LENGTH, Certificate
from protocol.transport.listening import Listener, serve

_DOOR, _CERTIFICATE, _SECRET, _PLACE = "door", "certificate", "secret", "place"
_PORT = wire.integer(0, 65_535)
_DOOR_VALUES = wire.fields(
    "door", ("bind", wire.optional(wire.text(255))), ("port", _PORT), ("secret", wire.octets(1, 64))
)
_ADDRESS = wire.fields("address", ("host", wire.text(255)), ("port", _PORT))
_PLACE_VALUES = wire.fields(
    "place", ("pin", wire.octets(PIN_LENGTH, 32)), ("candidates", wire.items(_ADDRESS, 0, CANDIDATE_LIMIT))
)


@dataclass(frozen=True, slots=True)
class Door:
    """Where and as whom we listen: the same for the whole match, so that the other finds us again."""

    certificate: Certificate
    secret: bytes = field(repr=False)
    """Of the invite; whoever does not prove it gets silence."""
    bind: str | None = None
    """None for all addresses of this machine."""
    port: int = 0
    """0 for any free one."""

    async def open(self) -> Listener:
        """Listen.

        Raises:
            protocol.transport.TransportError: the address or the port cannot be had.
        """
        return await serve(self.bind, self.port, self.certificate, self.secret)

    def kept(self) -> dict[str, bytes]:
        """Return what is stored with the match."""
        place = json.dumps({"bind": self.bind, "port": self.port}).encode()
        return {_DOOR: place, _CERTIFICATE: self.certificate.pem, _SECRET: self.secret}

    @staticmethod
    def of(journal: Journal) -> Door | None:
        """Return the door of a stored match, if it has one.

        Raises:
            protocol.record.journal.JournalError: it cannot be read.
        """
        place, pem, secret = (journal.read_kept(name) for name in (_DOOR, _CERTIFICATE, _SECRET))
        if place is None or pem is None or secret is None:
            return None
        with journal.understood(_DOOR):
            values = json.loads(place)
            _DOOR_VALUES((values["bind"], values["port"], secret))
            return Door(Certificate.load(pem), secret, values["bind"], values["port"])


@dataclass(frozen=True, slots=True)
class TheirDoor:
    """Where the other listens, and how his certificate begins."""

    pin: bytes
    candidates: tuple[HostPort, ...]

    @property
    def on_this_machine(self) -> bool:
        """Whether both are on this machine, so that nothing of a network is called and nobody else has to be let in."""
        addresses = {address for address, _ in self.candidates}
        return bool(addresses) and addresses <= {"127.0.0.1", "::1"}

    def kept(self) -> dict[str, bytes]:
        """Return what is stored with the match."""
        value = {"pin": self.pin.hex(), "candidates": [list(one) for one in self.candidates]}
        return {_PLACE: json.dumps(value).encode()}

    @staticmethod
    def of(journal: Journal) -> TheirDoor | None:
        """Return where the other of a stored match was last, if that is known.

        Raises:
            protocol.record.journal.JournalError: it cannot be read.
        """
        data = journal.read_kept(_PLACE)
        if data is None:
            return None
        with journal.understood(_PLACE):
            value = json.loads(data)
            found = TheirDoor(bytes.fromhex(value["pin"]), tuple((host, port) for host, port in value["candidates"]))
            _PLACE_VALUES((found.pin, found.candidates))
            return found


def secret_of(journal: Journal) -> bytes:
    """Return the secret of the invite with which a match began.

    Raises:
        protocol.record.journal.JournalError: it cannot be read.
    """
    return journal.read_kept(_SECRET) or b""
