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
from protocol.errors import LocalProtocolError
from protocol.game import other

if TYPE_CHECKING:
    from cli.notices import Notice
    from protocol.core.events import Answered
    from protocol.core.messages import Break
    from protocol.core.session import Session
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


class Controls:
    """What a player may do at any time, asked or not.  Each raises LocalProtocolError when it cannot be."""

    def __init__(self, session: Session, leave: Callable[[], None], wake: Callable[[], None]) -> None:
        """Make the controls; ``wake`` is called when there is something new to store and to send."""
        self._session = session
        self._leave = leave
        self._wake = wake

    def say(self, text: str) -> None:
        """Send a line of chat."""
        self._do(lambda: (self._session.afterwards if self._session.shut else self._session.side).chat(text))

    def offer_rematch(self) -> None:
        """Offer another match after this one, or take the offer of the other."""
        # Lessons have a seat, too, and nothing that is secret.
        from secrets import token_bytes

        self._do(lambda: self._session.afterwards.offer(token_bytes(32)))

    def decline_rematch(self) -> None:
        """Decline the other match that is on offer."""
        self._do(self._session.afterwards.decline)

    def resign(self) -> None:
        """Give up."""
        self._do(self._session.side.resign)

    def offer_draw(self) -> None:
        """Offer a draw."""
        self._do(self._session.side.offer_draw)

    def accept_draw(self) -> None:
        """Accept the draw that is on offer."""
        self._do(self._session.side.accept_draw)

    def decline_draw(self) -> None:
        """Decline the draw that is on offer."""
        self._do(self._session.side.decline_draw)

    def propose(self, what: Break) -> bool:
        """Propose a break, or agree to it where the other has proposed the same; return whether it is agreed.

        A break that stands already is not proposed again: the other, whose program knows it too, would never be told.
        """
        standing = self._session.side.agreed_break
        if standing is not None and standing >= what:
            raise LocalProtocolError("break_stands", "no break that stands", standing.name)
        number = self._session.side.same_proposal(what)
        if number is None:
            self._do(lambda: self._session.side.propose(what, now=now()))
        else:
            self._do(lambda: self._session.side.agree(number, now=now()))
        return number is not None

    def agree(self) -> None:
        """Agree to the break that is proposed."""
        self._do(lambda: self._session.side.agree(now=now()))

    def reject(self) -> None:
        """Reject the break that is proposed."""
        self._do(lambda: self._session.side.reject(now=now()))

    def go_on(self) -> None:
        """End the break."""
        self._do(lambda: self._session.side.go_on(now=now()))

    def claim(self) -> None:
        """Claim the match for time or absence."""
        self._do(lambda: self._session.side.claim(now=now()))

    def concede(self) -> None:
        """Sign that the other's claim is right."""
        self._do(lambda: self._session.side.concede(now=now()))

    def deny(self) -> None:
        """Deny the other's claim."""
        self._do(lambda: self._session.side.deny(now=now()))

    def clocks(self) -> Clocks | None:
        """Return what the clocks show; None without any."""
        face = self._session.clock.face(now())
        if face is None:
            return None
        seat = self._session.seat
        running = None if face.running is None else face.running == seat
        return Clocks(face.left[seat], face.left[other(seat)], running)

    def leave(self) -> None:
        """Leave the match; it is saved."""
        self._leave()

    def _do(self, act: Callable[[], None]) -> None:
        act()
        self._wake()


# What draws a lesson or a replay comes by here, too, and needs no session.

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
