"""The portable log of a match, ``NAME.storm`` (SPEC.md, section "Log file").

::

    magic     16 bytes   "storm-p2p log 3" LF
    record    repeated   kind 1 byte (0 to 254) · length 2 bytes big-endian (1 to 16384) · frame
    trailer   68 bytes   255 · length 2 bytes (65) · seat 1 byte · Ed25519 signature 64 bytes

The signature is that of the exporter's match key over H("log", every byte before the signature), so any
change, cut, repetition or other order of bytes is noticed.  A match's log has one byte string for each
exporter: there are no other ways to write a length, and nothing may follow the trailer.

:func:`load` checks the form alone.  The signature is checked by whoever has learnt the match key from the
handshake within the log: over :attr:`Trailer.digest`.  What is *not* here: the meaning of the frames.
"""

import errno
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from protocol.core.frames import Log, Record, Trailer
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto.hashing import hash_parts
from protocol.errors import Failure
from protocol.record.files import drafted, sync_folder
from protocol.system import files

MAGIC = b"storm-p2p log 3\n"
"""The first bytes of a log; the digit is the version of the format."""

SUFFIX = ".storm"
"""How the file of a log ends."""

SIZE_LIMIT = 12 * 1024 * 1024
"""The longest log, in bytes."""

RECORD_LIMIT = 32_768
"""The most records in a log: many tiny ones would cost a hundred times their bytes."""

TRAILER = 255
"""The kind that opens the trailer."""

SIGNATURE_LENGTH = 64
"""The length of an Ed25519 signature."""

_HEAD = 3
_TRAILER_LENGTH = 1 + SIGNATURE_LENGTH


class LogError(Failure):
    """Bytes that are no log, or a log that cannot be read or written.

    Attributes:
        code: ``not-a-log``, ``version``, ``too-long``, ``cut``, ``record``, ``trailer``, ``after-trailer``,
            ``unreadable`` or ``unwritable``.
        sentence: what was expected and what came.
    """


def dump(records: Sequence[Record], seat: int, sign: Callable[[bytes], bytes]) -> bytes:
    """Return the bytes of a log.

    Args:
        records: the frames in the order of acceptance.
        seat: whose key signs.
        sign: makes the 64-byte signature of the 32-byte digest.

    Raises:
        LogError: ``too-long`` or ``record``: the log would not be readable again.
    """
    if len(records) > RECORD_LIMIT:
        raise LogError("too-long", f"expected at most {RECORD_LIMIT} records, got {len(records)}")
    pieces = [MAGIC]
    for number, record in enumerate(records):
        if not (0 <= record.kind < TRAILER and 1 <= len(record.frame) <= FRAME_LIMIT):
            wanted = f"a kind below {TRAILER} and 1 to {FRAME_LIMIT} bytes"
            got = f"kind {record.kind} and {len(record.frame)} bytes"
            raise LogError("record", f"record {number}: expected {wanted}, got {got}")
        pieces.append(_dump_record(record))
    pieces.append(bytes((TRAILER, 0, _TRAILER_LENGTH, seat)))
    signed = b"".join(pieces)
    if len(signed) + SIGNATURE_LENGTH > SIZE_LIMIT:
        raise LogError("too-long", f"expected at most {SIZE_LIMIT} bytes, got {len(signed)}")
    signature = sign(hash_parts("log", signed))
    assert len(signature) == SIGNATURE_LENGTH
    return signed + signature


def dump_beginning(records: Iterable[Record]) -> bytes:
    """Return the bytes of the beginning of a log: all but the trailer (SPEC.md, section "Feeds")."""
    return MAGIC + b"".join(map(_dump_record, records))


def _dump_record(record: Record) -> bytes:
    return bytes((record.kind,)) + len(record.frame).to_bytes(2, "big") + record.frame


def _check_magic(data: bytes) -> None:
    if len(data) > SIZE_LIMIT:
        raise LogError("too-long", f"expected at most {SIZE_LIMIT} bytes, got {len(data)}")
    if not data.startswith(MAGIC):
        if re.match(rb"storm-p2p log [0-9]{1,4}\n", data):
            raise LogError("version", f"expected version 3 of the log, got {data[14:18].split()[0].decode()}")
        raise LogError("not-a-log", f"expected a log that begins with {MAGIC!r}, got {data[:16]!r}")


def load_beginning(data: bytes) -> tuple[Record, ...]:
    """Return the records that are whole in the beginning of a log, or in all of it.

    Raises:
        LogError: they are no beginning of a log.
    """
    _check_magic(data)
    return tuple(_scan(data)[0])


def _scan(data: bytes) -> tuple[list[Record], int]:
    """Return the records that are whole, and where the next one or the trailer begins."""
    records: list[Record] = []
    at = len(MAGIC)
    while at + _HEAD <= len(data):
        kind, length = data[at], int.from_bytes(data[at + 1 : at + _HEAD], "big")
        if kind == TRAILER:
            break
        if not 1 <= length <= FRAME_LIMIT:
            sentence = f"record {len(records)}: expected 1 to {FRAME_LIMIT} bytes, got {length}"
            raise LogError("record", sentence)
        if len(records) == RECORD_LIMIT:
            raise LogError("too-long", f"expected at most {RECORD_LIMIT} records, got more")
        start, end = at + _HEAD, at + _HEAD + length
        if end > len(data):
            break
        records.append(Record(kind, data[start:end]))
        at = end
    return records, at


def load(data: bytes) -> Log:
    """Return the log that the bytes are; the caller must check the signature in its trailer.

    Raises:
        LogError: they are no log.
    """
    size = len(data)
    _check_magic(data)
    records, at = _scan(data)
    if size - at < _HEAD:
        raise LogError("cut", f"expected a record or the trailer at byte {at}, got the end")
    length = int.from_bytes(data[at + 1 : at + _HEAD], "big")
    if data[at] != TRAILER:
        sentence = f"record {len(records)}: expected {length} bytes, got {size - at - _HEAD}"
        raise LogError("cut", sentence)
    if length != _TRAILER_LENGTH:
        raise LogError("trailer", f"expected {_TRAILER_LENGTH} bytes of trailer, got {length}")
    signature_at = at + _HEAD + 1
    end = signature_at + SIGNATURE_LENGTH
    if size < end:
        raise LogError("cut", f"expected a trailer up to byte {end}, got {size} bytes")
    if size > end:
        raise LogError("after-trailer", f"expected the end at byte {end}, got {size} bytes")
    digest = hash_parts("log", data[:signature_at])
    return Log(tuple(records), Trailer(data[signature_at - 1], digest, data[signature_at:]))


# --- files -----------------------------------------------------------------------------------------------


def name_file(started_at: int, opponent: str, match_id: bytes) -> str:
    """Return a name for a log that is safe on every system, whatever name the opponent has taken.

    >>> name_file(0, "../Ünter den\\n Linden", bytes([0xAB, 0xCD]))
    '1970-01-01-unter-den-linden-abcd.storm'
    """
    day = datetime.fromtimestamp(started_at, UTC).strftime("%Y-%m-%d")
    return f"{day}-{plain_name(opponent) or 'unknown'}-{match_id[:2].hex()}{SUFFIX}"


def plain_name(name: str) -> str:
    """Return what of a name can stand in that of a file; maybe nothing."""
    # The length is cut first: a hostile name must not make us work.
    letters = unicodedata.normalize("NFKD", name[:64].casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", letters)[:24].strip("-")


def write(folder: Path, name: str, data: bytes) -> Path:
    """Put a log into a folder, complete or not at all, and return where it is.

    A file of that name is never overwritten: the new one gets ``-2``, ``-3``, … before its suffix.

    Raises:
        LogError: ``unwritable``: the folder or the file cannot be written.
        ValueError: the name is not one of :func:`name_file`.
    """
    if re.fullmatch(rf"[0-9a-z][0-9a-z-]{{0,99}}{re.escape(SUFFIX)}", name) is None:
        raise ValueError(f"expected a name as of file_name(), got {name!a}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with drafted(folder, data) as draft:
            return _publish(draft, folder / name)
    except OSError as error:
        raise LogError("unwritable", f"the log cannot be written to {folder} ({error.strerror})") from error


def _publish(draft: Path, wanted: Path) -> Path:
    for number in itertools.count(1):
        path = wanted if number == 1 else wanted.with_name(f"{wanted.stem}-{number}{SUFFIX}")
        try:
            # Taking the name fails when it is taken, which a bare rename does not.
            path.open("xb").close()
        except FileExistsError:
            continue
        try:
            draft.replace(path)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
        return path
    raise AssertionError("unreachable")


def read(path: Path) -> bytes:
    """Return the bytes of a log file, without trusting its size or its kind.

    Raises:
        LogError: ``unreadable`` or ``too-long``.
    """
    try:
        return files.read_file(path, SIZE_LIMIT)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise LogError("too-long", f"expected at most {SIZE_LIMIT} bytes, got more: {str(path)!a}") from None
        raise LogError("unreadable", f"{str(path)!a} cannot be read ({error.strerror})") from error
