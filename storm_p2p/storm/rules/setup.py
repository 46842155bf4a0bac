"""The secret setup (docs/rules.md, "Setup", rules SET and VAR-7)."""

from collections.abc import Sequence
from typing import Final

from storm_p2p.storm import events as ev
from storm_p2p.storm.actions import Place
from storm_p2p.storm.board import FACTIONS, LEADER_STARTS, REALM, Faction, Region
from storm_p2p.storm.errors import IllegalAction
from storm_p2p.storm.state import Group, HasSides, Next, Phase, State, Terms, Token
from storm_p2p.storm.state_builder import StateBuilder
from storm_p2p.storm.units import ALL_OF, REQUIRED, ROSTER, UNITS, Unit, mask_of

SELECTED: Final = 9
"""SET-1."""
MOST_CHALLENGE: Final = 100
"""A-29; the rules leave it open."""
START_ENERGY: Final = 24
"""SET-5."""
EMPTY: Final[tuple[Group, ...]] = ((),) * 25


def challenges(*, open_combat: bool) -> range:
    """Return the challenges that can be played: they leave the Chthonians at least 1 Honor (VAR-1, VAR-4, A-29)."""
    return range(1 - Terms(open_combat).start_honor[0], MOST_CHALLENGE + 1)


def new_game(terms: Terms) -> State:
    """Return a game that waits for both setups.

    Raises:
        ValueError: the challenge leaves the Chthonians without Honor (A-29).
    """
    honor = terms.start_honor
    if honor[0] < 1:
        raise ValueError(f"expected a challenge that leaves the Chthonians at least 1 Honor, got {terms.challenge}")
    return State(
        terms, Phase.SETUP, Faction.CHTHONIANS, 1, honor, (START_ENERGY, START_ENERGY), (EMPTY, EMPTY), (), 0, 24
    )


def first_serials(faction: Faction) -> tuple[int, ...]:
    """Return the serials of a faction's first twelve tokens."""
    return tuple(range(12 * faction, 12 * faction + 12))


def missing(state: HasSides) -> tuple[Faction, ...]:
    """Return which sides have not set up yet."""
    return tuple(faction for faction in FACTIONS if not any(state.sides[faction]))


def check_units(faction: Faction, units: Sequence[int], *, random: bool) -> IllegalAction | None:
    """Return why twelve units in the order of :class:`Place` are refused, or None (SET-1..3, A-31)."""
    if len(units) != len(ROSTER[faction]) or {*units} != {*ROSTER[faction]}:
        return IllegalAction("bad-setup", "expected the twelve {words}, each once", words=faction)
    if mask_of(units[SELECTED:]) & REQUIRED:
        leader = next(unit for unit in ROSTER[faction] if 1 << unit & REQUIRED)
        return IllegalAction("bad-setup", "expected {unit} among the nine", unit=UNITS[leader])
    if random and not is_well_dealt(faction, units):
        return IllegalAction("bad-setup", "expected the leader of the {words} in the base or next to it", words=faction)
    return None


def is_well_dealt(faction: Faction, units: Sequence[int]) -> bool:
    """Return whether a random setup has the required unit in the base or next to it (VAR-7)."""
    return any(1 << unit & REQUIRED for unit in at_leader_starts(faction, units))


def at_leader_starts(faction: Faction, units: Sequence[int]) -> list[int]:
    """Return what stands, in the order of :class:`Place`, where a random setup may put the leader."""
    return [unit for region, unit in zip(REALM[faction], units, strict=False) if region in LEADER_STARTS[faction]]


def arrangement(faction: Faction, place: dict[Unit, Region]) -> tuple[Unit, ...]:
    """Return the twelve units in the order of :class:`Place` for a setup ``unit -> region``.

    Raises:
        IllegalAction: not nine units of the faction on nine regions of the realm, or the leader is missing.
    """
    realm = REALM[faction]
    by_region = {region: unit for unit, region in place.items()}
    wrong = [unit for unit in place if not ALL_OF[faction] >> unit & 1]
    if wrong:
        raise IllegalAction("bad-setup", "expected {words}, got {unit}", words=faction, unit=wrong[0])
    if sorted(by_region) != list(realm) or len(place) != SELECTED:
        raise IllegalAction("bad-setup", "expected one unit on each of {words}", words=realm)
    chosen = [by_region[region] for region in realm]
    units = (*chosen, *(unit for unit in ROSTER[faction] if unit not in chosen))
    refusal = check_units(faction, units, random=False)
    if refusal is not None:
        raise refusal
    return units


def check_place(state: StateBuilder, action: Place) -> None:
    """Refuse a setup that the rules do not allow.

    Raises:
        IllegalAction: with what was expected.
    """
    if action.faction not in missing(state) or len(set(action.serials)) != 12:
        raise IllegalAction("bad-setup", "expected one setup of twelve tokens for each side, got another")
    if action.units is not None:
        refusal = check_units(action.faction, action.units, random=state.terms.random_setup)
        if refusal is not None:
            raise refusal


def place(builder: StateBuilder, action: Place) -> None:
    """Put the tokens on the board; after both setups the Chthonians begin (SET-3, SET-6)."""
    faction = action.faction
    units: Sequence[int | None] = action.units or (None,) * 12
    tokens = [
        Token(serial, faction, unit, False, ALL_OF[faction]) for serial, unit in zip(action.serials, units, strict=True)
    ]
    for region, token in zip(REALM[faction], tokens, strict=False):
        builder.put(faction, region, (token,))
    # SET-7: the units left out stay secret too.  SET-2: the required one is not among them.
    builder.put(faction, 0, [token._replace(can=token.can & ~REQUIRED) for token in tokens[SELECTED:]])
    builder.fresh = max(builder.fresh, *(serial + 1 for serial in action.serials))
    builder.happened.append(ev.Placed(faction))
    if all(any(side) for side in builder.sides):
        builder.phase = Phase.TURN
        builder.then = Next.NOTHING
        builder.happened.append(ev.TurnBegan(builder.turn, builder.number))
