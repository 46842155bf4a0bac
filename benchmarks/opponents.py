"""Opponents for the arena that no player meets: the strength of a computer player is not told by one style alone."""

from __future__ import annotations

from random import Random
from typing import Final

from storm_p2p.storm import engine
from storm_p2p.storm.actions import Action, Move
from storm_p2p.storm.board import NEIGHBOURS, OTHER, PALACE, REALM, STEPS_TO_PALACE, Faction, Region
from storm_p2p.storm.bots import BOTS, Bot
from storm_p2p.storm.bots.uniform import draw_setup
from storm_p2p.storm.rules.setup import check_units
from storm_p2p.storm.state import Phase, State, Terms
from storm_p2p.storm.units import LEADERS, Unit

GREEDY: Final = BOTS["greedy"]


class Rush:
    """Runs for the Palace with whichever leader is nearer; in all else, and as the Olympians, it plays as greedy."""

    name = "rush"

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return a setup with a leader as near to the Palace as there is room."""
        units = list(GREEDY.place(faction, terms, rng))
        leaders = [place for place in range(len(REALM[faction])) if 1 << units[place] & LEADERS]
        if leaders:
            front = min(range(len(REALM[faction])), key=lambda place: STEPS_TO_PALACE[REALM[faction][place]])
            # The second leader, who may be risked, stands last in the order of units.
            runner = max(leaders, key=lambda place: units[place])
            units[front], units[runner] = units[runner], units[front]
        return (
            tuple(units)
            if check_units(faction, units, random=terms.random_setup) is None
            else draw_setup(faction, terms, rng)
        )

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return a leader's step towards the Palace, if one is free."""
        if state.phase == Phase.TURN and faction == Faction.CHTHONIANS:
            steps = [action for action in engine.legal_actions(state, faction) if self._runs(state, action)]
            if steps:
                return min(steps, key=lambda action: self._rank(state, action))
        return GREEDY.decide(state, faction, rng)

    @staticmethod
    def _runs(state: State, action: Action) -> bool:
        if not isinstance(action, Move) or len(action.path) != 2:
            return False
        origin, target = action.path
        if target != PALACE and state.sides[OTHER[state.turn]][target]:
            return False
        leads = any(1 << unit & LEADERS for unit in action.units)
        return leads and STEPS_TO_PALACE[target] < STEPS_TO_PALACE[origin]

    @staticmethod
    def _rank(state: State, action: Action) -> tuple[int, int, int, bool]:
        assert isinstance(action, Move)
        target: Region = action.path[-1]
        near = sum(len(state.sides[OTHER[state.turn]][there]) for there in NEIGHBOURS[target])
        return STEPS_TO_PALACE[target], near, action.count, action.claim is None


class Scattered:
    """Plays as greedy from a setup drawn by chance."""

    name = "scattered"

    def place(self, faction: Faction, terms: Terms, rng: Random) -> tuple[Unit, ...]:
        """Return any legal setup."""
        return draw_setup(faction, terms, rng)

    def decide(self, state: State, faction: Faction, rng: Random) -> Action:
        """Return what greedy does."""
        return GREEDY.decide(state, faction, rng)


OPPONENTS: Final[dict[str, Bot]] = {**BOTS, **{bot.name: bot for bot in (Rush(), Scattered())}}
"""Everybody who may play in the arena, by name."""
