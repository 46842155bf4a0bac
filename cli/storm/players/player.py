"""Who sits at a seat: the interface that people, computer players and programs fulfil.

A player only sees what its seat may know and answers when it is asked; :mod:`cli.storm.participant` brings it into a
match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from cli.match.participant import Controls, Ending, Remark
from cli.storm.notices import StormNotice
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.events import Event
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit

Past: TypeAlias = Sequence[tuple[tuple[Event, ...], State]]
"""What each message of a match has done, with the owner's view after it."""


class Player(Protocol):
    """One seat; a player that has no use for what it is told leaves that method out."""

    @property
    def name(self) -> str:
        """The name shown to the opponent."""

    def seated(
        self, faction: Faction, terms: Terms, opponent: str, facts: Mapping[str, str], controls: Controls
    ) -> None:
        """Learn which side one plays and against whom.

        ``facts`` holds ``match`` (hex), ``words`` (the four words; empty against the computer of this machine),
        ``log`` (where the match is saved), ``computer`` (its name; empty against somebody else) and ``notes`` (where
        a person's notes on it are kept; left out: nowhere).
        """

    def resumed(self, past: Past, state: State, said: Sequence[Remark] = ()) -> None:
        """Learn what had happened before this program started; called after :meth:`seated`.

        ``state`` is the owner's view now; ``said`` are the lines of chat of both sides, in order.
        """
        return

    async def place(self) -> tuple[Unit, ...]:
        """Return the setup: nine units for the regions of the realm in ascending order, then the three left out."""

    async def decide(self, state: State) -> Action:
        """Return an action for the seat; ``state`` is the owner's view.

        Cancelled when the match ends meanwhile (the opponent resigned, the line is lost).  An action that the
        engine refuses is asked for again.
        """

    def happened(self, events: tuple[Event, ...], state: State) -> None:
        """Learn what one message has done; ``state`` is the owner's view after it."""
        return

    def heard(self, text: str) -> None:
        """Learn a line of chat from the opponent; it is clean of control characters."""
        return

    def on_notice(self, notice: StormNotice) -> None:
        """Learn what has happened beside the game: a draw offer, a lost line, misbehaviour."""

    def over(self, ending: Ending) -> None:
        """Learn how it ended."""
        return

    async def close(self) -> None:
        """Release what the player holds."""
        return
