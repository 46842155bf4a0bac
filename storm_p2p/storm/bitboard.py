"""A game as masks and small numbers: who stands where, what is known, Honor, Energy, what is asked.

The rules of :mod:`storm_p2p.storm.rules` decide on this alone.  What only the public record needs (serials, what a
token can be, events, openings that have to be waited for) is kept beside it by
:class:`storm_p2p.storm.state_builder.StateBuilder`, which fills in the methods that touch units.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVarTuple, cast

from storm_p2p.storm import events as ev
from storm_p2p.storm.board import BASE, FACTIONS, OTHER, PALACE, Faction, Region
from storm_p2p.storm.rules.action_codes import FREE, WANDER, Code, Part
from storm_p2p.storm.state import OVER, TURN, Next, Outcome, Phase
from storm_p2p.storm.units import CHARMERS, CHARMING_SIDE, FIRST_LEADER, LEADERS, LEADING_SIDE, SECOND_LEADER

WINNERS: Final = ("chthonians", "olympians")

Facts = TypeVarTuple("Facts")
Choice: TypeAlias = tuple[int, int]
"""Maneuver and Energy."""


def bits_of(mask: int) -> list[int]:
    """Return the single bits of a mask, the lowest first."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit)
        mask ^= bit
    return found


_event_of: Final = cast("Callable[[Callable[[*Facts], ev.Event], tuple[*Facts]], ev.Event]", tuple.__new__)
"""Make an event of the tuple of its facts; see :data:`~storm_p2p.storm.state.token_of`."""


class Bitboard:
    """A game that is changed in place.

    Attributes:
        at: the units of each faction by region, as far as the holder knows them; region 0 stays empty.
        size: how many tokens of each faction stand in each region.
        known: the units that everybody knows, on the board or eliminated.
        fallen: the eliminated units that may come back.
        gone: the units eliminated for good.
        region: where the present combat is; 0 when there is none.
        origin: where its attack came from; 0 after a flight from a region that is not adjacent (FLY-6).
        round, alone, aid, choices, losers, leavers, left: see :class:`storm_p2p.storm.state.Combat`.
        doomed: the units that are eliminated together at the end of the round (A-50).
        heir_wanted: the first leader has fallen and the second has to be opened (A-53).
        events: what happened; None when nobody listens.
        paths: what wanderers may do, by who acts (:data:`~storm_p2p.storm.rules.action_codes.ACTORS`), as it was listed
            in this turn.
    """

    __slots__ = (
        "aid", "alone", "at", "attacker", "choices", "doomed", "energy", "events", "fallen", "gone", "heir_wanted",
        "honor", "known", "leavers", "left", "losers", "number", "open_combat", "origin", "outcome", "paths", "phase",
        "region", "round", "size", "target", "turn",
    )  # fmt: skip

    def __init__(self, *, open_combat: bool, phase: Phase, turn: Faction, number: int) -> None:
        self.open_combat = open_combat
        self.phase = phase
        self.turn = turn
        self.number = number
        self.honor: list[int] = [0, 0]
        self.energy: list[int] = [0, 0]
        self.at: tuple[list[int], ...] = ([0] * 25, [0] * 25)
        self.size: tuple[bytearray, ...] = (bytearray(25), bytearray(25))
        self.known = 0
        self.fallen = 0
        self.gone = 0
        self.target: Region = 0
        self.outcome: Outcome | None = None
        self.heir_wanted = False
        self.events: list[ev.Event] | None = None
        self.paths: dict[Code, Part] = {}
        self.start_combat(0, turn, 0)

    def start_combat(self, region: Region, attacker: Faction, origin: Region) -> None:
        """Begin a combat, or with region 0 forget the present one."""
        self.region = region
        self.attacker = attacker
        self.origin = origin
        self.start_round(0, (False, False), False)

    def start_round(self, number: int, alone: tuple[bool, ...], aid: bool) -> None:
        """Begin a round of the combat: nothing has been decided in it."""
        self.round = number
        self.alone: tuple[bool, ...] = alone
        self.aid = aid
        self.choices: tuple[Choice | None, ...] = (None, None)
        self.losers: tuple[Faction, ...] = ()
        self.doomed = 0
        self.leavers: tuple[Faction, ...] = ()
        self.left: tuple[tuple[Faction, int], ...] = ()

    def note(self, kind: Callable[[*Facts], ev.Event], *facts: *Facts) -> None:
        """Record what has happened, if somebody listens: an event of a kind, with its facts."""
        if self.events is not None:
            self.events.append(_event_of(kind, facts))

    # -- Honor and Energy -------------------------------------------------------------------------------

    def change_honor(self, faction: Faction, change: int, reason: str) -> None:
        """Change the Honor of a side; :meth:`passes` has to follow."""
        if change:
            self.honor[faction] += change
            if self.events is not None:
                self.note(ev.HonorChanged, faction, change, self.honor[faction], reason)

    def passes(self) -> bool:
        """Test the Honor of both sides and return whether the game goes on (END-4, END-5, A-27)."""
        ours, theirs = self.honor
        if ours >= 1 and theirs >= 1:
            return self.outcome is None
        if ours < 1 and theirs < 1:
            self.end("draw", "honor")
        else:
            self.end(WINNERS[OTHER[FACTIONS[0]] if ours < 1 else OTHER[FACTIONS[1]]], "honor")
        return False

    def charge(self, faction: Faction, change: int, reason: str) -> None:
        """Add to or take from a stock of Energy; whether it suffices was asked before (NRG-3)."""
        if change:
            self.energy[faction] += change
            self.note(ev.EnergyChanged, faction, change, self.energy[faction], reason)

    def end(self, winner: str, reason: str) -> None:
        """End the game."""
        if self.outcome is None:
            self.outcome = Outcome(winner, reason)
            self.phase = OVER
            self.region = 0
            self.target = 0
            self.heir_wanted = False
            self.note(ev.GameOver, self.outcome)

    # -- units ------------------------------------------------------------------------------------------

    def bits(self, mask: int) -> list[int]:
        """Return the single units of a mask, in the order in which they are listed."""
        return bits_of(mask)

    def shift(self, faction: Faction, origin: Region, target: Region, movers: int, count: int) -> None:
        """Move units from one region to another."""
        at, size = self.at[faction], self.size[faction]
        at[origin] ^= movers
        at[target] |= movers
        size[origin] -= count
        size[target] += count

    def divide(self, faction: Faction, origin: Region, target: Region, movers: int, count: int) -> None:
        """Move part of a group so that nobody can tell which part (REV-4, A-09)."""
        self.known &= ~self.at[faction][origin]
        self.shift(faction, origin, target, movers, count)

    def open_all(self, faction: Faction, region: Region, then: Next) -> bool:
        """Open all units of a faction in a region; return whether ``then`` has to wait for that."""
        self.known |= self.at[faction][region]
        return False

    def open_heir(self, then: Next) -> bool:
        """Open the second leader; return whether ``then`` has to wait for that (PER-3, A-53)."""
        self.heir_wanted = False
        for units in self.at[LEADING_SIDE]:
            heirs = units & SECOND_LEADER & ~self.known
            if heirs:
                self.known |= heirs & -heirs
                break
        return False

    def may_charm(self, regions: Sequence[Region]) -> bool:
        """Return whether a hidden unit in one of the regions can be a charmer, as far as everybody knows (A-34).

        Nobody here remembers what everybody can rule out, so the answer is whether there is one.
        """
        found = 0
        for region in regions:
            found |= self.at[CHARMING_SIDE][region]
        return found & CHARMERS & ~self.known != 0

    def can_inherit(self) -> bool:
        """Return whether somebody hidden in play can be the second leader, as far as everybody knows."""
        found = 0
        for units in self.at[LEADING_SIDE]:
            found |= units
        return found & SECOND_LEADER & ~self.known != 0

    def eliminate(self, region: Region, victims: Sequence[tuple[int, str]], for_good: int = 0) -> None:
        """Take known units off the board together, each lot with why, and look at the leaders (END-3, A-50, A-53)."""
        lost = 0
        for units, _ in victims:
            lost |= units
        for faction in FACTIONS:
            units = self.at[faction][region] & lost
            self.at[faction][region] ^= units
            self.size[faction][region] -= units.bit_count()
        self.fallen |= lost & ~for_good
        self.gone |= lost & for_good
        if lost & LEADERS:
            self._look_for_leaders()

    def _look_for_leaders(self) -> None:
        lost = self.fallen | self.gone
        if FIRST_LEADER & ~lost:
            return
        # END-3.
        if not SECOND_LEADER & ~lost:
            self.end("olympians", "leaders")
            return
        # PER-3: revealed already, or she has to be opened now.
        for units in self.at[LEADING_SIDE]:
            if units & SECOND_LEADER & self.known:
                return
        if self.can_inherit():
            self.heir_wanted = True
        else:
            self.end("olympians", "leaders")

    def bring_back(self, faction: Faction, region: Region, unit: int) -> None:
        """Put an eliminated unit on the board; it stands there for all to see (A-10)."""
        self.fallen &= ~unit
        self.at[faction][region] |= unit
        self.size[faction][region] += 1

    def reach_palace(self) -> bool:
        """End the game if a known Chthonian leader is in the Palace (END-1, A-25); return whether it has ended."""
        if self.at[LEADING_SIDE][PALACE] & LEADERS & self.known:
            self.end("chthonians", "palace")
        return self.outcome is not None

    def number_ways(self, acting: Code, ways: list[int], standing: bytes) -> Part:
        """Return the ways of a wanderer as part of a list; here one number says who goes any of them.

        Args:
            acting: who goes, in the numbers.
            ways: the ways (:data:`storm_p2p.storm.rules.path_search.Way`).
            standing: who stands where (:func:`storm_p2p.storm.rules.move_list.crowds`).
        """
        return Part((acting | WANDER | FREE,), tuple(ways))

    def begin_turn(self) -> None:
        """Give the turn to the other side and take its loss for an occupied base (TRN-1, TRN-4, BAS-1)."""
        ended = self.turn
        self.turn = OTHER[ended]
        self.number += 1
        self.phase = TURN
        self.target = 0
        self.paths = {}
        if self.events is not None:
            self.note(ev.TurnBegan, self.turn, self.number)
        intruders = self.size[ended][BASE[self.turn]]
        # before anything else, and tested.
        if intruders:
            self.change_honor(self.turn, -intruders, "base")
            self.passes()
