"""A state under change: what the rules decide on, and beside it the public record, which leaves a new frozen state.

Here is the bookkeeping of tokens, of openings that have to be waited for, and of events; prices and what follows from
what stand in the pipelines, which see the :class:`storm_p2p.storm.bitboard.Bitboard` alone.
"""

from collections.abc import Iterable, Sequence
from itertools import compress
from threading import local
from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Lose, Move, Reveal, Serial, Succeed
from storm_p2p.storm.bitboard import Bitboard, bits_of
from storm_p2p.storm.board import FACTIONS, OTHER, Faction, Region
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import (
    NOTHING,
    OPENING,
    SUCCESSION,
    Combat,
    CombatChoice,
    Group,
    Next,
    Side,
    State,
    Token,
    known_mask,
    mask,
    state_of,
    token_of,
)
from storm_p2p.storm.units import CHARMERS, CHARMING_SIDE, EVERY_MANEUVER, LEADING_SIDE, SECOND_LEADER, UNITS


class StateBuilder(Bitboard):
    """A mutable copy of a :class:`State` with the events so far.

    Attributes:
        open_cards: the state holds all units and forced openings happen at once instead of being asked for.
        lost: the tokens of the eliminated units that may come back.
        movers: the tokens that the present move takes along; empty in the public form of a partial move.
        barred: the units that everybody would have recognised among them.
    """

    __slots__ = (
        "barred", "declared", "due", "fresh", "happened", "lost", "movers", "open_cards", "pending", "sides", "terms",
        "then",
    )  # fmt: skip

    def __init__(self, state: State, *, open_cards: bool = False) -> None:
        (
            self.terms, phase, turn, number, honor, energy, sides, lost, gone, fresh, combat, target, due, then,
            pending, declared, outcome,
        ) = state  # fmt: skip
        super().__init__(open_combat=self.terms.open_combat, phase=phase, turn=turn, number=number)
        self.honor[:] = honor
        self.energy[:] = energy
        self.sides: list[Sequence[Group]] = list(sides)
        self.lost = lost
        self.fallen = mask(lost)
        self.gone = gone
        self.known = self._count(sides) | self.fallen | gone
        self.fresh = fresh
        self.target = target
        self.due = due
        self.then = then
        self.pending = pending
        self.declared = declared
        self.outcome = outcome
        self.happened: list[ev.Event] = []
        self.events = self.happened
        self.open_cards = open_cards
        self.movers: tuple[Token, ...] = ()
        self.barred = 0
        if combat is not None:
            self._take_combat(combat)

    def _count(self, sides: tuple[Side, Side]) -> int:
        """Note who stands where, and return the units that everybody knows."""
        known = 0
        for faction in FACTIONS:
            at, size = self.at[faction], self.size[faction]
            for region, group in enumerate(sides[faction]):
                if group and region:
                    size[region] = len(group)
                    bits = 0
                    for _, _, unit, open_, can in group:
                        if unit is not None:
                            bits |= 1 << unit
                        if open_:
                            known |= can
                    at[region] = bits
        return known

    def _take_combat(self, combat: Combat) -> None:
        self.region, self.attacker, self.origin = combat.region, combat.attacker, combat.origin or 0
        self.round, self.alone, self.aid, self.choices = combat.round, combat.alone, combat.aid, combat.choices
        self.losers, self.leavers, self.left = combat.losers, combat.leavers, combat.left
        self.doomed = 0
        if combat.doomed:
            group = [token for side in self.sides for token in side[combat.region] if token.serial in combat.doomed]
            self.doomed = mask(tuple(group))

    def build(self) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the new state and what happened."""
        ours, theirs = self.sides
        sides = (tuple(ours), tuple(theirs))
        self.sides = [*sides]
        state = state_of((
            self.terms, self.phase, self.turn, self.number, tuple(self.honor), tuple(self.energy),
            sides, self.lost, self.gone, self.fresh,
            self.combat if self.region else None, self.target, self.due, self.then, self.pending, self.declared,
            self.outcome,
        ))  # fmt: skip
        # It serves those who ask about the new state, until an action takes it over.
        _LATEST.looked = state, self
        return state, tuple(self.happened)

    @property
    def combat(self) -> Combat | None:
        """The combat that goes on, as a value."""
        if not self.region:
            return None
        first, second = [
            None if choice is None else CombatChoice(EVERY_MANEUVER[choice[0]], choice[1]) for choice in self.choices
        ]
        doomed: tuple[Serial, ...] = ()
        if self.doomed:
            tokens = [token for side in self.sides for token in side[self.region]]
            doomed = tuple([token.serial for token in tokens if self.doomed & known_mask((token,))])
        return Combat(
            self.region,
            self.attacker,
            self.origin or None,
            self.round,
            self.alone,
            self.aid,
            (first, second),
            self.losers,
            doomed,
            self.leavers,
            self.left,
        )

    # -- tokens -----------------------------------------------------------------------------------------

    def groups(self, faction: Faction) -> list[Group]:
        """Return the groups of a faction by region, to be changed."""
        side = self.sides[faction]
        if not isinstance(side, list):
            side = self.sides[faction] = list(side)
        return side

    def put(self, faction: Faction, region: Region, group: Iterable[Token]) -> None:
        """Let a region's group of a faction be ``group``."""
        group = self.groups(faction)[region] = tuple(sorted(group))
        if region:
            self.at[faction][region], self.size[faction][region] = mask(group), len(group)

    def locate(self, serial: Serial) -> tuple[Region, Token]:
        """Return where a token stands and the token itself."""
        for side in self.sides:
            for region, group in enumerate(side):
                if group:
                    for token in group:
                        if token.serial == serial:
                            return region, token
        raise IllegalAction("no-such-token", "expected a token in play, got number {number}", number=serial)

    def tokens(self, units: int) -> list[tuple[Region, Token]]:
        """Return the tokens of known units with where they stand, one side after the other, by ascending serial."""
        found = [
            (region, token)
            for side in self.sides
            for region, group in enumerate(side)
            for token in group
            if token.unit is not None and units >> token.unit & 1
        ]
        return sorted(found, key=lambda one: one[1][1::-1])

    def bits(self, mask: int) -> list[int]:
        """Return the single units of a mask by faction and ascending serial."""
        if mask & mask - 1 == 0:
            return bits_of(mask)
        fallen = [token for token in self.lost if token.unit is not None and mask >> token.unit & 1]
        found = [*[token for _, token in self.tokens(mask)], *fallen]
        return [1 << token.unit for token in found if token.unit is not None]

    def shift(self, faction: Faction, origin: Region, target: Region, movers: int, count: int) -> None:
        """Move tokens from one region to another: those of the present move, or the whole group."""
        super().shift(faction, origin, target, movers, count)
        groups = self.groups(faction)
        group = groups[origin]
        going = group if count == len(group) else self.movers
        groups[origin] = () if going is group else tuple([token for token in group if token not in going])
        groups[target] = tuple(sorted((*groups[target], *going))) if groups[target] else tuple(going)

    def divide(self, faction: Faction, origin: Region, target: Region, movers: int, count: int) -> None:
        """Move part of a group so that nobody can tell which part (REV-4, A-09).

        All its tokens come under fresh serials.  ``movers`` is empty in the public form; then the units stay unknown.
        """
        groups = self.groups(faction)
        group = groups[origin]
        old = tuple([token.serial for token in group])
        can = 0
        for token in group:
            can |= token.can
        stayers = [token for token in group if token not in self.movers] if self.movers else []
        numbers = tuple(range(self.fresh, self.fresh + len(group)))
        self.fresh += len(group)
        units = _by_unit(self.movers, count) + _by_unit(stayers, len(group) - count)
        moved, stayed = numbers[:count], numbers[count:]
        self.known &= ~known_mask(group)
        # Fresh serials are higher than all others, so the groups stay in order.
        groups[target] += tuple(
            [
                token_of((serial, faction, unit, False, can & ~self.barred))
                for serial, unit in zip(moved, units, strict=False)
            ]
        )
        groups[origin] = tuple(
            [token_of((serial, faction, unit, False, can)) for serial, unit in zip(stayed, units[count:], strict=True)]
        )
        for region in (origin, target):
            self.at[faction][region], self.size[faction][region] = mask(groups[region]), len(groups[region])
        self.note(ev.Rehidden, faction, old, moved, stayed)

    # -- openings ---------------------------------------------------------------------------------------

    def ask(
        self,
        tokens: Iterable[tuple[Region, Token]],
        then: Next,
        pending: Action | None = None,
        declared: tuple[bool, int] | None = None,
    ) -> bool:
        """Have tokens of one faction, with their regions, opened; return whether the pipeline has to wait for that."""
        closed = [(region, token) for region, token in tokens if not token.known]
        if not closed:
            return False
        if self.open_cards:
            for region, token in closed:
                assert token.unit is not None
                self.reveal(region, token, token.unit, self.cause(pending))
            return False
        self.phase = OPENING
        self.due = tuple(token.serial for _, token in closed)
        self.then, self.pending, self.declared = then, pending, declared
        return True

    def cause(self, pending: Action | None) -> str:
        """Return why tokens are opened: what waits for it says so; an attack shows as its combat would (CBT-1)."""
        match pending:
            case None:
                return "contact"
            case Move(path=path) if self.sides[OTHER[self.turn]][path[-1]]:
                return "contact"
            case Succeed():
                return "succession"
            case Reveal():
                return "choice"
            case Lose():
                return "hit"
            case _:
                return "power"

    def settle(self) -> None:
        """Forget what was waited for."""
        self.due, self.then, self.pending, self.declared = (), NOTHING, None, None

    def reveal(self, region: Region, token: Token, unit: int, cause: str) -> None:
        """Make a token known to everybody; ``cause`` is why (:meth:`cause`)."""
        bit = 1 << unit
        if not token.can & bit:
            raise IllegalAction(
                "wrong-opening",
                "expected another unit than {unit} under token {number} in {region}",
                unit=UNITS[unit],
                number=token.serial,
                region=region,
            )
        faction = FACTIONS[token.faction]
        opened = token_of((token.serial, faction, unit, True, bit))
        groups = self.groups(faction)
        # A unit stands in one place only, so no other token can be it any longer.
        for place, group in compress(enumerate(groups), groups):
            for one in group:
                if one.can & bit:
                    groups[place] = tuple(
                        [token_of((serial, faction, its, known, can & ~bit)) for serial, _, its, known, can in group]
                    )
                    break
        groups[region] = tuple([opened if other.serial == opened.serial else other for other in groups[region]])
        self.known |= bit
        if region:
            self.at[faction][region] |= bit
        self.note(ev.Revealed, faction, token.serial, UNITS[unit], region, cause)

    def open_all(self, faction: Faction, region: Region, then: Next) -> bool:
        """Have all tokens of a faction in a region opened; return whether ``then`` has to wait for that."""
        return self.ask([(region, token) for token in self.sides[faction][region]], then)

    def open_heir(self, then: Next) -> bool:
        """Ask for the second leader: only her owner can say which token she is (PER-3, A-53)."""
        self.phase, self.then = SUCCESSION, then
        self.heir_wanted = False
        return True

    def can_inherit(self) -> bool:
        """Return whether a hidden token in play can be the second leader, as far as everybody knows."""
        return any(
            not token.known and token.can & SECOND_LEADER for group in self.sides[LEADING_SIDE][1:] for token in group
        )

    def may_charm(self, regions: Sequence[Region]) -> bool:
        """Return whether a hidden token in one of the regions can be a charmer, as far as everybody knows (A-34)."""
        return any(find_charmers(self.sides[CHARMING_SIDE][region]) for region in regions)

    # -- eliminations and ends --------------------------------------------------------------------------

    def eliminate(self, region: Region, victims: Sequence[tuple[int, str]], for_good: int = 0) -> None:
        """Take known tokens off the board together."""
        lost = 0
        for units, cause in victims:
            lost |= units
            for token in [*self.sides[0][region], *self.sides[1][region]]:
                if token.known and token.can & units:
                    unit, ever = UNITS[token.can.bit_length() - 1], bool(token.can & for_good)
                    if not ever:
                        self.lost = tuple(sorted((*self.lost, token)))
                    self.note(ev.Eliminated, unit, region, ever, cause)
        for faction in FACTIONS:
            groups = self.groups(faction)
            groups[region] = tuple([token for token in groups[region] if not (token.known and token.can & lost)])
        super().eliminate(region, victims, for_good)

    def bring_back(self, faction: Faction, region: Region, unit: int) -> None:
        """Put the token of an eliminated unit on the board."""
        super().bring_back(faction, region, unit)
        back = [token for token in self.lost if token.can & unit]
        self.lost = tuple([token for token in self.lost if not token.can & unit])
        self.put(faction, region, [*self.sides[faction][region], *back])

    def end(self, winner: str, reason: str) -> None:
        """End the game: nothing is waited for any longer."""
        if self.outcome is None:
            self.settle()
        super().end(winner, reason)

    def begin_turn(self) -> None:
        """Give the turn to the other side; nothing is waited for any longer."""
        self.settle()
        super().begin_turn()


class _Latest(local):
    """The state that was built or looked at last, with its board: most states are asked about at once, then left.

    Each thread has its own, so nobody changes a board while somebody else asks it.
    """

    looked: tuple[State | None, StateBuilder | None] = None, None


_LATEST: Final = _Latest()


def look(state: State) -> StateBuilder:
    """Return a state as a board to be asked, which its caller leaves as it is."""
    looked, builder = _LATEST.looked
    if looked is not state or builder is None:
        builder = StateBuilder(state)
        _LATEST.looked = state, builder
    return builder


def take(state: State, *, open_cards: bool) -> StateBuilder:
    """Return a state as a board that its caller changes."""
    looked, builder = _LATEST.looked
    if looked is not state or builder is None:
        return StateBuilder(state, open_cards=open_cards)
    _LATEST.looked = None, None
    builder.open_cards = open_cards
    builder.movers, builder.barred, builder.heir_wanted, builder.paths = (), 0, False, {}
    builder.events = builder.happened = []
    return builder


def find_charmers(group: Group) -> list[Token]:
    """Return the hidden tokens of a group that could be a charmer, as far as everybody knows (A-34)."""
    return [token for token in group if not token.known and token.can & CHARMERS]


def _by_unit(tokens: Sequence[Token], count: int) -> list[int | None]:
    """Return the units of tokens in the order of the table, so that the order of the old serials is lost."""
    units: list[int | None] = [token.unit for token in tokens] if tokens else [None] * count
    if count > 1:
        units.sort(key=lambda unit: -1 if unit is None else unit)
    return units
