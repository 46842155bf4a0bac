"""What a click on a region or a unit does: it fills the line at the prompt, and sends nothing."""

from collections.abc import Sequence
from dataclasses import replace

from cli.console import lines, pages
from cli.console.messages import Effects, NotUnderstood, SetLine
from cli.console.screen_state import Page
from cli.storm import cards, model, viewing, vocabulary
from cli.storm.model import StormScreen
from cli.storm.words import find_unit
from storm_p2p.storm.board import OTHER, Region
from storm_p2p.storm.state import Phase, known_mask, mask
from storm_p2p.storm.units import NAME, ROSTER, Unit, units_in


def click(ui: StormScreen, kind: str, what: str, *, right: bool) -> tuple[StormScreen, Effects]:
    """Return the console after a click on a region or a unit, and what is to be done."""
    if kind == "unit":
        return _unit(ui, find_unit(what), right=right)
    region = int(what)
    if right:
        return _cards(ui, region)
    return _look(ui, region) if ui.page is not None else _region(ui, region)


def _look(ui: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    try:
        return pages.show(ui, viewing.who(ui.game, region)), ()
    except NotUnderstood:
        return ui, ()


def _cards(ui: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    """Return the model with the cards of those in a region whom the player can name; who is there, if he can none."""
    state = ui.game.state
    if state is None:
        return ui, ()
    groups = (state.sides[ui.game.side][region], state.sides[OTHER[ui.game.side]][region])
    named = [*units_in(mask(groups[0])), *units_in(known_mask(groups[1]))]
    if not named:
        return _look(ui, region)
    told = [row for unit in named for row in (*cards.card(ui.game, unit), "")]
    return replace(ui, page=Page.CARD, lines=tuple(told[:-1]), scroll=0), ()


def _unit(ui: StormScreen, unit: Unit, *, right: bool) -> tuple[StormScreen, Effects]:
    state = ui.game.state
    if right or ui.page is not None:
        return replace(ui, page=Page.CARD, lines=tuple(cards.card(ui.game, unit)), scroll=0), ()
    if unit not in ROSTER[ui.game.side] or ui.question is not None or ui.sent:
        return pages.show(ui, cards.card(ui.game, unit)), ()
    if ui.placing is not None:
        first = ui.typed.split()
        name = vocabulary.say_argument(NAME[unit])
        other = f"{first[0]} {name}" if len(first) == 1 and first[0] != name else ""
        return lines.take(ui, other) if other else pages.offer(ui, f"{name} ")
    if state is not None and ui.game.deciding and state.phase in (Phase.LOSE, Phase.SNEAK, Phase.BOLT):
        return pages.offer(ui, vocabulary.say(f"lose {NAME[unit]}"))
    return ui, ()


def _region(ui: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    state = ui.game.state
    if ui.question is not None:
        return ui, ()
    if ui.placing is not None:
        return _place(ui, region)
    if state is None or not ui.game.deciding or ui.sent:
        return _look(ui, region)
    if state.phase in (Phase.RETREAT, Phase.STAY):
        return pages.offer(ui, vocabulary.say(f"retreat {region}"))
    if state.phase != Phase.TURN:
        return _look(ui, region)
    marks = ui.found.marks
    if region == marks.origin:
        picked = _names(ui, region, _next_choice(ui, region, marks.places))
        return pages.offer(ui, vocabulary.say(f"move {region}{picked} "))
    if marks.origin and any(target == region for target, _, _ in marks.prices):
        line = vocabulary.say(f"move {marks.origin} {region}{_names(ui, marks.origin, marks.places)}")
        # A second click on the goal asks as Enter does.
        return lines.take(ui, ui.typed) if ui.typed.strip() == line else pages.offer(ui, line)
    if state.sides[ui.game.side][region]:
        return pages.offer(ui, vocabulary.say(f"move {region} "))
    return _look(ui, region)


def _place(ui: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    assert ui.placing is not None
    words = ui.typed.split()
    standing = ui.placing.by_region.get(region)
    if len(words) == 1:
        ui, effects = lines.take(ui, f"{words[0]} {region}")
        return ui, (SetLine(""), *effects)
    return pages.offer(ui, f"{vocabulary.say_argument(NAME[standing])} ") if standing is not None else (ui, ())


def _next_choice(ui: StormScreen, region: Region, places: Sequence[int]) -> tuple[int, ...]:
    """Return the next choice among the units of a group: all of them, then each alone, then all again."""
    state = ui.game.state
    assert state is not None
    count = len(state.sides[ui.game.side][region])
    if count == 1 or len(places) == 1:
        after = places[0] + 1 if count > 1 else count
        return (after,) if after < count else tuple(range(count))
    return (0,)


def _names(ui: StormScreen, region: Region, places: Sequence[int]) -> str:
    """Return the words for some of a group; nothing for the whole of it."""
    state = ui.game.state
    assert state is not None
    group = state.sides[ui.game.side][region]
    if len(places) == len(group):
        return ""
    return "".join(f" {NAME[unit]}" for unit in model.named(group[place] for place in places))
