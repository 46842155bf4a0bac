"""The console in lines, for screen readers, scripts and small windows.

A screen gets lines to and from a person; they are taken all the time, so that looking, talking and resigning work while
the opponent thinks; a line that answers a question ends :meth:`LinePlayer.ask`.  Nothing here writes a
control character but the end of a line; a pipe or a file may be at either end.
"""

import asyncio
import codecs
import os
import random
import re
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from cli.console import messages, screen_state
from cli.console.guest import AnyConsole, guest_of, tell
from cli.console.lines import control_row, end_words
from cli.console.messages import Effect, Event, Match, NotUnderstood, NotYet, Severity
from cli.console.player import ConsolePlayer
from cli.console.reducer import is_news
from cli.console.render.spans import wrapped
from cli.console.screen_state import ScreenState
from cli.console.seats import Change
from cli.match.player import Asked, Ended, Happened, Heard, Noticed, Placed, Question, Resumed, Seated
from cli.notices import Quiet
from cli.runtime import console, terminal
from cli.text import matches, screens

_LATEST: Final = 3
"""How many lines of what has happened are said when a match goes on."""


def said(before: ScreenState, after: ScreenState, event: Event) -> list[str]:
    """Return what is to be said of an event."""
    model = after.match
    match event:
        case Seated():
            return matches.seated(model)
        case Placed():
            return guest_of(after).question(after)
        case Asked():
            return [*guest_of(after).question(after), *(guest_of(after).guide(after) if model.guided else ())]
        case Resumed():
            return [*_going_on(after), *matches.still(model)]
        case messages.TakenOver():
            return [*_going_on(after), *_end(model), *screen_state.tell_progress(model)]
        case Happened():
            news = model.guest.tell(model, model.entries[-1]) if event.events else []
            return [*news, *([] if _awaits_other(before) else _waiting(after))]
        case Heard():
            return [matches.heard(model.opponent, model.chat[-1].text)] if model is not before.match else []
        case Noticed(notice=notice):
            silent = isinstance(notice, Quiet) and not notice.spoken
            return [model.guest.say(model, notice)] if is_news(before.match, notice) and not silent else []
        case Ended():
            return _end(model)
        case messages.Done(effect=messages.Control(word="say")):
            return [matches.said(model.chat[-1].text)]
        case messages.Settled():
            return []
        case _:
            return [*after.notice, *_sealed(before, after), *_confirmation(after)]


def _confirmation(after: ScreenState) -> list[str]:
    """Return the question before something that cannot be taken back, while it is open."""
    asked = after.question
    if asked is None:
        return []
    return [*asked.lines, str(screens.TYPE_YES if asked.severity == Severity.LAST else screens.SEND_OR_NOT)]


def _sealed(before: ScreenState, after: ScreenState) -> list[str]:
    """Return what follows a choice that nobody can change any more."""
    model = after.match
    if before.sent or not after.sent:
        return []
    return [matches.sealed(model.opponent)] if guest_of(after).sealed(after) else []


def _going_on(after: ScreenState) -> list[str]:
    """Return where a match stands that goes on, and the last of what has happened."""
    model = after.match
    past = [
        line.strip()
        for item in model.chronicle
        for line in (model.guest.tell(model, item) if isinstance(item, screen_state.Entry) else tell(model, item))
    ]
    return [matches.resumed(model), *past[-_LATEST:], *_waiting(after)]


def _awaits_other(screen: ScreenState) -> bool:
    """Return whether the other person is awaited, and the player is not busy with the setup."""
    return screen.placing is None and guest_of(screen).is_waiting(screen.match)


def _waiting(after: ScreenState) -> list[str]:
    return [matches.waiting(after.match.opponent)] if _awaits_other(after) else []


def _end(model: screen_state.Model) -> list[str]:
    """Return how it ended: the last board as sentences when everything was opened."""
    ending = model.ending
    if ending is None:
        return []
    return [*model.guest.opened(model), *matches.over(model, ending)]


_MOST_PENDING: Final = 1 << 16
"""Longest line that is kept, in characters; nobody types so much."""

_KEYS: Final = re.compile(r"\x1b(?:O[ -~]|\[\[[A-E]|\[[0-?]*[ -/]*[@-~])")
"""A key that is no text: SS3 and a letter, F1 to F5 of the console of Linux, CSI (ECMA-48)."""
_HELP: Final = re.compile(r"\x1b(?:OP|\[\[A|\[11~)")
"""F1, as terminals send it."""


_SIGNS: Final = re.compile(r"(?<=\d) (>) (?=\d)|\b(x)(?=\d\b)|(?<=[^\s:.])(   +)(?=\S)|(?<=\S)(  +)(?=\S)")
"""A way over the board, a factor, columns of a table, and what is left of their blanks."""


def aloud(line: str) -> str:
    """Return a line without the signs that a screen reader passes over or spells."""
    said = ("", f" {screens.ALOUD['>']} ", f"{screens.ALOUD['x']} ", ", ", " ")
    return _SIGNS.sub(lambda found: said[found.lastindex or 0], line)


class PlainScreen:
    """Plain lines, for screen readers, pipes and poor terminals."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self._stdin = stdin if stdin is not None else sys.stdin
        self._stdout = stdout
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._kept: deque[str | None] = deque()
        """What :meth:`find` has passed over; None for the end."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._descriptor: int | None = None
        self._wanted = threading.Semaphore(0)
        """How often the thread may read; without a thread nobody looks."""
        self._started = False
        self._reading = False
        self._typing = False
        self._ended = False

    @property
    def patient(self) -> bool:
        """Whether lines come from a script."""
        return self._stdin is None or not self._stdin.isatty()

    def write(self, lines: Sequence[str]) -> None:
        """Show lines, without control characters."""
        if not lines:
            return
        if self._typing:
            # What is written starts on a line of its own, and the sign to type comes again after the last of it.
            self._typing = False
            self._put("\n")
            asyncio.get_running_loop().call_soon(self._invite)
        columns = self._columns()
        # What follows is indented, so that nothing of the other side's stands where the program begins its lines.
        folded = (wrapped(line, columns) if columns > 0 else (line,) for line in map(printable, lines))
        self._put("".join(f"{part}\n" for parts in folded for part in parts))

    def _columns(self) -> int:
        """Return the width of the terminal, 0 where there is none: a pipe gets every line whole."""
        out = self._stdout if self._stdout is not None else sys.stdout
        try:
            return os.get_terminal_size(out.fileno()).columns if out.isatty() else 0
        except (OSError, ValueError):
            return 0

    def _invite(self) -> None:
        """Show that something can be typed."""
        if self._reading and not self._typing and not self.patient:
            self._typing = True
            self._put("> ")

    def _put(self, text: str) -> None:
        out = self._stdout if self._stdout is not None else sys.stdout
        coding = getattr(out, "encoding", None) or "utf-8"
        # A reader that has gone away is noticed when it is read from.
        with suppress(BrokenPipeError, ValueError):
            out.write(text.encode(coding, "replace").decode(coding))
            out.flush()

    async def read(self) -> str:
        """Return the next line."""
        self._reading = True
        self._invite()
        line = None if self._ended else self._kept.popleft() if self._kept else await self._next()
        self._reading = self._typing = False
        if line is None:
            self._ended = True
            raise EOFError
        return line

    async def _next(self) -> str | None:
        if not self._started:
            self._started = True
            self._start()
        if self._lines.empty():
            self._wanted.release()
        return await self._lines.get()

    async def find(self, is_wanted: Callable[[str], bool]) -> str:
        """Return the next line that is wanted, and keep the others for :meth:`read`.

        Raises:
            EOFError: there will be no more.
        """
        self._reading = True
        while (line := await self._next()) is None or not is_wanted(line):
            self._kept.append(line)
            if line is None:
                raise EOFError
        self._reading = False
        return line

    async def close(self) -> None:
        """Stop reading."""
        self.rest()

    def rest(self) -> None:
        """Stop reading at once, and ask for nothing more; the thread of Windows waits for the next :meth:`read`."""
        self._reading = False
        if self._descriptor is not None:
            asyncio.get_running_loop().remove_reader(self._descriptor)
            # Whoever reads again begins anew.
            self._descriptor, self._started = None, False

    def _start(self) -> None:
        """Begin to read without ever blocking the loop."""
        loop = asyncio.get_running_loop()
        try:
            descriptor = self._stdin.fileno()
        except (AttributeError, OSError, ValueError):
            self._take_all()
            return
        try:
            loop.add_reader(descriptor, self._readable, descriptor)
            self._descriptor = descriptor
        except NotImplementedError:
            # Windows: a thread that ends with the program.  It reads the descriptor itself, for a thread that
            # held the lock of sys.stdin would break the end of the program.
            threading.Thread(target=self._read_in_thread, args=(loop, descriptor), daemon=True).start()
        except OSError:
            # A regular file cannot be waited for, and never makes anybody wait.
            while self._feed(_read(descriptor)):
                pass

    def _take_all(self) -> None:
        for line in [] if self._stdin is None else self._stdin:
            self._lines.put_nowait(typed(line))
        self._lines.put_nowait(None)

    def _readable(self, descriptor: int) -> None:
        if not self._feed(_read(descriptor)):
            asyncio.get_running_loop().remove_reader(descriptor)
            self._descriptor = None

    def _read_in_thread(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        data = b"begin"
        while data:
            # A terminal that nobody wants to read from belongs to somebody else.
            self._wanted.acquire()
            data = _read(descriptor)
            # The loop is closed when the match is over.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._feed_wanted, data)

    def _feed_wanted(self, data: bytes) -> None:
        """Take bytes of the thread; what was no whole line is read on."""
        if self._feed(data) and self._lines.empty() and self._reading:
            self._wanted.release()

    def _feed(self, data: bytes) -> bool:
        """Take bytes; nothing means the end.  Return whether there can be more."""
        self._pending += self._decoder.decode(data, not data)
        *lines, self._pending = self._pending.split("\n")
        for line in lines:
            self._lines.put_nowait(typed(line))
        self._pending = self._pending[:_MOST_PENDING]
        if data:
            return True
        if self._pending:
            self._lines.put_nowait(typed(self._pending))
        self._lines.put_nowait(None)
        return False


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        # A terminal that was closed.
        return b""


def typed(line: str) -> str:
    """Return a line without what keys have sent that mean nothing here (arrows, F2, Tab); F1 alone asks for help.

    A terminal in its line mode hands over such keys as escape sequences in the middle of the line.
    """
    text = _KEYS.sub("", line).replace("\t", " ").strip()
    return text or ("help" if _HELP.search(line) else "")


def printable(line: str) -> str:
    """Return a line without anything that is not a visible character."""
    return "".join(char for char in line if char.isprintable())


class LinePlayer(ConsolePlayer):
    """A person at one seat, with plain lines.

    A person's line is taken at once.  A script's line that answers a question waits until that question is asked, so
    that a whole match can be piped in; the end of a script is its last answer, and means to leave.
    """

    plain = True

    def __init__(
        self,
        name: str,
        guest: AnyConsole,
        *,
        lines: PlainScreen | None = None,
        dice: random.Random | None = None,
        full: Change | None = None,
        call: Callable[[str], object] | None = None,
        folder: Path | None = None,
        settings: screen_state.Settings | None = None,
    ) -> None:
        """Make a player, whose ``lines`` go to and come from the terminal by default.

        ``full`` asks for the whole screen, and raises ValueError with a sentence where it cannot be shown; ``call``
        calls whoever looks elsewhere, with the reason.
        """
        super().__init__(name, guest, settings=settings, folder=folder, dice=dice)
        self._full = full
        self._called = call
        self._lines = lines or PlainScreen()
        self._said: list[str] = []
        self._held: deque[str | None] = deque()
        """Lines whose time has not come; None for the end."""
        self._listening: asyncio.Task[None] | None = None
        self._resting = False
        """What is typed from here on is for somebody else."""
        self._acted = False
        """An answer was given, and its effect is awaited."""
        self._ending = False
        """A word that ends the match was sent, and the end is awaited."""

    def _begin(self) -> None:
        # Lines need the screen that can be scrolled back, and what is typed has to be seen.
        terminal.release()
        # Without a loop it begins to listen with the first question.
        with suppress(RuntimeError):
            self._start()

    def _show(self, before: ScreenState, event: Event) -> None:
        self._say(said(before, self.screen, event))

    def _say(self, said: list[str]) -> None:
        if said:
            self._said = list(map(aloud, said))
            self._lines.write(self._said)

    def _call(self, ring: messages.Ring) -> None:
        if self._called is not None:
            self._called(ring.sentence)

    def _ask_to_leave(self) -> bool:
        # The terminal itself has cleared a line that was begun.
        self._say([str(screens.LEAVE_AGAIN)])
        return True

    def _interrupt(self) -> None:
        # The next Ctrl-C ends the program whatever happens.
        console.forget(console.CTRL_C)
        super()._interrupt()

    def _do_here(self, effect: Effect) -> None:
        match effect:
            case messages.Repeat():
                self._lines.write(self._said)
            case messages.ChangeConsole(sentence=sentence):
                self._to_full(sentence)
            case _:
                # There is no prompt that a line could be put at.
                pass

    def _to_full(self, sentence: str) -> None:
        """Ask for the whole screen; what is typed from here on is for it."""
        try:
            if self._full is None:
                raise ValueError(screens.NO_FULL)
            self._full(sentence)
        except ValueError as refused:
            self._handle(messages.Refused(str(refused)))
        else:
            self._resting = True
            self._lines.rest()

    @property
    def _stays(self) -> bool:
        # A script ends with its match.
        return not self._lines.patient

    async def close(self) -> None:
        """Stop listening and give the terminal back."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
            console.forget(console.CTRL_C)
            self._listening = None
        await self._lines.close()

    release = close

    def _start(self) -> None:
        """Start to listen, if that has not happened yet.

        Raises:
            RuntimeError: no loop is running.
        """
        if self._listening is not None:
            return
        self._listening = asyncio.get_running_loop().create_task(self._listen())
        # Where Ctrl-C cannot be heeded it is left to whoever runs the program.
        console.heed(self._ctrl_c, console.CTRL_C)

    async def _listen(self) -> None:
        try:
            line: str | None = ""
            while line is not None and not self._resting:
                try:
                    line = await self._lines.read()
                except EOFError:
                    line = None
                self._held.append(line)
                self._work()
        except Exception as error:
            # It must not die in a task that nobody waits for.
            self._fail(error)

    def _work(self) -> None:
        """Take the lines whose time has come."""
        while self._held and not self._resting:
            line = self._held[0]
            waiting = self._lines.patient and not self._awaited()
            if waiting and (line is None or self._too_early(line)):
                return
            self._held.popleft()
            if line is None:
                self._leave()
            elif not self._left:
                self._handle(messages.Entered(line))

    async def _ask(self, question: Question) -> object:
        self._start()
        self._acted = False
        return await super()._ask(question)

    def _handle(self, event: Event) -> None:
        stays = isinstance(event, Ended) and self._stays and event.ending.winner is not None and not self._left
        if isinstance(event, Ended) and not stays:
            # Nothing can be typed any longer, so no sign for it may follow the last line.
            self._lines.rest()
        super()._handle(event)
        match event:
            case Ended() if stays:
                self._say([end_words(self.screen)])
            case Placed() | Asked() | messages.Advised():
                self._work()
            case Happened():
                self._acted = self._ending = False
                if self._answer is None:
                    self._work()
            case _:
                pass

    def _give(self, answer: object) -> None:
        self._acted = True
        super()._give(answer)

    def _control(self, effect: messages.Control) -> bool:
        # What the word means is asked before it has changed anything.
        ends = effect.word != "say" and control_row(effect.word, self.screen.match).ends
        done = super()._control(effect)
        self._ending = self._ending or (done and ends)
        return done

    def _busy(self) -> bool:
        """Return whether what was typed last has not shown its effect yet, or there is nothing more to send."""
        return self._acted or self._ending or self._left or self.screen.thinking

    def _awaited(self) -> bool:
        """Return whether an answer is awaited."""
        return self._answer is not None and not self._answer.done() and not self._busy()

    def _too_early(self, line: str) -> bool:
        """Return whether a line of a script has to wait: for the effect of an answer, or for its question."""
        if self.screen.question is not None:
            return False
        if self._busy():
            return True
        try:
            # A hint is about what is asked, too.
            return self._guest.parse(line, None, self.screen.match.side, setting_up=False) == Match("hint")
        except NotYet:
            return True
        except NotUnderstood:
            return False
