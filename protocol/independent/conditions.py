"""The conditions of a match, which are no rules of its game (SPEC.md, section "Conditions")."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, NamedTuple

from protocol.independent import forms
from protocol.independent.faults import Unreadable
from protocol.independent.packing import Packed

_CLOCK, _WITNESS, _EVENT, _AIDS, _WATCHED = 2, 4, 6, 8, 10
_NEEDS: Final = {_EVENT: "event", _WATCHED: "watched"}
"""The capability that both programs must have for a condition."""
_LARGEST_TAG: Final = 65535
_LONGEST_UNKNOWN: Final = 512
_LONGEST_TIME: Final = 10 * 365 * 24 * 3600

STOCK, EACH = 1, 2
"""The kinds of a clock: a stock of time for the match, or so much for each decision."""


class ClockTerms(NamedTuple):
    """How long somebody may think, in seconds."""

    kind: int
    base: int
    increment: int
    tolerance: int
    away: int
    absent: int


class WitnessTerms(NamedTuple):
    """Who countersigns the times of messages."""

    key: bytes
    address: str


class EventTerms(NamedTuple):
    """The one place for which a match counts."""

    id: bytes
    round: int
    table: int
    game: int
    document: bytes


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a match."""

    clock: ClockTerms | None = None
    witness: WitnessTerms | None = None
    event: EventTerms | None = None
    aids: bool = False
    watched: int | None = None
    """The least delay of what is published, in seconds."""


def read_conditions(value: Packed, capabilities: AbstractSet[str]) -> Conditions:
    """Return the conditions of an offer, given what both programs can do.

    Raises:
        Unreadable: ``bad_conditions`` or another code of the table of damage; ``conditions`` if one of them must be
            known and is not.
    """
    pairs = [forms.array(one, 2, 2) for one in forms.array(value, 0, 16)]
    found = {forms.integer(tag, 1, _LARGEST_TAG): said for tag, said in pairs}
    if list(found) != sorted(found) or len(found) != len(pairs):
        raise Unreadable("bad_conditions")
    for tag, said in found.items():
        if tag not in (_CLOCK, _WITNESS, _EVENT, _AIDS, _WATCHED):
            forms.binary(said, 0, _LONGEST_UNKNOWN)
            if tag % 2 == 0:
                raise Unreadable("conditions")
    if _AIDS in found:
        forms.binary(found[_AIDS], 0, 0)
    if any(tag in found and word not in capabilities for tag, word in _NEEDS.items()):
        raise Unreadable("conditions")
    return Conditions(
        _clock(found[_CLOCK]) if _CLOCK in found else None,
        _witness(found[_WITNESS]) if _WITNESS in found else None,
        _event(found[_EVENT]) if _EVENT in found else None,
        _AIDS in found,
        forms.integer(found[_WATCHED], 0, 86_400) if _WATCHED in found else None,
    )


def _clock(value: Packed) -> ClockTerms:
    terms = ClockTerms(*(forms.integer(one, 0, _LONGEST_TIME) for one in forms.array(value, 6, 6)))
    if terms.kind not in (STOCK, EACH) or (terms.kind == EACH and terms.increment) or not (terms.base and terms.absent):
        raise Unreadable("bad_clock")
    return terms


def _witness(value: Packed) -> WitnessTerms:
    key, address = forms.array(value, 2, 2)
    return WitnessTerms(forms.digest(key), forms.word(address, 100))


def _event(value: Packed) -> EventTerms:
    found, *numbers, document = forms.array(value, 5, 5)
    turn, table, game = (forms.integer(one, 1, 65535) for one in numbers)
    return EventTerms(forms.digest(found), turn, table, game, forms.digest(document))
