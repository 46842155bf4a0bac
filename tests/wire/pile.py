"""A small game with a pile that nobody knows, to show what the protocol does with cards and knows nothing of Fight."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from protocol.game import (
    Answer,
    Choose,
    Chosen,
    Deal,
    Dealt,
    Decision,
    Game,
    Json,
    Known,
    Mix,
    Mixed,
    Open,
    Opened,
    Request,
    Seat,
    Slot,
    Toss,
    Tossed,
    other,
)

HAND = 3
Hands = tuple[tuple[Slot, ...], tuple[Slot, ...]]


@dataclass(frozen=True, slots=True)
class Cards:
    """What everybody sees."""

    phase: str
    turn: Seat
    pile: tuple[Slot, ...]
    hands: Hands
    fresh: Slot
    open: tuple[int, ...] = ()
    """The cards that lie open, the last one on top."""
    returned: tuple[int, ...] = ()
    """Open cards that go into the hand of the seat whose turn it is when it is mixed."""
    asked: tuple[Slot, ...] = ()
    """What is opened now."""
    owner: Seat = 0
    score: tuple[int, int] = (0, 0)
    lost: int | None = None


class HighCard(Game[Cards]):
    """Play a card above the last open one for a point.

    ``(0, i)``: play the i-th card of the hand; ``(1,)``: say that one holds no even card; ``(2,)``: take the last open
    card back; ``(3,)``: turn a card of the pile over; ``(4,)``: let the other lose a card by chance.  Then one draws a
    card and mixes the hand.  The terms are the number of cards.
    """

    name = "high-card"
    version = "1"
    seats = 2
    schemes = ("proved",)
    largest_batch = HAND
    sides = ("0", "1")

    def begin(self, terms: Decision) -> Cards:
        if not isinstance(terms, int) or not 2 * HAND + 2 <= terms <= 96:
            raise ValueError(f"expected 8 to 96 cards, got {terms}")
        return Cards("shuffle", 0, tuple(range(terms)), ((), ()), terms)

    def next_request(self, state: Cards) -> Request | None:
        turn, hand = state.turn, state.hands[state.turn]
        match state.phase:
            case "shuffle":
                return Mix((), (state.pile,), (0, 1), faces=tuple(range(len(state.pile))))
            case "deal":
                return Deal(state.pile[:HAND], (turn,))
            case "play":
                return Choose(turn, "play")
            case "open":
                return Open(state.owner, state.asked)
            case "toss":
                return Toss(len(state.hands[other(turn)]), "lost", (0, 1))
            case "turn":
                return Deal(state.pile[:1], ())
            case "draw":
                return Deal(state.pile[:1], (turn,))
            case "mix":
                count = len(hand) + len(state.returned)
                return Mix(hand, (tuple(range(state.fresh, state.fresh + count)),), (turn,), faces=state.returned)
            case _:
                return None

    def moves(self, state: Cards, seat: Seat, known: Known) -> Iterable[Decision]:
        hand = state.hands[seat]
        yield from ((0, index) for index in range(len(hand)))
        if all(known.get(slot, 1) % 2 for slot in hand):
            yield (1,)
        if state.open:
            yield (2,)
        if state.pile:
            yield (3,)
        if state.hands[other(seat)]:
            yield (4,)

    def check(self, state: Cards, seat: Seat, decision: Decision, known: Known) -> str | None:
        if decision == (1,) and not all(known.get(slot, 1) % 2 for slot in state.hands[seat]):
            return "the hand holds an even card"
        fits = decision == (1,) or decision in list(self.moves(state, seat, {}))
        return None if fits else "nothing like this"

    def step(self, state: Cards, answer: Answer) -> Cards:
        turn = state.turn
        match state.phase, answer:
            case "shuffle", Mixed():
                return replace(state, phase="deal")
            case (("deal" | "draw"), Dealt()):
                count = HAND if state.phase == "deal" else 1
                hands = self._with(state, turn, state.hands[turn] + state.pile[:count])
                state = replace(state, hands=hands, pile=state.pile[count:])
                if state.phase == "deal":
                    return replace(state, turn=other(turn), phase="play" if turn else "deal")
                return self._mix(state)
            case "play", Chosen(_, (0, int(index))):
                return replace(state, phase="open", owner=turn, asked=(state.hands[turn][index],))
            case "play", Chosen(_, (2,)):
                return self._draw(replace(state, open=state.open[:-1], returned=state.open[-1:]))
            case "play", Chosen(_, (3,)):
                return replace(state, phase="turn")
            case "play", Chosen(_, (4,)):
                return replace(state, phase="toss")
            case "play", Chosen():
                return self._draw(state)
            case "toss", Tossed(int(number)):
                return replace(state, phase="open", owner=other(turn), asked=(state.hands[other(turn)][number],))
            case "open", Opened((value,)):
                left = tuple(slot for slot in state.hands[state.owner] if slot not in state.asked)
                state = replace(state, hands=self._with(state, state.owner, left), asked=())
                return self._draw(self._lay(state, value, state.owner == turn))
            case "turn", Dealt((value,)):
                return self._draw(self._lay(replace(state, pile=state.pile[1:]), value, False))
            case "mix", Mixed():
                count = len(state.hands[turn]) + len(state.returned)
                hands = self._with(state, turn, tuple(range(state.fresh, state.fresh + count)))
                return replace(
                    state, phase="play", turn=other(turn), hands=hands, returned=(), fresh=state.fresh + count
                )
            case _:
                raise AssertionError(f"{answer} in phase {state.phase}")

    def _lay(self, state: Cards, value: int, counts: bool) -> Cards:
        points = int(counts and (not state.open or value > state.open[-1]))
        score = tuple(one + points * (seat == state.turn) for seat, one in enumerate(state.score))
        return replace(state, open=(*state.open, value), score=(score[0], score[1]))

    def _draw(self, state: Cards) -> Cards:
        return replace(state, phase="draw" if state.pile else "over")

    def _mix(self, state: Cards) -> Cards:
        if len(state.hands[state.turn]) + len(state.returned) > 1:
            return replace(state, phase="mix")
        return replace(state, phase="play", turn=other(state.turn), open=(*state.open, *state.returned), returned=())

    def _with(self, state: Cards, seat: Seat, hand: tuple[Slot, ...]) -> Hands:
        return (hand, state.hands[1]) if seat == 0 else (state.hands[0], hand)

    def forfeit(self, state: Cards, seat: Seat) -> Cards:
        return replace(state, lost=seat, phase="over")

    def result(self, state: Cards) -> Mapping[str, str] | None:
        if state.lost is not None:
            return {"winner": str(other(state.lost)), "reason": "forfeit"}
        if state.phase != "over":
            return None
        one, two = state.score
        return {"winner": "draw" if one == two else str(int(two > one)), "reason": "points"}

    def view(self, state: Cards, seat: Seat | None, known: Known) -> Json:
        return {"score": list(state.score), "open": list(state.open), "pile": len(state.pile)}

    def dump(self, state: Cards) -> bytes:
        return json.dumps(asdict(state), separators=(",", ":"), sort_keys=True).encode()

    def load(self, data: bytes) -> Cards:
        try:
            found = json.loads(data)
            hands = tuple(tuple(hand) for hand in found.pop("hands"))
            names = ("pile", "open", "returned", "asked", "score")
            lists: dict[str, Any] = {name: tuple(found.pop(name)) for name in names}
            return Cards(hands=(hands[0], hands[1]), **lists, **found)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise ValueError("expected a dumped state") from error
