"""What is held of a match: its chains, its position and how far each seat has come (SPEC.md, section "Order").

What is *not* here: whether a frame may be held; that is :mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from protocol.core import results
from protocol.core.agreement import Agreement
from protocol.core.authors import Authors
from protocol.core.clock.accounts import ClockAccounts
from protocol.core.events import Event, MatchOver
from protocol.core.frames import CHAIN_LIMIT, Record
from protocol.core.match_status import MatchStatus
from protocol.core.messages import AuditVerdict, Header, Side, SignedOutcome
from protocol.core.position import Position
from protocol.core.referee import Referee
from protocol.core.results import Grounds, Result
from protocol.core.stages import Stage
from protocol.core.steps import Step
from protocol.core.testimony import Testimony
from protocol.core.witness import WitnessStatement
from protocol.crypto.commitments.schemes import find_scheme
from protocol.crypto.hashing import hash_parts
from protocol.game import Answer, Game, Seat


class Played(NamedTuple):
    """One step of the match, for the audit."""

    seq: int
    seat: Seat
    step: Step
    before: Position
    answer: Answer | None


class MatchRecord:
    """Everything that is held of one match."""

    def __init__(self, agreement: Agreement, game: Game[Any]) -> None:
        """Begin after the handshake.

        Raises:
            ValueError: the game does not take the terms, or no match in its scheme can carry it.
            BadCommitment: the scheme is unknown.
            LocalProtocolError: the library that it needs is too old or does not work.
        """
        self.agreement = agreement
        self.game = game
        self.referee = Referee(game, find_scheme(agreement.scheme), agreement.match_id)
        self.position = self.referee.begin(agreement.terms)
        self.state_hash = self._hash_state(self.position)
        self.heads = [agreement.match_id]
        """The chain: ``heads[n]`` is the hash of envelope n."""
        self.records: list[Record] = []
        """Every accepted frame after the handshake, in order; a frame that ends it against the rules is the last."""
        self.history: list[Played] = []
        self.seeds: dict[Seat, bytes] = {}
        self.verdicts: dict[Seat, AuditVerdict] = {}
        seats = range(len(agreement.players))
        self.status = MatchStatus(len(seats))
        clock = agreement.conditions.clock
        self.times = None if clock is None else ClockAccounts(clock, len(seats))
        """The clocks as the record has them; None in a match without."""
        self.authors = Authors(agreement)
        self.sent: list[list[bytes]] = [[] for _ in seats]
        """The accepted frames of each seat."""
        self.room = CHAIN_LIMIT
        """How many bytes of envelopes there may still be."""
        self._digests: list[list[bytes]] = [[agreement.match_id] for _ in seats]
        self.testimony = Testimony(len(seats))
        self._writers: list[Seat] = []
        self.statements: list[WitnessStatement] = []
        """What the witness has signed, in the order in which it was kept."""
        self.witnessed: set[bytes] = set()
        """The hashes of which there is a statement."""
        self._sides: list[list[Side]] = [[] for _ in seats]
        self._side_heads = [[agreement.match_id] for _ in seats]
        self._waiting: dict[Seat, Side] = {}
        """The last acceptance or claim of each seat."""
        self._denied: list[dict[int, int]] = [{} for _ in seats]
        """What each seat has denied: numbers of claims, with that of the first denial of each."""
        self._counted: dict[bytes, tuple[int, ...]] = {}
        """By its hash, what whoever holds a message has seen: the length of the chain, and the counts of all seats."""
        self._frames: set[bytes] = set()
        self._used: set[bytes] = set()

    @property
    def length(self) -> int:
        """The number of envelopes."""
        return len(self.heads) - 1

    @property
    def head(self) -> bytes:
        """The hash of the last envelope."""
        return self.heads[-1]

    @property
    def stages(self) -> list[Stage]:
        """How far each seat has come."""
        return self.status.stages

    @property
    def over(self) -> bool:
        """Whether the match has its result."""
        return self.status.over

    @property
    def sides(self) -> tuple[int, ...]:
        """How many side envelopes of each seat are held."""
        return tuple(map(len, self._sides))

    def newest(self, seq: int, sides: tuple[int, ...]) -> list[bytes]:
        """Return the hashes of the newest messages when so many are held: of the chain, and of each seat's side."""
        heads = [side_heads[count] for side_heads, count in zip(self._side_heads, sides, strict=True)]
        return [self.heads[seq], *heads]

    def header(self, seat: Seat, seq: int | None = None, sides: tuple[int, ...] | None = None) -> Header:
        """Return the header of a message of a seat that has seen so much, or else all that is held."""
        seq, sides = self.length if seq is None else seq, self.sides if sides is None else sides
        return Header(self.agreement.match_id, seat, seq, sides, hash_parts("link", *self.newest(seq, sides)))

    def last_envelope_of(self, seat: Seat) -> int:
        """Return the number of the last envelope of a seat."""
        return max((number for number, author in enumerate(self._writers, 1) if author == seat), default=0)

    def may_sign(self, seat: Seat) -> bool:
        """Say whether this seat may now sign the result."""
        return self.status.may_sign(seat)

    def must_sign(self, seat: Seat) -> bool:
        """Say whether nothing is left for this seat but to sign the result."""
        return self.status.must_sign(seat)

    def outcome(self) -> Result | None:
        """Return the result of what has been sent, or None while the match goes on.

        The chain comes first, then resignation, then agreement, in whichever order they arrived.
        """
        result = self.game.result(self.position.state)
        if result is not None:
            return tuple(sorted(result.items()))
        grounds = self.status.grounds()
        return self._result_of(grounds) if grounds else None

    def forfeit_result(self, seat: Seat) -> Result:
        """Return the result if a seat has given up or been caught."""
        return results.forfeit_result(self.game, self.position.state, seat)

    def signable(self, seat: Seat) -> SignedOutcome:
        """Return the result in the form that a seat signs; only when it may."""
        grounds = () if self.game.result(self.position.state) is not None else self.status.grounds(seat)
        result = self._result_of(grounds)
        assert result
        return SignedOutcome(*self.header(seat).fields, result, grounds)

    def digest(self, seat: Seat, count: int) -> bytes:
        """Return the running hash over the first ``count`` frames of a seat, for resuming."""
        # Most matches are never resumed, so that nothing is hashed before somebody asks.
        digests = self._digests[seat]
        for frame in self.sent[seat][len(digests) - 1 : count]:
            digests.append(hash_parts("resume", digests[-1], frame))
        return digests[count]

    def _hash_state(self, position: Position) -> bytes:
        return hash_parts("state", self.game.dump(position.state))

    def _result_of(self, grounds: Grounds) -> Result | None:
        turn = self.referee.turn(self.position)
        return results.follows(self.game, self.position.state, self.status, grounds, turn)

    def _end(self) -> list[Event]:
        self.status.end()
        return [MatchOver(dict(self.outcome() or ()))]
