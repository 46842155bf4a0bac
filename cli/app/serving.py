"""``storm-p2p event serve``: one program waits, and whoever calls exchanges the files of a tournament with it.

``event sync`` calls it with the invite that it shows.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from typing import Final

from cli.events import folder
from cli.events.judging import keep_value, recall_value
from cli.events.standing import look
from cli.meeting.exchange import Exchange, ExchangeError
from cli.meeting.joining import call, read_swap
from cli.meeting.reachability import Knocking, Listening, LocalEndpoint, PeerEndpoint, Reachability
from cli.runtime.console import Exit, UsageError, result, say, stop
from cli.storage import unlock
from cli.storage.home import Home
from cli.text import carrying, failures, joining
from protocol.crypto.keys import identity_hash
from protocol.reach import invite
from protocol.reach.invite import HALF, Invite, Purpose
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate

MOST: Final = 8
"""How many callers are served at once; others hear that it is busy."""

_DAYS: Final = 180
"""How many days an invite is good: as long as most tournaments last."""


def serve(home: Home, options: Namespace) -> Exit:
    """Wait for callers until it is interrupted."""
    seen = look(home, options.folder, options.id)
    told = tuple((host, port) for host, port, is_udp in options.announce or () if not is_udp)
    # Nobody pastes answers here, so nobody is knocked at.
    wanted = Listening(options.bind, options.port, told, options.map, options.tor, Knocking((), knock=False))
    reachability = Reachability(lambda notice: say(joining.news(notice)), wanted, home)
    try:
        asyncio.run(_serve(home, options.folder, seen.tournament.id, reachability, fresh=options.fresh))
    except TransportError as error:
        say(failures.sentence(error.code, error.sentence))
        return Exit.USAGE if error.code == "port-in-use" else Exit.NO_CONNECTION
    return Exit.FINE


async def _serve(home: Home, path: Path, event: bytes, reachability: Reachability, *, fresh: bool) -> None:
    identity, new = unlock.identity(home), LocalEndpoint(Certificate.make(), secrets.token_bytes(HALF))
    endpoint, listener = await reachability.listen(new if fresh else _endpoint_of(home, event) or new)
    listener.most = MOST
    # The same line serves for the whole event, also when this program is started again.
    door = endpoint.certificate.pem, endpoint.secret, endpoint.port
    keep_value(home.folder / "serving", event, door)

    def show() -> None:
        places, until = tuple(reachability.places), int(time.time()) + _DAYS * 86_400
        pin, owner = endpoint.certificate.fingerprint[:PIN_LENGTH], identity_hash(identity.public)
        try:
            line = invite.dump(Invite(places, endpoint.secret, owner, event[:HALF], until, pin, Purpose.EVENT))
        except ValueError as error:
            raise TransportError("no-address", str(error)) from error
        say(str(carrying.SERVING))
        result(f"  {line}")

    meetings: set[asyncio.Task[None]] = set()
    try:
        for sentence in joining.hosting(reachability.candidates, reachability.missing, reachability.seen):
            say(sentence)
        show()
        reachability.moved = show
        while True:
            link = await listener.accept()
            task = asyncio.create_task(_meet(link, path, event))
            meetings.add(task)
            task.add_done_callback(meetings.discard)
    finally:
        await stop(*meetings)
        await listener.close()
        await reachability.close()


def _endpoint_of(home: Home, event: bytes) -> LocalEndpoint | None:
    """Return where this program has listened for an event before."""
    with suppress(TypeError, ValueError):
        pem, secret, port = recall_value(home.folder / "serving", event)
        return LocalEndpoint(Certificate.load(pem), secret, port=port)
    return None


async def _meet(link: Transport, path: Path, event: bytes) -> None:
    with suppress(ExchangeError):
        await Exchange(lambda _: path, event=event).begin(link)
    with suppress(TransportError):
        await link.close()


def sync(home: Home, path: Path, text: str) -> Exit:
    """Exchange files with a program that serves a tournament, whose invite is a text.

    Raises:
        UsageError: it is no such invite, or one for another tournament than that of the folder.
    """
    found = read_swap(text, Purpose.EVENT)
    known, is_new = folder.known_folder(home, path), not path.exists()
    if known is not None and known.event[:HALF] != found.subject:
        raise UsageError(str(carrying.OTHER_TOURNAMENT))
    path.mkdir(parents=True, exist_ok=True)
    files = Exchange(lambda event: path if event[:HALF] == found.subject else None)
    try:
        asyncio.run(_call(files, found))
    except TransportError:
        say(str(carrying.NOT_SERVED))
        return Exit.NO_CONNECTION
    except ExchangeError:
        return Exit.NO_CONNECTION
    finally:
        if is_new:
            # A folder into which nothing has come is none.
            with suppress(OSError):
                path.rmdir()
    if not files.came and not files.given:
        say(carrying.met(0, 0))
    return Exit.FINE


async def _call(files: Exchange, found: Invite) -> None:
    link = await call(PeerEndpoint(found.pin, found.candidates, found.seen), found.secret)
    try:
        await files.answer(link)
    finally:
        with suppress(TransportError):
            await link.close()
