"""Test vectors of side envelopes, results, seeds and verdicts: one log for each rule of SPEC.md, "Order"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from helpers_wire import entropy

from vectors.matches import (
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

WEEK = 7 * 24 * 3600
DRAW = (("reason", "agreement"), ("winner", "draw"))


def sides(page: Pages) -> None:
    """Rules 4 to 11 of side envelopes."""
    match = page.match
    chat = match.side(0, CHAT, "gg")
    page.good("a chat of one character", 0, match.side(0, CHAT, "g"))
    page.good("a chat of 500 characters", 0, match.side(0, CHAT, "g" * 500))
    page.good("a chat in characters of a later Unicode than 3.2", 0, match.side(0, CHAT, "\U0001fae9 \u1e9e"))
    page.good("an unknown type that is odd", 0, match.side(0, 13, b""), match.side(1, 65535, bytes(1024)))
    page.good(
        "one of an unknown odd type is counted", 0, odd := match.side(0, 13, b"later"), match.envelope(1, seen=(odd,))
    )
    page.dispute("an unknown type that is even", "unknown_message", 0, 0, match.side(0, 12, b""))
    page.dispute("the last type that is even", "unknown_message", 1, 0, match.side(1, 65534, b"\0"))
    page.add("more side envelopes than may be", "too_many", 0, 0, match.side(0, CHAT, "gg", sides=(2000, 0)))
    page.add("a resignation has one number more, and no more", "too_many", 0, 0, match.side(0, RESIGN, sides=(2001, 0)))
    page.damage("the number that a resignation alone may have", "gap", 0, match.side(0, RESIGN, sides=(2000, 0)))
    page.damage("the second without the first", "gap", 0, match.side(0, CHAT, "gg", seen=(chat,)))
    page.damage("at a head that is not there", "gap", 0, match.side(0, CHAT, "gg", seq=1))
    page.add("two with one number", "two_messages", 0, 0, chat, match.side(0, CHAT, "gl"))
    page.damage(
        "counts one of the other that is not there: a side envelope", "gap", 0, match.side(0, CHAT, "gg", sides=(0, 1))
    )
    page.add(
        "two with one number, of which one is at a head that is not there",
        "two_messages",
        0,
        0,
        chat,
        match.side(0, CHAT, "gg", seq=1),
    )
    page.add("one count: a side envelope", "wrong_count", 0, 0, match.side(0, CHAT, "gg", sides=(0,)))
    page.add("three counts: a side envelope", "wrong_count", 0, 0, match.side(0, CHAT, "gg", sides=(0, 0, 0)))
    page.dispute("prev is of something else: a side envelope", "forked", 0, 0, match.side(0, CHAT, "gg", prev=HASH))
    page.dispute(
        "prev is that of the head before: a side envelope",
        "forked",
        0,
        1,
        match.side(0, CHAT, "gg", seq=1, prev=match.header(0, 0)[4]),
    )
    page.dispute(
        "prev binds another own one: a side envelope",
        "forked",
        0,
        0,
        chat,
        match.side(0, CHAT, "gl", seen=(match.side(0, CHAT, "gl"),)),
    )
    late = match.side(0, CHAT, "gg", seq=1)
    page.add(
        "the number is taken, and prev is of something else",
        "two_messages",
        0,
        1,
        late,
        match.side(0, CHAT, "gl", seq=1, prev=HASH),
    )
    page.add(
        "a resignation counts a chat and not the chain that this one names",
        "backdated",
        1,
        1,
        late,
        match.side(1, RESIGN, seen=(late,)),
    )
    page.good(
        "a resignation counts a chat and the chain that this one names",
        1,
        late,
        match.side(1, RESIGN, seq=1, seen=(late,)),
    )
    page.add(
        "signed by the other seat: a side envelope", "wrong_seat", 1, 0, match.side(0, CHAT, "gg", by=match.keys[1])
    )
    page.damage("signed by a stranger: a side envelope", "bad_signature", 0, match.side(0, CHAT, "gg", by=STRANGER))
    page.damage("of another match: a side envelope", "wrong_match", 0, match.side(0, CHAT, "gg", match_id=HASH))


def malformed_sides(page: Pages) -> None:
    """Rule 3 of all messages for the bodies of side envelopes."""
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
    page.add("side: no counts", "malformed", 0, 0, page.match.side(0, CHAT, "gg", sides=()))
    page.add("side: a field too many", "malformed", 0, 0, page.match.side(0, CHAT, "gg", more=None))
    page.add("side: seq is -1", "malformed", 0, 0, page.match.side(0, CHAT, "gg", seq=-1))


def draws(page: Pages) -> None:
    """Draws, resignations and breaks: rules 12 and 13 of side envelopes (SPEC.md, "Draw, resignation and chat")."""
    match = page.match
    offer, resign = match.side(0, OFFER), match.side(0, RESIGN)
    accept = match.side(1, ACCEPT, 1, seen=(offer,))
    both = (offer, accept)
    draw: dict[str, Any] = {"seq": 0, "seen": both, "result": DRAW, "grounds": ((1, match.digest("side", accept)),)}
    page.good("an accepted draw", 0, *both)
    page.good("an offer that is declined", 0, offer, match.side(1, DECLINE, 1, seen=(offer,)))
    page.good("an envelope crosses the acceptance and undoes it", 0, *both, match.envelope(1, seen=(offer,)))
    page.add("an envelope counts the acceptance of the own offer", "not_now", 0, 0, *both, match.envelope(1, seen=both))
    page.good("who has offered signs", 0, *both, drawn := match.result(0, **draw))
    page.dispute("who has accepted signs first", "not_now", 1, 0, *both, match.result(1, **draw))
    page.add(
        "an envelope as if it had crossed the own result",
        "backdated",
        0,
        0,
        *both,
        drawn,
        match.envelope(1, seen=(offer,)),
    )
    page.add("a resignation after the own result", "backdated", 0, 0, *both, drawn, match.side(0, RESIGN, seen=both))
    page.good("a chat after the own result", 0, *both, drawn, match.side(0, CHAT, "gg", seen=both))
    offer_1 = match.side(0, OFFER, seq=1)
    accept_1 = match.side(1, ACCEPT, 1, seq=1, seen=(offer_1,))
    page.add(
        "an envelope of who has accepted",
        "not_now",
        1,
        1,
        offer_1,
        accept_1,
        match.envelope(2, seen=(offer_1, accept_1)),
    )
    offer_2 = match.side(0, OFFER, seq=2)
    accept_2 = match.side(1, ACCEPT, 1, seq=2, seen=(offer_2,))
    page.good("an offer and its acceptance in the middle", 2, offer_2, accept_2)
    page.dispute("another offer stands in the place of the accepted one", "forked", 1, 2, offer_1, accept_2)
    page.dispute(
        "another offer stands in the place of the one in a result",
        "forked",
        1,
        2,
        offer_1,
        match.result(1, **{**draw, "seq": 2, "seen": (offer_2, accept_2)} | {"sides": (1, 0)}),
    )
    page.add("an acceptance of nothing", "no_such_offer", 1, 0, match.side(1, ACCEPT, 1))
    page.add("an acceptance of an offer that it does not count", "no_such_offer", 1, 0, offer, match.side(1, ACCEPT, 1))
    page.add("an acceptance of a later number", "no_such_offer", 1, 0, offer, match.side(1, ACCEPT, 2, seen=(offer,)))
    page.add("an acceptance of the own offer", "no_such_offer", 0, 0, offer, match.side(0, ACCEPT, 1, seen=(offer,)))
    page.add(
        "an acceptance of a chat",
        "no_such_offer",
        1,
        0,
        chat := match.side(0, CHAT, "gg"),
        match.side(1, ACCEPT, 1, seen=(chat,)),
    )
    page.add("an agreement to an offer", "no_such_offer", 1, 0, offer, match.side(1, AGREE, 1, seen=(offer,)))
    page.add("a denial of an offer", "no_such_offer", 1, 0, offer, match.side(1, DENY, 1, seen=(offer,)))
    pause, adjournment = match.side(1, PROPOSE, 1), match.side(0, PROPOSE, 2)
    page.good("a break that is agreed on", 0, adjournment, match.side(1, AGREE, 1, seen=(adjournment,)))
    page.good("a break that is rejected", 0, pause, match.side(0, REJECT, 1, seen=(pause,)))
    page.add("a rejection of a break that it does not count", "no_such_offer", 0, 0, pause, match.side(0, REJECT, 1))
    page.good("a resignation in the own turn", 0, resign)
    page.good("a resignation in the other's turn", 0, match.side(1, RESIGN))
    page.good("a chat after the own resignation", 0, resign, match.side(0, CHAT, "gg", seen=(resign,)))
    page.add("an envelope after the own resignation", "not_now", 0, 0, resign, match.envelope(1, seen=(resign,)))
    page.add("a second resignation", "not_now", 0, 0, resign, match.side(0, RESIGN, seen=(resign,)))
    page.add("an offer after the own resignation", "not_now", 0, 0, resign, match.side(0, OFFER, seen=(resign,)))
    page.add("a resignation after the own acceptance", "not_now", 1, 0, *both, match.side(1, RESIGN, seen=both))
    page.add("an offer after the end of the chain", "not_now", 1, 3, match.side(1, OFFER, seq=3))
    page.good("an offer that crossed the end of the chain", 3, match.side(1, OFFER, seq=2))
    page.add("an offer that would have crossed the own last envelope", "backdated", 0, 3, match.side(0, OFFER, seq=2))
    page.good("a chat after the end of the chain", 3, match.side(1, CHAT, "gg", seq=3))
    lost: dict[str, Any] = {
        "seq": 0,
        "seen": (resign,),
        "grounds": ((0, match.digest("side", resign)),),
        "result": (("reason", "forfeit"), ("winner", "1")),
    }
    page.good("the other signs the result of a resignation", 0, resign, match.result(1, **lost))


def claims(page: Pages) -> None:
    """Claims without a clock: rule 14 of side envelopes (SPEC.md, "Breaks and claims")."""
    match = page.match
    claim = match.side(1, CLAIM, (2, WEEK, 0))
    page.good("a claim after seven days of silence", 0, claim)
    page.good("a claim that is denied", 0, claim, match.side(0, DENY, 1, seen=(claim,)))
    page.good("a claim that lapses", 0, claim, match.envelopes[0])
    page.add("a claim a second too early", "early_claim", 1, 0, match.side(1, CLAIM, (2, WEEK - 1, 0)))
    page.add("a claim in the own turn", "early_claim", 0, 0, match.side(0, CLAIM, (2, WEEK, 0)))
    page.add("a claim on time without a clock", "early_claim", 1, 0, match.side(1, CLAIM, (1, WEEK, 0)))
    page.good("a claim at an older head is not looked at", 1, match.side(1, CLAIM, (2, 1, 0)))
    deny = match.side(0, DENY, 1, seen=(claim,))
    page.add(
        "an offer of who waits for the answer to a claim", "not_now", 1, 0, claim, match.side(1, OFFER, seen=(claim,))
    )
    page.add(
        "a resignation of who has not seen the denial of its claim",
        "not_now",
        1,
        0,
        claim,
        deny,
        match.side(1, RESIGN, seen=(claim,)),
    )
    page.good(
        "a resignation of who has seen the denial of its claim",
        0,
        claim,
        deny,
        match.side(1, RESIGN, seen=(claim, deny)),
    )
    page.add("an acceptance of a claim", "no_such_offer", 0, 0, claim, match.side(0, ACCEPT, 1, seen=(claim,)))
    page.add("a denial of a claim that it does not count", "no_such_offer", 0, 0, claim, match.side(0, DENY, 1))


def results(page: Pages) -> None:
    """Results: rules 11, 12 and 14 of them, and those of all messages."""
    match = page.match
    won = (("reason", "rounds"), ("winner", "0"))
    assert read(match.result(0))[5] == won
    page.good("the first result", 3, match.result(0))
    page.good("the loser signs first", 3, match.result(1))
    page.damage("result: signed by a stranger", "bad_signature", 3, match.result(0, by=STRANGER))
    page.damage("result: signed by another identity", "bad_signature", 3, match.result(0, person=STRANGER))
    page.damage(
        "result: both signatures are of the match key", "bad_signature", 3, match.result(0, person=match.keys[0])
    )
    page.damage(
        "result: the match key of one seat and the identity of the other",
        "bad_signature",
        3,
        match.result(0, by=match.keys[1]),
    )
    page.add("result: names the other seat", "wrong_seat", 0, 3, match.result(0, seat=1))
    page.add("result: names a seat that is not there", "wrong_seat", 0, 3, match.result(0, seat=7))
    page.damage("result: of another match", "wrong_match", 3, match.result(0, match_id=HASH))
    nine = tuple((f"key {number}", "value") for number in range(9))
    for comment, change in (
        ("nothing", {"result": ()}),
        ("nine facts", {"result": nine}),
        ("a fact that is nil", {"result": (None,)}),
        ("a key of no character", {"result": (("", "0"),)}),
        ("a value that is no ASCII", {"result": (("winner", "é"),)}),
        ("a value of 65 characters", {"result": (("winner", "0" * 65),)}),
        ("facts that are not sorted", {"result": won[::-1]}),
        ("prev is nil", {"prev": None}),
        ("seq is nil", {"seq": None}),
        ("sides is empty", {"sides": ()}),
        ("a ground of seat 8", {"grounds": ((8, HASH),)}),
        ("a ground of 31 bytes", {"grounds": ((0, bytes(31)),)}),
        ("nine grounds", {"grounds": ((0, HASH),) * 9}),
        ("grounds that are not sorted", {"grounds": ((1, HASH), (0, HASH))}),
    ):
        page.add(f"result: {comment}", "malformed", 0, 3, match.result(0, **change))
    page.damage(
        "result: cannot be read, and the identity has not signed it",
        "bad_signature",
        3,
        match.result(0, person=STRANGER, prev=None),
    )
    page.add("result: at an older head", "backdated", 0, 3, match.result(0, seq=2))
    page.dispute("result: at an older head that its author has not left", "not_now", 1, 3, match.result(1, seq=2))
    chat = match.side(0, CHAT, "gg", seq=3)
    page.add(
        "result: at an older head, and counts a later side envelope",
        "backdated",
        1,
        3,
        chat,
        match.result(1, seq=2, seen=(chat,)),
    )
    page.add("result: the loser has won", "false_result", 1, 3, match.result(1, result=(won[0], ("winner", "1"))))
    page.add("result: another reason", "false_result", 0, 3, match.result(0, result=(("reason", "forfeit"), won[1])))
    page.add("result: a fact too many", "false_result", 0, 3, match.result(0, result=(*won, ("year", "2026"))))
    page.add("result: a fact too few", "false_result", 0, 3, match.result(0, result=won[1:]))
    page.add("result: though the match goes on", "false_result", 1, 1, match.result(1, seq=1))
    offer, resign = match.side(0, OFFER), match.side(0, RESIGN)
    accept = match.side(1, ACCEPT, 1, seen=(offer,))
    ground = (0, match.digest("side", resign))
    lost: dict[str, Any] = {
        "seq": 0,
        "seen": (resign,),
        "result": (("reason", "forfeit"), ("winner", "1")),
        "grounds": (ground,),
    }
    page.add(
        "result: a resignation that would be a draw",
        "false_result",
        1,
        0,
        resign,
        match.result(1, **{**lost, "result": DRAW}),
    )
    page.add(
        "result: who has resigned has won",
        "false_result",
        1,
        0,
        resign,
        match.result(1, **{**lost, "result": (("reason", "forfeit"), ("winner", "0"))}),
    )
    page.add(
        "result: on a ground that is not there",
        "false_result",
        1,
        0,
        resign,
        match.result(1, **{**lost, "grounds": ((0, HASH),)}),
    )
    page.add(
        "result: on a ground that it does not count",
        "false_result",
        1,
        0,
        resign,
        match.result(1, **{**lost, "seen": ()}),
    )
    page.add(
        "result: on a ground of a seat that is not there",
        "false_result",
        1,
        0,
        resign,
        match.result(1, **{**lost, "grounds": ((7, ground[1]),)}),
    )
    later = match.side(0, RESIGN, seen=(offer, accept))
    both = ((0, match.digest("side", later)), (1, match.digest("side", accept)))
    page.add(
        "result: on grounds of two kinds",
        "false_result",
        1,
        0,
        offer,
        accept,
        later,
        match.result(1, **{**lost, "seen": (offer, accept, later), "grounds": both}),
    )
    resign = match.side(1, RESIGN, seq=2)
    late: dict[str, Any] = {"seen": (resign,), "grounds": ((1, match.digest("side", resign)),)}
    page.good(
        "result: counts a resignation that crossed the end of the chain", 3, resign, match.result(0, seen=(resign,))
    )
    page.add(
        "result: on the ground of one that crossed the end of the chain",
        "false_result",
        0,
        3,
        resign,
        match.result(0, result=(("reason", "forfeit"), won[1]), **late),
    )
    claim = match.side(1, CLAIM, (2, WEEK, 0))
    deny = match.side(0, DENY, 1, seen=(claim,))
    conceded: dict[str, Any] = {
        "seq": 0,
        "result": (("reason", "absence"), ("winner", "1")),
        "grounds": ((1, match.digest("side", claim)),),
    }
    page.good("result: on a claim that is conceded", 0, claim, match.result(0, seen=(claim,), **conceded))
    page.dispute(
        "result: on a claim that was denied",
        "not_now",
        1,
        0,
        claim,
        deny,
        match.result(1, seen=(claim, deny), **conceded),
    )


def ends(page: Pages) -> None:
    """Seeds and verdicts: rules 13 and 14 of them, and those of all messages for every kind of the end."""
    match = page.match
    signed_by_both = (match.result(0), match.result(1))
    opened = (*signed_by_both, match.seed(0), match.seed(1))
    page.good("both have signed", 3, *signed_by_both)
    page.good("both seeds are open", 3, *opened)
    page.dispute("a seed before any result", "not_now", 0, 2, match.seed(0, seq=2))
    page.dispute("a seed before the own result", "not_now", 1, 3, signed_by_both[0], match.seed(1))
    page.add("another seed", "wrong_seed", 0, 3, *signed_by_both, match.seed(0, seed=entropy("another seed")))
    other = match.pair.sessions[1]._secrets.seed
    page.add("the other's seed", "wrong_seed", 0, 3, *signed_by_both, match.seed(0, seed=other))
    for comment, change in (
        ("of 31 bytes", {"seed": bytes(31)}),
        ("that is nil", {"seed": None}),
        ("with a field too many", {"more": None}),
    ):
        page.add(f"a seed {comment}", "malformed", 0, 3, *signed_by_both, match.seed(0, **change))
    # The result is confirmed, so whoever is behind with a seed owes that, and not who has sent too much.
    page.dispute("a verdict before both seeds", "not_now", 1, 3, *opened[:3], match.verdict(0))
    page.dispute("a verdict before the own seed", "not_now", 1, 3, *opened[:3], match.verdict(1))
    page.good("a verdict", 3, *opened, match.verdict(1))
    page.cases.append(
        match.case(
            "a verdict that does not say what the log shows",
            None,
            None,
            [*match.start(3), *opened, match.verdict(1, (("illegal_decision", 1, 0),))],
            remarks=["false_verdict"],
        )
    )
    for comment, problems in (
        ("that is nil", None),
        ("of a problem of two", (("gap", None),)),
        ("with an empty code", (("", None, None),)),
        ("that accuses seat 8", (("gap", None, 8),)),
        ("with 65 problems", (("gap", None, None),) * 65),
    ):
        page.add(f"a verdict {comment}", "malformed", 0, 3, *opened, match.verdict(0, problems))
    for name, make, before in (
        ("a result", match.result, ()),
        ("a seed", match.seed, signed_by_both),
        ("a verdict", match.verdict, opened),
    ):
        headed(page, name, make, before)


def headed(page: Pages, name: str, make: Callable[..., bytes], before: Sequence[bytes]) -> None:
    """Rules 2 to 10 of all messages for a message of the end, before which others have come."""
    match = page.match
    theirs, other = (match.side(1, CHAT, text, seq=3) for text in ("gg", "gl"))
    mine, asked = match.side(0, CHAT, "gl", seq=3, seen=(theirs,)), match.side(0, CHAT, "gl", seq=3)
    answer = match.side(1, CHAT, "gl", seq=3, seen=(asked,))
    page.good(f"{name} that counts what is said", 3, *before, theirs, make(0, seen=(theirs,)))
    page.good(f"{name} that crosses what the other says", 3, *before, theirs, make(0))
    if name != "a result":
        page.damage(f"{name} that a stranger has signed", "bad_signature", 3, *before, make(0, by=STRANGER))
        page.damage(f"{name} of another match", "wrong_match", 3, *before, make(0, match_id=HASH))
        page.add(f"{name} that the other has signed", "wrong_seat", 1, 3, *before, make(0, by=match.keys[1]))
        page.add(f"{name} in the other's name", "wrong_seat", 0, 3, *before, make(0, seat=1))
    page.add(f"{name} with one count", "wrong_count", 0, 3, *before, make(0, sides=(0,)))
    page.add(f"{name} with three counts", "wrong_count", 0, 3, *before, make(0, sides=(0, 0, 0)))
    # Behind a result, its author's last word, it is no gap.
    further = ("backdated", 0) if before else ("gap", None)
    page.add(f"{name} further on than the chain", further[0], further[1], 3, *before, make(0, seq=4))
    page.damage(f"{name} that counts an own side envelope that is not there", "gap", 3, *before, make(0, sides=(1, 0)))
    page.damage(f"{name} that counts one of the other that is not there", "gap", 3, *before, make(0, sides=(0, 1)))
    # With a result that is confirmed nobody owes what makes the rest of the end fit.
    page.add(
        f"{name} with a prev of something else",
        "forked",
        None,
        3,
        *before,
        make(0, prev=HASH),
        owes=None if before else 0,
    )
    page.add(
        f"{name} after another side envelope with that number",
        "forked",
        None,
        3,
        *before,
        theirs,
        make(0, seen=(other,)),
    )
    page.add(
        f"{name} and another one of its author", "two_messages", 0, 3, *before, make(0), theirs, make(0, seen=(theirs,))
    )
    page.add(
        f"{name} that goes back in the other's count alone",
        "backdated",
        0,
        3,
        *before,
        theirs,
        mine,
        make(0, seen=(mine,)),
    )
    page.add(
        f"{name} that counts an answer and not what it counts",
        "backdated",
        0,
        3,
        *before,
        asked,
        answer,
        make(0, seen=(answer,)),
    )
