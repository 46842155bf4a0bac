"""What a witness signs and remembers, whoever tries to cheat it."""

from __future__ import annotations

import pytest
from helpers_wire import Cheat, identity

from protocol.core import witness as witness_module
from protocol.core.frames import FrameKind, pack_frame, unpack_frame
from protocol.core.messages import SideType
from protocol.core.witness import Witness, count_contradictions, message_to_show, request_statement
from protocol.crypto import hashing
from wire.witness import KEY, judged, show, watched


def test_a_witness_signs_nothing_that_no_key_has_signed() -> None:
    pair, witness = watched(), Witness(KEY)
    pair.act(0, 1)
    question = pair.host.side_channel.next_for_witness()
    assert question is not None
    _, (match_id, key, other, digest, signature) = unpack_frame(question)
    weak = bytes([1, *bytes(31)])
    for frame in (
        b"",
        b"x" * 5000,
        pair.wire[0][1],
        pack_frame(FrameKind.DONE),
        pack_frame(FrameKind.WATCH, match_id, other, key, digest, signature),
        pack_frame(FrameKind.WATCH, match_id, key, other, bytes(32), signature),
        pack_frame(FrameKind.WATCH, match_id, weak, other, digest, bytes([1, *bytes(63)])),
    ):
        assert witness.answer(frame, 1) is None
    assert witness.answer(question, 1) is not None


def test_a_stranger_cannot_put_anything_between_the_messages_of_two_players() -> None:
    pair, witness = watched(), Witness(KEY)
    pair.act(0, 1)
    show(pair, witness, 5000, (0,))
    stranger = identity("stranger")
    digest = hashing.hash_parts("env", b"anything")
    match_id, mine = pair.host.agreement.match_id, pair.host.agreement.players[0].match_key
    assert witness.answer(
        pack_frame(FrameKind.WATCH, match_id, stranger.public, mine, digest, stranger.sign_digest(digest)), 5001
    )
    pair.act(1, 2)
    show(pair, witness, 5002)
    statements = pair.host.transcript.statements
    assert [one.number for one in statements] == [1, 2, 3]
    assert count_contradictions(statements) == 0


def test_a_player_who_shows_the_witness_two_versions_has_signed_both() -> None:
    pair, witness = watched(), Witness(KEY)
    cheat = Cheat(pair, 0)
    one, two = cheat.side(SideType.OFFER), cheat.side(SideType.RESIGN)
    for frame in (one, two):
        message = message_to_show(frame)
        assert message is not None
        assert witness.answer(request_statement(pair.host.agreement, message), 1) is not None
    # The witness cannot know; the two signatures convict whoever shows them to somebody.
    cheat.send(one)
    cheat.send(two)
    assert pair.guest.stopped is not None


def test_what_a_witness_remembers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witness_module, "ROOMS", 2)
    monkeypatch.setattr(witness_module, "ROOM_LIMIT", 3)
    witness, key = Witness(KEY), identity("player")

    def ask(match: int, number: int) -> bytes | None:
        digest = hashing.hash_parts("env", bytes([number]))
        frame = pack_frame(FrameKind.WATCH, bytes([match]) * 32, key.public, bytes(32), digest, key.sign_digest(digest))
        return witness.answer(frame, number)

    first = [ask(1, number) for number in range(3)]
    assert None not in first
    assert ask(1, 4) is None
    assert ask(1, 0) == first[0]
    ask(2, 0)
    ask(3, 0)
    assert len(witness._rooms) == 2
    # Whoever was forgotten begins anew, later: a time never gets earlier by it.
    assert ask(1, 4) is not None


def test_what_a_witness_remembers_of_all_matches_together_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witness_module, "KEPT", 5)
    witness, key = Witness(KEY), identity("player")
    for number in range(12):
        digest = hashing.hash_parts("env", bytes([number]))
        match = bytes([number // 2]) * 32
        frame = pack_frame(FrameKind.WATCH, match, key.public, bytes(32), digest, key.sign_digest(digest))
        assert witness.answer(frame, number) is not None
        assert sum(len(room.answers) for room in witness._rooms.values()) <= 5
    # The match that was longest silent is forgotten first.
    assert [match[0] for match, *_ in witness._rooms] == [4, 5]


def test_a_match_holds_no_more_statements_than_fit_into_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("side_channel", "transcript"):
        monkeypatch.setattr(f"protocol.core.{module}.STATEMENT_LIMIT", 2)
    pair, witness = watched(), Witness(KEY)
    for decision in (1, 2):
        pair.act(0, decision)
        pair.act(1, 2)
    assert len(show(pair, witness, seats=(0,))) == 2
    assert judged(pair).ok
