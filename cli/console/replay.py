"""A match from its log, step by step: where one is, whose knowledge is shown, marks and comments; and its analysis.

The analysis says how the chances went, and which decisions lost most of them.  Pure, for any game.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar

from cli.clean import clean
from cli.console.screen_state import LINES
from cli.text import analyses
from protocol.core import secret_replay
from protocol.core.secret_replay import SecretReplay

if TYPE_CHECKING:
    from cli.console.guest import AnyConsole
    from protocol.core.transcript import Played, Transcript
    from protocol.game import Known, Seat


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that the computer would think of."""

    action: str
    """In canonical words."""
    chance: float
    """How likely its side wins after it, from 0 to 1."""
    share: float
    """How often it should be played, from 0 to 1; less than 1 where a choice in secret is mixed."""
    reasons: tuple[object, ...]
    """What speaks for it: facts of the game."""


HINT_SEED: Final = 20261
"""Of the chance that a hint draws: whoever asks twice is told the same."""
SIMULATIONS: Final = 4
"""Of each decision, where nothing else is asked for."""
SEED: Final = 1
MOST: Final = 5
"""So many decisions are shown."""
NOTABLE: Final = 0.01
"""A decision that loses less of the chance to win is not shown."""


@dataclass(frozen=True, slots=True)
class Point:
    """How a match stood at the beginning of a turn, or at its end."""

    seq: int
    """The message that led there."""
    turn: int
    chances: tuple[float | None, ...]
    """How likely each seat wins, from 0 to 1, as far as it could know; None for a seat that is not judged."""
    stocks: tuple[tuple[int, ...], ...]
    """What each seat has of each of the game's stocks, in the order of :attr:`GameConsole.stocks`."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and what the computer would have played there, both from what the seat could know."""

    seq: int
    """The message with the decision."""
    turn: int
    seat: Seat
    played: str
    """In canonical words."""
    chance: float
    """How likely the seat wins after it."""
    better: Candidate
    """What promised most."""

    @property
    def loss(self) -> float:
        """How much of the chance to win the decision lost."""
        return self.better.chance - self.chance


class End(NamedTuple):
    """How a match ended, as its log says it."""

    turn: int
    """0 before the first one."""
    winner: str
    """The word for a seat, or ``draw``."""
    reason: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a match so far."""

    seats: tuple[Seat, ...]
    """Who is judged: those whose hidden units were opened."""
    points: tuple[Point, ...] = ()
    decisions: tuple[Judged, ...] = ()
    """All that were judged, in their order."""
    told: tuple[int, ...] = ()
    """The messages so far that have done something on the board; each is a step of a match that is looked back at."""
    done: int = 0
    """So many steps of the match."""
    total: int = 0
    end: End | None = None
    """Of a match that is over; a resignation or a claim is no decision, and may come in anybody's turn."""

    @property
    def is_complete(self) -> bool:
        """Whether the whole match was looked at."""
        return self.done == self.total

    def worst(self, seats: Collection[Seat]) -> tuple[Judged, ...]:
        """Return the decisions of some seats that lost most, the worst first."""
        lost = [one for one in self.decisions if one.seat in seats and one.loss >= NOTABLE]
        return tuple(sorted(lost, key=lambda one: (-one.loss, one.seq, one.seat))[:MOST])


class Followed(NamedTuple):
    """One step of a match from its log, and what some who looked on knew of hidden things."""

    played: Played
    before: Any
    """The public state."""
    after: Any
    events: tuple[Any, ...]
    """What it has done."""
    knew: tuple[Known, ...]
    """What each of them knew before it."""
    know: tuple[Known, ...]
    """What each of them knew after it."""


def follow(transcript: Transcript, eyes: Iterable[Collection[Seat]]) -> Iterator[Followed]:
    """Yield each step of a match, as some saw it who each knew what these seats did, as far as their seeds are open."""
    game: Any = transcript.game
    seeds, referee = transcript.seeds, transcript.referee
    secrets = [SecretReplay(referee, {seat: seeds[seat] for seat in seats if seat in seeds}) for seats in eyes]
    state = game.begin(transcript.agreement.terms)
    know: tuple[Known, ...] = tuple({} for _ in secrets)
    for played in transcript.history:
        before, knew, events = state, know, ()
        for secret in secrets:
            secret.look(played)
        if played.answer is not None:
            state, events = game.step_with_events(state, played.answer)
        know = tuple(dict(secret.known) for secret in secrets)
        yield Followed(played, before, state, events, knew, know)


class Decided(NamedTuple):
    """A decision as its seat has made it."""

    seq: int
    """The message with it."""
    turn: int
    seat: Seat
    view: Any
    """What the seat knew before it."""
    action: Any


class Promise(Protocol):
    """What the computer thinks of a decision; what it is only the game knows."""

    @property
    def chance(self) -> float:
        """How likely its side wins after it, from 0 to 1."""


Seen = TypeVar("Seen")
Action = TypeVar("Action")
Promised = TypeVar("Promised", bound=Promise)


class Adviser(ABC, Generic[Seen, Action, Promised]):
    """The computer that gives hints in a game, and judges the decisions of a match.

    A thread takes what it yields.  It gets nothing but what a seat could know at that moment, so its hints and its
    analysis of a seat are the same whether or not what the other one hid was ever opened.
    """

    # -- what a game says -----------------------------------------------------------------------------------

    @abstractmethod
    def rate(self, view: Seen, seat: Seat, seed: int, simulations: int) -> Sequence[Promised]:
        """Return what a seat may decide, the best first; ``view`` is the owner's."""

    @abstractmethod
    def estimate(self, state: Any, known: Known, seat: Seat, seed: int) -> float:
        """Return how likely a seat wins as things stand, from 0 to 1, from the public state and what the seat knows."""

    @abstractmethod
    def candidate(self, view: Seen, seat: Seat, rated: Promised) -> Candidate:
        """Return a decision in words, with what speaks for it."""

    @abstractmethod
    def named(self, rated: Sequence[Promised]) -> Sequence[Promised]:
        """Return the few of some ratings that a hint names."""

    @abstractmethod
    def decided(self, steps: Iterable[Followed], seats: Sequence[Seat]) -> Iterator[tuple[Followed, list[Decided]]]:
        """Yield each step with what these seats, who looked on in this order, have decided with it."""

    @abstractmethod
    def find(self, rated: Sequence[Promised], action: Action) -> Promised | None:
        """Return the rating of a decision, or of the one that is most like it; None where there is none."""

    @abstractmethod
    def words(self, view: Seen, action: Action) -> str:
        """Return a decision in canonical words."""

    @abstractmethod
    def stocks(self, state: Any) -> tuple[tuple[int, ...], ...]:
        """Return what each seat has of each of the game's stocks, from the public state."""

    # -- what is the same in every game ---------------------------------------------------------------------

    def advise(self, view: Seen, seat: Seat) -> Iterator[list[Candidate]]:
        """Yield what the computer would play, from ever more simulations, until more of them change nothing."""
        simulations, before = 1, None
        while (rated := self.rate(view, seat, HINT_SEED, simulations)) != before:
            yield [self.candidate(view, seat, one) for one in self.named(rated)]
            simulations, before = 2 * simulations, rated

    def analyse(self, transcript: Transcript, seats: Sequence[Seat], simulations: int, seed: int) -> Iterator[Analysis]:
        """Yield the analysis of a match step by step, the last one complete.

        A seat is judged if its seed is open and it has not cheated.  A match in which somebody cheated has not ended as
        it was played.
        """
        game, outcome, history = transcript.game, transcript.outcome(), transcript.history
        cheats = {one.seat for one in secret_replay.replay(transcript.referee, history, transcript.seeds)[0]}
        judged = tuple(seat for seat in seats if seat in transcript.seeds and seat not in cheats)
        end = None if outcome is None or cheats else End(game.turn(transcript.position.state), **dict(outcome))
        found = Analysis(judged, total=len(history), end=end)
        yield found
        steps = follow(transcript, [(seat,) for seat in judged])
        for done, (step, decided) in enumerate(self.decided(steps, judged), 1):
            seq, turn, result = step.played.seq, game.turn(step.after), game.result(step.after)
            winners = [] if result is None else [result["winner"]]
            if turn != game.turn(step.before) and not winners:
                winners = [""]
            if done == len(history) and end is not None and result is None:
                # No move has brought the end about.
                winners.append(end.winner)
            points = [
                Point(seq, turn, self._chances(step, judged, winner, game.sides, seed), self.stocks(step.after))
                for winner in winners
            ]
            made = [self._judge(one, simulations, seed) for one in decided]
            told = (seq,) if step.events and seq not in found.told[-1:] else ()
            found = replace(
                found,
                points=(*found.points, *points),
                decisions=(*found.decisions, *filter(None, made)),
                told=(*found.told, *told),
                done=done,
            )
            yield found

    def _chances(
        self, step: Followed, judged: Sequence[Seat], winner: str, words: Sequence[str], seed: int
    ) -> tuple[float | None, ...]:
        """Return the chances of all seats after a step; ``winner`` is the word for who has won, if it is over."""
        knows = dict(zip(judged, step.know, strict=True))
        return tuple(
            None
            if seat not in knows
            else {word: 1.0, "draw": 0.5}.get(winner, 0.0)
            if winner
            else self.estimate(step.after, knows[seat], seat, seed + step.played.seq)
            for seat, word in enumerate(words)
        )

    def _judge(self, decided: Decided, simulations: int, seed: int) -> Judged | None:
        """Return a decision beside what promised most; None for one that the computer does not think of."""
        seq, turn, seat, view, action = decided
        rated = self.rate(view, seat, seed + seq, simulations)
        played = self.find(rated, action)
        if played is None:
            return None
        best = max(rated, key=lambda one: one.chance)
        return Judged(seq, turn, seat, self.words(view, action), played.chance, self.candidate(view, seat, best))


PUBLIC: Final = "public"
ALL: Final = "all"
"""What everybody knows, and what all together know; between them each side has a view, called by the word of logs."""
PAGE: Final = 10
_SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
LONGEST_COMMENT: Final = 200
MOST_MARKS: Final = 1000
_NOT_LIVE: Final = frozenset("v1234bn#h?+-")
"""Keys for what a match that goes on does not have: other views, a file for marks, and a page that explains both."""
VERSION: Final = 1
"""Of the file of marks."""
STEP: Final = "step "
"""Before a number, from 0: what a click on the bar of all steps stands for."""


@dataclass(frozen=True, slots=True)
class Step:
    """One message of the match, as a view shows it."""

    seq: int
    lines: tuple[str, ...]
    events: tuple[object, ...]
    state: object


@dataclass(frozen=True, slots=True)
class Moment(Step):
    """One step of a match from its log, as some seats saw it; the state is the one after it, with what they knew."""

    public: int
    """So many of the lines everybody knew; the rest only the owner."""


class Asking(Enum):
    """What is being typed."""

    NOTHING = 0
    COMMENT = 1
    JUMP = 2


@dataclass(frozen=True, slots=True)
class Replay:
    """The whole replay."""

    guest: AnyConsole
    """The game."""
    names: Mapping[object, str]
    """Of the players, by their sides; clean."""
    terms: object
    steps: Mapping[str, tuple[Step, ...]]
    """By view; each has the same number of steps."""
    view: str = PUBLIC
    at: int = 0
    columns: int = 80
    rows: int = 24
    marks: tuple[tuple[int, str], ...] = ()
    """Marked steps with their comments, in order."""
    asking: Asking = Asking.NOTHING
    typed: str = ""
    notice: str = ""
    unicode: bool = True
    theme: str = LINES
    mouse: bool = True
    helping: bool = False
    """The keys are explained."""
    playing: bool = False
    """The steps follow one another."""
    speed: float = 2.0
    """Steps a second while they do."""
    live: bool = False
    """The match goes on: there is one view, and nothing is marked."""
    watching: bool = False
    """The match goes on between others, and its steps come as they are published."""
    over: bool = False
    """The match that is looked back at has ended meanwhile."""
    now: str = ""
    """What the match that goes on asks meanwhile; for the head line."""
    clock: str = ""
    """Both of its clocks as they are now; above what happened."""
    analysis: Analysis | None = None
    """How the decisions of the match are judged, as far as that has come."""
    analysing: bool = False
    """The computer is at it."""
    charted: bool = False
    """The analysis is shown in place of the board."""
    folded: int = 0
    """So many steps before the first turn are shown as one."""
    unfolded: bool = False
    """They are shown one by one all the same."""

    @property
    def views(self) -> tuple[str, ...]:
        """All views, in the order of their keys."""
        return tuple(views_of(self.guest))

    @property
    def last(self) -> int:
        """The number of the last step."""
        return max(0, len(self.steps[self.view]) - 1)

    @property
    def step(self) -> Step | None:
        """The present step."""
        return self.told(self.at) if self.steps[self.view] else None

    def told(self, at: int) -> Step:
        """Return a step as it is shown; one that is part of another says nothing."""
        steps = self.steps[self.view]
        if self.unfolded or at >= self.folded:
            return steps[at]
        lines = () if at else (self.guest.dealt(steps[: self.folded + 1]),)
        return replace(steps[self.folded - 1], lines=lines, events=())


@dataclass(frozen=True, slots=True)
class Quit:
    """The end of the replay."""


@dataclass(frozen=True, slots=True)
class Play:
    """Let the steps follow one another."""


@dataclass(frozen=True, slots=True)
class Analyse:
    """Let the computer judge every decision."""


@dataclass(frozen=True, slots=True)
class StopAnalysis:
    """Let it stop."""


@dataclass(frozen=True, slots=True)
class KeepMarks:
    """Write the marks beside the log."""


def press(shown: Replay, key: str) -> tuple[Replay, object]:
    """Return the replay after a key, and what is wished."""
    if shown.asking != Asking.NOTHING:
        return _typed(shown, key)
    if shown.helping:
        return replace(shown, helping=False), None
    shown = replace(shown, notice="")
    if key in ("+", "-") and not shown.live:
        at = _SPEEDS.index(shown.speed) + (1 if key == "+" else -1)
        shown = replace(shown, speed=_SPEEDS[min(max(at, 0), len(_SPEEDS) - 1)])
        return replace(shown, notice=analyses.speed(f"{shown.speed:g}")), None
    was_playing, shown = shown.playing, replace(shown, playing=False)
    if shown.charted:
        return _on_page(shown, key)
    if key == " " and not shown.live:
        return (shown, None) if was_playing else play(shown)
    if key == "a":
        return analyse(shown)
    if shown.live and key in _NOT_LIVE:
        return shown, None
    if key in ("f1", "h", "?"):
        return replace(shown, helping=True), None
    moves = {
        "right": 1,
        "enter": 1,
        "wheeldown": 1,
        "left": -1,
        "backspace": -1,
        "wheelup": -1,
        "pagedown": PAGE,
        "down": PAGE,
        "pageup": -PAGE,
        "up": -PAGE,
        "home": -shown.at,
        "end": shown.last,
    }
    if key in moves:
        return go(shown, shown.at + moves[key]), None
    if key.startswith(STEP):
        return go(shown, int(key.removeprefix(STEP))), None
    match key:
        case "v":
            return _see_next(shown), None
        case "1" | "2" | "3" | "4":
            return replace(shown, view=shown.views[int(key) - 1]), None
        case "b":
            return mark(shown), KeepMarks()
        case "n":
            return _next_mark(shown), None
        case "o" if shown.folded:
            return go(replace(shown, unfolded=not shown.unfolded), shown.at), None
        case "#":
            return replace(shown, asking=Asking.COMMENT, typed=comment(shown)), None
        case "g":
            return replace(shown, asking=Asking.JUMP, typed=""), None
        case "q" | "escape":
            return shown, Quit()
    if key in shown.guest.landmarks:
        return _search(shown, shown.guest.landmarks[key]), None
    return shown, None


def opening(shown: Replay) -> Replay:
    """Return the replay where the first turn begins, or at its first step: before it there is nothing to look at."""
    steps = shown.steps[shown.view]
    turns = (at for at, step in enumerate(steps) if step.state is not None and shown.guest.turn(step.state) > 0)
    begun = next(turns, 0)
    folded = begun if begun > 1 and shown.guest.dealt(steps[: begun + 1]) else 0
    return go(replace(shown, folded=folded), begun)


def play(shown: Replay) -> tuple[Replay, object]:
    """Return the replay that plays on, from its beginning if it is at its end."""
    return replace(opening(shown) if shown.at >= shown.last else shown, playing=True), Play()


def advance(shown: Replay) -> Replay:
    """Return a replay that plays at its next step; at the last one it stops."""
    shown = go(shown, shown.at + 1)
    return replace(shown, playing=shown.playing and shown.at < shown.last)


def analyse(shown: Replay) -> tuple[Replay, object]:
    """Return the replay with the page of the analysis, which begins if it has not been made yet."""
    if shown.watching or (shown.live and not shown.over):
        return replace(shown, notice=str(analyses.NOT_YET)), None
    if shown.guest.adviser is None:
        return replace(shown, notice=str(analyses.NO_ANALYSIS)), None
    if shown.analysing or (shown.analysis is not None and shown.analysis.is_complete):
        return replace(shown, charted=True), None
    return replace(shown, charted=True, analysing=True, analysis=None), Analyse()


def analysed(shown: Replay, found: Analysis) -> Replay:
    """Return the replay with as much of the analysis as there is now."""
    return replace(shown, analysis=found, analysing=shown.analysing and not found.is_complete)


def judged_seats(shown: Replay) -> tuple[Seat, ...]:
    """Return whose decisions the analysis shows: those of the view, of both sides where it is nobody's own."""
    judged = () if shown.analysis is None else shown.analysis.seats
    own = views_of(shown.guest)[shown.view]
    return tuple(seat for seat in judged if seat in own or len(own) != 1)


def worst(shown: Replay) -> tuple[Judged, ...]:
    """Return the decisions that are shown, in their order."""
    return () if shown.analysis is None else shown.analysis.worst(judged_seats(shown))


def _on_page(shown: Replay, key: str) -> tuple[Replay, object]:
    """Return the replay after a key on the page of the analysis."""
    found = worst(shown)
    if key in ("a", "q", "escape"):
        closed = replace(shown, charted=False)
        if shown.analysing and key == "escape":
            return replace(closed, analysing=False, notice=str(analyses.STOPPED)), StopAnalysis()
        return closed, None
    if key == "v":
        return _see_next(shown), None
    if key.isascii() and key.isdigit() and 0 < int(key) <= len(found):
        seq = found[int(key) - 1].seq
        later = (at for at, number in enumerate(numbers(shown)) if number >= seq)
        return go(replace(shown, charted=False), next(later, shown.last)), None
    return shown, None


def numbers(shown: Replay) -> Sequence[int]:
    """Return the number of the message of each step; an end without a move has that of the last one."""
    if shown.live:
        told = () if shown.analysis is None else shown.analysis.told
        return (*told, *told[-1:])[: shown.last + 1]
    return [step.seq for step in shown.steps[shown.view]]


def chances(shown: Replay) -> Mapping[Seat, Sequence[float]]:
    """Return how likely each seat that is judged wins at each step, as far as the analysis has come."""
    judged = shown.analysis
    points = () if judged is None else judged.points
    # Only the last step has the chances of the end, which may have come without a move.
    before = len(points) - 1 - (judged is not None and judged.is_complete and judged.end is not None)
    found: dict[Seat, list[float]] = {seat: [] for seat in judged_seats(shown)} if points else {}
    for at, number in enumerate(numbers(shown) if found else ()):
        latest = bisect_right(points, number, key=lambda point: point.seq) - 1
        latest = max(0, latest if at == shown.last else min(latest, before))
        for seat, kept in found.items():
            kept.append(points[latest].chances[seat] or 0.0)
    return found


def views_of(guest: AnyConsole) -> Mapping[str, tuple[Seat, ...]]:
    """Return all views of a game by their names, each with the seats whose knowledge is shown."""
    seats = {guest.seat_word(side): (seat,) for seat, side in enumerate(guest.sides)}
    return {PUBLIC: (), **seats, ALL: tuple(range(len(seats)))}


def go(shown: Replay, at: int) -> Replay:
    """Return the replay at a step, or at the nearest one there is."""
    at = min(shown.last, max(0, at))
    if not shown.unfolded and 0 < at < shown.folded:
        at = 0 if at <= shown.at else shown.folded
    return replace(shown, at=at)


def _see_next(shown: Replay) -> Replay:
    """Return the replay with what is known in the next view."""
    return replace(shown, view=shown.views[(shown.views.index(shown.view) + 1) % len(shown.views)])


def _search(shown: Replay, sign: str) -> Replay:
    steps = shown.steps[shown.view]
    for at in range(shown.at + 1, len(steps)):
        if any(shown.guest.sign(event) == sign for event in steps[at].events):
            return go(shown, at)
    return replace(shown, notice=str(analyses.NOTHING_FURTHER))


def mark(shown: Replay) -> Replay:
    """Return the replay with the present step marked, or no longer marked."""
    kept = tuple(found for found in shown.marks if found[0] != shown.at)
    if len(kept) < len(shown.marks):
        return replace(shown, marks=kept)
    return replace(shown, marks=tuple(sorted((*kept, (shown.at, "")))))


def comment(shown: Replay) -> str:
    """Return the comment on the present step, or nothing."""
    return dict(shown.marks).get(shown.at, "")


def _next_mark(shown: Replay) -> Replay:
    for at, _ in shown.marks:
        if at > shown.at:
            return go(shown, at)
    return replace(shown, notice=str(analyses.NOTHING_FURTHER))


def _typed(shown: Replay, key: str) -> tuple[Replay, object]:
    """Return the replay while something is typed."""
    match key:
        case "escape":
            return replace(shown, asking=Asking.NOTHING, typed=""), None
        case "backspace":
            return replace(shown, typed=shown.typed[:-1]), None
        case "enter" if shown.asking == Asking.JUMP:
            done = replace(shown, asking=Asking.NOTHING, typed="")
            return (go(done, int(shown.typed) - 1) if shown.typed else done), None
        case "enter":
            return _commented(shown), KeepMarks()
    room = len(str(shown.last + 1)) if shown.asking == Asking.JUMP else LONGEST_COMMENT
    fits = len(key) == 1 and key.isprintable() and len(shown.typed) < room
    if fits and (shown.asking == Asking.COMMENT or (key.isascii() and key.isdigit())):
        return replace(shown, typed=shown.typed + key), None
    return shown, None


def _commented(shown: Replay) -> Replay:
    text = clean(shown.typed, LONGEST_COMMENT)
    marks = tuple(sorted((dict(shown.marks) | {shown.at: text}).items())) if text else shown.marks
    return replace(shown, marks=marks, asking=Asking.NOTHING, typed="")


def dump_marks(shown: Replay) -> str:
    """Return the file of marks; steps count from 1 there, as on the screen."""
    marks = [{"step": at + 1, "text": text} for at, text in shown.marks]
    return json.dumps({"v": VERSION, "marks": marks}, indent=2, ensure_ascii=False) + "\n"


def load_marks(data: bytes, steps: int) -> tuple[tuple[int, str], ...]:
    """Return the marks of a file, which anybody may have written; what is none is left out."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return ()
    if not isinstance(found, dict) or not isinstance(found.get("marks"), list):
        return ()
    kept: dict[int, str] = {}
    for entry in found["marks"][:MOST_MARKS]:
        if isinstance(entry, dict) and type(entry.get("step")) is int and 1 <= entry["step"] <= steps:
            text = entry.get("text")
            kept[entry["step"] - 1] = clean(text, LONGEST_COMMENT) if isinstance(text, str) else ""
    return tuple(sorted(kept.items()))
