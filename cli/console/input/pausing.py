"""What a person's words about breaks and claims do; pure but for the controls that they use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cli.match.participant import Controls
from cli.storm.model import Model
from cli.text import clocks
from protocol.core.messages import Break

WORDS = frozenset({"pause", "adjourn", "continue", "claim", "concede", "deny"})
"""The words."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a word does."""

    do: Callable[[], bool | None]
    """Does it; returns True where what follows will be told anyway, so that nothing is said here."""
    ask: str = ""
    """What is asked before; nothing where nothing is lost by it."""
    said: str = ""
    """What is said after it."""
    ends: bool = False
    """It ends the match."""
    answers: bool = False
    """It answers the proposal of a break."""


def question(what: str, model: Model) -> str | None:
    """Return what is asked before a word about breaks and claims, nothing where nothing is lost by it.

    None stands for a word about something else.
    """
    if what in ("accept", "decline"):
        return "" if model.break_offered and not model.draw_offered else None
    if what not in WORDS:
        return None
    return {"claim": clocks.claim_question(model.opponent), "concede": str(clocks.CONCEDE)}.get(what, "")


def step(what: str, model: Model, controls: Controls) -> Step | None:
    """Return what a word about breaks and claims does, or None for another word.

    ``accept`` and ``decline`` answer the proposal of a break where no draw is on offer.
    """
    asked = question(what, model)
    if asked is None:
        return None
    match what:
        case "pause":
            return _proposal(Break.PAUSE, model, controls)
        case "adjourn":
            return _proposal(Break.ADJOURNMENT, model, controls)
        case "accept":
            return Step(controls.agree, answers=True)
        case "decline":
            return Step(controls.reject, said=str(clocks.DECLINED), answers=True)
        case "continue":
            return Step(controls.go_on)
        case "claim":
            return Step(controls.claim, ask=asked, said=str(clocks.CLAIM_SENT))
        case "concede":
            return Step(controls.concede, ask=asked, ends=True)
        case _:
            return Step(controls.deny, said=str(clocks.DENIED))


def _proposal(what: Break, model: Model, controls: Controls) -> Step:
    said = clocks.proposal_sent(model.opponent, what, clock=controls.clocks() is not None)
    return Step(lambda: controls.propose(what), said=said)
