"""Bytes on the wire for a turn and messages for a combat round, against the least that must be sent.

The least is that of docs/decisions/0015-least-that-must-be-sent.md.
"""

from __future__ import annotations

import random

from benchmarks import goals, matches
from protocol.game import Sealed, Unsealed

LEAST_TURN_BYTES = 64 + 1 + 4
"""One signature, the kind of the action and its fields: nothing shorter can be checked by a third party."""
LEAST_ROUND_MESSAGES = 3
"""Seal, open answer, opening (docs/decisions/0015-least-that-must-be-sent.md)."""


def main(games: int = 20) -> None:
    """Print both."""
    rng = random.Random(11)
    sizes: list[int] = []
    rounds = messages = 0
    total = turns = 0
    for _ in range(games):
        (session, _), frames = matches.play("greedy", rng)
        total += sum(map(len, frames))
        turns += session.state.game.number
        sizes += [len(record.frame) for record in session.records if record.kind == 3]
        for played in session.transcript.history:
            if isinstance(played.before.request, Sealed):
                messages += 1
                rounds += isinstance(played.answer, Unsealed)
    mean = sum(sizes) / len(sizes)
    each = messages / max(1, rounds)
    print(
        f"wire: envelope {mean:.0f} bytes ({mean / LEAST_TURN_BYTES:.1f} times the least, {LEAST_TURN_BYTES}), "
        f"{total / turns:.0f} bytes a turn with everything, {each:.2f} messages a sealed round "
        f"({goals.say('messages a sealed round', each, most=LEAST_ROUND_MESSAGES)})"
    )
