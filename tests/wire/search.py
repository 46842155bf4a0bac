"""What the key of one seat can do to a match: live, against the honest program of the other, and afterwards, in logs.

A :class:`Search` looks for what breaks the laws of SPEC.md, "Several logs": nothing that one seat can sign, leave out
and put in another order gains it anything or convicts the other.  What it finds it prints as the shortest log.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import product
from typing import Any, NamedTuple

from helpers_judging import both, log_of
from helpers_wire import Pair, envelope_of, on_a_line, only

from protocol.core.frames import FrameKind, Record, pack_frame, unpack_frame
from protocol.core.game_data import read_data
from protocol.core.messages import AuditVerdict, Break, Envelope, Ground, OpenedSeed, Side, SideType, SignedOutcome
from protocol.core.session import Session
from protocol.core.steps import Choice
from protocol.core.transcript import Transcript
from protocol.crypto import keys
from protocol.crypto.hashing import hash_parts
from protocol.errors import LocalProtocolError, Misbehaviour, ProtocolError
from protocol.game import Choose, Seat, other

Facts = dict[str, Any]
LOST, OPEN, DRAWN, WON = range(4)
BODIES: tuple[tuple[int, Any], ...] = (
    (SideType.OFFER, None),
    (SideType.RESIGN, None),
    (SideType.CHAT, "x"),
    (SideType.GO_ON, None),
    (13, b"later"),
    *((SideType.PROPOSE, int(what)) for what in Break),
    *((SideType.CLAIM, (int(ground), read, 0)) for ground in Ground for read in (0, 10**6)),
)
"""What a side envelope may say that answers nothing."""
REPLIES = ("", "sign", "act", "chat", "offer_draw", "accept_draw", "deny", "concede", "claim", "agree", "resign")
"""What the player of the honest program may do after a message, or the seat itself: sign the result."""
ANSWERS = (SideType.ACCEPT, SideType.DECLINE, SideType.AGREE, SideType.REJECT, SideType.DENY)
REASONS = (("agreement", "draw"), *((reason, who) for reason in ("forfeit", "time", "absence") for who in "01"))


FORMS: dict[FrameKind, tuple[str, type[Any]]] = {
    FrameKind.ENVELOPE: ("env", Envelope),
    FrameKind.SIDE: ("side", Side),
    FrameKind.RESULT: ("result", SignedOutcome),
    FrameKind.SEED: ("open-seed", OpenedSeed),
    FrameKind.VERDICT: ("verdict", AuditVerdict),
}
"""The label and the class of what is signed, by its kind."""
HEADER = 5
"""How many fields of a message are its header."""

What = tuple[Any, ...]
"""What stands behind a header: the kind of the message and its fields."""


class Message(NamedTuple):
    """What may be signed."""

    seq: int
    """The length of the chain that its author says to have seen."""
    sides: tuple[int, ...]
    """How many side envelopes of each seat."""
    what: What


class Broken(AssertionError):
    """A law of the specification is broken; the text is the path there."""


class Search:
    """One seat of a match that does what it likes, and what the other seat's honest program holds."""

    def __init__(self, pair: Pair, seat: Seat, honest: Sequence[Record] | None = None) -> None:
        self.pair, self.seat, self.other = pair, seat, other(seat)
        self.games = only(pair.game)
        sessions = pair.sessions
        self._secrets, self._identity = sessions[seat]._secrets, sessions[seat]._identity
        self.honest = list(sessions[self.other].records if honest is None else honest)
        """The log of the other seat."""
        self.pool = list(sessions[seat].records) if honest is None else list(self.honest)
        """All that the seat has: what its own program holds, and what the other has signed beside it."""
        known = {record.frame for record in self.pool}
        self.pool += [record for record in self.honest if record.frame not in known]
        self._pen = sessions[seat]._signer
        self.begin = read_data(self.pool)[1]
        self._true = {record.frame for record in self.pool}
        self._theirs = frozenset(record.frame for record in self.honest)
        self._words_of_own = [what for what in map(self._what, self.pool[self.begin :]) if what is not None]
        self.verdicts = 0
        """How many verdicts were asked for, of both implementations together."""
        self._judged: dict[Any, list[Facts]] = {}
        (self.truth,) = self._judge(self._file(self.honest, self.other))
        before = self.honest[:-1] if self.truth["convicted"] else self.honest
        (self.fair,) = self._judge(self._file(before, self.other))

    # --- what can be signed ---

    def held(self, records: Iterable[Record]) -> tuple[Transcript, list[Record]]:
        """Return what holds of some records, and those of them that hold; what convicts its author is the last."""
        transcript = Transcript(self.pair.host.agreement, self.pair.game)
        kept = self.pool[: self.begin]
        self._grow(transcript, kept, records)
        return transcript, kept

    def _grow(self, transcript: Transcript, kept: list[Record], records: Iterable[Record]) -> bool:
        for record in records:
            try:
                before = len(transcript.records)
                transcript.accept(record.frame)
                if len(transcript.records) > before:
                    kept.append(record)
            except Misbehaviour:
                kept.append(record)
                return False
            except ProtocolError:
                continue
        return True

    def signable(self, held: Transcript) -> Iterator[Message]:
        """Yield all that the seat can sign who has seen something: each header with each thing to say."""
        said = self._said(held)
        for seq, *sides in product(*(range(count + 1) for count in (held.length, *held.sides))):
            for place, what in said:
                if place in (None, seq):
                    yield Message(seq, tuple(sides), what)

    def pick(self, held: Transcript, chance: random.Random) -> Message:
        """Return something that the seat can sign, most often with the header that fits."""
        said = self._said(held)
        # What was said stands among what others rest on: most often that is what is said again, elsewhere.
        again = [one for one in said if one[1] in self._words_of_own]
        said = again if again and chance.random() < 0.5 else said
        kind = chance.choice((FrameKind.ENVELOPE, FrameKind.SIDE, FrameKind.SIDE, FrameKind.RESULT, *FORMS))
        place, what = chance.choice([one for one in said if one[1][0] == kind] or said)
        seen = [held.length if place is None else place, *held.sides]
        most = [held.length, *held.sides]
        while chance.random() < 0.4:
            at = chance.randrange(len(seen))
            seen[at] = chance.randrange(most[at] + 1)
        return Message(seen[0], tuple(seen[1:]), what)

    def _said(self, held: Transcript) -> list[tuple[int | None, What]]:
        """Return all that can stand behind a header, with the one length of the chain at which an envelope makes sense.

        Envelopes are those that the seat has signed, and at the end of the chain up to three other choices.
        """
        answers = product(ANSWERS, range(1, max(1, held.sides[self.other]) + 1))
        found: list[tuple[int | None, What]] = [(None, (FrameKind.SIDE, *one)) for one in (*BODIES, *answers)]
        for record in self.pool[self.begin :]:
            what = self._what(record)
            if what is not None and what[0] in (FrameKind.ENVELOPE, FrameKind.SEED):
                seq = envelope_of(record.frame).seq if what[0] is FrameKind.ENVELOPE else None
                if seq is None or seq <= held.length:
                    found.append((seq, what))
        position, request = held.position, held.position.request
        if isinstance(request, Choose):
            for move in list(held.game.moves(position.state, request.seat, {}))[:3]:
                with suppress(ProtocolError):
                    after, _ = held.referee.apply(position, request.seat, Choice(move))
                    stamp = None if held.times is None else (0, 0, 0, 0)
                    state = hash_parts("state", held.game.dump(after.state))
                    found.append((held.length, (FrameKind.ENVELOPE, (Choice(move),), state, stamp)))
        found += [(None, (FrameKind.RESULT, *one)) for one in self._results(held)]
        found.append((None, (FrameKind.SEED, self._secrets.seed)))
        return found + [(None, (FrameKind.VERDICT, one)) for one in ((), (("illegal_decision", 1, self.other),))]

    def _results(self, held: Transcript) -> Iterator[tuple[Any, ...]]:
        """Yield results and what they are said to follow from."""
        sides = [(seat, digest) for seat in (0, 1) for digest in held._side_heads[seat][1:]]
        names = {"draw": "draw"} | {str(seat): name for seat, name in enumerate(held.game.sides)}
        for reason, winner in REASONS:
            for grounds in ((), *((one,) for one in sides)):
                yield (("reason", reason), ("winner", names[winner])), grounds
        own = held.game.result(held.position.state)
        if own is not None:
            yield tuple(sorted(own.items())), ()

    def sign(self, held: Transcript, message: Message) -> Record:
        """Return a message signed."""
        kind, *said = message.what
        label, form = FORMS[kind]
        data = form(*held.header(self.seat, message.seq, message.sides).fields, *said).pack()
        signatures = [keys.sign(self._secrets.match_key, label, data)]
        if kind is FrameKind.RESULT:
            signatures.append(keys.sign(self._identity, label, data))
        return Record(kind, pack_frame(kind, data, *signatures))

    def _what(self, record: Record) -> What | None:
        """Return what a message of the seat says; None of the other's."""
        kind, values = unpack_frame(record.frame)
        message = FORMS[kind][1].unpack(values[0])
        return None if message.seat != self.seat else (kind, *_fields(message)[HEADER:])

    # --- what is tried ---

    def exhaust(self, depth: int) -> int:
        """Check every log with so many new messages, signed at every cut; return how many logs there are."""
        tried: set[Any] = set()
        for cut in range(self.begin, len(self.pool) + 1):
            self._try(self.held(self.pool[self.begin : cut])[1], tried)
            self._deepen(self.pool[self.begin : cut], cut, depth, tried)
        return len(tried)

    def _deepen(self, base: Sequence[Record], cut: int, depth: int, tried: set[Any]) -> None:
        """Sign one more message behind what holds of some records, and let what follows in the pool follow."""
        held, kept = self.held(base)
        rest = self.pool[cut:]
        theirs = [record for record in rest if self._what(record) is None]
        deeper: dict[tuple[bytes, ...], tuple[list[Record], int]] = {}
        faults: set[tuple[int, str]] = set()
        for message in list(self.signable(held)):
            record = self.sign(held, message)
            if record in kept:
                continue
            now = [*kept, record]
            fault = _fault_of(held, record)
            if fault is not None:
                # What does not hold is judged with the other's log once, and behind others once for each kind of fault.
                first = kept == self.pool[:cut] and record.frame not in tried
                if first or (record.kind, fault) not in faults:
                    faults.add((record.kind, fault))
                    tried.add(record.frame)
                    self._try(now, tried)
                continue
            for more in ([], rest, theirs):
                self._try(self.held([*now[self.begin :], *more])[1], tried)
            if depth > 1:
                for later in (cut, len(self.pool)):
                    longer = self.held([*now[self.begin :], *self.pool[cut:later]])[1]
                    deeper.setdefault(tuple(one.frame for one in longer), (longer, later))
            held, kept = self.held(base)
        for longer, later in deeper.values():
            self._deepen(longer[self.begin :], later, depth - 1, tried)

    def _try(self, records: Sequence[Record], tried: set[Any]) -> None:
        key = tuple(record.frame for record in records)
        if key not in tried:
            tried.add(key)
            self.check(records)

    def roam(self, chance: random.Random, count: int) -> None:
        """Check logs in which chance has signed, left out and moved messages."""
        for _ in range(count):
            kept = self.pool[self.begin : chance.randrange(self.begin, len(self.pool) + 1)]
            rest = self.pool[self.begin + len(kept) :]
            if chance.random() < 0.2:
                chance.shuffle(rest)
            for _ in range(chance.choice((1, 1, 2, 2, 3, 5))):
                # What fits is signed rather than what does not, so that one thing may follow from another.
                held, holding = self.held(kept)
                for _ in range(chance.choice((1, 4, 12))):
                    record = self.sign(held, self.pick(held, chance))
                    with suppress(ProtocolError):
                        held.accept(record.frame)
                        break
                kept = [*holding[self.begin :], record]
                taken = chance.randrange(len(rest) + 1)
                kept += [one for one in rest[:taken] if self._what(one) is None or chance.random() < 0.5]
                rest = rest[taken:]
            self.check([*self.pool[: self.begin], *kept] if chance.random() < 0.2 else self.held(kept)[1])

    def live(self, chance: random.Random, rounds: int) -> Search:
        """Go back to a moment of the match, send the other what chance signs, and return what becomes of it."""
        honest = self.honest[: chance.randrange(self.begin, len(self.honest) + 1)]
        for _ in range(rounds):
            held, _ = self.held(honest[self.begin :])
            record = self.sign(held, self.pick(held, chance))
            (honest,) = self.answers(honest, record, [chance.choice(REPLIES)])
        return Search(self.pair, self.seat, honest)

    def exhaust_live(self, depth: int = 1) -> int:
        """Send the other each message at each moment, for each reply; return how many logs of theirs there are."""
        found: set[tuple[bytes, ...]] = set()
        front = [self.honest[:cut] for cut in range(self.begin, len(self.honest) + 1)]
        for _ in range(depth):
            before, front = front, []
            for honest in before:
                for after in self._afterwards(honest):
                    key = tuple(one.frame for one in after)
                    if key not in found:
                        found.add(key)
                        front.append(after)
                        search = Search(self.pair, self.seat, after)
                        search.check(after)
                        self.verdicts += search.verdicts
        return len(found)

    def _afterwards(self, honest: list[Record]) -> Iterator[list[Record]]:
        """Yield what the other's program may hold one message and one reply later."""
        held, _ = self.held(honest[self.begin :])
        faults: set[tuple[int, str]] = set()
        for message in list(self.signable(held)):
            record = self.sign(held, message)
            fault = _fault_of(held, record)
            if fault is None:
                yield from self.answers(honest, record, REPLIES)
                held, _ = self.held(honest[self.begin :])
            elif (record.kind, fault) not in faults:
                faults.add((record.kind, fault))
                yield from self.answers(honest, record, [""])

    def answers(self, honest: Sequence[Record], record: Record, replies: Iterable[str]) -> Iterator[list[Record]]:
        """Yield what the other's honest program holds after a message, and after each of some words of its player."""
        config, session = self.pair.configs[self.other], None
        for reply in replies:
            if session is None:
                session = on_a_line(Session(honest, self.pair.game, config.identity, config.entropy).restore())
                session.receive_data(record.frame, self.pair.now)
            changed = True
            try:
                self._reply(session, reply)
            except LocalProtocolError:
                # What it refuses changes nothing, so the next word may be said to the same program.
                changed = False
            yield list(session.records)
            session = None if changed else session

    def _reply(self, session: Session, reply: str) -> None:
        """Let the player of the honest program reply, or let the seat sign the result.

        Raises:
            LocalProtocolError: the program refuses it.
        """
        if reply == "act":
            if session.asks_us is not None:
                self.pair.decide(session, random.Random(0))
        elif reply == "sign":
            held, _ = self.held(session.records[self.begin :])
            if held.status.may_sign(self.seat):
                signed = self._pen.result(held.signable(self.seat))
                session.receive_data(signed, self.pair.now)
        elif reply == "chat":
            session.side_channel.chat("x", now=self.pair.now)
        elif reply:
            getattr(session.side_channel, reply)(now=self.pair.now)

    # --- the laws ---

    def check(self, records: Sequence[Record]) -> Facts:
        """Check a log of the seat, alone and with that of the other in both orders; return the verdict alone.

        Raises:
            Broken: a law does not hold.
        """
        fault, facts = self._fault(records)
        if fault is not None:
            raise Broken(self._path(fault, list(records)))
        return facts

    def _fault(self, records: Sequence[Record]) -> tuple[str | None, Facts]:
        """Return which law a log breaks, and the verdict alone."""
        try:
            return self._broken(records)
        except Broken as differ:
            return str(differ), {}

    def _broken(self, records: Sequence[Record]) -> tuple[str | None, Facts]:
        mine, theirs = self._file(records, self.seat), self._file(self.honest, self.other)
        (alone,) = self._judge(mine)
        fault = self._unjust(alone, self.fair)
        if fault is not None:
            return f"alone: {fault}", alone
        # What is said of both depends on what they hold, in whatever order the file has it.
        key = frozenset(record.frame for record in (*records, *self.honest)), str(alone["problems"])
        if key not in self._judged:
            one, two = self._judge(mine, theirs)
            self._judged[key] = [one, two]
            if self._judge(theirs, mine) != [two, one]:
                return "together: the order of the files matters", alone
            for facts in (one, two):
                fault = self._unjust(facts, self.fair)
                convicted = facts["convicted"] and not self.truth["convicted"]
                if key[0] == self._theirs and fault is None and not convicted and _stand(facts) != _stand(self.truth):
                    fault = "the other's log with itself shows something else"
                if fault is None and self.truth["confirmed"]:
                    if not facts["confirmed"]:
                        fault = "what the other's log alone confirms is open"
                    elif self._favour(facts) > self._favour(self.truth):
                        fault = "what the other's log alone confirms is undone"
                if fault is not None:
                    return f"together: {fault}", alone
        one, two = self._judged[key]
        if alone["confirmed"] and self.truth["confirmed"] and not one["confirmed"]:
            return "together: what both confirm alone is open", alone
        return None, alone

    def _unjust(self, facts: Facts, fair: Facts) -> str | None:
        name = self.pair.game.sides[self.other]
        if any(problem["seat"] == name for problem in facts["problems"]):
            return "the other is convicted"
        if facts["confirmed"] and self._favour(facts) > self._favour(fair):
            return f"{facts['result']} is confirmed, and the truth is {fair['result']}"
        return None

    def _favour(self, facts: Facts) -> int:
        """Return how good a verdict is for the seat."""
        winner = facts["result"]["winner"]
        if winner is None:
            return OPEN
        return {"draw": DRAWN, self.pair.game.sides[self.seat]: WON}.get(winner, LOST)

    def _file(self, records: Sequence[Record], seat: Seat) -> bytes:
        return log_of(self.pair, seat, records)

    def _judge(self, *files: bytes) -> list[Facts]:
        if files not in self._judged:
            self.verdicts += 2 * len(files)
            one, two = both(files, self.games)
            if one != two:
                pairs = zip(one, two, strict=True)
                differing = {key for first, second in pairs for key in first if first[key] != second.get(key)}
                raise Broken(f"the implementations differ in {sorted(differing)}")
            self._judged[files] = one
        return self._judged[files]

    # --- the path to what is broken ---

    def _path(self, fault: str, records: list[Record]) -> str:
        """Return the shortest log that breaks a law, in words."""
        verdicts, size = self.verdicts, 0
        while size != len(records):
            size = len(records)
            for at in range(size - 1, self.begin - 1, -1):
                shorter = records[:at] + records[at + 1 :]
                found = self._fault(shorter)[0]
                fault, records = (fault, records) if found is None else (found, shorter)
        frames = {record.frame for record in records}
        lines = [f"{fault}, after {verdicts} verdicts; seat {self.seat} signs what has a star", "its log:"]
        lines += [self._words(record) for record in records[self.begin :]]
        lines += ["left out:"]
        lines += [self._words(record) for record in self.pool[self.begin :] if record.frame not in frames]
        mine, theirs = self._file(records, self.seat), self._file(self.honest, self.other)
        lines += ["the log of the other:", *(self._words(record) for record in self.honest[self.begin :])]
        for name, files in (("the other's log", [theirs]), ("its log", [mine]), ("both", [mine, theirs])):
            for which, (facts, *_) in zip(("first", "second"), both(files, self.games), strict=True):
                told = {key: facts[key] for key in ("result", "confirmed", "convicted", "owes", "must_show")}
                problems = [(one["code"], one["seq"], one["seat"]) for one in facts["problems"]]
                lines += [f"the {which} implementation on {name}: {told} {problems}"]
        return "\n".join(lines)

    def _words(self, record: Record) -> str:
        kind, values = unpack_frame(record.frame)
        message = FORMS[kind][1].unpack(values[0])
        new = "  " if record.frame in self._true else "* "
        seen = (message.seq, *message.sides)
        return f"{new}{seen} seat {message.seat}: {kind.name} {_fields(message)[HEADER:]}"[:120]


def _fault_of(held: Transcript, record: Record) -> str | None:
    """Let a transcript take a message; return what is wrong with it."""
    try:
        held.accept(record.frame)
    except ProtocolError as error:
        return error.code
    return None


def _stand(facts: Facts) -> tuple[Any, ...]:
    return facts["result"], facts["confirmed"], facts["convicted"]


def _fields(message: Any) -> tuple[Any, ...]:
    return tuple(getattr(message, one.name) for one in fields(message))
