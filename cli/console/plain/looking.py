"""What a person in plain lines looks up and sets for himself: views, help, notes, language, confirmations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cli import language
from cli.console import viewing
from cli.console.input.grammar import Confirm, Note, Speak, View
from cli.console.plain.arranging import Arranging
from cli.console.plain.desk import Desk
from cli.storm import combat_text
from cli.storm import model as m
from cli.storm.text import help_text, refusals
from cli.text import notes
from storm_p2p.storm.board import REGIONS
from storm_p2p.storm.state import Phase


class Looking:
    """The words that tell the other side nothing and change nothing of the match."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def view(self, command: View, arranging: Arranging | None, *, awaited: bool) -> None:
        """Say what a view shows.

        Args:
            command: the view.
            arranging: the setup, while it is made.
            awaited: an answer of the player is awaited.

        Raises:
            cli.console.viewing.NoSuchView: it cannot be shown; the sentence says what was expected.
        """
        desk = self._desk
        if command.what == "repeat":
            desk.repeat()
        elif command.what == "help":
            desk.say(*self._help(command.args, setting_up=arranging is not None, awaited=awaited))
        elif command.what == "board" and arranging is not None:
            desk.say(*arranging.lines())
        else:
            desk.look_at_clocks()
            desk.say(*viewing.show(desk.model, command.what, command.args))

    def region(self, line: str) -> bool:
        """Answer the lone number of a region: who is there, and where the own units there could go at which price.

        Returns whether the line was one; it is the first half of a move or a question, and no mistake.
        """
        model = self._desk.model
        state = model.state
        number = line.strip().rstrip("?")
        if state is None or state.phase != Phase.TURN or not model.deciding:
            return False
        if not (number.isascii() and number.isdigit() and int(number) in REGIONS):
            return False
        region = int(number)
        prices = viewing.group_costs(model, state, region)
        self._desk.say(*viewing.who(model, region), *([prices] if prices else []))
        return True

    def _help(self, args: Sequence[str], *, setting_up: bool, awaited: bool) -> list[str]:
        model = self._desk.model
        if args:
            return help_text.help_on(args[0], model.faction)
        phase = None if model.state is None else model.state.phase
        phase = Phase.SETUP if setting_up else phase
        return help_text.help_for(phase, model.faction, deciding=awaited, choices=combat_text.choices_of(model))

    def note(self, command: Note) -> None:
        """Keep a note on a region."""
        self._desk.model = model = m.noted(self._desk.model, command.region, command.text)
        self._desk.say(notes.answer(command.region, m.note_on(model, command.region)))
        self._desk.keep_notes()

    def speak(self, command: Speak) -> None:
        """Change the language of what is read."""
        language.choose(command.language)
        self._desk.say(str(refusals.SPOKEN))

    def confirm(self, command: Confirm) -> None:
        """Ask before every action from here on, or only before what costs something."""
        self._desk.model = replace(self._desk.model, confirms=command.always)
        self._desk.say(str(refusals.CONFIRMS[command.always]))
        self._desk.keep_notes()
