"""What carries the files of a tournament: another folder, a zip, a web folder, git; and all that may be wrong there."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from helpers_tournament import ORGANISER, STRANGER, event_of

from cli.events import carriers
from cli.events.carried import Fate
from cli.events.carriers import CarrierError, Synced, bundle, open_carrier, origin
from protocol.tournament.contents import Entry, System
from protocol.tournament.documents import read, sign

EVENT = sign(ORGANISER, event_of(System.KNOCK_OUT))
ID = read(EVENT).id
ENTRIES = [sign(STRANGER, Entry(ID, f"player {number}", bytes(32))) for number in range(4)]
NAME = f"entry-player-0-{read(ENTRIES[0]).id.hex()[:16]}.event"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a folder with the announcement."""
    return folder(tmp_path / "own", EVENT)


def folder(path: Path, *files: bytes) -> Path:
    path.mkdir()
    for number, data in enumerate(files):
        (path / f"{number}.event").write_bytes(data)
    return path


def choose(_: Iterable[bytes]) -> bytes:
    raise AssertionError("the folder knows its event")


def sync(own: Path, address: str, seconds: float = 30) -> Synced:
    carrier, _ = open_carrier(address, own.parent / "cache", seconds)
    return carriers.sync(own, carrier, ID, choose)


def failure(own: Path, address: str, seconds: float = 30) -> str:
    """Return how it fails; nothing has come."""
    before = contents(own)
    try:
        found = sync(own, address, seconds)
    except CarrierError as error:
        return error.code
    assert found.problem is not None
    assert contents(own) == before
    return found.problem.code


def contents(path: Path) -> set[bytes]:
    return {one.read_bytes() for one in path.rglob("*.event") if not one.is_symlink()}


# -- folders and zips -----------------------------------------------------------------------------------------


def test_two_folders_have_the_same_files_afterwards(own: Path, tmp_path: Path) -> None:
    other = folder(tmp_path / "other", *ENTRIES[:2], b"junk")
    (own / "mine.event").write_bytes(ENTRIES[2])
    (own / "notes.txt").write_text("mine alone")
    found = sync(own, str(other))
    assert (len(found.came), found.sent, found.refused) == (2, 2, {Fate.FOREIGN: ["2.event"]})
    assert contents(own) == {EVENT, *ENTRIES[:3]} == contents(other) - {b"junk"}
    assert not (other / "notes.txt").exists()
    again = sync(own, str(other))
    assert (again.came, again.sent) == ([], 0)


def test_what_is_no_address_is_named(own: Path, tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no zip")
    assert failure(own, str(tmp_path / "nowhere")) == "missing"
    assert failure(own, str(tmp_path / "text.zip")) == "zip"
    assert failure(own, "ftp://cup.example/cup") == "scheme"
    assert failure(own, "https://[::1/cup") == "missing"
    assert failure(own, "ext::sh -c date") == "missing"
    assert failure(own, "http://cup.example/cup") == "insecure"
    assert failure(own, "http://8.8.8.8/cup.git") == "insecure"


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_more_files_than_are_taken_at_once_come_in_turns(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    other = folder(tmp_path / "other", *ENTRIES[:3])
    if kind == "zip":
        other = tmp_path / "cup.zip"
        other.write_bytes(zipped({f"{number}.event": data for number, data in enumerate(ENTRIES[:3])}))
    monkeypatch.setattr(carriers._Budget.__init__, "__defaults__", (2, 1 << 20))
    first = sync(own, str(other))
    assert (len(first.came), first.cut) == (2, True)
    second = sync(own, str(other))
    assert (len(second.came), second.cut) == (1, False)


def test_junk_keeps_nothing_away_for_good(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = folder(tmp_path / "other", *(b"junk %d" % number for number in range(3)), ENTRIES[0])
    monkeypatch.setattr(carriers._Budget.__init__, "__defaults__", (1, 1 << 20))
    assert any(sync(own, str(other)).came for _ in range(200))


def zipped(files: Mapping[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return out.getvalue()


def test_a_zip_brings_its_files_under_names_of_our_own_and_nothing_leaves_the_folder(own: Path, tmp_path: Path) -> None:
    names = ("../../up.event", "/etc/root.event", "C:\\x.event", "deep/er/x.EVENT")
    path = tmp_path / "cup.zip"
    path.write_bytes(zipped({**dict(zip(names, ENTRIES, strict=True)), "a.txt": b"x", "b.event": bytes(70_000)}))
    there = {one.name for one in tmp_path.rglob("*")}
    found = sync(own, str(path))
    assert found.sent is None
    assert found.refused == {Fate.TOO_LONG: ["b.event"]}
    assert contents(own) == {EVENT, *ENTRIES}
    assert {one.name for one in tmp_path.rglob("*")} - there == set(found.came)
    assert NAME in found.came


def test_a_zip_bomb_is_unpacked_no_further_than_a_file_may_be_long(own: Path, tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    path.write_bytes(zipped({"0.storm": bytes(32 << 20), "1.event": bytes(1 << 20)}))
    assert path.stat().st_size < 50_000
    found = sync(own, str(path))
    assert (found.came, found.refused) == ([], {Fate.TOO_LONG: ["0.storm", "1.event"]})
    path.write_bytes(zipped({"x.event": EVENT}) + b"PK\1\2" * 20_000)
    assert failure(own, str(path)) == "too_much"
    path.write_bytes(zipped({"x.event": ENTRIES[0]}, zipfile.ZIP_LZMA))
    assert failure(own, str(path)) == "zip"
    path.write_bytes(zipped({"x.event": ENTRIES[0]}, zipfile.ZIP_STORED).replace(b"player 0", b"player 9"))
    assert failure(own, str(path)) == "zip"


def test_a_bundle_has_the_same_bytes_for_the_same_files_and_nothing_else_in_it() -> None:
    made = bundle([*ENTRIES, EVENT], ID)
    assert made == bundle([EVENT, b"junk", *reversed(ENTRIES), EVENT], ID)
    with zipfile.ZipFile(io.BytesIO(made)) as file:
        assert {file.read(name) for name in file.namelist()} == {EVENT, *ENTRIES}
        assert NAME in file.namelist()


# -- web folders ----------------------------------------------------------------------------------------------


@contextmanager
def serving(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


def test_a_folder_that_a_web_server_shows_is_read_once(own: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    carriers.sync(other, carriers.Folder(folder(tmp_path / "seed", EVENT, *ENTRIES)), ID, choose)
    asked: list[str] = []

    class Counting(_Silent):
        def do_GET(self) -> None:
            asked.append(self.path)
            super().do_GET()

    with serving(partial(Counting, directory=str(tmp_path))) as url:
        found = sync(own, f"{url}/other")
        assert (len(found.came), found.sent, found.problem) == (4, None, None)
        assert contents(own) == contents(other)
        asked.clear()
        # The announcement has another name here; what has its own is not asked for again.
        assert sync(own, f"{url}/other/").came == []
        assert len(asked) == 2
        (tmp_path / "all.zip").write_bytes(zipped({"x.event": ENTRIES[0]}))
        (own / NAME).unlink()
        (other / NAME).unlink()
        (other / NAME).symlink_to("nowhere")
        assert sync(own, f"{url}/other/").refused == {Fate.FOREIGN: [NAME]}
        assert sync(own, f"{url}/all.zip").came == [NAME]


def answers(*said: bytes, pause: float = 0) -> Callable[..., BaseHTTPRequestHandler]:
    """Return a server that says the same to every question, a piece at a time."""

    class Raw(_Silent):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            with suppress(OSError):
                for part in said:
                    self.wfile.write(part)
                    time.sleep(pause)

    return Raw


PAGE = (
    b'<a href="x.event">x</a> <a href=\'../y.event\'>y</a> <a href="/z.event">z</a> <a href="https://a/b.event">b</a>'
)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ([b"HTTP/1.0 404 Not Found\r\n\r\n"], "status"),
        ([b"HTTP/1.0 200 OK\r\n\r\n<html>nothing</html>"], "no_list"),
        ([b"HTTP/1.0 302 Found\r\nLocation: /again\r\n\r\n"], "redirect"),
        ([b"HTTP/1.0 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"], "redirect"),
        ([b"HTTP/1.0 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"], "redirect"),
        ([b"HTTP/1.0 302 Found\r\nLocation: https://[::1\r\n\r\n"], "redirect"),
        ([b"no answer at all"], "unreachable"),
        ([b"HTTP/1.0 200 OK\r\nContent-Length: 999999999999\r\n\r\nshort"], "no_list"),
        ([b"HTTP/1.0 200 OK\r\nX: ", *[b"x"] * 500], "late"),
        ([b"HTTP/1.0 200 OK\r\n\r\n", *[b"x"] * 500], "late"),
    ],
    ids=[
        "status",
        "no-list",
        "circle",
        "elsewhere",
        "file",
        "no-address",
        "noise",
        "lie",
        "dribbled-head",
        "dribbled-body",
    ],
)
def test_a_server_that_is_none_or_never_ends_is_given_up(own: Path, said: list[bytes], code: str) -> None:
    with serving(answers(*said, pause=0.005 if code == "late" else 0)) as url:
        assert failure(own, f"{url}/cup", 0.2 if code == "late" else 30) == code


def test_a_page_names_files_beside_it_and_nothing_elsewhere() -> None:
    assert carriers._links(PAGE) == ["x.event"]
    listed = "a.event\r\nsub/b.event\nhttps://x/c.event\n..\\d.event\nentry e.event\nf.txt\n./g.storm\n"
    assert sorted(carriers._links(listed.encode())) == ["a.event", "entry e.event", "g.storm"]
    assert carriers._links(listed.encode())[-1] == "g.storm"


def test_nobody_listens(own: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert failure(own, f"http://127.0.0.1:{unused.getsockname()[1]}/") == "unreachable"


# -- git ------------------------------------------------------------------------------------------------------


def git(*words: str, at: Path) -> str:
    who = ("-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "init.defaultBranch=trunk")
    words = ("git", *who, *words)
    return subprocess.run(words, cwd=at, check=True, capture_output=True, text=True, timeout=30).stdout


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Return an empty repository."""
    git("init", "--quiet", "--bare", "cup.git", at=tmp_path)
    return tmp_path / "cup.git"


def test_folders_meet_in_a_repository_whoever_is_faster(own: Path, bare: Path, tmp_path: Path) -> None:
    assert sync(own, str(bare)).sent == 1
    other = folder(tmp_path / "other", ENTRIES[0])
    carrier, _ = open_carrier(str(bare), tmp_path / "cache of the other")
    list(carrier.bring(other))
    # Between the other's fetch and push somebody else pushes.
    (own / "mine.event").write_bytes(ENTRIES[1])
    assert sync(own, str(bare)).sent == 1
    with pytest.raises(CarrierError) as caught:
        carrier.send(other, ID)
    assert caught.value.code == "lost_race"
    found = carriers.sync(other, carrier, ID, choose)
    assert (len(found.came), found.sent) == (2, 1)
    assert sync(own, str(bare)).came == [NAME]
    assert contents(own) == contents(other) == {EVENT, *ENTRIES[:2]}
    # Who clones it by hand finds the branch that the repository has, and each file once.
    git("clone", "--quiet", str(bare), "clone", at=tmp_path)
    assert contents(tmp_path / "clone") == contents(own)
    assert git("branch", "--show-current", at=tmp_path / "clone") == "trunk\n"
    assert origin(tmp_path / "clone") == str(bare)
    assert origin(own) == ""


def test_links_and_paths_of_a_repository_are_no_files_and_a_taken_name_stays(
    own: Path, bare: Path, tmp_path: Path
) -> None:
    git("clone", "--quiet", str(bare), "clone", at=tmp_path)
    clone = tmp_path / "clone"
    (clone / "deep").mkdir()
    (clone / "deep" / "a.event").write_bytes(ENTRIES[0])
    (clone / "link.event").symlink_to("/etc/passwd")
    (clone / "README").write_text("hello")
    mine = f"entry-player-1-{read(ENTRIES[1]).id.hex()[:16]}.event"
    (clone / mine).write_text("somebody was here before")
    (clone / ".gitattributes").write_text("*.event filter=run\n")
    git("add", "--all", at=clone)
    git("commit", "--quiet", "--message", "x", at=clone)
    git("push", "--quiet", at=clone)
    (own / "mine.event").write_bytes(ENTRIES[1])
    found = sync(own, str(bare))
    assert (found.came, found.sent, found.refused) == ([NAME], 2, {Fate.FOREIGN: [mine]})
    git("pull", "--quiet", at=clone)
    assert (clone / mine).read_text() == "somebody was here before"
    assert (clone / "README").read_text() == "hello"
    assert contents(clone) >= {EVENT, *ENTRIES[:2]}


def test_a_repository_that_refuses_has_a_reason_and_takes_the_files_later(own: Path, bare: Path) -> None:
    hook = bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'no new files today' >&2\nexit 1\n")
    hook.chmod(0o755)
    found = sync(own, str(bare))
    assert found.problem is not None
    assert (found.problem.code, found.problem.detail) == ("refused", "remote: no new files today")
    hook.unlink()
    assert sync(own, str(bare)).sent == 1
    # History that was rewritten takes nothing away: the files are still here, and go there again.
    git("update-ref", "-d", "refs/heads/trunk", at=bare)
    assert sync(own, str(bare)).sent == 1


def test_git_asks_nobody_and_runs_nothing_of_a_strangers_folder(
    own: Path, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    (own / ".git" / "hooks").mkdir(parents=True)
    trap = f"touch {ran}"
    config = (
        f'[core]\n\tfsmonitor = "{trap}"\n\tsshCommand = "{trap}"\n\thooksPath = hooks\n'
        f'[remote "origin"]\n\turl = {bare}\n\tuploadpack = "{trap}"\n\treceivepack = "{trap}"\n'
    )
    (own / ".git" / "config").write_text(config)
    (own / ".git" / "HEAD").write_text("ref: refs/heads/trunk\n")
    assert origin(own) == str(bare)
    # A hook of the person's own is not for this either.
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "pre-push").write_text(f"#!/bin/sh\n{trap}\n")
    (hooks / "pre-push").chmod(0o755)
    (tmp_path / "gitconfig").write_text(f"[core]\n\thooksPath = {hooks}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    assert sync(own, str(bare)).sent == 1
    assert not ran.exists()
    with serving(answers(b'HTTP/1.0 401 No\r\nWWW-Authenticate: Basic realm="x"\r\n\r\n')) as url:
        assert failure(own, f"{url}/cup.git") == "git"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert failure(own, str(bare)) == "no_git"


def test_a_repository_that_does_not_answer_is_given_up(own: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        assert failure(own, f"git://127.0.0.1:{deaf.getsockname()[1]}/cup.git", 0.3) == "late"


def test_a_repository_that_lacks_files_gives_the_others(own: Path, bare: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    assert sync(folder(tmp_path / "there" / "other", *ENTRIES[:2]), str(bare)).sent == 2
    blob = git("rev-parse", f"trunk:{NAME}", at=bare).strip()
    _remove(bare, blob)
    found = sync(own, str(bare))
    assert contents(own) == {EVENT, ENTRIES[1]}, found


def _remove(bare: Path, blob: str) -> None:
    """Take one object away from a repository."""
    packs = [path.rename(bare / path.name) for path in (bare / "objects" / "pack").glob("*.pack")]
    for pack in packs:
        with pack.open("rb") as file:
            subprocess.run(("git", "unpack-objects", "-q"), cwd=bare, stdin=file, check=True, timeout=30)
    (bare / "objects" / blob[:2] / blob[2:]).unlink()


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process can be given the limit")
def test_what_git_downloads_has_a_limit_and_leaves_nothing(
    own: Path, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def push(size: int) -> None:
        (clone / "big.bin").write_bytes(os.urandom(size))
        git("add", "--all", at=clone)
        git("commit", "--quiet", "--message", "x", at=clone)
        git("push", "--quiet", "--force", "origin", "HEAD:trunk", at=clone)

    def kept() -> int:
        return sum(path.lstat().st_size for path in (own.parent / "cache").rglob("*") if path.is_file())

    git("clone", "--quiet", str(bare), "clone", at=tmp_path)
    clone = tmp_path / "clone"
    push(1000)
    monkeypatch.setattr(carriers, "REPOSITORY", 200_000)
    assert sync(own, f"file://{bare}").problem is None
    before = kept()
    push(300_000)
    assert failure(own, f"file://{bare}") == "too_much"
    assert kept() < before + 50_000
    # By its parts, each of which is small enough.
    git("reset", "--hard", "--quiet", "HEAD~1", at=clone)
    for _ in range(2):
        push(150_000)
        found = sync(own, f"file://{bare}")
    assert found.problem is not None
    assert (found.problem.code, kept() < 50_000) == ("too_much", True)
