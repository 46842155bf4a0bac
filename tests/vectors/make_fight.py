"""Make ``fight.json``: a game of Fight for Olympus, with its public state after each answer (docs/fight-rules.md).

Run ``python tests/vectors/make_fight.py`` from the top of the repository.  ``tests/spec/test_fight_rules.py`` compares.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parent / "fight.json"
# Circe returns Oenone to a hand, where she is known until she pays; Sinon takes a card; markers pay; Medea heals in an
# attack; Minos makes gear cheaper; a full side ends the game.
BEGIN = (37, 39, 23, 68, 80, 62, 18, 66, 67, 74, 52, 86, 84, 63, 57, 19, 30, 16, 69, 48, 51, 47, 79, 72, 20, 89)
DECISIONS = (
    "play 37 1 pay 39",
    "end attack",
    "play 18 1 pay 66 67 74",
    "play 86 1 pay 52",
    "end",
    "play 23 5 pay 68 80",
    "play 63 6 pay 62",
    "play 84 6",
    "end",
    "marker green",
    "end",
    "play 30 3 pay 37",
    "marker none",
    "play 16 4 pay 69 marker green",
    "end",
    "target own 3",
    "marker red",
    "marker yellow",
    "end",
    "play 47 2 pay 79 marker red yellow",
    "play 72 1",
    "end",
    "target none",
    "marker none",
    "marker blue",
    "play 48 2 pay 57 51 20",
    "play 89 2 save blue",
    "end",
)
TOSSES = (0, 1)


def steps() -> Iterator[dict[str, Any]]:
    """Yield each answer with what it leads to; the first entry is the new game."""
    from protocol.crypto import hashing
    from protocol.game import Choose, Chosen, Deal, Dealt, Mix, Mixed, Open, Opened, Toss, Tossed
    from storm_p2p.fight import notation
    from storm_p2p.fight.card_file import FIRST, load_reconstructed
    from storm_p2p.fight.codec import encode_terms
    from storm_p2p.fight.game import Fight
    from storm_p2p.fight.rules.playing import named

    game, deck = Fight(), [*BEGIN, *(card for card in range(96) if card not in BEGIN)]
    state, names = game.begin(encode_terms(load_reconstructed(FIRST))), dict(enumerate(deck))
    decisions, tosses = iter(DECISIONS), iter(TOSSES)
    words: str | None = "new game"
    while words is not None:
        request = game.next_request(state)
        data = game.dump(state)
        names_of = request.__slots__ if request else ()
        shown = request and [type(request).__name__, *(getattr(request, name) for name in names_of)]
        digest = hashing.hash_parts("state", data).hex()
        yield {"after": words, "request": shown, "state": data.decode("ascii"), "hash": digest}
        answer: Any
        match request:
            case None:
                return
            case Toss(sides):
                answer = Tossed(next(tosses))
                words = f"{answer.number} of {sides}"
            case Mix(take, (give,)):
                answer, words = Mixed(), "mixed; each card keeps its place"
                if take:
                    hand = [names[entry] if entry >= 0 else -1 - entry for entry in state.hands[request.by[0]]]
                    names.update(zip(give, hand, strict=True))
            case Deal(slots, to):
                answer, words = Dealt(), f"{len(slots)} dealt to {to[0]}"
            case Open(_, slots):
                answer = Opened(tuple(names[slot] for slot in slots))
                words = f"opened {' '.join(map(str, answer.values))}"
            case Choose(seat, _):
                words = next(decisions, None)
                if words is not None:
                    decision = notation.parse_decision(words, state, named(state, seat, names))
                    assert game.check(state, seat, decision, names) is None
                    answer, words = Chosen(seat, decision), f"{seat}: {words}"
        if words is not None:
            state = game.step(state, answer)


def write() -> str:
    """Return the text of the file."""
    return "[\n" + ",\n".join(json.dumps(step) for step in steps()) + "\n]\n"


if __name__ == "__main__":
    sys.path.insert(0, str(FILE.parents[2]))
    FILE.write_text(write(), encoding="ascii")
