"""Fight for Olympus for the commands: its console, its players, its terms, its replay and its lessons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cli.console.played import PlayedGame, part

if TYPE_CHECKING:
    from protocol.game import Decision
    from storm_p2p.fight.cards import CardSet


class FightGame(PlayedGame):
    """Fight for Olympus; what a command does not need is not loaded for it."""

    schemes = ("proved",)
    takes_cards = True
    console = part("cli.fight.console", "FIGHT")
    lessons = part("cli.fight.lessons", "LESSONS")
    levels = part("cli.fight.text.screens", "LEVELS")
    run_scenario = part("cli.fight.scenario", "run")
    participant = part("cli.fight.players", "FightParticipant")
    program = part("cli.fight.players", "ProgramPlayer")
    robot = part("cli.console.seats", "Robot")
    bots = part("storm_p2p.fight.bots", "BOTS")

    def __init__(self, cards: CardSet | None = None) -> None:
        """Play with a set of cards; with the one that comes with the program where none is given."""
        self._cards = cards

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
