"""One prompt_toolkit application around the model: it draws pictures and turns keys, clicks and sizes into events."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, Filter
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from cli.clean import width
from cli.console import messages, reducer, screen_state
from cli.console.alerts import Alert, call
from cli.console.guest import AnyConsole, guest_of, word_of
from cli.console.lines import suggest
from cli.console.messages import Event, Key, Typed
from cli.console.player import ConsolePlayer
from cli.console.render.screen import Spot, draw_suggestions, render
from cli.console.render.spans import Frame, Line, style_class, zone_at
from cli.console.screen_state import Page, ScreenState, Settings, Suggestion
from cli.console.seats import Change
from cli.console.shell import STEP_SECONDS, STEPS, Canvas, dress, drop_typed, make_output, watch_line
from cli.match.player import Controls, Next
from cli.runtime import console, terminal
from cli.runtime.console import say
from cli.text import matches, screens

ESCAPE_SECONDS = 0.05
"""How long a lone Escape is waited for to become the beginning of something else."""
SEQUENCE_SECONDS = 0.2


class Console:
    """The application; the model stays with whoever handles its events."""

    def __init__(
        self,
        screen: Callable[[], ScreenState],
        handle: Callable[[Event], None],
        suggest: Callable[[str], Iterable[Suggestion]],
        leave: Callable[[], None],
        interrupt: Callable[[], None],
        fail: Callable[[Exception], None],
        *,
        history: History | None = None,
        **options: Any,
    ) -> None:
        """Make the application.

        Args:
            handle: takes an event.
            suggest: returns what can come next after the text before the cursor.
            leave: is called at the end of input.
            interrupt: is called for Ctrl-C.
            fail: is told an error of this program while it draws.
            history: of the prompt; it may be older than this application.
            options: for :class:`prompt_toolkit.Application`; tests hand in ``input`` and ``output``.
        """
        self._screen = screen
        self._handle = handle
        self._fail = fail
        self._drawn: tuple[ScreenState, Frame] | None = None
        self._setting = False
        self.buffer = Buffer(
            completer=_Completer(suggest),
            history=history or InMemoryHistory(),
            multiline=False,
            accept_handler=self._accept,
            on_text_changed=self._changed,
        )
        prompt = self._prompt = Window(
            BufferControl(self.buffer, [BeforeInput(lambda: self.frame.prompt, style_class("prompt"))]),
            height=1,
            dont_extend_height=True,
        )
        body = HSplit([Canvas(lambda: self.frame.above, self._clicked), prompt, Canvas(self._below, self._clicked)])
        self.application: Application[None] = Application(
            Layout(body, focused_element=prompt),
            key_bindings=bindings(screen, lambda name: handle(Key(name)), leave, interrupt),
            full_screen=True,
            output=watch_line(
                options.pop("output", None) or make_output(),
                lambda: screen().moving is not None,
                lambda: handle(messages.Slowed()),
            ),
            mouse_support=Condition(lambda: screen().settings.mouse),
            before_render=self._measure,
            **options,
        )
        dress(self.application)
        self.application.ttimeoutlen = ESCAPE_SECONDS
        self.application.timeoutlen = SEQUENCE_SECONDS
        self.task: asyncio.Task[None] | None = None
        """The running application."""

    # -- the picture ----------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """The picture of the model of now."""
        screen = self._screen()
        if self._drawn is None or self._drawn[0] is not screen:
            try:
                self._drawn = (screen, render(screen))
            except Exception as error:
                # prompt_toolkit calls from the loop, which would only note the error and go on.
                self._fail(error)
                self._drawn = (screen, Frame((), "", ()))
        return self._drawn[1]

    def _below(self) -> Sequence[Line]:
        """Return the rows below the prompt: hint and keys, or what Tab offers."""
        return self._offered()[0] or self.frame.below

    def _offered(self) -> tuple[Sequence[Line], Sequence[Spot]]:
        """Return the rows with what Tab offers, and where it stands; nothing while it offers nothing."""
        state = self.buffer.complete_state
        if state is None or not state.completions:
            return (), ()
        texts = [(found.text, found.display_meta_text) for found in state.completions]
        return draw_suggestions(texts, state.complete_index, self._screen().columns, len(self.frame.below))

    def _measure(self, application: Application[None]) -> None:
        size = application.output.get_size()
        screen = self._screen()
        if (size.columns, size.rows) != (screen.columns, screen.rows):
            self._handle(messages.Resized(size.columns, size.rows))
        if width(self.frame.prompt) + width(self.buffer.text) < size.columns:
            # prompt_toolkit scrolls back only as far as the cursor, which would leave the prompt hidden.
            self._prompt.horizontal_scroll = 0

    def redraw(self) -> None:
        """Draw again soon."""
        self.application.invalidate()

    # -- what comes in --------------------------------------------------------------------------------------

    def set_line(self, text: str) -> None:
        """Put a text at the prompt."""
        if self.buffer.text != text:
            self._setting = True
            self.buffer.set_document(Document(text, len(text)))
            self._setting = False

    def _changed(self, buffer: Buffer) -> None:
        self._handle(Typed(buffer.text, by_hand=not self._setting))

    def _accept(self, buffer: Buffer) -> bool:
        line = buffer.text
        # The line is taken away first: what comes of it may put another one there.
        if self._screen().question is None and self._screen().page != Page.CHAT:
            # Up brings back commands, neither the answers to questions nor what was said.
            buffer.append_to_history()
        self._setting = True
        buffer.reset()
        self._setting = False
        self._handle(Typed("", by_hand=False))
        self._handle(messages.Entered(line))
        return True

    def _clicked(self, event: MouseEvent) -> None:
        if event.event_type == MouseEventType.SCROLL_UP:
            self._handle(Key("wheelup"))
        elif event.event_type == MouseEventType.SCROLL_DOWN:
            self._handle(Key("wheeldown"))
        elif event.event_type == MouseEventType.MOUSE_UP and not self._taken(event):
            what = zone_at(self.frame, event.position.y, event.position.x)
            # A result is left by a click anywhere.
            if what or self._screen().page is Page.RESULT:
                self._handle(messages.Clicked(what, event.button == MouseButton.RIGHT))

    def _taken(self, event: MouseEvent) -> bool:
        """Return whether a click was on what Tab offers, which goes to the prompt then."""
        row = event.position.y - len(self.frame.above) - 1
        for spot in self._offered()[1]:
            if spot.row == row and spot.left <= event.position.x < spot.right:
                self.buffer.go_to_completion(spot.number)
                return True
        # The keys are not there while the suggestions are.
        return row >= 0 and bool(self._offered()[1])

    # -- its life -------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take the terminal; the running loop goes on."""
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        # The end of the input is that of the terminal; one that is gone cannot be given back.
        with suppress(EOFError, OSError):
            await self.application.run_async(handle_sigint=False, set_exception_handler=False)

    async def stop(self) -> None:
        """Give the terminal back."""
        task, self.task = self.task, None
        if task is None:
            return
        # It may not have begun yet.
        await asyncio.sleep(0)
        if self.application.is_running and not self.application.is_done:
            self.application.exit()
        await task


class _Completer(Completer):
    def __init__(self, suggest: Callable[[str], Iterable[Suggestion]]) -> None:
        self._suggest = suggest

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what can come next."""
        for found in self._suggest(document.text_before_cursor):
            yield Completion(found.word, found.start, display_meta=found.note)


TICK_SECONDS = 1.0
"""How often clocks that run are drawn."""


class ScreenPlayer(ConsolePlayer):
    """A person at one seat, with the whole screen."""

    def __init__(
        self,
        name: str,
        guest: AnyConsole,
        *,
        settings: Settings | None = None,
        notice: Alert | None = None,
        folder: Path | None = None,
        plain: Change | None = None,
        **options: Any,
    ) -> None:
        """Make a player.

        ``plain`` asks for plain lines; without it the words for them are in vain.  ``options`` are those of the
        application; tests hand in ``input`` and ``output``.
        """
        super().__init__(name, guest, settings=settings, folder=folder)
        self._notice = notice or Alert()
        self._go_plain = plain or (lambda sentence: None)
        self._options = options
        self._console: Console | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._stepping: asyncio.Task[None] | None = None
        self._history = InMemoryHistory()
        self._released = False

    def take_over(self, model: screen_state.Model, controls: Controls, *, asked: bool) -> None:
        """Go on with a match that another console has shown so far."""
        super().take_over(model, controls, asked=asked)
        # The lines had Ctrl-C for themselves.
        console.heed(self._interrupt, console.CTRL_C)

    def _begin(self) -> None:
        """Take the terminal, unless another match has been shown on it until now."""
        self._released = False
        if self._console is not None:
            self._tick_on()
            return
        drop_typed()
        self._console = Console(
            lambda: self.screen,
            self._guarded,
            lambda line: suggest(self.screen, line),
            self._interrupt,
            self._ctrl_c,
            self._fail,
            history=self._history,
            **self._options,
        )
        self._console.start()
        task = self._console.task
        assert task is not None
        task.add_done_callback(self._lost)
        self._tick_on()

    def _tick_on(self) -> None:
        """Let the clocks of the match run on the screen, if it has some."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        assert self._controls is not None
        if self._controls.clocks() is not None:
            self._ticking = asyncio.create_task(self._tick())

    @property
    def _stays(self) -> bool:
        return self._console is not None

    async def close(self) -> None:
        """Give the terminal back, and say the end again below it, unless it was seen and another picture follows."""
        ending = None if self._screen is None else self.screen.match.ending
        released = self._released
        if self._next is Next.MENU:
            terminal.hold()
        await self.release()
        if terminal.Terminal.held:
            terminal.hold()
        seen = self._next is not None and ending is not None and ending.winner is not None
        if ending is None or released or (terminal.Terminal.held and seen):
            return
        say(*matches.over(self.screen.match, ending))

    async def release(self) -> None:
        """Give the terminal back."""
        self._released = True
        for task in (self._ticking, self._stepping):
            if task is not None:
                task.cancel()
        self._stepping = None
        console, self._console = self._console, None
        if console is not None:
            await console.stop()

    def _show(self, before: ScreenState, event: Event) -> None:
        del event
        if self._console is not None:
            if self.screen.match.state is not before.match.state:
                # What Tab offers is about the board of before.
                self._console.buffer.complete_state = None
            self._console.redraw()
            if self.screen.motion is not None and self._stepping is None:
                self._stepping = asyncio.create_task(self._step())

    async def _step(self) -> None:
        """Let be seen how something moves; everything else has gone on, and no key waits for it."""
        while self.screen.motion is not None and self._failure is None:
            await asyncio.sleep(STEP_SECONDS)
            self._guarded(messages.Stepped())
        self._stepping = None

    async def _tick(self) -> None:
        """Let the clocks on the screen run."""
        while self._console is not None:
            self._look_at_clocks()
            self._console.redraw()
            await asyncio.sleep(TICK_SECONDS)

    def _guarded(self, event: Event) -> None:
        """Take an event of the terminal; an error of this program must end the match, not hide in the loop."""
        try:
            self._handle(event)
        except Exception as error:
            self._fail(error)

    def _do_here(self, effect: messages.Effect) -> None:
        match effect:
            case messages.SetLine(text=text):
                if self._console is not None:
                    self._console.set_line(text)
                self._handle(Typed(text, by_hand=False))
            case messages.ChangeConsole(sentence=sentence):
                self._go_plain(sentence)
            case _:
                pass

    def _ask_to_leave(self) -> bool:
        if self.screen.typed:
            self._do(messages.SetLine(""))
            return False
        self._guarded(Key("f10"))
        return self.screen.question is not None and self.screen.question.then == messages.Control("leave")

    def _call(self, ring: messages.Ring) -> None:
        if self._console is not None:
            output = self._console.application.output

            def write(text: str) -> None:
                output.write_raw(text)
                output.flush()

            chosen = Alert("bell") if ring.urgent and self._notice.kind == "off" else self._notice
            call(chosen, ring.sentence, write, os.environ)

    def _lost(self, task: asyncio.Task[None]) -> None:
        """Leave when the terminal is gone, and let an error of this program come up."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._fail(error)
        elif self._console is not None:
            self._leave()


_SHOWING = {"enter": "enter", "pageup": "pageup", "pagedown": "pagedown", "up": "wheelup", "down": "wheeldown"}
"""What keys mean while a result or the end is shown; letters go to the line that is typed meanwhile."""
_CHOOSING = (*reducer.LETTERS, "/")
"""What chooses what comes after a match, or begins a line of chat, unless somebody was typing when it ended."""
_BEGINNINGS = frozenset(
    {Keys.Escape, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.ScrollUp, Keys.ScrollDown, Keys.CPRResponse}
)
"""What is no key by itself: the beginning of Alt and another one, the mouse, an answer of the terminal."""
_FUNCTION_KEYS = ("f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10")
_REPLAY_KEYS = (*STEPS, "enter", "backspace", "tab", "delete", "c-r")
"""Keys that a look back has for itself; the prompt gets none of them meanwhile."""


def bindings(
    screen: Callable[[], ScreenState],
    press: Callable[[str], None],
    leave: Callable[[], None],
    interrupt: Callable[[], None],
) -> KeyBindings:
    """Return the bindings; ``press`` is told the name of a key, ``leave`` the end of input, ``interrupt`` Ctrl-C."""
    keys = KeyBindings()

    def bind(word: str, *sequence: str, when: Filter | None = None, eager: bool = False) -> None:
        def handler(event: KeyPressEvent) -> None:
            del event
            press(word)

        keys.add(*sequence, eager=eager, filter=True if when is None else when)(handler)

    showing = Condition(lambda: screen().page in (Page.RESULT, Page.OVER))
    reading = Condition(lambda: screen().page is not None)
    steering = Condition(lambda: guest_of(screen()).steers(screen()) and not screen().typed.strip())
    idle = Condition(lambda: not screen().typed.strip() and screen().page is None and screen().match.deciding)
    for function in _FUNCTION_KEYS:
        bind(function, function)
        digit = function.removeprefix("f")[-1]
        # Terminals keep some F-keys for themselves; Alt and the digit is the same.
        bind(function, "escape", digit)
    bind("mouse", "escape", "m")
    bind("escape", "escape")
    bind("pageup", "pageup")
    bind("pagedown", "pagedown")
    # After a refused line Up is that of the prompt: it brings the line back.
    mending = Condition(lambda: bool(screen().rejected) and screen().page != Page.CHAT)
    bind("wheelup", "up", when=reading & ~mending)
    bind("wheeldown", "down", when=reading)
    bind("up", "up", when=steering & ~mending)
    for arrow in ("down", "left", "right"):
        bind(arrow, arrow, when=steering)
    bind("hide", "-", when=idle)
    back = Condition(lambda: screen().page is Page.REPLAY)
    for named in _REPLAY_KEYS:
        bind(named, named, when=back)

    @keys.add(Keys.Any, filter=back)
    @keys.add(Keys.BracketedPaste, filter=back)
    def _letter(event: KeyPressEvent) -> None:
        for char in event.data:
            press(char)

    # Escape alone is known only when nothing follows it; with another key it is Alt.
    whole = Condition(lambda: get_app().key_processor.key_buffer[0].key not in _BEGINNINGS)
    # Whoever types when a result comes goes on with that line: it stands there when the page is closed.
    goes_on = Condition(lambda: screen().page is Page.RESULT and _is_letter(screen().typed))
    bind("any", Keys.Any, when=showing & whole & ~goes_on, eager=True)
    bind("any", "escape", Keys.Any, when=showing, eager=True)
    bind("escape", "escape", "escape", when=showing, eager=True)
    choosing = Condition(lambda: screen().page is Page.OVER and not screen().typed.strip())
    for letter in _CHOOSING:
        bind(letter, letter, when=choosing, eager=True)
        bind(letter, letter.upper(), when=choosing, eager=True)
    for function in _FUNCTION_KEYS:
        opens = Condition(partial(_opens, screen, function))
        bind(function, function, when=opens, eager=True)
        bind(function, "escape", function[-1], when=opens, eager=True)
    for key, word in _SHOWING.items():
        bind(word, key, when=showing, eager=True)

    @keys.add("c-c", eager=True)
    def _interrupted(event: KeyPressEvent) -> None:
        del event
        interrupt()

    @keys.add("c-z", eager=True)
    def _suspended(event: KeyPressEvent) -> None:
        # A shell without jobs ignores the signal, and the picture is drawn again.
        if hasattr(signal, "SIGTSTP"):
            event.app.suspend_to_background()

    @keys.add("c-u")
    def _cleared(event: KeyPressEvent) -> None:
        event.current_buffer.text = ""

    @keys.add(Keys.BracketedPaste, filter=~back)
    def _pasted(event: KeyPressEvent) -> None:
        # Several lines stay one, which can be seen and taken back: none of them acts by itself.
        mark = screens.PASTED_LINES[screen().settings.unicode]
        event.current_buffer.insert_text(mark.join(event.data.strip("\r\n").splitlines()))

    @keys.add("c-d", filter=Condition(lambda: not screen().typed.strip()))
    def _ended(event: KeyPressEvent) -> None:
        del event
        leave()

    return keys


def _opens(screen: Callable[[], ScreenState], key: str) -> bool:
    """Return whether a function key opens something over the end of the match."""
    return screen().page is Page.OVER and word_of(screen().match.guest, key, over=True) is not None


def _is_letter(typed: str) -> bool:
    """Return whether the key that is pressed belongs to a line; a blank begins none."""
    key = get_app().key_processor.key_buffer[0].key
    return not isinstance(key, Keys) and (key != " " or bool(typed.strip()))
