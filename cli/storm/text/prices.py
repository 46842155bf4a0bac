"""What an action costs and tells, in words: the sentences of the preview (console.md 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from cli.storm import vocabulary
from cli.storm.text import names
from cli.storm.text.names import Sentence
from cli.text.wording import Lazy, _, fill, lazy, opening
from storm_p2p.storm import notation
from storm_p2p.storm.actions import Action, Fight
from storm_p2p.storm.board import Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.units import Unit

if TYPE_CHECKING:
    from cli.storm.preview import Odds
    from storm_p2p.storm.rules.movement import Plan

LAST_LEADER: Final = lazy("Your last leader would die after the round unless the enemy plays all-out defense.")
LOSES: Final = lazy("You lose the game with this.")
NO_ENERGY: Final = lazy("No Energy would be left for the next combat.")
DIES_AFTER: Final = lazy(
    "Your units there die after the round, whether you win or lose, unless the enemy plays all-out defense."
)
NO_WAY_OUT: Final = lazy("There is no way out (see help retreat), so it counts as standard and costs nothing more.")
SEALED: Final = lazy("Nothing can be changed after sealing.")
STAYS_KNOWN: Final = lazy("It stays known until its group divides.")
FREE: Final = lazy("costs nothing")
WINS: Final = lazy("wins the game")

_HONOR: Final = lazy("honor {before} > {after} ({change:+d})")
_ENERGY: Final = lazy("energy {before} > {after} ({change:+d})")
_HONOR_STAYS: Final = lazy("Honor stays {before}.")
_HONOR_SPOKEN: Final = lazy("Honor {before} to {after}.")
_ENERGY_STAYS: Final = lazy("Energy stays {before}.")
_ENERGY_SPOKEN: Final = lazy("Energy {before} to {after}.")
_WAYS: Final = lazy({1: "forward", 0: "at equal height", -1: "backward"})

retreat_would_lose = Sentence[int]("If the retreat succeeds, Honor would be {honor}: you would lose the game.")
little_honor = Sentence[int]("Honor would be {honor}, and at 0 you lose the game.")
leader_shown = Sentence[Unit]("Your leader {unit} would be revealed.")
leads_then = Sentence[Unit]("{unit} then leads and is revealed.")
takes_along = Sentence[Unit, Sequence[Unit]]("{unit} takes along everyone who is left there: {others}.")
perishes = Sentence[Unit, Unit]("{other} is there: {unit} would be eliminated at once, before any combat.")
could_perish = Sentence[Unit, Unit]("If {other} is there, {unit} is eliminated at once, before any combat.")
is_leader = Sentence[Unit]("{unit} is your leader.")
threatened = Sentence[Sequence[Unit], Region, Region, int, int](
    "{enemies} in {origin} can attack {region}: you need {need} Energy against that; {stock} would be left."
)
base_loses = Sentence[int](
    "At the start of your next turn, enemies in your base would cost you {loss} Honor: you would lose."
)
base_costs = Sentence[int]("At the start of your next turn, enemies in your base would cost you {loss} more Honor.")
goes_on = Sentence[Unit, Region](
    "{unit} can go on from {region}: add more regions, each with its price; two or more steps reveal him."
)
later = Sentence[int]("If the retreat succeeds: honor {honor:+d} more.")
he_learns = Sentence[str, Sequence[Unit | None]]("{opponent} learns: {units}.")
he_forgets = Sentence[str, Sequence[Region]]("{opponent} forgets which is which in {regions}.")
you_learn = Sentence[str]("You learn: {what}.")
can_claim = Sentence[str]("You can claim: {what}.")


def action(action: Action) -> str:
    """Return an action as it stands in the preview: in canonical words, and a choice in a combat in plain ones."""
    if isinstance(action, Fight):
        return fill(
            "{maneuver} with {energy} Energy",
            maneuver=opening(str(names.MANEUVERS[action.maneuver])),
            energy=action.energy,
        )
    return vocabulary.say(notation.format_action(action))


# -- warnings -------------------------------------------------------------------------------------------------


def loses_at_once(honor: int, *, goal: bool) -> str:
    """Return that no Honor would be left."""
    if goal:
        return fill("Honor would be {honor}: you lose the game at once, even though you reach the goal.", honor=honor)
    return fill("Honor would be {honor}: you lose the game at once.", honor=honor)


# -- what it is -----------------------------------------------------------------------------------------------


def manner(plan: Plan, attack: Odds | None, climb: int, steps: int) -> str:
    """Return what kind of move it is; ``climb`` is 1 forward, 0 level and -1 backward."""
    parts = [f"{names.ATTACK} {numbers(attack)}"] if attack is not None else []
    parts += [_("flight")] if plan.flight else []
    parts.append(str(_WAYS[climb]) if steps == 1 else fill("{steps} steps", steps=steps))
    parts += [_("doubled")] if any(leg.doubled for leg in plan.legs) else []
    parts += [_("one less")] if any(leg.spared for leg in plan.legs) else []
    parts += [_("over the Styx")] if any(leg.energy for leg in plan.legs) else []
    return ", ".join(parts)


def numbers(attack: Odds) -> str:
    """Return how many fight how many."""
    return fill("{ours} against {theirs}", ours=attack.ours, theirs=attack.theirs)


def strengths(attack: Odds) -> str:
    """Return what is known of both strengths."""
    mine, his = (_range(*strength) for strength in (attack.mine, attack.his))
    return fill("Strength {mine} against {his}, before Energy; you win a tie.", mine=mine, his=his)


def _range(least: int, most: int) -> str:
    return str(least) if least == most else fill("{least} to {most}", least=least, most=most)


def ways(prices: Sequence[tuple[Region, Price, Odds | None]]) -> list[str]:
    """Return where units can go in peace and whom they can attack, each with its price, in a line each."""
    peace = [f"{region} ({names.cost(price)})" for region, price, attack in prices if attack is None]
    fights = [
        f"{region}, {numbers(attack)} ({names.cost(price)})" for region, price, attack in prices if attack is not None
    ]
    found = [fill("Regions (price): {targets}", targets="   ".join(peace))] if peace else []
    if fights:
        found.append(fill("{attack} (price): {targets}", attack=names.ATTACK, targets="   ".join(fights)))
    return found


def priced(price: Price, attack: Odds | None) -> str:
    """Return what stands behind a region in a list: its price, and before it how many would fight how many."""
    cost = names.cost(price)
    return cost if attack is None else f"{names.ATTACK} {attack.ours}:{attack.theirs}, {cost}"


def attacks(found: Sequence[tuple[Region, Odds]]) -> str:
    """Return which of several targets would be attacked, and by how many."""
    return fill("Attacks: {targets}.", targets=", ".join(f"{region} ({numbers(attack)})" for region, attack in found))


units_there = Sentence[int, Region]("the unit in {region}", "the {number} units in {region}")
proof_alone = Sentence[str]("{unit} is alone there: then nothing happens.")
proof_maybe = Sentence[str]("{unit} could be alone there: then nothing happens.")
fed = Sentence[str]("If {unit} is there, the enemy can gain Energy.")
blocker = Sentence[str]("If {unit} is there, he stops it.")


def sneak(action: Action, price: Price) -> str:
    """Return that the attack could begin with a sneak attack."""
    sentence = lazy("Or: {action} ({price}): one unit there, of the enemy's choice, is eliminated before the combat.")
    return fill(sentence, action=notation.format_action(action), price=names.cost(price))


def claim(action: Action, energy: int, unit: Unit | None) -> str:
    """Return what a claim would bring."""
    effect = fill("energy {energy:+d}", energy=energy) if energy else str(WINS)
    words = vocabulary.say(notation.format_action(action))
    return fill("{action}: {effect}, shows {unit}", action=words, effect=effect, unit=names.unit_name(unit))


# -- cheaper ways ---------------------------------------------------------------------------------------------


def other_targets(targets: Sequence[tuple[Region, Price]]) -> str:
    """Return cheaper regions with their prices."""
    shown = ", ".join(f"{region} ({names.cost(price)})" for region, price in targets)
    return fill("to {targets}", targets=shown)


def alone(units: Sequence[tuple[Unit, Price]]) -> str:
    """Return who could go alone, those of one price together."""
    priced = [(names.unit_name(unit), names.cost(price)) for unit, price in units]
    groups = groupby(priced, key=lambda found: found[1])
    shown = ", ".join(f"{', '.join(name for name, __ in group)} ({cost})" for cost, group in groups)
    return fill("alone {units}", units=shown)


def reveal_first(unit: str, honor: int, energy: int) -> str:
    """Return what revealing a unit before would save."""
    if honor:
        return fill("reveal {unit} first: saves {honor} honor", unit=vocabulary.say_argument(unit), honor=honor)
    return fill("reveal {unit} first: saves {energy} energy", unit=vocabulary.say_argument(unit), energy=energy)


cheaper = Sentence[str]("Cheaper: {hints}.")


# -- lines ----------------------------------------------------------------------------------------------------


def changes(honor: tuple[int, int], energy: tuple[int, int]) -> list[str]:
    """Return what changes, from before to after, in a few characters each."""
    both = ((_HONOR, honor), (_ENERGY, energy))
    return [_change(template, *change) for template, change in both if change[0] != change[1]]


def changes_spoken(honor: tuple[int, int], energy: tuple[int, int]) -> list[str]:
    """Return what changes and what stays, a sentence each."""
    return [
        _change(_HONOR_STAYS if honor[0] == honor[1] else _HONOR_SPOKEN, *honor),
        _change(_ENERGY_STAYS if energy[0] == energy[1] else _ENERGY_SPOKEN, *energy),
    ]


def _change(template: Lazy, before: int, after: int) -> str:
    return fill(template, before=before, after=after, change=after - before)
