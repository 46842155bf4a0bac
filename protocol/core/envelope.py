"""The envelope, a link of the common chain: its fields and its schema (SPEC.md, section "The header, and envelopes").

Its bytes only.  What is *not* here: whether it may come now; that is :mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from protocol.core import wire
from protocol.core.clock import Stamp
from protocol.core.messages import HEADER_SCHEMA, Header
from protocol.core.steps import STEPS_SCHEMA, Step, step_of, step_value


@dataclass(frozen=True, slots=True)
class Envelope(Header):
    """A link of the common chain; exactly one seat may write the next."""

    steps: tuple[Step, ...]
    state: bytes
    """The hash of the game's public state after this message."""
    stamp: Stamp | None = None
    """What it says of time, in a match with a clock."""

    @property
    def number(self) -> int:
        """Counted from 1 along the chain."""
        return self.seq + 1

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        steps = tuple(step_value(step) for step in self.steps)
        timed = self.stamp is not None
        body = (steps, *self.stamp) if self.stamp is not None else steps
        kind = TIMED if timed else STEPS
        return wire.pack((*self.fields, kind, body, self.state), _check_envelope)

    @staticmethod
    def unpack(data: bytes) -> Envelope:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        value: Any = wire.unpack(data, _check_envelope)
        *header, kind, body, state = value
        steps, stamp = (body[0], body[1:]) if kind == TIMED else (body, None)
        return Envelope(*(*header, tuple(step_of(step) for step in steps), state, stamp))


STEPS = 1
"""The type of an envelope that carries steps."""

TIMED = 2
"""The type of one that carries steps and times, in a match with a clock."""

_ENVELOPE = wire.fields(
    "envelope", *HEADER_SCHEMA, ("type", wire.integer(STEPS, TIMED)), ("body", wire.anything), ("state", wire.HASH)
)
_BODY = wire.fields("envelope", ("body", STEPS_SCHEMA))
_TIMED_BODY = wire.fields(
    "body", ("steps", STEPS_SCHEMA), *((name, wire.COUNT) for name in ("spent", "down", "read", "read_down"))
)


def _check_envelope(value: object) -> None:
    _ENVELOPE(value)
    assert isinstance(value, tuple)
    kind, body = value[5:7]
    if kind == TIMED:
        _TIMED_BODY(body)
    else:
        _BODY((body,))
