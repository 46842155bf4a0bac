"""What a Parquet file takes in memory, found before any of it is decoded (SPEC.md, "Manifest").

Files come from strangers, and a small one can hold gigabytes.  What its footer says of sizes need not be true, so each
page is asked.  The library that decodes them cannot be: it ends the process where it is asked for a column that it
would not decode.
"""

from typing import Any, Final

LARGEST: Final = 1 << 28
"""The most bytes of a file, of its pages, and of its rows in memory."""

FOOTER: Final = 1 << 20
"""The most bytes of what stands at the end of a file about its rows."""

LISTED: Final = 1000
"""The most things of one kind, like columns, that stand there."""

_PAGE: Final = 1024
"""How many bytes a page counts for beside its own: each takes time."""
_DATA: Final = 0
_DICTIONARY: Final = 2
_TEXTS: Final = 6
_ENCODINGS: Final = (0, 2, 3, 8)
"""How values may stand in a page: plain, by a dictionary (old and new) or by runs.  Others make long texts of short."""

_I32: Final = 5
_I64: Final = 6
_BYTES: Final = 8
_LIST: Final = 9
_STRUCT: Final = 12
_INSIDE: Final[dict[tuple[int, ...], int]] = {
    **dict.fromkeys(((2,), (4,), (5,), (7,), (4, 1), (4, 1, 3, 13)), _STRUCT),
    (4, 1, 3, 2): _I32,
    (4, 1, 3, 3): _BYTES,
    (4, 1, 3, 16, 2): _I64,
    (4, 1, 3, 16, 3): _I64,
}
"""What each list of a footer holds, by the numbers of the fields that lead to it: the library does not ask the list."""


def measure_texts(data: bytes) -> int:
    """Return how many bytes the dictionaries of texts have in the pages of a file.

    Raises:
        ValueError: the pages may take more than is allowed, or are none that this program writes.
        LookupError: something is missing.
    """
    length = int.from_bytes(data[-8:-4], "little")
    if length > FOOTER:
        raise ValueError("a longer footer")
    footer, _ = _read_thrift(data[-8 - length : -8], 0, _STRUCT, ())
    # For the files of some libraries that of this program reads more than the footer says.
    if not footer[6, _BYTES].startswith(b"parquet-cpp"):
        raise ValueError("another library")
    total = texts = 0
    # What a group says of the kinds of its columns is not asked when they are decoded: the schema is.
    kinds = [one[1, _I32] for one in footer[2, _LIST] if (1, _I32) in one]
    for held, chunk in (one for group in footer[4, _LIST] for one in zip(kinds, group[1, _LIST], strict=True)):
        column = chunk[3, _STRUCT]
        at = column[9, _I64]
        if 0 < column.get((11, _I64), 0) < at:
            at = column[11, _I64]
        end = at + column[7, _I64]
        while at < end:
            header, at = _read_thrift(data, at, _STRUCT, (0,))
            kind, size, packed = header[1, _I32], header[2, _I32], header[3, _I32]
            page = header[{_DATA: 5, _DICTIONARY: 7}[kind], _STRUCT]
            # A number in a list takes four bytes, and as many say to which list it belongs.
            total += size + 8 * page[1, _I32] + _PAGE
            if min(size, packed, page[1, _I32]) < 0 or total > LARGEST or page[2, _I32] not in _ENCODINGS:
                raise ValueError("other pages")
            if kind == _DICTIONARY and held == _TEXTS:
                texts += size
            at += packed
    return texts


def _read_thrift(data: bytes, at: int, kind: int, path: tuple[int, ...]) -> tuple[Any, int]:
    """Return a value in Thrift's compact protocol, and where it ends; of a struct its fields by number and kind.

    Raises:
        ValueError: it is none that this program writes.
        IndexError: it is cut.
    """
    if kind == _STRUCT:
        fields: dict[tuple[int, int], Any] = {}
        field = 0
        while head := data[at]:
            field, inner = field + (head >> 4), head & 15
            # The number of a field must not stand apart: it could be that of one before.  Without a kind a struct ends.
            if head < 16 or not inner:
                raise ValueError("a field out of order")
            at += 1
            # Whether something is so stands in the kind alone.
            if inner > 2:
                fields[field, inner], at = _read_thrift(data, at, inner, (*path, field))
        return fields, at + 1
    if kind == _LIST:
        head = data[at]
        count, at = _read_number(data, at + 1) if head >> 4 == 15 else (head >> 4, at + 1)
        if _INSIDE.get(path) != head & 15:
            raise ValueError("another list")
        values = []
        for _ in range(count):
            value, at = _read_thrift(data, at, head & 15, path)
            values.append(value)
        return values, at
    number, at = _read_number(data, at)
    # The library takes the last 32 bits of a longer one.
    if kind == _I32 and number >> 32:
        raise ValueError("a longer number")
    if kind in (_I32, _I64):
        return number >> 1 ^ -(number & 1), at
    if kind == _BYTES:
        return data[at : at + number], at + number
    raise ValueError("a value of another kind")


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 64, 7):
        number |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128 and number < 1 << 64:
            return number, at
    raise ValueError("a longer number")
