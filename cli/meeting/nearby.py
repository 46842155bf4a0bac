"""Meet in the same network without sending an invite: the host announces it sealed, the guest types four words."""

import asyncio
from collections.abc import Callable, Iterable

from cli.runtime.console import say
from cli.text import joining
from protocol.reach import ReachError, lan

TRIES = 3
"""How often a guest may mistype the words."""


async def announce(invite: str, own: Iterable[str], port: int) -> lan.Announcement | None:
    """Announce a waiting host and say the words; None with a sentence said when that is not possible.

    The invite is sealed; ``own`` are this machine's addresses in the networks of the house.
    """
    addresses = [address for address in own if ":" not in address]
    try:
        if not addresses:
            raise ReachError("no-network", "expected an address in a network, got none")
        drawn = lan.draw_words()
        announcement = await lan.announce(invite, drawn, addresses, port)
    except ReachError as error:
        say(joining.not_announced(joining.why(error)))
        return None
    say(joining.announced(drawn))
    return announcement


def find(given: str, ask: Callable[[str], str]) -> str | None:
    """Return the invite of a host in this network; None with a sentence said.  Without words ``ask`` asks for them.

    Raises:
        EOFError: the person has closed the input.
    """
    say(str(joining.LOOKING))
    try:
        hosts = asyncio.run(lan.browse())
    except ReachError as error:
        say(joining.not_looked(joining.why(error)))
        return None
    if not hosts:
        say(str(joining.NOBODY))
        return None
    say(joining.found([host.addresses[0] for host in hosts if host.addresses]))
    for _ in range(TRIES):
        typed = lan.read_words(given or ask(str(joining.ASK)))
        found = None if typed is None else next(filter(None, (lan.unseal(host.box, typed) for host in hosts)), None)
        if found is not None:
            return found
        say(str(joining.NOT_WORDS if typed is None else joining.OTHER_WORDS))
        if given:
            break
    return None
