"""The combat as text: who fights, five maneuvers with their prices, and why one is not there (console.md 3.4)."""

from collections.abc import Iterator, Sequence
from typing import Final

from cli import language
from cli.clean import width
from cli.storm import vocabulary
from cli.storm.model import Model
from cli.storm.text import names, screens, story
from cli.text.wording import _, fill, listed, signed
from storm_p2p.storm import engine
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Fight
from storm_p2p.storm.board import FACTIONS, OTHER, Faction
from storm_p2p.storm.rules import combat, honor
from storm_p2p.storm.state import CombatChoice, State, combat_of, known_mask
from storm_p2p.storm.units import CARDS, EVERY_MANEUVER, FACTION, RESTRICTED, STRENGTH, Maneuver, Unit, powers, units_in

_SHORT: Final = {
    Maneuver.STANDARD: "std",
    Maneuver.RETREAT: "ret",
    Maneuver.CHASE: "chase",
    Maneuver.ATTACK: "att",
    Maneuver.DEFENSE: "def",
}

_EXAMPLES: Final = {
    Maneuver.STANDARD: 2,
    Maneuver.RETREAT: 0,
    Maneuver.CHASE: 1,
    Maneuver.ATTACK: 3,
    Maneuver.DEFENSE: 0,
}
"""Energy that examples of a choice name, as far as there is so much."""
_FEW_WAYS: Final = 3
_REFUSED: Final = 68
"""Columns of one line of 80 for the name of a maneuver and why it is not allowed."""

_IN_COMBAT: Final = frozenset({"takes_spent", "boundless_energy", "holds_slippery", "buries_all", "doubles_penalties"})
"""Traits worth a sentence for everybody who fights; what changes strengths stands in the account."""
_IN_COMBAT_ALONE: Final = frozenset({"thins_enemy", "energy_worth", "slips_away", "spares_penalties"})


def spoken(model: Model) -> list[str]:
    """Return a combat in which the player chooses, in lines that a screen reader can say."""
    state = model.state
    assert state is not None
    current = combat_of(state)
    me = model.side
    base, modifiers = combat.strengths(state)
    lines = [
        fill(
            screens.YOU_ATTACK_SPOKEN if current.attacker == me else screens.THEY_ATTACK_SPOKEN,
            region=current.region,
            round=current.round,
            name=model.opponent,
        ),
        _side_spoken(state, _("You"), me, base),
        _side_spoken(state, model.opponent, OTHER[me], base),
    ]
    if modifiers:
        lines.append(fill("Powers: {list}.", list=story.modifiers(modifiers)))
    lines += [*powers_there(state), *choice_seen(state, me, model.opponent)]
    allowed = combat.maneuvers(state, me)
    for maneuver, row in zip(EVERY_MANEUVER, rows(state, me), strict=True):
        # Three letters are spelt, and a reason that is heard has room.
        told = row[1:] if maneuver in allowed else (row[1], fill("not allowed: {why}", why=why_not(state, me)))
        lines.append(f"{', '.join(dict.fromkeys((str(screens.WHOLE_WORDS[maneuver]), *told)))}.")
    lines.append(energy_line(state, me))
    return lines


def powers_there(state: State) -> list[str]:
    """Return what the powers of those who fight do beside changing strengths, a sentence each."""
    current = combat_of(state)
    alone = {unit for faction in FACTIONS if current.alone[faction] for unit in _fighting(state, faction)}
    there = {unit for faction in FACTIONS for unit in _fighting(state, faction)}
    return [
        story.power_line(unit, power)
        for unit, power in powers()
        if (unit in there and power in _IN_COMBAT) or (unit in alone and power in _IN_COMBAT_ALONE)
    ]


def _fighting(state: State, faction: Faction) -> list[Unit]:
    return units_in(combat.masks_of(state)[faction])


def _side_spoken(state: State, name: str, faction: Faction, base: tuple[int, int]) -> str:
    units = listed(f"{names.unit_name(unit)} {STRENGTH[unit]}" for unit in _fighting(state, faction))
    return fill(
        "{name}: {units}, base strength {base}, Energy {energy}.",
        name=name,
        units=units,
        base=base[faction],
        energy=state.energy[faction],
    )


def choice_seen(state: State, faction: Faction, opponent: str) -> list[str]:
    """Return whose choice is open: the other side's with what it is, or the own one that is due."""
    current = combat_of(state)
    choice = current.choices[OTHER[faction]]
    if choice is None:
        # Whoever sees the other side's choice first waits for it, and has nothing open.
        first = not combat.sealed(state) and faction in combat.choosers(state)
        return [] if not first else [_("Your choice is open: the other side sees it before choosing.")]
    return [fill(screens.HAS_CHOSEN, name=opponent, maneuver=names.MANEUVERS[choice.maneuver], energy=choice.energy)]


def account(
    before: State, choices: Sequence[CombatChoice], fought: ev.RoundFought
) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Return what the power of each side is the sum of, each part in words and with what it adds.

    Strengths come first, then what powers do to them, the Energy that was spent, and the maneuver.
    """
    masks = combat.masks_of(before)

    def parts(side: Faction) -> list[tuple[str, int]]:
        acts, energy = fought.maneuvers[side], choices[side].energy
        whole = fought.power[side] // (1 + (acts in (Maneuver.ATTACK, Maneuver.DEFENSE)))
        chase = combat.chase_modifier(masks[side]) if acts == Maneuver.CHASE else 0
        worth = whole - fought.base[side] - chase
        found = [(f"{names.unit_name(unit)} {STRENGTH[unit]}", STRENGTH[unit]) for unit in units_in(masks[side])]
        found += [(story.modifiers((one,)), one.change) for one in fought.modifiers if FACTION[one.unit] == side]
        if worth:
            spent = fill("Energy {change}", change=signed(worth))
            who = "" if worth == energy else f" ({listed(map(names.unit_name, units_in(masks[side])))})"
            found.append((spent + who, worth))
        if chase:
            found.append((f"{names.MANEUVERS[acts]} {signed(chase)}", chase))
        if double := fought.power[side] - whole:
            doubled = fill("{maneuver} {change} (doubled)", maneuver=names.MANEUVERS[acts], change=signed(double))
            found.append((doubled, double))
        return found

    return parts(FACTIONS[0]), parts(FACTIONS[1])


def typed_as(maneuver: Maneuver) -> str:
    """Return what is typed for a maneuver."""
    if language.current() == language.ENGLISH:
        return _SHORT[maneuver]
    return vocabulary.say_argument(maneuver.name.lower())


def examples(state: State, faction: Faction) -> str:
    """Return choices as they are typed, one for each maneuver that is allowed and does what its name says here."""
    limit = combat.energy_limit(state, faction)
    allowed = combat.maneuvers(state, faction)
    offered = [one for one in allowed if one != Maneuver.RETREAT or combat.ways_out(state, faction)]
    return ", ".join(f"{typed_as(one)} {min(limit, _EXAMPLES[one])}" for one in offered)


def example(state: State, faction: Faction) -> str:
    """Return the first choice that is allowed, as it is typed; nothing where none is asked."""
    return "" if state.combat is None else f"{typed_as(combat.maneuvers(state, faction)[0])} 0"


def rows(state: State, faction: Faction) -> Iterator[tuple[str, ...]]:
    """Yield one row for each maneuver: what is typed, its name, its price and effect, or why it is not allowed."""
    allowed = combat.maneuvers(state, faction)
    for maneuver in EVERY_MANEUVER:
        words = (typed_as(maneuver), str(names.MANEUVERS[maneuver]))
        if maneuver in allowed:
            yield (*words, _price(state, faction, maneuver), _effect(state, faction, maneuver))
        else:
            yield (*words, _refused(state, faction))


def _refused(state: State, faction: Faction) -> str:
    """Return why a maneuver is not allowed, as fully as fits into a line."""
    room = _REFUSED - max(len(str(name)) for name in names.MANEUVERS.values())
    short = why_not(state, faction, short=True)
    long = fill("not allowed: {why}", why=why_not(state, faction))
    found = [text for text in (long, fill("not allowed: {why}", why=short)) if width(text) <= room]
    # "only" says by itself that nothing else is allowed.
    return found[0] if found else short


def _price(state: State, faction: Faction, maneuver: Maneuver) -> str:
    change = signed(engine.price(state, Fight(faction, maneuver, 0)).honor)
    return fill("honor {change}", change=f"{change:>2}")


def _effect(state: State, faction: Faction, maneuver: Maneuver) -> str:
    group = state.sides[faction][combat_of(state).region]
    if maneuver == Maneuver.CHASE:
        return fill(screens.EFFECTS[maneuver], change=combat.chase_modifier(known_mask(group)))
    if maneuver == Maneuver.RETREAT:
        ways = combat.ways_out(state, faction)
        if not ways:
            return _("no way out (help retreat): as standard")
        price = honor.retreat_penalty(known_mask(group), len(group))
        # Many numbers have room in the window only without words between them.
        named = listed(ways, "or") if len(ways) <= _FEW_WAYS else " ".join(map(str, ways))
        return fill(screens.EFFECTS[maneuver], change=-price, ways=named)
    return str(screens.EFFECTS[maneuver])


def why_not(state: State, faction: Faction, *, short: bool = False) -> str:
    """Return why a maneuver is not allowed; ``short`` names the others as they are typed."""
    unit = next((unit for unit in _fighting(state, faction) if 1 << unit & RESTRICTED), None)
    if unit is None:
        return _("not in this combat")
    allowed = CARDS[unit].alone_maneuvers or EVERY_MANEUVER
    words = listed((typed_as(one) if short else names.MANEUVERS[one] for one in allowed), "or")
    return fill("{unit} alone: only {maneuvers}", unit=names.unit_name(unit), maneuvers=words)


def energy_line(state: State, faction: Faction) -> str:
    """Return how much Energy may be spent and what much of it costs."""
    limit = combat.energy_limit(state, faction)
    maneuver = combat.maneuvers(state, faction)[0]
    parts = [fill("Energy 0 to {limit}.", limit=limit)]
    dear = honor.FREE_ENERGY + 1
    if limit >= dear:
        price = engine.price(state, Fight(faction, maneuver, dear)).honor
        price -= engine.price(state, Fight(faction, maneuver, 0)).honor
        dearer = fill(screens.COSTLY, amount=dear, change=signed(price))
        parts.append(dearer if price else str(screens.ANY_AMOUNT))
    return " ".join([*parts, fill("Type: {maneuver} 0, and so on.", maneuver=screens.WHOLE_WORDS[maneuver])])
