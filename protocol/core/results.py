"""Which result follows from the state of the game and what the seats have said beside it (SPEC.md, section "End").

One player alone can leave messages out of a log and sign new ones.  So a result counts only if the seat that it
disadvantages has signed something that covers it; whatever one seat can make alone never counts for itself.

Pure.  Whether the result may be signed now is :mod:`protocol.core.match_status`; signatures are
:mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from protocol.core.match_status import MatchStatus
from protocol.core.messages import Ground
from protocol.core.stages import Stage
from protocol.game import Game, Seat, other

if TYPE_CHECKING:
    from protocol.core.transcript import Transcript

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


_SIGNED = (Stage.SIGNED, Stage.OPENED, Stage.CLOSED)


def has_signed(transcript: Transcript, seat: Seat) -> bool:
    """Say whether a seat has signed the result."""
    return transcript.stages[seat] in _SIGNED


def missing_signatures(transcript: Transcript, result: Mapping[str, str]) -> tuple[Seat, ...]:
    """Return the seats whose signature under a result is missing; it is confirmed when there is none."""
    winner = _winner(transcript.game, result)
    seats = range(len(transcript.stages))
    if winner is None:
        # An acceptance alone may have crossed a move that undid it, and a draw disadvantages both.
        return tuple(seat for seat in seats if not has_signed(transcript, seat))
    return tuple(seat for seat in seats if seat != winner and not _covers(transcript, seat))


def result_of(transcript: Transcript, culprits: Collection[Seat], *, by_message: bool = False) -> dict[str, str] | None:
    """Return the result of a match in which some seats are convicted; None while it goes on, or if nobody wins.

    Args:
        transcript: of the match.
        culprits: who is convicted.
        by_message: whether somebody is by a message, and not by the audit alone.
    """
    outcome = transcript.outcome()
    if len(culprits) > 1:
        # Two cheats in one match leave nobody whom the result could favour.
        return None
    for culprit in culprits:
        # SPEC, "End and results": a message that convicts ends the match; whom the audit finds has lost or loses now.
        if by_message or outcome is None or _winner(transcript.game, dict(outcome)) in (None, culprit):
            outcome = forfeit_result(transcript.game, transcript.position.state, culprit)
    return None if outcome is None else dict(outcome)


def _winner(game: Game[object], result: Mapping[str, str]) -> Seat | None:
    """Return who wins by a result; None for a draw."""
    return next((seat for seat, name in enumerate(game.sides) if name == result["winner"]), None)


def _covers(transcript: Transcript, seat: Seat) -> bool:
    """Say whether a seat that loses has signed something that covers the result."""
    if has_signed(transcript, seat):
        return True
    if transcript.position.request is None:
        # Whatever a seat says at the final head, it has seen what is final; a move of its own is part of it.
        return transcript.testimony.seen(seat) == transcript.length
    # The chain's own result comes first, so where it was the other's turn they may hide a last move that crossed the
    # resignation and lost for them, or sign another in its place that hands the turn over.  Then the resigner signs
    # the result, too, having seen where the chain ends.
    return (
        seat in transcript.status.resigned
        and transcript.referee.turn(transcript.position) == seat
        and transcript.testimony.seen(seat) == transcript.length
    )


def owes(transcript: Transcript, result: Mapping[str, str] | None) -> Seat | None:
    """Return who has to sign or to show something next; None if nobody has, or both."""
    if result is None:
        return transcript.referee.turn(transcript.position)
    missing = missing_signatures(transcript, result)
    seats = range(len(transcript.stages))
    must = [seat for seat in seats if transcript.status.must_sign(seat)]
    if missing:
        return next((seat for seat in (*missing, *must) if seat in must), missing[0])
    last = min(transcript.stages)
    behind = must or [seat for seat in seats if transcript.stages[seat] is last is not Stage.CLOSED]
    return behind[0] if len(behind) == 1 else None
