"""What the computer would play, and why: facts of the board about an action, from what one seat may know.

Every reason follows from the public record, the own units and the rules, never from what the enemy hides; where it
rests on what hidden units are on average, its name and its sentence say so.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

from cli.console.replay import HINT_SEED, Adviser, Candidate, Decided, Followed
from cli.storm import model, preview
from protocol.game import Answer, Chosen, Decision, Known, Mixed, Seat, Unsealed
from storm_p2p.storm import codec, engine, notation, views
from storm_p2p.storm.actions import Action, Aid, Block, Bolt, Fight, Liturgy, Lose, Move, Recall, Retreat, Reveal, Sneak
from storm_p2p.storm.board import BASE, FACTIONS, NEIGHBOURS, OTHER, STEPS_TO_PALACE, Faction, Region, climbs
from storm_p2p.storm.bots import guess, position, rating
from storm_p2p.storm.bots.guess import Belief
from storm_p2p.storm.bots.rating import Rated
from storm_p2p.storm.bots.worth import estimate_chance
from storm_p2p.storm.codec import StormState
from storm_p2p.storm.game import owner_view
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import CombatChoice, Phase, State, combat_of, known_mask, mask
from storm_p2p.storm.units import LEADERS, STRENGTH, Maneuver, Unit, mask_of, units_in

MOST: Final = 3
"""So many actions are named, the one that the computer would play among them, and so many reasons for each."""
NOTABLE: Final = 0.1
"""A smaller change of a chance is not spoken of."""


class Wins(NamedTuple):
    """It wins the game at once."""


class Nears(NamedTuple):
    """A leader comes nearer to the Palace."""

    unit: Unit
    steps: int


class Guards(NamedTuple):
    """An Olympian comes to stand in the Palace or next to it."""

    units: tuple[Unit, ...]
    region: Region


class Attacks(NamedTuple):
    """It attacks a region where somebody is hidden."""

    region: Region
    ours: int
    theirs: int


class Outweighs(NamedTuple):
    """It attacks known units, with these base strengths."""

    region: Region
    ours: int
    theirs: int


class Strikes(NamedTuple):
    """A thunderbolt or a sneak attack costs the enemy a unit if nothing stops it."""

    region: Region


class ClearsBase(NamedTuple):
    """It is directed against enemies in the own base."""

    loss: int
    """What they would cost at the start of the next turn."""


class Besieges(NamedTuple):
    """It puts units into the enemy's base."""

    loss: int
    """What all units there cost the enemy at the start of their next turn, if they stay."""


class Gains(NamedTuple):
    """It brings Honor and Energy."""

    honor: int
    energy: int


class Safer(NamedTuple):
    """Units leave a region where enemies next door would beat them more often, as far as the computer can guess."""

    origin: Region
    target: Region
    before: float
    """How likely, from 0 to 1, with what the hidden ones are on average."""
    after: float


class Forward(NamedTuple):
    """It goes forward."""


class Returns(NamedTuple):
    """An eliminated unit comes back."""

    unit: Unit


class Eases(NamedTuple):
    """A reveal makes moves possible or cheaper."""

    unit: Unit
    moves: int


class Hides(NamedTuple):
    """The enemy no longer knows which unit is which there."""

    regions: tuple[Region, ...]


class Beats(NamedTuple):
    """The power of a choice beats the enemy's standard maneuver up to so much Energy."""

    power: int
    energy: int
    limit: int
    """The most Energy that the enemy may spend."""


class Falls(NamedTuple):
    """The base strengths of a combat that is better left."""

    ours: int
    theirs: int


class Answers(NamedTuple):
    """It is the best answer to a choice that is open already."""

    maneuver: Maneuver
    energy: int


class Cheapest(NamedTuple):
    """The unit that is given up is the weakest there."""

    unit: Unit
    combat: int


class KeepsLeader(NamedTuple):
    """A leader stays alive."""

    unit: Unit


class Adds(NamedTuple):
    """Help from next door makes the own side stronger."""

    combat: int


class Peril(NamedTuple):
    """How likely enemies next to a region would beat the units there, as far as the computer can guess."""

    region: Region
    chance: float


class Prevents(NamedTuple):
    """Nobody is eliminated."""


class Free(NamedTuple):
    """It costs nothing."""


Reason: TypeAlias = (
    Wins | Nears | Guards | Attacks | Outweighs | Strikes | ClearsBase | Besieges | Gains | Safer | Forward | Returns
    | Eases | Hides | Beats | Falls | Answers | Cheapest | KeepsLeader | Adds | Peril | Prevents | Free
)  # fmt: skip


def reasons(state: State, action: Action, faction: Faction) -> tuple[Reason, ...]:
    """Return what speaks for an action that the owner's view allows, the most important first."""
    if state.phase == Phase.TURN:
        found = _of_turn(state, action, faction)
    elif isinstance(action, Fight):
        found = _of_fight(state, action, faction)
    else:
        found = _of_answer(state, action, faction)
    return tuple(found)[:MOST]


def _of_turn(state: State, action: Action, faction: Faction) -> Iterator[Reason]:
    after = preview.shown(state, action, faction)
    if after.outcome is not None and after.outcome.winner == faction.name.lower():
        yield Wins()
        return
    price = engine.price(state, action)
    loss = model.base_loss(state, faction)
    target = action.target if isinstance(action, Bolt) else action.path[-1] if isinstance(action, Move | Sneak) else 0
    met = bool(target) and bool(state.sides[OTHER[faction]][target])
    if met and loss and target == BASE[faction]:
        yield ClearsBase(loss)
    if isinstance(action, Bolt | Sneak):
        yield Strikes(target)
    elif isinstance(action, Move):
        yield from _of_move(state, action, faction, met=met)
    elif isinstance(action, Recall):
        yield Returns(action.unit)
    elif isinstance(action, Reveal) and action.unit is not None and after.phase == Phase.TURN:
        moves = _eased(state, after, faction)
        if moves:
            yield Eases(action.unit, moves)
    if price.honor > 0 or price.energy > 0:
        yield Gains(max(0, price.honor), max(0, price.energy))
    if isinstance(action, Move) and not met:
        besieging = model.base_loss(after, OTHER[faction])
        if target == BASE[OTHER[faction]] and besieging > model.base_loss(state, OTHER[faction]):
            yield Besieges(besieging)
        if price.hides:
            yield Hides((action.path[0], target))
    if not isinstance(action, Liturgy) and not price.honor and not price.energy and not price.reveals:
        yield Free()


def _of_move(state: State, action: Move, faction: Faction, *, met: bool) -> Iterator[Reason]:
    origin, target = action.path[0], action.path[-1]
    group, enemies = state.sides[faction][origin], state.sides[OTHER[faction]][target]
    movers = tuple(group[place] for place in action.movers) if action.movers else group
    if faction == Faction.CHTHONIANS and STEPS_TO_PALACE[target] < STEPS_TO_PALACE[origin]:
        for unit in units_in(mask(movers) & LEADERS):
            yield Nears(unit, STEPS_TO_PALACE[target])
    if met and all(token.known for token in enemies):
        ours, theirs = preview.strengths(faction, mask(movers), known_mask(enemies))
        # CBT-6: a tie is the attacker's.
        if ours >= theirs:
            yield Outweighs(target, ours, theirs)
    elif met and action.count >= len(enemies):
        yield Attacks(target, action.count, len(enemies))
    elif not met:
        belief = guess.think(state, faction, Random(HINT_SEED))  # noqa: S311
        before = _peril(state, belief, origin)
        after = _peril(preview.shown(state, action, faction), belief, target)
        if before - after >= NOTABLE:
            yield Safer(origin, target, before, after)
        if faction == Faction.OLYMPIANS and STEPS_TO_PALACE[target] < min(2, STEPS_TO_PALACE[origin]):
            yield Guards(tuple(units_in(mask(movers))), target)
        if climbs(faction, origin, target) > 0:
            yield Forward()


def _peril(state: State, belief: Belief, region: Region) -> float:
    """Return how likely the strongest group next to a region would beat the units there, with no Energy spent."""
    strengths = position.Board(state.sides, belief).strength
    ours, theirs = strengths[belief.faction], strengths[OTHER[belief.faction]]
    near = max(theirs[there] for there in NEIGHBOURS[region])
    # CBT-6: a tie is the attacker's.
    return 1.0 - estimate_chance(ours[region] - near - 0.5) if near else 0.0


def _eased(before: State, after: State, faction: Faction) -> int:
    """Return how many moves are possible or cheaper only after a reveal."""
    old = {action: price for action, price in engine.options(before, faction) if isinstance(action, Move)}
    return sum(
        action not in old or price.honor > old[action].honor or price.energy > old[action].energy
        for action, price in engine.options(after, faction)
        if isinstance(action, Move)
    )


def _of_fight(state: State, action: Fight, faction: Faction) -> Iterator[Reason]:
    current = combat_of(state)
    shown = current.choices[OTHER[faction]]
    if shown is not None:
        yield Answers(shown.maneuver, shown.energy)
    base, _ = combat.strengths(state)
    ours, theirs = base[faction], base[OTHER[faction]]
    if action.maneuver == Maneuver.RETREAT:
        if theirs > ours:
            yield Falls(ours, theirs)
        return
    if shown is None:
        yield from _beaten(state, action, (ours, theirs))


def _beaten(state: State, action: Fight, base: tuple[int, int]) -> Iterator[Beats]:
    """Yield which Energy of the enemy a choice beats; ``base`` has the own strength first."""
    current, masks, faction = combat_of(state), combat.masks_of(state), action.faction
    foe = OTHER[faction]

    def power(own: int, choice: CombatChoice, side: Faction) -> int:
        return combat.power(own, choice, choice.maneuver, masks[side], alone=current.alone[side])

    ours = power(base[0], CombatChoice(action.maneuver, action.energy), faction)
    limit = combat.energy_limit(state, foe)
    theirs = [power(base[1], CombatChoice(Maneuver.STANDARD, energy), foe) for energy in range(limit + 1)]
    # CBT-6: a tie is the attacker's.
    beaten = sum(ours > one or (ours == one and faction == current.attacker) for one in theirs)
    if beaten:
        yield Beats(ours, beaten - 1, limit)


def _of_answer(state: State, action: Action, faction: Faction) -> Iterator[Reason]:
    if isinstance(action, Block):
        yield Prevents()
    elif isinstance(action, Aid) and action.helper is not None:
        helped, alone = (combat.strengths(state, aid=aid)[0][faction] for aid in (True, False))
        yield Adds(helped - alone)
    elif isinstance(action, Lose) and action.unit is not None:
        region = state.target or combat_of(state).region
        there = [Unit(token.unit) for token in state.sides[faction][region] if token.unit is not None]
        lost = mask_of(preview.lost_by(state, action, faction))
        for unit in units_in(mask_of(there) & LEADERS & ~lost):
            yield KeepsLeader(unit)
        if len(there) > 1 and STRENGTH[action.unit] == min(STRENGTH[unit] for unit in there):
            yield Cheapest(action.unit, STRENGTH[action.unit])
    elif isinstance(action, Retreat):
        after = preview.shown(state, action, faction)
        if after.sides[faction][action.target]:
            belief = guess.think(state, faction, Random(HINT_SEED))  # noqa: S311
            yield Peril(action.target, _peril(after, belief, action.target))


_FORCED = frozenset({Phase.SETUP, Phase.OPENING, Phase.SUCCESSION})
"""Phases in which nothing is judged: the setup, and what programs answer."""


class StormAdviser(Adviser[State, Action, Rated]):
    """The computer that gives hints and judges decisions."""

    words = staticmethod(lambda view, action: notation.format_action(action))

    def rate(self, view: State, seat: Seat, seed: int, simulations: int) -> list[Rated]:
        """Return the ratings of what a seat may decide, the best first."""
        return rating.rate(view, FACTIONS[seat], Random(seed), simulations)  # noqa: S311

    def estimate(self, state: StormState, known: Known, seat: Seat, seed: int) -> float:
        """Return how likely a seat wins as things stand."""
        return rating.estimate_chance(owner_view(state, known), FACTIONS[seat], Random(seed))  # noqa: S311

    def candidate(self, view: State, seat: Seat, rated: Rated) -> Candidate:
        """Return a rated action with what speaks for it."""
        found = reasons(view, rated.action, FACTIONS[seat])
        return Candidate(notation.format_action(rated.action), rated.chance, rated.share, found)

    def named(self, rated: Sequence[Rated]) -> list[Rated]:
        """Return the first of some ratings.

        A reveal takes no action away, so it is named only where the computer would begin with it.
        """
        return [one for one in rated if one is rated[0] or not isinstance(one.action, Reveal)][:MOST]

    def stocks(self, state: StormState) -> tuple[tuple[int, ...], ...]:
        """Return the Honor and the Energy of both."""
        return tuple(state.game.honor), tuple(state.game.energy)

    def decided(self, steps: Iterable[Followed], seats: Sequence[Seat]) -> Iterator[tuple[Followed, list[Decided]]]:
        """Yield each step with what the seats have decided; of a divided group once its units are hidden again."""
        divided: list[Decided] = []
        for step in steps:
            seen = {seat: owner_view(step.before, known) for seat, known in zip(seats, step.knew, strict=True)}
            decided = list(_decided(step, seen))
            if isinstance(step.played.answer, Mixed) and divided:
                # Who of a divided group went is seen in what its owner hid again.
                known, regroup = step.know[seats.index(step.played.seat)], step.before.regroup
                gone = {known[slot] for slot in regroup.moved}
                decided = [one for one in divided if isinstance(one.action, Move) and set(one.action.units) == gone]
            divided = decided if len({one.seat for one in decided}) < len(decided) else []
            yield step, [] if divided else decided

    def find(self, rated: Sequence[Rated], action: Action) -> Rated | None:
        """Return the rating of an action, or of the one that is most like it: not all are listed."""
        for one in rated:
            if one.action == action:
                return one
        if isinstance(action, Fight):
            # Of the Energy only some amounts are rated.
            alike = [one for one in rated if isinstance(one.action, Fight) and one.action.maneuver == action.maneuver]
            return min(alike, key=lambda one: abs(_energy(one) - action.energy), default=None)
        if isinstance(action, Move):
            # Of a wanderer's ways to a region only the cheapest is rated.
            return next((one for one in rated if _ends(one.action) == _ends(action)), None)
        return None


def _decided(step: Followed, seen: dict[Seat, State]) -> Iterator[Decided]:
    """Yield what the seats have decided with one answer; several for one seat where the answer does not tell."""
    before: StormState = step.before
    if before.game.phase in _FORCED or before.deal is not None or before.regroup is not None:
        return
    for seat, decision in _made(step.played.answer, step.played.seat):
        if seat not in seen:
            continue
        state = seen[seat]
        actions = engine.legal_actions(state, FACTIONS[seat])
        meant = [one for one in actions if codec.encode(views.publish(state, one)) == decision]
        for action in meant or [codec.decode(decision)]:
            if len(actions) > 1:
                yield Decided(step.played.seq, state.number, seat, state, action)


def _made(answer: Answer | None, seat: Seat) -> Iterator[tuple[Seat, Decision]]:
    match answer:
        case Chosen(decision=decision):
            yield seat, decision
        case Unsealed(decisions=both):
            # The rules name who seals; a choice in a combat says whose it is.
            for one in both:
                choice = codec.decode(one)
                if isinstance(choice, Fight):
                    yield int(choice.faction), one
        case _:
            pass


def _energy(rated: Rated) -> int:
    assert isinstance(rated.action, Fight)
    return rated.action.energy


def _ends(action: Action) -> tuple[object, ...] | None:
    return (action.path[0], action.path[-1], action.movers, action.claim) if isinstance(action, Move) else None
