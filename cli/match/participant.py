"""Who takes part in a match, as the match knows them: whatever the game is, and however it is shown."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from cli.match.controls import Clocks as Clocks
from cli.match.controls import Controls as Controls

# What draws a lesson or a replay comes by here, too, and needs no session.
if TYPE_CHECKING:
    from cli.notices import Notice
    from protocol.core.events import Answered
    from protocol.core.session import Session
    from protocol.game import Decision, Request

Decided: TypeAlias = "tuple[Decision, Any]"
"""What :meth:`protocol.core.session.Session.act` takes: what is said to everybody, and what stays secret."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended, for the one who played it."""

    winner: str | None
    """What the game calls the side, ``draw``, or None when it is unfinished."""
    reason: str
    audited: bool
    log: str | None
    """Where the signed log is."""
    problems: tuple[str, ...] = ()
    """What was wrong, in sentences."""
    guilty: bool = False
    """Whether a signed message convicts whoever has lost of having broken the rules."""
    opened: Any = None
    """The last state with everything opened, when everything was: the game's own, added by its participant."""
    proved: bool = False
    """Whether what was hidden was proved as it was made."""
    held: str = ""
    """Where the position that this program holds is saved, when the two programs disagree."""
    confirmed: bool = True
    """Whether the log proves the result: whoever is disadvantaged by it has signed what covers it."""
    audits_agree: bool = True
    """Whether the other's signed audit has found the same as ours."""
    keys_stay: bool = False
    """Whether the other has not said that they hold everything, so that we may still have to sign something."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of chat of a match that is taken up again."""

    after: int
    """How many messages came before it."""
    mine: bool
    text: str
    """Not yet clean."""


class Participant(Protocol):
    """One seat."""

    @property
    def name(self) -> str:
        """The name shown to the opponent."""

    def seated(self, session: Session, facts: Mapping[str, str], controls: Controls) -> None:
        """Learn of the match that begins or goes on.

        ``facts`` holds ``match`` (hex), ``words`` (the four words; empty against the computer of this machine),
        ``log`` (where the match is saved), ``computer`` (its name; empty against somebody else) and ``aids`` (empty
        unless both have agreed to them).
        """

    def resumed(self, past: Sequence[Answered], said: Sequence[Remark]) -> None:
        """Learn what had happened before this program started, and what both have said; called after :meth:`seated`."""

    def ahead(self) -> Coroutine[Any, Any, Decided] | None:
        """Return what decides the first request before it is asked, where both can think at the same time."""

    def answer(self, request: Request) -> Decided | None:
        """Return what the program decides by itself, or None."""

    async def decide(self, request: Request) -> Decided | None:
        """Return a decision, or None for one that the rules refuse: then the same is asked again.

        Cancelled when the match ends meanwhile (the opponent resigned, the line is lost).
        """

    def happened(self, message: Answered) -> None:
        """Learn what one message has done."""

    def heard(self, text: str) -> None:
        """Learn a line of chat from the opponent; it is clean of control characters."""

    def on_notice(self, notice: Notice) -> None:
        """Learn what has happened beside the game: a draw offer, a lost line, misbehaviour."""

    def over(self, ending: Ending) -> None:
        """Learn how it ended."""
