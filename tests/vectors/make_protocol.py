"""Make ``protocol.json``: values for whoever writes the protocol a second time.

Run ``python tests/vectors/make_protocol.py`` from the top of the repository.  The file was made by this program
and by nothing else: it fixes what the bytes are, and SPEC.md says why.  ``tests/wire/test_vectors.py`` compares.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def made() -> dict[str, Any]:
    """Return all vectors."""
    from helpers_wire import Pair, entropy, envelope_of
    from toys import RockPaperScissors

    from protocol.core.agreement import seed_commitment
    from protocol.core.endpoint import Endpoint
    from protocol.core.frames import unpack_frame
    from protocol.core.messages import Resume, Side, SideType
    from protocol.crypto import keys
    from protocol.crypto.commitments.hash import commitment
    from protocol.crypto.hashing import derive, hash_parts
    from protocol.crypto.keys import Secrets
    from protocol.reach.formats.outside import Nature, Seen
    from protocol.reach.invite import Invite, dump

    secrets = Secrets.of(entropy("vector"))
    match_id = bytes(range(32))
    pair = Pair(RockPaperScissors(), 1, tag="vector")
    pair.act(0, 1)
    pair.host.side_channel.chat("gg")
    pair.act(1, 0)
    seen = Seen((("5.1.1.2", 40_404), ("2003:e1::5", 40_404), ("100.64.3.4", 1)), Nature.HARD, 40_405)
    line = Invite(
        (("192.0.2.7", 4711), ("2001:db8::1", 4711), ("198.51.100.1", 4712)),
        bytes(range(16)),
        keys.identity_hash(match_id),
        bytes(16),
        1_800_000_000,
        match_id[:16],
        seen=seen,
    )
    resume = Resume(match_id, 1, 5, match_id, bytes(32), bytes([1]) * 32, match_id, "1")
    first = envelope_of(pair.wire[0][1])
    side = Side(match_id, 0, 0, (0, 0), match_id, SideType.CHAT, "gg")
    agreement = pair.host.agreement
    return {
        "hash": [
            {"label": label, "parts": [part.hex() for part in parts], "digest": hash_parts(label, *parts).hex()}
            for label, parts in (("env", (b"",)), ("env", (b"a", b"bc")), ("env", (b"ab", b"c")), ("match", ()))
        ],
        "derived": {
            "secret": entropy("vector").hex(),
            "seed": secrets.seed.hex(),
            "match_key": secrets.match_key.public.hex(),
            "nonce": secrets.nonce.hex(),
            "coin": secrets.coin.hex(),
            "seed_commitment": seed_commitment(secrets.match_key.public, secrets.seed).hex(),
            "token_salt": derive(secrets.seed, "token", match_id, 1, 12, bytes(16), 7, 0).hex(),
        },
        "token": {
            "match_id": match_id.hex(),
            "seat": 1,
            "batch": 12,
            "salt": bytes(32).hex(),
            "value": 7,
            "commitment": commitment(match_id, 1, 12, bytes(32), 7).hex(),
        },
        "signature": {
            "key_seed": bytes(32).hex(),
            "public": keys.PrivateKey(bytes(32)).public.hex(),
            "label": "env",
            "data": b"data".hex(),
            "signature": keys.sign(keys.PrivateKey(bytes(32)), "env", b"data").hex(),
        },
        "envelope": {
            "bytes": first.pack().hex(),
            "digest": hash_parts("env", first.pack()).hex(),
            "seq": first.seq,
            "seat": first.seat,
            "prev": first.prev.hex(),
            "state": first.state.hex(),
        },
        "line": {
            "secret": bytes(range(16)).hex(),
            "certificate": match_id.hex(),
            "knock": derive(bytes(range(16)), "knock", match_id).hex(),
            "identity": hash_parts("identity", match_id).hex(),
            "invite": dump(line),
            "resume": resume.pack().hex(),
            "endpoint": Endpoint(match_id, 1, match_id, line.candidates, seen.pack()).pack().hex(),
        },
        "side": {"bytes": side.pack().hex(), "digest": hash_parts("side", side.pack()).hex()},
        "match": {
            "game": "rock-paper-scissors",
            "match_id": agreement.match_id.hex(),
            "words": list(agreement.words),
            "hello_guest": unpack_frame(pair.host.records[0].frame)[1][0].hex(),
            "hello_host": unpack_frame(pair.host.records[1].frame)[1][0].hex(),
            "coin": unpack_frame(pair.host.records[2].frame)[1][0].hex(),
            "blind": unpack_frame(pair.host.records[2].frame)[1][1].hex(),
            "records": [[record.kind, record.frame.hex()] for record in pair.host.records],
            "result": pair.host.result,
        },
    }


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]
    (HERE / "protocol.json").write_text(json.dumps(made(), indent=1) + "\n", encoding="utf-8")
