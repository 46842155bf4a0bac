"""What a seat sees of its match (SPEC.md, section "Session").

Looking changes nothing; what does is :mod:`protocol.core.session`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.core.agreement import Agreement, read_agreement
from protocol.core.confirmation import missing_signatures, result_of
from protocol.core.events import Event, PeerMisbehaved
from protocol.core.frames import Record
from protocol.core.game_data import read_data, supply
from protocol.core.link import Link
from protocol.core.match_clock import MatchClock
from protocol.core.match_record import Played
from protocol.core.messages import Problem
from protocol.core.position import Position
from protocol.core.secret_replay import SecretReplay
from protocol.core.signer import Signer
from protocol.core.stages import Stage
from protocol.core.step_builder import Owner, StepBuilder
from protocol.core.transcript import Transcript
from protocol.crypto.keys import PrivateKey, Secrets
from protocol.errors import (
    VerificationError,
)
from protocol.game import Decision, Game, Known, Request, Seat, other


class SessionView:
    """What one seat's program holds of a match, and every question that it answers."""

    def __init__(
        self, records: Sequence[Record], game: Game[Any], identity: PrivateKey, entropy: bytes, aux_rand: bytes
    ) -> None:
        """Begin after a handshake; see :class:`~protocol.core.session.Session`.

        Raises:
            VerificationError: the records are not a handshake of ours.
            WireError: a record cannot be read.
        """
        self.agreement: Agreement = read_agreement(records)
        agreed = (self.agreement.game, self.agreement.game_version)
        if (game.name, game.version) != agreed:
            raise VerificationError("rules", " ".join(agreed), f"{game.name} {game.version}")
        self._secrets = Secrets.of(entropy)
        self._identity = identity
        mine = self._secrets.match_key.public
        seats = [seat for seat, player in enumerate(self.agreement.players) if player.match_key == mine]
        if not seats or self.agreement.players[seats[0]].identity != identity.public:
            raise VerificationError("not_our_match", "a match of our keys", "another one")
        self.seat: Seat = seats[0]
        """Our place at the table."""
        self.peer: Seat = other(self.seat)
        """The other's place."""
        self.stopped: Event | None = None
        """The misbehaviour or disagreement that has stopped the match."""
        self.problems: tuple[Problem, ...] | None = None
        """What our audit has found, once there was one."""
        self._signer = Signer(self.agreement.match_id, self.seat, self._secrets, identity)
        self.data, length = read_data(records)
        """What the game is played with beside its terms, if there is anything."""
        try:
            self.game = supply(game, self.data)
            self._transcript = Transcript(self.agreement, self.game)
        except ValueError as error:
            raise VerificationError("bad_terms", f"terms of {game.name}", str(error)) from None
        self._secret_replay = SecretReplay(self._transcript.referee, {self.seat: self._secrets.seed})
        self._owner = Owner(self.seat, self._secrets.seed, aux_rand)
        self._beginning = list(records[:length])
        """The handshake, and the data of the game."""
        self._builder: StepBuilder | None = None
        """Steps of ours that are about to go out."""
        self._link = Link(self.agreement, self.seat, self._signer, self._transcript)
        self.afterwards = self._link.afterwards
        """What our player and the other's say after the match."""
        self.clock = MatchClock(self._transcript, self.seat, lambda: self.waiting_for, lambda: self._link.joined)
        """What our program measures of time."""

    @property
    def records(self) -> tuple[Record, ...]:
        """Every frame of the match in order of acceptance: the content of its log."""
        return (*self._beginning, *self._transcript.records)

    @property
    def history(self) -> Sequence[Played]:
        """Every accepted step of the game, in order."""
        return self._transcript.history

    @property
    def state(self) -> Any:
        """The game's public state as we see it: with our own steps that are about to go out."""
        return self._position.state

    @property
    def known(self) -> Known:
        """The values that we know: our own and the opened ones; private toss n under -1 - n."""
        return (self._builder.secret_replay if self._builder is not None else self._secret_replay).known

    @property
    def opened(self) -> Known:
        """Every value that the open seeds show: after the audit those of both sides."""
        secret_replay = SecretReplay(self._transcript.referee, self._transcript.seeds)
        for played in self.history:
            secret_replay.follow(played, check=False)
        return secret_replay.known

    @property
    def request(self) -> Request | None:
        """What the game wants now, of whomever."""
        return self._position.request

    @property
    def asks_us(self) -> Request | None:
        """The request that our player must decide now, or None."""
        if self.stopped or self.over or self._transcript.stages[self.seat] is not Stage.PLAYING:
            return None
        if self._transcript.must_sign(self.seat):
            return None
        builder = self._new_builder()
        return builder.request if builder.our_turn and not builder.is_forced() else None

    @property
    def waiting_for(self) -> Seat | None:
        """Who must write the next envelope, or None."""
        if self.stopped or self.over:
            return None
        return self._transcript.referee.turn(self._transcript.position)

    @property
    def over(self) -> bool:
        """Whether the match has its result."""
        return self._transcript.over or self.stopped is not None

    @property
    def closed(self) -> bool:
        """Whether nothing more is to come from either side: stopped, or audited by both."""
        return self.stopped is not None or all(stage is Stage.CLOSED for stage in self._transcript.stages)

    @property
    def finished(self) -> bool:
        """Whether nobody needs a connection any more: the match is stopped, or closed and held by both."""
        return self.stopped is not None or (self.closed and self._link.peer_done)

    @property
    def joined(self) -> bool:
        """Whether the other has proved on the present connection to be the other."""
        return self._link.joined

    @property
    def begun_by_both(self) -> bool:
        """Whether the other is known to have begun the match: the host begins first, the guest has sent something."""
        return self.seat != self.agreement.host_seat or bool(self._transcript.sent[self.peer])

    @property
    def result(self) -> dict[str, str] | None:
        """The result so far; before :attr:`over` it may still be overtaken by a frame under way, and then by what the
        audit finds."""
        if isinstance(self.stopped, PeerMisbehaved):
            return self.stopped.result
        return result_of(self._transcript, {one.seat for one in self.problems or () if one.seat is not None})

    @property
    def confirmed(self) -> bool:
        """Whether nobody alone can have made the result, so that our log proves it."""
        if isinstance(self.stopped, PeerMisbehaved):
            return True
        result = self.result
        return result is not None and not missing_signatures(self._transcript, result)

    @property
    def audited(self) -> bool:
        """Whether both seeds are open and our audit has found nothing."""
        return self.problems == ()

    @property
    def audits_agree(self) -> bool:
        """Whether the audits of both, as far as they are signed, have found the same."""
        return len({verdict.problems for verdict in self._transcript.verdicts.values()}) < 2

    @property
    def seq(self) -> int:
        """The number of envelopes so far."""
        return self._transcript.length

    @property
    def head(self) -> bytes:
        """The hash of the last envelope."""
        return self._transcript.head

    def moves(self) -> list[Decision]:
        """Return what our player may decide now."""
        if self.asks_us is None:
            return []
        return list(self.game.moves(self.state, self.seat, self.known))

    def stage(self, seat: Seat) -> Stage:
        """Return how far a seat has come."""
        return self._transcript.stages[seat]

    @property
    def _position(self) -> Position:
        return self._builder.position if self._builder is not None else self._transcript.position

    def _new_builder(self) -> StepBuilder:
        if self._builder is not None:
            return self._builder.copy()
        return StepBuilder(self._transcript.referee, self._transcript.position, self._secret_replay, self._owner)
