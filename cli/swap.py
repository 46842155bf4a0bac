"""The guest listens and the host calls: only one of the two needs to be reachable (SPEC.md, "Reaching each other").

The guest answers an invite with a line of his own, which carries the secret of the invite and the hash of its terms;
the host gives that line to ``storm-p2p host --call``.  Who is host and who is guest in the match does not change.
"""

from __future__ import annotations

import time
from argparse import Namespace
from dataclasses import replace

from cli import meeting
from cli.console import line, result, say
from cli.doorway import Doorway
from cli.lines import Lines, begin
from cli.lot import Call
from cli.meeting import Consent, Met, NoMatch, Wishes
from cli.text import failures, swapping
from cli.whereabouts import Door, Place
from protocol import invite
from protocol.invite import Invite, InviteError, Purpose
from protocol.keys import identity_hash
from protocol.transport import TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate

VALID_SECONDS = 7 * 24 * 3600
"""How long a reply is good, if the guest waits so long."""


class BadLine(Exception):
    """A line that is not for this."""


def read(text: str, purpose: Purpose) -> Invite:
    """Return a line that must be for one purpose.

    Raises:
        BadLine: it is none, or for another; the sentence says what to do with it.
    """
    try:
        found = invite.parse(text, int(time.time()))
    except InviteError as error:
        raise BadLine(failures.sentence(error.code, error.sentence)) from None
    if found.purpose is not purpose:
        raise BadLine(swapping.another(found.purpose))
    return found


async def wait(
    found: Invite, wishes: Wishes, kept: Call, consent: Consent, doorway: Doorway, options: Namespace
) -> tuple[Lines, Met]:
    """Print the reply to an invite, wait for the host's call, and agree with him as his guest.

    Raises:
        TransportError: nobody can listen here.
        NoMatch: the two do not fit.
    """
    door = Door(Certificate.make(), found.secret, options.bind, options.port)
    listener = await door.open()
    door = replace(door, port=listener.port)
    try:
        if not options.announce:
            await doorway.open(listener.port, options.bind)
        places = tuple(options.announce or doorway.places)
        reply = Invite(
            places, found.secret, identity_hash(wishes.identity.public), found.subject,
            min(found.expires, int(time.time()) + VALID_SECONDS), door.certificate.fingerprint[:PIN_LENGTH],
            Purpose.REPLY,
        )  # fmt: skip
        text = invite.dump(reply)
        if options.json:
            line({"event": "reply", "invite": text})
        else:
            say(swapping.SEND_BACK)
            result(f"  storm-p2p host --call {text}\n")
            say(swapping.WAITING)
        while True:
            link = await listener.accept()
            try:
                met = await meeting.guest(link, replace(wishes, kept=door.kept()), kept, consent)
                break
            except (NoMatch, TransportError) as error:
                await link.close()
                if isinstance(error, NoMatch) and error.event is not None:
                    raise
                say(swapping.BROKEN)
    except ValueError as error:
        await listener.close()
        raise TransportError("no-address", str(error)) from error
    except BaseException:
        await listener.close()
        raise
    lines = begin(met, door, listener, Place(b"", ()), places)
    lines.greet(link)
    return lines, met
