"""Make the vectors with a judgement, good and bad ones, for whoever checks signatures, proofs or logs a second time.

Run ``python tests/vectors/make_judged.py`` from the top of the repository.  What is expected of each comes from
SPEC.md, section "Test vectors", and stands in the modules beside this one, with how it is made; both implementations
are held against it in ``tests/wire/test_judged.py``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

ABOUT = {
    "signature": 'Ed25519 signatures over H(label, data): SPEC.md, "Keys and signatures".',
    "point": 'Encodings of public keys and tokens: SPEC.md, "Keys and signatures", "Points and scalars".',
    "proof": 'Proofs of the scheme proved: SPEC.md, "Proofs".',
    "seal": 'Openings of seals, tosses and tokens: SPEC.md, "Steps and commitments", "Points and scalars".',
    "envelope": 'Logs with one message that is wrong, or none: SPEC.md, "Messages", "Behaviour".',
    "handshake": 'Logs that end with their handshake: SPEC.md, "HELLO and SIGN", "Conditions", "Start".',
    "log": 'Log files: SPEC.md, "Log file", "Frames", "Witness".',
}


def made() -> dict[str, dict[str, Any]]:
    """Return all files by their names."""
    from vectors import cards, logs, messages, primitives

    tests = {
        "signature": primitives.signatures(),
        "point": primitives.points(),
        "proof": primitives.proofs(),
        "seal": primitives.openings(),
        "envelope": [*messages.envelopes(), *cards.hidden(), *cards.proved(), *cards.timed()],
        "handshake": logs.handshakes(),
        "log": logs.logs(),
    }
    return {name: {"about": ABOUT[name], **numbered(found)} for name, found in tests.items()}


def numbered(tests: list[dict[str, Any]]) -> dict[str, Any]:
    """Return tests with their numbers; what several logs begin with stands once for all of them."""
    counted = Counter(start for test in tests if "file" in test for start in starts_of(test["file"]))
    starts: list[str] = []
    found = []
    for number, test in enumerate(tests, 1):
        shown = {"id": number, **test}
        start = next((one for one in starts_of(test.get("file", "")) if counted[one] > 1), None)
        if start is not None:
            if start not in starts:
                starts.append(start)
            shown |= {"start": starts.index(start), "file": test["file"][len(start) :]}
        found.append(shown)
    return {"starts": starts, "tests": found} if starts else {"tests": found}


def starts_of(file: str) -> list[str]:
    """Return the magic of a log with its first four records, with two and with one, as far as they are there."""
    data = bytes.fromhex(file)
    at, found = 16, [""]
    while len(found) < 5 and at + 3 <= len(data) and data[at] != 255:
        at += 3 + int.from_bytes(data[at + 1 : at + 3], "big")
        found.append(file[: 2 * at] if at < len(data) else "")
    return [one for number in (4, 2, 1) for one in found[number : number + 1] if one]


def text(file: dict[str, Any]) -> str:
    """Return a file with one test in each line."""
    tests = ",\n".join(json.dumps(test) for test in file["tests"])
    rest = "".join(f' "{name}": {json.dumps(file[name])},\n' for name in file if name != "tests")
    return f'{{\n{rest} "tests": [\n{tests}\n]}}\n'


if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent)]
    for name, file in made().items():
        (HERE / f"{name}.json").write_text(text(file), encoding="utf-8")
