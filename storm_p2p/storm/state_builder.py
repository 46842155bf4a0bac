"""A state under change: the pipelines work on a builder and leave a new frozen state behind.

Here is bookkeeping (Honor and Energy with their tests, tokens, openings) and the end of a game; prices and
what follows from what stand in the pipelines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Action, Lose, Move, Reveal, Serial, Succeed
from storm_p2p.storm.board import BASE, FACTIONS, OTHER, PALACE, Faction, Region
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import (
    NOTHING,
    OPENING,
    OVER,
    TURN,
    Group,
    Next,
    Outcome,
    State,
    Token,
    mask,
    state_of,
    token_of,
)
from storm_p2p.storm.units import FIRST_LEADER, LEADERS, LEADING_SIDE, SECOND_LEADER, UNITS

WINNERS: Final = ("chthonians", "olympians")


class StateBuilder:
    """A mutable copy of a :class:`State` with the events so far.

    Attributes:
        open_cards: the state holds all units and forced openings happen at once instead of being asked for.
        heir_wanted: the first leader has fallen and the second may be hidden (A-53).
    """

    __slots__ = (
        "combat", "declared", "due", "energy", "events", "fallen", "fresh", "gone", "heir_wanted", "honor", "number",
        "open_cards", "outcome", "pending", "phase", "sides", "target", "terms", "then", "turn",
    )  # fmt: skip

    def __init__(self, state: State, *, open_cards: bool = False) -> None:
        (
            self.terms, self.phase, self.turn, self.number, honor, energy, sides, self.fallen, self.gone, self.fresh,
            self.combat, self.target, self.due, self.then, self.pending, self.declared, self.outcome,
        ) = state  # fmt: skip
        self.honor = list(honor)
        self.energy = list(energy)
        self.sides: list[Sequence[Group]] = list(sides)
        self.events: list[ev.Event] = []
        self.open_cards = open_cards
        self.heir_wanted = False

    def build(self) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the new state and what happened."""
        ours, theirs = self.sides
        state = state_of((
            self.terms, self.phase, self.turn, self.number, tuple(self.honor), tuple(self.energy),
            (tuple(ours), tuple(theirs)), self.fallen, self.gone, self.fresh,
            self.combat, self.target, self.due, self.then, self.pending, self.declared, self.outcome,
        ))  # fmt: skip
        return state, tuple(self.events)

    # -- Honor and Energy -------------------------------------------------------------------------------

    def book(self, changes: Iterable[tuple[Faction, int, str]]) -> bool:
        """Book changes of Honor that happen together, test, and return whether the game goes on (A-27)."""
        for faction, change, reason in changes:
            if change:
                self.honor[faction] += change
                self.events.append(ev.HonorChanged(faction, change, self.honor[faction], reason))
        ours, theirs = self.honor
        # END-5, END-4.
        if ours < 1 and theirs < 1:
            self.end("draw", "honor")
        elif ours < 1:
            self.end(WINNERS[OTHER[FACTIONS[0]]], "honor")
        elif theirs < 1:
            self.end(WINNERS[OTHER[FACTIONS[1]]], "honor")
        return self.outcome is None

    def charge(self, faction: Faction, change: int, reason: str) -> None:
        """Add to or take from a stock of Energy; whether it suffices was asked before (NRG-3)."""
        if change:
            self.energy[faction] += change
            self.events.append(ev.EnergyChanged(faction, change, self.energy[faction], reason))

    def end(self, winner: str, reason: str) -> None:
        """End the game."""
        if self.outcome is None:
            self.outcome = Outcome(winner, reason)
            self.phase = OVER
            self.combat = None
            self.target = 0
            self.settle()
            self.heir_wanted = False
            self.events.append(ev.GameOver(self.outcome))

    # -- tokens -----------------------------------------------------------------------------------------

    def groups(self, faction: Faction) -> list[Group]:
        """Return the groups of a faction by region, to be changed."""
        side = self.sides[faction]
        if not isinstance(side, list):
            side = self.sides[faction] = list(side)
        return side

    def put(self, faction: Faction, region: Region, group: Iterable[Token]) -> None:
        """Let a region's group of a faction be ``group``."""
        self.groups(faction)[region] = tuple(sorted(group))

    def shift(self, faction: Faction, origin: Region, target: Region, movers: Sequence[Token]) -> None:
        """Move tokens from one region to another."""
        groups = self.groups(faction)
        if len(movers) == len(groups[origin]):
            groups[origin] = ()
        else:
            groups[origin] = tuple([token for token in groups[origin] if token not in movers])
        groups[target] = tuple(sorted((*groups[target], *movers))) if groups[target] else tuple(movers)

    def locate(self, serial: Serial) -> tuple[Region, Token]:
        """Return where a token stands and the token itself."""
        for side in self.sides:
            for region, group in enumerate(side):
                if group:
                    for token in group:
                        if token.serial == serial:
                            return region, token
        raise IllegalAction("no-such-token", "expected a token in play, got number {number}", number=serial)

    def divide(
        self, faction: Faction, origin: Region, target: Region, movers: Sequence[Token], count: int, barred: int
    ) -> None:
        """Move part of a group so that nobody can tell which part (REV-4, A-09).

        All its tokens come under fresh serials.  ``movers`` is empty in the public form; then the units stay
        unknown.  ``barred`` holds the units that everybody would have recognised among the movers.
        """
        groups = self.groups(faction)
        group = groups[origin]
        old = tuple([token.serial for token in group])
        can = 0
        for token in group:
            can |= token.can
        stayers = [token for token in group if token not in movers] if movers else []
        numbers = tuple(range(self.fresh, self.fresh + len(group)))
        self.fresh += len(group)
        units = _by_unit(movers, count) + _by_unit(stayers, len(group) - count)
        moved, stayed = numbers[:count], numbers[count:]
        # Fresh serials are higher than all others, so the groups stay in order.
        groups[target] += tuple([
            token_of((serial, faction, unit, False, can & ~barred))
            for serial, unit in zip(moved, units, strict=False)
        ])  # fmt: skip
        groups[origin] = tuple([
            token_of((serial, faction, unit, False, can)) for serial, unit in zip(stayed, units[count:], strict=True)
        ])  # fmt: skip
        self.events.append(ev.Rehidden(faction, old, moved, stayed))

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
                "wrong-opening", "expected another unit than {unit} under token {number} in {region}",
                unit=UNITS[unit], number=token.serial, region=region,
            )
        faction = FACTIONS[token.faction]
        opened = token_of((token.serial, faction, unit, True, bit))
        groups = self.groups(faction)
        # A unit stands in one place only, so no other token can be it any longer.
        for place, group in enumerate(groups):
            if group:
                groups[place] = tuple([
                    token_of((serial, faction, its, known, can & ~bit)) for serial, _, its, known, can in group
                ])  # fmt: skip
        groups[region] = tuple([opened if other.serial == opened.serial else other for other in groups[region]])
        self.events.append(ev.Revealed(faction, token.serial, UNITS[unit], region, cause))

    # -- eliminations and ends --------------------------------------------------------------------------

    def eliminate(self, victims: Sequence[tuple[Region, Token, str]], for_good: int = 0) -> None:
        """Take known tokens off the board together, each with why, and look at the leaders (END-3, A-50, A-53)."""
        lost = 0
        for region, token, cause in victims:
            faction = FACTIONS[token.faction]
            assert token.unit is not None
            bit = 1 << token.unit
            lost |= bit
            self.put(faction, region, [other for other in self.sides[faction][region] if other != token])
            if bit & for_good:
                self.gone |= bit
            else:
                self.fallen = tuple(sorted((*self.fallen, token)))
            self.events.append(ev.Eliminated(UNITS[token.unit], region, bool(bit & for_good), cause))
        if lost & LEADERS:
            self._leaders()

    def _leaders(self) -> None:
        lost = mask(self.fallen) | self.gone
        if FIRST_LEADER & ~lost:
            return
        # END-3.
        if not SECOND_LEADER & ~lost:
            self.end("olympians", "leaders")
            return
        # PER-3: revealed already, or she has to be opened now.
        own = [token for group in self.sides[LEADING_SIDE][1:] for token in group]
        if any(token.known and token.can & SECOND_LEADER for token in own):
            return
        if any(not token.known and token.can & SECOND_LEADER for token in own):
            self.heir_wanted = True
        else:
            self.end("olympians", "leaders")

    def palace_reached(self) -> bool:
        """End the game if a known Chthonian leader is in the Palace (END-1, A-25); return whether it ended."""
        for token in self.sides[LEADING_SIDE][PALACE]:
            if token.known and token.can & LEADERS:
                self.end("chthonians", "palace")
        return self.outcome is not None

    def begin_turn(self) -> None:
        """Give the turn to the other side and take its loss for an occupied base (TRN-1, TRN-4, BAS-1)."""
        self.turn = OTHER[self.turn]
        self.number += 1
        self.phase = TURN
        self.target = 0
        self.settle()
        self.events.append(ev.TurnBegan(self.turn, self.number))
        intruders = len(self.sides[OTHER[self.turn]][BASE[self.turn]])
        # before anything else, and tested.
        if intruders:
            self.book([(self.turn, -intruders, "base")])


def _by_unit(tokens: Sequence[Token], count: int) -> list[int | None]:
    """Return the units of tokens in the order of the table, so that the order of the old serials is lost."""
    units: list[int | None] = [token.unit for token in tokens] if tokens else [None] * count
    if count > 1:
        units.sort(key=lambda unit: -1 if unit is None else unit)
    return units
