"""Six screens of each game as every kind of terminal shows them: their rows, and how each row looks.

``tests/golden/tiers_GAME.txt`` has the rows of each screen once, as ASCII; German has only the rows that differ from
English, each with its number.  Below them is a line for each tier: two digits for each row, which stand for the codes
that a terminal gets for it.  So a change of words is read as such, and one of colours names its tier and its row.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from itertools import groupby
from typing import Final

import helpers
import helpers_tui as tui
import pictures
from console import fight_console as fight
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _EscapeCodeCache
from prompt_toolkit.styles import BaseStyle, Style, default_ui_style, merge_styles

from cli import language
from cli.console.messages import Analysed, Entered, Rolled, Typed
from cli.console.render import replay
from cli.console.render.spans import Line, plain, rules, style_class
from cli.console.replay import Analysis, Candidate, Judged, Point, Replay, opening, press
from cli.console.screen_state import LINES, ScreenState
from cli.match.player import Ended, Ending, Happened, Placed
from cli.storm.model import StormScreen
from storm_p2p.fight.positions import load_position
from storm_p2p.storm.state import Terms

UPDATE: Final = bool(os.environ.get("UPDATE_GOLDEN"))
SIZES: Final = ((80, 24), (120, 40), (160, 50))


@dataclass(frozen=True, slots=True)
class Tier:
    """What a terminal can show."""

    theme: str
    unicode: bool
    depth: ColorDepth


TIERS: Final[Mapping[str, Tier]] = {
    "full dark": Tier("dark", True, ColorDepth.DEPTH_24_BIT),
    "full light": Tier("light", True, ColorDepth.DEPTH_24_BIT),
    "256 dark": Tier("dark", True, ColorDepth.DEPTH_8_BIT),
    "256 light": Tier("light", True, ColorDepth.DEPTH_8_BIT),
    "lines": Tier(LINES, True, ColorDepth.DEPTH_8_BIT),
    "sixteen": Tier(LINES, True, ColorDepth.DEPTH_4_BIT),
    "ascii": Tier(LINES, False, ColorDepth.DEPTH_1_BIT),
}
"""By name; a board in half blocks needs 256 colours."""
Size = tuple[int, int]


def _storm_main(size: Size) -> StormScreen:
    line = {"en": "14 eri hec", "de": "14 eri hek"}[language.current()]
    return tui.after(tui.asked(tui.EXAMPLE, size), Entered("note 8 maybe Zeus"), Typed(line))


def _storm_setup(size: Size) -> StormScreen:
    screen = tui.after(tui.begin(size, terms=Terms(open_combat=True, challenge=2)), Placed(), Rolled(7))
    return tui.after(screen, Typed("per"))


def _storm_question(size: Size) -> StormScreen:
    line = {"en": "move 14 8 eri hec", "de": "zug 14 8 erinnyen hekate"}[language.current()]
    return tui.after(tui.asked(tui.EXAMPLE, size), Entered(line))


def _storm_combat(size: Size) -> StormScreen:
    return tui.after(tui.asked(tui.COMBAT, size), Typed("ret 1"))


def _storm_end(size: Size) -> StormScreen:
    held = helpers.at("chthonians", "hades cronus nyx 14, artemis athena ares hera 15, zeus 8, charon 3, apollo 23")
    over = helpers.play(held, "move 14 15 cronus hades nyx")
    ending = Ending("chthonians", "palace", True, "/home/alice/logs/bob.storm", opened=over)
    judged = Analysis(
        (0, 1),
        tuple(Point(at, at, (at / 4, 1 - at / 4), ((9, 9), (9, 9))) for at in range(5)),
        tuple(Judged(at, at, 0, "move 6 12 nyx", 0.2, Candidate("liturgy", 0.3, 1.0, ())) for at in range(4)),
        done=1,
        total=1,
    )
    return tui.after(tui.asked(over, size), Ended(ending), Analysed(judged))


@cache
def _replayed(log: str, spoken: str) -> Replay:
    shown = opening(pictures.recorded(pictures.LOG.parents[1] / f"{log}.storm"))
    for key in ("c", "c", "b"):
        shown, _ = press(shown, key)
    return shown


def _replay(log: str) -> Callable[[Size], Replay]:
    return lambda size: replace(_replayed(log, language.current()), columns=size[0], rows=size[1])


def _fight_first(size: Size) -> ScreenState:
    return fight.asked(fight.seen({**fight.BOARD, "number": 1, "sides": [[None] * 6] * 2, "counter": 0}), size)


def _fight_end(size: Size) -> ScreenState:
    table = load_position(fight.CARDS, fight.BOARD)
    ending = Ending("0", "points", True, "/home/alice/logs/bob.storm", opened=table.state)
    return tui.after(fight.asked(fight.seen(fight.BOARD), size), Happened((), fight.seen(fight.BOARD)), Ended(ending))


SCREENS: Final[Mapping[str, Mapping[str, Callable[[Size], ScreenState | Replay]]]] = {
    "storm": {
        "setup": _storm_setup,
        "main": _storm_main,
        "question": _storm_question,
        "combat": _storm_combat,
        "end": _storm_end,
        "replay": _replay("protocol3-rules2/hash-dealt-rules-clock"),
    },
    "fight": {
        "first": _fight_first,
        "main": lambda size: fight.asked(fight.seen(fight.BOARD), size),
        "typed": lambda size: tui.after(fight.asked(fight.seen(fight.BOARD), size), Typed("play 3 2 pay 63")),
        "question": lambda size: fight.asked(fight.seen(fight.QUESTION, "play 10 2 pay 63"), size),
        "end": _fight_end,
        "replay": _replay("protocol3-fight1/proved-reconstructed-rules"),
    },
}
"""Six screens of each game by their names."""


@cache
def drawn(game: str, name: str, size: Size, spoken: str) -> Mapping[str, Sequence[Line]]:
    """Return all rows of a screen in each tier, in a language."""
    before = language.current()
    language.choose(spoken)
    screen = SCREENS[game][name](size)
    looks = {(one.theme, one.unicode) for one in TIERS.values()}
    made = {look: _rows(screen, *look) for look in looks}
    language.choose(before)
    return {name: made[one.theme, one.unicode] for name, one in TIERS.items()}


def _rows(screen: ScreenState | Replay, theme: str, unicode: bool) -> Sequence[Line]:
    if isinstance(screen, Replay):
        return replay.render(replace(screen, theme=theme, unicode=unicode))
    return pictures.rows_of(replace(screen, settings=replace(screen.settings, theme=theme, unicode=unicode)))


@cache
def _style(*, sixteen: bool) -> BaseStyle:
    return merge_styles([default_ui_style(), Style.from_dict(rules(sixteen=sixteen))])


@cache
def _codes(style: str, depth: ColorDepth) -> str:
    """Return what a terminal gets before text in a style."""
    attributes = _style(sixteen=depth == ColorDepth.DEPTH_4_BIT).get_attrs_for_style_str(style_class(style))
    return str(_EscapeCodeCache(depth)[attributes])


def digest(row: Line, depth: ColorDepth) -> str:
    """Return two digits for what a terminal gets for a row, however it is divided into spans."""
    coded = ((_codes(style, depth), text) for style, text in row)
    parts = [(code, "".join(text for _, text in run)) for code, run in groupby(coded, lambda one: one[0])]
    return blake2b(repr(parts).encode(), digest_size=1).hexdigest()


def section(game: str, name: str, size: Size) -> Iterator[str]:
    """Yield the lines of a screen in the file of its game, in the language that is spoken now."""
    lines = drawn(game, name, size, language.current())
    yield f"=== {name} {size[0]}x{size[1]} {language.current()}"
    english = drawn(game, name, size, language.ENGLISH)["ascii"]
    for number, (row, known) in enumerate(zip(lines["ascii"], english, strict=True)):
        if language.current() == language.ENGLISH:
            yield plain(row).rstrip()
        elif plain(row) != plain(known):
            yield f"{number:2}| {plain(row).rstrip()}"
    for tier, found in TIERS.items():
        yield f"{tier:10} {' '.join(digest(row, found.depth) for row in lines[tier])}"
