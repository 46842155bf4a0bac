"""The replay with open cards: what the seeds show about every step (SPEC.md, section "Audit").

Pure.  Used by a session before it signs its verdict and by :mod:`protocol.core.audit` for whoever holds the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from protocol.core import steps
from protocol.core.messages import FalseBatch, Problem
from protocol.core.referee import Position, Referee
from protocol.core.steps import split_pairs
from protocol.core.transcript import Played
from protocol.crypto.commitments.batches import match_tokens
from protocol.crypto.commitments.interface import Card, Maker
from protocol.crypto.hashing import derive
from protocol.errors import BadCommitment, Refused
from protocol.game import Deal, Dealt, Hide, Mix, Opened, Seat, Slot, Toss, Value

PRIVATE_TOSS = -1
"""The private toss number n (from 0) stands in what is known under -1 - n, beside the slots."""
READABLE: Final = 64
"""The values below this one are looked for in a false batch, beside those that it must hold."""

_TELLING = steps.Reveal, steps.TossReveal, steps.Key, steps.Stir, steps.Unlock
"""The steps that tell something to those who do not have the seed that they were made from."""


class _Batch(NamedTuple):
    """A batch of a seat whose seed is known."""

    maker: Maker
    slots: tuple[Slot, ...]
    parts: tuple[tuple[bytes, ...], ...]
    """The commitments, in the order of the slots."""
    due: tuple[Value, ...]
    """The values that it must hold."""


def sealed_salt(seed: bytes, match_id: bytes, seat: Seat, serial: int, nonce: bytes) -> bytes:
    """Return the salt of a seat's seal."""
    return derive(seed, "sealed", match_id, seat, serial, nonce)


def toss_share(seed: bytes, match_id: bytes, seat: Seat, serial: int, fixed: bytes) -> bytes:
    """Return a seat's share of a toss.

    Args:
        seed: the seat's.
        match_id: of the match.
        seat: whose share it is.
        serial: how many requests were answered before.
        fixed: for the seat that fixes its share first the nonce of its TossCommit; for the others its commitment.
    """
    return derive(seed, "toss", match_id, seat, serial, fixed)


class SecretReplay:
    """What is known in a match to whoever holds some seats' seeds, as the steps go by."""

    def __init__(self, referee: Referee, seeds: Mapping[Seat, bytes]) -> None:
        """Begin with nothing known."""
        self.known: dict[Slot, Value] = {}
        """The values that the seeds and the openings show."""
        self.openings: dict[Slot, bytes] = {}
        """The openings of the values of the seats whose seeds are held."""
        self._referee = referee
        self._seeds = dict(seeds)
        self.numbers: dict[Seat, int] = {}
        """The secret numbers of the locks of the seats whose seeds are held."""

    def copy(self) -> SecretReplay:
        """Return the same knowledge for trying something out."""
        twin = SecretReplay(self._referee, self._seeds)
        twin.known.update(self.known)
        twin.openings.update(self.openings)
        twin.numbers.update(self.numbers)
        return twin

    def follow(self, played: Played, check: bool = True) -> None:
        """Take one step that has been accepted.

        Raises:
            BadCommitment: the step was not made from its seat's seed.
            Refused: the step was against the rules, as everybody can see now.
        """
        seat, step, before = played.seat, played.step, played.before
        seed = self._seeds.get(seat)
        match step, before.request:
            case steps.Choice(decision), _:
                if check:
                    self._referee.check(before, seat, decision, self.known)
            case steps.Reveal(openings), request:
                assert request is not None
                slots = getattr(request, "slots", ())
                self.known.update(zip(slots, (value for value, _ in openings), strict=True))
            case steps.Unseal(decision, salt), _:
                if seed is not None and salt != self.salt(seed, seat, before):
                    raise BadCommitment("seal_not_derived", "a salt of the seed", salt.hex())
                if check:
                    self._referee.check(before, seat, decision, self.known)
            case ((steps.Commit() | steps.Recommit()), _) if (batch := self._batch_of(played)) is not None:
                self._take_batch(batch)
                if check:
                    self._referee.check(before, seat, None, self.known)
            case steps.ProveMembership(part), _:
                if check:
                    self._referee.check(before, seat, part, self.known)
            case steps.TossCommit() | steps.TossReveal(), Toss() as toss:
                self._toss(played, toss, seed)
            case steps.Key(point), _ if seed is not None:
                self._key(seat, seed, point)
            case ((steps.Stir() | steps.Unlock()), _) if played.answer is not None:
                self._read_cards(played)
            case _:
                pass

    def look(self, played: Played) -> None:
        """Take one step as far as the seeds fit it: what a cheat has hidden stays unknown to whoever looks on."""
        with suppress(BadCommitment):
            self.follow(played, check=False)

    def _batch_of(self, played: Played) -> _Batch | None:
        """Return the batch that a step makes; None if nobody here knows the seed, or what it must hold."""
        seat, seed = played.seat, self._seeds.get(played.seat)
        match played.step, played.before.request:
            case steps.Commit(commitments, _, nonce), Hide(_, slots, _, values) if seed is not None:
                return _Batch(Maker(self._referee.match_id, seat, seed, nonce=nonce), slots, (commitments,), values)
            case steps.Recommit(parts, _, nonce), Mix(take, give) if seed is not None and self.known.keys() >= set(
                take
            ):
                maker = Maker(self._referee.match_id, seat, seed, nonce=nonce)
                values = tuple(self.known[slot] for slot in take)
                return _Batch(maker, tuple(slot for part in give for slot in part), parts, values)
        return None

    def _take_batch(self, batch: _Batch) -> None:
        referee, maker, slots = self._referee, batch.maker, batch.slots
        tokens = referee.tokens(maker.seat, slots[0], [token for part in batch.parts for token in part])
        secrets = match_tokens(referee.scheme.commit(maker, tokens[0].batch, batch.due), tokens)
        for slot, secret in zip(slots, secrets, strict=True):
            self.known[slot] = secret.value
            self.openings[slot] = secret.opening

    def read_false(self, played: Played) -> FalseBatch | None:
        """Return what a step has hidden that was found not to be what it must; None for a step that hides nothing."""
        batch = self._batch_of(played)
        if batch is None:
            return None
        tokens = {token for part in batch.parts for token in part}
        held: dict[bytes, Value] = {}
        for value in {*range(READABLE), *batch.due}:
            for copies in range(1, len(tokens) + 1):
                token = self._referee.scheme.commit(batch.maker, batch.slots[0], [value] * copies)[-1].commitment
                if token not in tokens:
                    break
                held[token] = value
        parts = (tuple(sorted(held[token] for token in part if token in held)) for part in batch.parts)
        return FalseBatch(tuple(sorted(batch.due)), tuple(parts))

    def _key(self, seat: Seat, seed: bytes, point: bytes) -> None:
        piles, match_id = self._referee.dealer.piles, self._referee.match_id
        if point != piles.key_point(seed, match_id, seat):
            raise BadCommitment("key_not_derived", "a key of the seed", point.hex())
        self.numbers[seat] = piles.key_number(seed, match_id, seat)

    def _read_cards(self, played: Played) -> None:
        """Read the cards that a step has laid or unlocked, as far as the seeds show them."""
        match played.answer:
            case Opened(values) | Dealt((_, *_) as values):
                self.known.update(zip(getattr(played.before.request, "slots", ()), values, strict=True))
                return
        request = played.before.request
        piles, faces = self._referee.dealer.piles, played.before.faces.union(getattr(request, "faces", ()))
        for slot, card in self._laid(played).items():
            if slot not in self.known and all(seat in self.numbers for seat in card.locks):
                # A card that is none of the faces convicts nobody: only proofs that are broken allow it.
                with suppress(BadCommitment):
                    self.known[slot] = piles.read(card, self.numbers, faces)

    def _laid(self, played: Played) -> dict[Slot, Card]:
        referee, before, step = self._referee, played.before, played.step
        match before.request, step:
            case Mix() as mix, steps.Stir(pairs):
                locks = referee.dealer.before_stir(before, mix)[2]
                return {slot: Card(*pair, locks) for slot, pair in zip(mix.give[0], split_pairs(pairs), strict=True)}
            case Deal(slots, to), steps.Unlock(shares):
                laid = {}
                for slot, share in zip(slots, shares, strict=True):
                    card = before.cards[slot]
                    # Positions share what is settled, so the locks that came off later must be left on here.
                    for seat in set(card.locks) - set(to):
                        taken = share if seat == played.seat else before.shares[slot, seat]
                        card = referee.dealer.piles.take_off(card, taken, seat)
                    laid[slot] = card
                return laid
            case _:
                return {}

    def _toss(self, played: Played, toss: Toss, seed: bytes | None) -> None:
        before, seat, step = played.before, played.seat, played.step
        referee = self._referee
        fixed = step if isinstance(step, steps.TossCommit) else before.partial[0]
        first = referee.toss_order(toss)[0]
        # The number that a seat was told is known to it whether or not the other's share was one of its seed.
        if played.answer is not None and referee.is_private(toss) and isinstance(step, steps.TossReveal):
            owners_seed = self._seeds.get(first)
            if owners_seed is not None:
                own = toss_share(owners_seed, referee.match_id, first, before.serial, fixed.nonce)
                shares = (own, *before.partial[1:], step.share)
                number = referee.toss_number(before.serial, toss.sides, shares)
                self.known[PRIVATE_TOSS - before.tosses] = number
        if seed is not None:
            share = toss_share(
                seed, referee.match_id, seat, before.serial, fixed.nonce if seat == first else fixed.commitment
            )
            if isinstance(step, steps.TossCommit):
                if step.commitment != referee.commit_share(seat, before.serial, share):
                    raise BadCommitment("share_not_derived", "a share of the seed", step.commitment.hex())
            elif isinstance(step, steps.TossReveal) and step.share != share:
                raise BadCommitment("share_not_derived", "a share of the seed", step.share.hex())

    def salt(self, seed: bytes, seat: Seat, position: Position) -> bytes:
        """Return the salt that a seat's seal of this position must have."""
        return sealed_salt(seed, self._referee.match_id, seat, position.serial, position.partial[0].nonce)


def replay(
    referee: Referee, history: Sequence[Played], seeds: Mapping[Seat, bytes]
) -> tuple[list[Problem], Mapping[Slot, Value]]:
    """Replay a match with the secrets of the seats whose seeds are known; return all that is wrong and all values.

    Each seat is judged by its own seed and by what everybody has seen, and by nothing that another seed shows, which
    is how its program has checked its own steps: so what is found convicts it, whatever the others have made up.
    """
    found: list[tuple[int, Problem]] = []
    together = SecretReplay(referee, {})
    for seat, seed in sorted(seeds.items()):
        own = SecretReplay(referee, {seat: seed})
        found += _judge(own, history, seat)
        together.known.update(own.known)
        together.numbers.update(own.numbers)
    # Cards under several locks are read for those who look at the match, and convict nobody.
    for played in history if together.numbers else ():
        together.follow(played, check=False)
    return [problem for _, problem in sorted(found, key=lambda one: one[0])], together.known


def _judge(own: SecretReplay, history: Sequence[Played], seat: Seat) -> list[tuple[int, Problem]]:
    """Return what is wrong with the steps of a seat, each with the place of the step."""
    found: list[tuple[int, Problem]] = []
    # A batch that could not be read makes nonsense of what its seat does later; only its first fault counts. What
    # everybody has seen opened and the locks that cards lie under are followed all the same.
    lost = False
    for place, played in enumerate(history):
        judged = played.seat == seat and not lost
        if not judged and not isinstance(played.step, _TELLING):
            continue
        try:
            # What was opened everybody knows, whoever has opened it: the seat's decisions rest on it.
            own.follow(played, check=judged)
        except (BadCommitment, Refused) as error:
            if judged:
                false = own.read_false(played) if error.code == "batch_not_derived" else None
                found.append((place, Problem(error.code, played.seq, seat, str(error), false)))
                lost = isinstance(error, BadCommitment) and isinstance(played.step, steps.Commit | steps.Recommit)
    return found
