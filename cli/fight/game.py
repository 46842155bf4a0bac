"""Fight for Olympus for the commands: its console, its players, its terms, its replay and its lessons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
    from storm_p2p.fight.cards import CardSet


class FightGame:
    """Fight for Olympus; what a command does not need is not loaded for it."""

    variants = ()
    takes_cards = True
    schemes = ("proved",)

    def __init__(self, cards: CardSet | None = None) -> None:
        """Play with a set of cards; with the one that comes with the program where none is given."""
        self._cards = cards

    @property
    def bots(self) -> Sequence[str]:
        """The names of its computer players, the weakest first."""
        from storm_p2p.fight.bots import BOTS

        return tuple(BOTS)

    def describe_bot(self, bot: str) -> str:
        """Return how a computer player plays, in a sentence."""
        from cli.fight.text.screens import LEVELS

        return str(LEVELS[bot])

    @property
    def console(self) -> GameConsole[Any]:
        """How it is shown, and what its words mean."""
        from cli.fight.console import FIGHT

        return FIGHT

    @property
    def lessons(self) -> Sequence[Sequence[bool]]:
        """Of each of its lessons, which of its pages ask for a move."""
        from cli.fight.lessons import PAGES

        return PAGES

    def supply(self, data: bytes, file: str = "cards") -> FightGame:
        """Return the game with an own set of cards."""
        from storm_p2p.fight.card_file import load_cards

        return FightGame(load_cards(data, file))

    def write_terms(self, given: Mapping[str, Any]) -> Decision:
        """Return the terms of a match: its set of cards."""
        from storm_p2p.fight.codec import encode_terms

        return encode_terms(self._set())

    def read_terms(self, terms: Decision) -> Any:
        """Return the terms of a match as the console takes them: the set of cards.

        One that is not here has a digest and nothing else.
        """
        from storm_p2p.fight.cards import CardSet
        from storm_p2p.fight.codec import decode_terms

        digest, cards = decode_terms(terms), self._set()
        return cards if digest == cards.digest else CardSet("", (), digest)

    def _set(self) -> CardSet:
        from storm_p2p.fight.card_file import load_reconstructed

        return self._cards or load_reconstructed()

    def variants_of(self, terms: Decision) -> Mapping[str, Any]:
        """Return what the terms of a match say of each variant: there is none."""
        self.read_terms(terms)
        return {}

    def name_placing(self, what: int, where: int) -> tuple[str, str]:
        """Refuse: nothing is placed before the first turn."""
        raise ValueError("expected no placing")

    def participant(self, player: Player) -> Participant:
        """Bring a player into a match."""
        from cli.fight.participant import FightParticipant

        return FightParticipant(player)

    def knows_bot(self, word: str) -> bool:
        """Return whether there is such a computer player."""
        return word in self.bots

    def make_bot(self, word: str, name: str | None) -> Player:
        """Return a computer player."""
        import secrets

        from cli.fight.players import RobotPlayer
        from storm_p2p.fight.bots import BOTS

        return RobotPlayer(name or word, BOTS[word], secrets.randbits(64))

    def make_program(self, command: str, name: str | None, errors: Path) -> Player:
        """Return a player whose decisions another program makes."""
        import secrets

        from cli.fight.players import ProgramPlayer
        from cli.runtime.console import say

        return ProgramPlayer(command, errors=errors, report=say, seed=secrets.randbits(64), name=name)

    def watch(self, player: Player) -> Player:
        """Return a player whose match is told in lines while it is played."""
        from cli.console.seats import Watched
        from cli.fight.text import watched

        return Watched(player, watched)

    def moments(self, transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
        """Yield what each step of a match did, with what some seats knew."""
        from cli.fight.moments import moments

        return moments(transcript, seats)

    def run_scenario(self, case: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a scenario."""
        from cli.fight import scenario

        return scenario.run(case)

    def draw_lesson(self, shown: Learn) -> Sequence[Line]:
        """Return the picture of a page of a lesson."""
        from cli.fight import lessons

        return lessons.draw(self.console, shown)

    def tell_lesson(self, shown: Learn) -> Sequence[str]:
        """Return a page of a lesson in lines, with its board."""
        from cli.fight import lessons

        return lessons.tell(self.console, shown)

    def judge_lesson(self, shown: Learn, line: str) -> Judged:
        """Return the judgement of a line on a page of a lesson."""
        from cli.fight import lessons

        return lessons.judge(lambda: self.console, shown, line)

    def click_lesson(self, shown: Learn, row: int, column: int) -> str:
        """Return the key that a click stands for: to go on where nothing is asked."""
        return "" if shown.asks else "right"
