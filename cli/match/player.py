"""Who sits at a seat: the interface that people, computer players and programs fulfil, whatever the game is.

A player only sees what its seat may know and answers when it is asked; the :class:`Participant` of its game brings it
into a match.  Any is a value of the game: its player and its participant know it, and nothing between
them looks into it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from cli.notices import TIME_WARNINGS

if TYPE_CHECKING:
    from protocol.core.events import Answered
    from protocol.core.session import Session
    from protocol.core.side_channel import SideChannel
    from protocol.core.step_builder import Parts
    from protocol.game import Decision, Request, Value


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


@dataclass(frozen=True, slots=True)
class Controls:
    """What a player may do at any time, asked or not."""

    side_channel: SideChannel
    """What is said beside the game; its verbs raise LocalProtocolError when they cannot be used."""
    leave: Callable[[], None]
    """Leaves the match; it is saved."""
    clocks: Callable[[], Clocks | None]
    """Returns what the clocks show; None without any."""


Decided: TypeAlias = "tuple[Decision, Sequence[Value] | Parts | None]"
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
    opened: object = None
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
    adjourned: bool = False
    """Whether both have signed that it goes on another day."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of chat of a match that is taken up again."""

    after: int
    """How many messages came before it."""
    mine: bool
    text: str
    """Not yet clean."""


Past: TypeAlias = Sequence[tuple[tuple[object, ...], object]]
"""What each message of a match has done, with the owner's view after it."""


@dataclass(frozen=True, slots=True)
class Seated:
    """The match begins, or goes on in this program."""

    side: Any
    """The player's own, as the game says it; to a participant, the seat."""
    terms: Any
    """The game's; to a participant, as they are on the wire."""
    opponent: str
    """The name of the other; not yet clean."""
    controls: Controls
    match: str = ""
    """The match in hexadecimal digits."""
    words: str = ""
    """The four words; empty against the computer of this machine."""
    key: bytes = b""
    """The identity key of the other."""
    log: str = ""
    """Where the match is saved."""
    computer: str = ""
    """The name of the computer player; empty against somebody else."""
    aids: bool = False
    """Whether both have agreed to aids."""
    watched: int | None = None
    """How many seconds late others may watch; None: nobody may."""
    notes: str = ""
    """Where a person's notes on it are kept; empty: nowhere."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """What had happened before this program started."""

    past: Past
    state: object
    """The owner's view now."""
    said: Sequence[Remark] = ()
    """The lines of chat of both sides, in order."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One message has done something."""

    events: tuple[object, ...]
    state: object
    """The owner's view after it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The opponent has said something; not yet clean."""

    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something has happened beside the game: a draw offer, a lost line, misbehaviour, or a notice of the game."""

    notice: object


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over."""

    ending: Ending


MatchEvent: TypeAlias = Seated | Resumed | Happened | Heard | Noticed | Ended
"""What a match tells a player."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The setup is asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision is asked; one that the rules refuse is asked for again."""

    state: Any
    """The owner's view."""


Question: TypeAlias = Placed | Asked
"""What a match asks a player."""


class Participant(Protocol):
    """One seat."""

    name: str
    """The name shown to the opponent."""

    def begin(self, session: Session, seated: Seated) -> None:
        """Learn of the match that begins or goes on."""

    def resume(self, past: Sequence[Answered], said: Sequence[Remark]) -> None:
        """Learn what had happened before this program started, and what both have said; called after :meth:`begin`."""

    def ahead(self) -> Coroutine[object, object, Decided] | None:
        """Return what decides the first request before it is asked, where both can think at the same time."""

    def answer(self, request: Request) -> Decided | None:
        """Return what the program decides by itself, or None."""

    async def decide(self, request: Request) -> Decided | None:
        """Return a decision, or None for one that the rules refuse: then the same is asked again.

        Cancelled when the match ends meanwhile (the opponent resigned, the line is lost).
        """

    def tell(self, event: Answered | Heard | Noticed | Ended) -> None:
        """Learn what one message has done, or what has happened beside the game."""


class Player(Protocol):
    """One seat; a player that has no use for what it is told leaves that method out."""

    name: str
    """The name shown to the opponent."""

    def tell(self, event: MatchEvent) -> None:
        """Learn what has happened; :class:`Seated` comes first, but for notices of the line."""
        return

    async def ask(self, question: Question) -> Any:
        """Return the setup, or an action for the seat.

        Cancelled when the match ends meanwhile (the opponent resigned, the line is lost).
        """

    async def linger(self) -> Next:
        """Look at the end for as long as one likes; return what comes next.  Cancelled when the next match begins."""
        return Next.LEAVE

    async def close(self) -> None:
        """Release what the player holds."""
        return


def notices_to(told: Player | Participant) -> Callable[[object], None]:
    """Return what takes notices and tells somebody of them."""
    return lambda notice: told.tell(Noticed(notice))
