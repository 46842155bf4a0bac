"""A match that others may watch: its records are written into a folder as they become old enough (SPEC.md, "Feeds").

Whatever carries files takes them to others.  Publishing never stops a match: what cannot be written is told once, and
tried again with the next record.
"""

import asyncio
import json
import re
import shlex
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.notices import FeedPutAside, FeedTaken, Notice, OnNotice, PublishingFailed
from cli.runtime.console import stop
from protocol.core.frames import Record
from protocol.core.session import Session
from protocol.core.transcript import Transcript
from protocol.record import logfile
from protocol.record.files import drafted
from protocol.record.journal import Journal, JournalError
from protocol.record.logfile import LogError
from protocol.system import files, processes

SUFFIX: Final = ".live"
DIGITS: Final = 8
"""So many digits of the match's number name its files."""
NAME: Final = re.compile(rf"[0-9a-f]{{{DIGITS}}}{re.escape(SUFFIX)}")
"""What a feed in a folder is called; a copy that a carrier has put aside has another name."""
PLACE: Final = "published"
"""Under this word the journal has JSON: the folder of what is published, its delay (null since the player has stopped
it), and whether it has a page."""
_DRAFT: Final = re.compile(rf"\.[0-9a-f]{{{DIGITS}}}\.[a-z]+\.part")
_OLD: Final = 60.0
"""No file takes so many seconds to be written."""
_SHARE: Final = 20
"""Feeds and pages are written at most so rarely that each takes this part of the time."""
LEAST: Final = 1.0
"""Seconds between two commands."""
_PAGES: Final = 5.0
"""Seconds between two pages, which load themselves again only every 15."""
PATIENCE: Final = 5.0
"""How long the end waits for the command that was begun last."""


@dataclass(frozen=True, slots=True)
class Publication:
    """Where and how a match is published."""

    folder: Path
    delay: int = 0
    """How old a record has to be, in seconds, beside what the players have agreed on."""
    command: str = ""
    """What is run after each change, split as a shell would; nothing if it is empty."""
    page: Callable[[Transcript, bytes], str] | None = None
    """Returns the page of a match from its messages, of which the bytes of its feed are shown; None: there is none."""


class Publisher:
    """What is published of one match."""

    def __init__(
        self,
        session: Session,
        wanted: Publication,
        on_notice: OnNotice,
        journal: Journal,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with nothing published."""
        self._session, self._wanted, self._on_notice, self._clock = session, wanted, on_notice, clock
        self._journal = journal
        self._delay = max(wanted.delay, session.agreement.conditions.watched or 0)
        self._name = session.agreement.match_id.hex()[:DIGITS]
        self._since: list[float] = []
        """When each record was durable."""
        self._news = asyncio.Event()
        self._written = b""
        self._failed: set[str] = set()
        """What was told: ``files``, ``command``, ``taken``."""
        self._feed_at = self._page_at = 0.0
        self._page_due = False
        self._command_due = False
        self._carrying: asyncio.Task[None] | None = None

    @property
    def feed(self) -> Path:
        """Where the beginning of the log is."""
        return self._wanted.folder / f"{self._name}{SUFFIX}"

    def news(self) -> None:
        """There may be records that are durable now."""
        now = self._clock()
        self._since += [now] * (len(self._session.records) - len(self._since))
        self._news.set()

    async def run(self) -> None:
        """Publish until cancelled."""
        while True:
            self._news.clear()
            wait = self.step()
            self._carry()
            # Unlike wait_for, this is cancelled even if the news comes at the same moment.
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._news.wait()

    async def finish(self) -> None:
        """Publish what may be: a match that is over whole, and with its trailer when nothing is missing."""
        self.news()
        self._page_at = 0.0
        self.step(last=True)
        self._carry()
        if self._carrying is not None:
            _, late = await asyncio.wait({self._carrying}, timeout=PATIENCE)
            if late:
                self._tell("command", PublishingFailed(str(TimeoutError(self._wanted.command))))
            await stop(self._carrying)

    def step(self, *, last: bool = False) -> float | None:
        """Write what is due; return in how many seconds something more is, None if nothing."""
        now, session = self._clock(), self._session
        records = session.records
        if session.over and len(self._since) < len(records):
            # They are durable first, and there is news of them then.
            return None
        due = len(records) if session.over else sum(since + self._delay <= now for since in self._since)
        data = self._dump(records[:due], last=last and due == len(records))
        if data != self._written and (last or now >= self._feed_at) and self._publish(data, records):
            self._written = data
            # A long feed is written whole, and who talks without end must not keep the disk and the match busy.
            written = self._clock()
            self._feed_at = written + _SHARE * (written - now)
            self._page_due, self._command_due = self._wanted.page is not None, bool(self._wanted.command)
        if self._page_due and (last or now >= self._page_at):
            self._write_page()
        waits = [since + self._delay - now for since in self._since[due : due + 1]]
        waits += [self._page_at - now] * self._page_due
        waits += [self._feed_at - now] * (data != self._written and now < self._feed_at)
        return max(0.0, min(waits)) if waits else None

    def _dump(self, records: Sequence[Record], *, last: bool) -> bytes:
        session = self._session
        if last and session.over:
            with suppress(LogError):
                return logfile.dump(records, session.seat, session.sign_log)
        return logfile.dump_beginning(records) if records else b""

    def _publish(self, data: bytes, records: Sequence[Record]) -> bool:
        """Write the feed; return whether it is new.  What was published is never taken back."""
        try:
            self._wanted.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            if not self._written:
                if not data or not self._claim():
                    return False
                self._sweep()
                try:
                    before = files.read_file(self.feed, logfile.SIZE_LIMIT)
                    # An earlier run may have ended before the other had signed everything.
                    before = logfile.dump_beginning(logfile.load_beginning(before)) if before else b""
                except FileNotFoundError:
                    before = b""
                except LogError:
                    pass
                if not data.startswith(before):
                    if logfile.dump_beginning(records).startswith(before):
                        # It was published by an earlier run, and what is due now is a part of it.
                        return False
                    self._put_aside()
            self._write(self.feed, data)
        except (OSError, JournalError) as error:
            self._tell("files", PublishingFailed(getattr(error, "strerror", None) or str(error)))
            return False
        self._failed.discard("files")
        return True

    def _claim(self) -> bool:
        """Begin the feed, unless it was begun by this player before; return whether it may be written here."""
        wanted, kept = self._wanted, self._journal.read_word(PLACE) or ""
        place = [str(wanted.folder.resolve()), wanted.delay, wanted.page is not None]
        if (value := json.dumps(place)) != kept and "taken" not in self._failed:
            # It is kept before, so that a feed that a kill has left is never taken for somebody else's.
            self._journal.keep(PLACE, value.encode())
            try:
                if not kept or json.loads(kept)[0] != place[0]:
                    self.feed.touch(exist_ok=False)
            except FileExistsError:
                self._journal.keep(PLACE, kept.encode())
                self._tell("taken", FeedTaken(str(self.feed)))
        return "taken" not in self._failed

    def _sweep(self) -> None:
        """Remove what killed programs have left of their drafts."""
        for left in self._wanted.folder.glob(".*.part"):
            with suppress(OSError):
                if _DRAFT.fullmatch(left.name) and time.time() - left.stat().st_mtime > _OLD:
                    left.unlink()

    def _write(self, target: Path, data: bytes) -> None:
        with drafted(target.parent, data, name=f".{target.name}.part") as draft:
            # Whoever carries the folder may read the file from its first moment on; some disks know no modes.
            with suppress(PermissionError):
                draft.chmod(0o644)
            draft.replace(target)

    def _put_aside(self) -> None:
        """Keep a feed that is there and is no beginning of this match."""
        number = 1
        while (aside := self.feed.with_name(f"{self._name}-{number}{SUFFIX}")).exists():
            number += 1
        self.feed.rename(aside)
        self._on_notice(FeedPutAside(str(aside)))

    def _write_page(self) -> None:
        assert self._wanted.page is not None
        begun = self._clock()
        try:
            page = self._wanted.page(self._session.transcript, self._written)
            self._write(self.feed.with_suffix(".html"), page.encode())
        except OSError as error:
            self._tell("files", PublishingFailed(error.strerror or str(error)))
        self._page_due = False
        now = self._clock()
        self._page_at = now + max(_PAGES, _SHARE * (now - begun))

    def _carry(self) -> None:
        """Let the player's command take the files to others: one at a time, at most once a second."""
        if self._command_due and (self._carrying is None or self._carrying.done()):
            self._carrying = asyncio.create_task(self._command())

    async def _command(self) -> None:
        process = None
        try:
            while self._command_due:
                self._command_due = False
                words = shlex.split(self._wanted.command)
                process = await processes.start(*words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
                if code := await process.wait():
                    self._tell("command", PublishingFailed(f"{words[0]}: {code}"))
                if self._command_due:
                    await asyncio.sleep(LEAST)
        except (OSError, ValueError, TypeError, IndexError) as error:
            self._tell("command", PublishingFailed(getattr(error, "strerror", None) or str(error)))
        finally:
            if process is not None and process.returncode is None:
                processes.kill(process)
                await process.wait()

    def _tell(self, what: str, notice: Notice) -> None:
        if what not in self._failed:
            self._failed.add(what)
            self._on_notice(notice)
