"""Sentences about the computer's advice, in a match of any game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.text.wording import Sentence, count, lazy

if TYPE_CHECKING:
    from cli.console.analysis import Candidate

Say = Callable[[Any], str]

AGREED: Final = lazy("Aids: both of you may ask your own computer for hints.")
NO_ADVICE: Final = lazy("The computer gives no hints in this game.")
NOT_AGREED: Final = lazy(
    "Hints were not agreed on. Against another person they are allowed only if the host proposes them: in the menu "
    "under Hints from the computer, or with --aids."
)
NOTHING_ASKED: Final = lazy("There is nothing to decide now, so the computer has no hint.")
STOPPED: Final = lazy("The hint was stopped.")

offers = Sentence[str, str]("Hint: {action}. Your chance to win: {chance}.")
mixed = Sentence[str]("A secret choice should vary: the computer would choose this one {share} of the time.")
names_next = Sentence[Sequence[str]]("Next best: {others}.")


def thinking(seconds: int, *, plain: bool) -> str:
    """Return that the computer thinks, and what stops it."""
    if plain:
        return count(
            "The computer is thinking, for at most a second; your next line stops it.",
            "The computer is thinking, for at most {number} seconds; your next line stops it.",
            seconds,
        )
    return count(
        "The computer is thinking, for at most a second; Escape stops it.",
        "The computer is thinking, for at most {number} seconds; Escape stops it.",
        seconds,
    )


def percent(chance: float) -> str:
    """Return a chance as people read it; only what is certain is 0 or 100 %."""
    least, most = (0, 100) if chance in (0, 1) else (1, 99)
    return f"{min(most, max(least, round(100 * chance)))} %"


def hint(found: Sequence[Candidate], name: Say, reason: Say) -> list[str]:
    """Return what the computer would play, why, and what it thought of next.

    ``name`` names an action to the reader, ``reason`` is the sentence for a reason.
    """
    best, *others = found
    lines = [offers(name(best.action), percent(best.chance))]
    reasons = [reason(fact) for fact in best.reasons]
    if best.share < 1:
        reasons.append(mixed(percent(best.share)))
    if reasons:
        lines.append(" ".join(reasons))
    if others:
        lines.append(names_next([f"{name(one.action)} ({percent(one.chance)})" for one in others]))
    return lines
