"""What both implementations say to logs with one of each kind of wrong."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from helpers_judging import OPEN, WINS_1, agreed, codes, judged, log_of, stand
from helpers_toy_cheats import bluff, rps
from helpers_wire import Cheat, Pair, configs, flipped, only, records_with
from toys import Bluff, RockPaperScissors

from independent.mutants import INNER
from protocol.core.frames import FrameKind, Record, pack_frame
from protocol.core.messages import AuditVerdict, OpenedSeed, SideType, SignedOutcome
from protocol.core.steps import Choice
from protocol.crypto import keys
from protocol.independent.hashes import hash_parts
from protocol.independent.packing import pack


def test_a_cheat_is_named_and_has_lost() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    frame = cheat.envelope(Choice(1))
    facts = judged(pair, 1, records_with(pair.guest.records, frame))
    assert facts["problems"] == [{"code": "wrong_step", "seq": 1, "seat": "0"}]
    assert stand(facts) == (WINS_1, True, None)
    assert facts["ok"]


def test_signed_bytes_that_are_no_message_convict() -> None:
    pair = rps()
    cheat = Cheat(pair, 1)
    facts = judged(pair, records=records_with(pair.host.records, cheat.sign_envelope(b"\x00")))
    assert facts["problems"] == [{"code": "malformed", "seq": None, "seat": "1"}]


@pytest.mark.parametrize("kind", INNER)
def test_a_message_in_the_others_name_convicts_whoever_has_signed_it(kind: FrameKind) -> None:
    pair = rps()
    cheat = Cheat(pair, 1)
    fields = replace(cheat.header(), seat=0).fields
    if kind is FrameKind.ENVELOPE:
        frame = cheat.envelope(Choice(1), seat=0)
    elif kind is FrameKind.SIDE:
        frame = cheat.side(SideType.RESIGN, seat=0)
    elif kind is FrameKind.RESULT:
        frame = cheat.sign(kind, SignedOutcome(*fields, (("winner", "1"),), ()))
    else:
        made = OpenedSeed(*fields, bytes(32)) if kind is FrameKind.SEED else AuditVerdict(*fields, ())
        frame = cheat.sign(kind, made)
    facts = judged(pair, records=records_with(pair.host.records, frame))
    assert [(one["code"], one["seat"]) for one in facts["problems"]] == [("wrong_seat", "1")]


def test_a_state_that_the_rules_do_not_give_deviates_and_what_rests_on_nothing_must_be_shown() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    seal = cheat.builder()
    seal.force(seal.decide(1, None), None)
    facts = judged(pair, 1, records_with(pair.guest.records, cheat.envelope(*seal.steps, state=bytes(32))))
    assert (codes(facts), facts["deviates"], facts["must_show"]) == (["states_differ"], "0", None)
    assert stand(facts) == (OPEN, False, "0")
    facts = judged(pair, 1, records_with(pair.guest.records, cheat.envelope(*seal.steps, prev=bytes(32))))
    assert (codes(facts), facts["deviates"]) == (["forked"], None)
    assert facts["must_show"] == {"seat": "0", "hash": bytes(32).hex()}
    frame = Cheat(pair, 1).side(SideType.RESIGN, prev=bytes(32))
    facts = judged(pair, records=records_with(pair.host.records, frame))
    assert (codes(facts), stand(facts)) == (["forked"], (OPEN, False, "1"))
    assert facts["must_show"] == {"seat": "1", "hash": bytes(32).hex()}


def test_unknown_side_messages_stop_the_match_if_they_are_even_and_do_nothing_if_they_are_odd() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    for kind, found in ((101, []), (102, ["unknown_message"])):
        match_id = pair.host.agreement.match_id
        data = pack([match_id, 0, 0, [0, 0], hash_parts("link", match_id, match_id, match_id), kind, b"x"])
        frame = pack_frame(FrameKind.SIDE, data, keys.sign(cheat.secrets.match_key, "side", data))
        facts = judged(pair, 1, records_with(pair.guest.records, frame))
        assert (codes(facts), facts["owes"]) == (found, "0")


def test_false_seeds_and_batches_are_found() -> None:
    pair = bluff()
    pair.play_out()
    records = [record for record in pair.host.records if record.kind < FrameKind.SEED]
    cheat = Cheat(pair, 0)
    frame = cheat.sign(FrameKind.SEED, OpenedSeed(*cheat.header().fields, bytes(32)))
    assert judged(pair, records=records_with(records, frame))["problems"] == [
        {"code": "wrong_seed", "seq": None, "seat": "0"}
    ]


def test_what_is_wrong_with_the_file_alone_is_told() -> None:
    pair = rps(1)
    pair.play_out()
    records = list(pair.host.records)
    data = log_of(pair)
    assert codes(judged(pair, records=[*records, records[5]])) == ["repeated"]
    renamed = Record(FrameKind.SIDE, records[6].frame)
    assert codes(judged(pair, records=[*records[:6], renamed, *records[7:]])) == ["wrong_kind"]
    assert codes(agreed([data[:-1] + bytes([data[-1] ^ 1])], only(pair.game))[0]) == ["bad_trailer"]
    for wrong, code, messages in (
        (b"", "not-a-log", None),
        (b"storm-p2p log 2\n" + data[16:], "version", None),
        (data[:-1], "cut", 0),
        (data + b"x", "after-trailer", 0),
        (data[:16] + b"\1\0\0", "record", 0),
        (data[:-67] + b"\0\0", "trailer", 0),
        (data + bytes(12 * 2**20), "too-long", 0),
    ):
        facts = agreed([wrong], only(pair.game))[0]
        assert (codes(facts), facts["messages"], facts["match"]) == ([code], messages, None)
        assert facts["result"] == {"winner": None, "reason": "unreadable"}
    assert codes(judged(pair, records=records[1:])) == ["bad_handshake"]


def test_rules_terms_and_schemes_that_are_not_there_are_named() -> None:
    pair = rps(1)
    facts = agreed([log_of(pair)], only(Bluff()))[0]
    assert (codes(facts), facts["players"][1]["seat"], facts["rules"]) == (["rules_version"], "1", "1")

    class Other(RockPaperScissors):
        def begin(self, terms: Any) -> Any:
            raise ValueError("none of these")

    assert codes(agreed([log_of(pair)], only(Other()))[0]) == ["bad_terms"]


def test_one_identity_at_both_seats_is_remarked() -> None:
    pair = Pair(RockPaperScissors(), 1, identity=configs(RockPaperScissors(), 1)[0].identity)
    facts = judged(pair)
    assert (facts["ok"], facts["remarks"]) == (True, [{"code": "one_identity", "seq": None, "seat": None}])


def test_two_logs_of_a_match_find_what_either_has_left_out() -> None:
    pair = rps(1)
    pair.act(0, 1)
    early = log_of(pair, 1)
    pair.act(1, 0)
    late = log_of(pair, 0)
    alone, whole = agreed([early, late], only(pair.game))
    assert (alone, alone["ok"], alone["messages"]) == (whole, True, 3)
    assert agreed([late, early], only(pair.game)) == [whole, alone]


def test_two_messages_of_one_number_in_two_logs_convict() -> None:
    pair = rps()
    records = list(pair.guest.records)
    cheat = Cheat(pair, 0)
    other = cheat.builder()
    other.force(other.decide(2, None), None)
    forged = cheat.envelope(*other.steps)
    pair.act(0, 1)
    files = [log_of(pair, 1), log_of(pair, 0, records_with(records, forged))]
    for facts in agreed(files, only(pair.game)):
        assert [(one["code"], one["seat"]) for one in facts["problems"]] == [("two_messages", "0")]
        assert stand(facts) == (WINS_1, True, None)


def test_nothing_that_happens_to_the_bytes_of_a_log_makes_it_fail() -> None:
    pair = bluff()
    pair.guest.side_channel.chat("hello")
    pair.settle()
    pair.play_out()
    data = log_of(pair)
    chance = random.Random(9)
    for _ in range(60):
        facts = agreed([flipped(data, chance.randrange(len(data) * 8))], only(pair.game))[0]
        assert not facts["ok"]
        assert facts["problems"]
    for _ in range(40):
        agreed([data[: chance.randrange(len(data))], chance.randbytes(50)], only(pair.game))
