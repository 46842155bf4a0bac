"""A run over sources of logs: what is not done yet goes to an engine, and what comes back is checked and kept.

Workers may lie.  So this process verifies some logs of every chunk again, chosen after the worker has answered, and all
whose results contradict each other.  The first answer that does not hold ends the run, and nothing that the workers of
this run have said is kept.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from protocol.archive.alone import verify_alone
from protocol.archive.engines import Engine, Work
from protocol.archive.parts import Parts, PartsError
from protocol.archive.row import UNVERIFIABLE, Row
from protocol.archive.sources import Found, Item, Unread
from protocol.errors import WireError

CHUNK: Final = 64
"""How many logs a worker gets at once."""

CHUNK_BYTES: Final = 8 << 20
"""From how many bytes on a chunk is full with fewer."""

DEATHS: Final = 2
"""How many workers a chunk may kill before its logs are tried alone."""

LISTED: Final = 10_000
"""How many logs with problems, and how many files that give no log, are named; all are counted."""


SKIPPED: Final = (("version",), ("rules_version",))
"""The problems of logs that are not wrong: this program knows their format, their game or its rules not."""


class Lie(Exception):
    """A worker has said something else than this process finds.

    Attributes:
        name: where the log was found.
        said: the worker's row; None if it was no row of this log.
        true: ours.
        dropped: how many rows of this run were thrown away.
    """

    def __init__(self, name: str, said: Row | None, true: Row) -> None:
        super().__init__(name)
        self.name = name
        self.said = said
        self.true = true
        self.dropped = 0


@dataclass(slots=True)
class Summary:
    """What a run has come to, so far or in the end."""

    verified: int = 0
    """Logs that were verified now."""
    earlier: int = 0
    """Logs that an earlier run has verified."""
    twice: int = 0
    """Files that hold the same log as another one."""
    bad: int = 0
    """Logs, of now and earlier, that do not verify."""
    named: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Those with their problems."""
    skipped: int = 0
    """Logs, of now and earlier, that this program cannot check."""
    skips: list[tuple[str, str]] = field(default_factory=list)
    """Those with the reasons."""
    left_out: int = 0
    """Files that give no log."""
    unread: list[Unread] = field(default_factory=list)
    """Those with the reasons."""
    disputed: list[bytes] = field(default_factory=list)
    """Matches whose logs say different results."""
    faults: list[PartsError] = field(default_factory=list)
    """Files of the archive that did not hold; their logs are verified again."""
    manifest: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Chunk:
    names: list[str] = field(default_factory=list)
    logs: list[bytes] = field(default_factory=list)
    size: int = 0
    deaths: int = 0


class Run:
    """One run."""

    def __init__(
        self,
        parts: Parts,
        engine: Engine,
        work: Work,
        *,
        sample: float,
        chance: Random,
        tell: Callable[[Summary], None],
    ) -> None:
        """Begin.

        Args:
            parts: where rows are kept.
            engine: who verifies.
            work: what this process verifies with.
            sample: the part of what workers say that is verified again, from 0 to 1; of each kind in a chunk at least
                one log is.
            chance: chooses these logs; no worker may foresee it.
            tell: is told how far the run is.
        """
        self.summary = Summary()
        self._parts, self._engine, self._work = parts, engine, work
        self._sample, self._chance, self._tell = sample, chance, tell
        self._flying: dict[int, _Chunk] = {}
        self._submitted = 0
        self._untrusted: set[bytes] = set()

    def take(self, read: Callable[[], Iterator[Item]]) -> Summary:
        """Verify what some sources hold and is not done, and write the manifest.

        Args:
            read: yields what the sources hold, as often as it is called.

        Raises:
            Lie: a worker lies.
            PartsError: the folder of the archive cannot be used.
            WorkerError: the engine cannot be used any more; what was done is kept.
            LocalProtocolError: the library that a scheme needs is too old or does not work.
        """
        self.summary.faults = self._parts.mend()
        try:
            for chunk in self._cut(read()):
                while len(self._flying) >= self._engine.width:
                    self._collect()
                self._submit(chunk)
            while self._flying:
                self._collect()
            self._settle_disputes(read)
        except Lie as lie:
            lie.dropped = len(self._untrusted)
            self._parts.drop(self._untrusted)
            raise
        self._parts.settle()
        self.summary.manifest = self._parts.write_manifest()
        return self.summary

    def _cut(self, items: Iterable[Item]) -> Iterator[_Chunk]:
        """Yield chunks of what is not done."""
        done, met = self._parts.load_done(), set()
        chunk = _Chunk()
        for item in items:
            if isinstance(item, Unread):
                self.summary.left_out += 1
                if len(self.summary.unread) < LISTED:
                    self.summary.unread.append(item)
                continue
            digest = hashlib.sha256(item.data).digest()
            if digest in met:
                self.summary.twice += 1
                continue
            met.add(digest)
            if digest in done:
                self.summary.earlier += 1
                self._note(item.name, done[digest])
                self._tell(self.summary)
                continue
            chunk.names.append(item.name)
            chunk.logs.append(item.data)
            chunk.size += len(item.data)
            if len(chunk.logs) == CHUNK or chunk.size >= CHUNK_BYTES:
                yield chunk
                chunk = _Chunk()
        if chunk.logs:
            yield chunk

    def _note(self, name: str, problems: tuple[str, ...]) -> None:
        if problems in SKIPPED:
            self.summary.skipped += 1
            if len(self.summary.skips) < LISTED:
                self.summary.skips.append((name, problems[0]))
        elif problems:
            self.summary.bad += 1
            if len(self.summary.named) < LISTED:
                self.summary.named.append((name, problems))

    def _submit(self, chunk: _Chunk) -> None:
        self._flying[self._submitted] = chunk
        self._engine.submit(self._submitted, chunk.logs)
        self._submitted += 1

    def _collect(self) -> None:
        number, packed = self._engine.collect()
        chunk = self._flying.pop(number)
        if packed is not None:
            rows = self._check(chunk, packed)
        elif (deaths := chunk.deaths + 1) < DEATHS:
            chunk.deaths = deaths
            self._submit(chunk)
            return
        else:
            rows = list(map(_row_of, chunk.logs, verify_alone(chunk.logs, self._work)))
        self._parts.write(rows)
        self.summary.verified += len(rows)
        for name, row in zip(chunk.names, rows, strict=True):
            self._note(name, row.problems)
        self._tell(self.summary)

    def _verify(self, data: bytes) -> Row:
        return Row.unpack(self._work([data])[0])

    def _check(self, chunk: _Chunk, packed: Sequence[bytes]) -> list[Row]:
        """Return the rows of a chunk, some of which were verified here."""
        rows: list[Row] = []
        answers = packed if len(packed) == len(chunk.logs) else [b""] * len(chunk.logs)
        for name, data, answer in zip(chunk.names, chunk.logs, answers, strict=True):
            try:
                row = Row.unpack(answer)
            except (WireError, TypeError):
                raise Lie(name, None, self._verify(data)) from None
            if (row.log, row.size) != (hashlib.sha256(data).digest(), len(data)):
                raise Lie(name, row, self._verify(data))
            rows.append(row)
        if not self._engine.trusted:
            for index in self._choose(rows):
                self._compare(chunk.names[index], chunk.logs[index], rows[index])
            self._untrusted.update(row.log for row in rows)
        return rows

    def _choose(self, rows: list[Row]) -> list[int]:
        """Return which rows are verified again."""
        kinds: dict[tuple[bool, str, tuple[int, ...]], list[int]] = {}
        for index, row in enumerate(rows):
            kinds.setdefault((row.ok, row.scheme, row.convicted), []).append(index)
        chosen = [self._chance.choice(group) for group in kinds.values()]
        chosen += self._chance.sample(range(len(rows)), math.ceil(self._sample * len(rows)))
        return sorted(set(chosen))

    def _compare(self, name: str, data: bytes, said: Row) -> None:
        true = self._verify(data)
        if said != true:
            raise Lie(name, said, true)

    def _settle_disputes(self, read: Callable[[], Iterator[Item]]) -> None:
        """Verify here what the logs of one match say differently; what still differs then is the players' doing."""
        disputed = self._parts.find_disputed()
        self.summary.disputed = sorted(disputed)
        if not disputed or not self._untrusted:
            return
        said = {row.log: row for row in self._parts.rows() if row.match in disputed and row.log in self._untrusted}
        for item in read():
            if isinstance(item, Found):
                row = said.pop(hashlib.sha256(item.data).digest(), None)
                if row is not None:
                    self._compare(item.name, item.data, row)


def judge_again(rows: Iterable[Row], items: Iterable[Item], work: Work) -> Iterator[Row | Lie]:
    """Judge the logs of some rows again, and yield for each log that is found its row, or the lie that this is.

    Args:
        rows: what is said of the logs.
        items: what the sources hold.
        work: what this process verifies with.

    Raises:
        LocalProtocolError: the library that a scheme needs is too old or does not work.
    """
    left = {row.log: row for row in rows}
    for item in items:
        if not left:
            return
        said = left.pop(hashlib.sha256(item.data).digest(), None) if isinstance(item, Found) else None
        if said is not None and isinstance(item, Found):
            packed = None
            if said.problems != (UNVERIFIABLE,):
                with suppress(MemoryError, RecursionError):
                    [packed] = work([item.data])
            if packed is None:
                [packed] = verify_alone([item.data], work)
            true = _row_of(item.data, packed)
            yield said if said == true else Lie(item.name, said, true)


def _row_of(data: bytes, packed: bytes | None) -> Row:
    """Return the row of a log; where there is none because it has killed its worker, one that says so."""
    if packed is not None:
        return Row.unpack(packed)
    return Row(hashlib.sha256(data).digest(), len(data), problems=(UNVERIFIABLE,))
