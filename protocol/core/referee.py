"""What a step does to a match, for whoever looks at it (SPEC.md, section "Steps").

One pure function, :meth:`Referee.apply`, is used by the own program before it sends, by the peer when it
receives and by the audit.  It does not know who "we" are, so that nobody is held to other rules than the
other.  Signatures and order are not its business; that is :mod:`protocol.core.transcript`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from protocol import game as contract
from protocol.core import steps
from protocol.core.steps import PAIR_LENGTH, Step, split_pairs
from protocol.core.wire import encode
from protocol.crypto.commitments.interface import Card, Context, Pair, Piles, Scheme, SlotToken, Within
from protocol.crypto.hashing import hash_parts
from protocol.errors import BadCommitment, LocalProtocolError, Refused
from protocol.game import Answer, Decision, Game, Known, Request, Seat, Slot, Value, check_bounds, check_request

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Ledger(Mapping[K, T], Generic[K, T]):
    """What is known by slot, or by slot and seat, which only ever grows, since no slot is used twice.

    Adding gives a new ledger that shares what is settled, so that the positions of a long match do not each
    hold a copy of everything.  Whoever settles a ledger makes its entries visible to all that share it.
    """

    __slots__ = ("_added", "_settled")

    def __init__(self, settled: dict[K, T] | None = None, added: dict[K, T] | None = None) -> None:
        """Begin empty, or with what is shared and what is our own."""
        self._settled: dict[K, T] = {} if settled is None else settled
        self._added: dict[K, T] = {} if added is None else added

    def __getitem__(self, slot: K) -> T:
        return self._added[slot] if slot in self._added else self._settled[slot]

    def __contains__(self, slot: object) -> bool:
        return slot in self._added or slot in self._settled

    def __iter__(self) -> Iterator[K]:
        yield from self._settled
        yield from (slot for slot in self._added if slot not in self._settled)

    def __len__(self) -> int:
        return sum(1 for _ in self) if self._added else len(self._settled)

    def plus(self, more: Mapping[K, T]) -> Ledger[K, T]:
        """Return a ledger with more entries."""
        return Ledger(self._settled, {**self._added, **more})

    def settle(self) -> None:
        """Share all entries: the step that added them has been accepted."""
        if self._added:
            self._settled.update(self._added)
            self._added = {}


class Position(NamedTuple):
    """A match between two steps: everything public, nothing secret.

    A NamedTuple, for one is made with every step and a frozen dataclass takes four times as long.
    """

    head: bytes
    """The hash of the last envelope; the match id before the first."""
    partial: tuple[Any, ...]
    """What has come in for a request that takes several steps: the step of the seat that seals or fixes first, then
    words or shares of the others."""
    state: Any
    """The game's public state."""
    request: Request | None
    """What the game wants; None when it is over."""
    serial: int
    """How many requests have been answered; part of every seal."""
    tokens: Ledger[Slot, SlotToken]
    """The values that were hidden."""
    opened: Ledger[Slot, Value]
    """Values that everybody knows."""
    tosses: int
    """How many numbers have been tossed."""
    cards: Ledger[Slot, Card]
    """Cards as they came to lie in a pile or a hand."""
    shares: Ledger[tuple[Slot, Seat], bytes]
    """What takes the lock of a seat off a card.  Older positions share the ledgers, so a card is never changed in its
    slot."""
    keys: tuple[bytes, ...] = ()
    """The keys of all seats' locks; none before the first pile."""
    faces: frozenset[Value] = frozenset()
    """What may lie in piles."""


def is_pile(position: Position, request: contract.Mix) -> bool:
    """Say whether a Mix is one of cards, and not of the hidden values of one seat."""
    return bool(request.faces) or request.take[0] in position.cards


def is_card(position: Position, request: contract.Open) -> bool:
    """Say whether an Open is one of cards."""
    return request.slots[0] in position.cards


class Dealer(NamedTuple):
    """How cards of a pile are mixed and dealt in a match (SPEC.md, section "Piles").

    Attributes:
        piles: the cryptography.
        seats: how many seats the match has.
    """

    piles: Piles
    seats: int

    def order(self, position: Position, request: contract.Mix) -> tuple[Seat, ...]:
        """Return who writes the steps of a Mix: before the first pile all keys, then the stirs, the last seat first.

        So the last seat sends its key and its stir together.
        """
        keys = () if position.keys else tuple(range(self.seats))
        return (*keys, *reversed(request.by))

    def wants_key(self, position: Position) -> bool:
        """Say whether the next step of a Mix of cards is a key."""
        return not position.keys and len(position.partial) < self.seats

    def keys(self, position: Position) -> tuple[bytes, ...]:
        """Return the keys of all seats once they are there."""
        return position.keys or position.partial[: self.seats]

    def cards(self, position: Position, slots: Sequence[Slot]) -> list[Card]:
        """Return cards as they are now; a game asks only for cards together that have the same locks."""
        found = []
        for slot in slots:
            card = position.cards[slot]
            for seat in card.locks:
                share = position.shares.get((slot, seat))
                if share is not None:
                    card = self.piles.take_off(card, share, seat)
            found.append(card)
        assert len({card.locks for card in found}) <= 1, "a game must not ask for cards with different locks at once"
        return found

    def before_stir(self, position: Position, request: contract.Mix) -> tuple[list[Pair], bytes, tuple[Seat, ...]]:
        """Return the pairs that are stirred next, the sum of the keys of their locks, and whose locks these are."""
        keys, cards = self.keys(position), self.cards(position, request.take)
        locks = cards[0].locks if cards else tuple(sorted(request.by))
        joint = self.piles.join_keys([keys[seat] for seat in locks])
        if len(position.partial) > (0 if position.keys else self.seats):
            return list(position.partial[-1]), joint, locks
        pairs = [(card.first, card.second) for card in cards]
        return [*pairs, *self.piles.open_deck(request.faces, joint)], joint, locks

    def check_stir(
        self, position: Position, request: contract.Mix, context: Context, step: steps.Stir
    ) -> tuple[tuple[Pair, ...], tuple[Seat, ...]]:
        """Return the new pairs and whose locks are on them.

        Raises:
            Refused: ``wrong_count``.
            BadCommitment: ``bad_point`` or ``bad_proof``.
        """
        old, joint, locks = self.before_stir(position, request)
        if len(step.pairs) != PAIR_LENGTH * len(old):
            raise Refused("wrong_count", f"{len(old)} pairs", f"{len(step.pairs)} bytes")
        new = split_pairs(step.pairs)
        self.piles.check_stir(context, old, new, joint, step.proof)
        return tuple(new), locks

    def check_unlock(
        self, position: Position, slots: Sequence[Slot], context: Context, step: steps.Unlock
    ) -> tuple[list[Card], dict[tuple[Slot, Seat], bytes]]:
        """Return cards without the lock of a seat, and its shares by slot and seat.

        Raises:
            Refused: ``wrong_count``.
            BadCommitment: ``bad_point`` or ``bad_proof``.
        """
        if len(step.shares) != len(slots):
            raise Refused("wrong_count", f"{len(slots)} shares", f"{len(step.shares)}")
        cards, seat = self.cards(position, slots), context.seat
        self.piles.check_unlock(context, position.keys[seat], cards, step.shares, step.proof)
        shares = {(slot, seat): share for slot, share in zip(slots, step.shares, strict=True)}
        return [self.piles.take_off(*each, seat) for each in zip(cards, step.shares, strict=True)], shares


@dataclass(frozen=True, slots=True)
class Referee:
    """The rules of a match: a game, a scheme and the match they belong to."""

    game: Game[Any]
    scheme: Scheme
    match_id: bytes

    def begin(self, terms: Decision) -> Position:
        """Return the first position.

        Raises:
            ValueError: the game does not take the terms, or no match in this scheme can carry it.
        """
        check_bounds(self.game, self.scheme.name)
        state = self.game.begin(terms)
        request = self.game.next_request(state)
        check_request(request, self.scheme.name)
        return Position(self.match_id, (), state, request, 0, Ledger(), Ledger(), 0, Ledger(), Ledger())

    def turn(self, position: Position) -> Seat | None:
        """Return the one seat that may write the next step, or None when the game is over."""
        request = position.request
        match request:
            case contract.Choose(seat):
                return seat
            case None:
                return None
            case contract.Sealed(seats):
                # The first seals, the others answer, the first opens.
                return seats[len(position.partial) % len(seats)]
            case contract.Mix():
                order = self.mix_order(position, request)
                return order[len(position.partial) % len(order)]
            case contract.Deal(slots, to):
                # All locks are taken off but those of the seats that shall see the cards.
                return next(seat for seat in self.dealer.cards(position, slots)[0].locks if seat not in to)
            case contract.Toss():
                order = self.toss_order(request)
                return order[len(position.partial) % len(order)]
            case _:
                return request.seat

    def mix_order(self, position: Position, request: contract.Mix) -> tuple[Seat, ...]:
        """Return who writes the steps of a Mix; one of cards has several."""
        return self.dealer.order(position, request) if is_pile(position, request) else request.by

    def toss_order(self, request: contract.Toss) -> tuple[Seat, ...]:
        """Return who fixes a share first and who then tell theirs at once.

        The one who fixes tells that share last, unless the number is for that seat alone: then never, and the
        audit looks at it.
        """
        first = request.to[0] if self.is_private(request) else 0
        return (first, *(seat for seat in range(self.game.seats) if seat != first))

    def is_private(self, request: contract.Toss) -> bool:
        """Say whether the number is for one seat alone."""
        return len(request.to) == 1 and self.game.seats > 1

    def toss_number(self, serial: int, sides: int, shares: Sequence[bytes]) -> int:
        """Return the number that the shares give, the share that was fixed first before the others."""
        # 256 bits over at most 64: what the remainder favours is less than anybody could ever see.
        return int.from_bytes(hash_parts("number", self.match_id, serial, *shares)) % sides

    def seal(self, seat: Seat, serial: int, salt: bytes, decision: Decision) -> bytes:
        """Return the 32 bytes that fix a decision."""
        return hash_parts("sealed", self.match_id, seat, serial, salt, encode(decision))

    def commit_share(self, seat: Seat, serial: int, share: bytes) -> bytes:
        """Return the 32 bytes that fix a share of a toss."""
        return hash_parts("toss", self.match_id, seat, serial, share)

    def check(self, position: Position, seat: Seat, decision: Decision, known: Known) -> None:
        """Ask the rules about a decision.

        Raises:
            Refused: ``illegal_decision``.
        """
        try:
            reason = self.game.check(position.state, seat, decision, known)
        except Exception as error:
            # Words that the rules cannot even read are against the rules.  The own program asks the same
            # question before it sends, so nobody honest gets here.
            reason = f"words that the rules can read, got {type(error).__name__}"
        if reason is not None:
            raise Refused("illegal_decision", "a decision within the rules", f"{decision}: {reason}")

    def apply(self, position: Position, seat: Seat, step: Step) -> tuple[Position, Answer | None]:
        """Return the position after a step, and the answer if the step completes one.

        Raises:
            Refused: the step is not allowed here.
            BadCommitment: it does not belong to its commitment.
            Foul: it shows that an earlier decision was against the rules.
            LocalProtocolError: ``shared_mix``, the game then asks for what no match can carry.
        """
        turn = self.turn(position)
        if turn != seat:
            raise Refused("not_your_turn", f"a step of seat {turn}", f"one of seat {seat}")
        match position.request, step:
            case contract.Choose(), steps.Choice(decision):
                self.check(position, seat, decision, position.opened)
                return self._complete(position, contract.Chosen(seat, decision))
            case contract.Sealed() as sealed, steps.Choice() | steps.Seal() | steps.Unseal():
                return self._sealed(position, sealed, seat, step)
            case contract.Open() as wanted, steps.Reveal() if not is_card(position, wanted):
                return self._open(position, wanted, step)
            case contract.Hide() as hide, steps.Commit():
                return self._hide(position, hide, step)
            case contract.Mix() as mix, steps.Key() | steps.Stir() if is_pile(position, mix):
                return self._stir(position, mix, seat, step)
            case contract.Mix() as mix, steps.Recommit() if not is_pile(position, mix):
                return self._mix(position, mix, step)
            case contract.Deal() as wanted, steps.Unlock():
                return self._unlock(position, wanted, seat, step)
            case contract.Open() as wanted, steps.Unlock() if is_card(position, wanted):
                return self._unlock(position, wanted, seat, step)
            case contract.Locate() as sought, steps.ProveMembership():
                return self._locate(position, sought, step)
            case contract.Toss() as toss, steps.TossCommit() | steps.TossReveal():
                return self._toss(position, toss, seat, step)
            case request, _:
                raise Refused("wrong_step", f"an answer to {type(request).__name__}", type(step).__name__)

    def _complete(self, position: Position, answer: Answer, **changed: Any) -> tuple[Position, Answer]:
        """Return the position after an answer, with what else has changed of it."""
        state = self.game.step(position.state, answer)
        request = self.game.next_request(state)
        try:
            check_request(request, self.scheme.name)
        except ValueError:
            raise LocalProtocolError("shared_mix", "a Mix that a match can carry", "another one") from None
        after = Position(position.head, (), state, request, position.serial + 1, *position[5:])
        return after._replace(**changed) if changed else after, answer

    def _partial(self, position: Position, item: object) -> tuple[Position, None]:
        return Position(position.head, (*position.partial, item), *position[2:]), None

    def _sealed(
        self, position: Position, request: contract.Sealed, seat: Seat, step: steps.Choice | steps.Seal | steps.Unseal
    ) -> tuple[Position, Answer | None]:
        so_far = position.partial
        if not so_far and len(request.seats) > 1:
            if not isinstance(step, steps.Seal):
                raise Refused("wrong_step", "Seal", type(step).__name__)
            return self._partial(position, step)
        if len(so_far) < len(request.seats):
            if not isinstance(step, steps.Choice):
                raise Refused("wrong_step", "Choice", type(step).__name__)
            self.check(position, seat, step.decision, position.opened)
            if len(request.seats) == 1:
                return self._complete(position, contract.Unsealed((step.decision,)))
            return self._partial(position, step.decision)
        if not isinstance(step, steps.Unseal):
            raise Refused("wrong_step", "Unseal", type(step).__name__)
        found = self.seal(seat, position.serial, step.salt, step.decision)
        if found != so_far[0].commitment:
            raise BadCommitment("wrong_opening", so_far[0].commitment.hex(), found.hex())
        self.check(position, seat, step.decision, position.opened)
        return self._complete(position, contract.Unsealed((step.decision, *so_far[1:])))

    def _hide(self, position: Position, request: contract.Hide, step: steps.Commit) -> tuple[Position, Answer]:
        if len(step.commitments) != len(request.slots):
            raise Refused("wrong_count", f"{len(request.slots)} commitments", f"{len(step.commitments)}")
        tokens = self.tokens(request.seat, request.slots[0], step.commitments)
        context, within = self.context(position, request.seat), self.within(request)
        self.scheme.check_hide(context, tokens, request.values, within, step.proof)
        self.check(position, request.seat, None, position.opened)
        laid = position.tokens.plus(dict(zip(request.slots, tokens, strict=True)))
        return self._complete(position, contract.Hidden(request.seat), tokens=laid)

    def _mix(self, position: Position, request: contract.Mix, step: steps.Recommit) -> tuple[Position, Answer]:
        sizes = [len(part) for part in request.give]
        if [len(part) for part in step.parts] != sizes:
            raise Refused("wrong_count", f"parts of {sizes}", f"{[len(part) for part in step.parts]}")
        for part in step.parts:
            # SPEC, "Steps and commitments": an order that the owner is free to choose would be a way to tell.
            if list(part) != sorted(part):
                raise Refused("not_sorted", "commitments in the order of their bytes", "another order")
        slots = tuple(slot for part in request.give for slot in part)
        old = [position.tokens[slot] for slot in request.take]
        owner = request.by[0]
        parts = [self.tokens(owner, slots[0], part) for part in step.parts]
        context, barred = self.context(position, owner), self.barred(position, request)
        self.scheme.check_mix(context, old, parts, barred, step.proof)
        self.check(position, owner, None, position.opened)
        laid = position.tokens.plus(dict(zip(slots, (token for part in parts for token in part), strict=True)))
        return self._complete(position, contract.Mixed(), tokens=laid)

    def _locate(
        self, position: Position, request: contract.Locate, step: steps.ProveMembership
    ) -> tuple[Position, Answer]:
        if step.part >= len(request.parts):
            raise Refused("wrong_count", f"one of {len(request.parts)} parts", f"number {step.part}")
        tokens = [position.tokens[slot] for slot in request.parts[step.part]]
        self.scheme.check_locate(self.context(position, request.seat), tokens, request.value, step.proof)
        self.check(position, request.seat, step.part, position.opened)
        return self._complete(position, contract.Located(request.seat, step.part))

    def _open(self, position: Position, request: contract.Open, step: steps.Reveal) -> tuple[Position, Answer]:
        if len(step.openings) != len(request.slots):
            raise Refused("wrong_count", f"{len(request.slots)} openings", f"{len(step.openings)}")
        opened: dict[Slot, Value] = {}
        for slot, (value, opening) in zip(request.slots, step.openings, strict=True):
            self.scheme.check_open(position.tokens[slot], value, opening)
            opened[slot] = value
        answer = contract.Opened(tuple(value for value, _ in step.openings))
        return self._complete(position, answer, opened=position.opened.plus(opened))

    def _toss(
        self, position: Position, request: contract.Toss, seat: Seat, step: steps.TossCommit | steps.TossReveal
    ) -> tuple[Position, Answer | None]:
        so_far = position.partial
        order = self.toss_order(request)
        if not so_far:
            if not isinstance(step, steps.TossCommit):
                raise Refused("wrong_step", "TossCommit", type(step).__name__)
            return self._partial(position, step)
        if not isinstance(step, steps.TossReveal):
            raise Refused("wrong_step", "TossReveal", type(step).__name__)
        if len(so_far) < len(order):
            if self.is_private(request) and len(so_far) == len(order) - 1:
                return self._complete(position, contract.Tossed(None), tosses=position.tosses + 1)
            return self._partial(position, step.share)
        found = self.commit_share(seat, position.serial, step.share)
        if found != so_far[0].commitment:
            raise BadCommitment("wrong_opening", so_far[0].commitment.hex(), found.hex())
        number = self.toss_number(position.serial, request.sides, (step.share, *so_far[1:]))
        return self._complete(position, contract.Tossed(number), tosses=position.tosses + 1)

    # -- cards ----------------------------------------------------------------------------------------------

    @property
    def dealer(self) -> Dealer:
        """What judges steps about cards; only a game that is played in a scheme with piles asks for any."""
        piles = self.scheme.piles
        assert piles is not None
        return Dealer(piles, self.game.seats)

    def _stir(
        self, position: Position, request: contract.Mix, seat: Seat, step: steps.Key | steps.Stir
    ) -> tuple[Position, Answer | None]:
        dealer, context = self.dealer, self.context(position, seat)
        wanted = steps.Key if dealer.wants_key(position) else steps.Stir
        if type(step) is not wanted:
            raise Refused("wrong_step", wanted.__name__, type(step).__name__)
        if isinstance(step, steps.Key):
            dealer.piles.check_key(context, step.point, step.proof)
            return self._partial(position, step.point)
        new, locks = dealer.check_stir(position, request, context, step)
        if len(position.partial) + 1 < len(self.mix_order(position, request)):
            return self._partial(position, new)
        laid = {slot: Card(*pair, locks) for slot, pair in zip(request.give[0], new, strict=True)}
        cards, faces = position.cards.plus(laid), position.faces.union(request.faces)
        return self._complete(position, contract.Mixed(), cards=cards, keys=dealer.keys(position), faces=faces)

    def _unlock(
        self, position: Position, request: contract.Deal | contract.Open, seat: Seat, step: steps.Unlock
    ) -> tuple[Position, Answer | None]:
        cards, shares = self.dealer.check_unlock(position, request.slots, self.context(position, seat), step)
        to = request.to if isinstance(request, contract.Deal) else ()
        taken = position.shares.plus(shares)
        if set(cards[0].locks) - set(to):
            return position._replace(shares=taken), None
        if cards[0].locks:
            return self._complete(position, contract.Dealt(), shares=taken)
        values = tuple(self.dealer.piles.read(card, {}, position.faces) for card in cards)
        opened = position.opened.plus(dict(zip(request.slots, values, strict=True)))
        answer = contract.Dealt(values) if isinstance(request, contract.Deal) else contract.Opened(values)
        return self._complete(position, answer, shares=taken, opened=opened)

    def context(self, position: Position, seat: Seat) -> Context:
        """Return where a proof of a seat stands at a position."""
        return Context(self.match_id, seat, position.head, position.serial)

    def within(self, request: contract.Hide) -> tuple[Within, ...]:
        """Return which values must lie at which places of a batch."""
        number = {slot: number for number, slot in enumerate(request.slots)}
        return tuple((value, tuple(number[slot] for slot in slots)) for value, slots in request.within)

    def barred(self, position: Position, request: contract.Mix) -> tuple[tuple[int, ...], ...]:
        """Return for each part the numbers of the old slots whose values everybody knows not to be there."""
        opened = position.opened
        return tuple(
            tuple(number for number, slot in enumerate(request.take) if slot in opened and opened[slot] in values)
            for values in request.barred
        )

    def tokens(self, seat: Seat, batch: int, commitments: Sequence[bytes]) -> list[SlotToken]:
        """Return the public side of a batch."""
        return [SlotToken(self.match_id, seat, batch, commitment) for commitment in commitments]
