"""What an action will cost before it is sent: prices, what each side learns, warnings, cheaper ways (console.md 3.7).

Every number comes from the engine; this module only asks it and puts the answers side by side.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from cli.console.messages import Severity
from cli.storm import dangers, model
from cli.storm.odds import odds
from cli.storm.text import prices
from cli.text.wording import opening
from storm_p2p.storm import engine, units
from storm_p2p.storm.actions import Action, Bolt, Fight, Lose, Move, Opening, Reveal, Sneak
from storm_p2p.storm.board import OTHER, Faction, Region, climbs
from storm_p2p.storm.engine import Price
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.requests import answer_succession
from storm_p2p.storm.rules import combat, honor, movement
from storm_p2p.storm.state import Group, Phase, State, known_mask
from storm_p2p.storm.units import NAME, Maneuver, Unit, mask_of, units_in

MOST_HINTS = 3
"""How many cheaper ways are named."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Everything to be said about an action before it is sent."""

    words: str
    """The action in canonical words; a choice in a combat in plain ones."""
    price: Price
    """What the engine books at once."""
    later: int
    """Change of Honor that follows if a retreat happens, 0 or less."""
    honor: tuple[int, int]
    """The own Honor before and after the price."""
    energy: tuple[int, int]
    """The own stock before and after the price."""
    manner: str
    """What kind of move it is, or nothing."""
    strengths: str
    """What is known of the strengths in the combat that begins, or nothing."""
    learns: tuple[str, ...]
    """What the player learns."""
    notes: tuple[str, ...]
    """Sentences worth knowing."""
    reasons: tuple[str, ...]
    """Why it is asked more loudly."""
    claims: tuple[str, ...]
    """What a claim would bring, with the words to type."""
    forgets: tuple[Region, ...]
    """Where the opponent can no longer tell who is who."""
    heir: Unit | None
    """Who leads after it and is shown, where it eliminates the first leader."""
    severity: Severity


def preview(state: State, action: Action, faction: Faction) -> Preview:
    """Return what is to be said about an action that the owner's view allows."""
    price = engine.price(state, action)
    later = _later(state, action, faction)
    before, stock = state.honor[faction], state.energy[faction]
    after = before + price.honor
    fatal = dangers.fatal(state, action, faction, after)
    reasons = [*fatal, *dangers.warnings(state, action, faction, price, later)]
    claims = _claims(state, action, price)
    loss = price.honor < 0 or price.energy < 0 or later < 0 or bool(price.reveals)
    if fatal:
        severity = Severity.LAST
    elif reasons:
        severity = Severity.WARN
    else:
        severity = Severity.ASK if loss or claims or _commits(state, action, faction) else Severity.FREE
    forgets: tuple[Region, ...] = ()
    if price.hides and isinstance(action, Move):
        forgets = action.path[:1] + action.path[-1:]
    return Preview(
        prices.action(action), price, later, (before, after), (stock, stock + price.energy),
        _manner(state, action, faction), _strengths(state, action, faction), _learns(state, action, faction),
        tuple(_notes(state, action, faction)),
        tuple(reasons), claims, forgets, _heir(state, action, faction), severity,
    )  # fmt: skip


def _commits(state: State, action: Action, faction: Faction) -> bool:
    """Return whether an action begins or decides a combat, which cannot be taken back even where it is free."""
    return isinstance(action, Fight | Sneak) or (isinstance(action, Move) and _attacks(state, action, faction))


# -- prices that come later ---------------------------------------------------------------------------------


def _later(state: State, action: Action, faction: Faction) -> int:
    """Return what a chosen Retreat costs in Honor when it happens."""
    if not isinstance(action, Fight) or action.maneuver != Maneuver.RETREAT:
        return 0
    current = model.combat_of(state)
    group = state.sides[faction][current.region]
    if not combat.ways_out(state, faction):
        return 0
    return -honor.retreat_penalty(known_mask(group), len(group))


# -- what it is and what becomes known ------------------------------------------------------------------------


def _heir(state: State, action: Action, faction: Faction) -> Unit | None:
    """Return which hidden leader the rules open because the action eliminates the first one (PER-3)."""
    if not isinstance(action, Lose):
        return None
    after = dangers.shown(state, action, faction)
    if not mask_of(set(model.lost_units(after, faction)) - set(model.lost_units(state, faction))) & units.FIRST_LEADER:
        return None
    return answer_succession(after).unit


def _manner(state: State, action: Action, faction: Faction) -> str:
    if not isinstance(action, Move | Sneak):
        return ""
    origin, target = action.path[0], action.path[-1]
    plan = movement.judge(state, action)
    return prices.manner(
        attack=odds(state, action, faction) if plan.attack else None, flight=plan.flight,
        climb=climbs(faction, origin, target), steps=len(action.path) - 1,
        doubled=any(leg.doubled for leg in plan.legs), spared=any(leg.spared for leg in plan.legs),
        river=any(leg.energy for leg in plan.legs),
    )  # fmt: skip


def _strengths(state: State, action: Action, faction: Faction) -> str:
    attack = odds(state, action, faction) if isinstance(action, Move | Sneak) else None
    return "" if attack is None else prices.strengths(attack)


def _learns(state: State, action: Action, faction: Faction) -> tuple[str, ...]:
    if not isinstance(action, Move):
        return ()
    target = action.path[-1]
    hidden = sum(not token.known for token in state.sides[OTHER[faction]][target])
    if not hidden:
        return ()
    return (prices.units_there(hidden, target),)


def _possible(group: Group, holders: int) -> list[Unit]:
    """Return who of some units may be in a group."""
    return [unit for unit in units_in(holders) if any(token.can >> unit & 1 for token in group)]


def _notes(state: State, action: Action, faction: Faction) -> Iterator[str]:
    if isinstance(action, Bolt):
        group = state.sides[OTHER[faction]][action.target]
        if len(group) == 1 and (proof := _possible(group, units.BOLT_PROOF)):
            yield prices.proof_alone(proof, sure=group[0].known)
        if fed := _possible(group, units.BOLT_FED):
            yield prices.fed(fed)
    elif isinstance(action, Sneak):
        group = state.sides[OTHER[faction]][action.path[1]]
        if blockers := _possible(group, units.SNEAK_BLOCKERS):
            yield prices.blocker(blockers)
    elif isinstance(action, Fight):
        if action.maneuver == Maneuver.ATTACK:
            yield str(prices.DIES_AFTER)
        if action.maneuver == Maneuver.RETREAT and not combat.ways_out(state, faction):
            yield str(prices.NO_WAY_OUT)
        if combat.sealed(state):
            yield str(prices.SEALED)
    elif isinstance(action, Reveal):
        yield str(prices.STAYS_KNOWN)
    elif isinstance(action, Move):
        yield from _move_notes(state, action, faction)


def _move_notes(state: State, action: Move, faction: Faction) -> Iterator[str]:
    """Yield what may happen at the end of a move, and what else its unit could do."""
    for unit, other, sure in dangers.perils(state, action, faction):
        if not sure:
            yield prices.could_perish(other, unit)
    if len(action.units) != 1 or len(action.path) != 2:
        return
    unit, target = action.units[0], action.path[-1]
    if 1 << unit & units.SNEAKS:
        sneak = Sneak((action.path[0], target), action.movers[0])
        with suppress(IllegalAction):
            yield prices.sneak(sneak, engine.price(state, sneak))
    if 1 << unit & units.WANDERERS and not state.sides[OTHER[faction]][target] and not state.sides[faction][target]:
        yield prices.goes_on(unit, target)


def _claims(state: State, action: Action, price: Price) -> tuple[str, ...]:
    """Return what the same move with a claim would bring."""
    if not isinstance(action, Move) or action.claim is not None or len(action.path) != 2:
        return ()
    found = []
    group = state.sides[state.turn][action.path[0]]
    for place in action.movers:
        claiming = Move(action.path, action.movers, action.count, place, action.units)
        try:
            other = engine.price(state, claiming)
        except IllegalAction:
            continue
        unit = group[place].unit
        found.append(prices.claim(claiming, other.energy - price.energy, None if unit is None else Unit(unit)))
    return tuple(found)


# -- cheaper ways ---------------------------------------------------------------------------------------------


def cheaper(state: State, action: Action, faction: Faction) -> list[str]:
    """Return how to get the same, or something like it, for less: revealing first, or other targets."""
    price = engine.price(state, action)
    if not isinstance(action, Move | Sneak) or (price.honor >= 0 and price.energy >= 0):
        return []
    found = list(_reveal_first(state, action, faction, price))
    if isinstance(action, Move):
        targets = [
            (other.path[-1], cost)
            for other, cost in costs(state, faction, action.path[0], action.movers)
            if (cost.honor, cost.energy) > (price.honor, price.energy) and cost.energy >= price.energy
            # Going somewhere in peace is no way to do what an attack does, and the other way round.
            and _attacks(state, other, faction) == _attacks(state, action, faction)
        ]
        targets.sort(key=lambda item: (-item[1].honor, -item[1].energy, item[0]))
        if targets:
            found.append(prices.other_targets(targets[:MOST_HINTS]))
        found += _alone(state, action, faction, price)
    return found


def _alone(state: State, action: Move, faction: Faction, price: Price) -> list[str]:
    """Return which units of a group could go to the same region for less without the others."""
    if len(action.movers) < 2:
        return []
    single: list[tuple[Unit, Price]] = []
    for place in action.movers:
        for other, cost in costs(state, faction, action.path[0], (place,)):
            less = (cost.honor, cost.energy) > (price.honor, price.energy) and cost.energy >= price.energy
            if other.path[-1] == action.path[-1] and less:
                single += [(unit, cost) for unit in other.units]
    single.sort(key=lambda item: (-item[1].honor, -item[1].energy))
    return [prices.alone(single[:MOST_HINTS])] if single else []


def _attacks(state: State, action: Move, faction: Faction) -> bool:
    return bool(state.sides[OTHER[faction]][action.path[-1]])


def _reveal_first(state: State, action: Move | Sneak, faction: Faction, price: Price) -> Iterator[str]:
    for reveal in engine.legal_actions(state, faction):
        if not isinstance(reveal, Reveal) or reveal.unit is None:
            continue
        opened = engine.apply(state, reveal)[0]
        if opened.phase == Phase.OPENING:
            opened = engine.apply(opened, Opening((reveal.unit,)))[0]
        if opened.outcome is not None:
            continue
        try:
            other = engine.price(opened, action)
        except IllegalAction:
            continue
        saved = (other.honor - price.honor, other.energy - price.energy)
        if max(saved) > 0 and min(saved) >= 0:
            yield prices.reveal_first(NAME[reveal.unit], *saved)


def costs(state: State, faction: Faction, origin: Region, movers: Sequence[int]) -> list[tuple[Move, Price]]:
    """Return every move of exactly these of a group, by their places in it, the cheapest to each region, without
    claims, with its price."""
    best: dict[Region, tuple[Move, Price]] = {}
    for action, price in engine.options(state, faction):
        if not isinstance(action, Move) or action.claim is not None or action.path[0] != origin:
            continue
        if set(action.movers) == set(movers):
            known = best.get(action.path[-1])
            if known is None or (price.honor, price.energy) > (known[1].honor, known[1].energy):
                best[action.path[-1]] = (action, price)
    return [best[region] for region in sorted(best)]


# -- in lines -------------------------------------------------------------------------------------------------


def lines(found: Preview, opponent: str, hints: Sequence[str] = ()) -> list[str]:
    """Return a preview as lines of a terminal."""
    head = [found.words]
    if found.manner:
        head.append(found.manner)
    changes = prices.changes(found.honor, found.energy)
    shown = [f"{'   '.join(head)}   {'  '.join(changes) or prices.FREE}".rstrip()]
    shown += [f"  {sentence}" for sentence in told(found, opponent)]
    if hints:
        shown.append(f"  {prices.cheaper(hints)}")
    return shown


def told(found: Preview, opponent: str) -> list[str]:
    """Return what a preview says besides the price, in sentences."""
    said = [found.strengths] if found.strengths else []
    if found.later:
        said.append(prices.later(found.later))
    if found.price.reveals:
        said.append(prices.he_learns(opponent, found.price.reveals))
    if found.heir is not None:
        said.append(prices.leads_then(found.heir))
    if found.forgets:
        said.append(prices.he_forgets(opponent, found.forgets))
    if found.learns:
        said.append(prices.you_learn(found.learns))
    said += found.notes
    said += [prices.can_claim(claim) for claim in found.claims]
    said += found.reasons
    return said


def sentence(found: Preview, opponent: str, hints: Sequence[str] = ()) -> str:
    """Return a preview as one paragraph for a screen reader."""
    parts = [f"{found.words}."]
    if found.manner:
        parts.append(f"{opening(found.manner)}.")
    parts += [*prices.changes_spoken(found.honor, found.energy), *told(found, opponent)]
    if hints:
        parts.append(prices.cheaper(hints))
    return " ".join(parts)
