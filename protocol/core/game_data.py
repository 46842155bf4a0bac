"""What a match is played with beside its terms: conditions, and the data of the game as records of its log.

Conditions are a clock, a witness, an event, aids, and that others may watch (SPEC.md, section "Conditions"); the data
is in section "Data of a game".  The terms of a game are the game's own words; conditions are the session's.  Both stand
in the host's signed offer, conditions as pairs of a tag and a value.  A program that does not know an even tag must not
take the offer; an odd one may be ignored.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import Annotated, Any, Final, TypeAlias

from protocol.core import wire
from protocol.core.clock import ClockTerms, clock_schema
from protocol.core.frames import PART_LENGTH, FrameKind, Record, pack_frame, unpack_frame
from protocol.errors import WireError
from protocol.game import Game

HANDSHAKE_LENGTH = 4
"""How many records the handshake has."""


def data_records(data: bytes) -> list[Record]:
    """Return the records of data; none where there are no data.

    Raises:
        WireError: they are too long.
    """
    parts = [data[at : at + PART_LENGTH] for at in range(0, len(data), PART_LENGTH)]
    return [Record(FrameKind.DATA, pack_frame(FrameKind.DATA, *part)) for part in enumerate(parts)]


def read_data(records: Sequence[Record]) -> tuple[bytes, int]:
    """Return the data in the records of a match, and how many records stand before its first message.

    The first record that is not the next part ends them; the match says what is wrong with one that comes later.
    """
    parts: list[bytes] = []
    for record in records[HANDSHAKE_LENGTH:]:
        if record.kind != FrameKind.DATA:
            break
        try:
            kind, values = unpack_frame(record.frame)
        except WireError:
            break
        if kind is not FrameKind.DATA or values[0] != len(parts):
            break
        parts.append(values[1])
    return b"".join(parts), HANDSHAKE_LENGTH + len(parts)


def supply(game: Game[Any], data: bytes) -> Game[Any]:
    """Return a game with its data; the game itself where there are none.

    Raises:
        ValueError: the game takes no data, or not these.
    """
    return game.supply(data) if data else game


class Tag(IntEnum):
    """What a condition is about."""

    CLOCK = 2
    WITNESS = 4
    EVENT = 6
    AIDS = 8
    WATCHED = 10


NEEDS: Final = {Tag.EVENT: "event", Tag.WATCHED: "watched"}
"""The capability that both must have for a condition."""
LONGEST_DELAY: Final = 86_400
"""In seconds: a spectator is at most a day behind."""


@dataclass(frozen=True, slots=True)
class WitnessTerms:
    """Who countersigns."""

    key: wire.Hash
    """The witness's public key."""
    address: Annotated[str, wire.word(100)]
    """Where it can be reached, as HOST:PORT."""


Place: TypeAlias = Annotated[int, wire.integer(1, 65_535)]


@dataclass(frozen=True, slots=True)
class EventTerms:
    """For which place in which event the match counts, and for no other one."""

    event: wire.Hash
    """The number of the event."""
    round: Place
    table: Place
    game: Place
    """The number of the game within its pairing; all three count from 1."""
    document: wire.Hash
    """The id of the document that published the round."""

    @property
    def place(self) -> str:
        """The game as it is typed and shown: ``2.1.1``."""
        return f"{self.round}.{self.table}.{self.game}"


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a match; nothing at all by default."""

    clock: ClockTerms | None = None
    witness: WitnessTerms | None = None
    event: EventTerms | None = None
    aids: bool = False
    """Whether both may ask their computer for advice while they play."""
    watched: int | None = None
    """How many seconds what is published must be old while the match goes on; None: nobody else may watch."""
    unknown: tuple[tuple[int, bytes], ...] = ()
    """The tags, with their values, that this program does not know."""

    @property
    def unsupported(self) -> tuple[int, ...]:
        """The tags that a program must know to take the offer, and this one does not."""
        return tuple(tag for tag, _ in self.unknown if tag % 2 == 0)

    def missing(self, capabilities: Collection[str]) -> tuple[int, ...]:
        """Return the tags that are not allowed between two who share only these capabilities."""
        wanted = {Tag.EVENT: self.event is not None, Tag.WATCHED: self.watched is not None}
        return tuple(int(tag) for tag, given in wanted.items() if given and NEEDS[tag] not in capabilities)

    def value(self) -> tuple[Any, ...]:
        """Return the form that is signed: pairs in the order of their tags."""
        found = {
            Tag.CLOCK: self.clock and self.clock.value(),
            Tag.WITNESS: self.witness and astuple(self.witness),
            Tag.EVENT: self.event and astuple(self.event),
            Tag.AIDS: b"" if self.aids else None,
            Tag.WATCHED: self.watched,
        }
        known = ((int(tag), value) for tag, value in found.items() if value is not None)
        return tuple(sorted((*self.unknown, *known), key=lambda pair: pair[0]))

    @staticmethod
    def of(value: Any) -> Conditions:
        """Read :meth:`value`'s form.

        Raises:
            WireError: it is none.
        """
        conditions_schema(value)
        found = dict(value)
        clock, witness, event, aids, watched = (found.pop(int(tag), None) for tag in Tag)
        return Conditions(
            None if clock is None else ClockTerms.of(clock),
            None if witness is None else WitnessTerms(*witness),
            None if event is None else EventTerms(*event),
            aids is not None,
            watched,
            tuple(found.items()),
        )


NO_CONDITIONS = Conditions()
"""No clock, no witness and no aids: what friends play by."""

_VALUES: dict[int, wire.Check] = {
    Tag.CLOCK: clock_schema,
    Tag.WITNESS: wire.fields("witness", *wire.checks_of(WitnessTerms)),
    Tag.EVENT: wire.fields("event", *wire.checks_of(EventTerms)),
    Tag.AIDS: wire.octets(0, 0),
    Tag.WATCHED: wire.integer(0, LONGEST_DELAY),
}
# What a tag of later means stands packed in its bytes, so that a program that does not know it can keep it.
_UNKNOWN = wire.octets(0, 512)


def _check_condition(value: object) -> None:
    if type(value) is not tuple or len(value) != 2:
        raise WireError("bad_array", "array of 2", wire.describe(value))
    tag, inner = value
    wire.integer(1, 65_535)(tag)
    _VALUES.get(tag, _UNKNOWN)(inner)


_CONDITIONS = wire.items(_check_condition, 0, 16)


def conditions_schema(value: object) -> None:
    """Check the signed form of conditions.

    Raises:
        WireError: it is none.
    """
    _CONDITIONS(value)
    assert isinstance(value, tuple)
    tags = [tag for tag, _ in value]
    if tags != sorted(set(tags)):
        raise WireError("bad_conditions", "tags that ascend", str(tags))
