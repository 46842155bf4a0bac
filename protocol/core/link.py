"""The connection to the other player, as a session sees it (SPEC.md, section "Resume").

Who is there, what goes out, and what is said about the connection itself.  What is said about the match is the
session's business.
"""

from collections.abc import Sequence

from protocol.core.afterwards import Afterwards
from protocol.core.agreement import Agreement
from protocol.core.endpoint import ENDPOINT_LIMIT, Endpoint
from protocol.core.events import AfterwardsEvent, EndpointTold, RecordsDiffer
from protocol.core.frames import TALK, FrameKind, pack_frame, unpack_frame
from protocol.core.resume_handshake import ResumeHandshake
from protocol.core.signer import Signer
from protocol.core.stages import Stage
from protocol.core.transcript import Transcript
from protocol.crypto import keys
from protocol.errors import BadSignature, Damage, LocalProtocolError, WireError, raised_as
from protocol.game import Seat, other


class Link:
    """One seat's connection."""

    def __init__(self, agreement: Agreement, seat: Seat, signer: Signer, transcript: Transcript) -> None:
        """Begin on the connection of the handshake."""
        self.joined = True
        """Whether the other has proved on the present connection to be the other."""
        self.peer_done = False
        """Whether the other holds everything of the match, and has said so."""
        self.resume_handshake: ResumeHandshake | None = None
        """The exchange by which the other shows it, where one is under way."""
        self._agreement = agreement
        self._seat = seat
        self._peer: Seat = other(seat)
        self._signer = signer
        self._transcript = transcript
        self._outbox: list[bytes] = []
        self._endpoint: bytes | None = None
        self._done_told = False
        self._may_refuse = False
        self._endpoints = 0
        self.afterwards = Afterwards(
            agreement, seat, put=self.put, is_open=lambda: self.joined and self.peer_done and self._done_told
        )
        """What is said after the match."""

    def put(self, frame: bytes) -> None:
        """Let a frame go out; one that cannot now is sent when the other is back and says what they hold."""
        if self.joined:
            self._outbox.append(frame)

    def data_to_send(self) -> list[bytes]:
        """Return the frames to send, in order."""
        frames, self._outbox = self._outbox, []
        return frames

    def part(self) -> None:
        """The connection is lost."""
        self.joined = False
        self.afterwards.part()
        self.resume_handshake = None
        self._outbox = []

    def meet(self, nonce: bytes, channel: bytes) -> ResumeHandshake:
        """Return the exchange for a connection.

        Raises:
            LocalProtocolError: the nonce has not 32 bytes.
        """
        count = len(self._transcript.sent[self._peer])
        held = (count, self._transcript.digest(self._peer, count))
        return ResumeHandshake(
            self._agreement, self._seat, self._signer, held, nonce, channel, self._agreement.game_version
        )

    def resume(self, nonce: bytes, channel: bytes) -> None:
        """Begin the exchange on the one connection that there is.

        Raises:
            LocalProtocolError: the nonce has not 32 bytes.
        """
        self.resume_handshake = self.meet(nonce, channel)
        self._outbox = self.resume_handshake.data_to_send()

    def join(self, resume_handshake: ResumeHandshake) -> RecordsDiffer | None:
        """Go on where the other, who has proved its identity, is.

        Unless they say that they hold of ours what we have not sent.
        """
        theirs = resume_handshake.theirs
        assert theirs is not None
        sent = self._transcript.sent[self._seat]
        self._outbox = resume_handshake.answer()
        if theirs.count > len(sent) or self._transcript.digest(self._seat, theirs.count) != theirs.digest:
            # SPEC, "Resume": the other is told.  Who holds more of ours than we do shows that ours is an old copy.
            code = "rolled_back" if theirs.count > len(sent) else "forked"
            self._outbox.append(pack_frame(FrameKind.REFUSAL, code, f"at most {len(sent)} frames"))
            return RecordsDiffer(code, resume_handshake.frame)
        self.joined = True
        self._may_refuse = True
        self._done_told = False
        self._endpoints = 0
        self._outbox += sent[theirs.count :]
        if self._endpoint is not None:
            self._outbox.append(self._endpoint)
        return None

    def announce(self, pin: bytes, candidates: Sequence[tuple[str, int]], seen: bytes) -> None:
        """Tell the other, on this connection and on every later one, where we can be called and how we are seen.

        Raises:
            LocalProtocolError: there are too many addresses, or one is too long.
        """
        with raised_as(LocalProtocolError, WireError):
            self._endpoint = self._signer.endpoint(pin, candidates, seen)
        self.put(self._endpoint)

    def tell_done(self) -> None:
        """Say once on each connection that we hold everything of the match."""
        if not self._done_told:
            self._done_told = self.joined
            self.put(pack_frame(FrameKind.DONE))

    def greet(self, frame: bytes) -> bool:
        """Take a frame of the exchange; return whether the other has proved its identity.

        Raises:
            Damage: the frame does not belong here; drop the connection.
        """
        if self.resume_handshake is None:
            raise Damage("not_resumed", "no frame on a connection that is not ours", "one")
        self.resume_handshake.receive_data(frame)
        self._outbox += self.resume_handshake.data_to_send()
        return self.resume_handshake.theirs is not None

    def refusal(self, frame: bytes) -> RecordsDiffer | None:
        """Return what a refusal to go on says, which may only be the first frame of a joined connection.

        Raises:
            Damage: the frame is damaged.
        """
        may_refuse, self._may_refuse = self._may_refuse, False
        # An array of four that begins with the number of the kind.
        if not may_refuse or frame[:2] != bytes((0x94, FrameKind.REFUSAL)):
            return None
        with raised_as(Damage, WireError):
            _, (code, _) = unpack_frame(frame)
        # Their words are nobody's: only a code that is known says anything.
        return RecordsDiffer(f"peer_{code}" if code in ("rolled_back", "forked") else "peer_refused")

    def word(self, frame: bytes) -> list[EndpointTold | AfterwardsEvent] | None:
        """Take a frame that is about the connection and not about the match; None if it is about the match.

        Raises:
            Damage: it is not the other's, or must not come now.
        """
        # The second byte of a frame is its kind; all others are decoded where they belong.
        if frame[1:2] not in _WORDS:
            return None
        with raised_as(Damage, WireError, BadSignature):
            if frame[1:2] == _TALK:
                return [*self.afterwards.take(frame)]
            kind, values = unpack_frame(frame)
            if kind is FrameKind.ENDPOINT:
                return [self._told(*values)]
        if kind is not FrameKind.DONE:
            return None
        if self._transcript.stages[self._peer] is not Stage.CLOSED:
            raise Damage("unexpected_frame", "DONE after the last verdict", "DONE before")
        self.peer_done = True
        return []

    def _told(self, data: bytes, signature: bytes) -> EndpointTold:
        endpoint = Endpoint.unpack(data)
        keys.verify(self._agreement.players[self._peer].match_key, "place", data, signature)
        if (endpoint.match_id, endpoint.seat) != (self._agreement.match_id, self._peer):
            raise Damage("wrong_match", f"the endpoint of seat {self._peer}", f"that of seat {endpoint.seat}")
        self._endpoints += 1
        if self._endpoints > ENDPOINT_LIMIT:
            raise Damage("unexpected_frame", f"at most {ENDPOINT_LIMIT} endpoints on a connection", "one more")
        return EndpointTold(endpoint.seat, endpoint.pin, endpoint.candidates, endpoint.seen)


_TALK = bytes((TALK,))
_WORDS = (bytes((FrameKind.ENDPOINT,)), bytes((FrameKind.DONE,)), _TALK)
