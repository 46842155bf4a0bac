"""The games that can be played, shown and replayed here: what the commands need of each.

A game is a line of :data:`_MAKERS`, beside its rules in :mod:`storm_p2p.games`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from storm_p2p import games

STORM: Final = games.STORM
"""The game that is meant where none is named."""

if TYPE_CHECKING:
    from pathlib import Path

    from cli.console.guest import GameConsole
    from cli.console.learn import Judged, Learn
    from cli.console.render.spans import Line
    from cli.console.replay import Moment
    from cli.match.participant import Participant
    from cli.match.player import Player
    from protocol.core.transcript import Transcript
    from protocol.game import Decision, Seat


class PlayedGame(Protocol):
    """A game with its console and its players."""

    @property
    def console(self) -> GameConsole[Any]:
        """How it is shown, and what its words mean."""

    @property
    def bots(self) -> Sequence[str]:
        """The names of its computer players, the weakest first."""

    def describe_bot(self, bot: str) -> str:
        """Return how a computer player plays, in a sentence."""

    @property
    def variants(self) -> Sequence[str]:
        """The names of what its terms can say."""

    @property
    def schemes(self) -> Sequence[str]:
        """The schemes in which it can be played, the best first."""

    @property
    def takes_cards(self) -> bool:
        """Whether it can be played with a file of cards."""

    @property
    def lessons(self) -> Sequence[Sequence[bool]]:
        """Of each of its lessons, which of its pages ask for a move."""

    def supply(self, data: bytes, file: str = "") -> PlayedGame:
        """Return the game with data that a match of it is played with, such as an own set of cards.

        ``file`` is where they come from, for the error.

        Raises:
            ValueError: they are none of this game; with a sentence.
            UsageError: the game takes none; with a sentence.
        """

    def write_terms(self, given: Mapping[str, Any]) -> Decision:
        """Return the terms of a match from what is wanted of each variant.

        Raises:
            UsageError: nobody can play that; with a sentence.
            ValueError: something is of the wrong kind; with a sentence.
        """

    def read_terms(self, terms: Decision) -> Any:
        """Return the terms of a match as the console takes them.

        Raises:
            ValueError: they are none of this game.
        """

    def variants_of(self, terms: Decision) -> Mapping[str, Any]:
        """Return what the terms of a match say of each variant: the other way round.

        Raises:
            ValueError: they are none of this game.
        """

    def name_placing(self, what: int, where: int) -> tuple[str, str]:
        """Return what the numbers of an entry of a setup mean, in words.

        Raises:
            ValueError: they mean nothing.
        """

    def participant(self, player: Player) -> Participant:
        """Bring a player into a match."""

    def knows_bot(self, word: str) -> bool:
        """Return whether there is such a computer player: its name, with a time for each decision if it thinks."""

    def make_bot(self, word: str, name: str | None) -> Player:
        """Return a computer player."""

    def make_program(self, command: str, name: str | None, errors: Path) -> Player:
        """Return a player whose decisions another program makes.

        Raises:
            ValueError: the command is none.
        """

    def watch(self, player: Player) -> Player:
        """Return a player whose match is told in lines while it is played."""

    def moments(self, transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
        """Yield what each step of a match did, with what some seats knew."""

    def run_scenario(self, case: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a scenario (interfaces of programs: docs/cli.md)."""

    def draw_lesson(self, shown: Learn) -> Sequence[Line]:
        """Return the picture of a page of a lesson."""

    def tell_lesson(self, shown: Learn) -> Sequence[str]:
        """Return a page of a lesson in lines."""

    def judge_lesson(self, shown: Learn, line: str) -> Judged:
        """Return the judgement of a line that was typed on a page."""

    def click_lesson(self, shown: Learn, row: int, column: int) -> str:
        """Return the key that a click on a page stands for, or nothing."""


def _storm() -> PlayedGame:
    from cli.storm.game import StormGame

    return StormGame()


def _fight() -> PlayedGame:
    from cli.fight.game import FightGame

    return FightGame()


_MAKERS: Final[Mapping[str, Callable[[], PlayedGame]]] = {STORM: _storm, games.FIGHT: _fight}
NAMES: Final = tuple(_MAKERS)
"""The names of all games."""
CALLED: Final[Mapping[str, str]] = {name.partition("-")[0]: name for name in _MAKERS}
"""What ``--game`` calls each game: the first word of its name."""


@cache
def find(name: str = STORM) -> PlayedGame:
    """Return a game by the name of its rules.

    Raises:
        KeyError: no game has this name.
    """
    return _MAKERS[name]()
