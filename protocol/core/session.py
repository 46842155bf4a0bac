"""One player's side of a match, without input and output (SPEC.md, section "Session").

The verbs are those of the websockets library: ``receive_data``, ``events_received``, ``data_to_send``, and
our own: ``act``, ``resign``, ``chat``, ...  Whatever bytes come, nothing raises: they end in an event.  Misuse
by the own program raises :class:`LocalProtocolError` and changes nothing.

The shell stores :meth:`Session.records_to_store` durably before it sends :meth:`Session.data_to_send`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.core.agreement import Agreement, read_agreement
from protocol.core.events import Audited, Damaged, Disagreement, Event, PeerMisbehaved, RecordsDiffer
from protocol.core.frames import CHAIN_LIMIT, Entry, Record
from protocol.core.game_data import HANDSHAKE_LENGTH, read_data, supply
from protocol.core.handshake import Handshake
from protocol.core.link import Link
from protocol.core.match_clock import MatchClock
from protocol.core.messages import Problem
from protocol.core.referee import Position
from protocol.core.results import forfeit_result, missing_signatures, result_of
from protocol.core.resume_handshake import ResumeHandshake
from protocol.core.secret_replay import SecretReplay, replay
from protocol.core.side_channel import SideChannel
from protocol.core.signer import Signer
from protocol.core.stages import Stage
from protocol.core.step_builder import Owner, Parts, StepBuilder
from protocol.core.transcript import Transcript
from protocol.crypto import hashing
from protocol.crypto.keys import PrivateKey, Secrets
from protocol.errors import Damage, Disputed, LocalProtocolError, Misbehaviour, VerificationError, WireError
from protocol.game import Decision, Foul, Game, Known, Request, Sealed, Seat, Value, other


class Session:
    """One seat of one match: what its program holds, every question that it answers, and what it can do."""

    def __init__(
        self,
        records: Sequence[Record],
        game: Game[Any],
        identity: PrivateKey,
        entropy: bytes,
        *,
        gather: bool = False,
        aux_rand: bytes = b"",
    ) -> None:
        """Begin after a handshake; :meth:`begin` says it shorter.

        Args:
            records: the four frames of the handshake, and the data of the game behind them; what was stored behind
                those waits for :meth:`restore`.
            game: the game that both agreed on, without data.
            identity: our long-term key, which signs the result.
            entropy: the 32 bytes that went into the handshake.
            gather: hold steps that leave nothing to decide back until our next decision, if that is ours
                too, and send them in one envelope.  Fewer messages; the other sees openings later.
            aux_rand: fresh randomness of this run of the program, at best 32 bytes, for what is never opened; with the
                seed it makes the random choices of proofs, which would be good enough without it.

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
            self.transcript = Transcript(self.agreement, self.game)
            """All that both hold of the match, to look at: what is said in it the session says."""
        except ValueError as error:
            raise VerificationError("bad_terms", f"terms of {game.name}", str(error)) from None
        self._secret_replay = SecretReplay(self.transcript.referee, {self.seat: self._secrets.seed})
        self._owner = Owner(self.seat, self._secrets.seed, aux_rand)
        self._beginning = list(records[:length])
        """The handshake, and the data of the game."""
        self._rest = records[length:]
        self._builder: StepBuilder | None = None
        """Steps of ours that are about to go out."""
        self._link = Link(self.agreement, self.seat, self._signer, self.transcript)
        self.afterwards = self._link.afterwards
        """What our player and the other's say after the match."""
        self.clock = MatchClock(self.transcript, self.seat, lambda: self.waiting_for, lambda: self._link.joined)
        """What our program measures of time."""
        self.broken = False
        """Whether what has come cannot be used; nothing more is taken until :meth:`resume`."""
        self.differs = ""
        """The code by which the other last said what does not fit, until a message of theirs is taken again."""
        self._gather = gather
        hosting = self.seat == self.agreement.host_seat
        handshake, data = self._beginning[:HANDSHAKE_LENGTH], self._beginning[HANDSHAKE_LENGTH:]
        self._own = {record.frame for record in (*handshake[hosting::2], *data)}
        """The frames that this program has written; one of the other's may be no message and name no author."""
        self._stored = 0
        self._followed = 0
        self._sealed: Decision = None
        self._events: list[Event] = []
        held = self.transcript, self._signer, self.seat, self.clock, self.afterwards
        self.side_channel = SideChannel(
            *held, emit=self._emit, settle=self._settle, stopped=lambda: self.stopped is not None
        )
        """What our player says beside the game."""
        self._audit_told = False

    @staticmethod
    def begin(handshake: Handshake, *, gather: bool = False, aux_rand: bytes = b"", now: float = 0.0) -> Session:
        """Return the session of a handshake that has ended well; ``now`` is the caller's clock.

        Raises:
            LocalProtocolError: it has not.
        """
        if handshake.agreement is None:
            raise LocalProtocolError("no_agreement", "a handshake that has ended well", "another one")
        config = handshake.config
        records = handshake.records
        session = Session(records, config.game, config.identity, handshake.entropy, gather=gather, aux_rand=aux_rand)
        session._settle(now)
        return session

    def restore(self) -> Session:
        """Take all that was stored behind the beginning; nothing goes out or counts before :meth:`resume`.

        Raises:
            VerificationError: the records are not a match of ours, or are damaged.
        """
        try:
            for record in self._rest:
                self.transcript.accept(record.frame)
        except Misbehaviour as error:
            self._convict(error)
        except Disputed as error:
            self._dispute(error)
        except Damage as error:
            raise VerificationError("bad_records", error.expected, error.got) from None
        self._follow()
        self._stored = len(self.records)
        # What has happened was told before; only what is found now is news.
        self._events = [event for event in self._events if isinstance(event, (PeerMisbehaved, Disagreement))]
        self._link.part()
        self._settle()
        return self

    # --- what it answers ---

    @property
    def records(self) -> tuple[Record, ...]:
        """Every frame of the match in order of acceptance: the content of its log."""
        return (*self._beginning, *self.transcript.records)

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
        """Every value that the open seeds show: after the audit those of both sides, without what a cheat hid."""
        secret_replay = SecretReplay(self.transcript.referee, self.transcript.seeds)
        for played in self.transcript.history:
            secret_replay.look(played)
        return secret_replay.known

    @property
    def request(self) -> Request | None:
        """What the game wants now, of whomever."""
        return self._position.request

    @property
    def asks_us(self) -> Request | None:
        """The request that our player must decide now, or None."""
        if self.stopped or self.over or self.transcript.stages[self.seat] is not Stage.PLAYING:
            return None
        if self.transcript.status.must_sign(self.seat):
            return None
        builder = self._new_builder()
        return builder.request if builder.our_turn and not builder.is_forced() else None

    @property
    def waiting_for(self) -> Seat | None:
        """Who must write the next envelope, or None."""
        if self.stopped or self.over:
            return None
        return self.transcript.referee.turn(self.transcript.position)

    @property
    def over(self) -> bool:
        """Whether the match has its result."""
        return self.transcript.over or self.stopped is not None

    @property
    def closed(self) -> bool:
        """Whether nothing more is to come from either side: stopped, or audited by both."""
        return self.stopped is not None or all(stage is Stage.CLOSED for stage in self.transcript.stages)

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
        return self.seat != self.agreement.host_seat or bool(self.transcript.sent[self.peer])

    @property
    def result(self) -> dict[str, str] | None:
        """The result so far; before :attr:`over` it may still be overtaken by a frame under way, and then by what the
        audit finds."""
        if isinstance(self.stopped, PeerMisbehaved):
            return self.stopped.result
        return result_of(self.transcript, {one.seat for one in self.problems or () if one.seat is not None})

    @property
    def confirmed(self) -> bool:
        """Whether nobody alone can have made the result, so that our log proves it."""
        if isinstance(self.stopped, PeerMisbehaved):
            return True
        result = self.result
        return result is not None and not missing_signatures(self.transcript, result)

    @property
    def audited(self) -> bool:
        """Whether both seeds are open and our audit has found nothing."""
        return self.problems == ()

    @property
    def audits_agree(self) -> bool:
        """Whether the audits of both, as far as they are signed, have found the same."""
        return len({verdict.problems for verdict in self.transcript.verdicts.values()}) < 2

    def moves(self) -> list[Decision]:
        """Return what our player may decide now."""
        if self.asks_us is None:
            return []
        return list(self.game.moves(self.state, self.seat, self.known))

    @property
    def _position(self) -> Position:
        return self._builder.position if self._builder is not None else self.transcript.position

    def _new_builder(self) -> StepBuilder:
        if self._builder is not None:
            return self._builder.copy()
        return StepBuilder(self.transcript.referee, self.transcript.position, self._secret_replay, self._owner)

    # --- what the shell moves ---

    def receive_data(self, frame: bytes, now: float = 0.0) -> None:
        """Take a frame of the other side; never raises, whatever the bytes are."""
        if self.stopped is not None or self.broken:
            return
        self.clock.tell(now)
        try:
            self._take(frame)
        except Damage as error:
            self.broken = True
            # A version is named in the words of the other's program.
            theirs = "others" if error.code == "other_rules" else error.got
            self._events.append(Damaged(error.code, f"expected {error.expected}, got {theirs}"))
        except Misbehaviour as error:
            self._convict(error)
        except Disputed as error:
            self._dispute(error)
        else:
            self._settle(now)

    def events_received(self) -> list[Event]:
        """Return what has happened since the last call."""
        events, self._events = self._events, []
        return events

    def records_to_store(self) -> list[Entry]:
        """Return the records that are new since the last call; store them before anything is sent."""
        new = [Entry(record.frame in self._own, record) for record in self.records[self._stored :]]
        self._stored += len(new)
        return new

    def data_to_send(self) -> list[bytes]:
        """Return the frames to send, in order.  They must be stored before."""
        return self._link.data_to_send()

    def sign_log(self, digest: bytes) -> bytes:
        """Return our match key's signature of an exported log's digest."""
        return self._signer.log(digest)

    def resume(self, nonce: bytes, channel: bytes = b"") -> None:
        """Begin anew on a fresh connection: nothing counts before the other has proved its identity.

        Both sides call this whenever a connection has taken the place of another.

        Args:
            nonce: 32 random bytes, fresh for each connection.
            channel: what names the connection, e.g. the hash of its certificate.

        Raises:
            LocalProtocolError: the nonce has not 32 bytes.
        """
        if self.stopped is None:
            self.part()
            self._link.resume(nonce, channel)

    def part(self, now: float = 0.0) -> None:
        """The connection is lost: what we do from now on waits for the next one."""
        self.broken = False
        self._link.part()
        self.clock.tick(now)

    def resume_handshake(self, nonce: bytes, channel: bytes = b"") -> ResumeHandshake:
        """Return the exchange for one of several connections tried at once; :meth:`join` takes the first good one.

        Raises:
            LocalProtocolError: the nonce has not 32 bytes.
        """
        return self._link.meet(nonce, channel)

    def join(self, resume_handshake: ResumeHandshake) -> None:
        """Go on over a connection on which the other has proved its identity and said what it holds.

        Raises:
            LocalProtocolError: it has not.
        """
        if resume_handshake.theirs is None:
            raise LocalProtocolError("not_resumed", "the other's RESUME", "none")
        self.part()
        if self.stopped is not None:
            return
        differ = self._link.join(resume_handshake)
        if differ is not None:
            self._drop(differ)
            return
        self.clock.tick()
        self._tell_done()

    def announce(self, pin: bytes, candidates: Sequence[tuple[str, int]], seen: bytes = b"") -> None:
        """Tell the other, on this connection and on every later one, where we can be called and how we are seen.

        Raises:
            LocalProtocolError: there are too many addresses, or one is too long.
        """
        self._link.announce(pin, candidates, seen)

    # --- what our player does ---

    def act(self, decision: Decision, secret: Sequence[Value] | Parts | None = None, *, now: float = 0.0) -> None:
        """Answer the present request, add what then follows by force, and send it in one envelope.

        Args:
            decision: the decision; None for a Hide or a Mix.
            secret: the values of a Hide in the order of its slots; for a Mix, or a Choose that a Mix
                follows, the old slots that go into each part.
            now: the caller's clock.

        Raises:
            LocalProtocolError: it is not our turn, or not allowed; nothing has changed.
        """
        self.side_channel.check_playing()
        self.clock.tell(now)
        builder = self._new_builder()
        # A seal keeps its words here until it is opened; after a restart they are searched for.
        sealed = decision if isinstance(builder.request, Sealed) else self._sealed
        try:
            parts = builder.decide(decision, secret)
            if self._builder is not None and not builder.fits:
                # What is held back leaves no room for the decision and goes out by itself.
                self._write(self._builder)
                builder = self._new_builder()
                parts = builder.decide(decision, secret)
            builder.force(parts, sealed)
            self._write(builder)
        except Foul as foul:
            raise LocalProtocolError("own_foul", "play within the rules", foul.sentence) from None
        except WireError as error:
            raise LocalProtocolError(error.code, error.expected, error.got) from None
        self._sealed = sealed
        self._settle(now)

    def flush(self) -> None:
        """Send at once what ``gather`` holds back.

        Raises:
            LocalProtocolError: the match has become too long.
        """
        stage = self.transcript.stages[self.seat]
        if self._builder is not None and stage is Stage.PLAYING and self.stopped is None:
            self._write(self._builder)

    # --- the inside ---

    def _settle(self, now: float = 0.0) -> None:
        self._continue()
        self.clock.tick(now)

    def _sign_result(self) -> None:
        self._emit(self._signer.result(self.transcript.signable(self.seat)))

    def _continue(self) -> None:
        """Do everything that our side owes and that nobody needs to be asked about."""
        transcript, seat = self.transcript, self.seat
        if self.stopped is not None:
            return
        if transcript.status.must_sign(seat):
            self._sign_result()
        stages = transcript.stages
        if stages[seat] is Stage.PLAYING and not transcript.over:
            self._force()
        if transcript.over:
            self._builder = None
            if transcript.status.must_sign(seat):
                self._sign_result()
        signed = (Stage.SIGNED, Stage.OPENED, Stage.CLOSED)
        if stages[seat] is Stage.SIGNED and all(stage in signed for stage in stages):
            self._emit(self._signer.seed(transcript.header(seat)))
        if len(transcript.seeds) == len(stages) and self.problems is None:
            self.problems = tuple(replay(transcript.referee, transcript.history, transcript.seeds)[0])
        if stages[seat] is Stage.OPENED and self.problems is not None:
            self._emit(self._signer.verdict(transcript.header(seat), self.problems))
        if len(transcript.verdicts) == len(stages) and not self._audit_told:
            self._audit_told = True
            problems = self.problems or ()
            self._events.append(Audited(not problems, problems, self.audits_agree))
        self._tell_done()

    def _force(self) -> None:
        # What leaves nothing to decide may need several envelopes.
        while self.stopped is None and (builder := self._new_builder()).is_forced():
            try:
                builder.force(None, self._sealed)
                if self._gather and builder.our_turn and not builder.is_forced():
                    self._builder = builder
                else:
                    self._write(builder)
            except Foul as foul:
                self._disagree("own_foul", foul.sentence)
            except (LocalProtocolError, WireError) as error:
                self._disagree(error.code, str(error))

    def _write(self, builder: StepBuilder) -> None:
        """Send the steps of a builder as the next envelope."""
        transcript = self.transcript
        if not builder.steps:
            return
        state = hashing.hash_parts("state", self.game.dump(builder.position.state))
        stamp = None if transcript.times is None else self.clock.stamp()
        frame = self._signer.envelope(transcript.header(self.seat), builder.steps, state, stamp)
        if len(frame) > transcript.room:
            raise LocalProtocolError("chain_too_long", f"at most {CHAIN_LIMIT} bytes of envelopes", "more")
        self._builder = None
        self._emit(frame)
        self.clock.reset()

    def _emit(self, frame: bytes) -> None:
        """Hold a frame of ours by the same path as the other's, then put it out."""
        events = self.transcript.accept(frame, self.seat, checked=True)
        self._own.add(frame)
        # We know what we have done ourselves; what follows from it for the match is news.
        self._events.extend(events)
        self._follow()
        self._link.put(frame)

    def _follow(self) -> None:
        for played in self.transcript.history[self._followed :]:
            self._secret_replay.follow(played, check=False)
        self._followed = len(self.transcript.history)

    def _take(self, frame: bytes) -> None:
        if not self._link.joined:
            if self._link.greet(frame) and self._link.resume_handshake is not None:
                self.join(self._link.resume_handshake)
            return
        refusal = self._link.refusal(frame)
        if refusal is not None:
            self._drop(refusal)
            return
        words = self._link.word(frame)
        if words is not None:
            self._events.extend(words)
            return
        if self.afterwards.shut:
            # The log is written; whatever is signed from here on is no part of it.
            return
        held = len(self.transcript.records)
        try:
            self._events.extend(self.transcript.accept(frame, self.peer))
        except (Misbehaviour, Disputed):
            if not self.closed:
                raise
            # SPEC, "Resume": whoever keeps DONE back could take back what both have signed, and spoil the other's log.
            del self.transcript.records[held:]
        self.differs = ""
        self._follow()

    def _tell_done(self) -> None:
        if self.closed and self.stopped is None:
            self._link.tell_done()

    def _convict(self, error: Misbehaviour) -> None:
        result = dict(forfeit_result(self.game, self.transcript.position.state, error.seat))
        self._builder = None
        self.stopped = PeerMisbehaved(error.code, str(error), error.seat, error.seq, error.evidence, result)
        self._events.append(self.stopped)

    def _dispute(self, error: Disputed) -> None:
        """Stop at a message that does not fit and is now the last record."""
        held = self.game.dump(self.transcript.position.state) if error.state is None else error.state
        self.stopped = Disagreement(error.code, str(error), held, recorded=True)
        self._events.append(self.stopped)

    def _disagree(self, code: str, sentence: str) -> None:
        """Stop without a message that shows why."""
        self.stopped = Disagreement(code, sentence, self.game.dump(self.transcript.position.state))
        self._events.append(self.stopped)

    def _drop(self, differ: RecordsDiffer) -> None:
        """Take nothing more from this connection; whoever calls again and again is told of once."""
        self.broken = True
        if self.differs != differ.code:
            self.differs = differ.code
            self._events.append(differ)
