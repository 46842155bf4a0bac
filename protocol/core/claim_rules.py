"""Whether a claim to a match is well founded (SPEC.md, section "Breaks and claims").

Both questions are answered from what stands in the signed record at the head that the claim names, so that both
programs and a stranger come to the same answer.
"""

from __future__ import annotations

from protocol.core.clock.accounts import ClockAccounts
from protocol.core.clock.terms import ClockTerms, required_silence
from protocol.core.messages import Ground, Side
from protocol.game import Seat, other


def is_proved(claim: Side, turn: Seat | None, times: ClockAccounts | None) -> bool:
    """Say whether a claim rests on nothing but what the other has signed, and nothing of theirs can cross it."""
    assert isinstance(claim.body, tuple)
    if claim.body[0] != Ground.TIME or times is None:
        return False
    return turn == claim.seat and times.claimed[other(claim.seat)].fallen


def too_early(
    claim: Side, turn: Seat | None, times: ClockAccounts | None, clock: ClockTerms | None
) -> tuple[str, str] | None:
    """Return what a claim at the present head lacks by its author's own word, as expected and got.

    Args:
        claim: the side envelope.
        turn: who has to write the next envelope.
        times: the clocks in the record.
        clock: the terms.
    """
    assert isinstance(claim.body, tuple)
    ground, *reading = claim.body
    accused = other(claim.seat)
    if turn != accused:
        return "a claim while the other owes a message", "one in the own turn"
    if ground == Ground.ABSENCE:
        wanted, measured = required_silence(clock, (reading[0], reading[1]))
        return None if measured >= wanted else (f"a silence of {wanted} seconds", f"{measured} seconds")
    if times is None:
        return "a clock in the terms", "a claim on time"
    account = times.running(accused, (reading[0], reading[1]))
    return None if account.fallen else ("a clock that has run out", f"{account.left} seconds left")
