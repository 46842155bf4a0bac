"""Changed programs that deny, repeat or withhold what was said: order, copies, edited logs, and how a match ends.

What can be proved names the right seat; what cannot be laid at anybody's door is blamed on nobody.
"""

from __future__ import annotations

from pathlib import Path

from helpers_storm import STORM, StormPair, forged, judged, setup
from helpers_wire import Cheat, envelope_of, flipped, on_a_line

from protocol.core.events import Damaged, MatchOver, PeerMisbehaved, RecordsDiffer
from protocol.core.frames import FrameKind, Record
from protocol.core.messages import SideType, SignedOutcome
from protocol.core.session import Session
from protocol.core.stages import Stage
from protocol.core.steps import Choice
from storm.cheats import Court, finished, in_a_process_of_its_own, seated
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Liturgy as Pray
from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)


# --- order: replay, equivocation, logs that were changed --------------------------------------------------------


def test_frames_of_another_match_between_the_same_two_prove_nothing(court: Court) -> None:
    other = seated("the other match")
    pair = seated("this match")
    before = pair.guest.records
    for record in other.host.records:
        pair.guest.broken = False
        pair.guest.receive_data(record.frame)
    pair.collect()
    assert pair.saw(1, Damaged)
    assert pair.guest.stopped is None
    assert pair.guest.records == before
    pair.guest.broken = False
    pair.do(C, Pray())
    assert court.blames_nobody(pair.log(1))["ok"]


def test_an_old_envelope_under_a_new_number_is_named_at_once(court: Court) -> None:
    pair = seated("again")
    pair.do(C, Pray())
    pair.do(O, Pray())
    cheat = Cheat(pair, 0)
    old = envelope_of(pair.wire[0][1])
    cheat.send(cheat.envelope(*old.steps))
    # Two things are wrong with it.
    code = pair.last(1, PeerMisbehaved).code
    assert code in ("wrong_step", "commitment_repeated")
    court.named_at_once(pair, 0, code)


def test_two_different_moves_in_one_place_are_named_by_both_signatures(court: Court, tmp_path: Path) -> None:
    pair = seated("two")
    cheat = Cheat(pair, 0)
    other = cheat.envelope(Choice(codec.encode(Move((12, 7), (0,), 1))))
    pair.do(C, Pray())
    cheat.send(other)
    court.named_at_once(pair, 0, "two_messages")
    code, answer = in_a_process_of_its_own(pair.log(1), tmp_path)
    assert code == 1
    assert [(one["code"], one["seat"]) for one in answer["problems"]] == [("two_messages", "chthonians")]


def test_rolling_ones_own_program_back_to_choose_better_is_named_by_both_signatures(court: Court) -> None:
    pair = seated("rolled back")
    config = pair.configs[0]
    backup = pair.host.records
    pair.do(C, Pray())
    pair.do(O, Pray())
    older = Session(backup, STORM, config.identity, config.entropy).restore()
    pair.replace(0, older)
    # The old program is not given what it has forgotten: it plays again from where it thinks it is.
    on_a_line(older)
    older.act(codec.encode(Move((12, 7), (0,), 1)))
    (frame,) = older.data_to_send()
    pair.guest.receive_data(frame)
    pair.collect()
    event = pair.last(1, PeerMisbehaved)
    assert (event.code, event.seat) == ("two_messages", 0)
    answer = judged(pair.log(1), court.folder)
    assert [(one["code"], one["seat"]) for one in answer["problems"]] == [("two_messages", "chthonians")]


def test_a_program_that_has_lost_its_last_messages_stops_without_accusing_anybody(court: Court) -> None:
    pair = seated("lost")
    config = pair.configs[0]
    backup = pair.host.records
    pair.do(C, Pray())
    pair.replace(0, Session(backup, STORM, config.identity, config.entropy).restore())
    pair.reconnect()
    pair.settle()
    # Whoever says so may lie: both wait for records that fit.
    assert pair.saw(0, RecordsDiffer)
    assert (pair.sessions[0].stopped, pair.guest.stopped) == (None, None)
    assert court.blames_nobody(pair.log(1))["ok"]


def test_a_log_that_was_cut_by_its_exporter_proves_no_result_and_blames_nobody(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = pair.host.records
    ends = [number for number, record in enumerate(records) if record.kind == FrameKind.SIDE]
    for length in range(4, ends[-1]):
        answer = court.blames_nobody(forged(cheat, records[:length]))
        assert answer["ok"]
        assert answer["result"] == {"winner": None, "reason": "unfinished"}
        assert not answer["audited"]


def test_a_log_whose_moves_were_edited_is_not_believed_whoever_signs_it(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    for number, record in enumerate(records):
        # The last 32 bytes of a greeting prove the invite's secret, which no stranger has; nothing depends on them.
        size = 8 * (len(record.frame) - 32 * (record.kind == FrameKind.HELLO))
        for bit in (3, size // 2, size - 1):
            edited = [*records[:number], Record(record.kind, flipped(record.frame, bit)), *records[number + 1 :]]
            answer = court.blames_nobody(forged(cheat, edited))
            assert not answer["ok"], (number, bit)


# --- result, audit, draw, resignation ----------------------------------------------------------------------------


def test_refusing_the_audit_leaves_a_result_that_is_marked_and_blames_nobody(court: Court, tmp_path: Path) -> None:
    pair = seated("no audit")
    pair.guest.side_channel.resign()
    pair.transfer(1)
    # Only the signature under the result goes over; the seed does not.
    frames = pair.host.data_to_send()
    assert frames[0][1] == FrameKind.RESULT
    pair.guest.receive_data(frames[0])
    pair.collect()
    assert pair.saw(1, MatchOver)
    assert not pair.guest.audited
    code, answer = in_a_process_of_its_own(pair.log(1), tmp_path)
    assert code == 0
    assert (answer["ok"], answer["audited"], answer["problems"]) == (True, False, [])
    assert answer["result"] == {"winner": "chthonians", "reason": "forfeit"}


def test_refusing_to_sign_the_result_leaves_what_the_chain_says(court: Court) -> None:
    pair = StormPair(Terms(challenge=-15), tag="unsigned")
    pair.place(setup(C), setup(O))
    # With one point of Honor a liturgy is the end.
    pair.host.act(codec.encode(Pray()))
    pair.transfer(0, lambda frame: frame if frame[1] == FrameKind.ENVELOPE else None)
    assert pair.guest.over
    assert pair.guest.transcript.stages[0] is Stage.ENDED
    answer = court.blames_nobody(pair.log(1))
    assert answer["ok"]
    assert not answer["audited"]
    assert answer["result"] == {"winner": "olympians", "reason": "honor"}


def test_denying_ones_resignation_by_signing_another_result_is_named_at_once() -> None:
    pair = seated("denied")
    pair.host.side_channel.resign()
    cheat = Cheat(pair, 0)
    pair.transfer(0)
    result = (("reason", "forfeit"), ("winner", "chthonians"))
    cheat.send(cheat.sign(FrameKind.RESULT, SignedOutcome(*cheat.header().fields, result)))
    event = pair.last(1, PeerMisbehaved)
    assert (event.code, event.seat) == ("false_result", 0)
    assert pair.guest.result == {"winner": "olympians", "reason": "forfeit"}


def test_going_on_after_one_has_resigned_is_named_at_once(court: Court) -> None:
    pair = seated("goes on")
    cheat = Cheat(pair, 0)
    move = Choice(codec.encode(Pray()))
    cheat.transcript.accept(frame := cheat.side(SideType.RESIGN))
    cheat.send(frame)
    cheat.send(cheat.envelope(move, state=cheat.state_after(move)))
    court.named_at_once(pair, 0, "not_now")


def test_accepting_a_draw_that_the_match_has_left_behind_has_no_effect() -> None:
    pair = seated("stale")
    pair.host.side_channel.offer_draw()
    pair.settle()
    stale = Cheat(pair, 1).side(SideType.ACCEPT, 1)
    pair.do(C, Pray())
    pair.host.receive_data(stale)
    pair.collect()
    assert pair.host.result is None
    assert pair.host.stopped is None
    assert not pair.host.over


def test_accepting_what_was_never_offered_does_not_end_the_match() -> None:
    pair = seated("never offered")
    cheat = Cheat(pair, 1)
    cheat.send(cheat.side(SideType.ACCEPT, 1))
    assert (pair.host.result or {}).get("winner") in (None, "chthonians")
