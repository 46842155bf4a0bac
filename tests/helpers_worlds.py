"""What can be deduced of hidden units, and worlds that one seat cannot tell from the one that is played."""

from __future__ import annotations

from random import Random

from benchmarks import table
from storm_p2p.storm import views
from storm_p2p.storm.actions import Serial
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import State


def find_possible(state: State, faction: int) -> dict[Serial, int]:
    """Return for each token of a faction, in play or left out, the bit mask of the units it can still be."""
    masks = {token.serial: token.can for group in state.sides[faction] for token in group if token.known}
    hidden = [token for group in state.sides[faction] for token in group if not token.known]
    refined = views.refine(tuple(token.can for token in hidden), views.find_unplaced(state, faction))
    masks.update(zip((token.serial for token in hidden), refined, strict=True))
    return masks


def swapped(state: State, faction: Faction, rng: Random) -> State:
    """Return the state with other units under a faction's hidden tokens, as far as the record allows."""
    hidden = [token for group in state.sides[faction] for token in group if not token.known]
    units = views.find_unplaced(state, faction)
    order = list(range(24))
    rng.shuffle(order)
    owner = views.match([token.can for token in hidden], units, [unit for unit in order if units >> unit & 1])
    assert owner is not None
    changed = {hidden[index].serial: unit for unit, index in owner.items()}
    both = table.read_secrets(state, OTHER[faction]) | changed
    return views.with_secrets(state, both)
