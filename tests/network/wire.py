"""A long cable between two network devices: what goes in at one end comes out of the other later, or never.

``python wire.py NEAR FAR SECONDS PERCENT`` makes the two devices and prints a line; then one of them may move to
another namespace.  It does what the module ``sch_netem`` does in kernels that have it.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import random
import struct
import sys
from contextlib import suppress

_TUNSETIFF, _TAP_WITHOUT_HEADER = 0x400454CA, 0x1002  # linux/if_tun.h
_ARP, _IPV6 = b"\x08\x06", b"\x86\xdd"


def make_device(name: str) -> int:
    """Return the descriptor of a new device, from which frames are read and to which they are written."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _TAP_WITHOUT_HEADER))
    return device


def asks_for_neighbours(frame: bytes) -> bool:
    """Tell whether a frame looks for the machine at the other end, by ARP or by ICMPv6 (RFC 4861)."""
    kind = frame[12:14]
    return kind == _ARP or (kind == _IPV6 and frame[20:21] == b"\x3a" and 133 <= frame[54] <= 137)


async def main(near: str, far: str, seconds: float, percent: float) -> None:
    """Carry frames both ways until the process is killed."""
    loop = asyncio.get_running_loop()
    ends = make_device(near), make_device(far)

    def put(target: int, frame: bytes) -> None:
        with suppress(OSError):  # a full or vanished device loses the frame, as a cable does
            os.write(target, frame)

    def carry(source: int, target: int) -> None:
        frame = os.read(source, 1 << 16)
        # Whoever is next door is found at once: nobody is asked for over a whole line.
        if asks_for_neighbours(frame):
            put(target, frame)
        elif random.random() * 100 >= percent:
            loop.call_later(seconds, put, target, frame)

    loop.add_reader(ends[0], carry, ends[0], ends[1])
    loop.add_reader(ends[1], carry, ends[1], ends[0])
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])))
