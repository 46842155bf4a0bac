"""The board and the panel of a step that is looked back at."""

from collections.abc import Mapping
from typing import Final

from cli.console.render.spans import EMPTY, Line, beside
from cli.console.replay import ALL, PUBLIC, Replay, Step
from cli.storm.model import Marks, Model
from cli.storm.render import board, panel
from cli.storm.render.panel import Looker
from cli.storm.render.screen import GAP, board_size
from storm_p2p.storm import events as ev
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.state import Phase, State

_SEES: Final[Mapping[str, frozenset[Faction]]] = {
    PUBLIC: frozenset(), "chthonians": frozenset({Faction.CHTHONIANS}), "olympians": frozenset({Faction.OLYMPIANS}),
    ALL: frozenset(Faction),
}  # fmt: skip
"""The sides whose units are known in a view."""


def side(shown: Replay) -> Faction:
    """Return whose units stand in capitals."""
    return Faction.OLYMPIANS if shown.view == "olympians" else Faction.CHTHONIANS


def draw(shown: Replay) -> list[Line]:
    """Return the board and its panel."""
    size = board_size(shown.columns, shown.rows)
    step = shown.step
    if step is None or (step.state.phase == Phase.SETUP and not any(map(any, step.state.sides))):
        return [EMPTY] * size.rows
    me = side(shown)
    state = _named(step.state, OTHER[me]) if shown.view == ALL else step.state
    drawn = board.draw(state.sides, me, _marks(step), size=size, unicode=shown.unicode)
    game = Model(shown.guest, me, shown.terms, shown.names[OTHER[me]], state=step.state)
    start = size.columns + GAP
    looker = Looker(shown.names[me], _SEES[shown.view])
    beside_it = panel.draw(game, shown.columns - start, size.rows, unicode=shown.unicode, looker=looker)
    return beside(drawn, beside_it, start)


def _named(state: State, faction: Faction) -> State:
    """Return the state with the units of a side shown by name wherever they are known to the view."""
    sides = [list(state.sides[0]), list(state.sides[1])]
    sides[faction] = [
        tuple(token._replace(known=token.known or token.unit is not None) for token in group)
        for group in state.sides[faction]
    ]
    return state._replace(sides=(tuple(sides[0]), tuple(sides[1])))


def _marks(step: Step) -> Marks:
    """Return what the step marks on the board: where it began and where it went."""
    for event in step.events:
        if isinstance(event, ev.Moved | ev.Sneaked):
            return Marks(origin=event.path[0], target=event.path[-1])
        if isinstance(event, ev.Retreated):
            return Marks(origin=event.region, target=event.target)
        if isinstance(event, ev.CombatBegan | ev.RoundBegan | ev.Struck):
            return Marks(target=event.region)
    combat = step.state.combat
    return Marks(target=combat.region) if combat is not None else Marks()
