"""Whoever exports a log has his own key only: no file that he can make blames his honest opponent."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from helpers import daily_first
from helpers_storm import STORM, StormPair, some_terms
from helpers_wire import Cheat, envelope_of, on_a_line

from protocol.core.audit import verify
from protocol.core.frames import FrameKind, Record, unpack_frame
from protocol.core.messages import AuditVerdict, Break, Ground, SideType, SignedOutcome
from protocol.core.session import Session
from protocol.errors import LocalProtocolError, ProtocolError
from protocol.record import logfile
from storm_p2p import games

Records = list[Record]


def lively(seed: int) -> StormPair:
    """Return a finished match with chat, offers and answers, and any end."""
    pair = StormPair(some_terms(random.Random(seed)), tag=f"framing {seed}")
    chance = random.Random(seed)
    for _ in range(chance.randrange(4, 60)):
        session = pair.asked
        if session is None or pair.host.over:
            break
        speaker = pair.sessions[chance.randrange(2)]
        with suppress(LocalProtocolError):
            what = chance.random()
            if what < 0.1:
                speaker.side_channel.chat(f"line {chance.randrange(9)}")
            elif what < 0.2:
                speaker.side_channel.offer_draw()
            elif what < 0.3:
                speaker.side_channel.decline_draw()
            elif what < 0.31:
                speaker.side_channel.accept_draw()
        pair.settle()
        if session.asks_us is not None:
            pair.decide(session, chance)
            pair.settle()
    if not pair.host.over:
        loser = pair.sessions[chance.randrange(2)]
        how = chance.random()
        if how < 0.4:
            loser.side_channel.resign()
        elif how < 0.8:
            loser.side_channel.offer_draw()
            pair.settle()
            pair.sessions[1 - loser.seat].side_channel.accept_draw()
        pair.settle()
    return pair


class Forger:
    """The exporter, with everything he has: all frames, and the keys of his seat."""

    def __init__(self, pair: StormPair, seat: int, chance: random.Random) -> None:
        self.pair = pair
        self.seat = seat
        self.chance = chance
        self.cheat = Cheat(pair, seat)
        self.session = pair.sessions[seat]
        self.start = list(self.session.records[:4])
        self.frames: Records = list(self.session.records[4:])

    # --- what he can do to the frames ---

    def leave_out(self) -> None:
        if self.frames:
            del self.frames[self.chance.randrange(len(self.frames))]

    def leave_out_a_kind_of_ones_own(self) -> None:
        kind = self.chance.choice((FrameKind.SIDE, FrameKind.RESULT, FrameKind.SEED, FrameKind.VERDICT))
        self.frames = [record for record in self.frames if record.kind != kind or self.chance.random() < 0.4]

    def cut(self) -> None:
        self.frames = self.frames[: self.chance.randrange(len(self.frames) + 1)]

    def repeat(self) -> None:
        if self.frames:
            record = self.chance.choice(self.frames)
            self.frames.insert(self.chance.randrange(len(self.frames) + 1), record)

    def move(self) -> None:
        if self.frames:
            record = self.frames.pop(self.chance.randrange(len(self.frames)))
            self.frames.insert(self.chance.randrange(len(self.frames) + 1), record)

    def shuffle_the_end(self) -> None:
        at = self.chance.randrange(len(self.frames) + 1)
        end = self.frames[at:]
        self.chance.shuffle(end)
        self.frames[at:] = end

    def file_under_another_kind(self) -> None:
        if self.frames:
            at = self.chance.randrange(len(self.frames))
            self.frames[at] = Record(self.chance.randrange(10), self.frames[at].frame)

    def say_something_more(self) -> None:
        kind = self.chance.choice(list(SideType))
        body: Any
        match kind:
            case SideType.CHAT:
                body = "hi"
            case SideType.OFFER | SideType.RESIGN | SideType.GO_ON:
                body = None
            case SideType.PROPOSE:
                body = int(self.chance.choice(list(Break)))
            case SideType.CLAIM:
                body = (int(self.chance.choice(list(Ground))), self.chance.randrange(10**6), 0)
            case _:
                body = self.chance.randrange(1, 4)
        seq = self.chance.randrange(len(self.cheat.transcript.heads))
        sides = tuple(self.chance.randrange(min(count, 3) + 1) for count in self.cheat.transcript.sides)
        frame = self.cheat.side(kind, body, seq=seq, sides=sides)
        self.insert(FrameKind.SIDE, frame)

    def sign_another_result(self) -> None:
        seq = self.chance.randrange(len(self.cheat.transcript.heads))
        winner = self.chance.choice(("chthonians", "olympians", "draw"))
        reason = self.chance.choice(("forfeit", "agreement", "honor"))
        with suppress(TypeError):
            made = SignedOutcome(*self.cheat.header(seq).fields, (("reason", reason), ("winner", winner)))
            self.insert(FrameKind.RESULT, self.cheat.sign(FrameKind.RESULT, made))

    def sign_another_verdict(self) -> None:
        found = (("batch_not_derived", self.chance.randrange(1, 5), 1 - self.seat),)
        made = AuditVerdict(*self.cheat.header().fields, found)
        self.insert(FrameKind.VERDICT, self.cheat.sign(FrameKind.VERDICT, made))

    def play_otherwise(self) -> None:
        """Go back to one of the own moves, make another one or several, and let the other's true frames follow."""
        own = [
            at
            for at, record in enumerate(self.session.records)
            if record.kind == FrameKind.ENVELOPE and envelope_of(record.frame).seat == self.seat
        ]
        if not own:
            return
        at = self.chance.choice(own)
        config = self.pair.configs[self.seat]
        with suppress(ProtocolError):
            older = Session(self.session.records[:at], STORM, config.identity, config.entropy).restore()
            on_a_line(older)
            for _ in range(self.chance.randrange(1, 4)):
                if older.asks_us is None:
                    break
                self.pair.decide(older, self.chance)
            made = [record for record in older.records[at:] if record.kind == FrameKind.ENVELOPE]
            rest = self.session.records[at + 1 :]
            kept = [record for record in rest if not self.is_own_envelope(record) or self.chance.random() < 0.5]
            self.frames = [*older.records[4:at], *made, *kept]

    def state_another_state(self) -> None:
        for at, record in enumerate(self.frames):
            if self.is_own_envelope(record) and self.chance.random() < 0.3:
                envelope = envelope_of(record.frame)
                changed = replace(envelope, state=bytes(32))
                self.frames[at] = Record(FrameKind.ENVELOPE, self.cheat.sign_envelope(changed.pack()))
                return

    def is_own_envelope(self, record: Record) -> bool:
        try:
            kind, _ = unpack_frame(record.frame)
            return kind is FrameKind.ENVELOPE and envelope_of(record.frame).seat == self.seat
        except ProtocolError:
            return False

    def insert(self, kind: FrameKind, frame: bytes) -> None:
        self.frames.insert(self.chance.randrange(len(self.frames) + 1), Record(kind, frame))

    # --- the file ---

    def log(self) -> bytes:
        return logfile.dump([*self.start, *self.frames], self.seat, self.session.sign_log)


FORGERIES: tuple[Callable[[Forger], None], ...] = (
    Forger.leave_out,
    Forger.leave_out_a_kind_of_ones_own,
    Forger.cut,
    Forger.repeat,
    Forger.move,
    Forger.shuffle_the_end,
    Forger.file_under_another_kind,
    Forger.say_something_more,
    Forger.sign_another_result,
    Forger.sign_another_verdict,
    Forger.play_otherwise,
    Forger.state_another_state,
)


@pytest.mark.parametrize("count", daily_first([2, 1, 4]))
def test_no_log_that_a_player_can_forge_names_his_honest_opponent(count: int) -> None:
    codes: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for seed in range(10):
        pair = lively(seed)
        for number in range(9):
            chance = random.Random(1000 * seed + 100 * count + number)
            forger = Forger(pair, chance.randrange(2), chance)
            done = [chance.choice(FORGERIES) for _ in range(count)]
            for forgery in done:
                forgery(forger)
            used.update(forgery.__name__ for forgery in done)
            log = logfile.load(forger.log())
            verdict = verify(log.records, games.find, log.trailer)
            blamed = [one for one in verdict.problems if one.seat == 1 - forger.seat]
            assert not blamed, (seed, number, [forgery.__name__ for forgery in done], blamed)
            codes.update(one.code for one in verdict.problems)
            honest = verify(pair.sessions[1 - forger.seat].records, games.find)
            result = honest.result or {}
            winner = ("chthonians", "olympians")[forger.seat]
            if verdict.ok and verdict.result is not None:
                # No win is made out of a loss.
                assert verdict.result["winner"] != winner or result["winner"] == winner, (seed, number, done)
    assert len(codes) > 4
    assert len(used) == len(FORGERIES)
