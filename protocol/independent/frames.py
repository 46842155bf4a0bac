"""The outermost form of every message (SPEC.md, section "Frames")."""

from collections.abc import Callable
from enum import IntEnum
from functools import partial
from typing import Any, Final

from protocol.independent import forms
from protocol.independent.faults import Unreadable
from protocol.independent.packing import Packed, is_canonical, unpack

PROTOCOL: Final = 3
"""The version whose table this is."""
_LONGEST: Final = 16384
_LONGEST_SHORT: Final = 4096
_LONGEST_PART: Final = 16000
_MOST_PARTS: Final = 32


class FrameKind(IntEnum):
    """What a frame is."""

    HELLO = 1
    SIGN = 2
    ENVELOPE = 3
    SIDE = 4
    RESULT = 5
    SEED = 6
    VERDICT = 7
    RESUME = 8
    REFUSAL = 9
    CALL = 10
    ENDPOINT = 11
    DONE = 12
    WITNESS = 13
    WATCH = 14
    DATA = 15


_SHORT: Final = (FrameKind.HELLO, FrameKind.SIGN, FrameKind.REFUSAL)


_INNER: Final = partial(forms.binary, low=1, high=_LONGEST)
_PART: Final = partial(forms.integer, low=0, high=_MOST_PARTS - 1), partial(forms.binary, low=1, high=_LONGEST_PART)
_HASH: Final = partial(forms.optional, forms.digest)
_FIELDS: Final[dict[FrameKind, tuple[Callable[[Packed], Any], ...]]] = {
    FrameKind.HELLO: (_INNER, forms.digest),
    FrameKind.SIGN: (_HASH, _HASH, partial(forms.optional, forms.seat), forms.signature, forms.signature),
    FrameKind.ENVELOPE: (_INNER, forms.signature),
    FrameKind.SIDE: (_INNER, forms.signature),
    FrameKind.RESULT: (_INNER, forms.signature, forms.signature),
    FrameKind.SEED: (_INNER, forms.signature),
    FrameKind.VERDICT: (_INNER, forms.signature),
    FrameKind.WITNESS: (_INNER, forms.signature),
    FrameKind.DATA: _PART,
}
"""The frames that a log may hold, and the forms of their fields."""


def read_kind(frame: bytes) -> int | None:
    """Return the number of the kind that a frame gives itself, whatever else is in it."""
    return frame[1] if len(frame) > 1 else None


def read_frame(frame: bytes) -> tuple[FrameKind, list[Any]]:
    """Return the kind of a frame of a log and its fields.

    Raises:
        Unreadable: a code of the table of damage.
    """
    if len(frame) > (_LONGEST_SHORT if read_kind(frame) in _SHORT else _LONGEST):
        raise Unreadable("too_long")
    value = unpack(frame)
    if not isinstance(value, list) or len(value) < 2 or type(value[0]) is not int or type(value[1]) is not int:
        raise Unreadable("unknown_frame")
    number, version, *parts = value
    if version != PROTOCOL:
        raise Unreadable("version")
    if number not in list(FrameKind):
        raise Unreadable("unknown_frame")
    kind = FrameKind(number)
    if kind not in _FIELDS:
        raise Unreadable("unexpected_frame")
    kinds = _FIELDS[kind]
    if len(parts) != len(kinds):
        raise Unreadable("bad_array")
    fields = [form(part) for form, part in zip(kinds, parts, strict=True)]
    if not is_canonical(frame, value):
        raise Unreadable("not_canonical")
    return kind, fields
