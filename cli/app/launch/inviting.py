"""The invite on the terminal of the host: the line in one piece, and its QR code only where it is seen whole."""

from __future__ import annotations

import asyncio
import base64
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import segno
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from cli.app.launch.proposal import PlayerOptions
from cli.meeting.joining import goes_on, is_line, is_unfinished
from cli.runtime import terminal
from cli.runtime.console import result, say, uncovered_by
from cli.text import joining
from cli.vocabulary import NO, YES

if TYPE_CHECKING:
    from cli.console.plain import PlainScreen

QUIET = 2
"""How many light modules stand around the code; telephones do with fewer than the four of the standard."""

# Two modules, one above the other, in each character.  Light is drawn, because most terminals are dark.
_HALVES = {(False, False): "\u2588", (False, True): "\u2580", (True, False): "\u2584", (True, True): " "}


def draw_qr(text: str) -> list[str]:
    """Return the lines of the code, in block characters without any colour."""
    code = segno.make(text, error="l", micro=False, boost_error=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([True] * len(rows[0]))
    return [
        "".join(_HALVES[above, below] for above, below in zip(upper, lower, strict=True)).rstrip()
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def window() -> tuple[int, int] | None:
    """Return columns and rows of the terminal; None where there is none, or not one with the characters."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        return None
    try:
        "\u2588\u2580\u2584".encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return None
    size = shutil.get_terminal_size()
    return size.columns, size.lines


Window = tuple[int, int]
"""Columns and rows."""


def show(text: str, *, wanted: bool | None, keys: bool) -> None:
    """Print the line of an invite, to the output of results; all else is talk.

    ``wanted`` says whether a QR code was asked for; ``keys`` that :func:`waiting` will listen to them.
    """
    before, after = around(text, window(), wanted=wanted, keys=keys)
    say(*before)
    result(joining.indented(text))
    say(*after)


def around(text: str, window: Window | None, *, wanted: bool | None, keys: bool) -> tuple[list[str], list[str]]:
    """Return what is said before and after the line of an invite; ``window`` is None where there is no terminal.

    The QR code stands before the line where both are seen whole.  In a smaller window it comes last, so that nothing
    pushes its upper rows away.
    """
    before, after = [str(joining.SEND)], [str(joining.WAITING_KEYS if keys else joining.WAITING)]
    if not wanted:
        return before, after
    code = draw_qr(text)
    drawn = "\n".join(code)
    if window is None or _fits(code, _rows([*before, joining.indented(text), *after], window), window):
        return ["\n" + drawn, *before], after
    return before, [*after, drawn if _fits(code, 0, window) else joining.too_small(len(code[0]), len(code), *window)]


def _fits(code: list[str], below: int, window: Window) -> bool:
    """Return whether a QR code is seen whole above so many rows and that of the cursor."""
    return len(code[0]) <= window[0] and len(code) + below + 1 <= window[1]


def _rows(texts: list[str], window: Window) -> int:
    return sum(max(1, -(-len(row) // window[0])) for text in texts for row in text.split("\n"))


def command(text: str) -> str:
    """Return what the opponent types, which is the same in every language."""
    return f"storm-p2p join {text}"


def can_listen(wanted: PlayerOptions) -> bool:
    """Return whether keys can be taken while one waits: a person sits at a terminal that moves its cursor."""
    person = wanted.is_person and not wanted.json and not wanted.plain
    return person and terminal.is_terminal(sys.stderr) and terminal.why_plain() is None


@dataclass(slots=True)
class Wanted:
    """What the person, or a script, wants while an invite waits."""

    fresh: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when they want another invite."""
    pasted: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    """Texts with the answers of friends."""
    text: str = ""
    """The line that is copied and drawn."""
    agreed: asyncio.Future[bool] | None = None
    """What a question is answered with, while one is asked."""


@contextmanager
def waiting(text: str, screen: PlainScreen | None, *, keys: bool) -> Iterator[Wanted]:
    """Let a person press keys and paste an answer while one waits in a running loop.

    Where there are no ``keys``, answers are lines of ``screen``, which keeps all others for the match.
    """
    wanted = Wanted(text=text)
    if keys:
        # The library is needed for a person at a terminal alone.
        from prompt_toolkit.input import create_input

        from cli.console.shell import make_output

        with Waiting(say, create_input(), make_output(sys.stderr), wanted).listening():
            yield wanted
        return
    reading = None if screen is None else asyncio.create_task(_read_answers(screen, wanted))
    try:
        yield wanted
    finally:
        if reading is not None:
            reading.cancel()


async def _read_answers(screen: PlainScreen, wanted: Wanted) -> None:
    answer = ""

    def is_taken(line: str) -> bool:
        nonlocal answer
        if answer and not goes_on(answer, line):
            # A chat has cut it: whoever waits is told so, and the line behind it is for something else.
            wanted.pasted.put_nowait(answer)
            answer = ""
            if not line.strip():
                return True
        if not answer and not is_line(line):
            return _answers(wanted, line)
        answer = f"{answer}\n{line}".lstrip("\n")
        if not is_unfinished(answer):
            wanted.pasted.put_nowait(answer)
            answer = ""
        return True

    # Whoever types nothing more goes on waiting.
    with suppress(EOFError):
        while True:
            await screen.find(is_taken)
    if answer:
        wanted.pasted.put_nowait(answer)


async def agrees(wanted: Wanted, question: str) -> bool:
    """Return whether a person agrees, who waits with an invite."""
    wanted.agreed = asyncio.get_running_loop().create_future()
    say(question)
    try:
        return await wanted.agreed
    finally:
        wanted.agreed = None


def _answers(wanted: Wanted, typed: str) -> bool:
    """Take an answer to the open question; Enter alone agrees.  Return whether it was one."""
    typed = typed.strip().lower()
    if wanted.agreed is None or wanted.agreed.done() or typed not in YES | NO:
        return False
    wanted.agreed.set_result(not typed or typed in YES)
    return True


_COPY = "c"
_ALONE = "q"
_NEW = "n"
_ANSWER = "a"
_ENTER = (Keys.Enter, Keys.ControlJ)
_LONGEST = 65_536
"""How many characters of what is pasted are looked at."""
_PASTED = 8
"""So many keys at once were pasted at a terminal that does not say so."""


class Waiting:
    """The keys of one invite on one terminal."""

    def __init__(self, say: Callable[[str], None], source: Input, output: Output, wanted: Wanted) -> None:
        """Prepare the keys for the line of ``wanted``, which takes what the person wants."""
        self._say = say
        self._wanted = wanted
        self._source = source
        self._output = output
        self._alone = False
        self._answer: str | None = None
        """What was typed or pasted of an answer; None while nobody has begun one."""

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take keys within the running loop, until the terminal belongs to somebody else."""
        # Who has come is said while the code that they have read is still shown, and nobody would see it afterwards.
        with self._source.raw_mode(), self._source.attach(self._pressed), uncovered_by(self._back):
            self._output.enable_bracketed_paste()
            self._output.flush()
            try:
                yield
            finally:
                self._back()
                self._output.disable_bracketed_paste()
                self._output.flush()

    def _pressed(self) -> None:
        presses = self._source.read_keys()
        if len(presses) >= _PASTED:
            self._answer = self._answer or ""
        for press in presses:
            if press.key == Keys.ControlC:
                # The terminal no longer makes a signal of it by itself.
                signal.raise_signal(signal.SIGINT)
            elif self._alone:
                self._back()
            elif press.key == Keys.BracketedPaste:
                self._add(press.data)
            elif self._answer is not None:
                self._type(press)
            elif _answers(self._wanted, "" if press.key in _ENTER else press.data or "-"):
                continue
            elif press.key == _COPY:
                self._copy()
            elif press.key == _ALONE:
                self._show()
            elif press.key == _NEW:
                self._wanted.fresh.set()
            elif press.key == _ANSWER:
                self._answer = ""
                self._say(str(joining.PASTE_ANSWER))
        if len(presses) >= _PASTED:
            self._add("")

    def _type(self, press: KeyPress) -> None:
        """Take one key of an answer; nothing of it is shown, for a pasted line would break the picture."""
        answer = self._answer or ""
        if press.key in _ENTER:
            self._end(answer)
        elif press.key in (Keys.Escape, Keys.ControlU):
            self._answer = None
            self._say(str(joining.NO_ANSWER))
        elif press.key in (Keys.Backspace, Keys.ControlH):
            self._answer = answer[:-1]
        elif press.data.isprintable() and len(answer) < _LONGEST:
            self._answer = answer + press.data

    def _add(self, pasted: str) -> None:
        """Take a piece of an answer, which ends with its last character; of a flood only the beginning."""
        self._answer = ((self._answer or "") + pasted)[:_LONGEST]
        if not is_unfinished(self._answer):
            self._end(self._answer)

    def _end(self, answer: str) -> None:
        self._answer = None
        if answer.strip():
            self._wanted.pasted.put_nowait(answer)

    def _copy(self) -> None:
        """Hand the line to the clipboard by OSC 52, which reaches that of the person's own machine over ssh, too."""
        data = base64.b64encode(command(self._wanted.text).encode()).decode()
        self._output.write_raw(f"\x1b]52;c;{data}\x07")
        self._output.flush()
        self._say(str(joining.COPIED))

    def _show(self) -> None:
        size, code = self._output.get_size(), draw_qr(self._wanted.text)
        if size.columns < len(code[0]) or size.rows < len(code):
            self._say(joining.too_small(len(code[0]), len(code), size.columns, size.rows))
            return
        self._alone = True
        self._output.enter_alternate_screen()
        self._output.erase_screen()
        self._output.cursor_goto(1, 1)
        # No end of line behind the last one: it would push the first one out of a window that just fits.
        self._output.write_raw("\r\n".join(code))
        self._output.flush()

    def _back(self) -> None:
        if self._alone:
            self._alone = False
            self._output.quit_alternate_screen()
            self._output.flush()
            if terminal.Terminal.held:
                # There is no other screen that the line would stand on.
                self._say(f"{joining.SEND}\n{joining.indented(self._wanted.text)}\n{joining.WAITING_KEYS}")
