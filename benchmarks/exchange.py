"""One exchange (move, answer) over WebSockets and TLS with signatures and durable journals on both sides, against the
same exchange written by hand without our session: websockets, ssl, sign, verify and one durable sqlite transaction a
message.

The ratio is one of CPU time, both sides together, in alternating rounds; what a clock on the wall says depends on the
disk and on who else works, and is told beside it.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.asyncio.client import connect as ws_connect
from websockets.asyncio.server import ServerConnection, serve

from benchmarks import goals, matches
from protocol.core.agreement import Role
from protocol.core.session import Session
from protocol.core.wire import FRAME_LIMIT
from protocol.crypto.keys import PrivateKey
from protocol.record.journal import Journal
from protocol.transport import Transport
from protocol.transport.certificate import Certificate, caller_context
from protocol.transport.listening import serve as listen
from protocol.transport.websocket import connect
from storm_p2p.storm.state import Terms

EXCHANGES = 40

Took: TypeAlias = tuple[float, float]
"""Seconds of CPU time and on the wall."""


def since(start: Took = (0.0, 0.0)) -> Took:
    """Return what both clocks say now, or what has gone by on them."""
    return time.process_time() - start[0], time.perf_counter() - start[1]


class Shell:
    """A session with a journal and a line, as ``cli.match.match`` has them."""

    def __init__(self, session: Session, folder: Path, link: Transport) -> None:
        self.session = session
        self.link = link
        self.journal = Journal.create(
            folder,
            started_at=0,
            role=Role.HOST,
            name="x",
            entropy=secrets.token_bytes(32),
            identity=PrivateKey(secrets.token_bytes(32)),
        )
        self.journal.append(session.records_to_store())

    async def send(self) -> None:
        """Store what is new, then send it."""
        new = self.session.records_to_store()
        if new:
            self.journal.append(new)
        for frame in self.session.data_to_send():
            await self.link.send(frame)

    async def listen(self, woken: asyncio.Event) -> None:
        """Receive, store and answer until the line ends."""
        while (frame := await self.link.receive()) is not None:
            self.session.receive_data(frame, 0.0)
            await self.send()
            woken.set()


def settled(pair: tuple[Session, Session]) -> bool:
    """Return whether somebody has to decide, or nobody ever again."""
    return any(session.over or session.asks_us is not None for session in pair)


async def ours(folder: Path) -> list[Took]:
    """Return the seconds of each decision, with all messages that it forces, with the program's parts."""
    rng = random.Random(3)
    times: list[Took] = []
    while len(times) < EXCHANGES:
        pair = matches.meet(Terms(), rng)
        matches.carry(*pair)
        certificate, secret = Certificate.make(), secrets.token_bytes(16)
        listener = await listen("127.0.0.1", 0, certificate, secret)
        pin = certificate.fingerprint
        calling, link = await asyncio.gather(connect("127.0.0.1", listener.port, pin, secret), listener.accept())
        calling.limit = link.limit = FRAME_LIMIT
        shells = (Shell(pair[0], folder, link), Shell(pair[1], folder, calling))
        woken = asyncio.Event()
        listening = [asyncio.create_task(shell.listen(woken)) for shell in shells]
        while not pair[0].over and len(times) < EXCHANGES:
            seat = 0 if pair[0].asks_us is not None else 1
            start = since()
            matches.decide(pair[seat], "random", rng)
            thinking = since(start)
            seq = pair[seat].transcript.length
            await shells[seat].send()
            # It is over when the other side holds it and somebody has to decide again.
            while pair[1 - seat].transcript.length < seq or not settled(pair):
                woken.clear()
                await woken.wait()
            cpu, wall = since(start)
            times.append((cpu - thinking[0], wall - thinking[1]))
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        await calling.close()
        await link.close()
        await listener.close()
        for shell in shells:
            shell.journal.close()
    return times


def _database(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE record (number INTEGER PRIMARY KEY, frame BLOB)")
    return database


def _store(database: sqlite3.Connection, frame: bytes) -> None:
    database.execute("BEGIN")
    database.execute("INSERT INTO record (frame) VALUES (?)", (frame,))
    database.execute("COMMIT")


async def by_hand(folder: Path) -> list[Took]:
    """Return the seconds of each message (sent, stored on both sides, verified) written by hand."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key()
    one, two = _database(folder / "one.db"), _database(folder / "two.db")
    taken: asyncio.Queue[bytes] = asyncio.Queue()

    async def answer(socket: ServerConnection) -> None:
        async for message in socket:
            assert isinstance(message, bytes)
            public.verify(message[:64], message[64:])
            _store(two, message)
            await taken.put(message)

    times: list[Took] = []
    server_side = Certificate.make().context()
    async with serve(answer, "127.0.0.1", 0, ssl=server_side, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with ws_connect(f"wss://127.0.0.1:{port}", ssl=caller_context(), compression=None) as socket:
            for _ in range(EXCHANGES):
                start = since()
                body = secrets.token_bytes(150)
                frame = key.sign(body) + body
                _store(one, frame)
                await socket.send(frame)
                await taken.get()
                times.append(since(start))
    one.close()
    two.close()
    return times


def main(rounds: int = 7) -> None:
    """Print the ratio of a decision with all that it forces to one message by hand."""
    mine: list[Took] = []
    hand: list[Took] = []
    ratios: list[float] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            yours = asyncio.run(by_hand(folder))
            program = asyncio.run(ours(folder))
        mine += program
        hand += yours
        ratios.append(_median(program, 0) / _median(yours, 0))
    ratio = statistics.median(ratios)
    print(
        f"exchange: one decision {_told(mine)}, by hand {_told(hand)}, "
        f"ratio of CPU time {ratio:.2f} ({goals.say('exchange', ratio, most=2)})"
    )


def _median(times: list[Took], clock: int) -> float:
    return statistics.median(took[clock] for took in times)


def _told(times: list[Took]) -> str:
    slow = sorted(wall for _, wall in times)[int(len(times) * 0.99)]
    return f"{_median(times, 0) * 1000:.2f} ms of CPU, {_median(times, 1) * 1000:.2f} ms (p99 {slow * 1000:.2f})"
