"""Clocks, breaks and claims of a match while it is played: what ticks, what is kept, what is said.

The arithmetic is the session's; here are the machine's clock and the journal.  Nothing is claimed by itself.
"""

import asyncio

from cli.notices import TIME_WARNINGS, BreakNotice, Claimable, ClaimNotice, OnNotice, TimeShort
from cli.runtime.console import Reporter, now, say
from cli.text import clocks
from protocol.core import events
from protocol.core.match_clock import LEAP
from protocol.core.messages import Break
from protocol.core.session import Session
from protocol.errors import LocalProtocolError
from protocol.record.journal import Journal

TICK_SECONDS = 1.0
"""How often the clocks are looked at."""
KEEP_SECONDS = 10.0
"""How much of a measurement a crash may cost at most."""
SET_BACK_SECONDS = 5.0
"""A clock that was set back by less is not worth a word."""
KEPT = "clock"
"""The name under which the journal keeps the measurement."""


def recall(session: Session, journal: Journal) -> None:
    """Go on from the measurement that was kept.

    Raises:
        JournalError: it cannot be read.
    """
    memory = journal.read_kept(KEPT)
    gap = 0.0 if memory is None else session.clock.recall(memory, now())
    if session.agreement.conditions.clock is None:
        return
    if gap < -SET_BACK_SECONDS or gap > LEAP:
        say(str(clocks.CLOCK_CHANGED))


class Timekeeper:
    """The clocks of one match."""

    def __init__(self, session: Session, journal: Journal, on_notice: OnNotice, report: Reporter) -> None:
        self._session = session
        self._journal = journal
        self._on_notice = on_notice
        self._report = report
        self._clock = session.agreement.conditions.clock
        self._sides = session.game.sides
        self._offered: tuple[int, int] | None = None
        self._standing = session.side_channel.agreed_break
        """The break that the player knows of."""
        self._granted = 0
        """The number of the last own proposal that was taken for an agreement to the other's."""
        self._kept_at = 0.0
        self._warned = 0
        """How many of the warnings the player has had that the time was running out."""
        self.leaving = False
        """Whether both have just agreed to go on another day."""
        session.clock.tick(now())

    def resume(self) -> None:
        """Tell the player what of breaks and claims still waits for them in a match that is taken up again."""
        session = self._session
        for what in Break:
            number = session.side_channel.same_proposal(what)
            if number is not None and not self._wanted_by_both(what):
                self._on_notice(events.BreakProposed(session.peer, number, what))
        claim = session.side_channel.claim_against_us
        if claim is not None:
            self._on_notice(events.Claimed(session.peer, claim.number, claim.ground, claim.reading, proved=False))

    async def tick(self) -> None:
        """Look at the clocks again and again, until cancelled.

        Raises:
            JournalError: the measurement could not be kept.
        """
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.look()
            # Without a clock only a silence of days is measured.
            if now() - self._kept_at >= (KEEP_SECONDS if self._clock is not None else 60 * KEEP_SECONDS):
                self.keep()

    def look(self) -> None:
        """Offer a claim once, when there is something to claim, and warn a player whose own time runs out."""
        session = self._session
        self._warn()
        ground = session.side_channel.claimable(now())
        if ground is None or (session.transcript.length, ground) == self._offered:
            return
        self._offered = (session.transcript.length, ground)
        seconds = sum(session.clock.reading)
        self._report({"event": "claimable", "ground": ground.name.lower(), "seconds": seconds})
        self._on_notice(Claimable(ground, seconds))

    def _warn(self) -> None:
        """Warn the player at each threshold, and again only after the time had grown well above it."""
        face, seat = self._session.clock.face(now()), self._session.seat
        if face is None or face.running != seat:
            return
        left = max(0, face.left[seat])
        passed = sum(left <= seconds for seconds in TIME_WARNINGS)
        if passed > self._warned:
            self._on_notice(TimeShort(left))
        self._warned = max(passed, min(self._warned, sum(left <= 2 * seconds for seconds in TIME_WARNINGS)))

    def keep(self) -> None:
        """Keep the measurement, so that a restart goes on from it.

        Raises:
            JournalError: it could not be written.
        """
        self._kept_at = now()
        self._journal.keep(KEPT, self._session.clock.remember(self._kept_at))

    def follow(self, event: events.Event) -> None:
        """Tell the player what has happened with time, breaks and claims."""
        match event:
            case events.Answered():
                self._standing = None
                self._after_message()
            case events.TimesDiffer():
                found = event.difference
                self._report(
                    {
                        "event": "times-differ",
                        "seq": found.seq,
                        "seat": self._sides[found.seat],
                        "claimed": found.claimed,
                        "read": found.read,
                    }
                )
                self._on_notice(event)
            case _ if isinstance(event, BreakNotice):
                self._follow_break(event)
            case _ if isinstance(event, ClaimNotice):
                self._follow_claim(event)
            case _:
                pass

    def _after_message(self) -> None:
        face = self._session.clock.face(now())
        if face is None:
            return
        # The next claim is offered anew.
        self._offered = None
        left = {self._sides[seat]: seconds for seat, seconds in enumerate(face.left)}
        running = None if face.running is None else self._sides[face.running]
        self._report({"event": "clock", "left": left, "running": running})

    def _follow_break(self, event: BreakNotice) -> None:
        ours = event.seat == self._session.seat
        word = {
            events.BreakProposed: "proposed",
            events.BreakAgreed: "agreed",
            events.BreakRejected: "rejected",
            events.BreakLapsed: "lapsed",
            events.GoneOn: "over",
        }[type(event)]
        what = event.what.name.lower() if isinstance(event, events.BreakProposed | events.BreakAgreed) else None
        self._report({"event": "break", "state": word, "seat": self._sides[event.seat], "what": what})
        match event:
            case events.BreakAgreed() if self._standing is not None and self._standing >= event.what:
                # Both have agreed at once, each to the other's proposal; the second agreement brings nothing new, and
                # the longer break stands (SPEC.md, "Breaks and claims").
                pass
            case events.BreakAgreed():
                self._standing = event.what
                self.leaving = event.what is Break.ADJOURNMENT
                self._on_notice(event)
            case events.BreakProposed() if not ours and self._wanted_by_both(event.what):
                pass
            case events.GoneOn():
                self._standing = None
                self._on_notice(event)
            case _ if not ours:
                self._on_notice(event)
            case _:
                pass

    def _wanted_by_both(self, what: Break) -> bool:
        """Agree to a break that this player has proposed as well, so that nobody waits for an answer to it.

        Each own proposal does so once: it says that the player wants a break now, not as often as the other likes.
        Otherwise somebody who proposes again and again could use up what this player may still say, and with it the
        claim, while the clock of the break does not run.
        """
        session = self._session
        if session.side_channel.agreed_break is not None and session.side_channel.agreed_break >= what:
            return True
        number, own = session.side_channel.same_proposal(what), session.side_channel.own_proposal(what)
        if number is None or own is None or own <= self._granted:
            return False
        try:
            session.side_channel.agree(number, now=now())
        except LocalProtocolError:
            # This player has resigned since, or claims the match.
            return False
        self._granted = own
        return True

    def _follow_claim(self, event: ClaimNotice) -> None:
        ours = event.seat == self._session.seat
        word = {events.Claimed: "open", events.ClaimDenied: "denied", events.ClaimLapsed: "lapsed"}[type(event)]
        line: dict[str, object] = {"event": "claim", "state": word, "seat": self._sides[event.seat]}
        if isinstance(event, events.Claimed):
            line |= {"ground": event.ground.name.lower(), "seconds": sum(event.reading), "proved": event.proved}
        self._report(line)
        # Ours is answered or passed over by the other; theirs is news when it is made.
        if ours == isinstance(event, events.ClaimLapsed):
            self._on_notice(event)

    @property
    def adjourned(self) -> bool:
        """Whether both have signed that the match goes on another day."""
        return self._session.side_channel.agreed_break is Break.ADJOURNMENT

    def go_on_after_adjournment(self) -> None:
        """Both are here again: one of the two says so for both."""
        if self.adjourned and self._session.seat == 0:
            self._session.side_channel.go_on(now=now())
