"""The vectors of SPEC.md, for the second implementation."""

from __future__ import annotations

import importlib.util
import json
import re
from typing import Any

from helpers import ROOT
from helpers_judging import codes
from helpers_wire import only
from toys import RockPaperScissors

from protocol.independent import proofs, signatures
from protocol.independent.commitments import Batch, HashScheme
from protocol.independent.frames import FrameKind
from protocol.independent.hashes import derive, hash_parts
from protocol.independent.judging import judge
from protocol.independent.messages import Envelope, Side, read_body

VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "vectors" / "protocol.json").read_text(encoding="utf-8"))
PROOFS: dict[str, Any] = json.loads((ROOT / "tests" / "vectors" / "proofs.json").read_text(encoding="utf-8"))


def log_file(frames: list[tuple[int, bytes]]) -> bytes:
    """Return a log of frames with a trailer that nobody has signed."""
    records = b"".join(bytes([kind]) + len(frame).to_bytes(2, "big") + frame for kind, frame in frames)
    return b"storm-p2p log 3\n" + records + bytes([255, 0, 65]) + bytes(65)


def test_hashes_and_derivations() -> None:
    for vector in VECTORS["hash"]:
        assert hash_parts(vector["label"], *map(bytes.fromhex, vector["parts"])).hex() == vector["digest"]
    vector = VECTORS["derived"]
    secret, seed = bytes.fromhex(vector["secret"]), bytes.fromhex(vector["seed"])
    assert derive(secret, "root-seed") == seed
    assert hash_parts("seed", bytes.fromhex(vector["match_key"]), seed).hex() == vector["seed_commitment"]
    batch = Batch(bytes(range(32)), 1, 12)
    assert HashScheme().opening(seed, batch, bytes(16), 7, 0).hex() == vector["token_salt"]
    assert HashScheme().commit(batch, 7, bytes(32)).hex() == VECTORS["token"]["commitment"]


def test_the_opening_of_a_proved_token() -> None:
    case = PROOFS["opening"]
    match_id, seed, nonce = (bytes.fromhex(case[name]) for name in ("match_id", "seed", "nonce"))
    made = proofs.opening_of(seed, match_id, case["seat"], case["batch"], nonce, case["value"], case["copy"])
    assert made.hex() == case["opening"]
    assert proofs.commit(case["value"], made).hex() == case["token"]


def test_a_signature() -> None:
    vector = VECTORS["signature"]
    digest = hash_parts(vector["label"], bytes.fromhex(vector["data"]))
    assert signatures.verify(bytes.fromhex(vector["public"]), digest, bytes.fromhex(vector["signature"]))


def test_an_envelope_and_a_side_envelope() -> None:
    vector = VECTORS["envelope"]
    data = bytes.fromhex(vector["bytes"])
    envelope = read_body(FrameKind.ENVELOPE, data)
    assert isinstance(envelope, Envelope)
    assert hash_parts("env", data).hex() == vector["digest"]
    header = envelope.header
    assert (header.seq, header.seat, header.sides) == (vector["seq"], vector["seat"], (0, 0))
    assert (header.prev.hex(), envelope.state.hex()) == (vector["prev"], vector["state"])
    data = bytes.fromhex(VECTORS["side"]["bytes"])
    side = read_body(FrameKind.SIDE, data)
    assert isinstance(side, Side)
    assert side.body == "gg"
    assert hash_parts("side", data).hex() == VECTORS["side"]["digest"]


def test_a_whole_match() -> None:
    match = VECTORS["match"]
    data = log_file([(kind, bytes.fromhex(frame)) for kind, frame in match["records"]])
    (facts,) = judge([data], only(RockPaperScissors()))
    assert facts["match"] == match["match_id"]
    assert codes(facts) == ["bad_trailer"]
    assert (facts["result"], facts["confirmed"], facts["audited"]) == (match["result"], True, True)


def test_the_annotated_match_of_the_specification() -> None:
    spec = importlib.util.spec_from_file_location("annotate", ROOT / "tests" / "vectors" / "annotate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.annotated()
    frames = [
        bytes.fromhex("".join(re.findall(r"^  ([0-9a-f]+)$", block, re.MULTILINE)))
        for block in re.split(r"\n\d+\. ", text)[1:]
    ]
    (facts,) = judge([log_file([(frame[1], frame) for frame in frames])], only(RockPaperScissors()))
    assert text.split()[2] == facts["match"]
    assert [player["name"] for player in facts["players"]] == ["Hanna", "Gustav"]
    assert codes(facts) == ["bad_trailer"]
    assert facts["result"] == {"winner": "0", "reason": "rounds"}
    assert (facts["signed"], facts["seeds"], facts["audited"], facts["messages"]) == (["0", "1"], ["0", "1"], True, 3)
