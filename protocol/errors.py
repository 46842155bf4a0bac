"""Everything that can go wrong in the protocol, as one tree.

::

    ProtocolError
    ├── LocalProtocolError      our own program asked for what is not possible now; nothing has changed
    ├── WireError               bytes that are not a message ("not understood")
    ├── VerificationError       a message that is well formed and fails a check
    │   ├── BadKey              a public key that must not be used
    │   ├── BadSignature        a signature that does not belong to the key and the bytes
    │   └── BadCommitment       an opening, a salt or a batch that does not belong to its commitments
    ├── Refused                 a step of a signed message that is not allowed ("not allowed")
    ├── Damage                  a frame that proves nothing about anybody: broken, foreign or out of order
    ├── Misbehaviour            a signed message that convicts its author
    └── Disputed                a signed message that does not fit what is held here, whoever is to blame

    Failure                     what is no message at all: files, lines, connections; each room has its own

Every error has a stable ``code`` (listed in SPEC.md) and says in one sentence what was expected and what
came.  There are no texts for players here; those are the console's.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class Failure(Exception):
    """Something outside of the protocol that cannot be used: a file, a line, a connection.

    Attributes:
        code: a stable word for the fault.
        sentence: what was expected and what came.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class ProtocolError(Exception):
    """The root of the tree.

    Attributes:
        code: a stable word for the fault, listed in SPEC.md.
        expected: what would have been right.
        got: what came instead.
    """

    def __init__(self, code: str, expected: str, got: str) -> None:
        super().__init__(code, expected, got)
        self.code = code
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        return f"expected {self.expected}, got {self.got}"


@contextmanager
def raised_as(kind: type[ProtocolError], *faults: type[ProtocolError]) -> Iterator[None]:
    """Raise faults of some classes as errors of another one, with the same facts.

    Raises:
        ProtocolError: of that class.
    """
    try:
        yield
    except faults as error:
        raise kind(error.code, error.expected, error.got) from None


class LocalProtocolError(ProtocolError):
    """Our own program asked for what is not possible now; nothing has changed."""


class WireError(ProtocolError):
    """Bytes that are not a message; ``path`` names the field."""

    def __init__(self, code: str, expected: str, got: str) -> None:
        super().__init__(code, expected, got)
        self.path = ""

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}expected {self.expected}, got {self.got}"

    def inside(self, name: str) -> None:
        """Put the name of the field that holds the faulty one in front of the path."""
        self.path = f"{name}.{self.path}" if self.path else name


class VerificationError(ProtocolError):
    """A message that is well formed and fails a check."""


class BadKey(VerificationError):
    """A public key that must not be used."""


class BadSignature(VerificationError):
    """A signature that does not belong to the key and the bytes."""


class BadCommitment(VerificationError):
    """An opening, a salt or a batch that does not belong to its commitments."""


class Refused(ProtocolError):
    """A step of a signed message that is not allowed at its place."""


class Damage(ProtocolError):
    """A frame that proves nothing about anybody: broken, foreign or out of order."""


class Misbehaviour(ProtocolError):
    """A signed message that convicts its author.

    It must do so by what the author has signed, whatever else is left out, moved, repeated or signed
    later by somebody else: the log comes from one player, who may have an interest.

    Attributes:
        seat: who is convicted.
        seq: the number of the envelope in question, or None.
        evidence: the frames that convict, beside the chain before them.
    """

    def __init__(
        self, code: str, expected: str, got: str, *, seat: int, seq: int | None, evidence: tuple[bytes, ...]
    ) -> None:
        super().__init__(code, expected, got)
        self.seat = seat
        self.seq = seq
        self.evidence = evidence


class Disputed(ProtocolError):
    """A signed message that does not fit what is held here; its author may have been shown something else.

    The match cannot go on, the message is kept, and nobody is accused.

    Attributes:
        seat: who has signed it, and therefore owes what makes it fit.
        needs: the hash of what it rests on and is not held here.
        state: the public state that this program holds after the message, if states are what the dispute is about.
    """

    def __init__(
        self, code: str, expected: str, got: str, *, seat: int, needs: bytes | None = None, state: bytes | None = None
    ) -> None:
        super().__init__(code, expected, got)
        self.seat = seat
        self.needs = needs
        self.state = state
