"""What an action will cost before it is sent: prices, what each side learns, warnings, cheaper ways (console.md 3.7).

Every number comes from the engine; this module only asks it and puts the answers side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from cli import model as m
from cli.text import names
from storm_p2p import combat, engine, honor, movement, notation
from storm_p2p.actions import Action, Bolt, Fight, Lose, Move, Opening, Reveal, Sneak
from storm_p2p.board import OTHER, PALACE, Faction, Region, climbs
from storm_p2p.engine import Price
from storm_p2p.errors import IllegalAction
from storm_p2p.state import Phase, State, known_mask, mask
from storm_p2p.units import (
    BOLT_FED,
    BOLT_PROOF,
    LEADERS,
    NAME,
    SNEAK_BLOCKERS,
    Maneuver,
    Unit,
    units_in,
)  # fmt: skip

MOST_HINTS = 3
"""How many cheaper ways are named."""
DANGER = 2
"""Honor of so much or less is a reason of its own to ask."""


class Grade(IntEnum):
    """How loudly the console asks (console.md 3.7)."""

    FREE = 0
    """Sent at once."""
    ASK = 1
    """Asked once; ``!`` accepts beforehand."""
    WARN = 2
    """Asked with the reason; ``!`` is not enough."""
    LAST = 3
    """The word ``yes`` has to be typed."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Everything to be said about an action before it is sent."""

    words: str
    """The action in canonical words."""
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
    grade: Grade


def preview(state: State, action: Action, faction: Faction) -> Preview:
    """Return what is to be said about a legal action.

    Args:
        state: the owner's view.
        action: what the engine allows.
        faction: who acts.
    """
    price = engine.price(state, action)
    later = _later(state, action, faction)
    before, stock = state.honor[faction], state.energy[faction]
    after = before + price.honor
    fatal = _fatal(state, action, faction, after)
    reasons = [*fatal, *_warnings(state, action, faction, price, later)]
    claims = _claims(state, action, price)
    loss = price.honor < 0 or price.energy < 0 or later < 0 or bool(price.reveals)
    if fatal:
        grade = Grade.LAST
    elif reasons:
        grade = Grade.WARN
    else:
        grade = Grade.ASK if loss or claims else Grade.FREE
    forgets: tuple[Region, ...] = ()
    if price.hides and isinstance(action, Move):
        forgets = action.path[:1] + action.path[-1:]
    return Preview(
        notation.format_action(action), price, later, (before, after), (stock, stock + price.energy),
        _manner(state, action, faction), _learns(state, action, faction), tuple(_notes(state, action, faction)),
        tuple(reasons), claims, forgets, grade,
    )  # fmt: skip


# -- prices that come later ---------------------------------------------------------------------------------


def _later(state: State, action: Action, faction: Faction) -> int:
    """Return what a chosen Retreat costs in Honor when it happens."""
    if not isinstance(action, Fight) or action.maneuver != Maneuver.RETREAT:
        return 0
    current = state.combat
    assert current is not None
    group = state.sides[faction][current.region]
    if not combat.ways_out(state, faction):
        return 0
    return -honor.retreat_penalty(known_mask(group), len(group))


# -- warnings -----------------------------------------------------------------------------------------------


def _fatal(state: State, action: Action, faction: Faction, after: int) -> list[str]:
    """Return why an action loses the game at once, or nearly certainly."""
    if after < 1:
        goal = " even though the goal is reached" if _reaches_goal(state, action, faction) else ""
        return [f"Honor would be {after}: you lose the game at once{goal}."]
    result = engine.apply(state, action)[0].outcome
    if result is not None and result.winner not in (faction.name.lower(), "draw"):
        return ["You lose the game with this."]
    if isinstance(action, Fight) and action.maneuver == Maneuver.ATTACK:
        current = state.combat
        assert current is not None
        alive = mask(tuple(m.in_play(state, faction))) & LEADERS
        if alive and not alive & ~mask(state.sides[faction][current.region]):
            return ["Your last leader would die after the round unless the enemy plays all-out defense."]
    return []


def _reaches_goal(state: State, action: Action, faction: Faction) -> bool:
    if not isinstance(action, Move) or action.path[-1] != PALACE or faction != Faction.CHTHONIANS:
        return False
    return any(1 << unit & LEADERS for unit in action.units)


def _warnings(state: State, action: Action, faction: Faction, price: Price, later: int) -> Iterator[str]:
    """Yield reasons of the second grade."""
    after = state.honor[faction] + price.honor
    if later and after + later < 1:
        yield f"If the retreat happens, Honor would be {after + later}: you would lose the game."
    elif price.honor + later < 0 and after + later <= DANGER:
        yield f"Honor would be {after + later}, and 0 loses the game."
    leaders = [unit for unit in price.reveals if 1 << unit & LEADERS]
    if leaders and not _wins(state, action, faction):
        yield f"Your leader {NAME[leaders[0]].capitalize()} would be shown."
    if isinstance(action, Lose) and action.unit is not None and 1 << action.unit & LEADERS:
        yield f"{NAME[action.unit].capitalize()} is your leader."
    stock = state.energy[faction] + price.energy
    if price.energy < 0 and stock == 0:
        yield "No Energy would be left for the next combat."
    if state.phase == Phase.TURN and not isinstance(action, Reveal):
        loss = m.base_loss(_afterwards(state, action), faction)
        if loss and after - loss < 1:
            yield f"At the start of your next turn {loss} Honor would be lost for enemies in your base: you would lose."
        elif loss and (price.honor < 0 or price.energy < 0):
            yield f"At the start of your next turn {loss} more Honor would be lost for enemies in your base."


def _afterwards(state: State, action: Action) -> State:
    """Return the state after an action, or the present one when others have to answer first."""
    after = engine.apply(state, action)[0]
    return after if after.phase == Phase.TURN else state


def _wins(state: State, action: Action, faction: Faction) -> bool:
    """Return whether a shown leader ends the game with a win."""
    if not isinstance(action, Move):
        return False
    return action.path[-1] == PALACE and faction == Faction.CHTHONIANS


# -- what it is and what becomes known ------------------------------------------------------------------------


def _manner(state: State, action: Action, faction: Faction) -> str:
    if not isinstance(action, Move | Sneak):
        return ""
    origin, target = action.path[0], action.path[-1]
    plan = movement.judge(state, action)
    way = {1: "forward", 0: "on equal height", -1: "backward"}[climbs(faction, origin, target)]
    count = 1 if isinstance(action, Sneak) else action.count
    parts = []
    if plan.attack:
        parts.append(f"attack {len(state.sides[OTHER[faction]][target])} with {count}")
    if plan.flight:
        parts.append("flight")
    parts.append(way if len(action.path) == 2 else f"{len(action.path) - 1} steps")
    if any(leg.doubled for leg in plan.legs):
        parts.append("doubled")
    if any(leg.spared for leg in plan.legs):
        parts.append("one less")
    if any(leg.energy for leg in plan.legs):
        parts.append("over the Styx")
    return ", ".join(parts)


def _learns(state: State, action: Action, faction: Faction) -> tuple[str, ...]:
    if not isinstance(action, Move):
        return ()
    target = action.path[-1]
    hidden = sum(not token.known for token in state.sides[OTHER[faction]][target])
    if not hidden:
        return ()
    return (f"the unit in {target}" if hidden == 1 else f"the {hidden} units in {target}",)


def _notes(state: State, action: Action, faction: Faction) -> Iterator[str]:
    if isinstance(action, Bolt):
        group = state.sides[OTHER[faction]][action.target]
        proof, fed = units_in(BOLT_PROOF)[0], units_in(BOLT_FED)[0]
        if len(group) == 1 and group[0].can & BOLT_PROOF:
            sure = "is" if group[0].known else "could be"
            yield f"{NAME[proof].capitalize()} {sure} alone there: then nothing happens."
        if any(token.can & BOLT_FED for token in group):
            yield f"If {NAME[fed].capitalize()} is there, the enemy can gain Energy."
    elif isinstance(action, Sneak):
        group = state.sides[OTHER[faction]][action.path[1]]
        if any(token.can & SNEAK_BLOCKERS for token in group):
            yield f"If {NAME[units_in(SNEAK_BLOCKERS)[0]].capitalize()} is there, he stops it."
    elif isinstance(action, Fight):
        if action.maneuver == Maneuver.ATTACK:
            yield "Your units there die after the round, won or lost, unless the enemy plays all-out defense."
        if action.maneuver == Maneuver.RETREAT and not combat.ways_out(state, faction):
            yield "There is no way out, so it counts as standard and costs nothing more."
        if combat.sealed(state):
            yield "After sealing there is no way back."
    elif isinstance(action, Reveal):
        yield "It stays known until its group divides."


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
        name = names.unit_name(None if unit is None else Unit(unit))
        gain = other.energy - price.energy
        effect = f"energy {gain:+d}" if gain else "wins the game"
        found.append(f"{notation.format_action(claiming)}: {effect}, shows {name}")
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
        ]
        targets.sort(key=lambda item: (-item[1].honor, -item[1].energy, item[0]))
        near = [f"{target} ({names.cost(cost)})" for target, cost in targets[:MOST_HINTS]]
        if near:
            found.append(f"to {', '.join(near)}")
    return found


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
            what = f"{saved[0]} honor" if saved[0] else f"{saved[1]} energy"
            yield f"reveal {NAME[reveal.unit]} first: saves {what}"


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
    changes = [change for change in (_change("honor", *found.honor), _change("energy", *found.energy)) if change]
    shown = [f"{'   '.join(head)}   {'  '.join(changes) or 'costs nothing'}".rstrip()]
    shown += [f"  {sentence}" for sentence in told(found, opponent)]
    if hints:
        shown.append(f"  Cheaper: {'; '.join(hints)}.")
    return shown


def _change(what: str, before: int, after: int) -> str:
    return "" if before == after else f"{what} {before} > {after} ({after - before:+d})"


def told(found: Preview, opponent: str) -> list[str]:
    """Return what a preview says besides the price, in sentences."""
    said = []
    if found.later:
        said.append(f"If the retreat happens: honor {found.later:+d} more.")
    if found.price.reveals:
        said.append(f"{opponent} learns: {names.crowd(found.price.reveals)}.")
    if found.forgets:
        said.append(f"{opponent} forgets which is which in {names.listed(found.forgets)}.")
    if found.learns:
        said.append(f"You learn: {names.listed(found.learns)}.")
    said += found.notes
    said += [f"You can claim: {claim}." for claim in found.claims]
    said += found.reasons
    return said


def sentence(found: Preview, opponent: str, hints: Sequence[str] = ()) -> str:
    """Return a preview as one paragraph for a screen reader."""
    parts = [f"{found.words}."]
    if found.manner:
        parts.append(f"{found.manner[0].upper()}{found.manner[1:]}.")
    for what, (before, after) in (("Honor", found.honor), ("Energy", found.energy)):
        parts.append(f"{what} stays {before}." if before == after else f"{what} {before} to {after}.")
    parts += told(found, opponent)
    if hints:
        parts.append(f"Cheaper: {'; '.join(hints)}.")
    return " ".join(parts)
