"""What two programs publish of a match, whatever kills one: the beginning of its log, and at the end the log."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from helpers_commands import run
from helpers_events import Club
from helpers_processes import Process, hosting, invite_of, joining

from cli.app.launch import running
from cli.app.launch.proposal import PlayerOptions
from cli.app.main import main
from cli.runtime.console import Exit

KILLED = """
import os, signal, sys
from pathlib import Path
from cli.app.main import main
from cli.match import publishing
left, write, move = NUMBER, publishing.Publisher._write, Path.replace

def kill(when):
    if (when, left) == ("WHEN", 0):
        os.kill(os.getpid(), signal.SIGKILL)

def moving(path, target):
    kill("in")
    return move(path, target)

def writing(publisher, target, data):
    global left
    left -= 1
    kill("before")
    Path.replace = moving
    write(publisher, target, data)
    Path.replace = move
    kill("after")

publishing.Publisher._write = writing
# Each time that there is something new, however slow the machine is.
publishing._SHARE = 0
sys.exit(main(sys.argv[1:]))
"""
"""A program that is killed when it publishes for the NUMBER-th time: before the file is there, in between, or after."""
OFTEN = """
import sys
from cli.app.main import main
from cli.match import publishing
publishing._SHARE = 0
sys.exit(main(sys.argv[1:]))
"""
"""A program that publishes each time that there is something new, however slow the machine is."""
GAMES = {"storm": ("--scheme", "hash", "--random-setup"), "fight": ("--game", "fight")}
JOINED = ("--scheme", "hash", "--publish")


class Followed:
    """The feed in a folder, looked at whenever something has happened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen = [b""]

    def look(self) -> None:
        """Check that the feed has only grown."""
        feeds = [path.read_bytes() for path in self.folder.glob("????????.live")]
        for data in feeds:
            assert data.startswith(self.seen[-1])
            self.seen += [data] if data != self.seen[-1] else []

    def end(self, home: Path) -> None:
        """Check that the feed is the log by now, and that nothing else was left beside it and its page."""
        self.look()
        (log,) = (home / "logs").glob("*.storm")
        assert self.seen[-1] == log.read_bytes()
        assert not list(self.folder.glob("*-*.live"))
        assert not list(self.folder.glob(".*"))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_at_every_moment_each_feed_is_a_beginning_of_its_log(tmp_path: Path, game: str) -> None:
    feeds = [Followed(tmp_path / name) for name in ("first", "second")]
    here, there, often = tmp_path / "a", tmp_path / "b", ("-c", OFTEN)
    with (
        hosting(here, *GAMES[game], "--watched", "--publish", str(feeds[0].folder), program=often) as host,
        joining(
            there, invite_of(host), "bot:random", *JOINED, str(feeds[1].folder), "--no-page", program=often
        ) as guest,
    ):
        for _ in host.lines():
            for feed in feeds:
                feed.look()
        assert (host.wait(), guest.wait()) == (0, 0), host.errors.read_text() + guest.errors.read_text()
    assert min(len(feed.seen) for feed in feeds) > 5
    for feed, home in zip(feeds, (here, there), strict=True):
        feed.end(home)
        pages = list(feed.folder.glob("*.html"))
        assert len(pages) == (home == here)
        assert all(run("verify", str(page)) for page in pages)


@pytest.mark.parametrize(
    ("game", "when", "number"),
    [
        ("storm", "in", 7),
        *(
            pytest.param(*values, marks=pytest.mark.long)
            for values in (
                *product(["storm"], ("before", "in", "after"), (1, 20)),
                ("fight", "before", 7),
                ("fight", "in", 1),
                ("fight", "after", 20),
            )
        ),
    ],
)
def test_who_is_killed_while_publishing_resumes_and_completes_the_feed(
    tmp_path: Path, game: str, when: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed, there = Followed(tmp_path / "live"), Followed(tmp_path / "other")
    both, words = (tmp_path / "a", tmp_path / "b"), ("--publish", str(feed.folder))
    killed = ("-c", KILLED.replace("NUMBER", str(number)).replace("WHEN", when))
    with (
        hosting(both[0], *GAMES[game], "--watched", *words, program=killed) as host,
        joining(both[1], invite_of(host), "bot:random", *JOINED, str(there.folder)) as guest,
    ):
        for _ in host.lines():
            feed.look()
        assert host.wait() == -9
        assert guest.until("connected") is not None
    feed.look()
    there.look()
    resume = ("resume", "--bind", "127.0.0.1", "--player", "bot:random", "--patience", "30")
    wanted: list[PlayerOptions] = []

    def stand_in(series: running.Series) -> Exit:
        wanted.append(series._who)
        return Exit.FINE

    with monkeypatch.context() as stopped:
        stopped.setattr(running.Series, "run", stand_in)
        for stop in ((), ("--no-publish",), ()):
            assert main([*resume, *stop, "--home", str(both[1])]) == Exit.FINE
    assert [(one.page, one.delay) for one in wanted] == [(True, "0")] * 3
    # The guest may have ended before there was anything to publish; who has stopped it has stopped it for good.
    assert wanted[0].publish in (None, str(there.folder))
    assert [one.publish for one in wanted[1:]] == [None, None]
    again = ("--publish", str(there.folder))
    # Who has published something goes on unasked.
    with Process(both[0], *resume, *(() if list(feed.folder.glob("*.live")) else words)) as on:
        assert on.until("listening") is not None
        # Who begins again goes on with the same feed.
        with Process(both[1], *resume, *again) as other:
            for _ in on.lines():
                feed.look()
                there.look()
            assert (on.wait(), other.wait()) == (0, 0), on.errors.read_text() + other.errors.read_text()
    feed.end(both[0])
    there.end(both[1])
    (page,) = feed.folder.glob("*.html")
    run("verify", str(page))


def test_a_game_of_a_tournament_is_published_in_its_folder(club: Club) -> None:
    club.start("--games", "1", "--random-setup", "--watched")
    (one,) = club.games()
    first, second = club.seated(one)
    event, robot = ("--event", str(club.folder)), ("--player", "bot:random", "--patience", "0")
    with hosting(club.home(first), *event, "--publish", "--no-page") as host:
        # What follows is the invite, and no folder.
        join = ("join", *robot, *event, "--publish", invite_of(host), "--delay", "1h")
        with Process(club.home(second), *join) as guest:
            assert host.until("message", 8) is not None, host.errors.read_text() + guest.errors.read_text()
            host.kill()
            guest.wait()
    (feed,) = (club.folder / "live").glob("*.live")
    before = feed.read_bytes()
    assert len(before) > 1000
    words = ("resume", *robot[:2], "--bind", "127.0.0.1", "--patience", "30")
    with Process(club.home(first), *words, "--publish") as host:
        assert host.until("listening") is not None
        with Process(club.home(second), *words) as guest:
            assert (host.wait(), guest.wait()) == (0, 0), host.errors.read_text() + guest.errors.read_text()
    assert feed.read_bytes().startswith(before)
    logs = [path.read_bytes() for path in club.folder.glob("game-1.1.1-*.storm")]
    assert feed.read_bytes() in logs
    assert "Ignored" not in club.event(first, "status")


def test_two_who_publish_into_one_folder_do_not_write_over_each_other(tmp_path: Path) -> None:
    feed = Followed(tmp_path / "live")
    both, words = (tmp_path / "a", tmp_path / "b"), ("--publish", str(feed.folder))
    with (
        hosting(both[0], *GAMES["storm"], "--watched", *words) as host,
        joining(both[1], invite_of(host), "bot:random", "--scheme", "hash", *words) as guest,
    ):
        for _ in host.lines():
            feed.look()
        assert (host.wait(), guest.wait()) == (0, 0), host.errors.read_text() + guest.errors.read_text()
    (first,) = (home for home in both if feed.seen[-1] in [log.read_bytes() for log in (home / "logs").glob("*.storm")])
    feed.end(first)
    run("verify", *map(str, feed.folder.iterdir()))


def test_without_a_tournament_a_folder_has_to_be_named(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path))
    for words in (("play", "--bot", "random"), ("host", "--watched")):
        done = run(*words, "--player", "bot:random", *home, "--publish", code=Exit.USAGE)
        assert "--publish live" in done.stderr


def test_who_wants_to_publish_refuses_a_match_that_nobody_may_watch(tmp_path: Path) -> None:
    live = tmp_path / "live"
    with hosting(tmp_path / "a") as host:
        words = ("join", invite_of(host), "--player", "bot:random", "--home", str(tmp_path / "b"))
        said = run(*words, "--publish", str(live), code=Exit.USAGE).stderr
        assert "--watched" in said
        assert host.until("turned-away") is not None
    assert not live.exists()
