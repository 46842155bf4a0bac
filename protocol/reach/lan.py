"""Find a host in the same network without its invite: a sealed invite in an announcement (mDNS, with ``zeroconf``).

The host's program says four words, which the player reads aloud to a friend.  What it announces to the network is
that some host of this game waits at an address and port, under a name made by chance, and the invite encrypted under
the words.  Neither name nor key nor secret is in the clear, and two announcements of one host have nothing in common.

Four words of 256 are 32 bits.  Each guess costs scrypt with 64 MiB, about a fifth of a second; all of them cost decades
of one processor, but days of one data-centre GPU, and an invite is good once and for a week.  Why not a
key exchange by password: it would need a library of its own and a second listener, for a secret that is worth a seat in
a game.

What is *not* here: the meaning of the invite, which is text.
"""

import asyncio
import ipaddress
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from protocol.core.words import WORDS
from protocol.crypto import sealing
from protocol.reach import ReachError

SERVICE = "_storm-p2p._tcp.local."
"""The type of service that is announced (RFC 6763)."""

WORD_COUNT = 4
"""How many words a host tells a friend."""

BROWSE_SECONDS = 3.0
"""How long to listen for announcements."""

_LABEL = b"storm-p2p lan 1"
_SALT, _NONCE = 16, 12
_PART = 200
_PARTS = 4
_HOSTS = 16


def draw_words() -> tuple[str, ...]:
    """Return the words under which an invite is sealed."""
    return tuple(secrets.choice(WORDS) for _ in range(WORD_COUNT))


def read_words(text: str) -> tuple[str, ...] | None:
    """Return the words in what a person has typed; None when they are not four of the list."""
    found = tuple(re.findall(r"[a-z]+", text.lower()))
    return found if len(found) == WORD_COUNT and set(found) <= set(WORDS) else None


def seal(invite: str, words: Sequence[str]) -> bytes:
    """Return an invite that only who knows the words can read: salt 16, nonce 12, ChaCha20-Poly1305 of the text."""
    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    return salt + nonce + sealing.seal(_key(words, salt), nonce, invite.encode("ascii"), _LABEL)


def unseal(box: bytes, words: Sequence[str]) -> str | None:
    """Return the invite, or None when the words are others or the box is none."""
    salt, nonce, sealed = box[:_SALT], box[_SALT : _SALT + _NONCE], box[_SALT + _NONCE :]
    if len(box) > _PART * _PARTS or len(sealed) < 16:
        return None
    found = sealing.unseal(_key(words, salt), nonce, sealed, _LABEL)
    return None if found is None else found.decode("ascii", "replace")


def _key(words: Sequence[str], salt: bytes) -> bytes:
    return sealing.harden(" ".join(words).encode(), salt, 16)


def split_box(box: bytes) -> dict[str, bytes]:
    """Return a box as the values of a TXT record, each short enough for one (RFC 6763, section 6.1)."""
    return {str(at // _PART): box[at : at + _PART] for at in range(0, len(box), _PART)}


def join_box(values: dict[bytes, bytes | None]) -> bytes:
    """Return the box in the values of a stranger's TXT record."""
    return b"".join(values.get(str(number).encode()) or b"" for number in range(_PARTS))[: _PART * _PARTS]


@dataclass(frozen=True, slots=True)
class WaitingHost:
    """A host that was found."""

    addresses: tuple[str, ...]
    port: int
    box: bytes


def import_library() -> Any:
    """Return the module of ``zeroconf``.

    Raises:
        ReachError: ``no-zeroconf``: the extra ``lan`` is not installed.
    """
    try:
        # An extra: most players need it never.
        from zeroconf import asyncio as found
    except ImportError as error:
        raise ReachError("no-zeroconf", "expected the extra storm-p2p[lan], got none") from error
    return found


class Announcement:
    """A host's announcement, until it is closed."""

    def __init__(self, zeroconf: Any, info: Any) -> None:
        """Take over what was announced; use :func:`announce`."""
        self._zeroconf, self._info = zeroconf, info

    async def close(self) -> None:
        """Take it back; takes a second at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await self._zeroconf.async_unregister_service(self._info)
        await self._zeroconf.async_close()


async def announce(invite: str, words: Sequence[str], addresses: Sequence[str], port: int) -> Announcement:
    """Announce a waiting host in the networks of some own addresses.

    Raises:
        ReachError: ``no-zeroconf`` or ``closed`` (no network carries announcements).
    """
    module = import_library()
    box = await asyncio.to_thread(seal, invite, words)
    # The names are made by chance: the name of the machine is nobody's business.
    name = secrets.token_hex(8)
    packed = [ipaddress.ip_address(address).packed for address in addresses]
    info = module.AsyncServiceInfo(
        SERVICE, f"{name}.{SERVICE}", port=port, addresses=packed, properties=split_box(box), server=f"{name}.local."
    )
    try:
        zeroconf = module.AsyncZeroconf(interfaces=[one for one in addresses if ":" not in one])
    except OSError as error:
        raise ReachError("closed", f"expected a network for announcements, got none ({error})") from error
    try:
        await zeroconf.async_register_service(info)
    except BaseException as error:
        await zeroconf.async_close()
        if isinstance(error, OSError):
            raise ReachError("closed", f"expected a network for announcements, got none ({error})") from error
        raise
    return Announcement(zeroconf, info)


async def browse(seconds: float = BROWSE_SECONDS, interfaces: Sequence[str] | None = None) -> tuple[WaitingHost, ...]:
    """Return the hosts that are announced, in the order in which they were heard.

    Raises:
        ReachError: ``no-zeroconf`` or ``closed``.
    """
    module = import_library()
    names: asyncio.Queue[str] = asyncio.Queue(_HOSTS)
    loop = asyncio.get_running_loop()

    def heard(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        if state_change.name == "Added":
            loop.call_soon_threadsafe(lambda: None if names.full() else names.put_nowait(name))

    try:
        zeroconf = module.AsyncZeroconf(**({} if interfaces is None else {"interfaces": list(interfaces)}))
    except OSError as error:
        raise ReachError("closed", f"expected a network to listen in, got none ({error})") from error
    found: dict[str, WaitingHost] = {}
    browser = module.AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[heard])
    try:
        async with asyncio.timeout(seconds):
            while len(found) < _HOSTS:
                name = await names.get()
                info = module.AsyncServiceInfo(SERVICE, name)
                if await info.async_request(zeroconf.zeroconf, 1_000):
                    found[name] = WaitingHost(tuple(info.parsed_addresses()), info.port or 0, join_box(info.properties))
    except TimeoutError:
        pass
    finally:
        await browser.async_cancel()
        await zeroconf.async_close()
    return tuple(found.values())
