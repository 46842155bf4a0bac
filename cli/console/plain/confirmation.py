"""The question whether a person is sure, before something is done that cannot be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cli import words
from cli.console.plain.desk import Desk
from cli.storm.preview import Severity
from cli.storm.text import refusals
from cli.text import confirming
from cli.vocabulary import ENGLISH, GERMAN

_HELP = frozenset({"?", "help", *ENGLISH["help"], *GERMAN["help"]})


@dataclass(frozen=True, slots=True)
class _Question:
    """A confirmation that is awaited."""

    go: Callable[[], object]
    severity: Severity
    lines: tuple[str, ...]


class Confirmation:
    """The one question of this kind that can be open."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._question: _Question | None = None

    @property
    def awaited(self) -> bool:
        """Whether the question is open."""
        return self._question is not None

    def ask(self, lines: Iterable[str], severity: Severity, go: Callable[[], object]) -> None:
        """Ask.

        Args:
            lines: what it would do or cost.
            severity: how much there is to lose by it; for the last severity only the whole word counts.
            go: is called after a yes.
        """
        last = severity == Severity.LAST
        self._question = question = _Question(go, severity, tuple(lines))
        self._desk.say(*question.lines, confirming.TYPE_YES if last else confirming.SEND)

    def answer(self, line: str) -> bool:
        """Close the question with a line, if it is open; return whether the line was said to it."""
        question = self._question
        if question is None:
            return False
        answer = line.strip().lower()
        if answer in _HELP:
            # Whoever does not know what is asked has not answered it.
            self._desk.say(confirming.EXPLAINED)
            self.ask(question.lines, question.severity, question.go)
            return True
        self.forget()
        sure = answer in ("yes", "ja") if question.severity == Severity.LAST else answer in words.YES
        if sure:
            question.go()
            return True
        self._desk.say(refusals.NOTHING_SENT)
        return answer in words.NO | words.YES

    def forget(self) -> None:
        """Close the question without an answer."""
        self._question = None
