"""Which result follows from the state of the game and what the seats have said beside it (SPEC.md, section "End").

Pure.  Whether the result may be signed now is :mod:`protocol.core.match_status`; signatures are
:mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from protocol.core.match_status import MatchStatus
from protocol.core.messages import Ground
from protocol.game import Game, Seat, other

Result: TypeAlias = tuple[tuple[str, str], ...]
"""A result as it is signed: its facts, sorted by key."""

Grounds: TypeAlias = "tuple[tuple[Seat, bytes], ...]"
"""What decides if the chain itself has no result: seats and hashes of side envelopes."""

DRAW_AGREED: Final = (("reason", "agreement"), ("winner", "draw"))
"""The result of an accepted draw."""


def forfeit_result(game: Game[Any], state: Any, seat: Seat) -> Result:
    """Return the result if a seat has given up or been caught."""
    result = game.result(game.forfeit(state, seat))
    return tuple(sorted((result or {}).items()))


def follows(game: Game[Any], state: Any, status: MatchStatus, grounds: Grounds, turn: Seat | None) -> Result | None:
    """Return the result that follows in a state from some grounds, the empty one if none does.

    None stands for grounds from which none can follow.

    Args:
        game: the rules.
        state: at the end of the chain.
        status: what the seats have said.
        grounds: what decides if the chain itself has no result.
        turn: who would have to write the next envelope.
    """
    result = game.result(state)
    if result is not None:
        return () if grounds else tuple(sorted(result.items()))
    if not grounds:
        return ()
    claim = status.find_claim(grounds)
    if claim is not None:
        reason = "time" if claim.ground is Ground.TIME else "absence"
        return tuple(sorted({**dict(forfeit_result(game, state, other(claim.seat))), "reason": reason}.items()))
    resigned = status.find_resigned(grounds)
    if resigned is None or len(resigned) not in (0, len(grounds)):
        return None
    if len(resigned) > 1:
        # SPEC, "Draw": a draw could be made a win by leaving the own resignation out.
        resigned = tuple(seat for seat in resigned if seat == turn)
    return forfeit_result(game, state, resigned[0]) if resigned else DRAW_AGREED
