"""Test vectors of side envelopes, results, seeds and verdicts: one log for each rule of SPEC.md, "Order"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helpers_vector_matches import (
    ACCEPT,
    AGREE,
    CHAT,
    CLAIM,
    DECLINE,
    DENY,
    GO_ON,
    HASH,
    OFFER,
    PROPOSE,
    REJECT,
    RESIGN,
    STRANGER,
    Pages,
    read,
)
from helpers_wire import entropy

WEEK = 7 * 24 * 3600
DRAW = (("reason", "agreement"), ("winner", "draw"))


def sides(page: Pages) -> None:
    """Rules 5 to 13 of side envelopes."""
    match = page.match
    chat = match.side(0, CHAT, "gg")
    page.good("a chat of one character", 0, match.side(0, CHAT, "g"))
    page.good("a chat of 500 characters", 0, match.side(0, CHAT, "g" * 500))
    page.good("a chat in characters of a later Unicode than 3.2", 0, match.side(0, CHAT, "\U0001fae9 \u1e9e"))
    page.good("an unknown type that is odd", 0, match.side(0, 13, b""), match.side(1, 65535, bytes(1024)))
    page.good("one of an unknown odd type is counted", 0, odd := match.side(0, 13, b"later"),
              match.envelope(1, sides=(1, 0), prev=match.link(1, odd)))  # fmt: skip
    page.dispute("an unknown type that is even", "unknown_message", 0, 0, match.side(0, 12, b""))
    page.dispute("the last type that is even", "unknown_message", 1, 0, match.side(1, 65534, b"\0"))
    page.add("more side envelopes than may be", "too_many", 0, 0, match.side(0, CHAT, "gg", number=2001))
    page.add("a resignation has one number more, and no more", "too_many", 0, 0, match.side(0, RESIGN, number=2002))
    page.damage("the number that a resignation alone may have", "gap", 0, match.side(0, RESIGN, number=2001))
    page.damage("the second without the first", "gap", 0, match.side(0, CHAT, "gg", number=2, after=chat))
    page.damage("at a head that is not there", "gap", 0, match.side(0, CHAT, "gg", seq=1))
    page.add("two with one number", "two_messages", 0, 0, chat, match.side(0, CHAT, "gl"))
    later = match.side(0, CHAT, "gl", number=2, seq=1)
    page.add("does not follow the own one before", "wrong_prev", 0, 1, chat := match.side(0, CHAT, "gg", seq=1), later)
    page.add("follows one of the other", "wrong_prev", 1, 0, match.side(0, CHAT, "gg"),
             match.side(1, CHAT, "gl", prev=HASH))
    page.dispute("another head", "forked", 0, 0, match.side(0, CHAT, "gg", head=HASH))
    page.dispute("the head before", "forked", 0, 1, match.side(0, CHAT, "gg", seq=1, head=match.match_id))
    page.add("the number is taken, and the head is another one", "two_messages", 0, 1, chat,
             match.side(0, CHAT, "gl", seq=1, head=HASH))  # fmt: skip
    page.add("signed by the other seat: a side envelope", "wrong_seat", 1, 0,
             match.side(0, CHAT, "gg", by=match.keys[1]))
    page.damage("signed by a stranger: a side envelope", "bad_signature", 0, match.side(0, CHAT, "gg", by=STRANGER))
    page.damage("of another match: a side envelope", "wrong_match", 0, match.side(0, CHAT, "gg", match_id=HASH))


def malformed_sides(page: Pages) -> None:
    """Rule 2 of all messages for the bodies of side envelopes."""
    bodies: Sequence[tuple[str, int, Any]] = (
        ("type 0", 0, None), ("type 65536", 65536, b""), ("a chat that is nil", CHAT, None),
        ("an empty chat", CHAT, ""),
        ("a chat of 501 characters", CHAT, "g" * 501), ("a chat that is binary", CHAT, b"gg"),
        ("a chat with a line feed", CHAT, "g\ng"), ("a chat with U+200B", CHAT, "g\u200bg"),
        ("a chat with U+00AD", CHAT, "g\u00adg"), ("a chat with U+E000", CHAT, "\ue000"),
        ("a chat with U+FFFF", CHAT, "g\uffff"), ("a chat that is not in NFC", CHAT, "u\u0308"),
        ("a chat that begins with a space", CHAT, " gg"), ("a chat that ends with a space", CHAT, "gg "),
        ("an offer with a body", OFFER, 0), ("a resignation with a body", RESIGN, ""),
        ("a GO_ON with a body", GO_ON, 1),
        ("an acceptance of nil", ACCEPT, None), ("an acceptance of number 0", ACCEPT, 0),
        ("a refusal of a number above 2^31", DECLINE, 2**31 + 1), ("break 0", PROPOSE, 0), ("break 3", PROPOSE, 3),
        ("an agreement to nil", AGREE, None), ("a rejection of true", REJECT, True),
        ("a claim that is nil", CLAIM, None),
        ("a claim on ground 0", CLAIM, (0, WEEK, 0)), ("a claim on ground 3", CLAIM, (3, WEEK, 0)),
        ("a claim with one time", CLAIM, (2, WEEK)), ("a claim with a time of -1", CLAIM, (2, WEEK, -1)),
        ("a denial of text", DENY, "1"), ("an unknown type with nil", 13, None),
        ("an unknown type with text", 13, "later"),
        ("an unknown type with 1025 bytes", 13, bytes(1025)),
    )  # fmt: skip
    for comment, type_, body in bodies:
        page.add(f"side: {comment}", "malformed", 0, 0, page.match.side(0, type_, body))
    page.add("side: number 0", "malformed", 0, 0, page.match.side(0, CHAT, "gg", number=0))
    page.add("side: seq is -1", "malformed", 0, 0, page.match.side(0, CHAT, "gg", seq=-1))


def draws(page: Pages) -> None:
    """Draws, resignations and breaks (SPEC.md, "Draw, resignation and chat", "Breaks and claims")."""
    match = page.match
    offer, accept = match.side(0, OFFER), match.side(1, ACCEPT, 1)
    resign = match.side(0, RESIGN)
    grounds = ((1, match.digest("side", accept)),)
    at_start: dict[str, Any] = {"seq": 0, "head": match.match_id, "result": DRAW, "grounds": grounds}
    page.good("an accepted draw", 0, offer, accept)
    page.good("an offer that is declined", 0, offer, match.side(1, DECLINE, 1))
    page.good("an envelope crosses the acceptance and undoes it", 0, offer, accept,
              match.envelope(1, sides=(1, 0), prev=match.link(1, offer)))  # fmt: skip
    page.add("an envelope counts the acceptance of the own offer", "not_now", 0, 0, offer, accept,
             match.envelope(1, sides=(1, 1), prev=match.link(1, offer, accept)))  # fmt: skip
    page.good("who has offered signs", 0, offer, accept, match.result(0, sides=(1, 1), **at_start))
    page.dispute("who has accepted signs first", "not_now", 1, 0, offer, accept,
                 match.result(1, sides=(1, 1), **at_start))  # fmt: skip
    offer_1, accept_1 = match.side(0, OFFER, seq=1), match.side(1, ACCEPT, 1, seq=1)
    page.add("an envelope of who has accepted", "not_now", 1, 1, offer_1, accept_1,
             match.envelope(2, sides=(1, 1), prev=match.link(2, offer_1, accept_1)))  # fmt: skip
    page.dispute("an acceptance of nothing", "no_such_offer", 1, 0, accept)
    page.dispute("an acceptance of the own offer", "no_such_offer", 0, 0, offer,
                 match.side(0, ACCEPT, 1, number=2, after=offer))
    page.dispute("an acceptance of a chat", "no_such_offer", 1, 0, match.side(0, CHAT, "gg"), accept)
    page.dispute("an agreement to an offer", "no_such_offer", 1, 0, offer, match.side(1, AGREE, 1))
    page.dispute("a denial of an offer", "no_such_offer", 1, 0, offer, match.side(1, DENY, 1))
    page.good("a break that is agreed on", 0, match.side(0, PROPOSE, 2), match.side(1, AGREE, 1))
    page.good("a break that is rejected", 0, match.side(1, PROPOSE, 1), match.side(0, REJECT, 1))
    page.good("a resignation in the own turn", 0, resign)
    page.good("a resignation in the other's turn", 0, match.side(1, RESIGN))
    page.good("a chat after the own resignation", 0, resign, match.side(0, CHAT, "gg", number=2, after=resign))
    page.add("an envelope after the own resignation", "not_now", 0, 0, resign,
             match.envelope(1, sides=(1, 0), prev=match.link(1, resign)))  # fmt: skip
    page.add("a second resignation", "not_now", 0, 0, resign, match.side(0, RESIGN, number=2, after=resign))
    page.add("an offer after the own resignation", "not_now", 0, 0, resign,
             match.side(0, OFFER, number=2, after=resign))
    page.add("a resignation after the own acceptance", "not_now", 1, 0, offer, accept,
             match.side(1, RESIGN, number=2, after=accept))  # fmt: skip
    page.add("an offer after the end of the chain", "not_now", 1, 3, match.side(1, OFFER, seq=3))
    page.good("an offer that crossed the end of the chain", 3, match.side(1, OFFER, seq=2))
    page.add("an offer that would have crossed the own last envelope", "backdated", 0, 3, match.side(0, OFFER, seq=2))
    page.good("a chat after the end of the chain", 3, match.side(1, CHAT, "gg", seq=3))
    lost: dict[str, Any] = {
        "seq": 0, "head": match.match_id, "sides": (1, 0), "grounds": ((0, match.digest("side", resign)),),
        "result": (("reason", "forfeit"), ("winner", "1")),
    }  # fmt: skip
    page.good("the other signs the result of a resignation", 0, resign, match.result(1, **lost))


def claims(page: Pages) -> None:
    """Claims without a clock (SPEC.md, "Breaks and claims")."""
    match = page.match
    claim = match.side(1, CLAIM, (2, WEEK, 0))
    page.good("a claim after seven days of silence", 0, claim)
    page.good("a claim that is denied", 0, claim, match.side(0, DENY, 1))
    page.good("a claim that lapses", 0, claim, match.envelopes[0])
    page.add("a claim a second too early", "early_claim", 1, 0, match.side(1, CLAIM, (2, WEEK - 1, 0)))
    page.add("a claim in the own turn", "early_claim", 0, 0, match.side(0, CLAIM, (2, WEEK, 0)))
    page.add("a claim on time without a clock", "early_claim", 1, 0, match.side(1, CLAIM, (1, WEEK, 0)))
    page.good("a claim at an older head is not looked at", 1, match.side(1, CLAIM, (2, 1, 0)))
    page.dispute("an offer of who waits for the answer to a claim", "not_now", 1, 0, claim,
                 match.side(1, OFFER, number=2, after=claim))  # fmt: skip
    page.dispute("an acceptance of a claim", "no_such_offer", 0, 0, claim, match.side(0, ACCEPT, 1))


def results(page: Pages) -> None:
    """Results."""
    match = page.match
    won = (("reason", "rounds"), ("winner", "0"))
    assert read(match.result(0), 3)[4] == won
    page.good("the first result", 3, match.result(0))
    page.good("the loser signs first", 3, match.result(1))
    page.damage("result: signed by a stranger", "bad_signature", 3, match.result(0, by=STRANGER))
    page.damage("result: signed by another identity", "bad_signature", 3, match.result(0, person=STRANGER))
    page.damage("result: both signatures are of the match key", "bad_signature", 3,
                match.result(0, person=match.keys[0]))
    page.damage("result: under the other's seat", "bad_signature", 3, match.result(0, shown=1))
    page.damage("result: under a seat that is not there", "bad_signature", 3, match.result(0, shown=7))
    page.damage("result: of another match", "wrong_match", 3, match.result(0, match_id=HASH))
    nine = tuple((f"key {number}", "value") for number in range(9))
    for comment, change in (
        ("nothing", {"result": ()}), ("nine facts", {"result": nine}), ("a fact that is nil", {"result": (None,)}),
        ("a key of no character", {"result": (("", "0"),)}), ("a value that is no ASCII",
                                                              {"result": (("winner", "é"),)}),
        ("a value of 65 characters", {"result": (("winner", "0" * 65),)}),
        ("facts that are not sorted", {"result": won[::-1]}),
        ("the head is nil", {"head": None}), ("seq is nil", {"seq": None}), ("sides is empty", {"sides": ()}),
        ("a ground of seat 8", {"grounds": ((8, HASH),)}), ("a ground of 31 bytes", {"grounds": ((0, bytes(31)),)}),
        ("nine grounds", {"grounds": ((0, HASH),) * 9}),
        ("grounds that are not sorted", {"grounds": ((1, HASH), (0, HASH))}),
    ):  # fmt: skip
        page.add(f"result: {comment}", "malformed", 0, 3, match.result(0, **change))
    page.damage("result: cannot be read, and the identity has not signed it", "bad_signature", 3,
                match.result(0, person=STRANGER, head=None))  # fmt: skip
    page.add("result: one count", "wrong_count", 0, 3, match.result(0, sides=(0,)))
    page.damage("result: further on", "gap", 3, match.result(0, seq=4))
    page.dispute("result: at another head", "forked", 0, 3, match.result(0, head=HASH))
    page.dispute("result: at an older head", "forked", 1, 3, match.result(1, seq=2, head=match.heads[2]))
    page.add("result: at an older head, and counts a later side envelope", "backdated", 0, 3,
             match.side(0, CHAT, "gg", seq=3), match.result(0, seq=2, head=match.heads[2], sides=(1, 0)))  # fmt: skip
    page.dispute("result: on a ground that is not known", "forked", 1, 0,
                 match.result(1, seq=0, head=match.match_id, grounds=((0, HASH),)))  # fmt: skip
    page.add("result: the loser has won", "false_result", 1, 3, match.result(1, result=(won[0], ("winner", "1"))))
    page.add("result: another reason", "false_result", 0, 3, match.result(0, result=(("reason", "forfeit"), won[1])))
    page.add("result: a fact too many", "false_result", 0, 3, match.result(0, result=(*won, ("year", "2026"))))
    page.add("result: a fact too few", "false_result", 0, 3, match.result(0, result=won[1:]))
    page.add("result: though the match goes on", "false_result", 1, 1, match.result(1, seq=1, head=match.heads[1]))
    resign = match.side(0, RESIGN)
    lost: dict[str, Any] = {"seq": 0, "head": match.match_id, "sides": (1, 0),
                            "grounds": ((0, match.digest("side", resign)),)}
    page.add("result: a resignation that would be a draw", "false_result", 1, 0, resign,
             match.result(1, result=DRAW, **lost))  # fmt: skip
    page.add("result: who has resigned has won", "false_result", 1, 0, resign,
             match.result(1, result=(("reason", "forfeit"), ("winner", "0")), **lost))  # fmt: skip


def ends(page: Pages) -> None:
    """Seeds and verdicts."""
    match = page.match
    signed_by_both = (match.result(0), match.result(1))
    opened = (*signed_by_both, match.seed(0), match.seed(1))
    page.good("both have signed", 3, *signed_by_both)
    page.good("both seeds are open", 3, *opened)
    page.dispute("a seed before any result", "not_now", 0, 2, match.seed(0))
    page.dispute("a seed before the own result", "not_now", 1, 3, signed_by_both[0], match.seed(1))
    page.add("another seed", "wrong_seed", 0, 3, *signed_by_both, match.seed(0, seed=entropy("another seed")))
    other = match.pair.sessions[1]._secrets.seed
    page.add("the other's seed", "wrong_seed", 0, 3, *signed_by_both, match.seed(0, seed=other))
    page.damage("a seed that its owner has not signed", "bad_signature", 3, *signed_by_both,
                match.seed(0, by=match.keys[1]))
    page.damage("a seed that was signed for another match", "bad_signature", 3, *signed_by_both,
                match.seed(0, match_id=HASH))
    # The result is confirmed, so whoever is behind with a seed owes that, and not who has sent too much.
    page.dispute("a verdict before both seeds", "not_now", 1, 3, *opened[:3], match.verdict(0))
    page.dispute("a verdict before the own seed", "not_now", 1, 3, *opened[:3], match.verdict(1))
    page.good("a verdict", 3, *opened, match.verdict(1))
    page.cases.append(match.case(
        "a verdict that does not say what the log shows", None, None,
        [*match.start(3), *opened, match.verdict(1, (("illegal_decision", 1, 0),))], remarks=["false_verdict"],
    ))  # fmt: skip
    page.add("a verdict in the other's name", "wrong_seat", 1, 3, *opened, match.verdict(0, by=match.keys[1]))
    page.damage("a verdict signed by a stranger", "bad_signature", 3, *opened, match.verdict(0, by=STRANGER))
    page.damage("a verdict of another match", "wrong_match", 3, *opened, match.verdict(0, match_id=HASH))
    for comment, problems in (
        ("that is nil", None), ("of a problem of two", (("gap", None),)), ("with an empty code", (("", None, None),)),
        ("that accuses seat 8", (("gap", None, 8),)), ("with 65 problems", (("gap", None, None),) * 65),
    ):  # fmt: skip
        page.add(f"a verdict {comment}", "malformed", 0, 3, *opened, match.verdict(0, problems))
