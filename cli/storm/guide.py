"""What is asked now, and what matters to somebody who plays for the first time.

Every fact is one of the owner's view.  Pure.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Final

from cli.console.messages import SubmitMode
from cli.console.pages import show_clocks
from cli.language import cached
from cli.storm import model, placing, viewing, vocabulary
from cli.storm.model import Model, StormScreen
from cli.storm.placing import Placing
from cli.storm.text import help_text, names, screens, story
from cli.text import screens as common
from cli.text.wording import fill
from storm_p2p.storm import engine, events, notation
from storm_p2p.storm.actions import Move, Retreat, Reveal
from storm_p2p.storm.board import BASE, NEIGHBOURS, OTHER, PALACE, REGIONS, STEPS_TO_PALACE, Faction, Region
from storm_p2p.storm.rules import combat, honor, powers
from storm_p2p.storm.state import Phase, State, Token, combat_of, mask
from storm_p2p.storm.units import CARDS, CHARMERS, LEADERS, MALES, STRENGTH, Maneuver, Unit, mask_of, units_in

MOST: Final = 2
"""So many sentences are said at a time."""
LITTLE_HONOR: Final = 4
LITTLE_ENERGY: Final = 3


def asked(screen: StormScreen) -> str:
    """Return what is asked now, for the head line."""
    model = screen.match
    if screen.placing is not None:
        return str(screens.SETUP_STATE)
    if model.deciding and model.state is not None:
        question = screens.QUESTIONS.get(model.state.phase, common.YOUR_ANSWER)
        return f"{question} ({names.side_name(model.side)})"
    return str(screens.DEALING)


def said_above(screen: StormScreen) -> str:
    """Return the line of the log that says no more than the head does now; nothing where there is none."""
    state = screen.match.state
    return names.turn(state.number) if screen.awaited and state is not None and state.phase == Phase.TURN else ""


@cached(maxsize=4)
def list_ways(state: State, faction: Faction) -> tuple[str, ...]:
    """Return what can be done besides moving, with its price; revealing is free and left out."""
    ways: dict[str, list[str]] = {}
    for action, price in engine.options(state, faction):
        if isinstance(action, Reveal) or (isinstance(action, Move) and action.claim is None):
            continue
        text = vocabulary.say(notation.format_action(action))
        verb = vocabulary.say_argument("claim") if isinstance(action, Move) else text.split()[0]
        ways.setdefault(verb, []).append(screens.option(text, names.cost(price)))
    found = [
        texts[0] if len(texts) == 1 else fill(screens.WAYS, verb=verb, number=len(texts))
        for verb, texts in ways.items()
    ]
    return (fill(screens.ALSO, options=", ".join(found)),) if found else ()


def hint(screen: StormScreen) -> str:
    """Return the name of the hint while an answer is awaited and nothing is typed, or while the setup is made."""
    if screen.placing is not None:
        found = _setup(screen.placing, screen.typed.strip())
        return "setup hinted" if found == "setup" and screen.match.aids else found
    phase = None if screen.match.state is None else screen.match.state.phase
    if phase == Phase.FIGHT:
        return "hidden" if screen.minimised else "fight"
    return "turn" if phase == Phase.TURN else "answer"


def _setup(placed: Placing, line: str) -> str:
    """Return which hint stands below the setup."""
    first, *rest = line.rstrip("!? ").lower().split() or [""]
    if placed.free or rest or vocabulary.find_verb(first) != "seal":
        return "setup"
    return "sealed" if line.endswith(SubmitMode.ACCEPT.value) else "sealing"


def guide(screen: StormScreen) -> Sequence[str]:
    """Return what matters in the question that is asked, the weightiest first."""
    state, side = screen.match.state, screen.match.side
    if state is None or not screen.match.deciding:
        return ()
    match state.phase:
        case Phase.TURN:
            found = _turn(state, side)
        case Phase.FIGHT:
            found = _fight(state, side)
        case Phase.LOSE:
            found = _loss(state, side)
        case Phase.RETREAT | Phase.STAY:
            found = _way_out(state, side)
        case Phase.AID:
            found = iter((str(screens.SAYS_NOTHING),))
        case _:
            found = iter(())
    return tuple(islice(found, MOST))


# -- the own turn ---------------------------------------------------------------------------------------------


def _turn(state: State, side: Faction) -> Iterator[str]:
    yield from _win(state, side)
    if side == Faction.OLYMPIANS:
        yield from _threats(state, side)
    loss = model.base_loss(state, side)
    if loss:
        yield screens.in_base(loss, BASE[side])
    if state.honor[side] <= LITTLE_HONOR:
        yield screens.low_honor(state.honor[side])
    if state.energy[side] <= LITTLE_ENERGY:
        price = powers.liturgy_penalty(state.energy[side])
        yield screens.low_energy(state.energy[side], vocabulary.say("liturgy"), powers.LITURGY_ENERGY, price)
    yield from _bold(state, side)
    yield _way(state, side)


def _win(state: State, side: Faction) -> Iterator[str]:
    """Yield that a leader can go to the Palace now, and that nobody who could be there stops it (END-1, DEM-2)."""
    there = state.sides[OTHER[side]][PALACE]
    for action, price in engine.options(state, side):
        if not isinstance(action, Move) or action.path[-1] != PALACE or state.honor[side] + price.honor <= 0:
            continue
        group = state.sides[side][action.path[0]]
        for token in (group[place] for place in action.movers):
            unit = None if token.unit is None else Unit(token.unit)
            # An attack reveals the leader, and so does a claim; one that is known needs neither.
            if unit is None or not CARDS[unit].leads or not (there or token.known or action.claim is not None):
                continue
            # Who takes a leader along at first contact.
            stoppers = mask_of(card.unit for card in CARDS if card.perishes_with == unit)
            if not any(enemy.can & stoppers for enemy in there):
                yield screens.wins(unit, vocabulary.say(notation.format_action(action)))
                return


def _threats(state: State, side: Faction) -> Iterator[str]:
    """Yield which enemies next to the Palace are leaders, or can be."""
    hidden: dict[Region, int] = {}
    for region in NEIGHBOURS[PALACE]:
        for token in state.sides[OTHER[side]][region]:
            leaders = token.can & LEADERS
            if token.known and leaders:
                yield screens.stop_leader(units_in(leaders)[0], region)
            elif leaders:
                hidden[region] = hidden.get(region, 0) | leaders
    if hidden:
        yield screens.may_be_leader(tuple(hidden), names.any_of(units_in(reduce(or_, hidden.values()))))


def _bold(state: State, side: Faction) -> Iterator[str]:
    """Yield the attack that brings most Honor."""
    attacks = [
        (price.honor, notation.format_action(action))
        for action, price in engine.options(state, side)
        if isinstance(action, Move) and price.honor > 0 and state.sides[OTHER[side]][action.path[-1]]
    ]
    if attacks:
        most, line = max(attacks, key=lambda found: (found[0], found[1]))
        yield screens.bold(vocabulary.say(line), most)


def _way(state: State, side: Faction) -> str:
    """Return how far the leaders are from the goal, or what the other side is thought to have."""
    below = Faction.CHTHONIANS
    stand = [(STEPS_TO_PALACE[region], region, token) for region, token in _tokens(state, below)]
    own = [(steps, region, unit) for steps, region, token in stand for unit in units_in(mask((token,)) & LEADERS)]
    if side == below and own:
        steps, region, leader = min(own)
        return screens.leader_way(leader, region, steps)
    steps, region, _ = min(stand, key=lambda found: found[:2])
    return screens.enemy_way(region, steps)


def _tokens(state: State, side: Faction) -> Iterator[tuple[Region, Token]]:
    for region, group in enumerate(state.sides[side]):
        for token in group if region else ():
            yield region, token


# -- questions in a combat ------------------------------------------------------------------------------------


def _fight(state: State, side: Faction) -> Iterator[str]:
    """Yield whether a standard maneuver can be made safe, or what a retreat would cost."""
    current, base = combat_of(state), combat.strengths(state)[0]
    limit = combat.energy_limit(state, OTHER[side])
    # A tie goes to the attacker.
    need = max(0, base[OTHER[side]] + limit - base[side] + (current.attacker != side))
    allowed = combat.maneuvers(state, side)
    if Maneuver.STANDARD in allowed and need <= combat.energy_limit(state, side):
        yield screens.surely(vocabulary.typed_as(Maneuver.STANDARD), need)
    elif Maneuver.RETREAT in allowed:
        yield screens.retreat_from(f"{vocabulary.typed_as(Maneuver.RETREAT)} 0", honor.RETREAT_PENALTY)


def _loss(state: State, side: Faction) -> Iterator[str]:
    """Yield the weakest of those who can be lost and lead nobody."""
    region = combat_of(state).region
    units = [unit for unit in model.named(state.sides[side][region]) if not 1 << unit & LEADERS]
    if units:
        yield screens.weakest(min(units, key=lambda unit: (STRENGTH[unit], unit)))


def _way_out(state: State, side: Faction) -> Iterator[str]:
    """Yield the way out with the fewest enemies next to it."""
    ways = [action.target for action in engine.legal_actions(state, side) if isinstance(action, Retreat)]
    if ways:
        around = {way: sum(len(state.sides[OTHER[side]][there]) for there in NEIGHBOURS[way]) for way in ways}
        best = min(around, key=lambda way: (around[way], way))
        yield screens.safest(best, around[best])


AUTOMATIC = frozenset({Phase.OPENING, Phase.SUCCESSION})
"""Phases in which programs answer by themselves, because the rules leave nothing to choose."""


def ask(screen: StormScreen) -> list[str]:
    """Return where the match stands and what is asked, or how the setup begins."""
    model = screen.match
    if screen.placing is not None:
        kept = " ".join(name for name, _ in screen.setups)
        known = [fill(screens.KEPT, names=kept)] if kept else []
        return [placing.told(screen.placing), screens.first(model.side), *known]
    if model.state is not None and model.state.phase == Phase.FIGHT:
        return story.combat_spoken(model, asked=True)
    lines = question(model, first=screen.first)
    if model.state is None or model.state.phase == Phase.SETUP:
        return lines
    clock = [] if model.clocks is None else show_clocks(model)
    return [*viewing.turn(model, told=story.just_told(model, events.TurnBegan)), *clock, *lines]


def question(model: Model, *, first: bool) -> list[str]:
    """Return the question of the present phase with its answers; ``first`` says that it is the first of the match."""
    state = model.state
    assert state is not None
    if state.phase == Phase.TURN:
        told = (
            str(screens.GOALS[model.side]),
            story.standing(model, model.side, state),
            help_text.first_turn(model.side),
        )
        return list(told) if first else []
    return ask_within(state, model.side, viewing.options(model))


def ask_within(state: State, side: Faction, answers: Sequence[str]) -> list[str]:
    """Return the question of a phase in the middle of a turn, with its answers."""
    region = state.combat.region if state.combat is not None else 0
    told = [help_text.question(state.phase, state.target or region)]
    told += [aid(state, side)] if state.phase == Phase.AID else []
    return [*told, fill(common.ANSWERS, answers="   ".join(answers))]


def aid(state: State, faction: Faction) -> str:
    """Return who could help from next door and what that adds, or that nobody can."""
    able = [token for token in combat.helpers(state) if mask((token,)) & CHARMERS]
    places = [region for region in REGIONS if any(token in able for token in state.sides[faction][region])]
    if not places:
        return str(help_text.NOBODY_HELPS)
    males = units_in(combat.masks_of(state)[faction] & MALES)
    with_her, without = (combat.strengths(state, aid=helped)[0][faction] for helped in (True, False))
    return help_text.helper(units_in(mask(tuple(able)) & CHARMERS), places[0], males, with_her - without)


def all_known(state: State) -> State:
    """Return an opened state as if everybody knew every unit."""
    sides = tuple(
        tuple(tuple(token._replace(known=token.unit is not None) for token in group) for group in side)
        for side in state.sides
    )
    return state._replace(sides=(sides[0], sides[1]))
