"""The state of a game as frozen values; no rules (docs/rules.md, "The engine").

One type serves all three views.  In the public state a token's ``unit`` is None until it has been opened; an
owner's or a full view has the secret units filled in while ``known`` stays false.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeAlias, cast

from storm_p2p.storm.actions import Action, Serial
from storm_p2p.storm.board import Faction, Region
from storm_p2p.storm.units import FACTION, Maneuver, Unit

START_HONOR: Final = 16
"""SET-5."""
OPEN_HONOR: Final = 10
"""VAR-4."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What both players agreed on beside the rules (docs/rules.md, "Variants")."""

    open_combat: bool = False
    """VAR-2..6."""
    random_setup: bool = False
    """VAR-7."""
    challenge: int = 0
    """VAR-1: added to the starting Honor of the Chthonians."""

    @property
    def start_honor(self) -> tuple[int, int]:
        """The starting Honor of both sides (SET-5, VAR-1, VAR-4)."""
        plain = OPEN_HONOR if self.open_combat else START_HONOR
        return plain + self.challenge, plain


class Phase(IntEnum):
    """What is asked."""

    SETUP = 0
    TURN = 1
    """An action of the side whose turn it is."""
    OPENING = 2
    """The owner has to open ``State.due``."""
    AID = 3
    """Does a unit next door help? (APH-2)"""
    FIGHT = 4
    """Maneuver and Energy."""
    LOSE = 5
    """Which unit is eliminated?"""
    RETREAT = 6
    STAY = 7
    """The winner of a chased retreat leaves or stays (CHA-4)."""
    SNEAK = 8
    """The answer to a sneak attack (A-45)."""
    BOLT = 9
    """The answer to a thunderbolt (ZEU-1)."""
    SUCCESSION = 10
    """The first leader fell: open the second one or lose (PER-3, A-53)."""
    OVER = 11


# A name is looked up quicker than a member of an enum.
SETUP, TURN, OPENING, AID, FIGHT, LOSE, RETREAT, STAY, SNEAK, BOLT, SUCCESSION, OVER = Phase


class Next(IntEnum):
    """What follows when openings or a succession have interrupted an action."""

    NOTHING = 0
    ACTION = 1
    """Carry out ``State.pending``."""
    CONTACT = 2
    ROUND = 3
    """The next round of the combat, or its end."""
    LEAVE = 4
    """The retreats of those who are leaving."""
    END = 5
    """The end of the turn."""


NOTHING, ACTION, CONTACT, ROUND, LEAVE, END = Next


class Token(NamedTuple):
    """One counter on the board."""

    serial: Serial
    faction: int
    unit: int | None
    """The unit, as far as the holder of this state knows it."""
    known: bool
    """Has it been opened to everybody?"""
    can: int
    """Bit mask of the units it can be as far as the public record alone says; one bit when known."""


token_of: Final = cast("Callable[[tuple[Serial, int, int | None, bool, int]], Token]", partial(tuple.__new__, Token))
"""Make a token of the tuple of its fields: half the time of a call with arguments, and tokens are made often."""


class CombatChoice(NamedTuple):
    """A side's decision in a combat round."""

    maneuver: Maneuver
    energy: int


class Combat(NamedTuple):
    """A combat that goes on (docs/rules.md, "Combat")."""

    region: Region
    attacker: Faction
    origin: Region | None
    """Where the attack came from; None after a flight from a region that is not adjacent (FLY-6)."""
    round: int = 0
    """0 before the first."""
    alone: tuple[bool, ...] = (False, False)
    """Which factions began this round with one unit (A-21)."""
    aid: bool = False
    """A unit next door helps in this round (APH-2)."""
    choices: tuple[CombatChoice | None, CombatChoice | None] = (None, None)
    losers: tuple[Faction, ...] = ()
    """Who still has to name a unit for elimination."""
    doomed: tuple[Serial, ...] = ()
    """Who is eliminated together with them at the end of the round (A-50)."""
    leavers: tuple[Faction, ...] = ()
    """Who still has to retreat, in order."""
    left: tuple[tuple[Faction, int], ...] = ()
    """Who has left, with the price in Honor that is booked with the last retreat (A-18)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winner: str
    """``chthonians``, ``olympians`` or ``draw``."""
    reason: str
    """``palace``, ``leaders`` or ``honor``; or why a side forfeited."""


Group: TypeAlias = tuple[Token, ...]
"""The tokens of one faction in a region, by ascending serial."""

Side: TypeAlias = tuple[Group, ...]
"""The groups of one faction by region; index 0 holds the units that were not selected."""


class State(NamedTuple):
    """Everything about a game that its rules need.

    A NamedTuple, as are its parts that change with every action: it is made several times as quickly as a frozen
    dataclass.
    """

    terms: Terms
    phase: Phase
    turn: Faction
    """Whose turn it is."""
    number: int
    """Counts the turns from 1."""
    honor: tuple[int, int]
    energy: tuple[int, int]
    sides: tuple[Side, Side]
    fallen: Group
    """The tokens of the eliminated units that may come back, by ascending serial."""
    gone: int
    """Bit mask of the units eliminated for good."""
    fresh: Serial
    """The next unused serial."""
    combat: Combat | None = None
    target: Region = 0
    """The region of a thunderbolt or sneak attack that is being answered."""
    due: tuple[Serial, ...] = ()
    """Tokens of one faction that have to be opened now."""
    then: Next = Next.NOTHING
    pending: Action | None = None
    """The action that waits for the openings."""
    declared: tuple[bool, int] | None = None
    """Of a pending move: does it fly, and what Energy it pays for the Styx.  What was hidden when it was
    declared cannot change that (TRN-7)."""
    outcome: Outcome | None = None


def end_state(state: State, outcome: Outcome) -> State:
    """Return a state that is over: nothing is fought, asked or waited for."""
    return State(state.terms, Phase.OVER, *state[2:10], outcome=outcome)


state_of: Final = cast("Callable[[tuple[object, ...]], State]", partial(tuple.__new__, State))
"""Make a state of the tuple of its fields; see :data:`token_of`."""


class HasSides(Protocol):
    """A state, or one under change."""

    @property
    def sides(self) -> Sequence[Sequence[Group]]:
        """The groups of each faction by region."""


def combat_of(state: State) -> Combat:
    """Return the combat that goes on; who asks knows that there is one."""
    assert state.combat is not None
    return state.combat


def find(state: HasSides, serial: Serial) -> tuple[Region, Token] | None:
    """Return where a token stands and the token, or None when there is none of that serial in play."""
    for side in state.sides:
        for region in range(1, 25):
            for token in side[region]:
                if token.serial == serial:
                    return region, token
    return None


def where(state: State, unit: Unit) -> tuple[Region, Token] | None:
    """Return where a unit stands, as far as this view knows it."""
    side = state.sides[FACTION[unit]]
    for region in range(1, 25):
        for token in side[region]:
            if token.unit == unit:
                return region, token
    return None


def mask(group: Group) -> int:
    """Return the bit mask of the units of a group that this view knows."""
    bits = 0
    for _, _, unit, _, _ in group:
        if unit is not None:
            bits |= 1 << unit
    return bits


def known_mask(group: Group) -> int:
    """Return the bit mask of the units of a group that everybody knows."""
    bits = 0
    for _, _, _, known, can in group:
        if known:
            bits |= can
    return bits
