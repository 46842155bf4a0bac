"""A match as a web page: how it is made of its log, and whether a page is one that was made so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli import __version__, language
from cli.app import games, replay
from cli.app.replay import OpenedLog, open_bytes
from cli.console.replay import PUBLIC, SEED, SIMULATIONS, Replay, Step
from cli.console.screen_state import LINES
from cli.page import document, runtime
from cli.page.story import add_boards, tell
from cli.runtime.console import UsageError
from cli.storage.home import Home
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
    shown = replay.begin(found.game, found.transcript, view, found.transcript.agreement, found.convicted)
    shown = replace(shown, at=shown.last, unicode=False, theme=LINES, columns=80, rows=40)
    adviser, analysis = found.game.console.adviser, None
    if analysed and adviser is not None and found.transcript.seeds and found.transcript.length <= MOST_ANALYSED:
        *_, analysis = adviser().analyse(found.transcript, tuple(found.transcript.seeds), SIMULATIONS, SEED)
    story = tell(shown, found.transcript, add_boards([], found.transcript), facts, analysis, asked=analysed)
    script = found.game.console.page_script()
    inside = {} if beside else parts
    return document.compose(data, story, script, _picture(shown), parts=inside, beside=beside)


class Running:
    """Writes the pages of a match that goes on, with each message, and so works no step out twice."""

    def __init__(self, judge: Callable[[bytes], Facts]) -> None:
        """Begin with no match; ``judge`` says what a log proves."""
        self._judge = judge
        self._transcript: Transcript | None = None
        self._steps: dict[int, Step] = {}
        self._boards: list[str] = []
        self._taken = 0

    def write(self, transcript: Transcript, data: bytes) -> str:
        """Return the page of what everybody knows so far; that of the log once it is whole."""
        agreement, records = transcript.agreement, logfile.load_beginning(data)
        if transcript is not self._transcript:
            supplied, game = read_data(records)[0], games.find(agreement.game)
            self._game = game.supply(supplied) if supplied else game
            self._transcript, self._steps, self._boards, self._taken = transcript, {}, [], 0
            self._moments = self._game.console.moments(transcript, ())
        if _is_whole(data):
            found = OpenedLog(Path(), self._game, transcript, None, (), None)
            if read_data(records)[1] + len(transcript.records) < len(records):
                # The last message is a foul.
                found = open_bytes(Home.named(""), Path(), data)
            return write(found, data, self._judge(data), PUBLIC, analysed=False, parts={})
        # A moment is what an answer has done; to ask for more than there are would end them.
        answers = sum(played.answer is not None for played in transcript.history)
        replay.add_steps(self._steps, islice(self._moments, answers - self._taken))
        self._taken = answers
        shown = replay.begin(self._game, transcript, PUBLIC, agreement, public=self._steps)
        shown = replace(shown, at=shown.last, unicode=False, theme=LINES, columns=80, rows=40)
        story = tell(shown, transcript, add_boards(self._boards, transcript), None)
        return document.compose(data, story, self._game.console.page_script(), _picture(shown))


def _is_whole(data: bytes) -> bool:
    with suppress(LogError):
        logfile.load(data)
        return True
    return False


def _picture(shown: Replay) -> str:
    """Return the position as text."""
    state = shown.step.state if shown.step is not None else None
    drawn = shown.guest.draw_replay(shown, state, shown.terms)
    return "\n".join("".join(text for _, text in row).rstrip() for row in drawn)


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
        return document.LOG_BEGINS.encode() in files.read_file(file, LARGEST)
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
