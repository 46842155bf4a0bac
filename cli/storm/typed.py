"""What the line at the prompt means while it is typed: selected units, prices of their targets, a whole action.

Completion offers what may be typed now, costly actions last.  A line of talk that reads like a command is noticed, so
that a move typed at the wrong prompt is not told to the other side.  That asks nothing of the position: a move reads
like one when it is not one's turn, and when it is mistyped.  Pure.
"""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cli.clean import clean
from cli.console import messages
from cli.console.lines import act
from cli.console.messages import Act, Effects, NotUnderstood, Own, Severity, SubmitMode
from cli.console.screen_state import Page, Suggestion
from cli.language import LANGUAGES
from cli.storm import grammar, model, preview, viewing, vocabulary
from cli.storm.grammar import Arrange
from cli.storm.model import Marks, StormScreen, TypedLine
from cli.storm.placing import Placing
from cli.storm.preview import Odds
from cli.storm.text import names, prices, screens
from cli.storm.vocabulary import COMMANDS
from cli.text.wording import Lazy, _, fill, signed
from cli.vocabulary import ALWAYS, Kind, Tab, Takes, fold, split
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Action, Bolt, Fight, Lose, Move, Retreat, Sneak
from storm_p2p.storm.board import OTHER, REALM, REGIONS, Faction, Region
from storm_p2p.storm.engine import Price
from storm_p2p.storm.rules import combat
from storm_p2p.storm.state import CombatChoice, Phase, State
from storm_p2p.storm.units import NAME, ROSTER, Maneuver, Unit

MOST_TARGETS = 8
"""So many targets are named below the board; all of them have their price on it."""


def read(screen: StormScreen) -> StormScreen:
    """Return the console with the meaning of the line that is typed."""
    if screen.typed and screen.priced:
        screen = replace(screen, priced="")
    found = _read(screen)
    return replace(screen, found=found, choice=found.choice or screen.choice)


def _read(screen: StormScreen) -> TypedLine:
    state = screen.match.state
    if state is None or not screen.match.deciding or screen.sent or screen.page == Page.CHAT:
        return TypedLine(_notes_only(screen))
    typed = clean(screen.typed) or screen.priced
    marks = _notes_only(screen)
    if state.combat is not None:
        marks = replace(marks, target=state.combat.region)
    if state.phase == Phase.FIGHT:
        # The window itself shows the price of the choice.
        return TypedLine(marks, severity=_fight(typed, screen, state), choice=_choice(typed, state, screen.match.side))
    if state.phase in (Phase.RETREAT, Phase.STAY):
        retreats = tuple(
            (action.target, price.honor, price.energy)
            for action, price in engine.options(state, screen.match.side)
            if isinstance(action, Retreat)
        )
        marks = replace(marks, prices=retreats)
    chosen = selected(typed, state, screen.match.side) if state.phase == Phase.TURN else None
    lines: tuple[str, ...] = ()
    picked = False
    if chosen is not None:
        picked = begun(typed, state, screen.match.side) is not None
        origin, places = chosen
        ways = preview.ways(state, screen.match.side, origin, places)
        marked = tuple((region, price.honor, price.energy) for region, price, _ in ways)
        attacks = tuple((region, one.ours, one.theirs) for region, _, one in ways if one is not None)
        marks = replace(marks, prices=marked, attacks=attacks, origin=origin, places=places, target=0)
        begins = typed.rstrip("?!> ") if picked else ""
        template = screens.PRICED if vocabulary.find_verb(_tokens(typed)[0]) == "costs" else screens.PICKED
        lines = _picked(state, screen.match.side, origin, places, ways, begins, template)
    elif state.phase == Phase.TURN and typed.isascii() and typed.isdigit() and int(typed) in REGIONS:
        # A region without own units: who is there, as far as one knows.
        lines = tuple(viewing.who(screen.match, int(typed)))
    try:
        command = grammar.parse(typed, state, screen.match.side)
    except NotUnderstood:
        return TypedLine(marks, lines, picked=picked and bool(marks.prices))
    if not isinstance(command, messages.Act):
        return TypedLine(marks, lines)
    action = command.action
    severity, told = screen.match.guest.preview(screen, action)
    if isinstance(action, Move | Sneak):
        marks = replace(marks, origin=action.path[0], target=action.path[-1])
        if isinstance(action, Move):
            marks = replace(marks, places=action.movers)
    elif isinstance(action, Bolt):
        marks = replace(marks, target=action.target)
    return TypedLine(marks, tuple(told), severity)


def _notes_only(screen: StormScreen) -> Marks:
    noted = tuple(region for region, _ in screen.match.notes)
    return Marks(eye=screen.eye, noted=noted, trails=screen.trails, suspected=_suspected(screen))


def _suspected(screen: StormScreen) -> tuple[Region, ...]:
    """Return where the hidden enemy may stand whom a line asks about, as far as everybody knows."""
    first, *rest = _tokens(screen.typed) or [""]
    state, foe = screen.match.state, OTHER[screen.match.side]
    asks = vocabulary.find_verb(first) in ("card", "where") and len(rest) == 1 and grammar.is_unit(rest[0], foe)
    if state is None or not asks:
        return ()
    unit = grammar.find_unit(rest[0], foe)
    hidden = {at: [one for one in state.sides[foe][at] if not one.known] for at in REGIONS}
    return tuple(at for at, group in hidden.items() if any(one.can >> unit & 1 for one in group))


def selected(typed: str, state: State, faction: Faction) -> tuple[Region, tuple[int, ...]] | None:
    """Return the own units that a line has picked so far: where they stand and their places in the group there."""
    tokens = _tokens(typed)
    if tokens and vocabulary.find_verb(tokens[0]) in ("move", "costs"):
        tokens = tokens[1:]
    named = [word for word in tokens if grammar.is_unit(word, faction)]
    # A number that comes first is where from.
    origin = [word for word in tokens[:1] if _is_region(word)]
    if not tokens or tokens[:1] not in (origin, named[:1]):
        return None
    try:
        return viewing.selected(state, faction, origin + named)
    except NotUnderstood:
        return None


def begun(typed: str, state: State, faction: Faction) -> tuple[Region, tuple[int, ...]] | None:
    """Return the own units of a line that picks some and says nothing else: where they go is still missing."""
    chosen = selected(typed, state, faction)
    if chosen is None:
        return None
    tokens = _tokens(typed)
    if vocabulary.find_verb(tokens[0]) == "move":
        tokens = tokens[1:]
    others = [word for word in tokens if word not in grammar.ALL and not grammar.is_unit(word, faction)]
    return chosen if others in ([], [str(chosen[0])]) else None


def goes_on(screen: StormScreen, more: str) -> bool:
    """Return whether what is typed behind a line that the console has put at the prompt belongs to it.

    Behind own units that a click or Enter has picked come regions, others of their group, and little else: a command,
    or a unit that stands elsewhere, begins a new line.  So does whatever is typed into a word that stands there whole.
    """
    picked = screen.picked
    glued = not picked.endswith((" ", ">")) and more[:1].isalnum()
    first = _tokens(more)[:1]
    if not first or glued:
        return not glued
    if first[0].isdigit() or any(word.startswith(first[0]) for word in grammar.ALL | grammar.CLAIM | grammar.IMMUNE):
        return True
    begun = grammar.starting_with(first[0])
    return any(unit in begun for unit in _beside(picked, screen))


def _beside(picked: str, screen: StormScreen) -> Sequence[Unit]:
    """Return the own units that can be named behind those that a line has picked."""
    state, faction = screen.match.state, screen.match.side
    if screen.placing is not None:
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
    return [one for one in preview.ways(state, faction, *chosen) if str(one[0]).startswith(line[len(head) :])]


def _tokens(typed: str) -> list[str]:
    return split(typed.rstrip("?! "))


def _picked(
    state: State,
    faction: Faction,
    origin: Region,
    places: Sequence[int],
    ways: Sequence[tuple[Region, Price, Odds | None]],
    begins: str,
    template: Lazy,
) -> tuple[str, ...]:
    """Return which units are picked and where they can go, the cheapest first.

    The example goes on from what is typed, where that only has to be gone on from (``begins``).
    """
    group = state.sides[faction][origin]
    units = model.named(group[place] for place in places)
    name = names.crowd(units)
    if not ways:
        return (fill(screens.PICKED_NOWHERE, units=name, region=origin),)
    ranked = sorted(ways, key=lambda item: (-item[1].honor, -item[1].energy, item[0]))
    line = f"move {origin} {ranked[0][0]}"
    if len(units) < len(group):
        line += "".join(f" {NAME[unit]}" for unit in units)
    line = f"{begins} {ranked[0][0]}" if begins else vocabulary.say(line)
    return fill(template, units=name, region=origin, line=line), *prices.ways(ranked[:MOST_TARGETS])


def _fight(typed: str, screen: StormScreen, state: State) -> Severity | None:
    """Return how loudly is asked about a line that is a whole choice."""
    try:
        command = grammar.parse(typed, state, screen.match.side)
    except NotUnderstood:
        return None
    return screen.match.guest.preview(screen, command.action)[0] if isinstance(command, messages.Act) else None


def _choice(typed: str, state: State, faction: Faction) -> CombatChoice | None:
    """Return the maneuver and Energy of a line, as far as they are typed and allowed."""
    tokens = fold(typed).rstrip("?! ").split()
    if tokens and vocabulary.find_verb(tokens[0]) == "fight":
        tokens = tokens[1:]
    tokens = [word for word in tokens if vocabulary.find_argument(word) != faction.name.lower()]
    if not tokens or tokens[0] not in grammar.MANEUVERS:
        return None
    maneuver = grammar.MANEUVERS[tokens[0]]
    energy = int(tokens[1]) if len(tokens) > 1 and tokens[1].isascii() and tokens[1].isdigit() else 0
    if maneuver not in combat.maneuvers(state, faction):
        return None
    if energy > combat.energy_limit(state, faction):
        return None
    return CombatChoice(maneuver, energy)


_VIEWS = tuple(sorted(name for name, row in vocabulary.COMMANDS.items() if Tab.MATCH in row.tab))
"""Commands that are offered besides the actions."""
_SETUP_WORDS = tuple(name for name, row in vocabulary.COMMANDS.items() if Tab.SETUP in row.tab)
_UNITS = tuple(NAME[unit] for unit in Unit)
_PLACES = tuple(map(str, REGIONS))
_BEHIND: Final[Mapping[str, Sequence[str]]] = {
    "card": _UNITS,
    "where": _UNITS,
    "costs": _UNITS,
    "who": _PLACES,
    "note": _PLACES,
    "log": ("10", "20", "50"),
    "scan": ("1", "2", "3", "4", "5"),
    "lang": LANGUAGES,
    "confirm": tuple(ALWAYS),
    "help": tuple(sorted(vocabulary.COMMANDS)),
}
"""What can stand behind a word that is no action."""


def forms(action: Action) -> list[str]:
    """Return the ways to type an action, the canonical one first."""
    found = [notation.format_action(action)]
    if isinstance(action, Move) and len(action.path) == 2:
        units = " ".join(sorted(NAME[unit] for unit in action.units))
        found.append(f"{units} {action.path[1]}{'' if action.claim is None else ' claim'}")
    elif isinstance(action, Fight):
        found.append(f"{vocabulary.typed_as(action.maneuver)} {action.energy}")
        found.append(f"{action.maneuver.name.lower()} {action.energy}")
    elif isinstance(action, Lose):
        found.append(found[0].removeprefix("lose "))
    return found


def suggest(line: str, options: Iterable[tuple[Action, Price]]) -> list[Suggestion]:
    """Return what can come next in a line, the cheapest first."""
    typed = split(line)
    partial = "" if not line or line[-1].isspace() or line[-1] == ">" else typed.pop()
    begun = [_canonical(word) for word in typed]
    found: dict[str, list[Price]] = {}
    for action, price in options:
        for form in forms(action):
            parts = form.split()
            if len(parts) > len(begun) and parts[: len(begun)] == begun and _begins(parts[len(begun)], partial):
                found.setdefault(parts[len(begun)], []).append(price)
    ranked = sorted(found.items(), key=lambda item: (*_dearness(item[1]), _order(item[0])))
    start = -len(partial)
    # The first word is a command, and what stands behind it is not.
    named = vocabulary.say_argument if begun else vocabulary.say
    shown: dict[str, Suggestion] = {}
    for word, paid in ranked:
        # Two canonical words may be one in the reader's language; the cheaper one is meant.
        shown.setdefault(named(word), Suggestion(named(word), start, _note(paid)))
    for word in () if begun else _VIEWS:
        if _begins(word, partial):
            shown.setdefault(named(word), Suggestion(named(word), start, ""))
    for word in behind(begun, partial) if not shown else ():
        shown.setdefault(word, Suggestion(word, start, ""))
    return list(shown.values())


def behind(begun: Sequence[str], partial: str) -> list[str]:
    """Return what can stand behind a whole canonical word that only looks, talks or keeps, as the reader types it."""
    if len(begun) != 1 or begun[0] not in _BEHIND:
        return []
    say = vocabulary.say if begun[0] == "help" else vocabulary.say_argument
    return [say(word) for word in _BEHIND[begun[0]] if _begins(word, partial)]


def places(partial: str, ways: Iterable[tuple[Region, Price, Odds | None]]) -> list[Suggestion]:
    """Return regions that can come next, the cheapest first; ``partial`` is how far the number is typed."""
    ranked = sorted(ways, key=lambda item: (*_dearness([item[1]]), item[0]))
    return [Suggestion(str(region), -len(partial), prices.priced(price, attack)) for region, price, attack in ranked]


def _canonical(word: str) -> str:
    if word in vocabulary.EXACT:
        return vocabulary.EXACT[word]
    if grammar.is_unit(word):
        return NAME[grammar.find_unit(word)]
    if word in grammar.MANEUVERS:
        return grammar.MANEUVERS[word].name.lower()
    return vocabulary.find_argument(word)


def _begins(word: str, partial: str) -> bool:
    """Return whether a word can be what is being typed: in the reader's language, and units by every name."""
    spoken = (vocabulary.say(word), vocabulary.say_argument(word))
    if word.startswith(partial) or any(fold(one).startswith(partial) for one in spoken):
        return True
    return bool(partial) and any(NAME[unit] == word for unit in grammar.starting_with(partial))


def _order(word: str) -> tuple[int, str]:
    return (int(word), "") if word.isdigit() else (99, word)


def _dearness(paid: Sequence[Price]) -> tuple[int, int]:
    """Return a key that is small for what is cheap: the cheapest way to go on counts."""
    best = max((price.honor, price.energy) for price in paid)
    return (-min(best[0], 0), -min(best[1], 0))


def _note(paid: Sequence[Price]) -> str:
    different = sorted({(price.honor, price.energy) for price in paid}, reverse=True)
    if len(different) == 1:
        return names.cost(paid[0])
    honors = sorted({honor for honor, _ in different})
    if len(honors) == 1:
        return _("several prices")
    return fill("honor {least} to {most}", least=signed(honors[0]), most=signed(honors[-1]))


def suggest_setup(line: str, placing: Placing, kept: Sequence[str]) -> list[Suggestion]:
    """Return what can come next in a line while a setup is made; ``kept`` are the names of those that were kept."""
    typed = fold(line).split()
    partial = "" if not line or line[-1].isspace() else typed.pop()
    if not typed:
        commands = [(vocabulary.say(word), "") for word in _SETUP_WORDS if _begins(word, partial)]
        found = [*_units(placing, partial), *commands]
    elif vocabulary.console_word(typed[0]) == "load" and len(typed) == 1:
        found = [(name, "") for name in kept if name.startswith(partial)]
    elif len(typed) == 1 and grammar.is_unit(typed[0], placing.faction):
        name = vocabulary.say_argument(NAME[grammar.find_unit(typed[0], placing.faction)])
        regions = [one for one in _regions(placing) if one[0].startswith(partial)]
        found = [*regions, *(one for one in _units(placing, partial) if one[0] != name)]
    else:
        found = [(word, "") for word in behind([_canonical(word) for word in typed], partial)]
    return [Suggestion(word, -len(partial), note) for word, note in found]


def _units(placing: Placing, partial: str) -> list[tuple[str, str]]:
    """Return the own units that can be meant, those that are not placed first, with where they stand."""
    where = placing.by_unit
    meant = set(grammar.starting_with(partial)) if partial else set(ROSTER[placing.faction])
    found = sorted((unit for unit in ROSTER[placing.faction] if unit in meant), key=lambda unit: unit in where)
    notes = {unit: fill(screens.STANDS_IN, region=region) for unit, region in where.items()}
    return [(vocabulary.say_argument(NAME[unit]), notes.get(unit, "")) for unit in found]


def _regions(placing: Placing) -> list[tuple[str, str]]:
    """Return the regions of the realm, free ones first, with who stands there."""
    by_region = placing.by_region
    regions = sorted(REALM[placing.faction], key=lambda region: (region in by_region, region))
    return [(str(region), names.unit_name(by_region[region]) if region in by_region else "") for region in regions]


def chooses(state: State | None, faction: Faction) -> bool:
    """Return whether a side chooses a maneuver now."""
    return state is not None and state.phase == Phase.FIGHT and faction in model.asked_sides(state)


def action_of(choice: CombatChoice, faction: Faction) -> Fight:
    """Return the action of a choice."""
    return Fight(faction, choice.maneuver, choice.energy)


def is_combat_open(screen: StormScreen) -> bool:
    """Return whether the combat window is shown and waits for a choice."""
    return (
        screen.choice is not None
        and not screen.minimised
        and screen.page is None
        and screen.question is None
        and not screen.sent
        and screen.match.deciding
    )


def enter(screen: StormScreen) -> tuple[StormScreen, Effects]:
    """Return what Enter does without a line: it asks about the choice of the combat window.

    That is asked even where it costs nothing, for whoever presses Enter once more after a result means nothing by it.
    """
    if screen.choice is None or screen.minimised or screen.sent or not chooses(screen.match.state, screen.match.side):
        return screen, ()
    return act(screen, Act(action_of(screen.choice, screen.match.side), SubmitMode.ASK), least=Severity.ASK)


def steer(screen: StormScreen, key: str) -> StormScreen:
    """Return the combat window with another maneuver or another amount of Energy."""
    state, choice = screen.match.state, screen.choice
    if state is None or choice is None or state.combat is None:
        return screen
    if key in ("left", "right"):
        limit = combat.energy_limit(state, screen.match.side)
        energy = min(limit, max(0, choice.energy + (1 if key == "right" else -1)))
        return replace(screen, choice=choice._replace(energy=energy))
    allowed = combat.maneuvers(state, screen.match.side)
    at = allowed.index(choice.maneuver) + (1 if key == "down" else -1)
    return replace(screen, choice=CombatChoice(Maneuver(allowed[at % len(allowed)]), choice.energy))


_ACTIONS: Final = {verb: row.takes for verb, row in COMMANDS.items() if row.kind is Kind.ACTION} | {"open": Takes.UNIT}
"""Actions and what stands behind them; ``open`` is one of the notation alone."""
_NOBODY: Final = frozenset(vocabulary.names_of("none"))
_FILLERS: Final = (
    grammar.ALL | grammar.CLAIM | grammar.IMMUNE | _NOBODY | {"?", *(side.name.lower() for side in Faction)}
)
_GLUED: Final = re.compile(r"\b([^\W\d_]{3,})(\d+)\b")
"""A word and a number without the blank between them; ``gr8`` and ``m8`` are no such thing."""
LEAST_NAME: Final = 3
"""Letters that a name has at least: all three-letter codes, and no ``ha``."""
LIKENESS: Final = 0.75
"""How near a mistyped word is to the command that it stands for (see :mod:`difflib`)."""
_COMMANDS: Final = {
    word: verb for word, verb in vocabulary.EXACT.items() if _ACTIONS.get(verb) and len(word) >= LEAST_NAME
}
"""Words that a mistyped one may stand for; what is shorter is like too many."""


def reads_like_a_command(line: str, faction: Faction) -> bool:
    """Return whether a clean line reads like an action of the game, a view with units or regions, or a note."""
    apart = _GLUED.sub(r"\1 \2", line.lower())
    tokens = apart.rstrip("?! ").replace(">", " ").replace("+", " ").replace(",", " ").split()
    if not tokens:
        return False
    # As in the grammar, `r` with a name reveals.
    verb = "reveal" if tokens[0] == "r" else vocabulary.find_verb(tokens[0])
    if len(tokens) == 1:
        # A word alone is no answer in a talk; `yes` or `leave` are.
        return verb in _ACTIONS and not _ACTIONS[verb] and tokens[0] in vocabulary.EXACT
    return _orders(verb, tokens, faction) or _consists(verb, tokens, faction) or _betrays(tokens, faction)


def _orders(verb: str | None, tokens: Sequence[str], faction: Faction) -> bool:
    """Return whether a line begins with a command and with what belongs to it; what follows may be mistyped."""
    first, second = tokens[:2]
    if first in grammar.MANEUVERS and not first.isdigit() and second.isdigit():
        return True
    if verb == "fight" and (second in grammar.MANEUVERS or second in _FILLERS):
        return True
    if verb == "note" and second.isdigit():
        return True
    if verb is None and len(first) >= LEAST_NAME:
        near = difflib.get_close_matches(first, sorted(_COMMANDS), 1, LIKENESS)
        verb = _COMMANDS[near[0]] if near else first
    takes = _ACTIONS.get(verb or "", Takes.NOTHING)
    if Takes.REGION in takes and _is_region(second):
        return True
    return Takes.UNIT in takes and (_is_own(second, faction) or second in _NOBODY)


def _consists(verb: str | None, tokens: Sequence[str], faction: Faction) -> bool:
    """Return whether a line has nothing but regions, own units and words around them, after a command or without."""
    rest = tokens if verb is None or _is_own(tokens[0], faction) else tokens[1:]
    if not all(word.isdigit() or _is_own(word, faction) or word in _FILLERS for word in rest):
        return False
    named = [word for word in rest if _is_own(word, faction)]
    return bool(named) or len(rest) > 1 or (verb is not None and rest[0].isdigit())


def _betrays(tokens: Sequence[str], faction: Faction) -> bool:
    """Return whether a line names an own unit and a region, or two regions first, with one word beside them at most."""
    regions = [_is_region(word) for word in tokens]
    known = [_is_own(word, faction) for word in tokens]
    strange = sum(
        not (region or own or word in _FILLERS) for word, region, own in zip(tokens, regions, known, strict=True)
    )
    return strange <= 1 and ((any(regions) and any(known)) or all(regions[:2]))


def _is_region(word: str) -> bool:
    return word.isascii() and word.isdigit() and int(word) in REGIONS


def _is_own(word: str, faction: Faction) -> bool:
    if len(word) < LEAST_NAME or not grammar.is_unit(word, faction):
        return False
    return grammar.find_unit(word, faction) in ROSTER[faction]


def is_for_the_board(screen: StormScreen, line: str) -> bool:
    """Return whether the board would take a line as an action now, or it reads like a command at any time."""
    state, faction = screen.match.state, screen.match.side
    if reads_like_a_command(line, faction):
        return True
    if not screen.awaited:
        return False
    view = None if screen.placing is not None else state
    try:
        command = grammar.parse(line, view, faction, setting_up=screen.placing is not None)
    except NotUnderstood:
        begins = view is not None and view.phase == Phase.TURN and (line.isdigit() or len(line) >= LEAST_NAME)
        return begins and view is not None and begun(line, view, faction) is not None
    return isinstance(command, Act) or (isinstance(command, Own) and isinstance(command.command, Arrange))
