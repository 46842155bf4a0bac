"""Drawing, losing and mixing cards of a hand (F-11, F-12.3, F-13)."""

from collections.abc import Sequence

from protocol.game import Seat, Slot
from storm_p2p.fight.events import What
from storm_p2p.fight.state import Entry, Question, State, Task


def draw(state: State, seat: Seat, number: int) -> None:
    """Ask for cards of the pile; what the pile does not have is not drawn (B-39)."""
    if state.pile:
        state.question = Question("deal", seat, number=min(number, len(state.pile)))
    else:
        state.end(state.leader(), "pile")


def take_dealt(state: State, seat: Seat, number: int) -> None:
    """Put the next cards of the pile into a hand."""
    state.stale[seat] |= bool(state.hands[seat])
    state.hands[seat] += state.pile[:number]
    del state.pile[:number]
    state.tell(What.DREW, seat, (), number)
    # B-25: the game ends with the last card, not when one is missing; not so while the hands are dealt at first.
    if not state.pile:
        state.end(state.leader(), "pile")


def is_mixed(state: State, seat: Seat, task: Task) -> bool:
    """Return whether a card of a hand may be used; otherwise ask its owner to mix it, and do the task after that."""
    if state.stale[seat] and len(state.hands[seat]) > 1:
        state.push(*task)
        state.question = Question("mix", seat)
        return False
    state.stale[seat] = False
    return True


def take_mixed(state: State, seat: Seat) -> None:
    """Put a hand under fresh slots: nobody else knows any longer which card is which (B-27)."""
    hand = state.hands[seat]
    state.known[seat] += [-1 - entry for entry in hand if entry < 0]
    state.hands[seat] = list(range(state.fresh, state.fresh + len(hand)))
    state.fresh += len(hand)
    state.stale[seat] = False


def lose(state: State, seat: Seat, number: int) -> None:
    """Let a player discard cards of the hand at random, one after the other (B-39)."""
    if number and state.hands[seat] and is_mixed(state, seat, ("lose", seat, number)):
        state.push("lose", seat, number - 1)
        state.question = Question("toss", seat, number=len(state.hands[seat]))


def lose_entry(state: State, seat: Seat, index: int) -> None:
    """Discard an entry of a hand, which is opened before when it is hidden."""
    use(state, seat, [state.hands[seat][index]], ("lost", seat))


def use(state: State, seat: Seat, entries: Sequence[Entry], task: Task) -> None:
    """Take entries from a hand and open what is hidden; the task gets the cards, in the order of the entries."""
    for entry in entries:
        state.hands[seat].remove(entry)
    hidden = tuple(entry for entry in entries if entry >= 0)
    state.question = Question("open", seat, (*task, *entries), slots=hidden)


def faces(state: State, seat: Seat, entries: Sequence[Entry], values: dict[Slot, int]) -> list[int]:
    """Return the cards of entries of which the hidden ones are open now."""
    found = [values[entry] if entry >= 0 else -1 - entry for entry in entries]
    for entry, card in zip(entries, found, strict=True):
        if entry >= 0 and card in state.known[seat]:
            state.known[seat].remove(card)
    return found
