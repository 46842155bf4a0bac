"""Stirring and checking a deck against the bare multiplications of the group, and a whole match of the game with one.

The yardstick is a loop over PyNaCl that does as many multiplications as the argument has (SPEC.md, "Piles"): of the
base, of other points, and by the order for each point that comes.  Then whole matches between computer players: the
processor time of the setup a side, the bytes that go over, and ``verify``.
"""

from __future__ import annotations

import random
import secrets
import statistics
import time
from collections.abc import Callable

from benchmarks import goals, matches, verifying
from benchmarks.proofs import Work, ratio
from protocol.core.agreement import Role, host_takes
from protocol.core.audit import verify
from protocol.core.handshake import Config, Handshake
from protocol.core.session import Session
from protocol.crypto import group, piles
from protocol.crypto.commitments.interface import Context, Maker
from protocol.crypto.keys import PrivateKey
from protocol.game import PILE_LIMIT
from storm_p2p import games
from storm_p2p.fight.bots import BOTS
from storm_p2p.fight.card_file import load_reconstructed
from storm_p2p.fight.codec import encode_terms
from storm_p2p.fight.game import Fight
from storm_p2p.fight.state import View

GOAL = 1.3


def bare_stir(count: int) -> Work:
    """Return the multiplications of whoever stirs and proves it.

    Masks: one of the base and one of the joint key for each pair.  Commitments: to the order, its powers, ``delta``,
    the products and the three lists of nonces; and the two halves of the new pairs are weighed once each.
    """
    commitments = 2 * count + count + (count - 1) + (count - 1) + count
    return Work(count + 7, count + 1 + commitments + 2 * count, 0, 0)


def bare_check(count: int) -> Work:
    """Return the multiplications of whoever checks: three commitments, and old and new pairs weighed."""
    commitments = count + (count - 1) + count
    # Whether a point is one of the group is a multiplication by its order; the new pairs and three commitments come.
    return Work(4, commitments + 2 * count + 2 * count + 6, 0, 2 * count + 3)


def forget() -> None:
    """Let every proof be checked again, also what was found good."""
    piles._check_stir.cache_clear()
    piles._check_same.cache_clear()


def deck() -> tuple[Callable[[], object], Callable[[], object]]:
    """Return stirring a whole deck that was stirred before, and checking that."""
    match_id, seed = secrets.token_bytes(32), secrets.token_bytes(32)
    maker, context = Maker(match_id, 0, seed, secrets.token_bytes(32)), Context(match_id, 0, match_id, 1)
    joint = piles.join_keys(piles.key_point(seed, match_id, seat) for seat in (0, 1))
    old, _ = piles.stir(maker, context, piles.open_deck(range(PILE_LIMIT), joint), joint)
    new, proof = piles.stir(maker, context, old, joint)

    def check() -> None:
        forget()
        piles.check_stir(context, old, new, joint, proof)

    return lambda: piles.stir(maker, context, old, joint), check


class Timed:
    """Two sessions of the second game whose processor time is counted a side."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        game, secret, terms = Fight(), rng.randbytes(16), encode_terms(load_reconstructed())
        new = [rng.randbytes(32) for _ in range(7)]
        host = Handshake(
            Config(
                Role.HOST,
                game,
                PrivateKey(new[0]),
                "host",
                new[1],
                secret,
                terms=terms,
                scheme="proved",
                seating=host_takes(0),
            )
        )
        guest = Handshake(
            Config(Role.GUEST, game, PrivateKey(new[2]), "guest", new[3], secret, accept_any=True, blind=new[4])
        )
        matches.carry(guest, host)
        guest.accept()
        matches.carry(guest, host)
        self.seconds = [0.0, 0.0]
        self.bytes = 0
        self.sessions: list[Session] = []
        for seat, (side, fresh) in enumerate(((host, new[5]), (guest, new[6]))):
            started = time.process_time()
            self.sessions.append(Session.begin(side, aux_rand=fresh))
            self.seconds[seat] += time.process_time() - started
        self.settle()

    def settle(self) -> None:
        """Carry frames until nobody has any; each side's work counts for it."""
        moved = True
        while moved:
            moved = False
            for seat, sender in enumerate(self.sessions):
                for frame in sender.data_to_send():
                    moved = True
                    self.bytes += len(frame)
                    # What the other has checked does not help.
                    forget()
                    started = time.process_time()
                    self.sessions[1 - seat].receive_data(frame, 0.0)
                    self.seconds[1 - seat] += time.process_time() - started

    def play(self, chance: random.Random) -> Session:
        """Let computer players play it to the end."""
        while True:
            asked = next((session for session in self.sessions if session.asks_us is not None), None)
            if asked is None:
                return self.sessions[0]
            asked.act(BOTS["greedy"].decide(View(asked.state, asked.known), asked.seat, chance))
            self.settle()


def main(slices: int = 9, plays: int = 8) -> None:
    """Print the ratios and the figures of whole matches."""
    group.require()
    stir, check = deck()
    for name, mine, work in (("stir", stir, bare_stir(PILE_LIMIT)), ("check", check, bare_check(PILE_LIMIT))):
        times, seconds = ratio(mine, work.bare(), slices, 1)
        number = work.bases + work.multiples + work.points
        print(
            f"piles: {name} of {PILE_LIMIT} cards: {seconds * 1000:.0f} ms, {times:.2f} times its "
            f"{number} bare multiplications ({goals.say(f'{name} of a deck', times, most=GOAL)})"
        )
    setups, sizes, judged, turns = [], [], [], []
    for seed in range(plays):
        match = Timed(seed)
        setups.append(max(match.seconds))
        session = match.play(random.Random(seed))
        sizes.append(match.bytes / 1000)
        turns.append(session.state.number)
        records = list(session.records)
        forget()
        verifying.forget()
        started = time.process_time()
        assert verify(records, games.find).ok
        judged.append(time.process_time() - started)
    setup, size, seconds = statistics.median(setups), max(sizes), max(judged)
    print(
        f"piles: setup of a match {setup:.2f} s of processor time a side "
        f"({goals.say('s of a setup with a pile', setup, most=1.0)}); {plays} matches of {min(turns)} to {max(turns)} "
        f"turns: {statistics.median(sizes):.0f} kB, the longest {size:.0f} "
        f"({goals.say('kB of a match with a pile', size, most=120)}); verify {statistics.median(judged):.2f} s, the "
        f"longest {seconds:.2f} ({goals.say('s of verify with a pile', seconds, most=1.5)})"
    )
