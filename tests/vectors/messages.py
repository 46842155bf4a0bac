"""Test vectors of messages: one log for each rule of SPEC.md, "Order", and for each form of "Messages"."""

from __future__ import annotations

import hashlib
from typing import Any

from helpers_proofs import L
from helpers_wire import NONCE, flipped

from protocol.core.frames import FrameKind
from protocol.core.wire import encode
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from vectors.matches import CHAT, HASH, PEOPLE, STRANGER, Pages, log_case, read, rounds
from vectors.primitives import Case, little, number_of, signed
from vectors.sides import claims, draws, ends, malformed_sides, results, sides


def envelopes() -> list[Case]:
    """Return the tests of messages in a match of rock-paper-scissors."""
    one, two = Pages(rounds(1, (1, 0))), Pages(rounds(2, (1, 0), (2, 1), tag="two rounds"))
    whole = [record.frame for record in one.match.records]
    one.cases.append(one.match.case("a whole match", None, None, whole))
    one.cases.append(log_case("the same from the other seat", None, one.match.log(whole, 1)))
    for part in (frames, malformed, authors, order, steps, sides, malformed_sides, draws, claims, results, ends):
        part(one)
    again(two)
    return [*one.cases, *two.cases]


def frames(page: Pages) -> None:
    """Rule 1 of all messages: the frame can be read."""
    match = page.match
    good = match.envelopes[0]
    data, signature = encode(read(good)), good[-64:]

    def frame(*values: Any) -> bytes:
        return encode((int(FrameKind.ENVELOPE), 3, *values))

    for comment, code, bad in (
        ("a byte that msgpack gives no meaning", "not_msgpack", b"\xc1"),
        ("a frame that is cut", "not_msgpack", good[:-1]),
        ("a byte behind the frame", "not_msgpack", good + b"\0"),
        ("a header of the array in three bytes", "not_canonical", b"\xdc\x00\x04" + good[1:]),
        ("the kind in two bytes", "not_canonical", good[:1] + b"\xcc" + good[1:]),
        ("the length of the signature in two bytes", "not_canonical", good[:-66] + b"\xc5\x00\x40" + signature),
        ("a signature of 63 bytes", "bad_bytes", frame(data, signature[:63])),
        ("a signature that is nil", "bad_bytes", frame(data, None)),
        ("an envelope that is text", "bad_bytes", frame("envelope", signature)),
        ("an envelope that is an array and not packed", "bad_bytes", frame(read(good), signature)),
        ("a field too many", "bad_array", frame(data, signature, None)),
        ("a field too few", "bad_array", frame(data)),
        ("kind 0", "unknown_frame", encode((0, 3, data, signature))),
        ("kind 15 without a number", "bad_int", encode((15, 3, data, signature))),
        ("data of a game that takes none", "bad_terms", encode((15, 3, 0, b"cards"))),
        ("a part of data without those before it", "unexpected_frame", encode((15, 3, 1, b"cards"))),
        ("a part of data with the number 32", "bad_int", encode((15, 3, 32, b"cards"))),
        ("a part of data of 16001 bytes", "bad_bytes", encode((15, 3, 0, bytes(16001)))),
        ("kind 16, which is reserved", "unknown_frame", encode((16, 3, data, signature))),
        ("kind 17", "unknown_frame", encode((17, 3, data, signature))),
        ("version 2", "version", encode((3, 2, data, signature))),
        ("version 4", "version", encode((3, 4, data, signature))),
        ("an envelope of no bytes", "bad_bytes", match.sealed(b"", match.keys[0])),
        (
            "a result with a seat before it, as in protocol 2",
            "bad_array",
            encode((5, 3, 0, encode(read(match.result(0))), signature, signature)),
        ),
        ("a seed that is not packed", "bad_bytes", encode((6, 3, read(match.seed(0)), signature))),
    ):
        page.damage(f"frame: {comment}", code, 0, bad)


def malformed(page: Pages) -> None:
    """Rule 3 of all messages: what is inside can be read."""
    match, key = page.match, page.match.keys[0]
    data = encode(read(match.envelopes[0]))
    seal = read(match.envelopes[0])[6][0]
    deep: Any = None
    for _ in range(9):
        deep = (deep,)
    changes: dict[str, dict[str, Any]] = {
        "the match id has 31 bytes": {"match_id": bytes(31)}, "the match id is nil": {"match_id": None},
        "seq is -1": {"seq": -1}, "seq is above 2^31": {"seq": 2**31 + 1}, "seq is true": {"seq": True},
        "seq is a float": {"seq": 1.0}, "seq is nil": {"seq": None}, "the seat is 8": {"seat": 8},
        "the seat is -1": {"seat": -1}, "sides is empty": {"sides": ()}, "sides has nine counts": {"sides": (0,) * 9},
        "sides is nil": {"sides": None}, "a count is above 2^31": {"sides": (2**31 + 1, 0)},
        "a count is -1": {"sides": (0, -1)}, "prev is nil": {"prev": None}, "prev has 33 bytes": {"prev": bytes(33)},
        "the type is 0": {"type": 0}, "the type is 3": {"type": 3}, "times are promised and not there": {"type": 2},
        "no steps": {"body": ()}, "33 steps": {"body": ((1, 1),) * 33}, "the steps are nil": {"body": None},
        "state is nil": {"state": None}, "state has 31 bytes": {"state": bytes(31)}, "a field too many": {"more": None},
    }  # fmt: skip
    bad_steps: dict[str, Any] = {
        "a step that is no array": 1, "a step without a tag": (), "a tag that is nil": (None, 1), "tag 0": (0, 1),
        "tag 13": (13, 1), "a seal of 31 bytes": (2, bytes(31), NONCE), "a seal that is nil": (2, None, NONCE),
        "a nonce of 15 bytes": (2, HASH, bytes(15)), "a seal without its nonce": (2, HASH),
        "a seal with a field too many": (*seal, None), "a decision that is text": (1, "1"),
        "a decision that is binary": (1, b"\1"), "a decision that is true": (1, True),
        "a decision of 2^53": (1, 2**53), "a decision of -2^53": (1, -(2**53)), "a decision 9 deep": (1, deep),
        "an unsealing without its salt": (3, 1), "a Cover of nothing": (4, (), b"", NONCE),
        "a Cover of 65": (4, (HASH,) * 65, b"", NONCE), "a Cover with a proof that is nil": (4, (HASH,), None, NONCE),
        "a Shuffle of no parts": (5, (), b"", NONCE), "a Shuffle of 17 parts": (5, ((),) * 17, b"", NONCE),
        "a Reveal of nothing": (6, ()), "a Reveal of the value 65536": (6, ((65536, HASH),)),
        "a Reveal of the value -1": (6, ((-1, HASH),)), "a Reveal without an opening": (6, ((1,),)),
        "a TossFix without its nonce": (7, HASH), "a share of 31 bytes": (8, bytes(31)),
        "a Find of part 16": (9, 16, b""),
        "a Find of part -1": (9, -1, b""),
    }  # fmt: skip
    for comment, change in changes.items():
        page.add(f"inside: {comment}", "malformed", 0, 0, match.envelope(1, **change))
    for comment, step in bad_steps.items():
        page.add(f"inside: {comment}", "malformed", 0, 0, match.envelope(1, body=(step,)))
    for comment, raw in (
        ("a field too few", encode(read(match.envelopes[0])[:7])),
        ("a number", b"\1"),
        ("a map", b"\x81\x01\x02"),
        ("text that is no UTF-8", data[:-34] + b"\xa1\xff" + data[-34:]),
        ("a byte behind it", data + b"\0"),
        ("cut", data[:-1]),
        ("an array header in three bytes", b"\xdc\0\x08" + data[1:]),
        ("the seat in two bytes", data[:35] + b"\xcc" + data[35:]),
        ("the length of the match id in two bytes", data[:1] + b"\xc5\0\x20" + data[3:]),
    ):
        page.add(f"inside: {comment}", "malformed", 0, 0, match.sealed(raw, key))
    page.damage(
        "inside: cannot be read and nobody has signed it", "bad_signature", 0, match.envelope(1, STRANGER, seq=-1)
    )
    page.add(
        "inside: the other seat has signed what cannot be read",
        "malformed",
        1,
        0,
        match.envelope(1, match.keys[1], seq=-1),
    )


def authors(page: Pages) -> None:
    """Rules 2, 4 and 6 of all messages: who has signed, and for which match."""
    match = page.match
    good = match.envelopes[0]
    data, digest = encode(read(good)), match.digest("env", good)
    public, answer = match.keys[0].public, number_of(good[-32:])
    page.damage("signed by a stranger", "bad_signature", 0, match.envelope(1, STRANGER))
    page.damage("signed by the identity key", "bad_signature", 0, match.envelope(1, PEOPLE[0]))
    page.damage("signed as a side envelope", "bad_signature", 0, match.envelope(1, label="side"))
    page.damage("a bit of the signature is turned", "bad_signature", 0, flipped(good, 8 * len(good) - 9))
    page.damage("L is added to s", "bad_signature", 0, good[:-32] + little(answer + L))
    page.damage("a bit of the envelope is turned", "bad_signature", 0, flipped(good, 8 * 60))
    page.add("signed by the other seat", "wrong_seat", 1, 0, match.envelope(1, match.keys[1]))
    page.add("names the other seat", "wrong_seat", 0, 0, match.envelope(1, match.keys[0], seat=1))
    page.add("names a seat that is not there", "wrong_seat", 0, 0, match.envelope(1, match.keys[0], seat=5))
    page.damage("of another match", "wrong_match", 0, match.envelope(1, match_id=HASH))
    page.damage(
        "of another match and in another seat",
        "wrong_match",
        0,
        match.envelope(1, match.keys[0], match_id=HASH, seat=1),
    )
    page.damage("of another match and signed by nobody", "bad_signature", 0, match.envelope(1, STRANGER, match_id=HASH))
    # Ed25519 has many good signatures of one key over one message; the message is the same.
    again = signed(scalar_of(match.keys[0]), public, digest, 4711)
    page.damage("the same envelope once more, with another good signature", "repeated", 1, encode((3, 3, data, again)))


def scalar_of(key: PrivateKey) -> int:
    """Return the secret scalar of a key (RFC 8032, section 5.1.5)."""
    digest = bytearray(hashlib.sha512(key.seed()).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return number_of(bytes(digest)) % L


def order(page: Pages) -> None:
    """Rules 5 to 10 of all messages, and 11 to 13 of envelopes."""
    match = page.match
    chat, late = match.side(0, CHAT, "gg"), match.side(0, CHAT, "gg", seq=1)
    second, theirs = match.side(0, CHAT, "gl", seen=(chat,)), match.side(1, CHAT, "gg")
    page.good("the beginning of a match", 0)
    page.good("an envelope that counts a side envelope", 0, chat, match.envelope(1, seen=(chat,)))
    page.good("an envelope that crosses a side envelope", 0, match.side(1, CHAT, "gl"), match.envelopes[0])
    for counts in ((0,), (0, 0, 0)):
        page.add(f"sides has {len(counts)} counts", "wrong_count", 0, 0, match.envelope(1, sides=counts))
    page.add("a wrong number of counts, and further on", "wrong_count", 0, 0, match.envelope(1, sides=(0,), seq=2))
    page.damage("further on than the next", "gap", 0, match.envelope(1, seq=1))
    page.damage("the second envelope without the first", "gap", 0, match.envelopes[1])
    page.damage("counts an own side envelope that is not there", "gap", 0, match.envelope(1, sides=(1, 0)))
    page.damage("counts one of the other that is not there", "gap", 0, match.envelope(1, sides=(0, 1)))
    page.add("two envelopes with one number", "two_messages", 0, 1, match.envelope(1, body=((2, HASH, NONCE),)))
    page.add("two envelopes with one number, after other messages", "two_messages", 0, 1, match.envelope(1, prev=HASH))
    page.add(
        "the other writes the same number, after the same messages",
        "not_your_turn",
        1,
        1,
        match.envelope(1, match.keys[1], seat=1),
    )
    page.dispute(
        "the other writes the same number, after other messages",
        "forked",
        1,
        1,
        match.envelope(1, match.keys[1], seat=1, prev=HASH),
    )
    page.dispute("prev is of something else", "forked", 0, 0, match.envelope(1, prev=HASH))
    page.dispute("prev is the head alone", "forked", 0, 0, match.envelope(1, prev=match.match_id))
    page.dispute(
        "prev is that of the envelope before", "forked", 1, 1, match.envelope(2, prev=read(match.envelopes[0])[4])
    )
    page.dispute(
        "prev binds a side envelope that is not counted",
        "forked",
        0,
        0,
        theirs,
        match.envelope(1, seen=(theirs,), sides=(0, 0)),
    )
    page.dispute(
        "a side envelope is counted and prev does not bind it", "forked", 0, 0, chat, match.envelope(1, sides=(1, 0))
    )
    page.dispute(
        "prev binds another side envelope with the number of one that is counted",
        "forked",
        0,
        0,
        chat,
        match.envelope(1, seen=(match.side(0, CHAT, "gl"),)),
    )
    page.add(
        "counts fewer own side envelopes than were sent",
        "backdated",
        0,
        0,
        chat,
        second,
        match.envelope(1, seen=(chat,)),
    )
    page.add("counts none of its own", "backdated", 0, 0, chat, match.envelopes[0])
    page.add(
        "that is looked at before prev", "backdated", 0, 0, chat, second, match.envelope(1, sides=(1, 0), prev=HASH)
    )
    mine = match.side(0, CHAT, "gl", seen=(theirs,))
    page.add("goes back in the other's count alone", "backdated", 0, 0, theirs, mine, match.envelope(1, seen=(mine,)))
    page.good("goes back in no count", 0, theirs, mine, match.envelope(1, seen=(theirs, mine)))
    page.add(
        "counts a side envelope and not the chain that this one names",
        "backdated",
        1,
        1,
        late,
        match.envelope(1, match.keys[1], seat=1, seen=(late,)),
    )
    page.good("counts a side envelope and the chain that this one names", 1, late, match.envelope(2, seen=(late,)))
    theirs = match.side(1, CHAT, "gg", seq=1)
    counting = match.envelope(2, seen=(theirs,))
    page.add(
        "rests on an envelope and not on a side envelope that this one counts",
        "backdated",
        0,
        1,
        theirs,
        counting,
        match.envelope(3, seen=(counting,)),
    )
    page.good(
        "rests on an envelope and on all that this one counts",
        1,
        theirs,
        counting,
        match.envelope(3, seen=(theirs, counting)),
    )
    page.add("an envelope after the end", "not_now", 1, 3, match.envelope(2, seq=3, body=((1, 0),)))
    page.add(
        "times without a clock",
        "wrong_clock",
        0,
        0,
        match.envelope(1, type=2, body=(read(match.envelopes[0])[6], 0, 0, 0, 0)),
    )
    page.add(
        "a time that is -1",
        "malformed",
        0,
        0,
        match.envelope(1, type=2, body=(read(match.envelopes[0])[6], -1, 0, 0, 0)),
    )
    page.add(
        "a time that is not there",
        "malformed",
        0,
        0,
        match.envelope(1, type=2, body=(read(match.envelopes[0])[6], 0, 0, 0)),
    )


def steps(page: Pages) -> None:
    """Rules 15 and 16 of envelopes, with the steps of a seal."""
    match = page.match
    seal = read(match.envelopes[0])[6][0]
    (tag, said, salt), *_ = read(match.envelopes[2])[6]
    assert tag == 3

    def add(comment: str, code: str, seat: int, number: int, *wrong: Any, **changes: Any) -> None:
        page.add(f"step: {comment}", code, seat, number - 1, match.envelope(number, body=wrong, **changes))

    add("an open answer in the place of the seal", "wrong_step", 0, 1, (1, 1))
    add("an unsealing without a seal", "wrong_step", 0, 1, (3, 1, HASH))
    add("a Cover that nobody asked for", "wrong_step", 0, 1, (4, (HASH,), b"", NONCE))
    add("a Shuffle that nobody asked for", "wrong_step", 0, 1, (5, ((HASH,),), b"", NONCE))
    add("a Reveal that nobody asked for", "wrong_step", 0, 1, (6, ((1, HASH),)))
    add("a TossFix that nobody asked for", "wrong_step", 0, 1, (7, HASH, NONCE))
    add("a Find that nobody asked for", "wrong_step", 0, 1, (9, 0, b""))
    add("two seals", "not_your_turn", 0, 1, seal, (2, HASH, NONCE))
    add("a seal and the answer of the other", "not_your_turn", 0, 1, seal, (1, 0))
    add("the other seals as well", "wrong_step", 1, 2, (2, HASH, NONCE))
    add("the other unseals", "wrong_step", 1, 2, (3, 1, HASH))
    foreign = match.envelope(1, body=((2, hash_parts("sealed", match.match_id, 1, 0, HASH, encode(1)), NONCE),))
    page.add(
        "step: the other unseals what was sealed for it",
        "wrong_step",
        1,
        0,
        foreign,
        match.envelope(2, body=((3, 1, HASH),), seen=(foreign,)),
    )
    add("an answer that is no throw", "illegal_decision", 1, 2, (1, 3))
    add("an answer that is nil", "illegal_decision", 1, 2, (1, None))
    add("an answer of numbers 8 deep", "illegal_decision", 1, 2, (1, ((((((((),),),),),),),)))
    add("an open answer in the place of the unsealing", "wrong_step", 0, 3, (1, 1))
    add("a step after the end", "not_your_turn", 0, 3, (3, said, salt), (1, 1))
    add("another salt", "wrong_opening", 0, 3, (3, said, HASH))
    add("another throw than the sealed one", "wrong_opening", 0, 3, (3, 2, salt))
    add("nothing in the place of the sealed throw", "wrong_opening", 0, 3, (3, None, salt))
    add("an opening that is looked at before the rules", "wrong_opening", 0, 3, (3, 3, salt))
    add("a step that does not hold, and a false state", "wrong_opening", 0, 3, (3, 2, salt), state=HASH)
    page.add("the other opens", "not_your_turn", 1, 2, match.envelope(3, match.keys[1], seat=1))
    page.dispute("a false state", "states_differ", 0, 0, match.envelope(1, state=HASH))
    page.dispute(
        "the state before the step", "states_differ", 0, 2, match.envelope(3, state=read(match.envelopes[0])[7])
    )
    for comment, sealed in (
        ("a throw that is none was sealed", hash_parts("sealed", match.match_id, 0, 0, salt, encode(7))),
        ("a seal of the other seat", hash_parts("sealed", match.match_id, 1, 0, salt, encode(1))),
        ("a seal of another serial", hash_parts("sealed", match.match_id, 0, 1, salt, encode(1))),
        ("a seal of another match", hash_parts("sealed", HASH, 0, 0, salt, encode(1))),
    ):
        illegal = "none" in comment
        first = match.envelope(1, body=((2, sealed, NONCE),))
        second = match.envelope(2, seen=(first,))
        last = match.envelope(3, body=((3, 7 if illegal else 1, salt),), seen=(second,))
        page.add(f"step: {comment}", "illegal_decision" if illegal else "wrong_opening", 0, 0, first, second, last)


def again(page: Pages) -> None:
    """What needs two rounds."""
    match = page.match
    first, fourth = (read(match.envelopes[number])[6][0] for number in (0, 3))
    page.add("a seal of an earlier round", "commitment_repeated", 0, 3, match.envelope(4, body=(first,)))
    page.add(
        "the opening of an earlier round", "wrong_opening", 0, 5, match.envelope(6, body=read(match.envelopes[2])[6])
    )
    page.good("the last round", 6)
    page.add(
        "an envelope of the first round comes again under a later number",
        "two_messages",
        0,
        4,
        match.envelope(1, body=(fourth,)),
    )
    chat = match.side(1, CHAT, "gg", seq=1)
    page.add("a chat at an older head than the own last envelope", "backdated", 1, 2, chat)
    page.good("a chat at an older head that its author has not left", 2, match.side(0, CHAT, "gg", seq=1))
