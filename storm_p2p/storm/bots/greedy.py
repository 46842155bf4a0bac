"""The computer player ``greedy``: looks one move deep, guesses what it cannot see, and mixes in combat."""

from collections.abc import Sequence
from random import Random
from typing import Final

from storm_p2p.storm import engine, views
from storm_p2p.storm.actions import Action, Aid, Block, Bolt, Fight, Move, Reveal, Sneak
from storm_p2p.storm.board import FACTIONS, OTHER, Faction, Region
from storm_p2p.storm.bots import guess, placing, position
from storm_p2p.storm.bots.combat_choice import COARSE, FINE, ROUNDS_FINE, Stakes, Table, solve, value_combat
from storm_p2p.storm.bots.guess import Belief, imagine
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import CombatChoice, Phase, Side, State, Terms, combat_of
from storm_p2p.storm.units import FERRIES, FLIERS, LEADERS, SECOND_LEADER, SPARERS, Maneuver, Unit


def _without(side: Side, region: Region) -> Side:
    return tuple(() if number == region else group for number, group in enumerate(side))


def _after(side: Side, origin: Region, target: Region) -> Side:
    groups = list(side)
    groups[target] = (*groups[target], *groups[origin])
    groups[origin] = ()
    return tuple(groups)


def value_stakes(state: State, belief: Belief) -> Stakes:
    """Return what the region of the present combat means, for the Chthonians."""
    current = combat_of(state)
    region = current.region
    mover = position.find_next_mover(state)
    ours, theirs = state.sides

    def place(first: Side, second: Side) -> float:
        return position.value_pieces(state, belief, (first, second), mover)[0]

    won, lost = place(ours, _without(theirs, region)), place(_without(ours, region), theirs)
    fled = [
        max([place(_after(ours, region, way), theirs) for way in combat.ways_out(state, FACTIONS[0])], default=lost),
        min([place(ours, _after(theirs, region, way)) for way in combat.ways_out(state, FACTIONS[1])], default=won),
    ]
    missing = belief.heir_missing if belief.faction == Faction.OLYMPIANS else _heir_fallen(state)
    empty = place(_without(ours, region), _without(theirs, region))
    return Stakes(won, lost, (fled[0], fled[1]), missing, empty)


def _heir_fallen(state: State) -> float:
    """Return 1 when the Chthonians themselves know that nobody would lead after the first leader."""
    succeeding = any(
        token.unit is not None and 1 << token.unit & SECOND_LEADER for group in state.sides[0][1:] for token in group
    )
    return 0.0 if succeeding else 1.0


def assess(state: State, belief: Belief) -> float:
    """Return what a state is worth to the one who judges; the rest of a combat is estimated."""
    phase = state.phase
    if phase in (Phase.TURN, Phase.OVER):
        return position.value_state(state, belief)
    if phase == Phase.FIGHT:
        table = Table(state, value_stakes(state, belief), COARSE)
        lives = position.Board(state.sides, belief).lives
        total = lives + value_combat(table)
        return total if belief.faction == Faction.CHTHONIANS else -total
    request = engine.next_request(state)
    assert request is not None
    seat = request.seats[0]
    actions = engine.legal_actions(state, seat)
    if phase == Phase.AID:
        # Who can help does so.
        helping = [action for action in actions if action != Aid(None)]
        return assess(engine.play(state, (helping or actions)[0])[0], belief)
    results = [assess(engine.play(state, action)[0], belief) for action in actions]
    return max(results) if seat == belief.faction else min(results)


TRIES: Final = 3
"""How many guesses an action is tried on that meets hidden enemies."""
WHIM: Final = 0.2
"""Up to this much chance is added, so that equal games differ."""
PATIENCE: Final = 40
"""From this turn on the player grows more daring."""
DARING: Final = 0.06
"""What an attack gains with each further turn."""
GAIN: Final = 0.5
"""What a reveal must promise before it is done."""


def choose_action(state: State, belief: Belief, rng: Random) -> Action:
    """Return what to do in the own turn."""
    actions = engine.legal_actions(state, belief.faction)
    reveals = [action for action in actions if isinstance(action, Reveal)]
    others = [action for action in actions if not isinstance(action, Reveal)]
    best, points = _choose_best(state, others, belief, rng)
    for action in reveals:
        promise = find_promise(state, action, belief, rng)
        if promise is not None and promise > points + GAIN:
            best, points = action, promise
    return best


def _choose_best(state: State, actions: Sequence[Action], belief: Belief, rng: Random) -> tuple[Action, float]:
    imagined = [imagine(state, belief, number) for number in range(TRIES)]
    # A guess that everybody knows anyway needs no second try.
    if len(belief.guesses) == 1:
        imagined = imagined[:1]
    best, most = actions[0], float("-inf")
    for action in actions:
        points = judge_action(state, imagined, action, belief) + WHIM * rng.random()
        if points > most:
            best, most = action, points
    return best, most


def judge_action(state: State, imagined: Sequence[State], action: Action, belief: Belief) -> float:
    """Return the points that an action promises, tried on several imagined worlds if it meets hidden enemies."""
    if not _meets(state, action):
        return assess(engine.play(imagined[0], action)[0], belief)
    total = sum(assess(engine.play(guess, action)[0], belief) for guess in imagined) / len(imagined)
    return total + DARING * max(0, state.number - PATIENCE)


def _meets(state: State, action: Action) -> bool:
    """Return whether hidden enemies shape what an action does."""
    if isinstance(action, Move):
        return bool(state.sides[OTHER[state.turn]][action.path[-1]])
    return isinstance(action, Sneak | Bolt)


def find_promise(state: State, action: Reveal, belief: Belief, rng: Random) -> float | None:
    """Return what the best action is worth that a reveal makes possible or cheaper, or None."""
    after, _ = engine.play(imagine(state, belief, 0), action)
    if after.outcome is not None:
        return assess(after, belief)
    if action.unit is None or not 1 << action.unit & (FLIERS | FERRIES | SPARERS):
        return None
    fresh = [
        option
        for option in engine.legal_actions(after, belief.faction)
        if isinstance(option, Move) and _is_enabled(state, after, option)
    ]
    if not fresh:
        return None
    return _choose_best(after, fresh, belief, rng)[1]


def _is_enabled(before: State, after: State, option: Move) -> bool:
    """Return whether a move is impossible or dearer without a reveal."""
    try:
        hidden = engine.price(before, option)
    except IllegalAction:
        return True
    shown = engine.price(after, option)
    return shown.honor > hidden.honor or shown.energy > hidden.energy


RARE: Final = 0.08
"""Choices less likely than this in a mixed strategy are left alone."""


class Greedy:
    """Takes what is best after one move, as far as it can tell."""

    name = "greedy"

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return a sensible setup, a little different each time."""
        return placing.set_up(faction, terms, rng)

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return the action that promises most."""
        actions = engine.legal_actions(state, faction)
        if len(actions) == 1:
            return actions[0]
        state = views.believable(state, OTHER[faction])
        belief = guess.think(state, faction, rng)
        if state.phase == Phase.TURN:
            return choose_action(state, belief, rng)
        if state.phase == Phase.FIGHT:
            return _fight(state, belief, rng)
        helpful = [action for action in actions if isinstance(action, Block) or _helps(action)]
        if helpful:
            return helpful[0]
        imagined = guess.imagine(state, belief, 0)
        return max(actions, key=lambda action: assess(engine.play(imagined, action)[0], belief))


def _helps(action: Action) -> bool:
    return isinstance(action, Aid) and action.helper is not None


def _fight(state: State, belief: Belief, rng: Random) -> Action:
    """Return maneuver and Energy: the best answer where the other side's choice is open, else drawn by chance."""
    faction = belief.faction
    current = combat_of(state)
    shown = current.choices[OTHER[faction]]
    table = Table(state, value_stakes(state, belief), FINE, shown)
    if faction == Faction.CHTHONIANS:
        values, choices = table.values, table.rows
        keeping = [index for index, choice in enumerate(choices) if not _gives_up_leader(state, choice, table)]
        if keeping:
            values, choices = [values[index] for index in keeping], [choices[index] for index in keeping]
    else:
        values = [[-line[index] for line in table.values] for index in range(len(table.columns))]
        choices = table.columns
    if shown is not None:
        best = max(range(len(choices)), key=lambda index: values[index][0])
    elif not combat.sealed(state):
        best = max(range(len(choices)), key=lambda index: min(values[index]))
    else:
        _, strategy, _ = solve(values, ROUNDS_FINE)
        weights = [share if share >= RARE else 0.0 for share in strategy]
        best = rng.choices(range(len(choices)), weights if any(weights) else strategy)[0]
    return Fight(faction, choices[best].maneuver, choices[best].energy)


def _gives_up_leader(state: State, choice: CombatChoice, table: Table) -> bool:
    """Return whether a choice of the Chthonians loses them a leader in an All-out Attack that does not win (AOA-3)."""
    current = combat_of(state)
    ours = combat.masks_of(state)[Faction.CHTHONIANS]
    if choice.maneuver != Maneuver.ATTACK or not ours & LEADERS:
        return False
    chosen, _ = engine.play(state, Fight(Faction.CHTHONIANS, *choice))
    # Where the other side has shown its choice, it has been carried out.
    replies = [] if current.choices[Faction.OLYMPIANS] is not None else table.columns
    ends = [engine.play(chosen, Fight(Faction.OLYMPIANS, *reply))[0] for reply in replies] or [chosen]
    return any(end.outcome is None or end.outcome.winner != "chthonians" for end in ends)
