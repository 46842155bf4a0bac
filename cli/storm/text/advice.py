"""What speaks for an action of the computer's choice, in words."""

from collections.abc import Callable, Mapping
from typing import Final

from cli.storm import advice
from cli.storm.text import names
from cli.storm.text.names import Sentence
from cli.text.analyses import percent
from cli.text.wording import fill, lazy
from storm_p2p.storm.board import Region
from storm_p2p.storm.units import Maneuver, Unit

_IN_PALACE: Final = lazy("{unit} reaches the Palace.")
_gains_honor = Sentence[int]("It gains {honor} Honor.")
_gains_energy = Sentence[int]("It gains {energy} Energy.")
_beats_all = Sentence[int](
    "With a power of {power} it beats a standard maneuver, however much Energy the enemy spends."
)
_calm = Sentence[Region]("No enemy is next to {region}.")

_SENTENCES: Final[Mapping[type[advice.Reason], Callable[..., str]]] = {
    advice.Wins: Sentence[()]("It wins the game."),
    advice.Nears: Sentence[Unit, int](
        "{unit} is then {number} step from the Palace.", "{unit} is then {number} steps from the Palace."
    ),
    advice.Guards: Sentence[tuple[Unit, ...], Region](
        "{units} then guards the Palace from {region}.", "{units} then guard the Palace from {region}."
    ),
    advice.Attacks: Sentence[Region, int, int]("It attacks {region} with {ours} against {theirs}."),
    advice.Outweighs: Sentence[Region, int, int]("It attacks {region} with strength {ours} against {theirs}."),
    advice.Strikes: Sentence[Region]("The enemy loses a unit in {region} unless a power there prevents it."),
    advice.ClearsBase: Sentence[int](
        "It attacks enemies in the home base, who would cost {loss} Honor if they stayed."
    ),
    advice.Besieges: Sentence[int]("Units that stay in the enemy's base cost the enemy {loss} Honor each turn."),
    advice.Gains: Sentence[int, int]("It gains {honor} Honor and {energy} Energy."),
    advice.Safer: Sentence[str, Region, str, Region](
        "The chance of losing to the enemies next door is about {before} in {origin} and {after} in {target}."
    ),
    advice.Forward: Sentence[()]("It goes forward."),
    advice.Returns: Sentence[Unit]("{unit} comes back."),
    advice.Eases: Sentence[Unit, int](
        "Revealing {unit} makes {number} move possible or cheaper.",
        "Revealing {unit} makes {number} moves possible or cheaper.",
    ),
    advice.Hides: Sentence[tuple[Region, ...]]("The enemy no longer knows which unit is which in {regions}."),
    advice.Beats: Sentence[int, int](
        "With a power of {power} it beats a standard maneuver with up to {energy} Energy."
    ),
    advice.Falls: Sentence[int, int]("The strengths there are {ours} against {theirs}."),
    advice.Answers: Sentence[Maneuver, int]("The enemy has already chosen {maneuver} with {energy} Energy."),
    advice.Cheapest: Sentence[Unit, int]("The weakest unit there is {unit}, with strength {strength}."),
    advice.KeepsLeader: Sentence[Unit]("The leader {unit} stays alive."),
    advice.Adds: Sentence[int]("It adds {strength} strength."),
    advice.Peril: Sentence[str, Region]("The chance of losing to the enemies next door is about {chance} in {region}."),
    advice.Prevents: Sentence[()]("Nobody is eliminated."),
    advice.Free: Sentence[()]("It costs nothing."),
}


def reason(fact: advice.Reason) -> str:
    """Return the sentence for what speaks for an action."""
    say = _SENTENCES[type(fact)]
    match fact:
        case advice.Nears(unit, 0):
            return fill(_IN_PALACE, unit=names.unit_name(unit))
        case advice.Gains(honor, 0):
            return _gains_honor(honor)
        case advice.Gains(0, energy):
            return _gains_energy(energy)
        case advice.Safer(origin, target, before, after):
            return say(percent(before), origin, percent(after), target)
        case advice.Beats(power, energy, limit):
            return _beats_all(power) if energy == limit else say(power, energy)
        case advice.Peril(region, chance):
            return say(percent(chance), region) if chance else _calm(region)
        case _:
            return say(*fact)
