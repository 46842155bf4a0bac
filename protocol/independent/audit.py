"""The replay of a match with open cards (SPEC.md, section "Audit")."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from protocol.game import Deal, Decision, Game, Hide, Mix, Open, Seat, Slot, Toss, Value
from protocol.independent import curve, piles, steps
from protocol.independent.board import Board, Played, may, number_of, seats_of_toss
from protocol.independent.commitments import Batch, match_values, read_values
from protocol.independent.hashes import derive, hash_parts
from protocol.independent.reading import SEATS


class FalseBatch(NamedTuple):
    """What a seat's seed shows of a batch that does not come from it."""

    due: tuple[Value, ...]
    """What it must hold, ascending."""
    held: tuple[tuple[Value, ...], ...]
    """What was read in each part, ascending."""


class Finding(NamedTuple):
    """Something that the open cards show."""

    code: str
    seq: int
    seat: Seat
    batch: FalseBatch | None


def find_problems(board: Board, seeds: Mapping[Seat, bytes]) -> tuple[list[Finding], dict[Slot, Value]]:
    """Return what the open cards show against somebody, in the order of the steps, and what each seat had hidden."""
    audits = [_Audit(board, seat, seed) for seat, seed in seeds.items()]
    found = [found for played in board.played for found in (audit.judge(played) for audit in audits) if found]
    return found, {slot: value for audit in audits for slot, value in audit.known.items()}


class _Audit:
    """The steps of a match once more, with all that one seat knew: what it has seen opened, and what its seed shows."""

    def __init__(self, board: Board, seat: Seat, seed: bytes) -> None:
        self._game: Game[Any] = board.game
        self._scheme = board.scheme
        self._match_id = board.match_id
        self._seat = seat
        self._seed = seed
        self.known: dict[Slot, Value] = {}
        """What the seat knows of the slots."""
        self._tosses = 0
        self._position = board.position
        self._number: int | None = None
        """Of the seat's lock, if its key comes from its seed."""
        self._false: FalseBatch | None = None
        """The first batch that does not come from the seed: nothing more can be said of the seat then."""

    def judge(self, played: Played) -> Finding | None:
        """Return the first thing that is wrong with a step, if it is the seat's own."""
        code = self._fault(played) if played.seat == self._seat and self._false is None else None
        self._learn(played)
        return None if code is None else Finding(code, played.seq, played.seat, self._false)

    def _learn(self, played: Played) -> None:
        """Take what a step shows to the seat."""
        match played.step, played.request:
            case steps.Reveal(openings), Open(_, slots):
                self.known.update(zip(slots, (value for value, _ in openings), strict=True))
            case steps.TossReveal(share), Toss() as toss:
                self._toss(played, share, toss)
            case steps.Stir(), Mix(_, give):
                self._look(give[0], SEATS)
            case steps.Unlock(), Deal(slots, to):
                self._look(slots, to)
            case steps.Unlock(), Open(_, slots):
                self._look(slots, ())

    def _look(self, slots: Sequence[Slot], locked: Sequence[Seat]) -> None:
        """Read cards on which only the locks of some seats are left, as far as their numbers are known."""
        position = self._position
        for slot in slots:
            card = position.cards.get(slot)
            if card is None:
                continue
            point = card.second
            for seat in card.locks:
                share = None if seat in locked else position.shares.get((slot, seat))
                if seat in locked and seat == self._seat and self._number is not None:
                    share = curve.multiply(self._number, card.first)
                if share is None:
                    break
                point = curve.subtract(point, share)
            else:
                value = piles.find_value(point, position.faces)
                if value is not None:
                    self.known[slot] = value

    def _fault(self, played: Played) -> str | None:
        """Return the code of the first thing that is wrong with a step."""
        match played.step, played.request:
            case steps.Choice(said), _:
                return self._illegal(played, said)
            case steps.Unseal(said, salt), _:
                assert played.pending is not None
                if salt != self._derived(played, "sealed", played.pending.first.nonce):
                    return "seal_not_derived"
                return self._illegal(played, said)
            case steps.Commit(tokens, _, nonce), Hide(_, slots, _, values):
                return self._batch(played, slots, (tokens,), nonce, values)
            case steps.Recommit(parts, _, nonce), Mix(take, give) if self.known.keys() >= set(take):
                slots = tuple(slot for part in give for slot in part)
                return self._batch(played, slots, parts, nonce, [self.known[slot] for slot in take])
            case steps.ProveMembership(part), _:
                return self._illegal(played, part)
            case steps.Key(point), _:
                number = piles.number_of_lock(self._seed, self._match_id, played.seat)
                if curve.encode(curve.multiply_base(number)) != point:
                    return "key_not_derived"
                self._number = number
            case steps.TossCommit(commitment, nonce), _:
                share = self._derived(played, "toss", nonce)
                if hash_parts("toss", self._match_id, played.seat, played.serial, share) != commitment:
                    return "share_not_derived"
            case steps.TossReveal(share), Toss() as toss:
                assert played.pending is not None
                fixed = played.pending.first
                rest = fixed.nonce if played.seat == seats_of_toss(toss)[0] else fixed.commitment
                if share != self._derived(played, "toss", rest):
                    return "share_not_derived"
        return None

    def _derived(self, played: Played, label: str, rest: bytes) -> bytes:
        """Return a secret of the seat for the request that a step answers."""
        return derive(self._seed, label, self._match_id, self._seat, played.serial, rest)

    def _illegal(self, played: Played, said: Decision) -> str | None:
        return None if may(self._game, played.state, played.seat, said, self.known) else "illegal_decision"

    def _batch(
        self,
        played: Played,
        slots: Sequence[Slot],
        parts: Sequence[Sequence[bytes]],
        nonce: bytes,
        values: Sequence[Value],
    ) -> str | None:
        batch = Batch(self._match_id, self._seat, slots[0])
        tokens = [token for part in parts for token in part]
        found = match_values(self._scheme, self._seed, batch, nonce, values, tokens)
        if found is None:
            shown = read_values(self._scheme, self._seed, batch, nonce, {*values, *range(64)}, tokens)
            held = (tuple(sorted(shown[token] for token in part if token in shown)) for part in parts)
            self._false = FalseBatch(tuple(sorted(values)), tuple(held))
            return "batch_not_derived"
        self.known.update(zip(slots, found, strict=True))
        return self._illegal(played, None)

    def _toss(self, played: Played, share: bytes, request: Toss) -> None:
        """Count the numbers that are tossed, and find one that the seat alone was told."""
        pending = played.pending
        assert pending is not None
        first, others, tells = seats_of_toss(request)
        shares = (*pending.shares, share)
        if len(shares) < len(others) + tells:
            return
        self._tosses += 1
        if not tells and first == self._seat:
            fixed = self._derived(played, "toss", pending.first.nonce)
            number = number_of(self._match_id, played.serial, fixed, shares, request.sides)
            # A number has no slot of its own, so the first one stands in slot -1, the next in -2.
            self.known[-self._tosses] = number
