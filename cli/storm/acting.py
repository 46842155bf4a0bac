"""What is done at the prompt beside actions: the setup is made, and regions are clicked and looked up.  Pure.

A click fills the line at the prompt and sends nothing.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from cli.console import lines, messages, pages
from cli.console.messages import Effects, KeepSetup, NotUnderstood, Roll, Seal, SetLine, Severity, SubmitMode, View
from cli.console.pages import ask, do, reject, show, without_page
from cli.console.screen_state import Page
from cli.storm import grammar, model, placing, preview, typed, viewing, vocabulary
from cli.storm.grammar import Arrange, Keep, find_unit
from cli.storm.model import StormScreen
from cli.storm.text import help_text, screens, story
from cli.text.wording import fill
from storm_p2p.storm.board import OTHER, REALM, REGIONS, Region
from storm_p2p.storm.state import Phase, State, known_mask, mask
from storm_p2p.storm.units import NAME, ROSTER, Unit, units_in


def arrange(screen: StormScreen, command: Arrange, seed: int | None = None) -> tuple[StormScreen, Effects]:
    """Return the setup after a command; chance comes with the seed of a second call."""
    assert screen.placing is not None
    try:
        if command.what == "seal":
            seal = Seal(placing.finish(screen.placing))
            if command.mode == SubmitMode.ACCEPT:
                return do(screen, seal)
            return ask(screen, seal, Severity.ASK, [str(screens.SEAL_ASK)])
        if command.what == "random" and seed is None:
            return screen, (Roll(),)
        # Only the own setup depends on it; the seed comes from the system's source of chance.
        dice = random.Random(seed)  # noqa: S311
        changed = placing.change(screen.placing, command.what, command.units, command.region, dice)
    except ValueError as refused:
        return reject(screen, str(refused)), ()
    if screen.plain:
        shown = [placing.told(changed), *placing.moved_away(screen.placing, changed, command.units)]
    else:
        shown = viewing.card(screen.match, command.units[0])[:1] if command.units else []
    return show(_arranged(screen, changed), shown), (messages.KeepNotes(),)


def propose(screen: StormScreen, seed: int) -> StormScreen:
    """Return the console with a setup that the computer would place, as one that can be loaded; what stands stays."""
    # A match without a hint does not load the computer player.
    from storm_p2p.storm.bots.placing import set_up

    assert screen.placing is not None
    side, name = screen.placing.faction, vocabulary.say("hint")
    units = set_up(side, screen.match.terms, random.Random(seed))  # noqa: S311
    proposed = placing.Placing(side, tuple(zip(REALM[side], units, strict=False)))
    others = [(known, kept) for known, kept in screen.setups if known != name]
    return show(replace(screen, setups=(*others, (name, proposed))), screens.hint(proposed.places, side, name))


def _arranged(screen: StormScreen, changed: placing.Placing) -> StormScreen:
    """Return the model with another setup; the unit cards tell of it, too."""
    return replace(screen, placing=changed, match=replace(screen.match, arranged=changed.places))


def keep(screen: StormScreen, command: Keep) -> tuple[StormScreen, Effects]:
    """Return the model after a setup was kept or taken again."""
    assert screen.placing is not None
    placed = screen.placing
    name, known = placing.name_of(command.name), dict(screen.setups)
    if command.what == "save":
        if not name or not placed.places:
            return reject(screen, str(screens.SAVE_EXPECTED)), ()
        known.pop(name, None)
        return replace(screen, setups=(*known.items(), (name, placed))), (KeepSetup(name, placed),)
    if name not in known and vocabulary.find_verb(name) == "hint":
        # What the computer would place is found by the word of either language.
        name = vocabulary.say("hint")
    if name not in known:
        listed = ", ".join(known) or screens.NONE_KEPT
        return reject(screen, fill(screens.LOAD_EXPECTED, names=listed)), ()
    stand = [placing.told(known[name])] if screen.plain else []
    return show(_arranged(screen, known[name]), [fill(screens.LOADED, name=name), *stand]), (messages.KeepNotes(),)


def click(screen: StormScreen, kind: str, what: str, *, right: bool) -> tuple[StormScreen, Effects]:
    """Return the console after a click on a region or a unit, and what is to be done."""
    if kind == "unit":
        return _unit(screen, find_unit(what), right=right)
    region = int(what)
    if right:
        return _cards(screen, region)
    return _look(screen, region) if screen.page is not None else _click_region(screen, region)


def _look(screen: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    try:
        return pages.show(screen, viewing.who(screen.match, region)), ()
    except NotUnderstood:
        return screen, ()


def _cards(screen: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    """Return the model with the cards of those in a region whom the player can name; who is there, if he can none."""
    state = screen.match.state
    if state is None:
        return screen, ()
    groups = (state.sides[screen.match.side][region], state.sides[OTHER[screen.match.side]][region])
    named = [*units_in(mask(groups[0])), *units_in(known_mask(groups[1]))]
    if not named:
        return _look(screen, region)
    told = [row for unit in named for row in (*viewing.card(screen.match, unit), "")]
    return replace(screen, page=Page.CARD, lines=tuple(told[:-1]), scroll=0), ()


def _unit(screen: StormScreen, unit: Unit, *, right: bool) -> tuple[StormScreen, Effects]:
    state = screen.match.state
    if right or screen.page is not None:
        return replace(screen, page=Page.CARD, lines=tuple(viewing.card(screen.match, unit)), scroll=0), ()
    if unit not in ROSTER[screen.match.side] or screen.question is not None or screen.sent:
        return pages.show(screen, viewing.card(screen.match, unit)), ()
    if screen.placing is not None:
        first = screen.typed.split()
        name = vocabulary.say_argument(NAME[unit])
        other = f"{first[0]} {name}" if len(first) == 1 and first[0] != name else ""
        return lines.take(screen, other) if other else pages.offer(screen, f"{name} ")
    if state is not None and screen.match.deciding and state.phase in (Phase.LOSE, Phase.SNEAK, Phase.BOLT):
        return pages.offer(screen, vocabulary.say(f"lose {NAME[unit]}"))
    return screen, ()


def _click_region(screen: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    state = screen.match.state
    if screen.question is not None:
        return screen, ()
    if screen.placing is not None:
        return _place(screen, region)
    if state is None or not screen.match.deciding or screen.sent:
        return _look(screen, region)
    if state.phase in (Phase.RETREAT, Phase.STAY):
        return pages.offer(screen, vocabulary.say(f"retreat {region}"))
    if state.phase != Phase.TURN:
        return _look(screen, region)
    marks = screen.found.marks
    if region == marks.origin:
        picked = _names(screen, region, _next_choice(screen, region, marks.places))
        return pages.offer(screen, vocabulary.say(f"move {region}{picked} "))
    if marks.origin and any(target == region for target, _, _ in marks.prices):
        line = vocabulary.say(f"move {marks.origin} {region}{_names(screen, marks.origin, marks.places)}")
        # A second click on the goal asks as Enter does.
        return lines.take(screen, screen.typed) if screen.typed.strip() == line else pages.offer(screen, line)
    if state.sides[screen.match.side][region]:
        return pages.offer(screen, vocabulary.say(f"move {region} "))
    return _look(screen, region)


def _place(screen: StormScreen, region: Region) -> tuple[StormScreen, Effects]:
    assert screen.placing is not None
    words = screen.typed.split()
    standing = screen.placing.by_region.get(region)
    if len(words) == 1:
        screen, effects = lines.take(screen, f"{words[0]} {region}")
        return screen, (SetLine(""), *effects)
    return pages.offer(screen, f"{vocabulary.say_argument(NAME[standing])} ") if standing is not None else (screen, ())


def _next_choice(screen: StormScreen, region: Region, places: Sequence[int]) -> tuple[int, ...]:
    """Return the next choice among the units of a group: all of them, then each alone, then all again."""
    state = screen.match.state
    assert state is not None
    count = len(state.sides[screen.match.side][region])
    if count == 1 or len(places) == 1:
        after = places[0] + 1 if count > 1 else count
        return (after,) if after < count else tuple(range(count))
    return (0,)


def _names(screen: StormScreen, region: Region, places: Sequence[int]) -> str:
    """Return the words for some of a group; nothing for the whole of it."""
    state = screen.match.state
    assert state is not None
    group = state.sides[screen.match.side][region]
    if len(places) == len(group):
        return ""
    return "".join(f" {NAME[unit]}" for unit in model.named(group[place] for place in places))


def look(screen: StormScreen, view: View) -> tuple[StormScreen, Effects] | Sequence[str]:
    """Return what a view shows: its lines, or the console that shows it in a way of its own.

    Raises:
        NotUnderstood: it cannot be shown; the sentence says what was expected.
    """
    what, args = view.what, view.args
    if what == "help":
        return help_text.help_on(args[0], screen.match.side) if args else help_now(screen)
    if screen.plain and what == "board" and screen.placing is not None:
        return [placing.told(screen.placing)]
    if not screen.plain and what == "eye":
        return _eye(screen), ()
    if not screen.plain and what == "card" and args:
        lines = tuple(viewing.card(screen.match, grammar.find_unit(args[0])))
        return replace(screen, page=Page.CARD, lines=lines, scroll=0), ()
    state = screen.match.state
    moves = screen.match.deciding and state is not None and state.phase == Phase.TURN
    if not screen.plain and what == "costs" and args and moves and state is not None:
        # Who asks for prices has begun no move yet.
        viewing.selected(state, screen.match.side, args)
        return replace(without_page(screen), priced=f"costs {' '.join(args)}"), ()
    return viewing.show(screen.match, what, args)


def help_now(screen: StormScreen) -> list[str]:
    """Return what can be done now."""
    state = screen.match.state
    phase = Phase.SETUP if screen.placing is not None else None if state is None else state.phase
    side, heard = screen.match.side, screen.plain
    choices = "" if state is None or state.combat is None else story.example_choices(state, side, heard=heard)
    awaited = screen.awaited if screen.plain else screen.placing is not None or screen.match.deciding
    return help_text.help_for(phase, side, deciding=awaited, choices=choices)


def _eye(screen: StormScreen) -> StormScreen:
    """Return the console with what the opponent knows shown, or no longer."""
    screen = typed.read(replace(screen, eye=not screen.eye))
    lines = [fill(screens.EYE_IS[screen.eye], name=screen.match.opponent)]
    return show(screen, lines + viewing.eye(screen.match) if screen.eye and screen.match.state is not None else lines)


def lead_on(screen: StormScreen, line: str) -> tuple[StormScreen, Effects] | None:
    """Return what a line does that only names who could move, as a click on the board would; None for another line.

    Own units stay at the prompt, and where they go is asked next; of any other region one is told who is there.
    """
    state = screen.match.state
    awaited = screen.match.deciding and not screen.sent
    if state is None or screen.placing is not None or (awaited and state.phase != Phase.TURN):
        return None
    if awaited:
        chosen = typed.begun(line, state, screen.match.side)
        if screen.plain and line.rstrip("?! ").isdigit():
            return _region(screen, line.rstrip("?! "), state)
        if chosen is not None and not screen.plain and preview.costs(state, screen.match.side, *chosen):
            # Prices stand on the board, so no page may lie over it.
            return pages.offer(without_page(screen), line.rstrip("?! ") + " ")
        if chosen is not None:
            return replace(screen, notice=typed.read(replace(screen, typed=line)).found.lines), ()
    if line.isascii() and line.isdigit() and int(line) in REGIONS:
        return show(screen, viewing.who(screen.match, int(line))), ()
    return None


def _region(screen: StormScreen, number: str, state: State) -> tuple[StormScreen, Effects] | None:
    """Return who is in a region, and where the own units there could go at which price."""
    if not number.isascii() or int(number) not in REGIONS:
        return None
    prices = viewing.group_costs(screen.match, state, int(number))
    return show(screen, [*viewing.who(screen.match, int(number)), *([prices] if prices else [])]), ()
