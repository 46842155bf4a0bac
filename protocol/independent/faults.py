"""What can be wrong with bytes, and who answers for it (SPEC.md, sections "Order" and "Misbehaviour")."""

from protocol.game import Seat


class _Coded(Exception):
    """Something with a code of SPEC.md."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Unreadable(_Coded, ValueError):
    """Bytes have not the form that they must have."""


class Refused(_Coded):
    """A commitment, an opening or a proof does not hold."""


class Fault(_Coded):
    """A message that does not hold.

    Attributes:
        seq: the number of the envelope that it is; None if it is none.
    """

    def __init__(self, code: str, seq: int | None = None) -> None:
        super().__init__(code)
        self.seq = seq


class Damage(Fault):
    """It proves nothing about anybody."""


class Misbehaviour(Fault):
    """It convicts a seat by what that seat has signed.

    Attributes:
        seat: who is convicted.
    """

    def __init__(self, code: str, seat: Seat, seq: int | None = None) -> None:
        super().__init__(code, seq)
        self.seat = seat


class Disagreement(Fault):
    """It does not fit, and nobody is accused; its author owes what makes it fit.

    Attributes:
        seat: the author.
        needs: the hash of what it rests on and is not there; None where it rests on nothing else.
    """

    def __init__(self, code: str, seat: Seat, seq: int | None = None, needs: bytes | None = None) -> None:
        super().__init__(code, seq)
        self.seat = seat
        self.needs = needs
