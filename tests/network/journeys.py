"""How two people meet who cannot call each other: a line, an answer, and what comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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
    """When the answer was pasted; when the guest began, if the host was called; when both were started again."""
    resumed: bool = False


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
    try:
        line = guest.until("reply", "connected")
    except AssertionError:
        # Whoever has learnt from the line that there is no way may say so and end.
        return Pair(host, guest, begun)
    if line["event"] == "reply":
        if wait:
            wait(host, guest)
        begun = time.monotonic()
        host.give(answer=line["invite"])
    return Pair(host, guest, begun)


def see_outcome(pair: Pair, seconds: float = 20.0) -> Outcome:
    """Wait until both are connected, or one says that they cannot be."""
    end = time.monotonic() + seconds
    # A match that goes on knows its words before anybody has been called.
    event, state = ("line", "connected") if pair.resumed else ("connected", None)
    while time.monotonic() < end:
        way = pair.guest.find("way")
        if way and all(one.find(event, state=state) for one in (pair.host, pair.guest)):
            connected = max(one.when(event, state=state) for one in (pair.host, pair.guest))
            return Outcome(way["by"], connected - pair.begun)
        if any(says(one, REFUSAL) for one in (pair.host, pair.guest)):
            return Outcome("named", max(0.0, time.monotonic() - pair.begun))
        time.sleep(0.05)
    return Outcome("none", seconds)


def says(one: Program, sentence: str) -> bool:
    """Tell whether a program has said this to people, on one line or on several."""
    return sentence in " ".join(one.errors.split())


def resume(homes: Homes, folder: Path, *, program: Sequence[str] = PROGRAM) -> Pair:
    """Continue on both sides, without a line."""
    begun = time.monotonic()
    sides = (("home-a", "host"), ("home-b", "guest"))
    host, guest = (Program(homes, name, folder / who, "resume", *OPTIONS, program=program) for name, who in sides)
    return Pair(host, guest, begun, resumed=True)
