"""The replay of a match with open cards (SPEC.md, section "Audit")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from protocol.game import Decision, Game, Hide, Mix, Open, Seat, Slot, Toss, Value
from protocol.independent.board import Board, Played, may, number_of, seats_of_toss
from protocol.independent.commitments import Batch, match_values
from protocol.independent.hashes import derive, hash_parts
from protocol.independent.steps import Choice, Commit, ProveMembership, Recommit, Reveal, TossCommit, TossReveal, Unseal


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
        self._lost: set[Seat] = set()
        """The seats with a faulty batch, of whom nothing more can be said."""
        self.found: list[Finding] = []

    def judge(self, played: Played) -> None:
        """Judge a step."""
        code = None if played.seat in self._lost else self._fault(played)
        if code is not None:
            self.found.append(Finding(code, played.seq, played.seat))
        match played.step, played.request:
            case Reveal(openings), Open(_, slots):
                self._known.update(zip(slots, (value for value, _ in openings), strict=True))
            case TossReveal(share), Toss() as toss:
                self._toss(played, share, toss)

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
