"""What is done at the prompt beside actions: the setup is made, and regions are clicked and looked up.  Pure.

A click fills the line at the prompt and sends nothing.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from cli.console import lines, pages
from cli.console.messages import Effects, KeepSetup, NotUnderstood, Roll, Seal, SetLine, Severity, SubmitMode, View
from cli.console.pages import ask, do, reject, show, without_page
from cli.console.screen_state import Page
from cli.storm import cards, combat_text, model, placing, preview, typed, viewing, vocabulary, words
from cli.storm.grammar import Arrange, Keep
from cli.storm.model import StormScreen
from cli.storm.text import help_text, screens
from cli.storm.words import find_unit
from cli.text.wording import fill
from storm_p2p.storm.board import OTHER, REALM, REGIONS, Region
from storm_p2p.storm.state import Phase, State, known_mask, mask
from storm_p2p.storm.units import NAME, ROSTER, Unit, units_in


def arrange(ui: StormScreen, command: Arrange, seed: int | None = None) -> tuple[StormScreen, Effects]:
    """Return the setup after a command; chance comes with the seed of a second call."""
    assert ui.placing is not None
    try:
        if command.what == "seal":
            seal = Seal(placing.finish(ui.placing))
            if command.mode == SubmitMode.ACCEPT:
                return do(ui, seal)
            return ask(ui, seal, Severity.ASK, [str(screens.SEAL_ASK)])
        if command.what == "random" and seed is None:
            return ui, (Roll(),)
        # Only the own setup depends on it; the seed comes from the system's source of chance.
        dice = random.Random(seed)  # noqa: S311
        changed = placing.change(ui.placing, command.what, command.units, command.region, dice)
    except ValueError as refused:
        return reject(ui, str(refused)), ()
    if ui.plain:
        shown = [placing.told(changed), *placing.moved_away(ui.placing, changed, command.units)]
    else:
        shown = cards.card(ui.game, command.units[0])[:1] if command.units else []
    return show(_arranged(ui, changed), shown), ()


def propose(ui: StormScreen, seed: int) -> StormScreen:
    """Return the console with a setup that the computer would place, as one that can be loaded; what stands stays."""
    # A match without a hint does not load the computer player.
    from storm_p2p.storm.bots.placing import set_up

    assert ui.placing is not None
    side, name = ui.placing.faction, vocabulary.say("hint")
    units = set_up(side, ui.game.terms, random.Random(seed))  # noqa: S311
    proposed = placing.Placing(side, tuple(zip(REALM[side], units, strict=False)))
    others = [(known, kept) for known, kept in ui.setups if known != name]
    return show(replace(ui, setups=(*others, (name, proposed))), screens.hint(proposed.places, side, name))


def _arranged(ui: StormScreen, changed: placing.Placing) -> StormScreen:
    """Return the model with another setup; the unit cards tell of it, too."""
    return replace(ui, placing=changed, game=replace(ui.game, arranged=changed.places))


def keep(ui: StormScreen, command: Keep) -> tuple[StormScreen, Effects]:
    """Return the model after a setup was kept or taken again."""
    assert ui.placing is not None
    placed = ui.placing
    name, known = placing.name_of(command.name), dict(ui.setups)
    if command.what == "save":
        if not name or not placed.places:
            return reject(ui, str(screens.SAVE_EXPECTED)), ()
        known.pop(name, None)
        return replace(ui, setups=(*known.items(), (name, placed))), (KeepSetup(name, placed),)
    if name not in known and vocabulary.find_verb(name) == "hint":
        # What the computer would place is found by the word of either language.
        name = vocabulary.say("hint")
    if name not in known:
        listed = ", ".join(known) or screens.NONE_KEPT
        return reject(ui, fill(screens.LOAD_EXPECTED, names=listed)), ()
    stand = [placing.told(known[name])] if ui.plain else []
    return show(_arranged(ui, known[name]), [fill(screens.LOADED, name=name), *stand]), ()


def click(ui: StormScreen, kind: str, what: str, *, right: bool) -> tuple[StormScreen, Effects]:
    """Return the console after a click on a region or a unit, and what is to be done."""
    if kind == "unit":
        return _unit(ui, find_unit(what), right=right)
    region = int(what)
    if right:
        return _cards(ui, region)
    return _look(ui, region) if ui.page is not None else _click_region(ui, region)


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


def _click_region(ui: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
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


def look(ui: StormScreen, view: View) -> tuple[StormScreen, Effects] | Sequence[str]:
    """Return what a view shows: its lines, or the console that shows it in a way of its own.

    Raises:
        NotUnderstood: it cannot be shown; the sentence says what was expected.
    """
    what, args = view.what, view.args
    if what == "help":
        return help_text.help_on(args[0], ui.game.side) if args else help_now(ui)
    if ui.plain and what == "board" and ui.placing is not None:
        return [placing.told(ui.placing)]
    if not ui.plain and what == "eye":
        return _eye(ui), ()
    if not ui.plain and what == "card" and args:
        lines = tuple(cards.card(ui.game, words.find_unit(args[0])))
        return replace(ui, page=Page.CARD, lines=lines, scroll=0), ()
    state = ui.game.state
    moves = ui.game.deciding and state is not None and state.phase == Phase.TURN
    if not ui.plain and what == "costs" and args and moves and state is not None:
        # Who asks for prices has begun no move yet.
        viewing.selected(ui.game, state, args)
        return replace(without_page(ui), priced=f"costs {' '.join(args)}"), ()
    return viewing.show(ui.game, what, args)


def help_now(ui: StormScreen) -> list[str]:
    """Return what can be done now."""
    state = ui.game.state
    phase = Phase.SETUP if ui.placing is not None else None if state is None else state.phase
    choices = "" if state is None or state.combat is None else combat_text.examples(state, ui.game.side)
    awaited = ui.awaited if ui.plain else ui.placing is not None or ui.game.deciding
    return help_text.help_for(phase, ui.game.side, deciding=awaited, choices=choices)


def _eye(ui: StormScreen) -> StormScreen:
    """Return the console with what the opponent knows shown, or no longer."""
    ui = typed.read(replace(ui, eye=not ui.eye))
    lines = [fill(screens.EYE_IS[ui.eye], name=ui.game.opponent)]
    return show(ui, lines + cards.eye(ui.game) if ui.eye and ui.game.state is not None else lines)


def lead_on(ui: StormScreen, line: str) -> tuple[StormScreen, Effects] | None:
    """Return what a line does that only names who could move, as a click on the board would; None for another line.

    Own units stay at the prompt, and where they go is asked next; of any other region one is told who is there.
    """
    state = ui.game.state
    awaited = ui.game.deciding and not ui.sent
    if state is None or ui.placing is not None or (awaited and state.phase != Phase.TURN):
        return None
    if awaited:
        chosen = typed.begun(line, state, ui.game.side)
        if ui.plain and line.rstrip("?! ").isdigit():
            return _region(ui, line.rstrip("?! "), state)
        if chosen is not None and not ui.plain and preview.costs(state, ui.game.side, *chosen):
            # Prices stand on the board, so no page may lie over it.
            return pages.offer(without_page(ui), line.rstrip("?! ") + " ")
        if chosen is not None:
            return replace(ui, notice=typed.read(replace(ui, typed=line)).found.lines), ()
    if line.isascii() and line.isdigit() and int(line) in REGIONS:
        return show(ui, viewing.who(ui.game, int(line))), ()
    return None


def _region(ui: StormScreen, number: str, state: State) -> tuple[StormScreen, Effects] | None:
    """Return who is in a region, and where the own units there could go at which price."""
    if not number.isascii() or int(number) not in REGIONS:
        return None
    prices = viewing.group_costs(ui.game, state, int(number))
    return show(ui, [*viewing.who(ui.game, int(number)), *([prices] if prices else [])]), ()
