"""Two programs that meet give each other what the other lacks of a tournament (SPEC.md, "Files between two programs").

Only what everybody may see goes out: documents of the event, and logs of its matches that have a result.  What comes in
is checked file by file before it is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cli.runtime.console import say
from cli.storage.home import Home
from protocol.core.frames import FrameKind
from protocol.core.wire import FRAME_LIMIT
from protocol.errors import WireError
from protocol.record import logfile
from protocol.record.logfile import LogError
from protocol.system.files import read_file
from protocol.tournament.exchange import DIGEST_LENGTH, FILE_LIMIT, HELD_LIMIT, Heard, give, is_exchange, name_held
from protocol.transport import Transport, TransportError

if TYPE_CHECKING:
    from cli.events.carried import Intake

SECONDS = 60.0
"""How long one exchange may take: a match is not kept waiting by files."""

SILENCE = 20.0
"""How long the other may say nothing meanwhile."""


def folders_of(home: Home) -> Callable[[bytes], Path | None]:
    """Return what finds the folder of an event that was used last."""

    def find(event: bytes) -> Path | None:
        # Few matches are of a tournament, here and below.
        from cli.events.folder import folder_of

        return folder_of(home, event)

    return find


class ExchangeError(Exception):
    """An exchange was broken off; what had come whole was kept, and a sentence was told."""


class Exchange:
    """One program's side, with one other program for as long as it runs."""

    def __init__(
        self,
        find: Callable[[bytes], Path | None],
        on_told: Callable[[str], object] = say,
        event: bytes = b"",
        host: bytes = b"",
    ) -> None:
        """Exchange nothing yet.

        Args:
            find: returns the folder of an event if it is here.
            on_told: takes sentences about what has come.
            event: the only event that is spoken of; whoever answers may leave it to the other.
            host: the half hash of the key of the one to whom we answer; an empty one may have all files.
        """
        self._find = find
        self._tell = on_told
        self._event, self._host = event, host
        self.failed = False
        """Whether one was broken off: then the match is more important, and none follows."""
        self.came = self.given = 0
        """How many files were new here, and how many have gone out."""
        self.others: list[bytes] = []
        """What came in between and is about something else, in order."""

    async def begin(self, link: Transport) -> None:
        """Say first what is held of an event, and give last what the other asks for.

        Raises:
            ExchangeError: it was broken off.
        """
        async with self._bounded(link) as here:
            heard = Heard()
            here.open(self._find(self._event), self._event)
            await _say(link, name_held(self._event, here.outgoing))
            await self._hear(link, heard, here)
            await _say(link, give(here.load(heard.wanted), on_given=here.note))

    async def answer(self, link: Transport, frame: bytes = b"") -> None:
        """Hear first what the other holds; ``frame`` is the first of it, if it has come already.

        Raises:
            ExchangeError: it was broken off.
        """
        async with self._bounded(link) as here:
            heard = Heard()
            if not frame or heard.take(frame) is not True:
                await self._hear(link, heard, here)
            if heard.event is not None and self._event in (b"", heard.event):
                here.open(self._find(heard.event), heard.event)
            theirs = {*heard.held}
            # Anybody may know the id of an event, from a log or its announcement, and invite us to any match.
            outgoing = here.outgoing if here.knows(self._host) else ()
            given = here.load(half for half in outgoing if half not in theirs)
            await _say(link, give(given, here.lacks(heard.held), here.note))
            await self._hear(link, heard, here)

    @asynccontextmanager
    async def _bounded(self, link: Transport) -> AsyncIterator[_Files]:
        """Give the files to exchange, and tell in the end what has become of them."""
        from cli.text import carrying

        here, code, limit = _Files(), "", link.limit
        link.limit = FRAME_LIMIT
        try:
            async with asyncio.timeout(SECONDS):
                yield here
        except TimeoutError:
            code = "timeout"
        except OSError:
            code = "folder"
        except (WireError, TransportError) as error:
            code = error.code
        link.limit = limit
        self.came, self.given = self.came + here.came, self.given + here.given
        if here.came or here.given:
            self._tell(carrying.met(here.came, here.given))
        for fate, names in here.refused.items():
            self._tell(carrying.refused(fate, names))
        if code:
            self.failed = True
            self._tell(carrying.broken_off(code))
            raise ExchangeError(code)

    async def _hear(self, link: Transport, heard: Heard, here: _Files) -> None:
        """Take what the other says until it is our turn, or all is said."""
        while True:
            async with asyncio.timeout(SILENCE):
                frame = await link.receive()
            if frame is None:
                raise TransportError("closed", "expected the files of a tournament, got the end of the line")
            if not is_exchange(frame):
                self.others.append(frame)
                if len(self.others) > FILE_LIMIT:
                    raise WireError("too_many", "files of a tournament", "something else")
                continue
            found = heard.take(frame)
            if found is True:
                return
            if found:
                here.take(found)


class _Files:
    """The files of an event in a folder while they are exchanged."""

    def __init__(self) -> None:
        self.outgoing: dict[bytes, Path] = {}
        """What may go out by the halves of the hashes, documents first."""
        self.came = self.given = 0
        """How many files are new here, and how many have gone out."""
        self.refused: dict[str, list[str]] = {}
        """The beginnings of the hashes of those that were not kept, by what is wrong with them."""
        self._held: set[bytes] = set()
        self._intake: Intake | None = None

    def open(self, path: Path | None, event: bytes) -> None:
        """Look into a folder.

        Raises:
            OSError: it cannot be listed.
        """
        if path is None:
            return
        from cli.events.carried import Intake
        from cli.events.folder import read_folder

        files = read_folder(path)
        self._intake = Intake(path, event, files)
        names = files.names()
        self._held = {*names}
        for digest, file in [(digest, path / name[0]) for digest, name in names.items()]:
            with suppress(OSError, LogError):
                if _may_go(file, event, digest):
                    self.outgoing[digest[:DIGEST_LENGTH]] = file

    def knows(self, host: bytes) -> bool:
        """Return whether a host has to do with the event, as far as the folder says."""
        return not host or (self._intake is not None and self._intake.knows(host))

    def lacks(self, halves: Iterable[bytes]) -> list[bytes]:
        """Return which files are not here; none where there is no folder for them."""
        held = {digest[:DIGEST_LENGTH] for digest in self._held}
        return [] if self._intake is None else [half for half in dict.fromkeys(halves) if half not in held]

    def load(self, halves: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the files that may go out and can be read."""
        for half in halves:
            if half in self.outgoing:
                try:
                    yield _read(self.outgoing[half])
                except (OSError, LogError):
                    continue

    def note(self) -> None:
        """Note that a file has gone out."""
        self.given += 1

    def take(self, data: bytes) -> None:
        """Keep a file of the other, if it is any good.

        Raises:
            OSError: it cannot be written.
        """
        if self._intake is not None:
            from cli.events.carried import Fate

            fate, digest = self._intake.take(data).fate, hashlib.sha256(data).digest()
            self._held.add(digest)
            if fate is Fate.ADDED:
                self.came += 1
            elif fate is not Fate.HELD:
                self.refused.setdefault(fate, []).append(digest.hex()[:8])


def _read(file: Path) -> bytes:
    return logfile.read(file) if file.suffix == logfile.SUFFIX else read_file(file)


@lru_cache(maxsize=HELD_LIMIT)
def _may_go(file: Path, event: bytes, digest: bytes) -> bool:
    """Return whether a file is a document of an event, or the log of a match of it that has a result.

    Signatures take time, and who waits for callers has the same files for each of them.

    Raises:
        OSError: it cannot be read.
        LogError: it cannot be read, or has changed.
    """
    from cli.events.carried import Fate, check
    from protocol.core.agreement import Agreement

    data = _read(file)
    if hashlib.sha256(data).digest() != digest:
        raise LogError("unreadable", "expected a file that nobody changes meanwhile")
    checked = check(event, data)
    if isinstance(checked, Agreement):
        return any(record.kind == FrameKind.RESULT for record in logfile.load(data).records)
    return not isinstance(checked, Fate)


async def _say(link: Transport, frames: Iterable[bytes]) -> None:
    for frame in frames:
        await link.send(frame)
