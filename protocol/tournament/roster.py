"""Who takes part, and under which number (SPEC.md, section "Entries and draw").

Each player fixes a coin in the entry and opens it only when the entries are closed, so nobody can choose an entry for
the draw that it gives.  Who does not open is not in: the last one to open knows the draw and can only leave.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from protocol.crypto.hashing import hash_parts
from protocol.tournament.contents import ARBITER_LIMIT, Close, Coin, Entry, Event, Notice, Seeding, Start, Topic
from protocol.tournament.documents import Signed
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


def arbiters_of(event: Event, notices: Iterable[Signed[Notice]]) -> tuple[bytes, ...]:
    """Return who may rule: those of the event, and then those whom the organiser has named, as far as there may be."""
    named = (key for one in _about(Topic.ARBITER, notices) for key in one.keys)
    return tuple(dict.fromkeys((*event.arbiters, *named)))[:ARBITER_LIMIT]


def ratings_of(notices: Iterable[Signed[Notice]]) -> dict[bytes, Rating | None]:
    """Return the ratings that the organiser has confirmed or set, the last one for each key."""
    return {key: one.rating for one in _about(Topic.RATING, notices) for key in one.keys}


def forbidden_by(notices: Iterable[Signed[Notice]]) -> frozenset[tuple[bytes, ...]]:
    """Return the keys of those who must not meet, two by two."""
    return frozenset(one.keys for one in _about(Topic.FORBIDDEN, notices))


def _about(topic: Topic, notices: Iterable[Signed[Notice]]) -> list[Notice]:
    return [one.content for one in notices if one.content.topic is topic]


def lot_of(key: bytes, coin: bytes) -> bytes:
    """Return what fixes a coin in an entry; the key in it makes a copy worthless."""
    return hash_parts("event-lot", key, coin)


def draw_of(event: bytes, coins: Mapping[bytes, bytes]) -> bytes:
    """Return the draw of an event from the coins by key."""
    return hash_parts("event-draw", event, *(coins[key] for key in sorted(coins)))


def check_close(close: Signed[Close], entries: Mapping[bytes, Signed[Entry]]) -> Finding | None:
    """Return what is wrong with a list of entries, or else what is missing of it; ``entries`` are those held, by id."""
    keys: set[bytes] = set()
    missing: Finding | None = None
    for one in close.content.entries:
        entry = entries.get(one)
        if entry is None:
            missing = missing or finding("entry_missing", close.id, entry=one)
        elif entry.author in keys:
            return finding("entered_twice", close.id, entry=one, key=entry.author)
        else:
            keys.add(entry.author)
    return missing


def opened(close: Signed[Close], coin: Signed[Coin], entries: Mapping[bytes, Signed[Entry]]) -> Finding | None:
    """Return why a coin does not open an entry of a list, or None if it does."""
    content = coin.content
    entry = entries.get(content.entry)
    if content.close != close.id:
        return finding("other_close", coin.id, close=content.close)
    if content.entry not in close.content.entries or entry is None or entry.author != coin.author:
        return finding("other_entry", coin.id, entry=content.entry)
    if lot_of(coin.author, content.coin) != entry.content.lot:
        return finding("wrong_coin", coin.id, entry=content.entry)
    return None


def check_start(
    start: Signed[Start],
    close: Signed[Close],
    entries: Mapping[bytes, Signed[Entry]],
    coins: Mapping[bytes, Signed[Coin]],
) -> Finding | None:
    """Return what is wrong with a list of coins, or else what is missing of it."""
    seen: set[bytes] = set()
    missing: Finding | None = None
    for one in start.content.coins:
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
    entries: Mapping[bytes, Signed[Entry]],
    coins: Mapping[bytes, Signed[Coin]],
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


def enter(number: int, entry: Signed[Entry], ratings: Mapping[bytes, Rating | None], since: int = 1) -> Player:
    """Return the player that an entry makes, with the rating that the organiser has confirmed, if there is one."""
    rating = ratings.get(entry.author, entry.content.rating)
    return Player(number, entry.author, entry.content.name, rating, entry.id, since)
