"""Logs that somebody with the keys of a match has changed: what a cheat at either seat, or both, could show."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgpack
from helpers_wire import Pair, envelope_of, flipped

from protocol.core.frames import FrameKind, Record, pack_frame
from protocol.core.messages import Envelope, Header, Problem, Side, SideType, SignedOutcome
from protocol.core.results import forfeit_result
from protocol.core.steps import Choice, Commit, ProveMembership, Recommit, Seal, Step, TossCommit, TossReveal
from protocol.core.transcript import Transcript
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto import keys
from protocol.crypto.hashing import hash_parts
from protocol.errors import ProtocolError
from protocol.game import Choose, Foul, Hide, Locate, Mix, Sealed, Seat, Toss

INNER = {
    FrameKind.ENVELOPE: "env",
    FrameKind.SIDE: "side",
    FrameKind.RESULT: "result",
    FrameKind.SEED: "open-seed",
    FrameKind.VERDICT: "verdict",
}
NUMBERS = (-1, 0, 1, 2, 3, 5, 7, 8, 64, 2000, 2001, 65_535, 2**31, 2**31 + 1, 2**53)


class Mutant:
    """The records of a match, as somebody changes them who has the keys of some seats."""

    def __init__(
        self, pair: Pair, records: Sequence[Record], chance: random.Random, seats: Sequence[Seat] = (0, 1)
    ) -> None:
        self.records = list(records)
        self._seats = seats
        self._chance = chance
        self._match_id = pair.host.agreement.match_id
        self._keys = [session._secrets.match_key for session in pair.sessions]
        self._identities = [session._identity for session in pair.sessions]

    def change(self) -> None:
        """Do one thing to the records behind the handshake, rarely to those of it."""
        chance = self._chance
        at = chance.randrange(4, len(self.records)) if len(self.records) > 4 and chance.random() < 0.97 else 0
        match chance.choice(("drop", "repeat", "swap", "flip", "kind", "cut", *("sign",) * 6, *("add",) * 6)):
            case "drop":
                del self.records[at]
            case "repeat" if at:
                self.records.insert(chance.randrange(4, len(self.records) + 1), self.records[at])
            case "swap":
                other = chance.randrange(4, len(self.records)) if len(self.records) > 4 else 0
                self.records[at], self.records[other] = self.records[other], self.records[at]
            case "flip":
                frame = self.records[at].frame
                self.records[at] = Record(self.records[at].kind, flipped(frame, chance.randrange(8 * len(frame))))
            case "kind":
                self.records[at] = Record(chance.randrange(16), self.records[at].frame)
            case "cut":
                del self.records[max(4, at) :]
            case "sign":
                self.records[at] = self._signed_anew(self.records[at])
            case "add":
                self.records.insert(chance.choice((at + 1, len(self.records))), self._signed_anew(self.records[at]))

    def _signed_anew(self, record: Record) -> Record:
        """Return a record with something else in it that its author, or the other, has signed."""
        chance = self._chance
        try:
            frame: Any = msgpack.unpackb(record.frame)
            kind = FrameKind(frame[0])
            if kind in INNER:
                inner = msgpack.unpackb(frame[2])
                for _ in range(chance.choice((1, 1, 1, 2))):
                    inner = self._changed(inner)
                data = msgpack.packb(inner)
                seat = inner[1]
                if seat not in self._seats or chance.random() < 0.05:
                    seat = chance.choice(self._seats)
                signed = [keys.sign(self._keys[seat], INNER[kind], data)]
                if kind is FrameKind.RESULT:
                    signed.append(keys.sign(self._identities[seat], "result", data))
                made = msgpack.packb([*frame[:2], data, *signed])
                # A log cannot hold what is longer than a frame.
                return Record(record.kind, made) if len(made) <= FRAME_LIMIT else record
            return Record(record.kind, msgpack.packb(self._changed(frame)))
        except (ValueError, TypeError, IndexError, OverflowError):
            # What was changed before cannot be read any more.
            return record

    def _changed(self, value: Any) -> Any:
        """Return a value in which one thing is another."""
        chance = self._chance
        if isinstance(value, list) and value and chance.random() < 0.95:
            at = chance.randrange(len(value))
            return [*value[:at], self._changed(value[at]), *value[at + 1 :]]
        match value:
            case list():
                return chance.choice((value[:-1], [*value, *value[-1:]], value[::-1], [], None))
            case bool() | int():
                return chance.choice((value + 1, value - 1, value + 1, value - 1, chance.choice(NUMBERS), None))
            case bytes():
                return chance.choice((self._hash(), self._hash(), chance.randbytes(len(value)), value[:-1], b"", 0))
            case str():
                return chance.choice((value + "x", "", "0", "1", "draw", "\u202e", "e\u0301", 5))
        return chance.choice((0, 1, b"", "x", []))

    def _hash(self) -> bytes:
        """Return a hash that means something in the match."""
        found = [self._match_id]
        for record in self.records[4:]:
            try:
                frame: Any = msgpack.unpackb(record.frame)
                label = INNER.get(frame[0])
                if label in ("env", "side"):
                    found.append(hash_parts(label, frame[2]))
            except (ValueError, TypeError, IndexError):
                continue
        return self._chance.choice(found)


class Forger:
    """Whoever signs what fits, or nearly, with the keys of some seats: it goes deeper than what is changed blindly."""

    def __init__(
        self, pair: Pair, records: Sequence[Record], chance: random.Random, seats: Sequence[Seat] = (0, 1)
    ) -> None:
        self.records = list(records)
        self._seats = seats
        self._chance = chance
        self._transcript = Transcript(pair.host.agreement, pair.game)
        self._pens = [session._signer for session in pair.sessions]
        self._keys = [session._secrets.match_key for session in pair.sessions]
        self._steps: list[Step] = []
        for record in records[4:]:
            self._transcript.accept(record.frame)
            if record.kind == FrameKind.ENVELOPE:
                self._steps += envelope_of(record.frame).steps

    def go_on(self) -> None:
        """Add a message."""
        make = self._chance.choice((self._side, self._side, self._envelope, self._result, self._end))
        # What does not hold stands there all the same, and what follows is as if it were not there; two large steps of
        # a pile fit into no frame.
        with suppress(ProtocolError):
            frame = make(self._chance.choice(self._seats))
            self.records.append(Record(frame[1], frame))
            self._transcript.accept(frame)

    def held(self) -> list[Record]:
        """Return the records without those that do not hold, but for the last one."""
        frames = {record.frame for record in self._transcript.records}
        kept = [record for record in self.records[4:-1] if record.frame in frames]
        return [*self.records[:4], *kept, *self.records[-1:]]

    def _header(self, seat: int) -> Header:
        """Return the header of what has seen most of what is held, most often all of it."""
        length = max(0, self._transcript.length - self._chance.choice((0, 0, 0, 0, 1, 2)))
        counts = tuple(max(0, count - self._chance.choice((0, 0, 0, 1))) for count in self._transcript.sides)
        return self._transcript.header(seat, length, counts)

    def _side(self, seat: int) -> bytes:
        chance = self._chance
        kind = chance.choice([*SideType, 12, 13])
        body: Any = None
        match kind:
            case SideType.CHAT:
                body = "well"
            case SideType.PROPOSE:
                body = chance.randrange(1, 3)
            case SideType.CLAIM:
                body = (chance.randrange(1, 3), *(chance.choice((0, 1, 3, 5, 20, 10**6)) for _ in range(2)))
            case SideType.ACCEPT | SideType.DECLINE | SideType.AGREE | SideType.REJECT | SideType.DENY:
                body = chance.randrange(1, max(2, self._transcript.sides[1 - seat] + 2))
            case 12 | 13:
                body = b"later"
        data = Side(*self._header(seat).fields, kind, body).pack()
        return pack_frame(FrameKind.SIDE, data, keys.sign(self._keys[seat], "side", data))

    def _envelope(self, seat: int) -> bytes:
        chance, transcript = self._chance, self._transcript
        turn = transcript.referee.turn(transcript.position)
        if turn is not None and turn in self._seats and chance.random() < 0.8:
            seat = turn
        steps = [self._step(seat) for _ in range(chance.choice((1, 1, 1, 2)))]
        state = transcript.state_hash
        with suppress(ProtocolError, Foul):
            position = transcript.position
            for step in steps:
                position, _ = transcript.referee.apply(position, seat, step)
            state = hash_parts("state", transcript.game.dump(position.state))
        timed = (transcript.times is None) == (chance.random() < 0.02)
        stamp: Any = tuple(chance.choice((0, 0, 1, 4, 7)) for _ in range(4)) if timed else None
        data = Envelope(*self._header(seat).fields, tuple(steps), state, stamp).pack()
        return pack_frame(FrameKind.ENVELOPE, data, keys.sign(self._keys[seat], "env", data))

    def _step(self, seat: int) -> Any:
        """Return a step that answers what the game asks, or one of those that were there before."""
        chance, transcript = self._chance, self._transcript
        position = transcript.position
        if self._steps and chance.random() < 0.2:
            return chance.choice(self._steps)
        token = chance.randbytes(32)
        match position.request:
            case Choose() | Sealed() as asked:
                if isinstance(asked, Sealed) and seat == asked.seats[0] and not position.partial:
                    return Seal(token, token[:16])
                moves = list(transcript.game.moves(position.state, seat, {}))
                return Choice(chance.choice([*moves, *moves, 5, None, (1, 2), ((),)]))
            case Hide(slots=slots):
                return Commit(tuple(chance.randbytes(32) for _ in slots), b"", token[:16])
            case Mix(give=give):
                parts = tuple(tuple(sorted(chance.randbytes(32) for _ in part)) for part in give)
                return Recommit(parts, b"", token[:16])
            case Locate():
                return ProveMembership(chance.randrange(3), b"")
            case Toss():
                return chance.choice((TossCommit(token, token[:16]), TossReveal(token)))
        return Choice(0)

    def _result(self, seat: int) -> bytes:
        chance, transcript = self._chance, self._transcript
        if transcript.status.may_sign(seat) and chance.random() < 0.5:
            return self._pens[seat].result(transcript.signable(seat))
        pairs = chance.choice(
            [tuple(sorted(transcript.outcome() or (("reason", "x"), ("winner", "0"))))]
            + [forfeit_result(transcript.game, transcript.position.state, one) for one in (0, 1)]
            + [(("reason", reason), ("winner", who)) for reason, who in (("agreement", "draw"), ("time", "1"))]
        )
        held = [(one, hash_) for one in (0, 1) for hash_ in transcript._side_heads[one][1:]]
        grounds = tuple(sorted(dict(chance.sample(held, min(len(held), chance.randrange(3)))).items()))
        return self._pens[seat].result(SignedOutcome(*self._header(seat).fields, pairs, grounds))

    def _end(self, seat: int) -> bytes:
        chance, pen = self._chance, self._pens[seat]
        if chance.random() < 0.5:
            return pen.seed(self._header(seat))
        return pen.verdict(self._header(seat), chance.choice(([], [], [Problem("illegal_decision", 1, 1 - seat, "")])))
