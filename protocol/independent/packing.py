"""The part of msgpack that messages are written in (SPEC.md, section "Encodings")."""

from typing import Any, Final, TypeAlias

from protocol.independent.faults import Unreadable

Packed: TypeAlias = "int | bytes | str | list[Packed] | object | None"
"""What bytes of msgpack say; an object that is none of these is a :class:`Foreign`."""

DEEPEST: Final = 32
"""No message has arrays that lie deeper in each other."""


class Foreign:
    """A value of a type that no message has: a boolean, a float, a map or an extension."""


_FOREIGN: Final = Foreign()
_NATURALS: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
_NEGATIVES: Final = {0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_BINARY: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4}
_STRINGS: Final = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_ARRAYS: Final = {0xDC: 2, 0xDD: 4}
_MAPS: Final = {0xDE: 2, 0xDF: 4}
_FLOATS: Final = {0xCA: 4, 0xCB: 8}
_FIXED_EXTENSIONS: Final = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_EXTENSIONS: Final = {0xC7: 1, 0xC8: 2, 0xC9: 4}


def unpack(data: bytes) -> Packed:
    """Return what bytes say, with headers and numbers that may be longer than need be.

    Raises:
        Unreadable: ``not_msgpack`` or ``too_deep``.
    """
    reader = _Reader(data)
    value = reader.value(0)
    if reader.at != len(data):
        raise Unreadable("not_msgpack")
    return value


class _Reader:
    """Bytes, and how far they have been read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, length: int) -> bytes:
        end = self.at + length
        if end > len(self.data):
            raise Unreadable("not_msgpack")
        taken, self.at = self.data[self.at : end], end
        return taken

    def number(self, length: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.take(length), "big", signed=signed)

    def value(self, depth: int) -> Packed:
        if depth > DEEPEST:
            raise Unreadable("too_deep")
        head = self.take(1)[0]
        if head < 0x80:
            return head
        if head >= 0xE0:
            return head - 256
        if head in _NATURALS:
            return self.number(_NATURALS[head])
        if head in _NEGATIVES:
            return self.number(_NEGATIVES[head], signed=True)
        if head in _BINARY:
            return self.take(self.number(_BINARY[head]))
        if head < 0xC0 or head in _ARRAYS or head in _MAPS or head in _STRINGS:
            return self.sized(head, depth)
        if head == 0xC0:
            return None
        self.skip(head)
        return _FOREIGN

    def sized(self, head: int, depth: int) -> Packed:
        """Return a string, an array or what stands for a map."""
        if 0xA0 <= head < 0xC0 or head in _STRINGS:
            try:
                return self.take(head & 31 if head < 0xC0 else self.number(_STRINGS[head])).decode("utf-8")
            except UnicodeDecodeError:
                raise Unreadable("not_msgpack") from None
        if 0x90 <= head < 0xA0 or head in _ARRAYS:
            return self.values(head & 15 if head < 0xA0 else self.number(_ARRAYS[head]), depth)
        self.values(2 * (head & 15 if head < 0x90 else self.number(_MAPS[head])), depth)
        return _FOREIGN

    def values(self, count: int, depth: int) -> list[Packed]:
        # Each value has a byte at least, so a count beyond the bytes ends where these do.
        return [self.value(depth + 1) for _ in range(count)]

    def skip(self, head: int) -> None:
        if head in _FLOATS:
            self.take(_FLOATS[head])
        elif head in _FIXED_EXTENSIONS:
            self.take(1 + _FIXED_EXTENSIONS[head])
        elif head in _EXTENSIONS:
            self.take(1 + self.number(_EXTENSIONS[head]))
        elif head == 0xC1:
            # The one byte that msgpack gives no meaning.
            raise Unreadable("not_msgpack")


def pack(value: Any) -> bytes:
    """Return the shortest bytes that say whole numbers, binary, strings, nothing, and arrays or tuples of these.

    Raises:
        Unreadable: ``not_msgpack``: a value is foreign.
    """
    if isinstance(value, Foreign):
        raise Unreadable("not_msgpack")
    if value is None:
        return b"\xc0"
    if isinstance(value, int):
        return _packed_integer(value)
    if isinstance(value, bytes):
        return _head(value, ((2**8, 0xC4), (2**16, 0xC5), (2**32, 0xC6)))
    if isinstance(value, str):
        data = value.encode("utf-8")
        if len(data) < 32:
            return bytes([0xA0 | len(data)]) + data
        return _head(data, ((2**8, 0xD9), (2**16, 0xDA), (2**32, 0xDB)))
    inner = b"".join(map(pack, value))
    if len(value) < 16:
        return bytes([0x90 | len(value)]) + inner
    length, head = (2, 0xDC) if len(value) < 2**16 else (4, 0xDD)
    return bytes([head]) + len(value).to_bytes(length, "big") + inner


def _head(data: bytes, limits: tuple[tuple[int, int], ...]) -> bytes:
    for number, (limit, head) in enumerate(limits):
        if len(data) < limit:
            return bytes([head]) + len(data).to_bytes(2**number, "big") + data
    raise ValueError("expected less than 4 GiB")


def _packed_integer(value: int) -> bytes:
    if 0 <= value < 128:
        return bytes([value])
    if -32 <= value < 0:
        return bytes([256 + value])
    for number, length in enumerate((1, 2, 4, 8)):
        if 0 <= value < 1 << 8 * length:
            return bytes([0xCC + number]) + value.to_bytes(length, "big")
        if -(1 << 8 * length - 1) <= value < 0:
            return bytes([0xD0 + number]) + value.to_bytes(length, "big", signed=True)
    raise ValueError("expected a number of at most 8 bytes")


def is_canonical(data: bytes, value: Packed) -> bool:
    """Say whether bytes are the shortest ones for what they say.

    Raises:
        Unreadable: ``not_msgpack``: something in it is foreign.
    """
    return pack(value) == data
