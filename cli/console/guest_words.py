"""What a game is called and what a match of it says, as far as nothing of it has to be drawn."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from cli.console.advice import Adviser
from cli.console.analysis import Analyst
from cli.text import matches, screens
from cli.text.wording import Lazy
from cli.vocabulary import Vocabulary
from protocol.core.messages import FalseBatch


class GuestWords(ABC):
    """A game as a match of it is told; ``Any`` is a value of the game, and a model is that of its match."""

    title: Lazy
    """What the game is called."""
    words: Vocabulary
    """All that may be typed."""
    sides: Sequence[Any]
    """Of the seats, in their order."""
    places: Collection[int] = ()
    """Numbers of the places that a note can be about."""
    no_notes: str | Lazy = ""
    """What is said where nothing is noted."""
    keys: Mapping[str, Lazy] = {}
    """Function keys, each with the command that does the same, beside those of every game."""
    adviser: Adviser | None = None
    """Who gives hints."""
    analyst: Analyst | None = None
    """Who judges the decisions of a match."""
    stocks: Mapping[str, Lazy] = {}
    """What each side has so and so much of, by the word of logs."""
    landmarks: Mapping[str, type] = {}
    """What one can jump to when looking back: a kind of event by its key."""
    landmark_keys: str | Lazy = ""
    """What the keys of the landmarks find, for the hint."""

    @abstractmethod
    def side_name(self, side: Any) -> str:
        """Return the name of a side for a reader."""

    @abstractmethod
    def seat_word(self, side: Any) -> str:
        """Return what a log calls a side."""

    @abstractmethod
    def terms_of(self, terms: Any) -> str:
        """Return the terms of a match in words."""

    @abstractmethod
    def turn(self, state: Any) -> int:
        """Return the number of the turn; 0 before the first, in the setup."""

    def title_of(self, terms: Any) -> str:
        """Return what a match of these terms is called in its title."""
        return str(self.title)

    def begins(self, terms: Any) -> Any:
        """Return the notice of what goes on at first without asking anybody; None where something is asked."""
        return None

    def why(self, model: Any, reason: str) -> str:
        """Return why a game has ended by its own rules."""
        return reason

    def false_batch(self, batch: FalseBatch) -> str:
        """Return what a side has done that hid something else than it had to; nothing where the game has no words."""
        return ""

    def say(self, model: Any, notice: Any) -> str:
        """Return what has happened beside the game; a game adds sentences for notices of its own."""
        seat = self.sides.index(model.side)
        return matches.sentence(notice, model.opponent, seat, timed=model.clocks is not None)

    @abstractmethod
    def tell(self, model: Any, entry: Any) -> list[str]:
        """Return what one message has done, a line for each thing."""

    def table(self, model: Any) -> list[str]:
        """Return what there is to win, and at which price."""
        return []

    def opened(self, model: Any) -> list[str]:
        """Return the board at the end, where everything was opened, as sentences."""
        return []


AT_THE_END: Final = frozenset({"units", "table", "log", "notes", "chat", "replay", "menu"})
"""Commands whose keys do something when the match is over; the others have nothing to do then."""


def keys_of(guest: GuestWords) -> Mapping[str, Lazy]:
    """Return the commands of the function keys by their names, ``F1`` first."""
    return dict(sorted({**screens.KEYS, **guest.keys}.items(), key=lambda key: int(key[0][1:])))


def keys_at_end(guest: GuestWords) -> Mapping[str, Lazy]:
    """Return the commands of the function keys when the match is over; that of leaving leads to the menu."""
    named = {name: screens.MENU_KEY if word.english == "leave" else word for name, word in keys_of(guest).items()}
    return {name: word for name, word in named.items() if word.english in AT_THE_END}


def word_at_end(guest: GuestWords, name: str) -> str | None:
    """Return the command of a key when the match is over; None for a key that does nothing then."""
    word = keys_at_end(guest).get(name.upper())
    return None if word is None else word.english


def word_of(guest: GuestWords, name: str) -> str | None:
    """Return the command of a key, such as ``f1``; None for another key."""
    word = keys_of(guest).get(name.upper())
    return None if word is None else word.english
