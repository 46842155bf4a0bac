"""Changed programs at the table of Storm that lie about units; the scheme is ``hash``.

There is a test for each row of the attacks that it can meet.  Each is named at once by the other side, or by the audit,
with the right seat and a code.
"""

from __future__ import annotations

from random import Random

import pytest
from helpers_storm import SEATS, STORM, StormPair, setup, unit
from helpers_wire import NONCE, Cheat

from protocol.core.events import Audited
from protocol.core.steps import Choice, ProveMembership, Recommit, Reveal
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Maker
from protocol.game import Decision
from storm.cheats import (
    BAD_SETUPS,
    Court,
    covered,
    full,
    give_up,
    go,
    group_at_11,
    opening,
    place_of,
    seated,
    serial,
    shuffled,
)
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Aid, Bolt, Lose, Move, Sneak
from storm_p2p.storm.actions import Liturgy as Pray
from storm_p2p.storm.actions import Reveal as Show
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)
WINNERS = SEATS[::-1]


# --- setup -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", BAD_SETUPS.values(), ids=BAD_SETUPS)
@pytest.mark.parametrize("loser", [0, 1])
def test_a_setup_of_other_units_than_the_twelve_is_found_by_the_audit(
    values: list[int], loser: int, court: Court
) -> None:
    pair = StormPair(tag="setup")
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    go(cheat, covered(cheat, values))
    pair.act(1, None, tuple(int(one) for one in setup(O)))
    give_up(pair, loser)
    court.named_by_the_audit(pair, 0, "batch_not_derived")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_setup_without_the_leader_is_found_by_the_audit(seat: int, court: Court) -> None:
    pair = StormPair(tag="leader")
    if seat == 1:
        pair.act(0, None, tuple(int(one) for one in setup(C)))
    cheat = Cheat(pair, seat)
    leader = unit(("hades", "zeus")[seat])
    faction = (C, O)[seat]
    others = [int(one) for one in setup(faction) if one != leader]
    go(cheat, covered(cheat, [*others, int(leader)]))
    if seat == 0:
        pair.act(1, None, tuple(int(one) for one in setup(O)))
    give_up(pair, 1)
    court.named_by_the_audit(pair, seat, "illegal_decision")


def test_opening_a_unit_that_one_has_twice_is_named_at_once(court: Court) -> None:
    pair = StormPair(tag="twice")
    cheat = Cheat(pair, 0)
    values = full("hades", "hades", "cronus")
    cover = covered(cheat, values)
    maker = Maker(cheat.transcript.agreement.match_id, 0, cheat.secrets.seed, nonce=NONCE)
    made = HashScheme().commit(maker, 0, values)
    cheat.go_quiet()
    go(cheat, cover)
    pair.act(1, None, tuple(int(one) for one in setup(O)))
    slots = [cheat.session.state.game.sides[C][region][0].serial for region in (1, 5)]
    go(cheat, Choice(codec.encode(Show(1, 0))), Reveal(((values[slots[0]], made[slots[0]].opening),)))
    second = Reveal(((values[slots[1]], made[slots[1]].opening),))
    cheat.send(cheat.envelope(Choice(codec.encode(Show(5, 0))), second))
    court.named_at_once(pair, 0, "wrong-opening")


# --- re-hiding -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moved", "stayed"),
    [(("cerberus",), ("hades",)), (("charon",), ("cronus",)), (("cerberus",), ("cerberus",)), (("zeus",), ("cronus",))],
    ids=["swapped with a unit elsewhere", "swapped away", "doubled", "a unit of the enemy"],
)
def test_other_units_in_a_re_hidden_group_are_found_by_the_audit(
    moved: tuple[str], stayed: tuple[str], court: Court
) -> None:
    pair = group_at_11("rehide")
    cheat = Cheat(pair, 0)
    decision = codec.encode(Move((11, 12), (), 1))
    steps = shuffled(cheat, decision, [unit(name) for name in moved], [unit(name) for name in stayed])
    cheat.go_quiet()
    go(cheat, *steps)
    give_up(pair, 1)
    court.named_by_the_audit(pair, 0, "batch_not_derived")


def test_a_re_hidden_group_must_have_as_many_tokens_as_before(court: Court) -> None:
    for sizes in ((2, 1), (1, 0), (1, 2)):
        pair = group_at_11(f"sizes {sizes}")
        cheat = Cheat(pair, 0)
        decision = codec.encode(Move((11, 12), (), 1))
        parts = tuple(tuple(bytes([number, at]) * 16 for at in range(size)) for number, size in enumerate(sizes))
        cheat.send(cheat.envelope(Choice(decision), Recommit(parts, b"", NONCE)))
        court.named_at_once(pair, 0, "wrong_count")


def test_old_tokens_cannot_be_given_out_as_fresh_ones(court: Court) -> None:
    pair = group_at_11("old tokens")
    cheat = Cheat(pair, 0)
    old = [cheat.transcript.position.tokens[token.serial].commitment for token in pair.host.state.game.sides[C][11]]
    decision = codec.encode(Move((11, 12), (), 1))
    cheat.send(cheat.envelope(Choice(decision), Recommit(((old[0],), (old[1],)), b"", NONCE)))
    court.named_at_once(pair, 0, "commitment_repeated")


def test_an_order_of_fresh_tokens_that_tells_the_owners_friend_something_is_refused(court: Court) -> None:
    pair = seated("order", setup(C, cerberus=11, cronus=5, charon=6, hades=10))
    for origin in (5, 6):
        pair.do(C, Move((origin, 11), (0,), 1))
        pair.do(O, Pray())
    cheat = Cheat(pair, 0)
    decision = codec.encode(Move((11, 16), (), 2))
    choice, shuffle = shuffled(cheat, decision, [unit("cerberus"), unit("cronus")], [unit("charon")])
    backwards = Recommit((shuffle.parts[0][::-1], shuffle.parts[1]), b"", NONCE)
    cheat.send(cheat.envelope(choice, backwards))
    court.named_at_once(pair, 0, "not_sorted")


# --- hidden illegal declarations -------------------------------------------------------------------------------


def test_a_known_flier_who_crosses_the_styx_unseen_is_found_by_the_audit(court: Court) -> None:
    pair = seated("flier", setup(C, harpies=12, cerberus=11, hades=10))
    pair.do(C, Move((11, 12), (0,), 1))
    pair.do(O, Pray())
    pair.do(C, Show(12, place_of(pair, C, 12, "harpies")))
    cheat = Cheat(pair, 0)
    decision = codec.encode(Move((12, 7), (), 1))
    go(cheat, *shuffled(cheat, decision, [unit("harpies")], [unit("cerberus")]))
    give_up(pair, 1)
    court.named_by_the_audit(pair, 0, "illegal_decision")


def test_a_known_dionysus_who_goes_back_unseen_and_pays_the_full_price_is_found_by_the_audit(court: Court) -> None:
    pair = seated("dionysus", None, setup(O, dionysus=14, artemis=9, zeus=4))
    pair.do(C, Pray())
    pair.do(O, Move((9, 14), (0,), 1))
    pair.do(C, Pray())
    pair.do(O, Show(14, place_of(pair, O, 14, "dionysus")))
    cheat = Cheat(pair, 1)
    decision = codec.encode(Move((14, 15), (), 1))
    go(cheat, *shuffled(cheat, decision, [unit("dionysus")], [unit("artemis")]))
    give_up(pair, 0)
    court.named_by_the_audit(pair, 1, "illegal_decision")


def test_the_honest_form_of_the_same_moves_passes() -> None:
    pair = seated("honest flier", setup(C, harpies=12, cerberus=11, hades=10))
    pair.do(C, Move((11, 12), (0,), 1))
    pair.do(O, Pray())
    pair.do(C, Show(12, place_of(pair, C, 12, "harpies")))
    pair.do(C, Move((12, 7), (place_of(pair, C, 12, "harpies"),), 1))
    give_up(pair, 1)
    assert pair.host.audited
    assert pair.guest.audited


# --- claims ----------------------------------------------------------------------------------------------------


def test_claiming_poseidon_and_opening_another_is_named_at_once(court: Court) -> None:
    pair = seated("poseidon", None, setup(O, artemis=13, poseidon=4))
    pair.do(C, Pray())
    cheat = Cheat(pair, 1)
    slot = serial(pair, O, 13)
    decision = codec.encode(Move((13, 7), (0,), 1, 0))
    cheat.send(cheat.envelope(Choice(decision), Reveal(((int(unit("artemis")), opening(cheat, slot)),))))
    court.named_at_once(pair, 1, "no-claim")


def test_claiming_poseidon_and_calling_another_unit_poseidon_is_named_at_once(court: Court) -> None:
    pair = seated("no poseidon", None, setup(O, artemis=13, poseidon=4))
    pair.do(C, Pray())
    cheat = Cheat(pair, 1)
    for slot in (serial(pair, O, 13), serial(pair, O, 4)):
        pair = seated("no poseidon", None, setup(O, artemis=13, poseidon=4))
        pair.do(C, Pray())
        cheat = Cheat(pair, 1)
        decision = codec.encode(Move((13, 7), (0,), 1, 0))
        # With the salt of the token that moves, and with that of the true Poseidon.
        cheat.send(cheat.envelope(Choice(decision), Reveal(((int(unit("poseidon")), opening(cheat, slot)),))))
        court.named_at_once(pair, 1, "wrong_opening")


def test_throwing_a_thunderbolt_without_zeus_is_named_at_once(court: Court) -> None:
    pair = seated("bolt", None, setup(O, artemis=13, zeus=4))
    pair.do(C, Move((12, 7), (0,), 1))
    cheat = Cheat(pair, 1)
    slot = serial(pair, O, 13)
    shown = Reveal(((int(unit("artemis")), opening(cheat, slot)),))
    cheat.send(cheat.envelope(Choice(codec.encode(Bolt(7, slot))), shown))
    court.named_at_once(pair, 1, "no-thrower")


def test_sneaking_without_the_erinyes_is_named_at_once(court: Court) -> None:
    pair = seated("sneak", setup(C, cronus=12, erinyes=5, hades=10))
    pair.do(C, Move((12, 7), (0,), 1))
    pair.do(O, Pray())
    cheat = Cheat(pair, 0)
    slot = serial(pair, C, 7)
    decision = codec.encode(Sneak((7, 13), 0))
    cheat.send(cheat.envelope(Choice(decision), Reveal(((int(unit("cronus")), opening(cheat, slot)),))))
    court.named_at_once(pair, 0, "no-sneak")


def test_calling_for_aphrodite_who_is_not_there_is_named_at_once(court: Court) -> None:
    pair = seated("aphrodite", setup(C, cronus=12, hades=10), setup(O, ares=13, zeus=4, hera=14, aphrodite=24))
    pair.do(C, Move((12, 13), (0,), 1))
    cheat = Cheat(pair, 1)
    slot = serial(pair, O, 14)
    decision = codec.encode(Aid(slot))
    cheat.send(cheat.envelope(Choice(decision), Reveal(((int(unit("hera")), opening(cheat, slot)),))))
    court.named_at_once(pair, 1, "false-claim")


def test_feeding_on_a_thunderbolt_without_hecate_is_named_at_once(court: Court) -> None:
    pair = seated("hecate", setup(C, cronus=12, charon=11, hades=10), setup(O, zeus=13))
    pair.do(C, Move((11, 12), (0,), 1))
    pair.do(O, Pray())
    pair.do(C, Move((12, 7), (0, 1), 2))
    pair.do(O, Bolt(7, serial(pair, O, 13)))
    cheat = Cheat(pair, 0)
    cronus, charon = serial(pair, C, 7, "cronus"), serial(pair, C, 7, "charon")
    decision = codec.encode(Lose(cronus, charon))
    shown = Reveal(((int(unit("cronus")), opening(cheat, cronus)), (int(unit("charon")), opening(cheat, charon))))
    cheat.send(cheat.envelope(Choice(decision), shown))
    court.named_at_once(pair, 0, "no-claim")


def test_not_opening_what_must_be_opened_is_named_at_once_where_something_else_is_said(court: Court) -> None:
    pair = seated("no opening")
    cheat = Cheat(pair, 0)
    attack = Choice(codec.encode(Move((12, 13), (0,), 1)))
    cheat.send(cheat.envelope(attack, Choice(codec.encode(Pray()))))
    court.named_at_once(pair, 0, "wrong_step")


def test_a_forged_salt_opens_nothing(court: Court) -> None:
    pair = seated("salt")
    cheat = Cheat(pair, 0)
    true = pair.view(C).sides[C][12][0].unit
    assert true is not None
    attack = Choice(codec.encode(Move((12, 13), (0,), 1)))
    cheat.send(cheat.envelope(attack, Reveal(((true, bytes(32)),))))
    court.named_at_once(pair, 0, "wrong_opening")


# --- random setup ----------------------------------------------------------------------------------------------


def dealt(tag: str) -> tuple[StormPair, Cheat, int]:
    """Return a random setup in which the Chthonians have to say whether it landed, and what is true."""
    pair = StormPair(Terms(random_setup=True), tag=tag)
    pair.act(0, None, tuple(range(12)))
    cheat = Cheat(pair, 0)
    cheat.hold_back()
    pair.act(1, tuple(range(12)) if tag.endswith("good") else (0, *range(2, 12), 1))
    cheat.go_on()
    right = [decision for decision in (0, 1) if STORM.check(pair.host.state, 0, decision, pair.host.known) is None]
    assert len(right) == 1
    return pair, cheat, right[0]


def other_setup(pair: StormPair) -> None:
    """Let the computer players deal until both stand."""
    chance = Random(1)
    while (session := pair.asked) is not None and getattr(session.asks_us, "kind", "") != "turn":
        pair.decide(session, chance)
        pair.settle()


@pytest.mark.parametrize("tag", ["good", "bad"])
def test_lying_about_where_the_leader_landed_is_found_by_the_audit(tag: str, court: Court) -> None:
    pair, cheat, right = dealt(tag)
    go(cheat, ProveMembership(1 - right, b""))
    other_setup(pair)
    give_up(pair, 1)
    court.named_by_the_audit(pair, 0, "illegal_decision")


def test_drawing_again_until_one_likes_it_is_found_by_the_audit(court: Court) -> None:
    pair = StormPair(Terms(random_setup=True), tag="again")
    cheat = Cheat(pair, 0)
    chance = Random(2)
    lied = 0
    for _ in range(12):
        pair.act(0, None, tuple(range(12)))
        cheat.hold_back()
        pair.act(1, tuple(chance.sample(range(12), 12)))
        cheat.go_on()
        lied += STORM.check(pair.host.state, 0, 0, pair.host.known) is not None
        go(cheat, ProveMembership(0, b""))
    other_setup(pair)
    give_up(pair, 0)
    assert lied
    court.named_by_the_audit(pair, 0, "illegal_decision")
    assert len(pair.last(1, Audited).problems) == lied


def test_a_deck_with_the_leader_in_every_place_is_found_by_the_audit(court: Court) -> None:
    pair = StormPair(Terms(random_setup=True), tag="deck")
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    go(cheat, covered(cheat, [int(unit("hades"))] * 12))
    pair.act(1, tuple(range(12)))
    go(cheat, ProveMembership(1, b""))
    other_setup(pair)
    give_up(pair, 1)
    court.named_by_the_audit(pair, 0, "batch_not_derived")


@pytest.mark.parametrize(
    "decision",
    [(), tuple(range(11)), (0,) * 12, (*range(11), 12), None, 5, (*range(11), None), ((0,),) * 12, (*range(12), 0)],
)
def test_a_deal_that_is_no_permutation_is_named_at_once(decision: Decision, court: Court) -> None:
    pair = StormPair(Terms(random_setup=True), tag="permutation")
    pair.act(0, None, tuple(range(12)))
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(Choice(decision)))
    court.named_at_once(pair, 1, "illegal_decision")
