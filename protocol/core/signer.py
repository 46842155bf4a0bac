"""Everything that we sign in a match (SPEC.md, section "Messages").

Our keys and the bytes of frames.  Whether something may be said now is not its business.
"""

from collections.abc import Sequence

from protocol.core import messages
from protocol.core.clock import Stamp
from protocol.core.endpoint import Endpoint
from protocol.core.frames import FrameKind, pack_frame
from protocol.core.messages import Envelope, Header, Side
from protocol.core.steps import Step
from protocol.crypto import keys
from protocol.crypto.keys import PrivateKey, Secrets
from protocol.game import Seat


class Signer:
    """One seat's signatures in one match."""

    def __init__(self, match_id: bytes, seat: Seat, secrets: Secrets, identity: PrivateKey) -> None:
        """Take the keys: that of the match signs everything, the long-term one the result."""
        self._match_id = match_id
        self._seat = seat
        self._secrets = secrets
        self._key = secrets.match_key
        self._identity = identity

    def envelope(self, header: Header, steps: Sequence[Step], state: bytes, stamp: Stamp | None = None) -> bytes:
        """Return the frame of an envelope.

        Args:
            header: all that is held.
            steps: what it carries.
            state: the hash of the state after it.
            stamp: its times, in a match with a clock.

        Raises:
            WireError: the steps cannot be sent.
        """
        data = Envelope(*header.fields, tuple(steps), state, stamp).pack()
        return self._frame(FrameKind.ENVELOPE, "env", data)

    def side(self, header: Header, kind: messages.SideType, body: messages.SideBody) -> bytes:
        """Return the frame of a side envelope.

        Args:
            header: all that is held.
            kind: what it says.
            body: what goes with it.

        Raises:
            WireError: the text cannot be sent.
        """
        return self._frame(FrameKind.SIDE, "side", Side(*header.fields, kind, body).pack())

    def result(self, outcome: messages.SignedOutcome) -> bytes:
        """Return the frame of the signed result."""
        data = outcome.pack()
        by_match_key = keys.sign(self._key, "result", data)
        by_identity = keys.sign(self._identity, "result", data)
        return pack_frame(FrameKind.RESULT, data, by_match_key, by_identity)

    def seed(self, header: Header) -> bytes:
        """Return the frame that opens our seed."""
        return self._frame(FrameKind.SEED, "open-seed", messages.OpenedSeed(*header.fields, self._secrets.seed).pack())

    def verdict(self, header: Header, problems: Sequence[messages.Problem]) -> bytes:
        """Return the frame that says what our audit has found."""
        found = tuple((one.code, one.seq, one.seat) for one in problems[:64])
        return self._frame(FrameKind.VERDICT, "verdict", messages.AuditVerdict(*header.fields, found).pack())

    def resume(self, held: tuple[int, bytes], nonces: tuple[bytes, bytes], channel: bytes, rules: str) -> bytes:
        """Return the frame that says how much of the other's frames we hold.

        Args:
            held: their number and running digest.
            nonces: the other's and ours, of this connection.
            channel: what names the connection.
            rules: the version of the rules that this program plays by.
        """
        data = messages.Resume(self._match_id, self._seat, *held, *nonces, channel, rules).pack()
        return self._frame(FrameKind.RESUME, "resume", data)

    def endpoint(self, pin: bytes, candidates: Sequence[tuple[str, int]], seen: bytes) -> bytes:
        """Return the frame that says where we can be called, and how we are seen from outside.

        Raises:
            WireError: there are too many addresses, or one is too long.
        """
        data = Endpoint(self._match_id, self._seat, pin, tuple(candidates), seen).pack()
        return self._frame(FrameKind.ENDPOINT, "place", data)

    def _frame(self, kind: FrameKind, label: str, data: bytes) -> bytes:
        return pack_frame(kind, data, keys.sign(self._key, label, data))

    def log(self, digest: bytes) -> bytes:
        """Return the signature of an exported log's digest."""
        return self._key.sign_digest(digest)
