"""``storm-p2p join``: accept an invite."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cli import meeting, running, seats, unlock
from cli.clean import clean
from cli.console import Exit, say
from cli.home import Home
from cli.lot import Call
from cli.meeting import Consent, Met, Offer, Wishes
from cli.people import Book
from cli.text import failures, matches
from protocol import invite
from protocol.game import Seat
from protocol.invite import Invite, InviteError
from protocol.transport import Transport, TransportError
from protocol.transport.websocket import connect
from storm_p2p.board import FACTIONS


def main(options: Namespace) -> Exit:
    """Run the command."""
    home = Home(Path(options.home))
    try:
        found = invite.parse(_text_of(options.invite), int(time.time()))
    except InviteError as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.USAGE
    except (KeyboardInterrupt, EOFError):
        return Exit.INTERRUPTED
    try:
        human = options.player == "human"
        player = seats.of(options, home)
    except seats.UnknownPlayer as error:
        say(f"{error}.")
        return Exit.USAGE
    asked = human and not options.yes and sys.stdin is not None and sys.stdin.isatty()
    consent = _ask if asked else takes_any(options.seat)
    book = Book.of(home) if human else None
    return running.run(lambda: meet(found, home, player.name, consent, book=book), player, home, json=options.json)


def _text_of(given: str | None) -> str:
    """Return the invite from the argument, standard input or the prompt."""
    if given is not None and given != "-":
        return given
    if sys.stdin is not None and sys.stdin.isatty():
        return input("Paste the invite: ")
    return sys.stdin.readline() if sys.stdin is not None else ""


async def meet(
    found: Invite, home: Home, name: str, consent: Consent, computer: str | None = None, book: Book | None = None
) -> tuple[Transport, Met]:
    """Call the host at each of his addresses and agree with him.

    Args:
        found: the invite.
        home: where everything is kept.
        name: how we want to be called.
        consent: asks about the terms.
        computer: the bot that is the host.
        book: the address book, if a person plays a person.
    """
    kept = {"addresses": " ".join(found.addresses).encode(), "port": str(found.port).encode()}
    if computer is not None:
        kept["computer"] = computer.encode()
    wishes = Wishes(name, unlock.identity(home), home.matches, found.secret, found.host_key, kept, book)

    async def checked(offer: Offer) -> tuple[bool, Seat | None]:
        if meeting.terms_hash(offer.terms, offer.scheme) != found.terms:
            say("The host offers other terms than those of the invite; they were refused. Ask for a fresh invite.")
            return False, None
        return await consent(offer)

    link = await call(found.addresses, found.port)
    try:
        return link, await meeting.guest(link, wishes, Call(home.matches, found), checked)
    except BaseException:
        await link.close()
        raise


async def call(addresses: Sequence[str], port: int) -> Transport:
    """Return a line to the first address that answers.

    Raises:
        TransportError: none does; what the last one said.
    """
    last: TransportError | None = None
    for address in addresses:
        try:
            return await connect(address, port)
        except TransportError as error:
            say(f"{address} port {port}: {error.sentence}.")
            last = error
    assert last is not None
    raise last


def takes_any(seat: str | None) -> Consent:
    """Return a consent to whatever is offered, with a seat for a host who lets one choose."""
    pick = None if seat is None else [faction.name.lower() for faction in FACTIONS].index(seat)

    async def consent(offer: Offer) -> tuple[bool, Seat | None]:
        return True, pick if offer.choose_seat else None

    return consent


async def _input(question: str) -> str:
    """Return the person's answer in lower case; nothing at the end of the input.

    The line is read in a daemon thread: the connection lives on while the person thinks, and Ctrl-C does not have to
    wait for the thread.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def settle(text: str) -> None:
        if not answer.done():
            answer.set_result(text)

    def read() -> None:
        try:
            text = input(question)
        except (EOFError, OSError, ValueError):
            text = ""
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, text)

    threading.Thread(target=read, daemon=True).start()
    return (await answer).strip().lower()


async def _ask(offer: Offer) -> tuple[bool, Seat | None]:
    """Ask the person at the keyboard."""
    say(f"{clean(offer.name)} offers: {matches.terms(offer.terms)}.")
    if (await _input("Accept these terms? yes or no: ")) not in ("y", "yes", "j", "ja"):
        return False, None
    if not offer.choose_seat:
        return True, None
    answer = await _input("You may choose your side: chthonians or olympians? ")
    return True, 1 if answer.startswith("o") else 0
