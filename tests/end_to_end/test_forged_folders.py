"""Nobody changes a standing by writing to the folder: a stranger who holds it alone refuses it, and says why."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers_events import Club, log_of

from cli.text import carrying
from cli.text.wording import fingerprint
from protocol.core.frames import FrameKind
from protocol.core.game_data import EventTerms
from protocol.tournament import drafts
from protocol.tournament.contents import Entry, Matter
from protocol.tournament.drafts import Assignment
from storm_p2p.storm.state import Terms

CODE = re.compile(r"\b[a-z]+_[a-z_]+\b")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """Return a tournament of four after its first round, of which the last game has not been played."""
    club = Club(tmp_path_factory.mktemp("held") / "club")
    club.root.mkdir()
    players = ("ann", "bob", "cid", "dot")
    club.start("--games", "1", players=players)
    one = club.games()[0]
    # Of two matches with one result the lower number counts: a low one leaves room for `second_match`.
    pairs = [club.begin(one, tag=f"held {tag}") for tag in range(10)]
    pair = min(pairs, key=lambda pair: pair.host.agreement.match_id)
    pair.guest.side_channel.resign()
    pair.settle()
    for side in (0, 1):
        club.add(pair, side, f"game-{side}")
    return club


def forged(one: Assignment, **changes: Any) -> Any:
    """Return the conditions of a game with another place."""
    assert one.conditions.event is not None
    return replace(one.conditions, event=replace(one.conditions.event, **changes))


def add(club: Club, **changes: Any) -> None:
    """Put a whole, finished log of the open game into the folder, of which something is otherwise."""
    (one,) = club.games()
    pair = club.begin(one, **changes)
    pair.guest.side_channel.resign()
    pair.settle()
    club.add(pair, 0, "forged")


def altered(club: Club) -> None:
    path = next(club.folder.glob("game-*.storm"))
    data = path.read_bytes()
    (club.folder / "forged.storm").write_bytes(data[:200] + bytes((data[200] ^ 1,)) + data[201:])


def cut(club: Club) -> None:
    data = next(club.folder.glob("game-*.storm")).read_bytes()
    (club.folder / "forged.storm").write_bytes(data[:-100])


def other_event(club: Club) -> None:
    add(club, conditions=forged(club.games()[0], event=bytes(32)))


def no_event(club: Club) -> None:
    add(club, conditions=replace(club.games()[0].conditions, event=None))


def other_round(club: Club) -> None:
    add(club, conditions=forged(club.games()[0], round=2))


def other_document(club: Club) -> None:
    add(club, conditions=forged(club.games()[0], document=bytes(32)))


def other_table(club: Club) -> None:
    add(club, conditions=forged(club.games()[0], table=9))


def other_game(club: Club) -> None:
    add(club, conditions=forged(club.games()[0], game=2))


def other_terms(club: Club) -> None:
    add(club, terms=Terms(open_combat=True))


def other_players(club: Club) -> None:
    add(club, people=(club.key("eve"), club.key("mallory")))


def one_identity(club: Club) -> None:
    add(club, people=(club.key("ann"), club.key("ann")))


def other_sides(club: Club) -> None:
    (one,) = club.games()
    found = club.look()
    keys = [club.key(found.players[number - 1].name) for number in found.rounds[0].pairings[one.place.table - 1]]
    add(club, people=tuple(reversed(keys)))


def second_match(club: Club) -> None:
    found = club.look()
    place = next(place for place, result in found.results.items() if result.state == "result")
    seated = [found.players[number - 1] for number in found.rounds[0].pairings[place.table - 1]]
    conditions = replace(found.event.conditions, event=EventTerms(found.id, *place, found.published[place.round - 1]))
    people = tuple(club.key(one.name) for one in seated)
    tries = (club.begin(club.games()[0], conditions=conditions, people=people, tag=str(tag)) for tag in range(100))
    pair = next(one for one in tries if one.host.agreement.match_id > found.results[place].evidence[0])
    pair.guest.side_channel.resign()
    pair.settle()
    club.add(pair, 0, "forged")


def unconfirmed(club: Club) -> None:
    """A draw that one side accepted, and that the other has not signed: their own move may have crossed it."""
    pair = club.begin(club.games()[0])
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.accept_draw()
    club.add(pair, 1, "forged")


def unaudited(club: Club) -> None:
    pair = club.begin(club.games()[0])
    pair.guest.side_channel.resign()
    pair.settle()
    records = pair.host.records
    end = next(at for at, one in enumerate(records) if one.kind is FrameKind.SEED)
    club.add(pair, 0, "forged", records[:end])


def foreign_ruling(club: Club) -> None:
    found, place = club.look(), club.games()[0].place
    ruling = drafts.draft_ruling(found, club.key("olga").public, Matter.AWARD, place.round, table=place.table)
    club.publish(club.key("eve"), replace(ruling, player=found.rounds[0].pairings[place.table - 1].first))


def foreign_round(club: Club) -> None:
    found = club.look()
    club.publish(club.key("eve"), replace(drafts.draft_round(found, 2**40), round=2))


def wrong_signature(club: Club) -> None:
    path = next(club.folder.glob("round-*.event"))
    data = path.read_bytes()
    (club.folder / "forged.event").write_bytes(data[:-1] + bytes((data[-1] ^ 1,)))


def false_pairings(club: Club) -> None:
    content = drafts.draft_round(club.look(), 2**40)
    club.publish(
        club.key("olga"),
        replace(content, pairings=tuple(one._replace(first=one.second, second=one.first) for one in content.pairings)),
    )


def second_entry(club: Club) -> None:
    club.publish(club.key("ann"), Entry(club.look().id, "Ann again", bytes(32)))


def same_name(club: Club) -> None:
    club.publish(club.key("eve"), Entry(club.look().id, "ANN", bytes(32)))


def alike(club: Club) -> None:
    # The first letter is Cyrillic.
    club.publish(club.key("eve"), Entry(club.look().id, "\u0430nn", bytes(32)))


def twice(club: Club) -> None:
    path = next(club.folder.glob("game-*.storm"))
    (club.folder / "forged.storm").write_bytes(path.read_bytes())


FORGERIES: dict[Callable[[Club], None], tuple[str, str]] = {
    altered: ("refused", "altered"),
    cut: ("refused", "altered"),
    other_event: ("refused", "other_event"),
    no_event: ("refused", "other_event"),
    other_round: ("refused", "other_round"),
    other_document: ("refused", "other_document"),
    other_table: ("refused", "other_table"),
    other_game: ("refused", "other_game"),
    other_terms: ("refused", "other_terms"),
    other_players: ("refused", "other_players"),
    one_identity: ("refused", "one_identity"),
    other_sides: ("refused", "other_sides"),
    second_match: ("refused", "second_match"),
    unconfirmed: ("refused", "unconfirmed"),
    unaudited: ("refused", "unaudited"),
    foreign_ruling: ("refused", "other_author"),
    foreign_round: ("refused", "other_author"),
    wrong_signature: ("refused", "bad_signature"),
    false_pairings: ("refused", "pairings"),
    second_entry: ("remarks", "entered_twice"),
    same_name: ("remarks", "name_twice"),
    alike: ("remarks", "name_alike"),
    twice: ("refused", "log_twice"),
}


def check(club: Club, before: dict[str, Any], *forgeries: Callable[[Club], None]) -> None:
    """Let somebody forge, and check that a stranger refuses it with its reason and counts the rest."""
    for forge in forgeries:
        forge(club)
        for path in [*club.folder.glob("forged.*"), *club.folder.glob("extra.*")]:
            path.rename(path.with_stem(forge.__name__))
    after, told = club.table(), club.standings()
    assert after["standings"] == before["standings"]
    settled = [one for one in before["games"] if one["state"] == "result"]
    assert [one for one in after["games"] if one["state"] == "result"] == settled
    assert CODE.search(re.sub(r"\S+\.(storm|event)", "", told)) is None
    for forge in forgeries:
        kind, code = FORGERIES[forge]
        found = [one for one in after[kind] if one["code"] == code and one not in before[kind]]
        if kind == "refused":
            assert any(f"{forge.__name__}." in file for one in found for file in one["files"]), (forge, after[kind])
        assert found
        # Files that do not count for one reason share a sentence.
        assert found[0]["text"].rpartition(" not counted: ")[2] in told


ALONE = (unconfirmed, unaudited)
"""Both are logs of the same game, and only one match is looked at for each."""


def test_all_forgeries_at_once_are_named_and_change_no_standing(held: Club, tmp_path: Path) -> None:
    before = held.table()
    check(held.copy(tmp_path / "copy"), before, *(forge for forge in FORGERIES if forge not in ALONE))


@pytest.mark.parametrize(
    "forge",
    [pytest.param(one, marks=() if one in ALONE else pytest.mark.long) for one in FORGERIES],
    ids=lambda one: one.__name__,
)
def test_a_forgery_is_named_and_changes_no_standing(forge: Callable[[Club], None], held: Club, tmp_path: Path) -> None:
    check(held.copy(tmp_path / "copy"), held.table(), forge)


@pytest.mark.parametrize("name", ["ann", "ANN", "\u0430nn"])
def test_nobody_is_blamed_for_who_enters_under_their_name(held: Club, tmp_path: Path, name: str) -> None:
    club = held.copy(tmp_path / "copy")
    for number in range(2):
        club.publish(club.key("eve"), Entry(club.look().id, name, bytes((number,)) * 32), f"extra{number}")
    # What players enter as later does not change what they are called.
    club.publish(club.key("bob"), Entry(club.look().id, "zoe", bytes(32)))
    told = {(one["code"], one["facts"].get("key")): one["text"] for one in club.table()["remarks"]}
    eve, bob = (club.key(who).public.hex() for who in ("eve", "bob"))
    key = f"the key {fingerprint(bytes.fromhex(eve))}"
    assert told["entered_twice", eve].casefold() == f"{key} has entered more than once; one entry counts.".casefold()
    assert told["entered_twice", bob] == "bob has entered more than once; one entry counts."
    assert told["entry_left_out", eve] == f"The organiser left out an entry by {key}."


def test_two_documents_with_one_number_convict_the_organiser(held: Club, tmp_path: Path) -> None:
    club = held.copy(tmp_path / "copy")
    content = drafts.draft_round(club.look(), 2**40)
    for number in range(2):
        club.publish(club.key("olga"), replace(content, until=2**40 + number), f"extra{number}")
    found = club.table(code=1)
    assert found["convicted"] == [{"key": club.key("olga").public.hex(), "number": 4}]
    assert [one["code"] for one in found["holes"]] == ["equivocation", "game_missing"]
    assert "proves cheating" in club.standings(code=1)
    # What came before still counts.
    assert len(found["games"]) == 2


def test_a_log_that_is_deleted_names_its_hole_and_the_opponents_export_fills_it(held: Club, tmp_path: Path) -> None:
    club = held.copy(tmp_path / "copy")
    (one,) = club.games()
    pair = club.begin(one)
    pair.guest.side_channel.resign()
    pair.settle()
    for path in club.folder.glob("*.storm"):
        path.rename(path.with_name("kept.storm"))
    first = club.add(pair, 0, "mine")
    whole = club.table()
    assert whole["holes"] == []
    first.unlink()
    holed = club.table()
    assert [(one["code"], one["facts"]["table"]) for one in holed["holes"]] == [("game_missing", one.place.table)]
    assert holed["standings"] != whole["standings"]
    (club.folder / "theirs.storm").write_bytes(log_of(pair, 1))
    assert club.table() == whole


def test_every_code_that_the_specification_lists_has_its_sentence() -> None:
    from helpers_docs import PAGES, section

    text = "".join(section(PAGES["SPEC.md"], one) for one in ("Logs and places", "What is noticed"))
    listed = {code for line in text.splitlines() if line.startswith("| ") for code in re.findall(r"`([a-z_]+)`", line)}
    made = {"no_event", "several_events"}
    assert len(listed) > 30
    assert listed - made - {"draw"} - {*carrying._SAID, *carrying._REASONS} == set()
