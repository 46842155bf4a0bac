"""What the frames of a match hold inside (SPEC.md, sections "The header, and envelopes" to "Witness")."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias

from protocol.game import Seat
from protocol.independent import forms
from protocol.independent.faults import Unreadable
from protocol.independent.frames import FrameKind
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


class Header(NamedTuple):
    """With what each message of a match begins: who signs it, and all that they had seen."""

    match_id: bytes
    seat: Seat
    seq: int
    """How long the chain was."""
    sides: tuple[int, ...]
    """How many side envelopes there were of each seat."""
    prev: bytes
    """The hash of all these."""


class Envelope(NamedTuple):
    """Steps of a seat."""

    header: Header
    steps: tuple[Step, ...]
    times: Stamp | None
    state: bytes

    @property
    def number(self) -> int:
        """Which one of the chain it is, from 1 on."""
        return self.header.seq + 1


SideBody: TypeAlias = "int | str | bytes | tuple[int, int, int] | None"


class Side(NamedTuple):
    """A message outside the order of the game."""

    header: Header
    type: int
    body: SideBody

    @property
    def number(self) -> int:
        """Which one of its author's it is, from 1 on."""
        return self.header.sides[self.header.seat] + 1


class Result(NamedTuple):
    """How the match has ended, and by what."""

    header: Header
    pairs: tuple[tuple[str, str], ...]
    grounds: tuple[tuple[Seat, bytes], ...]


class OpenedSeed(NamedTuple):
    """The secret from which all openings of a seat are derived."""

    header: Header
    seed: bytes


class Verdict(NamedTuple):
    """What the audit of a seat has found."""

    header: Header
    problems: tuple[tuple[str, int | None, Seat | None], ...]


Body: TypeAlias = Envelope | Side | Result | OpenedSeed | Verdict


class WitnessStatement(NamedTuple):
    """When a witness was shown a message."""

    match_id: bytes
    key: bytes
    hash: bytes
    at: int
    number: int
    last: bytes


def read_body(kind: FrameKind, data: bytes) -> Body:
    """Return the message that a frame of a kind holds.

    Raises:
        Unreadable: a code of the table of damage.
    """
    value = unpack(data)
    match_id, seat, seq, sides, prev, *rest = forms.array(value, 6, 8)
    counts = tuple(forms.integer(one) for one in forms.array(sides, 1, 8))
    header = Header(forms.digest(match_id), forms.seat(seat), forms.integer(seq), counts, forms.digest(prev))
    body = _READERS[kind](header, rest)
    _check_canonical(data, value)
    return body


def _check_canonical(data: bytes, value: Packed) -> None:
    if not is_canonical(data, value):
        raise Unreadable("not_canonical")


def _envelope(header: Header, rest: list[Packed]) -> Envelope:
    kind, body, state = forms.array(rest, 3, 3)
    times = None
    if forms.integer(kind, _PLAIN, _TIMED) == _TIMED:
        body, *seconds = forms.array(body, 5, 5)
        times = Stamp(*(forms.integer(one) for one in seconds))
    steps = tuple(read_step(one) for one in forms.array(body, 1, 32))
    return Envelope(header, steps, times, forms.digest(state))


def _side(header: Header, rest: list[Packed]) -> Side:
    number, body = forms.array(rest, 2, 2)
    kind = forms.integer(number, 1, _LARGEST_TYPE)
    return Side(header, kind, _side_body(kind, body))


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


def _result(header: Header, rest: list[Packed]) -> Result:
    pairs, grounds = forms.array(rest, 2, 2)
    result = Result(
        header,
        tuple(_pair(one) for one in forms.array(pairs, 1, 8)),
        tuple(_ground(one) for one in forms.array(grounds, 0, 8)),
    )
    if not _ascend([key for key, _ in result.pairs]) or not _ascend([seat for seat, _ in result.grounds]):
        raise Unreadable("bad_array")
    return result


def _pair(value: Packed) -> tuple[str, str]:
    key, said = forms.array(value, 2, 2)
    return forms.word(key, 32), forms.word(said, 64)


def _ground(value: Packed) -> tuple[Seat, bytes]:
    seat, found = forms.array(value, 2, 2)
    return forms.seat(seat), forms.digest(found)


def _ascend(keys: Sequence[Any]) -> bool:
    return list(keys) == sorted(set(keys))


def _opened_seed(header: Header, rest: list[Packed]) -> OpenedSeed:
    (seed,) = forms.array(rest, 1, 1)
    return OpenedSeed(header, forms.digest(seed))


def _verdict(header: Header, rest: list[Packed]) -> Verdict:
    (problems,) = forms.array(rest, 1, 1)
    return Verdict(header, tuple(_problem(one) for one in forms.array(problems, 0, 64)))


def _problem(value: Packed) -> tuple[str, int | None, Seat | None]:
    code, seq, seat = forms.array(value, 3, 3)
    return forms.word(code, 40), forms.optional(forms.integer, seq), forms.optional(forms.seat, seat)


_READERS: Final[dict[FrameKind, Callable[[Header, list[Packed]], Body]]] = {
    FrameKind.ENVELOPE: _envelope,
    FrameKind.SIDE: _side,
    FrameKind.RESULT: _result,
    FrameKind.SEED: _opened_seed,
    FrameKind.VERDICT: _verdict,
}


def read_statement(data: bytes) -> WitnessStatement:
    """Return a statement of a witness.

    Raises:
        Unreadable: a code of the table of damage.
    """
    value = unpack(data)
    *found, at, number, last = forms.array(value, 6, 6)
    match_id, key, shown = map(forms.digest, found)
    when, which = forms.integer(at, 0, 2**53), forms.integer(number, 1)
    statement = WitnessStatement(match_id, key, shown, when, which, forms.digest(last))
    _check_canonical(data, value)
    return statement
