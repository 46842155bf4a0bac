"""What the scheme ``proved`` refuses at once where ``hash`` finds it late, and that a stranger with the log agrees.

The cheats prove as well as anybody can: their proofs have the right form and length, and are right wherever what they
say is true.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from helpers import daily_first
from helpers_proofs import VECTORS, L, mutations, points
from helpers_storm import StormPair, setup, unit
from helpers_wire import NONCE, entropy, envelope_of

from protocol.core.steps import Choice, Commit, Recommit, Reveal
from protocol.crypto import group
from protocol.crypto.commitments.interface import Context
from protocol.crypto.scalars import scalar_bytes
from storm.cheats import BAD_SETUPS, Court, give_up, go, group_at_11, place_of, seated
from storm.forger import SCHEME, Forger, new
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Liturgy as Pray
from storm_p2p.storm.actions import Move
from storm_p2p.storm.actions import Reveal as Show
from storm_p2p.storm.board import Faction

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)
SAID = codec.encode(Move((11, 12), (), 1))


@pytest.mark.parametrize("values", BAD_SETUPS.values(), ids=BAD_SETUPS)
def test_a_setup_of_other_units_than_the_twelve_is_refused_at_once(values: list[int], court: Court) -> None:
    pair, cheat = new("setup")
    cheat.show(cheat.cover(values))
    court.named_at_once(pair, 0, "bad_proof")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_setup_without_the_leader_is_refused_at_once(seat: int, court: Court) -> None:
    pair = StormPair(tag="leader", scheme="proved")
    faction, leader = (C, O)[seat], unit(("hades", "zeus")[seat])
    if seat == 1:
        pair.act(0, None, tuple(int(one) for one in setup(C)))
    cheat = Forger(pair, seat)
    others = [int(one) for one in setup(faction) if one != leader]
    # Among those left out, each of the three places.
    cheat.show(cheat.cover([*others[:9], int(leader), *others[9:]]))
    court.named_at_once(pair, seat, "bad_proof")


def test_the_forgers_proof_of_an_honest_setup_is_taken(court: Court) -> None:
    # What the other tests refuse is not refused for the forger's hand.
    pair, cheat = new("honest forger")
    go(cheat, cheat.cover([int(one) for one in setup(C)]))
    assert not pair.guest.over
    assert pair.guest.transcript.length == 1


def test_a_setup_with_no_proof_or_with_the_proof_of_another_is_refused_at_once(court: Court) -> None:
    honest = [int(one) for one in setup(C)]
    for other in ([], [*honest[1::-1], *honest[2:]]):
        pair, cheat = new(f"other proof {len(other)}")
        cover = cheat.cover(honest)
        proof = cheat.cover(other).proof if other else b""
        cheat.show(Commit(cover.commitments, proof, NONCE))
        court.named_at_once(pair, 0, "bad_proof")


OTHER_CONTEXTS: dict[str, Any] = {"seat": 1, "serial": 1, "match_id": entropy("x"), "head": entropy("x")}


@pytest.mark.parametrize("name", OTHER_CONTEXTS)
def test_a_proof_for_another_seat_match_or_moment_is_refused_at_once(name: str, court: Court) -> None:
    pair, cheat = new("context")
    there = cheat.here()._replace(**{name: OTHER_CONTEXTS[name]})
    cheat.show(cheat.cover([int(one) for one in setup(C)], there))
    court.named_at_once(pair, 0, "bad_proof")


@pytest.mark.parametrize("count", daily_first([4, 12]))
def test_an_altered_proof_is_refused_at_once(count: int, court: Court) -> None:
    pair, cheat = new("altered")
    cover = cheat.cover([int(one) for one in setup(C)])
    altered = list(mutations(cover.proof, (12,) * 12 + (1, 9)))
    for proof in Random(1).sample(altered, count):
        pair, cheat = new("altered")
        cheat.show(Commit(cover.commitments, proof, NONCE))
        court.named_at_once(pair, 0, "bad_proof")


def test_a_scalar_and_the_order_is_no_scalar(court: Court) -> None:
    pair, cheat = new("order")
    cover = cheat.cover([int(one) for one in setup(C)])
    at = 16 + 11 * 16
    scalar = int.from_bytes(cover.proof[at : at + 32], "little")
    cheat.show(Commit(cover.commitments, cover.proof[:at] + scalar_bytes(scalar + L) + cover.proof[at + 32 :], NONCE))
    court.named_at_once(pair, 0, "bad_proof")


BAD_POINTS = (
    "small order, 0",
    "small order, 4",
    "mixed order, B + 4",
    "mixed order, generator 7 + 1",
    "not canonical, y",
    "not canonical, x = 0 with",
    "not on the curve, y = 2",
)


def bad_point(name: str) -> bytes:
    return next(bytes.fromhex(one) for what, one in VECTORS["bad points"].items() if what.startswith(name))


@pytest.mark.parametrize("name", BAD_POINTS)
def test_a_token_that_is_no_point_of_prime_order_is_refused_at_once(name: str, court: Court) -> None:
    pair, cheat = new("points")
    cover = cheat.cover([int(one) for one in setup(C)])
    cheat.show(Commit((*cover.commitments[:5], bad_point(name), *cover.commitments[6:]), cover.proof, NONCE))
    court.named_at_once(pair, 0, "bad_point")


def test_tokens_shifted_by_a_point_of_small_order_are_refused_at_once(court: Court) -> None:
    # Every equation of the proof would hold up to the small order.
    pair, cheat = new("shifted")
    cover = cheat.cover([int(one) for one in setup(C)])
    shifted = tuple(group.add(one, bad_point("small order, 2")) for one in cover.commitments)
    cheat.show(Commit(shifted, cover.proof, NONCE))
    court.named_at_once(pair, 0, "bad_point")


def test_the_others_tokens_and_proof_are_no_setup_of_ones_own(court: Court) -> None:
    pair = StormPair(tag="copy", scheme="proved")
    pair.act(0, None, tuple(int(one) for one in setup(C)))
    (theirs,) = envelope_of(pair.wire[0][1]).steps
    cheat = Forger(pair, 1)
    cheat.show(theirs)
    court.named_at_once(pair, 1, "commitment_repeated")


def test_openings_that_do_not_come_from_the_seed_are_found_by_the_audit(court: Court) -> None:
    # The proof holds: it is a permutation. Only the audit can know where the openings come from.
    pair, cheat = new("own blinding")
    cheat.go_quiet()
    go(cheat, cheat.cover([int(one) for one in setup(C)], seed=entropy("another seed")))
    pair.act(1, None, tuple(int(one) for one in setup(O)))
    give_up(pair, 0)
    court.named_by_the_audit(pair, 0, "batch_not_derived")


# --- openings --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["another unit", "another opening", "opening and order", "nothing"])
def test_opening_another_unit_than_was_proved_is_refused_at_once(how: str, court: Court) -> None:
    pair = seated(f"open {how}", scheme="proved")
    cheat = Forger(pair, 0)
    token = cheat.session.state.game.sides[C][10][0].serial
    value, opening = cheat.session.known[token], cheat.session._secret_replay.openings[token]
    wrong = {
        "another unit": ((value + 1) % 12, opening),
        "another opening": (value, scalar_bytes((int.from_bytes(opening, "little") + 1) % L)),
        "opening and order": (value, (int.from_bytes(opening, "little") + L).to_bytes(32, "little")),
        "nothing": (value, bytes(32)),
    }[how]
    cheat.show(Choice(codec.encode(Show(10, 0))), Reveal((wrong,)))
    court.named_at_once(pair, 0, "wrong_opening")


# --- divided groups --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moved", "stayed"),
    [(("cerberus",), ("hades",)), (("charon",), ("cronus",)), (("cerberus",), ("cerberus",)), (("zeus",), ("cronus",))],
    ids=["swapped with a unit elsewhere", "swapped away", "doubled", "a unit of the enemy"],
)
def test_other_units_in_a_divided_group_are_refused_at_once(
    moved: tuple[str], stayed: tuple[str], court: Court
) -> None:
    pair = group_at_11("rehide", "proved")
    cheat = Forger(pair, 0)
    cheat.show(*cheat.shuffle(SAID, [unit(name) for name in moved], [unit(name) for name in stayed]))
    court.named_at_once(pair, 0, "bad_proof")


@pytest.mark.parametrize(("moved", "stayed"), [("cerberus", "cronus"), ("cronus", "cerberus")])
def test_the_same_units_in_a_divided_group_are_taken_whoever_goes(moved: str, stayed: str) -> None:
    pair = group_at_11("honest", "proved")
    cheat = Forger(pair, 0)
    go(cheat, *cheat.shuffle(SAID, [unit(moved)], [unit(stayed)]))
    assert not pair.guest.over


def test_a_dropped_unit_and_a_thirteenth_are_refused_at_once(court: Court) -> None:
    for sizes in ((2, 1), (1, 0), (1, 2)):
        pair = group_at_11(f"sizes {sizes}", "proved")
        cheat = Forger(pair, 0)
        parts = [
            sorted(points(SCHEME.commit(cheat.maker(), 500 + part, list(range(size)))))
            for part, size in enumerate(sizes)
        ]
        cheat.show(Choice(SAID), Recommit(tuple(map(tuple, parts)), b"", NONCE))
        court.named_at_once(pair, 0, "wrong_count")


def test_the_proof_of_an_older_division_is_refused_at_once(court: Court) -> None:
    pair = group_at_11("old proof", "proved")
    cheat = Forger(pair, 0)
    choice, shuffle = cheat.shuffle(SAID, [unit("cerberus")], [unit("cronus")])
    go(cheat, choice, shuffle)
    pair.do(O, Pray())
    # They come together again and are divided with the same proof.
    pair.do(C, Move((12, 11), (0,), 1))
    pair.do(O, Pray())
    again, fresh = cheat.shuffle(SAID, [unit("cerberus")], [unit("cronus")])
    cheat.show(again, Recommit(fresh.parts, shuffle.proof, NONCE))
    court.named_at_once(pair, 0, "bad_proof")


def test_a_division_proved_for_another_head_of_the_chain_is_refused_at_once(court: Court) -> None:
    pair = group_at_11("head", "proved")
    cheat = Forger(pair, 0)
    here = cheat.here()
    there = Context(here.match_id, here.seat, pair.host.transcript.heads[-2], here.serial + 1)
    cheat.show(*cheat.shuffle(SAID, [unit("cerberus")], [unit("cronus")], there))
    court.named_at_once(pair, 0, "bad_proof")


def test_a_known_flier_who_crosses_the_styx_unseen_is_refused_at_once(court: Court) -> None:
    pair = seated("flier", setup(C, harpies=12, cerberus=11, hades=10), scheme="proved")
    pair.do(C, Move((11, 12), (0,), 1))
    pair.do(O, Pray())
    pair.do(C, Show(12, place_of(pair, C, 12, "harpies")))
    cheat = Forger(pair, 0)
    decision = codec.encode(Move((12, 7), (), 1))
    cheat.show(*cheat.shuffle(decision, [unit("harpies")], [unit("cerberus")]))
    court.named_at_once(pair, 0, "bad_proof")


def test_a_known_dionysus_who_goes_back_unseen_and_pays_the_full_price_is_refused_at_once(court: Court) -> None:
    pair = seated("dionysus", None, setup(O, dionysus=14, artemis=9, zeus=4), scheme="proved")
    pair.do(C, Pray())
    pair.do(O, Move((9, 14), (0,), 1))
    pair.do(C, Pray())
    pair.do(O, Show(14, place_of(pair, O, 14, "dionysus")))
    cheat = Forger(pair, 1)
    cheat.show(*cheat.shuffle(codec.encode(Move((14, 15), (), 1)), [unit("dionysus")], [unit("artemis")]))
    court.named_at_once(pair, 1, "bad_proof")


def test_the_hidden_comrade_of_a_known_flier_may_cross_the_styx_unseen() -> None:
    pair = seated("comrade", setup(C, harpies=12, cerberus=11, hades=10), scheme="proved")
    pair.do(C, Move((11, 12), (0,), 1))
    pair.do(O, Pray())
    pair.do(C, Show(12, place_of(pair, C, 12, "harpies")))
    cheat = Forger(pair, 0)
    go(cheat, *cheat.shuffle(codec.encode(Move((12, 7), (), 1)), [unit("cerberus")], [unit("harpies")]))
    assert not pair.guest.over
