"""One prompt_toolkit application around the model: it draws pictures and turns keys, clicks and sizes into events."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from cli.clean import width
from cli.console import keys
from cli.console.messages import Clicked, Entered, Event, Key, Resized, Typed
from cli.console.render import screen
from cli.console.render.screen import Spot, render
from cli.console.render.spans import Frame, Line, style_class, zone_at
from cli.console.screen_state import Page, ScreenState, Suggestion
from cli.console.shell.canvas import Canvas, dress
from cli.console.shell.output import make_output

ESCAPE_SECONDS = 0.05
"""How long a lone Escape is waited for to become the beginning of something else."""
SEQUENCE_SECONDS = 0.2


class Console:
    """The application; the model stays with whoever handles its events."""

    def __init__(
        self, ui: Callable[[], ScreenState], handle: Callable[[Event], None],
        suggest: Callable[[str], Iterable[Suggestion]], leave: Callable[[], None], fail: Callable[[Exception], None],
        *, history: History | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """Make the application.

        Args:
            handle: takes an event.
            suggest: returns what can come next after the text before the cursor.
            leave: is called for Ctrl-C.
            fail: is told an error of this program while it draws.
            history: of the prompt; it may be older than this application.
            options: for :class:`prompt_toolkit.Application`; tests hand in ``input`` and ``output``.
        """
        self._ui = ui
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
            key_bindings=keys.bindings(ui, lambda name: handle(Key(name)), leave),
            full_screen=True,
            output=options.pop("output", None) or make_output(),
            mouse_support=Condition(lambda: ui().settings.mouse),
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
        ui = self._ui()
        if self._drawn is None or self._drawn[0] is not ui:
            try:
                self._drawn = (ui, render(ui))
            except Exception as error:
                # prompt_toolkit calls from the loop, which would only note the error and go on.
                self._fail(error)
                self._drawn = (ui, Frame((), "", ()))
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
        return screen.draw_suggestions(texts, state.complete_index, self._ui().columns, len(self.frame.below))

    def _measure(self, application: Application[None]) -> None:
        size = application.output.get_size()
        ui = self._ui()
        if (size.columns, size.rows) != (ui.columns, ui.rows):
            self._handle(Resized(size.columns, size.rows))
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
        if self._ui().question is None and self._ui().page != Page.CHAT:
            # Up brings back commands, neither the answers to questions nor what was said.
            buffer.append_to_history()
        self._setting = True
        buffer.reset()
        self._setting = False
        self._handle(Typed("", by_hand=False))
        self._handle(Entered(line))
        return True

    def _clicked(self, event: MouseEvent) -> None:
        if event.event_type == MouseEventType.SCROLL_UP:
            self._handle(Key("wheelup"))
        elif event.event_type == MouseEventType.SCROLL_DOWN:
            self._handle(Key("wheeldown"))
        elif event.event_type == MouseEventType.MOUSE_UP and not self._taken(event):
            what = zone_at(self.frame, event.position.y, event.position.x)
            # A result is left by a click anywhere.
            if what or self._ui().page is Page.RESULT:
                found = keys.key_of(what)
                self._handle(found or Clicked(what, event.button == MouseButton.RIGHT))

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
