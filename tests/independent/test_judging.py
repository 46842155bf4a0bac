"""What both implementations say to whole logs: honest ones of every kind, and one of each kind of wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from helpers import daily_first
from helpers_judging import OPEN, WINS_0, WINS_1, agreed, codes, judged, log_of, stand
from helpers_storm import STORM, StormPair
from helpers_times import BLITZ, DAYS, round_of, think, timed
from helpers_toy_cheats import rps
from helpers_wire import Cheat, Pair, entropy, identity, only, records_with
from toys import Bluff, RockPaperScissors

from independent.mutants import INNER
from protocol.core.clock import ABSENT_SECONDS
from protocol.core.frames import FrameKind, Record, pack_frame, unpack_frame
from protocol.core.game_data import Conditions, EventTerms, WitnessTerms
from protocol.core.messages import AuditVerdict, Break, SideType
from protocol.core.steps import Choice
from protocol.crypto import keys
from protocol.independent.hashes import hash_parts
from protocol.independent.packing import pack
from storm_p2p.storm.state import Terms


def without(pair: Pair, seat: int, kind: FrameKind, count: int = 1) -> list[Record]:
    """Return the records of a seat without the last ones of a kind, and without all that follows."""
    records = list(pair.sessions[seat].records)
    at = [number for number, record in enumerate(records) if record.kind == kind][-count]
    return records[:at]


# --- honest matches -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["hash", "proved"])
@pytest.mark.parametrize(("game", "terms"), [(RockPaperScissors(), 3), (Bluff(), (4, 0)), (Bluff(), (5, 1))])
def test_a_finished_match_of_a_toy_is_audited(game: Any, terms: Any, scheme: str) -> None:
    pair = Pair(game, terms, scheme=scheme)
    pair.play_out(7)
    for seat in (0, 1):
        facts = judged(pair, seat)
        assert facts == {
            "ok": True, "match": pair.host.agreement.match_id.hex(), "protocol": 3, "rules": game.version,
            "event": None, "aids": False, "watched": None,
            "players": [
                {"seat": "0", "name": "Hanna", "key": identity("host").public.hex()},
                {"seat": "1", "name": "Gustav", "key": identity("guest").public.hex()},
            ],
            "result": dict(pair.host.result or {}), "confirmed": True, "convicted": [],
            "signed": ["0", "1"], "seeds": ["0", "1"],
            "owes": None, "deviates": None, "must_show": None, "audited": True, "scheme": scheme,
            "messages": pair.host.transcript.length, "problems": [], "remarks": [], "break": None, "claims": [],
            "clock": None, "witness": None,
        }  # fmt: skip


@pytest.mark.parametrize("scheme", ["hash", "proved"])
@pytest.mark.parametrize(
    "terms", daily_first([Terms(), Terms(True, False, 3), Terms(False, True, 0), Terms(True, True, -4)], 2)
)
def test_a_match_of_storm_is_audited_whatever_its_variant(terms: Terms, scheme: str) -> None:
    pair = StormPair(terms, scheme=scheme, gather=terms.open_combat, tag="judged")
    pair.play_out(5)
    facts = judged(pair, 1)
    assert (facts["ok"], facts["audited"], facts["confirmed"], facts["result"]) == (True, True, True, pair.host.result)
    assert (facts["signed"], facts["rules"]) == (["chthonians", "olympians"], STORM.version)


def test_a_match_that_goes_on_names_who_has_to_write() -> None:
    pair = rps()
    assert stand(judged(pair)) == (OPEN, False, "0")
    pair.act(0, 1)
    assert stand(judged(pair)) == (OPEN, False, "1")
    pair.host.side_channel.chat("well?")
    pair.settle()
    facts = judged(pair, 1)
    assert (facts["ok"], facts["audited"], facts["messages"]) == (True, False, 1)


def test_a_resignation_in_the_own_turn_covers_the_loss_and_in_the_others_it_does_not() -> None:
    for resigner, confirmed, owes in ((0, True, "1"), (1, False, "0")):
        pair = rps()
        pair.sessions[resigner].side_channel.resign()
        pair.transfer(resigner, lambda frame: None)
        facts = judged(pair, resigner)
        assert stand(facts) == (WINS_1 if resigner == 0 else WINS_0, confirmed, owes)
        assert facts["ok"]


def test_a_resignation_that_both_have_signed_is_confirmed_and_of_two_the_one_behind_owes() -> None:
    pair = rps()
    pair.guest.side_channel.resign()
    pair.settle()
    assert stand(judged(pair)) == (WINS_0, True, None)
    facts = judged(pair, records=without(pair, 0, FrameKind.RESULT))
    assert (stand(facts), facts["signed"]) == ((WINS_0, False, "1"), ["0"])
    facts = judged(pair, records=without(pair, 0, FrameKind.SEED))
    assert (facts["confirmed"], facts["audited"], len(facts["seeds"])) == (True, False, 1)
    assert facts["owes"] == ("1" if facts["seeds"] == ["0"] else "0")


def test_when_both_resign_the_one_who_had_to_write_has_lost() -> None:
    pair = rps()
    pair.act(0, 1)
    for session in pair.sessions:
        session.side_channel.resign()
    pair.settle()
    facts = judged(pair)
    assert (facts["ok"], facts["result"], facts["confirmed"]) == (True, WINS_0, True)


def test_a_draw_needs_the_signatures_of_both_and_the_offerer_signs_first() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.accept_draw()
    draw = {"winner": "draw", "reason": "agreement"}
    pair.settle()
    assert stand(judged(pair)) == (draw, True, None)
    assert stand(judged(pair, records=without(pair, 0, FrameKind.RESULT))) == (draw, False, "1")
    assert stand(judged(pair, records=without(pair, 0, FrameKind.RESULT, 2))) == (draw, False, "0")
    assert stand(judged(pair, records=without(pair, 0, FrameKind.SIDE))) == (OPEN, False, "0")


def test_a_declined_offer_is_no_draw() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    pair.guest.side_channel.decline_draw()
    pair.settle()
    assert stand(judged(pair)) == (OPEN, False, "0")


def test_the_loser_of_a_last_move_owes_his_signature_until_something_of_his_covers_it() -> None:
    pair = rps(1)
    pair.act(0, 0)
    pair.act(1, 1)
    won = {"winner": "1", "reason": "rounds"}
    # Seat 0 has unsealed last, and lost by it.
    assert stand(judged(pair, records=without(pair, 0, FrameKind.RESULT, 2))) == (won, True, None)
    pair = rps(1)
    pair.act(0, 1)
    pair.act(1, 0)
    lost = {"winner": "0", "reason": "rounds"}
    assert stand(judged(pair, records=without(pair, 0, FrameKind.RESULT, 2))) == (lost, False, "1")
    assert stand(judged(pair)) == (lost, True, None)


# --- conditions -----------------------------------------------------------------------------------------------


def test_accounts_and_differences_of_a_match_with_a_clock() -> None:
    pair = timed(BLITZ)
    round_of(pair, 10, 20)
    facts = judged(pair)
    # Whoever decides earns five seconds; what was read of seat 0 is what it says itself.
    assert facts["clock"] == {
        "terms": [1, 60, 5, 2, 30, 120],
        "seats": [{"seat": "0", "left": 55, "left_by_reading": 55}, {"seat": "1", "left": 45, "left_by_reading": 45}],
        "differences": [],
    }
    assert facts["ok"]


def test_a_claim_that_is_proved_ends_the_match() -> None:
    pair = timed(BLITZ)
    think(pair, 0, 66)
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    facts = judged(pair)
    assert facts["claims"] == [{"seq": 1, "seat": "1", "ground": "time", "seconds": 66, "state": "proved"}]
    assert stand(facts) == ({"winner": "1", "reason": "time"}, True, None)
    facts = judged(pair, records=without(pair, 0, FrameKind.RESULT, 2))
    assert stand(facts) == ({"winner": "1", "reason": "time"}, False, "0")


def test_a_claim_is_open_conceded_denied_or_lapsed() -> None:
    for answer, state in ((None, "open"), ("concede", "conceded"), ("deny", "denied"), ("act", "lapsed")):
        pair = timed(DAYS)
        pair.now += 5000
        pair.guest.side_channel.claim(now=pair.now)
        pair.settle()
        if answer == "act":
            pair.act(0, 1)
        elif answer is not None:
            getattr(pair.host.side_channel, answer)(now=pair.now)
        pair.settle()
        facts = judged(pair)
        assert [claim["state"] for claim in facts["claims"]] == [state]
        assert (facts["ok"], facts["result"]["winner"]) == (True, "1" if state == "conceded" else None)


def test_without_a_clock_absence_may_be_claimed_after_seven_days() -> None:
    for short, found in ((0, []), (1, ["early_claim"])):
        pair = Pair(RockPaperScissors(), 2, now=1000.0)
        cheat = Cheat(pair, 1)
        frame = cheat.side(SideType.CLAIM, (2, ABSENT_SECONDS - short, 0))
        assert codes(judged(pair, 1, records_with(pair.guest.records, frame))) == found


def test_a_log_says_in_which_break_it_ends() -> None:
    pair = timed(BLITZ)
    for what in (Break.PAUSE, Break.ADJOURNMENT):
        pair.host.side_channel.propose(what)
        pair.settle()
        assert judged(pair)["break"] is None
        pair.guest.side_channel.agree()
        pair.settle()
        assert judged(pair)["break"] == what.name.lower()
        pair.guest.side_channel.go_on()
        pair.settle()
        assert judged(pair)["break"] is None


def test_agreements_to_a_pause_and_an_adjournment_that_cross_are_an_adjournment() -> None:
    pair = timed(BLITZ)
    pair.host.side_channel.propose(Break.PAUSE)
    pair.guest.side_channel.propose(Break.ADJOURNMENT)
    pair.settle()
    for session in pair.sessions:
        session.side_channel.agree()
    pair.settle()
    for seat in (0, 1):
        assert judged(pair, seat)["break"] == "adjournment"


def statement(pair: Pair, of: bytes, at: int, number: int, by: str = "witness", **changes: bytes) -> Record:
    """Return a statement of a witness."""
    match_id = changes.get("match_id", pair.host.agreement.match_id)
    data = pack([match_id, pair.host.agreement.players[0].match_key, of, at, number, changes.get("last", match_id)])
    return Record(FrameKind.WITNESS, pack_frame(FrameKind.WITNESS, data, keys.sign(identity(by), "witness", data)))


def watched() -> Pair:
    terms = Conditions(witness=WitnessTerms(identity("witness").public, "127.0.0.1:1"))
    return Pair(RockPaperScissors(), 2, conditions=terms)


def test_what_a_witness_has_seen_is_told() -> None:
    pair = watched()
    pair.act(0, 1)
    pair.guest.side_channel.offer_draw()
    pair.settle()
    records = list(pair.host.records)
    kinds = (FrameKind.ENVELOPE, FrameKind.SIDE)
    shown = [next(record.frame for record in records if record.kind == kind) for kind in kinds]
    first, second = (hash_parts(INNER[kind], unpack_frame(one)[1][0]) for kind, one in zip(kinds, shown, strict=True))
    told = [statement(pair, first, 5000, 1), statement(pair, second, 5010, 2), statement(pair, bytes(32), 5020, 3)]
    facts = judged(pair, records=[*records, *told])
    assert facts["ok"]
    assert facts["witness"] == {
        "key": identity("witness").public.hex(),
        "address": "127.0.0.1:1",
        "witnessed": True,
        "envelopes": 1,
        "seen": [
            {"kind": "envelope", "seq": 1, "seat": "0", "at": 5000, "number": 1},
            {"kind": "offer", "seq": 1, "seat": "1", "at": 5010, "number": 2},
        ],
        "contradictions": 0,
    }
    lies = [
        statement(pair, first, 5000, 1),
        statement(pair, second, 4000, 2, last=first),
        statement(pair, bytes(32), 5000, 2, last=first),
    ]
    assert judged(pair, records=[*records, *lies])["witness"]["contradictions"] == 2
    # He has forgotten the match, and counts anew.
    for last, found in ((bytes(32), 0), (pair.host.agreement.match_id, 1)):
        anew = [statement(pair, first, 5000, 1), statement(pair, second, 5010, 1, last=last)]
        assert judged(pair, records=[*records, *anew])["witness"]["contradictions"] == found


def test_a_false_statement_of_a_witness_is_damage_without_a_seat() -> None:
    pair = watched()
    for record in (statement(pair, bytes(32), 1, 1, "nobody"), statement(pair, bytes(32), 1, 1, match_id=bytes(32))):
        facts = judged(pair, records=[*pair.host.records, record])
        assert [(one["code"], one["seat"]) for one in facts["problems"]] in (
            [("bad_signature", None)],
            [("wrong_match", None)],
        )
    assert codes(judged(rps(), records=[*rps().host.records, statement(pair, bytes(32), 1, 1)])) == ["unexpected_frame"]


def test_behind_the_message_at_which_a_match_stopped_only_statements_of_the_witness_are_taken() -> None:
    pair = watched()
    stopped = records_with(pair.host.records, Cheat(pair, 1).side(SideType.RESIGN, prev=bytes(32)))
    told = statement(pair, bytes(32), 5000, 1)
    facts = judged(pair, records=[*stopped, told])
    assert (codes(facts), facts["ok"], facts["owes"]) == (["forked"], True, "1")
    more = records_with([*stopped, told], Cheat(pair, 0).envelope(Choice(1)))
    facts = judged(pair, records=[*more, stopped[-1], told])
    assert [(one["code"], one["seq"]) for one in facts["problems"]] == [("forked", None), ("not_examined", 1)]
    assert (facts["ok"], facts["owes"], facts["must_show"]) == (False, None, None)
    nobody = Record(FrameKind.WITNESS, bytes([0x94, FrameKind.WITNESS, 3, 0]))
    for last, found in (
        (told, "repeated"),
        (statement(pair, bytes(32), 1, 1, "nobody"), "bad_signature"),
        (nobody, "not_examined"),
    ):
        assert codes(judged(pair, records=[*stopped, told, last])) == ["forked", found]


def test_of_a_match_that_stopped_and_whose_audit_convicts_nobody_owes_and_what_is_missing_is_told() -> None:
    pair = Pair(Bluff(), (3, 0), tag="stopped")
    Cheat(pair, 0).hide_under(entropy("foreign"))
    pair.play_out(1)
    early, other = ([one for one in each.records if one.kind != FrameKind.VERDICT] for each in pair.sessions)
    cheat = Cheat(pair, 1)
    verdict = AuditVerdict(*replace(cheat.header(), prev=bytes(32)).fields, ())
    records = records_with(early, cheat.sign(FrameKind.VERDICT, verdict))
    facts = judged(pair, records=records)
    assert codes(facts)[:2] == ["forked", "batch_not_derived"]
    assert (facts["convicted"], facts["owes"], facts["must_show"]) == (["0"], None, {"seat": "1", "hash": "00" * 32})
    for one in agreed([log_of(pair, 0, records), log_of(pair, 1, other)], only(pair.game)):
        assert (one["convicted"], one["owes"], one["must_show"]) == (["0"], None, None)


def test_the_event_for_which_a_match_counts_is_told() -> None:
    event = Conditions(event=EventTerms(bytes(range(32)), 1, 2, 3, bytes(32)))
    pair = Pair(RockPaperScissors(), 2, conditions=event, capabilities=("event",))
    assert judged(pair)["event"] == {
        "id": bytes(range(32)).hex(),
        "round": 1,
        "table": 2,
        "game": 3,
        "document": bytes(32).hex(),
    }


def test_agreed_aids_are_told() -> None:
    assert judged(Pair(RockPaperScissors(), 2, conditions=Conditions(aids=True)))["aids"]


def test_how_late_anyone_may_watch_is_told() -> None:
    watched = Pair(RockPaperScissors(), 2, conditions=Conditions(watched=300), capabilities=("watched",))
    assert judged(watched)["watched"] == 300
