"""A match with a witness."""

from __future__ import annotations

from helpers_wire import Pair, identity
from toys import RockPaperScissors

from protocol.core.audit import Verdict
from protocol.core.game_data import Conditions, WitnessTerms
from protocol.core.witness import Witness

KEY = identity("witness")


TERMS = Conditions(witness=WitnessTerms(KEY.public, "127.0.0.1:1"))


def watched(rounds: int = 2) -> Pair:
    return Pair(RockPaperScissors(), rounds, now=1000.0, conditions=TERMS)


def show(pair: Pair, witness: Witness, at: int = 5000, seats: tuple[int, ...] = (0, 1)) -> list[bytes]:
    """Let seats show everything to a witness and keep the answers; return the questions."""
    asked = []
    for seat in seats:
        session = pair.sessions[seat]
        while (question := session.side_channel.next_for_witness()) is not None:
            asked.append(question)
            answer = witness.answer(question, at)
            assert answer is not None
            assert session.side_channel.take_statement(answer)
    return asked


def judged(pair: Pair, seat: int = 0) -> Verdict:
    return pair.verify(seat)
