"""The screen with line editing, completion and a line of preview; what happens scrolls above the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.patch_stdout import patch_stdout

from cli.dialogue.completion import Suggestion
from cli.plain.screen import printable, wrapped


class PromptScreen:
    """A prompt with history, completion and a line of preview, while what happens scrolls above it."""

    def __init__(
        self, suggest: Callable[[str], Iterable[Suggestion]], preview: Callable[[str], str], **options: Any
    ) -> None:
        """Make a screen.

        Args:
            suggest: returns what can come next after the text before the cursor.
            preview: returns what the typed line would cost.
            options: for :class:`prompt_toolkit.PromptSession`; tests hand in ``input`` and ``output``.
        """
        self._words = "> "
        self._session: PromptSession[str] = PromptSession(
            lambda: self._words,
            completer=_Completer(suggest),
            complete_while_typing=False,
            bottom_toolbar=lambda: preview(self._session.default_buffer.text),
            **options,
        )
        self._patched: AbstractContextManager[None] | None = None

    @property
    def patient(self) -> bool:
        """A person types when the time has come."""
        return False

    def write(self, lines: Sequence[str]) -> None:
        """Show lines above the prompt."""
        if lines:
            columns = self._session.output.get_size().columns
            print("\n".join(part for line in lines for part in wrapped(printable(line), columns)), flush=True)

    async def read(self) -> str:
        """Return the next line."""
        if self._patched is None:
            self._patched = patch_stdout()
            self._patched.__enter__()
        return await self._session.prompt_async()

    def prompt(self, words: str) -> None:
        """Show these words before the cursor from now on."""
        self._words = words
        self._session.app.invalidate()

    def ring(self) -> None:
        """Ring the bell of the terminal."""
        self._session.output.bell()

    def rest(self) -> None:
        """The prompt reads only while a line is wanted."""

    async def close(self) -> None:
        """Give the terminal back."""
        if self._patched is not None:
            self._patched.__exit__(None, None, None)
            self._patched = None


class _Completer(Completer):
    def __init__(self, suggest: Callable[[str], Iterable[Suggestion]]) -> None:
        self._suggest = suggest

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what can come next."""
        for found in self._suggest(document.text_before_cursor):
            yield Completion(found.word, found.start, display_meta=found.note)
