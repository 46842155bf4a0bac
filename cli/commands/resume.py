"""``storm-p2p resume``: go on with a match, or show which ones are unfinished."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from cli import running, seats, unlock
from cli.clean import clean
from cli.commands import join
from cli.commands.host import Hosted
from cli.commands.play import Opponent
from cli.console import Exit, line, result, say
from cli.home import Home
from cli.lines import reunite
from cli.match import export
from cli.meeting import Met
from cli.text import failures
from protocol import journal
from protocol.errors import ProtocolError
from protocol.journal import Journal, JournalError, Role
from protocol.logfile import LogError
from protocol.session import Session
from protocol.transport import Transport, TransportError
from protocol.transport.websocket import Listener, serve_one
from protocol.wire import FRAME_LIMIT
from storm_p2p.game import Storm


def unfinished(home: Home) -> list[journal.Match]:
    """Return the matches that have begun and have no result yet, the newest first."""
    found = [entry.match for entry in journal.matches(home.matches) if entry.match is not None]
    playing = [match for match in found if match.state is journal.State.OPEN and match.match_id is not None]
    return sorted(playing, key=lambda match: match.started_at, reverse=True)


def find(home: Home, wanted: str | None) -> str | None:
    """Return the local name of a match from its name or the beginning of its number; None with a sentence said."""
    every = [entry.match for entry in journal.matches(home.matches) if entry.match is not None]
    if wanted is None:
        every = unfinished(home)
    else:
        key = wanted.lower()
        every = [
            match
            for match in every
            if match.local_id == wanted or (match.match_id is not None and match.match_id.hex().startswith(key))
        ]
    if len(every) == 1:
        return every[0].local_id
    if not every:
        say("There is no such match here." if wanted else "There is no unfinished match here.")
        return None
    say("Expected one match, and there are several; name one of these:")
    for match in every:
        number = "" if match.match_id is None else match.match_id.hex()[:8]
        result(f"{number}  against {match.opponent}")
    return None


def main(options: Namespace) -> Exit:
    """``storm-p2p resume``: go on with a match after a crash or a lost line."""
    home = Home(Path(options.home))
    local = find(home, options.match)
    if local is None:
        return Exit.USAGE
    opponent = Opponent(home)
    try:
        with Journal.open(home.matches, local) as book:
            options.name = options.name or book.match.name
            player = seats.of(options, home)

            async def meet() -> tuple[Transport, Met]:
                session = restore(book, home)
                link = await _call(book, session, opponent, options)
                return link, Met(session, book)

            return running.run(meet, player, home, json=options.json, also=opponent.stop)
    except seats.UnknownPlayer as error:
        say(f"{error}.")
        return Exit.USAGE
    except (JournalError, LogError) as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.NO
    except ProtocolError as error:
        say(f"This match cannot be read: {error}.")
        return Exit.NO


async def _opponent(listener: Listener, session: Session) -> Transport:
    """Return the line of the first caller who shows that he is the other player; nobody else changes anything."""
    while True:
        link = await listener.accept()
        link.limit = FRAME_LIMIT
        if await reunite(link, session):
            return link
        await link.close()


async def _call(book: Journal, session: Session, opponent: Opponent, options: Namespace) -> Transport:
    """Return a line to the other side: the host waits where he waited, the guest calls him there."""
    port = int(book.kept("port") or b"0")
    if book.match.role is Role.HOST:
        listener = await serve_one(options.bind or (book.kept("bind") or b"").decode() or None, port)
        if options.json:
            address, port = listener.addresses[0]
            line({"event": "listening", "address": address, "port": port})
        else:
            say(f"Waiting for {clean(book.match.opponent or 'the other player')}. Leave with Ctrl-C.")
        try:
            return Hosted(await _opponent(listener, session), listener)
        except BaseException:
            await listener.close()
            raise
    computer = book.kept("computer")
    match_id = book.match.match_id
    if computer is not None and match_id is not None:
        words = ["resume", match_id.hex(), "--bind", "127.0.0.1"]
        found = await opponent.start("listening", words, computer.decode())
        return await _to_the_host(["127.0.0.1"], int(found["port"]), session)
    return await _to_the_host((book.kept("addresses") or b"").decode().split(), port, session)


async def _to_the_host(addresses: list[str], port: int, session: Session) -> Transport:
    link = await join.call(addresses, port)
    link.limit = FRAME_LIMIT
    if await reunite(link, session):
        return link
    await link.close()
    raise TransportError("not-him", "expected the other player, got somebody else")


def export_main(options: Namespace) -> Exit:
    """``storm-p2p export``: write the portable log of a match as it stands now."""
    home = Home(Path(options.home))
    local = find(home, options.match)
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
        say(f"This match cannot be read: {error}.")
        return Exit.NO
    return Exit.FINE


def restore(book: Journal, home: Home) -> Session:
    """Return the session of a stored match.

    Raises:
        ProtocolError: the records are not a match of this key, or damaged.
    """
    entropy, _ = book.secrets
    return Session.restore([entry.record for entry in book.entries()], Storm(), unlock.identity(home), entropy)
