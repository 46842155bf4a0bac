"""The scheme ``proved`` by itself: points, tokens, statements and proofs, as they must be and as they must not."""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import nacl
import pytest
from helpers_proofs import (
    CONTEXT,
    FOLDER,
    MAKER,
    PROOFS,
    VECTORS,
    L,
    changes,
    checked,
    mutations,
    points,
    refused,
    regrouping,
    tokens,
)
from helpers_wire import entropy
from nacl import bindings

from protocol.crypto import group, proofs
from protocol.crypto.commitments import proved, statements
from protocol.crypto.commitments.interface import SlotToken
from protocol.crypto.commitments.proved import ProvedScheme
from protocol.crypto.hash_to_curve import hash_to_curve
from protocol.crypto.scalars import ORDER, scalar_bytes
from protocol.errors import BadCommitment, LocalProtocolError

# --- vectors ---------------------------------------------------------------------------------------------------


def test_the_suite_gives_the_known_answers_of_rfc_9380() -> None:
    given = VECTORS["given"]["RFC 9380, appendix J.5.1: the suite edwards25519_XMD:SHA-512_ELL2_RO_"]
    for case in given["points"]:
        x, y = int(case["x"], 16), int(case["y"], 16)
        found = hash_to_curve(case["message"].encode(), given["tag"].encode())
        assert found == (y | (x & 1) << 255).to_bytes(32, "little")


def test_the_base_point_and_the_order_are_those_of_rfc_8032() -> None:
    given = VECTORS["given"]["RFC 8032, section 5.1: the base point"]
    y = int(given["y"]) | (int(given["x"]) & 1) << 255
    assert group.times_base(scalar_bytes(1)) == y.to_bytes(32, "little")
    assert int(given["order"]) == ORDER == L


def test_the_vectors_are_what_the_script_makes() -> None:
    spec = importlib.util.spec_from_file_location("make_proofs", FOLDER / "make_proofs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert json.loads(module.text()) == VECTORS


def test_the_generators_are_hashed_from_their_printed_strings_and_no_two_are_equal() -> None:
    tag = b"storm-p2p/1 generators, edwards25519_XMD:SHA-512_ELL2_RO_"
    recomputed = [hash_to_curve(f"value {value}".encode(), tag).hex() for value in range(24)]
    assert recomputed == VECTORS["generators"]
    assert len(set(recomputed)) == 24
    for point in recomputed:
        group.check_point(bytes.fromhex(point))


def test_the_tokens_and_openings_of_the_vectors_belong_together() -> None:
    case = VECTORS["opening"]
    opening, token = bytes.fromhex(case["opening"]), bytes.fromhex(case["token"])
    scheme = ProvedScheme()
    scheme.check_open(SlotToken(b"", 0, 0, token), case["value"], opening)
    for value in range(24):
        if value != case["value"]:
            refused("wrong_opening", scheme.check_open, SlotToken(b"", 0, 0, token), value, opening)


@pytest.mark.parametrize("name", VECTORS["bad points"])
def test_what_is_no_point_of_prime_order_is_no_token(name: str) -> None:
    point = bytes.fromhex(VECTORS["bad points"][name])
    refused("bad_point", group.check_point, point)
    refused("bad_point", proved.check_hide, CONTEXT, [point], [0], [], bytes(64))
    refused("bad_point", proved.check_mix, CONTEXT, [group.generator(0)], [[point]], [], bytes(64))


@pytest.mark.parametrize("name", PROOFS)
def test_the_proofs_of_the_vectors_hold(name: str) -> None:
    checked(PROOFS[name])


def test_the_proofs_have_the_lengths_that_are_promised() -> None:
    lengths = {name: len(case["proof"]) // 2 for name, case in PROOFS.items()}
    assert lengths["a setup"] == 7184
    assert lengths["a group of two, one goes"] == 208
    assert lengths["a group of three, two go"] == 432
    assert lengths["a whole group of four"] == 752
    assert lengths["one of four"] == 192
    assert lengths["one of eight"] == 384


# --- what may not be changed -----------------------------------------------------------------------------------


SMALL = [name for name, case in PROOFS.items() if len(case["proof"]) < 3000]


@pytest.mark.parametrize("name", SMALL)
def test_a_proof_of_something_else_is_refused_whichever_field_is_changed(name: str) -> None:
    count = 0
    for what, case in changes(PROOFS[name]):
        with pytest.raises(BadCommitment) as caught:
            checked(case)
        assert caught.value.code == "bad_proof", what
        count += 1
    assert count > 14


def test_a_setup_with_any_field_changed_is_refused() -> None:
    for number, (_, case) in enumerate(changes(PROOFS["a setup"])):
        if number % 5 == 0:
            with pytest.raises(BadCommitment):
                checked(case)


@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        ("two values", (2, 2, 1)),
        pytest.param("three values, one of them within two places", (3, 3, 3, 1, 2), marks=pytest.mark.long),
        ("a group of two, one goes", (2, 2, 1)),
        ("one of four", (4,)),
    ],
)
def test_an_altered_proof_is_refused(name: str, clauses: tuple[int, ...]) -> None:
    case = PROOFS[name]
    for changed in mutations(bytes.fromhex(case["proof"]), clauses):
        with pytest.raises(BadCommitment) as caught:
            checked({**case, "proof": changed.hex()})
        assert caught.value.code == "bad_proof"


def test_bytes_by_chance_are_refused_and_nothing_fails() -> None:
    chance = random.Random(1)
    case = PROOFS["two values"]
    for _ in range(200):
        made = chance.randbytes(chance.choice((0, 16, 207, 208, 208, 208, 209)))
        with pytest.raises(BadCommitment):
            checked({**case, "proof": made.hex(), "tokens": [chance.randbytes(32).hex(), case["tokens"][1]]})
        with pytest.raises(BadCommitment):
            checked({**case, "proof": made.hex()})


def test_the_proof_of_one_seat_match_or_moment_is_none_of_another() -> None:
    scheme = ProvedScheme()
    made, proof = scheme.hide(MAKER, CONTEXT, 0, [1, 0], [])
    scheme.check_hide(CONTEXT, tokens(made), [0, 1], [], proof)
    for other in (
        CONTEXT._replace(seat=1),
        CONTEXT._replace(match_id=entropy("b")),
        CONTEXT._replace(head=entropy("b")),
        CONTEXT._replace(serial=8),
    ):
        refused("bad_proof", scheme.check_hide, other, tokens(made), [0, 1], [], proof)


def test_what_held_once_is_not_taken_for_something_else() -> None:
    # The scheme remembers what it has checked; every part of the question must be part of what it remembers.
    scheme = ProvedScheme()
    made, proof = scheme.hide(MAKER, CONTEXT, 0, [1, 0, 2], [(0, (0, 1))])
    scheme.check_hide(CONTEXT, tokens(made), [0, 1, 2], [(0, (0, 1))], proof)
    scheme.check_hide(CONTEXT, tokens(made), [0, 1, 2], [(0, (0, 1))], proof)
    refused("bad_proof", scheme.check_hide, CONTEXT, tokens(made), [0, 1, 2], [], proof)
    refused("bad_proof", scheme.check_hide, CONTEXT, tokens(made), [0, 1, 2], [(0, (0,))], proof)
    refused("bad_proof", scheme.check_hide, CONTEXT, tokens(made), [0, 1, 3], [(0, (0, 1))], proof)
    refused("bad_proof", scheme.check_hide, CONTEXT, tokens(made[::-1]), [0, 1, 2], [(0, (0, 1))], proof)


# --- hiding ----------------------------------------------------------------------------------------------------


def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the operations of the group from now on."""
    found: Counter[str] = Counter()

    def counting(name: str) -> None:
        real = getattr(group, name)

        def call(*args: bytes) -> bytes:
            found[name] += 1
            made: bytes = real(*args)
            return made

        monkeypatch.setattr(group, name, call)

    for name in ("add", "subtract", "times", "times_base"):
        counting(name)
    return found


def test_neither_length_nor_work_of_a_proof_depends_on_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    scheme = ProvedScheme()
    found = counted(monkeypatch)
    kinds = set()
    for values in itertools.permutations(range(4)):
        found.clear()
        if values.index(0) < 3:
            made, proof = scheme.hide(MAKER, CONTEXT, 0, values, [(0, (0, 1, 2))])
            kinds.add(("hide", len(proof), *sorted(found.items())))
        old = scheme.commit(MAKER, 1, [5, 6, 7, 8])
        found.clear()
        _, proof = scheme.mix(MAKER, CONTEXT, 2, regrouping(old, (values[:2], values[2:])))
        kinds.add(("mix", len(proof), *sorted(found.items())))
        made = scheme.commit(MAKER, 3, values)
        found.clear()
        proof = scheme.locate(MAKER, CONTEXT, tokens(made), made, 0)
        kinds.add(("locate", len(proof), *sorted(found.items())))
    assert len(kinds) == 3


def test_fresh_randomness_changes_the_proof_and_not_the_tokens() -> None:
    scheme = ProvedScheme()
    made, proof = scheme.hide(MAKER, CONTEXT, 0, [1, 0], [])
    assert scheme.hide(MAKER, CONTEXT, 0, [1, 0], []) == (made, proof)
    other, another = scheme.hide(replace(MAKER, aux_rand=entropy("another")), CONTEXT, 0, [1, 0], [])
    assert other == made
    assert another != proof
    # No 16 bytes of one stand in the other: what was drawn differs everywhere.
    assert not {proof[at : at + 16] for at in range(0, 208, 16)} & {another[at : at + 16] for at in range(0, 208, 16)}


def test_no_two_statements_are_proved_with_the_same_random_choices() -> None:
    # Two answers with one nonce give the secret away; without any fresh randomness the statement alone must do.
    scheme = ProvedScheme()
    maker = replace(MAKER, aux_rand=b"")
    seen: Counter[bytes] = Counter()
    for context in (CONTEXT, CONTEXT._replace(serial=8), CONTEXT._replace(head=entropy("z")), CONTEXT._replace(seat=1)):
        made, proof = scheme.hide(maker, context, 0, [1, 0], [])
        clauses = statements.hide(context, points(made), [0, 1], []).clauses
        seen.update({proofs._nonce(*branch) for branch in proofs._branches(clauses, proof)})
    assert max(seen.values()) == 1
    assert len(seen) == 20


def test_proofs_of_different_permutations_look_alike() -> None:
    """Each 16 bytes of a proof are uniform: no bit tells which branch is true."""
    scheme = ProvedScheme()
    bits: dict[tuple[int, ...], Counter[int]] = {}
    for values in ((0, 1), (1, 0)):
        counts: Counter[int] = Counter()
        for serial in range(150):
            _, proof = scheme.hide(MAKER, CONTEXT._replace(serial=serial), 0, values, [])
            for place in range(16):
                counts[place] += proof[16 + place] & 1
        bits[values] = counts
    for counts in bits.values():
        # 75 on average, 6 as the standard deviation.
        assert all(45 < counts[place] < 105 for place in range(16)), counts


# --- the library -----------------------------------------------------------------------------------------------


@pytest.fixture
def fresh() -> Iterator[None]:
    group.require.cache_clear()
    yield
    group.require.cache_clear()


@pytest.mark.parametrize("version", ["1.6.1", "1.5.0", "1.6", "0.9.9", "1.6.2b"])
def test_an_older_library_is_refused(version: str, monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.setattr(nacl, "__version__", version)
    with pytest.raises(LocalProtocolError) as caught:
        ProvedScheme()
    assert caught.value.code == "library_too_old"
    assert str(caught.value) == f"expected PyNaCl 1.6.2 or later, got PyNaCl {version}"


@pytest.mark.parametrize("version", ["1.6.2", "1.6.10", "1.7.0", "2.0", "1.6.2.post1"])
def test_this_one_and_later_ones_are_taken(version: str, monkeypatch: pytest.MonkeyPatch, fresh: None) -> None:
    monkeypatch.setattr(nacl, "__version__", version)
    ProvedScheme()


@pytest.mark.parametrize("wrong", [True, False])
def test_a_library_that_takes_points_of_mixed_order_or_none_at_all_is_refused(
    wrong: bool, monkeypatch: pytest.MonkeyPatch, fresh: None
) -> None:
    monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", lambda point: wrong)
    with pytest.raises(LocalProtocolError) as caught:
        ProvedScheme()
    assert caught.value.code == "library_broken"
