"""Bad bytes for matches of Storm in every phase: what is no message, and what is one against the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgpack
from helpers_storm import StormPair, setup
from helpers_wire import NONCE, Cheat

from protocol.core.frames import FrameKind, pack_frame
from protocol.core.steps import Choice, Commit, Recommit, Reveal, Seal, Step, TossCommit, TossReveal, Unseal
from protocol.crypto import keys
from protocol.game import Decision
from storm_p2p.storm import codec
from storm_p2p.storm.actions import Fight, Liturgy, Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Maneuver

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)


# --- phases ----------------------------------------------------------------------------------------------------


def setting_up() -> StormPair:
    return StormPair(tag="bad setup")


def dealing() -> StormPair:
    pair = StormPair(Terms(random_setup=True), tag="bad deal")
    pair.act(0, None, tuple(range(12)))
    return pair


def moving() -> StormPair:
    pair = StormPair(tag="bad move")
    pair.place(setup(C, cronus=12, hades=10), setup(O, artemis=13))
    return pair


def sealing() -> StormPair:
    pair = moving()
    pair.do(C, Move((12, 13), (0,), 1))
    return pair


def answering() -> StormPair:
    pair = sealing()
    pair.do(O, Fight(O, Maneuver.STANDARD, 0))
    return pair


def mixing() -> StormPair:
    """Return a match in which a group is divided and its fresh tokens are still to come."""
    pair = StormPair(tag="bad mix")
    pair.place(setup(C, cerberus=11, cronus=5, hades=10), setup(O))
    pair.do(C, Move((5, 11), (0,), 1))
    pair.do(O, Liturgy())
    cheat = Cheat(pair, 0)
    half = Choice(codec.encode(Move((11, 12), (), 1)))
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(half, state=cheat.state_after(half)))
    return pair


def opening() -> StormPair:
    """Return a match in which a unit has to be opened."""
    pair = moving()
    cheat = Cheat(pair, 0)
    attack = Choice(codec.encode(Move((12, 13), (0,), 1)))
    cheat.go_quiet()
    cheat.send_and_hold(cheat.envelope(attack, state=cheat.state_after(attack)))
    return pair


def over() -> StormPair:
    pair = moving()
    pair.host.side_channel.resign()
    pair.transfer(0)
    return pair


PHASES: tuple[Callable[[], StormPair], ...] = (setting_up, dealing, moving, sealing, answering, mixing, opening, over)


# --- bytes ---


MALFORMED: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, float("nan"), 2**63, b"x", "text", {}, {1: 2}, [], [[]], [3], [3, 3],
    [3, 3, None, None],
    [3, 3, b"", bytes(64)], [3, 3, b"x", bytes(63)], [3, True, b"x", bytes(64)], [3.0, 3, b"x", bytes(64)],
    [3, 1, b"x", bytes(64)], [3, 3, "x", bytes(64)], [3, 3, {b"x": 1}, bytes(64)], [3, 3, [b"x"], bytes(64)],
    [3, 3, b"x", bytes(64), None], msgpack.ExtType(1, b"x"), [msgpack.ExtType(3, b"")],
    [3, 3, msgpack.Timestamp(1), b""],
    [2**64 - 1, 3], ["3", 3, b"x", bytes(64)], [4, 3, b"\x90", bytes(64)], [5, 3, b"\x90", bytes(64), bytes(64)],
    [6, 3, bytes(32), bytes(64)], [7, 3, b"\x90", bytes(64)], [8, 3, b"\x90", bytes(64)], [9, 3, "code", "ours"],
)  # fmt: skip


def rubbish() -> Iterator[bytes]:
    chance = random.Random(1)
    yield b""
    for first in range(256):
        yield bytes((first,))
        yield bytes((first,)) + chance.randbytes(chance.randrange(1, 80))
    for size in (15, 16, 100, 1000, 16384, 16385, 200_000):
        yield chance.randbytes(size)
        yield b"\x94" * size
        yield b"\xdd\xff\xff\xff\xff" + bytes(size)
    for kind in range(16):
        for count in (0x90, 0x92, 0x93, 0x94, 0x95, 0x96, 0x9F):
            yield bytes((count, kind, 3))
            yield bytes((count, kind, 3)) + bytes(100)


def signed(cheat: Cheat, kind: FrameKind, label: str, data: bytes) -> bytes:
    return pack_frame(kind, data, keys.sign(cheat.secrets.match_key, label, data))


def some_steps(chance: random.Random) -> tuple[Step, ...]:
    def octets() -> bytes:
        return chance.choice((bytes(32), chance.randbytes(32)))

    def said(depth: int = 0) -> Decision:
        if chance.random() < 0.6 or depth > 3:
            return chance.choice((None, 0, 1, 5, 12, 13, 24, 25, -1, 255, 2**31, 2**53 - 1, chance.randrange(40)))
        return tuple(said(depth + 1) for _ in range(chance.randrange(5)))

    def action() -> Decision:
        kind = chance.randrange(15)
        count = len(codec._KINDS[kind][1])
        fields: list[Decision] = [said(2) for _ in range(count)]
        if kind < 2 and chance.random() < 0.8:
            fields[0] = tuple(chance.randrange(26) for _ in range(chance.randrange(1, 4)))
        return (kind, *fields)

    def parts() -> tuple[tuple[bytes, ...], ...]:
        return tuple(tuple(octets() for _ in range(chance.randrange(4))) for _ in range(chance.randrange(1, 4)))

    def openings() -> tuple[tuple[int, bytes], ...]:
        found = [(chance.choice((0, 5, 12, 23, 24, 65535)), octets()) for _ in range(chance.randrange(1, 4))]
        return tuple(found)

    makers: tuple[Callable[[], Step], ...] = (
        lambda: Choice(action()),
        lambda: Choice(said()),
        lambda: Choice(tuple(range(12))),
        lambda: Seal(octets(), NONCE),
        lambda: Unseal(action(), octets()),
        lambda: Recommit(parts(), chance.choice((b"", b"x")), NONCE),
        lambda: Commit(tuple(octets() for _ in range(chance.choice((1, 12, 13)))), b"", NONCE),
        lambda: Reveal(openings()),
        lambda: TossCommit(octets(), NONCE),
        lambda: TossReveal(octets()),
    )
    return tuple(chance.choice(makers)() for _ in range(chance.choice((1, 1, 1, 2, 3))))
