"""The combat as text: who fights, five maneuvers with their prices, and why one is not there (console.md 3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.clean import pad, width
from cli.model import Model
from cli.text import names, story
from storm_p2p import combat, engine, honor
from storm_p2p import events as ev
from storm_p2p.actions import Fight
from storm_p2p.board import FACTIONS, OTHER, Faction
from storm_p2p.state import Combat, State, known_mask
from storm_p2p.units import CARDS, EVERY_MANEUVER, RESTRICTED, STRENGTH, Maneuver, Unit, powers, units_in

SHORT: Final = {
    Maneuver.STANDARD: "std",
    Maneuver.RETREAT: "ret",
    Maneuver.CHASE: "chase",
    Maneuver.ATTACK: "att",
    Maneuver.DEFENSE: "def",
}
"""What is typed for each maneuver."""

_LONGEST_NAME: Final = 10

_IN_COMBAT: Final = frozenset({"takes_spent", "boundless_energy", "holds_slippery", "buries_all", "doubles_penalties"})
"""Traits worth a sentence for everybody who fights; what changes strengths stands in the account."""
_IN_COMBAT_ALONE: Final = frozenset({"thins_enemy", "energy_worth", "slips_away", "spares_penalties"})

_EFFECTS: Final = {
    Maneuver.STANDARD: "higher power kills one; the rest fights on",
    Maneuver.RETREAT: "if not chased",
    Maneuver.CHASE: "stops a retreat; your power",
    Maneuver.ATTACK: "power x2; yours die unless he plays def",
    Maneuver.DEFENSE: "power x2; if you win nobody dies",
}


def dialog(model: Model) -> list[str]:
    """Return the table of a combat in which the player chooses."""
    state = model.state
    assert state is not None
    current = state.combat
    assert current is not None
    me = model.faction
    attacks = current.attacker == me
    came = f" from {current.origin}" if current.origin is not None else ""
    who = f"you attack{came}: a tie is yours" if attacks else f"{model.opponent} attacks{came}: a tie is theirs"
    base, modifiers = strengths(state)
    lines = [
        f"-- COMBAT in {current.region}, round {current.round}: {who} ".ljust(79, "-"),
        _side("YOU", model, me, base),
        _side(model.opponent.upper(), model, OTHER[me], base),
    ]
    if modifiers:
        lines.append(f"  Powers: {story.modifiers(modifiers)}")
    lines += [f"  {sentence}" for sentence in (*powers_there(state), *choice_seen(state, me, model.opponent))]
    lines += [f"  {number} {row}" for number, row in enumerate(table(state, me), 1)]
    lines.append(f"  {energy_line(state, me)}")
    return lines


def spoken(model: Model) -> list[str]:
    """Return the same for a screen reader."""
    state = model.state
    assert state is not None
    current = state.combat
    assert current is not None
    me = model.faction
    base, modifiers = strengths(state)
    who = "You attack" if current.attacker == me else f"{model.opponent} attacks"
    lines = [
        f"Combat in {current.region}, round {current.round}. {who}; a tie goes to the attacker.",
        f"You: {_names(state, me)}, base strength {base[me]}, Energy {state.energy[me]}.",
        f"{model.opponent}: {_names(state, OTHER[me])}, base strength {base[OTHER[me]]},"
        f" Energy {state.energy[OTHER[me]]}.",
    ]
    if modifiers:
        lines.append(f"Powers: {story.modifiers(modifiers)}.")
    lines += [*powers_there(state), *choice_seen(state, me, model.opponent)]
    lines += [f"{', '.join(part.strip() for part in row)}." for row in rows(state, me)]
    lines.append(energy_line(state, me))
    return lines


def strengths(state: State) -> tuple[tuple[int, int], tuple[ev.Modifier, ...]]:
    """Return both base strengths and what powers did to them."""
    current = state.combat
    assert current is not None
    ours, theirs = combat.groups_at(state, current.region)
    return combat.account(known_mask(ours), known_mask(theirs), current.attacker, current.aid)


def powers_there(state: State) -> list[str]:
    """Return what the powers of those who fight do beside changing strengths, a sentence each."""
    current = state.combat
    assert current is not None
    alone = {unit for faction in FACTIONS if current.alone[faction] for unit in _fighting(state, faction)}
    there = {unit for faction in FACTIONS for unit in _fighting(state, faction)}
    return [
        story.power_line(unit, power)
        for unit, power in powers()
        if (unit in there and power in _IN_COMBAT) or (unit in alone and power in _IN_COMBAT_ALONE)
    ]


def _fighting(state: State, faction: Faction) -> list[Unit]:
    assert state.combat is not None
    return units_in(known_mask(state.sides[faction][state.combat.region]))


def _names(state: State, faction: Faction) -> str:
    return names.listed(f"{names.unit_name(unit)} {STRENGTH[unit]}" for unit in _fighting(state, faction))


def _side(name: str, model: Model, faction: Faction, base: tuple[int, int]) -> str:
    state = model.state
    assert state is not None
    column = min(max(width(model.opponent), len("YOU")), _LONGEST_NAME)
    left = f"{pad(name, column)}  {_names(state, faction)}".replace(" and ", " + ").replace(", ", " + ")
    return f"  {left:48} base {base[faction]:2}   stock {state.energy[faction]:2}"


def choice_seen(state: State, faction: Faction, opponent: str) -> list[str]:
    """Return the open choice of the other side, when there is one."""
    current = state.combat
    assert current is not None
    choice = current.choices[OTHER[faction]]
    if choice is None:
        return [] if combat.sealed(state) else ["Your choice is open: the other side sees it before it chooses."]
    return [f"{opponent} has chosen: {names.MANEUVERS[choice.maneuver]} with {choice.energy} Energy."]


def table(state: State, faction: Faction) -> Iterator[str]:
    """Yield one line for each maneuver: what is typed, its price, what it does, or why it is not allowed."""
    for word, name, *rest in rows(state, faction):
        yield f"{word:6}{name:16}{''.join(f'{part:12}' for part in rest).rstrip()}"


def rows(state: State, faction: Faction) -> Iterator[tuple[str, ...]]:
    """Yield the parts of the table."""
    current = state.combat
    assert current is not None
    groups = combat.groups_at(state, current.region)
    allowed = combat.maneuvers(current, groups, faction)
    for maneuver in EVERY_MANEUVER:
        words = (SHORT[maneuver], names.MANEUVERS[maneuver])
        if maneuver in allowed:
            yield (*words, _price(state, faction, maneuver), _effect(state, current, faction, maneuver))
        else:
            yield (*words, f"not allowed: {why_not(state, current, faction)}")


def _price(state: State, faction: Faction, maneuver: Maneuver) -> str:
    return f"honor {names.signed(engine.price(state, Fight(faction, maneuver, 0)).honor):>2}"


def _effect(state: State, current: Combat, faction: Faction, maneuver: Maneuver) -> str:
    effect = _EFFECTS[maneuver]
    group = state.sides[faction][current.region]
    if maneuver == Maneuver.CHASE:
        return f"{effect} {combat.chase_modifier(known_mask(group)):+d}"
    if maneuver == Maneuver.RETREAT:
        ways = combat.ways_out(state, faction)
        if not ways:
            return "no way out: counts as standard"
        price = honor.retreat_penalty(known_mask(group), len(group))
        return f"{effect}: honor {-price}, to {names.listed(ways, 'or')}"
    return effect


def why_not(state: State, current: Combat, faction: Faction) -> str:
    """Return why a maneuver is not allowed."""
    restricted = units_in(known_mask(state.sides[faction][current.region]) & RESTRICTED)
    if not restricted:
        return "not in this combat"
    unit = restricted[0]
    allowed = CARDS[unit].alone_maneuvers or EVERY_MANEUVER
    words = names.listed((names.MANEUVERS[maneuver] for maneuver in allowed), "or")
    return f"{names.unit_name(unit)} alone: only {words}"


def energy_line(state: State, faction: Faction) -> str:
    """Return how much Energy may be spent and what much of it costs."""
    current = state.combat
    assert current is not None
    groups = combat.groups_at(state, current.region)
    limit = combat.energy_limit(current, groups, state.energy[faction], faction)
    maneuver = combat.maneuvers(current, groups, faction)[0]
    line = f"Energy 0 to {limit}."
    dear = honor.FREE_ENERGY + 1
    if limit >= dear:
        price = engine.price(state, Fight(faction, maneuver, dear)).honor
        price -= engine.price(state, Fight(faction, maneuver, 0)).honor
        line += f" {dear} and more: honor {names.signed(price)}." if price else " Any amount without loss of Honor."
    return f"{line} Type: {SHORT[maneuver]} 0, and so on."
