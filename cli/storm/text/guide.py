"""What matters in a first match: short sentences, each about a fact that the player may know."""

from collections.abc import Sequence
from typing import Final

from cli.storm.text import names
from cli.storm.text.sentences import Sentence
from cli.text.wording import count, lazy, listed
from storm_p2p.storm.board import Region
from storm_p2p.storm.units import Unit

wins = Sentence[Unit, str]("{unit} is next to the Palace: {line} wins the game at once.")
stop_leader = Sentence[Unit, Region]("{unit} in {region} is next to the Palace and wins by entering it: attack now.")
low_honor = Sentence[int]("You have {honor} Honor left. At 0 you lose at once, so look for moves that cost nothing.")
low_energy = Sentence[int, str, int, int](
    "You have {energy} Energy, and without it you lose combats. {line} gains {gain} for {price} Honor, but uses up "
    "your turn."
)
bold = Sentence[str, int]("A bold attack gains Honor, if you dare: {line} ({honor:+d}).")
surely = Sentence[str, int]("{maneuver} {energy} cannot lose against their standard, however much Energy they add.")
retreat_from = Sentence[str, int](
    "You cannot be sure to win here. A retreat ({line}) costs {price} Honor if it works, and saves your units."
)
weakest = Sentence[Unit]("You choose which unit you lose. {unit} is the weakest that is not a leader.")
safest = Sentence[Region, int]("Region {region} has the fewest enemies next to it: {enemies}.")
_SAYS_NOTHING: Final = lazy("No costs nothing and gives nothing away; yes reveals the unit.")


def in_base(region: Region, enemies: int) -> str:
    """Return what enemies in the own base cost."""
    return count(
        "{number} enemy stands in your base ({region}) and costs you {number} Honor each turn.",
        "{number} enemies stand in your base ({region}) and cost you {number} Honor each turn.",
        enemies, region=region,
    )  # fmt: skip


def may_be_leader(regions: Sequence[Region], units: Sequence[Unit]) -> str:
    """Return that hidden enemies may win with their next move."""
    return count(
        "A hidden unit next to the Palace, in {regions}, could be {units}, who wins by entering it. Attack it first.",
        "Hidden units next to the Palace, in {regions}, could be {units}, who wins by entering it. Attack them first.",
        len(regions), regions=listed(regions), units=names.any_of(units),
    )  # fmt: skip


def leader_way(unit: Unit, region: Region, steps: int) -> str:
    """Return how far the nearest leader has to go."""
    return count(
        "{unit} in {region} is {number} step from the Palace. Moving one unit forward is free.",
        "{unit} in {region} is {number} steps from the Palace. Moving one unit forward is free.",
        steps, unit=names.unit_name(unit), region=region,
    )  # fmt: skip


def enemy_way(region: Region, steps: int) -> str:
    """Return how near the enemy is to its goal."""
    return count(
        "Their foremost unit, in {region}, is {number} step from the Palace. You win when both leaders are gone.",
        "Their foremost unit, in {region}, is {number} steps from the Palace. You win when both leaders are gone.",
        steps, region=region,
    )  # fmt: skip


def says_nothing() -> str:
    """Return what a no to help from next door means."""
    return str(_SAYS_NOTHING)
