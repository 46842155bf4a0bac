"""The files of a tournament on their way: ``event sync``, and what the other commands do by themselves.

``event serve`` waits for callers, who exchange files with it by ``event sync`` and the invite that it shows.
"""

import asyncio
import secrets
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cli.events import carriers, folder
from cli.events.carried import LINE_LIMIT, TEXT_LIMIT, Fate, Intake, read_lines, write_line
from cli.events.carriers import CarrierError, Synced
from cli.events.folder import copy_log
from cli.events.judging import keep_value, recall_value
from cli.events.standing import choose, look
from cli.meeting.exchange import Exchange, ExchangeError
from cli.meeting.joining import call, is_line, read_swap
from cli.meeting.reachability import Listening, LocalEndpoint, PeerEndpoint, Reachability
from cli.runtime.console import Exit, UsageError, ask, result, say, stop
from cli.runtime.terminal import has_waiting_line, is_terminal
from cli.storage import unlock
from cli.storage.home import Home, list_logs
from cli.text import carrying, commands, events, joining
from protocol.core.agreement import read_agreement
from protocol.crypto.keys import identity_hash
from protocol.errors import ProtocolError
from protocol.reach import invite
from protocol.reach.invite import HALF, Invite, Purpose
from protocol.record import logfile
from protocol.record.files import write_file
from protocol.record.journal import Journal, JournalError
from protocol.record.logfile import LogError
from protocol.system.files import open_file, read_file
from protocol.tournament.contents import Chained, Event
from protocol.tournament.documents import DocumentError, read
from protocol.tournament.survey import find_events
from protocol.transport import Transport, TransportError
from protocol.transport.certificate import PIN_LENGTH, Certificate


def sync(home: Home, options: Namespace) -> Exit:
    """Exchange files with the address that is given, or that was given before."""
    path: Path = options.folder
    known = folder.known_folder(home, path)
    if options.forget:
        if known is not None:
            folder.remember(home, path, known.event, known.name, "")
        say(carrying.forgotten(str(path)))
        return Exit.FINE
    if options.remote and is_line(options.remote):
        return _exchange(home, path, options.remote)
    address = options.remote or (known.remote if known else "") or carriers.origin(path)
    if not address:
        raise UsageError(carrying.no_remote(str(path)))
    found, address = _sync(home, path, address, options.id)
    said = (carrying.address_of(address), len(found.came))
    if found.problem is None or found.came:
        result(carrying.came(*said) if found.sent is None else carrying.moved(*said, found.sent))
    for fate, names in found.refused.items():
        say(carrying.refused(str(fate), names))
    if found.cut:
        say(str(carrying.MORE))
    if found.problem is not None:
        say(_problem(found.problem, address))
        return Exit.NO_CONNECTION
    if found.sent is None:
        say(str(carrying.READ_ONLY))
    return Exit.FINE


class Carried(Enum):
    """How it went where a command exchanges files by itself."""

    NOWHERE = "nowhere"
    """The folder has no address."""
    DONE = "done"
    FAILED = "failed"


def around(home: Home, options: Namespace, run: Callable[[Home, Namespace], Exit]) -> Exit:
    """Run a command about a folder with what the others have, and let them have what it has written."""
    path, offline = options.folder, getattr(options, "offline", False)
    before = Carried.NOWHERE
    if options.what != "new":
        before = keep_up(home, path, offline=offline)
    there = _names(path)
    code = run(home, options)
    new = _names(path) - there
    if new and before is not Carried.NOWHERE:
        if before is Carried.FAILED or keep_up(home, path) is Carried.FAILED:
            say(str(carrying.LATER))
    elif new and options.what != "take":
        say(str(events.SEND_FOLDER))
        _offer_lines(path, new)
    return code


def _offer_lines(path: Path, names: Iterable[str]) -> None:
    """Show documents of players as lines that fit into a chat."""
    lines = []
    for name in sorted(names):
        # Somebody else may have put it there.
        with suppress(OSError, DocumentError):
            data = read_file(path / name, LINE_LIMIT)
            if not isinstance(read(data).content, Event | Chained):
                lines.append(write_line(data))
    if lines:
        say(carrying.paste_this(shlex.quote(str(path))))
    say(*lines)


def _names(path: Path) -> set[str]:
    return {entry.name for entry in path.iterdir()} if path.is_dir() else set()


def keep_up(home: Home, path: Path, *, offline: bool = False) -> Carried:
    """Exchange files with the address that a folder has, and say what has come and gone."""
    how, sentences = carry(home, path, offline=offline)
    say(*sentences)
    return how


def carry(home: Home, path: Path, *, offline: bool = False) -> tuple[Carried, list[str]]:
    """Exchange files with the address that a folder has, and return sentences about it; what fails, fails in one."""
    known = folder.known_folder(home, path)
    if known is None or not known.remote:
        return Carried.NOWHERE, []
    if offline:
        return Carried.FAILED, []
    try:
        found, address = _sync(home, path, known.remote, None, carriers.SECONDS_BRIEF)
    except UsageError as error:
        return Carried.FAILED, [*error.args]
    except OSError as error:
        return Carried.FAILED, [commands.unusable(error, path)]
    shown, said = carrying.address_of(address), []
    if found.came:
        said.append(carrying.came(shown, len(found.came)))
    if found.sent:
        said.append(carrying.sent(shown, found.sent))
    if found.problem is not None:
        said.append(_problem(found.problem, address))
    return Carried.DONE if found.problem is None else Carried.FAILED, said


def _sync(
    home: Home, path: Path, given: str, wanted: str | None, seconds: float = carriers.SECONDS
) -> tuple[Synced, str]:
    """Exchange files with an address, and remember it.

    Raises:
        UsageError: the address cannot be used, or it is not clear which event is meant.
        OSError: the folder cannot be used.
    """
    known, is_new, event = folder.known_folder(home, path), not path.exists(), _event(home, path, wanted)
    try:
        carrier, address = carriers.open_carrier(given, home.folder / "carried", seconds)
        path.mkdir(parents=True, exist_ok=True)
        found = carriers.sync(path, carrier, event, _picker(carrying.address_of(given), wanted))
    except CarrierError as error:
        return Synced(problem=error), given
    finally:
        if is_new:
            # A folder into which nothing has come is none.
            with suppress(OSError):
                path.rmdir()
    # A zip that came by mail will not change, and what could not be used may be mistyped.
    is_usable = found.problem is None or found.problem.code in ("refused", "lost_race")
    if (known is None or known.remote != address) and is_usable and not isinstance(carrier, carriers.Zip):
        announcement = find_events(folder.read_folder(path).documents.values()).get(found.event or b"")
        if announcement is not None:
            folder.remember(home, path, announcement.id, announcement.content.name, address)
            say(carrying.remembered(str(path), carrying.address_of(address)))
    return found, address


def _problem(error: CarrierError, address: str) -> str:
    cause = error.__cause__
    why = commands.reason(cause) if isinstance(cause, OSError) and cause.errno else error.detail
    return carrying.problem(error.code, address, why)


def _event(home: Home, path: Path, wanted: str | None) -> bytes | None:
    """Return the event of a folder; None if it has none yet.

    Raises:
        UsageError: it has several, and it is not clear which one is meant.
        OSError: it cannot be used.
    """
    known = folder.known_folder(home, path)
    if known is not None and wanted is None:
        return known.event
    announced = find_events(folder.read_folder(path).documents.values()) if path.exists() else {}
    return choose(path, announced, wanted, None) if announced else None


def check_own(file: Path, begins: bytes) -> None:
    """Refuse to replace what begins in another way than an earlier one of its kind: it may be a log.

    Raises:
        UsageError: it does.
        OSError: it is no file, or cannot be read.
    """
    with suppress(FileNotFoundError), open_file(file) as there:
        if there.read(len(begins)) not in (begins, b""):
            raise UsageError(commands.there_already(str(file)))


def bundle(home: Home, options: Namespace) -> Exit:
    """Write all files of an event into one."""
    event = _event(home, options.folder, options.id)
    if event is None:
        raise UsageError(events.no_event(str(options.folder)))
    check_own(options.out, b"PK")
    write_file(options.out, carriers.bundle((data for _, data in carriers.files(options.folder)), event))
    say(events.written(str(options.out)))
    return Exit.FINE


def take(home: Home, options: Namespace) -> Exit:
    """Take documents from pasted lines."""
    path, code = options.folder, Exit.FINE
    event = _event(home, path, options.id)
    if event is None:
        raise UsageError(events.no_event(str(path)))
    found, problem = read_lines(" ".join(options.line) or _paste())
    for _, taken in Intake(path, event).take_all(("", data) for data in found):
        if taken.fate is Fate.ADDED:
            say(carrying.took(taken.name))
        elif taken.fate is Fate.HELD:
            say(str(carrying.HELD))
        else:
            say(carrying.not_taken(str(taken.fate)))
            code = Exit.NO
    if problem is not None:
        say(carrying.not_taken(problem.code))
        code = Exit.USAGE
    return code


def _paste() -> str:
    """Return what is pasted, with as many lines more as it lacks; the whole input where no person pastes."""
    if not is_terminal(sys.stdin):
        return "" if sys.stdin is None else sys.stdin.read(TEXT_LIMIT)
    text = ask(str(carrying.PASTE))
    while (problem := read_lines(text)[1]) is not None and problem.code == "cut":
        following = ask("" if has_waiting_line() else str(carrying.REST))
        if not following.strip():
            break
        text = f"{text}\n{following}"
    return text


def export(home: Home, options: Namespace) -> Exit:
    """Copy what this machine holds of the event into its folder: logs, and matches as they stand."""
    # Most commands about a folder look at no match that has begun.
    from cli.match import stored

    seen = look(home, options.folder, options.id)
    event = seen.tournament.id
    before = set(folder.read_folder(seen.path).logs)
    for path in list_logs(home):
        try:
            agreement = read_agreement(logfile.load(logfile.read(path)).records)
        except (LogError, ProtocolError):
            continue
        if agreement.conditions.event is not None and agreement.conditions.event.event == event:
            copy_log(seen.path, path)
    for match in stored.unfinished(home):
        try:
            with Journal.open(home.matches, match.local_id) as book:
                session = None if book.is_erased else stored.restore(book, home)
                where = read_agreement([entry.record for entry in book.read_entries()]).conditions.event
                if where is not None and where.event == event:
                    copy_log(seen.path, stored.export(book, home.logs, session))
        except (JournalError, LogError, ProtocolError):
            # It is open in another window, or damaged; the command that goes on with it says so.
            continue
    added = sorted(set(folder.read_folder(seen.path).logs) - before)
    result(*added)
    say(events.logs_added(len(added)))
    return Exit.FINE


@contextmanager
def unpacked(path: Path, wanted: str | None) -> Iterator[Path]:
    """Give a folder with the files of a bundle, and any other folder as it is.

    Raises:
        UsageError: it is no bundle, or one of several events.
        OSError: it cannot be read.
    """
    if not path.is_file():
        yield path
        return
    with TemporaryDirectory(prefix="storm-p2p-") as made:
        found = carriers.sync(Path(made), carriers.Zip(read_file(path, carriers.BYTES)), None, _picker(path, wanted))
        if found.problem is not None:
            raise UsageError(_problem(found.problem, str(path)))
        for fate, names in found.refused.items():
            say(carrying.refused(str(fate), names))
        yield Path(made)


def _picker(path: Path | str, wanted: str | None) -> Callable[[Iterable[bytes]], bytes]:
    return lambda files: choose(path, find_events(files), wanted, None)


MOST: Final = 8
"""How many callers are served at once; others hear that it is busy."""
_DAYS: Final = 180
"""How many days an invite is good: as long as most tournaments last."""


def serve(home: Home, options: Namespace) -> Exit:
    """Wait for callers until it is interrupted."""
    seen = look(home, options.folder, options.id)
    told = tuple((host, port) for host, port, is_udp in options.announce or () if not is_udp)
    # Nobody pastes answers here, so nobody is knocked at.
    wanted = Listening(options.bind, options.port, told, options.map, options.tor, (), knock=False)
    reachability = Reachability(wanted, home)
    asyncio.run(_serve(home, options.folder, seen.tournament.id, reachability, fresh=options.fresh))
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
        say(*joining.hosting(reachability.candidates, reachability.missing, reachability.seen))
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
    await link.close()


def _exchange(home: Home, path: Path, text: str) -> Exit:
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
        await link.close()
