"""Games that share nothing with Storm, to show that the protocol knows no game.

Rock-paper-scissors asks for ``Sealed`` alone.  Bluff asks for everything else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from protocol.game import (
    Answer,
    Choose,
    Chosen,
    Decision,
    Foul,
    Game,
    Hidden,
    Hide,
    Json,
    Known,
    Mix,
    Mixed,
    Open,
    Opened,
    Request,
    Sealed,
    Seat,
    Toss,
    Tossed,
    Unsealed,
    other,
)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Wins so far."""

    wins: tuple[int, int]
    goal: int
    lost: int | None = None


class RockPaperScissors(Game[Rounds]):
    """The first to win ``terms`` rounds; 0 rock, 1 paper, 2 scissors."""

    name = "rock-paper-scissors"
    version = "1"
    seats = 2
    largest_batch = 0
    sides = ("0", "1")

    def begin(self, terms: Decision) -> Rounds:
        if not isinstance(terms, int) or not 1 <= terms <= 9:
            raise ValueError(f"expected 1 to 9 rounds, got {terms}")
        return Rounds((0, 0), terms)

    def next_request(self, state: Rounds) -> Request | None:
        return None if self.result(state) else Sealed((0, 1), "throw")

    def moves(self, state: Rounds, seat: Seat, known: Known) -> Iterable[Decision]:
        return range(3)

    def check(self, state: Rounds, seat: Seat, decision: Decision, known: Known) -> str | None:
        return None if decision in (0, 1, 2) and isinstance(decision, int) else "a throw is 0, 1 or 2"

    def step(self, state: Rounds, answer: Answer) -> Rounds:
        assert isinstance(answer, Unsealed)
        ours, theirs = answer.decisions
        assert isinstance(ours, int)
        assert isinstance(theirs, int)
        lead = (ours - theirs) % 3
        return replace(state, wins=(state.wins[0] + (lead == 1), state.wins[1] + (lead == 2)))

    def forfeit(self, state: Rounds, seat: Seat) -> Rounds:
        return replace(state, lost=seat)

    def result(self, state: Rounds) -> Mapping[str, str] | None:
        if state.lost is not None:
            return {"winner": str(other(state.lost)), "reason": "forfeit"}
        if max(state.wins) >= state.goal:
            return {"winner": str(state.wins.index(max(state.wins))), "reason": "rounds"}
        return None

    def view(self, state: Rounds, seat: Seat | None, known: Known) -> Json:
        return {"wins": list(state.wins)}

    def dump(self, state: Rounds) -> bytes:
        return json.dumps([*state.wins, state.goal, state.lost]).encode()

    def load(self, data: bytes) -> Rounds:
        one, two, goal, lost = json.loads(data)
        return Rounds((one, two), goal, lost)


class Bets(RockPaperScissors):
    """Seat 1 says a number and has won or lost by it: the own move alone can be the last one, and a bad one."""

    name = "bets"

    def next_request(self, state: Rounds) -> Request | None:
        return None if self.result(state) else Choose(1, "bet")

    def step(self, state: Rounds, answer: Answer) -> Rounds:
        assert isinstance(answer, Chosen)
        return replace(state, wins=(1, 0) if answer.decision == 0 else (0, 1))


class Race(RockPaperScissors):
    """Whoever has fewer points, seat 0 of equals, adds 1 to 3; the first to have ``terms`` wins.

    Nothing is hidden, and free decisions of different seats stand side by side.
    """

    name = "race"

    def next_request(self, state: Rounds) -> Request | None:
        return None if self.result(state) else Choose(int(state.wins[1] < state.wins[0]), "points")

    def step(self, state: Rounds, answer: Answer) -> Rounds:
        assert isinstance(answer, Chosen)
        assert isinstance(answer.decision, int)
        wins = list(state.wins)
        wins[answer.seat] += answer.decision + 1
        return replace(state, wins=(wins[0], wins[1]))


@dataclass(frozen=True, slots=True)
class Table:
    """Bluff: what everybody sees."""

    cards: int
    phase: str
    turn: int
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    fresh: int
    score: tuple[int, int] = (0, 0)
    claim: int | None = None
    played: int | None = None
    moved: int = 0
    first: int | None = None
    lost: int | None = None
    private: bool = False


class Bluff(Game[Table]):
    """Each hides the cards 0 to n - 1, a toss says who begins, and then by turns:

    ``(0, i, c)``: play the i-th hidden card and claim that it is at least c; the other doubts (1) or not (0).
    Doubted, it is opened: whoever was right gets a point.  Not doubted, a claim is worth a point.  A claim above
    n - 1 is never legal; a claim that is a lie is.  ``(1, k)``: put k cards aside, which mixes the hand in two
    parts.  ``(2, i)``: declare that card i is even, which must be true: shown false when opened, or in the audit.
    With ``private`` terms the number is for seat 0 alone, and seat 0 may not declare it wrong: ``(3, number)``.
    """

    name = "bluff"
    version = "2"
    seats = 2
    largest_batch = 12
    sides = ("0", "1")

    def begin(self, terms: Decision) -> Table:
        if not (isinstance(terms, tuple) and len(terms) == 2):
            raise ValueError(f"expected (cards, private), got {terms}")
        cards, private = terms
        if not isinstance(cards, int) or not 2 <= cards <= 12 or private not in (0, 1):
            raise ValueError(f"expected 2 to 12 cards and 0 or 1, got {terms}")
        hands = (tuple(range(cards)), tuple(range(cards, 2 * cards)))
        return Table(cards, "hide", 0, hands, 2 * cards, private=private == 1)

    def next_request(self, state: Table) -> Request | None:
        if self.result(state) is not None:
            return None
        turn, hand = state.turn, state.hands[state.turn]
        match state.phase:
            case "hide":
                return Hide(turn, hand, "cards", tuple(range(state.cards)))
            case "toss":
                return Toss(2, "first", (0,) if state.private else (0, 1))
            case "doubt":
                return Choose(other(turn), "doubt")
            case "open":
                assert state.played is not None
                return Open(turn, (state.played,))
            case "mix":
                slots = tuple(range(state.fresh, state.fresh + len(hand)))
                return Mix(hand, (slots[: state.moved], slots[state.moved :]), (turn,))
            case _:
                return Choose(turn, "play")

    def moves(self, state: Table, seat: Seat, known: Known) -> Iterable[Decision]:
        if state.phase == "doubt":
            yield from (0, 1)
            return
        hand = state.hands[seat]
        for index in range(len(hand)):
            yield from ((0, index, claim) for claim in range(state.cards))
        for count in range(1, len(hand)):
            yield 1, count

    def check(self, state: Table, seat: Seat, decision: Decision, known: Known) -> str | None:
        hand = state.hands[seat]
        match state.phase, decision:
            case (("hide" | "mix"), None):
                return None
            case "doubt", 0 | 1:
                return None
            case "play", (0, int(index), int(claim)) if 0 <= index < len(hand) and 0 <= claim < state.cards:
                return None
            case "play", (1, int(count)) if 0 < count < len(hand):
                return None
            case "play", (2, int(index)) if 0 <= index < len(hand):
                odd = known.get(hand[index], 0) % 2
                return "the card is odd" if odd else None
            case "play", (3, int(number)) if state.private and seat == 0:
                return "another number was tossed" if known.get(-1, number) != number else None
            case _:
                return f"nothing like this in phase {state.phase}"

    def step(self, state: Table, answer: Answer) -> Table:
        turn = state.turn
        match state.phase, answer:
            case "hide", Hidden():
                return replace(state, turn=1) if turn == 0 else replace(state, turn=0, phase="toss")
            case "toss", Tossed(number):
                return replace(state, phase="play", turn=number or 0, first=number)
            case "play", Chosen(_, (0, int(index), int(claim))):
                return replace(state, phase="doubt", played=state.hands[turn][index], claim=claim)
            case "play", Chosen(_, (1, int(count))):
                return replace(state, phase="mix", moved=count)
            case "play", Chosen(_, (2, int(index))):
                return replace(state, phase="open", played=state.hands[turn][index], claim=-2)
            case "play", Chosen():
                return replace(state, turn=other(turn))
            case "doubt", Chosen(_, 0):
                return self._next(state, turn)
            case "doubt", Chosen():
                return replace(state, phase="open")
            case "open", Opened((value,)):
                assert state.claim is not None
                if state.claim == -2:
                    if value % 2:
                        raise Foul(turn, "declared_wrong", f"card {state.played} was declared even and is {value}")
                    return self._next(state, turn)
                return self._next(state, turn if value >= state.claim else other(turn))
            case "mix", Mixed():
                size = len(state.hands[turn])
                hand = tuple(range(state.fresh, state.fresh + size))
                hands = (hand, state.hands[1]) if turn == 0 else (state.hands[0], hand)
                return replace(state, phase="play", turn=other(turn), hands=hands, fresh=state.fresh + size)
            case _:
                raise AssertionError(f"{answer} in phase {state.phase}")

    def _next(self, state: Table, winner: int) -> Table:
        hands = tuple(tuple(slot for slot in hand if slot != state.played) for hand in state.hands)
        score = (state.score[0] + (winner == 0), state.score[1] + (winner == 1))
        return replace(
            state,
            phase="play",
            turn=other(state.turn),
            hands=(hands[0], hands[1]),
            score=score,
            played=None,
            claim=None,
        )

    def forfeit(self, state: Table, seat: Seat) -> Table:
        return replace(state, lost=seat)

    def result(self, state: Table) -> Mapping[str, str] | None:
        if state.lost is not None:
            return {"winner": str(other(state.lost)), "reason": "forfeit"}
        if not all(state.hands):
            one, two = state.score
            winner = "draw" if one == two else str(int(two > one))
            return {"winner": winner, "reason": "points"}
        return None

    def view(self, state: Table, seat: Seat | None, known: Known) -> Json:
        return {"score": list(state.score), "phase": state.phase}

    def dump(self, state: Table) -> bytes:
        names = state.__slots__
        return json.dumps([getattr(state, name) for name in names]).encode()

    def load(self, data: bytes) -> Table:
        values = json.loads(data)
        values[3] = (tuple(values[3][0]), tuple(values[3][1]))
        values[5] = tuple(values[5])
        return Table(*values)
