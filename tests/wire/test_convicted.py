"""What a changed program that hides under another seed than its own pays for it, and that nobody else ever does."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from helpers_judging import agreed, codes, judged, log_of
from helpers_wire import NONCE, Cheat, Pair, entropy, flipped, only
from hypothesis import given
from hypothesis import strategies as st
from toys import Bluff, Table

from protocol.core.frames import FrameKind, Record
from protocol.core.secret_replay import replay
from protocol.core.steps import Commit
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Maker
from protocol.game import Decision, Known, Seat
from protocol.record import judging

SCHEMES = ("hash", "proved")


def played(scheme: str, *cheats: int) -> Iterator[tuple[Pair, str]]:
    """Yield finished matches with cheats, each with who has won by the points on the table."""
    for number in itertools.count():
        pair = Pair(Bluff(), (3, 0), tag=f"foreign {number}", scheme=scheme)
        for seat in cheats:
            Cheat(pair, seat).hide_under(entropy("foreign"))
        pair.play_out(number)
        outcome = dict(pair.host.transcript.outcome() or ())
        assert outcome["reason"] == "points"
        yield pair, outcome["winner"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("won", "result"),
    [
        ("0", {"winner": "1", "reason": "forfeit"}),
        # The result stands, and the seat is named.
        ("1", {"winner": "1", "reason": "points"}),
        ("draw", {"winner": "1", "reason": "forfeit"}),
    ],
    ids=["winner", "loser", "draw"],
)
def test_a_cheat_under_a_foreign_seed_loses_and_is_named(scheme: str, won: str, result: dict[str, str]) -> None:
    if won == "draw":
        pair = Pair(Bluff(), (3, 0), tag="draw", scheme=scheme)
        Cheat(pair, 0).hide_under(entropy("foreign"))
        pair.play_out(1, 4)
        pair.host.side_channel.offer_draw()
        pair.settle()
        pair.guest.side_channel.accept_draw()
        pair.settle()
        assert dict(pair.host.transcript.outcome() or ())["winner"] == "draw"
    else:
        pair = next(pair for pair, winner in played(scheme, 0) if winner == won)
    for seat in (0, 1):
        facts = judged(pair, seat)
        assert (facts["ok"], facts["audited"], facts["convicted"]) == (True, True, ["0"])
        assert codes(facts)[0] == "batch_not_derived"
        assert facts["problems"][0]["batch"] == {"due": (0, 1, 2), "held": ((),)}
        assert (facts["result"], facts["confirmed"], facts["owes"]) == (result, True, None)
        # The players are told what a stranger is.
        assert pair.sessions[seat].result == result
        assert pair.sessions[seat].confirmed
    together = agreed([log_of(pair, 0), log_of(pair, 1)], only(pair.game))
    assert [(one["result"], one["convicted"], codes(one)) for one in together] == [
        (result, ["0"], codes(judged(pair)))
    ] * 2


@pytest.mark.parametrize("scheme", SCHEMES)
def test_if_both_cheat_nobody_wins(scheme: str) -> None:
    pair, _ = next(played(scheme, 0, 1))
    later = Record(FrameKind.SIDE, Cheat(pair, 0).side(14, b"later"))  # type: ignore[arg-type]
    for records in (pair.host.records, [*pair.host.records, later]):
        facts = judged(pair, 0, records)
        assert (facts["ok"], facts["convicted"], facts["confirmed"]) == (True, ["0", "1"], False)
        assert (facts["result"]["winner"], facts["owes"]) == (None, None)
    assert pair.host.result is None


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_cheat_who_keeps_the_seed_is_not_convicted_and_not_audited(scheme: str) -> None:
    pair = next(pair for pair, winner in played(scheme, 0) if winner == "0")
    end = next(at for at, one in enumerate(pair.host.records) if one.kind is FrameKind.SEED)
    facts = judged(pair, 0, pair.host.records[:end])
    assert (facts["ok"], facts["convicted"], facts["audited"], facts["seeds"]) == (True, [], False, [])


SEEDS = st.binary(min_size=32, max_size=32)


@given(st.sampled_from(SCHEMES), st.sampled_from((0, 1)), SEEDS, SEEDS, st.integers(0, 99), st.integers(0, 12))
def test_whatever_one_seat_hides_under_and_opens_the_other_is_never_convicted(
    scheme: str, cheat: int, foreign: bytes, opened: bytes, chance: int, decisions: int
) -> None:
    pair = Pair(Bluff(), (3, chance % 2), tag="any", scheme=scheme)
    Cheat(pair, cheat).hide_under(foreign)
    pair.play_out(chance, decisions)
    referee, history = pair.host.transcript.referee, pair.host.transcript.history
    honest = pair.sessions[1 - cheat]._secrets.seed
    for theirs in (foreign, pair.sessions[cheat]._secrets.seed, opened):
        found, _ = replay(referee, history, {cheat: theirs, 1 - cheat: honest})
        assert {one.seat for one in found} <= {cheat}


class ByTheOthersCards(Bluff):
    """A game that asks of a decision what only the other seat knows: no honest program could keep to that."""

    def check(self, state: Table, seat: Seat, decision: Decision, known: Known) -> str | None:
        hidden = state.phase == "play" and any(known.get(slot, 0) for slot in state.hands[1 - seat])
        return "the other has a card above 0" if hidden else super().check(state, seat, decision, known)


def test_no_seat_is_judged_by_what_another_seed_shows() -> None:
    pair = Pair(ByTheOthersCards(), (3, 0))
    pair.play_out(1)
    for seat in (0, 1):
        assert (judged(pair, seat)["problems"], pair.sessions[seat].problems) == ([], ())


def test_a_damaged_log_says_of_nobody_that_they_owe_something() -> None:
    running = Pair(Bluff(), (4, 0))
    running.play_out(1, 6)
    resigned = Pair(Bluff(), (4, 0), tag="resigned")
    resigned.play_out(2, 5)
    resigned.host.side_channel.resign()
    resigned.collect()
    chance = random.Random(1)
    for pair in (running, resigned):
        whole = log_of(pair, 0)
        assert judging.judge([whole], only(pair.game))[0]["owes"] is not None
        for bit in chance.sample(range(8 * len(whole)), 250):
            (facts,) = judging.judge([flipped(whole, bit)], only(pair.game))
            assert not facts["ok"]
            assert (facts["owes"], facts["must_show"], facts["deviates"], facts["convicted"]) == (None, None, None, [])


def test_a_log_that_ends_with_a_disagreement_holds_and_one_that_goes_on_behind_it_does_not() -> None:
    pair = Pair(Bluff(), (4, 0))
    pair.play_out(1, 4)
    records = list(pair.host.records)
    other = Pair(Bluff(), (4, 0))
    other.play_out(2, 6)
    stranger = [one for one in other.host.records if one.kind is FrameKind.ENVELOPE][pair.host.transcript.length]
    forked: dict[str, Any] = judged(pair, 0, [*records, stranger])
    assert (forked["ok"], codes(forked), forked["convicted"]) == (True, ["forked"], [])
    assert forked["owes"] == forked["must_show"]["seat"]
    more = judged(pair, 0, [*records, stranger, records[-1]])
    assert (more["ok"], codes(more)) == (False, ["forked", "not_examined"])
    assert (more["owes"], more["must_show"]) == (None, None)


def test_two_false_batches_in_the_place_of_one_are_both_told_whatever_the_order_of_the_logs() -> None:
    logs = []
    for values in ((0, 0, 1), (1, 2, 63)):
        pair = Pair(Bluff(), (3, 0), tag="two batches")
        cheat = Cheat(pair, 0)
        maker = Maker(cheat.transcript.agreement.match_id, 0, cheat.secrets.seed, nonce=NONCE)
        cover = Commit(tuple(one.commitment for one in HashScheme().commit(maker, 0, values)), b"", NONCE)
        cheat.go_quiet()
        cheat.send_and_hold(cheat.envelope(cover, state=cheat.state_after(cover)))
        pair.act(1, None, (0, 1, 2))
        pair.host.side_channel.resign()
        pair.settle()
        logs.append(log_of(pair, 1))
    for files in (logs, logs[::-1]):
        for facts in agreed(files, only(Bluff())):
            told = sorted(one["batch"]["held"] for one in facts["problems"] if one["code"] == "batch_not_derived")
            assert told == [((0, 0, 1),), ((1, 2, 63),)]
