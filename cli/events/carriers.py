"""Where the files of a tournament travel: another folder, a zip, a web folder, a git repository.

Whatever a carrier brings is a stranger's: it is bounded, it is checked file by file (:mod:`cli.events.carried`), and no
name of a stranger becomes the name of a file.  Git works in a repository of this program's own without a work tree, so
there is nothing to check out, no hook, no filter, and no conflict: what the others have is read from the objects, and
what they lack is added on top of their newest commit.
"""

import errno
import hashlib
import http.client
import io
import ipaddress
import os
import re
import secrets
import shutil
import socket
import ssl
import tempfile
import threading
import time
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote, unquote, urljoin, urlsplit

from cli.events import folder
from cli.events.carried import Fate, Intake, Taken, check, name_of
from protocol.record import logfile
from protocol.record.files import alone, make_folder
from protocol.system import processes
from protocol.system.files import read_file
from protocol.tournament.documents import DOCUMENT_LIMIT

FILES: Final = 4096
"""The most files that are taken from a carrier at a time."""

BYTES: Final = 64 << 20
"""The most bytes of them, and of a zip."""

SECONDS: Final = 120.0
"""How long a carrier may take that somebody has asked for."""

SECONDS_BRIEF: Final = 20.0
"""How long it may take where somebody wants something else."""

REPOSITORY: Final = 512 << 20
"""The most bytes of what git downloads at a time, and of all that is kept of a repository."""

_LIST: Final = 16 << 20
"""The longest list of names, in bytes."""
_TRIES: Final = 20
"""So often somebody else may have been faster."""
_PATIENCE: Final = 15.0
"""How long a server may say nothing, in seconds."""
_LIMITS: Final = {folder.SUFFIX: DOCUMENT_LIMIT, logfile.SUFFIX: logfile.SIZE_LIMIT}


class CarrierError(Exception):
    """A carrier that cannot be used.

    Attributes:
        code: ``missing``, ``scheme``, ``insecure``, ``no_git``, ``git``, ``refused``, ``lost_race``, ``late``,
            ``unreachable``, ``status``, ``redirect``, ``no_list``, ``zip``, ``too_much`` or ``unusable``.
        detail: what the other program or the system has said.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Carrier(ABC):
    """Something that has files of a tournament, and may take more."""

    cut = False
    """Whether there was more than may be taken at a time."""

    @abstractmethod
    def bring(self, path: Path) -> Iterator[tuple[str, bytes]]:
        """Yield what it has and a folder may lack: what each file is called there, and what is in it.

        Raises:
            CarrierError: it cannot be used.
        """

    def send(self, path: Path, event: bytes) -> int | None:
        """Take from a folder what is lacking; return how many files that are, None if it takes none from anybody.

        Raises:
            CarrierError: as above; ``lost_race``: others were faster, and have brought something.
        """
        return None


@dataclass(slots=True)
class Synced:
    """What has come and gone."""

    event: bytes | None = None
    came: list[str] = field(default_factory=list)
    """The names of the files that were added."""
    refused: dict[Fate, list[str]] = field(default_factory=dict)
    """What the others were called there, by what is wrong with them."""
    sent: int | None = 0
    """How many files the carrier has taken; None where nobody can send."""
    cut: bool = False
    problem: CarrierError | None = None
    """Why it went no further."""

    def note(self, name: str, taken: Taken) -> None:
        """Note what has become of a file."""
        if taken.fate is Fate.ADDED:
            self.came.append(taken.name)
        elif taken.fate is not Fate.HELD and name not in self.refused.setdefault(taken.fate, []):
            self.refused[taken.fate].append(name)


def sync(path: Path, carrier: Carrier, event: bytes | None, choose: Callable[[Iterable[bytes]], bytes]) -> Synced:
    """Let a folder and a carrier have the same files; what has come stays, whatever happens then.

    Args:
        path: the folder.
        carrier: what has files.
        event: the id of the event; None if the folder is new.
        choose: returns it, for what is in all files of the carrier.

    Raises:
        OSError: the folder cannot be used.
        LocalProtocolError: the library that checks keys is too old or does not work.
    """
    found = Synced(event)
    try:
        for left in reversed(range(_TRIES)):
            files: Iterable[tuple[str, bytes]] = carrier.bring(path)
            if found.event is None:
                files = list(files)
                found.event = choose(data for _, data in files)
            for name, taken in Intake(path, found.event).take_all(files):
                found.note(name, taken)
            found.cut = carrier.cut
            try:
                found.sent = carrier.send(path, found.event)
                break
            except CarrierError as error:
                if error.code != "lost_race" or not left:
                    raise
    except CarrierError as error:
        found.problem = error
    return found


def open_carrier(address: str, cache: Path, seconds: float = SECONDS) -> tuple[Carrier, str]:
    """Return what is at an address, and the address as it is remembered.

    Args:
        address: a path, a URL, or ``user@host:path`` as git takes it.
        cache: a folder of this program's own, where repositories are kept.
        seconds: how long it may take.

    Raises:
        CarrierError: nothing can be there.
        OSError: it cannot be looked at.
    """
    until = time.monotonic() + seconds
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", address)
    if scheme is None and re.match(r"[^/\\:@-][^/\\:@]*@[^/\\:@]+:", address) is None:
        place = Path(address).expanduser().absolute()
        if place.is_dir():
            is_bare = (place / "HEAD").is_file() and (place / "objects").is_dir()
            return (Git(str(place), cache, until) if is_bare else Folder(place)), str(place)
        if not place.is_file():
            raise CarrierError("missing")
        return Zip(read_file(place, BYTES)), str(place)
    kind = "ssh" if scheme is None else scheme[1].lower()
    if kind not in ("ssh", "git", "file", "http", "https"):
        raise CarrierError("scheme", kind)
    if kind == "http" and not _is_near(address):
        raise CarrierError("insecure")
    try:
        is_web = kind.startswith("http") and not urlsplit(address).path.rstrip("/").endswith(".git")
    except ValueError as error:
        raise CarrierError("missing") from error
    if is_web:
        return Web(address, until), address
    return Git(address, cache, until), address


def _is_near(url: str) -> bool:
    """Say whether a URL names this machine or one of its own network, where nobody has a certificate."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_private
    except ValueError:
        return False


def _limit_of(name: str) -> int | None:
    """Return how long a file may be; None if it is neither a document nor a log."""
    return next((limit for suffix, limit in _LIMITS.items() if name.lower().endswith(suffix)), None)


def files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the documents and logs of a folder that can be read."""
    for entry in sorted(path.iterdir(), key=lambda entry: _turn(entry.name)):
        limit = None if entry.name.startswith(".") else _limit_of(entry.name)
        if limit is not None:
            try:
                data = read_file(entry, limit)
            except OSError:
                continue
            yield entry.name, data


def _turn(name: str) -> tuple[int, int]:
    """Return a key that sorts names as folders are read, and each kind in another order every time.

    Whoever fills a carrier with more junk than is taken at once keeps nothing away for good.
    """
    return folder.rank(name), secrets.randbits(32)


@dataclass(slots=True)
class _Budget:
    files: int = FILES
    bytes: int = BYTES

    def allows(self, size: int, files: int = 1) -> bool:
        """Count a file; return whether it is still allowed."""
        self.files, self.bytes = self.files - files, self.bytes - size
        return self.files >= 0 and self.bytes >= 0


class Folder(Carrier):
    """Another folder, such as one on a disk that goes from hand to hand."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def bring(self, path: Path) -> Iterator[tuple[str, bytes]]:
        """Yield all its files."""
        held, budget = folder.read_folder(path).names(), _Budget()
        try:
            for name, data in files(self._path):
                if hashlib.sha256(data).digest() in held:
                    continue
                self.cut = not budget.allows(len(data))
                if self.cut:
                    return
                yield name, data
        except OSError as error:
            raise CarrierError("unusable", error.strerror or "") from error

    def send(self, path: Path, event: bytes) -> int | None:
        """Add what it lacks."""
        try:
            taken = [*Intake(self._path, event).take_all(files(path))]
        except OSError as error:
            raise CarrierError("unusable", error.strerror or "") from error
        return sum(one.fate is Fate.ADDED for _, one in taken)


class Zip(Carrier):
    """The bytes of a zip, as ``event bundle`` and any other program makes one; only to read."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def bring(self, path: Path) -> Iterator[tuple[str, bytes]]:
        """Yield its files, none of them unpacked further than it may be long."""
        # A list of a million names would fill the memory before the first was looked at.
        if len(re.findall(b"PK\1\2", self._data)) > 4 * FILES:
            raise CarrierError("too_much")
        held, budget = folder.read_folder(path).names(), _Budget()
        try:
            with zipfile.ZipFile(io.BytesIO(self._data)) as file:
                for one in file.infolist():
                    limit = _limit_of(one.filename)
                    if limit is None or one.is_dir():
                        continue
                    if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                        raise CarrierError("zip")
                    with file.open(one) as inner:
                        data = inner.read(limit + 1)
                    is_held = hashlib.sha256(data).digest() in held
                    self.cut = not budget.allows(len(data), 0 if is_held else 1)
                    if self.cut:
                        return
                    if not is_held:
                        yield one.filename, data
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, OverflowError) as error:
            raise CarrierError("zip") from error


def bundle(files: Iterable[bytes], event: bytes) -> bytes:
    """Return a zip of the files of an event, the same bytes for the same files wherever it is made."""
    named = {}
    for data in files:
        checked = check(event, data)
        if not isinstance(checked, Fate):
            named[name_of(checked, data)] = data
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in sorted(named.items()):
            one = zipfile.ZipInfo(name)
            one.create_system, one.external_attr = 3, 0o644 << 16
            file.writestr(one, data)
    return out.getvalue()


class _Connection(http.client.HTTPConnection):
    """One that is shut when its time is over, however slowly the server goes on."""

    def __init__(self, url: str, until: float, *, near: bool) -> None:
        parts = urlsplit(url)
        self.begin = (parts.scheme, parts.netloc)
        self._tls, self._until, self._near = parts.scheme == "https", until, near
        self._guard: tuple[threading.Timer, socket.socket] | None = None
        super().__init__(parts.hostname or "", parts.port or (443 if self._tls else 80))

    def connect(self) -> None:
        """Connect, with TLS where the scheme says so."""
        self.part()
        left = max(self._until - time.monotonic(), 0.01)
        self.sock = socket.create_connection((self.host, self.port), min(left, _PATIENCE))
        if not self._near and not ipaddress.ip_address(self.sock.getpeername()[0]).is_global:
            # What a stranger's server leads to is never a machine that only this one can reach.
            self.sock.close()
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        # The library lets go of a connection that ends with its answer, and the answer still comes.
        again = self.sock.dup()
        self._guard = (threading.Timer(left, _shut, (again,)), again)
        self._guard[0].daemon = True
        self._guard[0].start()
        if self._tls:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)

    def part(self) -> None:
        """Let nobody shut the last connection any more."""
        if self._guard is not None:
            self._guard[0].cancel()
            self._guard[1].close()
            self._guard = None


def _shut(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that grows, as a web server has given it."""

    data: bytes = b""
    tag: str = ""
    since: str = ""
    """When it was changed, by the server's clock; empty where it may change again within that second."""
    parts: int = 0
    """In so many answers it has come."""


class Web(Carrier):
    """A folder that a web server shows, as a page of links or a list of names; or a zip there.  Only to read."""

    _HOPS: Final = 3

    def __init__(self, url: str, until: float) -> None:
        self._url, self._until = url, until
        self._typed = urlsplit(url).hostname
        self._connection: _Connection | None = None
        self._status, self._headers = 0, http.client.HTTPMessage()

    def bring(self, path: Path) -> Iterator[tuple[str, bytes]]:
        """Yield the files whose hash stands in the name of none in a folder."""
        try:
            page = self._find()
            if page.startswith(b"PK"):
                inner = Zip(page)
                yield from inner.bring(path)
                self.cut = inner.cut
                return
            names, budget = _links(page), _Budget()
            if not names:
                raise CarrierError("no_list")
            ends = {_end(entry.name) for entry in path.iterdir()}
            for name in names:
                if _end(name) in ends:
                    continue
                try:
                    data = self._get(urljoin(self._url, quote(name)), _limit_of(name) or 0)
                except CarrierError as error:
                    if error.code not in ("status", "redirect"):
                        raise
                    # One that is gone keeps none of the others away.
                    data = b""
                self.cut = not budget.allows(len(data))
                if self.cut:
                    return
                yield name, data
        finally:
            self._part()

    def fetch(self, held: Fetched, limit: int) -> Fetched:
        """Return a file that only grows, of which a part may be held already; no more is asked for than is new.

        Raises:
            CarrierError: it cannot be fetched, or has more than ``limit`` bytes.
        """
        asked = {"If-None-Match": held.tag, "If-Modified-Since": held.since}
        if held.data:
            asked["Range"] = f"bytes={len(held.data)}-"
        try:
            data = self._find(limit, {name: value for name, value in asked.items() if value}, (200, 206, 304, 416))
        finally:
            self._part()
        if self._status in (304, 416):
            return held
        parts = 1
        if self._status == 206:
            begins = re.match(r"bytes (\d{1,9})-", self._headers.get("Content-Range", ""))
            if begins is None or int(begins[1]) != len(held.data):
                raise CarrierError("status", "206")
            data, parts = held.data + data, held.parts + 1
        if len(data) > limit:
            raise CarrierError("too_much")
        return Fetched(data, self._headers.get("ETag", ""), self._since(), parts)

    def _since(self) -> str:
        changed = self._headers.get("Last-Modified", "")
        try:
            age = parsedate_to_datetime(self._headers.get("Date", "")) - parsedate_to_datetime(changed)
        except ValueError:
            return ""
        return changed if age.total_seconds() > 1 else ""

    def _find(self, limit: int = BYTES, headers: Mapping[str, str] = {}, good: Sequence[int] = (200,)) -> bytes:
        """Return the list, the zip or the file, at most a few addresses further."""
        for _ in range(self._HOPS + 1):
            try:
                return self._get(self._url, limit, headers, good)
            except _Moved as moved:
                try:
                    to = urljoin(self._url, moved.detail)
                    here, there = urlsplit(self._url), urlsplit(to)
                except ValueError:
                    raise CarrierError("redirect", moved.detail) from None
                if there.scheme != "https" and (here.scheme, here.netloc) != (there.scheme, there.netloc):
                    raise CarrierError("redirect", to) from None
                self._url = to
        raise CarrierError("redirect", self._url)

    def _get(self, url: str, limit: int, headers: Mapping[str, str] = {}, good: Sequence[int] = (200,)) -> bytes:
        try:
            parts = urlsplit(url)
            if self._connection is None or self._connection.begin != (parts.scheme, parts.netloc):
                self._part()
                self._connection = _Connection(url, self._until, near=parts.hostname == self._typed)
            target = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~") + (f"?{parts.query}" if parts.query else "")
            self._connection.request("GET", target, headers={"Accept-Encoding": "identity", **headers})
            with self._connection.getresponse() as answer:
                self._status, self._headers = answer.status, answer.headers
                moved = answer.getheader("Location") if 300 <= answer.status < 400 and answer.status != 304 else None
                data = b"" if moved else answer.read(limit + 1)
                rest = bool(moved) or len(data) > limit or (answer.length or 0) > 0
            if time.monotonic() >= self._until:
                raise TimeoutError
        except (OSError, http.client.HTTPException, ValueError) as error:
            if time.monotonic() >= self._until:
                raise CarrierError("late") from error
            raise CarrierError("unreachable", getattr(error, "strerror", None) or type(error).__name__) from error
        if rest:
            # It would stand before the next answer.
            self._part()
        if moved:
            raise _Moved("redirect", moved)
        if answer.status not in good:
            raise CarrierError("status", str(answer.status))
        return data

    def _part(self) -> None:
        if self._connection is not None:
            self._connection.part()
            self._connection.close()
            self._connection = None


class _Moved(CarrierError):
    pass


_HREF: Final = re.compile(r"""href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)
_NAME: Final = re.compile(r"(?:\./)?([^/\\?#:\x00-\x1f\x7f]{1,200})")


def _links(page: bytes) -> Sequence[str]:
    """Return the names of documents and logs that a page links to, or a list has in its lines; documents first."""
    text = page.decode("utf-8", "replace")
    found = [unquote(next(filter(None, groups), "")) for groups in _HREF.findall(text)] or text.split("\n")
    names = [match[1] for one in found if (match := _NAME.fullmatch(one.strip())) and _limit_of(match[1]) is not None]
    return sorted(set(names), key=_turn)


def _end(name: str) -> str:
    """Return the hash in the name of a file with its suffix; where there is none, the whole name."""
    end = name.rpartition("-")[2]
    return end if re.match(rf"[0-9a-f]{{{folder.DIGITS}}}\.", end) else name


@dataclass(frozen=True, slots=True)
class _Blob:
    name: str
    id: str
    size: int


class Git(Carrier):
    """A git repository, by the program ``git``: its own settings, keys and proxies are the person's."""

    _SAFE: Final = (
        *("-c", f"core.hooksPath={os.devnull}", "-c", "protocol.ext.allow=never", "-c", "gc.auto=0"),
        *("-c", "maintenance.auto=false", "-c", "submodule.recurse=false", "-c", "core.fsmonitor=false"),
        # All that is downloaded is one file, which has a limit.
        *("-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1"),
    )
    _QUIET: Final = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        "LC_ALL": "C",
    }
    """Nobody is asked for a password, and what git says is in the language that is looked for below."""

    def __init__(self, remote: str, cache: Path, until: float) -> None:
        self._remote, self._until = remote, until
        self._cache = cache
        self._repository = cache / hashlib.sha256(remote.encode(errors="surrogateescape")).hexdigest()[:16]
        self._draft = self._repository.with_suffix(".part")
        self._branch = self._tip = ""
        self._blobs: dict[str, _Blob] = {}

    def bring(self, path: Path) -> Iterator[tuple[str, bytes]]:
        """Fetch, and yield what a folder lacks."""
        self._fetch()
        own = {self._id(data) for _, data in files(path)} if self._blobs else set()
        budget, wanted = _Budget(), []
        for blob in self._blobs.values():
            if blob.id in own:
                continue
            self.cut = not budget.allows(blob.size)
            if self.cut:
                break
            wanted.append(blob)
        if not wanted:
            return
        with tempfile.TemporaryFile() as asked:
            asked.write("".join(f"{blob.id}\n" for blob in wanted).encode())
            asked.seek(0)
            data = io.BytesIO(self._run("cat-file", "--batch", given=asked, limit=2 * BYTES))
        for blob in wanted:
            size = int(data.readline().split()[-1])
            yield blob.name, data.read(size + 1)[:size]

    def send(self, path: Path, event: bytes) -> int | None:
        """Commit on top of what was fetched, and push."""
        lacking = {}
        for _, data in files(path):
            if self._id(data) not in self._blobs:
                checked = check(event, data)
                if not isinstance(checked, Fate):
                    lacking[name_of(checked, data)] = data
        if not lacking:
            return 0
        taken = {blob.name for blob in self._blobs.values()}
        ref = f"refs/heads/{self._branch}"
        with tempfile.TemporaryFile() as stream:
            subject = f"Files of a tournament: {len(lacking)}\n".encode()
            stream.write(f"commit {ref}\ncommitter storm-p2p <storm-p2p@localhost> now\n".encode())
            stream.write(b"data %d\n%s" % (len(subject), subject))
            if self._tip:
                stream.write(f"from {self._tip}\n".encode())
            for name, data in lacking.items():
                # Whoever has taken the name before keeps it.
                free = f"{hashlib.sha256(data).hexdigest()}-{name}" if name in taken else name
                stream.write(b"M 100644 inline %s\ndata %d\n%s\n" % (free.encode(), len(data), data))
            stream.seek(0)
            self._run("fast-import", "--quiet", "--date-format=now", given=stream)
        try:
            self._run("push", "--quiet", "--no-verify", "--", self._remote, f"{ref}:{ref}")
        except CarrierError as error:
            before = self._tip
            self._fetch()
            if self._tip != before:
                raise CarrierError("lost_race") from error
            raise CarrierError("refused" if error.code == "git" else error.code, error.detail) from error
        return len(lacking)

    def _fetch(self) -> None:
        make_folder(self._cache)
        with alone(self._cache):
            try:
                self._download()
            finally:
                # What was broken off would stay there for good.
                shutil.rmtree(self._draft, ignore_errors=True)
                objects = self._repository / "objects"
                is_full = sum(file.lstat().st_size for file in objects.rglob("*")) >= REPOSITORY
                for left in objects.glob("pack/tmp_*"):
                    left.unlink(missing_ok=True)
                if is_full:
                    shutil.rmtree(self._repository, ignore_errors=True)
                    raise CarrierError("too_much")
        ref = f"refs/heads/{self._branch}"
        self._tip = self._run("for-each-ref", "--format=%(objectname)", ref).decode().strip()
        self._blobs = {blob.id: blob for blob in self._list(ref)} if self._tip else {}

    def _download(self) -> None:
        if not self._repository.exists():
            # A clone knows the branch even of an empty repository.
            shutil.rmtree(self._draft, ignore_errors=True)
            words = ("--bare", "--quiet", "--single-branch", "--no-tags", "--template=", "--", self._remote)
            self._run("clone", *words, str(self._draft), inside=False)
            self._draft.rename(self._repository)
            self._branch = self._name_branch()
        else:
            self._branch = self._branch or self._name_branch()
            refs = f"+refs/heads/{self._branch}*:refs/heads/{self._branch}*"
            self._run("fetch", "--quiet", "--prune", "--no-tags", "--", self._remote, refs)

    def _name_branch(self) -> str:
        return self._run("symbolic-ref", "--short", "HEAD").decode().strip()

    def _list(self, ref: str) -> Iterator[_Blob]:
        found = []
        for line in self._run("ls-tree", "-r", "-l", "-z", "--full-tree", ref, limit=_LIST).split(b"\0"):
            head, _, path = line.partition(b"\t")
            name = path.decode("utf-8", "replace")
            limit = _limit_of(name)
            mode, _, named, size = (*head.decode().split(), "", "", "", "")[:4]
            # No links, no other repositories, and nothing that a stranger's copy lacks, which has no size.
            if limit is not None and mode in ("100644", "100755") and size.isdigit() and int(size) <= limit:
                found.append(_Blob(name, named, int(size)))
        yield from sorted(found, key=lambda blob: _turn(blob.name))

    def _id(self, data: bytes) -> str:
        named = b"blob %d\0%s" % (len(data), data)
        if len(self._tip) == 64:
            return hashlib.sha256(named).hexdigest()
        return hashlib.sha1(named, usedforsecurity=False).hexdigest()

    def _run(self, *words: str, given: IO[bytes] | None = None, limit: int = 1 << 20, inside: bool = True) -> bytes:
        where = ("--git-dir", str(self._repository)) if inside else ()
        left = max(self._until - time.monotonic(), 0.01)
        try:
            command, more = ("git", *self._SAFE, *where, *words), self._QUIET
            code, out, said = processes.ask(command, given, seconds=left, limit=limit, more=more, largest=REPOSITORY)
        except FileNotFoundError as error:
            raise CarrierError("no_git") from error
        except (OSError, ValueError) as error:
            raise CarrierError("late" if time.monotonic() >= self._until else "too_much") from error
        if code:
            lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines()]
            told = [line for line in lines if line and not line.startswith(("warning:", "hint:"))]
            raise CarrierError("git", (told or [""])[0])
        return out


def origin(path: Path) -> str:
    """Return where a clone that somebody has made has come from; empty if the folder is none.

    No git ever works within it: who gets a folder from a stranger gets settings of git that start programs.
    """
    config = path / ".git" / "config"
    if not config.is_file():
        return ""
    words = ("git", "config", "--file", str(config), "--get", "remote.origin.url")
    try:
        code, out, _ = processes.ask(words, seconds=SECONDS_BRIEF, limit=_LIST)
    except (OSError, ValueError):
        return ""
    return "" if code else os.fsdecode(out).strip()
