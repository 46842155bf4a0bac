"""The handshake of another match over the line of the one that is over (SPEC.md, "After the match").

It is that of every match: fresh keys, fresh nonces, a new journal.  The secret that both have just made takes the place
of an invite's, each knows identity and name of the other, and the terms are those of before with the seats exchanged.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import replace

from cli.meeting import meeting
from cli.meeting.lines import Lines
from cli.meeting.meeting import Met, NoMatch, PendingInvite, Proposal, SeatDraw, Shared, Wishes
from cli.storage import unlock
from cli.storage.home import Home
from protocol.core.agreement import host_takes
from protocol.core.handshake import Offered
from protocol.core.session import Session
from protocol.crypto.keys import identity_hash
from protocol.game import Seat, other
from protocol.transport import Transport, TransportError
from protocol.transport.dialling import dial

PAUSES = (1.0, 2.0, 4.0)
"""How many seconds a guest who has signed waits before each call over a line that broke."""
_DAY = 86_400


async def meet(
    link: Transport, secret: bytes, before: Session, lines: Lines, home: Home, following: Proposal | None = None
) -> tuple[Lines, Met]:
    """Agree on the match that follows ``before``; who hosted hosts again, and the seats are exchanged.

    ``following`` is what is played instead: the next game of a tournament.

    Raises:
        NoMatch: the two do not fit, or the line is lost.
        protocol.transport.TransportError: what came is no frame, or nobody takes the call.
        protocol.record.journal.JournalError: it cannot be stored.
    """
    agreement = before.agreement
    peer = agreement.players[before.peer]
    place = lines.place
    kept = {"secret": secret} if lines.endpoint is None else replace(lines.endpoint, secret=secret).kept()
    wishes = Wishes(
        agreement.players[before.seat].name,
        unlock.identity(home),
        home.matches,
        secret,
        identity_hash(peer.identity),
        kept={**kept, **({} if place is None else place.kept())},
        peer_name=peer.name,
        game=agreement.game,
        data=before.data,
    )
    swapped = host_takes(other(agreement.host_seat))
    following = following or Proposal(agreement.terms, agreement.scheme, agreement.conditions, swapped)
    if before.seat == agreement.host_seat:
        met = await meeting.host(link, wishes, following, SeatDraw())
    else:
        wanted = Offered(
            peer.name, peer.identity, following.terms, following.scheme, following.seating, following.conditions
        )
        link, met = await _as_guest(link, wishes, wanted, lines)
    after = await lines.follow(met, secret)
    after.greet(link)
    return after, met


async def _as_guest(link: Transport, wishes: Wishes, wanted: Offered, lines: Lines) -> tuple[Transport, Met]:
    async def consent(offer: Offered) -> tuple[bool, Seat | None]:
        # Nobody is asked about terms that they have agreed to, and nobody takes others unasked.
        return offer == wanted, None

    call = PendingInvite(wishes.folder, Shared(wishes.secret, int(time.time()) + _DAY))
    for pause in (*PAUSES, None):
        try:
            return link, await meeting.guest(link, wishes, call, consent)
        except (NoMatch, TransportError) as error:
            with suppress(TransportError):
                await link.close()
            lost = isinstance(error, TransportError) or error.event is None
            # Only a host who has our signature can have begun the match.
            if not lost or not call.has_signed or pause is None or lines.place is None:
                raise
            await asyncio.sleep(pause)
            link = await dial(lines.place.candidates, lines.place.pin, wishes.secret)
    raise AssertionError("the last try returns or raises")
