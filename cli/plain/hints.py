"""What is shown while a person types: what can come next, and what the line would cost."""

from __future__ import annotations

from collections.abc import Callable

from cli.dialogue import completion, grammar
from cli.dialogue.completion import Suggestion
from cli.dialogue.grammar import Act
from cli.dialogue.typed_actions import NotUnderstood
from cli.plain.desk import Desk
from cli.plain.feed import COLUMNS, PREVIEW
from cli.plain.screen import wrapped
from cli.view import preview
from storm_p2p import engine
from storm_p2p.state import State


class Hints:
    """The hints of one match."""

    def __init__(self, desk: Desk, parse: Callable[[str], grammar.Command]) -> None:
        """Make the hints.

        Args:
            desk: where the person sits.
            parse: reads a line as it would be read now; raises NotUnderstood.
        """
        self._desk = desk
        self._parse = parse
        self._priced: tuple[str, State | None, str] = ("", None, "")

    def suggest(self, line: str) -> list[Suggestion]:
        """Return what can come next after a line that is being typed."""
        if not self._desk.seated:
            return completion.suggest(line, ())
        model = self._desk.model
        if not model.deciding or model.state is None:
            return completion.suggest(line, ())
        return completion.suggest(line, engine.options(model.state, model.faction))

    def price(self, line: str) -> str:
        """Return what a line that answers the open question would cost, in one or two lines."""
        state = self._desk.model.state
        if self._priced[:2] != (line, state):
            self._priced = (line, state, self._price(line))
        return self._priced[2]

    def _price(self, line: str) -> str:
        try:
            command = self._parse(line)
        except NotUnderstood:
            return ""
        model = self._desk.model
        if not isinstance(command, Act) or model.state is None:
            return ""
        found = preview.preview(model.state, command.action, model.faction)
        rows = [row for line in preview.lines(found, model.opponent) for row in wrapped(line, COLUMNS)]
        return "\n".join(rows[:PREVIEW])
