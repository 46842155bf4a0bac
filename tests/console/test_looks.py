"""Colours that can be read, signs where the terminal has them, and nothing that is told by colour alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import helpers
import helpers_tui as tui
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import ColorDepth, DummyOutput
from prompt_toolkit.styles import Style, default_ui_style, merge_styles

from cli.console.messages import Entered, KeepSetting, Key, Typed
from cli.console.render.screen import render
from cli.console.render.spans import PLAIN, SIXTEEN, STYLES, TINTS, Line, on, rules, style_class
from cli.console.screen_state import THEMES
from cli.console.shell.app import Console
from cli.match.player import Happened, Placed
from cli.runtime import terminal
from cli.runtime.terminal import draws_unicode
from cli.storage import home
from cli.storm.model import Marks
from cli.storm.render import board
from cli.storm.render.ground import GROUNDS
from storm_p2p.storm.board import REALM, REGIONS, Faction

BLACK, WHITE = "000000", "ffffff"
READABLE = 4.3
"""Contrast of text against its background; 4.58 is what one colour can have on black and on white at once."""
READABLE_ON_A_TINT = 4.5

pytestmark = pytest.mark.usefixtures("recorded_strengths")


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    """Return the contrast of two colours, from 1 to 21, as WCAG 2 defines it."""
    darker, lighter = sorted((luminance(one), luminance(two)))
    return (lighter + 0.05) / (darker + 0.05)


def attributes(*, sixteen: bool = False) -> Iterator[tuple[str, str, str]]:
    """Yield each style with its foreground and background, as prompt_toolkit will use them."""
    style = merge_styles([default_ui_style(), Style.from_dict(rules(sixteen=sixteen))])
    for name in STYLES:
        found = style.get_attrs_for_style_str(style_class(name))
        yield name, found.color or "", found.bgcolor or ""


def test_every_colour_can_be_read_on_black_on_white_and_on_its_tint() -> None:
    for name, ink, paper in attributes():
        if paper:
            assert contrast(ink, paper) >= READABLE_ON_A_TINT, name
        elif ink:
            assert min(contrast(ink, BLACK), contrast(ink, WHITE)) >= READABLE, name


@pytest.mark.parametrize("sixteen", [False, True])
def test_bright_black_is_never_a_foreground(*, sixteen: bool) -> None:
    assert not [name for name, ink, _ in attributes(sixteen=sixteen) if ink == "ansibrightblack"]


def test_sixteen_colours_are_those_of_the_terminal_and_without_tints() -> None:
    for name, ink, paper in attributes(sixteen=True):
        assert ink == "" or ink.startswith("ansi"), name
        assert paper == "", name
    assert SIXTEEN.keys() == PLAIN.keys()


@pytest.mark.parametrize("depth", [ColorDepth.DEPTH_4_BIT, ColorDepth.DEPTH_8_BIT])
def test_the_console_asks_its_terminal_how_many_colours_it_has(depth: ColorDepth) -> None:
    screen = tui.asked(tui.EXAMPLE)
    with create_app_session(DummyInput(), DummyOutput()):
        console = Console(lambda: screen, print, lambda line: [], print, print, print, color_depth=depth)
    found = console.application.style
    assert found is not None
    tinted = found.get_attrs_for_style_str(style_class(on("own", "olympus"))).bgcolor
    assert bool(tinted) == (depth != ColorDepth.DEPTH_4_BIT)


@pytest.mark.parametrize(
    ("environment", "fine"),
    [
        ({"TERM": "xterm-256color", "LANG": "de_DE.UTF-8"}, True),
        ({"TERM": "xterm", "LANG": "en_US.utf8"}, True),
        ({"TERM": "xterm", "LANG": "de_DE.UTF-8", "LC_ALL": "C"}, False),
        ({"TERM": "xterm", "LANG": "C", "LC_ALL": "C.UTF-8"}, True),
        ({"TERM": "xterm", "LC_CTYPE": "UTF-8"}, True),
        ({"TERM": "xterm", "LANG": "de_DE@euro"}, False),
        ({"TERM": "xterm"}, False),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8"}, False),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8", "LANG": "fr_FR.UTF-8"}, True),
        ({"TERM": "linux", "LANG": "de_DE.UTF-8"}, False),
        ({"TERM": "dumb", "LANG": "de_DE.UTF-8"}, False),
        ({"WT_SESSION": "1"}, True),
        ({}, False),
    ],
    ids=str,
)
def test_fine_signs_are_drawn_where_the_terminal_says_utf_8_and_is_no_linux_console(
    environment: dict[str, str], *, fine: bool
) -> None:
    assert draws_unicode("", environment) == fine
    assert draws_unicode("unicode", environment)
    assert not draws_unicode("ascii", environment)


def test_every_part_of_the_world_has_its_tint_and_ascii_has_none() -> None:
    sides = helpers.owner_view(tui.EXAMPLE, Faction.CHTHONIANS).sides
    for size in (board.SMALL, board.LARGE, board.HUGE):
        drawn = board.draw(sides, Faction.CHTHONIANS, Marks(), size=size, unicode=True)
        tints = {style.partition("-")[2] for row in drawn for style, _ in row}
        assert tints == {"", "underworld", "tartarus", "earth", "olympus", "palace", "styx"}
        coarse = board.draw(sides, Faction.CHTHONIANS, Marks(), size=size, unicode=False)
        assert not [style for row in coarse for style, _ in row if "-" in style]
    assert set(board.WORLD[1:]) < TINTS.keys()
    assert {board.WORLD[region] for region in REALM[Faction.OLYMPIANS]} == {"olympus", "palace"}
    assert len(board.WORLD) == len(REGIONS) + 1


def boards(theme: str) -> Iterator[tuple[tuple[Line, ...], tuple[Line, ...]]]:
    """Yield boards in half blocks, each with the same one in ASCII."""
    plays = ("14", "14 eri hec", "12", "move 14 15", "")
    screens = [tui.after(tui.asked(tui.EXAMPLE), Typed(line)) for line in plays]
    screens.append(tui.after(tui.asked(tui.COMBAT), Typed("ret 1")))
    for screen in screens:
        assert screen.match.state is not None
        for size in (board.SMALL, board.LARGE, board.HUGE):
            sides, marks = screen.match.state.sides, screen.found.marks
            yield (
                board.draw(sides, screen.match.side, marks, size=size, unicode=True, theme=theme),
                board.draw(sides, screen.match.side, marks, size=size, unicode=False, theme=theme),
            )


@pytest.mark.parametrize("theme", THEMES[:-1])
def test_half_blocks_say_what_ascii_says_at_the_same_cells(theme: str) -> None:
    for fine, coarse in boards(theme):
        assert [sum(len(text) for _, text in row) for row in fine] == [
            sum(len(text) for _, text in row) for row in coarse
        ]
        drawn = [[" " if char in "\u2580\u2584" else char for _, text in row for char in text] for row in fine]
        edges = ("edge", "water")
        said = [[" " if style in edges else char for style, text in row for char in text] for row in coarse]
        assert drawn == said


@pytest.mark.parametrize("theme", GROUNDS)
def test_every_text_on_half_blocks_can_be_read(theme: str) -> None:
    pairs = {
        tuple(word.rpartition("#")[2] for word in style.split() if "#" in word)
        for fine, _ in boards(theme)
        for row in fine
        for style, text in row
        if text.strip(" \u2580\u2584")
    }
    inks = {look.rpartition("#")[2] for look in GROUNDS[theme].inks.values()}
    for ink, paper in pairs | {(ink, paper) for ink in inks for _, paper in pairs}:
        assert contrast(ink, paper) >= READABLE_ON_A_TINT, (ink, paper)


@pytest.mark.parametrize("theme", THEMES[:-1])
def test_the_styx_is_one_unbroken_line_and_a_state_changes_no_shape(theme: str) -> None:
    sides = helpers.at("chthonians", "hades 10, zeus 15").sides
    water = {"#{:02x}{:02x}{:02x}".format(*one) for one in GROUNDS[theme].river}

    def wet(marks: Marks) -> set[tuple[int, int]]:
        found = set()
        drawn = board.draw(sides, Faction.CHTHONIANS, marks, size=board.LARGE, unicode=True, theme=theme)
        for down, row in enumerate(drawn):
            looks = [style.replace("bg:", "").split() for style, text in row for _ in text]
            found |= {(across, down) for across, words in enumerate(looks) if water & set(words)}
        return found

    river = wet(Marks())
    columns = {across for across, _ in river}
    assert columns == set(range(min(columns), max(columns) + 1))
    assert min(columns) <= 2
    seen, new = set(), {min(river)}
    while new:
        seen |= new
        new = {(x + dx, y + dy) for x, y in new for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & river - seen
    assert seen == river
    assert wet(Marks(origin=12, prices=((13, -2, 0), (11, 0, 0)), attacks=((7, 1, 1),))) == river


@pytest.mark.parametrize(
    ("environment", "bits", "theme"),
    [
        ({"COLORTERM": "truecolor"}, 24, "dark"),
        ({"COLORTERM": "24bit", "COLORFGBG": "0;15"}, 24, "light"),
        ({"TERM": "xterm-256color"}, 8, "dark"),
        ({"TERM": "linux"}, 4, "lines"),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, 1, "lines"),
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, 1, "lines"),
        ({"PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_4_BIT", "COLORTERM": "truecolor"}, 4, "lines"),
    ],
    ids=str,
)
def test_half_blocks_are_drawn_where_the_terminal_has_the_colours(
    environment: dict[str, str], bits: int, theme: str
) -> None:
    assert terminal.colours(environment) == bits
    assert terminal.theme("", unicode=True, environment=environment) == theme
    assert terminal.theme("contrast", unicode=True, environment=environment) == (
        "lines" if theme == "lines" else "contrast"
    )
    assert terminal.theme("lines", unicode=True, environment=environment) == "lines"
    assert terminal.theme("dark", unicode=False, environment=environment) == "lines"


def test_the_theme_is_changed_by_a_word_and_kept(tmp_path: Path) -> None:
    screen = tui.asked(tui.EXAMPLE)
    poor, effects = tui.stepped(screen, Entered("theme dark"))
    assert poor.rejected
    assert not effects
    assert "too few colours" in " ".join(poor.notice)
    screen = replace(screen, settings=replace(screen.settings, colourful=True))
    dark, effects = tui.stepped(screen, Entered("theme dark"))
    assert effects == (KeepSetting("theme", "dark"),)
    assert dark.settings.theme == "dark"
    assert tui.stepped(dark, Entered("farben hell"))[0].settings.theme == "light"
    assert tui.stepped(dark, Entered("theme"))[0].settings.theme == "light"
    wrong, effects = tui.stepped(screen, Entered("theme pink"))
    assert not effects
    assert "Type theme dark" in " ".join(wrong.notice)
    tui.play(tui.EXAMPLE, ["theme light\r"], settings=screen.settings, folder=tmp_path)
    assert home.load_preferences(tmp_path).theme == "light"


def test_what_is_picked_and_what_it_reaches_are_lit() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed("14"))
    lit = {style.partition("-")[2] for row in render(screen).above for style, _ in row}
    assert {"chosen", "reach"} <= lit
    before = {style.partition("-")[2] for row in render(tui.asked(tui.EXAMPLE)).above for style, _ in row}
    assert not before & {"chosen", "reach"}


def test_the_largest_board_shows_the_strength_of_each_unit_and_its_marks() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE, tui.HUGE), Typed("14 eri hec"))
    shown = tui.text(screen)
    for words in ("12 Hades 5 ^", "Charon* 2", " 6 Persephone 3 ^", "<Hera> 3", "<?> 2-6", "ATTACK 2:1     [-2]"):
        assert words in shown


def test_the_largest_board_has_room_for_four_a_side_and_for_the_setup() -> None:
    ours, theirs = "hades persephone cerberus cronus 13", "zeus hera athena aphrodite 14"
    state = helpers.at("chthonians", f"{ours}, {theirs}", known="all")
    shown = tui.text(tui.after(tui.asked(state, tui.HUGE), Typed("13")))
    for words in ("Persephone* 3 ^", "<Zeus> 6 ", "<Aphrodite> ", "ATTACK 4:4"):
        assert words in shown
    fought = tui.asked(helpers.play(state, "move 13 14 hades persephone cerberus cronus"), tui.HUGE)
    fought = tui.after(fought, Key("hide"))
    for words in ("CRO*", "CER*", "HAD*", "PER*", "-ath", "-hra", "-aph"):
        assert words in tui.text(fought)
    assert tui.text(tui.after(tui.begin(tui.HUGE), Placed(), Typed("per"))).count("Persephone") >= 2


def test_the_strength_of_a_hidden_enemy_is_what_everybody_knows() -> None:
    for seed in range(12):
        state = helpers.random_position(random.Random(seed))
        other = helpers.exchange(random.Random(seed), state, Faction.OLYMPIANS)
        pictures = [
            tui.text(tui.after(tui.begin(tui.HUGE), Happened((), helpers.owner_view(one, Faction.CHTHONIANS))))
            for one in (state, other)
        ]
        assert pictures[0] == pictures[1]


def test_tints_change_no_character() -> None:
    screen = tui.after(tui.asked(tui.EXAMPLE), Typed("14"))
    coarse = tui.after(screen, Entered("unicode"), Typed("14"))
    fine = str.maketrans("\u2581\u2571\u2572\u2248\u2500", "_/\\~-")
    assert [row.translate(fine) for row in tui.rows(render(screen))] == tui.rows(render(replace(coarse, notice=())))
