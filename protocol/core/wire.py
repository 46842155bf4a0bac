"""Bytes: canonical msgpack (SPEC.md, section "Encodings").

The only module that imports msgpack.  What is *not* here: the shape of the single messages, which is
:mod:`protocol.core.messages`, and how they are hashed, which is :mod:`protocol.crypto.hashing`.

A decoded value holds nothing but ``int``, ``bytes``, ``str``, ``None`` and tuples.  There is exactly one
byte string for each value, because :func:`unpack` encodes what it has read again and compares: every
msgpack decoder, strict ones included, accepts numbers and headers that are longer than need be.
"""

import re
from collections.abc import Callable
from dataclasses import fields as dataclass_fields
from enum import IntEnum
from typing import Annotated, Any, ClassVar, Self, TypeAlias, get_type_hints

import msgpack

from protocol.errors import WireError
from protocol.text import find_fault

HANDSHAKE_LIMIT = 4096
"""The longest frame before the handshake has ended."""

FRAME_LIMIT = 16384
"""The longest frame after it."""

DECISION_DEPTH = 8
"""How deep the tuples of a decision may nest."""

SAID_BOUND = 2**53
"""Numbers of a decision lie strictly between this and its negative."""

NAME_LIMIT = 32
"""The longest name, in characters."""

CHAT_LIMIT = 500
"""The longest line of chat, in characters."""

Packable: TypeAlias = "int | bytes | str | tuple[Packable, ...] | None"
"""What a message can hold."""

Check: TypeAlias = Callable[[object], None]
"""A schema: it raises :class:`WireError` unless the value has its form."""


# --- schemas ---------------------------------------------------------------------------------------------


def describe(value: object) -> str:
    """Name a value briefly and harmlessly for an error message."""
    if value is None:
        return "nil"
    if isinstance(value, (bytes, str)):
        return f"{len(value)} {'bytes' if isinstance(value, bytes) else 'characters'}"
    if isinstance(value, tuple):
        return f"array of {len(value)}"
    if type(value) is int:
        return f"int {value}"
    return type(value).__name__


def integer(low: int, high: int) -> Check:
    """Return the schema of a number from ``low`` to ``high``."""

    def check(value: object) -> None:
        # bool is an int to isinstance, and is not one on the wire.
        if type(value) is not int or not low <= value <= high:
            raise WireError("bad_int", f"int from {low} to {high}", describe(value))

    return check


def octets(least: int, most: int | None = None) -> Check:
    """Return the schema of ``least`` to ``most`` bytes, or of exactly ``least``."""
    limit = least if most is None else most
    wanted = f"{least} bytes" if most is None else f"{least} to {most} bytes"

    def check(value: object) -> None:
        if type(value) is not bytes or not least <= len(value) <= limit:
            raise WireError("bad_bytes", wanted, describe(value))

    return check


def word(most: int) -> Check:
    """Return the schema of 1 to ``most`` printable ASCII characters."""

    def check(value: object) -> None:
        if type(value) is not str or not 1 <= len(value) <= most:
            raise WireError("bad_text", f"1 to {most} characters", describe(value))
        if not (value.isascii() and value.isprintable()):
            raise WireError("bad_text", "printable ASCII", "others")

    return check


def text(most: int) -> Check:
    """Return the schema of 1 to ``most`` visible characters in NFC, for names and chat."""

    def check(value: object) -> None:
        if type(value) is not str or not 1 <= len(value) <= most:
            raise WireError("bad_text", f"1 to {most} characters", describe(value))
        fault = find_fault(value)
        if fault is not None:
            raise WireError("bad_text", *fault)

    return check


def decision(value: object, depth: int = DECISION_DEPTH) -> None:
    """Check a decision in the game's words: numbers, nil, and arrays of them.

    Raises:
        WireError: it is something else, or nests too deep.
    """
    if type(value) is int:
        if abs(value) >= SAID_BOUND:
            raise WireError("bad_int", "int of 53 bits", "a longer one")
    elif type(value) is tuple:
        if depth == 0:
            raise WireError("too_deep", f"at most {DECISION_DEPTH} levels", "more")
        for item in value:
            decision(item, depth - 1)
    elif value is not None:
        raise WireError("bad_said", "int, nil or array", describe(value))


def optional(inner: Check) -> Check:
    """Return the schema of nil or ``inner``."""

    def check(value: object) -> None:
        if value is not None:
            inner(value)

    return check


def items(inner: Check, least: int, most: int) -> Check:
    """Return the schema of an array of ``least`` to ``most`` values of one form."""

    def check(value: object) -> None:
        if type(value) is not tuple or not least <= len(value) <= most:
            raise WireError("bad_array", f"array of {least} to {most}", describe(value))
        for index, item in enumerate(value):
            try:
                inner(item)
            except WireError as error:
                error.inside(str(index))
                raise

    return check


def ascending(inner: Check, most: int, code: str, wanted: str) -> Check:
    """Return the schema of at most ``most`` values in ascending order, each once; ``code`` is for another order."""
    several = items(inner, 0, most)

    def check(value: object) -> None:
        several(value)
        assert isinstance(value, tuple)
        if list(value) != sorted(set(value)):
            raise WireError(code, wanted, "others")

    return check


def fields(name: str, *schemas: tuple[str, Check]) -> Check:
    """Return the schema of an array with one value for each named field."""
    count = len(schemas)
    checks = [(index, *schema) for index, schema in enumerate(schemas) if schema[1] is not anything]

    def check(value: object) -> None:
        if type(value) is not tuple or len(value) != count:
            error = WireError("bad_array", f"array of {count}", describe(value))
            error.inside(name)
            raise error
        for index, field, inner in checks:
            try:
                inner(value[index])
            except WireError as error:
                error.inside(field)
                error.inside(name)
                raise

    return check


def anything(value: object) -> None:
    """Leave a field to the check of the type that it belongs to."""


HASH = octets(32)
"""The schema of a hash."""

SEAT = integer(0, 7)
"""The schema of a seat."""

COUNT = integer(0, 2**31)
"""The schema of a count."""

SIDES = items(COUNT, 1, 8)
"""The schema of how many side envelopes of each seat somebody has sent or seen."""

Hash: TypeAlias = Annotated[bytes, HASH]
SeatNumber: TypeAlias = Annotated[int, SEAT]
Count: TypeAlias = Annotated[int, COUNT]
Sides: TypeAlias = Annotated[tuple[int, ...], SIDES]
"""The same as types of fields (:func:`checks_of`)."""


# --- classes ---------------------------------------------------------------------------------------------


def checks_of(kind: type) -> list[tuple[str, Check]]:
    """Return the fields of a dataclass with the checks that stand in their types, as in ``Annotated[int, COUNT]``."""
    hints = get_type_hints(kind, include_extras=True)
    return [(field.name, hints[field.name].__metadata__[0]) for field in dataclass_fields(kind)]


def label_of(kind: type) -> str:
    """Return the name of a class as errors have it: in lower case, its words joined by underscores."""
    return re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


class Packed:
    """A dataclass whose bytes are the array of its fields, each with its check in its type."""

    __slots__ = ()
    LABEL: ClassVar = ""
    """Its name in errors, if that is not :func:`label_of`."""
    LIMIT: ClassVar = FRAME_LIMIT
    """The most bytes."""

    @staticmethod
    def check_whole(value: tuple[Any, ...]) -> None:
        """Refuse an array whose fields do not belong together, each of which has its form.

        Raises:
            WireError: they do not.
        """

    def pack(self) -> bytes:
        """Return the bytes that are hashed and signed.

        Raises:
            WireError: a field is out of its bounds.
        """
        kind: Any = type(self)
        values = [getattr(self, field.name) for field in dataclass_fields(kind)]
        # A member of an enumeration is its number, and so is a flag.
        return pack(tuple(int(one) if isinstance(one, (IntEnum, bool)) else one for one in values), schema_of(kind))

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read :meth:`pack`'s bytes.

        Raises:
            WireError: they are none.
        """
        return cls(*unpack(data, schema_of(cls), cls.LIMIT))


def schema_of(kind: type[Packed]) -> Check:
    """Return the schema of a class."""
    if kind not in _SCHEMAS:
        form = fields(kind.LABEL or label_of(kind), *checks_of(kind))

        def check(value: Any) -> None:
            form(value)
            kind.check_whole(value)

        _SCHEMAS[kind] = check
    return _SCHEMAS[kind]


_SCHEMAS: dict[type[Packed], Check] = {}
"""Those that were asked for."""


# --- msgpack ---------------------------------------------------------------------------------------------

# One packer for all: making one takes longer than packing a message.
_packb: Callable[[Packable], bytes] = msgpack.Packer(use_bin_type=True, autoreset=True).pack
_unpackb: Callable[..., object] = msgpack.unpackb

_SMALL = 1024
"""How many bytes cannot say to hold more than takes 3 MiB."""


def encode(value: Packable) -> bytes:
    """Return the one byte string of a value whose form is known to be right."""
    return _packb(value)


def pack(value: Packable, schema: Check) -> bytes:
    """Return the one byte string of a value.

    Raises:
        WireError: the value does not fit the schema.
    """
    schema(value)
    return encode(value)


def unpack(data: bytes, schema: Check, limit: int = FRAME_LIMIT) -> tuple[Packable, ...]:
    """Return the array that the bytes encode.

    Raises:
        WireError: whatever is wrong with them.
    """
    # The length is checked before anything is allocated.
    if len(data) > limit:
        raise WireError("too_long", f"at most {limit} bytes", f"{len(data)} bytes")
    try:
        # The library makes room for as many items as each array says to have, also where there are none.
        if len(data) > _SMALL:
            unpacker = msgpack.Unpacker(max_buffer_size=len(data))
            unpacker.feed(data)
            unpacker.skip()
        value = _unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_str_len=limit,
            max_bin_len=limit,
            max_array_len=len(data),
            max_map_len=0,
            max_ext_len=0,
        )
    except Exception as error:
        # msgpack documents that it may raise what is not its own; nothing of it may get any further.
        raise WireError("not_msgpack", "one msgpack value", type(error).__name__) from None
    schema(value)
    if not isinstance(value, tuple):
        raise WireError("bad_array", "array", describe(value))
    if _packb(value) != data:
        raise WireError("not_canonical", "the shortest encoding", "a longer one")
    return value
