"""What the log of a match proves, and the frame of a replay, in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from cli.clean import clean
from cli.text import clocks, matches, names, witnesses
from cli.text.sentences import Sentence
from cli.text.wording import _, count, fill, lazy

STEPPING: Final = lazy("Enter shows the next event, a number shows that many, q quits.")
STEP: Final = lazy("-- enter: next   number: that many   q: quit -- ")

_SHORT: Final = 16
_SCHEMES: Final = lazy({"proved": "proved", "hash": "hash"})
"""What the schemes are called."""

unconfirmed = Sentence[str]("{result}, unconfirmed")
by_code = Sentence[str]('{code} (SPEC.md, "Misbehaviour", says what that is)')
cannot_be_shown = Sentence[str]("This log cannot be shown: {problem}. storm-p2p verify says more.")
goes_wrong = Sentence[str]("The log goes wrong here: {problem}. storm-p2p verify says more.")
never_opened = Sentence[Sequence[str]](
    "What the {sides} hid was never opened in this match; it stays hidden here, too."
)
divided = Sentence[str, str]("moved: {moved}; stayed: {stayed}")


def words(answer: Mapping[str, Any]) -> str:
    """Return what a file proves; ``answer`` is its entry in ``verify --json``."""
    file = clean(answer["file"])
    found = {problem["code"] for problem in answer["problems"]}
    ended = answer["ok"] and answer["result"]["winner"] is not None
    head = lazy("{file}: verified" if answer["ok"] else "{file}: NOT verified")
    if found == {"rules_version"}:
        # Without the rules nothing of the match can be looked at, so nothing was found wrong with it.
        head = lazy("{file}: not checked")
    elif ended and not answer["confirmed"]:
        head = lazy("{file}: nothing is wrong, but the result is UNCONFIRMED")
    lines = [fill(head, file=file)]
    seated = [(one["name"], one["seat"]) for one in answer["players"]]
    if "rules_version" in found:
        lines.append("  " + match(answer["match"], seated))
    elif answer["match"] is not None:
        lines.append(
            count(
                "  match {match}, {players}, {number} message, {scheme}",
                "  match {match}, {players}, {number} messages, {scheme}", answer["messages"],
                match=answer["match"][:_SHORT], players=players(seated),
                scheme=_SCHEMES.get(answer["scheme"], clean(answer["scheme"])),
            )
        )  # fmt: skip
        called = {one["seat"]: one["name"] for one in answer["players"]}
        outcome = answer["result"]
        said = matches.result(outcome["winner"], outcome["reason"], called, guilty=bool(answer["convicted"]))
        lines.append(fill("  result: {result}", result=said))
        lines += _signatures(answer)
        audited = lazy("  audited: everything that was hidden was opened and checked")
        lines.append(str(audited) if answer["audited"] else _("  not audited: not every seed is open"))
        lines += clocks.course(answer)
        lines += witnesses.course(answer)
    lines += [_remark(remark) for remark in answer["remarks"]]
    lines += [_problem(problem) for problem in answer["problems"]]
    return "\n".join(lines)


def _signatures(answer: Mapping[str, Any]) -> list[str]:
    """Return who has signed what, and who has to do something next."""
    lines = []
    ended = answer["result"]["winner"] is not None
    if ended:
        signed, seeds = (names.listed([names.seat(one) for one in answer[key]]) for key in ("signed", "seeds"))
        if answer["confirmed"]:
            lines.append(_("  confirmed: no player alone could have made this up"))
        else:
            lines.append(_("  unconfirmed: one player alone could have made this up"))
        lines.append(fill("  result signed by: {seats}; seeds open: {seeds}", seats=signed or "-", seeds=seeds or "-"))
    if len(answer["merged"]) > 1:
        merged = names.listed([clean(file) for file in answer["merged"]])
        lines.append(fill("  judged together, as logs of one match: {files}", files=merged))
    if answer["deviates"] is not None:
        template = lazy(
            "  the last message of the {seat} names a position that does not follow from this match's rules"
        )
        lines.append(fill(template, seat=names.seat(answer["deviates"])))
    if answer["must_show"] is not None:
        template = lazy("  the {seat} must show the message that theirs rests on: {hash}")
        lines.append(fill(template, seat=names.seat(answer["must_show"]["seat"]), hash=answer["must_show"]["hash"]))
    if answer["owes"] is not None:
        template = lazy("  the next message has to come from the {seat}")
        if ended and not answer["confirmed"]:
            template = lazy("  the {seat} must sign the result or show the message that refutes it")
        lines.append(fill(template, seat=names.seat(answer["owes"])))
    return lines


_REMARKS: Final = lazy({
    "one_identity": "  note: one identity key holds both seats",
    "false_verdict": "  note: the audit that the {seat} signed does not match the log",
})  # fmt: skip


def _remark(remark: Mapping[str, Any]) -> str:
    return fill(_REMARKS[remark["code"]], seat=names.seat(remark["seat"] or ""))


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


def result(outcome: Mapping[str, str] | None, called: Mapping[str, str], *, guilty: bool, confirmed: bool) -> str:
    """Return the last line of a replay."""
    winner, reason = (None, "") if outcome is None else (outcome["winner"], outcome["reason"])
    said = matches.result(winner, reason, called, guilty=guilty)
    return fill("result: {result}", result=said if winner is None or confirmed else unconfirmed(said))
