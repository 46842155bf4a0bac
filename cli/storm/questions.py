"""What stands on the screen while an answer is awaited, from whomever: pure functions of the model."""

from cli.console.pages import show_clocks
from cli.storm import combat_text, model, placing, viewing
from cli.storm.model import Model, StormScreen
from cli.storm.text import help_text, narrate, screens
from cli.text.wording import fill
from storm_p2p.storm.board import REGIONS, Faction
from storm_p2p.storm.rules import combat as combat_rules
from storm_p2p.storm.rules import strength
from storm_p2p.storm.state import Phase, State, known_mask, mask
from storm_p2p.storm.units import CHARMERS, MALES, units_in

AUTOMATIC = frozenset({Phase.OPENING, Phase.SUCCESSION})
"""Phases in which programs answer by themselves, because the rules leave nothing to choose."""


def ask(ui: StormScreen) -> list[str]:
    """Return where the match stands and what is asked, or how the setup begins."""
    game = ui.game
    if ui.placing is not None:
        kept = " ".join(name for name, _ in ui.setups)
        known = [fill(screens.KEPT, names=kept)] if kept else []
        return [placing.told(ui.placing), screens.first(game.side), *known]
    if game.state is not None and game.state.phase == Phase.FIGHT:
        return combat_text.spoken(game)
    return [*situation(game), *question(game, first=ui.first)]


def is_waiting(state: State, faction: Faction) -> bool:
    """Return whether it is the other person's turn to decide something, so that one has to wait for him."""
    asked = model.asked_sides(state)
    return bool(asked) and faction not in asked and state.phase not in AUTOMATIC


def situation(model: Model) -> list[str]:
    """Return turn, Honor, Energy and the clocks in lines; nothing before the first turn."""
    if model.state is None or model.state.phase == Phase.SETUP:
        return []
    return [*viewing.turn(model), *([] if model.clocks is None else show_clocks(model))]


def question(model: Model, *, first: bool) -> list[str]:
    """Return the question of the present phase with its answers; ``first`` says that it is the first of the match."""
    state = model.state
    assert state is not None
    if state.phase == Phase.TURN:
        return [help_text.first_turn(model.side)] if first else []
    region = state.combat.region if state.combat is not None else 0
    lines = [help_text.question(state.phase, state.target or region)]
    if state.phase == Phase.AID:
        lines.append(aid(state, model.side))
    return [*lines, help_text.answers(viewing.options(model))]


def aid(state: State, faction: Faction) -> str:
    """Return who could help from next door and what that adds, or that nobody can."""
    current = model.combat_of(state)
    able = [token for token in combat_rules.helpers(state) if mask((token,)) & CHARMERS]
    places = [region for region in REGIONS if any(token in able for token in state.sides[faction][region])]
    if not places:
        return str(help_text.NOBODY_HELPS)
    masks = [known_mask(group) for group in combat_rules.groups_at(state, current.region)]
    males = units_in(masks[faction] & MALES)
    with_her, without = (
        strength.account(masks[0], masks[1], current.attacker, aid=helped)[0][faction] for helped in (True, False)
    )
    return help_text.helper(units_in(mask(tuple(able)) & CHARMERS), places[0], males, with_her - without)


def opened_spoken(model: Model, state: State) -> list[str]:
    """Return the board with every unit of both sides by name as sentences, one for each side."""
    shown = all_known(state)
    return [str(help_text.LAST_BOARD), *(narrate.standing(model, faction, shown) for faction in Faction)]


def all_known(state: State) -> State:
    """Return an opened state as if everybody knew every unit."""
    sides = tuple(
        tuple(tuple(token._replace(known=token.unit is not None) for token in group) for group in side)
        for side in state.sides
    )
    return state._replace(sides=(sides[0], sides[1]))
