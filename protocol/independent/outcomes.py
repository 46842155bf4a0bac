"""Which result follows from what, what confirms it, and who owes what (SPEC.md, section "End and results")."""

from collections.abc import Sequence
from typing import NamedTuple

from protocol.game import Seat
from protocol.independent.chain import DRAW, Chain
from protocol.independent.messages import Side
from protocol.independent.reading import OTHER, SEATS, Signed
from protocol.independent.side_chains import Fate


class Standing(NamedTuple):
    """A result, and the side envelopes on whose ground it stands where the chain itself has none."""

    result: dict[str, str]
    grounds: Sequence[Signed]


def find_standing(chain: Chain) -> Standing | None:
    """Return the result that stands; None while there is none."""
    if chain.over is not None:
        return Standing(dict(chain.over), ())
    grounds = chain.side_chains.grounds()
    result = chain.find_result(grounds)
    return None if result is None else Standing(result, grounds)


def find_losers(chain: Chain, outcome: Standing) -> list[Seat]:
    """Return the seats that a result disadvantages: of a draw both."""
    winner = outcome.result.get("winner")
    return [seat for seat in SEATS if chain.game.sides[seat] != winner]


def _covers(chain: Chain, outcome: Standing, seat: Seat) -> bool:
    """Say whether a seat has signed something that covers a result to its disadvantage."""
    if seat in chain.results:
        return True
    if outcome.result.get("winner") == DRAW:
        return False
    held = [one.body for one in chain.side_chains.held[seat]]
    knows_the_end = any(isinstance(one, Side) and one.header.seq == chain.length for one in held)
    if chain.over is not None:
        return knows_the_end or any(one.seat == seat for one in chain.envelopes[-1:])
    # In the other's turn a move that has crossed the resignation may be left out, or another one stand in its place.
    return seat in chain.side_chains.resigned and chain.asked == seat and knows_the_end


def is_confirmed(chain: Chain, outcome: Standing) -> bool:
    """Say whether no player can have made a result alone."""
    return all(_covers(chain, outcome, seat) for seat in find_losers(chain, outcome))


def find_owing(chain: Chain) -> Seat | None:
    """Return the seat that owes the next message."""
    outcome = find_standing(chain)
    if outcome is None:
        return chain.asked
    must = [seat for seat in SEATS if _must_sign(chain, seat)]
    missing = [seat for seat in find_losers(chain, outcome) if not _covers(chain, outcome, seat)]
    if missing:
        # Whoever has given up waits for the other's signature.
        return next((seat for seat in (*missing, *must) if seat in must), missing[0])
    rank = [(seat in chain.results) + (seat in chain.seeds) + (seat in chain.verdicts) for seat in SEATS]
    behind = must or [seat for seat in SEATS if rank[seat] < max(rank)]
    return behind[0] if len(behind) == 1 else None


def _must_sign(chain: Chain, seat: Seat) -> bool:
    """Say whether nothing is left for a seat but to sign the result."""
    if chain.has_ended:
        return seat not in chain.results
    proved = any(one.message.seat != seat and one.fate is Fate.PROVED for one in chain.side_chains.claims)
    return proved or OTHER[seat] in chain.side_chains.resigned or OTHER[seat] in chain.side_chains.accepted
