"""The workshop of a forger: proofs of anything, which hold only where it is true."""

from __future__ import annotations

from collections.abc import Sequence

from helpers_proofs import L, number, points
from helpers_storm import StormPair
from helpers_wire import NONCE, Cheat

from protocol.core.steps import Choice, Commit, ProveMembership, Recommit, Step
from protocol.crypto.commitments import statements
from protocol.crypto.commitments.interface import Context, Maker, Secret
from protocol.crypto.commitments.proved import ProvedScheme
from protocol.crypto.proofs import prove
from protocol.game import Decision, Hide, Locate, Mix
from storm_p2p.storm.state import Terms

SCHEME = ProvedScheme()


class Forger(Cheat):
    """A cheat who makes proofs of anything; they hold only where it is true."""

    def maker(self, seed: bytes | None = None) -> Maker:
        return Maker(self.transcript.agreement.match_id, self.seat, seed or self.secrets.seed, nonce=NONCE)

    def here(self) -> Context:
        return self.transcript.referee.context(self.transcript.position, self.seat)

    def made(self, values: Sequence[int], seed: bytes | None = None) -> tuple[Secret, ...]:
        request = self.transcript.position.request
        assert isinstance(request, Hide)
        return SCHEME.commit(self.maker(seed), request.slots[0], values)

    def cover(self, values: Sequence[int], context: Context | None = None, seed: bytes | None = None) -> Commit:
        """Hide any values."""
        request = self.transcript.position.request
        assert isinstance(request, Hide)
        made = self.made(values, seed)
        within = self.transcript.referee.within(request)
        wanted = sorted(request.values)
        witnesses = [(wanted.index(one.value) if one.value in wanted else 0, number(one)) for one in made]
        witnesses.append((0, sum(map(number, made)) % L))
        for value, places in within:
            true = next((at for at, place_in in enumerate(places) if made[place_in].value == value), 0)
            witnesses.append((true, number(made[places[true]])))
        statement = statements.hide(context or self.here(), points(made), request.values, within)
        return Commit(tuple(points(made)), prove(statement, witnesses, self.secrets.seed, b""), NONCE)

    def shuffle(
        self, decision: Decision, moved: Sequence[int], stayed: Sequence[int], context: Context | None = None
    ) -> tuple[Choice, Recommit]:
        """Divide a group, with any values in both parts."""
        builder = self.builder()
        builder.add(Choice(decision))
        position, request = builder.position, builder.request
        assert isinstance(request, Mix)
        referee = self.transcript.referee
        slots = [slot for part in request.give for slot in part]
        made = SCHEME.commit(self.maker(), slots[0], [*moved, *stayed])
        parts = [sorted(made[: len(moved)], key=lambda one: one.commitment)]
        parts.append(sorted(made[len(moved) :], key=lambda one: one.commitment))
        replay = builder.secret_replay
        old = [
            Secret(replay.known[slot], replay.openings[slot], position.tokens[slot].commitment) for slot in request.take
        ]
        barred = referee.barred(position, request)
        witnesses = []
        for part, out in zip(parts, barred, strict=True):
            allowed = [at for at in range(len(old)) if at not in out]
            for one in part:
                true = next((at for at, other in enumerate(allowed) if old[other].value == one.value), 0)
                witnesses.append((true, (number(one) - number(old[allowed[true]])) % L))
        witnesses.append((0, (sum(map(number, made)) - sum(map(number, old))) % L))
        where = context or referee.context(position, self.seat)
        statement = statements.mix(where, points(old), [points(part) for part in parts], barred)
        proof = prove(statement, witnesses, self.secrets.seed, b"")
        return Choice(decision), Recommit(tuple(tuple(points(part)) for part in parts), proof, NONCE)

    def find(self, part: int) -> ProveMembership:
        """Say that the leader of a random setup lies in a part."""
        position = self.transcript.position
        request = position.request
        assert isinstance(request, Locate)
        slots = request.parts[part]
        opened = [number_of(self, slot) for slot in slots]
        true = next((at for at, slot in enumerate(slots) if self.session.known[slot] == request.value), 0)
        statement = statements.locate(self.here(), [position.tokens[slot].commitment for slot in slots], request.value)
        return ProveMembership(part, prove(statement, [(true, opened[true])], self.secrets.seed, b""))

    def show(self, *steps: Step) -> None:
        """Send steps that ought to be refused."""
        self.send(self.envelope(*steps))


def number_of(cheat: Cheat, slot: int) -> int:
    return int.from_bytes(cheat.session._secret_replay.openings[slot], "little")


def new(tag: str, terms: Terms | None = None) -> tuple[StormPair, Forger]:
    pair = StormPair(terms, tag=tag, scheme="proved")
    return pair, Forger(pair, 0)
