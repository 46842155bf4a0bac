"""The forms of the values in messages (SPEC.md, section "Encodings"): each function takes what was unpacked."""

import unicodedata
from collections.abc import Callable
from typing import Final, TypeVar

from protocol.game import Decision
from protocol.independent.faults import Unreadable
from protocol.independent.packing import Packed

T = TypeVar("T")

_HIDDEN: Final = (
    "0-1F 7F-A0 AD 34F 600-605 61C 6DD 70F 890-891 8E2 115F-1160 1680 17B4-17B5 180B-180F 2000-200F 2028-202F "
    "205F-206F 2800 3000 3164 D800-F8FF FDD0-FDEF FEFF FFA0 FFF0-FFFB FFFE-FFFF 110BD 110CD 13430-1343F 1BCA0-1BCA3 "
    "1D173-1D17A 1FFFE-1FFFF 2FFFE-2FFFF 3FFFE-10FFFF"
)


def _ranges(text: str) -> tuple[range, ...]:
    ends = ([int(one, 16) for one in part.split("-")] for part in text.split())
    return tuple(range(pair[0], pair[-1] + 1) for pair in ends)


_HIDDEN_RANGES: Final = _ranges(_HIDDEN)
_MOST: Final = 2**31
_DEEPEST_SAID: Final = 8


def integer(value: Packed, low: int = 0, high: int = _MOST) -> int:
    """Return a number between two, both included; without them a count.

    Raises:
        Unreadable: ``bad_int``.
    """
    if type(value) is not int or not low <= value <= high:
        raise Unreadable("bad_int")
    return value


def seat(value: Packed) -> int:
    """Return the number of a seat.

    Raises:
        Unreadable: ``bad_int``.
    """
    return integer(value, 0, 7)


def binary(value: Packed, low: int, high: int) -> bytes:
    """Return bytes of a length between two, both included.

    Raises:
        Unreadable: ``bad_bytes``.
    """
    if not isinstance(value, bytes) or not low <= len(value) <= high:
        raise Unreadable("bad_bytes")
    return value


def digest(value: Packed) -> bytes:
    """Return 32 bytes.

    Raises:
        Unreadable: ``bad_bytes``.
    """
    return binary(value, 32, 32)


def nonce(value: Packed) -> bytes:
    """Return 16 bytes.

    Raises:
        Unreadable: ``bad_bytes``.
    """
    return binary(value, 16, 16)


def signature(value: Packed) -> bytes:
    """Return 64 bytes.

    Raises:
        Unreadable: ``bad_bytes``.
    """
    return binary(value, 64, 64)


def optional(form: Callable[[Packed], T], value: Packed) -> T | None:
    """Return a value of a form, or None for nothing."""
    return None if value is None else form(value)


def array(value: Packed, low: int, high: int) -> list[Packed]:
    """Return an array whose length lies between two, both included.

    Raises:
        Unreadable: ``bad_array``.
    """
    if not isinstance(value, list) or not low <= len(value) <= high:
        raise Unreadable("bad_array")
    return value


def said(value: Packed, depth: int = _DEEPEST_SAID) -> Decision:
    """Return a decision in the words of a game, with arrays as tuples.

    Raises:
        Unreadable: ``bad_said`` or ``too_deep``.
    """
    if value is None:
        return None
    if type(value) is int:
        if not -(2**53) < value < 2**53:
            raise Unreadable("bad_said")
        return value
    if not isinstance(value, list):
        raise Unreadable("bad_said")
    if not depth:
        raise Unreadable("too_deep")
    return tuple(said(one, depth - 1) for one in value)


def text(value: Packed, longest: int) -> str:
    """Return a text that may be shown.

    Raises:
        Unreadable: ``bad_text``.
    """
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        raise Unreadable("bad_text")
    if any(ord(character) in one for character in value for one in _HIDDEN_RANGES) or value != value.strip(" "):
        raise Unreadable("bad_text")
    if not _is_normal(value):
        raise Unreadable("bad_text")
    return value


def _is_normal(value: str) -> bool:
    # What Unicode 3.2 did not have is not asked about, so that every version of Python gives the same answer.
    old = unicodedata.ucd_3_2_0
    kept = "".join(one if old.category(one) != "Cn" else "\ufffd" for one in value)
    return unicodedata.is_normalized("NFC", kept)


def word(value: Packed, longest: int) -> str:
    """Return printable ASCII.

    Raises:
        Unreadable: ``bad_text``.
    """
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        raise Unreadable("bad_text")
    if any(not " " <= character <= "~" for character in value):
        raise Unreadable("bad_text")
    return value
