"""What two players agree on beside the rules: a clock, a witness, an event, aids (SPEC.md, section "Conditions").

The terms of a game are the game's own words; these are the session's.  Both stand in the host's signed offer, as pairs
of a tag and a value.  A program that does not know an even tag must not take the offer; an odd one may be ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from protocol.core import wire
from protocol.core.clock.terms import ClockTerms, clock_schema
from protocol.errors import WireError


class Tag(IntEnum):
    """What a condition is about."""

    CLOCK = 2
    WITNESS = 4
    EVENT = 6
    AIDS = 8


@dataclass(frozen=True, slots=True)
class WitnessTerms:
    """Who countersigns."""

    key: bytes
    """The witness's public key."""
    address: str
    """Where it can be reached, as HOST:PORT."""


@dataclass(frozen=True, slots=True)
class EventTerms:
    """For which place in which event the match counts, and for no other one."""

    event: bytes
    """The number of the event, 32 bytes."""
    round: int
    table: int
    game: int
    """The number of the game within its pairing; all three count from 1."""
    document: bytes
    """The id of the document that published the round, 32 bytes."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a match; nothing at all by default."""

    clock: ClockTerms | None = None
    witness: WitnessTerms | None = None
    event: EventTerms | None = None
    aids: bool = False
    """Whether both may ask their computer for advice while they play."""
    unknown: tuple[tuple[int, bytes], ...] = ()
    """The tags, with their values, that this program does not know."""

    @property
    def unsupported(self) -> tuple[int, ...]:
        """The tags that a program must know to take the offer, and this one does not."""
        return tuple(tag for tag, _ in self.unknown if tag % 2 == 0)

    def value(self) -> tuple[Any, ...]:
        """Return the form that is signed: pairs in the order of their tags."""
        pairs: list[tuple[int, Any]] = list(self.unknown)
        if self.clock is not None:
            pairs.append((int(Tag.CLOCK), self.clock.value()))
        if self.witness is not None:
            pairs.append((int(Tag.WITNESS), (self.witness.key, self.witness.address)))
        if self.event is not None:
            one = self.event
            pairs.append((int(Tag.EVENT), (one.event, one.round, one.table, one.game, one.document)))
        if self.aids:
            pairs.append((int(Tag.AIDS), b""))
        return tuple(sorted(pairs, key=lambda pair: pair[0]))

    @staticmethod
    def of(value: Any) -> Conditions:
        """Read :meth:`value`'s form.

        Raises:
            WireError: it is none.
        """
        conditions_schema(value)
        found = dict(value)
        clock, witness, event, aids = (found.pop(int(tag), None) for tag in Tag)
        return Conditions(
            None if clock is None else ClockTerms.of(clock),
            None if witness is None else WitnessTerms(*witness),
            None if event is None else EventTerms(*event),
            aids is not None,
            tuple(found.items()),
        )


NO_CONDITIONS = Conditions()
"""No clock, no witness and no aids: what friends play by."""

_NUMBER = wire.integer(1, 65_535)
_VALUES: dict[int, wire.Check] = {
    Tag.CLOCK: clock_schema,
    Tag.WITNESS: wire.fields("witness", ("key", wire.HASH), ("address", wire.word(100))),
    Tag.EVENT: wire.fields(
        "event",
        ("event", wire.HASH), ("round", _NUMBER), ("table", _NUMBER), ("game", _NUMBER), ("document", wire.HASH),
    ),
    Tag.AIDS: wire.octets(0, 0),
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
