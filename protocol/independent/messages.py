"""What the frames of a match hold inside (SPEC.md, sections "Envelopes" to "RESULT, SEED and VERDICT", "Witness")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias

from protocol.game import Seat
from protocol.independent import forms
from protocol.independent.faults import Unreadable
from protocol.independent.packing import Packed, is_canonical, unpack
from protocol.independent.steps import Step, read_step

_PLAIN, _TIMED = 1, 2
_LARGEST_TYPE: Final = 65535
_LONGEST_UNKNOWN: Final = 1024


class SideType(IntEnum):
    """What a side envelope says."""

    CHAT = 1
    OFFER = 2
    ACCEPT = 3
    DECLINE = 4
    RESIGN = 5
    PROPOSE = 6
    AGREE = 7
    REJECT = 8
    GO_ON = 9
    CLAIM = 10
    DENY = 11


TIME, ABSENCE = 1, 2
"""The grounds of a claim."""
PAUSE, ADJOURNMENT = 1, 2
"""The kinds of a break."""


class Stamp(NamedTuple):
    """What an envelope of a match with a clock says, in seconds."""

    spent: int
    down: int
    read: int
    read_down: int


@dataclass(frozen=True, slots=True)
class Envelope:
    """Steps of a seat."""

    match_id: bytes
    seq: int
    seat: Seat
    sides: tuple[int, ...]
    prev: bytes
    steps: tuple[Step, ...]
    times: Stamp | None
    state: bytes


SideBody: TypeAlias = "int | str | bytes | tuple[int, int, int] | None"


@dataclass(frozen=True, slots=True)
class Side:
    """A message outside the order of the game."""

    match_id: bytes
    number: int
    seat: Seat
    prev: bytes
    seq: int
    head: bytes
    type: int
    body: SideBody


@dataclass(frozen=True, slots=True)
class Result:
    """How the match has ended, and by what."""

    match_id: bytes
    seq: int
    head: bytes
    sides: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]
    grounds: tuple[tuple[Seat, bytes], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the audit of a seat has found."""

    match_id: bytes
    seat: Seat
    problems: tuple[tuple[str, int | None, Seat | None], ...]


@dataclass(frozen=True, slots=True)
class WitnessStatement:
    """When a witness was shown a message."""

    match_id: bytes
    key: bytes
    hash: bytes
    at: int
    number: int
    last: bytes


def read_envelope(data: bytes) -> Envelope:
    """Return an envelope.

    Raises:
        Unreadable: a code of the table of damage, or ``reserved``.
    """
    value = unpack(data)
    match_id, seq, seat, sides, prev, kind, body, state = forms.array(value, 8, 8)
    times = None
    found = (
        forms.digest(match_id), forms.integer(seq, 1), forms.seat(seat), _counts(sides), forms.digest(prev),
    )  # fmt: skip
    state = forms.digest(state)
    if forms.integer(kind, _PLAIN, _TIMED) == _TIMED:
        body, *seconds = forms.array(body, 5, 5)
        times = Stamp(*(forms.integer(one) for one in seconds))
    steps = tuple(read_step(one) for one in forms.array(body, 1, 32))
    envelope = Envelope(*found, steps, times, state)
    _check_canonical(data, value)
    return envelope


def _counts(value: Packed) -> tuple[int, ...]:
    return tuple(forms.integer(one) for one in forms.array(value, 1, 8))


def _check_canonical(data: bytes, value: Packed) -> None:
    if not is_canonical(data, value):
        raise Unreadable("not_canonical")


def read_side(data: bytes) -> Side:
    """Return a side envelope.

    Raises:
        Unreadable: a code of the table of damage.
    """
    value = unpack(data)
    match_id, number, seat, prev, seq, head, kind, body = forms.array(value, 8, 8)
    kind = forms.integer(kind, 1, _LARGEST_TYPE)
    side = Side(
        forms.digest(match_id), forms.integer(number, 1), forms.seat(seat), forms.digest(prev), forms.integer(seq),
        forms.digest(head), kind, _side_body(kind, body),
    )  # fmt: skip
    _check_canonical(data, value)
    return side


def _side_body(kind: int, value: Packed) -> SideBody:
    match kind:
        case SideType.CHAT:
            return forms.text(value, 500)
        case SideType.OFFER | SideType.RESIGN | SideType.GO_ON:
            if value is not None:
                raise Unreadable("bad_side")
            return None
        case SideType.PROPOSE:
            return forms.integer(value, PAUSE, ADJOURNMENT)
        case SideType.CLAIM:
            ground, read, down = forms.array(value, 3, 3)
            return forms.integer(ground, TIME, ABSENCE), forms.integer(read), forms.integer(down)
        case SideType.ACCEPT | SideType.DECLINE | SideType.AGREE | SideType.REJECT | SideType.DENY:
            return forms.integer(value, 1)
    return forms.binary(value, 0, _LONGEST_UNKNOWN)


def read_result(data: bytes) -> Result:
    """Return a result.

    Raises:
        Unreadable: a code of the table of damage.
    """
    value = unpack(data)
    match_id, seq, head, sides, pairs, grounds = forms.array(value, 6, 6)
    result = Result(
        forms.digest(match_id), forms.integer(seq), forms.digest(head), _counts(sides),
        tuple(_pair(one) for one in forms.array(pairs, 1, 8)),
        tuple(_ground(one) for one in forms.array(grounds, 0, 8)),
    )  # fmt: skip
    if not _ascend([key for key, _ in result.pairs]) or not _ascend([seat for seat, _ in result.grounds]):
        raise Unreadable("bad_array")
    _check_canonical(data, value)
    return result


def _pair(value: Packed) -> tuple[str, str]:
    key, said = forms.array(value, 2, 2)
    return forms.word(key, 32), forms.word(said, 64)


def _ground(value: Packed) -> tuple[Seat, bytes]:
    seat, found = forms.array(value, 2, 2)
    return forms.seat(seat), forms.digest(found)


def _ascend(keys: Sequence[Any]) -> bool:
    return list(keys) == sorted(set(keys))


def read_verdict(data: bytes) -> Verdict:
    """Return a verdict.

    Raises:
        Unreadable: a code of the table of damage.
    """
    value = unpack(data)
    match_id, seat, problems = forms.array(value, 3, 3)
    found = tuple(_problem(one) for one in forms.array(problems, 0, 64))
    verdict = Verdict(forms.digest(match_id), forms.seat(seat), found)
    _check_canonical(data, value)
    return verdict


def _problem(value: Packed) -> tuple[str, int | None, Seat | None]:
    code, seq, seat = forms.array(value, 3, 3)
    return (
        forms.word(code, 40), None if seq is None else forms.integer(seq), None if seat is None else forms.seat(seat),
    )  # fmt: skip


def read_statement(data: bytes) -> WitnessStatement:
    """Return a statement of a witness.

    Raises:
        Unreadable: a code of the table of damage.
    """
    value = unpack(data)
    match_id, key, found, at, number, last = forms.array(value, 6, 6)
    statement = WitnessStatement(
        forms.digest(match_id), forms.digest(key), forms.digest(found), forms.integer(at, 0, 2**53),
        forms.integer(number, 1), forms.digest(last),
    )  # fmt: skip
    _check_canonical(data, value)
    return statement
