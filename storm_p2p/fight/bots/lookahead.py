"""What a seat's own turn can bring, as far as it knows: lines of decisions, each judged when the turn is over.

No card is looked at that the seat does not know: what it draws stays unknown, and a lot falls on the first side.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from protocol.game import Decision, Known, Seat
from storm_p2p.fight import engine
from storm_p2p.fight.events import Event
from storm_p2p.fight.rules import playing
from storm_p2p.fight.rules.paying import default_payment
from storm_p2p.fight.rules.playing import END, PLAY
from storm_p2p.fight.state import State

Judge: TypeAlias = Callable[[State, Known, Seat], float]
"""Returns what a game is worth to a seat, from the cards of the slots that are named."""
_FARTHEST: Final = 100
"""So many questions of the turn are looked at; with an own set of cards it may have no end (B-41)."""
_LONGEST: Final = 8
"""So many plays that follow each other are."""


class Line(NamedTuple):
    """What the turn may bring that begins with a decision."""

    decision: Decision
    value: float
    """What the game is worth when the own turn is over."""
    after: State
    names: dict[int, int]
    """The cards that are named then."""
    events: tuple[Event, ...]
    """What happens until then or until a lot, if the own turn ends with it and no card comes that is not known."""


class _Node(NamedTuple):
    first: Decision
    value: float
    state: State
    """It asks for another card to play."""
    names: dict[int, int]
    events: tuple[Event, ...]


def find_lines(state: State, names: Known, judge: Judge, width: int = 0) -> Iterator[Line]:
    """Yield a line for each decision that is worth a thought, and more of them for plays that follow each other.

    Of a card's payments only :func:`storm_p2p.fight.rules.paying.default_payment` is one of these, and of the ways to
    end the phase only the one that is taken when a turn is looked ahead.

    Args:
        state: a game that asks somebody for a decision.
        names: the cards of hidden slots that they know.
        judge: says what the game is worth to them.
        width: how many of the best plays are followed by others; 0 for none.
    """
    question = state.question
    assert question is not None
    seat = question.seat
    nodes = [_Node(None, 0.0, state, dict(names), ())]
    for depth in range(_LONGEST):
        found: list[_Node] = []
        for node in nodes:
            for option in _list_options(node.state, node.names, ends=not depth):
                first = node.first if depth else option
                known = dict(node.names)
                after, events, whole = go_on(engine.decide(node.state, option), known, seat, state.number, judge)
                events = node.events + events
                if after.question is not None and after.question.kind == "main" and after.number == state.number:
                    here = after, dict(known)
                    after, more, _ = go_on(engine.decide(after, _end(after)), known, seat, state.number, judge)
                    value = judge(after, known, seat)
                    found.append(_Node(first, value, *here, events))
                    events += more if whole else ()
                else:
                    value = judge(after, known, seat)
                yield Line(first, value, after, known, events)
        nodes = sorted(found, key=lambda node: -node.value)[:width]


def _list_options(state: State, names: Known, *, ends: bool) -> Sequence[Decision]:
    assert state.question is not None
    if state.question.kind != "main":
        return engine.legal(state, names)
    plays = playing.main_decisions(state, names, default_payment)
    found = [one for one in plays if isinstance(one, tuple) and one[0] == PLAY]
    return [*found, _end(state)] if ends else found


def _end(state: State) -> Decision:
    # In the first turn the attack is what costs least to leave out (F-5.3).
    return (END, 1 if state.number == 1 else None)


def go_on(
    state: State, names: dict[int, int], seat: Seat, number: int, judge: Judge
) -> tuple[State, tuple[Event, ...], bool]:
    """Answer what is asked until the turn is over or a card may be played.

    Return what has happened, too, up to the first lot, and whether there was none; ``names`` goes on with the hand.
    """
    events: list[Event] = []
    whole = True
    for _ in range(_FARTHEST):
        if whole:
            events += state.events
        question = state.question
        if question is None or state.number != number:
            break
        match question.kind:
            case "deal":
                state = engine.answer_deal(state)
            case "open":
                # A card that chance takes from the other's hand goes to the discards, where no card is worth anything.
                state = engine.answer_open(state, [names.get(slot, 0) for slot in question.slots])
            case "toss":
                # A position is worth the same whichever card it is, so one lot stands for the mean; nobody is told.
                state, whole = engine.answer_toss(state, 0), False
            case "mix":
                state = _mix(state, names)
            case kind if kind != "main" and question.seat == seat:
                # What follows in the attack is looked at one question at a time.
                options = engine.legal(state, names)
                state = max((engine.decide(state, one) for one in options), key=lambda one: judge(one, names, seat))
            case _:
                break
    return state, tuple(events), whole


def _mix(state: State, names: dict[int, int]) -> State:
    assert state.question is not None
    seat = state.question.seat
    cards = [-1 - entry if entry < 0 else names.get(entry) for entry in state.hands[seat]]
    fresh = state.fresh
    state = engine.answer_mix(state)
    names.update((fresh + at, card) for at, card in enumerate(cards) if card is not None)
    return state
