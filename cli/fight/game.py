"""Fight for Olympus for the commands: its console, its players, its terms, its replay and its lessons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.console.learn import Lessons
    from cli.console.seats import AnyWords
    from cli.fight.console import FightConsole
    from cli.match.player import Participant, Player
    from cli.text.wording import Lazy
    from protocol.game import Decision
    from storm_p2p.fight.cards import CardSet


class FightGame:
    """Fight for Olympus; what a command does not need is not loaded for it."""

    variants: Sequence[str] = ()
    schemes: Sequence[str] = ("proved",)
    takes_cards = True

    def __init__(self, cards: CardSet | None = None) -> None:
        """Play with a set of cards; with the one that comes with the program where none is given."""
        self._cards = cards

    @property
    def console(self) -> FightConsole:
        """How it is shown, and what its words mean."""
        from cli.fight.console import FIGHT

        return FIGHT

    @property
    def lessons(self) -> Lessons:
        """The rules on short boards."""
        from cli.fight.lessons import LESSONS

        return LESSONS

    @property
    def levels(self) -> Mapping[str, Lazy]:
        """How each of its computer players plays, in a sentence, the weakest first."""
        from cli.fight.text.screens import LEVELS

        return LEVELS

    @property
    def run_scenario(self) -> Callable[[dict[str, object]], dict[str, object]]:
        """The answer to a scenario."""
        from cli.fight.scenario import run

        return run

    @property
    def participant(self) -> Callable[[Player], Participant]:
        """What brings a player into a match."""
        from cli.fight.players import FightParticipant

        return FightParticipant

    @property
    def watched(self) -> AnyWords:
        """The words of a match that is told in lines while it is played."""
        from cli.fight.text import narrate

        return narrate

    @property
    def program(self) -> Callable[..., Player]:
        """A player whose decisions another program makes."""
        from cli.fight.players import ProgramPlayer

        return ProgramPlayer

    def make_bot(self, word: str, name: str | None) -> Player | None:
        """Return a computer player (:func:`cli.console.seats.seat_bot`)."""
        from cli.console.seats import Robot, seat_bot
        from storm_p2p.fight.bots import BOTS

        return seat_bot(Robot, BOTS, word, name)

    def supply(self, data: bytes, file: str = "cards") -> FightGame:
        """Return the game with an own set of cards."""
        from storm_p2p.fight.card_file import load_cards

        return FightGame(load_cards(data, file))

    def begin_cards(self) -> bytes:
        """Return the reconstructed set with a comment on every field, where nothing is read: in its notice."""
        import json

        from cli.fight.text.screens import CARD_COMMENTS
        from storm_p2p.fight.card_file import read_reconstructed

        kept = read_reconstructed()
        comments = {field: str(said) for field, said in CARD_COMMENTS.items()}
        template = {"set": "my-cards", "game": kept["game"], "notice": comments, "cards": kept["cards"]}
        return json.dumps(template, indent=1, ensure_ascii=False).encode() + b"\n"

    def write_terms(self, given: Mapping[str, object]) -> Decision:
        """Return the terms of a match: its set of cards."""
        from storm_p2p.fight.card_file import load_reconstructed
        from storm_p2p.fight.codec import encode_terms

        return encode_terms(self._cards or load_reconstructed())

    def read_terms(self, terms: Decision) -> CardSet:
        """Return the terms of a match as the console takes them: the set of cards.

        One that is not here has a digest and nothing else.
        """
        from storm_p2p.fight.card_file import find_cards
        from storm_p2p.fight.cards import CardSet
        from storm_p2p.fight.codec import decode_terms

        digest = decode_terms(terms)
        try:
            return find_cards(digest, self._cards)
        except ValueError:
            return CardSet("", (), digest)

    def deals(self, terms: Decision) -> bool:
        """Return True: the cards are dealt."""
        return True

    def name_placing(self, what: int, where: int) -> tuple[str, str]:
        """Refuse: nothing is placed before the first turn."""
        raise ValueError("expected no placing")
