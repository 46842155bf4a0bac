"""The guest listens and the host calls: only one of the two needs to be reachable (SPEC.md, "Reaching each other").

The guest answers an invite with a line of his own, which carries the secret of the invite and the hash of its terms;
the host gives that line to ``storm-p2p host --call``.  Who is host and who is guest in the match does not change.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from cli.meeting import meeting
from cli.meeting.doorway import Doorway
from cli.meeting.lines import Lines, begin
from cli.meeting.meeting import Call, Consent, Met, NoMatch, Wishes
from cli.meeting.whereabouts import Door, TheirDoor
from cli.runtime.console import UsageError, say
from cli.text import failures, joining
from protocol.crypto.keys import identity_hash
from protocol.reach import invite
from protocol.reach.invite import HostPort, Invite, InviteError, Purpose
from protocol.transport import TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate
from storm_p2p import games

VALID_SECONDS = 7 * 24 * 3600
"""How long a line is good, if whoever made it waits so long."""
LONGEST = 416
"""How many characters the longest invite has after its prefix."""


class BadLine(UsageError):
    """A line that is not for this."""


def read(text: str, purpose: Purpose) -> Invite:
    """Return a line that must be for one purpose.

    Raises:
        BadLine: it is none, or for another; the sentence says what to do with it.
    """
    now = int(time.time())
    try:
        found = invite.parse(text, now)
    except InviteError as error:
        if error.code == "expired":
            raise BadLine(joining.expired(error.expires, now)) from None
        raise BadLine(failures.sentence(error.code, error.sentence)) from None
    if found.purpose is not purpose:
        raise BadLine(str(joining.ANOTHER[found.purpose]))
    if found.game >= len(games.NUMBERS):
        raise BadLine(str(joining.OTHER_GAME))
    return found


def game_of(found: Invite) -> str:
    """Return the name of the game that an invite is for."""
    return tuple(games.NUMBERS)[found.game]


def whole(text: str, more: Callable[[], str]) -> str:
    """Return a text with as many lines more as its invite lacks, for mails and terminals break long lines.

    ``more`` reads one; an empty line, or the end of the input, says that nothing follows.
    """
    while _unfinished(text):
        following = more()
        if not following.strip():
            break
        text = f"{text}\n{following}"
    return text


def _unfinished(text: str) -> bool:
    """Return whether an invite has begun in a text and would go on in the next line."""
    # The command that is sent with the invite is broken at its last space.
    return text.rstrip().endswith("storm-p2p join") or (_is_cut(text) and not _is_cut(text + "A" * LONGEST))


def _is_cut(text: str) -> bool:
    try:
        invite.parse(text, 0)
    except InviteError as error:
        return error.code == "cut"
    return False


def dump(
    places: Sequence[HostPort], door: Door, identity: bytes, subject: bytes, purpose: Purpose = Purpose.MATCH, *,
    secret: bytes = b"", latest: int | None = None, game: str = games.STORM,
) -> str:  # fmt: skip
    """Return the line with which the owner of an identity is found at a door, good for a week but until ``latest``.

    The door's secret is in it, unless another one is to be proved.

    Raises:
        TransportError: nobody could be found with it.
    """
    expires = int(time.time()) + VALID_SECONDS
    until = expires if latest is None else min(latest, expires)
    pin = door.certificate.fingerprint[:PIN_LENGTH]
    try:
        owner = identity_hash(identity)
        number = games.NUMBERS[game]
        return invite.dump(Invite(tuple(places), secret or door.secret, owner, subject, until, pin, purpose, number))
    except ValueError as error:
        raise TransportError("no-address", str(error)) from error


async def wait(
    found: Invite, wishes: Wishes, kept: Call, consent: Consent, doorway: Doorway, reply: Callable[[str], None]
) -> tuple[Lines, Met]:
    """Give the reply to an invite, wait for the host's call, and agree with him as his guest.

    Raises:
        TransportError: nobody can listen here.
        NoMatch: the two do not fit.
    """
    door, listener = await doorway.listen(Door(Certificate.make(), found.secret))
    try:
        own = wishes.identity.public
        reply(dump(doorway.places, door, own, found.subject, Purpose.REPLY, latest=found.expires, game=game_of(found)))
        broken = False
        while True:
            link = await listener.accept()
            try:
                met = await meeting.guest(link, replace(wishes, kept=door.kept()), kept, consent)
                break
            except (NoMatch, TransportError) as error:
                await link.close()
                if isinstance(error, NoMatch) and error.event is not None:
                    raise
                # Whoever has the reply can call and hang up without end.
                if not broken:
                    say(str(joining.BROKEN))
                broken = True
    except BaseException:
        await listener.close()
        raise
    lines = begin(met, door, listener, TheirDoor(b"", ()), doorway)
    lines.greet(link)
    return lines, met
