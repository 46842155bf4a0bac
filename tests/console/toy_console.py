"""Rock-paper-scissors at the console: the smallest game that a person can play there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toys import RockPaperScissors, Rounds

from cli.clean import clean
from cli.console.guest import GameConsole
from cli.console.messages import (
    Act,
    Command,
    Effects,
    NotUnderstood,
    NotYet,
    Severity,
    View,
    find_common,
    find_view,
    name_unknown,
    split_mode,
)
from cli.console.render.spans import Line, Zone, line
from cli.console.screen_state import Entry, Model, ScreenState, Suggestion
from cli.console.seats import GameParticipant
from cli.match.player import Decided
from cli.vocabulary import Command as Row
from cli.vocabulary import Kind, Vocabulary, split
from protocol.core.session import Session
from protocol.game import Answer, Known, Unsealed

THROWS = ("rock", "paper", "scissors")


@dataclass(frozen=True)
class Thrown:
    """What both have thrown, and who has won the round."""

    throws: tuple[int, int]
    wins: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ToyModel(Model):
    """What the console knows of a match."""

    side: int
    terms: int
    state: Rounds | None = None


@dataclass(frozen=True, slots=True)
class ToyScreen(ScreenState):
    """The whole console of a match."""

    match: ToyModel


class ToyConsole(GameConsole[int, int, Rounds, Thrown, int, None, ToyModel, ToyScreen]):
    """Rock-paper-scissors at the console."""

    model_type = ToyModel
    screen_type = ToyScreen
    title = "Rock, paper, scissors"  # type: ignore[assignment]  # nobody translates a toy
    words = Vocabulary([Row(throw, Kind.ACTION, {}) for throw in THROWS], {}, {})
    sides = (0, 1)

    def side_name(self, side: int) -> str:
        return ("left", "right")[side]

    def seat_word(self, side: int) -> str:
        return str(side)

    def terms_of(self, terms: int) -> str:
        return f"{terms} rounds win"

    def turn(self, state: Rounds) -> int:
        return sum(state.wins) + 1

    def tell(self, model: ToyModel, entry: Entry[Rounds, Thrown]) -> list[str]:
        return [f"{THROWS[one.throws[0]]} against {THROWS[one.throws[1]]}: {one.wins}" for one in entry.events]

    def is_waiting(self, model: ToyModel) -> bool:
        return not model.deciding and model.ending is None

    def parse(self, typed: str, state: Rounds | None, side: int, *, setting_up: bool) -> Command:
        common = find_common(self.words, typed, ())
        if common is not None:
            return common
        text, mode = split_mode(clean(typed))
        tokens = split(text)
        verb = self.words.find_verb(tokens[0])
        if verb in THROWS and state is None:
            raise NotYet("Both have thrown.")
        if verb in THROWS:
            return Act(THROWS.index(str(verb)), mode)
        known = find_view(self.words, verb, tokens)
        if known is None:
            raise NotUnderstood(name_unknown(self.words, tokens[0]))
        return known

    def preview(self, screen: ToyScreen, action: int) -> tuple[Severity, Sequence[str]]:
        return Severity.ASK, [f"You throw {THROWS[action]}."]

    def read(self, screen: ToyScreen) -> ToyScreen:
        return screen

    def suggest(self, screen: ToyScreen, typed: str) -> list[Suggestion]:
        return [Suggestion(throw, -len(typed), "") for throw in THROWS if throw.startswith(typed)]

    def look(self, screen: ToyScreen, view: View) -> tuple[ToyScreen, Effects] | Sequence[str]:
        if view.what == "help":
            return self.help(screen)
        return [f"{(0, 0) if screen.match.state is None else screen.match.state.wins} of {screen.match.terms}"]

    def draw(self, screen: ToyScreen, rows: int) -> tuple[list[Line], list[Zone]]:
        wins = (0, 0) if screen.match.state is None else screen.match.state.wins
        return [line(f"  left {wins[0]} : {wins[1]} right")], []

    def text_rows(self, screen: ToyScreen, rows: int) -> tuple[int, int]:
        return 2, rows // 2

    def help(self, screen: ToyScreen) -> list[str]:
        return ["Type rock, paper or scissors."]

    def asked(self, screen: ToyScreen) -> str:
        return "YOUR THROW"

    def coming(self, screen: ToyScreen) -> Sequence[str]:
        return self.help(screen) if screen.awaited else ()

    def question(self, screen: ToyScreen) -> list[str]:
        assert screen.match.state is not None
        return [f"Round {self.turn(screen.match.state)}: rock, paper or scissors?"]


TOY = ToyConsole()


class ToyParticipant(GameParticipant[Rounds, Rounds, Thrown, int]):
    """One seat of rock-paper-scissors."""

    def _seat(self, session: Session) -> tuple[int, Any]:
        return session.seat, session.agreement.terms

    def _step(self, state: Rounds, answer: Answer) -> tuple[Rounds, tuple[Thrown, ...]]:
        after = RockPaperScissors().step(state, answer)
        assert isinstance(answer, Unsealed)
        one, two = answer.decisions
        assert isinstance(one, int)
        assert isinstance(two, int)
        return after, (Thrown((one, two), after.wins),)

    def _see(self, state: Rounds, known: Known) -> Rounds:
        return state

    def _is_hushed(self, view: Rounds) -> bool:
        return False

    def _write(self, view: Rounds, action: int) -> Decided:
        return action, None
