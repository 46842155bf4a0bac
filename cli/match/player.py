"""Who sits at a seat: the interface that people, computer players and programs fulfil, whatever the game is.

A player only sees what its seat may know and answers when it is asked; the participant of its game
(:mod:`cli.match.player`) brings it into a match.  What is Any is the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from cli.notices import TIME_WARNINGS
from cli.runtime.console import now
from protocol.game import other

if TYPE_CHECKING:
    from cli.notices import Notice
    from protocol.core.events import Answered
    from protocol.core.session import Session
    from protocol.core.side_channel import SideChannel
    from protocol.game import Decision, Request


class Next(Enum):
    """What comes after a match."""

    LEAVE = auto()
    """Nothing: the program ends, or is where it was before."""
    AGAIN = auto()
    """Another match against the computer, on the same terms."""
    MENU = auto()


@dataclass(frozen=True, slots=True)
class Clocks:
    """What both clocks show, for one of the players, in seconds."""

    mine: int
    theirs: int
    """By our own reading."""
    running: bool | None
    """Whether it is ours that runs; None when both stand."""

    @property
    def short(self) -> bool:
        """Whether ours runs and is about to run out."""
        return self.running is True and self.mine <= TIME_WARNINGS[0]


def read_clocks(session: Session) -> Clocks | None:
    """Return what the clocks show to the player of a session; None without any."""
    face = session.clock.face(now())
    if face is None:
        return None
    seat = session.seat
    running = None if face.running is None else face.running == seat
    return Clocks(face.left[seat], face.left[other(seat)], running)


@dataclass(frozen=True, slots=True)
class Controls:
    """What a player may do at any time, asked or not."""

    channel: SideChannel
    """What is said beside the game; its verbs raise LocalProtocolError when they cannot be used."""
    leave: Callable[[], None]
    """Leaves the match; it is saved."""
    clocks: Callable[[], Clocks | None]
    """Returns what the clocks show; None without any."""


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
