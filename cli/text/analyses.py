"""Sentences about what the computer thinks of a match, of any game: its hints, its analysis; and about the replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.clean import clean
from cli.text import matches
from cli.text.wording import Lazy, Sentence, count, lazy

if TYPE_CHECKING:
    from cli.console.replay import Analysis, Candidate, End, Judged


Say = Callable[[Any], str]

NO_ADVICE: Final = lazy("The computer gives no hints in this game.")
NOT_AGREED: Final = lazy(
    "Hints were not agreed on. Against another person they are allowed only if the host proposes them: in the menu "
    "under Hints from the computer, or with --aids."
)
NOTHING_ASKED: Final = lazy("There is nothing to decide now, so the computer has no hint.")
HINT_STOPPED: Final = lazy("The hint was stopped.")

offers = Sentence[str, str]("Hint: {action}. Your chance to win: {chance}.")
mixed = Sentence[str]("A secret choice should vary: the computer would choose this one {share} of the time.")
mixes = Sentence[Sequence[str]]("The rest of the time it would choose {others}.")
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
    # A choice that is mixed in may promise more than the first, as long as it is not the one that is expected.
    rest = [f"{name(one.action)} ({percent(one.share)})" for one in others if best.share < 1 and one.share]
    worse = [
        f"{name(one.action)} ({percent(one.chance)})"
        for one in others
        if (best.share == 1 or not one.share) and one.chance <= best.chance
    ]
    lines += [mixes(rest)] if rest else []
    lines += [names_next(worse)] if worse else []
    return lines


TITLE: Final = lazy("ANALYSIS")
TURNS: Final = lazy("turns {first} to {last}")
EACH_KNEW: Final = lazy("as each side saw it; need not add up to 100 %")
CHANCE: Final = lazy("chance to win")
LOST: Final = lazy("the costliest decisions")
NOTHING_LOST: Final = lazy("In the computer's judgement, no decision cost even 1 %.")
NOT_OPENED: Final = lazy("What the players hid was never opened, so no decision can be judged.")
NO_LOG: Final = lazy("The log of this match cannot be read, so it cannot be analysed.")
WORKING: Final = lazy("The computer is analysing the match; this can take a minute. You can go on typing meanwhile.")
NOT_YET: Final = lazy("storm-p2p analyse shows how the chances changed, once the match is over.")
NO_ANALYSIS: Final = lazy("The computer does not analyse matches of this game.")
STOPPED: Final = lazy("The analysis was stopped.")
HINT: Final = lazy("{keys} go to that decision   a or esc: back to the replay")
HINT_NONE: Final = lazy("a or esc: back to the replay")

progress = Sentence[int, int]("message {done} of {total}, esc stops it")
progress_told = Sentence[int, int]("Analysed {done} of {total} messages.")
_ended = Sentence[int, str]("The match ended in turn {turn}; {result}.")
_ended_early = Sentence[str]("The match ended before the first turn; {result}.")
_you_gave_up = Sentence[str]("You gave up a chance of {chance}.")
_gave_up = Sentence[str, str]("{name} gave up a chance of {chance}.")
by_turn = Sentence[int, str]("turn {turn}: {figures}")
at_end = Sentence[str]("at the end: {figures}")
_decision = Sentence[int, int, str, str, str]("{number}  turn {turn}, {side}: {action} ({chance})")
_better = Sentence[str, str]("better: {action} ({chance}).")


def ended(found: Analysis, end: End, called: Mapping[str, str], *, guilty: bool = False, own: str = "") -> str:
    """Return when and how a match ended, and what chance somebody gave up; ``called`` has the players' names by the
    words for their seats, in their order, of which the reader has ``own``.
    """
    result = matches.result(end.winner, end.reason, called, guilty=guilty, own=own)
    told = _ended(end.turn, result) if end.turn else _ended_early(result)
    return f"{told} {given_up(found, end, called, guilty=guilty, own=own)}".rstrip()


def given_up(found: Analysis, end: End, called: Mapping[str, str], *, guilty: bool = False, own: str = "") -> str:
    """Return what chance somebody gave up; empty where nobody did.  The arguments are those of :func:`ended`."""
    if matches.reason(end.reason, guilty=guilty) != "resignation" or len(found.points) < 2:
        return ""
    # The last point is the end itself.
    return " ".join(
        _you_gave_up(percent(chance)) if word == own else _gave_up(clean(called[word]), percent(chance))
        for word, chance in zip(called, found.points[-2].chances, strict=False)
        if word != end.winner and chance is not None
    )


def decision(
    number: int, judged: Judged, side: str, name: Callable[[str], str], reason: Callable[[object], str]
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


HEAD: Final = lazy("Replay")
WATCHING: Final = lazy("Watching")
AT: Final = lazy("step {at} of {last}")
TURN: Final = lazy("turn {turn}")
VIEWS: Final[Mapping[str, Lazy]] = lazy({"public": "public view", "all": "everything open"})
VIEW_OF: Final = lazy("view of the {side}")
MARKED: Final = lazy("marked")
LOG: Final = lazy("what happened")
COMMENT: Final = lazy("comment")
COMMENT_PROMPT: Final = lazy("Comment on this step: {typed}_")
COMMENT_HINT: Final = lazy("enter keeps it   esc leaves it as it was")
JUMP_PROMPT: Final = lazy("Go to step: {typed}_")
JUMP_HINT: Final = lazy("enter goes there   esc stays")
REPLAY_HINT: Final = lazy("left/right step   space plays   PgUp/PgDn ten   {landmarks}   q quit")
speed = Sentence[str]("Steps per second: {number}.")
HINT_MORE: Final = lazy("v or {keys} view   {analysis}   b mark   n next mark   # comment   F1 help")
STEPPING: Final = lazy(
    (
        "left, right: a step back or forward, like backspace, enter and the wheel.",
        "space: play or stop. +, -: the speed. A click on the bar goes to a step.",
        "PgUp, PgDn: ten steps. home, end: the first and the last. g and a number.",
    )
)
MARKING: Final = lazy(
    (
        "b: mark this step (# on the bar), or take its mark away. n: the next mark.",
        "#: comment on this step. Marks and comments never change the signed log.",
        "q or esc: leave.",
    )
)
HELP: Final = lazy("HELP (any key: back)")
LIVE: Final = lazy("looking back")
HINT_LIVE: Final = lazy("left/right step   PgUp/PgDn ten   home/end   {landmarks}   g go to")
HINT_LIVE_MORE: Final = lazy("esc or F9: back to the match as it is now; it goes on meanwhile")
HINT_OVER: Final = lazy("{analysis}   esc or F9: back to the end")
ANALYSIS: Final = lazy("a analysis")
NOTHING_FURTHER: Final = lazy("There are no more.")
NO_STEPS: Final = lazy("This match has no steps yet.")
