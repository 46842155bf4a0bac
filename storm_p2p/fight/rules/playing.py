"""Phase 1: which cards may be played, and what happens when one is (F-6)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from protocol.game import Decision, Seat, Slot
from storm_p2p.fight.board import SPACES, Colour
from storm_p2p.fight.cards import Kind, When
from storm_p2p.fight.errors import IllegalDecision
from storm_p2p.fight.events import What
from storm_p2p.fight.rules.abilities import ability_of, as_int, places
from storm_p2p.fight.rules.hands import use
from storm_p2p.fight.rules.leaving import settle_defeats
from storm_p2p.fight.rules.paying import Payment, first_payment, pays, saved_colours, without
from storm_p2p.fight.state import DRAWS, Entry, State, Unit

PLAY: Final = 0
END: Final = 1
"""What the first number of a decision in phase 1 says."""
PHASES: Final = ("play", "attack", "draw")
"""The phases of a turn, as a decision numbers them (F-5.1)."""

Names = Mapping[Slot, int]
"""The cards of hidden slots that somebody knows."""
How: TypeAlias = "Callable[[State, Seat, int, Sequence[int]], Payment | None]"
"""Which of several payments of a card of a hand is taken."""


def named(state: State, seat: Seat, names: Names) -> dict[int, Entry]:
    """Return the cards of a hand that somebody knows, each with its entry."""
    return {
        -1 - entry if entry < 0 else names[entry]: entry for entry in state.hands[seat] if entry < 0 or entry in names
    }


def main_decisions(state: State, names: Names, how: How = first_payment) -> Iterator[Decision]:
    """Yield what the active player may decide in phase 1: every card on every space with one payment, and the end."""
    seat = state.active
    hand = named(state, seat, names)
    cards = sorted(hand)
    spaces = [places(state, seat, kind) for kind in Kind]
    for card in cards:
        fitting = spaces[state.card(card).kind]
        payment = how(state, seat, card, cards) if fitting else None
        if payment is not None:
            payers, markers, saved = payment
            entries, mask = tuple([hand[payer] for payer in payers]), sum([1 << colour for colour in markers])
            for space in fitting:
                yield (PLAY, hand[card], space, entries, mask, saved)
    for phase in leavable(state):
        yield (END, phase)


def leavable(state: State) -> tuple[int | None, ...]:
    """Return the phases of which one is left out when phase 1 ends: None for none of them (F-5.3, B-10)."""
    if state.number > 1:
        return (None,)
    return (1, 2) if state.played else (0, 1, 2)


def check_main(state: State, decision: Decision, names: Names) -> None:
    """Refuse what the active player cannot decide in phase 1, as far as the names of the cards are known.

    Raises:
        IllegalDecision: with the rule that it breaks.
    """
    match decision:
        case (1, None | int() as phase):
            if phase not in leavable(state):
                raise IllegalDecision("wrong-phase-left-out", "expected one of the phases that may be left out (F-5.3)")
        case (0, int() as entry, int() as space, tuple() as payers, int() as mask, tuple() as saved):
            _check_play(state, [entry, *payers], space, mask, saved, names)
        case _:
            raise IllegalDecision("no-decision", "expected a card to play, or the end of the phase")


def _check_play(
    state: State, entries: Sequence[object], space: int, mask: int, saved: Sequence[object], names: Names
) -> None:
    seat = state.active
    hand = state.hands[seat]
    if len(set(entries)) != len(entries) or any(type(one) is not int or one not in hand for one in entries):
        raise IllegalDecision("not-in-hand", "expected different cards of the own hand (F-6.1)")
    if space not in SPACES or not 0 <= mask < 1 << len(Colour):
        raise IllegalDecision("no-decision", "expected a space from 1 to 6 and markers of four colours")
    if not all(type(one) is int and 0 <= one < len(Colour) for one in saved) or list(saved) != sorted(saved):  # type: ignore[type-var]
        raise IllegalDecision("no-decision", "expected the saved colours as numbers in ascending order")
    if any(state.markers[colour] != seat for colour in _colours(mask)):
        raise IllegalDecision("no-marker", "expected markers that lie in front of the player (F-6.2)")
    cards = [-1 - one if one < 0 else names.get(one) for one in entries if isinstance(one, int)]
    known = [card for card in cards if card is not None]
    if len(known) == len(entries):
        check_cards(state, known, space, mask, [one for one in saved if isinstance(one, int)])


def check_cards(state: State, cards: Sequence[int], space: int, mask: int, saved: Sequence[int]) -> None:
    """Refuse a play by the cards that it names, the played one first.

    Raises:
        IllegalDecision: ``wrong_card`` or ``wrong_payment``.
    """
    card = state.card(cards[0])
    if space not in places(state, state.active, card.kind):
        template = "expected a free place for {card}, got space {space} (F-6.4, F-6.5)"
        raise IllegalDecision("wrong_card", template, card=card.name, space=space)
    needed = without(card.cost, [*saved, *_colours(mask)])
    wanted = saved_colours(state, state.active, card)
    if len(saved) != wanted:
        template = "expected {wanted} colours to be saved, got {got} (B-37)"
        raise IllegalDecision("wrong_payment", template, wanted=wanted, got=len(saved))
    if needed is None or not pays(state.cards, needed, cards[1:]):
        raise IllegalDecision("wrong_payment", "expected the exact cost of {card} (F-6.2)", card=card.name)


def _colours(mask: int) -> list[int]:
    return [int(colour) for colour in Colour if mask >> colour & 1]


def decide_main(state: State, decision: Decision) -> None:
    """Carry out what the active player has decided in phase 1."""
    assert isinstance(decision, tuple)
    if decision[0] == END:
        phase = decision[1]
        assert phase is None or isinstance(phase, int)
        state.left_out = None if phase is None else PHASES[phase]
        if phase is not None:
            state.tell(What.LEFT_OUT, state.active, (), phase)
        state.push("next")
        # F-5.1
        if state.left_out != "draw":
            state.push("draw", state.active, DRAWS)
        if state.left_out != "attack":
            state.push("sweep", SPACES[0])
        return
    _, entry, space, payers, mask, saved = decision
    assert isinstance(payers, tuple)
    assert isinstance(saved, tuple)
    state.push("main")
    entries = [one for one in (entry, *payers) if isinstance(one, int)]
    use(state, state.active, entries, ("play", as_int(space), as_int(mask), len(saved), *map(as_int, saved)))


def play(state: State, cards: Sequence[int], space: int, mask: int, saved: Sequence[int]) -> None:
    """Play a card that is open now, the first one, and pay with the others.

    Raises:
        IllegalDecision: the cards are not what the play needs; nothing has changed but the hand.
    """
    check_cards(state, cards, space, mask, saved)
    # B-34
    state.discards += cards[1:]
    for colour in _colours(mask):
        # F-6.3
        state.markers[colour] = None
        state.tell(What.RETURNED, state.active, (), colour)
    state.played = True
    state.tell(What.PLAYED, state.active, tuple(cards), space)
    put_into_play(state, state.active, cards[0], space)


def play_free(state: State, seat: Seat, card: int, space: int, kind: Kind | None) -> None:
    """Play a card that an ability allows without its cost (B-29).

    Raises:
        IllegalDecision: ``wrong_card``: it is of another kind, or does not fit.
    """
    printed = state.card(card)
    if printed.kind != kind or space not in places(state, seat, kind):
        raise IllegalDecision("wrong_card", "expected a card that the ability allows, got {card}", card=printed.name)
    state.tell(What.PLAYED, seat, (card,), space)
    put_into_play(state, seat, card, space)


def put_into_play(state: State, seat: Seat, card: int, space: int) -> None:
    """Put a card on a space and carry out its played abilities in printed order (F-6.6)."""
    unit = state.unit(seat, space)
    if unit is None:
        unit = state.sides[seat][space - 1] = Unit(card)
    else:
        unit.gear = card
    for index, ability in reversed(list(enumerate(state.card(card).abilities))):
        if ability.when is When.PLAYED:
            state.push("ability", seat, unit.card, card, index)
    settle_defeats(state)


def free_decisions(state: State, names: Names) -> Iterator[Decision]:
    """Yield what may be answered to ``free``."""
    question = state.question
    assert question is not None
    kind = ability_of(state, question.task).kind
    for card, entry in sorted(named(state, question.seat, names).items()):
        if state.card(card).kind == kind:
            for space in places(state, question.seat, kind):
                yield (entry, space)
    yield None


def check_free(state: State, decision: Decision, names: Names) -> None:
    """Refuse what cannot be answered to ``free``, as far as the names of the cards are known.

    Raises:
        IllegalDecision: with the reason.
    """
    question = state.question
    assert question is not None
    kind = ability_of(state, question.task).kind
    match decision:
        case None:
            return
        case (int() as entry, int() as space):
            if entry not in state.hands[question.seat]:
                raise IllegalDecision("not-in-hand", "expected a card of the own hand (F-6.1)")
            card = -1 - entry if entry < 0 else names.get(entry)
            wrong = card is not None and state.card(card).kind != kind
            if wrong or space not in places(state, question.seat, kind):
                raise IllegalDecision("wrong_card", "expected a card that the ability allows, on a free place")
        case _:
            raise IllegalDecision("no-decision", "expected a card and a space, or nothing")
