"""The search of ``oracle``: what the own turn may bring, and what the other answers in worlds that agree with it all.

The own turn is looked at once, for no hidden card shows in it: what is drawn counts as unknown.  Then the other's hand
is dealt again and again from what may be in it, and each of the best lines goes on with the turn of the other, who sees
none of this seat's cards.  A simulation is one line of the own turn, or one such answer.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from protocol.game import Decision, Known, Seat, other
from storm_p2p.fight import engine
from storm_p2p.fight.bots.lookahead import Judge, Line, find_lines, go_on
from storm_p2p.fight.rules.values import carried
from storm_p2p.fight.state import State

CANDIDATES: Final = 8
"""How many decisions are looked at closely."""
CLOSELY: Final = 4
"""In how many worlds all of them are; then only the better half is."""
WIDTH: Final = 6
"""How many plays are followed by others in the own turn."""
ANSWERING: Final = 1
"""How many are in the turn of the other."""
GLANCE: Final = 2.0
"""As many worlds as this count as much as the look at the own turn alone."""


def search(state: State, names: Known, seat: Seat, rng: Random, judge: Judge) -> Iterator[Decision]:
    """Yield what to do after one simulation, after two, and so on.

    Args:
        state: a game that asks the seat for a decision.
        names: the cards of hidden slots that it knows.
        seat: who decides.
        rng: the only source of chance.
        judge: says how likely a seat wins when a turn is over.
    """
    lines: list[Line] = []
    first: Line | None = None
    for line in find_lines(state, names, judge, WIDTH):
        lines.append(line)
        first = line if first is None or line.value > first.value else first
        yield first.decision
    best = find_best(lines)[:CANDIDATES]
    worlds = 0
    totals = {line.decision: GLANCE * line.value for line in best}
    while True:
        hand = deal(state, names, other(seat), rng)
        answers = {}
        for line in best:
            answers[line.decision] = judge_answer(line, hand, seat, judge)
            yield best[0].decision
        # Only what was seen in the same worlds is compared.
        worlds += 1
        for decision, chance in answers.items():
            totals[decision] += chance
        best.sort(key=lambda one: -totals[one.decision])
        if worlds == CLOSELY:
            best = best[: CANDIDATES // 2]


def find_best(lines: Iterable[Line]) -> list[Line]:
    """Return the best line of each decision, the best first."""
    found: dict[Decision, Line] = {}
    for line in sorted(lines, key=lambda one: -one.value):
        found.setdefault(line.decision, line)
    return list(found.values())


def judge_answer(line: Line, hand: Known, seat: Seat, judge: Judge) -> float:
    """Return how likely a seat wins with a line after the turn of the other, who holds these cards."""
    after, names = line.after, {**line.names, **hand}
    state, _, _ = go_on(after, names, other(seat), after.number, judge)
    if state.question is None or state.question.seat == seat or state.question.kind not in engine.DECISIONS:
        return judge(state, names, seat)
    answer = max(find_lines(state, names, judge, ANSWERING), key=lambda one: one.value)
    return judge(answer.after, answer.names, seat)


def deal(state: State, names: Known, seat: Seat, rng: Random) -> dict[int, int]:
    """Return a card for each hidden slot of a seat's hand that agrees with all that the other seat knows.

    Each that agrees is as likely as any other.  A card that everybody knows to be in the hand lies under one of the
    slots that it was mixed into, not under one that was dealt since (B-27).
    """
    cards, hands = len(state.cards.cards), state.hands
    seen = {*state.discards, *state.known[seat], *(-1 - entry for hand in hands for entry in hand if entry < 0)}
    seen |= {number for side in state.sides for unit in side if unit is not None for number in carried(unit)}
    seen |= {names[entry] for entry in hands[other(seat)] if entry in names}
    slots = [entry for entry in hands[seat] if entry >= 0]
    rng.shuffle(slots)
    # Slots below this are those of the pile.
    slots.sort(key=lambda slot: slot < cards)
    loose = [card for card in range(cards) if card not in seen]
    return dict(zip(slots, [*state.known[seat], *rng.sample(loose, len(slots) - len(state.known[seat]))], strict=True))
