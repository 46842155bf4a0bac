"""How two people meet who cannot call each other: a line, an answer, and what comes of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from network.homes import SERVERS, Homes
from network.programs import PROGRAM, Program

OPTIONS = (*(word for one in SERVERS for word in ("--stun", one)), "--guess-ports", "--player", "bot:random")
REFUSAL = "cannot meet directly"
"""What the program says of two homes that have no way, before a match."""


class Pair(NamedTuple):
    """Two programs of which one hosts in the home ``a`` and one joins from ``b``."""

    host: Program
    guest: Program
    begun: float
    """When the answer was pasted; when the guest began, if the host was called."""


class Outcome(NamedTuple):
    """What has come of it: a way, ``named`` for a refusal that says why, or ``none``; and after how many seconds."""

    way: str
    seconds: float


def introduce(
    homes: Homes,
    folder: Path,
    *,
    program: Sequence[str] = PROGRAM,
    words: tuple[Sequence[str], Sequence[str]] = ((), ()),
    wait: Callable[[Program, Program], object] | None = None,
) -> Pair:
    """Carry the lines between two homes; ``words`` are for host and guest, and ``wait`` lasts until the paste."""
    host = Program(homes, "home-a", folder / "host", "host", *OPTIONS, *words[0], program=program)
    invite = host.until("invite")["invite"]
    begun = time.monotonic()
    guest = Program(homes, "home-b", folder / "guest", "join", invite, *OPTIONS, *words[1], program=program)
    # Whoever has learnt from the line that there is no way may say so and end.
    with suppress(AssertionError):
        line = guest.until("reply", "connected")
        if line["event"] == "reply":
            if wait:
                wait(host, guest)
            begun = time.monotonic()
            host.give(answer=line["invite"])
    return Pair(host, guest, begun)


def see_outcome(pair: Pair, seconds: float = 20.0) -> Outcome:
    """Wait until both are connected, or one says that they cannot be."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if all(one.find("connected") for one in (pair.host, pair.guest)):
            way = pair.guest.find("way")
            connected = max(one.when("connected") for one in (pair.host, pair.guest))
            return Outcome(way["by"] if way else "?", connected - pair.begun)
        if any(REFUSAL in re.sub(r"\s+", " ", one.errors) for one in (pair.host, pair.guest)):
            return Outcome("named", max(0.0, time.monotonic() - pair.begun))
        time.sleep(0.05)
    return Outcome("none", seconds)


def resume(homes: Homes, folder: Path, *, program: Sequence[str] = PROGRAM) -> Pair:
    """Continue on both sides, without a line."""
    begun = time.monotonic()
    sides = (("home-a", "host"), ("home-b", "guest"))
    host, guest = (Program(homes, name, folder / who, "resume", *OPTIONS, program=program) for name, who in sides)
    return Pair(host, guest, begun)
