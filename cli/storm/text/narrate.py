"""Events in words, one line each, as everybody may read them: in scenarios, replays and matches that are watched."""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.storm.text import names
from cli.storm.text.names import Sentence
from cli.text.wording import fill, lazy, signed
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import FACTIONS, OTHER, Faction, Region
from storm_p2p.storm.units import Maneuver, Unit

_DEATHS: Final = lazy(
    {
        "lost": "lost the round",
        "all-out": "own all-out attack",
        "buries_all": "taken along by Thanatos",
        "slays": "slain by Cronus on sight",
        "perishes_with": "Persephone and Demeter met",
        "bolts": "hit by the thunderbolt",
        "sneaks": "hit by the sneak attack",
    }
)
"""Why a unit is eliminated, by the cause in the engine's event."""
_SHOWN: Final = lazy(
    {
        "contact": "combat reveals everyone",
        "succession": "leads now that Hades is gone",
        "choice": "by choice",
        "power": "to use a power",
        "hit": "was hit",
    }
)
"""Why a unit is revealed, by the cause in the engine's event."""

_HONOR: Final = lazy(
    {
        "move": "for the move",
        "attack": "for the attack",
        "all-out": "for the all-out maneuver",
        "energy": "for more than 4 Energy",
        "retreat": "for the retreat",
        "liturgy": "for the liturgy",
        "base": "for enemies in the base",
        "bolts": "for the thunderbolt",
    }
)
_ENERGY: Final = lazy(
    {
        "styx": "for crossing the Styx",
        "combat": "in combat",
        "liturgy": "from the liturgy",
        "bolts": "for the thunderbolt",
        "recalls": "for the recall",
        "sneaks": "for the sneak attack",
        "takes_spent": "taken from what the enemy spent",
        "bolt_energy": "from the thunderbolt",
        "river_energy": "from the river",
        "drains": "drained from the Underworld",
    }
)
_POWERS: Final = lazy(
    {
        "recalls": "{unit} brings a unit back",
        "bolts": "{unit} throws a thunderbolt",
        "bolt_proof": "{unit} is not harmed by the thunderbolt",
        "bolt_energy": "{unit} feeds on the thunderbolt",
        "flies": "{unit} flies",
        "wanders": "{unit} walks on and on",
        "ferries": "{unit} makes the crossing free",
        "river_energy": "{unit} gains from the river",
        "drains": "{unit} drains the Underworld",
        "doubles_penalties": "{unit} doubles losses of Honor",
        "spares_penalties": "{unit} reduces losses of Honor",
        "sneaks": "{unit} attacks by stealth",
        "blocks_sneak": "{unit} stops the sneak attack",
        "slays": "{unit} slays his enemy on sight",
        "perishes_with": "{unit} perishes together with her enemy",
        "silences": "{unit} puts every other strength to sleep",
        "charms": "{unit} charms the males",
        "per_comrade": "{unit} is stronger with comrades",
        "defending": "{unit} is stronger in defense",
        "energy_worth": "{unit} makes Energy count twice",
        "chase": "{unit} makes the chase stronger",
        "boundless_energy": "{unit} has no Energy limit",
        "thins_enemy": "{unit} cuts the enemy's Energy",
        "takes_spent": "{unit} takes the Energy the enemy spends",
        "alone_maneuvers": "{unit} alone has fewer maneuvers",
        "slips_away": "{unit} escapes any chase",
        "holds_slippery": "{unit} stops even Persephone in a chase",
        "sees_first": "{unit} sees the enemy's choice first",
        "buries_all": "{unit} takes everybody along",
    }
)
_MOVES: Final = {
    "move": lazy(("{who}: {units} moves {path}", "{who}: {units} move {path}")),
    "fly": lazy(("{who}: {units} flies {path}", "{who}: {units} fly {path}")),
    "attack": lazy(("{who}: {units} attacks {path}", "{who}: {units} attack {path}")),
    "retreat": lazy(("{who}: {units} retreats {path}", "{who}: {units} retreat {path}")),
}
"""For one and for several."""

_MODIFIERS: Final = lazy(
    {
        "silences": "{unit} {change} (asleep)",
        "charms": "{unit} {change} (Aphrodite)",
        "per_comrade": "{unit} {change} (comrades)",
        "defending": "{unit} {change} (defends)",
    }
)
_EVEN: Final = lazy(
    {
        Maneuver.ATTACK: "nobody wins, because both attacked all-out: everyone there is eliminated",
        Maneuver.DEFENSE: "nobody wins, because both defended all-out: nobody is eliminated",
    }
)
_ACCOUNT: Final = lazy("Power: {one} {power}, {two} {power2} (base strength {base} and {base2}); {end}")
_ACCOUNT_WITH_POWERS: Final = lazy(
    "Power: {one} {power}, {two} {power2} (base strength {base} and {base2}: {powers}); {end}"
)


_GOES_TO: Final = lazy("{who} won the round")
_GOES_TO_DEFENSE: Final = lazy("{who} won the round, but an all-out defense eliminates nobody")
_POWERS_OF_MANY: Final = lazy(
    {
        "flies": "{unit} fly",
        "sneaks": "{unit} attack by stealth",
        "boundless_energy": "{unit} have no Energy limit",
        "alone_maneuvers": "{unit} alone have fewer maneuvers",
    }
)
"""The same for units whose name is a plural."""


def power_text(unit: Unit, trait: str) -> str:
    """Return what a power does."""
    many = names.are_many((unit,)) and trait in _POWERS_OF_MANY
    return fill((_POWERS_OF_MANY if many else _POWERS)[trait], unit=names.unit_name(unit))


def reason(event: ev.HonorChanged | ev.EnergyChanged) -> str:
    """Return why Honor or Energy has changed."""
    return str((_HONOR if isinstance(event, ev.HonorChanged) else _ENERGY)[event.reason])


def line(event: ev.Event, called: Mapping[Faction, str] | None = None) -> str:
    """Return one line for an event; ``called`` says how the sides are called, by default by their names."""
    called = called or {faction: names.side_name(faction) for faction in FACTIONS}
    match event:
        case ev.Moved():
            return moved(event, called, event.units)
        case ev.RoundFought():
            return fought(event, called, FACTIONS[0])
        case ev.Used():
            return power_text(event.unit, event.power)
        case ev.Eliminated() | ev.Revealed() | ev.Returned() | ev.Struck() | ev.Sneaked():
            return _one_unit(event, called)
        case ev.HonorChanged() | ev.EnergyChanged():
            what = lazy("{who}: Honor {change:+d} {why}, now {now}")
            if isinstance(event, ev.EnergyChanged):
                what = lazy("{who}: Energy {change:+d} {why}, now {now}")
            return fill(what, who=called[event.faction], change=event.change, why=reason(event), now=event.now)
        case ev.CombatBegan():
            attackers = names.side_name(event.attacker)
            return fill("combat in {region}, the {side} attack", region=event.region, side=attackers)
        case ev.RoundBegan():
            return fill("round {round} in {region}", round=event.round, region=event.region)
        case ev.CombatEnded():
            return fill("the combat in {region} is over", region=event.region)
        case ev.GameOver():
            # A scenario is loaded before anything is known of matches.
            from cli.text.matches import result

            return result(event.outcome.winner, event.outcome.reason, {}, guilty=False)
        case _:
            return _one_side(event, called)


def _one_side(
    event: ev.Placed | ev.TurnBegan | ev.Rehidden | ev.Prayed | ev.Passed | ev.Chose | ev.Retreated | ev.Stayed,
    called: Mapping[Faction, str],
) -> str:
    who = called[event.faction]
    match event:
        case ev.Placed():
            return fill("{who}: the setup is sealed", who=who)
        case ev.TurnBegan():
            return fill("turn {number}: {who}", number=event.number, who=who)
        case ev.Rehidden():
            count = len(event.taken)
            return fill("{who}: {count} units can no longer be told apart", who=who, count=count)
        case ev.Prayed():
            return fill("{who}: liturgy", who=who)
        case ev.Passed():
            return fill("{who}: pass", who=who)
        case ev.Chose():
            maneuver = names.MANEUVERS[event.maneuver]
            return fill("{who}: {maneuver} with {energy} Energy", who=who, maneuver=maneuver, energy=event.energy)
        case ev.Retreated():
            return _moves("retreat", who, event.units, (event.region, event.target))
        case ev.Stayed():
            return fill("{who}: no retreat", who=who)


def _one_unit(
    event: ev.Eliminated | ev.Revealed | ev.Returned | ev.Struck | ev.Sneaked, called: Mapping[Faction, str]
) -> str:
    if isinstance(event, ev.Struck):
        return fill("{unit} strikes {region}", unit=names.unit_name(event.thrower), region=event.region)
    unit, many = names.unit_name(event.unit), names.are_many((event.unit,))
    match event:
        case ev.Sneaked():
            return fill("{unit} sneak from {start} to {end}", unit=unit, start=event.path[0], end=event.path[1])
        case ev.Revealed():
            template = lazy("{who}: {unit} is revealed in {region} ({why})")
            if many:
                template = lazy("{who}: {unit} are revealed in {region} ({why})")
            why = str(_SHOWN[event.cause])
            return fill(template, who=called[event.faction], unit=unit, region=event.region, why=why)
        case ev.Returned():
            template = lazy("{unit} return in {region}" if many else "{unit} returns in {region}")
            return fill(template, unit=unit, region=event.region)
        case ev.Eliminated() if event.for_good:
            template = lazy("{unit} is eliminated in {region}, for good ({why})")
        case _:
            template = lazy("{unit} is eliminated in {region} ({why})")
            if many:
                template = lazy("{unit} are eliminated in {region} ({why})")
    return fill(template, unit=unit, region=event.region, why=_DEATHS[event.cause])


def moved(event: ev.Moved, called: Mapping[Faction, str], units: Sequence[Unit | None]) -> str:
    """Return a move of these units, which are those of the event as far as whoever reads it knows them."""
    verb = "attack" if event.attack else "fly" if event.flight else "move"
    return _moves(verb, called[event.faction], units, event.path)


def _moves(verb: str, who: str, units: Sequence[Unit | None], path: Sequence[Region]) -> str:
    template = _MOVES[verb][names.are_many(units)]
    return fill(template, who=who, units=names.crowd(units), path=names.path(path))


def fought(event: ev.RoundFought, called: Mapping[Faction, str], first: Faction) -> str:
    """Return both powers of a round, that of one side first, who wins it, and why nobody loses a unit where that is so."""
    second, powers = OTHER[first], modifiers(event.modifiers)
    if event.winner is None:
        end = str(_EVEN[event.maneuvers[0]])
    else:
        spares = event.maneuvers[event.winner] == Maneuver.DEFENSE
        end = fill(_GOES_TO_DEFENSE if spares else _GOES_TO, who=called[event.winner])
    return fill(
        _ACCOUNT_WITH_POWERS if powers else _ACCOUNT,
        one=called[first],
        power=event.power[first],
        two=called[second],
        power2=event.power[second],
        base=event.base[first],
        base2=event.base[second],
        powers=powers,
        end=end,
    )


def modifiers(found: Sequence[ev.Modifier]) -> str:
    """Return what powers did to strengths, and whose they are, in a few words."""
    return ", ".join(
        fill(_MODIFIERS[line.power], unit=names.unit_name(line.unit), change=signed(line.change)) for line in found
    )


divided = Sentence[str, str]("moved: {moved}; stayed: {stayed}")
