"""How large each field of a document may be, and what must go together (SPEC.md, "Documents of a tournament")."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from protocol.core import wire
from protocol.core.game_data import conditions_schema
from protocol.errors import WireError
from protocol.tournament.contents import (
    ARBITER_LIMIT,
    DATA_LIMIT,
    GAME_LIMIT,
    PLAYER_LIMIT,
    ROUND_LIMIT,
    TIE_BREAKS,
    Absence,
    Answer,
    Claim,
    Close,
    Coin,
    Content,
    Data,
    End,
    Entry,
    Event,
    Matter,
    Notice,
    Pairing,
    Proposal,
    Ready,
    Round,
    Ruling,
    Seeding,
    Start,
    System,
    Topic,
)

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
    "rating",
    ("rating", wire.integer(100, 4000)),
    ("deviation", wire.integer(30, 350)),
    ("volatility", wire.integer(10_000, 100_000)),
)
_PAIRING = wire.fields("pairing", ("first", wire.integer(1, PLAYER_LIMIT)), ("second", _PLAYER))
_TABLES = wire.items(wire.octets(0, GAME_LIMIT), 0, PLAYER_LIMIT // 2)
_BASIS, _FINAL = wire.items(_TABLES, 0, ROUND_LIMIT - 1), wire.items(_TABLES, 0, ROUND_LIMIT)
_RULINGS = ("rulings", wire.items(_HASH, 0, PLAYER_LIMIT))
_EVIDENCE = wire.items(_HASH, 0, 16)

FIELDS: dict[type[Content], tuple[tuple[str, wire.Check], ...]] = {
    Event: (
        ("name", wire.text(80)),
        ("arbiters", wire.items(_HASH, 1, ARBITER_LIMIT)),
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
        ("third_place", wire.integer(0, 1)),
        ("most", wire.optional(wire.integer(2, PLAYER_LIMIT))),
    ),
    Entry: (_EVENT, ("name", wire.text(wire.NAME_LIMIT)), ("lot", _HASH), ("rating", wire.optional(_RATING))),
    Close: (*_CHAIN, ("entries", _ascending)),
    Coin: (_EVENT, ("close", _HASH), ("entry", _HASH), ("coin", _HASH)),
    Start: (*_CHAIN, ("coins", _ascending)),
    Round: (
        *_CHAIN,
        ("round", _ROUND),
        ("until", _TIME),
        ("pairings", wire.items(_PAIRING, 0, PLAYER_LIMIT)),
        ("basis", _BASIS),
        _RULINGS,
    ),
    Ruling: (
        *_CHAIN,
        ("matter", wire.integer(min(Matter), max(Matter))),
        ("round", _ROUND),
        ("table", wire.integer(0, PLAYER_LIMIT // 2)),
        ("game", wire.integer(0, GAME_LIMIT)),
        ("player", _PLAYER),
        ("points", _POINTS),
        ("entry", wire.optional(_HASH)),
        ("replaces", wire.optional(_HASH)),
        ("evidence", _EVIDENCE),
    ),
    Ready: _WHERE,
    Claim: (*_WHERE, ("evidence", _EVIDENCE)),
    Answer: (_EVENT, ("claim", _HASH), ("at", _TIME), ("text", wire.text(wire.CHAT_LIMIT))),
    End: (*_CHAIN, ("basis", _FINAL), _RULINGS),
    Proposal: (*_WHERE, ("when", _TIME)),
    Notice: (
        *_CHAIN,
        ("topic", wire.integer(min(Topic), max(Topic))),
        ("at", _TIME),
        ("keys", wire.items(_HASH, 0, 2)),
        ("rating", wire.optional(_RATING)),
        ("text", wire.optional(wire.text(wire.CHAT_LIMIT))),
    ),
    Absence: (_EVENT, ("round", _ROUND), ("points", _POINTS)),
    Data: (_EVENT, ("data", wire.octets(1, DATA_LIMIT))),
}
"""The schema of each field, in the order of the fields; the number of a kind is its place here, from 1."""


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
    if isinstance(content, Event):
        return content.value()
    plain: dict[str, Any] = {}
    if isinstance(content, Ruling):
        plain = {"matter": int(content.matter)}
    if isinstance(content, Notice):
        plain = {"topic": int(content.topic)}
    if isinstance(content, Round):
        plain = {"pairings": tuple(tuple(pair) for pair in content.pairings)}
    return tuple(plain.get(name, getattr(content, name)) for name in content.__slots__)
