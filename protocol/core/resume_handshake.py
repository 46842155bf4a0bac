"""How two programs that share a match know each other again on a fresh connection (SPEC.md, section "Resume").

::

    CALL (a fresh nonce)     <-->  CALL (a fresh nonce)
    guest: RESUME            --->
                             <---  host: RESUME, on the one connection that it has chosen

A RESUME names both nonces and the channel and is signed with the match key, so it was made by the other player, now,
for this connection.  Nothing else that comes through a connection counts before.  Both call and both listen, and of
several connections the host of the match chooses: it answers on one only.

Sans-I/O: nonces come in as arguments.  What is *not* here: what the counts mean, which is the session's business.
"""

from collections.abc import Sequence

from protocol.core.agreement import Agreement, read_agreement
from protocol.core.frames import Entry, FrameKind, Record, pack_frame, unpack_frame
from protocol.core.messages import Resume
from protocol.core.signer import Signer
from protocol.crypto import keys
from protocol.crypto.hashing import hash_parts
from protocol.crypto.keys import PrivateKey, Secrets
from protocol.errors import BadSignature, Damage, LocalProtocolError, VerificationError, WireError, raised_as
from protocol.game import Seat, other

NONCE_LENGTH = 32
"""The length of a nonce, in bytes."""


class ResumeHandshake:
    """One side of the exchange on one connection."""

    def __init__(
        self,
        agreement: Agreement,
        seat: Seat,
        signer: Signer,
        held: tuple[int, bytes],
        nonce: bytes,
        channel: bytes,
        rules: str,
    ) -> None:
        """Begin with our CALL.

        Args:
            agreement: of the match.
            seat: ours.
            signer: our signature.
            held: how many of the other's frames we hold, and the running digest over them.
            nonce: 32 random bytes, fresh for each connection.
            channel: what names the connection, e.g. the hash of its certificate.
            rules: the version of the rules that our program plays by; those of the match, or the other hears of it.

        Raises:
            LocalProtocolError: the nonce has not 32 bytes.
        """
        if len(nonce) != NONCE_LENGTH:
            raise LocalProtocolError("bad_nonce", f"{NONCE_LENGTH} bytes", f"{len(nonce)} bytes")
        self.theirs: Resume | None = None
        """The other's RESUME, once it has come and holds."""
        self.frame = b""
        """The frame of it."""
        self.shown = False
        """Whether our own RESUME has been made for this connection."""
        self._agreement = agreement
        self._peer = other(seat)
        self._hosting = seat == agreement.host_seat
        self._signer = signer
        self._held = held
        self._nonce = nonce
        self._channel = channel
        self._rules = rules
        self._asked: bytes | None = None
        self._outbox = [pack_frame(FrameKind.CALL, nonce)]

    def receive_data(self, frame: bytes) -> None:
        """Take a frame of the connection.

        Raises:
            Damage: it is not the one that belongs here, or not the other player's; drop the connection.
        """
        with raised_as(Damage, WireError, BadSignature):
            kind, values = unpack_frame(frame)
            if kind is FrameKind.CALL and self._asked is None:
                self._take_call(values[0])
            elif kind is FrameKind.RESUME and self._asked is not None and self.theirs is None:
                self._take_resume(*values)
                self.frame = frame
            else:
                raise Damage("not_resumed", "CALL and RESUME, once each", kind.name)

    def data_to_send(self) -> list[bytes]:
        """Return the frames to send, in order."""
        frames, self._outbox = self._outbox, []
        return frames

    def answer(self) -> list[bytes]:
        """Return what goes out when this connection is chosen: the host's RESUME; the guest's has gone out before."""
        return [self._resume()] if self._hosting else []

    def _take_call(self, nonce: bytes) -> None:
        if nonce == self._nonce:
            raise Damage("mirror", "a nonce of their own", "ours")
        self._asked = nonce
        if not self._hosting:
            self._outbox.append(self._resume())

    def _take_resume(self, data: bytes, signature: bytes) -> None:
        theirs = Resume.unpack(data)
        keys.verify(self._agreement.players[self._peer].match_key, "resume", data, signature)
        if (theirs.match_id, theirs.seat) != (self._agreement.match_id, self._peer):
            raise Damage("wrong_match", f"a resume of seat {self._peer}", f"one of seat {theirs.seat}")
        if (theirs.asked, theirs.nonce) != (self._nonce, self._asked):
            raise Damage("stale_resume", "the nonces of this connection", "others")
        if theirs.channel != self._channel:
            raise Damage("channel", self._channel.hex() or "none", theirs.channel.hex() or "none")
        if theirs.rules != self._agreement.game_version:
            # SPEC, "Resume": nobody is accused, and the match waits for the program that it was begun with.
            raise Damage("other_rules", self._agreement.game_version, theirs.rules)
        self.theirs = theirs

    def _resume(self) -> bytes:
        assert self._asked is not None
        self.shown = True
        return self._signer.resume(self._held, (self._asked, self._nonce), self._channel, self._rules)


class StoredSeat:
    """A seat of a stored match whose rules are not here: it can show who it is, and say so, but not play."""

    begun_by_both = True
    """Nobody begins a match by rules that they do not have."""

    def __init__(self, entries: Sequence[Entry], identity: PrivateKey, entropy: bytes, rules: str) -> None:
        """Take a match up as far as it can be.

        Args:
            entries: the whole of what is stored, with whose each is.
            identity: our long-term key.
            entropy: of the match.
            rules: the version of the rules that this program plays by.

        Raises:
            VerificationError: the records are not a handshake of ours.
            WireError: a record cannot be read.
        """
        self.records: tuple[Record, ...] = tuple(entry.record for entry in entries)
        self.agreement: Agreement = read_agreement(self.records)
        secrets = Secrets.of(entropy)
        keys_of = [player.match_key for player in self.agreement.players]
        if secrets.match_key.public not in keys_of:
            raise VerificationError("not_our_match", "a match of our keys", "another one")
        self.seat: Seat = keys_of.index(secrets.match_key.public)
        """Our place at the table."""
        self._signer = Signer(self.agreement.match_id, self.seat, secrets, identity)
        self._rules = rules
        self._resume_handshakes: list[ResumeHandshake] = []
        self._count, self._digest = 0, self.agreement.match_id
        for entry in entries[4:]:
            if not entry.ours and entry.record.kind != FrameKind.WITNESS:
                self._count, self._digest = self._count + 1, hash_parts("resume", self._digest, entry.record.frame)

    def resume_handshake(self, nonce: bytes, channel: bytes = b"") -> ResumeHandshake:
        """Return the exchange for a connection, by which the other learns which rules are here.

        Raises:
            LocalProtocolError: the nonce has not 32 bytes.
        """
        held = (self._count, self._digest)
        self._resume_handshakes.append(
            ResumeHandshake(self.agreement, self.seat, self._signer, held, nonce, channel, self._rules)
        )
        return self._resume_handshakes[-1]

    @property
    def told(self) -> bool:
        """Whether the other could read on some connection which rules are here."""
        return any(one.shown for one in self._resume_handshakes)
