"""What two players agree on beside the rules: a clock, a witness (SPEC.md, sections "Clocks" and "Witness").

The terms of a game are the game's own words; these are the session's.  Both stand in the host's signed offer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from protocol import wire
from protocol.clock import ClockTerms, clock_schema
from protocol.errors import WireError


@dataclass(frozen=True, slots=True)
class WitnessTerms:
    """Who countersigns."""

    key: bytes
    """The witness's public key."""
    address: str
    """Where it can be reached, as HOST:PORT."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a match; nothing at all by default."""

    clock: ClockTerms | None = None
    witness: WitnessTerms | None = None

    def value(self) -> tuple[Any, ...] | None:
        """Return the form that is signed; None if nothing was agreed on."""
        if self.clock is None and self.witness is None:
            return None
        clock = None if self.clock is None else self.clock.value()
        witness = None if self.witness is None else (self.witness.key, self.witness.address)
        return (clock, witness)

    @staticmethod
    def of(value: Any) -> Conditions:
        """Read :meth:`value`'s form.

        Raises:
            WireError: it is none.
        """
        if value is None:
            return NO_CONDITIONS
        conditions_schema(value)
        clock, witness = value
        return Conditions(
            None if clock is None else ClockTerms.of(clock), None if witness is None else WitnessTerms(*witness)
        )


NO_CONDITIONS = Conditions()
"""No clock and no witness: what friends play by."""

_CONDITIONS = wire.fields(
    "conditions",
    ("clock", wire.optional(clock_schema)),
    (
        "witness",
        wire.optional(wire.fields("witness", ("key", wire.octets(32)), ("address", wire.word(100)))),
    ),
)


def conditions_schema(value: object) -> None:
    """Check the signed form of conditions; without any there is none, so that each has one form.

    Raises:
        WireError: it is none.
    """
    _CONDITIONS(value)
    if value == (None, None):
        raise WireError("bad_conditions", "a clock or a witness", "neither")
