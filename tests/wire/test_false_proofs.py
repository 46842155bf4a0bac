"""What the scheme ``proved`` does not let anybody prove, whatever a changed program tries."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from helpers_proofs import CONTEXT, MAKER, PROOFS, L, number, points, refused, regrouping, tokens

from protocol.crypto import group
from protocol.crypto.commitments import proved, statements
from protocol.crypto.commitments.interface import Secret, Within
from protocol.crypto.commitments.proved import ProvedScheme
from protocol.crypto.proofs import Statement, prove
from protocol.crypto.scalars import scalar_bytes
from protocol.errors import BadCommitment, LocalProtocolError


def forged(statement: Statement, secrets: Sequence[Secret], sources: Sequence[int]) -> bytes:
    """Prove as well as one can what may be wrong: true branches where there are some, any others else."""
    witnesses = []
    for one in secrets:
        true = sources.index(one.value) if one.value in sources else 0
        witnesses.append((true, int.from_bytes(one.opening, "little")))
    witnesses.append((0, sum(number for _, number in witnesses) % L))
    return prove(statement, witnesses, MAKER.seed, b"")


def test_of_the_125_ways_to_place_five_units_on_three_tokens_only_the_6_permutations_can_be_proved() -> None:
    scheme = ProvedScheme()
    wanted = [0, 1, 2]
    accepted = []
    for batch, values in enumerate(itertools.product(range(5), repeat=3)):
        made = scheme.commit(MAKER, batch, values)
        statement = statements.hide(CONTEXT, points(made), wanted, [])
        proof = forged(statement, made, wanted)
        try:
            proved.check_hide(CONTEXT, points(made), wanted, [], proof)
        except BadCommitment:
            continue
        accepted.append(values)
    assert accepted == list(itertools.permutations(wanted))


def test_of_the_125_ways_to_hide_three_units_again_only_the_6_permutations_can_be_proved() -> None:
    scheme = ProvedScheme()
    old = scheme.commit(MAKER, 999, [0, 1, 2])
    accepted = []
    for batch, values in enumerate(itertools.product(range(5), repeat=3)):
        made = scheme.commit(MAKER, batch, values)
        witnesses = []
        for one in made:
            source = one.value if one.value < 3 else 0
            witnesses.append((source, number(one) - number(old[source])))
        witnesses.append((0, sum(map(number, made)) - sum(map(number, old))))
        parts = [points(made[:1]), points(made[1:])]
        statement = statements.mix(CONTEXT, points(old), parts, [])
        proof = prove(statement, [(place, x % L) for place, x in witnesses], MAKER.seed, b"")
        try:
            proved.check_mix(CONTEXT, points(old), parts, [], proof)
        except BadCommitment:
            continue
        accepted.append(values)
    assert accepted == list(itertools.permutations(range(3)))


@pytest.mark.parametrize("leader", range(4))
def test_a_value_that_must_be_within_some_places_can_be_proved_there_and_nowhere_else(leader: int) -> None:
    scheme = ProvedScheme()
    values = [1, 2, 3]
    values.insert(leader, 0)
    within: list[Within] = [(0, (0, 1))]
    if leader < 2:
        made, proof = scheme.hide(MAKER, CONTEXT, 0, values, within)
        scheme.check_hide(CONTEXT, tokens(made), range(4), within, proof)
        return
    with pytest.raises(LocalProtocolError):
        scheme.hide(MAKER, CONTEXT, 0, values, within)
    made = scheme.commit(MAKER, 0, values)
    statement = statements.hide(CONTEXT, points(made), range(4), within)
    witnesses = [(one.value, number(one)) for one in made]
    for false in ((0, number(made[0])), (1, number(made[1])), (0, number(made[leader]))):
        proof = prove(statement, [*witnesses, (0, sum(map(number, made)) % L), false], MAKER.seed, b"")
        refused("bad_proof", proved.check_hide, CONTEXT, points(made), range(4), within, proof)


def test_a_value_is_located_where_it_is_and_nowhere_else() -> None:
    scheme = ProvedScheme()
    made = scheme.commit(MAKER, 0, [3, 1, 0, 2])
    proof = scheme.locate(MAKER, CONTEXT, tokens(made[1:]), made[1:], 0)
    scheme.check_locate(CONTEXT, tokens(made[1:]), 0, proof)
    with pytest.raises(LocalProtocolError):
        scheme.locate(MAKER, CONTEXT, tokens(made[:2]), made[:2], 0)
    for other in range(4):
        false = prove(statements.locate(CONTEXT, points(made[:2]), 0), [(other % 2, number(made[other]))], b"", b"")
        refused("bad_proof", proved.check_locate, CONTEXT, points(made[:2]), 0, false)


def test_a_value_that_is_barred_from_a_part_cannot_go_there() -> None:
    scheme = ProvedScheme()
    old = scheme.commit(MAKER, 0, [4, 5, 6])
    barred = ((1,), ())
    parts, proof = scheme.mix(MAKER, CONTEXT, 3, regrouping(old, ((0,), (1, 2)), barred))
    scheme.check_mix(CONTEXT, tokens(old), [tokens(part) for part in parts], barred, proof)
    with pytest.raises(LocalProtocolError):
        scheme.mix(MAKER, CONTEXT, 3, regrouping(old, ((1,), (0, 2)), barred))
    hidden, proof = scheme.mix(MAKER, CONTEXT, 3, regrouping(old, ((1,), (0, 2))))
    new = [tokens(part) for part in hidden]
    scheme.check_mix(CONTEXT, tokens(old), new, (), proof)
    refused("bad_proof", scheme.check_mix, CONTEXT, tokens(old), new, barred, proof)


def test_sums_of_generators_are_no_way_round() -> None:
    # Tokens whose sum is right and that are none of the values: M(0) + D, M(1) - D and M(2) for some D.
    difference = group.subtract(group.generator(3), group.generator(4))
    scheme = ProvedScheme()
    made = list(scheme.commit(MAKER, 0, [0, 1, 2]))
    made[0] = replace(made[0], commitment=group.add(made[0].commitment, difference))
    made[1] = replace(made[1], commitment=group.subtract(made[1].commitment, difference))
    for point in points(made):
        group.check_point(point)
    proof = forged(statements.hide(CONTEXT, points(made), [0, 1, 2], []), made, [0, 1, 2])
    refused("bad_proof", proved.check_hide, CONTEXT, points(made), [0, 1, 2], [], proof)


def test_neutral_points_and_zeros_are_refused_and_nothing_fails() -> None:
    generators = [group.generator(0), group.generator(1)]
    one = scalar_bytes(1)
    # Tokens that open to zero, a token twice, and old tokens given again.
    for made in (generators, [group.add(generators[0], group.times_base(one))] * 2):
        proof = bytes.fromhex(PROOFS["two values"]["proof"])
        refused("bad_proof", proved.check_hide, CONTEXT, made, [0, 1], [], proof)
    refused("bad_proof", proved.check_mix, CONTEXT, generators, [generators], [], bytes(208))
    refused("bad_proof", proved.check_locate, CONTEXT, generators, 0, bytes(64))
    refused("bad_proof", proved.check_locate, CONTEXT, [], 0, bytes(16))
    refused("wrong_opening", proved.commit, 0, bytes(32))
    refused("wrong_opening", proved.commit, 0, scalar_bytes(L))
    refused("wrong_opening", proved.commit, 0, scalar_bytes(L + 1))
    refused("wrong_opening", proved.commit, 0, b"\1")


def test_a_nonce_that_is_neutral_is_refused() -> None:
    # P = x B and z = c x give A = 0; who knows x can always make that.
    x = 12345
    token = group.add(group.generator(0), group.times_base(scalar_bytes(x)))
    for challenge in range(1, 4):
        proof = challenge.to_bytes(16, "little") + scalar_bytes(challenge * x)
        refused("bad_proof", proved.check_locate, CONTEXT, [token], 0, proof)
