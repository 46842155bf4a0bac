"""The engine: what is asked next, and what an answer does; pure functions of the public state.

A game is carried on by tasks: :func:`advance` does the next one until something has to be asked, which stands in
``state.question``.  Each ``answer_…`` and ``decide`` returns a new state that asks the next question, or has a result.
"""

from collections.abc import Callable, Sequence
from typing import Final

from protocol.game import Decision, Seat, other
from storm_p2p.fight.board import SPACES
from storm_p2p.fight.cards import CardSet
from storm_p2p.fight.errors import IllegalDecision
from storm_p2p.fight.events import What
from storm_p2p.fight.rules import abilities, attacking, hands, playing
from storm_p2p.fight.rules.playing import Names
from storm_p2p.fight.state import ASIDE, HAND, Question, State, Task


def new_game(cards: CardSet) -> State:
    """Return a game that asks the lot for the starting player (F-3.4, B-06)."""
    return State(cards, question=Question("lot", number=2))


def answer_lot(state: State, first: Seat) -> State:
    """Return the game after the lot: it asks for the pile to be shuffled."""
    state, _ = _take_question(state)
    state.active = state.first = first
    state.question = Question("shuffle", slots=tuple(range(len(state.cards.cards))))
    return state


def answer_shuffle(state: State) -> State:
    """Return the game after the pile was shuffled: hands are dealt (F-3.2, F-3.3)."""
    state, question = _take_question(state)
    # B-05: the last places are put aside unseen.
    state.pile = list(question.slots[:-ASIDE])
    state.fresh = len(question.slots)
    state.stack = [("turn",), ("draw", 1, HAND), ("draw", 0, HAND)]
    return advance(state)


def answer_deal(state: State) -> State:
    """Return the game after cards were dealt."""
    state, question = _take_question(state)
    hands.take_dealt(state, question.seat, question.number)
    return advance(state)


def answer_mix(state: State) -> State:
    """Return the game after a hand was mixed."""
    state, question = _take_question(state)
    hands.take_mixed(state, question.seat)
    return advance(state)


def answer_toss(state: State, number: int) -> State:
    """Return the game after chance has chosen a card of a hand."""
    state, question = _take_question(state)
    hands.lose_entry(state, question.seat, number)
    return advance(state)


def answer_open(state: State, values: Sequence[int]) -> State:
    """Return the game after slots were opened.

    Raises:
        IllegalDecision: ``wrong_card`` or ``wrong_payment``: the cards are not what their owner has said with them.
    """
    state, question = _take_question(state)
    _use_open(state, question, values)
    return advance(state)


def _take_question(state: State) -> tuple[State, Question]:
    question = state.question
    assert question is not None
    state = state.copy()
    state.question = None
    return state, question


def _use_open(state: State, question: Question, opened: Sequence[int]) -> None:
    seat, values = question.seat, dict(zip(question.slots, opened, strict=True))
    match question.task:
        case ("play", int() as space, int() as mask, int() as saving, *rest):
            numbers = [one for one in rest if isinstance(one, int)]
            playing.play(state, hands.faces(state, seat, numbers[saving:], values), space, mask, numbers[:saving])
        case ("free", int() as card, int() as index, int() as space, int() as entry):
            kind = state.card(card).abilities[index].kind
            (found,) = hands.faces(state, seat, [entry], values)
            playing.play_free(state, seat, found, space, kind)
        case ("lost", _, int() as entry):
            cards = hands.faces(state, seat, [entry], values)
            state.discards += cards
            state.tell(What.LOST, seat, tuple(cards))
        case task:
            raise AssertionError(task)


def check(state: State, seat: Seat, decision: Decision, names: Names) -> None:
    """Refuse a decision that a player cannot make now, as far as the names of hidden cards are known.

    Raises:
        IllegalDecision: with the reason.
    """
    question = state.question
    if question is None or question.seat != seat or question.kind not in DECISIONS:
        raise IllegalDecision("not-asked", "expected an answer to the question that is asked")
    if question.kind == "main":
        playing.check_main(state, decision, names)
    elif question.kind == "free":
        playing.check_free(state, decision, names)
    elif decision not in legal(state, names):
        raise IllegalDecision("no-answer", "expected one of the possible answers")


def legal(state: State, names: Names) -> list[Decision]:
    """Return what may be decided now; of several payments of a play only the first (``rules.paying``)."""
    question = state.question
    if question is None or question.kind not in DECISIONS:
        return []
    match question.kind:
        case "main":
            return list(playing.main_decisions(state, names))
        case "free":
            return list(playing.free_decisions(state, names))
        case "marker" if question.task[0] == "delphi":
            return [*abilities.takeable(state, None, other(question.seat)), None]
        case _:
            return abilities.possible(state, question.task)


DECISIONS: Final = ("main", "target", "move", "swap", "free", "may", "marker")
"""The questions that people answer (docs/fight-rules.md, "What is decided")."""


def decide(state: State, decision: Decision) -> State:
    """Return the game after a decision that :func:`check` accepts."""
    state, question = _take_question(state)
    task = question.task
    if question.kind == "main":
        playing.decide_main(state, decision)
    elif question.kind == "free":
        if isinstance(decision, tuple):
            entry, space = decision
            assert isinstance(entry, int)
            hands.use(state, question.seat, [entry], ("free", *task[3:], space if isinstance(space, int) else 0))
    elif task[0] == "delphi":
        if isinstance(decision, int):
            abilities.take_marker(state, question.seat, decision)
    elif decision is not None and (question.kind != "may" or decision == 1):
        abilities.do_ability(state, task, decision)
    return advance(state)


def begin_turn(state: State) -> None:
    """Begin a turn with the test for a full side (F-5.2)."""
    state.played, state.left_out = False, None
    state.tell(What.TURN, state.active, (), state.number)
    if all(state.unit(state.active, space) is not None for space in SPACES):
        state.end(state.active, "full")
    else:
        state.push("main")


def _next_turn(state: State) -> None:
    state.active, state.number = other(state.active), state.number + 1
    begin_turn(state)


def _ask_main(state: State) -> None:
    if hands.is_mixed(state, state.active, ("main",)):
        state.question = Question("main", state.active)


_STEPS: Final[dict[str | int | None, Callable[..., None]]] = {
    "turn": begin_turn,
    "main": _ask_main,
    "next": _next_turn,
    "sweep": attacking.sweep,
    "attack": attacking.attack,
    "bonus": attacking.take_bonus,
    "draw": hands.draw,
    "lose": hands.lose,
}
"""What each task does, with its numbers; ``ability`` and ``delphi`` are asked with the whole task."""


def advance(state: State) -> State:
    """Do tasks until something has to be asked or the game is over; the state is changed and returned."""
    while state.result is None:
        question = state.question
        if question is not None:
            if question.kind != "open" or question.slots:
                break
            # What is open already needs nobody's answer.
            state.question = None
            _use_open(state, question, ())
            continue
        task: Task = state.stack.pop()
        if task[0] == "ability":
            abilities.carry_out(state, task)
        elif task[0] == "delphi":
            attacking.ask_delphi(state, task)
        else:
            _STEPS[task[0]](state, *task[1:])
    return state


def forfeit(state: State, seat: Seat) -> State:
    """Return the game that a seat has given up (F-12.6)."""
    state = state.copy()
    state.end(other(seat), "forfeit")
    return state
