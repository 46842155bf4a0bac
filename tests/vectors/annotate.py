"""Make the annotated match of SPEC.md: every frame with its bytes and what they say.

Run ``python tests/vectors/annotate.py`` from the top of the repository; it replaces the block in SPEC.md.  The game is
the rock-paper-scissors of the tests, to one win.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

_HELLO = (
    "role",
    "versions",
    "schemes",
    "capabilities",
    "identity key",
    "match key",
    "name",
    "game",
    "game version",
    "nonce",
    "coin",
    "blind",
    "seed commitment",
    "channel",
    "offer",
)
_INNER = {
    1: _HELLO,
    3: ("header", "type", "steps", "state"),
    4: ("header", "type", "body"),
    5: ("header", "result", "grounds"),
    6: ("header", "seed"),
    7: ("header", "problems"),
}
_FIELDS = {
    1: ("hello", "mac"),
    2: ("coin", "blind", "pick", "by identity", "by match key"),
    3: ("envelope", "signature"),
    4: ("side envelope", "signature"),
    5: ("result", "by match key", "by identity"),
    6: ("opened seed", "signature"),
    7: ("verdict", "signature"),
}
_WHAT = (
    "the guest says hello",
    "the host answers, with the terms",
    "the guest opens coin and blind, and signs",
    "the host signs: the match has begun",
    "seat 0 seals a throw",
    "the host says gg",
    "seat 1 answers openly",
    "seat 0 opens its seal",
    "both sign the result",
    "",
    "both open their seeds",
    "",
    "both sign what their audits found",
    "",
)


def annotated() -> str:
    """Return the text of the block."""
    from helpers_wire import Pair
    from toys import RockPaperScissors

    from protocol.core.frames import FrameKind
    from protocol.core.wire import unpack

    pair = Pair(RockPaperScissors(), 1, tag="annotated")
    pair.act(0, 1)
    pair.host.side_channel.chat("gg")
    pair.settle()
    pair.act(1, 0)
    agreement = pair.host.agreement
    lines = [f"match id {agreement.match_id.hex()}", f"words    {' '.join(agreement.words)}"]
    for number, record in enumerate(pair.host.records):
        _, _, *values = unpack(record.frame, lambda value: None)
        what = f": {_WHAT[number]}" if _WHAT[number] else ""
        lines.append(f"{number + 1}. {FrameKind(record.kind).name}, {len(record.frame)} bytes{what}")
        lines += textwrap.wrap(record.frame.hex(), 120, initial_indent="  ", subsequent_indent="  ")
        for name, value in zip(_FIELDS[record.kind], values, strict=True):
            names = _INNER.get(record.kind)
            if names is not None and name == _FIELDS[record.kind][0]:
                assert isinstance(value, bytes)
                inner = unpack(value, lambda value: None)
                inner = inner if names is _HELLO else (inner[:5], *inner[5:])
                lines += [f"    {field:16}{_shown(one)}" for field, one in zip(names, inner, strict=True)]
            else:
                lines.append(f"    {name:16}{_shown(value)}")
    return "\n".join(lines) + "\n"


def _shown(value: Any) -> str:
    """Return a value in a few characters: of long bytes the first and how many there are."""
    if isinstance(value, bytes):
        return f"{value[:8].hex()}... ({len(value)})" if len(value) > 16 else value.hex() or "empty"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return "nil" if value is None else repr(value) if isinstance(value, str) else str(value)


def main() -> None:
    """Replace the block in SPEC.md."""
    path = ROOT / "SPEC.md"
    text = path.read_text(encoding="utf-8")
    fresh = re.sub(r"(?<=```text annotated\n).*?(?=```\n)", lambda _: annotated(), text, flags=re.DOTALL)
    path.write_text(fresh, encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(HERE.parent)]
    main()
