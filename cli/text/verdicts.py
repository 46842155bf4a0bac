"""What the log of a match proves, and the frame of a replay, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cli.clean import clean
from cli.text import clocks, matches, wording
from cli.text.wording import Sentence, _, count, fill, lazy

if TYPE_CHECKING:
    from protocol.record.judging import Facts

STEPPING: Final = lazy("Enter shows the next event, a number shows that many, q quits.")
STEP: Final = lazy("-- enter: next   number: that many   q: quit -- ")

_SHORT: Final = 16
_SCHEMES: Final = lazy({"proved": "proved", "hash": "hash"})
"""What the schemes are called."""

BY_SECOND: Final = lazy("All of this was judged by the program's second implementation.")

unconfirmed = Sentence[str]("{result}, unconfirmed")
cannot_be_shown = Sentence[str]("This log cannot be shown: {problem}. storm-p2p verify says more.")
goes_wrong = Sentence[str]("The log goes wrong here: {problem}. storm-p2p verify says more.")
never_opened = Sentence[Sequence[str]](
    "What the {sides} hid was never opened in this match; it stays hidden here, too."
)


_CHEATS: Final = lazy(
    {
        "batch_not_derived": "hid something that does not come from the secret they had committed to",
        "key_not_derived": "locked the cards with a false key",
        "seal_not_derived": "sealed a choice under a false secret",
        "share_not_derived": "rigged a random number",
        "illegal_decision": "made a choice that the rules forbid",
        "false-claim": "made a claim with the wrong unit",
        "wrong-opening": "showed a unit that cannot have been there",
        "wrong_opening": "showed something other than what they had committed to",
        "commitment_repeated": "hid something under a copy of an earlier commitment",
        "bad_proof": "gave a false proof about what they hid",
        "bad_point": "hid something so that nothing can be proved about it",
        "no_card": "unlocked a card that does not exist",
        "wrong_seed": "opened a different secret from the one they had committed to",
        "false_result": "signed a false result",
        "two_messages": "signed two messages that contradict each other",
        "backdated": "backdated a message",
        "not_your_turn": "moved when it was not their turn",
        "not_now": "did something that was no longer possible",
        "early_claim": "claimed the match too early",
        "wrong_clock": "signed false times",
    }
)
"""What a cheat has done, by the code of the finding."""
_DAMAGE: Final = lazy(
    {
        "bad_handshake": "the beginning of the match is damaged or was made up",
        "bad_trailer": "the file is not what its player exported",
        "bad_signature": "neither player has signed this message",
        "wrong_match": "this message belongs to another match",
        "repeated": "a message is in the file more than once",
        "wrong_kind": "a message is marked as something it is not",
        "not_examined": "nothing after this message was checked",
        "bad_terms": "the terms of the match or its cards are damaged",
        "states_differ": "this message names a position that does not follow from the rules",
        "page_altered": "the page around this log was changed; do not believe what it shows",
        "page_version": "another version of the program wrote this page, so only its log was checked",
        "not_msgpack": "a message is damaged and cannot be read",
    }
)
"""What is wrong with a file, by the code of the finding."""
_DOES_NOT_FIT: Final = lazy("a message does not fit here: it is damaged, another one is missing, or it was added")
_BROKE_A_RULE: Final = lazy("broke a rule of the game")
_BROKE_PROTOCOL: Final = lazy("signed a message that no honest program sends")


def _head(answer: Facts) -> str:
    """Return the verdict on a file in words, what was found first."""
    found, number = answer["verdict"], answer["messages"]
    if found is None:
        codes = {problem["code"] for problem in answer["problems"]}
        return _("not checked: a published match without its end") if "cut" in codes else _("not checked")
    if found == "convicted":
        cheats = "; ".join(_cheat(answer, seat) for seat in answer["convicted"])
        # A seat is convicted by what it has signed, whatever became of the file.
        return fill("verified: {cheats}" if answer["ok"] else "damaged, but it proves this: {cheats}", cheats=cheats)
    if found == "damaged":
        if {problem["code"] for problem in answer["problems"]} <= _OUTSIDE:
            return _("damaged: the file was changed, but the messages in it are intact")
        if not number:
            return _("damaged: this file proves nothing")
        return fill("damaged: this file proves nothing from message {number} on", number=number + 1)
    if answer["problems"] and {problem["code"] for problem in answer["problems"]} <= _AROUND:
        return _("the log in this page is verified, the page around it is not")
    if answer["problems"]:
        return fill("verified up to message {number}; the next one does not fit, and nobody is accused", number=number)
    if answer["result"]["winner"] is not None and not answer["confirmed"]:
        return _("verified, but the result is UNCONFIRMED")
    return _("verified")


_AROUND: Final = frozenset({"page_altered", "page_version"})
"""What is wrong with a page beside its log."""
_OUTSIDE: Final = frozenset({"bad_trailer", "repeated", "wrong_kind"})
"""What is wrong with a file without touching a message."""


def _cheat(answer: Facts, seat: str) -> str:
    """Return who has cheated and how."""
    found = next((problem for problem in answer["problems"] if problem["seat"] == seat), None)
    called = next((one["name"] for one in answer["players"] if one["seat"] == seat), seat)
    if found is None:
        return fill("{name} ({seat}) cheated", name=wording.as_one(called), seat=wording.seat(seat))
    done = found["text"] if "batch" in found else how(found["code"])
    return cheated(called, seat, done, found["seq"])


def cheated(name: str, seat: str, done: str, number: int | None) -> str:
    """Return who has cheated how, in which message if it is an envelope."""
    gaps = {"name": wording.as_one(name), "seat": wording.seat(seat), "how": done, "number": number}
    return fill(
        "{name} ({seat}) cheated: {how}" if number is None else "{name} ({seat}) cheated: {how} (message {number})",
        **gaps,
    )


def how(code: str) -> str:
    """Return what a cheat has done, by the code of the finding."""
    # The rules have codes with hyphens, the protocol has underscores.
    return str(_CHEATS.get(code, _BROKE_PROTOCOL if "_" in code or code == "malformed" else _BROKE_A_RULE))


def what(code: str, seat: str | None) -> str:
    """Return what is wrong, by the code of the finding; ``seat`` is whom it convicts."""
    return how(code) if seat is not None else str(_DAMAGE.get(code, _DOES_NOT_FIT))


def words(answer: Facts) -> str:
    """Return what a file proves; ``answer`` is its entry in ``verify --json``."""
    found = {problem["code"] for problem in answer["problems"]}
    lines = [fill("{file}: {verdict}", file=clean(answer["file"]), verdict=_head(answer))]
    seated = [(one["name"], one["seat"]) for one in answer["players"]]
    if "rules_version" in found:
        lines.append("  " + match(answer["match"], seated))
    elif answer["match"] is not None:
        lines.append(
            count(
                "  match {match}, {players}, {number} message, {scheme}",
                "  match {match}, {players}, {number} messages, {scheme}",
                answer["messages"],
                match=answer["match"][:_SHORT],
                players=players(seated),
                scheme=_SCHEMES.get(answer["scheme"], clean(answer["scheme"])),
            )
        )
        called = {one["seat"]: one["name"] for one in answer["players"]}
        outcome = answer["result"]
        said = matches.result(outcome["winner"], outcome["reason"], called, guilty=bool(answer["convicted"]))
        if len(answer["convicted"]) > 1:
            said = _("nobody wins")
        lines.append(fill("  result: {result}", result=said))
        lines += _signatures(answer)
        audited = lazy("  audited: everything that was hidden was opened and checked")
        lines.append(str(audited) if answer["audited"] else _("  not audited: not every seed is open"))
        lines += clocks.course(answer)
        lines += matches.course(answer)
    lines += [_remark(remark) for remark in answer["remarks"]]
    unread = answer["result"]["reason"] == "unreadable"
    lines += [_problem(problem, unread=unread) for problem in answer["problems"]]
    return "\n".join(lines)


def _signatures(answer: Facts) -> list[str]:
    """Return who has signed what, and who has to do something next."""
    lines = []
    ended = answer["result"]["winner"] is not None
    if ended:
        signed, seeds = (wording.listed([wording.seat(one) for one in answer[key]]) for key in ("signed", "seeds"))
        if answer["confirmed"]:
            lines.append(_("  confirmed: no player alone could have made this up"))
        else:
            lines.append(_("  unconfirmed: one player alone could have made this up"))
        lines.append(fill("  result signed by: {seats}; seeds open: {seeds}", seats=signed or "-", seeds=seeds or "-"))
    if len(answer["merged"]) > 1:
        merged = wording.listed([clean(file) for file in answer["merged"]])
        lines.append(fill("  judged together, as logs of one match: {files}", files=merged))
    if answer["deviates"] is not None:
        template = lazy(
            "  the last message of the {seat} names a position that does not follow from this match's rules"
        )
        lines.append(fill(template, seat=wording.seat(answer["deviates"])))
    if answer["must_show"] is not None:
        template = lazy("  the {seat} must show the message that theirs rests on: {hash}")
        lines.append(fill(template, seat=wording.seat(answer["must_show"]["seat"]), hash=answer["must_show"]["hash"]))
    if answer["owes"] is not None:
        template = lazy("  the next message has to come from the {seat}")
        if ended and not answer["confirmed"]:
            template = lazy("  the {seat} must sign the result or show the message that refutes it")
        lines.append(fill(template, seat=wording.seat(answer["owes"])))
    return lines


_REMARKS: Final = lazy(
    {
        "one_identity": "  note: one identity key holds both seats",
        "false_verdict": "  note: the audit that the {seat} signed does not match the log",
    }
)


def _remark(remark: Facts) -> str:
    return fill(_REMARKS[remark["code"]], seat=wording.seat(remark["seat"] or ""))


def _problem(problem: Facts, *, unread: bool) -> str:
    seat = wording.seat(problem["seat"] or "")
    # Other texts are technical ones, in English.
    is_worded = unread or "batch" in problem or problem["code"] == "rules_version"
    text = problem["text"] if is_worded else what(problem["code"], problem["seat"])
    gaps = {"seq": problem["seq"], "seat": seat, "text": clean(text)}
    if problem["seq"] is not None and problem["seat"] is not None:
        return fill("  problem: message {seq} by the {seat}: {text}", **gaps)
    if problem["seq"] is not None:
        return fill("  problem: message {seq}: {text}", **gaps)
    if problem["seat"] is not None:
        return fill("  problem: by the {seat}: {text}", **gaps)
    return fill("  problem: {text}", **gaps)


def players(seated: Sequence[tuple[str, str]]) -> str:
    """Return who plays against whom."""
    parts = [fill("{name} ({seat})", name=wording.as_one(name), seat=wording.seat(seat)) for name, seat in seated]
    return _(" against ").join(parts)


def match(number: str, seated: Sequence[tuple[str, str]]) -> str:
    """Return the first line of a replay."""
    return fill("match {number}: {players}", number=number[:_SHORT], players=players(seated))


def result(outcome: Mapping[str, str] | None, called: Mapping[str, str], *, guilty: bool, confirmed: bool) -> str:
    """Return the last line of a replay."""
    winner, reason = (None, "") if outcome is None else (outcome["winner"], outcome["reason"])
    said = matches.result(winner, reason, called, guilty=guilty)
    return fill("result: {result}", result=said if winner is None or confirmed else unconfirmed(said))
