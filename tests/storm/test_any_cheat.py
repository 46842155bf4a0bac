"""Programs that cheat at random, wherever that passes unnoticed at first: the audit names them and nobody else."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from helpers import daily_first
from helpers_storm import STORM, StormPair, some_terms
from helpers_wire import NONCE, Cheat

from protocol.core.events import Disagreement
from protocol.core.session import Session
from protocol.core.steps import Choice, Commit, ProveMembership, Recommit, Seal, Unseal
from protocol.crypto.commitments.hash import HashScheme
from protocol.crypto.commitments.interface import Maker
from protocol.game import Choose, Hide, Locate, Mix, Sealed
from storm_p2p.storm.units import Unit


class Liar:
    """The program of one seat, which lies about once in so many decisions."""

    def __init__(self, pair: StormPair, seat: int, seed: int) -> None:
        self.pair = pair
        self.cheat = Cheat(pair, seat)
        self.chance = random.Random(seed)
        self.lies: Counter[str] = Counter()
        self.honest = self.session._force
        self.session._force = self.force  # type: ignore[method-assign]

    @property
    def session(self) -> Session:
        return self.cheat.session

    def decide(self) -> None:
        """Do what is asked, or something else that looks well."""
        if self.chance.random() < 0.25 and self.lie():
            return
        self.pair.decide(self.session, self.chance)
        self.pair.settle()

    def lie(self) -> bool:
        request = self.session.asks_us
        if isinstance(request, Hide):
            return self.cover(request)
        if isinstance(request, Choose) and request.kind == "turn":
            return self.divide()
        if isinstance(request, Sealed):
            return self.seal(request)
        return False

    def force(self) -> None:
        """Do what leaves nothing to decide, or say that the leader of a random setup lies where he does not."""
        session = self.session
        transcript = self.cheat.transcript
        request = transcript.position.request
        if isinstance(request, Locate) and request.seat == session.seat and self.chance.random() < 0.25:
            self.lies["landed"] += 1
            lie = ProveMembership(1 - int(STORM.check(session.state, session.seat, 1, session.known) is None), b"")
            session._emit(self.cheat.envelope(lie, state=self.cheat.state_after(lie)))
        self.honest()

    def cover(self, request: Hide) -> bool:
        values = list(request.values)
        self.chance.shuffle(values)
        # Where the deck of a random setup has the leader is nobody's fault.
        how = self.chance.choice(("twice", "foreign", "salt", *(("leader",) if request.kind == "setup" else ())))
        if how == "twice":
            values[0] = values[1]
        elif how == "foreign":
            values[self.chance.randrange(12)] = (values[0] + 12) % 24
        elif how == "leader":
            leader = next(value for value in values if Unit(value).name in ("HADES", "ZEUS"))
            values.remove(leader)
            values.append(leader)
        self.lies[how] += 1
        made = self.commitments(request.slots[0], values, own_salts=how == "salt")
        self.quiet(how != "leader")
        self.send(Commit(tuple(made), b"", NONCE))
        return True

    def divide(self) -> bool:
        """Send part of a group away, and not those that stood there."""
        session = self.session
        decision = [
            one for one in session.moves() if isinstance(one, tuple) and one[0] == 0 and isinstance(one[2], int)
        ]
        if not decision:
            return False
        choice = Choice(self.chance.choice(decision))
        builder = self.cheat.builder()
        builder.add(choice)
        request = builder.request
        if not isinstance(request, Mix):
            return False
        values = [session.known.get(slot, 0) for slot in request.take]
        self.chance.shuffle(values)
        how = self.chance.choice(("swap", "any members", "salt"))
        if how == "swap":
            values[0] = self.chance.choice([one for one in range(24) if one not in values])
        self.lies[f"divide: {how}"] += 1
        made = self.commitments(request.give[0][0], values, own_salts=how == "salt")
        count = len(request.give[0])
        self.quiet(how != "any members")
        self.send(choice, Recommit((tuple(sorted(made[:count])), tuple(sorted(made[count:]))), b"", NONCE))
        return True

    def seal(self, request: Sealed) -> bool:
        """Seal with a salt of one's own; only the audit can see that."""
        if self.session.seat != request.seats[0]:
            return False
        cheat, position = self.cheat, self.cheat.transcript.position
        decision = self.chance.choice(self.session.moves())
        salt = self.chance.randbytes(32)
        self.lies["seal"] += 1
        self.quiet(True)
        self.send(Seal(cheat.transcript.referee.seal(self.session.seat, position.serial, salt, decision), NONCE))
        other = self.pair.sessions[1 - self.session.seat]
        while (
            other.asks_us is not None
            and cheat.transcript.length == other.transcript.length
            and other.request == request
        ):
            self.pair.decide(other, self.chance)
            self.pair.settle()
        self.send(Unseal(decision, salt))
        return True

    def commitments(self, batch: int, values: list[int], *, own_salts: bool) -> list[bytes]:
        secrets = self.cheat.secrets
        seed = self.chance.randbytes(32) if own_salts else secrets.seed
        maker = Maker(self.cheat.transcript.agreement.match_id, self.session.seat, seed, nonce=NONCE)
        return [secret.commitment for secret in HashScheme().commit(maker, batch, values)]

    def quiet(self, really: bool) -> None:
        if really:
            self.cheat.go_quiet()

    def send(self, *steps: Choice | Commit | Recommit | Seal | Unseal) -> None:
        self.cheat.send_and_hold(self.cheat.envelope(*steps, state=self.cheat.state_after(*steps)))


@pytest.mark.parametrize("matches", daily_first([20, 60]))
def test_whoever_cheats_at_random_is_named_by_the_audit_and_the_other_never_is(matches: int) -> None:
    lies: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for number in range(matches):
        seat = number % 2
        pair = StormPair(some_terms(random.Random(number)), tag=f"liar {number}")
        liar = Liar(pair, seat, number)
        honest = pair.sessions[1 - seat]
        for _ in range(120):
            asked = pair.asked
            if asked is None or honest.over:
                break
            if asked is honest:
                pair.decide(honest, liar.chance)
                pair.settle()
                continue
            try:
                liar.decide()
            except Exception:
                # Its own lies have confused the liar; the match ends here.
                break
        if not honest.over:
            honest.side_channel.resign()
            pair.settle()
        assert not isinstance(honest.stopped, Disagreement), (number, honest.stopped)
        verdict = pair.verify(1 - seat)
        assert all(one.seat == seat for one in verdict.problems), (number, verdict.problems)
        assert all(one.seat == seat for one in honest.problems or ()), number
        lies.update(liar.lies)
        codes.update(one.code for one in verdict.problems)
        if verdict.audited and set(liar.lies) - {"divide: any members"}:
            assert verdict.problems, (number, liar.lies)
    assert {"twice", "foreign", "leader", "salt", "landed", "divide: swap", "seal"} <= set(lies), lies
    assert {"batch_not_derived", "illegal_decision", "seal_not_derived"} <= set(codes), codes
