"""Matches of the toy games as material for test vectors: every message can be signed once more, with other contents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helpers_wire import Pair, identity
from toys import RockPaperScissors

from protocol.core.agreement import Hello
from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.wire import encode, unpack
from protocol.crypto import keys
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey
from protocol.record import logfile
from vectors.primitives import Case, case

HEADER = ("match_id", "seat", "seq", "sides", "prev")
ENVELOPE = (*HEADER, "type", "body", "state")
SIDE = (*HEADER, "type", "body")
RESULT = (*HEADER, "result", "grounds")
SEED = (*HEADER, "seed")
VERDICT = (*HEADER, "problems")
HELLO = tuple(Hello.__slots__)
STRANGER = identity("nobody")
PEOPLE = (identity("host"), identity("guest"))
"""The identity keys by seat: in all of these matches but some handshakes the host has seat 0."""

HASH = bytes(range(32))
CHAT, OFFER, ACCEPT, DECLINE, RESIGN, PROPOSE, AGREE, REJECT, GO_ON, CLAIM, DENY = range(1, 12)


def read(frame: bytes, number: int = 2) -> tuple[Any, ...]:
    """Return the values in the binary that a frame holds at a place."""
    return tuple(unpack(unpack(frame, lambda value: None)[number], lambda value: None))  # type: ignore[arg-type]


def kind_of(frame: bytes) -> int:
    """Return the kind under which a log has a frame."""
    return frame[1] if len(frame) > 1 else FrameKind.ENVELOPE


class Played:
    """A match that was played, and all that its two seats can sign."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.records = pair.host.records
        self.match_id = pair.host.agreement.match_id
        self.keys = tuple(session._secrets.match_key for session in pair.sessions)
        self.envelopes = [one.frame for one in self.records if one.kind == FrameKind.ENVELOPE]
        self.heads = [self.match_id, *(self.digest("env", frame) for frame in self.envelopes)]

    @staticmethod
    def digest(label: str, frame: bytes) -> bytes:
        """Return the hash of what a frame of an envelope or a side envelope holds."""
        return hash_parts(label, unpack_frame(frame)[1][0])

    def start(self, envelopes: int) -> list[bytes]:
        """Return the frames of the handshake and of so many envelopes."""
        return [one.frame for one in self.records[:4]] + self.envelopes[:envelopes]

    def header(self, seat: int, seq: Any, seen: Sequence[bytes] = ()) -> tuple[Any, ...]:
        """Return the header of a message whose author has seen so many envelopes of the match and these frames.

        An envelope among the frames stands in the place of one of the match.
        """
        held = isinstance(seq, int) and 0 <= seq < len(self.heads)
        head, sides, side_heads = self.heads[seq if held else -1], [0, 0], [self.match_id] * 2
        for frame in seen:
            _, author, before, counts, *_ = read(frame)
            if frame[1] == FrameKind.SIDE:
                sides[author], side_heads[author] = counts[author] + 1, self.digest("side", frame)
            else:
                seq, head = before + 1, self.digest("env", frame)
        return self.match_id, seat, seq, tuple(sides), hash_parts("link", head, *side_heads)

    # --- messages ---

    def envelope(
        self, number: int, by: PrivateKey | None = None, label: str = "env", seen: Sequence[bytes] = (), **changes: Any
    ) -> bytes:
        """Return an envelope of the match with other contents, signed by its author or somebody else."""
        values = dict(zip(ENVELOPE, read(self.envelopes[number - 1]), strict=True))
        seat = values["seat"]
        values |= zip(HEADER, self.header(seat, changes.get("seq", number - 1), seen), strict=True)
        return self.sealed(encode(tuple({**values, **changes}.values())), by or self.keys[seat], label)

    def sealed(self, data: bytes, by: PrivateKey, label: str = "env", kind: int = FrameKind.ENVELOPE) -> bytes:
        """Return the frame of any bytes, signed."""
        return encode((int(kind), 3, data, keys.sign(by, label, data)))

    def side(
        self,
        seat: int,
        type_: int,
        body: Any = None,
        *,
        seq: int = 0,
        seen: Sequence[bytes] = (),
        by: PrivateKey | None = None,
        **changes: Any,
    ) -> bytes:
        """Return a side envelope."""
        values = dict(zip(SIDE, (*self.header(seat, seq, seen), type_, body), strict=True))
        data = encode(tuple({**values, **changes}.values()))
        return self.sealed(data, by or self.keys[seat], "side", FrameKind.SIDE)

    def result(
        self,
        seat: int,
        /,
        by: PrivateKey | None = None,
        person: PrivateKey | None = None,
        seen: Sequence[bytes] = (),
        **changes: Any,
    ) -> bytes:
        """Return a result, without changes at the end of the match and the one that both have signed, if it has one."""
        made = [read(one.frame) for one in self.records if one.kind == FrameKind.RESULT]
        result, grounds = made[0][5:] if made else (None, ())
        header = self.header(seat, changes.get("seq", len(self.envelopes)), seen)
        values = dict(zip(RESULT, (*header, result, grounds), strict=True))
        data = encode(tuple({**values, **changes}.values()))
        digest = hash_parts("result", data)
        signatures = (one.sign_digest(digest) for one in (by or self.keys[seat], person or PEOPLE[seat]))
        return encode((int(FrameKind.RESULT), 3, data, *signatures))

    def seed(self, seat: int, /, by: PrivateKey | None = None, seen: Sequence[bytes] = (), **changes: Any) -> bytes:
        """Return an opened seed."""
        header = self.header(seat, changes.get("seq", len(self.envelopes)), seen)
        values = dict(zip(SEED, (*header, self.pair.sessions[seat]._secrets.seed), strict=True))
        data = encode(tuple({**values, **changes}.values()))
        return self.sealed(data, by or self.keys[seat], "open-seed", FrameKind.SEED)

    def verdict(
        self, seat: int, /, problems: Any = (), by: PrivateKey | None = None, seen: Sequence[bytes] = (), **changes: Any
    ) -> bytes:
        """Return what an audit has found."""
        header = self.header(seat, changes.get("seq", len(self.envelopes)), seen)
        values = {**dict(zip(VERDICT, (*header, problems), strict=True)), **changes}
        return self.sealed(encode(tuple(values.values())), by or self.keys[seat], "verdict", FrameKind.VERDICT)

    # --- logs ---

    def log(self, frames: Sequence[bytes], exporter: int = 0) -> bytes:
        """Return a log of any frames, exported by a seat."""
        records = [Record(kind_of(frame), frame) for frame in frames]
        return logfile.dump(records, exporter, self.pair.sessions[exporter].sign_log)

    def case(
        self, comment: str, reason: str | None, convicted: int | None, frames: Sequence[bytes], **more: Any
    ) -> Case:
        """Return a test of a log."""
        return log_case(comment, reason, self.log(frames), convicted, game=self.pair.game.name, **more)


def log_case(
    comment: str,
    reason: str | None,
    data: bytes,
    convicted: int | None = None,
    *,
    game: str = "rock-paper-scissors",
    **more: Any,
) -> Case:
    """Return a test of a log: the code of its one problem, and the seat that this convicts."""
    return {**case(comment, reason, game=game, file=data.hex()), "seat": convicted, **more}


def rounds(terms: int, *throws: tuple[int, int], tag: str = "vectors", **both: Any) -> Played:
    """Return a match of rock-paper-scissors."""
    pair = Pair(RockPaperScissors(), terms, tag=tag, **both)
    for ours, theirs in throws:
        pair.act(0, ours)
        pair.act(1, theirs)
    return Played(pair)


class Pages:
    """A list of tests of one match, each the beginning of it and what follows."""

    def __init__(self, match: Played) -> None:
        self.match = match
        self.cases: list[Case] = []

    def add(
        self, comment: str, reason: str | None, seat: int | None, start: int, *frames: bytes, owes: int | None = None
    ) -> None:
        """Add a test: so many envelopes of the match, and then these frames."""
        more = {} if owes is None else {"owes": owes}
        self.cases.append(self.match.case(comment, reason, seat, [*self.match.start(start), *frames], **more))

    def good(self, comment: str, start: int, *frames: bytes) -> None:
        """Add a log in which nothing is wrong."""
        self.add(comment, None, None, start, *frames)

    def damage(self, comment: str, code: str, start: int, *frames: bytes) -> None:
        """Add one whose last frame proves nothing about anybody."""
        self.add(comment, code, None, start, *frames)

    def dispute(self, comment: str, code: str, author: int, start: int, *frames: bytes) -> None:
        """Add one whose last frame does not fit; its author owes what makes it fit."""
        self.add(comment, code, None, start, *frames, owes=author)
