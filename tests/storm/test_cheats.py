"""Changed programs at the table of Storm: one test for each row of the attacks that the scheme ``hash`` can meet.

Each is named at once by the other side, or by the audit, with the right seat and a code; and a third process that has
the log file and nothing else says the same.  What cannot be laid at anybody's door is blamed on nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers_cheats import (
    BAD_SETUPS,
    Court,
    full,
    give_up,
    go,
    group_at_11,
    in_a_process_of_its_own,
    place_of,
    seated,
    serial,
)  # fmt: skip
from helpers_storm import SEATS, STORM, StormPair, forged, judged, setup, unit
from helpers_wire import Cheat, configs, envelope_of, flipped, on_a_line, shake

from protocol import keys
from protocol.commitments import Maker
from protocol.commitments.hash import HashScheme
from protocol.draft import Draft
from protocol.events import Audited, Damaged, Disagreement, MatchOver, PeerMisbehaved
from protocol.frames import Kind, Record, pack_frame, unpack_frame
from protocol.game import Hide, Mix, Said
from protocol.handshake import Agreed, Handshake, HandshakeEvent, HandshakeFailed
from protocol.messages import Outcome, Side, SideType
from protocol.session import Session
from protocol.stages import Stage
from protocol.steps import Choice, Cover, Find, Reveal, Seal, Shuffle, Unseal
from protocol.wire import hashed
from storm_p2p import codec
from storm_p2p.actions import Aid, Bolt, Fight, Lose, Move, Recall, Sneak
from storm_p2p.actions import Liturgy as Pray
from storm_p2p.actions import Reveal as Show
from storm_p2p.board import Faction
from storm_p2p.game import Storm
from storm_p2p.state import Terms
from storm_p2p.units import Maneuver

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)
WINNERS = SEATS[::-1]


# --- the judges ------------------------------------------------------------------------------------------------


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return Court(tmp_path)


# --- the cheat's workshop --------------------------------------------------------------------------------------


def covered(cheat: Cheat, values: Sequence[int]) -> Cover:
    """Return commitments to any values at all, made with the salts that the seed gives."""
    request = cheat.session.request
    assert isinstance(request, Hide)
    maker = Maker(cheat.transcript.agreement.match_id, cheat.seat, cheat.secrets.seed)
    made = HashScheme().commit(maker, request.slots[0], values)
    return Cover(tuple(secret.commitment for secret in made), b"")


def shuffled(cheat: Cheat, said: Said, moved: Sequence[int], stayed: Sequence[int]) -> tuple[Choice, Shuffle]:
    """Return a partial move with any values in both parts."""
    draft: Draft = cheat.draft()
    draft.add(Choice(said))
    request = draft.request
    assert isinstance(request, Mix)
    maker = Maker(cheat.transcript.agreement.match_id, cheat.seat, cheat.secrets.seed)
    made = HashScheme().commit(maker, request.give[0][0], [*moved, *stayed])
    commitments = [secret.commitment for secret in made]
    parts = (tuple(sorted(commitments[: len(moved)])), tuple(sorted(commitments[len(moved) :])))
    return Choice(said), Shuffle(parts, b"")


def opening(cheat: Cheat, slot: int) -> bytes:
    return cheat.session._cards.openings[slot]


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
    maker = Maker(cheat.transcript.agreement.match_id, 0, cheat.secrets.seed)
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
    [
        (("cerberus",), ("hades",)),
        (("charon",), ("cronus",)),
        (("cerberus",), ("cerberus",)),
        (("zeus",), ("cronus",)),
    ],
    ids=["swapped with a unit elsewhere", "swapped away", "doubled", "a unit of the enemy"],
)
def test_other_units_in_a_re_hidden_group_are_found_by_the_audit(
    moved: tuple[str], stayed: tuple[str], court: Court
) -> None:
    pair = group_at_11("rehide")
    cheat = Cheat(pair, 0)
    said = codec.encode(Move((11, 12), (), 1))
    steps = shuffled(cheat, said, [unit(name) for name in moved], [unit(name) for name in stayed])
    cheat.go_quiet()
    go(cheat, *steps)
    give_up(pair, 1)
    court.named_by_the_audit(pair, 0, "batch_not_derived")


def test_a_re_hidden_group_must_have_as_many_tokens_as_before(court: Court) -> None:
    for sizes in ((2, 1), (1, 0), (1, 2)):
        pair = group_at_11(f"sizes {sizes}")
        cheat = Cheat(pair, 0)
        said = codec.encode(Move((11, 12), (), 1))
        parts = tuple(tuple(bytes([number, at]) * 16 for at in range(size)) for number, size in enumerate(sizes))
        cheat.send(cheat.envelope(Choice(said), Shuffle(parts, b"")))
        court.named_at_once(pair, 0, "wrong_count")


def test_old_tokens_cannot_be_given_out_as_fresh_ones(court: Court) -> None:
    pair = group_at_11("old tokens")
    cheat = Cheat(pair, 0)
    old = [cheat.transcript.position.tokens[token.serial].commitment for token in pair.host.state.game.sides[C][11]]
    said = codec.encode(Move((11, 12), (), 1))
    cheat.send(cheat.envelope(Choice(said), Shuffle(((old[0],), (old[1],)), b"")))
    court.named_at_once(pair, 0, "commitment_repeated")


def test_an_order_of_fresh_tokens_that_tells_the_owners_friend_something_is_refused(court: Court) -> None:
    pair = seated("order", setup(C, cerberus=11, cronus=5, charon=6, hades=10))
    for origin in (5, 6):
        pair.do(C, Move((origin, 11), (0,), 1))
        pair.do(O, Pray())
    cheat = Cheat(pair, 0)
    said = codec.encode(Move((11, 16), (), 2))
    choice, shuffle = shuffled(cheat, said, [unit("cerberus"), unit("cronus")], [unit("charon")])
    backwards = Shuffle((shuffle.parts[0][::-1], shuffle.parts[1]), b"")
    cheat.send(cheat.envelope(choice, backwards))
    court.named_at_once(pair, 0, "not_sorted")


# --- hidden illegal declarations -------------------------------------------------------------------------------


def test_a_known_flier_who_crosses_the_styx_unseen_is_found_by_the_audit(court: Court) -> None:
    pair = seated("flier", setup(C, harpies=12, cerberus=11, hades=10))
    pair.do(C, Move((11, 12), (0,), 1))
    pair.do(O, Pray())
    pair.do(C, Show(12, place_of(pair, C, 12, "harpies")))
    cheat = Cheat(pair, 0)
    said = codec.encode(Move((12, 7), (), 1))
    go(cheat, *shuffled(cheat, said, [unit("harpies")], [unit("cerberus")]))
    give_up(pair, 1)
    court.named_by_the_audit(pair, 0, "illegal_decision")


def test_a_known_dionysus_who_goes_back_unseen_and_pays_the_full_price_is_found_by_the_audit(court: Court) -> None:
    pair = seated("dionysus", None, setup(O, dionysus=14, artemis=9, zeus=4))
    pair.do(C, Pray())
    pair.do(O, Move((9, 14), (0,), 1))
    pair.do(C, Pray())
    pair.do(O, Show(14, place_of(pair, O, 14, "dionysus")))
    cheat = Cheat(pair, 1)
    said = codec.encode(Move((14, 15), (), 1))
    go(cheat, *shuffled(cheat, said, [unit("dionysus")], [unit("artemis")]))
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
    said = codec.encode(Move((13, 7), (0,), 1, 0))
    cheat.send(cheat.envelope(Choice(said), Reveal(((int(unit("artemis")), opening(cheat, slot)),))))
    court.named_at_once(pair, 1, "no-claim")


def test_claiming_poseidon_and_calling_another_unit_poseidon_is_named_at_once(court: Court) -> None:
    pair = seated("no poseidon", None, setup(O, artemis=13, poseidon=4))
    pair.do(C, Pray())
    cheat = Cheat(pair, 1)
    for slot in (serial(pair, O, 13), serial(pair, O, 4)):
        pair = seated("no poseidon", None, setup(O, artemis=13, poseidon=4))
        pair.do(C, Pray())
        cheat = Cheat(pair, 1)
        said = codec.encode(Move((13, 7), (0,), 1, 0))
        # With the salt of the token that moves, and with that of the true Poseidon.
        cheat.send(cheat.envelope(Choice(said), Reveal(((int(unit("poseidon")), opening(cheat, slot)),))))
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
    said = codec.encode(Sneak((7, 13), 0))
    cheat.send(cheat.envelope(Choice(said), Reveal(((int(unit("cronus")), opening(cheat, slot)),))))
    court.named_at_once(pair, 0, "no-sneak")


def test_calling_for_aphrodite_who_is_not_there_is_named_at_once(court: Court) -> None:
    pair = seated("aphrodite", setup(C, cronus=12, hades=10), setup(O, ares=13, zeus=4, hera=14, aphrodite=24))
    pair.do(C, Move((12, 13), (0,), 1))
    cheat = Cheat(pair, 1)
    slot = serial(pair, O, 14)
    said = codec.encode(Aid(slot))
    cheat.send(cheat.envelope(Choice(said), Reveal(((int(unit("hera")), opening(cheat, slot)),))))
    court.named_at_once(pair, 1, "false-claim")


def test_feeding_on_a_thunderbolt_without_hecate_is_named_at_once(court: Court) -> None:
    pair = seated("hecate", setup(C, cronus=12, charon=11, hades=10), setup(O, zeus=13))
    pair.do(C, Move((11, 12), (0,), 1))
    pair.do(O, Pray())
    pair.do(C, Move((12, 7), (0, 1), 2))
    pair.do(O, Bolt(7, serial(pair, O, 13)))
    cheat = Cheat(pair, 0)
    cronus, charon = serial(pair, C, 7, "cronus"), serial(pair, C, 7, "charon")
    said = codec.encode(Lose(cronus, charon))
    shown = Reveal(((int(unit("cronus")), opening(cheat, cronus)), (int(unit("charon")), opening(cheat, charon))))
    cheat.send(cheat.envelope(Choice(said), shown))
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
    right = [said for said in (0, 1) if STORM.check(pair.host.state, 0, said, pair.host.known) is None]
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
    go(cheat, Find(1 - right, b""))
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
        go(cheat, Find(0, b""))
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
    go(cheat, Find(1, b""))
    other_setup(pair)
    give_up(pair, 1)
    court.named_by_the_audit(pair, 0, "batch_not_derived")


@pytest.mark.parametrize(
    "said",
    [(), tuple(range(11)), (0,) * 12, (*range(11), 12), None, 5, (*range(11), None), ((0,),) * 12, (*range(12), 0)],
)
def test_a_deal_that_is_no_permutation_is_named_at_once(said: Said, court: Court) -> None:
    pair = StormPair(Terms(random_setup=True), tag="permutation")
    pair.act(0, None, tuple(range(12)))
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(Choice(said)))
    court.named_at_once(pair, 1, "illegal_decision")


# --- moves and choices against the rules -----------------------------------------------------------------------


ILLEGAL = {
    "too far": codec.encode(Move((12, 15), (0,), 1)),
    "from where nobody stands": codec.encode(Move((2, 3), (0,), 1)),
    "more than stand there": codec.encode(Move((12, 7), (0, 1), 2)),
    "a region that there is not": codec.encode(Move((12, 99), (0,), 1)),
    "to where one stands": codec.encode(Move((12, 12), (0,), 1)),
    "a recall of nobody": codec.encode(Recall(unit("charon"), 0)),
    "a bolt of the other side": codec.encode(Bolt(13, 12)),
    "a token of the other side": codec.encode(Move((13, 12), (0,), 1)),
    "an answer to no question": codec.encode(Fight(C, Maneuver.STANDARD, 0)),
    "a unit named on the wire": codec.encode(Move((12, 7), (0,), 1, 7)),
    "no action at all": (99,),
    "words": (0, (12, 7), (0, 0), None),
    "a pass": (6,),
}


@pytest.mark.parametrize("said", ILLEGAL.values(), ids=ILLEGAL)
def test_an_action_against_the_rules_is_named_at_once(said: Said, court: Court) -> None:
    pair = seated("illegal")
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice(said)))
    court.named_at_once(pair, 0, "illegal_decision")


def test_moving_when_it_is_not_ones_turn_is_named_at_once(court: Court) -> None:
    pair = seated("turn")
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(Choice(codec.encode(Pray()))))
    court.named_at_once(pair, 1, "not_your_turn")


def test_moving_twice_in_one_message_is_named_at_once(court: Court) -> None:
    pair = seated("twice in one")
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(*[Choice(codec.encode(Pray()))] * 2))
    court.named_at_once(pair, 0, "not_your_turn")


def fight(tag: str) -> StormPair:
    """Return a match in which Cronus has attacked Artemis in 13 and the Olympians have to seal."""
    pair = seated(tag, setup(C, cronus=12, hades=10), setup(O, artemis=13))
    pair.do(C, Move((12, 13), (0,), 1))
    return pair


@pytest.mark.parametrize("energy", [7, 25, 2**31 - 1, 2**40])
def test_more_energy_than_one_may_spend_is_named_at_once(energy: int, court: Court) -> None:
    pair = fight("energy")
    pair.do(O, Fight(O, Maneuver.STANDARD, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice((8, 0, 0, energy))))
    court.named_at_once(pair, 0, "illegal_decision")


def sealed(pair: StormPair, said: Said) -> tuple[Cheat, bytes]:
    """Let the Olympians seal any words and the Chthonians answer; return the cheat and his salt."""
    cheat = Cheat(pair, 1)
    cheat.go_quiet()
    position = cheat.transcript.position
    salt = cheat.draft()._salt()
    go(cheat, Seal(cheat.transcript.referee.seal(1, position.serial, salt, said)))
    pair.do(C, Fight(C, Maneuver.STANDARD, 0))
    return cheat, salt


@pytest.mark.parametrize(
    "said",
    [(8, 1, 0, 25), (8, 1, 9, 0), (8, 0, 0, 0), None, (6,)],
    ids=["energy", "maneuver", "faction", "nothing", "pass"],
)
def test_sealing_what_is_not_allowed_is_named_when_it_is_opened(said: Said, court: Court) -> None:
    pair = fight("sealed")
    cheat, salt = sealed(pair, said)
    cheat.send(cheat.envelope(Unseal(said, salt)))
    court.named_at_once(pair, 1, "illegal_decision")


def test_opening_a_seal_with_another_choice_is_named_at_once(court: Court) -> None:
    pair = fight("unsealed")
    cheat, salt = sealed(pair, codec.encode(Fight(O, Maneuver.STANDARD, 0)))
    cheat.send(cheat.envelope(Unseal(codec.encode(Fight(O, Maneuver.DEFENSE, 2)), salt)))
    court.named_at_once(pair, 1, "wrong_opening")


def test_copying_a_commitment_as_ones_seal_is_named_at_once(court: Court) -> None:
    pair = fight("copied")
    cheat = Cheat(pair, 1)
    (cover,) = envelope_of(pair.host.records[4].frame).steps
    assert isinstance(cover, Cover)
    cheat.send(cheat.envelope(Seal(cover.commitments[0])))
    court.named_at_once(pair, 1, "commitment_repeated")


def test_choosing_openly_where_one_has_to_seal_is_named_at_once(court: Court) -> None:
    pair = fight("openly")
    cheat = Cheat(pair, 1)
    cheat.send(cheat.envelope(Choice(codec.encode(Fight(O, Maneuver.STANDARD, 0)))))
    court.named_at_once(pair, 1, "wrong_step")


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
    older = Session.restore(backup, STORM, config.identity, config.entropy)
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
    pair.replace(0, Session.restore(backup, STORM, config.identity, config.entropy))
    pair.reconnect()
    pair.settle()
    assert isinstance(pair.sessions[0].stopped, Disagreement)
    assert isinstance(pair.guest.stopped, Disagreement)
    assert court.blames_nobody(pair.log(1))["ok"]


def finished(tag: str = "finished") -> StormPair:
    pair = seated(tag)
    pair.do(C, Pray())
    pair.guest.chat("good luck")
    pair.settle()
    pair.do(O, Pray())
    give_up(pair, 0)
    assert pair.host.closed
    return pair


def test_a_log_that_was_cut_by_its_exporter_proves_no_result_and_blames_nobody(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = pair.host.records
    ends = [number for number, record in enumerate(records) if record.kind == Kind.SIDE]
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
        size = 8 * (len(record.frame) - 32 * (record.kind == Kind.HELLO))
        for bit in (3, size // 2, size - 1):
            edited = [*records[:number], Record(record.kind, flipped(record.frame, bit)), *records[number + 1 :]]
            answer = court.blames_nobody(forged(cheat, edited))
            assert not answer["ok"], (number, bit)


# --- framing: the exporter has only his own key ------------------------------------------------------------------


def without(records: Sequence[Record], leave_out: Callable[[Record], bool]) -> list[Record]:
    return [record for record in records if not leave_out(record)]


def by(record: Record, seat: int, kind: Kind) -> bool:
    """Say whether a record is of this kind and by this seat."""
    if record.kind != kind:
        return False
    values = unpack_frame(record.frame)[1]
    if kind is Kind.SIDE:
        return Side.unpack(values[0]).seat == seat
    if kind is Kind.ENVELOPE:
        return envelope_of(record.frame).seat == seat
    return bool(values[0] == seat)


def test_leaving_ones_resignation_out_does_not_turn_the_result_against_the_other(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    court.blames_nobody(forged(cheat, without(pair.host.records, lambda record: by(record, 0, Kind.SIDE))))


@pytest.mark.parametrize("accepted", [False, True])
def test_leaving_ones_draw_offer_out_does_not_turn_the_answer_against_the_other(accepted: bool, court: Court) -> None:
    pair = seated("offer")
    pair.host.offer_draw()
    pair.settle()
    (pair.guest.accept_draw if accepted else pair.guest.decline_draw)()
    pair.settle()
    cheat = Cheat(pair, 0)
    court.blames_nobody(forged(cheat, without(pair.host.records, lambda record: by(record, 0, Kind.SIDE))))


def test_leaving_the_others_signature_out_does_not_turn_his_seed_against_him(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    court.blames_nobody(forged(cheat, without(pair.host.records, lambda record: by(record, 1, Kind.RESULT))))


def test_leaving_the_others_resignation_out_does_not_blame_the_one_who_signed_the_result(court: Court) -> None:
    pair = seated("resigned")
    give_up(pair, 0)
    cheat = Cheat(pair, 1)
    court.blames_nobody(forged(cheat, without(pair.guest.records, lambda record: by(record, 0, Kind.SIDE))))


@pytest.mark.parametrize(
    ("kind", "forward"),
    [
        (Kind.SIDE, True),
        (Kind.SIDE, False),
        (Kind.RESULT, True),
        (Kind.RESULT, False),
        (Kind.SEED, True),
        (Kind.SEED, False),
        (Kind.VERDICT, True),
    ],
)
def test_moving_the_others_messages_within_the_log_blames_nobody(kind: Kind, forward: bool, court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    places = [number for number, record in enumerate(records) if record.kind != Kind.VERDICT and by(record, 1, kind)]
    if kind is Kind.VERDICT:
        places = [number for number, record in enumerate(records) if record.kind == Kind.VERDICT]
    record = records.pop(places[-1])
    records.insert(4 if forward else len(records), record)
    court.blames_nobody(forged(cheat, records))


@pytest.mark.parametrize("kind", [Kind.ENVELOPE, Kind.SIDE])
def test_repeating_the_others_message_in_a_log_blames_nobody(kind: Kind, court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    place = next(number for number, record in enumerate(records) if by(record, 1, kind))
    answer = court.blames_nobody(forged(cheat, [*records[: place + 1], *records[place:]]))
    assert not answer["ok"]


def test_filing_the_others_message_under_another_kind_blames_nobody(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    place = next(number for number, record in enumerate(records) if by(record, 1, Kind.ENVELOPE))
    records[place] = Record(Kind.SIDE, records[place].frame)
    answer = court.blames_nobody(forged(cheat, records))
    assert not answer["ok"]


def test_putting_another_move_of_ones_own_before_the_others_answer_does_not_convict_the_other(court: Court) -> None:
    pair = finished()
    cheat = Cheat(pair, 0)
    records = list(pair.host.records)
    own = [number for number, record in enumerate(records) if by(record, 0, Kind.ENVELOPE)]
    true = envelope_of(records[own[-1]].frame)
    other = replace(true, steps=(Choice(codec.encode(Move((12, 7), (0,), 1))),))
    state = next(played for played in pair.host.history if played.seq == true.seq).before
    after, _ = cheat.transcript.referee.apply(state, 0, other.steps[0])
    other = replace(other, state=cheat.transcript._hash_state(after))
    records[own[-1]] = Record(Kind.ENVELOPE, cheat.sign_envelope(other.pack()))
    answer = court.blames_nobody(forged(cheat, records))
    assert not answer["ok"]


def test_continuing_in_the_others_place_after_another_move_does_not_convict_the_other(court: Court) -> None:
    # 11 to 12 without the fresh tokens: the message is half done, and the next is the cheat's again.
    pair = group_at_11("half")
    cheat = Cheat(pair, 0)
    at = cheat.transcript.position
    head = cheat.transcript.head
    length = cheat.transcript.length
    pair.do(C, Pray())
    pair.do(O, Pray())
    half = Choice(codec.encode(Move((11, 12), (), 1)))
    middle, _ = cheat.transcript.referee.apply(at, 0, half)
    first = cheat.envelope(half, seq=length + 1, prev=head, state=cheat.transcript._hash_state(middle))
    assert isinstance(middle.request, Mix)
    maker = Maker(cheat.transcript.agreement.match_id, 0, cheat.secrets.seed)
    made = HashScheme().commit(maker, middle.request.give[0][0], [unit("cerberus"), unit("cronus")])
    shuffle = Shuffle(tuple((secret.commitment,) for secret in made), b"")
    end, _ = cheat.transcript.referee.apply(middle, 0, shuffle)
    digest = hashed("env", unpack_frame(first)[1][0])
    second = cheat.envelope(shuffle, seq=length + 2, prev=digest, state=cheat.transcript._hash_state(end))
    records = list(pair.host.records)
    places = [number for number, record in enumerate(records) if record.kind == Kind.ENVELOPE]
    kept = records[: places[length]]
    answered = next(r for r in records if by(r, 1, Kind.ENVELOPE) and envelope_of(r.frame).seq == length + 2)
    forgery = [*kept, Record(Kind.ENVELOPE, first), Record(Kind.ENVELOPE, second), answered]
    court.blames_nobody(forged(cheat, forgery))


# --- result, audit, draw, resignation ----------------------------------------------------------------------------


def test_refusing_the_audit_leaves_a_result_that_is_marked_and_blames_nobody(court: Court, tmp_path: Path) -> None:
    pair = seated("no audit")
    pair.guest.resign()
    pair.transfer(1)
    # Only the signature under the result goes over; the seed does not.
    frames = pair.host.data_to_send()
    assert frames[0][1] == Kind.RESULT
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
    pair.transfer(0, lambda frame: frame if frame[1] == Kind.ENVELOPE else None)
    assert pair.guest.over
    assert pair.guest.stage(0) is Stage.ENDED
    answer = court.blames_nobody(pair.log(1))
    assert answer["ok"]
    assert not answer["audited"]
    assert answer["result"] == {"winner": "olympians", "reason": "honor"}


def test_denying_ones_resignation_by_signing_another_result_is_named_at_once() -> None:
    pair = seated("denied")
    pair.host.resign()
    cheat = Cheat(pair, 0)
    pair.transfer(0)
    transcript = cheat.transcript
    result = (("reason", "forfeit"), ("winner", "chthonians"))
    data = Outcome(transcript.agreement.match_id, transcript.length, transcript.head, result).pack()
    by_match_key = keys.sign(cheat.secrets.match_key, "result", data)
    by_identity = keys.sign(cheat.session._identity, "result", data)
    cheat.send(pack_frame(Kind.RESULT, 0, data, by_match_key, by_identity))
    event = pair.last(1, PeerMisbehaved)
    assert (event.code, event.seat) == ("false_result", 0)
    assert pair.guest.result == {"winner": "olympians", "reason": "forfeit"}


def test_going_on_after_one_has_resigned_is_named_at_once(court: Court) -> None:
    pair = seated("goes on")
    cheat = Cheat(pair, 0)
    move = cheat.envelope(Choice(codec.encode(Pray())), state=cheat.state_after(Choice(codec.encode(Pray()))))
    cheat.send(cheat.side(SideType.RESIGN))
    cheat.send(move)
    court.named_at_once(pair, 0, "not_now")


def test_accepting_a_draw_that_the_match_has_left_behind_has_no_effect() -> None:
    pair = seated("stale")
    pair.host.offer_draw()
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


# --- the handshake ---------------------------------------------------------------------------------------------


def met(**guest: Any) -> list[HandshakeEvent]:
    host, theirs = configs(STORM, (0, 0, 0), tag="handshake")
    return shake(host, replace(theirs, **guest))[2]


class OtherRules(Storm):
    """The same game with a changed map."""

    version = "1-" + "0" * 64  # type: ignore[misc]


@pytest.mark.parametrize(
    ("guest", "code"),
    [
        ({"versions": (2,)}, "version"),
        ({"schemes": ("none",)}, "scheme"),
        ({"game": OtherRules()}, "rules"),
        ({"terms": (1, 0, 0)}, "terms"),
        ({"peer_identity": bytes(32)}, "wrong_identity"),
        ({"channel": bytes(32)}, "channel"),
    ],
)
def test_programs_that_do_not_fit_say_so_and_there_is_no_match(guest: dict[str, Any], code: str) -> None:
    events = met(**guest)
    assert code in {event.code.removeprefix("peer_") for event in events if isinstance(event, HandshakeFailed)}
    assert not any(isinstance(event, Agreed) for event in events)


def test_both_programs_print_both_hashes_of_the_rules() -> None:
    (event,) = [one for one in met(game=OtherRules()) if isinstance(one, HandshakeFailed) and one.code == "rules"][:1]
    assert {event.ours, event.theirs} == {STORM.version, OtherRules.version}


def test_nobody_between_the_two_can_change_what_they_speak_or_offer() -> None:
    # Every byte of the four frames is covered by the invite's secret, by a signature or by both.
    host, guest = configs(STORM, (0, 0, 0), tag="between")
    for number in range(4):
        for step in range(0, 4000, 61):
            sides = (Handshake(guest), Handshake(host))
            sent = 0
            for _ in range(3):
                for one, other in (sides, sides[::-1]):
                    for frame in one.data_to_send():
                        data = frame
                        if sent == number and step < 8 * len(frame):
                            data = flipped(frame, step)
                        sent += 1
                        other.receive_data(data)
            if sides[0].agreement is not None and sides[1].agreement is not None:
                assert step >= 8 * len(sides[0].records[number].frame), (number, step)


# --- a third process judges --------------------------------------------------------------------------------------


def cheated_in_the_setup() -> tuple[StormPair, str]:
    pair = StormPair(tag="process setup")
    cheat = Cheat(pair, 0)
    cheat.go_quiet()
    go(cheat, covered(cheat, BAD_SETUPS["a unit twice"]))
    pair.act(1, None, tuple(int(one) for one in setup(O)))
    give_up(pair, 1)
    return pair, "batch_not_derived"


def cheated_with_a_claim() -> tuple[StormPair, str]:
    pair = seated("process sneak", setup(C, cronus=12, erinyes=5, hades=10))
    pair.do(C, Move((12, 7), (0,), 1))
    pair.do(O, Pray())
    cheat = Cheat(pair, 0)
    shown = Reveal(((int(unit("cronus")), opening(cheat, serial(pair, C, 7))),))
    cheat.send(cheat.envelope(Choice(codec.encode(Sneak((7, 13), 0))), shown))
    return pair, "no-sneak"


def cheated_with_energy() -> tuple[StormPair, str]:
    pair = fight("process energy")
    pair.do(O, Fight(O, Maneuver.STANDARD, 0))
    cheat = Cheat(pair, 0)
    cheat.send(cheat.envelope(Choice((8, 0, 0, 25))))
    return pair, "illegal_decision"


@pytest.mark.parametrize("cheated", [cheated_in_the_setup, cheated_with_a_claim, cheated_with_energy])
def test_a_third_process_with_nothing_but_the_file_names_the_cheat(
    cheated: Callable[[], tuple[StormPair, str]], tmp_path: Path
) -> None:
    pair, wanted = cheated()
    code, answer = in_a_process_of_its_own(pair.log(1), tmp_path)
    assert code == 1
    assert not answer["ok"]
    assert [(one["code"], one["seat"]) for one in answer["problems"]] == [(wanted, "chthonians")]
    assert answer["problems"][0]["text"].startswith("expected ")
