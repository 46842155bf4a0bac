"""What speaks for an action of the computer's choice, in words."""

from typing import Final

from cli.storm import advice
from cli.storm.text import names
from cli.storm.text.names import Sentence
from cli.text.analyses import percent
from cli.text.wording import count, fill, lazy, listed
from storm_p2p.storm.board import Region
from storm_p2p.storm.units import Maneuver, Unit

_WINS: Final = lazy("It wins the game.")
_FORWARD: Final = lazy("It goes forward.")
_FREE: Final = lazy("It costs nothing.")
_PREVENTS: Final = lazy("Nobody is eliminated.")
_IN_PALACE: Final = lazy("{unit} reaches the Palace.")

_outweighs = Sentence[Region, int, int]("It attacks {region} with strength {ours} against {theirs}.")
_strikes = Sentence[Region]("The enemy loses a unit in {region} unless a power there prevents it.")
_clears = Sentence[int]("It attacks enemies in the home base, who would cost {loss} Honor if they stayed.")
_besieges = Sentence[int]("Units that stay in the enemy's base cost the enemy {loss} Honor each turn.")
_gains_honor = Sentence[int]("It gains {honor} Honor.")
_gains_energy = Sentence[int]("It gains {energy} Energy.")
_gains_both = Sentence[int, int]("It gains {honor} Honor and {energy} Energy.")
_returns = Sentence[Unit]("{unit} comes back.")
_hides = Sentence[str]("The enemy no longer knows which unit is which in {regions}.")
_beats_all = Sentence[int](
    "With a power of {power} it beats a standard maneuver, however much Energy the enemy spends."
)
_beats = Sentence[int, int]("With a power of {power} it beats a standard maneuver with up to {energy} Energy.")
_falls = Sentence[int, int]("The strengths there are {ours} against {theirs}.")
_answers = Sentence[Maneuver, int]("The enemy has already chosen {maneuver} with {energy} Energy.")
_cheapest = Sentence[Unit, int]("The weakest unit there is {unit}, with strength {strength}.")
_keeps = Sentence[Unit]("The leader {unit} stays alive.")
_adds = Sentence[int]("It adds {strength} strength.")
_safer = Sentence[str, Region, str, Region](
    "The chance of losing to the enemies next door is about {before} in {origin} and {after} in {target}."
)
_peril = Sentence[Region, str]("The chance of losing to the enemies next door is about {chance} in {region}.")
_calm = Sentence[Region]("No enemy is next to {region}.")


def reason(fact: advice.Reason) -> str:  # noqa: C901 - a table
    """Return the sentence for what speaks for an action."""
    match fact:
        case advice.Wins():
            return str(_WINS)
        case advice.Nears(unit, steps):
            if not steps:
                return fill(_IN_PALACE, unit=names.unit_name(unit))
            return count(
                "{unit} is then {number} step from the Palace.",
                "{unit} is then {number} steps from the Palace.",
                steps,
                unit=names.unit_name(unit),
            )
        case advice.Guards(units, region):
            return count(
                "{units} then guards the Palace from {region}.",
                "{units} then guard the Palace from {region}.",
                1 + names.are_many(units),
                units=names.crowd(units),
                region=region,
            )
        case advice.Attacks(region, ours, theirs):
            return fill("It attacks {region} with {ours} against {theirs}.", region=region, ours=ours, theirs=theirs)
        case advice.Outweighs():
            return _outweighs(*fact)
        case advice.Strikes():
            return _strikes(*fact)
        case advice.ClearsBase():
            return _clears(*fact)
        case advice.Besieges():
            return _besieges(*fact)
        case advice.Gains(honor, energy):
            if honor and energy:
                return _gains_both(honor, energy)
            return _gains_honor(honor) if honor else _gains_energy(energy)
        case advice.Safer(origin, target, before, after):
            return _safer(percent(before), origin, percent(after), target)
        case advice.Forward():
            return str(_FORWARD)
        case advice.Returns():
            return _returns(*fact)
        case advice.Eases(unit, moves):
            return count(
                "Revealing {unit} makes {number} move possible or cheaper.",
                "Revealing {unit} makes {number} moves possible or cheaper.",
                moves,
                unit=names.unit_name(unit),
            )
        case advice.Hides(regions):
            return _hides(listed(regions))
        case advice.Beats(power, energy, limit):
            return _beats_all(power) if energy == limit else _beats(power, energy)
        case advice.Falls():
            return _falls(*fact)
        case advice.Answers():
            return _answers(*fact)
        case advice.Cheapest():
            return _cheapest(*fact)
        case advice.KeepsLeader():
            return _keeps(*fact)
        case advice.Adds():
            return _adds(*fact)
        case advice.Peril(region, chance):
            return _peril(region, percent(chance)) if chance else _calm(region)
        case advice.Prevents():
            return str(_PREVENTS)
        case advice.Free():
            return str(_FREE)
