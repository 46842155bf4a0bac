"""Who takes part, and under which number (SPEC.md, section "Entries and draw").

Each player fixes a coin in the entry and opens it only when the entries are closed, so nobody can choose an entry for
the draw that it gives.  Who does not open is not in: the last one to open knows the draw and can only leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from protocol.crypto.hashing import hash_parts
from protocol.tournament.contents import ARBITER_LIMIT, Close, Coin, Entry, Event, Notice, Seeding, Start, Topic
from protocol.tournament.documents import Document
from protocol.tournament.findings import Finding, finding


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who takes part."""

    number: int
    key: bytes
    name: str
    rating: tuple[int, int, int] | None
    entry: bytes
    """The id of the entry."""
    since: int = 1
    """The round from which the player takes part."""
    gone: int | None = None
    """The round from which the player takes part no more."""


Rating = tuple[int, int, int]
"""Rating, deviation, volatility in millionths."""


def arbiters_of(event: Event, notices: Iterable[Document]) -> tuple[bytes, ...]:
    """Return who may rule: those of the event, and then those whom the organiser has named, as far as there may be."""
    named = (key for one in _about(Topic.ARBITER, notices) for key in one.keys)
    return tuple(dict.fromkeys((*event.arbiters, *named)))[:ARBITER_LIMIT]


def ratings_of(notices: Iterable[Document]) -> dict[bytes, Rating | None]:
    """Return the ratings that the organiser has confirmed or set, the last one for each key."""
    return {key: one.rating for one in _about(Topic.RATING, notices) for key in one.keys}


def forbidden_by(notices: Iterable[Document]) -> frozenset[tuple[bytes, ...]]:
    """Return the keys of those who must not meet, two by two."""
    return frozenset(one.keys for one in _about(Topic.FORBIDDEN, notices))


def _about(topic: Topic, notices: Iterable[Document]) -> list[Notice]:
    contents = (one.content for one in notices)
    return [one for one in contents if isinstance(one, Notice) and one.topic is topic]


def lot_of(key: bytes, coin: bytes) -> bytes:
    """Return what fixes a coin in an entry; the key in it makes a copy worthless."""
    return hash_parts("event-lot", key, coin)


def draw_of(event: bytes, coins: Mapping[bytes, bytes]) -> bytes:
    """Return the draw of an event from the coins by key."""
    return hash_parts("event-draw", event, *(coins[key] for key in sorted(coins)))


def check_close(close: Document, entries: Mapping[bytes, Document]) -> Finding | None:
    """Return what is wrong with a list of entries, or else what is missing of it; ``entries`` are those held, by id."""
    content = close.content
    assert isinstance(content, Close)
    keys: set[bytes] = set()
    missing: Finding | None = None
    for one in content.entries:
        entry = entries.get(one)
        if entry is None:
            missing = missing or finding("entry_missing", close.id, entry=one)
        elif entry.author in keys:
            return finding("entered_twice", close.id, entry=one, key=entry.author)
        else:
            keys.add(entry.author)
    return missing


def opened(close: Document, coin: Document, entries: Mapping[bytes, Document]) -> Finding | None:
    """Return why a coin does not open an entry of a list, or None if it does."""
    content, listed = coin.content, close.content
    assert isinstance(content, Coin)
    assert isinstance(listed, Close)
    entry = entries.get(content.entry)
    if content.close != close.id:
        return finding("other_close", coin.id, close=content.close)
    if content.entry not in listed.entries or entry is None or entry.author != coin.author:
        return finding("other_entry", coin.id, entry=content.entry)
    assert isinstance(entry.content, Entry)
    if lot_of(coin.author, content.coin) != entry.content.lot:
        return finding("wrong_coin", coin.id, entry=content.entry)
    return None


def check_start(
    start: Document, close: Document, entries: Mapping[bytes, Document], coins: Mapping[bytes, Document]
) -> Finding | None:
    """Return what is wrong with a list of coins, or else what is missing of it."""
    content = start.content
    assert isinstance(content, Start)
    seen: set[bytes] = set()
    missing: Finding | None = None
    for one in content.coins:
        coin = coins.get(one)
        if coin is None:
            missing = missing or finding("coin_missing", start.id, coin=one)
            continue
        wrong = opened(close, coin, entries)
        if wrong is not None or coin.author in seen:
            return finding("bad_coin", start.id, coin=one, reason="twice" if wrong is None else wrong.code)
        seen.add(coin.author)
    return missing


def seed_players(
    event: bytes,
    terms: Event,
    start: Start,
    entries: Mapping[bytes, Document],
    coins: Mapping[bytes, Document],
    ratings: Mapping[bytes, Rating | None],
) -> tuple[bytes, tuple[Player, ...], tuple[bytes, ...]]:
    """Return the draw, the players by number, and who waits for a place, of a list of coins that has passed its check.

    Args:
        event: the id of the event.
        terms: its terms.
        start: the list.
        entries: those held, by id.
        coins: those held, by id.
        ratings: those that the organiser has confirmed or set, by key.
    """
    thrown: dict[bytes, bytes] = {}
    entry_of: dict[bytes, bytes] = {}
    for one in start.coins:
        coin = coins[one].content
        assert isinstance(coin, Coin)
        thrown[coins[one].author] = coin.coin
        entry_of[coins[one].author] = coin.entry
    draw = draw_of(event, thrown)

    order = sorted(thrown, key=lambda key: hash_parts("event-order", draw, key))

    def rank(key: bytes) -> int:
        rating = enter(0, entries[entry_of[key]], ratings).rating if terms.seeding is Seeding.RATING else None
        return -rating[0] if rating else 0

    # Who entered first nobody can prove; the draw nobody can choose.
    seeded = sorted(order[: terms.most], key=rank)
    players = tuple(enter(number, entries[entry_of[key]], ratings) for number, key in enumerate(seeded, start=1))
    return draw, players, tuple(order[len(seeded) :])


def enter(number: int, entry: Document, ratings: Mapping[bytes, Rating | None], since: int = 1) -> Player:
    """Return the player that an entry makes, with the rating that the organiser has confirmed, if there is one."""
    content = entry.content
    assert isinstance(content, Entry)
    rating = ratings.get(entry.author, content.rating)
    return Player(number, entry.author, content.name, rating, entry.id, since)
