"""What a player may do at any time of a match, asked or not: the controls of a session."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.notices import TIME_WARNINGS
from cli.runtime.console import now
from protocol.errors import LocalProtocolError
from protocol.game import other

if TYPE_CHECKING:
    from protocol.core.messages import Break
    from protocol.core.session import Session


@dataclass(frozen=True, slots=True)
class Clocks:
    """What both clocks show, for one of the players, in seconds."""

    mine: int
    theirs: int
    """By our own reading."""
    running: bool | None
    """Whether it is ours that runs; None when both stand."""

    @property
    def short(self) -> bool:
        """Whether ours runs and is about to run out."""
        return self.running is True and self.mine <= TIME_WARNINGS[0]


class Controls:
    """What a player may do at any time, asked or not.  Each raises LocalProtocolError when it cannot be."""

    def __init__(self, session: Session, leave: Callable[[], None], wake: Callable[[], None]) -> None:
        """Make the controls; ``wake`` is called when there is something new to store and to send."""
        self._session = session
        self._leave = leave
        self._wake = wake

    def say(self, text: str) -> None:
        """Send a line of chat."""
        self._do(lambda: (self._session.afterwards if self._session.shut else self._session.side).chat(text))

    def offer_rematch(self) -> None:
        """Offer another match after this one, or take the offer of the other."""
        self._do(lambda: self._session.afterwards.offer(secrets.token_bytes(32)))

    def decline_rematch(self) -> None:
        """Decline the other match that is on offer."""
        self._do(self._session.afterwards.decline)

    def resign(self) -> None:
        """Give up."""
        self._do(self._session.side.resign)

    def offer_draw(self) -> None:
        """Offer a draw."""
        self._do(self._session.side.offer_draw)

    def accept_draw(self) -> None:
        """Accept the draw that is on offer."""
        self._do(self._session.side.accept_draw)

    def decline_draw(self) -> None:
        """Decline the draw that is on offer."""
        self._do(self._session.side.decline_draw)

    def propose(self, what: Break) -> bool:
        """Propose a break, or agree to it where the other has proposed the same; return whether it is agreed.

        A break that stands already is not proposed again: the other, whose program knows it too, would never be told.
        """
        standing = self._session.side.agreed_break
        if standing is not None and standing >= what:
            raise LocalProtocolError("break_stands", "no break that stands", standing.name)
        number = self._session.side.same_proposal(what)
        if number is None:
            self._do(lambda: self._session.side.propose(what, now=now()))
        else:
            self._do(lambda: self._session.side.agree(number, now=now()))
        return number is not None

    def agree(self) -> None:
        """Agree to the break that is proposed."""
        self._do(lambda: self._session.side.agree(now=now()))

    def reject(self) -> None:
        """Reject the break that is proposed."""
        self._do(lambda: self._session.side.reject(now=now()))

    def go_on(self) -> None:
        """End the break."""
        self._do(lambda: self._session.side.go_on(now=now()))

    def claim(self) -> None:
        """Claim the match for time or absence."""
        self._do(lambda: self._session.side.claim(now=now()))

    def concede(self) -> None:
        """Sign that the other's claim is right."""
        self._do(lambda: self._session.side.concede(now=now()))

    def deny(self) -> None:
        """Deny the other's claim."""
        self._do(lambda: self._session.side.deny(now=now()))

    def clocks(self) -> Clocks | None:
        """Return what the clocks show; None without any."""
        face = self._session.clock.face(now())
        if face is None:
            return None
        seat = self._session.seat
        running = None if face.running is None else face.running == seat
        return Clocks(face.left[seat], face.left[other(seat)], running)

    def leave(self) -> None:
        """Leave the match; it is saved."""
        self._leave()

    def _do(self, act: Callable[[], None]) -> None:
        act()
        self._wake()
