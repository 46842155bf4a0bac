"""Hidden information is sacred: what goes over the wire does not depend on it before an opening."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from helpers_storm import LEFT_OUT, STORM, StormPair, setup, unit
from helpers_wire import envelope_of

from protocol.core.frames import FrameKind
from protocol.core.secret_replay import SecretReplay
from protocol.core.session import Session
from protocol.core.steps import Commit, Recommit, Reveal, Seal
from protocol.game import Choose, Decision, Mix, Sealed
from storm.twins import Parts, Twins, assert_silent, skeleton, swapped
from storm_p2p.storm import codec, game
from storm_p2p.storm.actions import Aid, Bolt, Fight, Liturgy, Move
from storm_p2p.storm.actions import Reveal as Show
from storm_p2p.storm.board import Faction
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.codec import StormState
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Maneuver

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)
LONG = pytest.mark.long


@pytest.mark.parametrize("own_match", [False, True], ids=["one seed", "seeds of their own"])
@pytest.mark.parametrize(
    ("scheme", "matches"),
    [("hash", 4), ("proved", 1), *(pytest.param(*more, marks=LONG) for more in (("hash", 12), ("proved", 4)))],
)
def test_before_the_first_opening_the_wire_does_not_depend_on_the_units(
    own_match: bool, scheme: str, matches: int
) -> None:
    # Groups must have been divided often enough for this to mean something.
    assert sum(play_twins(seed, own_match, scheme) for seed in range(matches)) > 1.5 * matches


def play_twins(seed: int, own_match: bool, scheme: str) -> int:
    """Play twins up to the first opening, checking all the way; return how many groups were divided."""
    chance = random.Random(seed)
    twins = Twins(own_match=own_match, tag=f"units {seed}", scheme=scheme)
    for faction in (C, O):
        units = draw_setup(faction, Terms(), chance)
        # In every third run everything is arranged anew; else the smallest difference that there is.
        other = draw_setup(faction, Terms(), chance) if seed % 3 == 0 else swapped(units, chance)
        twins.place(faction, units, units if seed % 3 == 1 and faction == O else other)
    divided = 0
    for _ in range(25):
        state = twins.first.host.state.game
        seat = int(state.turn)
        moves = list(twins.silent_moves())
        splits = [move for move in moves if not move.movers]
        wholes = [move for move in moves if move.movers]
        if not wholes or chance.random() < 0.15:
            if state.honor[seat] <= 2:
                break
            twins.do(seat, Liturgy())
        elif splits and chance.random() < 0.6:
            move = chance.choice(splits)
            group = [token.serial for token in state.sides[seat][move.path[0]]]
            twins.say(seat, codec.encode(move), split(group, move.count, chance), split(group, move.count, chance))
            divided += 1
        else:
            twins.say(seat, codec.encode(chance.choice(wholes)))
    assert len(twins.first.wire) > 12
    # Nothing was opened, so nobody knows anything of the other.
    for pair in twins.pairs:
        for seat in (0, 1):
            assert len(pair.sessions[seat].known) >= 12
            theirs = {token.serial for group in pair.host.state.game.sides[1 - seat] for token in group}
            assert theirs.isdisjoint(pair.sessions[seat].known)
    assert not any(isinstance(step, Reveal) for _, frame in twins.first.wire for step in envelope_of(frame).steps)
    return divided


def split(group: list[int], count: int, chance: random.Random) -> Parts:
    """Send any members of a group away."""
    mixed = list(group)
    chance.shuffle(mixed)
    return tuple(mixed[:count]), tuple(mixed[count:])


@pytest.mark.parametrize("scheme", ["hash", "proved"])
def test_which_members_of_a_group_went_is_not_told_even_when_one_of_them_had_been_revealed(scheme: str) -> None:
    twins = Twins(tag="revealed member", scheme=scheme)
    twins.place(C, setup(C, cerberus=11, cronus=5, hades=10), setup(C, cerberus=11, cronus=5, hades=10))
    twins.place(O, setup(O), setup(O))
    twins.say(C, codec.encode(Move((5, 11), (0,), 1)))
    twins.do(O, Liturgy())
    place = next(
        place for place, token in enumerate(twins.first.view(C).sides[C][11]) if token.unit == unit("cerberus")
    )
    twins.do(C, Show(11, place))
    known = twins.first.host.state.game.sides[C][11]
    assert [token.known for token in known].count(True) == 1
    one, other = (token.serial for token in known)
    twins.say(C, codec.encode(Move((11, 6), (), 1)), ((one,), (other,)), ((other,), (one,)))
    assert not any(token.known for group in twins.first.host.state.game.sides[C] for token in group)
    # What was known of the old tokens says nothing of the new ones.
    for pair in twins.pairs:
        fresh = {token.serial for region in (6, 11) for token in pair.host.state.game.sides[C][region]}
        assert fresh.isdisjoint(pair.guest.known)
        assert fresh <= set(pair.host.known)
    assert twins.first.host.known != twins.second.host.known


# --- re-hiding -------------------------------------------------------------------------------------------------


def shuffles(pair: StormPair) -> Iterator[tuple[Mix, Recommit, dict[int, int]]]:
    """Yield each re-hiding of a finished match with what both together knew after it."""
    transcript = pair.host.transcript
    secret_replay = SecretReplay(transcript.referee, transcript.seeds)
    for played in transcript.history:
        secret_replay.follow(played)
        if isinstance(played.step, Recommit):
            assert isinstance(played.before.request, Mix)
            yield played.before.request, played.step, secret_replay.known


def test_re_hidden_groups_lie_in_the_order_of_their_commitments_and_no_commitment_comes_twice() -> None:
    by_unit: Counter[bool] = Counter()
    by_age: Counter[bool] = Counter()
    first_moved: Counter[bool] = Counter()
    for number in range(40):
        pair = StormPair(tag=f"rehide {number}")
        pair.play_out(number)
        seen: set[bytes] = set()
        for record in pair.host.records:
            if record.kind == FrameKind.ENVELOPE:
                for step in envelope_of(record.frame).steps:
                    made = step.commitments if isinstance(step, Commit) else ()
                    if isinstance(step, Recommit):
                        made = tuple(one for part in step.parts for one in part)
                        assert all(list(part) == sorted(part) for part in step.parts)
                    assert seen.isdisjoint(made)
                    seen.update(made)
        for request, step, known in shuffles(pair):
            old = {known[slot]: slot for slot in request.take}
            for slots, part in zip(request.give, step.parts, strict=True):
                assert len(slots) == len(part)
                for one, two in pairwise(slots):
                    by_unit[known[one] < known[two]] += 1
                    by_age[old[known[one]] < old[known[two]]] += 1
            if all(request.give):
                first_moved[max(step.parts[0]) < min(step.parts[1])] += 1
    for counted in (by_unit, by_age):
        # Fair coins; five standard deviations.
        total = counted.total()
        assert total > 60
        assert abs(counted[True] - total / 2) < 2.5 * total**0.5, counted
    assert first_moved[False] > 0


def test_the_engine_hands_out_serials_by_unit_but_the_wire_does_not() -> None:
    # The builder of a state orders fresh serials by unit where it sees units.  What is known to a seat comes from the
    # commitments instead, so the same division under many seeds puts either unit first.
    orders: Counter[tuple[int, ...]] = Counter()
    for number in range(30):
        pair = StormPair(tag=f"order {number}")
        pair.place(setup(C, cerberus=11, cronus=5, charon=6, hades=10), setup(O))
        for origin in (5, 6):
            pair.do(C, Move((origin, 11), (0,), 1))
            pair.do(O, Liturgy())
        group = pair.view(C).sides[C][11]
        assert len(group) == 3
        stays = next(place for place, token in enumerate(group) if token.unit == unit("cerberus"))
        movers = tuple(place for place in range(3) if place != stays)
        pair.do(C, Move((11, 16), movers, 2))
        moved = [token.serial for token in pair.host.state.game.sides[C][16] if token.serial >= 24]
        orders[tuple(pair.host.known[serial] for serial in moved)] += 1
    assert len(orders) == 2
    assert min(orders.values()) >= 5


# --- sealed choices and questions that would betray a unit ------------------------------------------------------


def before_the_fight(tag: str, *, olympian: str = "artemis", chthonian: str = "cronus", **out: int) -> StormPair:
    """Return a match in which the Chthonians have just attacked 13 from 12."""
    pair = StormPair(tag=tag)
    pair.place(setup(C, **{chthonian: 12, "hades": 10}), setup(O, **{olympian: 13, **out}))
    pair.do(C, Move((12, 13), (0,), 1))
    return pair


def asked(session: Session) -> str:
    """Return the kind of what a player is asked now."""
    return str(getattr(session.asks_us, "kind", session.asks_us))


def test_a_sealed_choice_has_one_length_whatever_it_is() -> None:
    lengths: Counter[int] = Counter()
    skeletons: set[bytes] = set()
    choices: list[Decision] = []
    for number in range(99):
        pair = before_the_fight("sealed")
        assert isinstance(pair.guest.asks_us, Sealed)
        choices = sorted(pair.guest.moves(), key=str)
        if number >= len(choices):
            break
        pair.guest.act(choices[number])
        (frame,) = pair.guest.data_to_send()
        assert isinstance(envelope_of(frame).steps[0], Seal)
        lengths[len(frame)] += 1
        skeletons.add(skeleton(frame))
    assert len(choices) > 20
    assert len(lengths) == len(skeletons) == 1


def test_the_attacker_who_answers_openly_sees_nothing_of_the_sealed_choice_before() -> None:
    frames = []
    for maneuver, energy in ((Maneuver.STANDARD, 0), (Maneuver.DEFENSE, 6)):
        pair = before_the_fight("two seals")
        pair.do(O, Fight(O, maneuver, energy))
        frames.append(list(pair.wire))
        assert {value for slot, value in pair.host.known.items() if slot >= 12} == {unit("artemis")}
    assert_silent(*frames)


def test_the_question_for_aphrodite_is_asked_and_denied_in_the_same_bytes_wherever_she_is() -> None:
    wires = []
    for where in (14, 9, 15, LEFT_OUT):
        pair = before_the_fight("aid", olympian="ares", zeus=4, aphrodite=where)
        assert asked(pair.guest) == "aid"
        pair.do(O, Aid(None))
        assert asked(pair.guest) == "fight"
        wires.append(list(pair.wire))
    for other in wires[1:]:
        assert_silent(wires[0], other)


def test_a_thunderbolt_asks_the_same_question_whether_the_lone_unit_is_proof_or_not() -> None:
    wires = []
    for hit in ("cerberus", "hecate", "charon"):
        pair = StormPair(tag="bolt")
        pair.place(setup(C, **{hit: 12, "hades": 10}), setup(O, zeus=13))
        pair.do(C, Move((12, 7), (0,), 1))
        thrower = pair.host.state.game.sides[O][13][0].serial
        pair.do(O, Bolt(7, thrower))
        assert asked(pair.host) == "bolt"
        wires.append(list(pair.wire))
    for other in wires[1:]:
        assert_silent(wires[0], other)


def test_the_succession_is_asked_whether_there_is_an_heir_or_not() -> None:
    wires = []
    for persephone in (5, 16, LEFT_OUT):
        pair = StormPair(tag="heir")
        pair.place(setup(C, hades=12, persephone=persephone), setup(O, poseidon=13))
        pair.do(C, Liturgy())
        pair.do(O, Move((13, 12), (0,), 1))
        while isinstance(pair.host.request, Choose) and pair.host.request.kind == "aid":
            pair.do(O, Aid(None))
        pair.do(C, Fight(C, Maneuver.STANDARD, 0))
        pair.do(O, Fight(O, Maneuver.STANDARD, 4))
        assert asked(pair.host) == "succession"
        wires.append(list(pair.wire))
    for other in wires[1:]:
        assert_silent(wires[0], other)


# --- the public state ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_bytes_of_a_state_never_depend_on_what_somebody_knows(seed: int) -> None:
    pair = StormPair(Terms(random_setup=seed == 1, open_combat=seed == 2), tag=f"dump {seed}")
    chance = random.Random(seed)
    while (session := pair.asked) is not None:
        pair.decide(session, chance)
        pair.settle()
        state = pair.host.state
        everything = {**pair.host.known, **pair.guest.known}
        for known in (everything, pair.host.known, pair.guest.known):
            seen = StormState(game.owner_view(state, known), state.regroup, state.deal)
            assert STORM.dump(seen) == STORM.dump(state)
            assert STORM.next_request(seen) == STORM.next_request(state)
        view = STORM.view(state, None, everything)
        assert view == STORM.view(state, None, {})


def test_no_frame_and_no_public_view_of_a_seat_holds_the_other_ones_secrets() -> None:
    pair = StormPair(tag="secrets")
    chance = random.Random(3)
    secrets: list[bytes] = []
    for session in pair.sessions:
        secrets += [session._secrets.seed, session._secrets.coin, session._secrets.match_key.seed()]
    for _ in range(30):
        asked = pair.asked
        if asked is None:
            break
        pair.decide(asked, chance)
        pair.settle()
    assert not pair.host.over
    opened = set(pair.host.transcript.position.opened)
    for session in pair.sessions:
        secrets += [opening for slot, opening in session._secret_replay.openings.items() if slot not in opened]
    said = b"".join(frame for _, frame in pair.wire)
    assert not any(secret in said for secret in secrets)
