"""Test vectors of log files: their form, their handshake, and matches with hidden cards and with clocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from helpers_wire import configs, flipped, shake
from toys import RockPaperScissors

from protocol.core.frames import FrameKind, Record
from protocol.core.game_data import Conditions, WitnessTerms
from protocol.core.wire import encode
from protocol.core.witness import WitnessStatement
from protocol.crypto import keys
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from protocol.record import logfile
from vectors.matches import HASH, HELLO, PEOPLE, STRANGER, kind_of, log_case, read, rounds
from vectors.primitives import Case, P, little, times_base, torsion

SIGNATURE = bytes(64)

# --- the form of the file ------------------------------------------------------------------------------------------


def logs() -> list[Case]:
    """Return log files whose form is right or wrong."""
    match = rounds(1, (1, 0))
    short, whole = match.start(1), [record.frame for record in match.records]
    data = match.log(short)
    end = len(data) - 68
    header, trailer = data[:16], data[end:]
    found: list[Case] = []

    def add(comment: str, reason: str | None, changed: bytes) -> None:
        found.append(log_case(comment, reason, changed))

    def resigned(body: bytes, seat: int = 0, by: PrivateKey | None = None) -> bytes:
        """Return bytes before a trailer, with one."""
        signed = body + bytes([255, 0, 65, seat])
        return signed + keys.sign(by or match.keys[0], "log", signed)

    def record(frame: bytes, kind: int | None = None) -> bytes:
        return bytes([kind_of(frame) if kind is None else kind]) + len(frame).to_bytes(2, "big") + frame

    add("a match that goes on", None, data)
    add("a whole match, exported by seat 0", None, match.log(whole))
    add("a whole match, exported by seat 1", None, match.log(whole, 1))
    for comment, code, changed in (
        ("no bytes", "not-a-log", b""),
        ("something else", "not-a-log", b"SQLite format 3\0" + data[16:]),
        ("a magic that is cut", "not-a-log", data[:15]),
        ("a magic with CR and LF", "not-a-log", data[:15] + b"\r" + data[15:]),
        ("a space before the magic", "not-a-log", b" " + data),
        ("version 1", "version", b"storm-p2p log 1\n" + data[16:]),
        ("version 2", "version", b"storm-p2p log 2\n" + data[16:]),
        ("version 4", "version", b"storm-p2p log 4\n" + data[16:]),
        ("the magic alone", "cut", header),
        ("cut within the head of a record", "cut", data[:18]),
        ("cut within a record", "cut", data[: end - 1]),
        ("cut before the trailer", "cut", data[:end]),
        ("cut within the head of the trailer", "cut", data[: end + 2]),
        ("cut within the signature", "cut", data[:-1]),
        ("a record of no bytes", "record", resigned(data[:end] + b"\3\0\0")),
        ("a record of 16385 bytes", "record", resigned(data[:end] + b"\3\x40\x01" + bytes(16385))),
        ("a trailer of 64 bytes", "trailer", data[:end] + b"\xff\0\x40" + trailer[4:]),
        ("a trailer of 66 bytes", "trailer", data[:end] + b"\xff\0\x42" + trailer[3:] + b"\0"),
        ("a byte behind the trailer", "after-trailer", data + b"\n"),
        ("two trailers", "after-trailer", data + trailer),
        ("the log twice", "after-trailer", data * 2),
    ):
        add(f"file: {comment}", code, changed)
    for comment, changed in (
        ("a bit of the signature is turned", flipped(data, 8 * len(data) - 9)),
        ("seat 1 is named and seat 0 has signed", data[: end + 3] + b"\1" + data[end + 4 :]),
        ("a seat that is not there", resigned(data[:end], 2)),
        ("seat 255", resigned(data[:end], 255)),
        ("signed by a stranger", resigned(data[:end], 0, STRANGER)),
        ("signed by the identity key", resigned(data[:end], 0, PEOPLE[0])),
        ("the trailer of a shorter log", data[:end] + match.log(match.start(0))[-68:]),
        ("the trailer of the other's log", data[:end] + match.log(short, 1)[-68:-64] + trailer[4:]),
        ("signed under another label", resigned(data[:end])[:-64] + keys.sign(match.keys[0], "env", data[: end + 4])),
    ):
        add(f"trailer: {comment}", "bad_trailer", changed)
    for comment, reason, frames in (
        ("no records", "bad_handshake", []),
        ("a hello alone", "bad_handshake", short[:1]),
        ("no SIGN of the host", "bad_handshake", short[:3]),
        ("the host's hello first", "bad_handshake", [short[1], short[0], *short[2:]]),
        ("the host signs first", "bad_handshake", [*short[:2], short[3], short[2], *short[4:]]),
        ("a hello twice", "bad_handshake", [short[0], *short]),
        ("no hello of the guest", "bad_handshake", short[1:]),
        ("an envelope before the last SIGN", "bad_handshake", [*short[:3], short[4], short[3]]),
        ("the last record twice", "repeated", [*short, short[4]]),
        ("an older record twice", "repeated", [*whole[:6], whole[4]]),
        ("a hello once more at the end", "unexpected_frame", [*short, short[0]]),
        ("a result twice", "repeated", [*whole, whole[7]]),
        ("envelopes change places", "gap", [*whole[:4], whole[5], whole[4]]),
        ("an envelope is left out", "gap", [*whole[:5], *whole[6:]]),
        ("the results are left out", "not_now", [*whole[:7], whole[9]]),
    ):
        more = {"owes": 0} if reason == "not_now" else {}
        found.append(match.case(f"records: {comment}", reason, None, frames, **more))
    start = b"".join(record(frame) for frame in short[:4])
    add(
        "records: an envelope under the kind of a side envelope",
        "wrong_kind",
        resigned(header + start + record(short[4], 4)),
    )
    add("records: an envelope under kind 254", "wrong_kind", resigned(header + start + record(short[4], 254)))
    handshake = b"".join(record(frame) for frame in short[1:])
    add("records: a hello under kind 2", "bad_handshake", resigned(header + record(short[0], 2) + handshake))
    hello, sign = match.start(0)[0], match.start(0)[2]
    other = encode((1, 3, encode(read(hello)), HASH)), sign[:-1] + bytes([sign[-1] ^ 1])
    outside = {
        "another HELLO": other[0],
        "another SIGN": other[1],
        "RESUME": encode((8, 3, b"\x90", SIGNATURE)),
        "REFUSAL": encode((9, 3, "lot", "-")),
        "CALL": encode((10, 3, HASH)),
        "ENDPOINT": encode((11, 3, b"\x90", SIGNATURE)),
        "DONE": encode((12, 3)),
        "WATCH": encode((14, 3, HASH, HASH, HASH, HASH, SIGNATURE)),
    }
    for name, frame in outside.items():
        found.append(match.case(f"records: {name}, which has no place here", "unexpected_frame", None, [*short, frame]))
    bad = match.envelope(2, STRANGER)
    found.append(
        match.case(
            "records: behind one that does not hold nothing is looked at",
            "bad_signature",
            None,
            [*short, bad, b"\xc1", bad],
        )
    )
    return [*found, *witnessed()]


def witnessed() -> list[Case]:
    """Return logs with statements of a witness."""
    key = STRANGER
    match = rounds(1, (1, 0), tag="witnessed", conditions=Conditions(witness=WitnessTerms(key.public, "127.0.0.1:1")))
    public = match.keys[0].public
    true = WitnessStatement(match.match_id, public, match.heads[1], 5, 1, match.match_id)

    def stated(by: PrivateKey, **changes: Any) -> bytes:
        values = {name: getattr(true, name) for name in true.__slots__}
        return match.sealed(encode(tuple({**values, **changes}.values())), by, "witness", FrameKind.WITNESS)

    plain = rounds(1, (1, 0))
    cases: Sequence[tuple[str, str | None, bytes]] = (
        ("a statement", None, stated(key)),
        ("that another has signed", "bad_signature", stated(PEOPLE[0])),
        ("that a player has signed", "bad_signature", stated(match.keys[0])),
        ("about another match", "wrong_match", stated(key, match_id=HASH)),
        ("about a key that is not of this match", "wrong_match", stated(key, key=key.public)),
    )
    found = [
        match.case(f"witness: {comment}", reason, None, [*match.start(1), frame]) for comment, reason, frame in cases
    ]
    statement = plain.sealed(encode(read(stated(key))), key, "witness", FrameKind.WITNESS)
    return [*found, plain.case("witness: none is agreed on", "unexpected_frame", None, [*plain.start(1), statement])]


# --- handshakes ----------------------------------------------------------------------------------------------------


class Shaking:
    """A handshake of which everything can be said otherwise and signed again."""

    def __init__(self) -> None:
        pair = configs(RockPaperScissors(), 1, tag="handshake")
        host, guest, _ = shake(*pair)
        self.frames = [record.frame for record in host.records]
        self.hellos = [dict(zip(HELLO, read(frame), strict=True)) for frame in self.frames[:2]]
        self.opened: tuple[Any, ...] = (guest.secrets.coin, guest.config.blind, None)
        self.keys = [guest.secrets.match_key, host.secrets.match_key]
        self.people = [PEOPLE[1], PEOPLE[0]]

    def log(
        self,
        guest: dict[str, Any],
        host: dict[str, Any],
        opened: tuple[Any, ...] | None = None,
        signs: dict[str, bytes] | None = None,
        hosts: tuple[Any, ...] = (None, None, None),
        seat: int = 0,
        keys_of: Sequence[PrivateKey] = (),
        people: Sequence[PrivateKey] = (),
        written: Callable[[bytes], bytes] = lambda hello: hello,
    ) -> bytes:
        """Return a log of a handshake; the guest's values stand before the host's everywhere."""
        match_keys, persons = keys_of or self.keys, people or self.people
        changed = [{**hello, **changes} for hello, changes in zip(self.hellos, (guest, host), strict=True)]
        hellos = [encode(tuple(one.values())) for one in changed]
        hellos[0] = written(hellos[0])
        said = self.opened if opened is None else opened
        match_id = hash_parts("match", *hellos, encode(said))
        frames = [encode((1, 3, hello, HASH)) for hello in hellos]
        for number, (side, values) in enumerate((("guest", said), ("host", hosts))):
            digest = hash_parts(f"sign-{side}", match_id)
            made = {"identity": persons[number].sign_digest(digest), "key": match_keys[number].sign_digest(digest)}
            for name in made:
                made[name] = (signs or {}).get(f"{side} {name}", made[name])
            frames.append(encode((2, 3, *values, made["identity"], made["key"])))
        return logfile.dump([Record(kind_of(frame), frame) for frame in frames], seat, match_keys[1].sign_digest)


def handshakes() -> list[Case]:
    """Return logs that end with their handshake; a stranger cannot check its macs."""
    shaking = Shaking()
    offer = shaking.hellos[1]["offer"]
    found: list[Case] = []

    def good(
        comment: str, guest: dict[str, Any], host: dict[str, Any], remarks: Sequence[str] = (), **more: Any
    ) -> None:
        extra: dict[str, Any] = {"remarks": list(remarks)} if remarks else {}
        found.append(log_case(comment, None, shaking.log(guest, host, **more), **extra))

    def bad(
        comment: str, guest: dict[str, Any], host: dict[str, Any], reason: str = "bad_handshake", **more: Any
    ) -> None:
        found.append(log_case(comment, reason, shaking.log(guest, host, **more)))

    def offered(**changes: Any) -> dict[str, Any]:
        names = ("terms", "scheme", "seating", "conditions")
        return {"offer": tuple({**dict(zip(names, offer, strict=True)), **changes}.values())}

    def both(**changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return changes, changes

    good("a plain handshake", {}, {})
    good("the guest has seat 0", {}, offered(seating=(1, 1)), seat=1)
    coin, blind, _ = shaking.opened
    drawn = hash_parts("lot", coin, shaking.hellos[1]["coin"])[0] & 1
    good("seats by lot", {}, offered(seating=(0,)), seat=drawn)
    for pick in (0, 1):
        good(f"the guest picks seat {pick}", {}, offered(seating=(2,)), opened=(coin, blind, pick), seat=1 - pick)
    good(
        "both can more than this text knows",
        *both(versions=(1, 3), schemes=("later", "hash"), capabilities=("a", "b" * 32)),
    )
    good("one of them speaks a later version as well", {"versions": (3, 4)}, {})
    good("a channel", *both(channel=HASH + HASH))
    good(
        "names of 32 characters, of later characters, and with a space within",
        {"name": "g" * 32},
        {"name": "\u0397\u03c1\u03b1 \U0001fae9"},
    )
    good("the two have one name", *both(name="Hanna"))
    one = PEOPLE[0]
    good("one identity has both seats", {"identity": one.public}, {}, ["one_identity"], people=(one, one))
    good("an unknown condition with an odd tag", {}, offered(conditions=((1, b""), (65535, bytes(512)))))
    clock, event = (1, 300, 2, 3, 60, 600), (HASH, 1, 1, 1, HASH)
    good("a clock", {}, offered(conditions=((2, clock),)))
    good(
        "a clock for each decision, and an unknown condition",
        {},
        offered(conditions=((2, (2, 300, 0, 0, 0, 1)), (3, b"x"))),
    )
    good("a witness", {}, offered(conditions=((4, (STRANGER.public, "h:1")),)))
    good(
        "a place in an event, which both can take",
        {"capabilities": ("event",)},
        {"capabilities": ("event",), **offered(conditions=((6, event),))},
    )

    bad("a later version of the rules", *both(game_version="9"), reason="rules_version")
    bad("another game", *both(game="chess"), reason="rules_version")
    good("aids", {}, offered(conditions=((8, b""),)))
    bad("terms that the game does not take", {}, offered(terms=0), reason="bad_terms")
    bad("a scheme that is not in this text", *both(schemes=("later",)), reason="bad_handshake")
    bad(
        "a scheme that both have named and is not in this text",
        {"schemes": ("later", "hash")},
        {"schemes": ("later", "hash"), **offered(scheme="later")},
        reason="unknown_scheme",
    )

    bad("the coin is another", {}, {}, opened=(HASH, blind, None))
    bad("the coin is nil", {}, {}, opened=(None, blind, None))
    bad("the guest's hello has the coin itself", {"coin": coin}, {})
    bad("the blind is another", {}, {}, opened=(coin, HASH, None))
    bad("the blind is nil", {}, {}, opened=(coin, None, None))
    bad("the guest's hello has no blind", {"blind": None}, {}, opened=(coin, None, None))
    bad("the host has a blind", {}, {"blind": HASH})
    bad("the host opens a coin", {}, {}, hosts=(coin, None, None))
    bad("the host picks a seat", {}, {}, hosts=(None, None, 0))
    bad("a pick that nobody offered", {}, {}, opened=(coin, blind, 0))
    bad("a pick though the seats go by lot", {}, offered(seating=(0,)), opened=(coin, blind, 0))
    bad("no pick", {}, offered(seating=(2,)))
    bad("the guest picks seat 2", {}, offered(seating=(2,)), opened=(coin, blind, 2))
    for name in ("guest identity", "guest key", "host identity", "host key"):
        bad(f"no signature by the {name}", {}, {}, signs={name: SIGNATURE})
    bad("the signatures by identity and match key change places", {}, {}, people=shaking.keys, keys_of=shaking.people)
    bad("guest and host sign for each other", {}, {}, people=shaking.people[::-1], keys_of=shaking.keys[::-1])
    match_id = hash_parts("match", *(encode(read(frame)) for frame in shaking.frames[:2]), encode(shaking.opened))
    label = hash_parts("sign-host", match_id)
    bad(
        "the guest signs as host",
        {},
        {},
        signs={"guest identity": shaking.people[0].sign_digest(label), "guest key": shaking.keys[0].sign_digest(label)},
    )
    five = times_base(5) + little(5)
    for side in ("guest", "host"):
        for field, sign in (("identity", "identity"), ("match_key", "key")):
            for what, public in (
                ("neutral", times_base(0)),
                ("of order 8", torsion(1)),
                ("of order 2", torsion(4)),
                ("neutral, written as y = p + 1", little(P + 1)),
                ("no point", little(2)),
            ):
                guest, host = ({field: public}, {}) if side == "guest" else ({}, {field: public})
                bad(f"the {side}'s {field.replace('_', ' ')} is {what}", guest, host, signs={f"{side} {sign}": five})
    bad("one match key for both", {}, {"match_key": shaking.keys[0].public}, keys_of=[shaking.keys[0]] * 2)
    bad("one nonce for both", {}, {"nonce": shaking.hellos[0]["nonce"]})
    bad("the guest calls itself host", {"role": 0}, {})
    bad("the host calls itself guest", {}, {"role": 1})
    bad("role 2", {}, {"role": 2})
    bad("the role is false", {}, {"role": False})
    bad("a guest with an offer", {"offer": offer}, {})
    bad("a host without one", {}, {"offer": None})
    bad("no common version", {"versions": (2,)}, {})
    bad("no versions", {"versions": ()}, {})
    bad("version 0", {"versions": (0, 3)}, {})
    bad("17 versions", {"versions": tuple(range(3, 20))}, {})
    bad("a scheme that the guest has not named", {"schemes": ("proved",)}, {})
    bad("a scheme that the host has not named", {}, {"schemes": ("proved",)})
    bad("no schemes", {"schemes": ()}, {})
    bad("33 capabilities", {"capabilities": ("a",) * 33}, {})
    bad("a capability of 33 characters", {"capabilities": ("a" * 33,)}, {})
    bad("two games", {"game": "chess"}, {})
    bad("two versions of the rules", {"game_version": "2"}, {})
    bad("two channels", {"channel": b"\1"}, {"channel": b"\2"})
    bad("a channel and none", {"channel": b"\1"}, {})
    bad("a channel of 65 bytes", *both(channel=bytes(65)))
    bad("a game of 65 characters", *both(game="g" * 65))
    bad("a game that is no ASCII", *both(game="g\u00e9"))
    names: Sequence[tuple[str, Any]] = (
        ("is nil", None),
        ("is empty", ""),
        ("has 33 characters", "g" * 33),
        ("is binary", b"Gustav"),
        ("has a line feed", "Gus\ntav"),
        ("has an escape", "\x1b[2J"),
        ("has U+202E", "Gus\u202etav"),
        ("has U+200D", "Gus\u200dtav"),
        ("has U+3164", "\u3164"),
        ("has U+F8FF", "\uf8ff"),
        ("has U+E0041", "G\U000e0041"),
        ("is not in NFC", "Gu\u0308nther"),
        ("begins with a space", " Gustav"),
        ("ends with a space", "Gustav "),
    )
    for what, called in names:
        bad(f"a name that {what}", {"name": called}, {})
    for field in ("identity", "match_key", "nonce", "coin", "seed_commitment"):
        bad(f"{field.replace('_', ' ')} of 31 bytes", {field: bytes(31)}, {})
    for what, terms in (("text", "one"), ("true", True), ("2^53", 2**53)):
        bad(f"terms that are {what}", {}, offered(terms=terms))
    for what, seating in (
        ("empty", ()),
        ("[1]", (1,)),
        ("[1, 2]", (1, 2)),
        ("[3]", (3,)),
        ("[0, 0]", (0, 0)),
        ("nil", None),
        ("[true, 0]", (True, 0)),
    ):
        bad(f"a seating that is {what}", {}, offered(seating=seating))
    for what, conditions in (
        ("an unknown one with an even tag", ((10, b""),)),
        ("the last even tag", ((65534, b""),)),
        ("tags that descend", ((4, (STRANGER.public, "h:1")), (2, clock))),
        ("a tag twice", ((3, b""), (3, b""))),
        ("tag 0", ((0, b""),)),
        ("tag 65536", ((65536, b""),)),
        ("nil", None),
        ("17 of them", tuple((2 * n + 7, b"") for n in range(17))),
        ("an unknown one with 513 bytes", ((3, bytes(513)),)),
        ("an unknown one with nil", ((3, None),)),
        ("aids with a byte", ((8, b"1"),)),
        ("aids that are true", ((8, True),)),
        ("a pair of three", ((2, clock, 0),)),
        ("a clock of five numbers", ((2, clock[:5]),)),
        ("a clock of kind 3", ((2, (3, *clock[1:])),)),
        ("a clock of kind 2 with an increment", ((2, (2, *clock[1:])),)),
        ("a clock without a stock", ((2, (1, 0, *clock[2:])),)),
        ("a clock with a time of -1", ((2, (*clock[:4], -1, 600)),)),
        ("a clock of more than ten years", ((2, (1, 315360001, *clock[2:])),)),
        ("a witness without an address", ((4, (STRANGER.public, "")),)),
        ("a witness with a key of 31 bytes", ((4, (bytes(31), "h:1")),)),
        ("a witness with the neutral key", ((4, (times_base(0), "h:1")),)),
        ("an event without the capability", ((6, event),)),
    ):
        bad(f"conditions: {what}", {}, offered(conditions=conditions))
    for what, place in (
        ("round 0", (HASH, 0, 1, 1, HASH)),
        ("table 65536", (HASH, 1, 65536, 1, HASH)),
        ("an id of 31 bytes", (bytes(31), 1, 1, 1, HASH)),
        ("a round's document of 31 bytes", (*event[:4], bytes(31))),
        ("no document of its round", event[:4]),
    ):
        able = {"capabilities": ("event",)}
        bad(f"conditions: an event with {what}", able, {**able, **offered(conditions=((6, place),))})
    bad(
        "conditions: an event that only the host can take",
        {},
        {"capabilities": ("event",), **offered(conditions=((6, event),))},
    )
    bad("a field too many", {"more": None}, {})
    bad("an offer with a field too many", {}, {"offer": (*offer, None)})
    many = tuple((2 * number + 7, bytes(500)) for number in range(8))
    bad("a hello whose frame has more than 4096 bytes", {}, offered(conditions=many))
    for what, change in (
        ("in more bytes than need be", lambda hello: b"\xdc\x00\x0f" + hello[1:]),
        ("with a byte behind it", lambda hello: hello + b"\0"),
        ("that is cut", lambda hello: hello[:-1]),
        ("of no bytes", lambda hello: b""),
    ):
        bad(f"a hello {what}", {}, {}, written=change)
    return found
