"""What we are about to say: steps tried out on a copy of the match before they are sent.

Here are our secrets.  What is *not* here: signing and sending, which is :mod:`protocol.core.session`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol.core import steps
from protocol.core.referee import Position, Referee, is_card, is_pile
from protocol.core.secret_replay import SecretReplay, sealed_salt, toss_share
from protocol.core.steps import NONCE_LENGTH, STEP_LIMIT, Step, step_value
from protocol.core.transcript import Played
from protocol.core.wire import FRAME_LIMIT, encode
from protocol.core.wire import decision as check_decision
from protocol.crypto.commitments.interface import Maker, Regrouping, Secret
from protocol.crypto.hashing import derive
from protocol.errors import BadCommitment, LocalProtocolError, Refused, WireError, raised_as
from protocol.game import Choose, Deal, Decision, Hide, Locate, Mix, Open, Request, Sealed, Seat, Slot, Toss, Value

Parts = Sequence[Sequence[Slot]]
"""Which old slots go into which part of a Mix."""

ROOM = FRAME_LIMIT - 300
"""How many bytes of steps an envelope can carry, whatever else stands in it."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The seat that takes the steps, and its secrets."""

    seat: Seat
    seed: bytes = field(repr=False)
    aux_rand: bytes = field(default=b"", repr=False)
    """Fresh randomness of this run of the program; see :class:`~protocol.crypto.commitments.interface.Maker`."""


class StepBuilder:
    """Steps of one seat on top of a position."""

    def __init__(self, referee: Referee, position: Position, secret_replay: SecretReplay, owner: Owner) -> None:
        """Begin with no steps; ``secret_replay`` is copied."""
        self.position = position
        self.secret_replay = secret_replay.copy()
        self.steps: list[Step] = []
        self._referee = referee
        self._owner = owner

    def copy(self) -> StepBuilder:
        """Return the same steps for trying something out."""
        twin = StepBuilder(self._referee, self.position, self.secret_replay, self._owner)
        twin.steps = list(self.steps)
        return twin

    @property
    def request(self) -> Request | None:
        """What the game wants after these steps."""
        return self.position.request

    @property
    def our_turn(self) -> bool:
        """Whether this seat writes the next step, too."""
        return self._referee.turn(self.position) == self._owner.seat

    @property
    def fits(self) -> bool:
        """Whether these steps go into one envelope."""
        return len(self.steps) <= STEP_LIMIT and sum(len(encode(step_value(step))) for step in self.steps) <= ROOM

    def is_forced(self) -> bool:
        """Say whether the next step is this seat's and leaves nothing to decide."""
        if not self.our_turn:
            return False
        request = self.request
        match request:
            case Open() | Toss() | Locate() | Deal():
                return True
            case Sealed(seats):
                return len(self.position.partial) == len(seats)
            case Mix(give=give):
                return sum(1 for part in give if part) <= 1
            case _:
                return False

    def decide(self, decision: Decision, secret: Sequence[Value] | Parts | None) -> Parts | None:
        """Answer the present request; return the parts for a Mix that may follow.

        Raises:
            LocalProtocolError: it is no answer to the present request, or the rules forbid it.
        """
        seat, request = self._owner.seat, self.request
        if not self.our_turn or self.is_forced():
            wanted = type(request).__name__ if self.our_turn else "the other seat's answer"
            raise LocalProtocolError("not_our_decision", wanted, "a decision of ours")
        try:
            check_decision(decision)
        except WireError as error:
            raise LocalProtocolError("bad_said", error.expected, error.got) from None
        match request:
            case Choose():
                self._ask(decision, self.secret_replay.known)
                self.add(steps.Choice(decision))
                return _as_parts(secret)
            case Sealed(seats):
                self._ask(decision, self.secret_replay.known)
                if seat == seats[0] and len(seats) > 1:
                    nonce = self._nonce(encode(decision))
                    salt = self._salt(nonce)
                    self.add(steps.Seal(self._referee.seal(seat, self.position.serial, salt, decision), nonce))
                else:
                    self.add(steps.Choice(decision))
                return None
            case Hide():
                self._hide(request, decision, secret)
                return None
            case Mix():
                if decision is not None or secret is None:
                    raise LocalProtocolError("bad_secret", "no decision and the parts of the Mix", f"{decision}")
                return _as_parts(secret)
            case _:
                raise LocalProtocolError("not_our_decision", "a request", f"{request}")

    def force(self, parts: Parts | None, sealed: Decision) -> None:
        """Add all steps that leave nothing to decide, and one Mix of several parts if those are given.

        What does not go into the same envelope is left for the next one. Parts are dropped when the game is over
        before any Mix is asked for: a divided group whose move ends it gets no fresh tokens.

        Raises:
            LocalProtocolError: the parts are not parts of the Mix.
            Foul: an opening of ours shows that we have broken a rule.
        """
        while True:
            request = self.request
            if self.our_turn and isinstance(request, Mix) and parts is not None and not self.is_forced():
                self._mix(request, parts)
                parts = None
            elif self.is_forced():
                before, position, secret_replay = list(self.steps), self.position, self.secret_replay.copy()
                self._force_one(sealed)
                if before and parts is None and not self.fits:
                    self.steps, self.position, self.secret_replay = before, position, secret_replay
                    break
            else:
                break
        if parts is not None and self.request is not None:
            raise LocalProtocolError("bad_secret", "no secret, because no Mix follows", "one")

    def add(self, step: Step) -> None:
        """Try a step.

        Raises:
            LocalProtocolError: it is not allowed.
            Foul: it shows that we have broken a rule.
        """
        before, seat = self.position, self._owner.seat
        with raised_as(LocalProtocolError, Refused, BadCommitment):
            self.position, answer = self._referee.apply(before, seat, step)
        self.secret_replay.follow(Played(0, seat, step, before, answer), check=False)
        self.steps.append(step)

    def _ask(self, decision: Decision, known: dict[Slot, Value]) -> None:
        with raised_as(LocalProtocolError, Refused):
            self._referee.check(self.position, self._owner.seat, decision, known)

    def _maker(self, nonce: bytes = b"") -> Maker:
        return Maker(self._referee.match_id, self._owner.seat, self._owner.seed, self._owner.aux_rand, nonce)

    def _nonce(self, secret: bytes) -> bytes:
        """Return the public nonce of a commitment to a secret; it tells nothing to whoever has not the seed.

        With the secret in it nobody commits to two things under one nonce, even where the fresh randomness of this
        run of the program came back with an old copy of the whole machine.
        """
        owner = self._owner
        where = (self._referee.match_id, owner.seat, self.position.serial)
        return derive(owner.seed, "nonce", *where, owner.aux_rand, secret)[:NONCE_LENGTH]

    def _secret(self, slot: Slot) -> Secret:
        token = self.position.tokens[slot]
        return Secret(self.secret_replay.known[slot], self.secret_replay.openings[slot], token.commitment)

    def _salt(self, nonce: bytes) -> bytes:
        owner = self._owner
        return sealed_salt(owner.seed, self._referee.match_id, owner.seat, self.position.serial, nonce)

    def _hide(self, request: Hide, decision: Decision, secret: Sequence[Value] | Parts | None) -> None:
        values: list[Value] = [one for one in secret or () if isinstance(one, int)]
        if decision is not None or sorted(values) != sorted(request.values):
            raise LocalProtocolError(
                "bad_secret", f"a permutation of {request.values}", f"{decision} and {len(secret or ())} values"
            )
        self._ask(None, {**self.secret_replay.known, **dict(zip(request.slots, values, strict=True))})
        referee = self._referee
        context, within = referee.context(self.position, self._owner.seat), referee.within(request)
        nonce = self._nonce(encode(tuple(values)))
        made, proof = referee.scheme.hide(self._maker(nonce), context, request.slots[0], values, within)
        self.add(steps.Commit(tuple(secret.commitment for secret in made), proof, nonce))

    def _mix(self, request: Mix, parts: Parts) -> None:
        chosen = [slot for part in parts for slot in part]
        sizes = [len(part) for part in request.give]
        if sorted(chosen) != sorted(request.take) or [len(part) for part in parts] != sizes:
            raise LocalProtocolError("bad_secret", f"{request.take} in parts of {sizes}", f"{parts}")
        referee, take = self._referee, request.take
        number = {slot: number for number, slot in enumerate(take)}
        move = Regrouping(
            tuple(self.position.tokens[slot] for slot in take),
            tuple(self._secret(slot) for slot in take),
            tuple(tuple(number[slot] for slot in part) for part in parts),
            referee.barred(self.position, request),
        )
        context = referee.context(self.position, self._owner.seat)
        first = next(slot for part in request.give for slot in part)
        seen: dict[Slot, Value] = dict(self.secret_replay.known)
        # The rules are asked first, because they say better than a failed proof what is wrong.
        for fresh, part in zip(request.give, parts, strict=True):
            seen.update((slot, seen[old]) for slot, old in zip(fresh, part, strict=True))
        self._ask(None, seen)
        nonce = self._nonce(encode(tuple(tuple(part) for part in parts)))
        made, proof = referee.scheme.mix(self._maker(nonce), context, first, move)
        self.add(steps.Recommit(tuple(tuple(one.commitment for one in part) for part in made), proof, nonce))

    def _locate(self, request: Locate) -> None:
        referee, known = self._referee, self.secret_replay.known
        part = next(
            (number for number, slots in enumerate(request.parts) if request.value in map(known.get, slots)), None
        )
        if part is None:
            raise LocalProtocolError("bad_secret", f"value {request.value} in one of the parts", "none")
        slots = request.parts[part]
        context = referee.context(self.position, self._owner.seat)
        tokens = [self.position.tokens[slot] for slot in slots]
        held = [self._secret(slot) for slot in slots]
        self.add(
            steps.ProveMembership(part, referee.scheme.locate(self._maker(), context, tokens, held, request.value))
        )

    def _force_one(self, sealed: Decision) -> None:
        position, owner = self.position, self._owner
        match position.request:
            case Deal(slots=slots):
                self._unlock(slots)
            case Open(slots=slots) as wanted if is_card(position, wanted):
                self._unlock(slots)
            case Mix() as mix if is_pile(position, mix):
                self._stir(mix)
            case Open(slots=slots):
                known, openings = self.secret_replay.known, self.secret_replay.openings
                self.add(steps.Reveal(tuple((known[slot], openings[slot]) for slot in slots)))
            case Mix(take, give) as mix:
                self._mix(mix, [take if part else () for part in give])
            case Locate() as sought:
                self._locate(sought)
            case Sealed():
                decision = self._find_sealed(sealed)
                self.add(steps.Unseal(decision, self._salt(position.partial[0].nonce)))
            case Toss() as toss:
                fixing = self._referee.toss_order(toss)[0] == owner.seat
                if fixing and not position.partial:
                    nonce = self._nonce(b"")
                    self.add(
                        steps.TossCommit(
                            self._referee.commit_share(owner.seat, position.serial, self._share(nonce)), nonce
                        )
                    )
                else:
                    fixed: steps.TossCommit = position.partial[0]
                    self.add(steps.TossReveal(self._share(fixed.nonce if fixing else fixed.commitment)))

    def _unlock(self, slots: Sequence[Slot]) -> None:
        referee = self._referee
        context, cards = referee.context(self.position, self._owner.seat), referee.dealer.cards(self.position, slots)
        self.add(steps.Unlock(*referee.dealer.piles.unlock(self._maker(), context, cards)))

    def _stir(self, request: Mix) -> None:
        referee, maker = self._referee, self._maker()
        context = referee.context(self.position, self._owner.seat)
        if referee.dealer.wants_key(self.position):
            self.add(steps.Key(*referee.dealer.piles.make_key(maker, context)))
            return
        old, joint, _ = referee.dealer.before_stir(self.position, request)
        new, proof = referee.dealer.piles.stir(maker, context, old, joint)
        self.add(steps.Stir(b"".join(half for pair in new for half in pair), proof))

    def _share(self, fixed: bytes) -> bytes:
        owner = self._owner
        return toss_share(owner.seed, self._referee.match_id, owner.seat, self.position.serial, fixed)

    def _find_sealed(self, decision: Decision) -> Decision:
        """Return the decision that our seal fixes; after a restart it is searched among all that are legal.

        Raises:
            LocalProtocolError: none of them fits.
        """
        position, seat = self.position, self._owner.seat
        seal: steps.Seal = position.partial[0]
        salt = self._salt(seal.nonce)
        if self._referee.seal(seat, position.serial, salt, decision) == seal.commitment:
            return decision
        for move in self._referee.game.moves(position.state, seat, self.secret_replay.known):
            if self._referee.seal(seat, position.serial, salt, move) == seal.commitment:
                return move
        raise LocalProtocolError("seal_lost", "the decision that our seal fixes", "none that is legal")


def _as_parts(secret: Sequence[Value] | Parts | None) -> Parts | None:
    if secret is None:
        return None
    parts = [tuple(part) for part in secret if not isinstance(part, int)]
    if len(parts) != len(secret):
        raise LocalProtocolError("bad_secret", "the old slots of each part", f"{secret}")
    return parts
