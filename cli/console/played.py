"""A game as the commands see it: its console, its players and its terms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cli.console.guest import AnyConsole
    from cli.console.learn import Lessons
    from cli.match.player import Participant, Player
    from cli.text.wording import Lazy
    from protocol.game import Decision

LONGEST: Final = 60.0
"""The most seconds that a computer player may think about a decision."""


def part(module: str, name: str) -> Any:
    """Return an attribute that is a name of a module, which is imported when a command asks for it."""
    return property(lambda game: getattr(import_module(module), name))


class PlayedGame(ABC):
    """A game with its console and its players."""

    variants: Sequence[str] = ()
    """The names of what its terms can say."""
    schemes: Sequence[str]
    """The schemes in which it can be played, the best first."""
    takes_cards = False
    """Whether it can be played with a file of cards."""
    console: AnyConsole
    """How it is shown, and what its words mean."""
    lessons: Lessons
    """The rules on short boards."""
    levels: Mapping[str, Lazy]
    """How each of its computer players plays, in a sentence, the weakest first."""
    run_scenario: Callable[[dict[str, object]], dict[str, object]]
    """The answer to a scenario (interfaces of programs: docs/cli.md)."""
    participant: Callable[[Player], Participant]
    """What brings a player into a match."""
    program: Callable[..., Player]
    """A player whose decisions another program makes."""
    robot: Callable[..., Player]
    """A player whose decisions a bot makes."""
    bots: Mapping[str, Any]
    """Its bots, by the word that chooses each."""

    def make_bot(self, word: str, name: str | None) -> Player | None:
        """Return a computer player: ``NAME``, or ``NAME:SECONDS`` for one that thinks; None for other words.

        ``name`` is the name shown to the opponent, by default that of the bot.
        """
        from secrets import randbits

        from storm_p2p.bots import Thinker

        known, colon, given = word.partition(":")
        bot = self.bots.get(known)
        if bot is None or (colon and not isinstance(bot, Thinker)):
            return None
        seconds = bot.seconds if isinstance(bot, Thinker) else 0.0
        try:
            seconds = float(given) if colon else seconds
        except ValueError:
            return None
        return self.robot(name or known, bot, randbits(64), seconds) if not colon or 0.0 < seconds <= LONGEST else None

    def supply(self, data: bytes, file: str = "cards") -> PlayedGame:
        """Return the game with data that a match of it is played with, such as an own set of cards.

        ``file`` is where they come from, for the error.

        Raises:
            ValueError: they are none of this game; with a sentence.
            UsageError: the game takes none; with a sentence.
        """
        from cli.runtime.console import UsageError
        from cli.text import commands

        raise UsageError(commands.no_variant("--cards", str(self.console.title)))

    def begin_cards(self) -> bytes:
        """Return a file of cards to change; empty for a game that takes none."""
        return b""

    @abstractmethod
    def write_terms(self, given: Mapping[str, object]) -> Decision:
        """Return the terms of a match from what is wanted of each variant.

        Raises:
            UsageError: nobody can play that; with a sentence.
            ValueError: something is of the wrong kind; with a sentence.
        """

    @abstractmethod
    def read_terms(self, terms: Decision) -> Any:
        """Return the terms of a match as the console takes them.

        Raises:
            ValueError: they are none of this game.
        """

    @abstractmethod
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
        raise ValueError("expected a game with a setup")
