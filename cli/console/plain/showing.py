"""Saying what is asked of a person, and that the other one is awaited."""

from __future__ import annotations

from cli.console import questions
from cli.console.plain.desk import Desk
from cli.storm import combat_text
from cli.storm.text import matches
from storm_p2p.storm.state import Phase, State


class Showing:
    """What was shown of one match.

    Attributes:
        introduced: the player has seen what a first turn is.
        waiting_told: the player knows that the other person is awaited.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.introduced = False
        self.waiting_told = False

    def question(self, state: State) -> None:
        """Show the question of the present phase."""
        desk = self._desk
        if state.phase == Phase.FIGHT:
            desk.say(*combat_text.spoken(desk.model))
            return
        asked = questions.question(desk.model, first=not self.introduced)
        self.introduced = self.introduced or state.phase == Phase.TURN
        desk.look_at_clocks()
        desk.say(*questions.situation(desk.model), *asked)

    def waiting(self, state: State, *, arranging: bool = False) -> None:
        """Say once that the other person is awaited.

        Args:
            state: the owner's view.
            arranging: the player is busy with the setup.
        """
        model = self._desk.model
        if not questions.is_waiting(state, model.faction) or self.waiting_told or arranging:
            return
        self.waiting_told = True
        self._desk.say(matches.waiting(model))
