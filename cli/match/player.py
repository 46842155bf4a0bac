"""Who sits at a seat: the interface that people, computer players and programs fulfil, whatever the game is.

A player only sees what its seat may know and answers when it is asked; the participant of its game
(:mod:`cli.match.participant`) brings it into a match.  What is Any is the game's own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from cli.match.next import Next
from cli.match.participant import Controls, Ending, Remark

Past: TypeAlias = Sequence[tuple[tuple[Any, ...], Any]]
"""What each message of a match has done, with the owner's view after it."""


class Player(Protocol):
    """One seat; a player that has no use for what it is told leaves that method out."""

    @property
    def name(self) -> str:
        """The name shown to the opponent."""

    def seated(self, side: Any, terms: Any, opponent: str, facts: Mapping[str, str], controls: Controls) -> None:
        """Learn which side one plays and against whom.

        ``facts`` holds ``match`` (hex), ``words`` (the four words; empty against the computer of this machine),
        ``log`` (where the match is saved), ``computer`` (its name; empty against somebody else), ``aids`` (empty
        unless both have agreed to them) and ``notes`` (where a person's notes on it are kept; left out: nowhere).
        """

    def resumed(self, past: Past, state: Any, said: Sequence[Remark] = ()) -> None:
        """Learn what had happened before this program started; called after :meth:`seated`.

        ``state`` is the owner's view now; ``said`` are the lines of chat of both sides, in order.
        """
        return

    async def place(self) -> Any:
        """Return the setup, where the game has one."""

    async def decide(self, state: Any) -> Any:
        """Return an action for the seat; ``state`` is the owner's view.

        Cancelled when the match ends meanwhile (the opponent resigned, the line is lost).  An action that the
        rules refuse is asked for again.
        """

    def happened(self, events: tuple[Any, ...], state: Any) -> None:
        """Learn what one message has done; ``state`` is the owner's view after it."""
        return

    def heard(self, text: str) -> None:
        """Learn a line of chat from the opponent; it is clean of control characters."""
        return

    def on_notice(self, notice: Any) -> None:
        """Learn what has happened beside the game: a draw offer, a lost line, misbehaviour, or a notice of the game."""

    def over(self, ending: Ending) -> None:
        """Learn how it ended."""
        return

    async def linger(self) -> Next:
        """Look at the end for as long as one likes; return what comes next.  Cancelled when the next match begins."""
        return Next.LEAVE

    async def close(self) -> None:
        """Release what the player holds."""
        return
