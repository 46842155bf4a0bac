"""``storm-p2p witness``: countersign the hash and the time of each message of matches that name this witness."""

import asyncio
import time
from argparse import Namespace

from cli.runtime import console
from cli.runtime.console import Exit, line, result, say
from cli.storage.home import Home
from cli.text import matches
from protocol.core.witness import MESSAGE_LIMIT, Witness
from protocol.crypto.keys import PrivateKey
from protocol.reach.surroundings import find_own_addresses
from protocol.record import keyfile
from protocol.transport.asking import open_desk


def main(home: Home, options: Namespace) -> Exit:
    """Run the command."""
    console.check_clock()
    home.prepare()
    # Not the identity: what a witness signs has nothing to do with who plays.
    key = keyfile.load_or_make(home.witness_file)
    asyncio.run(_serve(key, options))
    return Exit.FINE


async def _serve(key: PrivateKey, options: Namespace) -> None:
    witness = Witness(key)

    def answer(frame: bytes) -> bytes | None:
        return witness.answer(frame, int(time.time()))

    desk = await open_desk(answer, MESSAGE_LIMIT, options.bind, options.port)
    address, port = desk.address
    shown = options.bind or next(iter(await find_own_addresses()), "127.0.0.1")
    place = f"[{shown}]:{port}" if ":" in shown else f"{shown}:{port}"
    terms = f"{key.public.hex()}@{place}"
    if options.json:
        line({"event": "witness", "terms": terms, "address": address, "port": port})
    else:
        first, *more = matches.witness_waiting(terms)
        result(first)
        say(*more)
    try:
        await asyncio.Event().wait()
    finally:
        await desk.close()
