"""What the parts of a person's player share: what is known, where it is shown, and the controls of the match."""

from __future__ import annotations

from collections.abc import Callable

from cli.clean import clean
from cli.console.plain.screen import Screen
from cli.match.participant import Controls
from cli.storm import model as m
from cli.storm import notes as kept_notes
from cli.storm.model import Model
from cli.text import notes


class Desk:
    """Where a person sits who plays in plain lines."""

    def __init__(self, screen: Screen) -> None:
        """Make a desk at which nobody is seated; what is said is written on the screen."""
        self._screen = screen
        self._last: tuple[str, ...] = ()
        self._model: Model | None = None
        self._controls: Controls | None = None

    def sit(self, model: Model, controls: Controls) -> None:
        """Begin a match."""
        self._model = model
        self._controls = controls

    @property
    def model(self) -> Model:
        """What is known now."""
        assert self._model is not None, "a player is seated before it is asked"
        return self._model

    @model.setter
    def model(self, model: Model) -> None:
        self._model = model

    @property
    def controls(self) -> Controls:
        """The controls of the match."""
        assert self._controls is not None, "a player is seated before it listens"
        return self._controls

    def say(self, *lines: str) -> None:
        """Show lines."""
        if lines:
            self._last = lines
            self._screen.write(lines)

    def repeat(self) -> None:
        """Show the last lines once more."""
        self._screen.write(self._last)

    def attempt(self, control: Callable[[], object]) -> bool:
        """Use a control and return whether it could be; say why not."""
        try:
            control()
        except ValueError as refused:
            self.say(clean(str(refused)))
            return False
        return True

    def keep_notes(self) -> None:
        """Keep the notes on the match, and what else was asked for while it is played, beside it."""
        try:
            kept_notes.keep(self.model)
        except OSError as error:
            self.say(notes.unkept(error.strerror or str(error)))

    def look_at_clocks(self) -> None:
        """Learn what the clocks show now."""
        self.model = m.clocked(self.model, self.controls.clocks())
