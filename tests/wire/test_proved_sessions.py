"""Sessions with the scheme ``proved``: when proofs are made and when they are checked."""

from __future__ import annotations

from collections import Counter

import pytest
from helpers_wire import Pair, entropy, envelope_of, identity, only
from toys import Bluff

from protocol.core.audit import verify
from protocol.core.frames import FrameKind
from protocol.core.handshake import Handshake
from protocol.core.session import Session
from protocol.core.steps import Commit, Recommit
from protocol.crypto import proofs
from protocol.crypto.proofs import Statement
from protocol.errors import LocalProtocolError

CARDS = (3, 1, 0, 2)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the proofs that are made and checked."""
    found: Counter[str] = Counter()
    prove, check = proofs.prove, proofs.check

    def proving(statement: Statement, witnesses: list[tuple[int, int]], seed: bytes, aux_rand: bytes) -> bytes:
        found["made"] += 1
        return prove(statement, witnesses, seed, aux_rand)

    def checking(statement: Statement, proof: bytes) -> None:
        found["checked"] += 1
        check(statement, proof)

    monkeypatch.setattr(proofs, "prove", proving)
    monkeypatch.setattr("protocol.crypto.commitments.proved.check", checking)
    return found


def test_a_proof_is_made_once_and_checked_once_by_each(counted: Counter[str]) -> None:
    pair = Pair(Bluff(), (4, 0), scheme="proved")
    pair.act(0, None, CARDS)
    pair.act(1, None, CARDS)
    assert counted == {"made": 2, "checked": 4}
    turn = pair.host.state.turn
    hand = pair.host.state.hands[turn]
    pair.act(turn, (1, 1), ((hand[2],), (hand[0], hand[1], hand[3])))
    assert counted == {"made": 3, "checked": 6}


def test_a_stored_proof_is_sent_again_and_never_made_anew(counted: Counter[str]) -> None:
    pair = Pair(Bluff(), (4, 0), scheme="proved")
    pair.host.act(None, CARDS)
    sent = pair.host.data_to_send()
    assert counted["made"] == 1
    # The line breaks before it arrives, and the program is started anew with fresh randomness.
    config = pair.configs[0]
    records = pair.host.records
    pair.replace(0, Session(records, Bluff(), config.identity, config.entropy, aux_rand=entropy("fresh")).restore())
    pair.reconnect()
    pair.settle()
    assert counted["made"] == 1
    assert [frame for seat, frame in pair.wire if seat == 0 and frame[1] == FrameKind.ENVELOPE] == sent


def test_the_audit_checks_every_proof_once(counted: Counter[str]) -> None:
    pair = Pair(Bluff(), (4, 1), scheme="proved")
    pair.play_out(3)
    steps = [
        step
        for record in pair.host.records
        if record.kind == FrameKind.ENVELOPE
        for step in envelope_of(record.frame).steps
    ]
    proved = [step for step in steps if isinstance(step, Commit | Recommit)]
    assert counted["made"] == len(proved) > 2
    counted.clear()
    assert verify(pair.host.records, only(pair.game)).ok
    assert counted == {"checked": len(proved)}


def test_fresh_randomness_of_the_run_goes_into_commitments_and_proofs_and_changes_no_length() -> None:
    frames = []
    for aux_rand in (b"", entropy("one"), entropy("two")):
        pair = Pair(Bluff(), (4, 0), scheme="proved")
        config = pair.configs[0]
        session = Session(pair.host.records, Bluff(), identity("host"), config.entropy, aux_rand=aux_rand)
        session.act(None, CARDS)
        (frame,) = session.data_to_send()
        (cover,) = envelope_of(frame).steps
        assert isinstance(cover, Commit)
        frames.append(cover)
    assert len({cover.commitments for cover in frames}) == 3
    assert len({cover.nonce for cover in frames}) == 3
    assert len({cover.proof for cover in frames}) == 3
    assert len({len(cover.proof) for cover in frames}) == 1


def test_what_is_not_true_is_not_even_tried_to_be_proved() -> None:
    pair = Pair(Bluff(), (4, 0), scheme="proved")
    with pytest.raises(LocalProtocolError) as caught:
        pair.host.act(None, (0, 0, 1, 2))
    assert caught.value.code == "bad_secret"
    assert not pair.host.data_to_send()


def test_the_scheme_of_the_terms_is_in_the_agreement_and_both_programs_speak_both() -> None:
    for scheme in ("proved", "hash"):
        pair = Pair(Bluff(), (2, 0), scheme=scheme)
        assert pair.host.agreement.scheme == pair.guest.agreement.scheme == scheme
    hello = Handshake(pair.configs[1])._own_hello()
    assert hello.schemes == ("proved", "hash")
