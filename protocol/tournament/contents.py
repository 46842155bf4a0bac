"""What the documents of a tournament say, and how large each may be (SPEC.md, section "Documents of a tournament").

Values and their schemas.  What is *not* here: signatures and bytes, which are :mod:`protocol.tournament.documents`.
Points are counted in halves, times in seconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple, TypeAlias

from protocol.core import wire
from protocol.core.conditions import NO_CONDITIONS, Conditions, conditions_schema
from protocol.errors import WireError
from protocol.game import Decision

PLAYER_LIMIT = 512
"""The most players of an event."""

ROUND_LIMIT = 128
"""The most rounds of an event."""

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
    """How many seconds he has to answer."""
    engine: str | None = None
    """Name and version of the program that pairs a Swiss."""

    def value(self) -> tuple[Any, ...]:
        """Return the form that is signed."""
        plain = {"conditions": self.conditions.value(), "points": tuple(self.points), "system": str(self.system),
                 "seeding": str(self.seeding)}  # fmt: skip
        return tuple(plain.get(name, getattr(self, name)) for name in self.__slots__)

    @staticmethod
    def of(value: tuple[Any, ...]) -> Event:
        """Read :meth:`value`'s form, which has passed its schema.

        Raises:
            WireError: what it asks for does not go together.
        """
        found = dict(zip(Event.__slots__, value, strict=True))
        found["conditions"] = Conditions.of(found["conditions"])
        found["points"] = Points(*found["points"])
        found["system"], found["seeding"] = System(found["system"]), Seeding(found["seeding"])
        event = Event(**found)
        swiss = event.system is System.SWISS
        if swiss != (event.engine is not None):
            raise WireError("bad_engine", "an engine for a Swiss and for nothing else", str(event.engine))
        if swiss and not event.deadlines:
            raise WireError("bad_deadlines", "a deadline for each round of a Swiss", "none")
        if event.cycles != 1 and event.system is not System.ROUND_ROBIN:
            raise WireError("bad_cycles", "one cycle", str(event.cycles))
        if not event.points.win > event.points.draw >= event.points.loss:
            raise WireError("bad_points", "more for a win than for a draw than for a loss", str(tuple(event.points)))
        if len(set(event.sides)) != 2 or "draw" in event.sides:
            raise WireError("bad_sides", "two names, neither of them draw", str(event.sides))
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
    """By his own word: rating, deviation, volatility in millionths."""


@dataclass(frozen=True, slots=True)
class Close:
    """The organiser lists the entries that he takes, in ascending order of their ids."""

    event: bytes
    number: int
    previous: bytes
    entries: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Coin:
    """A player opens his coin when the entries are closed."""

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
    """A player is there for a game, at a time by his own clock."""

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


Content: TypeAlias = Event | Entry | Close | Coin | Start | Round | Ruling | Ready | Claim | Answer
Chained: TypeAlias = Close | Start | Round | Ruling
"""Contents that stand in a chain of their author's."""

# --- schemas ---------------------------------------------------------------------------------------------

_HASH = wire.octets(32)
_TIME = wire.integer(0, 2**53)
_NUMBER = wire.integer(1, 65_535)
_ROUND = wire.integer(1, ROUND_LIMIT)
_TABLE = wire.integer(1, PLAYER_LIMIT // 2)
_GAME = wire.integer(1, GAME_LIMIT)
_PLAYER = wire.integer(0, PLAYER_LIMIT)
_POINTS = wire.integer(0, 100)


def _one_of(*words: str) -> wire.Check:
    def check(value: object) -> None:
        if type(value) is not str or value not in words:
            raise WireError("bad_word", " or ".join(words), wire.describe(value))

    return check


def _ascending(value: object) -> None:
    wire.items(_HASH, 0, PLAYER_LIMIT)(value)
    assert isinstance(value, tuple)
    if list(value) != sorted(set(value)):
        raise WireError("bad_order", "hashes that ascend", "others")


def _sides(value: object) -> None:
    wire.items(wire.word(32), 2, 2)(value)


_EVENT = ("event", _HASH)
_CHAIN = (_EVENT, ("number", _NUMBER), ("previous", _HASH))
_WHERE = (_EVENT, ("round", _ROUND), ("table", _TABLE), ("game", _GAME), ("at", _TIME))
_RATING = wire.fields(
    "rating", ("rating", wire.integer(100, 4000)), ("deviation", wire.integer(30, 350)),
    ("volatility", wire.integer(10_000, 100_000)),
)  # fmt: skip
_PAIRING = wire.fields("pairing", ("first", wire.integer(1, PLAYER_LIMIT)), ("second", _PLAYER))
_BASIS = wire.items(wire.items(wire.octets(0, GAME_LIMIT), 0, PLAYER_LIMIT // 2), 0, ROUND_LIMIT - 1)
_EVIDENCE = wire.items(_HASH, 0, 16)

FIELDS: dict[type, tuple[tuple[str, wire.Check], ...]] = {
    Event: (
        ("name", wire.text(80)),
        ("arbiters", wire.items(_HASH, 1, 8)),
        ("game", wire.word(64)),
        ("rules", wire.word(100)),
        ("terms", wire.decision),
        ("scheme", wire.word(16)),
        ("sides", _sides),
        ("system", _one_of(*System)),
        ("deadlines", wire.items(_TIME, 0, ROUND_LIMIT)),
        ("conditions", conditions_schema),
        ("cycles", wire.integer(1, 2)),
        ("games", wire.integer(1, 2)),
        ("seeding", _one_of(*Seeding)),
        ("points", wire.items(_POINTS, 4, 4)),
        ("tie_breaks", wire.items(_one_of(*TIE_BREAKS), 0, len(TIE_BREAKS))),
        ("entries_until", _TIME),
        ("coins_until", _TIME),
        ("grace", _TIME),
        ("answer", _TIME),
        ("engine", wire.optional(wire.word(64))),
    ),
    Entry: (_EVENT, ("name", wire.text(wire.NAME_LIMIT)), ("lot", _HASH), ("rating", wire.optional(_RATING))),
    Close: (*_CHAIN, ("entries", _ascending)),
    Coin: (_EVENT, ("close", _HASH), ("entry", _HASH), ("coin", _HASH)),
    Start: (*_CHAIN, ("coins", _ascending)),
    Round: (
        *_CHAIN, ("round", _ROUND), ("until", _TIME), ("pairings", wire.items(_PAIRING, 0, PLAYER_LIMIT)),
        ("basis", _BASIS), ("rulings", wire.items(_HASH, 0, PLAYER_LIMIT)),
    ),
    Ruling: (
        *_CHAIN, ("matter", wire.integer(min(Matter), max(Matter))), ("round", _ROUND),
        ("table", wire.integer(0, PLAYER_LIMIT // 2)), ("game", wire.integer(0, GAME_LIMIT)), ("player", _PLAYER),
        ("points", _POINTS), ("entry", wire.optional(_HASH)), ("replaces", wire.optional(_HASH)),
        ("evidence", _EVIDENCE),
    ),
    Ready: _WHERE,
    Claim: (*_WHERE, ("evidence", _EVIDENCE)),
    Answer: (_EVENT, ("claim", _HASH), ("at", _TIME), ("text", wire.text(wire.CHAT_LIMIT))),
}  # fmt: skip
"""The schema of each field, in the order of the fields."""


def _check_ruling(ruling: Ruling) -> None:
    """Check that a ruling has what its matter needs and nothing else.

    Raises:
        WireError: it has not.
    """
    place = ruling.matter in (Matter.FORFEIT, Matter.DOUBLE_FORFEIT, Matter.AWARD)
    wanted = {
        "table": place,
        "game": None if place else False,
        "player": {Matter.AWARD: None, Matter.DOUBLE_FORFEIT: False, Matter.LATE_ENTRY: False}.get(ruling.matter, True),
        "points": None if ruling.matter is Matter.BYE else False,
        "entry": ruling.matter is Matter.LATE_ENTRY,
    }
    for name, needed in wanted.items():
        if needed is not None and bool(getattr(ruling, name)) != needed:
            raise WireError("bad_ruling", f"{'a' if needed else 'no'} {name} for {ruling.matter.name}", "another")


def content_of(kind: type[Content], value: tuple[Any, ...]) -> Content:
    """Return the content that values are which have passed their schema.

    Raises:
        WireError: they do not go together.
    """
    if kind is Event:
        return Event.of(value)
    content = kind(*value)
    if isinstance(content, Ruling):
        content = Ruling(**{**{name: getattr(content, name) for name in Ruling.__slots__},
                            "matter": Matter(content.matter)})  # fmt: skip
        _check_ruling(content)
    if isinstance(content, Round):
        pairs = tuple(Pairing(*pair) for pair in content.pairings)
        content = Round(**{**{name: getattr(content, name) for name in Round.__slots__}, "pairings": pairs})
    return content


def value_of(content: Content) -> tuple[Any, ...]:
    """Return the values of a content as they are signed."""
    if isinstance(content, Event):
        return content.value()
    plain = {"matter": int(content.matter)} if isinstance(content, Ruling) else {}
    if isinstance(content, Round):
        return (*(getattr(content, name) for name in Round.__slots__[:5]),
                tuple(tuple(pair) for pair in content.pairings), content.basis, content.rulings)  # fmt: skip
    return tuple(plain.get(name, getattr(content, name)) for name in content.__slots__)
