"""Storm over Olympus for the commands: its console, its players, its terms, its replay and its lessons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

    from cli.console.learn import Judged, Learn
    from cli.console.render.spans import Line
    from cli.console.replay import Moment
    from cli.match.participant import Participant
    from cli.match.player import Player
    from cli.storm.console import StormConsole
    from protocol.core.transcript import Transcript
    from protocol.game import Decision, Seat
    from storm_p2p.storm.state import Terms


LONGEST: Final = 60.0
"""The most seconds that a computer player may think about a decision."""


def _read_seconds(word: str) -> float | None:
    """Return a time for each decision, or None if it is none."""
    try:
        seconds = float(word)
    except ValueError:
        return None
    return seconds if 0.0 < seconds <= LONGEST else None


class StormGame:
    """Storm over Olympus; what a command does not need is not loaded for it."""

    variants = ("open_combat", "random_setup", "challenge")
    schemes = ("proved", "hash")
    takes_cards = False

    @property
    def bots(self) -> Sequence[str]:
        """The names of its computer players, the weakest first."""
        from storm_p2p.storm.bots import LEVELS

        return LEVELS

    def describe_bot(self, bot: str) -> str:
        """Return how a computer player plays, in a sentence."""
        from cli.storm.text.levels import LEVELS

        return str(LEVELS[bot])

    @property
    def console(self) -> StormConsole:
        """How it is shown, and what its words mean."""
        from cli.storm.console import STORM

        return STORM

    @property
    def lessons(self) -> Sequence[Sequence[bool]]:
        """Of each of its lessons, which of its pages ask for a move."""
        from cli.storm.lessons import PAGES

        return PAGES

    def supply(self, data: bytes, file: str = "") -> StormGame:
        """Refuse an own set of cards: it is played without any."""
        from cli.runtime.console import UsageError
        from cli.text import commands as told

        raise UsageError(told.no_variant(str(self.console.title), "--cards"))

    def write_terms(self, given: Mapping[str, Any]) -> Decision:
        """Return the terms of a match from what is wanted of each variant."""
        from cli.runtime.console import UsageError
        from cli.text import commands as told
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
            raise UsageError(told.bad_challenge(allowed, added))
        return encode_terms(Terms(open_combat, random_setup, added))

    def read_terms(self, terms: Decision) -> Terms:
        """Return the terms of a match as the console takes them."""
        from storm_p2p.storm.game import decode_terms

        return decode_terms(terms)

    def variants_of(self, terms: Decision) -> Mapping[str, Any]:
        """Return what the terms of a match say of each variant."""
        read = self.read_terms(terms)
        return {word: getattr(read, word) for word in self.variants}

    def name_placing(self, what: int, where: int) -> tuple[str, str]:
        """Return the name of a unit and the number of its region."""
        from cli.storm.text.names import unit_name
        from storm_p2p.storm.units import Unit

        return unit_name(Unit(what)), str(where)

    def participant(self, player: Player) -> Participant:
        """Bring a player into a match."""
        from cli.storm.participant import StormParticipant

        return StormParticipant(player)

    def knows_bot(self, word: str) -> bool:
        """Return whether there is such a computer player: ``NAME``, or ``NAME:SECONDS`` for one that thinks."""
        from storm_p2p.storm.bots import BOTS, Thinker

        bot, colon, seconds = word.partition(":")
        if not colon:
            return bot in BOTS
        return isinstance(BOTS.get(bot), Thinker) and _read_seconds(seconds) is not None

    def make_bot(self, word: str, name: str | None) -> Player:
        """Return a computer player."""
        import secrets

        from cli.storm.players import RobotPlayer
        from storm_p2p.storm.bots import BOTS, Thinker

        name_of, _, given = word.partition(":")
        bot = BOTS[name_of]
        seconds = _read_seconds(given) or (bot.seconds if isinstance(bot, Thinker) else 0.0)
        return RobotPlayer(name or name_of, bot, secrets.randbits(64), seconds)

    def make_program(self, command: str, name: str | None, errors: Path) -> Player:
        """Return a player whose decisions another program makes."""
        import secrets

        from cli.runtime.console import say
        from cli.storm.players import ProgramPlayer

        return ProgramPlayer(command, errors=errors, report=say, seed=secrets.randbits(64), name=name)

    def watch(self, player: Player) -> Player:
        """Return a player whose match is told in lines while it is played."""
        from cli.console.seats import Watched
        from cli.storm.text import watched

        return Watched(player, watched)

    def moments(self, transcript: Transcript, seats: Sequence[Seat]) -> Iterator[Moment]:
        """Yield what each step of a match did, with what some seats knew."""
        from cli.storm.moments import moments

        return moments(transcript, seats)

    def run_scenario(self, case: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a scenario."""
        from cli.storm import scenario

        return scenario.run(case)

    def draw_lesson(self, shown: Learn) -> Sequence[Line]:
        """Return the picture of a page of a lesson."""
        from cli.storm import lessons

        return lessons.render(self.console, shown)

    def tell_lesson(self, shown: Learn) -> Sequence[str]:
        """Return a page of a lesson in lines, with its board."""
        from cli.storm import lessons

        return lessons.tell(shown)

    def judge_lesson(self, shown: Learn, line: str) -> Judged:
        """Return the judgement of a line that was typed on a page."""
        from cli.storm import lessons

        return lessons.judge(lambda: self.console, shown, line)

    def click_lesson(self, shown: Learn, row: int, column: int) -> str:
        """Return the key that a click on a page stands for, or nothing."""
        from cli.storm import lessons

        return lessons.click(shown, row, column)
