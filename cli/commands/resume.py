"""``storm-p2p resume``: go on with a match, or show which ones are unfinished."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path

from cli import running, seats
from cli.commands.play import Opponent
from cli.console import Exit, line, result, say
from cli.doorway import Doorway
from cli.home import Home
from cli.lines import Lines, begin
from cli.match import export
from cli.meeting import Met
from cli.stored import NotFound, find, restore
from cli.text import failures
from cli.text import stored as words
from cli.whereabouts import Door, Place, secret_of
from protocol.errors import ProtocolError
from protocol.journal import Journal, JournalError, State
from protocol.logfile import LogError
from protocol.transport import TransportError
from protocol.transport.listening import Listener


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

            async def meet() -> tuple[Lines, Met]:
                met = Met(restore(book, home), book)
                lines = await _lines(book, met, opponent, doorway, options)
                doorway.tell = partial(player.told, "router")
                return lines, met

            patience = 0 if book.kept("computer") is not None else options.patience
            return running.run(meet, player, home, json=options.json, patience=patience, also=finish)
    except seats.UnknownPlayer as error:
        say(f"{error}.")
        return Exit.USAGE
    except (JournalError, LogError) as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    except ProtocolError as error:
        say(words.cannot_be_read(str(error)))
        return Exit.NO


async def _lines(book: Journal, met: Met, opponent: Opponent, doorway: Doorway, options: Namespace) -> Lines:
    """Listen where we listened before, and call where the other was."""
    place, door = Place.of(book), Door.of(book)
    computer, match_id = book.kept("computer"), book.match.match_id
    if computer is not None and place is not None and match_id is not None:
        order = ["resume", match_id.hex(), "--bind", "127.0.0.1", "--patience", "0"]
        found = await opponent.start("listening", order, computer.decode())
        place = Place(place.pin, (("127.0.0.1", int(found["port"])),))
        return Lines(met.session, secret_of(book), None, place)
    if door is None:
        return Lines(met.session, secret_of(book), None, place)
    listener = await _listener(replace(door, bind=options.bind or door.bind, port=options.port or door.port))
    if options.json:
        for address, port in listener.addresses:
            line({"event": "listening", "address": address, "port": port})
    else:
        say(words.waiting(book.match.opponent))
    if not options.announce:
        await doorway.open(listener.port, options.bind or door.bind)
    return begin(met, door, listener, place, options.announce or doorway.places)


async def _listener(door: Door) -> Listener:
    try:
        return await door.open()
    except TransportError as error:
        if error.code != "port-in-use":
            raise
        # Somebody else has the port now: the other is told of the new one as soon as there is a line.
        return await replace(door, port=0).open()


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
