"""What the log of a match proves, and the frame of a replay, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cli.clean import clean
from cli.text import clocks, matches, names, witnesses
from cli.text.wording import _, fill, speak

speak(__name__)

STEPPING: Final = "Enter shows the next event, a number so many of them, q ends."
STEP: Final = "-- enter: next   number: so many   q: end -- "

_SHORT: Final = 16


def words(answer: Mapping[str, Any]) -> str:
    """Return what a file proves; ``answer`` is its entry in ``verify --json``."""
    file = clean(answer["file"])
    found = {problem["code"] for problem in answer["problems"]}
    # Without the rules nothing of the match can be looked at, so nothing was found wrong with it.
    head = "{file}: not checked" if found == {"rules_version"} else "{file}: NOT verified"
    lines = [fill("{file}: verified" if answer["ok"] else head, file=file)]
    seated = [(one["name"], one["seat"]) for one in answer["players"]]
    if "rules_version" in found:
        lines.append("  " + match(answer["match"], seated))
    elif answer["match"] is not None:
        lines.append(
            fill(
                "  match {number}, {players}, {messages} messages, {scheme}", number=answer["match"][:_SHORT],
                players=players(seated), messages=answer["messages"], scheme=answer["scheme"],
            )
        )  # fmt: skip
        called = {one["seat"]: one["name"] for one in answer["players"]}
        outcome = answer["result"]
        said = matches.result(outcome["winner"], outcome["reason"], called, guilty=bool(answer["problems"]))
        lines.append(fill("  result: {result}", result=said))
        audited = "  audited: every hidden unit was opened and checked"
        lines.append(_(audited if answer["audited"] else "  not audited: not every seed is open"))
        lines += clocks.course(answer)
        lines += witnesses.course(answer)
    lines += [_problem(problem) for problem in answer["problems"]]
    return "\n".join(lines)


def _problem(problem: Mapping[str, Any]) -> str:
    seat = names.seat(problem["seat"] or "")
    gaps = {"seq": problem["seq"], "seat": seat, "text": clean(problem["text"])}
    if problem["seq"] is not None and problem["seat"] is not None:
        return fill("  problem: message {seq} by the {seat}: {text}", **gaps)
    if problem["seq"] is not None:
        return fill("  problem: message {seq}: {text}", **gaps)
    if problem["seat"] is not None:
        return fill("  problem: by the {seat}: {text}", **gaps)
    return fill("  problem: {text}", **gaps)


def players(seated: Sequence[tuple[str, str]]) -> str:
    """Return who plays against whom."""
    parts = [fill("{name} ({seat})", name=clean(name), seat=names.seat(seat)) for name, seat in seated]
    return _(" against ").join(parts)


def match(number: str, seated: Sequence[tuple[str, str]]) -> str:
    """Return the first line of a replay."""
    return fill("match {number}: {players}", number=number[:_SHORT], players=players(seated))


def result(outcome: Mapping[str, str] | None, called: Mapping[str, str], *, guilty: bool) -> str:
    """Return the last line of a replay."""
    winner, reason = (None, "") if outcome is None else (outcome["winner"], outcome["reason"])
    return fill("result: {result}", result=matches.result(winner, reason, called, guilty=guilty))


def cannot_be_shown(problem: str) -> str:
    """Return that a log cannot be replayed."""
    return fill("This log cannot be shown: {problem}. storm-p2p verify says more.", problem=clean(problem))


def goes_wrong(problem: str) -> str:
    """Return that a replay ends early."""
    return fill("The log goes wrong here: {problem}. storm-p2p verify says more.", problem=clean(problem))


def never_opened(sides: Sequence[str]) -> str:
    """Return whose hidden units cannot be shown."""
    sentence = "The hidden units of the {sides} were never opened in this match; they stay hidden here, too."
    return fill(sentence, sides=names.listed(sides))


def divided(moved: str, stayed: str) -> str:
    """Return who went and who stayed when a group divided."""
    return fill("moved: {moved}; stayed: {stayed}", moved=moved, stayed=stayed)
