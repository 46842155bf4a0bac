"""Showing a person what is asked, and that the other one is awaited, with the board where there is time to look."""

from __future__ import annotations

from collections.abc import Sequence

from cli.dialogue import questions
from cli.plain.desk import Desk
from cli.text import matches
from storm_p2p.state import Phase, State


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
            desk.feed.say(questions.combat(desk.model, plain=desk.plain))
            return
        asked = questions.question(desk.model, first=not self.introduced)
        self.introduced = self.introduced or state.phase == Phase.TURN
        self._board(asked)

    def waiting(self, state: State, *, arranging: bool = False, resumed: bool = False) -> None:
        """Say once that the other person is awaited, with the board if he may take his time.

        Args:
            state: the owner's view.
            arranging: the player is busy with the setup.
            resumed: the match was taken up again just now.
        """
        desk, model = self._desk, self._desk.model
        if not questions.wants(state, model.faction):
            desk.feed.flush()
        if not questions.is_waiting(state, model.faction) or self.waiting_told or arranging:
            return
        self.waiting_told = True
        if desk.plain or (model.computer and not resumed):
            desk.say(matches.waiting(model))
        else:
            self._board([matches.waiting(model)])

    def _board(self, asked: Sequence[str]) -> None:
        desk = self._desk
        desk.look_at_clocks()
        board = questions.board(desk.model, plain=desk.plain)
        if desk.plain or not board:
            desk.say(*board, *asked)
        else:
            desk.feed.board(board, asked)
