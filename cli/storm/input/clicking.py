"""What a click does: it fills the line at the prompt, and sends only what was asked for with ``[send]``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cli import vocabulary
from cli.console import viewing
from cli.console.input import asking, lines, looking
from cli.console.screen_state import Clicked, Effects, Key, Page, ScreenState, SetLine
from cli.storm import cards
from cli.storm.preview import Severity
from cli.words import find_unit
from storm_p2p.storm.board import OTHER, Region
from storm_p2p.storm.state import Phase, known_mask, mask
from storm_p2p.storm.units import NAME, ROSTER, Unit, units_in


def click(ui: ScreenState, event: Clicked) -> tuple[ScreenState, Effects]:
    """Return the model after a click, and what is to be done."""
    kind, _, rest = event.what.partition(" ")
    match kind:
        case "hex":
            region = int(rest)
            if event.right:
                return _cards(ui, region)
            return _look(ui, region) if ui.page is not None else _region(ui, region)
        case "unit":
            return _unit(ui, find_unit(rest), right=event.right)
        case "send":
            return _send(ui)
        case "no":
            return asking.refuse(ui)
        case "word":
            return lines.take(ui, rest)
        case "choose":
            return asking.offer(ui, rest)
        case _:
            return ui, ()


def _look(ui: ScreenState, region: Region) -> tuple[ScreenState, Effects]:
    try:
        return looking.show(ui, viewing.who(ui.game, region)), ()
    except viewing.NoSuchView:
        return ui, ()


def _cards(ui: ScreenState, region: Region) -> tuple[ScreenState, Effects]:
    """Return the model with the cards of those in a region whom the player can name; who is there, if he can none."""
    state = ui.game.state
    if state is None:
        return ui, ()
    groups = (state.sides[ui.game.faction][region], state.sides[OTHER[ui.game.faction]][region])
    named = [*units_in(mask(groups[0])), *units_in(known_mask(groups[1]))]
    if not named:
        return _look(ui, region)
    told = [row for unit in named for row in (*cards.card(ui.game, unit), "")]
    return replace(ui, page=Page.CARD, lines=tuple(told[:-1]), scroll=0), ()


def _send(ui: ScreenState) -> tuple[ScreenState, Effects]:
    if ui.question is None:
        return lines.take(ui, ui.typed)
    # What loses the game needs the typed word.
    return (ui, ()) if ui.question.severity == Severity.LAST else asking.answer(ui, "yes")


def _unit(ui: ScreenState, unit: Unit, *, right: bool) -> tuple[ScreenState, Effects]:
    state = ui.game.state
    if right or ui.page is not None:
        return replace(ui, page=Page.CARD, lines=tuple(cards.card(ui.game, unit)), scroll=0), ()
    if unit not in ROSTER[ui.game.faction] or ui.question is not None or ui.sent:
        return looking.show(ui, cards.card(ui.game, unit)), ()
    if ui.placing is not None:
        first = ui.typed.split()
        name = vocabulary.argument(NAME[unit])
        other = f"{first[0]} {name}" if len(first) == 1 and first[0] != name else ""
        return lines.take(ui, other) if other else asking.offer(ui, f"{name} ")
    if state is not None and ui.game.deciding and state.phase in (Phase.LOSE, Phase.SNEAK, Phase.BOLT):
        return asking.offer(ui, vocabulary.said(f"lose {NAME[unit]}"))
    return ui, ()


def _region(ui: ScreenState, region: Region) -> tuple[ScreenState, Effects]:
    state = ui.game.state
    if ui.question is not None:
        return ui, ()
    if ui.placing is not None:
        return _place(ui, region)
    if state is None or not ui.game.deciding or ui.sent:
        return _look(ui, region)
    if state.phase in (Phase.RETREAT, Phase.STAY):
        return asking.offer(ui, vocabulary.said(f"retreat {region}"))
    if state.phase != Phase.TURN:
        return _look(ui, region)
    marks = ui.found.marks
    if region == marks.origin:
        return asking.offer(ui, _picked_line(ui, region, _next_choice(ui, region, marks.places)))
    if marks.origin and any(target == region for target, _, _ in marks.prices):
        line = _move_line(ui, marks.origin, region, marks.places)
        # A second click on the goal asks as Enter does.
        return lines.take(ui, ui.typed) if ui.typed.strip() == line else asking.offer(ui, line)
    if state.sides[ui.game.faction][region]:
        return asking.offer(ui, vocabulary.said(f"move {region} "))
    return _look(ui, region)


def _place(ui: ScreenState, region: Region) -> tuple[ScreenState, Effects]:
    assert ui.placing is not None
    words = ui.typed.split()
    standing = ui.placing.by_region.get(region)
    if len(words) == 1:
        ui, effects = lines.take(ui, f"{words[0]} {region}")
        return ui, (SetLine(""), *effects)
    return asking.offer(ui, f"{vocabulary.argument(NAME[standing])} ") if standing is not None else (ui, ())


def _next_choice(ui: ScreenState, region: Region, places: Sequence[int]) -> tuple[int, ...]:
    """Return the next choice among the units of a group: all of them, then each alone, then all again."""
    state = ui.game.state
    assert state is not None
    count = len(state.sides[ui.game.faction][region])
    if count == 1 or len(places) == 1:
        after = places[0] + 1 if count > 1 else count
        return (after,) if after < count else tuple(range(count))
    return (0,)


def _names(ui: ScreenState, region: Region, places: Sequence[int]) -> str:
    """Return the words for some of a group; nothing for the whole of it."""
    state = ui.game.state
    assert state is not None
    group = state.sides[ui.game.faction][region]
    if len(places) == len(group):
        return ""
    return "".join(f" {NAME[number]}" for place in places if (number := group[place].unit) is not None)


def _picked_line(ui: ScreenState, region: Region, places: Sequence[int]) -> str:
    return vocabulary.said(f"move {region}{_names(ui, region, places)} ")


def _move_line(ui: ScreenState, origin: Region, target: Region, places: Sequence[int]) -> str:
    return vocabulary.said(f"move {origin} {target}{_names(ui, origin, places)}")


def key_of(what: str) -> Key | None:
    """Return the key that a zone stands for, or None."""
    kind, _, name = what.partition(" ")
    return Key(name) if kind == "key" else None
