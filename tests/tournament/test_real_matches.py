"""Real matches between two sessions, bound to their places, from the handshake to the standings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from helpers_tournament import Contest, codes, secret
from helpers_wire import Cheat, Pair, configs, identity, only, shake
from toys import RockPaperScissors

from protocol.core.agreement import host_takes
from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.game_data import Conditions, EventTerms
from protocol.core.handshake import HandshakeFailed
from protocol.core.merging import verify_together
from protocol.core.steps import Choice
from protocol.record import logfile
from protocol.tournament.contents import System
from protocol.tournament.drafts import Assignment, assignments
from protocol.tournament.export import game_rows
from protocol.tournament.findings import Place
from protocol.tournament.outcomes import Outcome
from protocol.tournament.reports import Report, report_of
from protocol.tournament.results import State
from protocol.tournament.standings import standings

GAME = RockPaperScissors()
HOST = identity("host")


def contest(scheme: str = "hash") -> Contest:
    """Return a pairing of two whose games are real."""
    found = Contest(
        2,
        System.ROUND_ROBIN,
        people=(HOST, identity("guest")),
        game=GAME.name,
        rules=GAME.version,
        terms=2,
        scheme=scheme,
        sides=GAME.sides,
    )
    found.start()
    found.round()
    return found


def connect(one: Assignment, tag: str = "", **changes: Any) -> Pair:
    """Let the two play the host's assignment."""
    both = {"conditions": one.conditions, "capabilities": ("event",), "seating": host_takes(one.seat), **changes}
    return Pair(GAME, 2, tag=f"{one.place}{tag}", **both)


def file_of(pair: Pair, number: int, records: Sequence[Record] | None = None) -> bytes:
    """Return the log file of the host, 0, or of the guest, 1."""
    session = pair.sessions[number]
    return logfile.dump(session.records if records is None else records, session.seat, session.sign_log)


def reports(*files: bytes) -> list[Report]:
    """Judge files as one match, as a stranger does who has nothing else."""
    verdicts = verify_together([logfile.load(data) for data in files], only(GAME))
    return [report_of(hashlib.sha256(data).digest(), one) for data, one in zip(files, verdicts, strict=True)]


def digests(found: Contest) -> list[tuple[str, bytes]]:
    """Return which files are refused, and why."""
    return [(one.code, one.subject) for one in found.look().refused]


def test_two_matches_over_the_wire_make_a_standing_that_a_stranger_computes() -> None:
    found = contest()
    for one in assignments(found.look(), HOST.public):
        pair = connect(one)
        pair.play_out(seed=one.place.game)
        found.reports += reports(file_of(pair, 0), file_of(pair, 1))
    here = found.look()
    assert here.refused == here.holes == ()
    assert {result.state for result in here.results.values()} == {State.RESULT}
    assert sum(one.points for one in standings(here)) == 4
    for place, result in here.results.items():
        terms = EventTerms(found.id, *place, here.published[place.round - 1])
        report = next(each for each in found.reports if each.place == terms)
        first = here.players[here.rounds[0].pairings[0].first - 1]
        assert report.winner is not None
        won = report.keys[GAME.sides.index(report.winner)] == first.key
        assert result.outcome is (Outcome.FIRST if won else Outcome.SECOND)
    assert assignments(here, HOST.public) == ()


@pytest.mark.parametrize("changes", [{"round": 2}, {"table": 2}, {"game": 2}, {"event": secret("other")}], ids=str)
def test_a_match_for_one_place_counts_for_no_other(changes: dict[str, Any]) -> None:
    found = contest()
    one = assignments(found.look(), HOST.public)[0]
    assert one.conditions.event is not None
    pair = connect(replace(one, conditions=Conditions(event=replace(one.conditions.event, **changes))))
    pair.play_out()
    found.reports = reports(file_of(pair, 0))
    ((code, _),) = digests(found)
    # Game 2 is a place of this event, where the sides are swapped.
    assert code == ("other_sides" if "game" in changes else f"other_{next(iter(changes))}")
    assert set(found.look().results.values()) == {found.look().results[Place(1, 1, 1)]}


def test_a_match_without_a_place_counts_for_none() -> None:
    found = contest()
    pair = connect(assignments(found.look(), HOST.public)[0], conditions=Conditions())
    pair.play_out()
    found.reports = reports(file_of(pair, 0))
    assert [code for code, _ in digests(found)] == ["other_event"]


def test_no_changed_file_counts_and_the_others_export_still_does() -> None:
    found = contest()
    pair = connect(assignments(found.look(), HOST.public)[0])
    pair.play_out()
    good, whole = file_of(pair, 0), file_of(pair, 1)
    records = pair.host.records
    agreed = next(number for number, one in enumerate(records) if one.kind is FrameKind.RESULT)
    forged = [
        good[:-1] + bytes((good[-1] ^ 1,)),
        file_of(pair, 0, [*records[:6], *records[7:]]),
        file_of(pair, 0, [*records, records[-1]]),
    ]
    for data in forged:
        found.reports = reports(data)
        assert digests(found) == [("altered", hashlib.sha256(data).digest())]
        found.reports = reports(data, whole)
        assert [code for code, _ in digests(found)] == ["altered"]
        assert found.look().results[Place(1, 1, 1)].state is State.RESULT
    # Of a file without a handshake nothing is known.
    found.reports = reports(file_of(pair, 0, records[4:]))
    assert [code for code, _ in digests(found)] == ["altered"]
    # A log that ends before the results is whole, and proves nothing.
    cut = file_of(pair, 0, records[: agreed - 1])
    found.reports = reports(cut)
    assert found.look().results[Place(1, 1, 1)].state in (State.OPEN, State.UNCONFIRMED)


def test_an_acceptance_that_the_other_has_not_signed_makes_no_draw() -> None:
    found = contest()
    pair = connect(assignments(found.look(), HOST.public)[0])
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.accept_draw()
    found.reports = reports(file_of(pair, 1))
    result = found.look().results[Place(1, 1, 1)]
    assert (result.state, result.reason, found.reports[0].winner) == (State.UNCONFIRMED, "unconfirmed", "draw")
    assert result.owes == found.look().player(HOST.public).number  # type: ignore[union-attr]
    pair.settle()
    found.reports += reports(file_of(pair, 0))
    assert found.look().results[Place(1, 1, 1)].outcome is Outcome.DRAW


@pytest.mark.parametrize("scheme", ["hash", "proved"])
def test_a_log_without_seeds_proves_nothing(scheme: str) -> None:
    found = contest(scheme)
    pair = connect(assignments(found.look(), HOST.public)[0], scheme=scheme)
    pair.play_out()
    records = pair.host.records
    end = next(at for at, one in enumerate(records) if one.kind is FrameKind.SEED)
    found.reports = reports(file_of(pair, 0, list(records[:end])))
    assert found.reports[0].confirmed
    result = found.look().results[Place(1, 1, 1)]
    assert (result.state, result.reason) == (State.UNCONFIRMED, "unaudited")
    assert codes(found.look().refused) == ["unaudited"]


def test_a_cheat_who_is_convicted_loses_his_place() -> None:
    found = contest()
    one = assignments(found.look(), HOST.public)[0]
    pair = connect(one)
    cheat = Cheat(pair, 0)
    records = [*pair.guest.records, Record(FrameKind.ENVELOPE, cheat.envelope(Choice(1)))]
    found.reports = reports(file_of(pair, 1, records))
    here = found.look()
    result = here.results[Place(1, 1, 1)]
    cheated_first = here.players[here.rounds[0].pairings[0].first - 1].key == HOST.public
    assert (result.state, here.refused) == (State.RESULT, ())
    assert result.outcome is (Outcome.SECOND if cheated_first else Outcome.FIRST)


@pytest.mark.parametrize("scheme", ["hash", "proved"])
@pytest.mark.parametrize("won", [True, False], ids=["won", "lost"])
def test_a_cheat_under_a_foreign_seed_loses_the_game_and_is_named(won: bool, scheme: str) -> None:
    found = contest(scheme)
    one = next(one for one in assignments(found.look(), HOST.public) if one.seat == 0)
    for number in range(99):
        pair = connect(one, tag=str(number), scheme=scheme)
        Cheat(pair, 0).hide_under(secret("foreign"))
        pair.play_out(number)
        if (dict(pair.host.transcript.outcome() or ())["winner"] == "0") is won:
            break
    found.reports = reports(file_of(pair, 0), file_of(pair, 1))
    here = found.look()
    result = here.results[one.place]
    first = here.players[here.rounds[0].pairings[0].first - 1]
    honest_is_first = first.key != HOST.public
    assert (result.state, result.outcome) == (State.RESULT, Outcome.FIRST if honest_is_first else Outcome.SECOND)
    assert result.reason == ("forfeit" if won else "rounds")
    assert here.refused == ()
    cheat = here.player(HOST.public)
    assert cheat is not None
    assert [(one.code, one.fact("player")) for one in here.remarks] == [("cheated", cheat.number)]
    assert [row["convicted"] for row in game_rows(here) if row["state"] == "result"] == [str(cheat.number)]


def is_result(frame: bytes) -> bool:
    return unpack_frame(frame)[0] is FrameKind.RESULT


@pytest.mark.parametrize("scheme", ["hash", "proved"])
def test_a_loser_who_hangs_up_without_signing_does_not_spoil_the_result(scheme: str) -> None:
    found = contest(scheme)
    one = next(one for one in assignments(found.look(), HOST.public) if one.seat == 1)
    pair = connect(one, scheme=scheme)
    # Seat 0, the guest, opens its throw last: 0 loses to 1.
    for throw in (0, 1) * 2:
        next(each for each in pair.sessions if each.asks_us is not None).act(throw)
        while pair.transfer(0) + pair.transfer(1, lambda frame: None if is_result(frame) else frame):
            pass
    assert (pair.host.result or {})["winner"] == "1"
    found.reports = reports(file_of(pair, 0))
    (report,) = found.reports
    assert (report.confirmed, report.owes, report.seeds) == (True, 0, ())
    assert found.look().results[one.place].state is State.RESULT


def test_a_program_that_knows_no_event_refuses_one() -> None:
    terms = Conditions(event=EventTerms(secret("event"), 1, 1, 1, bytes(32)))
    host, guest = configs(GAME, 2, conditions=terms)
    for capabilities in ((("event",), ()), ((), ("event",)), ((), ())):
        ours, theirs = (replace(one, capabilities=can) for one, can in zip((host, guest), capabilities, strict=True))
        _, _, events = shake(ours, theirs)
        assert any(isinstance(event, HandshakeFailed) for event in events)
