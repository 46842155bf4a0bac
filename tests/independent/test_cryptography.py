"""The second implementation of the cryptography: known answers, and the same judgement as the first of everything."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest
from helpers_proofs import PROOFS, VECTORS, L, changes, checked, mutations
from helpers_wire import entropy
from nacl import bindings

from protocol.crypto import group, keys
from protocol.crypto.commitments import proved
from protocol.crypto.scalars import scalar_bytes
from protocol.errors import BadCommitment, BadKey, BadSignature
from protocol.independent import curve, proofs, signatures
from protocol.independent.faults import Refused

RFC_8032 = VECTORS["given"]["RFC 8032, section 7.1: signatures"]


def judged(case: dict[str, Any], by: Any) -> str:
    """Return "holds" or the code of the refusal."""
    try:
        checked(case, by)
    except (BadCommitment, Refused) as error:
        return error.code
    return "holds"


def agreed(case: dict[str, Any]) -> str:
    """Return the judgement of both implementations."""
    found = judged(case, proved)
    assert judged(case, proofs) == found
    return found


# --- the curve -------------------------------------------------------------------------------------------------


def test_the_suite_gives_the_known_answers_of_rfc_9380() -> None:
    given = VECTORS["given"]["RFC 9380, appendix J.5.1: the suite edwards25519_XMD:SHA-512_ELL2_RO_"]
    for case in given["points"]:
        x, y, z, _ = curve.hash_to_curve(case["message"].encode(), given["tag"].encode())
        scale = pow(z, -1, curve.PRIME)
        assert (x * scale % curve.PRIME, y * scale % curve.PRIME) == (int(case["x"], 16), int(case["y"], 16))


def test_the_base_point_and_the_order_are_those_of_rfc_8032() -> None:
    given = VECTORS["given"]["RFC 8032, section 5.1: the base point"]
    assert curve.BASE[:2] == (int(given["x"]), int(given["y"]))
    assert int(given["order"]) == curve.ORDER


def test_the_generators_are_those_of_the_vectors() -> None:
    assert [curve.encode(proofs.generator(value)).hex() for value in range(24)] == VECTORS["generators"]


def test_both_multiply_add_and_write_alike() -> None:
    chance = random.Random(2)
    for number in (1, 2, 15, 16, L - 1, *(chance.randrange(1, L) for _ in range(20))):
        scalar = scalar_bytes(number)
        product = bindings.crypto_scalarmult_ed25519_base_noclamp(scalar)
        assert curve.encode(curve.multiply_base(number)) == product
        assert curve.encode(curve.multiply(number, curve.BASE)) == product
        other = proofs.generator(number % 24)
        assert curve.encode(curve.add(curve.decode(product), other)) == group.add(product, curve.encode(other))
        assert curve.is_equal(curve.add(other, other), curve.double(other))
        assert curve.is_neutral(curve.add(other, curve.negative(other)))


def is_point(data: bytes) -> bool:
    try:
        curve.decode_checked(data)
    except curve.NotAPoint:
        return False
    return True


@pytest.mark.parametrize("name", VECTORS["bad points"])
def test_what_is_no_point_of_prime_order_is_none_for_the_second_either(name: str) -> None:
    data = bytes.fromhex(VECTORS["bad points"][name])
    assert not is_point(data)
    assert not bindings.crypto_core_ed25519_is_valid_point(data)
    assert not signatures.is_key(data)
    assert not signatures.verify(data, bytes(32), bytes(64))


def test_both_take_the_same_bytes_for_points() -> None:
    chance = random.Random(3)
    taken = 0
    for _ in range(150):
        data = chance.randbytes(32)
        taken += is_point(data)
        assert is_point(data) == bindings.crypto_core_ed25519_is_valid_point(data)
    assert taken
    for y in range(-20, 20):
        for sign in (0, 1 << 255):
            data = (y % 2**255 | sign).to_bytes(32, "little")
            assert is_point(data) == bindings.crypto_core_ed25519_is_valid_point(data)
            data = ((curve.PRIME + y) % 2**255 | sign).to_bytes(32, "little")
            assert is_point(data) == bindings.crypto_core_ed25519_is_valid_point(data)
    for length in (0, 31, 33):
        assert not is_point(bytes(length))


# --- tokens and proofs -----------------------------------------------------------------------------------------


def test_both_make_the_same_token_of_an_opening_and_refuse_the_same_openings() -> None:
    case = VECTORS["opening"]
    opening = bytes.fromhex(case["opening"])
    assert proofs.commit(case["value"], opening).hex() == case["token"]
    for value in (0, 8, 23, 65535):
        assert proofs.commit(value, opening) == proved.commit(value, opening)
    for number in (0, L, L + 1, 2**256 - 1):
        with pytest.raises(BadCommitment, match=r"^expected a scalar"):
            proved.commit(0, number.to_bytes(32, "little"))
        with pytest.raises(Refused, match=r"^wrong_opening$"):
            proofs.commit(0, number.to_bytes(32, "little"))
    for short in (b"", opening[:31], opening + b"\0"):
        with pytest.raises(Refused):
            proofs.commit(0, short)


@pytest.mark.parametrize("name", PROOFS)
def test_the_proofs_of_the_vectors_hold(name: str) -> None:
    assert agreed(PROOFS[name]) == "holds"


@pytest.mark.parametrize("name", [name for name, case in PROOFS.items() if len(case["proof"]) < 900])
def test_both_refuse_a_proof_of_something_else(name: str) -> None:
    for what, case in changes(PROOFS[name]):
        assert agreed(case) == "bad_proof", what


@pytest.mark.parametrize(
    ("name", "clauses"), [("one of four", (4,)), ("a group of two, one goes", (2, 2, 1)), ("two values", (2, 2, 1))]
)
def test_both_refuse_an_altered_proof(name: str, clauses: tuple[int, ...]) -> None:
    case = PROOFS[name]
    for number, changed in enumerate(mutations(bytes.fromhex(case["proof"]), clauses)):
        if len(clauses) == 1 or number % 4 == 0:
            assert agreed({**case, "proof": changed.hex()}) == "bad_proof"


@pytest.mark.parametrize("bad", VECTORS["bad points"])
def test_both_refuse_tokens_that_are_no_points(bad: str) -> None:
    point = VECTORS["bad points"][bad]
    case = PROOFS["two values"]
    assert agreed({**case, "tokens": [point, case["tokens"][1]]}) == "bad_point"
    case = PROOFS["a group of two, one goes"]
    assert agreed({**case, "parts": [case["parts"][0], [point]]}) == "bad_point"


def test_both_refuse_bytes_by_chance() -> None:
    chance = random.Random(4)
    case = PROOFS["two values"]
    for _ in range(50):
        made = chance.randbytes(chance.choice((0, 16, 207, 208, 208, 208, 209))).hex()
        assert agreed({**case, "proof": made}) == "bad_proof"
        assert agreed({**case, "proof": made, "tokens": [chance.randbytes(32).hex(), case["tokens"][1]]}) != "holds"


# --- signatures ------------------------------------------------------------------------------------------------


def holds(public: bytes, digest: bytes, signature: bytes) -> bool:
    """Return what both implementations say to a signature."""
    try:
        keys.verify_digest(public, digest, signature)
    except (BadKey, BadSignature):
        first = False
    else:
        first = True
    assert signatures.verify(public, digest, signature) == first
    return first


@pytest.mark.parametrize("case", RFC_8032, ids=lambda case: case["name"])
def test_the_known_answers_of_rfc_8032_hold(case: dict[str, str]) -> None:
    public, message, signature = (bytes.fromhex(case[name]) for name in ("public", "message", "signature"))
    assert holds(public, message, signature)


def test_both_judge_every_altered_signature_alike() -> None:
    key = keys.PrivateKey(entropy("a key"))
    digest = entropy("a digest")
    made = key.sign_digest(digest)
    answer = int.from_bytes(made[32:], "little")
    cases = [(key.public, digest, made)]
    cases += [(key.public, digest, flipped(made, bit)) for bit in range(0, 512, 5)]
    cases += [(key.public, flipped(digest, bit), made) for bit in range(0, 256, 37)]
    cases += [(flipped(key.public, bit), digest, made) for bit in range(0, 256, 11)]
    cases += [(key.public, digest, made[:32] + (answer + times * L).to_bytes(32, "little")) for times in (1, 2, 8)]
    cases += [(key.public, digest, cut) for cut in (b"", made[:63], made + b"\0", bytes(64), b"\xff" * 64)]
    for name in VECTORS["bad points"]:
        point = bytes.fromhex(VECTORS["bad points"][name])
        cases += [(key.public, digest, point + made[32:]), (point, digest, made), (point, digest, point + bytes(32))]
    assert sum(holds(*case) for case in cases) == 1


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_the_second_implementation_needs_no_library_and_of_the_project_the_contract_of_a_game() -> None:
    code = (
        "import sys; import protocol.independent.judging;"
        "print(sorted({name.split('.')[0] for name in sys.modules}"
        " & {'nacl', 'cryptography', 'msgpack', '_cffi_backend'}),"
        "sorted(name for name in sys.modules if name.startswith(('protocol.', 'storm_p2p', 'cli'))"
        " and not name.startswith('protocol.independent')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[] ['protocol.game']"
