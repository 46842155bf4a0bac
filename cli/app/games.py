"""The games that can be played, shown and replayed here: what the commands need of each.

A game is a line of :data:`_MAKERS`, beside its rules in :mod:`storm_p2p.games`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from storm_p2p import games

STORM: Final = games.STORM
"""The game that is meant where none is named."""

if TYPE_CHECKING:
    from cli.console.guest import AnyConsole
    from cli.console.learn import Lessons
    from cli.console.seats import AnyWords
    from cli.match.player import Participant, Player
    from cli.text.wording import Lazy
    from protocol.game import Decision


class PlayedGame(Protocol):
    """A game with its console and its players; each part is imported when a command asks for it."""

    variants: Sequence[str]
    """The names of what its terms can say."""
    schemes: Sequence[str]
    """The schemes in which it can be played, the best first."""
    takes_cards: bool
    """Whether it can be played with a file of cards."""

    @property
    def console(self) -> AnyConsole:
        """How it is shown, and what its words mean."""

    @property
    def lessons(self) -> Lessons:
        """The rules on short boards."""

    @property
    def levels(self) -> Mapping[str, Lazy]:
        """How each of its computer players plays, in a sentence, the weakest first."""

    @property
    def run_scenario(self) -> Callable[[dict[str, object]], dict[str, object]]:
        """The answer to a scenario (interfaces of programs: docs/cli.md)."""

    @property
    def participant(self) -> Callable[[Player], Participant]:
        """What brings a player into a match."""

    @property
    def watched(self) -> AnyWords:
        """The words of a match that is told in lines while it is played."""

    @property
    def program(self) -> Callable[..., Player]:
        """A player whose decisions another program makes; raises ValueError for a command that is none."""

    def make_bot(self, word: str, name: str | None) -> Player | None:
        """Return a computer player by its name, with a time for each decision if it thinks; None if there is none."""

    def supply(self, data: bytes, file: str = "") -> PlayedGame:
        """Return the game with data that a match of it is played with, such as an own set of cards.

        ``file`` is where they come from, for the error.

        Raises:
            ValueError: they are none of this game; with a sentence.
            UsageError: the game takes none; with a sentence.
        """

    def begin_cards(self) -> bytes:
        """Return a file of cards to change; empty for a game that takes none."""

    def write_terms(self, given: Mapping[str, object]) -> Decision:
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

    def deals(self, terms: Decision) -> bool:
        """Return whether the setups of a match are dealt, so that nobody has chosen them.

        Raises:
            ValueError: they are no terms of this game.
        """

    def name_placing(self, what: int, where: int) -> tuple[str, str]:
        """Return what the numbers of an entry of a setup mean, in words.

        Raises:
            ValueError: they mean nothing.
        """


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
