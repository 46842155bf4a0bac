"""What the documents of a tournament say (SPEC.md, section "Documents of a tournament").

What is *not* here: how large each field may be, which is :mod:`protocol.tournament.forms`, and signatures and bytes,
which are :mod:`protocol.tournament.documents`.  Points are counted in halves, times in seconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from protocol.core.game_data import NO_CONDITIONS, Conditions
from protocol.errors import WireError
from protocol.game import Decision

PLAYER_LIMIT = 512
"""The most players of an event."""

ROUND_LIMIT = 128
"""The most rounds of an event."""

ARBITER_LIMIT = 8
"""The most arbiters of an event, with those whom its organiser names later."""

GAME_LIMIT = 8
"""The highest number of a game in a pairing: a level pairing of a knock-out is played on until then."""


class System(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody, by Berger's tables."""
    SWISS = "swiss"
    """Equal scores meet, nobody twice: the FIDE Dutch system."""
    KNOCK_OUT = "knock-out"
    """Who loses is out."""
    DOUBLE_ELIMINATION = "double-elimination"
    """Who loses twice is out."""

    @property
    def eliminates(self) -> bool:
        """Whether a pairing must have a winner."""
        return self in (System.KNOCK_OUT, System.DOUBLE_ELIMINATION)


class Seeding(StrEnum):
    """Who gets which number."""

    DRAW = "draw"
    RATING = "rating"
    """The highest first; equal ones by the draw."""


TIE_BREAKS = ("BH", "BH/C1", "SB", "DE", "WIN", "WON")
"""Buchholz, the same without the lowest, Sonneborn-Berger, direct encounter, wins, and wins that were played."""


class Points(NamedTuple):
    """What a game counts, in half points; the bye counts for a whole pairing."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 4


_POINTS_OF_A_GAME = Points()

EVENT_FIELDS = 20
"""How many of its fields an event has in version 1."""


@dataclass(frozen=True, slots=True)
class Event:
    """What an organiser announces; nothing of it changes afterwards."""

    name: str
    arbiters: tuple[bytes, ...]
    """The keys of those who may rule."""
    game: str
    rules: str
    """The version of the rules."""
    terms: Decision
    scheme: str
    sides: tuple[str, str]
    """What the seats of the game are called where a result names its winner."""
    system: System
    deadlines: tuple[int, ...] = ()
    """Until when each round is to be played; a Swiss has as many rounds as there are."""
    conditions: Conditions = NO_CONDITIONS
    """Clock and witness."""
    cycles: int = 1
    """How often everybody meets everybody in a round robin."""
    games: int = 2
    """The games of a pairing, with swapped sides."""
    seeding: Seeding = Seeding.DRAW
    points: Points = _POINTS_OF_A_GAME
    tie_breaks: tuple[str, ...] = ("DE", "BH/C1", "BH", "SB")
    entries_until: int = 0
    coins_until: int = 0
    grace: int = 1800
    """How many seconds after ``ready`` an absent player may be claimed against."""
    answer: int = 86400
    """How many seconds that player has to answer."""
    engine: str | None = None
    """Name and version of the program that pairs a Swiss."""
    third_place: bool = False
    """Whether the losers of a knock-out's semi-finals meet, beside the final."""
    most: int | None = None
    """How many may play; if more have entered, the draw says who does, and who waits in which order."""

    @property
    def version(self) -> int:
        """The version of the documents that can say it: 2 with one of the fields that version 1 has not."""
        return 2 if self.third_place or self.most is not None else 1

    def value(self) -> tuple[Any, ...]:
        """Return the form that is signed."""
        plain = {
            "conditions": self.conditions.value(),
            "points": tuple(self.points),
            "system": str(self.system),
            "seeding": str(self.seeding),
            "third_place": int(self.third_place),
        }
        names = self.__slots__ if self.version > 1 else self.__slots__[:EVENT_FIELDS]
        return tuple(plain.get(name, getattr(self, name)) for name in names)

    @staticmethod
    def of(value: tuple[Any, ...]) -> Event:
        """Read :meth:`value`'s form, which has passed its schema.

        Raises:
            WireError: what it asks for does not go together.
        """
        found = dict(zip(Event.__slots__, value, strict=False))
        found["conditions"] = Conditions.of(found["conditions"])
        found["points"] = Points(*found["points"])
        found["system"], found["seeding"] = System(found["system"]), Seeding(found["seeding"])
        found["third_place"] = bool(found.get("third_place"))
        event = Event(**found)
        swiss = event.system is System.SWISS
        if swiss != (event.engine is not None):
            raise WireError("bad_engine", "an engine for a Swiss and for nothing else", "none" if swiss else "one")
        if swiss and not event.deadlines:
            raise WireError("bad_deadlines", "a deadline for each round of a Swiss", "none")
        if event.cycles != 1 and event.system is not System.ROUND_ROBIN:
            raise WireError("bad_cycles", "one cycle", str(event.cycles))
        if event.third_place and event.system is not System.KNOCK_OUT:
            raise WireError("bad_third_place", "a third place of a knock-out alone", str(event.system))
        if not event.points.win > event.points.draw >= event.points.loss:
            raise WireError("bad_points", "more for a win than for a draw than for a loss", str(tuple(event.points)))
        if len(set(event.sides)) != 2 or "draw" in event.sides:
            raise WireError("bad_sides", "two names, neither of them draw", "others")
        if event.conditions.event is not None:
            raise WireError("bad_conditions", "conditions without a place", "one")
        if list(event.arbiters) != sorted(set(event.arbiters)):
            raise WireError("bad_order", "keys that ascend", "others")
        return event


@dataclass(frozen=True, slots=True)
class Entry:
    """A player wants to take part."""

    event: bytes
    name: str
    lot: bytes
    """H("event-lot", key, coin): fixes the coin that goes into the draw."""
    rating: tuple[int, int, int] | None = None
    """By the player's own word: rating, deviation, volatility in millionths."""


@dataclass(frozen=True, slots=True)
class Close:
    """The organiser lists the entries that count, in ascending order of their ids."""

    event: bytes
    number: int
    previous: bytes
    entries: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Coin:
    """A player opens the coin when the entries are closed."""

    event: bytes
    close: bytes
    entry: bytes
    coin: bytes


@dataclass(frozen=True, slots=True)
class Start:
    """The organiser lists the coins that were opened, in ascending order of their ids: who has none is not in."""

    event: bytes
    number: int
    previous: bytes
    coins: tuple[bytes, ...]


class Pairing(NamedTuple):
    """Two players by their numbers; the first has seat 0 in the odd games.  A second one of 0 is a bye."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Round:
    """The organiser publishes who meets whom, and what it was made from."""

    event: bytes
    number: int
    previous: bytes
    round: int
    until: int
    pairings: tuple[Pairing, ...]
    basis: tuple[tuple[bytes, ...], ...]
    """For each earlier round and table the outcomes of the games that it was made from, a byte each."""
    rulings: tuple[bytes, ...]
    """The rulings that it was made from and that no earlier round names."""


@dataclass(frozen=True, slots=True)
class End:
    """The organiser ends the event: what it names is final."""

    event: bytes
    number: int
    previous: bytes
    basis: tuple[tuple[bytes, ...], ...]
    """For each round and table the outcomes of the games, a byte each."""
    rulings: tuple[bytes, ...]
    """The rulings that it was made from and that no round names."""


class Topic(IntEnum):
    """What a notice is about."""

    FORBIDDEN = 1
    """The two players of ``keys`` are never paired in this Swiss."""
    RATING = 2
    """The player of ``keys`` has ``rating``, or none, whatever their entry says."""
    ARBITER = 3
    """The one of ``keys`` may rule, too."""
    ANNOUNCEMENT = 4
    """A text for everybody."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The organiser tells something after the announcement; what a topic does not need is empty or None."""

    event: bytes
    number: int
    previous: bytes
    topic: Topic
    at: int
    """When, by the organiser's own clock."""
    keys: tuple[bytes, ...] = ()
    """In ascending order."""
    rating: tuple[int, int, int] | None = None
    text: str | None = None


class Matter(IntEnum):
    """What a ruling is about."""

    FORFEIT = 1
    """``player`` loses a game that was not played, or with game 0 the whole pairing."""
    DOUBLE_FORFEIT = 2
    """Both lose it."""
    AWARD = 3
    """``player`` wins it, or with player 0 it is a draw: for disputes and results that nobody confirms."""
    BYE = 4
    """``player`` is not paired in a round and gets ``points``."""
    LATE_ENTRY = 5
    """Whoever has made ``entry`` takes part from a round on."""
    WITHDRAWAL = 6
    """``player`` takes part no more from a round on."""
    REFUSAL = 7
    """No forfeit: the claims about a pairing that are the evidence are refused, and it is played."""


ABOUT_PLAYERS: Final = (Matter.BYE, Matter.LATE_ENTRY, Matter.WITHDRAWAL)
"""What is no game's matter."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """An arbiter decides; what a matter does not need is 0 or None."""

    event: bytes
    number: int
    previous: bytes
    matter: Matter
    round: int
    table: int = 0
    game: int = 0
    player: int = 0
    points: int = 0
    entry: bytes | None = None
    replaces: bytes | None = None
    """The ruling that it takes the place of."""
    evidence: tuple[bytes, ...] = ()
    """The hashes of what it rests on."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A player is there for a game, at a time by the player's own clock."""

    event: bytes
    round: int
    table: int
    game: int
    at: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A player asks for a forfeit, because the other was not there."""

    event: bytes
    round: int
    table: int
    game: int
    at: int
    evidence: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the other says to a claim; free text for the arbiter."""

    event: bytes
    claim: bytes
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A player wants to play a game at a time; it is agreed on when the other proposes the same time."""

    event: bytes
    round: int
    table: int
    game: int
    at: int
    when: int


@dataclass(frozen=True, slots=True)
class Absence:
    """A player of a Swiss cannot play in a round and asks for a bye with so many half points; an arbiter rules."""

    event: bytes
    round: int
    points: int


DATA_LIMIT = 60_000
"""The most bytes of data of the players' own that an event may bring."""


@dataclass(frozen=True, slots=True)
class Data:
    """The organiser brings what the games are played with beside their terms, which name its hash: a set of cards."""

    event: bytes
    data: bytes


Content: TypeAlias = (
    Event
    | Entry
    | Close
    | Coin
    | Start
    | Round
    | Ruling
    | Ready
    | Claim
    | Answer
    | End
    | Proposal
    | Notice
    | Absence
    | Data
)
Chained: TypeAlias = Close | Start | Round | Ruling | End | Notice
"""Contents that stand in a chain of their author's."""
