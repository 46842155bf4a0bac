"""Knock-out and double elimination: who meets whom, from how the earlier rounds ended.

A bracket is a fixed tree.  Its places are filled by number in the usual order: 1 and 2 can only meet in the last match,
1 to 4 not before the last but one.  An empty place, a player who has left and a double forfeit let the other one on
without a game, and a step in which nobody has to play takes no round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from protocol.tournament.contents import Event, Pairing, System
from protocol.tournament.outcomes import Meeting, Outcome

Slot = int
"""The number of a player; 0 for nobody."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Where a bracket stands."""

    pairings: tuple[Pairing, ...]
    """Those of the next round; none when it is over or waits."""
    waits: bool = False
    """Whether a pairing of the last round has no winner yet."""
    out: tuple[tuple[int, ...], ...] = ()
    """Who was eliminated, in the order of the steps."""
    winner: int | None = None
    """Who has won it all; 0 if nobody has."""


def seed_slots(size: int) -> list[Slot]:
    """Return the first round of a bracket: the numbers in the order of its places.

    >>> seed_slots(6)
    [1, 0, 4, 5, 2, 0, 3, 6]
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [place for one in order for place in sorted((one, total - one))]
    return [number if number <= size else 0 for number in order]


def _pairs(slots: Sequence[Slot]) -> list[tuple[Slot, Slot]]:
    return list(zip(slots[::2], slots[1::2], strict=True))


def bracket_of(
    event: Event, size: int, history: Sequence[Sequence[Meeting]], gone: Mapping[int, int] | None = None
) -> Bracket:
    """Return where the bracket of an event stands.

    Args:
        event: its terms.
        size: the number of players.
        history: how the pairings of each earlier round ended.
        gone: by number, the round from which a player takes part no more.
    """
    run = _Run(event, history, gone or {})
    try:
        winner = (_double if event.system is System.DOUBLE_ELIMINATION else _single)(run, seed_slots(size))
    except _Pause as pause:
        return Bracket(pause.pairings, pause.waits, tuple(run.out))
    return Bracket((), False, tuple(run.out), winner)


def end_of(event: Event, meeting: Meeting) -> Outcome:
    """Return how a pairing ended that must have a winner, as if it were one game; none while it goes on."""
    if not meeting.decided:
        return Outcome.NONE
    first, second = meeting.points(event.points)
    if first == second and all(one is Outcome.DOUBLE_FORFEIT for one in meeting.outcomes[-event.games :]):
        return Outcome.DOUBLE_FORFEIT
    # Those who are level after the last game that may be: the better number goes on.
    if first > second or (first == second and meeting.first < meeting.second):
        return Outcome.FIRST if meeting.played else Outcome.FORFEIT_FIRST
    return Outcome.SECOND if meeting.played else Outcome.FORFEIT_SECOND


class _Pause(Exception):
    def __init__(self, pairings: tuple[Pairing, ...], waits: bool) -> None:
        super().__init__()
        self.pairings = pairings
        self.waits = waits


@dataclass(slots=True)
class _Run:
    """Plays the steps of a bracket as far as the history goes."""

    event: Event
    history: Sequence[Sequence[Meeting]]
    gone: Mapping[int, int]
    round: int = 0
    """How many rounds of the history are used up."""
    out: list[tuple[int, ...]] = field(default_factory=list)
    first_sides: dict[int, int] = field(default_factory=dict)
    """How often each had seat 0 in a first game."""

    def step(self, matches: Sequence[tuple[Slot, Slot]], last_chance: Sequence[bool]) -> list[tuple[Slot, Slot]]:
        """Return winner and loser of each match; of one marked as a last chance, the loser is out.

        Raises:
            _Pause: the history does not reach this step, or does not decide it.
        """
        here = [tuple(slot if self._is_here(slot) else 0 for slot in match) for match in matches]
        played = [match for match in here if all(match)]
        found: dict[frozenset[int], Meeting] = {}
        if played:
            if self.round == len(self.history):
                raise _Pause(tuple(self._seat(*match) for match in played), False)
            found = {frozenset((one.first, one.second)): one for one in self.history[self.round]}
            for one in found.values():
                self.first_sides[one.first] = self.first_sides.get(one.first, 0) + 1
            self.round += 1
        ended: list[tuple[Slot, Slot]] = []
        eliminated: list[int] = []
        for match, present, last in zip(matches, here, last_chance, strict=True):
            winner, loser = self._decide(match, present, found)
            ended.append((winner, loser))
            # Who has left is out at once; so are both where nobody goes on.
            none = last or not winner
            eliminated += [slot for slot in match if slot and slot != winner and (none or slot not in present)]
        if eliminated:
            self.out.append(tuple(sorted(eliminated)))
        return ended

    def _is_here(self, slot: Slot) -> bool:
        return bool(slot) and self.gone.get(slot, self.round + 2) > self.round + 1

    def _decide(
        self, match: tuple[Slot, Slot], present: tuple[Slot, ...], found: Mapping[frozenset[int], Meeting]
    ) -> tuple[Slot, Slot]:
        if not all(present):
            return max(present), 0
        meeting = found.get(frozenset(match))
        outcome = Outcome.NONE if meeting is None else end_of(self.event, meeting)
        if meeting is None or outcome is Outcome.NONE:
            raise _Pause((), True)
        if outcome is Outcome.DOUBLE_FORFEIT:
            return 0, 0
        first_wins = outcome in (Outcome.FIRST, Outcome.FORFEIT_FIRST)
        return (meeting.first, meeting.second) if first_wins else (meeting.second, meeting.first)

    def _seat(self, one: Slot, two: Slot) -> Pairing:
        low, high = sorted((one, two), key=lambda slot: (self.first_sides.get(slot, 0), slot))
        return Pairing(low, high)


def _single(run: _Run, slots: list[Slot]) -> Slot:
    while len(slots) > 1:
        matches = _pairs(slots)
        semi_finals = run.event.third_place and len(matches) == 2
        ended = run.step(matches, [not semi_finals] * len(matches))
        slots = [winner for winner, _ in ended]
        if semi_finals:
            return _last(run, [(slots[0], slots[1]), (ended[0][1], ended[1][1])])
    return slots[0]


def _last(run: _Run, matches: list[tuple[Slot, Slot]]) -> Slot:
    """Play the final and the match for the third place in one step, and return who has won the final."""
    before = len(run.out)
    final, third = run.step(matches, [False, False])
    # Whoever was put out in this step goes out in the order of the places.
    del run.out[before:]
    for match, winner in ((matches[1], third[0]), (matches[0], final[0])):
        run.out += [group for group in (tuple(sorted({*match} - {0, winner})),) if group]
        if match is matches[1] and winner:
            run.out.append((winner,))
    return final[0]


def _double(run: _Run, slots: list[Slot]) -> Slot:
    """Play the winners' bracket, and the losers' one as early as possible beside it; then the final."""
    upper = slots
    lower: list[Slot] = []
    dropped: dict[int, list[Slot]] = {}
    stage = made = 0
    # Stage s of the losers' bracket: the survivors among themselves if s is odd, against those who drop if it is even.
    depth = len(slots).bit_length() - 1
    while len(upper) > 1 or made < 2 * depth - 2:
        high = _pairs(upper) if len(upper) > 1 else []
        low: list[tuple[Slot, Slot]] = []
        if stage and made < 2 * depth - 2:
            if made == 0:
                low = _pairs(dropped[1])
            elif made % 2:
                low = list(zip(lower, _cross(dropped[made // 2 + 2], made // 2), strict=True))
            else:
                low = _pairs(lower)
        ended = run.step([*high, *low], [False] * len(high) + [True] * len(low))
        stage += 1
        if high:
            upper = [winner for winner, _ in ended[: len(high)]]
            dropped[stage] = [loser for _, loser in ended[: len(high)]]
        if low:
            lower = [winner for winner, _ in ended[len(high) :]]
            made += 1
    challenger = lower[0] if depth > 1 else dropped[1][0] if depth else 0
    ((winner, loser),) = run.step([(upper[0], challenger)], [False])
    if challenger and winner == challenger and loser:
        # The first defeat of the other: one more pairing decides.
        ((winner, loser),) = run.step([(winner, loser)], [True])
    elif loser:
        run.out.append((loser,))
    return winner


def _cross(slots: list[Slot], turn: int) -> list[Slot]:
    """Return those who drop in another order, so that they do not meet again at once whom they met before."""
    if turn % 2 == 0:
        return slots[::-1]
    half = len(slots) // 2
    return slots[half:] + slots[:half]
