"""What two programs say that give each other the files of a tournament (SPEC.md, section "Files between two programs").

Three turns, each ended by DONE: one names what it holds, the other says what of it is missing there and gives what
the first one lacks, and the first one gives what was asked for.  What is *not* here: whether a file is any good, which
is for whoever keeps it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from enum import IntEnum
from typing import Any

from protocol import VERSIONS
from protocol.core import wire
from protocol.core.frames import FILES, PART_LENGTH, unsigned_schema
from protocol.errors import WireError

CAPABILITY = "exchange"
"""What a program names in its hello that can do this before and after a match."""

DIGEST_LENGTH = 16
"""A file is called by the first half of its SHA-256."""

HELD_LIMIT = 4096
"""The most files that may be named as held."""

FILE_LIMIT = 256
"""The most files that may be asked for, and that may come, at one meeting."""

SIZE_LIMIT = 2 * 1024 * 1024
"""The most bytes that these have together."""

_NAMED = 200
"""The most files that one frame names, which is then no longer than one of the handshake."""


class ExchangeType(IntEnum):
    """What a frame says."""

    HELD = 1
    """The event, and some of the files that the sender holds of it."""
    WANTED = 2
    """Which of the files that were named the sender wants."""
    PART = 3
    """A part of a file, and whether it is the last one."""
    DONE = 4
    """It is the other's turn; after the third turn all is said."""


_DIGEST = wire.octets(DIGEST_LENGTH)
_BODIES: dict[int, wire.Check] = {
    ExchangeType.HELD: wire.fields("held", ("event", wire.HASH), ("files", wire.items(_DIGEST, 0, _NAMED))),
    ExchangeType.WANTED: wire.items(_DIGEST, 0, FILE_LIMIT),
    ExchangeType.PART: wire.fields("part", ("is_last", wire.integer(0, 1)), ("part", wire.octets(1, PART_LENGTH))),
    ExchangeType.DONE: wire.items(wire.anything, 0, 0),
}
_FRAME = unsigned_schema("files", FILES, _BODIES)


def _pack(kind: ExchangeType, body: wire.Packable) -> bytes:
    return wire.pack((FILES, VERSIONS[-1], int(kind), body), _FRAME)


def is_exchange(frame: bytes) -> bool:
    """Return whether a frame is of this conversation."""
    return frame[1:2] == bytes((FILES,))


def name_held(event: bytes, digests: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the frames of the first turn, at least one; of more than ``HELD_LIMIT`` files the first are named."""
    named = tuple(digests)[:HELD_LIMIT]
    for at in range(0, max(len(named), 1), _NAMED):
        yield _pack(ExchangeType.HELD, (event, named[at : at + _NAMED]))
    yield _DONE


def give(
    files: Iterable[bytes], wanted: Collection[bytes] = (), on_given: Callable[[], object] = lambda: None
) -> Iterator[bytes]:
    """Yield the frames of a later turn: what we want, and files, as long as they are within the limits.

    ``on_given`` is called for each file.
    """
    if wanted:
        yield _pack(ExchangeType.WANTED, tuple(wanted)[:FILE_LIMIT])
    left, count = SIZE_LIMIT, 0
    for data in files:
        if count == FILE_LIMIT:
            break
        if not 0 < len(data) <= left:
            continue
        left, count = left - len(data), count + 1
        on_given()
        for at in range(0, len(data), PART_LENGTH):
            yield _pack(ExchangeType.PART, (int(at + PART_LENGTH >= len(data)), data[at : at + PART_LENGTH]))
    yield _DONE


_DONE = _pack(ExchangeType.DONE, ())


class Heard:
    """What the other says, over all of their turns."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.event: bytes | None = None
        """The event that they have named."""
        self.held: list[bytes] = []
        self.wanted: list[bytes] = []
        self._files = self._size = 0
        self._file = b""

    def take(self, frame: bytes) -> bytes | bool:
        """Take a frame; return a file that is whole with it, True if it ends their turn, or False.

        Raises:
            WireError: it is none of these frames, or there are too many.
        """
        value: Any = wire.unpack(frame, _FRAME)
        kind, body = value[2:]
        if kind == ExchangeType.DONE:
            return True
        if kind == ExchangeType.HELD:
            if self.event not in (None, body[0]):
                raise WireError("other_event", "one event", "a second one")
            self.event = body[0]
            self.held += body[1]
            _bound(len(self.held), HELD_LIMIT, "files")
        elif kind == ExchangeType.WANTED:
            self.wanted += body
            _bound(len(self.wanted), FILE_LIMIT, "files")
        else:
            is_last, part = body
            self._size += len(part)
            _bound(self._size, SIZE_LIMIT, "bytes")
            self._file += part
            if is_last:
                found, self._file = self._file, b""
                self._files += 1
                _bound(self._files, FILE_LIMIT, "files")
                return found
        return False


def _bound(number: int, most: int, what: str) -> None:
    if number > most:
        raise WireError("too_many", f"at most {most} {what}", "more")
