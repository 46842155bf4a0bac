"""The choice of a maneuver and its Energy in the combat window: with the arrow keys, and with Enter."""

from dataclasses import replace

from cli.console.lines import act
from cli.console.messages import Act, Effects, Severity, SubmitMode
from cli.storm import model
from cli.storm.model import StormScreen
from storm_p2p.storm.actions import Fight
from storm_p2p.storm.board import Faction
from storm_p2p.storm.state import CombatChoice, Phase, State
from storm_p2p.storm.units import Maneuver


def chooses(state: State | None, faction: Faction) -> bool:
    """Return whether a side chooses a maneuver now."""
    return state is not None and state.phase == Phase.FIGHT and faction in model.asked_sides(state)


def action_of(choice: CombatChoice, faction: Faction) -> Fight:
    """Return the action of a choice."""
    return Fight(faction, choice.maneuver, choice.energy)


def is_combat_open(ui: StormScreen) -> bool:
    """Return whether the combat window is shown and waits for a choice."""
    return (
        ui.choice is not None and not ui.minimised and ui.page is None and ui.question is None and not ui.sent
        and ui.game.deciding
    )  # fmt: skip


def enter(ui: StormScreen) -> tuple[StormScreen, Effects]:
    """Return what Enter does without a line: it asks about the choice of the combat window.

    That is asked even where it costs nothing, for whoever presses Enter once more after a result means nothing by it.
    """
    if ui.choice is None or ui.minimised or ui.sent or not chooses(ui.game.state, ui.game.side):
        return ui, ()
    return act(ui, Act(action_of(ui.choice, ui.game.side), SubmitMode.ASK), least=Severity.ASK)


def steer(ui: StormScreen, key: str) -> StormScreen:
    """Return the combat window with another maneuver or another amount of Energy."""
    state, choice = ui.game.state, ui.choice
    if state is None or choice is None or state.combat is None:
        return ui
    if key in ("left", "right"):
        limit = model.energy_limit(state, ui.game.side)
        energy = min(limit, max(0, choice.energy + (1 if key == "right" else -1)))
        return replace(ui, choice=choice._replace(energy=energy))
    allowed = model.maneuvers(state, ui.game.side)
    at = allowed.index(choice.maneuver) + (1 if key == "down" else -1)
    return replace(ui, choice=CombatChoice(Maneuver(allowed[at % len(allowed)]), choice.energy))
