"""What the full screen shows of Storm below its head: board and panel, combat window or setup, and what to do."""

from collections.abc import Sequence
from dataclasses import replace

from cli.console import screen_state
from cli.console.messages import SubmitMode
from cli.console.render.spans import EMPTY, Line, Zone, beside, line, with_name
from cli.console.screen_state import Page
from cli.language import cached
from cli.storm import cards, guide, viewing, vocabulary
from cli.storm.model import Marks, StormScreen
from cli.storm.placing import Placing
from cli.storm.render import board, combat, panel, setup
from cli.storm.render.board import Size
from cli.storm.text import help_text, names, narrate, screens
from cli.text import screens as common
from cli.text.wording import fill
from storm_p2p.storm import engine, notation
from storm_p2p.storm.actions import Move, Reveal
from storm_p2p.storm.board import OTHER, Faction
from storm_p2p.storm.rules.combat import sealed
from storm_p2p.storm.state import Phase, State
from storm_p2p.storm.units import CARDS, NAME, ROSTER, Unit

GAP = 2
"""Columns between the board and its panel."""
_WINDOWS = ((board.HUGE, 160, 48), (board.LARGE, 118, 38))
"""What the larger boards need."""
_LEAST_HINT = 1
"""Rows for how a maneuver is chosen, as far as they go; the keys stand in the hint."""
_LEAST_TEXT = 2
"""Rows for the preview and for answers."""
_ANSWERED = frozenset({Phase.AID, Phase.LOSE, Phase.RETREAT, Phase.STAY, Phase.SNEAK, Phase.BOLT})
"""Phases that ask a question; what the rules force is answered by the program."""


def board_size(columns: int, rows: int) -> Size:
    """Return the largest board for a window."""
    return next((size for size, across, down in _WINDOWS if columns >= across and rows >= down), board.SMALL)


def _size(ui: StormScreen) -> Size:
    """Return the size of the board; in the setup it has to leave room for the twelve units."""
    size = board_size(ui.columns, ui.rows)
    return board.LARGE if size is board.HUGE and setup.is_shown(ui) else size


def text_rows(ui: StormScreen, rows: int) -> tuple[int, int]:
    """Return the fewest and the most rows for the text below the board: what the board leaves, but for the title."""
    size = _size(ui)
    if ui.page is None and setup.is_shown(ui):
        room = setup.text_rows(rows, size) - 1
        return room, room
    most = rows - size.rows - 1
    if ui.page is None and _fights(ui) and (ui.question is None or ui.page == Page.CHAT):
        # What can be done is known after the first combat; what the powers do in this one is not.
        most = max(_LEAST_HINT, min(most, rows - combat.rows_wanted(ui.game, ui.columns) - 1))
    return _LEAST_TEXT, most


def draw(ui: StormScreen, rows: int) -> tuple[list[Line], list[Zone]]:
    """Return what lies below the head, in at most so many rows, and what can be clicked there."""
    state = ui.game.state
    size = _size(ui)
    if setup.is_shown(ui):
        return setup.draw(ui, rows, size)
    if state is None:
        return [EMPTY] * rows, []
    if _fights(ui):
        shown, zones = combat.draw(ui.game, ui.choice, ui.columns, rows)
        return shown, [Zone(zone.row + 1, zone.left, zone.right, zone.what) for zone in zones]
    marks = ui.found.marks if ui.question is None else ui.question.marks
    sides = state.sides
    if ui.motion is not None:
        sides, marks = ui.motion.sides, replace(marks, motion=ui.motion)
    drawn = board.draw(sides, ui.game.side, marks, size=size, unicode=ui.settings.unicode)
    side = panel.draw(ui.game, ui.columns - size.columns - GAP, size.rows, unicode=ui.settings.unicode)
    return beside(drawn, side, size.columns + GAP), list(board.hexes(size))


def _fights(ui: StormScreen) -> bool:
    """Return whether the window of a combat lies over the board."""
    state = ui.game.state
    fighting = state is not None and state.combat is not None and state.phase == Phase.FIGHT
    # Who attacks is seen to come first.
    return fighting and ui.game.deciding and not ui.minimised and not ui.sent and ui.motion is None


def last_board(ui: StormScreen, rows: int) -> list[Line]:
    """Return the board at the end, where every unit was opened; the large one if so many rows have room for it."""
    ending = ui.game.ending
    if ending is None or ending.opened is None or ending.opened.phase == Phase.SETUP:
        return []
    sides = guide.all_known(ending.opened).sides
    # A blank row and a title stand above it.
    fitting = (one for one in (board.HUGE, board.LARGE) if ui.columns > one.columns and rows >= one.rows + 2)
    size = next(fitting, board.SMALL)
    title = help_text.LAST_BOARD_SMALL if size is board.SMALL else help_text.LAST_BOARD
    drawn = board.draw(sides, ui.game.side, Marks(), size=size, unicode=ui.settings.unicode)
    return [EMPTY, line(str(title)), *drawn]


def asked(ui: StormScreen) -> str:
    """Return what is asked now, for the head line."""
    game = ui.game
    if ui.placing is not None:
        return str(screens.SETUP_STATE)
    if game.deciding and game.state is not None:
        question = screens.QUESTIONS.get(game.state.phase, common.YOUR_ANSWER)
        return f"{question} ({names.side_name(game.side)})"
    return str(screens.DEALING)


def said_above(ui: StormScreen) -> str:
    """Return the line of the log that says no more than the head does now; nothing where there is none."""
    state = ui.game.state
    return narrate.turn(state.number) if ui.awaited and state is not None and state.phase == Phase.TURN else ""


def coming(ui: StormScreen) -> Sequence[str]:
    """Return what the player can do now, for somebody who has never played."""
    game, state = ui.game, ui.game.state
    if ui.setting_up:
        return setup.card(ui) or setup.first_lines(ui)
    if ui.given and state is not None and state.phase == Phase.FIGHT and not game.deciding:
        template = screens.GIVEN_SEALED if sealed(state) else screens.GIVEN
        return (fill(template, what=ui.given, name=game.opponent), str(common.WAIT_HINT))
    if ui.sent or not game.deciding or state is None or screen_state.is_preparing(game):
        return ()
    if state.phase == Phase.TURN:
        first = list(map(str, screens.FIRST_MOVE))
        also = _also(state, game.side)
        return (str(screens.GOALS[game.side]), *first, *also) if ui.first and not game.guided else (first[0], *also)
    if state.phase == Phase.FIGHT:
        return combat.how_to_choose(state, game.side)
    if state.phase not in _ANSWERED:
        return (str(common.WAIT_HINT),)
    region = state.target or (state.combat.region if state.combat is not None else 0)
    said = [help_text.question(state.phase, region)]
    if state.phase == Phase.AID:
        said.append(guide.aid(state, game.side))
    answers = "   ".join(option_words(ui))
    return (*said, fill(common.ANSWERS, answers=answers))


@cached(maxsize=4)
def _also(state: State, faction: Faction) -> tuple[str, ...]:
    """Return what can be done besides moving, with its price; revealing is free and left out."""
    ways: dict[str, list[str]] = {}
    for action, price in engine.options(state, faction):
        if isinstance(action, Reveal) or (isinstance(action, Move) and action.claim is None):
            continue
        text = vocabulary.say(notation.format_action(action))
        verb = vocabulary.say_argument("claim") if isinstance(action, Move) else text.split()[0]
        ways.setdefault(verb, []).append(fill(screens.OPTION, words=text, price=names.cost(price)))
    found = [
        texts[0] if len(texts) == 1 else fill(screens.WAYS, verb=verb, number=len(texts))
        for verb, texts in ways.items()
    ]
    return (fill(screens.ALSO, options=", ".join(found)),) if found else ()


def option_words(ui: StormScreen) -> list[str]:
    """Return the answers to the present question, in words that can be typed."""
    free = f"({names.FREE})"
    return [option.partition(" (")[0] if option.endswith(free) else option for option in viewing.options(ui.game)]


def hint(ui: StormScreen) -> str:
    """Return the name of the hint while an answer is awaited and nothing is typed, or while the setup is made."""
    if ui.placing is not None:
        found = _setup(ui.placing, ui.typed.strip())
        return "setup hinted" if found == "setup" and ui.game.aids else found
    phase = None if ui.game.state is None else ui.game.state.phase
    if phase == Phase.FIGHT:
        return "hidden" if ui.minimised else "fight"
    return "turn" if phase == Phase.TURN else "answer"


def _setup(placed: Placing, line: str) -> str:
    """Return which hint stands below the setup."""
    first, *rest = line.rstrip("!? ").lower().split() or [""]
    if placed.free or rest or vocabulary.find_verb(first) != "seal":
        return "setup"
    return "sealed" if line.endswith(SubmitMode.ACCEPT.value) else "sealing"


def draw_units(ui: StormScreen) -> tuple[list[Line], list[Zone]]:
    """Return all 24 units in two columns, the own ones left, each of which can be clicked."""
    half = (ui.columns - 2) // 2
    me = ui.game.side
    blocks = [_block(ui, me, str(common.YOU)), _block(ui, OTHER[me], ui.game.opponent)]
    zones = [
        Zone(1 + down, 1 + side * half, side * half + half, f"unit {NAME[unit]}")
        for side, faction in enumerate((me, OTHER[me]))
        for down, unit in enumerate(ROSTER[faction])
    ]
    return beside(blocks[0], blocks[1], half), zones


def _block(ui: StormScreen, faction: Faction, name: str) -> list[Line]:
    side = names.side_name(faction)
    head = line(with_name(lambda called: f"{called} ({side})", name, (ui.columns - 2) // 2 - 1), "title")
    return [head, *(_unit_line(ui, faction, unit) for unit in ROSTER[faction])]


def _unit_line(ui: StormScreen, faction: Faction, unit: Unit) -> Line:
    style = "own" if faction == ui.game.side else "enemy"
    strength = CARDS[unit].strength
    return (
        ("", f"{names.code(unit)} "), (style, f"{names.unit_name(unit):11}"),
        ("", f"{strength}  {cards.status(ui.game, unit)}"),
    )  # fmt: skip
