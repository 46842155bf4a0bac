"""What a player publishes of a match: the beginning of its log, late enough, whatever goes wrong."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from helpers_fight import FightPair
from helpers_pages import FIGHT, HASH, STORM, stored
from helpers_storm import StormPair
from helpers_toy_cheats import bluff
from helpers_wire import Cheat, Pair
from storm.twins import Twins
from toys import Bluff

from cli.app.main import main
from cli.app.replay import open_bytes
from cli.app.verify import judge_alone
from cli.app.webpage import Running, problem_of
from cli.match import publishing
from cli.match.publishing import Publication, Publisher
from cli.notices import FeedPutAside, FeedTaken, Notice, PublishingFailed
from cli.page import document
from cli.runtime.console import Exit
from cli.storage.home import Home
from cli.text import matches
from protocol.core.game_data import Conditions
from protocol.core.messages import SideType
from protocol.record import logfile
from storm_p2p.storm.actions import Liturgy
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.state import Terms

if TYPE_CHECKING:
    from protocol.record.journal import Journal

JUDGE = partial(judge_alone, Path())
LOGS = [HASH, STORM, FIGHT.with_stem("proved-reconstructed-resigned-witness"), *HASH.parent.glob("*-everything-*")]


class Book:
    """What a journal keeps."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def keep(self, name: str, value: bytes) -> None:
        self.kept[name] = value

    def read_word(self, name: str) -> str | None:
        return self.kept[name].decode() if name in self.kept else None


class Published:
    """What one seat publishes, with a clock of the test."""

    def __init__(self, pair: Pair, folder: Path, seat: int = 0, book: Book | None = None, **wanted: Any) -> None:
        self.now, self.notices, self.book = 0.0, list[Notice](), book or Book()
        self.session = pair.sessions[seat]
        publication = Publication(folder, **wanted)
        journal = cast("Journal", self.book)
        self.publisher = Publisher(self.session, publication, self.notices.append, journal, lambda: self.now)
        self.feed = self.publisher.feed

    def step(self, now: float) -> bytes:
        """Return the feed after what happens at a time."""
        self.now = now
        self.publisher.news()
        self.publisher.step()
        return self.feed.read_bytes() if self.feed.exists() else b""

    def finish(self) -> bytes:
        asyncio.run(asyncio.wait_for(self.publisher.finish(), 30))
        return self.feed.read_bytes()

    def log(self) -> bytes:
        return logfile.dump(self.session.records, self.session.seat, self.session.sign_log)


def moves(pair: Pair, seed: int = 1) -> Any:
    """Play a match, and yield after each decision."""
    chance = random.Random(seed)
    while asked := [one for one in pair.sessions if one.asks_us is not None]:
        pair.decide(asked[0], chance)
        pair.settle()
        yield


def test_at_every_moment_the_feed_is_a_beginning_of_the_log_and_at_the_end_it_is_the_log(tmp_path: Path) -> None:
    pair = bluff()
    both = [Published(pair, tmp_path / str(seat), seat) for seat in (0, 1)]
    before = [b"", b""]
    for at, _ in enumerate(moves(pair)):
        for seat, one in enumerate(both):
            feed = one.step(float(at))
            assert feed == logfile.dump_beginning(one.session.records)
            assert feed.startswith(before[seat])
            assert len(feed) > len(before[seat])
            before[seat] = feed
    for seat, one in enumerate(both):
        whole = one.finish()
        assert whole == one.log()
        assert whole.startswith(before[seat])
        assert one.notices == []


def test_no_record_appears_before_its_time_and_the_result_frees_all(tmp_path: Path) -> None:
    pair = Pair(Bluff(), (4, 0), conditions=Conditions(watched=60), capabilities=("watched",))
    late = Published(pair, tmp_path, delay=30)
    since: list[float] = []
    for at, _ in enumerate(moves(pair)):
        now = 20.0 * at
        since += [now] * (len(late.session.records) - len(since))
        shown = logfile.load_beginning(feed) if (feed := late.step(now)) else ()
        if not late.session.over:
            assert len(shown) == sum(then + 60 <= now for then in since)
    assert late.session.over
    assert len(logfile.load_beginning(late.step(now))) == len(late.session.records)


def test_who_talks_without_end_does_not_keep_the_disk_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = bluff()
    one, writes, write = Published(pair, tmp_path), [0], Publisher._write

    def slowly(publisher: Publisher, target: Path, data: bytes) -> None:
        writes[0] += 1
        one.now += 0.05
        write(publisher, target, data)

    monkeypatch.setattr(Publisher, "_write", slowly)
    for _ in range(200):
        pair.guest.side_channel.chat("well")
        pair.settle()
        one.now += 0.01
        one.publisher.news()
        wait = one.publisher.step()
    assert writes[0] <= 5
    assert wait is not None
    # What waited is written as soon as it may be, and at the end at once.
    assert one.step(one.now + wait) == logfile.dump_beginning(one.session.records)
    pair.guest.side_channel.resign()
    pair.settle()
    assert one.finish() == one.log()


@pytest.mark.parametrize("kept", [0, 1, -1])
def test_whoever_resumes_completes_the_feed_that_a_kill_has_left(tmp_path: Path, kept: int) -> None:
    pair = bluff()
    playing = moves(pair)
    for _ in range(3):
        next(playing)
    first = Published(pair, tmp_path)
    before = first.step(0.0)
    assert before
    # A kill comes before a file is written, after it, or while a copy of a carrier is only a part of it.
    if kept <= 0:
        first.feed.write_bytes(before[:kept] if kept else b"")
    next(playing)
    again = Published(pair, tmp_path, book=first.book)
    assert again.step(0.0).startswith(before)
    for _ in playing:
        again.step(0.0)
    assert again.finish() == again.log()
    assert not list(tmp_path.glob("*-1.live"))


def test_a_feed_of_another_course_is_put_aside_and_the_player_is_told(tmp_path: Path) -> None:
    pair = bluff()
    next(moves(pair))
    book = Book()
    assert Published(pair, tmp_path, book=book).step(0.0)
    one = Published(pair, tmp_path, book=book)
    one.feed.write_bytes(b"something else")
    assert one.step(0.0) == logfile.dump_beginning(one.session.records)
    aside = one.feed.with_name(f"{one.feed.stem}-1.live")
    assert aside.read_bytes() == b"something else"
    assert one.notices == [FeedPutAside(str(aside))]


def test_a_full_disk_is_told_once_and_a_removed_folder_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair, folder = bluff(), tmp_path / "live"
    one, playing = Published(pair, folder), moves(pair)
    next(playing)
    with monkeypatch.context() as broken:

        def fail(path: Path, data: bytes, **how: bool) -> None:
            raise OSError(28, "No space left on device")

        broken.setattr(publishing, "drafted", fail)
        for at in range(3):
            assert one.step(float(at)) == b""
    assert one.notices == [PublishingFailed("No space left on device")]
    one.step(4.0)
    one.feed.unlink()
    folder.rmdir()
    next(playing)
    assert one.step(5.0) == logfile.dump_beginning(one.session.records)
    assert len(one.notices) == 1


@pytest.mark.parametrize("both_new", [True, False])
def test_who_publishes_second_into_a_folder_is_told_and_leaves_the_feed_alone(tmp_path: Path, both_new: bool) -> None:
    pair, folder = bluff(), tmp_path / "live"
    playing = moves(pair)
    first, second = (Published(pair, folder, seat) for seat in (0, 1))
    next(playing)
    before = first.step(0.0)
    # A command may be started by hand when the first one is far ahead, or the two may begin together.
    for _ in range(2 * (not both_new)):
        next(playing)
        before = first.step(1.0)
    for at in range(3):
        assert second.step(float(at)) == before
    (told,) = second.notices
    assert told == FeedTaken(str(first.feed))
    assert "resume --publish" in matches.sentence(told, "Ben", 0, timed=False)
    for _ in playing:
        first.step(2.0)
        second.step(2.0)
    asyncio.run(second.publisher.finish())
    assert first.finish() == first.log()
    assert first.notices == []
    assert second.book.read_word(publishing.PLACE) == ""
    assert [one.name for one in folder.iterdir()] == [first.feed.name]


def test_a_folder_of_a_stranger_leads_to_no_other_file(tmp_path: Path) -> None:
    pair, folder, own = bluff(), tmp_path / "live", tmp_path / "own"
    folder.mkdir()
    own.write_bytes(b"mine")
    one = Published(pair, folder, page=lambda *_: "page")
    for name in (one.feed.name, one.feed.with_suffix(".html").name):
        (folder / f".{name}.part").symlink_to(own)
    one.feed.with_suffix(".html").symlink_to(own)
    one.feed.symlink_to(own)
    next(playing := moves(pair))
    assert one.step(0.0) == b"mine"
    assert isinstance(one.notices[0], FeedTaken)
    one.feed.unlink()
    one = Published(pair, folder, page=lambda *_: "page")
    for at, _ in enumerate(playing):
        one.step(10.0 * at)
    assert one.finish() == one.log()
    assert own.read_bytes() == b"mine"
    assert {path.name for path in folder.iterdir()} == {one.feed.name, one.feed.with_suffix(".html").name}


def test_a_published_file_can_be_read_by_all_from_its_first_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It got its mode after its name, and who looked in between was refused."""
    modes, move = list[int](), Path.replace

    def replace(draft: Path, target: Path) -> Path:
        modes.append(draft.stat().st_mode & 0o777)
        return move(draft, target)

    monkeypatch.setattr(Path, "replace", replace)
    before = os.umask(0o077)
    try:
        Published(bluff(), tmp_path, page=lambda transcript, data: "").step(0)
    finally:
        os.umask(before)
    assert modes == [0o644, 0o644]


def test_a_disk_that_knows_no_modes_is_published_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    one = Published(bluff(), tmp_path)
    assert one.step(0)
    assert one.notices == []


def test_the_next_writer_removes_what_a_killed_one_has_left(tmp_path: Path) -> None:
    pair = bluff()
    one = Published(pair, tmp_path)
    own, old, new, other = (
        tmp_path / name
        for name in (f".{one.feed.name}.part", ".0123abcd.html.part", ".0123abce.live.part", ".film.part")
    )
    for path in (own, old, new, other):
        path.write_bytes(b"half")
    for path in (old, other):
        os.utime(path, (0, 0))
    playing = moves(pair)
    for at in range(2):
        next(playing)
        one.step(float(at))
    assert sorted(tmp_path.iterdir()) == sorted([new, other, one.feed])


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (f"{sys.executable} -c 'raise SystemExit(3)'", "3"),
        ("no-such-program", "No such file"),
        ("'", "quotation"),
        (f"{sys.executable} -c 'import time; time.sleep(60)'", "time.sleep"),
    ],
)
def test_a_command_that_fails_or_hangs_is_told_once_and_stops_nothing(
    tmp_path: Path, command: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "PATIENCE", 0.3 if "sleep" in command else 30)
    pair = bluff()
    one = Published(pair, tmp_path, command=command)
    for _ in moves(pair):
        one.step(0.0)
    assert one.finish() == one.log()
    (told,) = one.notices
    assert isinstance(told, PublishingFailed)
    assert why in told.why


def test_a_command_runs_after_a_change(tmp_path: Path) -> None:
    pair = bluff()
    next(moves(pair))
    live, sent = tmp_path / "live", tmp_path / "sent"
    one = Published(pair, live, command=f"cp -r {live} {sent}")
    one.finish()
    assert (sent / one.feed.name).read_bytes() == one.feed.read_bytes()


def test_publishing_ends_when_it_is_cancelled_at_the_moment_of_news(tmp_path: Path) -> None:
    async def publish() -> None:
        one = Published(bluff(), tmp_path)
        running = asyncio.create_task(one.publisher.run())
        for _ in range(3):
            await asyncio.sleep(0)
        one.publisher.news()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(running, 10)

    asyncio.run(publish())


@pytest.mark.parametrize("late", [0, 3])
def test_the_page_of_a_running_match_shows_what_the_feed_has_and_that_of_a_whole_one_is_that_of_its_log(
    tmp_path: Path, late: int
) -> None:
    pair = StormPair(tag="published")
    one = Published(pair, tmp_path, page=Running(JUDGE).write, delay=100 * late)
    file, chance = one.feed.with_suffix(".html"), random.Random(2)
    for at in range(8):
        asked = next(session for session in pair.sessions if session.asks_us is not None)
        pair.decide(asked, chance)
        asked.side_channel.chat(f"line {at}")
        pair.settle()
        if one.step(100.0 * at):
            # A page that is written anew of the feed alone knows nothing else.
            assert problem_of(file, partial(judge_alone, file)) is None
            assert one.feed.read_bytes() == document.read_log(file.read_text())
    page = file.read_text()
    assert ("line 7" in page) == (not late)
    assert "line 4" in page
    file.write_text(page.replace("turn", "twin", 1))
    assert problem_of(file, partial(judge_alone, file)) == "page_altered"
    assert (len(stored(page, "boards")) == one.session.transcript.length) == (not late)
    pair.host.side_channel.resign()
    one.step(800.0)
    assert problem_of(file, partial(judge_alone, file)) is None
    assert ("resign" in json.dumps(stored(file.read_text(), "story")["steps"])) == (not late)
    pair.settle()
    one.finish()
    assert problem_of(file, partial(judge_alone, file)) is None
    assert "resign" in json.dumps(stored(file.read_text(), "story")["results"])


def test_a_page_waits_five_seconds_for_the_one_before_and_the_last_waits_for_none(tmp_path: Path) -> None:
    pair, written = bluff(), list[float]()

    def page(_: object, data: bytes) -> str:
        written.append(one.now)
        return str(len(data))

    one = Published(pair, tmp_path, page=page)
    for at, _ in enumerate(moves(pair)):
        one.step(float(at))
    one.finish()
    assert written == sorted({*range(0, int(one.now) + 1, 5), int(one.now)})


def test_the_page_of_a_match_that_a_foul_has_ended_is_that_of_its_log(tmp_path: Path) -> None:
    pair = StormPair(tag="published")
    one = Published(pair, tmp_path, page=Running(JUDGE).write)
    pair.decide(next(session for session in pair.sessions if session.asks_us is not None), random.Random(2))
    pair.settle()
    one.step(0.0)
    cheat = Cheat(pair, 1)
    for text in ("one", "other"):
        cheat.send(cheat.side(SideType.CHAT, text))
    pair.settle()
    assert one.session.stopped is not None
    one.finish()
    file = one.feed.with_suffix(".html")
    assert problem_of(file, partial(judge_alone, file)) is None
    assert "two_messages" in json.dumps(stored(file.read_text(), "story")["problems"])


def test_nothing_is_published_before_the_journal_has_it(tmp_path: Path) -> None:
    pair = StormPair(tag="published")
    one = Published(pair, tmp_path)
    pair.host.side_channel.resign()
    pair.settle()
    assert one.session.over
    assert one.publisher.step() is None
    assert not one.feed.exists()
    assert logfile.load_beginning(one.step(0.0))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_what_was_verified_before_is_judged_as_its_log_is(log: Path) -> None:
    data = log.read_bytes()
    assert JUDGE(data, open_bytes(Home.named(""), log, data).transcript) == JUDGE(data)


def storm_twins() -> Iterator[Sequence[Pair]]:
    """Yield two matches whose setups differ, after each message up to the last before the seeds are opened."""
    chance = random.Random(5)
    twins = Twins(own_match=False, tag="pages", scheme="hash")
    for faction in (Faction.CHTHONIANS, Faction.OLYMPIANS):
        twins.place(faction, draw_setup(faction, Terms(), chance), draw_setup(faction, Terms(), chance))
        yield twins.pairs
    while (state := twins.first.host.state.game).honor[state.turn] > 2:
        twins.do(int(state.turn), Liturgy())
        yield twins.pairs


def fight_twins() -> Iterator[Sequence[Pair]]:
    """Yield two matches whose decks differ and in which nobody plays a card, after each message of eight turns."""
    pairs = (FightPair(tag="deck 2", scheme="proved"), FightPair(tag="deck 3", scheme="proved"))
    first = pairs[0]
    # The lot is public; both matches begin with the same one.
    assert first.host.state.first == pairs[1].host.state.first
    assert sorted(pairs[0].host.known.items()) != sorted(pairs[1].host.known.items())
    while first.host.game.turn(first.host.state) < 8:
        for pair in pairs:
            asked = next(session for session in pair.sessions if session.asks_us is not None)
            pair.act(asked.seat, asked.moves()[-1])
            pair.settle()
        yield pairs


@pytest.mark.parametrize("twins", [storm_twins, fight_twins])
def test_feeds_and_pages_do_not_depend_on_what_is_hidden(
    tmp_path: Path, twins: Callable[[], Iterator[Sequence[Pair]]]
) -> None:
    both: list[Published] = []
    number = 0
    for number, pairs in enumerate(twins(), 1):
        both = both or [Published(pair, tmp_path / str(n), page=Running(JUDGE).write) for n, pair in enumerate(pairs)]
        feeds = [one.step(100.0 * number) for one in both]
        pages = [one.feed.with_suffix(".html").read_text() for one in both]
        assert feeds[0] != feeds[1]
        assert len(feeds[0]) == len(feeds[1])
        assert len(pages[0]) == len(pages[1])
        for name in ("boards", "story"):
            assert json.dumps(stored(pages[0], name)) == json.dumps(stored(pages[1], name))
    assert number > 6
    # What is written step by step is what would be written at once.
    file = both[0].feed.with_suffix(".html")
    assert problem_of(file, partial(judge_alone, file)) is None


def test_between_persons_nothing_is_published_unless_both_agreed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["host", "--player", "bot:random", "--publish", str(tmp_path / "live"), "--home", str(tmp_path / "h")]
    assert main(words) == Exit.USAGE
    assert "--watched" in capsys.readouterr().err
    assert not (tmp_path / "live").exists()
    assert main([*words, "--watched", "2d"]) == Exit.USAGE
    assert main([*words, "--watched", "--delay", "soon"]) == Exit.USAGE
    assert "5m" in capsys.readouterr().err
    assert not (tmp_path / "live").exists()
