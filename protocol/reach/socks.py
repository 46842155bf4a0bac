"""One call through a SOCKS5 proxy, as tor offers it (RFC 1928): the way to an onion address.

The name goes to the proxy as it is and is never looked up here.  Why not ``python-socks``: it would be a second
dependency for three short messages, two of which have a fixed length.
"""

import asyncio
import socket
import struct

from protocol.reach import ReachError

PORTS = (9050, 9150)
"""Where tor, and the Tor Browser, listen on this machine."""

GREETING = b"\x05\x01\x00"
"""Version 5, one method: none."""

ACCEPTED = b"\x05\x00"

_REPLIES = (
    "success",
    "failure",
    "not allowed",
    "network unreachable",
    "host unreachable",
    "refused",
    "expired",
    "command not supported",
    "address type not supported",
)


def request(host: str, port: int) -> bytes:
    """Return the request to connect to a name (RFC 1928, section 4).

    Raises:
        ValueError: the name is empty, longer than 255 bytes or not ASCII.
    """
    name = host.encode("ascii")
    if not 1 <= len(name) <= 255:
        raise ValueError(f"expected 1 to 255 characters, got {len(name)}")
    return b"\x05\x01\x00\x03" + bytes((len(name),)) + name + struct.pack(">H", port)


def count_rest(head: bytes) -> int:
    """Return how many bytes follow the first five of a reply (section 6).

    Raises:
        ReachError: ``refused``: the proxy could not connect, or ``malformed``.
    """
    if len(head) != 5 or head[0] != 5:
        raise ReachError("malformed", f"expected a reply of SOCKS 5, got {head.hex()}")
    if head[1]:
        meaning = _REPLIES[head[1]] if head[1] < len(_REPLIES) else f"code {head[1]}"
        raise ReachError("refused", f"expected a connection through Tor, got: {meaning}")
    length = {1: 4, 3: 1 + head[4], 4: 16}.get(head[3])
    if length is None:
        raise ReachError("malformed", f"expected an address, got type {head[3]}")
    # One byte of the address was read with the head; the port follows it.
    return length - 1 + 2


async def connect(
    host: str, port: int, *, proxies: tuple[int, ...] | None = None, seconds: float = 60.0
) -> socket.socket:
    """Return a connected socket to an onion address through the tor of this machine.

    Args:
        host: the address.
        port: outside.
        proxies: where tor may listen; ``PORTS`` when left out.
        seconds: how long it may take.

    Raises:
        ReachError: ``no-tor``, ``refused``, ``malformed`` or ``silent``.
    """
    ports = PORTS if proxies is None else proxies
    for proxy in ports:
        link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        link.setblocking(False)
        try:
            async with asyncio.timeout(seconds):
                try:
                    await asyncio.get_running_loop().sock_connect(link, ("127.0.0.1", proxy))
                except OSError:
                    link.close()
                    continue
                await _connect_through(link, host, port)
        except TimeoutError:
            link.close()
            raise ReachError("silent", f"expected a connection through Tor within {seconds:g} s, got none") from None
        except OSError as error:
            link.close()
            raise ReachError("malformed", f"expected a proxy of SOCKS 5, got none ({error})") from error
        except BaseException:
            link.close()
            raise
        return link
    raise ReachError("no-tor", f"expected tor on port {' or '.join(map(str, ports))} of this machine, got none")


async def is_listening() -> bool:
    """Return whether tor's proxy is on this machine; says nothing about whether it has a connection."""
    for proxy in PORTS:
        try:
            async with asyncio.timeout(1.0):
                _, writer = await asyncio.open_connection("127.0.0.1", proxy)
        except (OSError, TimeoutError):
            continue
        writer.close()
        return True
    return False


async def _connect_through(link: socket.socket, host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(link, GREETING)
    if (method := await _read_exactly(link, 2)) != ACCEPTED:
        raise ReachError("malformed", f"expected a proxy of SOCKS 5 without a password, got {method.hex()}")
    await loop.sock_sendall(link, request(host, port))
    await _read_exactly(link, count_rest(await _read_exactly(link, 5)))


async def _read_exactly(link: socket.socket, count: int) -> bytes:
    data = b""
    # Not one byte more: what follows belongs to the one who is called.
    while len(data) < count:
        more = await asyncio.get_running_loop().sock_recv(link, count - len(data))
        if not more:
            raise ReachError("malformed", f"expected {count} bytes from the proxy, got {len(data)}")
        data += more
    return data
