"""``storm-p2p join``: accept an invite."""

from __future__ import annotations

import asyncio
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from cli.clean import clean
from cli.dialogue import words
from cli.kept import unlock
from cli.kept.home import Home
from cli.kept.people import Book
from cli.match import stored
from cli.meeting import meeting, nearby, swap
from cli.meeting.doorway import Doorway
from cli.meeting.lines import BACKOFF, Lines, begin, tell_where
from cli.meeting.lot import Call
from cli.meeting.meeting import Consent, Met, NoMatch, Offer, Wishes
from cli.meeting.swap import BadLine
from cli.meeting.whereabouts import Door, TheirDoor
from cli.process.console import Exit, say
from cli.starting import running, seats
from cli.text import clocks, failures, joining, matches, names
from protocol.crypto.commitments import SCHEMES
from protocol.game import Seat
from protocol.reach import onion
from protocol.reach.invite import Invite, Purpose
from protocol.record.journal import JournalError
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import Certificate
from protocol.transport.dialling import Candidate, NobodyAnswers, dial
from protocol.transport.listening import Listener
from storm_p2p.storm.board import FACTIONS

TRIES = 3
"""How often a line that breaks before the match has begun is called again."""


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home(Path(options.home))
    try:
        found = _nearby(options.invite) if options.lan else _invite(options.invite)
    except (KeyboardInterrupt, EOFError):
        return Exit.INTERRUPTED
    if found is None:
        return Exit.NO_CONNECTION if options.lan else Exit.USAGE
    try:
        match = _begun(found, home)
    except stored.NotFound as missing:
        say(missing.sentence)
        return Exit.USAGE
    except JournalError as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    if match is not None:
        from cli.commands import resume

        say(joining.GOES_ON)
        return resume.main(Namespace(**vars(options) | {"match": match, "invite": False}))
    try:
        human = options.player == "human"
        player = seats.of(options, home, ask_name=True)
    except seats.UnknownPlayer as error:
        say(str(error))
        return Exit.USAGE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    asked = human and not options.yes and sys.stdin is not None and sys.stdin.isatty()
    consent = _ask if asked else takes_any(options.seat, less=options.scheme == "hash")
    book = Book.of(home) if human else None
    # Whoever only calls needs no opened port; whoever waits for a call does.
    doorway = Doorway(say, map_port=options.swap and options.map, use_tor=options.swap and options.tor)

    async def met() -> tuple[Lines, Met]:
        return await meet(found, home, player.name, consent, book=book, own=Own(options, doorway))

    return running.run(met, player, home, json=options.json, patience=options.patience, also=doorway.close)


def _begun(found: Invite, home: Home) -> str | None:
    """Return the number of the match that has begun here with an invite, and whose program is started again.

    Raises:
        NotFound: it may be the one that is open in another window: nobody may play it twice.
        JournalError: that cannot be read.
    """
    match = Call(home.matches, found).match()
    if match is None:
        return None
    try:
        return stored.find(home, match.hex())
    except stored.NotFound:
        if elsewhere := stored.open_elsewhere(home):
            raise stored.NotFound(joining.goes_on_elsewhere(elsewhere)) from None
        # It has ended before the journal knew of it: the host begins the same match again.
        return None


def _nearby(given: str | None) -> Invite | None:
    """Return the invite of a host in this network, who has said his words; None with a sentence said.

    Raises:
        EOFError: the person has closed the input.
    """
    if given in (None, "-") and not (sys.stdin is not None and sys.stdin.isatty()):
        # Words that do not come from a person are not asked for again.
        given = (sys.stdin.readline() if sys.stdin is not None else "").strip() or "-"
    text = nearby.find(given or "", input)
    return None if text is None else _invite(text)


def _invite(given: str | None) -> Invite | None:
    """Return the invite from the argument, standard input or the prompt, which asks until one is good.

    Raises:
        EOFError: the person has closed the input.
    """
    asked = given in (None, "-") and sys.stdin is not None and sys.stdin.isatty()
    while True:
        if asked:
            text = swap.whole(input(joining.PASTE), lambda: input(joining.REST))
        elif given in (None, "-"):
            text = "" if sys.stdin is None else swap.whole(sys.stdin.readline(), sys.stdin.readline)
        else:
            text = str(given)
        try:
            return swap.read(text, Purpose.MATCH)
        except BadLine as error:
            say(str(error))
            if not asked:
                return None


@dataclass(frozen=True, slots=True)
class Own:
    """How a guest can be called in turn when the line is lost."""

    options: Namespace
    """With bind, port and announce."""
    doorway: Doorway

    async def open(self, secret: bytes, place: TheirDoor) -> tuple[Door, Listener | None, Sequence[Candidate]]:
        """Listen; without success the match is played all the same, and the other cannot call."""
        bind = self.options.bind
        if bind is None and place.on_this_machine:
            # Both are on this machine, so nobody else has to be let in.
            bind = place.candidates[0][0]
        door = Door(Certificate.make(), secret, bind, self.options.port)
        try:
            listener = await door.open()
        except TransportError as error:
            say(joining.cannot_be_called(failures.sentence(error.code, error.sentence)))
            return door, None, ()
        if not self.options.announce:
            await self.doorway.open(listener.port, bind)
        return replace(door, port=listener.port), listener, self.options.announce or self.doorway.places


async def meet(
    found: Invite, home: Home, name: str, consent: Consent, computer: str | None = None, book: Book | None = None,
    own: Own | None = None,
) -> tuple[Lines, Met]:  # fmt: skip
    """Call the host at each of his addresses and agree with him.

    Args:
        found: the invite.
        home: where everything is kept.
        name: how we want to be called.
        consent: asks about the terms.
        computer: the bot that is the host.
        book: the address book, if a person plays a person.
        own: how we can be called in turn.
    """
    place = TheirDoor(found.pin, found.candidates)
    kept = {**place.kept(), "secret": found.secret}
    if computer is not None:
        kept["computer"] = computer.encode()
    wishes = Wishes(name, unlock.identity(home), home.matches, found.secret, found.identity, kept, book=book)

    checked = once(found, consent)
    if own is not None and own.options.swap:
        return await swap.wait(found, wishes, Call(home.matches, found), checked, own.doorway, own.options)
    link, met = await _agree(place, wishes, Call(home.matches, found), checked)
    lines = Lines(met.session, found.secret, None, place)
    if own is not None:
        door, listener, candidates = await own.open(found.secret, place)
        for word, value in door.kept().items():
            met.journal.keep(word, value)
        lines = begin(met, door, listener, place, candidates)
        own.doorway.moved = partial(tell_where, met, door)
    lines.greet(link)
    return lines, met


def once(found: Invite, consent: Consent) -> Consent:
    """Return what asks about the terms of an invite, and does not ask again what was taken.

    A line that breaks at the end of the handshake is called again, and a host who has signed waits ten seconds for the
    same answer with the same seat: whoever had to read the terms once more would come too late, or choose another one.
    """
    taken: dict[Offer, tuple[bool, Seat | None]] = {}

    async def checked(offer: Offer) -> tuple[bool, Seat | None]:
        if meeting.terms_hash(offer.terms, offer.scheme, offer.conditions) != found.subject:
            say(joining.OTHER_TERMS)
            return False, None
        answer = taken.get(offer)
        if answer is None:
            answer = await consent(offer)
            if answer[0]:
                taken[offer] = answer
        return answer

    return checked


async def _agree(place: TheirDoor, wishes: Wishes, kept: Call, consent: Consent) -> tuple[Transport, Met]:
    """Call the host and agree with him; a line that breaks in between is called again a few times."""
    refused = False
    for pause in (*BACKOFF[:TRIES], None):
        try:
            link = await call(place, wishes.secret)
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


async def call(place: TheirDoor, secret: bytes) -> Transport:
    """Return a line to whoever is called, at the first of his addresses that leads to him.

    Raises:
        TransportError: none does; what the most telling one said.
    """
    if not place.on_this_machine:
        say(joining.calling(len(place.candidates), any(onion.is_onion(address) for address, _ in place.candidates)))
    try:
        return await dial(place.candidates, place.pin, secret)
    except NobodyAnswers as error:
        for (address, port), problem in error.attempts:
            say(joining.unreached(address, port, problem.code, getattr(problem.__cause__, "errno", None)))
        raise


def takes_any(seat: str | None, *, less: bool = False) -> Consent:
    """Return a consent to whatever is offered, with a seat for a host who lets one choose.

    Args:
        seat: which one.
        less: also to another scheme than the best, which a player must have agreed to.
    """
    pick = None if seat is None else [faction.name.lower() for faction in FACTIONS].index(seat)

    async def consent(offer: Offer) -> tuple[bool, Seat | None]:
        if offer.scheme != SCHEMES[0] and not less:
            say(matches.HASH_REFUSED)
            return False, None
        return True, pick if offer.choose_seat else None

    return consent


async def _input(question: str) -> str | None:
    """Return the person's answer in lower case; None at the end of the input.

    The line is read in a daemon thread: the connection lives on while the person thinks, and Ctrl-C does not have to
    wait for the thread.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str | None] = loop.create_future()

    def settle(text: str | None) -> None:
        if not answer.done():
            answer.set_result(text)

    def read() -> None:
        text: str | None = None
        with suppress(EOFError, OSError, ValueError):
            text = clean(input(question))
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, text)

    threading.Thread(target=read, daemon=True).start()
    found = await answer
    return None if found is None else found.strip().lower()


async def _ask(offer: Offer) -> tuple[bool, Seat | None]:
    """Ask the person at the keyboard, until the answer is clear; the end of the input is a no."""
    say(joining.offer(offer.name, offer.terms))
    for sentence in clocks.conditions(offer.conditions):
        say(sentence)
    if offer.scheme != SCHEMES[0]:
        say(matches.HASH_WARNING)
    if not await _clear(joining.ACCEPT, joining.YES_OR_NO, _yes_or_no):
        return False, None
    if not offer.choose_seat:
        return True, None
    seat = await _clear(joining.SEAT, joining.ONE_SIDE, _side)
    return seat is not None, seat


Answer = TypeVar("Answer")


async def _clear(question: str, again: str, understand: Callable[[str], Answer | None]) -> Answer | None:
    """Return what the person answers as soon as it is understood; None at the end of the input."""
    while True:
        answer = await _input(question)
        if answer is None:
            return None
        found = understand(answer)
        if found is not None:
            return found
        say(again)


def _yes_or_no(answer: str) -> bool | None:
    if answer in words.YES:
        return True
    return False if answer and answer in words.NO else None


def _side(answer: str) -> Seat | None:
    # In the language of the notation, and in that of the question.
    called = [(side.name.lower(), names.side_name(side).lower()) for side in FACTIONS]
    found = [seat for seat, known in enumerate(called) if answer and any(name.startswith(answer) for name in known)]
    return found[0] if len(found) == 1 else None
