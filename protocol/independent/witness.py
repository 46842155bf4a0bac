"""What the statements of a witness say (SPEC.md, section "Witness")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from protocol.game import Seat
from protocol.independent.messages import Envelope, Side, SideType, WitnessStatement
from protocol.independent.reading import Signed
from protocol.independent.side_chains import KNOWN


class Seen(NamedTuple):
    """A message that the witness was shown."""

    kind: str
    seq: int
    seat: Seat
    at: int
    number: int


def name_kind(message: Signed) -> str | None:
    """Return what a message is called that a witness is shown; None for what is none of its business."""
    match message.body:
        case Envelope():
            return "envelope"
        case Side(type=side_type) if side_type in KNOWN and side_type != SideType.CHAT:
            return SideType(side_type).name.lower()
    return None


def list_seen(statements: Sequence[WitnessStatement], messages: Mapping[bytes, Signed]) -> list[Seen]:
    """Return which messages, given by their hashes, the witness was shown and when."""
    found = []
    for statement in statements:
        message = messages.get(statement.hash)
        kind = None if message is None else name_kind(message)
        if message is not None and kind is not None and isinstance(message.body, Envelope | Side):
            found.append(Seen(kind, message.after[0], message.seat, statement.at, statement.number))
    return found


def count_contradictions(statements: Sequence[WitnessStatement]) -> int:
    """Return how often statements cannot all be true; whoever has forgotten a match begins to count anew."""
    shown: dict[bytes, WitnessStatement] = {}
    places: dict[tuple[int, bytes], bytes] = {}
    for one in statements:
        shown.setdefault(one.hash, one)
        places.setdefault((one.number, one.last), one.hash)
    doubled = sum(places[one.number, one.last] != one.hash for one in statements)
    return doubled + sum(one.last in shown and shown[one.last].at > one.at for one in statements)
