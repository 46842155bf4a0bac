"""Storm over Olympus for the commands: its console, its players, its terms, its replay and its lessons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cli.console.played import PlayedGame, part

if TYPE_CHECKING:
    from protocol.game import Decision
    from storm_p2p.storm.state import Terms


class StormGame(PlayedGame):
    """Storm over Olympus; what a command does not need is not loaded for it."""

    variants = ("open_combat", "random_setup", "challenge")
    schemes = ("proved", "hash")
    console = part("cli.storm.console", "STORM")
    lessons = part("cli.storm.lessons", "LESSONS")
    levels = part("cli.storm.text.screens", "LEVELS")
    run_scenario = part("cli.storm.scenario", "run")
    participant = part("cli.storm.players", "StormParticipant")
    program = part("cli.storm.players", "ProgramPlayer")
    robot = part("cli.storm.players", "RobotPlayer")
    bots = part("storm_p2p.storm.bots", "BOTS")

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
