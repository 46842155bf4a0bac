"""Sentences about the analysis of a match, of any game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.text import matches
from cli.text.advice import percent
from cli.text.sentences import Sentence
from cli.text.wording import lazy

if TYPE_CHECKING:
    from cli.console.analysis import End, Judged

WANTED: Final = lazy("Expected the log of a match: storm-p2p analyse FILE.")
TITLE: Final = lazy("ANALYSIS")
TURNS: Final = lazy("turns {first} to {last}")
CHANCE: Final = lazy("chance to win")
LOST: Final = lazy("the costliest decisions")
NOTHING_LOST: Final = lazy("In the computer's judgement, no decision cost even 1 %.")
NOT_OPENED: Final = lazy("What the players hid was never opened, so no decision can be judged.")
NO_LOG: Final = lazy("The log of this match cannot be read, so it cannot be analysed.")
WORKING: Final = lazy("The computer analyses the match; this can take a minute. You can go on typing meanwhile.")
NOT_YET: Final = lazy("The match can be analysed when it is over.")
NO_ANALYSIS: Final = lazy("The computer does not analyse matches of this game.")
STOPPED: Final = lazy("The analysis was stopped.")
HINT: Final = lazy("{keys} go to that decision   a or esc: back to the replay")
HINT_NONE: Final = lazy("a or esc: back to the replay")

progress = Sentence[int, int]("message {done} of {total}, esc stops it")
progress_told = Sentence[int, int]("Analysed {done} of {total} messages.")
_ended = Sentence[int, str]("The match ended in turn {turn}; {result}.")
_ended_early = Sentence[str]("The match ended before the first turn; {result}.")
by_turn = Sentence[int, str]("turn {turn}: {figures}")
_decision = Sentence[int, int, str, str, str]("{number}  turn {turn}, {side}: {action} ({chance})")
_better = Sentence[str, str]("better: {action} ({chance}).")


def ended(end: End, called: Mapping[str, str], *, guilty: bool = False, own: str = "") -> str:
    """Return when and how a match ended; ``called`` has the players' names by the words for their seats, of which the
    reader has ``own``.
    """
    result = matches.result(end.winner, end.reason, called, guilty=guilty, own=own)
    return _ended(end.turn, result) if end.turn else _ended_early(result)


def decision(
    number: int, judged: Judged, side: str, name: Callable[[str], str], reason: Callable[[Any], str]
) -> tuple[str, str]:
    """Return a decision that lost something, and what would have been better there and why.

    ``number`` counts from 1; ``name`` names an action to the reader, ``reason`` is the sentence for a reason.
    """
    better = judged.better
    why = [reason(fact) for fact in better.reasons]
    return (
        _decision(number, judged.turn, side, name(judged.played), percent(judged.chance)),
        " ".join([_better(name(better.action), percent(better.chance)), *why]),
    )


def figures(parts: Sequence[tuple[str, str]]) -> str:
    """Return some figures, each with what it is, as "Honor 14, Energy 20"."""
    return ", ".join(f"{what} {value}" for what, value in parts)
