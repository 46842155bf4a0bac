"""Lies about a random setup, at any moment, and what a third process says of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from helpers import daily_first
from helpers_storm import SEATS, STORM, StormPair, setup, unit

from protocol.core.events import PeerMisbehaved
from protocol.core.steps import Choice, ProveMembership
from protocol.crypto.commitments import statements
from protocol.crypto.commitments.interface import SlotToken
from protocol.crypto.proofs import Statement
from protocol.game import Hide, Mix
from storm.cheats import Court, go, group_at_11, in_a_process_of_its_own
from storm.forger import SCHEME, Forger, new
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)
SAID = codec.encode(Move((11, 12), (), 1))


@pytest.mark.parametrize("good", [True, False], ids=["it had landed", "it had not"])
def test_lying_about_where_the_leader_landed_is_refused_at_once(good: bool, court: Court) -> None:
    pair, cheat = new(f"landed {good}", Terms(random_setup=True))
    cheat.hold_back()
    pair.act(0, None, tuple(range(12)))
    # Hades is the second of the twelve.
    hades = int(Unit.HADES)
    order = [one for one in range(12) if one != hades]
    order.insert(1 if good else 0, hades)
    pair.act(1, tuple(order))
    right = int(STORM.check(pair.host.state, 0, 1, pair.host.known) is None)
    assert right == good
    cheat.show(cheat.find(1 - right))
    court.named_at_once(pair, 0, "bad_proof")


def test_the_true_answer_of_the_forger_is_taken() -> None:
    pair, cheat = new("true", Terms(random_setup=True))
    cheat.hold_back()
    pair.act(0, None, tuple(range(12)))
    pair.act(1, tuple(range(12)))
    right = int(STORM.check(pair.host.state, 0, 1, pair.host.known) is None)
    go(cheat, cheat.find(right))
    assert not pair.guest.over
    assert pair.guest.transcript.length == 3


def test_a_part_that_is_not_there_is_refused(court: Court) -> None:
    pair, cheat = new("part", Terms(random_setup=True))
    cheat.hold_back()
    pair.act(0, None, tuple(range(12)))
    pair.act(1, tuple(range(12)))
    cheat.show(ProveMembership(2, b""))
    court.named_at_once(pair, 0, "wrong_count")


def test_a_deck_with_the_leader_in_every_place_is_refused_at_once(court: Court) -> None:
    pair, cheat = new("deck", Terms(random_setup=True))
    cheat.show(cheat.cover([int(unit("hades"))] * 12))
    court.named_at_once(pair, 0, "bad_proof")


# --- at any moment ---------------------------------------------------------------------------------------------


def lie(cheat: Forger, chance: Random) -> bool:
    """Send something false that is asked for now, if there is anything; say whether there was."""
    request = cheat.session.asks_us
    if isinstance(request, Hide):
        values = list(request.values)
        chance.shuffle(values)
        place = chance.randrange(12)
        values[place] = chance.choice([one for one in range(26) if one != values[place]])
        cheat.show(cheat.cover(values))
        return True
    if getattr(request, "kind", "") != "turn":
        return False
    moves = cheat.session.moves()
    unseen = [one for one in moves if isinstance(one, tuple) and one[0] == 0 and isinstance(one[2], int)]
    if not unseen:
        return False
    decision = chance.choice(unseen)
    builder = cheat.builder()
    builder.add(Choice(decision))
    divided = builder.request
    if not isinstance(divided, Mix):
        return False
    values = [cheat.session.known[slot] for slot in divided.take]
    chance.shuffle(values)
    place = chance.randrange(len(values))
    values[place] = chance.choice([one for one in range(24) if one != values[place]])
    count = len(divided.give[0])
    cheat.show(*cheat.shuffle(decision, values[:count], values[count:]))
    return True


@pytest.mark.parametrize("matches", daily_first([4, 10]))
def test_a_lie_at_any_moment_of_a_match_is_refused_at_once(matches: int, court: Court) -> None:
    told: Counter[str] = Counter()
    for seed in range(matches):
        chance = Random(seed)
        pair = StormPair(Terms(random_setup=seed % 3 == 0), tag=f"moment {seed}", scheme="proved")
        cheat = Forger(pair, seed % 2)
        for _ in range(60):
            asked = pair.asked
            if asked is None:
                break
            kind = type(asked.asks_us).__name__
            if asked is cheat.session and chance.random() < (0.5 if kind == "Hide" else 0.6) and lie(cheat, chance):
                court.named_at_once(pair, cheat.seat, "bad_proof")
                told[kind] += 1
                break
            pair.decide(asked, chance)
            pair.settle()
    assert told["Hide"] > 0, told
    assert told["Choose"] > matches // 4, told


# --- the judge in a process of its own -------------------------------------------------------------------------


def test_a_third_process_names_the_seat_the_message_and_the_code_from_the_log_alone(tmp_path: Path) -> None:
    pair = group_at_11("third", "proved")
    cheat = Forger(pair, 0)
    cheat.show(*cheat.shuffle(SAID, [unit("cerberus")], [unit("hades")]))
    event = pair.last(1, PeerMisbehaved)
    code, answer = in_a_process_of_its_own(pair.log(1), tmp_path)
    assert code == 1
    assert answer["scheme"] == "proved"
    (problem,) = answer["problems"]
    assert (problem["code"], problem["seq"], problem["seat"]) == ("bad_proof", event.seq, SEATS[0])
    assert answer["result"] == {"winner": SEATS[1], "reason": "forfeit"}


def test_the_statement_of_a_setup_names_every_token_and_the_leader() -> None:
    pair, cheat = new("statement")
    cover = cheat.cover([int(one) for one in setup(C)])
    tokens = [SlotToken(cheat.here().match_id, 0, 0, one) for one in cover.commitments]
    request = pair.host.request
    assert isinstance(request, Hide)
    within = pair.host.transcript.referee.within(request)
    assert within == ((int(Unit.HADES), tuple(range(9))),)
    SCHEME.check_hide(cheat.here(), tokens, request.values, within, cover.proof)
    statement: Statement = statements.hide(cheat.here(), cover.commitments, request.values, within)
    assert [len(clause) for clause in statement.clauses] == [12] * 12 + [1, 9]
