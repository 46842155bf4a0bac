"""What the documents of a tournament say, how large each field may be, and what must go together.

See SPEC.md, section "Documents of a tournament".  What is *not* here: signatures and bytes, which are
:mod:`protocol.tournament.documents`.  Points are counted in halves, times in seconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from protocol.core import wire
from protocol.core.game_data import NO_CONDITIONS, Conditions, conditions_schema
from protocol.core.wire import Hash
from protocol.errors import WireError
from protocol.game import Decision
from protocol.tournament.findings import Place

PLAYER_LIMIT = 512
"""The most players of an event."""

ROUND_LIMIT = 128
"""The most rounds of an event."""

ARBITER_LIMIT = 8
"""The most arbiters of an event, with those whom its organiser names later."""

GAME_LIMIT = 8
"""The highest number of a game in a pairing: a level pairing of a knock-out is played on until then."""


TIE_BREAKS = ("BH", "BH/C1", "SB", "DE", "WIN", "WON")
"""Buchholz, the same without the lowest, Sonneborn-Berger, direct encounter, wins, and wins that were played."""


def _one_of(*words: str) -> wire.Check:
    def check(value: object) -> None:
        if type(value) is not str or value not in words:
            raise WireError("bad_word", " or ".join(words), wire.describe(value))

    return check


_ASCENDING = wire.ascending(wire.HASH, PLAYER_LIMIT, "bad_order", "hashes that ascend")
_TIME = wire.integer(0, 2**53)
_TIE_BREAKS = wire.items(_one_of(*TIE_BREAKS), 0, len(TIE_BREAKS))
_POINTS = wire.integer(0, 100)
_PLAYER = wire.integer(0, PLAYER_LIMIT)
_PAIRING = wire.fields("pairing", ("first", wire.integer(1, PLAYER_LIMIT)), ("second", _PLAYER))
_TABLES = wire.items(wire.octets(0, GAME_LIMIT), 0, PLAYER_LIMIT // 2)
_RATING = wire.fields(
    "rating",
    ("rating", wire.integer(100, 4000)),
    ("deviation", wire.integer(30, 350)),
    ("volatility", wire.integer(10_000, 100_000)),
)
Time: TypeAlias = Annotated[int, _TIME]
RoundNumber: TypeAlias = Annotated[int, wire.integer(1, ROUND_LIMIT)]
Stated: TypeAlias = Annotated[tuple[int, int, int] | None, wire.optional(_RATING)]
Listed: TypeAlias = Annotated[tuple[bytes, ...], wire.items(wire.HASH, 0, PLAYER_LIMIT)]
Evidence: TypeAlias = Annotated[tuple[bytes, ...], wire.items(wire.HASH, 0, 16)]


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

    name: Annotated[str, wire.text(80)]
    arbiters: Annotated[tuple[bytes, ...], wire.items(wire.HASH, 1, ARBITER_LIMIT)]
    """The keys of those who may rule."""
    game: Annotated[str, wire.word(64)]
    rules: Annotated[str, wire.word(100)]
    """The version of the rules."""
    terms: Annotated[Decision, wire.decision]
    scheme: Annotated[str, wire.word(16)]
    sides: Annotated[tuple[str, str], wire.items(wire.word(32), 2, 2)]
    """What the seats of the game are called where a result names its winner."""
    system: Annotated[System, _one_of(*System)]
    deadlines: Annotated[tuple[int, ...], wire.items(_TIME, 0, ROUND_LIMIT)] = ()
    """Until when each round is to be played; a Swiss has as many rounds as there are."""
    conditions: Annotated[Conditions, conditions_schema] = NO_CONDITIONS
    """Clock and witness."""
    cycles: Annotated[int, wire.integer(1, 2)] = 1
    """How often everybody meets everybody in a round robin."""
    games: Annotated[int, wire.integer(1, 2)] = 2
    """The games of a pairing, with swapped sides."""
    seeding: Annotated[Seeding, _one_of(*Seeding)] = Seeding.DRAW
    points: Annotated[Points, wire.items(_POINTS, 4, 4)] = _POINTS_OF_A_GAME
    tie_breaks: Annotated[tuple[str, ...], _TIE_BREAKS] = ("DE", "BH/C1", "BH", "SB")
    entries_until: Time = 0
    coins_until: Time = 0
    grace: Time = 1800
    """How many seconds after ``ready`` an absent player may be claimed against."""
    answer: Time = 86400
    """How many seconds that player has to answer."""
    engine: Annotated[str | None, wire.optional(wire.word(64))] = None
    """Name and version of the program that pairs a Swiss."""
    third_place: Annotated[bool, wire.integer(0, 1)] = False
    """Whether the losers of a knock-out's semi-finals meet, beside the final."""
    most: Annotated[int | None, wire.optional(wire.integer(2, PLAYER_LIMIT))] = None
    """How many may play; if more have entered, the draw says who does, and who waits in which order."""

    @property
    def version(self) -> int:
        """The version of the documents that can say it: 2 with one of the fields that version 1 has not."""
        return 2 if self.third_place or self.most is not None else 1

    @staticmethod
    def of(value: tuple[Any, ...]) -> Event:
        """Return the event that values are which have passed their schema.

        Raises:
            WireError: what it asks for does not go together.
        """
        found: dict[str, Any] = dict(zip(Event.__slots__, value, strict=False))
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

    event: Hash
    name: Annotated[str, wire.text(wire.NAME_LIMIT)]
    lot: Hash
    """H("event-lot", key, coin): fixes the coin that goes into the draw."""
    rating: Stated = None
    """By the player's own word: rating, deviation, volatility in millionths."""


@dataclass(frozen=True, slots=True)
class Chained:
    """What stands in a chain of its author's."""

    event: Hash
    number: Annotated[int, wire.integer(1, 65_535)]
    previous: Hash


@dataclass(frozen=True, slots=True)
class Close(Chained):
    """The organiser lists the entries that count, in ascending order of their ids."""

    entries: Annotated[tuple[bytes, ...], _ASCENDING]


@dataclass(frozen=True, slots=True)
class Coin:
    """A player opens the coin when the entries are closed."""

    event: Hash
    close: Hash
    entry: Hash
    coin: Hash


@dataclass(frozen=True, slots=True)
class Start(Chained):
    """The organiser lists the coins that were opened, in ascending order of their ids: who has none is not in."""

    coins: Annotated[tuple[bytes, ...], _ASCENDING]


class Pairing(NamedTuple):
    """Two players by their numbers; the first has seat 0 in the odd games.  A second one of 0 is a bye."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Round(Chained):
    """The organiser publishes who meets whom, and what it was made from."""

    round: RoundNumber
    until: Time
    pairings: Annotated[tuple[Pairing, ...], wire.items(_PAIRING, 0, PLAYER_LIMIT)]
    basis: Annotated[tuple[tuple[bytes, ...], ...], wire.items(_TABLES, 0, ROUND_LIMIT - 1)]
    """For each earlier round and table the outcomes of the games that it was made from, a byte each."""
    rulings: Listed
    """The rulings that it was made from and that no earlier round names."""


@dataclass(frozen=True, slots=True)
class End(Chained):
    """The organiser ends the event: what it names is final."""

    basis: Annotated[tuple[tuple[bytes, ...], ...], wire.items(_TABLES, 0, ROUND_LIMIT)]
    """For each round and table the outcomes of the games, a byte each."""
    rulings: Listed
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
class Notice(Chained):
    """The organiser tells something after the announcement; what a topic does not need is empty or None."""

    topic: Annotated[Topic, wire.integer(min(Topic), max(Topic))]
    at: Time
    """When, by the organiser's own clock."""
    keys: Annotated[tuple[bytes, ...], wire.items(wire.HASH, 0, 2)] = ()
    """In ascending order."""
    rating: Stated = None
    text: Annotated[str | None, wire.optional(wire.text(wire.CHAT_LIMIT))] = None


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
class Ruling(Chained):
    """An arbiter decides; what a matter does not need is 0 or None."""

    matter: Annotated[Matter, wire.integer(min(Matter), max(Matter))]
    round: RoundNumber
    table: Annotated[int, wire.integer(0, PLAYER_LIMIT // 2)] = 0
    game: Annotated[int, wire.integer(0, GAME_LIMIT)] = 0
    player: Annotated[int, _PLAYER] = 0
    points: Annotated[int, _POINTS] = 0
    entry: Annotated[bytes | None, wire.optional(wire.HASH)] = None
    replaces: Annotated[bytes | None, wire.optional(wire.HASH)] = None
    """The ruling that it takes the place of."""
    evidence: Evidence = ()
    """The hashes of what it rests on."""


@dataclass(frozen=True, slots=True)
class AboutGame:
    """What a player says of a game, at a time by the player's own clock."""

    event: Hash
    round: RoundNumber
    table: Annotated[int, wire.integer(1, PLAYER_LIMIT // 2)]
    game: Annotated[int, wire.integer(1, GAME_LIMIT)]
    at: Time

    @property
    def place(self) -> Place:
        """The game that it is about."""
        return Place(self.round, self.table, self.game)


@dataclass(frozen=True, slots=True)
class Ready(AboutGame):
    """A player is there for a game."""


@dataclass(frozen=True, slots=True)
class Claim(AboutGame):
    """A player asks for a forfeit, because the other was not there."""

    evidence: Evidence = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the other says to a claim; free text for the arbiter."""

    event: Hash
    claim: Hash
    at: Time
    text: Annotated[str, wire.text(wire.CHAT_LIMIT)]


@dataclass(frozen=True, slots=True)
class Proposal(AboutGame):
    """A player wants to play a game at a time; it is agreed on when the other proposes the same time."""

    when: Time


@dataclass(frozen=True, slots=True)
class Absence:
    """A player of a Swiss cannot play in a round and asks for a bye with so many half points; an arbiter rules."""

    event: Hash
    round: RoundNumber
    points: Annotated[int, _POINTS]


DATA_LIMIT = 60_000
"""The most bytes of data of the players' own that an event may bring."""


@dataclass(frozen=True, slots=True)
class Data:
    """The organiser brings what the games are played with beside their terms, which name its hash: a set of cards."""

    event: Hash
    data: Annotated[bytes, wire.octets(1, DATA_LIMIT)]


Content: TypeAlias = Event | Entry | Chained | Coin | AboutGame | Answer | Absence | Data
KINDS: Final[tuple[type[Content], ...]] = (
    Event, Entry, Close, Coin, Start, Round, Ruling, Ready, Claim, Answer, End, Proposal, Notice, Absence, Data,
)  # fmt: skip
"""The number of a kind is its place here, from 1."""


def versions_of(kind: type[Content]) -> tuple[int, ...]:
    """Return the versions of the documents that can say a kind of content."""
    return (1, 2) if kind is Event else (2,) if kind in (Notice, Absence, Data) else (1,)


def version_of(content: Content) -> int:
    """Return the oldest version of the documents that can say a content, in which it is written."""
    return content.version if isinstance(content, Event) else versions_of(type(content))[0]


def fields_of(kind: type[Content], version: int) -> list[tuple[str, wire.Check]]:
    """Return the fields of a kind of content in their order, each with its schema."""
    return wire.checks_of(kind)[: EVENT_FIELDS if version == 1 else None]


def _check_ruling(ruling: Ruling) -> None:
    """Check that a ruling has what its matter needs and nothing else."""
    place = ruling.matter in (Matter.FORFEIT, Matter.DOUBLE_FORFEIT, Matter.AWARD)
    nobody = dict.fromkeys((Matter.DOUBLE_FORFEIT, Matter.LATE_ENTRY, Matter.REFUSAL), False)
    wanted = {
        "table": place or ruling.matter is Matter.REFUSAL,
        "game": None if place else False,
        "player": {Matter.AWARD: None, **nobody}.get(ruling.matter, True),
        "points": None if ruling.matter is Matter.BYE else False,
        "entry": ruling.matter is Matter.LATE_ENTRY,
    }
    for name, needed in wanted.items():
        if needed is not None and bool(getattr(ruling, name)) != needed:
            raise WireError("bad_ruling", f"{'a' if needed else 'no'} {name} for {ruling.matter.name}", "another")


def _check_notice(notice: Notice) -> None:
    """Check that a notice has what its topic needs and nothing else."""
    keys = {Topic.FORBIDDEN: 2, Topic.ANNOUNCEMENT: 0}.get(notice.topic, 1)
    told = notice.topic is Topic.ANNOUNCEMENT
    if (
        list(notice.keys) != sorted(set(notice.keys))
        or len(notice.keys) != keys
        or (notice.text is not None) != told
        or (notice.rating is not None and notice.topic is not Topic.RATING)
    ):
        raise WireError("bad_notice", f"{keys} keys and what else {notice.topic.name} needs", "another")


def content_of(kind: type[Content], value: tuple[Any, ...]) -> Content:
    """Return the content that values are which have passed their schema.

    Raises:
        WireError: they do not go together.
    """
    if kind is Event:
        return Event.of(value)
    content = kind(*value)
    if isinstance(content, Ruling):
        content = replace(content, matter=Matter(content.matter))
        _check_ruling(content)
    if isinstance(content, Notice):
        content = replace(content, topic=Topic(content.topic))
        _check_notice(content)
    if isinstance(content, Round):
        content = replace(content, pairings=tuple(Pairing(*pair) for pair in content.pairings))
    return content


def value_of(content: Content) -> tuple[Any, ...]:
    """Return the values of a content as they are signed."""
    values = [_plain(getattr(content, field.name)) for field in fields(content)]
    return tuple(values[: EVENT_FIELDS if version_of(content) == 1 else None])


def _plain(value: Any) -> Any:
    if isinstance(value, Conditions):
        return value.value()
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return int(value) if isinstance(value, bool | IntEnum) else str(value) if isinstance(value, StrEnum) else value
