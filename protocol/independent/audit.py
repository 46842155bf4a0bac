"""The replay of a match with open cards (SPEC.md, section "Audit")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from protocol.game import Deal, Decision, Game, Hide, Mix, Open, Seat, Slot, Toss, Value
from protocol.independent import curve, piles
from protocol.independent.board import Board, may, number_of
from protocol.independent.commitments import Batch, match_values
from protocol.independent.hashes import derive, hash_parts
from protocol.independent.position import Played, seats_of_toss
from protocol.independent.reading import SEATS
from protocol.independent.steps import (
    Choice,
    Commit,
    Key,
    ProveMembership,
    Recommit,
    Reveal,
    Stir,
    TossCommit,
    TossReveal,
    Unlock,
    Unseal,
)


class Finding(NamedTuple):
    """Something that the open cards show."""

    code: str
    seq: int
    seat: Seat


def find_problems(board: Board, seeds: Mapping[Seat, bytes]) -> list[Finding]:
    """Return what the open cards show against somebody, in the order of the steps."""
    audit = _Audit(board, seeds)
    for played in board.played:
        audit.judge(played)
    return audit.found


class _Audit:
    """The steps of a match once more, with all that the open seeds show."""

    def __init__(self, board: Board, seeds: Mapping[Seat, bytes]) -> None:
        self._game: Game[Any] = board.game
        self._scheme = board.scheme
        self._match_id = board.match_id
        self._seeds = seeds
        self._known: dict[Slot, Value] = {}
        self._tosses = 0
        self._position = board.position
        self._numbers: dict[Seat, int] = {}
        """Of the locks of the seats whose keys come from their seeds."""
        self._lost: set[Seat] = set()
        """The seats with a faulty batch, of whom nothing more can be said."""
        self.found: list[Finding] = []

    def judge(self, played: Played) -> None:
        """Judge a step."""
        lost = played.seat in self._lost
        # A lost seat's key is still looked at, for the cards that it locks can be read with it.
        code = self._fault(played) if isinstance(played.step, Key) or not lost else None
        if code is not None and not lost:
            self.found.append(Finding(code, played.seq, played.seat))
        match played.step, played.request:
            case Reveal(openings), Open(_, slots):
                self._known.update(zip(slots, (value for value, _ in openings), strict=True))
            case TossReveal(share), Toss() as toss:
                self._toss(played, share, toss)
            case Stir(), Mix(_, give):
                self._look(give[0], SEATS)
            case Unlock(), Deal(slots, to):
                self._look(slots, to)
            case Unlock(), Open(_, slots):
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
                if share is None and seat in locked and seat in self._numbers:
                    share = curve.multiply(self._numbers[seat], card.first)
                if share is None:
                    break
                point = curve.add(point, curve.negative(share))
            else:
                value = piles.find_value(point, position.faces)
                if value is not None:
                    self._known[slot] = value

    def _fault(self, played: Played) -> str | None:
        """Return the code of the first thing that is wrong with a step."""
        seed = self._seeds.get(played.seat)
        match played.step, played.request:
            case Choice(said), _:
                return self._illegal(played, said)
            case Unseal(said, salt), _:
                assert played.pending is not None
                if seed is not None and salt != self._derived(played, seed, "sealed", played.pending.first.nonce):
                    return "seal_not_derived"
                return self._illegal(played, said)
            case Commit(tokens, _, nonce), Hide(_, slots, _, values) if seed is not None:
                return self._batch(played, seed, slots, tokens, nonce, values)
            case Recommit(parts, _, nonce), Mix(take, give) if seed is not None and self._known.keys() >= set(take):
                slots = tuple(slot for part in give for slot in part)
                tokens = tuple(token for part in parts for token in part)
                return self._batch(played, seed, slots, tokens, nonce, [self._known[slot] for slot in take])
            case ProveMembership(part), _:
                return self._illegal(played, part)
            case Key(point), _ if seed is not None:
                number = piles.number_of_lock(seed, self._match_id, played.seat)
                if curve.encode(curve.multiply_base(number)) != point:
                    return "key_not_derived"
                self._numbers[played.seat] = number
            case TossCommit(commitment, nonce), _ if seed is not None:
                share = self._derived(played, seed, "toss", nonce)
                if hash_parts("toss", self._match_id, played.seat, played.serial, share) != commitment:
                    return "share_not_derived"
            case TossReveal(share), Toss() as toss if seed is not None:
                assert played.pending is not None
                fixed = played.pending.first
                rest = fixed.nonce if played.seat == seats_of_toss(toss)[0] else fixed.commitment
                if share != self._derived(played, seed, "toss", rest):
                    return "share_not_derived"
        return None

    def _derived(self, played: Played, seed: bytes, label: str, rest: bytes) -> bytes:
        return derive(seed, label, self._match_id, played.seat, played.serial, rest)

    def _illegal(self, played: Played, said: Decision) -> str | None:
        return None if may(self._game, played.state, played.seat, said, self._known) else "illegal_decision"

    def _batch(
        self, played: Played, seed: bytes, slots: Sequence[Slot], tokens: Sequence[bytes], nonce: bytes,
        values: Sequence[Value],
    ) -> str | None:  # fmt: skip
        batch = Batch(self._match_id, played.seat, slots[0])
        found = match_values(self._scheme, seed, batch, nonce, values, tokens)
        if found is None:
            self._lost.add(played.seat)
            return "batch_not_derived"
        self._known.update(zip(slots, found, strict=True))
        return self._illegal(played, None)

    def _toss(self, played: Played, share: bytes, request: Toss) -> None:
        """Count the numbers that are tossed, and find one that a single seat was told."""
        pending = played.pending
        assert pending is not None
        first, others, tells = seats_of_toss(request)
        shares = (*pending.shares, share)
        if len(shares) < len(others) + tells:
            return
        self._tosses += 1
        if not tells and first in self._seeds:
            fixed = derive(self._seeds[first], "toss", self._match_id, first, played.serial, pending.first.nonce)
            number = number_of(self._match_id, played.serial, fixed, shares, request.sides)
            # A number has no slot of its own, so the first one stands in slot -1, the next in -2.
            self._known[-self._tosses] = number
