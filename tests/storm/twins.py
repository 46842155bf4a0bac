"""Twins: two matches in which everything that everybody sees is decided alike and what is hidden differs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from helpers_storm import STORM, StormPair
from helpers_wire import NONCE, envelope_of

from protocol.core.frames import FrameKind, unpack_frame
from protocol.core.steps import Commit, ProveMembership, Recommit, Reveal, Seal, Step, Unseal
from protocol.core.wire import encode
from protocol.game import Decision
from storm_p2p.storm import engine, views
from storm_p2p.storm.actions import Move
from storm_p2p.storm.board import Faction
from storm_p2p.storm.rules import movement
from storm_p2p.storm.rules.setup import check_units
from storm_p2p.storm.state import Terms
from storm_p2p.storm.units import Unit

C, O = Faction.CHTHONIANS, Faction.OLYMPIANS  # noqa: E741 (the catalogue of rules calls them so)
BLANK = bytes(32)

Frames = list[tuple[int, bytes]]
Parts = tuple[tuple[int, ...], ...]


def blank(step: Step) -> Step:
    """Return a step without what hides: commitments, their nonces, proofs about them and what opens them."""
    match step:
        case Commit(commitments, proof, _):
            return Commit((BLANK,) * len(commitments), bytes(len(proof)), NONCE)
        case Recommit(parts, proof, _):
            return Recommit(tuple((BLANK,) * len(part) for part in parts), bytes(len(proof)), NONCE)
        case ProveMembership(part, proof):
            return ProveMembership(part, bytes(len(proof)))
        case Seal():
            return Seal(BLANK, NONCE)
        case Reveal(openings):
            return Reveal(tuple((value, BLANK) for value, _ in openings))
        case Unseal(said, _):
            return Unseal(said, BLANK)
        case _:
            return step


def skeleton(frame: bytes, *, own_match: bool = False) -> bytes:
    """Return an envelope's frame with commitments, the hash of the one before and the signature blanked out."""
    envelope = envelope_of(frame)
    bare = replace(envelope, prev=BLANK, steps=tuple(blank(step) for step in envelope.steps))
    if own_match:
        bare = replace(bare, match_id=BLANK)
    return encode((int(FrameKind.ENVELOPE), 1, bare.pack(), bytes(64)))


def differing(one: bytes, other: bytes) -> list[int]:
    return [place for place, (left, right) in enumerate(zip(one, other, strict=True)) if left != right]


def hiding_places(frame: bytes) -> set[int]:
    """Return the bytes of a frame where commitments, proofs, the hash of the one before and the signature stand."""
    envelope = envelope_of(frame)
    hidden = [envelope.prev, unpack_frame(frame)[1][1]]
    for step in envelope.steps:
        if isinstance(step, Commit):
            hidden += [*step.commitments, step.proof, step.nonce]
        elif isinstance(step, Recommit):
            hidden += [step.proof, step.nonce, *(commitment for part in step.parts for commitment in part)]
        elif isinstance(step, Seal):
            hidden += [step.commitment, step.nonce]
        elif isinstance(step, Reveal):
            hidden += [opening for _, opening in step.openings]
        elif isinstance(step, Unseal):
            hidden.append(step.salt)
    places: set[int] = set()
    for piece in hidden:
        start = frame.index(piece)
        places |= set(range(start, start + len(piece)))
    return places


def assert_silent(one: Frames, other: Frames, *, own_match: bool = False) -> None:
    """Check that two wires differ in nothing but what hides, and the hashes and signatures over it."""
    assert [seat for seat, _ in one] == [seat for seat, _ in other]
    assert [len(frame) for _, frame in one] == [len(frame) for _, frame in other]
    for (_, left), (_, right) in zip(one, other, strict=True):
        assert skeleton(left, own_match=own_match) == skeleton(right, own_match=own_match)
        if not own_match:
            assert set(differing(left, right)) <= hiding_places(left)
        # What everybody knows is the same, so its hash is.
        assert envelope_of(left).state == envelope_of(right).state


class Twins:
    """Two matches that everybody but their owners takes for one."""

    def __init__(
        self, *, own_match: bool = False, tag: str = "twins", terms: Terms | None = None, scheme: str = "hash"
    ) -> None:
        self.own_match = own_match
        self.first = StormPair(terms, tag=tag, scheme=scheme)
        self.second = StormPair(terms, tag=f"another {tag}" if own_match else tag, scheme=scheme)
        self.pairs = (self.first, self.second)
        if not own_match:
            assert self.first.host.agreement.match_id == self.second.host.agreement.match_id

    def place(self, seat: int, first: Sequence[Unit], second: Sequence[Unit]) -> None:
        for pair, units in zip(self.pairs, (first, second), strict=True):
            pair.act(seat, None, tuple(int(one) for one in units))

    def say(self, seat: int, said: Decision, first: Parts | None = None, second: Parts | None = None) -> None:
        """Say the same in both, with parts of one's own."""
        for pair, parts in zip(self.pairs, (first, second), strict=True):
            pair.act(seat, said, parts)
        self.check()

    def do(self, seat: int, action: object) -> None:
        """Do the same in both."""
        for pair in self.pairs:
            pair.do(seat, action)  # type: ignore[arg-type]
        self.check()

    def check(self) -> None:
        assert_silent(self.first.wire, self.second.wire, own_match=self.own_match)
        assert STORM.dump(self.first.host.state) == STORM.dump(self.second.host.state)
        assert self.first.host.request == self.second.host.request
        for seat in (0, 1):
            assert self.first.sessions[seat].stopped is self.second.sessions[seat].stopped is None
            asked = [pair.sessions[seat].asks_us for pair in self.pairs]
            assert asked[0] == asked[1]

    def silent_moves(self) -> Iterator[Move]:
        """Yield every move of the side to move that opens nothing, in the form that everybody sees."""
        state = self.first.host.state.game
        assert state == views.public(state)
        side = state.sides[state.turn]
        for origin, group in enumerate(side[1:], 1):
            for target in range(1, 25):
                if state.sides[1 - state.turn][target]:
                    continue
                for count in range(1, len(group) + 1):
                    movers = tuple(range(count)) if count == len(group) else ()
                    move = Move((origin, target), movers, count)
                    try:
                        plan = movement.judge(state, move)
                    except engine.IllegalAction:
                        continue
                    # A price that ends the match is no longer silent: the seeds are opened then.
                    if state.honor[state.turn] + plan.honor > 0:
                        yield move


def swapped(units: Sequence[Unit], chance: random.Random) -> tuple[Unit, ...]:
    """Return a legal setup in which two hidden units have changed places, or one has come for one that was left out."""
    faction = C if units[0] < 12 else O
    while True:
        changed = list(units)
        first, second = chance.sample(range(12), 2)
        changed[first], changed[second] = changed[second], changed[first]
        if set(changed[:9]) == set(units[:9]) and changed[:9] == list(units[:9]):
            continue
        if check_units(faction, changed, random=False) is None:
            return tuple(changed)
