"""What the line at the prompt means while it is typed: selected units, prices of their targets, a whole action."""

from collections.abc import Sequence
from dataclasses import replace

from cli.clean import clean
from cli.console import messages
from cli.console.messages import NotUnderstood
from cli.console.screen_state import Page
from cli.storm import grammar, model, preview, viewing, vocabulary, words
from cli.storm.model import Marks, StormScreen, TypedLine
from cli.storm.odds import Odds, odds
from cli.storm.text import names, screens
from cli.storm.text.prices import ways
from cli.text.wording import Lazy, fill
from cli.vocabulary import fold, split
from storm_p2p.storm import engine
from storm_p2p.storm.actions import Bolt, Move, Retreat, Sneak
from storm_p2p.storm.board import REGIONS, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.state import CombatChoice, Phase, State
from storm_p2p.storm.units import NAME, ROSTER, Unit

MOST_TARGETS = 8
"""So many targets are named below the board; all of them have their price on it."""


def read(ui: StormScreen) -> StormScreen:
    """Return the console with the meaning of the line that is typed."""
    if ui.typed and ui.priced:
        ui = replace(ui, priced="")
    found = _read(ui)
    return replace(ui, found=found, choice=found.choice or ui.choice)


def _read(ui: StormScreen) -> TypedLine:
    state = ui.game.state
    if state is None or not ui.game.deciding or ui.sent or ui.page == Page.CHAT:
        return TypedLine(_notes_only(ui))
    typed = clean(ui.typed) or ui.priced
    marks = _notes_only(ui)
    if state.combat is not None:
        marks = replace(marks, target=state.combat.region)
    if state.phase == Phase.FIGHT:
        # The window itself shows the price of the choice.
        side = ui.game.side
        return TypedLine(marks, preview=_fight(typed, state, side), choice=_choice(typed, state, side))
    if state.phase in (Phase.RETREAT, Phase.STAY):
        ways = tuple(
            (action.target, price.honor, price.energy)
            for action, price in engine.options(state, ui.game.side)
            if isinstance(action, Retreat)
        )
        marks = replace(marks, prices=ways)
    chosen = selected(typed, state, ui.game.side) if state.phase == Phase.TURN else None
    lines: tuple[str, ...] = ()
    picked = False
    if chosen is not None:
        picked = begun(typed, state, ui.game.side) is not None
        origin, places = chosen
        prices = preview.costs(state, ui.game.side, origin, places)
        marked = tuple((move.path[-1], price.honor, price.energy) for move, price in prices)
        found_prices = [(move.path[-1], price, odds(state, move, ui.game.side)) for move, price in prices]
        attacks = tuple((region, one.ours, one.theirs) for region, _, one in found_prices if one is not None)
        marks = replace(marks, prices=marked, attacks=attacks, origin=origin, places=places, target=0)
        begins = typed.rstrip("?!> ") if picked else ""
        template = screens.PRICED if vocabulary.find_verb(_tokens(typed)[0]) == "costs" else screens.PICKED
        lines = _picked(state, ui.game.side, origin, places, found_prices, begins, template)
    elif state.phase == Phase.TURN and typed.isascii() and typed.isdigit() and int(typed) in REGIONS:
        # A region without own units: who is there, as far as one knows.
        lines = tuple(viewing.who(ui.game, int(typed)))
    try:
        command = grammar.parse(typed, state, ui.game.side)
    except NotUnderstood:
        return TypedLine(marks, lines, picked=picked and bool(marks.prices))
    if not isinstance(command, messages.Act):
        return TypedLine(marks, lines)
    action = command.action
    found = preview.preview(state, action, ui.game.side)
    hints = preview.cheaper(state, action, ui.game.side)
    told = tuple(preview.lines(found, ui.game.opponent, hints))
    if isinstance(action, Move | Sneak):
        marks = replace(marks, origin=action.path[0], target=action.path[-1])
        if isinstance(action, Move):
            marks = replace(marks, places=action.movers)
    elif isinstance(action, Bolt):
        marks = replace(marks, target=action.target)
    return TypedLine(marks, told, found)


def _notes_only(ui: StormScreen) -> Marks:
    return Marks(target=ui.last, eye=ui.eye, noted=tuple(region for region, _ in ui.game.notes))


def selected(typed: str, state: State, faction: Faction) -> tuple[Region, tuple[int, ...]] | None:
    """Return the own units that a line has picked so far: where they stand and their places in the group there."""
    tokens = _tokens(typed)
    if tokens and vocabulary.find_verb(tokens[0]) in ("move", "costs"):
        tokens = tokens[1:]
    units = [words.find_unit(word, faction) for word in tokens if words.is_unit(word, faction)]
    if any(not word.isdigit() and not words.is_unit(word, faction) for word in tokens[:1]):
        return None
    numbers = [int(word) for word in tokens if word.isascii() and word.isdigit() and int(word) in REGIONS]
    if units:
        side = state.sides[faction]
        origins = {
            next((region for region in REGIONS if any(token.unit == unit for token in side[region])), 0)
            for unit in units
        }
        origin = origins.pop()
        if origins or not origin:
            return None
        if tokens[0].isdigit() and numbers[:1] != [origin]:
            # A number that comes first is where from.
            return None
        group = state.sides[faction][origin]
        return origin, tuple(place for place, token in enumerate(group) if token.unit in units)
    if numbers and state.sides[faction][numbers[0]]:
        return numbers[0], tuple(range(len(state.sides[faction][numbers[0]])))
    return None


def begun(typed: str, state: State, faction: Faction) -> tuple[Region, tuple[int, ...]] | None:
    """Return the own units of a line that picks some and says nothing else: where they go is still missing."""
    chosen = selected(typed, state, faction)
    if chosen is None:
        return None
    tokens = _tokens(typed)
    if vocabulary.find_verb(tokens[0]) == "move":
        tokens = tokens[1:]
    others = [word for word in tokens if word not in words.ALL and not words.is_unit(word, faction)]
    return chosen if others in ([], [str(chosen[0])]) else None


def goes_on(ui: StormScreen, more: str) -> bool:
    """Return whether what is typed behind a line that the console has put at the prompt belongs to it.

    Behind own units that a click or Enter has picked come regions, others of their group, and little else: a command,
    or a unit that stands elsewhere, begins a new line.  So does whatever is typed into a word that stands there whole.
    """
    picked = ui.picked
    glued = not picked.endswith((" ", ">")) and more[:1].isalnum()
    first = _tokens(more)[:1]
    if not first or glued:
        return not glued
    if first[0].isdigit() or any(word.startswith(first[0]) for word in (*words.ALL, *words.CLAIM, "immune", "immun")):
        return True
    begun = words.starting_with(first[0])
    return any(unit in begun for unit in _beside(picked, ui))


def _beside(picked: str, ui: StormScreen) -> Sequence[Unit]:
    """Return the own units that can be named behind those that a line has picked."""
    state, faction = ui.game.state, ui.game.side
    if ui.placing is not None:
        return ROSTER[faction]
    chosen = None if state is None or state.phase != Phase.TURN else selected(picked, state, faction)
    if state is None or chosen is None:
        return ()
    return model.named(state.sides[faction][chosen[0]])


def targets(line: str, state: State, faction: Faction) -> list[tuple[Region, Price, Odds | None]]:
    """Return where the units that a line picks can go, as far as the beginning of a number at its end allows it."""
    head = line.rstrip("0123456789")
    chosen = begun(head, state, faction) if state.phase == Phase.TURN else None
    if chosen is None or not head.endswith((" ", ">")):
        return []
    prices = preview.costs(state, faction, *chosen)
    return [
        (move.path[-1], price, odds(state, move, faction))
        for move, price in prices
        if str(move.path[-1]).startswith(line[len(head) :])
    ]


def _tokens(typed: str) -> list[str]:
    return split(typed.rstrip("?! "))


def _picked(
    state: State, faction: Faction, origin: Region, places: Sequence[int],
    prices: Sequence[tuple[Region, Price, Odds | None]], begins: str, template: Lazy,
) -> tuple[str, ...]:  # fmt: skip
    """Return which units are picked and where they can go, the cheapest first.

    The example goes on from what is typed, where that only has to be gone on from (``begins``).
    """
    group = state.sides[faction][origin]
    units = model.named(group[place] for place in places)
    name = names.crowd(units)
    if not prices:
        return (fill(screens.PICKED_NOWHERE, units=name, region=origin),)
    ranked = sorted(prices, key=lambda item: (-item[1].honor, -item[1].energy, item[0]))
    line = f"move {origin} {ranked[0][0]}"
    if len(units) < len(group):
        line += "".join(f" {NAME[unit]}" for unit in units)
    line = f"{begins} {ranked[0][0]}" if begins else vocabulary.say(line)
    return fill(template, units=name, region=origin, line=line), *ways(ranked[:MOST_TARGETS])


def _fight(typed: str, state: State, faction: Faction) -> preview.Preview | None:
    """Return the price of a line that is a whole choice."""
    try:
        command = grammar.parse(typed, state, faction)
    except NotUnderstood:
        return None
    return preview.preview(state, command.action, faction) if isinstance(command, messages.Act) else None


def _choice(typed: str, state: State, faction: Faction) -> CombatChoice | None:
    """Return the maneuver and Energy of a line, as far as they are typed and allowed."""
    tokens = fold(typed).rstrip("?! ").split()
    if tokens and vocabulary.find_verb(tokens[0]) == "fight":
        tokens = tokens[1:]
    tokens = [word for word in tokens if vocabulary.find_argument(word) != faction.name.lower()]
    if not tokens or tokens[0] not in words.MANEUVERS:
        return None
    maneuver = words.MANEUVERS[tokens[0]]
    energy = int(tokens[1]) if len(tokens) > 1 and tokens[1].isascii() and tokens[1].isdigit() else 0
    if maneuver not in model.maneuvers(state, faction):
        return None
    if energy > model.energy_limit(state, faction):
        return None
    return CombatChoice(maneuver, energy)


