"""The transcript of a match: it takes one message after the other, or says what is wrong with it (SPEC.md)."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final

from protocol.game import Choose, Game, Hide, Sealed, Seat
from protocol.independent import messages
from protocol.independent.board import Board, Trial
from protocol.independent.clocks import Clock, may_claim
from protocol.independent.commitments import Scheme
from protocol.independent.faults import Damage, Disagreement, Misbehaviour
from protocol.independent.handshake import Agreement
from protocol.independent.hashes import hash_parts
from protocol.independent.messages import Envelope, Side, SideType
from protocol.independent.order import Order, precedes
from protocol.independent.reading import OTHER, SEATS, Message, Signed, Witnessed
from protocol.independent.side_chains import ANSWERS, KNOWN, Fate, SideChains
from protocol.independent.steps import Choice, Commit, Seal

DRAW: Final = "draw"
"""What a result calls a winner that there is not."""
_MOST_CHAIN: Final = 2 * 2**20
_MOST_STATEMENTS: Final = 1000


class Stage(Enum):
    """How far a seat has come."""

    PLAYING = "playing"
    RESIGNED = "resigned"
    AGREED = "agreed"
    CLAIMED = "claimed"
    ENDED = "ended"
    SIGNED = "signed"
    OPENED = "opened"
    CLOSED = "closed"


class Repeated(Exception):
    """A message that is held already."""


class Chain:
    """All that a log has shown so far."""

    def __init__(self, agreement: Agreement, game: Game[Any], scheme: Scheme) -> None:
        """Begin a match.

        Raises:
            ValueError: its terms are none of the game.
        """
        self.agreement = agreement
        self.game = game
        self.board = Board(game, scheme, agreement.match_id, agreement.terms)
        self.side_chains = SideChains()
        self.clock = None if agreement.conditions.clock is None else Clock(agreement.conditions.clock)
        self.envelopes: list[Signed] = []
        self.results: dict[Seat, Signed] = {}
        self.seeds: dict[Seat, bytes] = {}
        self.verdicts: dict[Seat, messages.Verdict] = {}
        self.statements: dict[messages.WitnessStatement, None] = {}
        self.over: Mapping[str, str] | None = game.result(self.board.position.state)
        """The result that the chain itself has."""
        self.asked = self.board.asked
        """Who has to write the next envelope."""
        self._bytes = 0
        self._hashes: set[bytes] = set()
        self._orders = [Order() for _ in SEATS]

    @property
    def length(self) -> int:
        """How many envelopes there are."""
        return len(self.envelopes)

    @property
    def head(self) -> bytes:
        """The hash of the last envelope; before the first the match id."""
        return self.envelopes[-1].hash if self.envelopes else self.agreement.match_id

    @property
    def has_ended(self) -> bool:
        """Whether END has come to both seats."""
        return self.over is not None or len(self.side_chains.resigned) == len(SEATS) or bool(self.results)

    def forfeit_result(self, seat: Seat) -> dict[str, str]:
        """Return the result of a seat's having given up or been caught."""
        return dict(self.game.result(self.game.forfeit(self.board.position.state, seat)) or {})

    def find_result(self, grounds: Sequence[Signed]) -> dict[str, str] | None:
        """Return the result that follows from the present head and some side envelopes; None if none does."""
        if self.over is not None:
            return None if grounds else dict(self.over)
        sides = [one.body for one in grounds if isinstance(one.body, Side)]
        if not sides or len({side.type for side in sides}) > 1:
            return None
        first = sides[0]
        if first.type == SideType.RESIGN:
            loser = first.header.seat if len(sides) == 1 else self.asked
            return None if loser is None else self.forfeit_result(loser)
        if first.type == SideType.CLAIM and len(sides) == 1 and first.header.seq == self.length:
            assert isinstance(first.body, tuple)
            reason = "time" if first.body[0] == messages.TIME else "absence"
            return {"winner": self.game.sides[first.header.seat], "reason": reason}
        if first.type == SideType.ACCEPT and all(self.side_chains.accepted.get(one.seat) == one for one in grounds):
            return {"winner": DRAW, "reason": "agreement"}
        return None

    def stage(self, seat: Seat) -> Stage:
        """Return how far a seat has come."""
        if self.has_ended:
            if seat in self.verdicts:
                return Stage.CLOSED
            if seat in self.seeds:
                return Stage.OPENED
            return Stage.SIGNED if seat in self.results else Stage.ENDED
        if seat in self.side_chains.resigned:
            return Stage.RESIGNED
        if seat in self.side_chains.accepted:
            return Stage.AGREED
        return Stage.PLAYING if self.side_chains.find_claim(seat) is None else Stage.CLAIMED

    def take(self, message: Message) -> None:
        """Take the next message; one that does not hold changes nothing.

        Raises:
            Repeated: it is held already.
            Fault: it does not hold.
        """
        if isinstance(message, Witnessed):
            self._take_statement(message.body)
            return
        self._check_header(message)
        match message.body:
            case Envelope() as envelope:
                self._take_envelope(message, envelope)
            case Side() as side:
                self._take_side(message, side)
            case messages.Result() as result:
                self._take_result(message, result)
            case messages.OpenedSeed(seed=seed):
                self._take_seed(message.seat, seed)
            case messages.Verdict() as verdict:
                self._take_verdict(message.seat, verdict)
        self._hashes.add(message.hash)
        self._orders[message.seat].add(message)

    def _check_header(self, message: Signed) -> None:
        """Check that a message fits what its author had seen, and what the author has signed beside it."""
        seat, seq, before = message.seat, message.seq, message.before
        if message.hash in self._hashes:
            raise Repeated
        code = self._orders[seat].find_contradiction(message)
        if code is not None:
            raise Misbehaviour(code, seat, seq)
        rows = (self.envelopes, *self.side_chains.held)
        if any(count > len(row) for row, count in zip(rows, before, strict=True)):
            raise Damage("gap", seq)
        seen = [row[count - 1] if count else None for row, count in zip(rows, before, strict=True)]
        prev = message.body.header.prev
        if prev != hash_parts("link", *(self.agreement.match_id if one is None else one.hash for one in seen)):
            raise Disagreement("forked", seat, seq, prev)
        if not all(one is None or precedes(one.after, before) for one in seen):
            raise Misbehaviour("backdated", seat, seq)

    # -- envelopes ------------------------------------------------------------------------------------------------

    def _take_envelope(self, message: Signed, envelope: Envelope) -> None:
        seat, seq = message.seat, envelope.number
        if seq <= self.length:
            raise Misbehaviour("not_your_turn", seat, seq)
        waits = self._waits(message) or self._counts_acceptance(seat, envelope.header.sides)
        if waits or self.stage(seat) is not Stage.PLAYING:
            raise Misbehaviour("not_now", seat, seq)
        if (envelope.times is None) != (self.clock is None):
            raise Misbehaviour("wrong_clock", seat, seq)
        if self._bytes + len(message.frame) > _MOST_CHAIN:
            raise Misbehaviour("chain_too_long", seat, seq)
        trial = self.board.try_steps(seq, seat, self.head, envelope.steps)
        if hash_parts("state", self.game.dump(trial.position.state)) != envelope.state:
            raise Disagreement("states_differ", seat, seq)
        self._accept(message, envelope, trial)

    def _waits(self, message: Signed) -> bool:
        """Say whether the author had accepted or claimed at the head that a message names, and had seen no denial."""
        header, seat = message.body.header, message.seat
        for one in reversed(self.side_chains.held[seat][: header.sides[seat]]):
            if one.body.header.seq < header.seq:
                return False
            if isinstance(one.body, Side) and one.body.type in (SideType.ACCEPT, SideType.CLAIM):
                claim = one.body
                others = (one.body for one in self.side_chains.held[OTHER[seat]][: header.sides[OTHER[seat]]])
                return claim.type == SideType.ACCEPT or not any(
                    isinstance(one, Side) and one.type == SideType.DENY and one.body == claim.number for one in others
                )
        return False

    def _counts_acceptance(self, seat: Seat, sides: tuple[int, ...]) -> bool:
        """Say whether an envelope counts the acceptance of an own offer at this head."""
        return any(
            other != seat and isinstance(one.body, Side) and one.body.number <= sides[other]
            for other, one in self.side_chains.accepted.items()
        )

    def _accept(self, message: Signed, envelope: Envelope, trial: Trial) -> None:
        seat = message.seat
        if self.clock is not None and envelope.times is not None:
            self.clock.book(seat, envelope.number, envelope.times, decided=self._decides(trial))
        self.board.accept(trial)
        self.envelopes.append(message)
        self.side_chains.move_on()
        self._bytes += len(message.frame)
        self.over = self.game.result(self.board.position.state)
        self.asked = None if self.over is not None else self.board.asked

    def _decides(self, trial: Trial) -> bool:
        """Say whether somebody decides in what was played, and not a program."""
        idle = getattr(self.game, "idle", ())
        return any(
            isinstance(one.step, Choice | Seal | Commit)
            and isinstance(one.request, Choose | Sealed | Hide)
            and one.request.kind not in idle
            for one in trial.played
        )

    # -- side envelopes -------------------------------------------------------------------------------------------

    def _take_side(self, message: Signed, side: Side) -> None:
        seq = side.header.seq
        if side.type not in KNOWN and side.type % 2 == 0:
            raise Disagreement("unknown_message", message.seat)
        proved = False
        works = side.type in KNOWN and side.type != SideType.CHAT
        if works and self.has_ended and seq < self.length:
            # It crossed the message that ended the match.
            works = False
            if side.type == SideType.CLAIM:
                self.side_chains.add_claim(message, Fate.LAPSED)
        elif works:
            self._check_may_come(message, side)
            proved = side.type == SideType.CLAIM and seq == self.length and self._is_proved(message, side)
        self.side_chains.held[message.seat].append(message)
        if works:
            self.side_chains.take(message, self.length, proved=proved)

    def _check_may_come(self, message: Signed, side: Side) -> None:
        """Check that a side envelope which does something may come now."""
        seat = message.seat
        waits = self._waits(message)
        if waits or self.stage(seat) is not Stage.PLAYING:
            claim = self.side_chains.find_claim(seat)
            given_up = (
                seat in self.side_chains.resigned
                or seat in self.side_chains.accepted
                or (claim is not None and claim.fate is Fate.PROVED)
            )
            if waits or self.over is not None or given_up:
                raise Misbehaviour("not_now", seat)
            raise Disagreement("not_now", seat)
        answered = ANSWERS.get(SideType(side.type))
        if answered is not None:
            assert isinstance(side.body, int)
            counted = self.side_chains.held[OTHER[seat]][: side.header.sides[OTHER[seat]]]
            found = [one.body for one in counted if one.number == side.body]
            if [one.type for one in found if isinstance(one, Side)] != [answered]:
                raise Misbehaviour("no_such_offer", seat)

    def _is_proved(self, message: Signed, side: Side) -> bool:
        """Say whether a claim at the present head is proved; it must not be too early."""
        assert isinstance(side.body, tuple)
        seat = message.seat
        ground, read, down = side.body
        if self.asked == seat:
            if ground == messages.ABSENCE or self.clock is None or not self.clock.is_down(OTHER[seat]):
                raise Misbehaviour("early_claim", seat)
            return True
        if not may_claim(self.clock, ground, read, down, OTHER[seat]):
            raise Misbehaviour("early_claim", seat)
        return False

    # -- the end --------------------------------------------------------------------------------------------------

    def _take_result(self, message: Signed, result: messages.Result) -> None:
        seat = message.seat
        if result.header.seq != self.length:
            raise Disagreement("not_now", seat)
        grounds = [
            one
            for by, count in enumerate(result.header.sides)
            for one in self.side_chains.held[by][:count]
            if (by, one.hash) in result.grounds
        ]
        if len(grounds) < len(result.grounds) or self.find_result(grounds) != dict(result.pairs):
            raise Misbehaviour("false_result", seat)
        if not self._stands(seat, grounds):
            raise Disagreement("not_now", seat)
        self.results[seat] = message
        for claim in self.side_chains.claims:
            if claim.fate is Fate.OPEN and claim.message in grounds and claim.message.seat != seat:
                claim.fate = Fate.CONCEDED

    def _stands(self, seat: Seat, grounds: list[Signed]) -> bool:
        """Say whether a seat may sign a result on some grounds now."""
        if not self.has_ended and self.stage(OTHER[seat]) is Stage.PLAYING:
            return False
        return self.over is not None or grounds == self.side_chains.grounds(seat)

    def _take_seed(self, seat: Seat, seed: bytes) -> None:
        player = self.agreement.players[seat]
        if hash_parts("seed", player.key, seed) != player.commitment:
            raise Misbehaviour("wrong_seed", seat)
        if self.stage(seat) is not Stage.SIGNED:
            raise Disagreement("not_now", seat)
        self.seeds[seat] = seed

    def _take_verdict(self, seat: Seat, verdict: messages.Verdict) -> None:
        if self.stage(seat) is not Stage.OPENED or len(self.seeds) < len(SEATS):
            raise Disagreement("not_now", seat)
        self.verdicts[seat] = verdict

    def _take_statement(self, statement: messages.WitnessStatement) -> None:
        if statement in self.statements:
            raise Repeated
        if len(self.statements) == _MOST_STATEMENTS:
            raise Damage("unexpected_frame")
        self.statements[statement] = None
