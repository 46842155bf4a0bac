"""A game with all cards for searches and random play: copied in a moment, its actions are numbers.

The rules are those of the engine, asked about the same masks; only the public record is missing.  So nobody remembers
what everybody can rule out of a token: where the engine asks for help from next door that nobody can give (A-34), an
arena goes on at once.

    for guess in views.guesses(view, seat, rng):
        game = arena.of(view, guess)
        action = rng.choice(game.actions())
        game.push(action)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import compress
from typing import Final

from storm_p2p.storm import engine, views
from storm_p2p.storm.actions import Action, Serial
from storm_p2p.storm.bitboard import Bitboard, bits_of
from storm_p2p.storm.board import FACTIONS, OTHER, REALM, Faction, Region
from storm_p2p.storm.rules import action_codes as codes
from storm_p2p.storm.rules import combat, movement, options, powers, rounds, setup
from storm_p2p.storm.rules.action_codes import Code, Part
from storm_p2p.storm.rules.honor import MOST_IN_REGION, STYX_ENERGY
from storm_p2p.storm.rules.move_list import CROWDS, Entry, list_turn
from storm_p2p.storm.rules.options import honor_of, list_answers, list_choices
from storm_p2p.storm.rules.path_search import LOST, PAID, SPENT, Way, read_way
from storm_p2p.storm.state import FIGHT, LOSE, OPENING, OVER, SETUP, SNEAK, SUCCESSION, TURN, State, Terms
from storm_p2p.storm.state_builder import StateBuilder

__all__ = ["Arena", "Code", "begin", "honor_of", "of"]


class Arena(Bitboard):
    """A game with all cards that is changed in place."""

    __slots__ = ()

    def copy(self) -> Arena:
        """Return the same game once more."""
        new = Arena.__new__(Arena)
        _copy(self, new)
        return new

    def deciders(self) -> tuple[Faction, ...]:
        """Return who decides now; both for simultaneous choices, nobody when the game is over."""
        return () if self.phase is OVER else combat.deciders(self)

    def actions(self, seat: int | None = None) -> Sequence[Code]:
        """Return every legal action of a seat, of the first one that decides if none is named."""
        phase = self.phase
        if phase is TURN:
            if seat is not None and seat != self.turn:
                return []
            found: list[Code] = []
            for part in list_turn(self, self._entries()):
                found += part.codes
            return found
        deciding = self.deciders()
        if not deciding or (seat is not None and seat not in deciding):
            return []
        if phase is FIGHT:
            return list_choices(self, deciding[0] if seat is None else FACTIONS[seat])
        return list_answers(self)

    def _entries(self) -> list[Entry]:
        """Return what the groups of the side to move can do."""
        known, found, at = self.known, [], self.at[self.turn]
        tables = _ENTRIES[self.turn][self.open_combat]
        for origin, group in compress(enumerate(at), at):
            entries = tables[origin]
            found.append(entries.get((group & known) << 24 | group) or self._make_entry(origin, entries, group))
        return found

    def _make_entry(self, origin: Region, entries: dict[int, Entry], group: int) -> Entry:
        known = group & self.known
        members = tuple([bit.bit_length() - 1 << 1 | bool(bit & known) for bit in bits_of(group)])
        if len(entries) >= MOST_ENTRIES:
            entries.clear()
        entry = entries[known << 24 | group] = Entry(self.turn, self.open_combat, origin, members)
        return entry

    def push(self, code: Code) -> None:
        """Carry out one of :meth:`actions`, and what the rules then force.

        Whoever an action names is open from then on (TRN-7), as the engine has it opened.
        """
        kind = code & codes.KIND
        if kind == codes.MOVE:
            self._move(code)
        elif kind == codes.CHOOSE:
            rounds.fight(self, FACTIONS[code >> codes.FACTION & 1], (code >> codes.MANEUVER & 7, code >> codes.ENERGY))
        elif kind in _OF_TURN:
            self._act(kind, code)
        else:
            self._answer(kind, code)

    def _move(self, code: Code) -> None:
        origin, target = code >> codes.ORIGIN & 31, code >> codes.TARGET & 31
        parts = find_parts(self.at[self.turn][origin])
        movers, claim = parts[code >> codes.PART & 15], code >> codes.CLAIM & 7
        self.known |= movement.find_shown(
            code & 1 << codes.ATTACK != 0, 1, movers, parts[1 << claim - 1] if claim else 0
        )
        legs = ((honor_of(code), (code >> codes.STYX & 15) * STYX_ENERGY),)
        movement.go(
            self,
            origin,
            target,
            origin,
            movers,
            movers.bit_count(),
            legs,
            code & 1 << codes.DIVIDES != 0,
            code & 1 << codes.STEALTH != 0,
            code >> codes.GAIN & 15,
            code >> codes.TAKE & 15,
        )

    def _act(self, kind: int, code: Code) -> None:
        """Do what else a side may do in its turn."""
        origin, target = code >> codes.ORIGIN & 31, code >> codes.TARGET & 31
        unit = find_parts(self.at[self.turn][origin])[code >> codes.PART & 15] if origin else 0
        self.known |= unit
        if kind == codes.REVEAL:
            # a leader may be revealed in the Palace.
            self.reach_palace()
        elif kind == codes.WANDER:
            legs = movement.walk(self, read_way(self.find_way(code)), unit)
            last, prices = legs[-1], [(leg.honor, leg.energy) for leg in legs]
            movement.go(self, origin, last.target, last.origin, unit, 1, prices)
        elif kind == codes.PRAY:
            powers.liturgy(self)
        elif kind == codes.THROW:
            powers.bolt(self, unit, target)
        elif kind == codes.CALL:
            powers.recall(self, unit, 1 << target - 1)
        else:
            powers.do_pass(self)

    def _answer(self, kind: int, code: Code) -> None:
        number, fed = code >> codes.UNIT & 31, code >> codes.TARGET & 31
        unit = 1 << number - 1 if number else 0
        if kind == codes.LEAVE:
            rounds.retreat(self, fed)
            return
        if kind == codes.REMAIN:
            rounds.stay(self)
            return
        self.known |= unit
        if kind == codes.HELP:
            rounds.aid(self, helps=unit != 0)
        elif kind == codes.BLOCK:
            powers.sneak_answer(self, unit, block=True)
        elif kind == codes.DEFY:
            # Who claims that nobody there can be hit shows all of them.
            self.known |= self.at[OTHER[self.turn]][self.target]
            powers.defy_bolt(self, unit)
        elif self.phase == LOSE:
            rounds.lose(self, unit)
        elif self.phase == SNEAK:
            powers.sneak_answer(self, unit, block=False)
        else:
            claimant = 1 << fed - 1 if fed else 0
            self.known |= claimant
            powers.bolt_answer(self, unit, claimant)

    def number_ways(self, acting: Code, ways: list[Way], standing: bytes) -> Part:
        """Return the ways of a wanderer as part of a list, each under a number, and note them."""
        going = acting | codes.WANDER | codes.FREE
        found = [going + _AIMS[way & 31][standing[way & 31]] + _booked(way >> PAID) for way in ways]
        part = Part(found, tuple(ways))
        self.paths = {**self.paths, acting: part}
        return part

    def find_way(self, code: Code) -> Way:
        """Return the way that a wanderer takes by one of :meth:`actions`."""
        actors = code & codes.ACTORS
        part = self.paths.get(actors)
        if part is None or code not in part.codes:
            self.actions()
            part = self.paths[actors]
        return part.ways[part.codes.index(code)]

    def told(self, state: State, code: Code) -> Action:
        """Return one of :meth:`actions` as an action of the engine, in a state that knows the units of who acts."""
        builder = StateBuilder(state)
        origin = code >> codes.ORIGIN & 31
        if code & codes.KIND in _OF_TURN and origin:
            # The list of a state has another order of the units in a group.
            bits = bits_of(self.at[self.turn][origin])
            units = [token.unit for token in builder.sides[self.turn][origin]]
            place = [units.index(bit.bit_length() - 1) for bit in bits]
            part = sum(1 << place[one] for one in range(len(bits)) if code >> codes.PART >> one & 1)
            claim = code >> codes.CLAIM & 7
            same = (
                code & ~(15 << codes.PART | 7 << codes.CLAIM)
                | part << codes.PART
                | (place[claim - 1] + 1 if claim else 0) << codes.CLAIM
            )
            ways = (self.find_way(code),) if code & codes.KIND == codes.WANDER else ()
            return options.tell(builder, same, ways)
        return options.tell(builder, code)


_AIMS: Final = tuple(
    tuple(target << codes.TARGET | (crowd > MOST_IN_REGION) << codes.ATTACK for crowd in range(CROWDS))
    for target in range(25)
)
"""What a goal, and who stands there, add to the number of an action."""


@cache
def _booked(cost: int) -> Code:
    """Return what the cost of a way, without its steps, adds to the number of an action that costs nothing."""
    return ((cost & SPENT) // STYX_ENERGY << codes.STYX) - (cost >> LOST - PAID << codes.HONOR)


_OF_TURN: Final = frozenset((codes.MOVE, codes.WANDER, codes.REVEAL, codes.THROW, codes.CALL, codes.PRAY, codes.IDLE))


_ENTRIES: Final[tuple[tuple[tuple[dict[int, Entry], ...], ...], ...]] = tuple(
    tuple(tuple({} for _ in range(25)) for _ in (False, True)) for _ in FACTIONS
)
"""By faction, variant and region: what a group can do, by its units and the known ones among them."""
MOST_ENTRIES: Final = 1 << 12


@cache
def find_parts(group: int) -> tuple[int, ...]:
    """Return the units in each part of a group, by the mask of their places."""
    bits = bits_of(group)
    return tuple([sum(bit for place, bit in enumerate(bits) if part >> place & 1) for part in range(1 << len(bits))])


def of(view: State, guess: Mapping[Serial, int] | None = None) -> Arena:
    """Return the game of a view with the hidden units that ``guess`` gives; together they have to know all in play.

    What the rules force is done at once: openings, and the succession.

    Raises:
        ValueError: the sides have not set up yet.
    """
    state = views.with_secrets(view, guess or {})
    if state.phase == SETUP:
        raise ValueError("expected a game in which both sides have set up")
    while state.phase in (OPENING, SUCCESSION):
        request = engine.next_request(state)
        assert request is not None
        state, _ = engine.play(state, engine.legal_actions(state, request.seats[0])[0])
    board = StateBuilder(state)
    new = Arena(open_combat=board.open_combat, phase=board.phase, turn=board.turn, number=board.number)
    _copy(board, new)
    new.events = None
    return new


def begin(terms: Terms, setups: Sequence[Sequence[int]]) -> Arena:
    """Return a game in which both sides have set up: twelve units each, in the order of an action ``Place``.

    Raises:
        IllegalAction: the rules refuse a setup.
    """
    new = Arena(open_combat=terms.open_combat, phase=TURN, turn=FACTIONS[0], number=1)
    new.honor[:] = terms.start_honor
    new.energy[:] = [setup.START_ENERGY] * len(FACTIONS)
    for faction in FACTIONS:
        refusal = setup.check_units(faction, setups[faction], random=terms.random_setup)
        if refusal is not None:
            raise refusal
        for region, unit in zip(REALM[faction], setups[faction], strict=False):
            new.at[faction][region] = 1 << unit
            new.size[faction][region] = 1
    return new


def _copy(old: Bitboard, new: Bitboard) -> None:
    at, size = old.at, old.size
    new.at = (at[0][:], at[1][:])
    new.size = (size[0][:], size[1][:])
    new.honor = old.honor[:]
    new.energy = old.energy[:]
    new.open_combat = old.open_combat
    new.phase = old.phase
    new.turn = old.turn
    new.number = old.number
    new.known = old.known
    new.fallen = old.fallen
    new.gone = old.gone
    new.target = old.target
    new.outcome = old.outcome
    new.heir_wanted = old.heir_wanted
    new.events = None
    new.paths = old.paths
    new.region = old.region
    new.attacker = old.attacker
    new.origin = old.origin
    new.round = old.round
    new.alone = old.alone
    new.aid = old.aid
    new.choices = old.choices
    new.losers = old.losers
    new.doomed = old.doomed
    new.leavers = old.leavers
    new.left = old.left
