"""Two programs give each other the files of a tournament, over every transport and with anybody at the other end."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from helpers_events import Club, log_of
from helpers_memory import pair
from hypothesis import given
from hypothesis import strategies as st
from wire_io.channels import KINDS, channel

from cli.events.folder import read_folder
from cli.meeting import exchange
from cli.meeting.exchange import Exchange, ExchangeError
from cli.text.wording import listed
from protocol import VERSIONS
from protocol.core import wire
from protocol.core.frames import FILES
from protocol.crypto.keys import PrivateKey, identity_hash
from protocol.errors import WireError
from protocol.tournament import drafts
from protocol.tournament import exchange as wire_exchange
from protocol.tournament.documents import sign
from protocol.tournament.exchange import FILE_LIMIT, HELD_LIMIT, SIZE_LIMIT, Heard, give, name_held
from protocol.transport import Transport


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """Return a tournament with one game played to its end, one that goes on, and another tournament."""
    club = Club(tmp_path_factory.mktemp("made"))
    club.start("--random-setup", players=("ann", "bob"))
    first, second = club.games()
    club.play(first)
    (club.folder / "unfinished.storm").write_bytes(log_of(club.begin(second), 0))
    (club.folder / "notes.txt").write_text("private")
    return club


class Two:
    """Two folders of one tournament, and what both programs said."""

    def __init__(self, made: Club, root: Path) -> None:
        self.event = made.look().id
        self.root = root
        self.folders = (root / "near", root / "far")
        for folder in self.folders:
            shutil.copytree(made.folder, folder)
        self.told: tuple[list[str], list[str]] = ([], [])
        self.sides = (
            Exchange(partial(self.find, 0), self.told[0].append, self.event),
            Exchange(partial(self.find, 1), self.told[1].append),
        )

    def find(self, at: int, event: bytes) -> Path | None:
        return self.folders[at] if event == self.event else None

    def remove(self, at: int, *patterns: str) -> None:
        for pattern in patterns:
            for path in list(self.folders[at].glob(pattern)):
                path.unlink()

    def held(self, at: int) -> set[bytes]:
        return set(read_folder(self.folders[at]).names())

    async def talk(self, ends: tuple[Transport, Transport]) -> None:
        await asyncio.gather(self.sides[0].begin(ends[0]), self.sides[1].answer(ends[1]))


@pytest.fixture
def two(made: Club, tmp_path: Path) -> Two:
    return Two(made, tmp_path)


def run(talking: Awaitable[Any]) -> Any:
    async def whole() -> Any:
        async with asyncio.timeout(30):
            return await talking

    return asyncio.run(whole())


@pytest.mark.parametrize("kind", KINDS)
def test_each_gets_what_only_the_other_has_over_every_transport(two: Two, kind: str) -> None:
    for at in (0, 1):
        two.remove(at, "unfinished.storm")
    whole = two.held(0)
    two.remove(0, "game*", "entry-ann*")
    two.remove(1, "round*", "entry-bob*")

    async def talk() -> None:
        async with channel(kind, two.root / "channel") as ends:
            await two.talk(ends)

    (two.root / "channel").mkdir()
    run(talk())
    assert two.held(0) == two.held(1) == whole
    assert two.told[0] == ["New files of the tournament from the other program: 3. New files sent to it: 2."]
    assert two.told[1] == ["New files of the tournament from the other program: 2. New files sent to it: 3."]


def test_no_log_of_a_match_that_goes_on_travels_and_no_file_that_is_none_of_the_tournament(two: Two) -> None:
    before = two.held(0)
    two.remove(1, "*")
    (two.folders[0] / "foreign.event").write_bytes(b"nothing")
    run(two.talk(pair()))
    unfinished = hashlib.sha256((two.folders[0] / "unfinished.storm").read_bytes()).digest()
    assert two.held(1) == before - {unfinished}
    assert not (two.folders[1] / "notes.txt").exists()


def test_a_file_is_judged_once_for_all_callers_and_again_when_it_has_changed(two: Two) -> None:
    def look() -> set[bytes]:
        files = exchange._Files()
        files.open(two.folders[0], two.event)
        return set(files.outgoing)

    first, judged = look(), exchange._may_go.cache_info().misses
    assert look() == first
    assert exchange._may_go.cache_info().misses == judged
    next(two.folders[0].glob("game*.storm")).write_bytes((two.folders[0] / "unfinished.storm").read_bytes())
    assert look() < first


def test_a_program_without_the_folder_takes_and_gives_nothing(two: Two) -> None:
    before = two.held(0)
    stranger = Exchange(lambda event: None, two.told[1].append)

    async def talk() -> None:
        near, far = pair()
        await asyncio.gather(two.sides[0].begin(near), stranger.answer(far))

    run(talk())
    assert two.held(0) == before
    assert two.told == ([], [])


# -- whoever may be at the other end --------------------------------------------------------------------------------


def test_after_a_match_of_one_tournament_nobody_gets_the_files_of_another(two: Two) -> None:
    two.remove(0, "*.storm", "entry-*")
    before = two.held(0), two.held(1)
    # The one who answers has played a match of another tournament, and has both folders.
    two.sides = (two.sides[0], Exchange(partial(two.find, 1), two.told[1].append, bytes(32)))
    run(two.talk(pair()))
    assert (two.held(0), two.held(1)) == before
    assert two.sides[1].given == 0


@pytest.mark.parametrize("host", ["bob", "olga", "stranger"])
def test_a_host_of_any_match_gets_files_only_of_a_tournament_of_theirs(two: Two, made: Club, host: str) -> None:
    two.remove(0, "*.storm")
    before, others = two.held(0), two.held(1)
    half = identity_hash(made.key(host).public)
    two.sides = (two.sides[0], Exchange(partial(two.find, 1), two.told[1].append, host=half))
    run(two.talk(pair()))
    came = two.held(0) - before
    assert len(came) == two.sides[1].given == (0 if host == "stranger" else 2)
    assert came <= others


def frame(kind: int, body: Any) -> bytes:
    return wire.encode((FILES, VERSIONS[-1], kind, body))


DONE = frame(4, ())


def files(*data: bytes) -> Iterator[bytes]:
    yield from (frame(3, (1, one)) for one in data)


def entry(two: Two, number: int) -> bytes:
    key = PrivateKey(hashlib.sha256(number.to_bytes(4, "big")).digest())
    return sign(key, drafts.draft_entry(two.event, key.public, f"Guest {number}", bytes(32), None))


def opening(two: Two) -> Iterator[bytes]:
    """Hold all that the other holds, so that nothing is given."""
    return name_held(two.event, [digest[:16] for digest in two.held(1)])


def called(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:8]


def against(two: Two, frames: Iterator[bytes], *, at: int = 1) -> str:
    """Let one side talk to somebody who says only this; return why it broke off, or nothing."""

    async def talk() -> str:
        near, far = pair()

        async def say() -> None:
            for one in frames:
                await far.send(one)
                await asyncio.sleep(0)

        saying = asyncio.create_task(say())
        try:
            await (two.sides[at].answer(near) if at else two.sides[at].begin(near))
        except ExchangeError as error:
            return str(error)
        finally:
            saying.cancel()
        return ""

    return str(run(talk()))


def test_ten_thousand_files_are_broken_off_and_the_first_are_kept(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    # Fewer are no other case, and faster.
    monkeypatch.setattr(wire_exchange, "FILE_LIMIT", 9)
    before = len(two.held(1))
    many = (part for number in range(10_000) for part in files(entry(two, number)))
    assert against(two, iter([*opening(two), *(one for one, _ in zip(many, range(40), strict=False))])) == "too_many"
    assert len(two.held(1)) == before + 9
    assert two.sides[1].failed
    assert two.told[1] == [
        "New files of the tournament from the other program: 9. New files sent to it: 0.",
        "The two programs stopped exchanging files of the tournament: the other program sent more than is allowed at "
        "once. Files that had arrived whole are kept, and a match goes on without the rest.",
    ]


def endless(two: Two) -> Iterator[bytes]:
    yield from opening(two)
    while True:
        yield frame(3, (0, bytes(16_000)))


def names_without_end(two: Two) -> Iterator[bytes]:
    while True:
        yield frame(1, (two.event, (bytes(16),) * 200))


def other_talk(two: Two) -> Iterator[bytes]:
    while True:
        yield wire.encode((17, VERSIONS[-1], 1, "hello"))


HOSTILE: dict[str, tuple[Callable[[Two], Iterator[bytes]], str]] = {
    "endless bytes": (endless, "too_many"),
    "endless names": (names_without_end, "too_many"),
    "endless talk": (other_talk, "too_many"),
    "garbage": (lambda two: iter([frame(1, 7)]), "bad_array"),
    "no type": (lambda two: iter([frame(9, ())]), "bad_int"),
    "two events": (lambda two: iter([frame(1, (two.event, ())), frame(1, (bytes(32), ()))]), "other_event"),
    "an empty part": (lambda two: iter([*opening(two), frame(3, (1, b""))]), "bad_bytes"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_no_exchange_ends_it_with_a_code_and_nothing_is_lost(two: Two, name: str) -> None:
    frames, code = HOSTILE[name]
    before = two.held(1)
    assert against(two, frames(two)) == code
    assert two.held(1) == before
    assert len(two.told[1]) == 1


def test_files_that_are_no_good_are_counted_by_what_is_wrong_and_the_rest_is_kept(two: Two, tmp_path: Path) -> None:
    elsewhere = Club(tmp_path / "other")
    elsewhere.root.mkdir()
    elsewhere.announce()
    foreign = [path.read_bytes() for path in sorted(elsewhere.folder.iterdir())]
    good, bad = entry(two, 1), bytearray(entry(two, 2))
    bad[-1] ^= 1
    body, signature = wire.unpack(good, lambda value: None)
    newer = wire.encode((wire.encode((1, 9, *wire.unpack(bytes(body), lambda value: None)[2:])), signature))  # type: ignore[arg-type]
    sent = files(b"not a file", bytes(bad), good, newer, *foreign)
    assert against(two, iter([*opening(two), *sent, DONE])) == ""
    assert two.told[1] == [
        "New files of the tournament from the other program: 1. New files sent to it: 0.",
        *(
            f"Not taken ({why}"
            for why in (
                f"damaged, or neither a document nor a log): {called(b'not a file')}. Ask for another copy.",
                f"wrong signature): {called(bytes(bad))}. Ask for another copy.",
                f"from a newer version of this program): {called(newer)}. Update yours.",
                f"from another tournament): {listed(sorted(map(called, foreign)))}.",
            )
        ),
    ]


def test_who_says_nothing_is_not_waited_for(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "SILENCE", 0.05)
    assert against(two, iter(())) == "timeout"
    assert "it took too long" in two.told[1][0]


def test_a_line_that_breaks_keeps_what_has_come(two: Two) -> None:
    good = entry(two, 3)

    async def talk() -> None:
        near, far = pair()
        answering = asyncio.create_task(two.sides[1].answer(near))
        for one in (*opening(two), *files(good)):
            await far.send(one)
        while await far.receive() != DONE:
            pass
        await far.close()
        with pytest.raises(ExchangeError):
            await answering

    run(talk())
    assert hashlib.sha256(good).digest() in two.held(1)


def test_what_goes_out_keeps_every_bound_and_comes_in() -> None:
    digests = [number.to_bytes(16, "big") for number in range(HELD_LIMIT + 9)]
    heard = Heard()
    assert [heard.take(one) for one in name_held(bytes(32), digests)][-1] is True
    assert heard.held == digests[:HELD_LIMIT]
    large = [bytes([number]) * 300_000 for number in range(9)]
    for sent, expected in ((large, 6), ([b"x"] * 300, FILE_LIMIT)):
        heard = Heard()
        found = [heard.take(one) for one in give(sent, digests)]
        came = [one for one in found if isinstance(one, bytes)]
        assert len(came) == expected
        assert sum(map(len, came)) <= SIZE_LIMIT
        assert heard.wanted == digests[:FILE_LIMIT]
        assert found[-1] is True


@given(st.lists(st.one_of(st.binary(max_size=60), st.tuples(st.integers(0, 5), st.binary(max_size=40))), max_size=6))
def test_any_bytes_are_taken_or_refused_with_a_code(pieces: list[Any]) -> None:
    heard = Heard()
    for piece in pieces:
        data = piece if isinstance(piece, bytes) else wire.encode((FILES, VERSIONS[-1], *piece))
        # Nothing else is ever raised.
        with suppress(WireError):
            heard.take(data)


HALVES = st.lists(st.binary(min_size=16, max_size=16), max_size=4).map(tuple)
WORDS = st.one_of(
    st.binary(min_size=1, max_size=80),
    st.builds(lambda kind, body: frame(kind, body), st.integers(0, 5), st.binary(max_size=30)),
    st.builds(lambda last, part: frame(3, (last, part)), st.integers(0, 1), st.binary(min_size=1, max_size=60)),
    st.builds(lambda halves: frame(2, tuple(halves)), st.lists(st.binary(min_size=16, max_size=16), max_size=4)),
    st.builds(
        lambda halves: frame(1, (bytes(32), tuple(halves))), st.lists(st.binary(min_size=16, max_size=16), max_size=4)
    ),
    st.just(DONE),
)


@given(said=st.lists(WORDS, max_size=8), at=st.integers(0, 1))
def test_whatever_the_other_says_an_exchange_ends_or_breaks_off(
    said: list[bytes], at: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    told: list[str] = []
    side = Exchange(lambda event: folder, told.append, bytes(32))

    async def talk() -> None:
        near, far = pair()
        for one in said:
            await far.send(one)
        await far.close()
        try:
            await (side.answer(near) if at else side.begin(near))
        except ExchangeError:
            assert side.failed

    run(talk())
    assert not list(folder.iterdir())
