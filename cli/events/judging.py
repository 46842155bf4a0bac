"""What the logs of a folder prove, judged once for each set of files of a match.

What was worked out once and takes long is kept in the player's own folder, by what it was worked out from, and never in
that of the tournament: there anybody could write it.  What is damaged, or was written by another version of the
program, counts as not kept.
"""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from cli import __version__
from protocol.core import wire
from protocol.core.agreement import read_agreement
from protocol.core.audit import check_trailer
from protocol.core.frames import Log
from protocol.core.game_data import Conditions, EventTerms
from protocol.core.merging import verify_together
from protocol.errors import ProtocolError, WireError
from protocol.record import logfile
from protocol.record.files import make_folder, write_file
from protocol.record.logfile import LogError
from protocol.system.files import read_file
from protocol.tournament.reports import Report, report_of
from storm_p2p import games

_MANY: Final = 12
_NOBODY: Final = 255
_SHARE: Final = logfile.SIZE_LIMIT
"""The most bytes of logs of one match that are judged together, of those that each player has signed and of the rest.

Honest ones are a hundred times shorter; whoever signs logs without end pushes out none of the other's.
"""
_FILES: Final = 16
"""The most files of each share: to judge a log takes a third of a second."""
_LARGEST: Final = 65_536
"""The longest value that is read again; no real one is nearly as long."""


def judge(
    logs: Mapping[Path, bytes], kept: Path | None = None, on_many: Callable[[int], object] = lambda number: None
) -> list[Report]:
    """Return what logs prove, those of one match together; never are those of two matches in memory.

    Args:
        logs: the files, and the SHA-256 of what is in each.
        kept: where reports are kept.
        on_many: called with their number if so many are to be judged that it takes seconds.

    Raises:
        LocalProtocolError: the library that a scheme needs is too old or does not work.
    """
    found: list[Report] = []
    known: dict[bytes, _Kept] = {}
    matches: dict[bytes, list[tuple[bytes, Path]]] = {}
    for path, digest in logs.items():
        held = None if kept is None else _recall(kept, digest)
        try:
            one = held or _Kept(*_look(path, digest))
        except LogError as error:
            found.append(Report(digest, problems=(error.code,)))
            continue
        known[digest] = one
        matches.setdefault(one.group, []).append((digest, path))
    chosen = {group: _shortest(files, known) for group, files in matches.items()}
    # What was judged counts for these very files of a match together, and for no others.
    fresh = {group for group, paths in chosen.items() if any(known[one].together != tuple(paths) for one in paths)}
    if (count := sum(len(chosen[group]) for group in fresh)) > _MANY:
        on_many(count)
    for group, files in matches.items():
        # The same file under two names is judged once and counts once, and both are told of.
        reports = {one: known[one].report for one in chosen[group]}
        if group in fresh:
            reports = dict(_judge_match(group, chosen[group], known, kept))
        found += [reports.get(digest) or Report(digest, problems=("too-long",)) for digest, _ in files]
    return found


class _Kept(NamedTuple):
    """What is kept of a log that was judged, or known of one that was not."""

    group: bytes
    """The match id, or the SHA-256 of the file where the handshake does not hold."""
    size: int
    """How many bytes its messages have."""
    signer: int
    """The seat that has signed the file, or :data:`_NOBODY`."""
    together: tuple[bytes, ...] = ()
    """All files that were judged together."""
    report: Report | None = None


def _look(path: Path, digest: bytes) -> tuple[bytes, int, int]:
    """Return what the logs of one match have in common, how many bytes the messages of this one have, and its signer.

    Raises:
        LogError: it is no log.
    """
    log = _load(path, digest)
    group, signer = digest, _NOBODY
    with suppress(ProtocolError):
        agreement = read_agreement(log.records)
        group = agreement.match_id
        if log.trailer is not None and not check_trailer(agreement, log.trailer):
            signer = log.trailer.seat
    return group, sum(len(one.frame) for one in log.records), signer


def _shortest(files: Iterable[tuple[bytes, Path]], known: Mapping[bytes, _Kept]) -> dict[bytes, Path]:
    """Return the logs of a match that may be in memory together, in the order of their hashes.

    Whoever fills the folder with long ones pushes out nothing that is shorter.
    """
    chosen: dict[bytes, Path] = {}
    held = sorted(dict(sorted(files)).items(), key=lambda file: (known[file[0]].signer, known[file[0]].size))
    for _, share in groupby(held, lambda file: known[file[0]].signer):
        left = _SHARE
        for digest, path in islice(share, _FILES):
            left -= known[digest].size
            if left < 0:
                break
            chosen[digest] = path
    return dict(sorted(chosen.items()))


def _load(path: Path, digest: bytes) -> Log:
    """Return a log.

    Raises:
        LogError: it is none, or not the one that was there before.
    """
    data = logfile.read(path)
    if hashlib.sha256(data).digest() != digest:
        raise LogError("unreadable", "expected a file that nobody changes meanwhile")
    return logfile.load(data)


def _judge_match(
    group: bytes, paths: Mapping[bytes, Path], known: Mapping[bytes, _Kept], kept: Path | None
) -> Iterator[tuple[bytes, Report]]:
    """Yield what the logs of a match prove, by the SHA-256 of the files, and keep it."""
    try:
        logs = [_load(path, digest) for digest, path in paths.items()]
    except LogError as error:
        # They were there a moment ago, and will be judged when nobody changes them.
        yield from ((digest, Report(digest, problems=(error.code,))) for digest in paths)
        return
    verdicts = verify_together(logs, games.find)
    reports = [report_of(digest, verdict) for digest, verdict in zip(paths, verdicts, strict=True)]
    # What nobody could check, because the rules are not here, may be checked when they are.
    if kept is not None and not any("rules_version" in one.problems for one in reports):
        for one in reports:
            keep_value(kept, one.digest, (*known[one.digest][:3], tuple(paths), _value(one)))
    yield from zip(paths, reports, strict=True)


def _value(report: Report) -> tuple[wire.Packable, ...]:
    """Return a report as it is kept."""
    plain = {
        "place": None if report.place is None else tuple(getattr(report.place, one) for one in EventTerms.__slots__),
        "conditions": report.conditions.value(),
    }
    return tuple(plain.get(name, getattr(report, name)) for name in Report.__slots__)


def _recall(kept: Path, digest: bytes) -> _Kept | None:
    """Return what is kept of a log, or None: it was never judged, or what is there is something else."""
    with suppress(WireError, ValueError, TypeError):
        group, size, signer, together, fields = recall_value(kept, digest)
        one = Report(*fields)
        if one.digest != digest or digest not in together:
            raise ValueError("a report of another file")
        report = replace(
            one,
            place=None if one.place is None else EventTerms(*one.place),  # type: ignore[misc]
            conditions=Conditions.of(one.conditions),
        )
        return _Kept(group, size, signer, together, report)
    return None


def keep_value(folder: Path, key: bytes, value: wire.Packable) -> None:
    """Keep a value; where the folder cannot be written, it is worked out again."""
    data = wire.encode((key, value))
    with suppress(OSError):
        make_folder(folder)
        write_file(_file(folder, key), _checksum(data) + data, private=True)


def recall_value(folder: Path, key: bytes) -> Any:
    """Return what is kept under a key; None if nothing is."""
    with suppress(OSError, WireError, ValueError):
        data = read_file(_file(folder, key), _LARGEST)
        # A fault of the disk must not read as a verdict about anybody.
        if data[:4] == _checksum(data[4:]):
            found, value = wire.unpack(data[4:], lambda value: None, _LARGEST)
            return value if found == key else None
    return None


def _file(folder: Path, key: bytes) -> Path:
    return folder / hashlib.sha256(__version__.encode() + key).hexdigest()


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "big")
