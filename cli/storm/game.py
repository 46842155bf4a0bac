"""Storm over Olympus for the commands: its console, its players, its terms, its replay and its lessons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.console.learn import Lessons
    from cli.console.seats import AnyWords
    from cli.match.player import Participant, Player
    from cli.storm.console import StormConsole
    from cli.text.wording import Lazy
    from protocol.game import Decision
    from storm_p2p.storm.state import Terms


class StormGame:
    """Storm over Olympus; what a command does not need is not loaded for it."""

    variants: Sequence[str] = ("open_combat", "random_setup", "challenge")
    schemes: Sequence[str] = ("proved", "hash")
    takes_cards = False

    @property
    def console(self) -> StormConsole:
        """How it is shown, and what its words mean."""
        from cli.storm.console import STORM

        return STORM

    @property
    def lessons(self) -> Lessons:
        """The rules on ten boards."""
        from cli.storm.lessons import LESSONS

        return LESSONS

    @property
    def levels(self) -> Mapping[str, Lazy]:
        """How each of its computer players plays, in a sentence, the weakest first."""
        from cli.storm.text.screens import LEVELS

        return LEVELS

    @property
    def run_scenario(self) -> Callable[[dict[str, object]], dict[str, object]]:
        """The answer to a scenario."""
        from cli.storm.scenario import run

        return run

    @property
    def participant(self) -> Callable[[Player], Participant]:
        """What brings a player into a match."""
        from cli.storm.players import StormParticipant

        return StormParticipant

    @property
    def watched(self) -> AnyWords:
        """The words of a match that is told in lines while it is played."""
        from cli.storm.text import story

        return story

    @property
    def program(self) -> Callable[..., Player]:
        """A player whose decisions another program makes."""
        from cli.storm.players import ProgramPlayer

        return ProgramPlayer

    def make_bot(self, word: str, name: str | None) -> Player | None:
        """Return a computer player (:func:`cli.console.seats.seat_bot`)."""
        from cli.console.seats import seat_bot
        from cli.storm.players import RobotPlayer
        from storm_p2p.storm.bots import BOTS

        return seat_bot(RobotPlayer, BOTS, word, name)

    def supply(self, data: bytes, file: str = "") -> StormGame:
        """Refuse an own set of cards: it is played without any."""
        from cli.runtime.console import UsageError
        from cli.text import commands

        raise UsageError(commands.no_variant("--cards", str(self.console.title)))

    def begin_cards(self) -> bytes:
        """Return nothing: the game takes no cards."""
        return b""

    def write_terms(self, given: Mapping[str, object]) -> Decision:
        """Return the terms of a match from what is wanted of each variant."""
        from cli.runtime.console import UsageError
        from cli.text import commands
        from cli.text.wording import _
        from storm_p2p.storm.game import encode_terms
        from storm_p2p.storm.rules.setup import challenges
        from storm_p2p.storm.state import Terms

        open_combat, random_setup, added = (given[word] for word in self.variants)
        if not isinstance(open_combat, bool) or not isinstance(random_setup, bool) or type(added) is not int:
            raise ValueError(
                _("expected true or false for open_combat and random_setup, and a whole number for challenge")
            )
        # VAR-1, VAR-4 and A-29 of docs/rules.md.
        allowed = challenges(open_combat=open_combat)
        if added not in allowed:
            raise UsageError(commands.bad_challenge(allowed[0], allowed[-1], added))
        return encode_terms(Terms(open_combat, random_setup, added))

    def read_terms(self, terms: Decision) -> Terms:
        """Return the terms of a match as the console takes them."""
        from storm_p2p.storm.game import decode_terms

        return decode_terms(terms)

    def deals(self, terms: Decision) -> bool:
        """Return whether the match has a random setup (VAR-3)."""
        return self.read_terms(terms).random_setup

    def name_placing(self, what: int, where: int) -> tuple[str, str]:
        """Return the name of a unit and the number of its region."""
        from cli.storm.text.names import unit_name
        from storm_p2p.storm.units import Unit

        return unit_name(Unit(what)), str(where)
