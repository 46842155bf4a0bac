"""The vectors of SPEC.md: the bytes do not change unnoticed, and a few lines without our code find the same."""

from __future__ import annotations

import hashlib
import hmac
import importlib.util
import json
from pathlib import Path
from typing import Any

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from helpers_wire import only
from toys import RockPaperScissors

from protocol.core.audit import verify
from protocol.core.frames import Record

FOLDER = Path(__file__).resolve().parent.parent / "vectors"
VECTORS: dict[str, Any] = json.loads((FOLDER / "protocol.json").read_text(encoding="utf-8"))


def framed(label: str, *parts: bytes | int) -> bytes:
    """Frame as the words of SPEC.md say, without the code under test."""
    plain = [one.to_bytes(8, "big") if isinstance(one, int) else one for one in parts]
    return b"".join(len(one).to_bytes(8, "big") + one for one in (b"storm-p2p/3", label.encode(), *plain))


def digest(label: str, *parts: bytes | int) -> str:
    return hashlib.sha256(framed(label, *parts)).hexdigest()


def test_the_vectors_are_what_the_script_makes() -> None:
    spec = importlib.util.spec_from_file_location("make_protocol", FOLDER / "make_protocol.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert json.loads(json.dumps(module.made())) == VECTORS


def test_hashes() -> None:
    for vector in VECTORS["hash"]:
        assert digest(vector["label"], *map(bytes.fromhex, vector["parts"])) == vector["digest"]


def test_derivations() -> None:
    vector = VECTORS["derived"]
    root, seed = bytes.fromhex(vector["secret"]), bytes.fromhex(vector["seed"])
    assert hmac.new(root, framed("root-seed"), "sha256").digest() == seed
    salt = hmac.new(seed, framed("token", bytes(range(32)), 1, 12, bytes(16), 7, 0), "sha256").hexdigest()
    assert salt == vector["token_salt"]
    assert digest("seed", bytes.fromhex(vector["match_key"]), seed) == vector["seed_commitment"]


def test_a_token_and_an_envelope() -> None:
    token = VECTORS["token"]
    found = digest("token", bytes.fromhex(token["match_id"]), 1, 12, bytes(32), 7)
    assert found == token["commitment"]
    envelope = VECTORS["envelope"]
    data = bytes.fromhex(envelope["bytes"])
    assert digest("env", data) == envelope["digest"]
    match_id, seat, seq, sides, prev, kind, steps, state = msgpack.unpackb(data)
    assert (seat, seq, sides, kind) == (0, 0, [0, 0], 1)
    assert match_id == bytes.fromhex(VECTORS["match"]["match_id"])
    assert prev.hex() == digest("link", match_id, match_id, match_id)
    assert state.hex() == envelope["state"] == digest("state", b"[0, 0, 1, null]")
    assert [step[0] for step in steps] == [2]


def test_a_signature() -> None:
    vector = VECTORS["signature"]
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(vector["public"]))
    data = bytes.fromhex(digest(vector["label"], bytes.fromhex(vector["data"])))
    key.verify(bytes.fromhex(vector["signature"]), data)


def test_a_whole_match() -> None:
    match = VECTORS["match"]
    opened = msgpack.packb([bytes.fromhex(match["coin"]), bytes.fromhex(match["blind"]), None])
    guest, host = bytes.fromhex(match["hello_guest"]), bytes.fromhex(match["hello_host"])
    assert digest("match", guest, host, opened) == match["match_id"]
    records = [Record(kind, bytes.fromhex(frame)) for kind, frame in match["records"]]
    verdict = verify(records, only(RockPaperScissors()))
    assert (verdict.ok, verdict.audited, verdict.result) == (True, True, match["result"])
