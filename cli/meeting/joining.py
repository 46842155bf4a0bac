"""How a guest gets into a match: calls the host at each address, agrees, and can be called in turn.

Where nobody answers, the guest listens and the host calls: only one of the two needs to be reachable (SPEC.md,
"Reaching each other").  The guest answers an invite with a line of their own, which carries the secret of the invite
and the hash of its terms; the host pastes it where their program waits.  Who is host and who is guest does not change.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from cli.meeting import meeting
from cli.meeting.exchange import Exchange, folders_of
from cli.meeting.lines import BACKOFF, Callers, Lines, begin
from cli.meeting.meeting import Consent, Met, NoMatch, PendingInvite, Wishes
from cli.meeting.reachability import LocalEndpoint, PeerEndpoint, Reachability
from cli.runtime.console import UsageError, say
from cli.storage import unlock
from cli.storage.home import Home
from cli.storage.people import Book
from cli.text import clocks, failures, joining
from protocol.core.handshake import Offered
from protocol.crypto.commitments.schemes import SCHEMES
from protocol.crypto.keys import identity_hash
from protocol.game import Seat
from protocol.reach import invite, onion
from protocol.reach.formats.outside import UNSEEN, Seen
from protocol.reach.invite import HostPort, Invite, InviteError, Purpose
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate
from protocol.transport.dialling import NobodyAnswers, dial
from protocol.transport.listening import Listener
from storm_p2p import games

VALID_SECONDS = 7 * 24 * 3600
"""How long a line is good, if whoever made it waits so long."""
LONGEST = 416
"""How many characters the longest invite has after its prefix."""

_SHORTEST = 20
"""No mail and no terminal breaks a line before that."""
_PIECE = re.compile(r"[\s>|]*[a-z2-7]+\s*", re.IGNORECASE | re.ASCII)


class BadLine(UsageError):
    """A line that is not for this."""


def read_swap(text: str, purpose: Purpose) -> Invite:
    """Return a line that must be for one purpose.

    Raises:
        BadLine: it is none, or for another; the sentence says what to do with it.
    """
    now = int(time.time())
    try:
        found = invite.parse(text, now)
    except InviteError as error:
        if error.code == "expired":
            raise BadLine(joining.expired(clocks.moment(error.expires), clocks.moment(now))) from None
        if error.code == "version":
            raise BadLine(str(joining.OLDER if error.is_older else joining.NEWER)) from None
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
    while is_unfinished(text):
        following = more()
        if not following.strip():
            break
        text = f"{text}\n{following}"
    return text


def is_line(text: str) -> bool:
    """Return whether a line of ours begins in a text, whole or not."""
    return not _fails_with(text, "not-found")


def is_unfinished(text: str) -> bool:
    """Return whether an invite has begun in a text and would go on in the next line."""
    # The command that is sent with the invite is broken at its last space.
    return text.rstrip().endswith("storm-p2p join") or (
        _fails_with(text, "cut") and not _fails_with(text + "A" * LONGEST, "cut")
    )


def goes_on(text: str, line: str) -> bool:
    """Return whether a line is the next piece of an invite that has begun in a text: a long one, or the last."""
    is_piece = _PIECE.fullmatch(line) is not None
    return is_piece and (len(line) >= _SHORTEST or not is_unfinished(f"{text}\n{line}"))


def _fails_with(text: str, code: str) -> bool:
    try:
        invite.parse(text, 0)
    except InviteError as error:
        return error.code == code
    return False


def dump_swap(
    places: Sequence[HostPort],
    endpoint: LocalEndpoint,
    identity: bytes,
    subject: bytes,
    purpose: Purpose = Purpose.MATCH,
    *,
    secret: bytes = b"",
    latest: int | None = None,
    game: str = games.STORM,
    seen: Seen = UNSEEN,
) -> str:
    """Return the line with which the owner of an identity is found at a door, good for a week but until ``latest``.

    The door's secret is in it, unless another one is to be proved; ``seen`` is how they look from outside.

    Raises:
        TransportError: nobody could be found with it.
    """
    expires = int(time.time()) + VALID_SECONDS
    until = expires if latest is None else min(latest, expires)
    pin = endpoint.certificate.fingerprint[:PIN_LENGTH]
    try:
        owner = identity_hash(identity)
        number = games.NUMBERS[game]
        told = secret or endpoint.secret
        return invite.dump(Invite(tuple(places), told, owner, subject, until, pin, purpose, number, seen))
    except ValueError as error:
        raise TransportError("no-line", str(error)) from error


async def answer(
    found: Invite,
    wishes: Wishes,
    kept: PendingInvite,
    consent: Consent,
    reachability: Reachability,
    reply: Callable[[str], None],
) -> tuple[Lines, Met]:
    """Give the reply to an invite, wait for the host's call and go on calling them, and agree as their guest.

    Raises:
        TransportError: nobody can listen here.
        NoMatch: the two do not fit.
    """
    endpoint, listener = await reachability.listen(LocalEndpoint(Certificate.make(), found.secret))
    callers = Callers(listener, reachability.rendezvous)
    try:
        place = PeerEndpoint(found.pin, found.candidates, found.seen)
        await reachability.prepare(place)
        given = partial(dump_swap, purpose=Purpose.REPLY, latest=found.expires, game=game_of(found))

        def tell() -> None:
            own = wishes.identity.public
            reply(given(reachability.places, endpoint, own, found.subject, seen=reachability.seen))

        def tell_anew() -> None:
            say(str(joining.SEEN_ANEW))
            tell()

        # Our router has let the host in before they can answer: some take what comes first for themselves.
        reachability.knock(place, waits=True)
        callers.call(place, found.secret)
        tell()
        reachability.moved = tell_anew
        broken = False
        while True:
            link = await callers.next()
            try:
                met = await meeting.guest(link, replace(wishes, kept={**wishes.kept, **endpoint.kept()}), kept, consent)
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
    finally:
        await callers.close()
    if link.way[0] != "call":
        say(joining.connected_by(*link.way, None))
    lines = begin(met, endpoint, listener, place, reachability)
    lines.greet(link)
    return lines, met


TRIES = 3
"""How often a line that breaks before the match has begun is called again."""


PATIENCE = 3.0
"""How many seconds a host is called before they are given a line with which they call back."""


async def meet(
    found: Invite,
    home: Home,
    name: str,
    consent: Consent,
    *,
    computer: str | None = None,
    book: Book | None = None,
    reachability: Reachability | None = None,
    reply: Callable[[str], None] | None = None,
    swap: bool = False,
    data: bytes = b"",
) -> tuple[Lines, Met]:
    """Call the host of an invite at each address, and where nobody answers wait for their call; agree with them.

    Args:
        computer: the bot that is the host, if one is.
        book: the address book, if a person plays a person.
        reachability: how we can be called in turn, if we can.
        reply: gives a line to the host with which they call us; None where they are on this machine.
        swap: whether the line is given at once.
        data: what the game is played with beside its terms, if there is anything.
    """
    place = PeerEndpoint(found.pin, found.candidates, found.seen)
    kept = {**place.kept(), "secret": found.secret}
    if computer is not None:
        kept["computer"] = computer.encode()
    identity, game = unlock.identity(home), game_of(found)
    files = None if computer else Exchange(folders_of(home), host=found.identity)
    wishes = Wishes(name, identity, home.matches, found.secret, found.identity, kept, book, game, data, exchange=files)

    checked, pending = of_invite(found, consent), PendingInvite(home.matches, found.secret, found.expires)
    if reachability is not None and reply is not None and swap:
        return await answer(found, wishes, pending, checked, reachability, reply)
    try:
        # Where both are on this machine, whoever does not answer is not there.
        waited = None if reply is None or place.on_this_machine else PATIENCE
        link, met = await _agree(place, wishes, pending, checked, waited)
    except TransportError as error:
        if reachability is None or reply is None or place.on_this_machine or error.code == "turned-away":
            raise
        return await answer(found, wishes, pending, checked, reachability, reply)
    if reachability is None:
        lines = Lines(met.session, found.secret, None, place)
    else:
        endpoint, listener = await _listen(found.secret, place, reachability)
        for word, value in endpoint.kept().items():
            met.journal.keep(word, value)
        lines = begin(met, endpoint, listener, place, reachability)
    lines.greet(link)
    return lines, met


async def _listen(
    secret: bytes, place: PeerEndpoint, reachability: Reachability
) -> tuple[LocalEndpoint, Listener | None]:
    """Listen; without success the match is played all the same, and the other cannot call."""
    # Where both are on this machine nobody else has to be let in.
    endpoint = LocalEndpoint(Certificate.make(), secret, place.candidates[0][0] if place.on_this_machine else None)
    try:
        # Whoever has called needs no opened port.
        return await reachability.listen(endpoint, opening=False)
    except TransportError as error:
        say(joining.cannot_be_called(failures.sentence(error.code, error.sentence)))
        return endpoint, None


def of_invite(found: Invite, consent: Consent) -> Consent:
    """Return what asks about the terms of an invite, and takes no others; those of a tournament its folder decides."""

    async def checked(offer: Offered) -> tuple[bool, Seat | None]:
        is_place = offer.conditions.event is not None
        if not is_place and meeting.terms_hash(offer.terms, offer.scheme, offer.conditions) != found.subject:
            say(str(joining.OTHER_TERMS))
            return False, None
        return await consent(offer)

    return checked


async def _agree(
    place: PeerEndpoint, wishes: Wishes, kept: PendingInvite, consent: Consent, patience: float | None
) -> tuple[Transport, Met]:
    """Call the host and agree with them; a line that breaks in between is called again a few times.

    Raises:
        TransportError: nobody has answered, or not within so many seconds of ``patience``.
        NoMatch: the two do not fit.
    """
    refused = False
    for pause in (*BACKOFF[:TRIES], None):
        try:
            async with asyncio.timeout(patience):
                link = await call(place, wishes.secret, briefly=patience is not None)
        except TimeoutError:
            raise TransportError("timeout", "expected an answer, got none") from None
        except TransportError as error:
            # A line that breaks while it is opened looks the same as an invite that is not taken, but hardly twice.
            if error.code != "turned-away" or refused or pause is None:
                raise
            refused = True
            say(joining.refused(pause))
            await asyncio.sleep(pause)
            continue
        refused = False
        try:
            return link, await meeting.guest(link, wishes, kept, consent)
        except NoMatch as error:
            await link.close()
            if error.event is not None or pause is None:
                raise
            say(joining.again(pause))
            await asyncio.sleep(pause)
        except BaseException:
            await link.close()
            raise
    raise AssertionError("the last try returns or raises")


async def call(place: PeerEndpoint, secret: bytes, *, briefly: bool = False) -> Transport:
    """Return a line to whoever is called, at the first of their addresses that leads to them.

    ``briefly`` says that the caller gives up after ``PATIENCE``.

    Raises:
        TransportError: none does; what the most telling one said.
    """
    if not place.on_this_machine:
        tor = any(onion.is_onion(address) for address, _ in place.candidates)
        say(joining.calling(len(place.candidates), tor, briefly=briefly))
    try:
        return await dial(place.candidates, place.pin, secret)
    except NobodyAnswers as error:
        for (address, port), problem in error.attempts:
            say(joining.unreached(address, port, problem.code, getattr(problem.__cause__, "errno", None)))
        raise


def takes_any(seat: str | None, *, less: bool = False, game: str = games.STORM) -> Consent:
    """Return a consent to whatever is offered, with a seat for a host who lets one choose.

    ``less`` extends it to another scheme than the best, which a player must have agreed to.
    """
    pick = None if seat is None else games.find_newest(game).sides.index(seat)

    async def consent(offer: Offered) -> tuple[bool, Seat | None]:
        if offer.scheme != SCHEMES[0] and not less:
            say(joining.hash_refused())
            return False, None
        return True, pick if offer.choose_seat else None

    return consent
