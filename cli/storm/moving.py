"""What of a message is seen to move on the board: who, along which way, and where everybody else stands meanwhile."""

from collections.abc import Sequence
from typing import Any

from cli.console.screen_state import Entry
from cli.storm.board_text import ordered, own_word
from cli.storm.model import Motion
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import Faction, Region
from storm_p2p.storm.state import Side, State
from storm_p2p.storm.units import CARDS, FACTION, Unit

_NAMED = 2


def motion(entry: Entry, side: Faction) -> Motion | None:
    """Return the motion that a message brought about, or None; ``side`` is whose view it is.

    Of the other side it names whom the message names: nothing here depends on who is hidden.
    """
    before, after = entry.before, entry.after
    found = next(filter(None, map(_way, entry.events)), None)
    if before is None or found is None:
        return None
    faction, path, units = found
    if faction == side:
        stayed = {token.unit for token in after.sides[side][path[0]]}
        left = tuple(token for token in before.sides[side][path[0]] if token.unit not in stayed)
        words = [own_word(token).strip() for token in ordered(left)]
    else:
        words = [f"-{CARDS[unit].code}" if unit is not None else "-???" for unit in units]
    return Motion(_meanwhile(before, after, faction, path[0]), path, _together(words), faction == side)


def _way(event: Any) -> tuple[Faction, tuple[Region, ...], Sequence[Unit | None]] | None:
    """Return who goes which way, and the units as far as everybody knows them."""
    match event:
        case ev.Moved():
            return event.faction, event.path, event.units
        case ev.Sneaked():
            return FACTION[event.unit], event.path, (event.unit,)
        case ev.Retreated():
            return event.faction, (event.region, event.target), event.units
        case _:
            return None


def _meanwhile(before: State, after: State, faction: Faction, origin: Region) -> tuple[Side, Side]:
    """Return the board as it was, without those that have left."""
    sides = list(before.sides)
    regions = list(sides[faction])
    regions[origin] = after.sides[faction][origin]
    sides[faction] = tuple(regions)
    return sides[0], sides[1]


def _together(words: Sequence[str]) -> str:
    """Return who moves in the room that there is: two by their letters, or one and how many more."""
    return "".join(words) if len(words) <= _NAMED else f"{words[0]}+{len(words) - 1}"
