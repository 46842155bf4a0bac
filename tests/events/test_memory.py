"""What was seen or signed in a tournament stays: two documents of each number, and one that is about to be signed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from helpers_tournament import ARBITER, ORGANISER, event_of, secret

from cli.events.folder import keep, recall
from cli.storage.home import Home
from protocol.crypto.keys import PrivateKey
from protocol.tournament.contents import Close, Coin, System
from protocol.tournament.documents import Document, read, sign

EVENT = read(sign(ORGANISER, event_of(System.KNOCK_OUT)))


def close(number: int, tag: str = "", key: PrivateKey = ORGANISER) -> Document:
    """Return a list of entries."""
    return read(sign(key, Close(EVENT.id, number, secret(tag), ())))


def test_two_documents_of_a_number_are_kept_and_no_third(tmp_path: Path) -> None:
    home = Home(tmp_path)
    one, two, three = (close(1, tag) for tag in "abc")
    assert [keep(home, EVENT.id, each) for each in (one, two, three, one, two)] == [True, False, False, True, False]
    assert {each.id for each in recall(home, EVENT.id)} == {one.id, two.id}


def test_what_somebody_is_about_to_sign_is_never_kept_as_the_second(tmp_path: Path) -> None:
    home = Home(tmp_path)
    first, again = close(1, "a"), close(1, "b")
    assert keep(home, EVENT.id, first, own=True)
    assert keep(home, EVENT.id, first, own=True)
    assert not keep(home, EVENT.id, again, own=True)
    assert [each.id for each in recall(home, EVENT.id)] == [first.id]
    # Other numbers, authors and tournaments have places of their own, and so has each player's coin.
    others = [close(2), close(1, key=ARBITER), read(sign(ARBITER, Coin(EVENT.id, first.id, first.id, bytes(32))))]
    assert all(keep(home, EVENT.id, each, own=True) for each in others)
    assert keep(home, secret("other"), again, own=True)


def test_of_programs_that_sign_a_number_together_one_may(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(1, 6):
            lists = [close(number, str(tag)) for tag in range(8)]
            assert sum(pool.map(lambda one: keep(Home(tmp_path), EVENT.id, one, own=True), lists)) == 1


def test_announcements_of_all_tournaments_are_recalled_with_each(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert recall(home, EVENT.id) == ()
    other = read(sign(ORGANISER, event_of(System.ROUND_ROBIN)))
    for each in (EVENT, other):
        assert keep(home, each.id, each)
    assert {each.id for each in recall(home, EVENT.id)} == {EVENT.id, other.id}


def test_what_cannot_be_read_counts_as_none_and_its_number_is_not_signed_again(tmp_path: Path) -> None:
    home = Home(tmp_path)
    assert keep(home, EVENT.id, close(1))
    (path,) = tmp_path.rglob("*.event")
    path.write_bytes(path.read_bytes()[:-1])
    assert recall(home, EVENT.id) == ()
    assert not keep(home, EVENT.id, close(1), own=True)
