"""A match as a web page: how it is made of its log, and whether a page is one that was made so."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cli import __version__, language
from cli.app import games, replay
from cli.app.replay import OpenedLog, open_bytes
from cli.console.replay import PUBLIC, SEED, SIMULATIONS, Replay, Step, views_of
from cli.console.screen_state import LINES
from cli.page import document, runtime
from cli.page.story import Story, dump_boards, tell
from cli.runtime.console import UsageError
from cli.storage.home import Home
from protocol.core.frames import FrameKind
from protocol.core.game_data import read_data
from protocol.core.transcript import Transcript
from protocol.game import MissingRules
from protocol.record import logfile
from protocol.record.feed import FeedError, Feeds
from protocol.record.logfile import LogError
from protocol.system import files
from storm_p2p import games as rules

if TYPE_CHECKING:
    from protocol.record.judging import Facts

LARGEST: Final = 64 << 20
"""No page has more bytes."""
MOST_ANALYSED: Final = 1000
"""No longer match is analysed in its page, for who verifies the page analyses it again."""


def write(
    found: OpenedLog,
    data: bytes,
    facts: Facts,
    view: str,
    *,
    analysed: bool,
    parts: Mapping[str, bytes],
    beside: str = "",
) -> str:
    """Return the page of a log in the chosen language."""
    transcript, adviser, analysis = found.transcript, found.game.console.adviser, None
    shown = replay.begin(found.game, transcript, view, found.convicted)
    if analysed and adviser is not None and transcript.seeds and transcript.length <= MOST_ANALYSED:
        *_, analysis = adviser().analyse(transcript, tuple(transcript.seeds), SIMULATIONS, SEED)
    boards: list[str] = []
    dump_boards(transcript, boards, transcript.length)
    story = tell(shown, transcript, transcript.records, boards, facts, analysis, asked=analysed)
    return _compose(shown, data, story, parts={} if beside else parts, beside=beside)


def _compose(shown: Replay, data: bytes, story: Story, **runtime: Any) -> str:
    """Return the page of a match that is shown at its end."""
    shown = replace(shown, at=shown.last, unicode=False, theme=LINES, columns=80, rows=40)
    state = shown.step.state if shown.step is not None else None
    drawn = shown.guest.draw_replay(shown, state, shown.terms)
    board = "\n".join("".join(text for _, text in row).rstrip() for row in drawn)
    return document.compose(data, story, shown.guest.page_script(), board, **runtime)


class Running:
    """Writes the pages of a match that goes on, with each message, and works nothing out twice."""

    def __init__(self, judge: Callable[..., Facts]) -> None:
        """Begin with no match; ``judge`` says what a log proves, also of the messages that were verified already."""
        self._judge = judge
        self._transcript: Transcript | None = None

    def write(self, transcript: Transcript, data: bytes) -> str:
        """Return the page of what a feed has; that of the log once it is whole.

        What the transcript has beyond the feed is not published yet.
        """
        records = logfile.load_beginning(data)
        supplied, begins = read_data(records)
        if transcript is not self._transcript:
            game = games.find(transcript.agreement.game)
            self._game = game.supply(supplied) if supplied else game
            self._transcript, self._steps, self._boards = transcript, dict[int, Step](), list[str]()
            self._moments, self._taken = self._game.console.moments(transcript, ()), 0
        whole = _is_whole(data)
        if whole and not transcript.holds_all:
            # The last message is a foul.
            found = open_bytes(Home.named(""), Path(), data)
            return write(found, data, self._judge(data), PUBLIC, analysed=False, parts={})
        length = min(transcript.length, sum(record.kind == FrameKind.ENVELOPE for record in records))
        # A moment is what an answer has done; to ask for more than there are would end them.
        answers = sum(played.answer is not None and played.seq <= length for played in transcript.history)
        replay.add_steps(self._steps, islice(self._moments, answers - self._taken))
        self._taken = answers
        dump_boards(transcript, self._boards, length)
        told = transcript.records[: len(records) - begins]
        done = dict.fromkeys([PUBLIC] if whole else views_of(self._game.console), self._steps)
        everything = len(told) == len(transcript.records)
        shown = replay.begin(self._game, transcript, PUBLIC, done=done, whole=everything)
        facts = self._judge(data, transcript) if whole else None
        return _compose(shown, data, tell(shown, transcript, told, self._boards, facts))


def _is_whole(data: bytes) -> bool:
    with suppress(LogError):
        logfile.load(data)
        return True
    return False


def read_page(file: Path) -> tuple[str, bytes]:
    """Return a page, and the log that it holds.

    Raises:
        LogError: there is none.
    """
    try:
        page = files.read_file(file, LARGEST).decode()
        data = document.read_log(page)
    except OSError as error:
        raise LogError("unreadable", f"{str(file)!a} cannot be read ({error.strerror})") from error
    except ValueError:
        data = None
    if data is None:
        raise LogError("not-a-log", "expected a page with a log in it")
    return page, data


def is_page(file: Path) -> bool:
    """Return whether a file is a page of ours, be it damaged, or cannot be read."""
    try:
        # In UTF-16 the same letters stand between zeros.
        data = files.read_file(file, LARGEST).replace(b"\0", b"")
        # Where the element of the log is damaged, the log is not.
        return document.LOG_BEGINS.encode() in data or b64encode(logfile.MAGIC[:15]) in data
    except OSError:
        return True


def problem_of(file: Path, judge: Callable[[bytes], Facts]) -> str | None:
    """Return what is wrong with a page but for its log: a code of SPEC.md, section "Web page"."""
    try:
        page, data = read_page(file)
    except LogError:
        return "page_altered"
    chosen = document.read_choices(page)
    if chosen.get("program", __version__) != __version__:
        return "page_version"
    before = language.current()
    try:
        language.choose(str(chosen["language"]))
        if not _is_whole(data):
            followed = Feeds(rules.find)
            followed.take(0, data)
            if followed.transcript is None:
                return "page_altered"
            return None if document.is_same(page, Running(judge).write(followed.transcript, data)) else "page_altered"
        found = open_bytes(Home.named(""), file, data)
        view = replay.view_named(found, str(chosen["view"]))
        whole, near = document.runtime_of(page)
        parts = dict.fromkeys(runtime.PARTS, b"") if whole else {}
        beside = runtime.digest() if near else ""
        if near and not _is_runtime(file.with_name(document.runtime_name(beside))):
            return "page_altered"
        written = write(found, data, judge(data), view, analysed=chosen["analysed"] is True, parts=parts, beside=beside)
    except (LogError, FeedError, MissingRules, UsageError, KeyError):
        # No page is written of such a log, or with such choices.
        return "page_altered"
    finally:
        language.choose(before)
    return None if document.is_same(page, written) else "page_altered"


def _is_runtime(file: Path) -> bool:
    """Return whether a page can have what it needs from the file beside it; it tells by itself if there is none."""
    try:
        return runtime.is_script(files.read_file(file, LARGEST).decode())
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
