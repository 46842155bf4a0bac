"""Making and checking the proofs of the scheme ``proved``, against the bare operations of the group that each needs.

The yardstick is a loop over PyNaCl that does as many multiplications and additions of points as the construction has:
a multiple of the base, a multiple of a point and a difference for each branch, the differences and sums that make the
branches, and the point checks.  Then a whole match: the share of the proofs in its time and bytes, and the whole work
of ``verify`` against its bare checks of proofs and signatures.  The generators belong to the program and not to a log;
they are computed before anything is measured.
"""

from __future__ import annotations

import random
import secrets
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

from nacl import bindings

from benchmarks import goals, patient, verifying
from protocol.core.audit import verify
from protocol.core.frames import Record
from protocol.core.session import Session
from protocol.core.steps import Commit, ProveMembership, Recommit
from protocol.crypto import group, proofs
from protocol.crypto.commitments import proved
from protocol.crypto.commitments.interface import Context, Maker, Regrouping, SlotToken
from protocol.crypto.commitments.proved import ProvedScheme
from protocol.crypto.commitments.schemes import find_scheme
from storm_p2p import games
from storm_p2p.storm.board import Faction
from storm_p2p.storm.units import ROSTER

GOAL = 1.3
TURNS = 200


@dataclass(frozen=True, slots=True)
class Work:
    """How many operations of the group a proof needs."""

    bases: int
    multiples: int
    sums: int
    points: int

    def bare(self) -> Callable[[], None]:
        """Return a loop that does so many."""
        scalar = (secrets.randbelow(2**252) + 1).to_bytes(32, "little")
        one = bindings.crypto_scalarmult_ed25519_base_noclamp(scalar)
        other = bindings.crypto_core_ed25519_add(one, one)

        def loop() -> None:
            for _ in range(self.bases):
                bindings.crypto_scalarmult_ed25519_base_noclamp(scalar)
            for _ in range(self.multiples):
                bindings.crypto_scalarmult_ed25519_noclamp(scalar, one)
            for _ in range(self.sums):
                bindings.crypto_core_ed25519_add(one, other)
            for _ in range(self.points):
                bindings.crypto_core_ed25519_is_valid_point(one)

        return loop


def work(clauses: Sequence[int], tokens: int, *, prove: bool) -> Work:
    """Return what a permutation of so many tokens takes, with clauses of so many branches.

    Whoever proves also makes the tokens; whoever checks also checks that they are points.
    """
    branches = sum(clauses)
    # A difference for each branch and one for each nonce, and the two sums of a permutation.
    sums = 2 * branches + 2 * (tokens - 1)
    return Work(branches + tokens * prove, branches, sums + tokens * prove, 0 if prove else tokens)


def cases() -> list[tuple[str, Callable[[], object], Callable[[], object], list[int], int, int]]:
    """Return name, proving, checking, branches, tokens and bytes of each kind of proof."""
    match_id, seed, aux_rand = (secrets.token_bytes(32) for _ in range(3))
    maker, context = Maker(match_id, 0, seed, aux_rand), Context(match_id, 0, match_id, 1)
    prover = ProvedScheme()
    values = [int(unit) for unit in ROSTER[Faction.CHTHONIANS]]
    random.Random(5).shuffle(values)
    leader = values[4]
    within = [(leader, tuple(range(9)))]
    held, proof = prover.hide(maker, context, 0, values, within)
    branches = [12] * 12 + [1, 9]
    tokens = tuple(SlotToken(match_id, 0, 0, one.commitment) for one in held)

    def check_setup() -> None:
        # A scheme of its own, because it remembers what it has checked.
        ProvedScheme().check_hide(context, tokens, values, within, proof)

    found: list[tuple[str, Callable[[], object], Callable[[], object], list[int], int, int]] = [
        ("setup", lambda: prover.hide(maker, context, 0, values, within), check_setup, branches, 12, len(proof))
    ]
    for count in (2, 3, 4):
        move = Regrouping(tokens[:count], held[:count], (tuple(range(1, count)), (0,)), ())
        parts, shuffled = prover.mix(maker, context, 24, move)
        new = [[SlotToken(match_id, 0, 24, one.commitment) for one in part] for part in parts]

        def make(move: Regrouping = move) -> object:
            return prover.mix(maker, context, 24, move)

        def check(move: Regrouping = move, new: list[list[SlotToken]] = new, shuffled: bytes = shuffled) -> None:
            ProvedScheme().check_mix(context, move.old, new, (), shuffled)

        found.append((f"division of {count}", make, check, [count] * count + [1], count, len(shuffled)))
    return found


def ratio(mine: Callable[[], object], yardstick: Callable[[], object], slices: int, times: int) -> tuple[float, float]:
    """Return the median ratio of both in alternating slices, and the median seconds of one run of ours."""

    def repeated(what: Callable[[], object]) -> Callable[[], None]:
        def run() -> None:
            for _ in range(times):
                what()

        return run

    pairs = [(verifying.spent(repeated(mine)), verifying.spent(repeated(yardstick))) for _ in range(slices)]
    seconds = statistics.median(one for one, _ in pairs) / times
    return statistics.median(one / other for one, other in pairs), seconds


def lasting(turns: int = TURNS) -> tuple[patient.Long, float]:
    """Return a proved match of so many turns, and the CPU time of its proofs."""
    spent = 0.0

    def timed(work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            nonlocal spent
            start = time.process_time()
            try:
                return work(*arguments)
            finally:
                spent += time.process_time() - start

        return call

    with (
        mock.patch.object(proofs, "prove", timed(proofs.prove)),
        mock.patch.object(proved, "check", timed(proofs.check)),
    ):
        for seed in range(20):
            spent = 0.0
            found = patient.play(random.Random(seed), turns, "proved")
            if found.session.state.game.number >= turns:
                return found, spent
    raise RuntimeError("no match lasted")


def proofs_of(session: Session) -> list[bytes]:
    """Return the proofs of a match."""
    return [
        step.step.proof
        for step in session.transcript.history
        if isinstance(step.step, Commit | Recommit | ProveMembership)
    ]


def bare_checks(session: Session) -> Callable[[], None]:
    """Return the checks of a match's proofs alone."""
    transcript = session.transcript
    referee = transcript.referee
    wanted = [played for played in transcript.history if isinstance(played.step, Commit | Recommit | ProveMembership)]

    def check() -> None:
        scheme = find_scheme("proved")
        bare = type(referee)(referee.game, scheme, referee.match_id)
        for played in wanted:
            bare.apply(played.before, played.seat, played.step)

    return check


def main(slices: int = 15) -> None:
    """Print the ratios."""
    group.require()
    for name, prove, check, clauses, tokens, size in cases():
        times = 1 if name == "setup" else 8
        made, prove_time = ratio(prove, work(clauses, tokens, prove=True).bare(), slices, times)
        checked, check_time = ratio(check, work(clauses, tokens, prove=False).bare(), slices, times)
        print(
            f"proofs: {name}: prove {prove_time * 1000:.2f} ms, {made:.2f} times the bare operations; check "
            f"{check_time * 1000:.2f} ms, {checked:.2f} times "
            f"({goals.say(f'{name}, proved', made, most=GOAL)}; {goals.say(f'{name}, checked', checked, most=GOAL)}); "
            f"{size} bytes"
        )
    match, seconds = lasting()
    session = match.session
    proved = proofs_of(session)
    total, part = sum(map(len, match.frames)), sum(map(len, proved))
    longest = max(map(len, match.frames))
    print(
        f"proofs: a match of {session.state.game.number} turns, {session.transcript.length} envelopes and "
        f"{len(proved)} proofs: "
        f"{total / 1000:.0f} kB ({goals.say('kB of a proved match', total / 1000, most=200)}), "
        f"{part / total:.0%} of them proofs; {match.seconds:.2f} s in both sessions, "
        f"{seconds / match.seconds:.0%} of it for proofs; the setup {longest} bytes "
        f"({goals.say('bytes of a proved setup', longest, most=10000)})"
    )
    records: list[Record] = list(session.records)
    check_proofs, check_signatures = bare_checks(session), verifying.bare(records)

    def whole() -> None:
        assert verify(records, games.find).ok

    pairs = []
    for _ in range(slices):
        verifying.forget()
        mine = verifying.spent(whole)
        pairs.append((mine, verifying.spent(check_proofs), verifying.spent(check_signatures)))
    whole_ratio = statistics.median(mine / (proof + signature) for mine, proof, signature in pairs)
    share = statistics.median(proof / mine for mine, proof, _ in pairs)
    print(
        f"proofs: verify of this match takes {statistics.median(pair[0] for pair in pairs) * 1000:.0f} ms, {share:.0%} "
        f"of it for proofs, {whole_ratio:.2f} times the bare checks of proofs and signatures "
        f"({goals.say('verify of a proved match', whole_ratio, most=1.5)})"
    )
