"""Who sits at a seat: the interface that people, computer players and programs fulfil.

The match (``cli.match.match``) owns session, journal and line; a player only sees what its seat may know and answers
when it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from protocol.core.messages import Break
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.events import Event
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import Unit


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, for the one who played it."""

    winner: str | None
    """``chthonians``, ``olympians``, ``draw``, or None when it is unfinished."""
    reason: str
    audited: bool
    log: str | None
    """Where the signed log is."""
    problems: tuple[str, ...] = ()
    """What was wrong, in sentences."""
    opened: State | None = None
    """The last state with every unit by name, when everything was opened."""
    proved: bool = False
    """Whether setups and divided groups were proved as they were made."""
    held: str = ""
    """Where the position that this program holds is saved, when the two programs disagree."""
    confirmed: bool = True
    """Whether the log proves the result: whoever is disadvantaged by it has signed what covers it."""
    audits_agree: bool = True
    """Whether the other's signed audit has found the same as ours."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of chat of a match that is taken up again."""

    after: int
    """How many of the messages that have done something came before it."""
    mine: bool
    text: str
    """Not yet clean."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What both clocks show, for one of the players, in seconds."""

    mine: int
    theirs: int
    """By our own reading."""
    running: bool | None
    """Whether it is ours that runs; None when both stand."""


class Controls(Protocol):
    """What a player may do at any time, asked or not.  Each raises ValueError with a sentence when it cannot be."""

    def say(self, text: str) -> None:
        """Send a line of chat."""

    def resign(self) -> None:
        """Give up."""

    def offer_draw(self) -> None:
        """Offer a draw."""

    def accept_draw(self) -> None:
        """Accept the draw that is on offer."""

    def decline_draw(self) -> None:
        """Decline the draw that is on offer."""

    def propose(self, what: Break) -> bool:
        """Propose a break, or agree to it where the other has proposed the same; return whether it is agreed."""

    def agree(self) -> None:
        """Agree to the break that is proposed."""

    def reject(self) -> None:
        """Reject the break that is proposed."""

    def go_on(self) -> None:
        """End the break."""

    def claim(self) -> None:
        """Claim the match for time or absence."""

    def concede(self) -> None:
        """Sign that the other's claim is right."""

    def deny(self) -> None:
        """Deny the other's claim."""

    def clocks(self) -> Clocks | None:
        """Return what the clocks show; None without any."""

    def leave(self) -> None:
        """Leave the match; it is saved."""


Past: TypeAlias = Sequence[tuple[tuple[Event, ...], State]]
"""What each message of a match has done, with the owner's view after it."""


class Player(Protocol):
    """One seat."""

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

        Args:
            past: what each message had done, with the owner's view after it.
            state: the owner's view now.
            said: the lines of chat of both sides, in order.
        """

    async def place(self) -> tuple[Unit, ...]:
        """Return the setup: nine units for the regions of the realm in ascending order, then the three left out."""

    async def decide(self, state: State) -> Action:
        """Return an action for the seat; ``state`` is the owner's view.

        Cancelled when the match ends meanwhile (the opponent resigned, the line is lost).  An action that the
        engine refuses is asked for again.
        """

    def happened(self, events: tuple[Event, ...], state: State) -> None:
        """Learn what one message has done; ``state`` is the owner's view after it."""

    def heard(self, text: str) -> None:
        """Learn a line of chat from the opponent; it is clean of control characters."""

    def told(self, code: str, sentence: str) -> None:
        """Learn about the line or the match: a draw offer, a lost line, misbehaviour."""

    def over(self, ending: Ending) -> None:
        """Learn how it ended."""

    async def close(self) -> None:
        """Release what the player holds."""
