"""The computer player ``random``: any legal action is as likely as any other."""

from random import Random

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action
from storm_p2p.storm.board import Faction
from storm_p2p.storm.rules.setup import SELECTED, check_units
from storm_p2p.storm.state import State, Terms
from storm_p2p.storm.units import ROSTER, Unit


def draw_setup(faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
    """Return a legal setup, each as likely as any other."""
    while True:
        units = list(ROSTER[faction])
        rng.shuffle(units)
        if check_units(faction, units, random=terms.random_setup) is None:
            # What is left out has no order.
            return (*units[:SELECTED], *sorted(units[SELECTED:]))


class Uniform:
    """Draws from the legal actions.  Its games end because most of what it draws costs Honor."""

    name = "random"

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return any legal setup."""
        return draw_setup(faction, terms, rng)

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return any legal action."""
        return rng.choice(engine.legal_actions(state, faction))
