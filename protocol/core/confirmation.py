"""Whether a result is confirmed, and who owes what to it (SPEC.md, section "End and results").

One player alone can leave messages out of a log and sign new ones.  So a result counts only if the seat
that it disadvantages has signed something that covers it; whatever one seat can make alone never counts for itself.

Pure.  Which result follows is :mod:`protocol.core.results`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from protocol.core.stages import Stage
from protocol.core.transcript import Transcript
from protocol.game import Game, Seat

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


def result_of(
    transcript: Transcript, culprits: Collection[Seat], *, by_message: bool = False
) -> dict[str, str] | None:
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
            outcome = transcript.forfeit_result(culprit)
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
    must = [seat for seat in seats if transcript.must_sign(seat)]
    if missing:
        return next((seat for seat in (*missing, *must) if seat in must), missing[0])
    last = min(transcript.stages)
    behind = must or [seat for seat in seats if transcript.stages[seat] is last is not Stage.CLOSED]
    return behind[0] if len(behind) == 1 else None
