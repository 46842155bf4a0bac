"""What judging logs must not get wrong, whoever has made them: each of these was found by a second implementation."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from helpers_judging import agreed, codes, judged, log_of
from helpers_times import BLITZ, DAYS, think, timed
from helpers_toy_cheats import rps
from helpers_wire import Cheat, Pair, author_of, on_a_line, only, records_with
from toys import Bluff, Table

from protocol.core.frames import FrameKind, Record, pack_frame
from protocol.core.messages import Break, Ground, SideBody, SideType, SignedOutcome
from protocol.core.secret_replay import replay
from protocol.core.session import Session
from protocol.core.steps import Choice, Step, TossReveal
from protocol.core.wire import encode
from protocol.crypto import keys
from protocol.crypto.keys import Secrets
from protocol.game import Decision, Known, Open
from protocol.record import logfile


def restored(pair: Pair, seat: int, until: int) -> Session:
    config = pair.configs[seat]
    return on_a_line(Session(pair.sessions[seat].records[:until], pair.game, config.identity, config.entropy).restore())


def both(pair: Pair, forger: Session) -> list[dict[str, Any]]:
    """Return what is said of the honest log and of the forger's, the same in both orders."""
    files = [log_of(pair, 1 - forger.seat), logfile.dump(forger.records, forger.seat, forger.sign_log)]
    found = agreed(files, only(pair.game))
    assert agreed(files[::-1], only(pair.game)) == found[::-1]
    return found


def test_whoever_has_signed_a_draw_does_not_undo_it_with_a_move_that_pretends_to_have_crossed() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    offered = len(pair.host.records)
    pair.guest.side_channel.accept_draw()
    pair.settle()
    assert judged(pair, 1)["confirmed"]
    forger = restored(pair, 0, offered)
    forger.act(1)
    for facts in both(pair, forger):
        assert facts["problems"] == [{"code": "backdated", "seq": None, "seat": "0"}]
        assert (facts["result"], facts["confirmed"]) == ({"winner": "1", "reason": "forfeit"}, True)


def test_whoever_has_conceded_a_claim_does_not_undo_it_with_a_move() -> None:
    pair = timed(DAYS)
    pair.now += 5000
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    forger = restored(pair, 0, 4)
    pair.host.side_channel.concede(now=pair.now)
    pair.settle()
    assert judged(pair, 1)["confirmed"]
    forger.act(1)
    for facts in both(pair, forger):
        assert codes(facts) == ["backdated"]
        assert facts["result"] == {"winner": "1", "reason": "forfeit"}


def test_a_result_and_a_longer_chain_convict_in_the_other_order_too() -> None:
    pair = rps()
    pair.host.side_channel.offer_draw()
    pair.settle()
    offered = len(pair.host.records)
    pair.guest.side_channel.accept_draw()
    pair.settle()
    result = next(one.frame for one in pair.host.records if one.kind == FrameKind.RESULT and author_of(one.frame) == 0)
    forger = restored(pair, 0, offered)
    forger.act(1)
    facts = judged(pair, 0, records_with(forger.records, result))
    assert facts["problems"] == [{"code": "backdated", "seq": None, "seat": "0"}]


def conceded(offer: bool = False) -> Pair:
    """Return a match in which seat 1 has claimed, after an offer or without one, and seat 0 has conceded."""
    pair = timed(DAYS)
    if offer:
        pair.guest.side_channel.offer_draw(now=pair.now)
        pair.settle()
    pair.now += 5000
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    pair.host.side_channel.concede(now=pair.now)
    pair.settle()
    return pair


def waived() -> Pair:
    """Return a match in which seat 1 concedes seat 0's claim although it could have claimed before."""
    pair = timed(BLITZ)
    think(pair, 0, 70)
    pair.now += 5000
    pair.host.side_channel.claim(now=pair.now)
    pair.settle()
    pair.guest.side_channel.concede(now=pair.now)
    pair.settle()
    return pair


def drawn() -> Pair:
    """Return a match that was agreed drawn although seat 1 could have claimed it."""
    pair = timed(BLITZ)
    think(pair, 0, 70)
    pair.guest.side_channel.offer_draw(now=pair.now)
    pair.settle()
    pair.host.side_channel.accept_draw(now=pair.now)
    pair.settle()
    return pair


TIME_CLAIM = (int(Ground.TIME), 0, 0)


@pytest.mark.parametrize(
    ("match", "seat", "kind", "body"),
    [
        (conceded, 0, SideType.DENY, 1),
        (lambda: conceded(offer=True), 0, SideType.ACCEPT, 1),
        (waived, 1, SideType.CLAIM, TIME_CLAIM),
        (drawn, 1, SideType.CLAIM, TIME_CLAIM),
        (conceded, 0, SideType.GO_ON, None),
    ],
    ids=["concede and deny", "concede and accept", "concede and claim", "draw and claim", "concede and go on"],
)
def test_nobody_adds_anything_that_acts_to_what_its_own_result_counts(
    match: Callable[[], Pair], seat: int, kind: SideType, body: SideBody
) -> None:
    pair = match()
    assert judged(pair, 1 - seat)["confirmed"]
    records = pair.sessions[seat].records
    added = Record(FrameKind.SIDE, Cheat(pair, seat).side(kind, body))
    end = next(at for at, one in enumerate(records) if one.kind == FrameKind.RESULT)
    own = next(one for one in records if one.kind == FrameKind.RESULT and author_of(one.frame) == seat)
    convicted = [{"code": "backdated", "seq": None, "seat": str(seat)}]
    for forged in ([*records, added], [*records[:end], added, own]):
        facts = judged(pair, seat, forged)
        assert (facts["problems"], facts["result"]["winner"]) == (convicted, str(1 - seat))
    files = [log_of(pair, 1 - seat), log_of(pair, seat, [*records[:end], added])]
    for order in (files, files[::-1]):
        for facts in agreed(order, only(pair.game)):
            assert facts["problems"] == convicted
            assert (facts["result"], facts["confirmed"]) == ({"winner": str(1 - seat), "reason": "forfeit"}, True)


@pytest.mark.parametrize(("kind", "body"), [(SideType.CHAT, "well played"), (2**7 + 1, b"later")])
def test_whoever_has_signed_the_result_may_still_talk(kind: SideType, body: SideBody) -> None:
    pair = conceded()
    records = [*pair.host.records, Record(FrameKind.SIDE, Cheat(pair, 0).side(kind, body))]
    for order in ([log_of(pair, 0, records), log_of(pair, 1)], [log_of(pair, 1), log_of(pair, 0, records)]):
        for facts in agreed(order, only(pair.game)):
            assert (facts["ok"], facts["result"], facts["confirmed"]) == (True, pair.host.result, True)


def test_a_result_does_not_count_a_side_envelope_that_nobody_holds() -> None:
    pair = timed(DAYS)
    pair.now += 5000
    pair.guest.side_channel.claim(now=pair.now)
    pair.settle()
    cheat = Cheat(pair, 0)
    # It would stand before the result by its number, and undo it whenever he likes.
    deny = Record(FrameKind.SIDE, cheat.side(SideType.DENY, 1))
    # What it counts, and what he hashes of it, nobody else holds.
    concession = replace(pair.host.transcript.signable(0), sides=(1, 1), prev=bytes(32))
    result = cheat.session._signer.result(concession)
    before = pair.host.records
    facts = judged(pair, 0, records_with(before, result))
    assert (codes(facts), facts["confirmed"], facts["claims"][0]["state"]) == (["gap"], False, "open")
    facts = judged(pair, 0, records_with([*before, deny], result))
    assert (codes(facts), facts["claims"][0]["state"]) == (["forked"], "denied")
    cheat.send(result)
    assert pair.guest.result is None


@pytest.mark.parametrize("kind", ["side", "envelope"])
def test_a_number_that_somebody_has_signed_costs_no_time(kind: str) -> None:
    pair = rps()
    honest = log_of(pair, 1)
    cheat = Cheat(pair, 0)
    far = 2**31
    steps = cheat_steps(cheat)
    frame = cheat.side(SideType.CHAT, "far", seq=far) if kind == "side" else cheat.envelope(*steps, seq=far)
    files = [honest, log_of(pair, 0, records_with(pair.host.records, frame))]
    # It would take an hour to count so far.
    assert [codes(facts) for facts in agreed(files, only(pair.game))] == [[], ["gap"]]


def cheat_steps(cheat: Cheat) -> list[Step]:
    builder = cheat.builder()
    builder.force(builder.decide(1, None), None)
    return list(builder.steps)


def test_who_does_not_fit_in_two_logs_together_owes_and_not_the_one_whose_turn_it_is() -> None:
    pair = rps()
    frame = Cheat(pair, 1).side(SideType.CHAT, "on what?", prev=bytes(32))
    records = records_with(pair.host.records, frame)
    for facts in agreed([log_of(pair, 0, records), log_of(pair, 1, records)], only(pair.game)):
        assert facts["must_show"] == {"seat": "1", "hash": bytes(32).hex()}
        assert facts["owes"] == "1"


def test_two_cheats_of_one_match_are_both_named_and_nobody_wins() -> None:
    pair = rps()
    first, second = Cheat(pair, 0).sign_envelope(b"\x00"), Cheat(pair, 1).sign_envelope(b"\x01")
    files = [log_of(pair, seat, records_with(pair.host.records, one)) for seat, one in enumerate((second, first))]
    for facts in agreed(files, only(pair.game)):
        assert {(one["code"], one["seat"]) for one in facts["problems"]} == {("malformed", "0"), ("malformed", "1")}
        assert (facts["result"]["winner"], facts["owes"]) == (None, None)


def test_a_record_that_is_repeated_often_hides_nothing_of_what_follows() -> None:
    pair = rps(1)
    pair.play_out()
    records = list(pair.host.records)
    repeated = [*records[:5], *[records[4]] * 70, *records[5:]]
    facts = judged(pair, records=repeated)
    assert (len(facts["problems"]), facts["result"], facts["confirmed"]) == (64, pair.host.result, True)


def test_who_rejects_a_proposal_rejects_those_before_it() -> None:
    pair = rps()
    cheat = Cheat(pair, 1)
    for what in (Break.PAUSE, Break.ADJOURNMENT):
        pair.host.side_channel.propose(what)
    pair.settle()
    for kind, number in ((SideType.REJECT, 2), (SideType.AGREE, 1)):
        cheat.send_and_hold(cheat.side(kind, number))
    assert [judged(pair, seat)["break"] for seat in (0, 1)] == [None, None]


def test_who_rejects_what_it_has_agreed_to_rejects_nothing() -> None:
    pair = rps()
    proposer, cheat = Cheat(pair, 0), Cheat(pair, 1)
    for what in (Break.ADJOURNMENT, Break.PAUSE):
        proposer.send_and_hold(proposer.side(SideType.PROPOSE, int(what)))
    for kind, number in ((SideType.AGREE, 2), (SideType.REJECT, 2), (SideType.AGREE, 1)):
        cheat.send_and_hold(cheat.side(kind, number))
    assert [judged(pair, seat)["break"] for seat in (0, 1)] == ["adjournment", "adjournment"]


def test_a_denial_means_something_at_the_head_of_the_claim_alone() -> None:
    for seq, problems, state in ((0, ["backdated"], "open"), (1, [], "denied")):
        pair = timed(DAYS)
        pair.act(0, 1)
        pair.now += 5000
        pair.host.side_channel.claim(now=pair.now)
        pair.settle()
        frame = Cheat(pair, 1).side(SideType.DENY, 1, seq=seq)
        facts = judged(pair, 0, records_with(pair.host.records, frame))
        assert (codes(facts), facts["claims"][0]["state"]) == (problems, state)


def test_a_result_is_false_if_nothing_follows_from_what_it_names() -> None:
    pair = rps()
    pair.host.side_channel.chat("hello")
    pair.settle()
    cheat = Cheat(pair, 0)
    _, chat, _ = pair.host.transcript.newest(0, (1, 0))

    def signed(*grounds: tuple[int, bytes]) -> bytes:
        draw = (("reason", "agreement"), ("winner", "draw"))
        return cheat.sign(FrameKind.RESULT, SignedOutcome(*cheat.header(0, (1, 0)).fields, draw, grounds))

    for ground in ((1, bytes(32)), (0, chat)):
        facts = judged(pair, 1, records_with(pair.guest.records, signed(ground)))
        assert facts["problems"] == [{"code": "false_result", "seq": None, "seat": "0"}]


def test_a_result_whose_grounds_are_not_in_their_order_is_none() -> None:
    pair = rps()
    cheat = Cheat(pair, 0)
    data = encode((*cheat.header().fields, (("winner", "0"), ("reason", "rounds")), ()))
    identity = cheat.session._identity
    made = pack_frame(
        FrameKind.RESULT, data, keys.sign(cheat.secrets.match_key, "result", data), keys.sign(identity, "result", data)
    )
    assert codes(judged(pair, 1, records_with(pair.guest.records, made))) == ["malformed"]


def test_a_handshake_that_does_not_hold_has_one_code() -> None:
    pair = rps()
    records = list(pair.host.records)
    for at in range(4):
        frame = records[at].frame
        changed = [*records[:at], Record(records[at].kind, frame[:-1] + bytes([frame[-1] ^ 1])), *records[at + 1 :]]
        # A stranger cannot check the mac of a hello.
        assert codes(judged(pair, 0, changed)) == ([] if at < 2 else ["bad_handshake"])


def test_what_a_seat_with_a_faulty_batch_opens_is_known_all_the_same() -> None:
    known_to_check: list[set[int]] = []

    class Watched(Bluff):
        def check(self, state: Table, seat: int, said: Decision, known: Known) -> str | None:
            if seat == 1:
                known_to_check.append(set(known))
            return super().check(state, seat, said, known)

    pair = Pair(Watched(), (4, 0))
    pair.play_out(1)
    transcript = pair.host.transcript
    known_to_check.clear()
    false = dict(transcript.seeds) | {0: bytes(32)}
    found, _ = replay(transcript.referee, transcript.history, false)
    assert [(one.code, one.seat) for one in found] == [("batch_not_derived", 0)]
    requests = [one.before.request for one in transcript.history]
    opened = {slot for request in requests if isinstance(request, Open) for slot in request.slots}
    # Seat 0 has opened cards before seat 1 decided again, and the rules are told of them.
    assert known_to_check[-1] & opened & set(range(4))


class Private(Bluff):
    """Notes what the rules are told of the number that seat 0 alone was told, when it says another."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int | None] = []

    def check(self, state: Table, seat: int, said: Decision, known: Known) -> str | None:
        if isinstance(said, tuple) and len(said) == 2 and said[0] == 3:
            self.told.append(known.get(-1))
        return super().check(state, seat, said, known)


def told(number: int) -> Pair:
    """Return a match in which seat 1 gives a share that is not of its seed, and seat 0 says the number then."""
    pair = Pair(Private(), (2, 1))
    chance = random.Random(1)
    guest = Cheat(pair, 1)
    guest.hold_back()
    for session in pair.sessions:
        pair.decide(session, chance)
        pair.settle()
    guest.go_quiet()
    share = TossReveal(bytes([7]) * 32)
    guest.send_and_hold(guest.envelope(share, state=guest.state_after(share)))
    host = Cheat(pair, 0)
    host.go_quiet()
    says = Choice((3, number))
    host.send_and_hold(host.envelope(says, state=host.state_after(says)))
    return pair


def test_a_number_is_known_to_the_audit_even_if_a_share_of_it_was_not_of_the_seed() -> None:
    found = []
    for number in (0, 1):
        pair = told(number)
        pair.host.side_channel.resign()
        pair.settle()
        found.append(codes(judged(pair)))
    assert sorted(found) == [["share_not_derived"], ["share_not_derived", "illegal_decision"]]


def test_a_number_is_known_to_the_audit_even_if_a_batch_of_the_other_was_not_of_the_seed() -> None:
    pair = told(0)
    game, transcript = pair.game, pair.host.transcript
    assert isinstance(game, Private)
    seeds = {seat: Secrets.of(pair.configs[seat].entropy).seed for seat in (0, 1)}
    game.told.clear()
    found, _ = replay(transcript.referee, transcript.history, seeds | {1: bytes(32)})
    assert (found[0].code, found[0].seat) == ("batch_not_derived", 1)
    assert None not in game.told
    assert game.told
