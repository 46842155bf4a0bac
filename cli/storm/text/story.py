"""What a player is told of a match of Storm: what happened, its terms, notices and end, and the combat that goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cli import language
from cli.storm import vocabulary
from cli.storm.model import Model, StormEntry, named
from cli.storm.text import names, narrate, screens, typed
from cli.storm.text.narrate import line, modifiers, power_text, reason
from cli.text import matches, verdicts
from cli.text.matches import YOU
from cli.text.wording import _, count, fill, lazy, listed, signed
from protocol.game import Hide, Locate, Located, Mix
from storm_p2p.storm import engine
from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Fight
from storm_p2p.storm.board import FACTIONS, OTHER, REGIONS, Faction
from storm_p2p.storm.rules import combat, honor
from storm_p2p.storm.state import CombatChoice, State, Terms, combat_of, known_mask
from storm_p2p.storm.units import (
    CARDS,
    EVERY_MANEUVER,
    FACTION,
    RESTRICTED,
    STRENGTH,
    UNITS,
    Maneuver,
    Unit,
    powers,
    units_in,
)

if TYPE_CHECKING:
    from cli.storm.notices import Proved, StormNotice
    from protocol.core.messages import FalseBatch


def terms(terms: Terms, *, short: bool = False) -> str:
    """Return the terms of a match in words; ``short`` leaves out whose Honor a challenge changes."""
    parts = [_("open combat")] if terms.open_combat else []
    if terms.random_setup:
        parts.append(_("random setup"))
    if terms.challenge:
        challenge = lazy("challenge {honor:+d}" if short else "challenge {honor:+d} Honor for the Chthonians")
        parts.append(fill(challenge, honor=terms.challenge))
    return ", ".join(parts) or _("standard rules")


def standing(model: Model, faction: Faction, state: State) -> str:
    """Return where all units of a side stand, for a screen reader."""
    units = [f"{region} {names.unit_name(unit)}" for region in REGIONS for unit in named(state.sides[faction][region])]
    template = lazy("Your units: {units}." if faction == model.side else "Units of {opponent}: {units}.")
    return fill(template, opponent=model.opponent, units=", ".join(units) or _("none"))


def false_batch(batch: FalseBatch) -> str:
    """Return what a side has done that hid other units than it had to, as far as its seed shows it."""
    due, parts = Counter(batch.due), [Counter(part) for part in batch.held]
    held = sum(parts, Counter[int]())
    if not held:
        return verdicts.how("batch_not_derived")
    wrong, missing, unread = sorted(held - due), sorted(due - held), len(batch.due) - held.total()
    own = CARDS[Unit(batch.due[0])].faction
    divided = len(parts) > 1
    kept = [value for value in wrong if divided and all(value in part for part in parts)]
    if kept:
        template = lazy("kept {units} on both sides when dividing a group")
        return fill(template, units=listed(_hidden(value, own) for value in kept))
    if divided and not unread:
        swapped = [listed(_hidden(value, own) for value in values) for values in (missing, wrong)]
        return fill("swapped {missing} for {units} when dividing a group", missing=swapped[0], units=swapped[1])
    # A unit that belongs there can only be there too often.
    units = [_several(Unit(value), held[value]) if value in due else _hidden(value, own) for value in wrong]
    if unread:
        units.append(
            count(
                "a unit that does not come from the secret they had committed to",
                "{number} units that do not come from the secret they had committed to",
                unread,
            )
        )
    return fill("put {units} into a divided group" if divided else "placed {units}", units=listed(units))


def _hidden(value: int, own: Faction) -> str:
    """Return what a side has hidden, whether or not it is a unit of theirs."""
    if value not in Unit.__members__.values():
        return _("something that is not a unit")
    unit = Unit(value)
    name = names.unit_name(unit)
    return name if CARDS[unit].faction == own else fill("the enemy's {unit}", unit=name)


def _several(unit: Unit, number: int) -> str:
    """Return a unit that is there more than once; in German its name has no plural."""
    name = names.unit_name(unit)
    if language.current() == language.ENGLISH and not names.are_many((unit,)):
        name += "es" if name.endswith(("s", "x")) else "s"
    return fill("two {units}", units=name) if number == 2 else f"{number} {name}"


def called(model: Model) -> Mapping[Faction, str]:
    """Return how the sides are called."""
    return {model.side: str(YOU), OTHER[model.side]: model.opponent}


def story(model: Model, entry: StormEntry) -> list[str]:
    """Return what one message has done, one line for each event; changes of Honor and Energy join a line of their side.

    What a round of combat costs is booked for both sides together: each joins its own choice.
    """
    who = called(model)
    lines: list[str] = []
    spoken: dict[Faction, int] = {}
    for event in entry.events:
        if isinstance(event, ev.HonorChanged | ev.EnergyChanged):
            place = spoken.get(event.faction)
            if place is None:
                spoken[event.faction] = len(lines)
                lines.append(fill("{who}: {change}", who=who[event.faction], change=_change(event)))
            else:
                # A change follows a sentence as a part of it.
                lines[place] = fill("{line}; {change}", line=lines[place].rstrip("."), change=_change(event))
            continue
        actor = getattr(event, "faction", None)
        if actor is not None:
            spoken[actor] = len(lines)
        lines.append(_tell(model, entry, event, who))
    return lines


def _change(event: ev.HonorChanged | ev.EnergyChanged) -> str:
    honor = isinstance(event, ev.HonorChanged)
    template = lazy("Honor {before} to {now} {why}" if honor else "Energy {before} to {now} {why}")
    return fill(template, before=event.now - event.change, now=event.now, why=reason(event))


def _tell(model: Model, entry: StormEntry, event: ev.Event, who: Mapping[Faction, str]) -> str:
    match event:
        case ev.TurnBegan():
            return names.turn(event.number, "" if event.faction == model.side else who[event.faction])
        case ev.Moved():
            return narrate.moved(event, who, _movers(model, entry, event))
        case ev.CombatBegan():
            template = lazy("Combat in {region}. {who} attacks; a tie goes to the attacker.")
            if event.attacker == model.side:
                template = lazy("Combat in {region}. You attack; a tie goes to the attacker.")
            return fill(template, region=event.region, who=who[event.attacker])
        case ev.RoundFought():
            return narrate.fought(event, who, model.side)
        case ev.Used() | ev.Returned() | ev.Eliminated():
            return fill("{who}: {what}", who=who[FACTION[event.unit]], what=line(event, who))
        case _:
            return line(event, who)


def _movers(model: Model, entry: StormEntry, event: ev.Moved) -> Sequence[Unit | None]:
    """Return the movers, own ones by name even when nobody else knows them."""
    if event.faction != model.side or None not in event.units or entry.before is None:
        return event.units
    stood = named(entry.before.sides[model.side][event.path[0]])
    stayed = named(entry.after.sides[model.side][event.path[0]])
    went = [unit for unit in stood if unit not in stayed]
    return went if len(went) == len(event.units) else event.units


_DECK: Final = lazy("checked: {number} hidden units are {number} different units (proved)")
_SETUP: Final = lazy("checked: {number} placements are {number} different units, {leader} among them (proved)")
_GROUP: Final = lazy("checked: {number} hidden units are the same {number} as before (proved)")
_LANDED: Final = lazy("checked: {leader} stands where a random setup may put him (proved)")
_AGAIN: Final = lazy("checked: {leader} stands elsewhere, so the side is dealt again (proved)")


def notice(model: Model, notice: StormNotice) -> str:
    """Return what a player is told beside the events on the board."""
    # A lesson tells none of this.
    from cli.storm import notices

    match notice:
        case notices.DealingBegun():
            return _(
                "The units are being dealt at random. Each side is dealt again until its leader stands in its base or "
                "next to it. This can take a few seconds."
            )
        case notices.DealtAgain(faction, leader, number):
            return count(
                "The {side} are dealt again: {leader} stood too far from the base.",
                "The {side} are dealt again: {leader} stood too far from the base {number} times.",
                number,
                side=names.side_name(faction),
                leader=names.unit_name(leader),
            )
        case notices.Dealt(faction, deals):
            template = lazy("The {side} are dealt." if deals == 1 else "The {side} are dealt; it took {number} deals.")
            return fill(template, side=names.side_name(faction), number=deals)
        case notices.Proved():
            return proof(notice)
        case notices.Illegal(error):
            return typed.refusal(error)
        case _:
            return matches.sentence(notice, model.opponent, model.side, timed=model.clocks is not None)


def proof(proved: Proved) -> str:
    """Return what a proof has shown without telling it."""
    match proved.request:
        case Hide(within=((value, slots), *_)):
            return fill(_SETUP, number=len(slots), leader=names.unit_name(UNITS[value]))
        case Hide(values=values):
            return fill(_DECK, number=len(values))
        case Mix(take=take):
            return fill(_GROUP, number=len(take))
        case Locate(value=value):
            landed = isinstance(proved.answer, Located) and proved.answer.part
            return fill(_LANDED if landed else _AGAIN, leader=names.unit_name(UNITS[value]))


_EXAMPLES: Final = {
    Maneuver.STANDARD: 2,
    Maneuver.RETREAT: 0,
    Maneuver.CHASE: 1,
    Maneuver.ATTACK: 3,
    Maneuver.DEFENSE: 0,
}
"""Energy that example_choices of a choice name, as far as there is so much."""
_FEW_WAYS: Final = 3
_IN_COMBAT: Final = frozenset({"takes_spent", "boundless_energy", "holds_slippery", "buries_all", "doubles_penalties"})
"""Traits worth a sentence for everybody who fights; what changes strengths stands in the power_account."""
_IN_COMBAT_ALONE: Final = frozenset({"thins_enemy", "energy_worth", "slips_away", "spares_penalties"})


def just_told(model: Model, kind: type[object]) -> bool:
    """Return whether the last message has told an event of a kind."""
    return any(isinstance(event, kind) for entry in model.entries[-1:] for event in entry.events)


def combat_spoken(model: Model, *, asked: bool = False) -> list[str]:
    """Return a combat in which the player chooses, in lines that a screen reader can say.

    Where the choice is ``asked``, what was said just now or in an earlier round is left out.
    """
    state = model.state
    assert state is not None
    current = combat_of(state)
    me = model.side
    base, changes = combat.strengths(state)
    template = screens.YOU_ATTACK_SPOKEN if current.attacker == me else screens.THEY_ATTACK_SPOKEN
    head = fill(template, region=current.region, round=current.round, name=model.opponent)
    lines = [
        *([] if asked and just_told(model, ev.RoundBegan) else [head]),
        _side_spoken(state, _("You"), me, base),
        _side_spoken(state, model.opponent, OTHER[me], base),
    ]
    if changes:
        lines.append(fill("Powers: {list}.", list=modifiers(changes)))
    lines += [*powers_there(state), *choice_seen(state, me, model.opponent)]
    if asked and current.round > 1:
        return [*lines, energy_line(state, me), str(screens.COSTS_SAYS)]
    for maneuver, name, price, told in maneuver_rows(state, me):
        effect = (price, told) if price else (fill("not allowed: {why}", why=told),)
        # Three letters are spelt.
        lines.append(f"{', '.join(dict.fromkeys((str(screens.WHOLE_WORDS[maneuver]), name, *effect)))}.")
    lines.append(energy_line(state, me))
    return lines


def powers_there(state: State) -> list[str]:
    """Return what the powers of those who fight do beside changing strengths, a sentence each."""
    current = combat_of(state)
    alone = {unit for faction in FACTIONS if current.alone[faction] for unit in _fighting(state, faction)}
    there = {unit for faction in FACTIONS for unit in _fighting(state, faction)}
    told = [
        (unit, power)
        for unit, power in powers()
        if (unit in there and power in _IN_COMBAT) or (unit in alone and power in _IN_COMBAT_ALONE)
    ]
    # Who holds means something only to those who would slip away, and nobody slips away from them (HRM-2).
    met = {"slips_away", "holds_slippery"} <= {power for _, power in told}
    idle = "slips_away" if met else "holds_slippery"
    return [f"{power_text(unit, power)}." for unit, power in told if power != idle]


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


def power_account(
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
        found += [(modifiers((one,)), one.change) for one in fought.modifiers if FACTION[one.unit] == side]
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


def example_choices(state: State, faction: Faction, *, heard: bool = False) -> str:
    """Return choices as they are typed, one for each maneuver that is allowed and does what its name says here.

    Where they are ``heard``, their words are whole ones.
    """
    limit = combat.energy_limit(state, faction)
    allowed = combat.maneuvers(state, faction)
    offered = [one for one in allowed if one != Maneuver.RETREAT or combat.ways_out(state, faction)]
    words = {one: str(screens.WHOLE_WORDS[one]) if heard else vocabulary.typed_as(one) for one in offered}
    return ", ".join(f"{words[one]} {min(limit, _EXAMPLES[one])}" for one in offered)


def maneuver_rows(state: State, faction: Faction) -> Iterator[tuple[Maneuver, str, str, str]]:
    """Yield each maneuver with its name, price and effect; one that is not allowed with no price, and why it is not."""
    allowed = combat.maneuvers(state, faction)
    for maneuver in EVERY_MANEUVER:
        name = str(names.MANEUVERS[maneuver])
        if maneuver in allowed:
            yield maneuver, name, _price(state, faction, maneuver), _effect(state, faction, maneuver)
        else:
            yield maneuver, name, "", why_not(state, faction)


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
    words = listed((vocabulary.typed_as(one) if short else names.MANEUVERS[one] for one in allowed), "or")
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
