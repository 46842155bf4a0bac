"""``storm-p2p resume``: go on with a match, or show which ones are unfinished."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path

from cli import running, seats
from cli.commands import join
from cli.commands.host import Hosted
from cli.commands.play import Opponent
from cli.console import Exit, line, result, say
from cli.doorway import Doorway
from cli.home import Home
from cli.lines import reunite
from cli.match import export
from cli.meeting import Met
from cli.stored import NotFound, find, restore
from cli.text import failures
from cli.text import stored as words
from cli.whereabouts import Door, Place, secret_of
from protocol.errors import ProtocolError
from protocol.journal import Journal, JournalError, State
from protocol.logfile import LogError
from protocol.session import Session
from protocol.transport import Transport, TransportError
from protocol.transport.listening import Listener
from protocol.wire import FRAME_LIMIT


def _found(home: Home, wanted: str | None) -> str | None:
    """Return the local name of a match; None with a sentence said."""
    try:
        return find(home, wanted)
    except NotFound as missing:
        say(missing.sentence)
        for row in missing.rows:
            result(row)
    except JournalError as error:
        say(failures.sentence(error.code, error.sentence))
    return None


def main(options: Namespace) -> Exit:
    """``storm-p2p resume``: go on with a match after a crash or a lost line."""
    home = Home(Path(options.home))
    local = _found(home, options.match)
    if local is None:
        return Exit.USAGE
    opponent = Opponent(home)
    # The onion address of the invite is gone; a fresh one nobody would know.
    doorway = Doorway(say, map_port=options.map, use_tor=False)

    async def finish() -> None:
        await doorway.close()
        await opponent.stop()

    try:
        with Journal.open(home.matches, local) as book:
            if book.match.state is State.FINISHED:
                say(words.finished(book.match.log))
                return Exit.USAGE
            options.name = options.name or book.match.name
            player = seats.of(options, home)

            async def meet() -> tuple[Transport, Met]:
                session = restore(book, home)
                link = await _call(book, session, opponent, doorway, options)
                doorway.tell = partial(player.told, "router")
                return link, Met(session, book)

            return running.run(meet, player, home, json=options.json, also=finish)
    except seats.UnknownPlayer as error:
        say(f"{error}.")
        return Exit.USAGE
    except (JournalError, LogError) as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    except ProtocolError as error:
        say(words.cannot_be_read(str(error)))
        return Exit.NO


async def _opponent(listener: Listener, session: Session) -> Transport:
    """Return the line of the first caller who shows that he is the other player; nobody else changes anything."""
    while True:
        link = await listener.accept()
        link.limit = FRAME_LIMIT
        if await reunite(link, session):
            return link
        await link.close()


async def _call(
    book: Journal, session: Session, opponent: Opponent, doorway: Doorway, options: Namespace
) -> Transport:
    """Return a line to the other side: the host waits where he waited, the guest calls him there."""
    door = Door.of(book)
    if door is not None:
        listener = await replace(door, bind=options.bind or door.bind).open()
        if options.json:
            address, port = listener.addresses[0]
            line({"event": "listening", "address": address, "port": port})
        else:
            say(words.waiting(book.match.opponent))
        try:
            await doorway.open(listener.port, options.bind or door.bind)
            return Hosted(await _opponent(listener, session), listener)
        except BaseException:
            await listener.close()
            raise
    place = Place.of(book)
    if place is None:
        raise JournalError("damaged", f"{book.path.name} does not say where the other player is")
    computer = book.kept("computer")
    match_id = book.match.match_id
    if computer is not None and match_id is not None:
        order = ["resume", match_id.hex(), "--bind", "127.0.0.1"]
        found = await opponent.start("listening", order, computer.decode())
        place = Place(place.pin, (("127.0.0.1", int(found["port"])),))
    try:
        link = await join.call(place, secret_of(book))
    except TransportError as error:
        if error.code not in ("unreachable", "timeout"):
            raise
        raise TransportError("not-there", words.ask_to_wait(book.match.opponent)) from error
    link.limit = FRAME_LIMIT
    if await reunite(link, session):
        return link
    await link.close()
    raise TransportError("not-him", "expected the other player, got somebody else")


def export_main(options: Namespace) -> Exit:
    """``storm-p2p export``: write the portable log of a match as it stands now."""
    home = Home(Path(options.home))
    local = _found(home, options.match)
    if local is None:
        return Exit.USAGE
    try:
        with Journal.open(home.matches, local) as book:
            session = restore(book, home)
            result(str(export(session, book, home.logs)))
    except (JournalError, LogError) as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    except ProtocolError as error:
        say(words.cannot_be_read(str(error)))
        return Exit.NO
    return Exit.FINE
