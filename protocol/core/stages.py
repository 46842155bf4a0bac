"""Who may send what, as a table (SPEC.md, section "Stages").

Rule 1: everything that decides whether a kind of message may come now stands here.
Rule 2: this module does not know who "we" are, so that nobody is held to other rules than the other.

A pair that is not in the table is misbehaviour.
"""

from enum import IntEnum, auto


class Stage(IntEnum):
    """How far a seat has come."""

    PLAYING = auto()
    """The match goes on."""
    RESIGNED = auto()
    """The seat has given up, and the other's signature under the result is awaited."""
    AGREED = auto()
    """The seat has accepted a draw; it holds unless the chain moves on."""
    CLAIMED = auto()
    """The seat has claimed the match; the other signs, denies or plays on."""
    ENDED = auto()
    """The result is known."""
    SIGNED = auto()
    """The seat has signed the result."""
    OPENED = auto()
    """The seat has opened its seed."""
    CLOSED = auto()
    """The seat has signed its audit."""


class Input(IntEnum):
    """What a seat sends, and two things that happen to both at once."""

    ENVELOPE = auto()
    CHAT = auto()
    OFFER = auto()
    ACCEPT = auto()
    DECLINE = auto()
    RESIGN = auto()
    PROPOSE = auto()
    AGREE = auto()
    REJECT = auto()
    GO_ON = auto()
    CLAIM = auto()
    DENY = auto()
    RESULT = auto()
    SEED = auto()
    VERDICT = auto()
    LAPSE = auto()
    """The chain has moved on past a draw that was accepted or a claim, or the claim was denied."""
    END = auto()
    """The match has its result."""


_S, _I = Stage, Input

_WHILE_PLAYING = (_I.ENVELOPE, _I.OFFER, _I.DECLINE, _I.PROPOSE, _I.AGREE, _I.REJECT, _I.GO_ON, _I.DENY)
"""What a seat may send again and again."""

TRANSITIONS: dict[tuple[Stage, Input], Stage] = {
    **{(stage, _I.CHAT): stage for stage in Stage},
    **{(_S.PLAYING, what): _S.PLAYING for what in _WHILE_PLAYING},
    (_S.PLAYING, _I.ACCEPT): _S.AGREED,
    (_S.PLAYING, _I.RESIGN): _S.RESIGNED,
    (_S.PLAYING, _I.CLAIM): _S.CLAIMED,
    (_S.AGREED, _I.LAPSE): _S.PLAYING,
    (_S.CLAIMED, _I.LAPSE): _S.PLAYING,
    **{(stage, _I.END): _S.ENDED for stage in (_S.PLAYING, _S.RESIGNED, _S.AGREED, _S.CLAIMED)},
    (_S.ENDED, _I.RESULT): _S.SIGNED,
    (_S.SIGNED, _I.SEED): _S.OPENED,
    (_S.OPENED, _I.VERDICT): _S.CLOSED,
}
"""The stage after each input that is allowed."""
