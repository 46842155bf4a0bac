"""The position of a match, and what the steps of an envelope do to it (SPEC.md, sections "Steps")."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, NamedTuple, TypeAlias

from protocol import game as contract
from protocol.game import Decision, Foul, Game, Known, Request, Seat, Slot, Value, check_request
from protocol.independent import curve, piles, steps
from protocol.independent.commitments import Batch, HashScheme, Scheme
from protocol.independent.faults import Disagreement, Misbehaviour, Refused
from protocol.independent.hashes import hash_parts
from protocol.independent.packing import pack
from protocol.independent.proofs import Context, read_points
from protocol.independent.reading import SEATS
from protocol.independent.steps import Step


class Pending(NamedTuple):
    """A request that takes several steps, and those that have come."""

    first: steps.Seal | steps.TossCommit
    said: tuple[Decision, ...] = ()
    """The open answers to a seal, in the order of the seats."""
    shares: tuple[bytes, ...] = ()
    """The shares of a toss, in the order of the seats."""


class Played(NamedTuple):
    """A step that was accepted, with all that the audit asks about it."""

    seq: int
    seat: Seat
    step: Step
    request: Request
    state: Any
    serial: int
    pending: Pending | None


@dataclass(slots=True)
class Position:
    """Where a match stands."""

    state: Any
    serial: int = 0
    """How many requests of the game have been answered."""
    pending: Pending | None = None
    tokens: MutableMapping[Slot, tuple[Batch, bytes]] = field(default_factory=dict)
    known: MutableMapping[Slot, Value] = field(default_factory=dict)
    """What everybody knows of hidden slots."""
    commitments: MutableMapping[bytes, None] = field(default_factory=dict)
    """All that have ever been made."""
    cards: MutableMapping[Slot, piles.Card] = field(default_factory=dict)
    """Cards of piles as they were laid."""
    shares: MutableMapping[tuple[Slot, Seat], curve.Point] = field(default_factory=dict)
    """What has taken a seat's lock off a card."""
    keys: tuple[bytes, ...] = ()
    """Of the seats' locks, as far as they have come."""
    faces: frozenset[Value] = frozenset()
    """What has gone into piles."""
    stirred: tuple[list[piles.Pair], ...] = ()
    """The stirs that have come for the present request."""

    def branch(self) -> Position:
        """Return one that may be changed while this one stays as it is."""
        grown: dict[str, Any] = {name: ChainMap({}, getattr(self, name)) for name in _GROWING}
        return replace(self, **grown)

    def take_over(self, branch: Position) -> None:
        """Become what a branch of this one has become."""
        for one in fields(self):
            found = getattr(branch, one.name)
            if one.name in _GROWING:
                getattr(self, one.name).update(found.maps[0])
            else:
                setattr(self, one.name, found)


_GROWING: Final = ("tokens", "known", "commitments", "cards", "shares")
"""What only ever gets more entries."""


def seats_of_toss(request: contract.Toss) -> tuple[Seat, list[Seat], bool]:
    """Return who fixes a share first, who tell theirs then, and whether the first tells at last."""
    private = len(request.to) == 1
    first = request.to[0] if private else 0
    return first, [seat for seat in SEATS if seat != first], not private


def is_pile(request: contract.Mix, position: Position) -> bool:
    """Say whether a Mix is one of cards."""
    return bool(request.faces) or request.take[0] in position.cards


def cards_now(position: Position, slots: tuple[Slot, ...]) -> list[piles.Card]:
    """Return cards with the locks that are still on them."""
    found = []
    for slot in slots:
        card = position.cards[slot]
        for seat in card.locks:
            if (slot, seat) in position.shares:
                card = piles.take_off(card, position.shares[slot, seat], seat)
        found.append(card)
    return found


def find_turn(request: Request | None, position: Position) -> Seat | None:
    """Return the seat that has to make the next step; None when the game is over."""
    pending = position.pending
    match request:
        case None:
            return None
        case contract.Sealed():
            if pending is None or len(pending.said) == len(request.seats) - 1:
                return request.seats[0]
            return request.seats[1 + len(pending.said)]
        case contract.Mix() if is_pile(request, position):
            if len(position.keys) < len(SEATS):
                return len(position.keys)
            return tuple(reversed(request.by))[len(position.stirred)]
        case contract.Mix():
            return request.by[0]
        case contract.Deal(slots, to):
            return min(set(cards_now(position, slots)[0].locks) - set(to))
        case contract.Toss():
            first, others, _ = seats_of_toss(request)
            if pending is None or len(pending.shares) == len(others):
                return first
            return others[len(pending.shares)]
    return request.seat


class Board:
    """The position and all steps that led to it."""

    def __init__(self, game: Game[Any], scheme: Scheme, match_id: bytes, terms: Decision) -> None:
        """Begin the game.

        Raises:
            ValueError: the terms are none of this game, or no match can carry what it asks for.
        """
        self.game = game
        self.scheme = scheme
        self.match_id = match_id
        self.position = Position(game.begin(terms))
        check_request(self.request, name_of(scheme))
        self.played: list[Played] = []

    @property
    def request(self) -> Request | None:
        """What the game asks for."""
        return self.game.next_request(self.position.state)

    @property
    def asked(self) -> Seat | None:
        """The seat that has to write next; None when the game is over."""
        return find_turn(self.request, self.position)

    def try_steps(self, seq: int, seat: Seat, head: bytes, said: tuple[Step, ...]) -> Trial:
        """Return what steps of a seat lead to; nothing has happened yet.

        Raises:
            Misbehaviour: one of them does not hold.
        """
        trial = Trial(self, seq, seat, head)
        for step in said:
            try:
                trial.take(step)
            except Refused as refused:
                raise Misbehaviour(refused.code, seat, seq) from None
            except Foul as foul:
                raise Misbehaviour(foul.code, foul.seat, seq) from None
        return trial

    def accept(self, trial: Trial) -> None:
        """Take over what a trial led to."""
        self.position.take_over(trial.position)
        self.played += trial.played


_Taker: TypeAlias = Callable[[Any, Any], None]


class Trial:
    """Steps of one envelope, tried on top of a position that stays as it is."""

    def __init__(self, board: Board, seq: int, seat: Seat, head: bytes) -> None:
        self._game, self._scheme, self._match_id = board.game, board.scheme, board.match_id
        self._seq, self._seat, self._head = seq, seat, head
        self.position = board.position.branch()
        self.played: list[Played] = []

    def take(self, step: Step) -> None:
        """Take one step.

        Raises:
            Refused: it does not hold.
            Foul: it shows that an earlier decision was against the rules.
            Disagreement: the game then asks for what no match can carry.
        """
        self._commit(step)
        now = self.position
        request = self._game.next_request(now.state)
        if find_turn(request, now) != self._seat or request is None:
            raise Refused("not_your_turn")
        played = Played(self._seq, self._seat, step, request, now.state, now.serial, now.pending)
        taker = self._takers().get((type(request), type(step)))
        if taker is None or self._is_card(request) != (type(step) in (steps.Key, steps.Stir, steps.Unlock)):
            raise Refused("wrong_step")
        taker(request, step)
        self.played.append(played)

    def _takers(self) -> dict[tuple[type, type], _Taker]:
        return {
            (contract.Choose, steps.Choice): self._choose,
            (contract.Sealed, steps.Seal): self._seal,
            (contract.Sealed, steps.Choice): self._answer_seal,
            (contract.Sealed, steps.Unseal): self._unseal,
            (contract.Hide, steps.Commit): self._hide,
            (contract.Mix, steps.Recommit): self._mix,
            (contract.Locate, steps.ProveMembership): self._locate,
            (contract.Open, steps.Reveal): self._open,
            (contract.Toss, steps.TossCommit): self._fix,
            (contract.Toss, steps.TossReveal): self._share,
            (contract.Mix, steps.Key): self._key,
            (contract.Mix, steps.Stir): self._stir,
            (contract.Deal, steps.Unlock): self._unlock,
            (contract.Open, steps.Unlock): self._unlock,
        }

    def _is_card(self, request: Request) -> bool:
        """Say whether a request is about cards of a pile."""
        match request:
            case contract.Mix():
                return is_pile(request, self.position)
            case contract.Open(_, slots):
                return slots[0] in self.position.cards
            case _:
                return isinstance(request, contract.Deal)

    def _answer(self, answer: Any) -> None:
        now = self.position
        now.state, now.serial, now.pending = self._game.step(now.state, answer), now.serial + 1, None
        try:
            check_request(self._game.next_request(now.state), name_of(self._scheme))
        except ValueError:
            raise Disagreement("shared_mix", self._seat, self._seq) from None

    def _check(self, said: Decision) -> None:
        if not may(self._game, self.position.state, self._seat, said, self.position.known):
            raise Refused("illegal_decision")

    def _commit(self, step: Step) -> None:
        """Note what a step fixes, in whatever place it stands: nothing is fixed twice in a match."""
        found: tuple[bytes, ...] = ()
        match step:
            case steps.Seal(commitment) | steps.TossCommit(commitment):
                found = (commitment,)
            case steps.Commit(commitments):
                found = commitments
            case steps.Recommit(parts):
                found = tuple(token for part in parts for token in part)
            case steps.Key(point):
                found = (point,)
            case steps.Stir(pairs):
                found = tuple(pairs[at : at + 32] for at in range(0, len(pairs) - 63, 64))
        for one in found:
            if one in self.position.commitments:
                raise Refused("commitment_repeated")
            self.position.commitments[one] = None

    def _choose(self, request: contract.Choose, step: steps.Choice) -> None:
        self._check(step.said)
        self._answer(contract.Chosen(self._seat, step.said))

    def _seal(self, request: contract.Sealed, step: steps.Seal) -> None:
        if self.position.pending is not None:
            raise Refused("wrong_step")
        self.position.pending = Pending(step)

    def _answer_seal(self, request: contract.Sealed, step: steps.Choice) -> None:
        pending = self.position.pending
        if pending is None or len(pending.said) == len(request.seats) - 1:
            raise Refused("wrong_step")
        self._check(step.said)
        self.position.pending = Pending(pending.first, (*pending.said, step.said))

    def _unseal(self, request: contract.Sealed, step: steps.Unseal) -> None:
        pending = self.position.pending
        if pending is None or len(pending.said) < len(request.seats) - 1:
            raise Refused("wrong_step")
        found = hash_parts("sealed", self._match_id, self._seat, self.position.serial, step.salt, pack(step.said))
        if found != pending.first.commitment:
            raise Refused("wrong_opening")
        self._check(step.said)
        self._answer(contract.Unsealed((step.said, *pending.said)))

    def _context(self) -> Context:
        return Context(self._match_id, self._seat, self._head, self.position.serial)

    def _give_out(self, slots: tuple[Slot, ...], tokens: tuple[bytes, ...]) -> None:
        batch = Batch(self._match_id, self._seat, slots[0])
        for slot, token in zip(slots, tokens, strict=True):
            self.position.tokens[slot] = batch, token

    def _hide(self, request: contract.Hide, step: steps.Commit) -> None:
        if len(step.commitments) != len(request.slots):
            raise Refused("wrong_count")
        within = tuple((value, tuple(map(request.slots.index, slots))) for value, slots in request.within)
        self._scheme.check_hide(self._context(), step.commitments, request.values, within, step.proof)
        self._check(None)
        self._give_out(request.slots, step.commitments)
        self._answer(contract.Hidden(self._seat))

    def _mix(self, request: contract.Mix, step: steps.Recommit) -> None:
        if [len(part) for part in step.parts] != [len(part) for part in request.give]:
            raise Refused("wrong_count")
        if any(list(part) != sorted(part) for part in step.parts):
            raise Refused("not_sorted")
        tokens = tuple(token for part in step.parts for token in part)
        old = tuple(self.position.tokens[slot][1] for slot in request.take)
        known = [self.position.known.get(slot) for slot in request.take]
        barred = tuple(tuple(at for at, value in enumerate(known) if value in out) for out in request.barred)
        self._scheme.check_mix(self._context(), old, step.parts, barred, step.proof)
        self._check(None)
        self._give_out(tuple(slot for part in request.give for slot in part), tokens)
        self._answer(contract.Mixed())

    def _locate(self, request: contract.Locate, step: steps.ProveMembership) -> None:
        if step.part >= len(request.parts):
            raise Refused("wrong_count")
        tokens = tuple(self.position.tokens[slot][1] for slot in request.parts[step.part])
        self._scheme.check_locate(self._context(), tokens, request.value, step.proof)
        self._check(step.part)
        self._answer(contract.Located(self._seat, step.part))

    def _open(self, request: contract.Open, step: steps.Reveal) -> None:
        if len(step.openings) != len(request.slots):
            raise Refused("wrong_count")
        for slot, (value, opening) in zip(request.slots, step.openings, strict=True):
            batch, token = self.position.tokens[slot]
            if self._scheme.commit(batch, value, opening) != token:
                raise Refused("wrong_opening")
            self.position.known[slot] = value
        self._answer(contract.Opened(tuple(value for value, _ in step.openings)))

    def _fix(self, request: contract.Toss, step: steps.TossCommit) -> None:
        if self.position.pending is not None:
            raise Refused("wrong_step")
        self.position.pending = Pending(step)

    def _share(self, request: contract.Toss, step: steps.TossReveal) -> None:
        pending = self.position.pending
        if pending is None:
            raise Refused("wrong_step")
        first, others, tells = seats_of_toss(request)
        if self._seat != first:
            pending = Pending(pending.first, shares=(*pending.shares, step.share))
            self.position.pending = pending
            if len(pending.shares) == len(others) and not tells:
                self._answer(contract.Tossed(None))
            return
        if hash_parts("toss", self._match_id, first, self.position.serial, step.share) != pending.first.commitment:
            raise Refused("wrong_opening")
        serial = self.position.serial
        self._answer(contract.Tossed(number_of(self._match_id, serial, step.share, pending.shares, request.sides)))

    def _key(self, request: contract.Mix, step: steps.Key) -> None:
        now = self.position
        if len(now.keys) == len(SEATS):
            raise Refused("wrong_step")
        piles.check_key(self._context(), step.point, step.proof)
        now.keys = (*now.keys, step.point)

    def _stir(self, request: contract.Mix, step: steps.Stir) -> None:
        now = self.position
        if len(now.keys) < len(SEATS):
            raise Refused("wrong_step")
        cards = cards_now(now, request.take)
        locks = cards[0].locks if cards else tuple(sorted(request.by))
        joint = piles.add_keys([now.keys[seat] for seat in locks])
        old = [(card.first, card.second) for card in cards] + piles.open_pairs(request.faces, joint)
        if now.stirred:
            old = now.stirred[-1]
        if len(step.pairs) != 64 * len(old):
            raise Refused("wrong_count")
        halves = [step.pairs[at : at + 32] for at in range(0, len(step.pairs), 32)]
        new = piles.check_stir(self._context(), old, halves, joint, step.proof)
        now.stirred = (*now.stirred, new)
        if len(now.stirred) < len(request.by):
            return
        for slot, pair in zip(request.give[0], new, strict=True):
            now.cards[slot] = piles.Card(*pair, locks)
        now.faces, now.stirred = now.faces.union(request.faces), ()
        self._answer(contract.Mixed())

    def _unlock(self, request: contract.Deal | contract.Open, step: steps.Unlock) -> None:
        now = self.position
        if len(step.shares) != len(request.slots):
            raise Refused("wrong_count")
        cards = cards_now(now, request.slots)
        piles.check_unlock(self._context(), now.keys[self._seat], cards, step.shares, step.proof)
        for slot, share in zip(request.slots, read_points(step.shares), strict=True):
            now.shares[slot, self._seat] = share
        cards = cards_now(now, request.slots)
        to = request.to if isinstance(request, contract.Deal) else ()
        if set(cards[0].locks) - set(to):
            return
        if cards[0].locks:
            self._answer(contract.Dealt())
            return
        values = []
        for slot, card in zip(request.slots, cards, strict=True):
            value = piles.find_value(card.second, now.faces)
            if value is None:
                raise Refused("no_card")
            now.known[slot] = value
            values.append(value)
        self._answer(
            contract.Dealt(tuple(values)) if isinstance(request, contract.Deal) else contract.Opened(tuple(values))
        )


def name_of(scheme: Scheme) -> str:
    """Return the name of a scheme."""
    return "hash" if isinstance(scheme, HashScheme) else "proved"


def may(game: Game[Any], state: Any, seat: Seat, said: Decision, known: Known) -> bool:
    """Say whether the rules allow a decision; words that they cannot read are against them."""
    try:
        return game.check(state, seat, said, known) is None
    except Exception:
        return False


def number_of(match_id: bytes, serial: int, first: bytes, others: tuple[bytes, ...], sides: int) -> int:
    """Return the number that shares give: the one that was fixed first, and the others in the order of the seats."""
    return int.from_bytes(hash_parts("number", match_id, serial, first, *others), "big") % sides
